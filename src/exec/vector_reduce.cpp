// Reductions: over the whole register (vcadd, vcmax, vcmin), per 32-byte block (vcg*), and of neighbours (vcpadd).
// Order of a sum: a binary tree over neighbouring lanes, ((l0+l1)+(l2+l3))+.., rounded to the lane's format at every node;
// inactive lanes count as zero. Facts: PTO micro ISA page 10; see docs/micro-semantics.md.
#include <algorithm>
#include <limits>

#include "exec/context.hpp"
#include "exec/vector_lanes.hpp"

namespace pto::exec {
namespace {

using namespace vec;

constexpr unsigned kBlocks = 8;

/// Rounds `n` f32 values to the lane's format.
template <typename T>
void round_to_lanes(Compute<T>* values, unsigned n) {
  if constexpr (std::is_same_v<T, F16> || std::is_same_v<T, BF16>) {
    std::array<uint16_t, kLanes<T>> bits;
    const std::span<const float> from(values, n);
    if constexpr (std::is_same_v<T, F16>) {
      num::f32_to_f16(from, bits.data());
      num::f16_to_f32(std::span<const uint16_t>(bits.data(), n), values);
    } else {
      num::f32_to_bf16(from, bits.data());
      num::bf16_to_f32(std::span<const uint16_t>(bits.data(), n), values);
    }
  }
}
/// Sums of neighbours: n values become n/2, in place.
template <typename T>
void add_neighbours(Compute<T>* values, unsigned n) {
  for (unsigned i = 0; i < n / 2; ++i) {
    if constexpr (kIsFloat<T>)
      values[i] = canonical(values[2 * i] + values[2 * i + 1]);
    else
      values[i] = wrapping_add<T>(values[2 * i], values[2 * i + 1]);
  }
  round_to_lanes<T>(values, n / 2);
}
/// Tree sums of groups of `group` (a power of two) out of `n` values, left in values[0, n / group).
template <typename T>
void tree_sums(Compute<T>* values, unsigned n, unsigned group) {
  for (; group > 1; group /= 2, n /= 2) add_neighbours<T>(values, n);
}
template <typename T>
Lanes<T> active_or(const VReg& reg, const Mask& mask, Compute<T> neutral) {
  Lanes<T> lanes = load<T>(reg);
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
  const Lanes<T> lanes = active_or<T>(ctx.vreg(0), ctx.mask(1), Compute<T>{0});
  std::array<Compute<Wide>, kLanes<T>> wide;
  for (unsigned i = 0; i < kLanes<T>; ++i) wide[i] = static_cast<Compute<Wide>>(lanes[i]);
  tree_sums<Wide>(wide.data(), kLanes<T>, kLanes<T>);
  VReg result{};
  set_lane_bits(result, 0, sizeof(Wide), to_bits<Wide>(wide[0]));
  ctx.result<VReg>() = result;
}
void vcadd(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { sum_all<typename decltype(tag)::type>(ctx); })) refuse_type(ctx, elem);
}

template <typename T>
void sum_blocks(Context& ctx) {
  Lanes<T> lanes = active_or<T>(ctx.vreg(0), ctx.mask(1), Compute<T>{0});
  tree_sums<T>(lanes.data(), kLanes<T>, kLanes<T> / kBlocks);
  std::fill(lanes.begin() + kBlocks, lanes.end(), Compute<T>{0});
  store<T>(lanes, ctx.result<VReg>());
}
void vcgadd(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { sum_blocks<typename decltype(tag)::type>(ctx); })) refuse_type(ctx, elem);
}

/// Sums of neighbours in the lower half; the upper half is zero.
template <typename T>
void sum_neighbours(Context& ctx) {
  Lanes<T> lanes = active_or<T>(ctx.vreg(0), ctx.mask(1), Compute<T>{0});
  add_neighbours<T>(lanes.data(), kLanes<T>);
  std::fill(lanes.begin() + kLanes<T> / 2, lanes.end(), Compute<T>{0});
  store<T>(lanes, ctx.result<VReg>());
}
void vcpadd(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { sum_neighbours<typename decltype(tag)::type>(ctx); })) refuse_type(ctx, elem);
}

// ---- extrema
template <typename T, bool kMax>
constexpr T neutral() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>)
    return kMax ? -Limits::infinity() : Limits::infinity();
  else
    return kMax ? Limits::lowest() : Limits::max();
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
  if (!with_number(elem, [&](auto tag) { extremum_blocks<typename decltype(tag)::type, kMax>(ctx); }))
    refuse_type(ctx, elem);
}

constexpr Semantics kTable[] = {
    {"pto.vcadd", vcadd},   {"pto.vcmax", vc_extremum<true>},   {"pto.vcmin", vc_extremum<false>},
    {"pto.vcgadd", vcgadd}, {"pto.vcgmax", vcg_extremum<true>}, {"pto.vcgmin", vcg_extremum<false>},
    {"pto.vcpadd", vcpadd},
};

}  // namespace

std::span<const Semantics> vec::reductions() { return kTable; }

}  // namespace pto::exec
