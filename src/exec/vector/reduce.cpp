// Reductions: over the whole register (vcadd, vcmax, vcmin), per 32-byte block (vcg*), and of neighbours
// (vcpadd). Inactive lanes of a sum count as zero. The arithmetic is in exec/lane_reduce.hpp. Facts: PTO
// micro ISA page 10; see docs/reference/numerics.md.
#include <algorithm>

#include "exec/exec_context.hpp"
#include "exec/lane_reduce.hpp"

namespace pto::exec {
namespace {

using namespace vec;

constexpr unsigned kBlocks = 8;

template <typename T>
Lanes<T> active_or(const Context& ctx, Compute<T> neutral) {
  Lanes<T> lanes = operand<T>(ctx, 0);
  const Mask& mask = ctx.mask(1);
  for (unsigned i = 0; i < kLanes<T>; ++i) lanes[i] = active(mask, i, sizeof(T)) ? lanes[i] : neutral;
  return lanes;
}

/// 8- and 16-bit integers sum into lanes twice as wide; everything else into its own format.
template <typename T>
struct SumType {
  using type = T;
};
template <>
struct SumType<int8_t> {
  using type = int16_t;
};
template <>
struct SumType<uint8_t> {
  using type = uint16_t;
};
template <>
struct SumType<int16_t> {
  using type = int32_t;
};
template <>
struct SumType<uint16_t> {
  using type = uint32_t;
};

template <typename T>
void sum_all(Context& ctx) {
  using Wide = typename SumType<T>::type;
  const Lanes<T> lanes = active_or<T>(ctx, Compute<T>{0});
  std::array<Compute<Wide>, kLanes<T>> wide;
  for (unsigned i = 0; i < kLanes<T>; ++i) wide[i] = static_cast<Compute<Wide>>(lanes[i]);
  VReg result{};
  set_lane_bits(result, 0, sizeof(Wide),
                to_bits<Wide>(tree_sums<Wide, kLanes<T>, kLanes<T>>(wide.data())[0]));
  flush_lanes<Wide>(ctx, result);
  ctx.result<VReg>() = result;
}
void vcadd(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { sum_all<typename decltype(tag)::type>(ctx); }))
    refuse_type(ctx, elem);
}

/// Sums of groups of kGroup lanes in the lowest lanes; the others are zero.
template <typename T, unsigned kGroup>
void sum_groups(Context& ctx) {
  const Lanes<T> lanes = active_or<T>(ctx, Compute<T>{0});
  const auto sums = tree_sums<T, kLanes<T>, kGroup>(lanes.data());
  Lanes<T> out{};
  std::copy(sums.begin(), sums.end(), out.begin());
  store<T>(out, ctx.result<VReg>());
  flush_lanes<T>(ctx, ctx.result<VReg>());
}
template <typename T>
void sum_blocks(Context& ctx) {
  sum_groups<T, kLanes<T> / kBlocks>(ctx);
}
void vcgadd(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { sum_blocks<typename decltype(tag)::type>(ctx); }))
    refuse_type(ctx, elem);
}

/// Sums of neighbours in the lower half; the upper half is zero.
template <typename T>
void sum_neighbours(Context& ctx) {
  sum_groups<T, 2>(ctx);
}
void vcpadd(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { sum_neighbours<typename decltype(tag)::type>(ctx); }))
    refuse_type(ctx, elem);
}

// ---- extrema
template <typename T, bool kMax>
void extremum_all(Context& ctx) {
  const Lanes<T> lanes = active_or<T>(ctx, neutral<Compute<T>, kMax>());
  const unsigned index = extremum<Compute<T>, kMax>(lanes.data(), kLanes<T>);
  VReg result{};
  set_lane_bits(result, 0, sizeof(T), to_bits<T>(canonical(lanes[index])));
  set_lane_bits(result, 1, sizeof(T), index);
  ctx.result<VReg>() = result;
}
template <typename T, bool kMax>
void extremum_blocks(Context& ctx) {
  const Lanes<T> lanes = active_or<T>(ctx, neutral<Compute<T>, kMax>());
  constexpr unsigned kPerBlock = kLanes<T> / kBlocks;
  Lanes<T> out{};
  for (unsigned block = 0; block < kBlocks; ++block) {
    const Compute<T>* first = lanes.data() + block * kPerBlock;
    out[block] = extremum_value<Compute<T>, kMax>(first, kPerBlock);
  }
  store<T>(out, ctx.result<VReg>());
}
template <bool kMax>
void vc_extremum(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { extremum_all<typename decltype(tag)::type, kMax>(ctx); }))
    refuse_type(ctx, elem);
}
template <bool kMax>
void vcg_extremum(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { extremum_blocks<typename decltype(tag)::type, kMax>(ctx); }))
    refuse_type(ctx, elem);
}

/// The extremum in lane 0, and which active lanes have it; zeros of both signs are one value.
template <typename T, bool kMax>
void extremum_places(Context& ctx) {
  const Lanes<T> lanes = active_or<T>(ctx, neutral<Compute<T>, kMax>());
  const Compute<T> best = extremum_value<Compute<T>, kMax>(lanes.data(), kLanes<T>);
  VReg value{};
  set_lane_bits(value, 0, sizeof(T), to_bits<T>(best));
  Mask places{};
  for (unsigned i = 0; i < kLanes<T>; ++i)
    if (active(ctx.mask(1), i, sizeof(T)) && lanes[i] == best) set_bit(places, i * sizeof(T));
  ctx.result<VReg>(0) = value;
  ctx.result<Mask>(1) = places;
}
template <bool kMax>
void vcb_extremum(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { extremum_places<typename decltype(tag)::type, kMax>(ctx); }))
    refuse_type(ctx, elem);
}

// ---- histograms of 256 bytes: bins 0 to 127 or 128 to 255, added to 128 counts
template <bool kCumulative>
void histogram(Context& ctx) {
  std::array<uint16_t, 256> counts{};
  for (unsigned i = 0; i < kVRegBytes; ++i)
    if (bit_of(ctx.mask(2), i)) ++counts[ctx.vreg(1).byte[i]];
  if (kCumulative)
    for (unsigned bin = 1; bin < counts.size(); ++bin) counts[bin] += counts[bin - 1];
  const int64_t half = ctx.i64(3);
  if (half != 0 && half != 1)
    return ctx.fault(Fault::bad_operand,
                     "bin is 0 (values 0 to 127) or 1 (128 to 255), not " + std::to_string(half));
  VReg result;
  for (unsigned i = 0; i < kVRegBytes / 2; ++i)
    set_lane_bits(result, i, 2, lane_bits(ctx.vreg(0), i, 2) + counts[static_cast<unsigned>(half) * 128 + i]);
  ctx.result<VReg>() = result;
}

constexpr Semantics kVectorReduceSemantics[] = {
    {"pto.vcadd", vcadd},
    {"pto.vcmax", vc_extremum<true>},
    {"pto.vcmin", vc_extremum<false>},
    {"pto.vcgadd", vcgadd},
    {"pto.vcgmax", vcg_extremum<true>},
    {"pto.vcgmin", vcg_extremum<false>},
    {"pto.vcpadd", vcpadd},
    {"pto.vcbmax", vcb_extremum<true>},
    {"pto.vcbmin", vcb_extremum<false>},
    {"pto.chistv2", histogram<true>},
    {"pto.dhistv2", histogram<false>},
};

}  // namespace

std::span<const Semantics> vector_reductions() { return kVectorReduceSemantics; }

}  // namespace pto::exec
