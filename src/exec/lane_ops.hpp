// Arithmetic on one element, for lanes of vector instructions and elements of tile instructions. `f` works on
// floats (f32, or f64 when the result is to be rounded once from f64), `i` on integers. `chunk` is the float
// operation on rows of elements, with canonical NaNs but for those that select an operand. Where
// `kLanesByChunk` is set it is the faster form for a register, too. An operation that gives something else
// where no vector instruction is behind the tile instruction names it `OffA5`. See
// docs/reference/numerics.md.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "exec/exec_context.hpp"
#include "exec/float_kernels.hpp"
#include "numeric/float_formats.hpp"
#include "pto/machine.hpp"

namespace pto::exec {

template <typename T>
T wrap(uint64_t value) {
  return static_cast<T>(value);
}
template <typename T>
uint64_t raw(T value) {
  return static_cast<uint64_t>(value);
}

/// The canonical NaN of arithmetic results, independent of the host.
template <typename T>
T canonical(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return value == value ? value : std::numeric_limits<T>::quiet_NaN();
  else
    return value;
}

/// IEEE 754-2019 maximum/minimum: a NaN operand gives NaN, +0 is above -0. Selects only, so that loops over
/// lanes vectorise.
template <bool kMax, typename T>
T extreme(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    const Bits x = std::bit_cast<Bits>(a);
    const Bits y = std::bit_cast<Bits>(b);
    const T equal = std::bit_cast<T>(kMax ? x & y : x | y);  // the two zeros: their signs meet
    T result = (kMax ? a > b : a < b) ? a : b;               // b when either is NaN
    result = a == b ? equal : result;
    return a != a ? a : result;
  } else {
    return (kMax ? a > b : a < b) ? a : b;
  }
}
template <typename T>
T maximum(T a, T b) {
  return extreme<true>(a, b);
}
template <typename T>
T minimum(T a, T b) {
  return extreme<false>(a, b);
}

/// The order of vbitsort: descending, NaN below every number.
template <typename T>
bool score_above(T a, T b) {
  return a > b || (a == a && b != b);
}

struct OpBase {
  static constexpr bool kFloat = true, kInteger = true, kBits = false;
  void finish(Context&) const {}
};
struct FloatOnly : OpBase {
  static constexpr bool kInteger = false;
};
struct BitsOnly : OpBase {
  static constexpr bool kFloat = false, kBits = true;
};

struct Add : OpBase {
  static float f(float a, float b) { return a + b; }
  static void chunk(const float* a, const float* b, float* to, size_t n) { kernel::add(a, b, to, n); }
  template <typename T>
  static T i(T a, T b) {
    return wrap<T>(raw(a) + raw(b));
  }
};
struct Sub : OpBase {
  static float f(float a, float b) { return a - b; }
  static void chunk(const float* a, const float* b, float* to, size_t n) { kernel::sub(a, b, to, n); }
  template <typename T>
  static T i(T a, T b) {
    return wrap<T>(raw(a) - raw(b));
  }
};
struct Mul : OpBase {
  static float f(float a, float b) { return a * b; }
  static void chunk(const float* a, const float* b, float* to, size_t n) { kernel::mul(a, b, to, n); }
  template <typename T>
  static T i(T a, T b) {
    return wrap<T>(raw(a) * raw(b));
  }
};
/// The first operand stays when the two are unordered or equal.
struct MaxOfOrdered : OpBase {
  static float f(float a, float b) { return a < b ? b : a; }
  static void chunk(const float* a, const float* b, float* to, size_t n) {
    for (size_t i = 0; i < n; ++i) to[i] = f(a[i], b[i]);
  }
  template <typename T>
  static T i(T a, T b) {
    return a < b ? b : a;
  }
};
struct MinOfOrdered : OpBase {
  static float f(float a, float b) { return b < a ? b : a; }
  static void chunk(const float* a, const float* b, float* to, size_t n) {
    for (size_t i = 0; i < n; ++i) to[i] = f(a[i], b[i]);
  }
  template <typename T>
  static T i(T a, T b) {
    return b < a ? b : a;
  }
};
struct Max : OpBase {
  using OffA5 = MaxOfOrdered;
  static float f(float a, float b) { return maximum(a, b); }
  static constexpr bool kLanesByChunk = true;
  static void chunk(const float* a, const float* b, float* to, size_t n) { kernel::max(a, b, to, n); }
  template <typename T>
  static T i(T a, T b) {
    return maximum(a, b);
  }
};
struct Min : OpBase {
  using OffA5 = MinOfOrdered;
  static float f(float a, float b) { return minimum(a, b); }
  static constexpr bool kLanesByChunk = true;
  static void chunk(const float* a, const float* b, float* to, size_t n) { kernel::min(a, b, to, n); }
  template <typename T>
  static T i(T a, T b) {
    return minimum(a, b);
  }
};
/// Three sources, left to right, one rounding of the 16-bit formats at the end.
struct AddAdd : OpBase {
  static float f(float a, float b, float c) { return a + b + c; }
  template <typename T>
  static T i(T a, T b, T c) {
    return wrap<T>(raw(a) + raw(b) + raw(c));
  }
};
struct SubAdd : OpBase {
  static float f(float a, float b, float c) { return a - b + c; }
  template <typename T>
  static T i(T a, T b, T c) {
    return wrap<T>(raw(a) - raw(b) + raw(c));
  }
};

/// Integer operations whose divisor may be zero: all bits one on the NPUs, but 0 in 64 bits (pto-isa
/// include/pto/npu/a5/TDiv.hpp:226), 0 and a finding on the cpu profile.
struct DivisionBase : OpBase {
  bool finding = false;  ///< zero divisors are findings here
  mutable bool met_zero = false;
  explicit DivisionBase(const Context& context)
      : finding(context.machine != nullptr && context.machine->target == Target::cpu) {}
  template <typename T>
  T by_zero() const {
    met_zero = true;
    return finding || sizeof(T) == 8 ? T{0} : static_cast<T>(~T{0});
  }
  void finish(Context& context) const {
    if (met_zero && finding) context.fault(Fault::divide_by_zero, "an integer divisor is zero");
  }
};
/// Sign and magnitude: INT_MIN / -1 wraps to INT_MIN.
template <typename T>
T quotient(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return wrap<T>(uint64_t{0} - raw(a));
  }
  return static_cast<T>(a / b);
}
template <typename T>
T remainder(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}
struct Div : DivisionBase {
  using DivisionBase::DivisionBase;
  static float f(float a, float b) { return a / b; }
  static void chunk(const float* a, const float* b, float* to, size_t n) { kernel::div(a, b, to, n); }
  template <typename T>
  T i(T a, T b) const {
    return b == 0 ? by_zero<T>() : quotient(a, b);
  }
};
struct Fmod : DivisionBase {
  using DivisionBase::DivisionBase;
  static float f(float a, float b) { return std::fmod(a, b); }
  template <typename T>
  T i(T a, T b) const {
    return b == 0 ? by_zero<T>() : remainder(a, b);
  }
};
/// The exact remainder with the divisor's sign; of 64 bits with the dividend's, as the A5 library has it
/// (pto-isa include/pto/npu/a5/TRem.hpp:27).
struct Rem : DivisionBase {
  using DivisionBase::DivisionBase;
  static float f(float a, float b) {
    const float rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
  template <typename T>
  T i(T a, T b) const {
    if (b == 0) return by_zero<T>();
    const T rest = remainder(a, b);
    if constexpr (sizeof(T) == 8) return rest;
    return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
  }
};

struct And : BitsOnly {
  template <typename T>
  static T i(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or : BitsOnly {
  template <typename T>
  static T i(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor : BitsOnly {
  template <typename T>
  static T i(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Not : BitsOnly {
  template <typename T>
  static T i(T a) {
    return static_cast<T>(~a);
  }
};

/// The amount is unsigned; from the width on, every bit is shifted out (a signed right shift leaves copies of
/// the sign).
struct ShlOut : BitsOnly {
  template <typename T>
  static T i(T a, T b) {
    using U = std::make_unsigned_t<T>;
    const U amount = static_cast<U>(b);
    return amount >= sizeof(T) * 8 ? T{0} : wrap<T>(raw(a) << amount);
  }
};
struct ShrOut : BitsOnly {
  template <typename T>
  static T i(T a, T b) {
    using U = std::make_unsigned_t<T>;
    const U amount = static_cast<U>(b);
    if (amount >= sizeof(T) * 8) return a < 0 ? static_cast<T>(~T{0}) : T{0};
    return static_cast<T>(a >> amount);
  }
};
/// A5: as above, but the library shifts 64 bits by the amount modulo 64 (pto-isa
/// include/pto/npu/a5/TBinOp.hpp:371).
struct Shl : BitsOnly {
  using OffA5 = ShlOut;
  template <typename T>
  static T i(T a, T b) {
    return ShlOut::i(a, sizeof(T) == 8 ? static_cast<T>(b & 63) : b);
  }
};
struct Shr : BitsOnly {
  using OffA5 = ShrOut;
  template <typename T>
  static T i(T a, T b) {
    return ShrOut::i(a, sizeof(T) == 8 ? static_cast<T>(b & 63) : b);
  }
};

/// Leaky and parametric ReLU: the second operand is the slope for values that are not positive.
struct PreluOfPositive : FloatOnly {
  static float f(float a, float b) { return a > 0 ? a : a * b; }
};
/// The slope for values that are not at least zero: negative values and NaN.
struct Prelu : FloatOnly {
  using OffA5 = PreluOfPositive;
  static float f(float a, float b) { return a >= 0 ? a : a * b; }
};
struct ReluOfNegative : OpBase {
  static void chunk(const float* a, float* to, size_t n) {
    for (size_t i = 0; i < n; ++i) to[i] = f(a[i]);
  }
  static float f(float a) { return a < 0 ? 0.0f : a; }  // NaN and -0 pass
  template <typename T>
  static T i(T a) {
    return a < 0 ? T{0} : a;
  }
};
/// The maximum with +0.
struct Rectify : OpBase {
  using OffA5 = ReluOfNegative;
  static float f(float a) { return maximum(a, 0.0f); }
  static constexpr bool kLanesByChunk = true;
  static void chunk(const float* a, float* to, size_t n) { kernel::rectify(a, to, n); }
  template <typename T>
  static T i(T a) {
    return maximum(a, T{0});
  }
};
/// Not a number becomes 0 here.
struct ReluOfPositive : ReluOfNegative {
  static float f(float a) { return a > 0 ? a : 0.0f; }
};
template <typename Op, typename Relu>
struct ThenRelu : OpBase {
  static float f(float a, float b) { return Relu::f(Op::f(a, b)); }
  template <typename T>
  static T i(T a, T b) {
    return Relu::i(Op::i(a, b));
  }
};
struct AddRelu : ThenRelu<Add, Rectify> {
  using OffA5 = ThenRelu<Add, ReluOfNegative>;
};
struct SubRelu : ThenRelu<Sub, Rectify> {
  using OffA5 = ThenRelu<Sub, ReluOfPositive>;
};
struct Exp : FloatOnly {
  static double f(float a) { return std::exp(static_cast<double>(a)); }
};
struct Log : FloatOnly {
  static double f(float a) { return std::log(static_cast<double>(a)); }
};
struct Sqrt : FloatOnly {
  static float f(float a) { return std::sqrt(a); }
};
struct Rsqrt : FloatOnly {
  static double f(float a) { return 1.0 / std::sqrt(static_cast<double>(a)); }
};
struct Recip : FloatOnly {
  static float f(float a) { return 1.0f / a; }
};

/// Sign operations on the bits: NaN payloads and signs are exact.
struct FloatNeg : BitsOnly {
  template <typename T>
  static T i(T a) {
    return static_cast<T>(a ^ (T{1} << (sizeof(T) * 8 - 1)));
  }
};
struct FloatAbs : BitsOnly {
  template <typename T>
  static T i(T a) {
    return static_cast<T>(a & (static_cast<T>(~T{0}) >> 1));
  }
};
struct IntNeg : BitsOnly {
  template <typename T>
  static T i(T a) {
    return wrap<T>(uint64_t{0} - raw(a));
  }
};
struct IntAbs : BitsOnly {
  template <typename T>
  static T i(T a) {
    return a < 0 ? wrap<T>(uint64_t{0} - raw(a)) : a;
  }
};

struct Copy : BitsOnly {
  template <typename T>
  static T i(T a) {
    return a;
  }
};

/// exp(a - b), the difference rounded to the element format first.
struct ExpDif : FloatOnly {
  Elem elem = Elem::f32;
  double f(float a, float b) const { return std::exp(static_cast<double>(num::rounded(elem, a - b))); }
};

template <typename Op>
Op make(const Context& context) {
  if constexpr (std::is_base_of_v<DivisionBase, Op>)
    return Op(context);
  else
    return Op{};
}

inline bool on_a5(const Context& context) {
  return context.machine != nullptr && context.machine->target == Target::a5;
}
inline bool on_a2a3(const Context& context) {
  return context.machine != nullptr && context.machine->target == Target::a2a3;
}

/// Calls run(Op) with the operation that a tile instruction is on the context's target.
template <typename Op, typename F>
void for_target(const Context& context, F&& run) {
  if constexpr (requires { typename Op::OffA5; }) {
    if (!on_a5(context)) return run(make<typename Op::OffA5>(context));
  }
  run(make<Op>(context));
}

}  // namespace pto::exec
