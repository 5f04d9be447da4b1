// The numbers that places in GM are made of, with unknowns where they are not known.
#include "analysis/symbolic_access.hpp"
#include "ir/op_queries.hpp"
#include "isa/row.hpp"

namespace pto::driver {

using isa::Does;
using Kind = Unknown::Kind;

namespace {

constexpr uint32_t kWideEnough = 32;  ///< bits of numbers that are taken to stay within their type

/// Arithmetic that wraps at 8 or 16 bits, and true, which is 1 or -1. Numbers of 32 bits and more are taken
/// to stay within their type.
bool may_wrap(const OpView& op) {
  const Does does = isa::does(op);
  const bool cast = does == Does::cast || does == Does::cast_unsigned;
  const bool wraps = does == Does::add || does == Does::sub || does == Does::mul || does == Does::shift_left;
  if (!cast && !wraps) return false;
  return number_bits(op.result_type(0)) < kWideEnough || (cast && number_bits(op.type(0)) == 1);
}

}  // namespace

/// What is left over goes towards 0.
Poly GmPlaces::quotient(const Poly& a, const Poly& b) {
  const bool positive = unknowns_.positive(a, conditions_);
  return unknowns_.make({.kind = Kind::quotient, .at = positive ? 1u : 0u, .of = {a, b}});
}

/// How many numbers there are of what asks for a thread's.
std::optional<Poly> GmPlaces::threads_along(const OpView& op) const {
  constexpr int64_t kLanes = 32;
  const std::string_view name = isa::schema(op.op().row).results[0].name;
  if (name == "lane") return Poly(kLanes);
  constexpr std::array<std::string_view, 3> kNumbers = {"tid_x", "tid_y", "tid_z"};
  for (size_t dim = 0; dim < kNumbers.size(); ++dim) {
    if (name == kNumbers[dim]) return threads_[dim];
  }
  return std::nullopt;
}

/// Whether a choice takes the smaller one of the two, or the greater one.
std::optional<Kind> GmPlaces::chosen_extreme(ValueId condition, const Poly& yes, const Poly& no) {
  const Known on = of(condition);
  const auto ahead = [&](const Poly& a, const Poly& b, const std::vector<Poly>& where) {
    return !where.empty() && unknowns_.positive(a - b, where);
  };
  if (ahead(no, yes, on.yes) && ahead(yes, no, on.no)) return Kind::least;
  if (ahead(yes, no, on.yes) && ahead(no, yes, on.no)) return Kind::greatest;
  return std::nullopt;
}

/// With what was read as a number without sign in the place of it, where it is not negative here.
Poly GmPlaces::settled(Poly poly) {
  for (const auto& [made, from] : unsigned_) {
    const uint32_t unknown = made.terms().begin()->first.front();
    if (!poly.has(unknown)) continue;
    Facts negative{{}, conditions_};
    negative.positive.push_back(Poly(-1) - from);
    if (never(unknowns_, negative)) poly = poly.with(unknown, from);
  }
  return poly;
}

void GmPlaces::settle(GmPlace& place) {
  place.base = settled(place.base), place.width = settled(place.width);
  for (GmPlace::Dim& dim : place.dims) {
    dim.offset = settled(dim.offset), dim.size = settled(dim.size), dim.step = settled(dim.step);
    if (dim.limit) dim.limit = settled(*dim.limit);
  }
}

void GmPlaces::number(const OpView& op) {
  const ValueId result = op.result(0);
  const Does does = isa::does(op);
  if (constants_.of(result)) return set_number(result, *constants_.of(result));
  if (does == Does::load || does == Does::load_buffer) return load(op);
  if (op.op().n_operand_words == 0) {
    const std::string_view name = isa::schema(op.op().row).results[0].name;
    if (name == "block") return set_number(result, unknowns_.make({.kind = Kind::block}));
    if (name == "blocks") return set_number(result, unknowns_.make({.kind = Kind::blocks}));
    if (name == "subblock") return set_number(result, unknowns_.make({.kind = Kind::subblock}));
    if (const auto threads = threads_along(op))
      return set_number(result, other(result, {0, *threads - Poly(1)}));
    return set_number(result, other(result));
  }
  const auto a = [&] { return number_of(op.operand(0)); };
  const auto b = [&] { return number_of(op.operand(1)); };
  const bool flag = op.result_type(0).elem == Elem::i1;
  if (may_wrap(op)) return set_number(result, flag ? other(result, {0, 1}) : other(result));
  if (flag && (does == Does::bit_and || does == Does::bit_or || does == Does::bit_xor)) return condition(op);
  switch (does) {
    case Does::add:
      return set_number(result, a() + b());
    case Does::sub:
      return set_number(result, a() - b());
    case Does::mul:
      return set_number(result, a() * b());
    case Does::shift_left:
      if (const Number by = constants_.of(op.operand(1)); by && *by >= 0 && *by < 40)
        return set_number(result, a() * Poly(int64_t{1} << *by));
      break;
    case Does::div_s:
    case Does::rem_s:
    case Does::div_u:
    case Does::rem_u: {
      const bool is_unsigned = does == Does::div_u || does == Does::rem_u;
      const Poly left = a(), right = b();
      if (!unknowns_.positive(right - Poly(1), conditions_)) break;
      if (is_unsigned && !unknowns_.positive(left, conditions_)) {
        if (does == Does::rem_u) return set_number(result, other(result, {0, right - Poly(1)}));
        break;
      }
      const Poly whole = quotient(left, right);
      if (does == Does::div_s || does == Does::div_u) return set_number(result, whole);
      return set_number(result, left - right * whole);
    }
    case Does::bit_and: {
      const Number mask = constants_.of(op.operand(1));
      if (!mask || *mask < 0) break;
      if ((*mask & (*mask + 1)) == 0 && unknowns_.positive(a(), conditions_))
        return set_number(result, a() - Poly(*mask + 1) * quotient(a(), *mask + 1));
      return set_number(result, other(result, {0, *mask}));
    }
    case Does::min_s:
      return set_number(result, unknowns_.make({.kind = Kind::least, .of = {a(), b()}}));
    case Does::max_s: {
      // Where one is certainly the greater one, there is no choice.
      if (unknowns_.positive(a() - b(), conditions_)) return set_number(result, a());
      if (unknowns_.positive(b() - a(), conditions_)) return set_number(result, b());
      return set_number(result, unknowns_.make({.kind = Kind::greatest, .of = {a(), b()}}));
    }
    case Does::cast:
      if (is_number(op.type(0))) return set_number(result, a());
      break;
    case Does::cast_unsigned:
      if (is_number(op.type(0)) && unknowns_.positive(a(), conditions_)) return set_number(result, a());
      if (const Poly made = other(result, {0}); is_number(op.type(0))) {
        unsigned_.emplace_back(made, a());
        return set_number(result, made);
      }
      break;
    case Does::select: {
      const Poly one = number_of(op.operand(1)), two = number_of(op.operand(2));
      if (one == two) return set_number(result, one);
      if (const auto extreme = chosen_extreme(op.operand(0), one, two)) {
        return set_number(result, unknowns_.make({.kind = *extreme, .of = {one, two}}));
      }
      return set_number(result, unknowns_.make({.kind = Kind::either,
                                                .at = result,
                                                .context = context_,
                                                .of = {one, two},
                                                .loops = std::set(loops_.begin(), loops_.end())}));
    }
    default:
      break;
  }
  set_number(result, flag ? other(result, {0, 1}) : other(result));
}

void GmPlaces::condition(const OpView& op) {
  const ValueId result = op.result(0);
  Known made;
  const Does does = isa::does(op);
  const Known left = of(op.operand(0)), right = of(op.operand(1));
  if (does == Does::compare && is_number(op.type(0))) {
    const Poly a = number_of(op.operand(0)), b = number_of(op.operand(1));
    enum Predicate : int64_t { kEq, kNe, kLess, kLessEq, kMore, kMoreEq };
    constexpr int64_t kUnsigned = 4;
    int64_t predicate = op.attr_int("predicate");
    const bool is_unsigned = predicate > kMoreEq;
    const bool follow =
        !is_unsigned || (unknowns_.positive(a, conditions_) && unknowns_.positive(b, conditions_));
    if (is_unsigned) predicate -= kUnsigned;
    const Poly one(1);
    if (follow) {
      switch (predicate) {
        case kEq:
          made.yes = {a - b, b - a};
          break;
        case kNe:
          made.no = {a - b, b - a};
          break;
        case kLess:
          made.yes = {b - a - one}, made.no = {a - b};
          break;
        case kLessEq:
          made.yes = {b - a}, made.no = {a - b - one};
          break;
        case kMore:
          made.yes = {a - b - one}, made.no = {b - a};
          break;
        case kMoreEq:
          made.yes = {a - b}, made.no = {b - a - one};
          break;
        default:
          break;
      }
    }
  } else if (does == Does::bit_and) {
    made.yes = left.yes;
    made.yes.insert(made.yes.end(), right.yes.begin(), right.yes.end());
  } else if (does == Does::bit_or) {
    made.no = left.no;
    made.no.insert(made.no.end(), right.no.begin(), right.no.end());
  } else if (does == Does::bit_xor && constants_.of(op.operand(1)).value_or(0) != 0) {
    made.yes = left.no, made.no = left.yes;
  }
  made.number = other(result, {0, 1});
  set(result, std::move(made));
}

}  // namespace pto::driver
