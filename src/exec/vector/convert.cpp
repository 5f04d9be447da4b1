// Conversions between lane formats: vcvt, vtrc, and vexpdif, which widens on the way.
// A conversion between widths uses one of every 2 (EVEN, ODD) or 4 (P0..P3) narrow lanes; `part` says which.
// The mask governs the source lanes. Facts: PTO micro ISA page 09; see docs/reference/numerics.md for
// saturation and special values.
#include <limits>
#include <optional>

#include "exec/exec_context.hpp"
#include "exec/lane_convert.hpp"
#include "exec/vector/lanes.hpp"

namespace pto::exec {
namespace {

using namespace vec;

constexpr int kCtrlConvertWrap = 59, kCtrlConvertByCtrl = 60;  // machine CTRL bits (A5)

std::optional<num::Round> round_mode(std::string_view name) {
  if (name.empty() || name == "R") return num::Round::rint;
  if (name == "A") return num::Round::round;
  if (name == "F") return num::Round::floor;
  if (name == "C") return num::Round::ceil;
  if (name == "Z") return num::Round::trunc;
  if (name == "O") return num::Round::odd;
  return std::nullopt;
}
std::optional<unsigned> part_index(std::string_view name) {
  if (name.empty() || name == "EVEN" || name == "P0") return 0;
  if (name == "ODD" || name == "P1") return 1;
  if (name == "P2") return 2;
  if (name == "P3") return 3;
  return std::nullopt;
}

/// True when the instruction saturates: as written; not written: integers saturate, floats do not (nothing
/// can overflow in the pairs without the attribute). CTRL bit 60 hands the decision to bit 59.
bool saturates(const Context& ctx, std::string_view sat, Elem to) {
  if (ctx.control != nullptr && ((ctx.control->ctrl >> kCtrlConvertByCtrl) & 1) != 0)
    return ((ctx.control->ctrl >> kCtrlConvertWrap) & 1) == 0;
  if (sat.empty()) return is_integer(to);
  return sat == "SAT";
}

/// The pairs that dominate kernels, without the trip through f64 per lane.
bool convert_fast(const Conversion& how, const VReg& in, const Mask& mask, unsigned part, VReg& out) {
  if (how.round != num::Round::rint) return false;
  const auto widen = [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Lanes<T> from = load<T>(in);
    Lanes<float> to{};
    for (unsigned j = 0; j < to.size(); ++j)
      to[j] = active(mask, 2 * j + part, 2) ? from[2 * j + part] : 0.0F;
    store<float>(to, out);
  };
  const auto narrow = [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Lanes<float> from = load<float>(in);
    Lanes<T> to{};
    for (unsigned i = 0; i < from.size(); ++i) to[2 * i + part] = active(mask, i, 4) ? from[i] : 0.0F;
    store<T>(to, out);
  };
  if (how.to == Elem::f32 && !how.saturate && part < 2) {
    if (how.from == Elem::f16) {
      widen(Tag<F16>{});
      return true;
    }
    if (how.from == Elem::bf16) {
      widen(Tag<BF16>{});
      return true;
    }
  }
  if (how.from == Elem::f32 && !how.saturate && part < 2) {
    if (how.to == Elem::f16) {
      narrow(Tag<F16>{});
      return true;
    }
    if (how.to == Elem::bf16) {
      narrow(Tag<BF16>{});
      return true;
    }
  }
  return false;
}

void convert_lanes(const Conversion& how, const VReg& in, const Mask& mask, unsigned part, VReg& out) {
  const unsigned from = byte_width(how.from);
  const unsigned to = byte_width(how.to);
  const unsigned lanes = kVRegBytes / std::max(from, to);
  const unsigned from_step = from < to ? to / from : 1;
  const unsigned to_step = to < from ? from / to : 1;
  for (unsigned i = 0; i < lanes; ++i) {
    const unsigned source = i * from_step + (from_step > 1 ? part : 0);
    if (!active(mask, source, from)) continue;
    set_lane_bits(out, i * to_step + (to_step > 1 ? part : 0), to, how.run(lane_bits(in, source, from)));
  }
}

/// Two lanes of 16 bits are one byte of two values: byte 4 * i + part goes with lanes 2 * i and 2 * i + 1.
void convert_packed(const Conversion& how, const VReg& in, const Mask& mask, unsigned part, VReg& out) {
  const bool widens = is_float4(how.from);
  for (unsigned lane = 0; lane < kVRegBytes / 2; ++lane) {
    const unsigned byte = lane / 2 * 4 + part;
    const unsigned shift = lane % 2 * 4;
    if (widens && active(mask, byte, 1))
      set_lane_bits(out, lane, 2, how.run(lane_bits(in, byte, 1) >> shift & 15));
    if (!widens && active(mask, lane, 2))
      set_lane_bits(out, byte, 1, lane_bits(out, byte, 1) | (how.run(lane_bits(in, lane, 2)) & 15) << shift);
  }
}

// rnd, sat, part, round_mode (older spelling of rnd)
void vcvt(Context& ctx) {
  const Elem from = ctx.type(0).elem;
  const Elem to = ctx.result_type().elem;
  for (const Elem elem : {from, to}) {
    if (elem == Elem::hif8x2 || elem == Elem::i4) return refuse_type(ctx, elem);
  }
  const std::string_view mode = ctx.attr_set(3) ? token(ctx, 3) : token(ctx, 0);
  if (mode == "H") return ctx.fault(Fault::unsupported, "vcvt: hybrid rounding is not supported");
  const auto round = round_mode(mode);
  const auto part = part_index(token(ctx, 2));
  const unsigned wide = std::max(byte_width(from), byte_width(to));
  const unsigned narrow = std::min(byte_width(from), byte_width(to));
  const bool pairs = is_float4(from) || is_float4(to);
  if (!round || !part || *part >= (pairs ? 4 : std::max(wide / narrow, 1U)))
    return ctx.fault(Fault::bad_operand, "vcvt: no such rounding mode or part");
  const Conversion how{from, to, *round, saturates(ctx, token(ctx, 1), to)};
  VReg result{};
  if (pairs)
    convert_packed(how, ctx.vreg(0), ctx.mask(1), *part, result);
  else if (!convert_fast(how, ctx.vreg(0), ctx.mask(1), *part, result))
    convert_lanes(how, ctx.vreg(0), ctx.mask(1), *part, result);
  ctx.result<VReg>() = result;
}

float round_to_integral(float value, num::Round round) {
  switch (round) {
    case num::Round::rint:
      return static_cast<float>(num::round_to_integral(static_cast<double>(value), round));
    case num::Round::round:
      return std::round(value);
    case num::Round::floor:
      return std::floor(value);
    case num::Round::ceil:
      return std::ceil(value);
    default:
      return std::trunc(value);
  }
}

void vtrc(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  const auto round = round_mode(token(ctx, 0));
  if (!round || *round == num::Round::odd)
    return ctx.fault(Fault::bad_operand, "vtrc: the rounding mode is one of R, A, F, C, Z");
  const auto go = [&](auto tag) {
    using T = typename decltype(tag)::type;
    Lanes<T> lanes = operand<T>(ctx, 0);
    for (float& value : lanes) value = canonical(round_to_integral(value, *round));
    VReg result;
    store<T>(lanes, result);
    clear_inactive(result, ctx.mask(1), sizeof(T));
    ctx.result<VReg>() = result;
  };
  if (!with_float(elem, go)) refuse_type(ctx, elem);
}

/// exp(input - max) in f32; f16 inputs use the EVEN or ODD lanes. The difference is rounded to f32 before the
/// exponential.
void vexpdif(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  const auto part = part_index(token(ctx, 0));
  if (!part || *part > 1) return ctx.fault(Fault::bad_operand, "vexpdif: part is EVEN or ODD");
  Lanes<float> out{};
  const auto go = [&](auto tag) {
    using T = typename decltype(tag)::type;
    constexpr unsigned kStep = 4 / sizeof(T);
    const Lanes<T> x = operand<T>(ctx, 0);
    const Lanes<T> max = operand<T>(ctx, 1);
    for (unsigned i = 0; i < out.size(); ++i) {
      const unsigned source = i * kStep + (kStep > 1 ? *part : 0);
      if (!active(ctx.mask(2), source, sizeof(T))) continue;
      out[i] = canonical(static_cast<float>(ExpDif{}.f(x[source], max[source])));
    }
  };
  if (!with_float(elem, go)) return refuse_type(ctx, elem);
  store<float>(out, ctx.result<VReg>());
  flush_lanes<float>(ctx, ctx.result<VReg>());
}

/// input * scalar as f16, rounded once, in the EVEN or ODD lanes; rnd "A" is the only one.
void vmulscvt(Context& ctx) {
  const auto round = round_mode(token(ctx, 0));
  const auto part = part_index(token(ctx, 1));
  if (!round || !part || *part > 1)
    return ctx.fault(Fault::bad_operand, "vmulscvt: no such rounding mode or part");
  const Lanes<float> input = operand<float>(ctx, 0);
  const auto scalar = static_cast<double>(scalar_lane<float>(ctx, 1));
  VReg result{};
  for (unsigned i = 0; i < input.size(); ++i) {
    if (!active(ctx.mask(2), i, 4)) continue;
    const double product = canonical(static_cast<double>(input[i]) * scalar);  // exact
    set_lane_bits(result, 2 * i + *part, 2, num::from_f64(Elem::f16, product, *round));
  }
  flush_lanes<F16>(ctx, result);
  ctx.result<VReg>() = result;
}

void vbitcast(Context& ctx) { ctx.result<VReg>() = VReg(ctx.vreg(0)); }

constexpr Semantics kVectorConvertSemantics[] = {
    {"pto.vcvt", vcvt},       {"pto.vtrc", vtrc},         {"pto.vmulscvt", vmulscvt},
    {"pto.vexpdif", vexpdif}, {"pto.vbitcast", vbitcast},
};

}  // namespace

std::span<const Semantics> vector_conversions() { return kVectorConvertSemantics; }

}  // namespace pto::exec
