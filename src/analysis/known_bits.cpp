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

using isa::OpcodeClass;

constexpr unsigned kMaxSteps = 256;  ///< operations that one number is followed back through

uint64_t mask(unsigned count) { return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; }
KnownLowBits make_bits(unsigned count, uint64_t bits) {
  return {std::min(count, KnownLowBits::kAll), bits & mask(count)};
}
/// How many of the lowest bits are zeros for certain.
unsigned zeros(const KnownLowBits& number) {
  return std::min(number.count, static_cast<unsigned>(std::countr_zero(number.bits)));
}
/// Either of the two.
KnownLowBits either(const KnownLowBits& a, const KnownLowBits& b) {
  const auto equal = static_cast<unsigned>(std::countr_zero(a.bits ^ b.bits));
  return make_bits(std::min({a.count, b.count, equal}), a.bits);
}

/// Bit by bit: a known bit that decides is enough.
KnownLowBits bitwise(OpcodeClass opcode_class, const KnownLowBits& a, const KnownLowBits& b) {
  KnownLowBits out;
  for (; out.count < KnownLowBits::kAll; ++out.count) {
    const uint64_t bit = uint64_t{1} << out.count;
    const bool in_a = out.count < a.count, in_b = out.count < b.count, one_a = (a.bits & bit) != 0,
               one_b = (b.bits & bit) != 0;
    const bool decides = opcode_class == OpcodeClass::bit_and  ? (in_a && !one_a) || (in_b && !one_b)
                         : opcode_class == OpcodeClass::bit_or ? (in_a && one_a) || (in_b && one_b)
                                                               : false;
    if (!decides && (!in_a || !in_b)) break;
    const bool one = opcode_class == OpcodeClass::bit_and  ? !decides && one_a && one_b
                     : opcode_class == OpcodeClass::bit_or ? decides || one_a || one_b
                                                           : one_a != one_b;
    out.bits |= one ? bit : 0;
  }
  return out;
}

KnownLowBits quotient(const KnownLowBits& a, const KnownLowBits& b) {
  if (!b.constant() || !std::has_single_bit(b.bits)) return {};
  const auto by = static_cast<unsigned>(std::countr_zero(b.bits));
  return zeros(a) >= by ? make_bits(a.count - by, a.bits >> by)
                        : KnownLowBits{};  // else a negative one is rounded up
}

KnownLowBits of_two(OpcodeClass opcode_class, const KnownLowBits& a, const KnownLowBits& b) {
  switch (opcode_class) {
    case OpcodeClass::add:
      return sum(a, b);
    case OpcodeClass::sub:
      return make_bits(std::min(a.count, b.count), a.bits - b.bits);
    case OpcodeClass::mul:
      return product(a, b);
    case OpcodeClass::div_s:
    case OpcodeClass::div_u:
      return quotient(a, b);
    case OpcodeClass::rem_s:
    case OpcodeClass::rem_u:
      return make_bits(std::min(a.count, zeros(b)), a.bits);
    case OpcodeClass::bit_and:
    case OpcodeClass::bit_or:
    case OpcodeClass::bit_xor:
      return bitwise(opcode_class, a, b);
    case OpcodeClass::shift_left:
      return b.constant() && b.bits < 64
                 ? make_bits(a.count + static_cast<unsigned>(b.bits), a.bits << b.bits)
                 : KnownLowBits{};
    case OpcodeClass::min_s:
    case OpcodeClass::max_s:
      return either(a, b);
    default:
      return {};
  }
}

/// Runs what is in it once, whatever the inputs are.
bool always_runs(OpcodeClass opcode_class) {
  return opcode_class == OpcodeClass::module || opcode_class == OpcodeClass::vecscope ||
         opcode_class == OpcodeClass::strict_vecscope || isa::is_section(opcode_class);
}

}  // namespace

KnownLowBits known_constant(int64_t number) { return {KnownLowBits::kAll, static_cast<uint64_t>(number)}; }
KnownLowBits sum(const KnownLowBits& a, const KnownLowBits& b) {
  return make_bits(std::min(a.count, b.count), a.bits + b.bits);
}
KnownLowBits product(const KnownLowBits& a, const KnownLowBits& b) {
  return make_bits(std::min({a.count + zeros(b), b.count + zeros(a), a.count + b.count}), a.bits * b.bits);
}

bool KnownLowBits::is_definitely_misaligned(uint64_t unit) const {
  return (bits & mask(count) & (unit - 1)) != 0;
}

std::string KnownLowBits::place(uint64_t unit) const {
  if (constant()) return fmt::format("at {}", static_cast<int64_t>(bits));
  const uint64_t of = count >= 63 ? unit : std::min(unit, uint64_t{1} << count);
  return fmt::format("{} behind a multiple of {}", bits & (of - 1), of);
}

std::string words_of(const Program& program, std::span<const LoopIteration> iterations) {
  std::string out;
  for (const LoopIteration& iteration : iterations)
    out += fmt::format("{} {} = {}", out.empty() ? " where" : " and",
                       isa::value_name(program, iteration.counter), iteration.number);
  return out;
}

/// One number that is asked for, followed back.
class LowBitsSearch {
 public:
  LowBitsSearch(const LowBitsAnalysis& numbers, IterationVector iterations)
      : n_(numbers), turns_(std::move(iterations)) {}

  KnownLowBits find(ValueId value) {
    if (value == kNoValue || ++steps_ > kMaxSteps) return {};
    if (const Number number = n_.constants_.value_of(value)) return known_constant(*number);
    const auto assumed = std::ranges::find(assumed_, value, &Assumed::value);
    if (assumed != assumed_.end()) return assumed->bits;
    if (const LowBitsAnalysis::Part part = n_.parts_[value]; part.loop != kNoOp) return in_loop(value, part);
    const uint32_t defining_op = n_.constants_.defining_op(value);
    if (defining_op == kNoOp) return {};
    return cut(value, made_by(OpView(n_.program_, defining_op), value));
  }

 private:
  struct Assumed {
    ValueId value;
    KnownLowBits bits;
  };

  /// No more bits than the type has.
  KnownLowBits cut(ValueId value, const KnownLowBits& bits) const {
    return make_bits(std::min(bits.count, bit_width(n_.program_.type_of(value).elem)), bits.bits);
  }

  KnownLowBits made_by(const OpView& op, ValueId value) {
    const uint32_t result = value - op.op().first_result;
    if (isa::opcode_class(op) == OpcodeClass::loop) return after_loop(op, result);
    if (isa::opcode_class(op) == OpcodeClass::branch) return after_branch(op, result);
    if (!gives_number(op) || op.result_type(0).elem == Elem::i1) return {};
    return computed(op);
  }

  KnownLowBits computed(const OpView& op) {
    switch (const OpcodeClass opcode_class = isa::opcode_class(op)) {
      case OpcodeClass::constant:
      case OpcodeClass::compare:
        return {};
      case OpcodeClass::cast:
      case OpcodeClass::cast_unsigned:
        return op.type(0).elem == Elem::i1 ? KnownLowBits{} : cut(op.operand(0), find(op.operand(0)));
      case OpcodeClass::select: {
        const KnownLowBits yes = find(op.operand(1));
        return either(yes, find(op.operand(2)));
      }
      default: {
        KnownLowBits first = find(op.operand(0));
        // A quotient moves the bits above the type, too.
        if (opcode_class == OpcodeClass::div_s || opcode_class == OpcodeClass::div_u)
          first = cut(op.operand(0), first);
        return of_two(opcode_class, first, find(op.operand(1)));
      }
    }
  }

  /// What either branch gives.
  KnownLowBits after_branch(const OpView& op, uint32_t result) {
    std::optional<KnownLowBits> out;
    for (const Region& region : n_.program_.regions_of(op.op())) {
      const KnownLowBits here = given(region, result);
      out = out ? either(*out, here) : here;
    }
    return out.value_or(KnownLowBits{});
  }

  KnownLowBits given(const Region& region, uint32_t result) {
    const std::span<const ValueId> given = yielded_values(n_.program_, region);
    return result < given.size() ? find(given[result]) : KnownLowBits{};
  }

  // ---- loops

  KnownLowBits in_loop(ValueId value, const LowBitsAnalysis::Part& part) {
    const OpView loop(n_.program_, part.loop);
    const auto iteration = std::ranges::find(turns_, body_of(loop).first_arg, &LoopIteration::counter);
    if (part.position != 0) {
      return iteration != turns_.end() ? in_iteration(loop, part.position - 1, *iteration)
                                       : carried(loop, part.position - 1);
    }
    if (iteration != turns_.end()) return known_constant(iteration->number);
    const KnownLowBits lower = find(loop.operand(0)), step = find(loop.operand(2));
    return cut(value, make_bits(std::min(lower.count, zeros(step)), lower.bits));
  }

  /// What goes into the first turn, or what the first one hands to the second.
  KnownLowBits in_iteration(const OpView& loop, uint32_t position, const LoopIteration& iteration) {
    const Number lower = n_.constants_.value_of(loop.operand(0));
    if (!lower || position >= loop.operands(3).size()) return {};
    if (iteration.number == *lower) return find(loop.operands(3)[position]);
    const Number step = n_.constants_.value_of(loop.operand(2));
    if (!step || iteration.number != *lower + *step) return carried(loop, position);  // the last one
    IterationVector before = turns_;
    std::ranges::find(before, iteration.counter, &LoopIteration::counter)->number = *lower;
    return with_iterations(std::move(before), [&] { return given(body_of(loop), position); });
  }

  /// What is the same of the first number and of what each turn makes of such a one.
  KnownLowBits carried(const OpView& loop, uint32_t position) {
    if (position >= loop.operands(3).size()) return {};
    const ValueId value = body_of(loop).first_arg + 1 + position;
    KnownLowBits bits = cut(value, find(loop.operands(3)[position]));
    while (bits.count != 0) {
      assumed_.push_back({value, bits});
      const KnownLowBits kept = either(bits, given(body_of(loop), position));
      assumed_.pop_back();
      if (kept.count == bits.count) break;
      bits = kept;
    }
    return bits;
  }

  /// Behind a loop none of its turns is a certain one.
  KnownLowBits after_loop(const OpView& loop, uint32_t position) {
    IterationVector outside = turns_;
    std::erase_if(outside, [&](const LoopIteration& iteration) {
      const uint32_t of = n_.parts_[iteration.counter].loop;
      return loop.index() <= of && of < n_.program_.end_of(loop.index());
    });
    if (outside.size() == turns_.size()) return carried(loop, position);
    return with_iterations(std::move(outside), [&] { return carried(loop, position); });
  }

  /// What is assumed holds for the turns that it was assumed in.
  template <typename Ask>
  KnownLowBits with_iterations(IterationVector iterations, Ask ask) {
    std::swap(iterations, turns_);
    std::vector<Assumed> before = std::exchange(assumed_, {});
    const KnownLowBits out = ask();
    turns_ = std::move(iterations);
    assumed_ = std::move(before);
    return out;
  }

  const LowBitsAnalysis& n_;
  IterationVector turns_;
  std::vector<Assumed> assumed_;
  unsigned steps_ = 0;
};

LowBitsAnalysis::LowBitsAnalysis(const Program& program, const Constants& constants)
    : program_(program), constants_(constants), tree_(program), parts_(program.values.size()) {
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    if (isa::row(program.ops[i].row).opcode_class != OpcodeClass::loop) continue;
    const Region& body = body_of(program, i);
    for (uint32_t a = 0; a < body.n_args; ++a) parts_[body.first_arg + a] = {i, a};
  }
}

KnownLowBits LowBitsAnalysis::low_bits(ValueId value, std::span<const LoopIteration> iterations) const {
  const auto counter = std::ranges::find(iterations, value, &LoopIteration::counter);
  if (counter != iterations.end()) return known_constant(counter->number);
  return LowBitsSearch(*this, {iterations.begin(), iterations.end()}).find(value);
}

const std::vector<IterationVector>& LowBitsAnalysis::definitely_executed_iterations(uint32_t op) const {
  const uint32_t around = tree_.parent(op);
  const auto [found, fresh] = certain_.try_emplace(around);
  if (fresh) found->second = turns_inside(around);
  return found->second;
}

std::vector<IterationVector> LowBitsAnalysis::turns_inside(uint32_t around) const {
  IterationVector first;
  std::vector<LoopIteration> others;
  for (; around != kNoOp; around = tree_.parent(around)) {
    const OpView outer(program_, around);
    if (isa::opcode_class(outer) == OpcodeClass::loop) {
      const Number lower = constants_.value_of(outer.operand(0)),
                   upper = constants_.value_of(outer.operand(1)),
                   step = constants_.value_of(outer.operand(2));
      if (!lower || !upper || !step || *step <= 0 || *lower >= *upper) return {};
      const ValueId counter = body_of(outer).first_arg;
      first.push_back({counter, *lower});
      const uint64_t distance = static_cast<uint64_t>(*upper) - static_cast<uint64_t>(*lower);
      const auto width = static_cast<uint64_t>(*step);
      const uint64_t last = (distance - 1) / width * width;
      if (width < distance) others.push_back({counter, *lower + *step});
      if (last > width) others.push_back({counter, *lower + static_cast<int64_t>(last)});
    } else if (isa::opcode_class(outer) == OpcodeClass::function ? !marked_entry(outer)
                                                                 : !always_runs(isa::opcode_class(outer))) {
      return {};
    }
  }
  std::ranges::reverse(first);  // as they stand around it
  std::vector<IterationVector> all{first};
  for (const LoopIteration& iteration : others) {
    all.push_back(first);
    std::ranges::find(all.back(), iteration.counter, &LoopIteration::counter)->number = iteration.number;
  }
  return all;
}

}  // namespace pto::legality
