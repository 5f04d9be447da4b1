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

using isa::OpcodeClass;
using Representatives = std::set<int64_t>;

constexpr uint32_t kWideEnough = 32;  ///< bits of numbers that are taken to stay within their type
constexpr int64_t kMaxPeriod = 64, kMaxPrefixLength = 4096;
constexpr size_t kMaxRepresentatives = 400;
constexpr int64_t kMaxNumber = int64_t{1} << 40;

/// The operations that a function and all that it calls hold.
std::vector<uint32_t> reached(const CallGraph& calls, const LaunchedFunctions& launch) {
  std::vector<uint32_t> all = launch.functions;
  std::set<uint32_t> known(all.begin(), all.end());
  for (size_t i = 0; i < all.size(); ++i) {
    for (const Call& call : calls.calls_of(all[i])) {
      if (known.insert(call.callee).second) all.push_back(call.callee);
    }
  }
  return all;
}

/// The scalar unit takes an integer from a buffer.
bool is_number_load(const OpView& op) {
  const OpcodeClass opcode_class = isa::opcode_class(op);
  if (opcode_class != OpcodeClass::load && opcode_class != OpcodeClass::load_buffer) return false;
  const Type& from = op.type(0);
  const Type& number = op.result_type(0);
  return from.space == Space::gm && number.kind == TypeKind::scalar && !is_float(number.elem);
}

Representatives shifted(const Representatives& numbers, int64_t by) {
  Representatives built;
  for (const int64_t number : numbers) built.insert(number + by);
  return built;
}

Representatives boundary_values(int64_t number) { return {number - 1, number, number + 1}; }

}  // namespace

InputSlice::InputSlice(const Program& program, const Functions& functions, const CallGraph& calls,
                       const LaunchedFunctions& launch, int64_t least_trips)
    : program_(program),
      functions_(functions),
      calls_(calls),
      queues_(program),
      constants_(program),
      integers_(program_, constants_),
      functions_used_(reached(calls, launch)) {
  const Region& first = body_of(program, functions[launch.functions.front()].info.op);
  for (const uint32_t function : launch.functions) {
    const Region& body = body_of(program, functions[function].info.op);
    for (uint32_t i = 0; i < body.n_args; ++i) {
      // What a vector function has beyond the launch's parameters says which vector core it is: both run.
      if (i < first.n_args)
        defs_[body.first_arg + i] = {Def::Kind::parameter, i, {}};
      else
        defs_[body.first_arg + i] = {Def::Kind::phi, 0, {}};
    }
  }
  find_defs();
  find_needed();
  // How many iterations it takes is known when all remainders have been seen.
  for (int iteration = 0; iteration < 3; ++iteration) {
    explored_trips_ = std::max({least_trips, 3 * period_ + 2, prefix_length_ + 2 * period_ + 2});
    required_.clear();
    roots_.clear();
    address_values_.clear();
    induction_.clear();
    scope_end_ = 0;
    for (const uint32_t function : functions_used_) {
      const Function& each = functions_[function];
      for (uint32_t op = each.info.op + 1; op < each.end; ++op) visit(OpView(program_, op));
    }
  }
  for (const uint32_t function : functions_used_) {
    const Function& each = functions_[function];
    for (uint32_t i = each.info.op + 1; i < each.end && only_plain_order_; ++i) {
      const OpView op(program_, i);
      only_plain_order_ = can_checkpoint_at(op) && !leaves_live_data(op);
    }
  }
  merge_linear_inputs();
  find_varying_accesses();
}

// ---- where values come from

void InputSlice::add_phi(ValueId value, ValueId from, uint32_t chooser) {
  Def& origin = defs_[value];
  if (origin.kind == Def::Kind::parameter) return;  // of the launch
  origin.kind = Def::Kind::phi;
  origin.at = chooser;
  if (std::ranges::find(origin.incoming, from) == origin.incoming.end()) origin.incoming.push_back(from);
}

void InputSlice::find_defs() {
  for (const uint32_t function : functions_used_) {
    const Function& each = functions_[function];
    for (uint32_t op = each.info.op + 1; op < each.end; ++op) add_def(OpView(program_, op));
  }
}

void InputSlice::add_def(const OpView& op) {
  const std::span<const Region> regions = program_.regions_of(op.op());
  const auto joined = [&](ValueId first, uint32_t count, std::span<const ValueId> from) {
    for (uint32_t i = 0; i < count && i < from.size(); ++i) add_phi(first + i, from[i], op.index());
  };
  const auto gives = [&](std::span<const ValueId> from) {
    joined(op.op().first_result, op.op().n_results, from);
  };
  switch (isa::opcode_class(op)) {
    case OpcodeClass::loop: {
      const Region& body = regions[0];
      defs_[body.first_arg] = {Def::Kind::counter, op.index(), {}};
      for (const std::span<const ValueId> from : {op.operands(3), yielded_values(program_, body)}) {
        if (body.n_args > 1) joined(body.first_arg + 1, body.n_args - 1, from);
        gives(from);
      }
      return;
    }
    case OpcodeClass::while_loop:
      joined(regions[0].first_arg, regions[0].n_args, op.operands(0));
      joined(regions[0].first_arg, regions[0].n_args, yielded_values(program_, regions[1]));
      joined(regions[1].first_arg, regions[1].n_args, yielded_values(program_, regions[0]));
      return gives(yielded_values(program_, regions[0]));
    case OpcodeClass::call:
      for (const uint32_t callee : functions_.called(op, *functions_.enclosing_function(op.index()))) {
        if (functions_[callee].info.declaration) continue;
        const Region& body = body_of(program_, functions_[callee].info.op);
        joined(body.first_arg, body.n_args, op.operands(0));
        gives(yielded_values(program_, body));
      }
      return;
    case OpcodeClass::jump:
    case OpcodeClass::cond_jump:
      return;  // refused where they order something
    default:
      break;
  }
  for (const Region& region : regions) {
    joined(region.first_arg, region.n_args,
           op.op().n_operand_words != 0 ? op.operands(0) : std::span<const ValueId>());
    gives(yielded_values(program_, region));
  }
  if (!regions.empty()) return;
  for (uint32_t i = 0; i < op.op().n_results; ++i) defs_[op.result(i)] = {Def::Kind::op, op.index(), {}};
}

void InputSlice::find_needed() {
  used_.assign(program_.values.size(), false);
  needed_ = used_;
  std::vector<ValueId> left;
  for (const uint32_t function : functions_used_) {
    const Function& each = functions_[function];
    for (uint32_t i = each.info.op + 1; i < each.end; ++i) {
      const OpView op(program_, i);
      const OpcodeClass opcode_class = isa::opcode_class(op);
      // What goes by values, or hands them on, needs them where somebody needs what comes of it.
      const bool alone = opcode_class == OpcodeClass::yield ||
                         (isa::row(op.op().row).flags & isa::kPure) != 0 ||
                         (isa::is_control_flow(opcode_class) && opcode_class != OpcodeClass::while_loop &&
                          !has_ordered_effects(i, true));
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
    if (const auto found = defs_.find(value); found != defs_.end()) add_sources(found->second, true, left);
  }
}

/// What an operation with regions goes by.
void InputSlice::add_controlling_values(uint32_t index, std::vector<ValueId>& out) const {
  const OpView op(program_, index);
  const auto add = [&](unsigned slot) {
    for (const ValueId value : op.operands(slot)) out.push_back(value);
  };
  switch (isa::opcode_class(op)) {
    case OpcodeClass::loop:
      return add(0), add(1), add(2);
    case OpcodeClass::while_loop:
      if (const auto last = terminator(program_, program_.regions_of(op.op())[0]))
        out.push_back(OpView(program_, *last).operand(0));
      return;
    default:
      return add(0);
  }
}

void InputSlice::add_sources(const Def& origin, bool with_choosers, std::vector<ValueId>& out) const {
  if (origin.kind == Def::Kind::counter ||
      (with_choosers && origin.kind == Def::Kind::phi && !origin.incoming.empty()))
    add_controlling_values(origin.at, out);
  if (origin.kind == Def::Kind::op) {
    const OpView op(program_, origin.at);
    for (unsigned i = 0; i < isa::schema(program_.ops[origin.at].row).operands.size(); ++i) {
      for (const ValueId from : op.operands(i)) out.push_back(from);
    }
  }
  out.insert(out.end(), origin.incoming.begin(), origin.incoming.end());
}

// ---- what needs numbers

void InputSlice::visit(const OpView& op) {
  controlling_op_ = op.index();
  place_ = false;
  if (opens_vector_scope(op)) scope_end_ = std::max(scope_end_, program_.end_of(op.index()));
  if (reads_block_id(op)) reads_block_ = true;
  const OpcodeClass opcode_class = isa::opcode_class(op);
  switch (opcode_class) {
    case OpcodeClass::loop:
      return visit_loop(op);
    case OpcodeClass::branch:
    case OpcodeClass::index_switch:
      if (!affects_synchronisation(op)) return;
      if (opcode_class == OpcodeClass::branch) return require_condition(op.operand(0));
      for (int64_t i = 0; i <= op.op().n_regions; ++i) require(op.operand(0), {i});
      return;
    case OpcodeClass::while_loop: {
      const std::optional<uint32_t> last = terminator(program_, program_.regions_of(op.op())[0]);
      if (!last) return;
      const ValueId condition = OpView(program_, *last).operand(0);
      if (is_input_dependent(condition)) record_input_dependent_loop(op);
      return require_condition(condition);
    }
    case OpcodeClass::jump:
    case OpcodeClass::cond_jump:
      return mark_inconclusive(op.index(), "branches between blocks are not followed");
    case OpcodeClass::set_flag_dyn:
    case OpcodeClass::wait_flag_dyn:
    case OpcodeClass::get_buf:
    case OpcodeClass::rls_buf:
    case OpcodeClass::sync_set:
    case OpcodeClass::sync_wait:
    case OpcodeClass::intra_set:
    case OpcodeClass::intra_wait:
    case OpcodeClass::alloc_tile:
    case OpcodeClass::slot:
      place_ = true;
      for (const isa::OperandSpec& spec : isa::schema(op.op().row).operands) {
        const auto slot = static_cast<unsigned>(&spec - isa::schema(op.op().row).operands.data());
        if (!(spec.kinds & (isa::kInt | isa::kIndex | isa::kI32 | isa::kI64))) continue;
        if (opcode_class == OpcodeClass::alloc_tile && slot != 0)
          continue;  // the rest says how much of it is valid
        for (const ValueId value : op.operands(slot)) require(value, {});
      }
      if (opcode_class == OpcodeClass::alloc_tile) visit_extents(op);
      return;
    case OpcodeClass::set_extents:
    case OpcodeClass::subview:
      return visit_extents(op);
    case OpcodeClass::partition:
      for (const ValueId value : op.operands(2)) require_extent(value, 1);
      return;
    case OpcodeClass::assign:
      place_ = true;
      return require(op.operand(1), {});
    case OpcodeClass::cast_ptr:
      place_ = true;
      if (op.result_type(0).kind == TypeKind::ptr && op.result_type(0).space != Space::gm &&
          op.type(0).kind == TypeKind::scalar)
        require(op.operand(0), {});
      return;
    default:
      // One that nobody uses says where an iteration begins.
      if (nondet_value(op) && (needed_[op.result(0)] || !used_[op.result(0)])) require_load(op, {0});
      if (waits_for_words(op)) word_waits_.insert(op.index());
      return;
  }
}

/// Rows and columns that are valid.
void InputSlice::visit_extents(const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  const Type& tile = op.op().n_results != 0 ? op.result_type(0) : op.type(0);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    const std::string_view name = schema.operands[slot].name;
    if (!name.starts_with("valid")) continue;
    const size_t dim = name.ends_with("col") ? 1 : 0;
    for (const ValueId value : op.operands(slot)) require_extent(value, tile.rank > dim ? tile.dims[dim] : 1);
  }
}

/// In a vector function nothing is ordered but accesses by `mem_bar`: where counters do not move them, one
/// iteration is like the next, and where they do, see visit_vector_scope().
void InputSlice::record_input_dependent_loop(const OpView& op) {
  if (op.index() < scope_end_)
    vector_loops_.insert(op.index());
  else if (has_ordered_effects(op.index(), false))
    input_dependent_loops_.insert(op.index());
}

void InputSlice::visit_loop(const OpView& op) {
  if (!affects_synchronisation(op)) return;
  const ValueId lower = op.operand(0);
  const ValueId upper = op.operand(1);
  const ValueId step = op.operand(2);
  if (!is_input_dependent(lower) && !is_input_dependent(upper) && !is_input_dependent(step)) return;
  record_input_dependent_loop(op);
  const int64_t first = constant(lower).value_or(0);
  const int64_t by = std::max<int64_t>(1, constant(step).value_or(1));
  Representatives ends, begins{0, 1};
  for (int64_t i = 0; i <= explored_trips_; ++i) ends.insert(first + i * by);
  if (const Number end = constant(upper)) {
    begins.clear();
    for (int64_t i = 0; i <= explored_trips_; ++i) begins.insert(*end - i * by);
  }
  require(upper, ends);
  require(lower, begins);
  require(step, {1, 2});
}

void InputSlice::mark_inconclusive(uint32_t source, std::string why) {
  inconclusive_.insert({controlling_op_, source, std::move(why)});
}

// ---- back to what numbers are made of

void InputSlice::require(ValueId value, Representatives numbers) {
  if (value == kNoValue || constant(value) || !varies_per_launch(value)) return;
  worklist_.emplace_back(value, std::move(numbers));
  if (propagating_) return;
  roots_.insert(value);
  propagating_ = true;
  while (!worklist_.empty()) {
    const auto [next, wanted] = std::move(worklist_.back());
    worklist_.pop_back();
    const auto before = static_cast<std::ptrdiff_t>(worklist_.size());
    propagate(next, wanted);
    std::reverse(worklist_.begin() + before, worklist_.end());  // what was asked for first comes first
  }
  propagating_ = false;
}

void InputSlice::propagate(ValueId value, Representatives numbers) {
  const auto [at, fresh] = required_.try_emplace(value);
  const size_t before = at->second.size();
  std::erase_if(numbers, [](int64_t n) { return n > kMaxNumber || n < -kMaxNumber; });
  at->second.insert(numbers.begin(), numbers.end());
  if (at->second.size() > kMaxRepresentatives)
    return mark_inconclusive(controlling_op_, "too many of its values have different effects");
  const bool place = place_ && numbers.empty();
  const bool asked = place ? !address_values_.insert(value).second : !fresh && at->second.size() == before;
  if (asked) return;
  const Representatives all = place ? Representatives() : at->second;
  const auto found = defs_.find(value);
  if (found == defs_.end()) return mark_inconclusive(controlling_op_, "the origin of its value is not known");
  const Def& origin = found->second;
  switch (origin.kind) {
    case Def::Kind::none:
      return;
    case Def::Kind::parameter:
      if (place_ && all.empty()) mark_inconclusive(controlling_op_, "it depends on a parameter");
      return parameters_[origin.at].insert(all.begin(), all.end());
    case Def::Kind::counter:
      return require_counter(origin.at, all);
    case Def::Kind::phi:
      loop_carried_ = loop_carried_ || !origin.incoming.empty();
      for (const ValueId from : std::vector(origin.incoming)) require(from, all);
      return;
    case Def::Kind::op:
      return require_result(OpView(program_, origin.at), all);
  }
}

/// The loop has to run so far that its counter has been there.
void InputSlice::require_counter(uint32_t loop, const Representatives& numbers) {
  const OpView op(program_, loop);
  const Number lower = constant(op.operand(0));
  const Number step = constant(op.operand(2));
  const OpcodeClass opcode_class = isa::opcode_class(OpView(program_, controlling_op_));
  const bool address =
      opcode_class == OpcodeClass::alloc_tile || opcode_class == OpcodeClass::cast_ptr;  // see reach()
  if (place_ && numbers.empty() && !address && is_unbounded(loop))
    return mark_inconclusive(loop, "its counter goes on to other ids or addresses");
  if (!numbers.empty() && is_sampled(loop)) {
    const int64_t end = constant(op.operand(1)).value_or(kMaxNumber);
    const int64_t far =
        (std::min(*numbers.rbegin(), end) - lower.value_or(0)) / std::max<int64_t>(1, step.value_or(1));
    if (far > kMaxPrefixLength)
      return mark_inconclusive(loop, "its counter is compared with a value too far away");
    prefix_length_ = std::max(prefix_length_, far);
  }
  require(op.operand(0), {});
}

void InputSlice::require_condition(ValueId value) {
  if (value == kNoValue || constant(value)) return;
  require(value, {0, 1});
}

void InputSlice::require_comparison(const OpView& op) {
  const ValueId a = op.operand(0);
  const ValueId b = op.operand(1);
  const Number left = constant(a);
  const Number right = constant(b);
  // Signed and one less than the other: one number on either side, of the one that moves.
  using isa::CmpPredicate;
  const CmpPredicate predicate = cmp_predicate(op);
  const auto sides = [&](int64_t edge, bool edge_is_low) {
    if (!isa::is_signed(predicate)) return boundary_values(edge);
    return edge_is_low ? Representatives{edge, edge + 1} : Representatives{edge - 1, edge};
  };
  if (right)
    return require(a, sides(*right, predicate == CmpPredicate::sle || predicate == CmpPredicate::sgt));
  if (left) return require(b, sides(*left, predicate == CmpPredicate::slt || predicate == CmpPredicate::sge));
  // Two numbers that move: one of them has been where the other one comes by.
  const auto beside = [&](ValueId other) {
    Representatives built{0, 1, 2};
    for (const int64_t number : sampled_values(other)) built.merge(boundary_values(number));
    return built;
  };
  require(a, beside(b));
  require(b, beside(a));
}

bool InputSlice::may_leave_type(const OpView& op) const {
  switch (isa::opcode_class(op)) {
    case OpcodeClass::add:
    case OpcodeClass::sub:
    case OpcodeClass::mul:
    case OpcodeClass::shift_left:
    case OpcodeClass::cast:
    case OpcodeClass::cast_unsigned:
      return op.result_type(0).kind == TypeKind::scalar && op.result_type(0).elem != Elem::i1 &&
             op.type(0).elem != Elem::i1 && !integers_.is_exact(op);
    default:
      return false;
  }
}

bool InputSlice::may_wrap(const OpView& op) const {
  return may_leave_type(op) && number_bits(op.result_type(0)) < kWideEnough;
}

bool InputSlice::assumes_no_overflow() const {
  return std::ranges::any_of(functions_used_, [&](uint32_t function) {
    for (uint32_t i = functions_[function].info.op + 1; i < functions_[function].end; ++i) {
      const OpView op(program_, i);
      if (may_leave_type(op) && number_bits(op.result_type(0)) == kWideEnough) return true;
    }
    return false;
  });
}

void InputSlice::require_result(const OpView& op, const Representatives& numbers) {
  if (may_wrap(op) && is_induction(op.result(0)))
    return mark_inconclusive(op.index(), "it is counted in a type that it leaves, so it repeats too seldom");
  const ValueId a = op.operand(0);
  const ValueId b = op.op().n_operand_words > 1 ? op.operand(1) : kNoValue;
  const Number left = a == kNoValue ? std::nullopt : constant(a);
  const Number right = b == kNoValue ? std::nullopt : constant(b);
  const OpcodeClass opcode_class = isa::opcode_class(op);
  const auto mapped = [&](auto make) {
    Representatives built;
    for (const int64_t number : numbers) make(number, built);
    return built;
  };
  const auto periodic = [&](int64_t period) {
    if (is_induction(a)) period_ = std::lcm(period_, period / std::gcd(period, stride(a)));
    if (period_ > kMaxPeriod) return mark_inconclusive(op.index(), "its remainders repeat too seldom");
    Representatives built, residues = numbers;
    if (numbers.empty() && place_) {
      for (int64_t i = 0; i < period; ++i) residues.insert(i);
      fully_enumerated_.insert(op.result(0));
    } else if (numbers.empty()) {
      residues = {0, 1};
    }
    for (const int64_t number : residues) {
      for (int64_t k = 0; k <= 3 && number >= 0 && number < period; ++k) built.insert(number + k * period);
      // Where none is so far away, the last one on that side is as good.
      if (number >= period) built.insert(period - 1);
      if (number < 0 && opcode_class == OpcodeClass::rem_s) built.insert(std::max(number, 1 - period));
    }
    require(a, built);
  };
  switch (opcode_class) {
    case OpcodeClass::constant:
      return;
    case OpcodeClass::add:
      if (right) return require(a, shifted(numbers, -*right));
      if (left) return require(b, shifted(numbers, -*left));
      require(a, numbers);
      return require(b, numbers);
    case OpcodeClass::sub:
      if (right) return require(a, shifted(numbers, *right));
      if (left)
        return require(b, mapped([&](int64_t n, Representatives& built) { built.insert(*left - n); }));
      require(a, numbers);
      return require(b, numbers);
    case OpcodeClass::mul:
    case OpcodeClass::shift_left: {
      const Number by = opcode_class == OpcodeClass::mul ? (right ? right : left)
                        : right ? Number(int64_t{1} << std::min<int64_t>(*right & 63, 40))
                                : std::nullopt;
      if (!by || *by == 0) {
        require(a, numbers);
        return require(b, numbers);
      }
      return require(right ? a : b, mapped([&](int64_t n, Representatives& built) {
                       built.insert(n / *by);
                       built.insert(n / *by + 1);
                     }));
    }
    case OpcodeClass::div_s:
    case OpcodeClass::div_u:
      if (!right || *right <= 0) return require(a, numbers), require(b, {1, 2});
      if (const int64_t trip_counts = *right / std::gcd(*right, stride(a));
          is_induction(a) && trip_counts <= kMaxPeriod)
        period_ = std::lcm(period_, trip_counts);  // half of it moves at half the pace
      if (period_ > kMaxPeriod) return mark_inconclusive(op.index(), "its quotients repeat too seldom");
      return require(a, mapped([&](int64_t n, Representatives& built) {
                       built.insert(n * *right);
                       built.insert(n * *right + (n < 0 ? 0 : 1));
                     }));
    case OpcodeClass::rem_s:
    case OpcodeClass::rem_u:
      if (!right || *right <= 0)
        return mark_inconclusive(op.index(), "the remainder by a value that is not constant");
      return periodic(*right);
    case OpcodeClass::bit_and:
      if (op.result_type(0).elem == Elem::i1) return require_condition(a), require_condition(b);
      if (right && *right > 0 && ((*right + 1) & *right) == 0) return periodic(*right + 1);
      return mark_inconclusive(op.index(), "bits of a value that varies");
    case OpcodeClass::bit_or:
    case OpcodeClass::bit_xor:
      if (op.result_type(0).elem == Elem::i1) return require_condition(a), require_condition(b);
      if (place_ && numbers.empty()) return mark_inconclusive(op.index(), "bits of a value that varies");
      require(a, {0, 1});
      return require(b, {0, 1});
    case OpcodeClass::min_s:
    case OpcodeClass::max_s: {
      Representatives both = numbers;
      for (const Number edge : {left, right}) {
        if (edge && !(place_ && numbers.empty())) both.merge(boundary_values(*edge));
      }
      require(a, both);
      return require(b, both);
    }
    case OpcodeClass::compare:
      return require_comparison(op);
    case OpcodeClass::cast:
    case OpcodeClass::cast_unsigned:
      return require(a, numbers);
    case OpcodeClass::select: {
      require_condition(a);
      require(b, numbers);
      return require(op.operand(2), numbers);
    }
    default:
      break;
  }
  if (op.op().n_operand_words == 0 && !reads_register(op)) return;  // which block, which vector core
  if (is_number_load(op) && !(place_ && numbers.empty())) return require_load(op, numbers);
  mark_inconclusive(op.index(), "data decides it");
}

/// What is loaded from a place of its own is one more parameter.
void InputSlice::require_load(const OpView& op, const Representatives& numbers) {
  loads_[op.index()].insert(numbers.begin(), numbers.end());
  if (addresses_.contains(op.index())) return;
  SymbolicAddress address;
  if (const auto free = nondet_value(op)) {
    address.is_data_dependent = true;
    address.equality_class = free->equality_class;
    address.block = free->block;
    address.subblock = free->subblock;
  }
  for (unsigned i = 0; i < isa::schema(op.op().row).operands.size(); ++i) {
    for (const ValueId value : op.operands(i)) {
      address.is_data_dependent = address.is_data_dependent || !write_formula(value, address, 0);
      address.formula += ';';
    }
  }
  addresses_[op.index()] = std::move(address);
}

std::optional<uint32_t> InputSlice::trip_count_input_of(uint32_t loop) const {
  std::optional<uint32_t> found;  // put in front of the loop: the last one
  for_each_source(OpView(program_, loop).operand(1), [&](ValueId, const Def* origin) {
    const bool op = origin != nullptr && origin->kind == Def::Kind::op;
    if (op && nondet_value(OpView(program_, origin->at))) found = std::max(found, std::optional(origin->at));
    return true;
  });
  return found;
}

std::optional<InputSlice::SymbolicAddress> InputSlice::formula_of(ValueId value) {
  SymbolicAddress built;
  if (!write_formula(value, built, 0, true)) return std::nullopt;
  return built;
}

/// False where data are part of it, but for numbers in GM `with_loads`.
bool InputSlice::write_formula(ValueId value, SymbolicAddress& out, int depth, bool with_loads) {
  constexpr int kMaxDepth = 40;
  constexpr size_t kMaxLength = 4096;
  if (value == kNoValue) return true;
  if (const Number number = constant(value)) {
    out.formula += std::to_string(*number);
    return true;
  }
  const auto found = defs_.find(value);
  if (found == defs_.end() || depth > kMaxDepth || out.formula.size() > kMaxLength) return false;
  const Def& origin = found->second;
  switch (origin.kind) {
    case Def::Kind::none:
      return false;
    case Def::Kind::parameter:
      out.varies_per_launch = out.parameters = true;
      out.formula += fmt::format("p{}", origin.at);
      return true;
    case Def::Kind::phi:
      if (!origin.incoming.empty()) return false;  // which of them, a branch says that data may decide
      out.varies_per_launch = out.subblock = true;
      out.formula += 'v';
      return true;
    default:
      break;
  }
  const OpView op(program_, origin.at);
  if (origin.kind == Def::Kind::counter) {
    // It is what it is now, whatever the parameters are, unless they say where it begins.
    SymbolicAddress begin;
    begin.loads = std::move(out.loads);
    if (!write_formula(op.operand(0), begin, depth + 1, with_loads) ||
        !write_formula(op.operand(2), begin, depth + 1, with_loads))
      return false;
    out.loads = std::move(begin.loads);
    out.formula += fmt::format("{}{};", kCounterMark, origin.at);
    if (begin.varies_per_launch) out.formula += begin.formula;
    out.varies_per_launch = out.varies_per_launch || begin.varies_per_launch;
    out.block = out.block || begin.block;
    out.subblock = out.subblock || begin.subblock;
    out.parameters = out.parameters || begin.parameters;
    return true;
  }
  const OpcodeClass opcode_class = isa::opcode_class(op);
  if (opcode_class == OpcodeClass::constant) return false;  // a float, of which the number is not written
  if (!gives_number(op) && op.op().n_operand_words == 0) {
    if (reads_block_id(op))
      out.varies_per_launch = out.block = true;
    else if (!reads_register(op) && isa::schema(op.op().row).attrs.empty())
      out.subblock = true;  // which vector core runs, or of how many
    else
      return false;  // a register, a buffer that has a name
  }
  const bool loads = with_loads && is_number_load(op);
  if (loads) out.loads.push_back(origin.at);
  const bool pointer = opcode_class == OpcodeClass::add_ptr || opcode_class == OpcodeClass::cast_ptr;
  if (!loads && !gives_number(op) && op.op().n_operand_words != 0 && !pointer) return false;
  // Which instruction loads is of no importance; of which elements is.
  out.formula += loads ? "load" : isa::row(op.op().row).name;
  if (loads || pointer) out.formula += fmt::format("{}", static_cast<int>(op.result_type(0).elem));
  if (gives_number(op)) {
    const Arithmetic how = arithmetic_of(op);
    out.formula += fmt::format("{}:{}:{}", how.from, how.to, static_cast<int>(how.predicate));
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
void InputSlice::require_extent(ValueId value, int64_t full) {
  if (value != kNoValue && is_data_dependent(value)) require(value, {0, 1, full});
}

}  // namespace pto::driver
