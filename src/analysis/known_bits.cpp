#include "analysis/known_bits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "ir/kernel_entries.hpp"
#include "ir/op_queries.hpp"
#include "ir/value_names.hpp"
#include "isa/row.hpp"

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

/// One number that is asked for, followed back.
class Search {
 public:
  Search(const Numbers& numbers, Turns turns) : n_(numbers), turns_(std::move(turns)) {}

  LowBits find(ValueId value) {
    if (value == kNoValue || ++steps_ > kMostSteps) return {};
    if (const Number number = n_.constants_.of(value)) return exactly(*number);
    const auto assumed = std::ranges::find(assumed_, value, &Assumed::value);
    if (assumed != assumed_.end()) return assumed->bits;
    if (const Numbers::Part part = n_.parts_[value]; part.loop != kNoOp) return in_loop(value, part);
    const uint32_t maker = n_.constants_.maker(value);
    if (maker == kNoOp) return {};
    return cut(value, made_by(OpView(n_.program_, maker), value));
  }

 private:
  struct Assumed {
    ValueId value;
    LowBits bits;
  };

  /// No more bits than the type has.
  LowBits cut(ValueId value, const LowBits& bits) const {
    return made(std::min(bits.count, bit_width(n_.program_.type_of(value).elem)), bits.bits);
  }

  LowBits made_by(const OpView& op, ValueId value) {
    const uint32_t result = value - op.op().first_result;
    if (isa::does(op) == Does::loop) return after_loop(op, result);
    if (isa::does(op) == Does::branch) return after_branch(op, result);
    if (!gives_number(op) || op.result_type(0).elem == Elem::i1) return {};
    return computed(op);
  }

  LowBits computed(const OpView& op) {
    switch (const Does does = isa::does(op)) {
      case Does::constant:
      case Does::compare:
        return {};
      case Does::cast:
      case Does::cast_unsigned:
        return op.type(0).elem == Elem::i1 ? LowBits{} : cut(op.operand(0), find(op.operand(0)));
      case Does::select: {
        const LowBits yes = find(op.operand(1));
        return either(yes, find(op.operand(2)));
      }
      default: {
        LowBits first = find(op.operand(0));
        // A quotient moves the bits above the type, too.
        if (does == Does::div_s || does == Does::div_u) first = cut(op.operand(0), first);
        return of_two(does, first, find(op.operand(1)));
      }
    }
  }

  /// What either branch gives.
  LowBits after_branch(const OpView& op, uint32_t result) {
    std::optional<LowBits> out;
    for (const Region& region : n_.program_.regions_of(op.op())) {
      const LowBits here = given(region, result);
      out = out ? either(*out, here) : here;
    }
    return out.value_or(LowBits{});
  }

  LowBits given(const Region& region, uint32_t result) {
    const std::span<const ValueId> given = handed_on(n_.program_, region);
    return result < given.size() ? find(given[result]) : LowBits{};
  }

  // ---- loops

  LowBits in_loop(ValueId value, const Numbers::Part& part) {
    const OpView loop(n_.program_, part.loop);
    const auto turn = std::ranges::find(turns_, body_of(loop).first_arg, &Turn::counter);
    if (part.position != 0) {
      return turn != turns_.end() ? in_turn(loop, part.position - 1, *turn)
                                  : carried(loop, part.position - 1);
    }
    if (turn != turns_.end()) return exactly(turn->number);
    const LowBits lower = find(loop.operand(0)), step = find(loop.operand(2));
    return cut(value, made(std::min(lower.count, zeros(step)), lower.bits));
  }

  /// What goes into the first turn, or what the first one hands to the second.
  LowBits in_turn(const OpView& loop, uint32_t position, const Turn& turn) {
    const Number lower = n_.constants_.of(loop.operand(0));
    if (!lower || position >= loop.operands(3).size()) return {};
    if (turn.number == *lower) return find(loop.operands(3)[position]);
    const Number step = n_.constants_.of(loop.operand(2));
    if (!step || turn.number != *lower + *step) return carried(loop, position);  // the last one
    Turns before = turns_;
    std::ranges::find(before, turn.counter, &Turn::counter)->number = *lower;
    return with_turns(std::move(before), [&] { return given(body_of(loop), position); });
  }

  /// What is the same of the first number and of what each turn makes of such a one.
  LowBits carried(const OpView& loop, uint32_t position) {
    if (position >= loop.operands(3).size()) return {};
    const ValueId value = body_of(loop).first_arg + 1 + position;
    LowBits bits = cut(value, find(loop.operands(3)[position]));
    while (bits.count != 0) {
      assumed_.push_back({value, bits});
      const LowBits kept = either(bits, given(body_of(loop), position));
      assumed_.pop_back();
      if (kept.count == bits.count) break;
      bits = kept;
    }
    return bits;
  }

  /// Behind a loop none of its turns is a certain one.
  LowBits after_loop(const OpView& loop, uint32_t position) {
    Turns outside = turns_;
    std::erase_if(outside, [&](const Turn& turn) {
      const uint32_t of = n_.parts_[turn.counter].loop;
      return loop.index() <= of && of < n_.program_.end_of(loop.index());
    });
    if (outside.size() == turns_.size()) return carried(loop, position);
    return with_turns(std::move(outside), [&] { return carried(loop, position); });
  }

  /// What is assumed holds for the turns that it was assumed in.
  template <typename Ask>
  LowBits with_turns(Turns turns, Ask ask) {
    std::swap(turns, turns_);
    std::vector<Assumed> before = std::exchange(assumed_, {});
    const LowBits out = ask();
    turns_ = std::move(turns);
    assumed_ = std::move(before);
    return out;
  }

  const Numbers& n_;
  Turns turns_;
  std::vector<Assumed> assumed_;
  unsigned steps_ = 0;
};

Numbers::Numbers(const Program& program, const Constants& constants)
    : program_(program), constants_(constants), tree_(program), parts_(program.values.size()) {
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    if (isa::row(program.ops[i].row).does != Does::loop) continue;
    const Region& body = body_of(program, i);
    for (uint32_t a = 0; a < body.n_args; ++a) parts_[body.first_arg + a] = {i, a};
  }
}

LowBits Numbers::low_bits(ValueId value, std::span<const Turn> turns) const {
  const auto counter = std::ranges::find(turns, value, &Turn::counter);
  if (counter != turns.end()) return exactly(counter->number);
  return Search(*this, {turns.begin(), turns.end()}).find(value);
}

const std::vector<Turns>& Numbers::certain_turns(uint32_t op) const {
  const uint32_t around = tree_.around(op);
  const auto [found, fresh] = certain_.try_emplace(around);
  if (fresh) found->second = turns_inside(around);
  return found->second;
}

std::vector<Turns> Numbers::turns_inside(uint32_t around) const {
  Turns first;
  std::vector<Turn> others;
  for (; around != kNoOp; around = tree_.around(around)) {
    const OpView outer(program_, around);
    if (isa::does(outer) == Does::loop) {
      const Number lower = constants_.of(outer.operand(0)), upper = constants_.of(outer.operand(1)),
                   step = constants_.of(outer.operand(2));
      if (!lower || !upper || !step || *step <= 0 || *lower >= *upper) return {};
      const ValueId counter = body_of(outer).first_arg;
      first.push_back({counter, *lower});
      const uint64_t distance = static_cast<uint64_t>(*upper) - static_cast<uint64_t>(*lower);
      const auto width = static_cast<uint64_t>(*step);
      const uint64_t last = (distance - 1) / width * width;
      if (width < distance) others.push_back({counter, *lower + *step});
      if (last > width) others.push_back({counter, *lower + static_cast<int64_t>(last)});
    } else if (isa::does(outer) == Does::function ? !marked_entry(outer) : !always_runs(isa::does(outer))) {
      return {};
    }
  }
  std::ranges::reverse(first);  // as they stand around it
  std::vector<Turns> all{first};
  for (const Turn& turn : others) {
    all.push_back(first);
    std::ranges::find(all.back(), turn.counter, &Turn::counter)->number = turn.number;
  }
  return all;
}

}  // namespace pto::legality
