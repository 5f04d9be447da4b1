#include "sim/flag_cures.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "isa/pipes.hpp"
#include "isa/row.hpp"
#include "isa/walk.hpp"
#include "isa/words.hpp"

namespace pto::sim {
namespace {

using isa::Does;
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
  const Does does = isa::does(op);
  if (does != Does::set_flag && does != Does::wait_flag) return std::nullopt;
  const auto pipe = [&](std::string_view name) { return static_cast<Pipe>(op.attr_int(name)); };
  return Use{index,
             kNoOp,
             does == Does::set_flag,
             {pipe("src_pipe"), pipe("dst_pipe"), static_cast<int>(op.attr_int("event_id"))}};
}

std::vector<Use> uses_of(const Program& program) {
  const RegionTree tree(program);
  std::vector<Use> found;
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    std::optional<Use> use = use_at(program, op);
    if (!use) continue;
    use->function = tree.around(op);
    while (use->function != kNoOp && isa::row(program.ops[use->function].row).does != Does::function)
      use->function = tree.around(use->function);
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
      else if (each.id == "RACE")
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

std::vector<isa::FlagName> named_in(const Program& program, const Diagnostics& findings) {
  std::vector<isa::FlagName> names;
  const auto add = [&](uint32_t op) {
    if (op >= program.ops.size()) return;
    if (const std::optional<Use> use = use_at(program, op)) names.push_back(use->flag);
  };
  for (const Diagnostic& each : findings.all()) {
    if (!is_of_order(each)) continue;
    add(each.anchor.op);
    for (const Note& note : each.notes) add(note.anchor.op);
  }
  return names;
}

}  // namespace

std::vector<Cure> possible_flag_cures(const Program& program, const Diagnostics& findings, int event_ids) {
  const std::vector<Use> all = uses_of(program);
  const std::set<Pair> pairs = pairs_of(program, findings);
  std::vector<Use> suspects;
  std::ranges::copy_if(all, std::back_inserter(suspects),
                       [&](const Use& use) { return pairs.contains(pair_of(use.flag.src, use.flag.dst)); });
  std::vector<std::pair<const Use*, const Use*>> both;
  for (const Use& set : suspects) {
    for (const Use& wait : suspects) {
      if (set.set && !wait.set && set.flag == wait.flag && set.function == wait.function)
        both.emplace_back(&set, &wait);
    }
  }
  // What stands near each other belongs together.
  std::ranges::stable_sort(both, {}, [](const auto& each) {
    return each.first->op < each.second->op ? each.second->op - each.first->op
                                            : each.first->op - each.second->op;
  });
  const auto free = [&](const Use& use, const isa::FlagName& flag) {
    return std::ranges::none_of(
        all, [&](const Use& other) { return other.function == use.function && other.flag == flag; });
  };
  std::vector<Cure> cures;
  const auto add_pairs = [&] {
    for (const auto& [set, wait] : both) cures.push_back({{remove(program, *set), remove(program, *wait)}});
    for (const auto& [set, wait] : both) {
      if (set->flag.src != set->flag.dst)
        cures.push_back({{exchange(program, *set), exchange(program, *wait)}});
    }
    for (const auto& [set, wait] : both) {  // all ids that nobody uses are alike
      bool fresh = false;
      for (int id = 0; id < event_ids; ++id) {
        const bool unused = free(*set, {set->flag.src, set->flag.dst, id});
        if (id != set->flag.id && !(unused && fresh))
          cures.push_back({{rename(program, *set, id), rename(program, *wait, id)}});
        fresh |= unused;
      }
    }
  };
  const auto add_singles = [&] {
    for (const Use& use : suspects) {
      if (use.flag.src != use.flag.dst) cures.push_back({{exchange(program, use)}});
      for (int id = 0; id < event_ids; ++id) {
        if (id != use.flag.id && !free(use, {use.flag.src, use.flag.dst, id}))
          cures.push_back({{rename(program, use, id)}});
      }
    }
  };
  const std::vector<isa::FlagName> named = named_in(program, findings);
  // A single wrong line leaves a flag with more sets than waits, or more waits than sets.
  const bool single = std::ranges::any_of(suspects, [&](const Use& use) {
    const auto count = [&](bool set) {
      return std::ranges::count_if(suspects, [&](const Use& other) {
        return other.set == set && other.function == use.function && other.flag == use.flag;
      });
    };
    return std::ranges::count(named, use.flag) != 0 && count(true) != count(false);
  });
  if (single) add_singles();
  add_pairs();
  if (!single) add_singles();
  // Those first that write or unwrite a name of which the findings speak.
  std::ranges::stable_sort(cures, {}, [&](const Cure& cure) {
    return std::ranges::none_of(cure.edits, [&](const Edit& edit) {
      return std::ranges::count(named, use_at(program, edit.op)->flag) != 0 ||
             std::ranges::count(named, flag_of(edit.statement)) != 0;
    });
  });
  return cures;
}

}  // namespace pto::sim
