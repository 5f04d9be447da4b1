#include "analysis/affine_interval.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/integer_lattice.hpp"
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

/// Of an open value, by a positive constant.
AffineInterval divide(const AffineInterval& a, const AffineInterval& b) {
  const std::optional<int64_t> by = b.constant_value();
  if (!a.known || !by || *by <= 0) return {};
  return make_range(floor_div(a.low, *by), floor_div(a.high, *by), a.source,
                    a.slope / static_cast<double>(*by));
}

/// Of an open value, which is chosen so that it is not negative.
AffineInterval remainder_of(const AffineInterval& b) {
  return b.is_concrete() && b.low > 0 ? AffineInterval::between(0, b.high - 1) : AffineInterval{};
}

/// An open value is chosen so that the other one decides.
AffineInterval decided(const AffineInterval& a, const AffineInterval& b) {
  if (!a.known || !b.known) return {};
  return a.source == kNoSource ? a : b;
}

AffineInterval masked(const AffineInterval& a, const AffineInterval& b) {
  const int64_t mask = (a.is_concrete() ? a : b).constant_value().value_or(-1);
  return mask >= 0 ? AffineInterval::between(0, mask) : AffineInterval{};
}

AffineInterval selected(const AffineInterval& condition, const AffineInterval& yes,
                        const AffineInterval& no) {
  if (const auto number = condition.constant_value()) return *number != 0 ? yes : no;
  return join(yes, no);
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

/// One operand at least is open: it is chosen so that nothing leaves its type.
AffineInterval evaluate_open(const OpView& op, const std::array<AffineInterval, 3>& operands) {
  const auto& [a, b, c] = operands;
  switch (isa::opcode_class(op)) {
    case OpcodeClass::add:
      return add(a, b);
    case OpcodeClass::sub:
      return add(a, negated(b));
    case OpcodeClass::mul:
      return multiply(a, b);
    case OpcodeClass::div_s:
    case OpcodeClass::div_u:
      return divide(a, b);
    case OpcodeClass::rem_s:
    case OpcodeClass::rem_u:
      return remainder_of(b);
    case OpcodeClass::min_s:
    case OpcodeClass::max_s:
      return decided(a, b);
    case OpcodeClass::bit_and:
      return masked(a, b);
    case OpcodeClass::compare:
      return AffineInterval::between(0, 1);
    case OpcodeClass::cast:
    case OpcodeClass::cast_unsigned:
      return a;
    case OpcodeClass::select:
      return selected(a, b, c);
    default:
      return {};
  }
}

/// Whether the result may be limited although an operand is not known.
bool limits(OpcodeClass opcode_class) {
  switch (opcode_class) {
    case OpcodeClass::rem_s:
    case OpcodeClass::rem_u:
    case OpcodeClass::bit_and:
    case OpcodeClass::compare:
    case OpcodeClass::select:
      return true;
    default:
      return false;
  }
}

AffineInterval evaluate_concrete(const OpView& op, const std::array<AffineInterval, 3>& operands) {
  std::array<IntegerFact, 3> facts;
  for (unsigned i = 0; i < facts.size(); ++i) {
    const ValueId value = op.operand(i);
    if (value == kNoValue) continue;
    if (!operands[i].known && !limits(isa::opcode_class(op))) return {};
    facts[i] = operands[i].known ? IntegerFact::reduced({operands[i].low, operands[i].high}, {})
                                 : IntegerFact::top(op.program().type_of(value));
  }
  const Interval found = transfer(arithmetic_of(op), facts, Overflow64::never).interval;
  const Type& type = op.result_type(0);
  if (found == range_of(type) && number_bits(type) != 1) return {};
  return AffineInterval::between(found.low, found.high);
}

}  // namespace

AffineInterval evaluate(const OpView& op, const std::array<AffineInterval, 3>& operands) {
  if (!gives_number(op)) return {};
  if (isa::opcode_class(op) == OpcodeClass::constant) {
    const Number number = fold(op, {});
    return number ? AffineInterval::constant(*number) : AffineInterval{};
  }
  const bool is_open = std::ranges::any_of(operands, &AffineInterval::has_source);
  return is_open ? evaluate_open(op, operands) : evaluate_concrete(op, operands);
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
