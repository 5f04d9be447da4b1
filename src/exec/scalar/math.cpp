// The math dialect on scalars: evaluated in f64 and rounded once.
#include <bit>
#include <cmath>

#include "exec/elementwise_ops.hpp"
#include "exec/integer_ops.hpp"
#include "exec/lane_ops.hpp"
#include "numeric/float_formats.hpp"

namespace pto::exec {
namespace {

double number(const Context& c, unsigned slot) { return num::to_f64(c.type(slot).elem, c.word(slot)); }
void deliver(Context& c, double value) { c.set(num::from_f64(c.result_type().elem, canonical(value))); }

template <double (*kFunction)(double)>
void unary(Context& c) {
  const Elem elem = c.type(0).elem;
  each_element<1>(
      c, [&](const auto& in) { return num::from_f64(elem, canonical(kFunction(num::to_f64(elem, in[0])))); });
}
template <double (*kFunction)(double, double)>
void binary(Context& c) {
  const Elem elem = c.type(0).elem;
  each_element<2>(c, [&](const auto& in) {
    return num::from_f64(elem, canonical(kFunction(num::to_f64(elem, in[0]), num::to_f64(elem, in[1]))));
  });
}
double rsqrt(double a) { return 1.0 / std::sqrt(a); }
double round_even(double a) { return num::round_to_integral(a, num::Round::rint); }

void absf(Context& c) {
  const uint64_t sign = uint64_t{1} << (bit_width(c.type(0).elem) - 1);
  each_element<1>(c, [&](const auto& in) { return in[0] & ~sign; });
}
void copysign_of(Context& c) {
  const uint64_t sign = uint64_t{1} << (bit_width(c.type(0).elem) - 1);
  c.set((c.word(0) & ~sign) | (c.word(1) & sign));
}
/// a * b + c, rounded once.
void fma_of(Context& c) {
  const Elem elem = c.type(0).elem;
  if (byte_width(elem) > 4)
    return c.set(std::bit_cast<uint64_t>(
        canonical(std::fma(std::bit_cast<double>(c.word(0)), std::bit_cast<double>(c.word(1)),
                           std::bit_cast<double>(c.word(2))))));
  const auto as_float = [&](Word bits) { return static_cast<float>(num::to_f64(elem, bits)); };
  each_element<3>(c, [&](const auto& in) {
    const float x = as_float(in[0]);
    const float y = as_float(in[1]);
    const float z = as_float(in[2]);
    float out = 0;
    kernel::multiply_add(elem, &x, &y, &z, &out, 1);
    return num::from_f64(elem, canonical(static_cast<double>(out)));
  });
}
void fpowi(Context& c) { deliver(c, std::pow(number(c, 0), static_cast<double>(c.i64(1)))); }

// ---- integers

uint64_t raw_bits(const Context& c) {
  const unsigned width = bit_width(c.type(0).elem);
  return width >= 64 ? c.word(0) : c.word(0) & ((uint64_t{1} << width) - 1);
}
void absi(Context& c) {
  const int64_t value = c.i64(0);
  c.set(int_word(c.type(0).elem, value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : c.word(0)));
}
void ctpop(Context& c) { c.set(static_cast<Word>(std::popcount(raw_bits(c)))); }
void ctlz(Context& c) {
  c.set(static_cast<Word>(std::countl_zero(raw_bits(c))) - (64 - bit_width(c.type(0).elem)));
}
void cttz(Context& c) {
  c.set(std::min<Word>(static_cast<Word>(std::countr_zero(raw_bits(c))), bit_width(c.type(0).elem)));
}
/// Wraps; a negative power is 0, but for 1 and -1.
void ipowi(Context& c) {
  const Elem elem = c.type(0).elem;
  const int64_t base = c.i64(0);
  int64_t power = c.i64(1);
  if (power < 0 && base == 0) return c.fault(Fault::divide_by_zero, "0 to a negative power");
  if (power < 0)
    return c.set(int_word(elem, base == 1 ? 1 : base != -1 ? 0 : power % 2 == 0 ? 1 : ~uint64_t{0}));
  uint64_t result = 1;
  uint64_t square = static_cast<uint64_t>(base);
  for (; power > 0; power >>= 1, square *= square)
    if (power & 1) result *= square;
  c.set(int_word(elem, result));
}

constexpr Semantics kScalarMathSemantics[] = {
    {"math.absf", absf},
    {"math.absi", absi},
    {"math.ceil", unary<std::ceil>},
    {"math.floor", unary<std::floor>},
    {"math.round", unary<std::round>},
    {"math.roundeven", unary<round_even>},
    {"math.trunc", unary<std::trunc>},
    {"math.exp", unary<std::exp>},
    {"math.exp2", unary<std::exp2>},
    {"math.expm1", unary<std::expm1>},
    {"math.log", unary<std::log>},
    {"math.log2", unary<std::log2>},
    {"math.log10", unary<std::log10>},
    {"math.log1p", unary<std::log1p>},
    {"math.sqrt", unary<std::sqrt>},
    {"math.rsqrt", unary<rsqrt>},
    {"math.cbrt", unary<std::cbrt>},
    {"math.sin", unary<std::sin>},
    {"math.cos", unary<std::cos>},
    {"math.tan", unary<std::tan>},
    {"math.tanh", unary<std::tanh>},
    {"math.erf", unary<std::erf>},
    {"math.ctpop", ctpop},
    {"math.ctlz", ctlz},
    {"math.cttz", cttz},
    {"math.powf", binary<std::pow>},
    {"math.atan2", binary<std::atan2>},
    {"math.copysign", copysign_of},
    {"math.ipowi", ipowi},
    {"math.fpowi", fpowi},
    {"math.fma", fma_of},
    {"pto.absf", absf},
    {"pto.sqrt", unary<std::sqrt>},
    {"pto.exp", unary<std::exp>},
    {"pto.log", unary<std::log>},
    {"pto.ceil", unary<std::ceil>},
    {"pto.floor", unary<std::floor>},
    {"pto.rint", unary<round_even>},
    {"pto.round", unary<std::round>},
    {"pto.pow", binary<std::pow>},
    {"pto.fma", fma_of},
};

}  // namespace

std::span<const Semantics> math() { return kScalarMathSemantics; }

}  // namespace pto::exec
