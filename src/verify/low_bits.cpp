#include "verify/low_bits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "isa/entries.hpp"
#include "isa/row.hpp"
#include "isa/words.hpp"

namespace pto::legality {
namespace {

using isa::Does;

constexpr unsigned kMostSteps = 256;  ///< operations that one number is followed back through

uint64_t mask(unsigned count) { return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; }
LowBits made(unsigned count, uint64_t bits) { return {std::min(count, LowBits::kAll), bits & mask(count)}; }
/// How many of the lowest bits are zeros for certain.
unsigned zeros(const LowBits& number) {
  return std::min(number.count, static_cast<unsigned>(std::countr_zero(number.bits)));
}
/// Either of the two.
LowBits either(const LowBits& a, const LowBits& b) {
  const auto equal = static_cast<unsigned>(std::countr_zero(a.bits ^ b.bits));
  return made(std::min({a.count, b.count, equal}), a.bits);
}

/// Bit by bit: a known bit that decides is enough.
LowBits bitwise(Does does, const LowBits& a, const LowBits& b) {
  LowBits out;
  for (; out.count < LowBits::kAll; ++out.count) {
    const uint64_t bit = uint64_t{1} << out.count;
    const bool in_a = out.count < a.count, in_b = out.count < b.count, one_a = (a.bits & bit) != 0,
               one_b = (b.bits & bit) != 0;
    const bool decides = does == Does::bit_and  ? (in_a && !one_a) || (in_b && !one_b)
                         : does == Does::bit_or ? (in_a && one_a) || (in_b && one_b)
                                                : false;
    if (!decides && (!in_a || !in_b)) break;
    const bool one = does == Does::bit_and  ? !decides && one_a && one_b
                     : does == Does::bit_or ? decides || one_a || one_b
                                            : one_a != one_b;
    out.bits |= one ? bit : 0;
  }
  return out;
}

LowBits quotient(const LowBits& a, const LowBits& b) {
  if (!b.constant() || !std::has_single_bit(b.bits)) return {};
  const auto by = static_cast<unsigned>(std::countr_zero(b.bits));
  return zeros(a) >= by ? made(a.count - by, a.bits >> by) : LowBits{};  // else a negative one is rounded up
}

LowBits of_two(Does does, const LowBits& a, const LowBits& b) {
  switch (does) {
    case Does::add:
      return sum(a, b);
    case Does::sub:
      return made(std::min(a.count, b.count), a.bits - b.bits);
    case Does::mul:
      return product(a, b);
    case Does::div_s:
    case Does::div_u:
      return quotient(a, b);
    case Does::rem_s:
    case Does::rem_u:
      return made(std::min(a.count, zeros(b)), a.bits);
    case Does::bit_and:
    case Does::bit_or:
    case Does::bit_xor:
      return bitwise(does, a, b);
    case Does::shift_left:
      return b.constant() && b.bits < 64 ? made(a.count + static_cast<unsigned>(b.bits), a.bits << b.bits)
                                         : LowBits{};
    case Does::min_s:
    case Does::max_s:
      return either(a, b);
    default:
      return {};
  }
}

/// Runs what is in it once, whatever the inputs are.
bool always_runs(Does does) {
  return does == Does::module || does == Does::vecscope || does == Does::strict_vecscope ||
         isa::is_section(does);
}

}  // namespace

LowBits exactly(int64_t number) { return {LowBits::kAll, static_cast<uint64_t>(number)}; }
LowBits sum(const LowBits& a, const LowBits& b) { return made(std::min(a.count, b.count), a.bits + b.bits); }
LowBits product(const LowBits& a, const LowBits& b) {
  return made(std::min({a.count + zeros(b), b.count + zeros(a), a.count + b.count}), a.bits * b.bits);
}

bool LowBits::misses(uint64_t unit) const { return (bits & mask(count) & (unit - 1)) != 0; }

std::string LowBits::place(uint64_t unit) const {
  if (constant()) return fmt::format("at {}", static_cast<int64_t>(bits));
  const uint64_t of = count >= 63 ? unit : std::min(unit, uint64_t{1} << count);
  return fmt::format("{} behind a multiple of {}", bits & (of - 1), of);
}

std::string words_of(const Program& program, std::span<const Turn> turns) {
  std::string out;
  for (const Turn& turn : turns)
    out += fmt::format("{} {} = {}", out.empty() ? " where" : " and", isa::value_name(program, turn.counter),
                       turn.number);
  return out;
}

Numbers::Numbers(const Program& program, const Constants& constants)
    : program_(program), constants_(constants), tree_(program), counts_for_(program.values.size(), kNoOp) {
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    if (isa::row(program.ops[i].row).does == Does::loop && body_of(program, i).n_args > 0)
      counts_for_[body_of(program, i).first_arg] = i;
  }
}

LowBits Numbers::low_bits(ValueId value, std::span<const Turn> turns) const {
  unsigned steps = 0;
  return find(value, turns, steps);
}

LowBits Numbers::find(ValueId value, std::span<const Turn> turns, unsigned& steps) const {
  if (value == kNoValue || ++steps > kMostSteps) return {};
  if (const Number number = constants_.of(value)) return exactly(*number);
  const auto turn = std::ranges::find(turns, value, &Turn::counter);
  if (turn != turns.end()) return exactly(turn->number);
  if (counts_for_[value] != kNoOp) {
    const OpView loop(program_, counts_for_[value]);
    const LowBits lower = find(loop.operand(0), turns, steps), step = find(loop.operand(2), turns, steps);
    return made(std::min(lower.count, zeros(step)), lower.bits);
  }
  const uint32_t maker = constants_.maker(value);
  if (maker == kNoOp) return {};
  const OpView op(program_, maker);
  if (!gives_number(op) || op.result_type(0).elem == Elem::i1) return {};
  const LowBits out = computed(op, turns, steps);
  return made(std::min(out.count, bit_width(op.result_type(0).elem)), out.bits);
}

LowBits Numbers::computed(const OpView& op, std::span<const Turn> turns, unsigned& steps) const {
  switch (const Does does = isa::does(op)) {
    case Does::constant:
    case Does::compare:
      return {};
    case Does::cast:
    case Does::cast_unsigned: {
      if (op.type(0).elem == Elem::i1) return {};
      const LowBits from = find(op.operand(0), turns, steps);
      return made(std::min(from.count, bit_width(op.type(0).elem)), from.bits);
    }
    case Does::select:
      return either(find(op.operand(1), turns, steps), find(op.operand(2), turns, steps));
    default: {
      const LowBits first = find(op.operand(0), turns, steps);
      return of_two(does, first, find(op.operand(1), turns, steps));
    }
  }
}

std::vector<Turns> Numbers::certain_turns(uint32_t op) const {
  Turns first;
  std::vector<Turn> second;
  for (uint32_t around = tree_.around(op); around != kNoOp; around = tree_.around(around)) {
    const OpView outer(program_, around);
    if (isa::does(outer) == Does::loop) {
      const Number lower = constants_.of(outer.operand(0)), upper = constants_.of(outer.operand(1)),
                   step = constants_.of(outer.operand(2));
      if (!lower || !upper || !step || *step <= 0 || *lower >= *upper) return {};
      const ValueId counter = body_of(outer).first_arg;
      first.push_back({counter, *lower});
      const uint64_t distance = static_cast<uint64_t>(*upper) - static_cast<uint64_t>(*lower);
      if (static_cast<uint64_t>(*step) < distance) second.push_back({counter, *lower + *step});
    } else if (isa::does(outer) == Does::function ? !marked_entry(outer) : !always_runs(isa::does(outer))) {
      return {};
    }
  }
  std::ranges::reverse(first);  // as they stand around it
  std::vector<Turns> all{first};
  for (const Turn& turn : second) {
    all.push_back(first);
    std::ranges::find(all.back(), turn.counter, &Turn::counter)->number = turn.number;
  }
  return all;
}

}  // namespace pto::legality
