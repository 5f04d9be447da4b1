#include "analysis/affine_interval.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/constant_folding.hpp"
#include "ir/op_queries.hpp"
#include "isa/row.hpp"

namespace pto::driver {
namespace {

using isa::OpcodeClass;
using Wide = __int128;

AffineInterval make_range(Wide low, Wide high, uint32_t source = kNoSource, double slope = 0) {
  if (low < -kMaxMagnitude || high > kMaxMagnitude || !(std::abs(slope) < static_cast<double>(kMaxMagnitude)))
    return {};
  return {true, static_cast<int64_t>(low), static_cast<int64_t>(high), slope == 0 ? kNoSource : source,
          slope};
}

/// The source that both may have together; nothing when they move with different ones.
std::optional<uint32_t> common_source(const AffineInterval& a, const AffineInterval& b) {
  if (a.source == kNoSource) return b.source;
  if (b.source == kNoSource || a.source == b.source) return a.source;
  return std::nullopt;
}

AffineInterval negated(const AffineInterval& a) { return {a.known, -a.high, -a.low, a.source, -a.slope}; }

Wide floor_div(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

/// By a positive constant. The ends move to the next multiple, which is exact without a source.
AffineInterval divide(const AffineInterval& a, const AffineInterval& b, bool is_unsigned) {
  const std::optional<int64_t> by = b.constant_value();
  if (is_unsigned && a.is_concrete() && a.low < 0) return {};
  if (!a.known || !by || *by <= 0) {
    const bool shrinks = a.is_concrete() && a.low >= 0 && b.is_concrete() && b.low > 0;
    return shrinks ? make_range(a.low / b.high, a.high / b.low) : AffineInterval{};
  }
  if (a.source == kNoSource) return make_range(a.low / *by, a.high / *by);
  return make_range(floor_div(a.low, *by), floor_div(a.high, *by), a.source,
                    a.slope / static_cast<double>(*by));
}

AffineInterval remainder(const AffineInterval& a, const AffineInterval& b, bool is_unsigned) {
  if (!b.is_concrete() || b.low <= 0) return {};
  if (a.is_concrete() && a.low >= 0 && a.high < b.low) return a;
  if (const auto number = a.constant_value(); number && b.low == b.high && (*number >= 0 || !is_unsigned))
    return AffineInterval::constant(*number % b.low);
  const bool negative = !is_unsigned && (a.is_concrete() ? a.low < 0 : !a.has_source());
  return AffineInterval::between(negative ? 1 - b.high : 0, b.high - 1);
}

/// Whoever is still open is taken to be chosen so that the constant decides.
AffineInterval least(const AffineInterval& a, const AffineInterval& b) {
  if (!a.known || !b.known) return {};
  if (a.source == kNoSource && b.source == kNoSource)
    return make_range(std::min(a.low, b.low), std::min(a.high, b.high));
  return a.source == kNoSource ? a : b;
}

AffineInterval greatest(const AffineInterval& a, const AffineInterval& b) {
  if (a.is_concrete() && b.is_concrete()) return make_range(std::max(a.low, b.low), std::max(a.high, b.high));
  if (!a.known || !b.known) return {};
  return a.source == kNoSource ? b : a;
}

AffineInterval compared(const OpView& op, const AffineInterval& a, const AffineInterval& b) {
  const AffineInterval unknown = AffineInterval::between(0, 1);
  if (!a.is_concrete() || !b.is_concrete()) return unknown;
  using isa::CmpPredicate;
  const CmpPredicate predicate = cmp_predicate(op);
  if (number_bits(op.type(0)) == 1 && !isa::is_equality(predicate)) return unknown;  // true is -1 with a sign
  const bool below = a.high<b.low, above = a.low> b.high;
  switch (predicate) {
    case CmpPredicate::eq:
      if (below || above) return AffineInterval::constant(0);
      return a.constant_value() && b.constant_value() ? AffineInterval::constant(1) : unknown;
    case CmpPredicate::ne:
      if (below || above) return AffineInterval::constant(1);
      return a.constant_value() && b.constant_value() ? AffineInterval::constant(0) : unknown;
    case CmpPredicate::slt:
      return below ? AffineInterval::constant(1) : a.low >= b.high ? AffineInterval::constant(0) : unknown;
    case CmpPredicate::sle:
      return a.high <= b.low ? AffineInterval::constant(1) : above ? AffineInterval::constant(0) : unknown;
    case CmpPredicate::sgt:
      return above ? AffineInterval::constant(1) : a.high <= b.low ? AffineInterval::constant(0) : unknown;
    case CmpPredicate::sge:
      return a.low >= b.high ? AffineInterval::constant(1) : below ? AffineInterval::constant(0) : unknown;
    default:
      return unknown;
  }
}

AffineInterval chosen(const AffineInterval& condition, const AffineInterval& yes, const AffineInterval& no) {
  if (const auto number = condition.constant_value()) return *number != 0 ? yes : no;
  return join(yes, no);
}

bool masks(const AffineInterval& range) { return range.constant_value().value_or(-1) >= 0; }

AffineInterval bits_of(const OpView& op, const AffineInterval& a, const AffineInterval& b) {
  if (a.constant_value() && b.constant_value()) {
    const Number folded = fold(op, {a.constant_value(), b.constant_value(), std::nullopt});
    return folded ? AffineInterval::constant(*folded) : AffineInterval{};
  }
  if (isa::opcode_class(op) != OpcodeClass::bit_and)
    return op.result_type(0).elem == Elem::i1 ? AffineInterval::between(0, 1) : AffineInterval{};
  return masks(a)   ? AffineInterval::between(0, a.low)
         : masks(b) ? AffineInterval::between(0, b.low)
                    : AffineInterval{};
}

}  // namespace

AffineInterval AffineInterval::between(int64_t low, int64_t high) { return make_range(low, high); }

AffineInterval join(const AffineInterval& a, const AffineInterval& b) {
  if (!a.known || !b.known) return {};
  if (a.source != b.source || a.slope != b.slope) return {};
  return {true, std::min(a.low, b.low), std::max(a.high, b.high), a.source, a.slope};
}

AffineInterval add(const AffineInterval& a, const AffineInterval& b) {
  const auto source = common_source(a, b);
  if (!a.known || !b.known || !source) return {};
  return make_range(Wide{a.low} + b.low, Wide{a.high} + b.high, *source, a.slope + b.slope);
}

AffineInterval multiply(const AffineInterval& a, const AffineInterval& b) {
  if (!a.known || !b.known || (a.has_source() && b.has_source())) return {};
  if (a.has_source()) return multiply(b, a);
  const Wide corners[] = {Wide{a.low} * b.low, Wide{a.low} * b.high, Wide{a.high} * b.low,
                          Wide{a.high} * b.high};
  const auto [low, high] = std::minmax_element(std::begin(corners), std::end(corners));
  if (!b.has_source()) return make_range(*low, *high);
  return a.low == a.high ? make_range(*low, *high, b.source, b.slope * static_cast<double>(a.low))
                         : AffineInterval{};
}

namespace {

/// Of a number that is to be in the type: where it may leave it, it wraps. One that is still open is chosen
/// so that it does not; numbers of 64 bits have no end here.
AffineInterval in_type(const AffineInterval& found, const Type& type) {
  const uint32_t bits = number_bits(type);
  if (type.kind != TypeKind::scalar || bits == 0 || bits >= 64 || !found.is_concrete()) return found;
  const int64_t half = int64_t{1} << (bits - 1);
  const int64_t low = bits == 1 ? 0 : -half, high = bits == 1 ? 1 : half - 1;
  return found.low >= low && found.high <= high ? found : AffineInterval{};
}

/// True is -1 in a wider type with a sign, and a negative number in one without is greater.
AffineInterval cast(const OpView& op, const AffineInterval& a) {
  const bool is_unsigned = isa::opcode_class(op) == OpcodeClass::cast_unsigned;
  const uint32_t from = number_bits(op.type(0));
  if (from == 1 && !is_unsigned && a.is_concrete()) return make_range(-Wide{a.high}, -Wide{a.low});
  if (!is_unsigned || from >= 64 || !a.is_concrete() || a.low >= 0) return a;
  return AffineInterval::between(0, (int64_t{1} << from) - 1);
}

AffineInterval of_numbers(const OpView& op, const std::array<AffineInterval, 3>& operands) {
  const auto& [a, b, c] = operands;
  switch (isa::opcode_class(op)) {
    case OpcodeClass::constant: {
      const Number number = fold(op, {});
      return number ? AffineInterval::constant(*number) : AffineInterval{};
    }
    case OpcodeClass::add:
      return add(a, b);
    case OpcodeClass::sub:
      return add(a, negated(b));
    case OpcodeClass::mul:
      return multiply(a, b);
    case OpcodeClass::div_s:
    case OpcodeClass::div_u:
      return divide(a, b, isa::opcode_class(op) == OpcodeClass::div_u);
    case OpcodeClass::rem_s:
    case OpcodeClass::rem_u:
      return remainder(a, b, isa::opcode_class(op) == OpcodeClass::rem_u);
    case OpcodeClass::min_s:
      return least(a, b);
    case OpcodeClass::max_s:
      return greatest(a, b);
    case OpcodeClass::bit_and:
    case OpcodeClass::bit_or:
    case OpcodeClass::bit_xor:
    case OpcodeClass::shift_left:
      return bits_of(op, a, b);
    case OpcodeClass::compare:
      return compared(op, a, b);
    case OpcodeClass::cast:
    case OpcodeClass::cast_unsigned:
      return cast(op, a);
    case OpcodeClass::select:
      return chosen(a, b, c);
    default:
      return {};
  }
}

/// Whether the numbers of the operation's type are followed: of one bit only as conditions.
bool is_followed(const OpView& op) {
  if (number_bits(op.type(0)) != 1) return true;
  switch (isa::opcode_class(op)) {
    case OpcodeClass::div_s:
    case OpcodeClass::div_u:
    case OpcodeClass::rem_s:
    case OpcodeClass::rem_u:
    case OpcodeClass::min_s:
    case OpcodeClass::max_s:
    case OpcodeClass::shift_left:
      return false;
    default:
      return true;
  }
}

}  // namespace

AffineInterval evaluate(const OpView& op, const std::array<AffineInterval, 3>& operands) {
  if (!gives_number(op)) return {};
  const bool is_constant = isa::opcode_class(op) == OpcodeClass::constant;
  if (!is_constant && !is_followed(op)) return {};
  return in_type(of_numbers(op, operands), op.result_type(0));
}

std::optional<int64_t> source_for_low(const AffineInterval& range, int64_t target) {
  if (!range.has_source() || range.slope <= 0) return std::nullopt;
  const double choice =
      std::ceil((static_cast<double>(target) - static_cast<double>(range.low)) / range.slope);
  return std::abs(choice) < 1e15 ? std::optional(static_cast<int64_t>(choice)) : std::nullopt;
}

std::optional<int64_t> source_for_high(const AffineInterval& range, int64_t limit) {
  if (!range.has_source() || range.slope <= 0) return std::nullopt;
  const double choice =
      std::floor((static_cast<double>(limit) - static_cast<double>(range.high)) / range.slope);
  return std::abs(choice) < 1e15 ? std::optional(static_cast<int64_t>(choice)) : std::nullopt;
}

}  // namespace pto::driver
