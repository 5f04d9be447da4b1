#include "sim/flag_cures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "isa/pipes.hpp"
#include "isa/row.hpp"
#include "isa/walk.hpp"
#include "isa/words.hpp"
#include "sim/describe.hpp"

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

void exchange(Program& program, uint32_t op, std::string_view one, std::string_view other) {
  const isa::Schema& schema = isa::schema(program.ops[op].row);
  Attr *first = nullptr, *second = nullptr;
  for (unsigned i = 0; i < program.ops[op].n_attrs; ++i) {
    Attr& attr = program.attrs[program.ops[op].attrs + i];
    if (attr.spec == schema.attr_index(one)) first = &attr;
    if (attr.spec == schema.attr_index(other)) second = &attr;
  }
  if (first != nullptr && second != nullptr) std::swap(first->value, second->value);
}

void write_id(Program& program, uint32_t op, int id) {
  const isa::Schema& schema = isa::schema(program.ops[op].row);
  for (unsigned i = 0; i < program.ops[op].n_attrs; ++i) {
    Attr& attr = program.attrs[program.ops[op].attrs + i];
    if (attr.spec == schema.attr_index("event_id")) attr.value.integer = id;
  }
}

/// What stands for nothing outside of vector functions.
RowId nothing() {
  const std::span<const isa::Row> rows = isa::rows();
  return static_cast<RowId>(std::ranges::find(rows, Does::memory_barrier, &isa::Row::does) - rows.begin());
}

void apply(Program& program, const FlagCure& cure) {
  for (const FlagEdit& edit : cure) {
    if (edit.kind == FlagEdit::Kind::exchange) exchange(program, edit.op, "src_pipe", "dst_pipe");
    if (edit.kind == FlagEdit::Kind::rename) write_id(program, edit.op, edit.id);
    if (edit.kind == FlagEdit::Kind::remove) program.ops[edit.op].row = nothing();
  }
}

void take_back(const Program& original, Program& program, const FlagCure& cure) {
  for (const FlagEdit& edit : cure) {
    const Op& op = original.ops[edit.op];
    program.ops[edit.op].row = op.row;
    for (unsigned i = 0; i < op.n_attrs; ++i) program.attrs[op.attrs + i] = original.attrs[op.attrs + i];
  }
}

Use after(const Program& program, const FlagEdit& edit) {
  Use use = *use_at(program, edit.op);
  if (edit.kind == FlagEdit::Kind::exchange) std::swap(use.flag.src, use.flag.dst);
  if (edit.kind == FlagEdit::Kind::rename) use.flag.id = edit.id;
  return use;
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

std::string words(const Program& program, const FlagCure& cure) {
  std::string text;
  for (const FlagEdit& edit : cure) {
    const Use use = after(program, edit);
    text += fmt::format("{}{} pto.{}_flag{} at {}", text.empty() ? "" : " and ",
                        edit.kind == FlagEdit::Kind::remove ? "remove" : "write", use.set ? "set" : "wait",
                        isa::brackets(use.flag), place(program, edit.op));
  }
  return text;
}

}  // namespace

bool is_of_order(const Diagnostic& finding) {
  constexpr std::array<std::string_view, 5> kIds{"RACE", "DEADLOCK", "FLAG-DOUBLE", "FLAG-LEFT",
                                                 "FLAG-REUSE"};
  return finding.severity == Severity::error && std::ranges::find(kIds, finding.id) != kIds.end();
}

bool is_of_counts(const Diagnostic& finding) {
  return is_of_order(finding) && finding.id != "RACE" && finding.id != "FLAG-REUSE";
}

std::vector<FlagCure> possible_cures(const Program& program, const Diagnostics& findings, int event_ids) {
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
  using Kind = FlagEdit::Kind;
  std::vector<FlagCure> cures;
  const auto add_pair = [&](const Use& set, const Use& wait, Kind kind, int id) {
    cures.push_back({{set.op, kind, id}, {wait.op, kind, id}});
  };
  const auto add_pairs = [&] {
    for (const auto& [set, wait] : both) add_pair(*set, *wait, Kind::remove, 0);
    for (const auto& [set, wait] : both) {
      if (set->flag.src != set->flag.dst) add_pair(*set, *wait, Kind::exchange, 0);
    }
    for (const auto& [set, wait] : both) {  // all ids that nobody uses are alike
      bool fresh = false;
      for (int id = 0; id < event_ids; ++id) {
        const bool unused = free(*set, {set->flag.src, set->flag.dst, id});
        if (id != set->flag.id && !(unused && fresh)) add_pair(*set, *wait, Kind::rename, id);
        fresh |= unused;
      }
    }
  };
  const auto add_singles = [&] {
    for (const Use& use : suspects) {
      if (use.flag.src != use.flag.dst) cures.push_back({{use.op, Kind::exchange, 0}});
      for (int id = 0; id < event_ids; ++id) {
        if (id != use.flag.id && !free(use, {use.flag.src, use.flag.dst, id}))
          cures.push_back({{use.op, Kind::rename, id}});
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
  std::ranges::stable_sort(cures, {}, [&](const FlagCure& cure) {
    return std::ranges::none_of(cure, [&](const FlagEdit& edit) {
      return std::ranges::count(named, use_at(program, edit.op)->flag) != 0 ||
             std::ranges::count(named, after(program, edit).flag) != 0;
    });
  });
  return cures;
}

void advise_cure(const Program& program, Diagnostics& findings, int event_ids, size_t most,
                 const std::function<bool(const Program&)>& clean) {
  std::vector<FlagCure> cures = possible_cures(program, findings, event_ids);
  if (cures.size() > most) cures.resize(most);
  if (cures.empty()) return;
  Program changed = program;
  for (const FlagCure& cure : cures) {
    apply(changed, cure);
    const bool cured = clean(changed);
    take_back(program, changed, cure);
    if (!cured) continue;
    const std::string text = words(program, cure);
    for (Diagnostic& each : findings.all()) {
      // What the finding itself found says why.
      if (is_of_order(each) && !each.help.starts_with(text))
        each.help = text + ": tried, and nothing is out of order then";
    }
    return;
  }
}

}  // namespace pto::sim
