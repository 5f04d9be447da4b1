#include "repair/flag_candidates.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "ir/op_queries.hpp"
#include "ir/pipe_rules.hpp"
#include "ir/regions.hpp"
#include "ir/value_names.hpp"
#include "isa/row.hpp"

namespace pto::sim {
namespace {

using isa::OpcodeClass;
using Pair = std::pair<Pipe, Pipe>;

Pair pair_of(Pipe a, Pipe b) { return std::minmax(a, b); }

/// A set or wait whose name stands in the text.
struct Use {
  uint32_t op = 0, function = kNoOp;
  bool set = false;
  isa::FlagName flag;
};

std::optional<Use> use_at(const Program& program, uint32_t index) {
  const OpView op(program, index);
  const OpcodeClass opcode_class = isa::opcode_class(op);
  if (opcode_class != OpcodeClass::set_flag && opcode_class != OpcodeClass::wait_flag) return std::nullopt;
  const auto pipe = [&](std::string_view name) { return static_cast<Pipe>(op.attr_int(name)); };
  return Use{index,
             kNoOp,
             opcode_class == OpcodeClass::set_flag,
             {pipe("src_pipe"), pipe("dst_pipe"), static_cast<int>(op.attr_int("event_id"))}};
}

std::vector<Use> uses_of(const Program& program) {
  const RegionTree tree(program);
  std::vector<Use> found;
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    std::optional<Use> use = use_at(program, op);
    if (!use) continue;
    use->function = tree.parent(op);
    while (use->function != kNoOp &&
           isa::row(program.ops[use->function].row).opcode_class != OpcodeClass::function)
      use->function = tree.parent(use->function);
    found.push_back(*use);
  }
  return found;
}

/// Pipes that findings of order speak of, two by two.
std::set<Pair> pairs_of(const Program& program, const Diagnostics& findings) {
  std::set<Pair> pairs;
  for (const Diagnostic& each : findings.all()) {
    if (!is_of_order(each)) continue;
    std::vector<uint32_t> ops{each.anchor.op};
    for (const Note& note : each.notes) ops.push_back(note.anchor.op);
    std::vector<Pipe> pipes;
    for (const uint32_t op : ops) {
      if (op >= program.ops.size()) continue;
      if (const std::optional<Use> use = use_at(program, op))
        pairs.insert(pair_of(use->flag.src, use->flag.dst));
      else if (each.id == FindingId::race)
        pipes.push_back(isa::pipe_of(OpView(program, op)));
    }
    if (pipes.size() >= 2) pairs.insert(pair_of(pipes[0], pipes[1]));
  }
  return pairs;
}

Edit remove(const Program& program, const Use& use) {
  return {.kind = Edit::Kind::remove, .op = use.op, .statement = Statement(program, use.op)};
}

Edit exchange(const Program& program, const Use& use) {
  Edit edit{.kind = Edit::Kind::write, .op = use.op, .statement = Statement(program, use.op)};
  edit.statement.put("src_pipe", static_cast<int64_t>(use.flag.dst));
  edit.statement.put("dst_pipe", static_cast<int64_t>(use.flag.src));
  return edit;
}

Edit rename(const Program& program, const Use& use, int id) {
  Edit edit{.kind = Edit::Kind::write, .op = use.op, .statement = Statement(program, use.op)};
  edit.statement.put("event_id", id);
  return edit;
}

isa::FlagName flag_of(const Statement& statement) {
  const auto number = [&](std::string_view name) { return statement.attr(name)->integer; };
  return {static_cast<Pipe>(number("src_pipe")), static_cast<Pipe>(number("dst_pipe")),
          static_cast<int>(number("event_id"))};
}

std::set<isa::FlagName> named_in(const Program& program, const Diagnostics& findings) {
  std::set<isa::FlagName> names;
  const auto add = [&](uint32_t op) {
    if (op >= program.ops.size()) return;
    if (const std::optional<Use> use = use_at(program, op)) names.insert(use->flag);
  };
  for (const Diagnostic& each : findings.all()) {
    if (!is_of_order(each)) continue;
    add(each.anchor.op);
    for (const Note& note : each.notes) add(note.anchor.op);
  }
  return names;
}

/// A set and a wait of one flag in one function.
struct SetAndWait {
  const Use* set = nullptr;
  const Use* wait = nullptr;

  /// What stands near each other belongs together; else in the order of the text.
  [[nodiscard]] auto order() const {
    const uint32_t apart = set->op < wait->op ? wait->op - set->op : set->op - wait->op;
    return std::tuple(apart, set->op, wait->op);
  }
};

/// The nearest `most` of some sets and waits, both in the order of the text.
std::vector<SetAndWait> nearest(
    const std::vector<std::pair<std::vector<const Use*>, std::vector<const Use*>>>& flags, size_t most) {
  struct Next {
    SetAndWait pair;
    const std::vector<const Use*>* waits;
    size_t at;    ///< of the wait
    bool behind;  ///< the ones after it come next, or those before it
  };
  const auto later = [](const Next& a, const Next& b) { return a.pair.order() > b.pair.order(); };
  std::priority_queue<Next, std::vector<Next>, decltype(later)> next(later);
  for (const auto& [sets, waits] : flags) {
    for (const Use* set : sets) {
      const auto behind =
          std::ranges::upper_bound(waits, set->op, {}, [](const Use* wait) { return wait->op; });
      const auto at = static_cast<size_t>(behind - waits.begin());
      if (at < waits.size()) next.push({{set, waits[at]}, &waits, at, true});
      if (at > 0) next.push({{set, waits[at - 1]}, &waits, at - 1, false});
    }
  }
  std::vector<SetAndWait> found;
  while (!next.empty() && found.size() < most) {
    const Next one = next.top();
    next.pop();
    found.push_back(one.pair);
    const size_t at = one.behind ? one.at + 1 : one.at - 1;  // wraps in front of the first
    if (at < one.waits->size()) next.push({{one.pair.set, (*one.waits)[at]}, one.waits, at, one.behind});
  }
  return found;
}

}  // namespace

/// As many as are tried: of those that write or unwrite a name of which the findings speak, which come first,
/// and of the others.
std::vector<Repair> flag_candidates(const Program& program, const Diagnostics& findings, int event_ids) {
  const std::vector<Use> all = uses_of(program);
  const std::set<Pair> pairs = pairs_of(program, findings);
  const std::set<isa::FlagName> named = named_in(program, findings);
  std::vector<Use> suspects;
  std::ranges::copy_if(all, std::back_inserter(suspects),
                       [&](const Use& use) { return pairs.contains(pair_of(use.flag.src, use.flag.dst)); });
  using OfFunction = std::pair<uint32_t, isa::FlagName>;
  std::set<OfFunction> used;
  for (const Use& use : all) used.emplace(use.function, use.flag);
  std::map<OfFunction, std::pair<std::vector<const Use*>, std::vector<const Use*>>> sides;
  for (const Use& use : suspects) {
    auto& [sets, waits] = sides[{use.function, use.flag}];
    (use.set ? sets : waits).push_back(&use);
  }
  std::vector<SetAndWait> both;
  for (const bool of_named : {true, false}) {
    std::vector<std::pair<std::vector<const Use*>, std::vector<const Use*>>> flags;
    for (const auto& [key, side] : sides) {
      if (named.contains(key.second) == of_named) flags.push_back(side);
    }
    std::ranges::move(nearest(flags, kMaxRepairs), std::back_inserter(both));
  }
  std::ranges::sort(both, {}, &SetAndWait::order);
  const auto free = [&](const Use& use, const isa::FlagName& flag) {
    return !used.contains({use.function, flag});
  };
  std::vector<Repair> repairs, others;
  const auto add = [&](Repair repair) {
    const bool of_named = std::ranges::any_of(repair.edits, [&](const Edit& edit) {
      return named.contains(use_at(program, edit.op)->flag) || named.contains(flag_of(edit.statement));
    });
    std::vector<Repair>& list = of_named ? repairs : others;
    if (list.size() < kMaxRepairs) list.push_back(std::move(repair));
  };
  const auto add_pairs = [&] {
    for (const auto& [set, wait] : both) add({{remove(program, *set), remove(program, *wait)}});
    for (const auto& [set, wait] : both) {
      if (set->flag.src != set->flag.dst) add({{exchange(program, *set), exchange(program, *wait)}});
    }
    for (const auto& [set, wait] : both) {  // all ids that nobody uses are alike
      bool fresh = false;
      for (int id = 0; id < event_ids; ++id) {
        const bool unused = free(*set, {set->flag.src, set->flag.dst, id});
        if (id != set->flag.id && !(unused && fresh))
          add({{rename(program, *set, id), rename(program, *wait, id)}});
        fresh |= unused;
      }
    }
  };
  const auto add_singles = [&] {
    for (const Use& use : suspects) {
      if (repairs.size() == kMaxRepairs && others.size() == kMaxRepairs) return;
      if (use.flag.src != use.flag.dst) add({{exchange(program, use)}});
      for (int id = 0; id < event_ids; ++id) {
        if (id != use.flag.id && !free(use, {use.flag.src, use.flag.dst, id}))
          add({{rename(program, use, id)}});
      }
    }
  };
  // A single wrong line leaves a flag with more sets than waits, or more waits than sets.
  const bool single = std::ranges::any_of(sides, [&](const auto& each) {
    return named.contains(each.first.second) && each.second.first.size() != each.second.second.size();
  });
  if (single) add_singles();
  add_pairs();
  if (!single) add_singles();
  std::ranges::move(others, std::back_inserter(repairs));
  return repairs;
}

}  // namespace pto::sim
