// Reductions: over the whole register (vcadd, vcmax, vcmin), per 32-byte block (vcg*), and of neighbours (vcpadd).
// Order of a sum: a binary tree over neighbouring lanes, ((l0+l1)+(l2+l3))+.., rounded to the lane's format at every node;
// inactive lanes count as zero. Facts: PTO micro ISA page 10; see docs/micro-semantics.md.
#include <limits>

#include "exec/context.hpp"
#include "exec/vector_lanes.hpp"

namespace pto::exec {
namespace {

using namespace vec;

constexpr unsigned kBlocks = 8;

template <typename T>
Compute<T> sum_pair(Compute<T> a, Compute<T> b) {
  if constexpr (kIsFloat<T>) return round_to_lane<T>(canonical(a + b));
  else return wrapping_add<T>(a, b);
}
/// Sum of `n` (a power of two) values in tree order; overwrites them.
template <typename T>
Compute<T> tree_sum(Compute<T>* values, unsigned n) {
  for (; n > 1; n /= 2) {
    for (unsigned i = 0; i < n / 2; ++i) values[i] = sum_pair<T>(values[2 * i], values[2 * i + 1]);
  }
  return values[0];
}
template <typename T>
Lanes<T> active_or(const VReg& reg, const Mask& mask, Compute<T> neutral) {
  Lanes<T> lanes = load<T>(reg);
  for (unsigned i = 0; i < kLanes<T>; ++i) lanes[i] = active(mask, i, sizeof(T)) ? lanes[i] : neutral;
  return lanes;
}

/// 8- and 16-bit integers sum into lanes twice as wide; everything else into its own format.
template <typename T>
struct SumType { using type = T; };
template <>
struct SumType<int8_t> { using type = int16_t; };
template <>
struct SumType<uint8_t> { using type = uint16_t; };
template <>
struct SumType<int16_t> { using type = int32_t; };
template <>
struct SumType<uint16_t> { using type = uint32_t; };

template <typename T>
void sum_all(Context& ctx) {
  using Wide = typename SumType<T>::type;
  const Lanes<T> lanes = active_or<T>(ctx.vreg(0), ctx.mask(1), Compute<T>{0});
  std::array<Compute<Wide>, kLanes<T>> wide;
  for (unsigned i = 0; i < kLanes<T>; ++i) wide[i] = static_cast<Compute<Wide>>(lanes[i]);
  VReg result{};
  set_lane_bits(result, 0, sizeof(Wide), to_bits<Wide>(tree_sum<Wide>(wide.data(), kLanes<T>)));
  ctx.result<VReg>() = result;
}
void vcadd(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { sum_all<typename decltype(tag)::type>(ctx); })) refuse_type(ctx, elem);
}

template <typename T>
void sum_blocks(Context& ctx) {
  Lanes<T> lanes = active_or<T>(ctx.vreg(0), ctx.mask(1), Compute<T>{0});
  constexpr unsigned kPerBlock = kLanes<T> / kBlocks;
  Lanes<T> out{};
  for (unsigned block = 0; block < kBlocks; ++block) out[block] = tree_sum<T>(lanes.data() + block * kPerBlock, kPerBlock);
  store<T>(out, ctx.result<VReg>());
}
void vcgadd(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { sum_blocks<typename decltype(tag)::type>(ctx); })) refuse_type(ctx, elem);
}

/// Sums of neighbours in the lower half; the upper half is zero.
template <typename T>
void sum_neighbours(Context& ctx) {
  const Lanes<T> lanes = active_or<T>(ctx.vreg(0), ctx.mask(1), Compute<T>{0});
  Lanes<T> out{};
  for (unsigned i = 0; i < kLanes<T> / 2; ++i) out[i] = sum_pair<T>(lanes[2 * i], lanes[2 * i + 1]);
  store<T>(out, ctx.result<VReg>());
}
void vcpadd(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { sum_neighbours<typename decltype(tag)::type>(ctx); })) refuse_type(ctx, elem);
}

// ---- extrema
template <typename T, bool kMax>
constexpr T neutral() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) return kMax ? -Limits::infinity() : Limits::infinity();
  else return kMax ? Limits::lowest() : Limits::max();
}
/// Index of the first extremum of values[0, n). A NaN beats every number, the first NaN beats the later ones.
template <typename T, bool kMax>
unsigned extremum(const T* values, unsigned n) {
  unsigned best = 0;
  for (unsigned i = 1; i < n; ++i) {
    if (values[best] != values[best]) break;
    if (values[i] != values[i] || (kMax ? values[i] > values[best] : values[i] < values[best])) best = i;
  }
  return best;
}
template <typename T, bool kMax>
void extremum_all(Context& ctx) {
  const Lanes<T> lanes = active_or<T>(ctx.vreg(0), ctx.mask(1), neutral<Compute<T>, kMax>());
  const unsigned index = extremum<Compute<T>, kMax>(lanes.data(), kLanes<T>);
  VReg result{};
  set_lane_bits(result, 0, sizeof(T), to_bits<T>(lanes[index]));
  set_lane_bits(result, 1, sizeof(T), index);
  ctx.result<VReg>() = result;
}
template <typename T, bool kMax>
void extremum_blocks(Context& ctx) {
  const Lanes<T> lanes = active_or<T>(ctx.vreg(0), ctx.mask(1), neutral<Compute<T>, kMax>());
  constexpr unsigned kPerBlock = kLanes<T> / kBlocks;
  Lanes<T> out{};
  for (unsigned block = 0; block < kBlocks; ++block) {
    const Compute<T>* first = lanes.data() + block * kPerBlock;
    out[block] = first[extremum<Compute<T>, kMax>(first, kPerBlock)];
  }
  store<T>(out, ctx.result<VReg>());
}
template <bool kMax>
void vc_extremum(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { extremum_all<typename decltype(tag)::type, kMax>(ctx); })) refuse_type(ctx, elem);
}
template <bool kMax>
void vcg_extremum(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { extremum_blocks<typename decltype(tag)::type, kMax>(ctx); })) refuse_type(ctx, elem);
}

constexpr Semantics kTable[] = {
    {"pto.vcadd", vcadd},
    {"pto.vcmax", vc_extremum<true>},
    {"pto.vcmin", vc_extremum<false>},
    {"pto.vcgadd", vcgadd},
    {"pto.vcgmax", vcg_extremum<true>},
    {"pto.vcgmin", vcg_extremum<false>},
    {"pto.vcpadd", vcpadd},
};

}  // namespace

std::span<const Semantics> vec::reductions() { return kTable; }

}  // namespace pto::exec
