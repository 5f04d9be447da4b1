// Semantics of the arith dialect: two's complement integers that wrap to their width, IEEE floats rounded
// once to nearest even. Floats of every format are computed in f64: for + - * / one further rounding to a
// format of at most 24 bits of precision gives the correctly rounded result.

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "exec/elementwise_ops.hpp"
#include "exec/integer_ops.hpp"
#include "exec/lane_ops.hpp"
#include "isa/cmp_predicate.hpp"
#include "numeric/float_formats.hpp"

namespace pto::exec {
namespace {

Elem elem_of(const Context& c) { return c.type(0).elem; }

// ---- integers

/// The bits of the result from those of both operands; vectors lane by lane.
template <typename F>
void per_lane(Context& c, F&& compute) {
  each_element<2>(c, [&](const auto& in) { return compute(in[0], in[1]); });
}

template <typename F>
void integer_binary(Context& c, F&& compute) {
  const Elem elem = elem_of(c);
  per_lane(c, [&](Word a, Word b) { return int_word(elem, static_cast<uint64_t>(compute(a, b, elem))); });
}

void addi(Context& c) {
  integer_binary(c, [](Word a, Word b, Elem) { return a + b; });
}
void subi(Context& c) {
  integer_binary(c, [](Word a, Word b, Elem) { return a - b; });
}
void muli(Context& c) {
  integer_binary(c, [](Word a, Word b, Elem) { return a * b; });
}
void andi(Context& c) {
  integer_binary(c, [](Word a, Word b, Elem) { return a & b; });
}
void ori(Context& c) {
  integer_binary(c, [](Word a, Word b, Elem) { return a | b; });
}
void xori(Context& c) {
  integer_binary(c, [](Word a, Word b, Elem) { return a ^ b; });
}

enum class Rounding : uint8_t { truncate, floor, ceil };

/// Quotient in two's complement: INT64_MIN / -1 wraps to itself, as the divider does.
int64_t divide_signed(int64_t a, int64_t b, Rounding rounding) {
  if (b == -1) return static_cast<int64_t>(uint64_t{0} - static_cast<uint64_t>(a));
  int64_t quotient = a / b;
  const int64_t remainder = a % b;
  const bool negative = (a < 0) != (b < 0);
  if (remainder != 0 && rounding == Rounding::floor && negative) --quotient;
  if (remainder != 0 && rounding == Rounding::ceil && !negative) ++quotient;
  return quotient;
}

bool divisor_is_zero(const Context& c) {
  if (unsigned_value(elem_of(c), c.word(1)) != 0) return false;
  c.fault(Fault::divide_by_zero, "integer division by zero");
  c.set(0);
  return true;
}

template <Rounding kRounding>
void divide(Context& c) {
  if (divisor_is_zero(c)) return;
  integer_binary(c, [](Word a, Word b, Elem e) {
    return divide_signed(signed_value(e, a), signed_value(e, b), kRounding);
  });
}

void divui(Context& c) {
  if (divisor_is_zero(c)) return;
  integer_binary(c, [](Word a, Word b, Elem e) { return unsigned_value(e, a) / unsigned_value(e, b); });
}

void ceildivui(Context& c) {
  if (divisor_is_zero(c)) return;
  integer_binary(c, [](Word a, Word b, Elem e) {
    const uint64_t x = unsigned_value(e, a);
    const uint64_t y = unsigned_value(e, b);
    return x / y + (x % y != 0);
  });
}

void remsi(Context& c) {
  if (divisor_is_zero(c)) return;
  integer_binary(c, [](Word a, Word b, Elem e) {
    const int64_t x = signed_value(e, a);
    const int64_t y = signed_value(e, b);
    return y == -1 ? 0 : x % y;
  });
}

void remui(Context& c) {
  if (divisor_is_zero(c)) return;
  integer_binary(c, [](Word a, Word b, Elem e) { return unsigned_value(e, a) % unsigned_value(e, b); });
}

/// A shift by the width or more has no defined result in arith; here every bit is shifted out.
void shli(Context& c) {
  integer_binary(c, [](Word a, Word b, Elem e) {
    const uint64_t by = unsigned_value(e, b);
    return by >= int_bits(e) ? 0 : a << by;
  });
}
void shrui(Context& c) {
  integer_binary(c, [](Word a, Word b, Elem e) {
    const uint64_t by = unsigned_value(e, b);
    return by >= int_bits(e) ? 0 : unsigned_value(e, a) >> by;
  });
}
void shrsi(Context& c) {
  integer_binary(c, [](Word a, Word b, Elem e) {
    const uint64_t by = unsigned_value(e, b);
    return signed_value(e, a) >> (by >= int_bits(e) ? int_bits(e) - 1 : by);
  });
}

void maxsi(Context& c) {
  integer_binary(c, [](Word a, Word b, Elem e) { return signed_value(e, a) > signed_value(e, b) ? a : b; });
}
void minsi(Context& c) {
  integer_binary(c, [](Word a, Word b, Elem e) { return signed_value(e, a) < signed_value(e, b) ? a : b; });
}
void maxui(Context& c) {
  integer_binary(c,
                 [](Word a, Word b, Elem e) { return unsigned_value(e, a) > unsigned_value(e, b) ? a : b; });
}
void minui(Context& c) {
  integer_binary(c,
                 [](Word a, Word b, Elem e) { return unsigned_value(e, a) < unsigned_value(e, b) ? a : b; });
}

void addui_extended(Context& c) {
  const Elem e = elem_of(c);
  const Word sum = int_word(e, c.word(0) + c.word(1));
  const bool carry = unsigned_value(e, sum) < unsigned_value(e, c.word(0));
  c.set(sum, 0);
  c.set(carry, 1);
}

template <bool kSigned>
void mul_extended(Context& c) {
  using Wide = __int128;
  const Elem e = elem_of(c);
  const Wide product = kSigned
                           ? static_cast<Wide>(signed_value(e, c.word(0))) * signed_value(e, c.word(1))
                           : static_cast<Wide>(static_cast<unsigned __int128>(unsigned_value(e, c.word(0))) *
                                               unsigned_value(e, c.word(1)));
  c.set(int_word(e, static_cast<uint64_t>(product)), 0);
  c.set(int_word(e, static_cast<uint64_t>(product >> int_bits(e))), 1);
}

void cmpi(Context& c) {
  const auto predicate = static_cast<isa::CmpPredicate>(c.attr(0));
  const Elem e = elem_of(c);
  const Word a = c.word(0), b = c.word(1);
  c.set(isa::is_signed(predicate) ? isa::holds(predicate, signed_value(e, a), signed_value(e, b))
                                  : isa::holds(predicate, unsigned_value(e, a), unsigned_value(e, b)));
}

// ---- floats

double float_value(const Context& c, unsigned slot) { return num::to_f64(c.type(slot).elem, c.word(slot)); }
void set_float(const Context& c, double value) { c.set(num::from_f64(c.result_type().elem, value)); }

/// A computed NaN is the canonical one, whatever the host makes.
template <typename F>
void float_binary(Context& c, F&& compute) {
  const Elem elem = elem_of(c);
  per_lane(c, [&](Word a, Word b) {
    return num::from_f64(elem, canonical(compute(num::to_f64(elem, a), num::to_f64(elem, b))));
  });
}

void addf(Context& c) {
  float_binary(c, [](double a, double b) { return a + b; });
}
void subf(Context& c) {
  float_binary(c, [](double a, double b) { return a - b; });
}
void mulf(Context& c) {
  float_binary(c, [](double a, double b) { return a * b; });
}
void divf(Context& c) {
  float_binary(c, [](double a, double b) { return a / b; });
}
void remf(Context& c) {
  float_binary(c, [](double a, double b) { return std::fmod(a, b); });
}

/// maximumf, minimumf: NaN propagates and -0 is below +0. maxnumf, minnumf: a NaN operand loses.
template <bool kMax, bool kNanWins>
double extreme(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) {
    if (kNanWins) return std::numeric_limits<double>::quiet_NaN();
    return std::isnan(a) ? b : a;
  }
  if (a == b) return std::signbit(a) == kMax ? b : a;
  return (a > b) == kMax ? a : b;
}
template <bool kMax, bool kNanWins>
void extreme_of(Context& c) {
  float_binary(c, extreme<kMax, kNanWins>);
}

void negf(Context& c) {
  const unsigned bits = bit_width(elem_of(c));
  c.set(c.word(0) ^ (uint64_t{1} << (bits - 1)));
}

bool compare_floats(isa::FloatPredicate predicate, double a, double b) {
  using isa::FloatPredicate;
  const bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
    case FloatPredicate::always_false:
      return false;
    case FloatPredicate::oeq:
      return a == b;
    case FloatPredicate::ogt:
      return a > b;
    case FloatPredicate::oge:
      return a >= b;
    case FloatPredicate::olt:
      return a < b;
    case FloatPredicate::ole:
      return a <= b;
    case FloatPredicate::one:
      return !unordered && a != b;
    case FloatPredicate::ord:
      return !unordered;
    case FloatPredicate::ueq:
      return unordered || a == b;
    case FloatPredicate::ugt:
      return unordered || a > b;
    case FloatPredicate::uge:
      return unordered || a >= b;
    case FloatPredicate::ult:
      return unordered || a < b;
    case FloatPredicate::ule:
      return unordered || a <= b;
    case FloatPredicate::une:
      return unordered || a != b;
    case FloatPredicate::uno:
      return unordered;
    case FloatPredicate::always_true:
      return true;
  }
  return true;
}
void cmpf(Context& c) {
  const auto predicate = static_cast<isa::FloatPredicate>(c.attr(0));
  c.set(compare_floats(predicate, float_value(c, 0), float_value(c, 1)));
}

// ---- casts

void extsi(Context& c) {
  c.set(int_word(c.result_type().elem, static_cast<uint64_t>(signed_value(elem_of(c), c.word(0)))));
}
void extui(Context& c) { c.set(int_word(c.result_type().elem, unsigned_value(elem_of(c), c.word(0)))); }
void trunci(Context& c) { c.set(int_word(c.result_type().elem, c.word(0))); }

/// An integer of more than 53 bits does not fit f64: its last kept bit is made odd when bits are lost, so
/// that the rounding to a narrower format that follows is the only one that counts.
uint64_t magnitude_for_f64(uint64_t magnitude, Elem to) {
  if (to == Elem::f64 || magnitude < (uint64_t{1} << 53)) return magnitude;
  const uint64_t lost = magnitude & 0x7ff;
  return (magnitude & ~uint64_t{0x7ff}) | (lost != 0 ? 0x800 : 0);
}
void sitofp(Context& c) {
  const int64_t value = signed_value(elem_of(c), c.word(0));
  const uint64_t magnitude =
      value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  const double converted = static_cast<double>(magnitude_for_f64(magnitude, c.result_type().elem));
  set_float(c, value < 0 ? -converted : converted);
}
void uitofp(Context& c) {
  set_float(
      c, static_cast<double>(magnitude_for_f64(unsigned_value(elem_of(c), c.word(0)), c.result_type().elem)));
}

/// Toward zero. A value that does not fit has no defined result in arith; here it saturates, and NaN is 0.
template <bool kSigned>
void float_to_int(Context& c) {
  const Elem to = c.result_type().elem;
  const double value = std::trunc(float_value(c, 0));
  const int bits = static_cast<int>(int_bits(to));
  if (std::isnan(value)) return c.set(0);
  const double limit = std::ldexp(1.0, kSigned ? bits - 1 : bits);
  if (value >= limit) return c.set(int_word(to, kSigned ? (uint64_t{1} << (bits - 1)) - 1 : ~uint64_t{0}));
  if (kSigned && value < -limit) return c.set(int_word(to, uint64_t{1} << (bits - 1)));
  if (!kSigned && value < 0) return c.set(0);
  c.set(int_word(
      to, kSigned ? static_cast<uint64_t>(static_cast<int64_t>(value)) : static_cast<uint64_t>(value)));
}

void convert_float(Context& c) { set_float(c, float_value(c, 0)); }

/// Same bits under another type; integers keep their sign extension. Vectors and other wide values are
/// copied.
void reinterpret(Context& c) {
  const Type& from = c.type(0);
  const Type& to = c.result_type();
  const uint32_t words = words_of(from);
  if (words > 1 || words_of(to) > 1) {
    std::memmove(c.frame + c.inst->results[0].offset, c.frame + c.ref(0).offset,
                 std::min(words, words_of(to)) * sizeof(Word));
    return;
  }
  uint64_t bits = c.word(0);
  if (from.kind == TypeKind::scalar && bit_width(from.elem) < 64)
    bits &= (uint64_t{1} << bit_width(from.elem)) - 1;
  if (to.kind == TypeKind::scalar && is_integer(to.elem)) bits = int_word(to.elem, bits);
  c.set(bits);
}

void select(Context& c) {
  const unsigned chosen = c.word(0) & 1 ? 1 : 2;
  std::memmove(c.frame + c.inst->results[0].offset, c.frame + c.ref(chosen).offset,
               words_of(c.result_type()) * sizeof(Word));
}

constexpr Semantics kArith[] = {
    {"arith.addi", addi},
    {"arith.subi", subi},
    {"arith.muli", muli},
    {"arith.divsi", divide<Rounding::truncate>},
    {"arith.floordivsi", divide<Rounding::floor>},
    {"arith.ceildivsi", divide<Rounding::ceil>},
    {"arith.divui", divui},
    {"arith.ceildivui", ceildivui},
    {"arith.remsi", remsi},
    {"arith.remui", remui},
    {"arith.andi", andi},
    {"arith.ori", ori},
    {"arith.xori", xori},
    {"arith.shli", shli},
    {"arith.shrsi", shrsi},
    {"arith.shrui", shrui},
    {"arith.maxsi", maxsi},
    {"arith.minsi", minsi},
    {"arith.maxui", maxui},
    {"arith.minui", minui},
    {"arith.addui_extended", addui_extended},
    {"arith.mulsi_extended", mul_extended<true>},
    {"arith.mului_extended", mul_extended<false>},
    {"arith.cmpi", cmpi},
    {"arith.cmpf", cmpf},
    {"arith.addf", addf},
    {"arith.subf", subf},
    {"arith.mulf", mulf},
    {"arith.divf", divf},
    {"arith.remf", remf},
    {"arith.negf", negf},
    {"arith.maximumf", extreme_of<true, true>},
    {"arith.minimumf", extreme_of<false, true>},
    {"arith.maxnumf", extreme_of<true, false>},
    {"arith.minnumf", extreme_of<false, false>},
    {"pto.fmax", extreme_of<true, false>},
    {"pto.fmin", extreme_of<false, false>},
    {"arith.extsi", extsi},
    {"arith.extui", extui},
    {"arith.trunci", trunci},
    {"arith.index_cast", extsi},
    {"arith.index_castui", extui},
    {"arith.sitofp", sitofp},
    {"arith.uitofp", uitofp},
    {"arith.fptosi", float_to_int<true>},
    {"arith.fptoui", float_to_int<false>},
    {"arith.extf", convert_float},
    {"arith.truncf", convert_float},
    {"arith.bitcast", reinterpret},
    {"builtin.unrealized_conversion_cast", reinterpret},
    {"llvm.bitcast", reinterpret},
    {"llvm.inttoptr", reinterpret},
    {"llvm.ptrtoint", reinterpret},
    {"llvm.addrspacecast", reinterpret},
    {"arith.select", select},
};

}  // namespace

std::span<const Semantics> arith() { return kArith; }

}  // namespace pto::exec
