#include "exec/tile/quant.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "exec/cube/fixpipe_quant.hpp"
#include "exec/lane_ops.hpp"
#include "numeric/float_formats.hpp"

namespace pto::exec {
namespace {

using num::Overflow;
using num::Round;

float scale_of(uint64_t word, bool vector) {
  const auto bits = static_cast<uint32_t>(word);
  if (!vector) return std::bit_cast<float>(bits);
  const uint32_t kept = bits & 0xffffe000u;
  return (kept & 0x7fffffffu) == 0 ? 0.0f : std::bit_cast<float>(kept);
}

/// A product becomes a float of the destination: finite ones saturate; infinities and NaN pass unless the
/// mode register says that they saturate too.
uint64_t product_bits(Elem to, float value, bool saturate_infinity) {
  const bool exceptional = !std::isfinite(value);
  if (to == Elem::f32 || (exceptional && !saturate_infinity))
    return num::from_f64(to, static_cast<double>(value));
  return num::from_f64(to, std::isnan(value) ? 0.0 : static_cast<double>(value), Round::rint,
                       Overflow::saturate);
}

float rectify(float value) { return value > 0 ? value : 0.0f; }  // NaN becomes 0

uint64_t unscaled(const OutputPath& path, uint64_t bits) {
  if (is_integer(path.from)) {
    const int64_t value = num::int_value(path.from, bits);
    const int64_t kept = path.relu && value < 0 ? 0 : value;
    if (is_integer(path.to)) return static_cast<uint64_t>(kept);
    return num::from_f64(path.to, static_cast<double>(kept));
  }
  double value = num::to_f64(path.from, bits);
  if (path.relu && (value < 0 || (!path.relu_keeps_nan && !(value > 0)))) value = 0;
  if (path.from == path.to && !path.relu) return bits;
  return num::from_f64(path.to, value, Round::rint,
                       is_integer(path.to) ? Overflow::saturate : Overflow::ieee);
}

/// The range of the 8-bit result that bit 46 of the quantisation word names; NaN becomes 0.
uint64_t clamp_int8(double value, uint64_t word) {
  const bool is_signed = word >> 46 & 1;
  const double clamped =
      std::clamp(std::isnan(value) ? 0.0 : value, is_signed ? -128.0 : 0.0, is_signed ? 127.0 : 255.0);
  return static_cast<uint64_t>(static_cast<int64_t>(clamped));
}

/// Scale, offset, rounding, clamp, relu. On A5 the offset comes after the rounding, as in the fixpipe
/// instructions; the CPU simulator takes it for unsigned.
uint64_t to_int8(const OutputPath& path, uint64_t bits, uint64_t word) {
  const float scale = scale_of(word, path.vector_word);
  const double input = is_integer(path.from) ? static_cast<double>(num::int_value(path.from, bits))
                                             : num::to_f64(path.from, bits);
  const int offset = path.target == Target::cpu ? static_cast<int>(word >> 37 & 0x1ff)
                                                : fixpipe_detail::decode_parameter(word).offset;
  const auto rounded = [](float value) {
    return num::round_to_integral(static_cast<double>(value), Round::rint);
  };
  const double value = path.target == Target::a5
                           ? rounded(static_cast<float>(input * static_cast<double>(scale))) + offset
                           : rounded(static_cast<float>(input) * scale + static_cast<float>(offset));
  const uint64_t clamped = clamp_int8(value, word);
  return path.relu && static_cast<int64_t>(clamped) < 0 ? 0 : clamped;
}

}  // namespace

QuantMode quant_mode(Elem from, Elem to) {
  const bool integer = signless(from) == Elem::i32;
  if (from != Elem::f32 && !integer) return QuantMode::none;
  if (signless(to) == Elem::i8) return QuantMode::to_int8;
  if (integer && signless(to) == Elem::i16) return QuantMode::shift_to_int16;
  return is_float(to) ? QuantMode::to_float : QuantMode::none;
}

bool relu_supported(Context& context, Relu relu) {
  if (relu == Relu::none || relu == Relu::normal) return true;
  context.fault(Fault::unsupported, "reluPreMode scalar_relu, vector_relu and pwl have no public definition");
  return false;
}

uint64_t OutputPath::convert(uint64_t bits, uint64_t word) const {
  if (mode == QuantMode::none) return unscaled(*this, bits);
  if (mode == QuantMode::shift_to_int16) {
    const int64_t shifted = num::int_value(from, bits) >> ((word >> 32 & 15) + 1);
    const int64_t clamped = std::clamp<int64_t>(shifted, std::numeric_limits<int16_t>::min(),
                                                std::numeric_limits<int16_t>::max());
    return static_cast<uint64_t>(relu && clamped < 0 ? 0 : clamped);
  }
  const auto input = is_integer(from) ? static_cast<float>(num::int_value(from, bits))
                                      : static_cast<float>(num::to_f64(from, bits));
  float value = canonical(input * scale_of(word, vector_word));
  if (mode == QuantMode::to_int8) return to_int8(*this, bits, word);
  const bool clamp_all = is_integer(from);  // a product of an integer is never exceptional by itself
  return product_bits(to, relu ? rectify(value) : value, saturate_infinity || clamp_all);
}

}  // namespace pto::exec
