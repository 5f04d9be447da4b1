// Lane-wise arithmetic of the vector unit: binary, unary, vector-scalar, carry chains and fused
// multiply-adds. The operations are those of exec/lane_ops.hpp; every NaN produced is the canonical one.
// Facts: PTO micro ISA pages 06 (unary), 07 (binary), 08 (vector-scalar), 13 (SFU); see
// docs/reference/numerics.md.
#include <vector>

#include "exec/exec_context.hpp"
#include "exec/vector/lanes.hpp"

namespace pto::exec {
namespace {

using namespace vec;

/// One lane of an operation of exec/lane_ops.hpp. A result in f64 is rounded once to the lane's format.
template <typename T, typename Op, typename... Operands>
Compute<T> lane(const Op& op, Operands... operands) {
  if constexpr (!kIsFloat<T>) {
    return op.i(operands...);
  } else if constexpr (std::is_same_v<decltype(op.f(operands...)), double>) {
    const double value = op.f(operands...);
    if constexpr (std::is_same_v<T, float>)
      return canonical(static_cast<float>(value));
    else
      return canonical(from_bits<T>(num::from_f64(kElem<T>, value)));
  } else {
    return canonical(op.f(operands...));
  }
}

// ---- drivers
void finish(Context& ctx, VReg& result, unsigned mask_slot, unsigned width) {
  clear_inactive(result, ctx.mask(mask_slot), width);
  ctx.result<VReg>() = result;
}

/// Results of float lanes: denormals are flushed where the machine does so.
template <typename T>
void deliver(Context& ctx, const Lanes<T>& lanes, unsigned mask_slot) {
  VReg result;
  store<T>(lanes, result);
  flush_lanes<T>(ctx, result);
  finish(ctx, result, mask_slot, sizeof(T));
}

/// The operation on all lanes.
template <typename T, typename Op, typename... Operands>
Lanes<T> compute(const Op& op, const Operands&... operands) {
  Lanes<T> out;
  if constexpr (kIsFloat<T> && requires { Op::kLanesByChunk; }) {
    op.chunk(operands.data()..., out.data(), out.size());
  } else {
    for (unsigned i = 0; i < kLanes<T>; ++i) out[i] = lane<T>(op, operands[i]...);
  }
  return out;
}

template <typename T, typename Op>
void apply_binary(Context& ctx, const Lanes<T>& a, const Lanes<T>& b, unsigned mask_slot) {
  deliver<T>(ctx, compute<T>(make<Op>(ctx), a, b), mask_slot);
}
template <typename T, typename Op>
void vector_vector(Context& ctx) {
  apply_binary<T, Op>(ctx, operand<T>(ctx, 0), operand<T>(ctx, 1), 2);
}
template <typename T, typename Op>
void vector_scalar(Context& ctx) {
  if constexpr (kIsFloat<T> && requires { Op::kLanesByChunk; }) {
    apply_binary<T, Op>(ctx, operand<T>(ctx, 0), scalar_operand<T>(ctx, 1), 2);
  } else {
    const Op op = make<Op>(ctx);
    const Lanes<T> a = operand<T>(ctx, 0);
    const Compute<T> scalar = scalar_lane<T>(ctx, 1);
    Lanes<T> out;
    for (unsigned i = 0; i < kLanes<T>; ++i) out[i] = lane<T>(op, a[i], scalar);
    deliver<T>(ctx, out, 2);
  }
}

template <typename Op>
void binary_number(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { vector_vector<typename decltype(tag)::type, Op>(ctx); }))
    refuse_type(ctx, elem);
}
template <typename Op>
void binary_float(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_float(elem, [&](auto tag) { vector_vector<typename decltype(tag)::type, Op>(ctx); }))
    refuse_type(ctx, elem);
}
template <typename Op>
void binary_integer(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_integer(elem, [&](auto tag) { vector_vector<typename decltype(tag)::type, Op>(ctx); }))
    refuse_type(ctx, elem);
}
template <typename Op>
void scalar_number(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { vector_scalar<typename decltype(tag)::type, Op>(ctx); }))
    refuse_type(ctx, elem);
}
template <typename Op>
void scalar_float(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_float(elem, [&](auto tag) { vector_scalar<typename decltype(tag)::type, Op>(ctx); }))
    refuse_type(ctx, elem);
}
template <typename Op>
void scalar_integer(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_integer(elem, [&](auto tag) { vector_scalar<typename decltype(tag)::type, Op>(ctx); }))
    refuse_type(ctx, elem);
}

/// Bitwise operations see bits only, so they take every element type (floats included).
template <typename Op>
void bitwise(Context& ctx) {
  VReg result;
  const VReg& a = ctx.vreg(0);
  const VReg& b = ctx.vreg(1);
  for (unsigned i = 0; i < kVRegBytes / 8; ++i)
    set_lane_bits(result, i, 8, Op::i(lane_bits(a, i, 8), lane_bits(b, i, 8)));
  finish(ctx, result, 2, byte_width(ctx.type(0).elem));
}
template <typename Op>
void bitwise_scalar(Context& ctx) {
  VReg result;
  const unsigned width = byte_width(ctx.type(0).elem);
  for (unsigned i = 0; i < kVRegBytes / width; ++i)
    set_lane_bits(result, i, width, Op::i(lane_bits(ctx.vreg(0), i, width), ctx.word(1)));
  finish(ctx, result, 2, width);
}

// ---- unary
struct BitCount {
  template <typename T>
  static T i(T a) {
    return static_cast<T>(std::popcount(static_cast<std::make_unsigned_t<T>>(a)));
  }
};
/// Leading bits equal to the sign bit, the sign bit itself not counted.
struct LeadingSigns {
  template <typename T>
  static T i(T a) {
    using U = std::make_unsigned_t<T>;
    const U bits = static_cast<U>(a);
    const bool negative = (bits >> (8 * sizeof(T) - 1)) != 0;
    return static_cast<T>(std::countl_zero(static_cast<U>(negative ? ~bits : bits)) - 1);
  }
};

template <typename T, typename Op>
void apply_unary(Context& ctx) {
  deliver<T>(ctx, compute<T>(Op{}, operand<T>(ctx, 0)), 1);
}
template <typename Op>
void unary_number(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_number(elem, [&](auto tag) { apply_unary<typename decltype(tag)::type, Op>(ctx); }))
    refuse_type(ctx, elem);
}
template <typename Op>
void unary_integer(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_integer(elem, [&](auto tag) { apply_unary<typename decltype(tag)::type, Op>(ctx); }))
    refuse_type(ctx, elem);
}
template <typename Op>
void unary_float(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (!with_float(elem, [&](auto tag) { apply_unary<typename decltype(tag)::type, Op>(ctx); }))
    refuse_type(ctx, elem);
}
/// Absolute value and negation work on the sign bit of floats: NaN payloads stay.
template <typename FloatOp, typename IntOp>
void sign_operation(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  const unsigned width = byte_width(elem);
  if (!is_float(elem)) return unary_integer<IntOp>(ctx);
  if (width != 2 && width != 4) return refuse_type(ctx, elem);
  with_width(width, [&](auto tag) {
    using T = typename decltype(tag)::type;
    Lanes<T> lanes = load<T>(ctx.vreg(0));
    for (T& bits : lanes) bits = FloatOp::i(bits);
    VReg result;
    store<T>(lanes, result);
    finish(ctx, result, 1, width);
  });
}
void vnot(Context& ctx) {
  VReg result;
  for (unsigned i = 0; i < kVRegBytes / 8; ++i) set_lane_bits(result, i, 8, ~lane_bits(ctx.vreg(0), i, 8));
  finish(ctx, result, 1, byte_width(ctx.type(0).elem));
}
void vmov(Context& ctx) {
  VReg result = ctx.vreg(0);
  finish(ctx, result, 1, byte_width(ctx.type(0).elem));
}

// ---- carry chains: 32-bit lanes; for subtraction the carry is "no borrow"
template <bool kSubtract, bool kCarryIn>
void carry_chain(Context& ctx) {
  const unsigned width = byte_width(ctx.type(0).elem);
  if (width != 4) return refuse_type(ctx, ctx.type(0).elem);
  const Lanes<uint32_t> a = load<uint32_t>(ctx.vreg(0));
  const Lanes<uint32_t> b = load<uint32_t>(ctx.vreg(1));
  const Mask& mask = ctx.mask(kCarryIn ? 3 : 2);
  Lanes<uint32_t> out{};
  Mask carry{};
  for (unsigned i = 0; i < out.size(); ++i) {
    if (!active(mask, i, width)) continue;
    const uint64_t in = kCarryIn ? active(ctx.mask(2), i, width) : kSubtract;
    const uint64_t sum = uint64_t{a[i]} + (kSubtract ? uint32_t{~b[i]} : b[i]) + in;
    out[i] = static_cast<uint32_t>(sum);
    if ((sum >> 32) != 0) set_bit(carry, i * width);
  }
  store<uint32_t>(out, ctx.result<VReg>(0));
  ctx.result<Mask>(1) = carry;
}

// ---- fused multiply-adds
template <typename T>
void multiply_add_lanes(Context& ctx, const Lanes<T>& a, const Lanes<T>& b, const Lanes<T>& c) {
  Lanes<T> out;
  if constexpr (kIsFloat<T>) {
    kernel::multiply_add(kElem<T>, a.data(), b.data(), c.data(), out.data(), out.size());
  } else {
    for (unsigned i = 0; i < kLanes<T>; ++i) out[i] = Add::i(Mul::i(a[i], b[i]), c[i]);
  }
  deliver<T>(ctx, out, 3);
}
/// acc + lhs * rhs
void vmula(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  const auto go = [&](auto tag) {
    using T = typename decltype(tag)::type;
    multiply_add_lanes<T>(ctx, operand<T>(ctx, 1), operand<T>(ctx, 2), operand<T>(ctx, 0));
  };
  if (!with_number(elem, go)) refuse_type(ctx, elem);
}
/// acc * lhs + rhs
void vmadd(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  const auto go = [&](auto tag) {
    using T = typename decltype(tag)::type;
    multiply_add_lanes<T>(ctx, operand<T>(ctx, 0), operand<T>(ctx, 1), operand<T>(ctx, 2));
  };
  if (!with_float(elem, go)) refuse_type(ctx, elem);
}
/// alpha * src0 + src1
void vaxpy(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  const auto go = [&](auto tag) {
    using T = typename decltype(tag)::type;
    multiply_add_lanes<T>(ctx, scalar_operand<T>(ctx, 2), operand<T>(ctx, 0), operand<T>(ctx, 1));
  };
  if (!with_float(elem, go)) refuse_type(ctx, elem);
}
/// 32 x 32 -> 64, low and high halves
void vmull(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (byte_width(elem) != 4 || !is_integer(elem)) return refuse_type(ctx, elem);
  VReg low, high;
  for (unsigned i = 0; i < kVRegBytes / 4; ++i) {
    const uint64_t a = lane_bits(ctx.vreg(0), i, 4);
    const uint64_t b = lane_bits(ctx.vreg(1), i, 4);
    const uint64_t product =
        is_unsigned(elem)
            ? a * b
            : static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(a)) * static_cast<int32_t>(b));
    set_lane_bits(low, i, 4, product);
    set_lane_bits(high, i, 4, product >> 32);
  }
  clear_inactive(low, ctx.mask(2), 4);
  clear_inactive(high, ctx.mask(2), 4);
  ctx.result<VReg>(0) = low;
  ctx.result<VReg>(1) = high;
}

constexpr Semantics kLaneWise[] = {
    {"pto.vadd", binary_number<Add>},
    {"pto.vsub", binary_number<Sub>},
    {"pto.vmul", binary_number<Mul>},
    {"pto.vdiv", binary_number<Div>},
    {"pto.vmax", binary_number<Max>},
    {"pto.vmin", binary_number<Min>},
    {"pto.vand", bitwise<And>},
    {"pto.vor", bitwise<Or>},
    {"pto.vxor", bitwise<Xor>},
    {"pto.vshl", binary_integer<Shl>},
    {"pto.vshr", binary_integer<Shr>},
    {"pto.vaddrelu", binary_float<AddRelu>},
    {"pto.vsubrelu", binary_float<SubRelu>},
    {"pto.vprelu", binary_float<Prelu>},
    {"pto.vadds", scalar_number<Add>},
    {"pto.vsubs", scalar_number<Sub>},
    {"pto.vmuls", scalar_number<Mul>},
    {"pto.vmaxs", scalar_number<Max>},
    {"pto.vmins", scalar_number<Min>},
    {"pto.vshls", scalar_integer<Shl>},
    {"pto.vshrs", scalar_integer<Shr>},
    {"pto.vands", bitwise_scalar<And>},
    {"pto.vors", bitwise_scalar<Or>},
    {"pto.vxors", bitwise_scalar<Xor>},
    {"pto.vlrelu", scalar_float<Prelu>},
    {"pto.vabs", sign_operation<FloatAbs, IntAbs>},
    {"pto.vneg", sign_operation<FloatNeg, IntNeg>},
    {"pto.vrelu", unary_number<Rectify>},
    {"pto.vbcnt", unary_integer<BitCount>},
    {"pto.vcls", unary_integer<LeadingSigns>},
    {"pto.vexp", unary_float<Exp>},
    {"pto.vln", unary_float<Log>},
    {"pto.vsqrt", unary_float<Sqrt>},
    {"pto.vrec", unary_float<Recip>},
    {"pto.vrsqrt", unary_float<Rsqrt>},
    {"pto.vnot", vnot},
    {"pto.vmov", vmov},
    {"pto.vaddc", carry_chain<false, false>},
    {"pto.vsubc", carry_chain<true, false>},
    {"pto.vaddcs", carry_chain<false, true>},
    {"pto.vsubcs", carry_chain<true, true>},
    {"pto.vmula", vmula},
    {"pto.vmadd", vmadd},
    {"pto.vaxpy", vaxpy},
    {"pto.vmull", vmull},
};

}  // namespace

std::string_view vec::token(const Context& ctx, unsigned spec) {
  const AttrValue& value = ctx.inst->attrs[spec];
  const isa::AttrSpec& declared = ctx.inst->schema->attrs[spec];
  if (declared.domain != nullptr) {
    if (!ctx.attr_set(spec) && !declared.has_default) return {};
    for (const isa::EnumCase& entry : declared.domain->cases) {
      if (entry.value == value.integer) return entry.name;
    }
    return {};
  }
  if (!ctx.attr_set(spec)) return declared.default_text;
  return ctx.attr_text(spec);
}

std::span<const Semantics> vector_alu() { return kLaneWise; }

}  // namespace pto::exec
