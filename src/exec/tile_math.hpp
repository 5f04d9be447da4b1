// What the arithmetic tile operations do to one element. `f` works on floats (f32, or f64 when the result is to be rounded
// once from f64), `i` on integers. See docs/numerics.md.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "exec/context.hpp"
#include "numeric/formats.hpp"
#include "pto/machine.hpp"

namespace pto::exec {

template <typename T>
T wrap(uint64_t value) { return static_cast<T>(value); }
template <typename T>
uint64_t raw(T value) { return static_cast<uint64_t>(value); }

struct OpBase {
  static constexpr bool kFloat = true, kInteger = true, kBits = false;
  void finish(Context&) const {}
};
struct FloatOnly : OpBase { static constexpr bool kInteger = false; };
struct BitsOnly : OpBase { static constexpr bool kFloat = false, kBits = true; };

struct Add : OpBase {
  static float f(float a, float b) { return a + b; }
  template <typename T> static T i(T a, T b) { return wrap<T>(raw(a) + raw(b)); }
};
struct Sub : OpBase {
  static float f(float a, float b) { return a - b; }
  template <typename T> static T i(T a, T b) { return wrap<T>(raw(a) - raw(b)); }
};
struct Mul : OpBase {
  static float f(float a, float b) { return a * b; }
  template <typename T> static T i(T a, T b) { return wrap<T>(raw(a) * raw(b)); }
};
/// The first operand stays when the two are unordered or equal.
struct Max : OpBase {
  static float f(float a, float b) { return a < b ? b : a; }
  template <typename T> static T i(T a, T b) { return a < b ? b : a; }
};
struct Min : OpBase {
  static float f(float a, float b) { return b < a ? b : a; }
  template <typename T> static T i(T a, T b) { return b < a ? b : a; }
};
/// Three sources, left to right, one rounding of the 16-bit formats at the end.
struct AddAdd : OpBase {
  static float f(float a, float b, float c) { return a + b + c; }
  template <typename T> static T i(T a, T b, T c) { return wrap<T>(raw(a) + raw(b) + raw(c)); }
};
struct SubAdd : OpBase {
  static float f(float a, float b, float c) { return a - b + c; }
  template <typename T> static T i(T a, T b, T c) { return wrap<T>(raw(a) - raw(b) + raw(c)); }
};

/// Integer operations whose divisor may be zero: all bits one on the NPUs, 0 and a finding on the cpu profile.
struct DivisionBase : OpBase {
  bool finding = false;                ///< zero divisors are findings here
  mutable bool met_zero = false;
  explicit DivisionBase(const Context& context) : finding(context.machine != nullptr && context.machine->target == Target::cpu) {}
  template <typename T> T by_zero() const {
    met_zero = true;
    return finding ? T{0} : static_cast<T>(~T{0});
  }
  void finish(Context& context) const {
    if (met_zero && finding) context.fault(Fault::divide_by_zero, "an integer divisor is zero");
  }
};
/// Sign and magnitude: INT_MIN / -1 wraps to INT_MIN.
template <typename T> T quotient(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return wrap<T>(uint64_t{0} - raw(a));
  }
  return static_cast<T>(a / b);
}
template <typename T> T remainder(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}
struct Div : DivisionBase {
  using DivisionBase::DivisionBase;
  static float f(float a, float b) { return a / b; }
  template <typename T> T i(T a, T b) const { return b == 0 ? by_zero<T>() : quotient(a, b); }
};
struct Fmod : DivisionBase {
  using DivisionBase::DivisionBase;
  static float f(float a, float b) { return std::fmod(a, b); }
  template <typename T> T i(T a, T b) const { return b == 0 ? by_zero<T>() : remainder(a, b); }
};
/// The exact remainder with the divisor's sign.
struct Rem : DivisionBase {
  using DivisionBase::DivisionBase;
  static float f(float a, float b) {
    const float rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
  template <typename T> T i(T a, T b) const {
    if (b == 0) return by_zero<T>();
    const T rest = remainder(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
  }
};

struct And : BitsOnly { template <typename T> static T i(T a, T b) { return static_cast<T>(a & b); } };
struct Or : BitsOnly { template <typename T> static T i(T a, T b) { return static_cast<T>(a | b); } };
struct Xor : BitsOnly { template <typename T> static T i(T a, T b) { return static_cast<T>(a ^ b); } };
struct Not : BitsOnly { template <typename T> static T i(T a) { return static_cast<T>(~a); } };

/// The amount is unsigned; from the width on, every bit is shifted out (a signed right shift leaves copies of the sign).
struct Shl : BitsOnly {
  template <typename T> static T i(T a, T b) {
    using U = std::make_unsigned_t<T>;
    const U amount = static_cast<U>(b);
    return amount >= sizeof(T) * 8 ? T{0} : wrap<T>(raw(a) << amount);
  }
};
struct Shr : BitsOnly {
  template <typename T> static T i(T a, T b) {
    using U = std::make_unsigned_t<T>;
    const U amount = static_cast<U>(b);
    if (amount >= sizeof(T) * 8) return a < 0 ? static_cast<T>(~T{0}) : T{0};
    return static_cast<T>(a >> amount);
  }
};

struct Prelu : FloatOnly { static float f(float a, float b) { return a > 0 ? a : a * b; } };
struct Relu : OpBase {
  static float f(float a) { return a < 0 ? 0.0f : a; }   // NaN and -0 pass
  template <typename T> static T i(T a) { return a < 0 ? T{0} : a; }
};
struct Exp : FloatOnly { static double f(float a) { return std::exp(static_cast<double>(a)); } };
struct Log : FloatOnly { static double f(float a) { return std::log(static_cast<double>(a)); } };
struct Sqrt : FloatOnly { static float f(float a) { return std::sqrt(a); } };
struct Rsqrt : FloatOnly { static double f(float a) { return 1.0 / std::sqrt(static_cast<double>(a)); } };
struct Recip : FloatOnly { static float f(float a) { return 1.0f / a; } };

/// Sign operations on the bits: NaN payloads and signs are exact.
struct FloatNeg : BitsOnly { template <typename T> static T i(T a) { return static_cast<T>(a ^ (T{1} << (sizeof(T) * 8 - 1))); } };
struct FloatAbs : BitsOnly { template <typename T> static T i(T a) { return static_cast<T>(a & (static_cast<T>(~T{0}) >> 1)); } };
struct IntNeg : BitsOnly { template <typename T> static T i(T a) { return wrap<T>(uint64_t{0} - raw(a)); } };
struct IntAbs : BitsOnly { template <typename T> static T i(T a) { return a < 0 ? wrap<T>(uint64_t{0} - raw(a)) : a; } };

struct Copy : BitsOnly { template <typename T> static T i(T a) { return a; } };

/// exp(a - b), the difference rounded to the element format first.
struct ExpDif : FloatOnly {
  Elem elem = Elem::f32;
  double f(float a, float b) const {
    float difference = a - b;
    if (elem == Elem::f16) difference = num::f16_to_f32(num::f32_to_f16(difference));
    if (elem == Elem::bf16) difference = num::bf16_to_f32(num::f32_to_bf16(difference));
    return std::exp(static_cast<double>(difference));
  }
};

template <typename Op>
Op make(const Context& context) {
  if constexpr (std::is_base_of_v<DivisionBase, Op>) return Op(context);
  else return Op{};
}

}  // namespace pto::exec
