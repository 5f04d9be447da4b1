#include "analysis/affine_interval.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/constant_folding.hpp"
#include "ir/op_queries.hpp"
#include "isa/row.hpp"

namespace pto::driver {
namespace {

using isa::Does;
using Wide = __int128;

Range made(Wide low, Wide high, uint32_t source = kNoSource, double slope = 0) {
  if (low < -kFar || high > kFar || !(std::abs(slope) < static_cast<double>(kFar))) return {};
  return {true, static_cast<int64_t>(low), static_cast<int64_t>(high), slope == 0 ? kNoSource : source,
          slope};
}

/// The source that both may have together; nothing when they move with different ones.
std::optional<uint32_t> common_source(const Range& a, const Range& b) {
  if (a.source == kNoSource) return b.source;
  if (b.source == kNoSource || a.source == b.source) return a.source;
  return std::nullopt;
}

Range negated(const Range& a) { return {a.known, -a.high, -a.low, a.source, -a.slope}; }

Wide floor_div(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

/// By a positive constant. The ends move to the next multiple, which is exact without a source.
Range divide(const Range& a, const Range& b, bool is_unsigned) {
  const std::optional<int64_t> by = b.number();
  if (is_unsigned && a.fixed() && a.low < 0) return {};
  if (!a.known || !by || *by <= 0) {
    const bool shrinks = a.fixed() && a.low >= 0 && b.fixed() && b.low > 0;
    return shrinks ? made(a.low / b.high, a.high / b.low) : Range{};
  }
  if (a.source == kNoSource) return made(a.low / *by, a.high / *by);
  return made(floor_div(a.low, *by), floor_div(a.high, *by), a.source, a.slope / static_cast<double>(*by));
}

Range remainder(const Range& a, const Range& b, bool is_unsigned) {
  if (!b.fixed() || b.low <= 0) return {};
  if (a.fixed() && a.low >= 0 && a.high < b.low) return a;
  if (const auto number = a.number(); number && b.low == b.high && (*number >= 0 || !is_unsigned))
    return Range::exactly(*number % b.low);
  const bool negative = !is_unsigned && (a.fixed() ? a.low < 0 : !a.open());
  return Range::between(negative ? 1 - b.high : 0, b.high - 1);
}

/// Whoever is still open is taken to be chosen so that the constant decides.
Range least(const Range& a, const Range& b) {
  if (!a.known || !b.known) return {};
  if (a.source == kNoSource && b.source == kNoSource)
    return made(std::min(a.low, b.low), std::min(a.high, b.high));
  return a.source == kNoSource ? a : b;
}

Range greatest(const Range& a, const Range& b) {
  if (a.fixed() && b.fixed()) return made(std::max(a.low, b.low), std::max(a.high, b.high));
  if (!a.known || !b.known) return {};
  return a.source == kNoSource ? b : a;
}

Range compared(const OpView& op, const Range& a, const Range& b) {
  const Range unknown = Range::between(0, 1);
  if (!a.fixed() || !b.fixed()) return unknown;
  const int64_t predicate = op.attr_int("predicate");
  constexpr int64_t kNotEqual = 1;
  if (number_bits(op.type(0)) == 1 && predicate > kNotEqual) return unknown;  // true is -1 with a sign
  const bool below = a.high<b.low, above = a.low> b.high;
  switch (predicate) {
    case 0:
      if (below || above) return Range::exactly(0);
      return a.number() && b.number() ? Range::exactly(1) : unknown;
    case 1:
      if (below || above) return Range::exactly(1);
      return a.number() && b.number() ? Range::exactly(0) : unknown;
    case 2:
      return below ? Range::exactly(1) : a.low >= b.high ? Range::exactly(0) : unknown;
    case 3:
      return a.high <= b.low ? Range::exactly(1) : above ? Range::exactly(0) : unknown;
    case 4:
      return above ? Range::exactly(1) : a.high <= b.low ? Range::exactly(0) : unknown;
    case 5:
      return a.low >= b.high ? Range::exactly(1) : below ? Range::exactly(0) : unknown;
    default:
      return unknown;
  }
}

Range chosen(const Range& condition, const Range& yes, const Range& no) {
  if (const auto number = condition.number()) return *number != 0 ? yes : no;
  return join(yes, no);
}

bool masks(const Range& range) { return range.number().value_or(-1) >= 0; }

Range bits_of(const OpView& op, const Range& a, const Range& b) {
  if (a.number() && b.number()) {
    const Number folded = fold(op, {a.number(), b.number(), std::nullopt});
    return folded ? Range::exactly(*folded) : Range{};
  }
  if (isa::does(op) != Does::bit_and)
    return op.result_type(0).elem == Elem::i1 ? Range::between(0, 1) : Range{};
  return masks(a) ? Range::between(0, a.low) : masks(b) ? Range::between(0, b.low) : Range{};
}

}  // namespace

Range Range::between(int64_t low, int64_t high) { return made(low, high); }

Range join(const Range& a, const Range& b) {
  if (!a.known || !b.known) return {};
  if (a.source != b.source || a.slope != b.slope) return {};
  return {true, std::min(a.low, b.low), std::max(a.high, b.high), a.source, a.slope};
}

Range add(const Range& a, const Range& b) {
  const auto source = common_source(a, b);
  if (!a.known || !b.known || !source) return {};
  return made(Wide{a.low} + b.low, Wide{a.high} + b.high, *source, a.slope + b.slope);
}

Range multiply(const Range& a, const Range& b) {
  if (!a.known || !b.known || (a.open() && b.open())) return {};
  if (a.open()) return multiply(b, a);
  const Wide corners[] = {Wide{a.low} * b.low, Wide{a.low} * b.high, Wide{a.high} * b.low,
                          Wide{a.high} * b.high};
  const auto [low, high] = std::minmax_element(std::begin(corners), std::end(corners));
  if (!b.open()) return made(*low, *high);
  return a.low == a.high ? made(*low, *high, b.source, b.slope * static_cast<double>(a.low)) : Range{};
}

namespace {

/// Of a number that is to be in the type: where it may leave it, it wraps. One that is still open is chosen
/// so that it does not; numbers of 64 bits have no end here.
Range in_type(const Range& found, const Type& type) {
  const uint32_t bits = number_bits(type);
  if (type.kind != TypeKind::scalar || bits == 0 || bits >= 64 || !found.fixed()) return found;
  const int64_t half = int64_t{1} << (bits - 1);
  const int64_t low = bits == 1 ? 0 : -half, high = bits == 1 ? 1 : half - 1;
  return found.low >= low && found.high <= high ? found : Range{};
}

/// True is -1 in a wider type with a sign, and a negative number in one without is greater.
Range cast(const OpView& op, const Range& a) {
  const bool is_unsigned = isa::does(op) == Does::cast_unsigned;
  const uint32_t from = number_bits(op.type(0));
  if (from == 1 && !is_unsigned && a.fixed()) return made(-Wide{a.high}, -Wide{a.low});
  if (!is_unsigned || from >= 64 || !a.fixed() || a.low >= 0) return a;
  return Range::between(0, (int64_t{1} << from) - 1);
}

Range of_numbers(const OpView& op, const std::array<Range, 3>& operands) {
  const auto& [a, b, c] = operands;
  switch (isa::does(op)) {
    case Does::constant: {
      const Number number = fold(op, {});
      return number ? Range::exactly(*number) : Range{};
    }
    case Does::add:
      return add(a, b);
    case Does::sub:
      return add(a, negated(b));
    case Does::mul:
      return multiply(a, b);
    case Does::div_s:
    case Does::div_u:
      return divide(a, b, isa::does(op) == Does::div_u);
    case Does::rem_s:
    case Does::rem_u:
      return remainder(a, b, isa::does(op) == Does::rem_u);
    case Does::min_s:
      return least(a, b);
    case Does::max_s:
      return greatest(a, b);
    case Does::bit_and:
    case Does::bit_or:
    case Does::bit_xor:
    case Does::shift_left:
      return bits_of(op, a, b);
    case Does::compare:
      return compared(op, a, b);
    case Does::cast:
    case Does::cast_unsigned:
      return cast(op, a);
    case Does::select:
      return chosen(a, b, c);
    default:
      return {};
  }
}

/// Whether the numbers of the operation's type are followed: of one bit only as conditions.
bool is_followed(const OpView& op) {
  if (number_bits(op.type(0)) != 1) return true;
  switch (isa::does(op)) {
    case Does::div_s:
    case Does::div_u:
    case Does::rem_s:
    case Does::rem_u:
    case Does::min_s:
    case Does::max_s:
    case Does::shift_left:
      return false;
    default:
      return true;
  }
}

}  // namespace

Range evaluate(const OpView& op, const std::array<Range, 3>& operands) {
  if (!gives_number(op)) return {};
  const bool is_constant = isa::does(op) == Does::constant;
  if (!is_constant && !is_followed(op)) return {};
  return in_type(of_numbers(op, operands), op.result_type(0));
}

std::optional<int64_t> choice_for_least(const Range& range, int64_t target) {
  if (!range.open() || range.slope <= 0) return std::nullopt;
  const double choice =
      std::ceil((static_cast<double>(target) - static_cast<double>(range.low)) / range.slope);
  return std::abs(choice) < 1e15 ? std::optional(static_cast<int64_t>(choice)) : std::nullopt;
}

std::optional<int64_t> choice_for_most(const Range& range, int64_t limit) {
  if (!range.open() || range.slope <= 0) return std::nullopt;
  const double choice =
      std::floor((static_cast<double>(limit) - static_cast<double>(range.high)) / range.slope);
  return std::abs(choice) < 1e15 ? std::optional(static_cast<int64_t>(choice)) : std::nullopt;
}

}  // namespace pto::driver
