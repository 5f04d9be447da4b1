#include "check/race_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "ir/call_graph.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "ir/symbol_table.hpp"
#include "isa/row.hpp"
#include "sim/findings/naming.hpp"

namespace pto::sim {
namespace {

/// What the operands of an operation are computed of, back to constants and arguments of functions.
class Slice {
 public:
  explicit Slice(const Program& program) : program_(program), constants_(program) {}

  std::optional<bool> comes_of_block(uint32_t op) {
    add_operands(op);
    bool called = false;
    while (!open_.empty()) {
      const ValueId value = open_.back();
      open_.pop_back();
      if (!seen_.insert(value).second) continue;
      const uint32_t defining_op = constants_.defining_op(value);
      if (defining_op == kNoOp) {
        called = add_argument(value) || called;
        continue;
      }
      const isa::RowRule* varies =
          isa::schema(program_.ops[defining_op].row).find_rule(isa::RuleName::varies);
      if (varies != nullptr && varies->argument == "block") return true;
      add_operands(defining_op);
    }
    return called ? std::nullopt : std::optional(false);
  }

 private:
  void add_operands(uint32_t op) {
    const OpView view(program_, op);
    for (unsigned slot = 0; slot < isa::schema(view.op().row).operands.size(); ++slot) {
      for (const ValueId value : view.operands(slot)) {
        if (value != kNoValue) open_.push_back(value);
      }
    }
    for (const Region& region : program_.regions_of(view.op())) {
      for (const ValueId value : yielded_values(program_, region)) open_.push_back(value);
    }
  }

  /// Of a loop what it counts and carries; true: of a function that others call.
  bool add_argument(ValueId value) {
    for (uint32_t op = 0; op < program_.ops.size(); ++op) {
      for (const Region& region : program_.regions_of(program_.ops[op])) {
        if (value < region.first_arg || value >= region.first_arg + region.n_args) continue;
        if (isa::row(program_.ops[op].row).opcode_class == isa::OpcodeClass::function) return is_called(op);
        add_operands(op);
        return false;
      }
    }
    return false;
  }

  bool is_called(uint32_t function) const {
    const Functions functions(program_);
    const CallGraph graph(program_, functions);
    return std::ranges::any_of(graph.calls(),
                               [&](const Call& call) { return functions[call.callee].info.op == function; });
  }

  const Program& program_;
  Constants constants_;
  std::vector<ValueId> open_;
  std::set<ValueId> seen_;
};

}  // namespace

std::optional<bool> depends_on_block(const Program& program, uint32_t op) {
  return Slice(program).comes_of_block(op);
}

Fix FlagWords::order(const Pair& pair) {
  const auto [core, first, second, first_pc, second_pc] = pair;
  if (first == second)
    return Fix::add(
        fmt::format("pto.barrier <{}>", to_string(first)), places_.before(second_pc),
        fmt::format(": {} starts an instruction before the ones in front are done", to_string(first)));
  if (const auto pending = pending_set(pair)) {
    return Fix::add(isa::spelt(program_, "wait", pending->first),
                    places_.before(wait_place(pending->second, second_pc)),
                    fmt::format(": no wait takes the set at {}", place(program_, pending->second)));
  }
  if (Fix turned = turned_round(pair); !turned.empty()) return turned;
  const std::optional<int> id = flags_.free_id(first, second);
  if (!id) return isa::no_free_flag(first, second, event_ids_, places_.before(second_pc));
  return flag_between({first, second, *id}, first_pc, second_pc);
}

/// One wait takes a set, so what it holds back later in the same region needs none of its own.
uint32_t FlagWords::wait_place(uint32_t set, uint32_t wanted) const {
  const auto first = waits_.find({set, places_.tree().region_of(wanted)});
  return first == waits_.end() ? wanted : std::min(first->second, wanted);
}

void FlagWords::expect(const Pair& pair) {
  if (pair.first == pair.second) return;
  const auto pending = pending_set(pair);
  if (!pending) return;
  const auto [first, fresh] =
      waits_.try_emplace({pending->second, places_.tree().region_of(pair.second_pc)}, pair.second_pc);
  first->second = std::min(first->second, pair.second_pc);
}

/// A flag from one pipe to the other that was set more often than waited for, and a set of it between the two
/// accesses: a set before the first access does not order it.
std::optional<std::pair<isa::SpeltFlag, uint32_t>> FlagWords::pending_set(const Pair& pair) const {
  for (const auto& [key, uses] : flags_.all()) {
    const auto& [of, source, target, id] = key;
    if (of != pair.core || target != pair.second || (flags_.key_has_source() && source != pair.first))
      continue;
    if (uses.set <= uses.waited) continue;
    const auto after_first = uses.set_at.all.upper_bound(pair.first_pc);
    const bool found = after_first != uses.set_at.all.end();
    const bool next_iteration = pair.second_pc <= pair.first_pc;
    if (next_iteration ? !found && *uses.set_at.all.begin() >= pair.second_pc
                       : !found || *after_first > pair.second_pc)
      continue;
    const uint32_t set = found ? *after_first : *uses.set_at.all.begin();
    isa::SpeltFlag flag{{pair.first, pair.second, id}};
    const OpView op(program_, set);
    if (!isa::schema(op.op().row).operands.empty() && op.operand(0) != kNoValue) {
      flag = {{pair.first, pair.second}, op.operand(0)};
      if (!places_.reaches(flag.computed, pair.second_pc)) continue;
    }
    return std::pair(flag, set);
  }
  return std::nullopt;
}

/// A set and a wait between the two accesses that go the other way, although the pipe that waits has
/// nothing to do behind.
Fix FlagWords::turned_round(const Pair& pair) {
  for (const auto& [key, uses] : flags_.all()) {
    const auto& [of, source, target, id] = key;
    if (of != pair.core || source != pair.second || target != pair.first) continue;
    const std::set<uint32_t>&sets = uses.set_at.all, &waits = uses.wait_at.all;
    const auto set = sets.upper_bound(pair.first_pc), wait = waits.upper_bound(pair.first_pc);
    if (set == sets.end() || wait == waits.end() || *set > *wait || *wait > pair.second_pc ||
        places_.tree().region_of(*set) != places_.tree().region_of(*wait) ||
        works_within(pair.first, *wait, pair.second_pc))
      continue;
    const std::optional<int> fresh = flags_.taken(pair.first, pair.second, id)
                                         ? flags_.free_id(pair.first, pair.second)
                                         : std::optional<int>(id);
    if (!fresh) continue;
    const isa::SpeltFlag flag{{pair.first, pair.second, *fresh}};
    using Kind = StatementChange::Kind;
    return ChangeStatements{
        {{Kind::write, isa::spelt(program_, "set", flag), places_.at(*set)},
         {Kind::write, isa::spelt(program_, "wait", flag), places_.at(*wait)}},
        fmt::format(": they hold {} back, not {}", to_string(pair.first), to_string(pair.second))};
  }
  return {};
}

bool FlagWords::works_within(Pipe pipe, uint32_t begin, uint32_t end) const {
  for (uint32_t at = begin; at < end; ++at) {
    const OpView op(program_, at);
    if (isa::pipe_of(op) == pipe && !isa::is_synchronisation(isa::opcode_class(op))) return true;
  }
  return false;
}

Fix FlagWords::flag_between(const isa::FlagName& flag, uint32_t first, uint32_t second) {
  const isa::SpeltFlag spelt{flag};
  const std::optional<FlagInsertionPoints> at = places_.between(first, second);
  std::string iteration;
  if (at ? at->loop != kNoOp : first > second)
    iteration = fmt::format(" of the next iteration (set it once before the loop{}, wait once after it)",
                            at ? " at " + place(program_, at->loop) : "");
  return Fix::add_both(
      {.text = isa::spelt(program_, "set", spelt), .place = places_.after(at ? at->set_after : first)},
      {.text = isa::spelt(program_, "wait", spelt), .place = places_.before(at ? at->wait_before : second)},
      iteration);
}

}  // namespace pto::sim
