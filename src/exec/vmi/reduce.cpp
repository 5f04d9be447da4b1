// Reductions of logical vectors, of all lanes or of each group, and histograms.
#include <string>
#include <vector>

#include "exec/lane_reduce.hpp"
#include "exec/vmi/lanes.hpp"

namespace pto::exec::vmi {
namespace {

/// The lanes of one group; inactive ones are neutral.
template <typename T>
void take_group(const Lanes& from, const Bits& active, unsigned first, vec::Compute<T> neutral,
                std::span<vec::Compute<T>> to) {
  for (unsigned i = 0; i < to.size(); ++i)
    to[i] = active.get(first + i) ? vec::from_bits<T>(from.bits(first + i)) : neutral;
}

template <typename T>
vec::Compute<T> sum_of_two(vec::Compute<T> a, vec::Compute<T> b) {
  if constexpr (vec::kIsFloat<T>)
    return vec::round_to_lane<T>(Add::f(a, b));
  else
    return Add::i(a, b);
}
/// Neighbours are added, then neighbours of those sums: n/2 sums of n values. A last one alone stays.
template <typename T>
unsigned add_neighbours(std::span<vec::Compute<T>> values, unsigned n, unsigned apart) {
  unsigned out = 0;
  for (unsigned i = 0; i < n; i += 2 * apart, out += apart)
    for (unsigned j = 0; j < apart && i + j < n; ++j)
      values[out + j] =
          i + apart + j < n ? sum_of_two<T>(values[i + j], values[i + apart + j]) : values[i + j];
  return (n / apart + 1) / 2 * apart;
}
/// Whole registers first, then the lanes of the one that is left; rounded to the lane's format at every node.
template <typename T>
vec::Compute<T> sum(std::span<vec::Compute<T>> values) {
  auto n = static_cast<unsigned>(values.size());
  while (n > vec::kLanes<T> && n % vec::kLanes<T> == 0) n = add_neighbours<T>(values, n, vec::kLanes<T>);
  while (n > 1) n = add_neighbours<T>(values, n, 1);
  return canonical(values[0]);
}

enum class Reduction : uint8_t { add, max, min };
template <typename T, Reduction kHow>
vec::Compute<T> reduced(std::span<vec::Compute<T>> values) {
  if constexpr (kHow == Reduction::add)
    return sum<T>(values);
  else
    return vec::extremum_value<vec::Compute<T>, kHow == Reduction::max>(values.data(),
                                                                        static_cast<unsigned>(values.size()));
}
template <typename T, Reduction kHow>
constexpr vec::Compute<T> neutral_of() {
  if constexpr (kHow == Reduction::add)
    return vec::Compute<T>{0};
  else
    return vec::neutral<vec::Compute<T>, kHow == Reduction::max>();
}

void flush_lanes(const Context& ctx, Elem elem, std::span<float> lanes) {
  if (flushes(ctx)) flush_denormals(elem, lanes.data(), lanes.size());
}
template <typename T>
void flush_lanes(const Context&, Elem, std::span<T>) {}

/// One lane for all, or one per group.
template <Reduction kHow>
void reduce(Context& ctx) {
  if (refuses_merge(ctx)) return;
  const Elem elem = lane_elem(ctx.type(0).elem);
  const auto go = [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Lanes from = operand(ctx, 0);
    const Lanes to = result(ctx);
    const Bits active = mask(ctx, 1);
    const unsigned size = from.count() / to.count();
    std::vector<vec::Compute<T>> group(size);
    for (unsigned g = 0; g < to.count(); ++g) {
      take_group<T>(from, active, g * size, neutral_of<T, kHow>(), group);
      flush_lanes(ctx, elem, std::span(group));
      vec::Compute<T> value = reduced<T, kHow>(group);
      flush_lanes(ctx, elem, std::span(&value, 1));
      to.set(g, vec::to_bits<T>(value));
    }
  };
  if (!vec::with_number(elem, go)) vec::refuse_type(ctx, elem);
}

/// Counts by value: each half of the bins is an instruction, the registers of the source one after the other.
void histogram(Context& ctx) {
  const Lanes counts = operand(ctx, 0);
  const Lanes source = operand(ctx, 1);
  const Bits active = mask(ctx, 2);
  const std::string_view cost = ctx.inst->schema->row->cost;
  Micro micro(ctx, "pto." + std::string(cost.substr(cost.find('.') + 1)), Elem::ui16, Elem::ui16);
  constexpr unsigned kBins = vec::kLanes<uint16_t>;
  for (unsigned bin = 0; bin < counts.count() / kBins; ++bin) {
    micro.out() = (&ctx.vreg(0))[bin];
    micro.word(3) = bin;
    for (unsigned first = 0; first < source.count(); first += vec::kVRegBytes) {
      micro.in(0) = micro.out();
      micro.in(1) = (&ctx.vreg(1))[first / vec::kVRegBytes];
      micro.mask(2) = active.of_register(first, 1);
      micro.run();
    }
    (&ctx.result<VReg>())[bin] = micro.out();
  }
}

constexpr Semantics kVmiReduceSemantics[] = {
    {"pto.vmi.vcadd", reduce<Reduction::add>},
    {"pto.vmi.vcmax", reduce<Reduction::max>},
    {"pto.vmi.vcmin", reduce<Reduction::min>},
    {"pto.vmi.reduce_addi", reduce<Reduction::add>},
    {"pto.vmi.reduce_addf", reduce<Reduction::add>},
    {"pto.vmi.reduce_maxi", reduce<Reduction::max>},
    {"pto.vmi.reduce_maxf", reduce<Reduction::max>},
    {"pto.vmi.reduce_mini", reduce<Reduction::min>},
    {"pto.vmi.reduce_minf", reduce<Reduction::min>},
    {"pto.vmi.group_reduce_addi", reduce<Reduction::add>},
    {"pto.vmi.group_reduce_addf", reduce<Reduction::add>},
    {"pto.vmi.group_reduce_maxi", reduce<Reduction::max>},
    {"pto.vmi.group_reduce_maxf", reduce<Reduction::max>},
    {"pto.vmi.group_reduce_mini", reduce<Reduction::min>},
    {"pto.vmi.group_reduce_minf", reduce<Reduction::min>},
    {"pto.vmi.vdhist", histogram},
    {"pto.vmi.vchist", histogram},
};

}  // namespace

}  // namespace pto::exec::vmi

namespace pto::exec {

std::span<const Semantics> vmi_group_wise() { return vmi::kVmiReduceSemantics; }

}  // namespace pto::exec
