#include "ir/vector_scope_candidates.hpp"

#include <algorithm>
#include <unordered_map>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"

namespace pto::isa {
namespace {

constexpr uint32_t kNever = ~0u;

bool holds_scope(const Program& program, uint32_t function) {
  for (const uint32_t op : descendants(program, function)) {
    if (opens_vector_scope(OpView(program, op))) return true;
  }
  return false;
}

/// Registers live within one scope: a function that returns some runs in that of its caller.
bool returns_registers(const Program& program, uint32_t function) {
  const auto is_register = [&](ValueId value) {
    const TypeKind kind = program.type_of(value).kind;
    return kind == TypeKind::vreg || kind == TypeKind::mask;
  };
  for (const uint32_t op : descendants(program, function)) {
    const OpView view(program, op);
    if (isa::opcode_class(view) == OpcodeClass::ret && std::ranges::any_of(view.operands(0), is_register))
      return true;
  }
  return false;
}

}  // namespace

std::unordered_set<uint32_t> functions_inside_scopes(const Program& program, const Functions& functions,
                                                     const CallGraph& graph) {
  std::vector<uint32_t> work;
  for (uint32_t i = 0; i < functions.all().size(); ++i) {
    const Function& function = functions[i];
    if (functions.has(function, "pto.tilelang.inline_proc") ||
        functions.has(function, "pto.tilelang.instance") || returns_registers(program, function.info.op))
      work.push_back(i);
    uint32_t at = function.info.op + 1, scope_end = 0;
    for (const Call& call : graph.calls_of(i)) {
      for (; at < call.op; ++at) {
        if (opens_vector_scope(OpView(program, at))) scope_end = std::max(scope_end, program.end_of(at));
      }
      if (call.op < scope_end) work.push_back(call.callee);
    }
  }
  std::unordered_set<uint32_t> inside;
  while (!work.empty()) {
    const uint32_t index = work.back(), op = functions[index].info.op;
    work.pop_back();
    if (inside.contains(op) || holds_scope(program, op)) continue;
    inside.insert(op);
    for (const Call& call : graph.calls_of(index)) work.push_back(call.callee);
  }
  return inside;
}

VectorRuns::VectorRuns(const Program& program, bool logical)
    : program_(program), logical_(logical), class_(program.ops.size(), Class::boundary) {
  classify();
  if (std::ranges::find(class_, Class::vector) == class_.end()) return;
  find_last_uses();
  const Functions functions(program);
  inlined_ = functions_inside_scopes(program, functions, CallGraph(program, functions));
  for (blocks_.push_back({0, static_cast<uint32_t>(program.ops.size())}); !blocks_.empty();) {
    const Stretch block = blocks_.back();
    blocks_.pop_back();
    visit_block(block.begin, block.end);
  }
  std::ranges::sort(scopes_, {}, &Stretch::begin);
  std::ranges::sort(open_, {}, [](const Run& run) { return run.range.begin; });
  find_outside_users();
}

/// One pass with a stack of the open operations; loops and branches take the class of what they hold.
void VectorRuns::classify() {
  const auto count = static_cast<uint32_t>(program_.ops.size());
  const auto leave = [this](uint32_t op) { close_region_op(op); };
  EnclosingOps open(program_);
  for (uint32_t i = 0; i < count; ++i) {
    open.advance_to(i, leave);
    const Op& op = program_.ops[i];
    const isa::Row& row = isa::row(op.row);
    if (op.n_regions != 0)
      open.enter(i);
    else if (row.scope == isa::Scope::inside || (logical_ && row.layer == Layer::vmi))
      class_[i] = Class::vector;
    else if (row.opcode_class == OpcodeClass::memory_barrier || (row.flags & isa::kPure) != 0)
      class_[i] = Class::scalar;
  }
  open.advance_to(count, leave);
}

/// A loop or branch joins a run when nothing in it ends one and something in it needs a scope.
void VectorRuns::close_region_op(uint32_t op) {
  const OpcodeClass opcode_class = isa::row(program_.ops[op].row).opcode_class;
  if ((opcode_class != OpcodeClass::loop && opcode_class != OpcodeClass::branch) ||
      opens_vector_scope(OpView(program_, op)))
    return;
  bool vector = false;
  for (const uint32_t i : ops_in(program_, op)) {
    if (is_terminator(program_, i)) continue;
    if (class_[i] == Class::boundary) return;
    vector = vector || class_[i] == Class::vector;
  }
  if (vector) class_[op] = Class::vector;
}

void VectorRuns::find_last_uses() {
  last_use_.assign(program_.values.size(), 0);
  for (uint32_t i = 0; i < program_.ops.size(); ++i) {
    const OpView op(program_, i);
    for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
      for (const ValueId value : op.operands(slot)) {
        if (value != kNoValue) last_use_[value] = i;
      }
    }
  }
}

uint32_t VectorRuns::last_use(uint32_t op) const {
  uint32_t last = op;
  for (uint32_t k = 0; k < program_.ops[op].n_results; ++k)
    last = std::max(last, last_use_[program_.ops[op].first_result + k]);
  return last;
}

void VectorRuns::visit_block(uint32_t begin, uint32_t end) {
  Run run;
  const auto flush = [&](uint32_t at) {
    run.range.end = at;
    if (!run.ops.empty()) place_scopes(std::move(run));
    run = {};
  };
  for (const uint32_t op : ChildOps(program_, begin, end)) {
    if (class_[op] == Class::boundary) {
      flush(op);
      visit_regions(op);
      continue;
    }
    if (run.ops.empty()) run.range.begin = op;
    run.ops.push_back(op);
  }
  flush(end);
}

void VectorRuns::visit_regions(uint32_t op) {
  const OpView view(program_, op);
  if (opens_vector_scope(view)) return;
  if (isa::opcode_class(view) == OpcodeClass::function && inlined_.contains(view.index())) return;
  for (const Region& region : program_.regions_of(view.op())) blocks_.push_back({region.begin, region.end});
}

/// For each position the least end > position such that results of [position, end) are used inside only;
/// kNever when there is none. From the back: a stretch grows by whole closed stretches behind it, so each is
/// stepped over once.
std::vector<uint32_t> VectorRuns::closed_ends(const Run& run) const {
  const auto count = static_cast<uint32_t>(run.ops.size());
  std::vector<uint32_t> ends(count, kNever);
  for (uint32_t at = count; at-- > 0;) {
    const uint32_t last = last_use(run.ops[at]);
    if (last >= run.range.end) continue;
    const auto user = std::upper_bound(run.ops.begin(), run.ops.end(), last) - run.ops.begin();
    uint32_t end = at + 1;
    while (end != kNever && end < static_cast<uint32_t>(user)) end = ends[end];
    ends[at] = end;
  }
  return ends;
}

/// All scopes of a run or none: where one operation has to stay outside, the program is refused, and its
/// reason is the one to tell. A loop or branch whose own results leave the run is looked into instead.
void VectorRuns::place_scopes(Run run) {
  const std::vector<uint32_t> ends = closed_ends(run);
  const auto count = static_cast<uint32_t>(run.ops.size());
  std::vector<Stretch> placed;
  std::vector<uint32_t> look_into;
  bool left_over = false;
  for (uint32_t at = 0; at < count;) {
    uint32_t end = at;
    bool vector = false;
    while (end < count && ends[end] != kNever) {
      for (uint32_t i = end; i < ends[end]; ++i) vector = vector || class_[run.ops[i]] == Class::vector;
      end = ends[end];
    }
    if (vector) placed.push_back({run.ops[at], program_.end_of(run.ops[end - 1])});
    if (end == at && class_[run.ops[at]] == Class::vector) {
      if (program_.ops[run.ops[at]].n_regions != 0)
        look_into.push_back(run.ops[at]);
      else
        left_over = true;
    }
    at = std::max(end, at + 1);
  }
  if (left_over) {
    open_.push_back(std::move(run));
    return;
  }
  scopes_.insert(scopes_.end(), placed.begin(), placed.end());
  for (const uint32_t op : look_into) visit_regions(op);
}

/// One pass over the program for all results that leave a run without a scope.
void VectorRuns::find_outside_users() {
  std::unordered_map<ValueId, uint32_t> ends;  // value -> end of its run
  for (Run& run : open_) {
    for (const uint32_t op : run.ops) {
      if (last_use(op) < run.range.end) continue;
      run.escaping.push_back(op);
      for (uint32_t k = 0; k < program_.ops[op].n_results; ++k) {
        const ValueId value = program_.ops[op].first_result + k;
        if (last_use_[value] >= run.range.end) ends.emplace(value, run.range.end);
      }
    }
  }
  if (ends.empty()) return;
  for (uint32_t i = 0; i < program_.ops.size(); ++i) {
    const OpView op(program_, i);
    for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
      uint32_t operand = flat_index(op, slot);
      for (const ValueId value : op.operands(slot)) {
        const auto end = ends.find(value);
        if (end != ends.end() && i >= end->second) outside_.emplace(value, Use{i, operand});
        ++operand;
      }
    }
  }
}

Escape VectorRuns::describe(const Run& run, uint32_t op) const {
  Escape escape;
  escape.op = op;
  escape.boundary = run.range.end;
  for (uint32_t k = 0; k < program_.ops[op].n_results; ++k) {
    const auto use = outside_.find(program_.ops[op].first_result + k);
    if (use == outside_.end()) continue;
    escape.value = use->first;
    escape.user = use->second.op;
    escape.operand = use->second.operand;
    break;
  }
  return escape;
}

std::optional<Escape> VectorRuns::escape_of(uint32_t op) const {
  const auto behind = std::ranges::upper_bound(open_, op, {}, [](const Run& run) { return run.range.begin; });
  if (behind == open_.begin() || op >= std::prev(behind)->range.end) return std::nullopt;
  const Run& run = *std::prev(behind);
  // The first result used behind the run, from this operation on; else the last of those before it.
  const auto next = std::ranges::lower_bound(run.escaping, op);
  const auto holds =
      std::ranges::upper_bound(run.escaping, op);  // the operation itself, or the loop around it
  if (holds != run.escaping.begin() && program_.end_of(*std::prev(holds)) > op)
    return describe(run, *std::prev(holds));
  return describe(run, next == run.escaping.end() ? run.escaping.back() : *next);
}

}  // namespace pto::isa
