// The numbers that places in GM are made of, with unknowns where they are not known.
#include "analysis/constant_folding.hpp"
#include "analysis/symbolic_access.hpp"
#include "ir/op_queries.hpp"
#include "isa/row.hpp"

namespace pto::driver {

using isa::OpcodeClass;
using Kind = Symbol::Kind;

namespace {

constexpr uint32_t kWideEnough = 32;  ///< bits of numbers that are taken to stay within their type

/// Arithmetic that wraps at 8 or 16 bits, and true, which is 1 or -1. Numbers of 32 bits and more are taken
/// to stay within their type.
bool may_wrap(const OpView& op) {
  const OpcodeClass opcode_class = isa::opcode_class(op);
  const bool cast = opcode_class == OpcodeClass::cast || opcode_class == OpcodeClass::cast_unsigned;
  const bool wraps = opcode_class == OpcodeClass::add || opcode_class == OpcodeClass::sub ||
                     opcode_class == OpcodeClass::mul || opcode_class == OpcodeClass::shift_left;
  if (!cast && !wraps) return false;
  return number_bits(op.result_type(0)) < kWideEnough || (cast && number_bits(op.type(0)) == 1);
}

}  // namespace

/// What is left over goes towards 0.
Polynomial SymbolicAccesses::quotient(const Polynomial& a, const Polynomial& b) {
  const bool positive = symbols_.is_non_negative(a, conditions_);
  return symbols_.make({.kind = Kind::quotient, .at = positive ? 1u : 0u, .operands = {a, b}});
}

/// How many numbers there are of what asks for a thread's.
std::optional<Polynomial> SymbolicAccesses::threads_along(const OpView& op) const {
  constexpr int64_t kLanes = 32;
  const std::string_view name = isa::schema(op.op().row).results[0].name;
  if (name == "lane") return Polynomial(kLanes);
  constexpr std::array<std::string_view, 3> kNumbers = {"tid_x", "tid_y", "tid_z"};
  for (size_t dim = 0; dim < kNumbers.size(); ++dim) {
    if (name == kNumbers[dim]) return threads_[dim];
  }
  return std::nullopt;
}

/// Whether a choice takes the smaller one of the two, or the greater one.
std::optional<Kind> SymbolicAccesses::chosen_extreme(ValueId condition, const Polynomial& yes,
                                                     const Polynomial& no) {
  const AbstractValue on = value_of(condition);
  const auto ahead = [&](const Polynomial& a, const Polynomial& b, const std::vector<Polynomial>& where) {
    return !where.empty() && symbols_.is_non_negative(a - b, where);
  };
  if (ahead(no, yes, on.yes) && ahead(yes, no, on.no)) return Kind::min;
  if (ahead(yes, no, on.yes) && ahead(no, yes, on.no)) return Kind::max;
  return std::nullopt;
}

/// With what was read as a number without sign in the place of it, where it is not negative here.
Polynomial SymbolicAccesses::normalised(Polynomial poly) {
  for (const auto& [made, from] : unsigned_) {
    const uint32_t unknown = made.terms().begin()->first.front();
    if (!poly.has(unknown)) continue;
    ConstraintSet negative{{}, conditions_};
    negative.non_negative.push_back(Polynomial(-1) - from);
    if (is_infeasible_with_cases(symbols_, negative)) poly = poly.rewrite(unknown, from);
  }
  return poly;
}

void SymbolicAccesses::normalise(SymbolicRegion& place) {
  place.base = normalised(place.base);
  place.width = normalised(place.width);
  for (SymbolicRegion::Dim& dim : place.dims) {
    dim.offset = normalised(dim.offset);
    dim.size = normalised(dim.size);
    dim.step = normalised(dim.step);
    if (dim.limit) dim.limit = normalised(*dim.limit);
  }
}

void SymbolicAccesses::number(const OpView& op) {
  const ValueId result = op.result(0);
  const OpcodeClass opcode_class = isa::opcode_class(op);
  if (constants_.value_of(result)) return set_number(result, *constants_.value_of(result));
  if (opcode_class == OpcodeClass::load || opcode_class == OpcodeClass::load_buffer) return load(op);
  if (op.op().n_operand_words == 0) {
    const std::string_view name = isa::schema(op.op().row).results[0].name;
    if (name == "block") return set_number(result, symbols_.make({.kind = Kind::block}));
    if (name == "blocks") return set_number(result, symbols_.make({.kind = Kind::blocks}));
    if (name == "subblock") return set_number(result, symbols_.make({.kind = Kind::subblock}));
    if (const auto threads = threads_along(op))
      return set_number(result, make_unknown(result, {0, *threads - Polynomial(1)}));
    return set_number(result, make_unknown(result));
  }
  const auto a = [&] { return number_of(op.operand(0)); };
  const auto b = [&] { return number_of(op.operand(1)); };
  const bool flag = op.result_type(0).elem == Elem::i1;
  if (may_wrap(op)) return set_number(result, flag ? make_unknown(result, {0, 1}) : make_unknown(result));
  if (flag && (opcode_class == OpcodeClass::bit_and || opcode_class == OpcodeClass::bit_or ||
               opcode_class == OpcodeClass::bit_xor))
    return condition(op);
  switch (opcode_class) {
    case OpcodeClass::add:
      return set_number(result, a() + b());
    case OpcodeClass::sub:
      return set_number(result, a() - b());
    case OpcodeClass::mul:
      return set_number(result, a() * b());
    case OpcodeClass::shift_left:
      if (const Number by = constants_.value_of(op.operand(1)); by && *by >= 0 && *by < 40)
        return set_number(result, a() * Polynomial(int64_t{1} << *by));
      break;
    case OpcodeClass::div_s:
    case OpcodeClass::rem_s:
    case OpcodeClass::div_u:
    case OpcodeClass::rem_u: {
      const bool is_unsigned = opcode_class == OpcodeClass::div_u || opcode_class == OpcodeClass::rem_u;
      const Polynomial left = a(), right = b();
      if (!symbols_.is_non_negative(right - Polynomial(1), conditions_)) break;
      if (is_unsigned && !symbols_.is_non_negative(left, conditions_)) {
        if (opcode_class == OpcodeClass::rem_u)
          return set_number(result, make_unknown(result, {0, right - Polynomial(1)}));
        break;
      }
      const Polynomial whole = quotient(left, right);
      if (opcode_class == OpcodeClass::div_s || opcode_class == OpcodeClass::div_u)
        return set_number(result, whole);
      return set_number(result, left - right * whole);
    }
    case OpcodeClass::bit_and: {
      const Number mask = constants_.value_of(op.operand(1));
      if (!mask || *mask < 0) break;
      if ((*mask & (*mask + 1)) == 0 && symbols_.is_non_negative(a(), conditions_))
        return set_number(result, a() - Polynomial(*mask + 1) * quotient(a(), *mask + 1));
      return set_number(result, make_unknown(result, {0, *mask}));
    }
    case OpcodeClass::min_s:
      return set_number(result, symbols_.make({.kind = Kind::min, .operands = {a(), b()}}));
    case OpcodeClass::max_s: {
      // Where one is certainly the greater one, there is no choice.
      if (symbols_.is_non_negative(a() - b(), conditions_)) return set_number(result, a());
      if (symbols_.is_non_negative(b() - a(), conditions_)) return set_number(result, b());
      return set_number(result, symbols_.make({.kind = Kind::max, .operands = {a(), b()}}));
    }
    case OpcodeClass::cast:
      if (is_number(op.type(0))) return set_number(result, a());
      break;
    case OpcodeClass::cast_unsigned:
      if (is_number(op.type(0)) && symbols_.is_non_negative(a(), conditions_)) return set_number(result, a());
      if (const Polynomial made = make_unknown(result, {0}); is_number(op.type(0))) {
        unsigned_.emplace_back(made, a());
        return set_number(result, made);
      }
      break;
    case OpcodeClass::select: {
      const Polynomial one = number_of(op.operand(1)), two = number_of(op.operand(2));
      if (one == two) return set_number(result, one);
      if (const auto extreme = chosen_extreme(op.operand(0), one, two)) {
        return set_number(result, symbols_.make({.kind = *extreme, .operands = {one, two}}));
      }
      return set_number(result, symbols_.make({.kind = Kind::either,
                                               .at = result,
                                               .context = context_,
                                               .operands = {one, two},
                                               .loops = std::set(loops_.begin(), loops_.end())}));
    }
    default:
      break;
  }
  set_number(result, flag ? make_unknown(result, {0, 1}) : make_unknown(result));
}

void SymbolicAccesses::condition(const OpView& op) {
  const ValueId result = op.result(0);
  AbstractValue made;
  const OpcodeClass opcode_class = isa::opcode_class(op);
  const AbstractValue left = value_of(op.operand(0)), right = value_of(op.operand(1));
  if (opcode_class == OpcodeClass::compare && is_number(op.type(0))) {
    const Polynomial a = number_of(op.operand(0)), b = number_of(op.operand(1));
    using isa::CmpPredicate;
    const CmpPredicate predicate = cmp_predicate(op);
    const bool follow = !isa::is_unsigned(predicate) || (symbols_.is_non_negative(a, conditions_) &&
                                                         symbols_.is_non_negative(b, conditions_));
    const Polynomial one(1);
    if (follow) {
      switch (isa::without_sign(predicate)) {
        case CmpPredicate::eq:
          made.yes = {a - b, b - a};
          break;
        case CmpPredicate::ne:
          made.no = {a - b, b - a};
          break;
        case CmpPredicate::slt:
          made.yes = {b - a - one};
          made.no = {a - b};
          break;
        case CmpPredicate::sle:
          made.yes = {b - a};
          made.no = {a - b - one};
          break;
        case CmpPredicate::sgt:
          made.yes = {a - b - one};
          made.no = {b - a};
          break;
        case CmpPredicate::sge:
          made.yes = {a - b};
          made.no = {b - a - one};
          break;
        default:
          break;
      }
    }
  } else if (opcode_class == OpcodeClass::bit_and) {
    made.yes = left.yes;
    made.yes.insert(made.yes.end(), right.yes.begin(), right.yes.end());
  } else if (opcode_class == OpcodeClass::bit_or) {
    made.no = left.no;
    made.no.insert(made.no.end(), right.no.begin(), right.no.end());
  } else if (opcode_class == OpcodeClass::bit_xor && constants_.value_of(op.operand(1)).value_or(0) != 0) {
    made.yes = left.no;
    made.no = left.yes;
  }
  made.number = make_unknown(result, {0, 1});
  set(result, std::move(made));
}

}  // namespace pto::driver
