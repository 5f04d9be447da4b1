#include "analysis/integer_lattice.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace pto {
namespace {

using isa::CmpPredicate, isa::OpcodeClass;
using Wide = __int128;
using WideUnsigned = unsigned __int128;

constexpr uint64_t kMaxStep = uint64_t{1} << 62;
constexpr unsigned kAllBits = 64;

uint64_t magnitude(Wide value) { return static_cast<uint64_t>(value < 0 ? -value : value); }

WideUnsigned gcd(WideUnsigned a, WideUnsigned b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

Wide floor_mod(Wide value, Wide modulus) {
  const Wide rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

/// A value beyond 64 bits keeps its residue modulo a power of two when it wraps.
Congruence canonical(Wide at, WideUnsigned step) {
  const bool is_wide = step == 0 && (at < INT64_MIN || at > INT64_MAX);
  if (is_wide || step > kMaxStep) step = gcd(step, kMaxStep);
  if (step == 0) return {static_cast<int64_t>(at), 0};
  return {static_cast<int64_t>(floor_mod(at, static_cast<Wide>(step))), static_cast<uint64_t>(step)};
}

/// The divisor that every integer of them has.
uint64_t divisor(const Congruence& a) { return std::gcd(magnitude(a.at), a.step); }

// ---- integers without a width

/// The result of an operation before its type limits it.
struct WideFact {
  Wide low, high;
  Congruence congruence;
};

WideFact widened(const IntegerFact& a) { return {a.interval.low, a.interval.high, a.congruence}; }

/// The values that the corners of two intervals give to a function that is monotone in each of
/// them.
template <typename Function>
std::pair<Wide, Wide> corners(const IntegerFact& a, const IntegerFact& b, Function function) {
  const Wide all[] = {function(Wide{a.interval.low}, Wide{b.interval.low}),
                      function(Wide{a.interval.low}, Wide{b.interval.high}),
                      function(Wide{a.interval.high}, Wide{b.interval.low}),
                      function(Wide{a.interval.high}, Wide{b.interval.high})};
  const auto [low, high] = std::minmax_element(std::begin(all), std::end(all));
  return {*low, *high};
}

WideFact wide_sum(const IntegerFact& a, const IntegerFact& b) {
  return {Wide{a.interval.low} + b.interval.low, Wide{a.interval.high} + b.interval.high,
          sum(a.congruence, b.congruence)};
}

WideFact wide_difference(const IntegerFact& a, const IntegerFact& b) {
  return {Wide{a.interval.low} - b.interval.high, Wide{a.interval.high} - b.interval.low,
          difference(a.congruence, b.congruence)};
}

WideFact wide_product(const IntegerFact& a, const IntegerFact& b) {
  const auto [low, high] = corners(a, b, [](Wide x, Wide y) { return x * y; });
  return {low, high, product(a.congruence, b.congruence)};
}

/// Nothing where the shift may have the width of the type and more, which gives no integer.
std::optional<WideFact> wide_shift(const IntegerFact& a, const IntegerFact& b, uint32_t bits) {
  if (b.interval.low < 0 || b.interval.high >= static_cast<int64_t>(bits)) return std::nullopt;
  const auto [low, high] = corners(a, b, [](Wide x, Wide y) { return x * (Wide{1} << y); });
  const auto factor =
      canonical(Wide{1} << b.interval.low, b.interval.is_single() ? 0 : WideUnsigned{1} << b.interval.low);
  return WideFact{low, high, product(a.congruence, factor)};
}

/// The integers of `bits` bits from `base` on that are the same modulo 2^bits.
WideFact wrapped(const WideFact& a, uint32_t bits, Wide base) {
  const Wide size = Wide{1} << bits;
  const Wide shift = (a.low - base - floor_mod(a.low - base, size)) / size;
  const Wide last = (a.high - base - floor_mod(a.high - base, size)) / size;
  const Congruence residue = canonical(a.congruence.at - shift * size, a.congruence.step);
  if (shift == last) return {a.low - shift * size, a.high - shift * size, residue};
  const WideUnsigned step = gcd(a.congruence.step, static_cast<WideUnsigned>(size));
  return {base, base + size - 1, canonical(a.congruence.at, step)};
}

/// As an integer without sign.
WideFact as_unsigned(const IntegerFact& a, uint32_t bits) {
  return a.interval.low >= 0 ? widened(a) : wrapped(widened(a), bits, 0);
}

/// True of i1 is 1; 0 bits are those of an address.
Interval range_of_bits(uint32_t bits) {
  if (bits == 0 || bits >= kAllBits) return {};
  if (bits == 1) return {0, 1};
  const int64_t half = int64_t{1} << (bits - 1);
  return {-half, half - 1};
}

bool fits(const WideFact& a, uint32_t bits) {
  const Interval range = range_of_bits(bits);
  return a.low >= range.low && a.high <= range.high;
}

IntegerFact narrowed(const WideFact& a) {
  const Interval interval{static_cast<int64_t>(std::clamp<Wide>(a.low, INT64_MIN, INT64_MAX)),
                          static_cast<int64_t>(std::clamp<Wide>(a.high, INT64_MIN, INT64_MAX))};
  return IntegerFact::reduced(interval, a.congruence);
}

/// As the type of the result has it.
IntegerFact stored(const WideFact& a, uint32_t bits) {
  return narrowed(fits(a, bits) ? a : wrapped(a, bits, range_of_bits(bits).low));
}

// ---- division

WideFact quotient(const WideFact& a, const IntegerFact& by) {
  const Wide ends[] = {a.low / by.interval.low, a.low / by.interval.high, a.high / by.interval.low,
                       a.high / by.interval.high};
  const auto [low, high] = std::minmax_element(std::begin(ends), std::end(ends));
  WideFact found{*low, *high, {}};
  const auto unit = static_cast<uint64_t>(by.value().value_or(0));
  if (a.congruence.is_multiple_of(unit))
    found.congruence = canonical(a.congruence.at / static_cast<int64_t>(unit), a.congruence.step / unit);
  return found;
}

/// Has the sign of what is divided.
WideFact remainder(const WideFact& a, const IntegerFact& by) {
  if (a.low > -Wide{by.interval.low} && a.high < by.interval.low) return a;
  const Wide most = Wide{by.interval.high} - 1;
  return {a.low >= 0 ? Wide{0} : std::max(a.low, -most), a.high <= 0 ? Wide{0} : std::min(a.high, most),
          canonical(a.congruence.at, gcd(a.congruence.step, divisor(by.congruence)))};
}

// ---- bits

/// The lowest bits, as far as all of them are known.
struct LowBits {
  uint64_t known, bits;
};
LowBits low_bits(const Congruence& a) {
  const unsigned count = a.is_constant() ? kAllBits : static_cast<unsigned>(std::countr_zero(a.step));
  return {count == kAllBits ? ~uint64_t{0} : (uint64_t{1} << count) - 1, static_cast<uint64_t>(a.at)};
}

/// A known bit of one operand may decide.
LowBits combined(OpcodeClass opcode_class, const LowBits& a, const LowBits& b) {
  const uint64_t both = a.known & b.known;
  switch (opcode_class) {
    case OpcodeClass::bit_and:
      return {both | (a.known & ~a.bits) | (b.known & ~b.bits), a.known & a.bits & b.known & b.bits};
    case OpcodeClass::bit_or:
      return {both | (a.known & a.bits) | (b.known & b.bits), (a.known & a.bits) | (b.known & b.bits)};
    default:
      return {both, a.bits ^ b.bits};
  }
}

Congruence bitwise_congruence(OpcodeClass opcode_class, const Congruence& a, const Congruence& b) {
  const LowBits found = combined(opcode_class, low_bits(a), low_bits(b));
  const auto count = static_cast<unsigned>(std::countr_one(found.known));
  if (count >= kAllBits) return {static_cast<int64_t>(found.bits), 0};
  const uint64_t step = std::min(kMaxStep, uint64_t{1} << count);
  return {static_cast<int64_t>(found.bits & (step - 1)), step};
}

Interval bitwise_interval(OpcodeClass opcode_class, const Interval& a, const Interval& b,
                          const Interval& all) {
  if (opcode_class == OpcodeClass::bit_and && (a.low >= 0 || b.low >= 0)) {
    const int64_t of_a = a.low >= 0 ? a.high : INT64_MAX, of_b = b.low >= 0 ? b.high : INT64_MAX;
    return {0, std::min(of_a, of_b)};
  }
  if (a.low < 0 || b.low < 0) return all;
  const auto most = static_cast<uint64_t>(std::max(a.high, b.high));
  const uint64_t ones = most == 0 ? 0 : ~uint64_t{0} >> std::countl_zero(most);
  const int64_t low = opcode_class == OpcodeClass::bit_or ? std::max(a.low, b.low) : 0;
  return {low, static_cast<int64_t>(ones)};
}

// ---- comparison

/// Whether a < b (or a <= b) for all, or for none.
std::optional<bool> is_less(const Interval& a, const Interval& b, bool or_equal) {
  if (or_equal ? a.high <= b.low : a.high < b.low) return true;
  if (or_equal ? a.low > b.high : a.low >= b.high) return false;
  return std::nullopt;
}

std::optional<bool> is_equal(const IntegerFact& a, const IntegerFact& b) {
  if (a.value() && a.value() == b.value()) return true;
  const bool apart = a.interval.high < b.interval.low || b.interval.high < a.interval.low;
  const Congruence between = difference(a.congruence, b.congruence);
  if (apart || (!between.is_constant() && between.at != 0)) return false;
  return std::nullopt;
}

std::optional<bool> compared(const Arithmetic& how, const IntegerFact& a, const IntegerFact& b) {
  const std::optional<bool> equal = is_equal(a, b);
  if (how.predicate == CmpPredicate::eq) return equal;
  if (how.predicate == CmpPredicate::ne) return equal ? std::optional(!*equal) : std::nullopt;
  if (isa::is_signed(how.predicate) && how.from == 1) return std::nullopt;
  if (isa::is_unsigned(how.predicate) && (a.interval.low < 0 || b.interval.low < 0)) return std::nullopt;
  switch (isa::without_sign(how.predicate)) {
    case CmpPredicate::slt:
      return is_less(a.interval, b.interval, false);
    case CmpPredicate::sle:
      return is_less(a.interval, b.interval, true);
    case CmpPredicate::sgt:
      return is_less(b.interval, a.interval, false);
    default:
      return is_less(b.interval, a.interval, true);
  }
}

/// The lesser of both where `least`, else the greater.
IntegerFact extreme(const IntegerFact& a, const IntegerFact& b, bool least) {
  const std::optional<bool> ordered = is_less(a.interval, b.interval, true);
  if (ordered) return *ordered == least ? a : b;
  const auto choose = [least](int64_t x, int64_t y) { return least ? std::min(x, y) : std::max(x, y); };
  const Interval interval{choose(a.interval.low, b.interval.low), choose(a.interval.high, b.interval.high)};
  return IntegerFact::reduced(interval, join(a.congruence, b.congruence));
}

// ---- operations

/// A sum, difference, product, shift or cast before it is stored in its type; nothing for others.
std::optional<WideFact> unlimited(const Arithmetic& how, std::span<const IntegerFact> operands) {
  switch (how.opcode_class) {
    case OpcodeClass::add:
      return wide_sum(operands[0], operands[1]);
    case OpcodeClass::sub:
      return wide_difference(operands[0], operands[1]);
    case OpcodeClass::mul:
      return wide_product(operands[0], operands[1]);
    case OpcodeClass::shift_left:
      return wide_shift(operands[0], operands[1], how.to);
    case OpcodeClass::cast:
      return how.from == 1 ? wide_difference(IntegerFact::constant(0), operands[0]) : widened(operands[0]);
    case OpcodeClass::cast_unsigned:
      return how.from >= kAllBits ? widened(operands[0]) : as_unsigned(operands[0], how.from);
    default:
      return std::nullopt;
  }
}

bool is_cast(OpcodeClass opcode_class) {
  return opcode_class == OpcodeClass::cast || opcode_class == OpcodeClass::cast_unsigned;
}

/// True is 1 here and -1 as a signed integer, so arithmetic of one bit is not followed.
bool is_followed(const Arithmetic& how) {
  if (how.from != 1 || is_cast(how.opcode_class)) return true;
  switch (how.opcode_class) {
    case OpcodeClass::bit_and:
    case OpcodeClass::bit_or:
    case OpcodeClass::bit_xor:
    case OpcodeClass::compare:
    case OpcodeClass::select:
      return true;
    default:
      return false;
  }
}

IntegerFact divided(const Arithmetic& how, const IntegerFact& a, const IntegerFact& by,
                    const IntegerFact& top) {
  if (by.interval.low <= 0) return top;
  const bool is_signed = how.opcode_class == OpcodeClass::div_s || how.opcode_class == OpcodeClass::rem_s;
  const bool is_quotient = how.opcode_class == OpcodeClass::div_s || how.opcode_class == OpcodeClass::div_u;
  const WideFact taken = is_signed ? widened(a) : as_unsigned(a, how.from);
  return stored(is_quotient ? quotient(taken, by) : remainder(taken, by), how.to);
}

}  // namespace

// ---- Interval, Congruence

Interval range_of(const Type& type) {
  return type.kind == TypeKind::scalar ? range_of_bits(number_bits(type)) : Interval{};
}

std::optional<uint64_t> Congruence::residue(uint64_t modulus) const {
  if (modulus == 0 || step % modulus != 0) return std::nullopt;
  return static_cast<uint64_t>(floor_mod(at, static_cast<Wide>(modulus)));
}

bool Congruence::is_never_multiple_of(uint64_t unit) const {
  return floor_mod(at, static_cast<Wide>(std::gcd(step, unit))) != 0;
}

Congruence sum(const Congruence& a, const Congruence& b) {
  return canonical(Wide{a.at} + b.at, std::gcd(a.step, b.step));
}
Congruence difference(const Congruence& a, const Congruence& b) {
  return canonical(Wide{a.at} - b.at, std::gcd(a.step, b.step));
}
Congruence product(const Congruence& a, const Congruence& b) {
  const WideUnsigned left = WideUnsigned{magnitude(a.at)} * b.step;
  const WideUnsigned right = WideUnsigned{magnitude(b.at)} * a.step;
  return canonical(Wide{a.at} * b.at, gcd(gcd(left, right), WideUnsigned{a.step} * b.step));
}
Congruence join(const Congruence& a, const Congruence& b) {
  return canonical(a.at, std::gcd(std::gcd(a.step, b.step), magnitude(Wide{a.at} - b.at)));
}

// ---- IntegerFact

IntegerFact IntegerFact::reduced(const Interval& interval, const Congruence& congruence) {
  if (interval.is_single()) return constant(interval.low);
  if (congruence.is_constant()) return constant(congruence.at);
  const auto step = static_cast<Wide>(congruence.step);
  const Wide low = interval.low + floor_mod(Wide{congruence.at} - interval.low, step);
  const Wide high = interval.high - floor_mod(Wide{interval.high} - congruence.at, step);
  if (low > high) return {interval, congruence};  // no integer: code that is not reached
  if (low == high) return constant(static_cast<int64_t>(low));
  return {{static_cast<int64_t>(low), static_cast<int64_t>(high)}, congruence};
}

IntegerFact join(const IntegerFact& a, const IntegerFact& b) {
  return {{std::min(a.interval.low, b.interval.low), std::max(a.interval.high, b.interval.high)},
          join(a.congruence, b.congruence)};
}

IntegerFact widen(const IntegerFact& before, const IntegerFact& after, const Type& type) {
  const Interval range = range_of(type);
  return IntegerFact::reduced(
      {after.interval.low < before.interval.low ? range.low : before.interval.low,
       after.interval.high > before.interval.high ? range.high : before.interval.high},
      after.congruence);
}

IntegerFact counter_fact(const IntegerFact& lower, const IntegerFact& upper, const IntegerFact& step) {
  const int64_t low = lower.interval.low;
  const int64_t last = upper.interval.high == INT64_MIN ? INT64_MIN : upper.interval.high - 1;
  const Congruence moved = product(Congruence{}, step.congruence);
  return IntegerFact::reduced({low, std::max(low, last)}, sum(lower.congruence, moved));
}

bool is_exact(const Arithmetic& how, std::span<const IntegerFact> operands) {
  if (how.from == 1) return false;
  const bool changes_sign =
      how.opcode_class == OpcodeClass::cast_unsigned && how.from < kAllBits && operands[0].interval.low < 0;
  if (changes_sign) return false;
  if (!is_cast(how.opcode_class) && how.to >= kAllBits) return true;
  const std::optional<WideFact> result = unlimited(how, operands);
  return result && fits(*result, how.to);
}

IntegerFact transfer(const Arithmetic& how, std::span<const IntegerFact> operands, Overflow64 overflow) {
  const IntegerFact top{range_of_bits(how.to), {}};
  if (!is_followed(how)) return top;
  switch (how.opcode_class) {
    case OpcodeClass::add:
    case OpcodeClass::sub:
    case OpcodeClass::mul:
    case OpcodeClass::shift_left: {
      const std::optional<WideFact> result = unlimited(how, operands);
      if (!result) return top;
      return how.to >= kAllBits && overflow == Overflow64::never ? narrowed(*result)
                                                                 : stored(*result, how.to);
    }
    case OpcodeClass::cast:
    case OpcodeClass::cast_unsigned:
      return stored(*unlimited(how, operands), how.to);
    case OpcodeClass::div_s:
    case OpcodeClass::div_u:
    case OpcodeClass::rem_s:
    case OpcodeClass::rem_u:
      return divided(how, operands[0], operands[1], top);
    case OpcodeClass::bit_and:
    case OpcodeClass::bit_or:
    case OpcodeClass::bit_xor:
      return IntegerFact::reduced(
          bitwise_interval(how.opcode_class, operands[0].interval, operands[1].interval, top.interval),
          bitwise_congruence(how.opcode_class, operands[0].congruence, operands[1].congruence));
    case OpcodeClass::min_s:
    case OpcodeClass::max_s:
      return extreme(operands[0], operands[1], how.opcode_class == OpcodeClass::min_s);
    case OpcodeClass::compare: {
      const std::optional<bool> result = compared(how, operands[0], operands[1]);
      return result ? IntegerFact::constant(*result ? 1 : 0) : top;
    }
    case OpcodeClass::select: {
      const Number condition = operands[0].value();
      if (condition) return operands[*condition != 0 ? 1 : 2];
      return join(operands[1], operands[2]);
    }
    default:
      return top;
  }
}

}  // namespace pto
