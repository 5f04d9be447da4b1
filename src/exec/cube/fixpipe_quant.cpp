#include "exec/cube/fixpipe_quant.hpp"

#include <bit>
#include <cmath>

#include "exec/lane_ops.hpp"
#include "numeric/float_formats.hpp"

namespace pto::exec::fixpipe_detail {

std::optional<QuantMode> quant_mode(std::string_view name) {
  if (name.empty() || name == "no_convert") return QuantMode{};
  if (name == "f32_f16" || name == "f32_bf16") return QuantMode{};
  // hif8 "hybrid" rounding and the 4-bit destinations have no public bit-level rule.
  if (name.find("hybrid") != name.npos || name.find("s4") != name.npos || name.starts_with("req4"))
    return std::nullopt;
  QuantMode mode;
  mode.scales = true;
  mode.vector = name.ends_with("_vec");
  mode.half_stage = name.starts_with("qf162");
  return mode;
}

QuantParameter decode_parameter(uint64_t word) {
  QuantParameter parameter;
  parameter.scale = std::bit_cast<float>(static_cast<uint32_t>(word) & 0xffffe000U);
  const int offset = static_cast<int>((word >> 37) & 0x1ff);
  parameter.offset = offset >= 256 ? offset - 512 : offset;
  return parameter;
}

namespace {

float apply_relu(float x, Relu relu, float alpha) {
  switch (relu) {
    case Relu::none:
      return x;
    case Relu::normal:
      return x != x || x > 0 ? x : 0.0F;
    default:
      return x >= 0 ? x : canonical(alpha * x);
  }
}

/// Integers saturate always and round to nearest even; f32 keeps exceptional values.
uint64_t convert(Elem to, double value, Sat sat) {
  if (is_integer(to))
    return num::from_f64(to, value != value ? 0.0 : value, num::Round::rint, num::Overflow::saturate);
  if (to == Elem::f32) return num::from_f64(to, value);
  if (sat == Sat::nosat) return num::from_f64(to, value);
  if (value != value) return sat == Sat::keep_nan ? num::from_f64(to, value) : 0;
  return num::from_f64(to, value, num::Round::rint, num::Overflow::saturate);
}

}  // namespace

uint64_t Pipeline::run(uint32_t accumulator, const QuantParameter& parameter, float alpha) const {
  const bool integer = is_integer(from);
  if (integer && is_integer(to) && !(quant && quant->scales) && relu == Relu::none && !clip)
    return convert(to, static_cast<double>(static_cast<int32_t>(accumulator)), sat);
  double x = integer ? static_cast<double>(static_cast<int32_t>(accumulator))
                     : static_cast<double>(std::bit_cast<float>(accumulator));
  if (quant && quant->half_stage)
    x = num::to_f64(Elem::f16, num::from_f64(Elem::f16, x, num::Round::rint, num::Overflow::saturate));
  float y = static_cast<float>(x);
  if (quant && quant->scales)
    y = canonical(static_cast<float>(x * static_cast<double>(parameter.scale)));  // one rounding to f32
  y = apply_relu(y, relu, alpha);
  double z = y;
  if (quant && quant->scales && is_integer(to))
    z = num::round_to_integral(z, num::Round::rint) + parameter.offset;
  if (clip && z > *clip) z = *clip;
  return convert(to, z, sat);
}

}  // namespace pto::exec::fixpipe_detail
