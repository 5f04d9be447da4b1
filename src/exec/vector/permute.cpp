// Compare, select, materialise, interleave, pack and squeeze: everything that moves lanes inside the vector
// unit. Facts: PTO micro ISA pages 05 (materialisation), 11 (compare/select), 12 (rearrangement); see
// docs/reference/numerics.md.
#include "exec/exec_context.hpp"
#include "exec/lane_count.hpp"
#include "exec/vector/lanes.hpp"
#include "isa/cmp_predicate.hpp"

namespace pto::exec {
namespace {

using namespace vec;

unsigned lane_width(const Context& ctx, unsigned slot) { return byte_width(ctx.type(slot).elem); }

// ---- compare
/// Ordered comparisons are false on NaN; `ne` is true.
template <typename T>
void compare_lanes(Context& ctx, const Lanes<T>& b, isa::CmpPredicate mode) {
  const Lanes<T> a = load<T>(ctx.vreg(0));
  Mask result{};
  for (unsigned i = 0; i < kLanes<T>; ++i) {
    if (active(ctx.mask(2), i, sizeof(T)) && isa::holds(mode, a[i], b[i])) set_bit(result, i * sizeof(T));
  }
  ctx.result<Mask>() = result;
}
template <bool kScalar>
void vcmp(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  const std::optional<isa::CmpPredicate> mode = isa::cmp_mode_named(token(ctx, 0));
  if (!mode) return ctx.fault(Fault::bad_operand, "the comparison is one of eq, ne, lt, le, gt, ge");
  const auto go = [&](auto tag) {
    using T = typename decltype(tag)::type;
    Lanes<T> b;
    if constexpr (kScalar)
      b.fill(from_bits<T>(ctx.word(1)));
    else
      b = load<T>(ctx.vreg(1));
    compare_lanes<T>(ctx, b, *mode);
  };
  if (!with_number(elem, go)) refuse_type(ctx, elem);
}

// ---- select
void vsel(Context& ctx) {
  const unsigned width = lane_width(ctx, 0);
  VReg result;
  for (unsigned i = 0; i < kVRegBytes / width; ++i)
    set_lane_bits(result, i, width, lane_bits(ctx.vreg(active(ctx.mask(2), i, width) ? 0 : 1), i, width));
  ctx.result<VReg>() = result;
}
/// Lane i of the result is lane idx[i] of the source; the index is taken modulo the number of lanes.
void vselr(Context& ctx) {
  const unsigned width = lane_width(ctx, 0);
  const unsigned lanes = kVRegBytes / width;
  VReg result;
  for (unsigned i = 0; i < lanes; ++i)
    set_lane_bits(
        result, i, width,
        lane_bits(ctx.vreg(0), static_cast<unsigned>(lane_bits(ctx.vreg(1), i, width) % lanes), width));
  ctx.result<VReg>() = result;
}

/// Lanes move up by as many places; below come zeros.
void vshift(Context& ctx) {
  const unsigned width = lane_width(ctx, 0);
  const unsigned lanes = kVRegBytes / width;
  const auto amount = static_cast<int16_t>(ctx.word(1));
  if (amount < 0) return ctx.fault(Fault::bad_operand, "lanes are moved up by a count that is not negative");
  VReg result{};
  for (unsigned i = static_cast<unsigned>(amount); i < lanes; ++i)
    set_lane_bits(result, i, width, lane_bits(ctx.vreg(0), i - static_cast<unsigned>(amount), width));
  ctx.result<VReg>() = result;
}

// ---- materialise
VReg broadcast(uint64_t bits, unsigned width) {
  VReg result;
  for (unsigned i = 0; i < kVRegBytes / width; ++i) set_lane_bits(result, i, width, bits);
  return result;
}
void vbr(Context& ctx) { ctx.result<VReg>() = broadcast(ctx.word(0), byte_width(ctx.result_type().elem)); }
void vdup(Context& ctx) {
  const unsigned width = byte_width(ctx.result_type().elem);
  uint64_t bits = 0;
  if (ctx.type(0).kind == TypeKind::vreg)
    bits = lane_bits(ctx.vreg(0), token(ctx, 0) == "HIGHEST" ? kVRegBytes / width - 1 : 0, width);
  else
    bits = ctx.word(0);
  VReg result = broadcast(bits, width);
  clear_inactive(result, ctx.mask(1), width);
  ctx.result<VReg>() = result;
}
/// base + lane, or base - lane when descending; floats round once.
void vci(Context& ctx) {
  const Elem elem = ctx.result_type().elem;
  const bool descending = token(ctx, 0) == "DESC";
  const auto go = [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Compute<T> base = from_bits<T>(ctx.word(0));
    Lanes<T> out;
    for (unsigned i = 0; i < kLanes<T>; ++i) out[i] = counted<T>(base, i, descending);
    store<T>(out, ctx.result<VReg>());
  };
  if (!with_number(elem, go)) refuse_type(ctx, elem);
}

// ---- interleave
struct Pair {
  VReg low, high;
};
Pair interleave(const VReg& a, const VReg& b, unsigned width) {
  Pair out;
  const unsigned half = kVRegBytes / width / 2;
  for (unsigned i = 0; i < half; ++i) {
    set_lane_bits(out.low, 2 * i, width, lane_bits(a, i, width));
    set_lane_bits(out.low, 2 * i + 1, width, lane_bits(b, i, width));
    set_lane_bits(out.high, 2 * i, width, lane_bits(a, half + i, width));
    set_lane_bits(out.high, 2 * i + 1, width, lane_bits(b, half + i, width));
  }
  return out;
}
Pair deinterleave(const VReg& a, const VReg& b, unsigned width) {
  Pair out;
  const unsigned half = kVRegBytes / width / 2;
  for (unsigned i = 0; i < half; ++i) {
    set_lane_bits(out.low, i, width, lane_bits(a, 2 * i, width));
    set_lane_bits(out.high, i, width, lane_bits(a, 2 * i + 1, width));
    set_lane_bits(out.low, half + i, width, lane_bits(b, 2 * i, width));
    set_lane_bits(out.high, half + i, width, lane_bits(b, 2 * i + 1, width));
  }
  return out;
}
template <Pair (*kMove)(const VReg&, const VReg&, unsigned)>
void two_results(Context& ctx) {
  const Pair out = kMove(ctx.vreg(0), ctx.vreg(1), lane_width(ctx, 0));
  ctx.result<VReg>(0) = out.low;
  ctx.result<VReg>(1) = out.high;
}
template <Pair (*kMove)(const VReg&, const VReg&, unsigned)>
void one_half(Context& ctx) {
  const Pair out = kMove(ctx.vreg(0), ctx.vreg(1), lane_width(ctx, 0));
  ctx.result<VReg>() = token(ctx, 0) == "HIGHER" ? out.high : out.low;
}

// ---- pack and unpack
/// Truncates to half width into the LOWER or HIGHER half; the other half is zero.
void vpack(Context& ctx) {
  const unsigned narrow = byte_width(ctx.result_type().elem);
  const unsigned wide = lane_width(ctx, 0);
  const unsigned lanes = kVRegBytes / wide;
  if (wide != 2 * narrow)
    return ctx.fault(Fault::bad_operand, "vpack: the result's elements must be half as wide");
  const unsigned first = token(ctx, 0) == "HIGHER" ? lanes : 0;
  VReg result{};
  for (unsigned i = 0; i < lanes; ++i)
    set_lane_bits(result, first + i, narrow, lane_bits(ctx.vreg(0), i, wide));
  ctx.result<VReg>() = result;
}
template <bool kSigned>
void vunpack(Context& ctx) {
  const unsigned narrow = lane_width(ctx, 0);
  const unsigned wide = byte_width(ctx.result_type().elem);
  const unsigned lanes = kVRegBytes / wide;
  if (wide != 2 * narrow)
    return ctx.fault(Fault::bad_operand, "unpack: the result's elements must be twice as wide");
  const unsigned first = ctx.i64(1) != 0 ? lanes : 0;
  const unsigned shift = 64 - 8 * narrow;
  VReg result;
  for (unsigned i = 0; i < lanes; ++i) {
    const uint64_t bits = lane_bits(ctx.vreg(0), first + i, narrow);
    const auto extended =
        kSigned ? static_cast<uint64_t>(static_cast<int64_t>(bits << shift) >> shift) : bits;
    set_lane_bits(result, i, wide, extended);
  }
  ctx.result<VReg>() = result;
}

// ---- squeeze
/// Active lanes move to the front in order; their byte count is what the next vstur stores.
void vsqz(Context& ctx) {
  const unsigned width = lane_width(ctx, 0);
  VReg result{};
  unsigned kept = 0;
  for (unsigned i = 0; i < kVRegBytes / width; ++i) {
    if (active(ctx.mask(1), i, width)) set_lane_bits(result, kept++, width, lane_bits(ctx.vreg(0), i, width));
  }
  if (ctx.control != nullptr) ctx.control->sqzn = uint64_t{kept} * width;
  ctx.result<VReg>() = result;
}
/// Lane i holds the number of active lanes below i.
void vusqz(Context& ctx) {
  const unsigned width = lane_width(ctx, 0);
  VReg result;
  uint64_t count = 0;
  for (unsigned i = 0; i < kVRegBytes / width; ++i) {
    set_lane_bits(result, i, width, count);
    if (active(ctx.mask(1), i, width)) ++count;
  }
  if (ctx.control != nullptr) ctx.control->sqzn = count * width;
  ctx.result<VReg>() = result;
}

constexpr Semantics kVectorPermuteSemantics[] = {
    {"pto.vcmp", vcmp<false>},
    {"pto.vcmps", vcmp<true>},
    {"pto.vsel", vsel},
    {"pto.vselr", vselr},
    {"pto.vperm", vselr},
    {"pto.vshift", vshift},
    {"pto.vbr", vbr},
    {"pto.vdup", vdup},
    {"pto.vci", vci},
    {"pto.vintlv", two_results<interleave>},
    {"pto.vdintlv", two_results<deinterleave>},
    {"pto.vintlvv2", one_half<interleave>},
    {"pto.vdintlvv2", one_half<deinterleave>},
    {"pto.vpack", vpack},
    {"pto.vsunpack", vunpack<true>},
    {"pto.vzunpack", vunpack<false>},
    {"pto.vsqz", vsqz},
    {"pto.vusqz", vusqz},
};

}  // namespace

std::span<const Semantics> vector_rearrangements() { return kVectorPermuteSemantics; }

}  // namespace pto::exec
