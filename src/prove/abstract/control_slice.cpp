// Over 500 lines: one member for each way in which a number is asked for, or is made of others.
#include "prove/abstract/control_slice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "analysis/argument_use.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "prove/abstract/havoc.hpp"

namespace pto::driver {
namespace {

using isa::Does;
using Numbers = std::set<int64_t>;

constexpr uint32_t kWideEnough = 32;  ///< bits of numbers that are taken to stay within their type
constexpr int64_t kMostPeriod = 64, kMostFurthest = 4096;
constexpr size_t kMostNumbers = 400;
constexpr int64_t kFarNumber = int64_t{1} << 40;

/// The operations that a function and all that it calls hold.
std::vector<uint32_t> reached(const CallGraph& calls, const LaunchedFunctions& launch) {
  std::vector<uint32_t> all = launch.functions;
  std::set<uint32_t> known(all.begin(), all.end());
  for (size_t i = 0; i < all.size(); ++i) {
    for (const Call& call : calls.of(all[i])) {
      if (known.insert(call.callee).second) all.push_back(call.callee);
    }
  }
  return all;
}

/// The scalar unit takes an integer from a buffer.
bool loads_number(const OpView& op) {
  const Does does = isa::does(op);
  if (does != Does::load && does != Does::load_buffer) return false;
  const Type &from = op.type(0), &number = op.result_type(0);
  return from.space == Space::gm && number.kind == TypeKind::scalar && !is_float(number.elem);
}

Numbers shifted(const Numbers& numbers, int64_t by) {
  Numbers made;
  for (const int64_t number : numbers) made.insert(number + by);
  return made;
}

Numbers around(int64_t number) { return {number - 1, number, number + 1}; }

}  // namespace

Deciders::Deciders(const Program& program, const Functions& functions, const CallGraph& calls,
                   const LaunchedFunctions& launch, int64_t least_trips)
    : program_(program),
      functions_(functions),
      calls_(calls),
      queues_(program),
      constants_(program),
      intervals_(program_, constants_),
      functions_used_(reached(calls, launch)) {
  const Region& first = body_of(program, functions[launch.functions.front()].info.op);
  for (const uint32_t function : launch.functions) {
    const Region& body = body_of(program, functions[function].info.op);
    for (uint32_t i = 0; i < body.n_args; ++i) {
      // What a vector function has beyond the launch's parameters says which vector core it is: both run.
      if (i < first.n_args)
        origins_[body.first_arg + i] = {Origin::Kind::parameter, i, {}};
      else
        origins_[body.first_arg + i] = {Origin::Kind::joined, 0, {}};
    }
  }
  find_origins();
  find_needed();
  // How many iterations it takes is known when all remainders have been seen.
  for (int turn = 0; turn < 3; ++turn) {
    trips_ = std::max({least_trips, 3 * period_ + 2, furthest_ + 2 * period_ + 2});
    wanted_.clear(), roots_.clear(), placed_.clear(), counted_.clear();
    scope_end_ = 0;
    for (const uint32_t function : functions_used_) {
      const Function& each = functions_[function];
      for (uint32_t op = each.info.op + 1; op < each.end; ++op) look_at(OpView(program_, op));
    }
  }
  for (const uint32_t function : functions_used_) {
    const Function& each = functions_[function];
    for (uint32_t i = each.info.op + 1; i < each.end && plain_; ++i) {
      const OpView op(program_, i);
      plain_ = can_be_cut_at(op) && !leaves_data_behind(op);
    }
  }
  find_spare();
  find_moving();
}

// ---- where values come from

void Deciders::join(ValueId value, ValueId from, uint32_t chooser) {
  Origin& origin = origins_[value];
  if (origin.kind == Origin::Kind::parameter) return;  // of the launch
  origin.kind = Origin::Kind::joined;
  origin.at = chooser;
  if (std::ranges::find(origin.others, from) == origin.others.end()) origin.others.push_back(from);
}

void Deciders::find_origins() {
  for (const uint32_t function : functions_used_) {
    const Function& each = functions_[function];
    for (uint32_t op = each.info.op + 1; op < each.end; ++op) originate(OpView(program_, op));
  }
}

void Deciders::originate(const OpView& op) {
  const std::span<const Region> regions = program_.regions_of(op.op());
  const auto joined = [&](ValueId first, uint32_t count, std::span<const ValueId> from) {
    for (uint32_t i = 0; i < count && i < from.size(); ++i) join(first + i, from[i], op.index());
  };
  const auto gives = [&](std::span<const ValueId> from) {
    joined(op.op().first_result, op.op().n_results, from);
  };
  switch (isa::does(op)) {
    case Does::loop: {
      const Region& body = regions[0];
      origins_[body.first_arg] = {Origin::Kind::counter, op.index(), {}};
      for (const std::span<const ValueId> from : {op.operands(3), handed_on(program_, body)}) {
        if (body.n_args > 1) joined(body.first_arg + 1, body.n_args - 1, from);
        gives(from);
      }
      return;
    }
    case Does::while_loop:
      joined(regions[0].first_arg, regions[0].n_args, op.operands(0));
      joined(regions[0].first_arg, regions[0].n_args, handed_on(program_, regions[1]));
      joined(regions[1].first_arg, regions[1].n_args, handed_on(program_, regions[0]));
      return gives(handed_on(program_, regions[0]));
    case Does::call:
      for (const uint32_t callee : functions_.called(op, *functions_.around(op.index()))) {
        if (functions_[callee].info.declaration) continue;
        const Region& body = body_of(program_, functions_[callee].info.op);
        joined(body.first_arg, body.n_args, op.operands(0));
        gives(handed_on(program_, body));
      }
      return;
    case Does::jump:
    case Does::cond_jump:
      return;  // refused where they order something
    default:
      break;
  }
  for (const Region& region : regions) {
    joined(region.first_arg, region.n_args,
           op.op().n_operand_words != 0 ? op.operands(0) : std::span<const ValueId>());
    gives(handed_on(program_, region));
  }
  if (!regions.empty()) return;
  for (uint32_t i = 0; i < op.op().n_results; ++i)
    origins_[op.result(i)] = {Origin::Kind::op, op.index(), {}};
}

void Deciders::find_needed() {
  used_.assign(program_.values.size(), false), needed_ = used_;
  std::vector<ValueId> left;
  for (const uint32_t function : functions_used_) {
    const Function& each = functions_[function];
    for (uint32_t i = each.info.op + 1; i < each.end; ++i) {
      const OpView op(program_, i);
      const Does does = isa::does(op);
      // What goes by values, or hands them on, needs them where somebody needs what comes of it.
      const bool alone = does == Does::yield || (isa::row(op.op().row).flags & isa::kPure) != 0 ||
                         (isa::controls(does) && does != Does::while_loop && !orders(i, true));
      for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
        for (const ValueId value : op.operands(slot)) {
          if (value == kNoValue) continue;
          used_[value] = true;
          if (!alone) left.push_back(value);
        }
      }
    }
  }
  while (!left.empty()) {
    const ValueId value = left.back();
    left.pop_back();
    if (value == kNoValue || needed_[value]) continue;
    needed_[value] = true;
    if (const auto found = origins_.find(value); found != origins_.end())
      add_sources(found->second, true, left);
  }
}

/// What an operation with regions goes by.
void Deciders::add_choosing(uint32_t index, std::vector<ValueId>& out) const {
  const OpView op(program_, index);
  const auto add = [&](unsigned slot) {
    for (const ValueId value : op.operands(slot)) out.push_back(value);
  };
  switch (isa::does(op)) {
    case Does::loop:
      return add(0), add(1), add(2);
    case Does::while_loop:
      if (const auto last = terminator(program_, program_.regions_of(op.op())[0]))
        out.push_back(OpView(program_, *last).operand(0));
      return;
    default:
      return add(0);
  }
}

void Deciders::add_sources(const Origin& origin, bool with_choosers, std::vector<ValueId>& out) const {
  if (origin.kind == Origin::Kind::counter ||
      (with_choosers && origin.kind == Origin::Kind::joined && !origin.others.empty()))
    add_choosing(origin.at, out);
  if (origin.kind == Origin::Kind::op) {
    const OpView op(program_, origin.at);
    for (unsigned i = 0; i < isa::schema(program_.ops[origin.at].row).operands.size(); ++i) {
      for (const ValueId from : op.operands(i)) out.push_back(from);
    }
  }
  out.insert(out.end(), origin.others.begin(), origin.others.end());
}

// ---- what needs numbers

void Deciders::look_at(const OpView& op) {
  deciding_ = op.index();
  place_ = false;
  if (opens_vector_scope(op)) scope_end_ = std::max(scope_end_, program_.end_of(op.index()));
  if (asks_for_block(op)) reads_block_ = true;
  const Does does = isa::does(op);
  switch (does) {
    case Does::loop:
      return look_at_loop(op);
    case Does::branch:
    case Does::index_switch:
      if (!matters(op)) return;
      if (does == Does::branch) return want_condition(op.operand(0));
      for (int64_t i = 0; i <= op.op().n_regions; ++i) want(op.operand(0), {i});
      return;
    case Does::while_loop: {
      const std::optional<uint32_t> last = terminator(program_, program_.regions_of(op.op())[0]);
      if (!last) return;
      const ValueId condition = OpView(program_, *last).operand(0);
      if (open(condition)) note_open_loop(op);
      return want_condition(condition);
    }
    case Does::jump:
    case Does::cond_jump:
      return refuse(op.index(), "branches between blocks are not followed");
    case Does::set_flag_dyn:
    case Does::wait_flag_dyn:
    case Does::get_buf:
    case Does::rls_buf:
    case Does::sync_set:
    case Does::sync_wait:
    case Does::intra_set:
    case Does::intra_wait:
    case Does::alloc_tile:
    case Does::slot:
      place_ = true;
      for (const isa::OperandSpec& spec : isa::schema(op.op().row).operands) {
        const auto slot = static_cast<unsigned>(&spec - isa::schema(op.op().row).operands.data());
        if (!(spec.kinds & (isa::kInt | isa::kIndex | isa::kI32 | isa::kI64))) continue;
        if (does == Does::alloc_tile && slot != 0) continue;  // the rest says how much of it is valid
        for (const ValueId value : op.operands(slot)) want(value, {});
      }
      if (does == Does::alloc_tile) look_at_extents(op);
      return;
    case Does::set_extents:
    case Does::subview:
      return look_at_extents(op);
    case Does::partition:
      for (const ValueId value : op.operands(2)) want_extent(value, 1);
      return;
    case Does::assign:
      place_ = true;
      return want(op.operand(1), {});
    case Does::cast_ptr:
      place_ = true;
      if (op.result_type(0).kind == TypeKind::ptr && op.result_type(0).space != Space::gm &&
          op.type(0).kind == TypeKind::scalar)
        want(op.operand(0), {});
      return;
    default:
      // One that nobody uses says where an iteration begins.
      if (free_number(op) && (needed_[op.result(0)] || !used_[op.result(0)])) want_load(op, {0});
      if (waits_for_words(op)) word_waits_.insert(op.index());
      return;
  }
}

/// Rows and columns that are valid.
void Deciders::look_at_extents(const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  const Type& tile = op.op().n_results != 0 ? op.result_type(0) : op.type(0);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    const std::string_view name = schema.operands[slot].name;
    if (!name.starts_with("valid")) continue;
    const size_t dim = name.ends_with("col") ? 1 : 0;
    for (const ValueId value : op.operands(slot)) want_extent(value, tile.rank > dim ? tile.dims[dim] : 1);
  }
}

/// In a vector function nothing is ordered but accesses by `mem_bar`: where counters do not move them, one
/// iteration is like the next, and where they do, see look_at_vector_scope().
void Deciders::note_open_loop(const OpView& op) {
  if (op.index() < scope_end_)
    vector_loops_.insert(op.index());
  else if (orders(op.index(), false))
    open_loops_.insert(op.index());
}

void Deciders::look_at_loop(const OpView& op) {
  if (!matters(op)) return;
  const ValueId lower = op.operand(0), upper = op.operand(1), step = op.operand(2);
  if (!open(lower) && !open(upper) && !open(step)) return;
  note_open_loop(op);
  const int64_t first = constant(lower).value_or(0), by = std::max<int64_t>(1, constant(step).value_or(1));
  Numbers ends, begins{0, 1};
  for (int64_t i = 0; i <= trips_; ++i) ends.insert(first + i * by);
  if (const Number end = constant(upper)) {
    begins.clear();
    for (int64_t i = 0; i <= trips_; ++i) begins.insert(*end - i * by);
  }
  want(upper, ends);
  want(lower, begins);
  want(step, {1, 2});
}

void Deciders::refuse(uint32_t source, std::string why) {
  obstacles_.insert({deciding_, source, std::move(why)});
}

// ---- back to what numbers are made of

void Deciders::want(ValueId value, Numbers numbers) {
  if (value == kNoValue || constant(value) || !moves(value)) return;
  left_.emplace_back(value, std::move(numbers));
  if (following_) return;
  roots_.insert(value);
  following_ = true;
  while (!left_.empty()) {
    const auto [next, wanted] = std::move(left_.back());
    left_.pop_back();
    const auto before = static_cast<std::ptrdiff_t>(left_.size());
    follow(next, wanted);
    std::reverse(left_.begin() + before, left_.end());  // what was asked for first comes first
  }
  following_ = false;
}

void Deciders::follow(ValueId value, Numbers numbers) {
  const auto [at, fresh] = wanted_.try_emplace(value);
  const size_t before = at->second.size();
  std::erase_if(numbers, [](int64_t n) { return n > kFarNumber || n < -kFarNumber; });
  at->second.insert(numbers.begin(), numbers.end());
  if (at->second.size() > kMostNumbers) return refuse(deciding_, "too many of its numbers make a difference");
  const bool place = place_ && numbers.empty();
  const bool asked = place ? !placed_.insert(value).second : !fresh && at->second.size() == before;
  if (asked) return;
  const Numbers all = place ? Numbers() : at->second;
  const auto found = origins_.find(value);
  if (found == origins_.end()) return refuse(deciding_, "nothing says where its number comes from");
  const Origin& origin = found->second;
  switch (origin.kind) {
    case Origin::Kind::none:
      return;
    case Origin::Kind::parameter:
      if (place_ && all.empty()) refuse(deciding_, "it depends on a parameter");
      return parameters_[origin.at].insert(all.begin(), all.end());
    case Origin::Kind::counter:
      return want_counter(origin.at, all);
    case Origin::Kind::joined:
      carried_ = carried_ || !origin.others.empty();
      for (const ValueId from : std::vector(origin.others)) want(from, all);
      return;
    case Origin::Kind::op:
      return want_result(OpView(program_, origin.at), all);
  }
}

/// The loop has to run so far that its counter has been there.
void Deciders::want_counter(uint32_t loop, const Numbers& numbers) {
  const OpView op(program_, loop);
  const Number lower = constant(op.operand(0)), step = constant(op.operand(2));
  const Does does = isa::does(OpView(program_, deciding_));
  const bool address = does == Does::alloc_tile || does == Does::cast_ptr;  // see reach()
  if (place_ && numbers.empty() && !address && has_no_end(loop))
    return refuse(loop, "its counter goes on to other ids or addresses");
  if (!numbers.empty() && goes_on(loop)) {
    const int64_t end = constant(op.operand(1)).value_or(kFarNumber);
    const int64_t far =
        (std::min(*numbers.rbegin(), end) - lower.value_or(0)) / std::max<int64_t>(1, step.value_or(1));
    if (far > kMostFurthest) return refuse(loop, "its counter is compared with a number too far away");
    furthest_ = std::max(furthest_, far);
  }
  want(op.operand(0), {});
}

void Deciders::want_condition(ValueId value) {
  if (value == kNoValue || constant(value)) return;
  want(value, {0, 1});
}

void Deciders::want_compared(const OpView& op) {
  const ValueId a = op.operand(0), b = op.operand(1);
  const Number left = constant(a), right = constant(b);
  // Signed and one less than the other: one number on either side, of the one that moves.
  enum Predicate : int64_t { kEq, kNe, kLess, kLessEq, kMore, kMoreEq };
  const int64_t predicate = op.attr_int("predicate");
  const auto sides = [&](int64_t edge, bool edge_is_low) {
    if (predicate < kLess || predicate > kMoreEq) return around(edge);
    return edge_is_low ? Numbers{edge, edge + 1} : Numbers{edge - 1, edge};
  };
  if (right) return want(a, sides(*right, predicate == kLessEq || predicate == kMore));
  if (left) return want(b, sides(*left, predicate == kLess || predicate == kMoreEq));
  // Two numbers that move: one of them has been where the other one comes by.
  const auto beside = [&](ValueId other) {
    Numbers made{0, 1, 2};
    for (const int64_t number : course(other)) made.merge(around(number));
    return made;
  };
  want(a, beside(b));
  want(b, beside(a));
}

bool Deciders::may_leave_type(const OpView& op) const {
  switch (isa::does(op)) {
    case Does::add:
    case Does::sub:
    case Does::mul:
    case Does::shift_left:
    case Does::cast:
    case Does::cast_unsigned:
      return op.result_type(0).kind == TypeKind::scalar && op.result_type(0).elem != Elem::i1 &&
             op.type(0).elem != Elem::i1 && !intervals_.exact(op);
    default:
      return false;
  }
}

bool Deciders::may_wrap(const OpView& op) const {
  return may_leave_type(op) && number_bits(op.result_type(0)) < kWideEnough;
}

bool Deciders::takes_numbers_to_fit() const {
  return std::ranges::any_of(functions_used_, [&](uint32_t function) {
    for (uint32_t i = functions_[function].info.op + 1; i < functions_[function].end; ++i) {
      const OpView op(program_, i);
      if (may_leave_type(op) && number_bits(op.result_type(0)) == kWideEnough) return true;
    }
    return false;
  });
}

void Deciders::want_result(const OpView& op, const Numbers& numbers) {
  if (may_wrap(op) && counted(op.result(0)))
    return refuse(op.index(), "it is counted in a type that it leaves, so it repeats too seldom");
  const ValueId a = op.operand(0), b = op.op().n_operand_words > 1 ? op.operand(1) : kNoValue;
  const Number left = a == kNoValue ? std::nullopt : constant(a),
               right = b == kNoValue ? std::nullopt : constant(b);
  const Does does = isa::does(op);
  const auto mapped = [&](auto make) {
    Numbers made;
    for (const int64_t number : numbers) make(number, made);
    return made;
  };
  const auto periodic = [&](int64_t period) {
    if (counted(a)) period_ = std::lcm(period_, period / std::gcd(period, pace(a)));
    if (period_ > kMostPeriod) return refuse(op.index(), "its remainders repeat too seldom");
    Numbers made, residues = numbers;
    if (numbers.empty() && place_) {
      for (int64_t i = 0; i < period; ++i) residues.insert(i);
      whole_.insert(op.result(0));
    } else if (numbers.empty()) {
      residues = {0, 1};
    }
    for (const int64_t number : residues) {
      for (int64_t k = 0; k <= 3 && number >= 0 && number < period; ++k) made.insert(number + k * period);
      // Where none is so far away, the last one on that side is as good.
      if (number >= period) made.insert(period - 1);
      if (number < 0 && does == Does::rem_s) made.insert(std::max(number, 1 - period));
    }
    want(a, made);
  };
  switch (does) {
    case Does::constant:
      return;
    case Does::add:
      if (right) return want(a, shifted(numbers, -*right));
      if (left) return want(b, shifted(numbers, -*left));
      return want(a, numbers), want(b, numbers);
    case Does::sub:
      if (right) return want(a, shifted(numbers, *right));
      if (left) return want(b, mapped([&](int64_t n, Numbers& made) { made.insert(*left - n); }));
      return want(a, numbers), want(b, numbers);
    case Does::mul:
    case Does::shift_left: {
      const Number by = does == Does::mul ? (right ? right : left)
                        : right           ? Number(int64_t{1} << std::min<int64_t>(*right & 63, 40))
                                          : std::nullopt;
      if (!by || *by == 0) return want(a, numbers), want(b, numbers);
      return want(right ? a : b,
                  mapped([&](int64_t n, Numbers& made) { made.insert(n / *by), made.insert(n / *by + 1); }));
    }
    case Does::div_s:
    case Does::div_u:
      if (!right || *right <= 0) return want(a, numbers), want(b, {1, 2});
      if (const int64_t turns = *right / std::gcd(*right, pace(a)); counted(a) && turns <= kMostPeriod)
        period_ = std::lcm(period_, turns);  // half of it moves at half the pace
      if (period_ > kMostPeriod) return refuse(op.index(), "its quotients repeat too seldom");
      return want(a, mapped([&](int64_t n, Numbers& made) {
                    made.insert(n * *right), made.insert(n * *right + (n < 0 ? 0 : 1));
                  }));
    case Does::rem_s:
    case Does::rem_u:
      if (!right || *right <= 0) return refuse(op.index(), "the remainder by a number that is not constant");
      return periodic(*right);
    case Does::bit_and:
      if (op.result_type(0).elem == Elem::i1) return want_condition(a), want_condition(b);
      if (right && *right > 0 && ((*right + 1) & *right) == 0) return periodic(*right + 1);
      return refuse(op.index(), "bits of a number that changes");
    case Does::bit_or:
    case Does::bit_xor:
      if (op.result_type(0).elem == Elem::i1) return want_condition(a), want_condition(b);
      if (place_ && numbers.empty()) return refuse(op.index(), "bits of a number that changes");
      return want(a, {0, 1}), want(b, {0, 1});
    case Does::min_s:
    case Does::max_s: {
      Numbers both = numbers;
      for (const Number edge : {left, right}) {
        if (edge && !(place_ && numbers.empty())) both.merge(around(*edge));
      }
      return want(a, both), want(b, both);
    }
    case Does::compare:
      return want_compared(op);
    case Does::cast:
    case Does::cast_unsigned:
      return want(a, numbers);
    case Does::select: {
      want_condition(a);
      want(b, numbers);
      return want(op.operand(2), numbers);
    }
    default:
      break;
  }
  if (op.op().n_operand_words == 0 && !reads_register(op)) return;  // which block, which vector core
  if (loads_number(op) && !(place_ && numbers.empty())) return want_load(op, numbers);
  refuse(op.index(), "data decides it");
}

/// What is loaded from a place of its own is one more parameter.
void Deciders::want_load(const OpView& op, const Numbers& numbers) {
  loads_[op.index()].insert(numbers.begin(), numbers.end());
  if (addresses_.contains(op.index())) return;
  Address address;
  if (const auto free = free_number(op)) {
    address.any = true, address.alike = free->alike;
    address.block = free->block, address.subblock = free->subblock;
  }
  for (unsigned i = 0; i < isa::schema(op.op().row).operands.size(); ++i) {
    for (const ValueId value : op.operands(i)) {
      address.any = address.any || !write_formula(value, address, 0);
      address.formula += ';';
    }
  }
  addresses_[op.index()] = std::move(address);
}

std::optional<uint32_t> Deciders::trips_of(uint32_t loop) const {
  std::optional<uint32_t> found;  // put in front of the loop: the last one
  for_each_source(OpView(program_, loop).operand(1), [&](ValueId, const Origin* origin) {
    const bool op = origin != nullptr && origin->kind == Origin::Kind::op;
    if (op && free_number(OpView(program_, origin->at))) found = std::max(found, std::optional(origin->at));
    return true;
  });
  return found;
}

std::optional<Deciders::Address> Deciders::formula_of(ValueId value) {
  Address made;
  if (!write_formula(value, made, 0, true)) return std::nullopt;
  return made;
}

/// False where data are part of it, but for numbers in GM `with_loads`.
bool Deciders::write_formula(ValueId value, Address& out, int depth, bool with_loads) {
  constexpr int kDeepest = 40;
  constexpr size_t kLongest = 4096;
  if (value == kNoValue) return true;
  if (const Number number = constant(value)) {
    out.formula += std::to_string(*number);
    return true;
  }
  const auto found = origins_.find(value);
  if (found == origins_.end() || depth > kDeepest || out.formula.size() > kLongest) return false;
  const Origin& origin = found->second;
  switch (origin.kind) {
    case Origin::Kind::none:
      return false;
    case Origin::Kind::parameter:
      out.moves = out.parameters = true;
      out.formula += fmt::format("p{}", origin.at);
      return true;
    case Origin::Kind::joined:
      if (!origin.others.empty()) return false;  // which of them, a branch says that data may decide
      out.moves = out.subblock = true;
      out.formula += 'v';
      return true;
    default:
      break;
  }
  const OpView op(program_, origin.at);
  if (origin.kind == Origin::Kind::counter) {
    // It is what it is now, whatever the parameters are, unless they say where it begins.
    Address begin;
    begin.loads = std::move(out.loads);
    if (!write_formula(op.operand(0), begin, depth + 1, with_loads) ||
        !write_formula(op.operand(2), begin, depth + 1, with_loads))
      return false;
    out.loads = std::move(begin.loads);
    out.formula += fmt::format("{}{};", kCounter, origin.at);
    if (begin.moves) out.formula += begin.formula;
    out.moves = out.moves || begin.moves, out.block = out.block || begin.block;
    out.subblock = out.subblock || begin.subblock, out.parameters = out.parameters || begin.parameters;
    return true;
  }
  const Does does = isa::does(op);
  if (does == Does::constant) return false;  // a float, of which the number is not written
  if (!gives_number(op) && op.op().n_operand_words == 0) {
    if (asks_for_block(op))
      out.moves = out.block = true;
    else if (!reads_register(op) && isa::schema(op.op().row).attrs.empty())
      out.subblock = true;  // which vector core runs, or of how many
    else
      return false;  // a register, a buffer that has a name
  }
  const bool loads = with_loads && loads_number(op);
  if (loads) out.loads.push_back(origin.at);
  const bool pointer = does == Does::add_ptr || does == Does::cast_ptr;
  if (!loads && !gives_number(op) && op.op().n_operand_words != 0 && !pointer) return false;
  // Which instruction loads is of no importance; of which elements is.
  out.formula += loads ? "load" : isa::row(op.op().row).name;
  if (loads || pointer) out.formula += fmt::format("{}", static_cast<int>(op.result_type(0).elem));
  if (gives_number(op)) {
    const Arithmetic how = arithmetic_of(op);
    out.formula += fmt::format("{}:{}:{}", how.from, how.to, how.predicate);
  }
  out.formula += '(';
  const auto operands = static_cast<unsigned>(isa::schema(op.op().row).operands.size());
  for (unsigned i = 0; i < operands; ++i) {
    for (const ValueId from : op.operands(i)) {
      if (!write_formula(from, out, depth + 1, with_loads)) return false;
      out.formula += ',';
    }
  }
  out.formula += ')';
  return true;
}

/// How much of a tile is valid, where data say so: nothing, some of it, all.
void Deciders::want_extent(ValueId value, int64_t full) {
  if (value != kNoValue && from_data(value)) want(value, {0, 1, full});
}

}  // namespace pto::driver
