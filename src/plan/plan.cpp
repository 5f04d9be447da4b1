// Auto mode: which functions to plan, and in what order.
#include "pto/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "isa/memory.hpp"
#include "plan/memory.hpp"
#include "plan/rewrite.hpp"
#include "plan/storage.hpp"
#include "plan/sync.hpp"
#include "support/tile_defaults.hpp"

namespace pto {
namespace planner {
namespace {

/// Synchronisation within a core. Cross-core signals order nothing among the pipes of a core.
bool is_local_sync(std::string_view row) {
  static constexpr std::string_view kNames[] = {
      "pto.set_flag", "pto.wait_flag",    "pto.set_flag_dyn", "pto.wait_flag_dyn", "pto.record_event", "pto.wait_event",
      "pto.barrier",  "pto.pipe_barrier", "pto.barrier_sync", "pto.get_buf",       "pto.rls_buf",      "pto.tsync"};
  return std::find(std::begin(kNames), std::end(kNames), row) != std::end(kNames);
}

struct Function {
  FunctionInfo info;
  uint32_t end = 0;
  bool explicit_sync = false;  ///< it, a caller or a callee synchronises itself
  bool works = false;          ///< puts something into a queue, itself or through calls
  bool sections = false;
  bool in_scope = false;  ///< runs inside a vector scope of its caller: one entry of PIPE_V, nothing to order
  std::vector<std::pair<uint32_t, size_t>> calls;  ///< operation, callee
};

class Functions {
 public:
  explicit Functions(const Program& program) : program_(program) {
    for (const FunctionInfo& info : functions(program)) {
      Function function;
      function.info = info;
      function.end = program.end_of(info.op);
      function.explicit_sync = has_sync(program, info.op);
      all_.push_back(function);
    }
    for (Function& function : all_) scan(function);
    spread();
    find_scoped();
  }

  [[nodiscard]] const std::vector<Function>& all() const { return all_; }

  /// The functions of a name, by their operations, with what they call; empty when there is none.
  [[nodiscard]] std::set<uint32_t> reachable(std::string_view entry) const {
    std::set<uint32_t> found;
    std::vector<size_t> open;
    for (size_t i = 0; i < all_.size(); ++i)
      if (!entry.empty() && all_[i].info.name == entry) open.push_back(i);
    while (!open.empty()) {
      const Function& function = all_[open.back()];
      open.pop_back();
      if (!found.insert(function.info.op).second) continue;
      for (const auto& [op, callee] : function.calls) open.push_back(callee);
    }
    return found;
  }

  /// Calls that need a barrier before and after. A wrapper that starts a cube and a vector function does nothing
  /// itself; they run on cores of their own.
  [[nodiscard]] std::vector<bool> fenced_calls() const {
    std::vector<bool> fenced(program_.ops.size(), false);
    for (const Function& function : all_) {
      for (const auto& [op, callee] : function.calls) {
        const bool other_core =
            all_[callee].info.kind != FunctionInfo::Kind::unknown && function.info.kind == FunctionInfo::Kind::unknown;
        if (all_[callee].works && !other_core && !function.in_scope) fenced[op] = true;
      }
    }
    return fenced;
  }

 private:
  void scan(Function& function) {
    const Rows& rows = Rows::get();
    for (uint32_t op = function.info.op + 1; op < function.end; ++op) {
      const RowId row = program_.ops[op].row;
      const OpView view(program_, op);
      if (row == rows.section_cube || row == rows.section_vector) function.sections = true;
      if (row == rows.call)
        add_calls(function, op);
      else if (pipe_number(isa::pipe_of(view)) > 0)
        function.works = true;
    }
  }

  /// Called from a vector scope, or marked for inlining into one, and opening none itself; with all that they call.
  void find_scoped() {
    const Rows& rows = Rows::get();
    const auto opens = [&](uint32_t op) {
      return program_.ops[op].row == rows.vecscope || program_.ops[op].row == rows.strict_vecscope;
    };
    std::vector<size_t> work;
    for (size_t i = 0; i < all_.size(); ++i) {
      const OpView view(program_, all_[i].info.op);
      if (view.attr("pto.tilelang.inline_proc") != nullptr || view.attr("pto.tilelang.instance") != nullptr)
        work.push_back(i);
      for (uint32_t op = all_[i].info.op + 1; op < all_[i].end; op = opens(op) ? program_.end_of(op) : op + 1) {
        if (!opens(op)) continue;
        for (const auto& [call, callee] : all_[i].calls)
          if (call > op && call < program_.end_of(op)) work.push_back(callee);
      }
    }
    // SIMT functions are one entry of PIPE_V as well.
    for (Function& function : all_) function.in_scope = OpView(program_, function.info.op).attr("pto.simt_entry") != nullptr;
    while (!work.empty()) {
      Function& function = all_[work.back()];
      work.pop_back();
      bool holds_scope = false;
      for (uint32_t op = function.info.op + 1; op < function.end; ++op) holds_scope = holds_scope || opens(op);
      if (holds_scope || function.in_scope) continue;
      function.in_scope = true;
      for (const auto& [call, callee] : function.calls) work.push_back(callee);
    }
  }

  void add_calls(Function& function, uint32_t op) {
    const AttrValue* callee = OpView(program_, op).attr("callee");
    for (size_t i = 0; callee != nullptr && i < all_.size(); ++i)
      if (all_[i].info.name == program_.strings[callee->text]) function.calls.emplace_back(op, i);
  }

  void spread() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Function& function : all_) {
        for (const auto& [op, callee] : function.calls) {
          Function& other = all_[callee];
          const bool works = function.works || other.works, sync = function.explicit_sync || other.explicit_sync;
          changed = changed || works != function.works || sync != function.explicit_sync || sync != other.explicit_sync;
          function.works = works;
          function.explicit_sync = other.explicit_sync = sync;
        }
      }
    }
  }

  const Program& program_;
  std::vector<Function> all_;
};

bool has_alloc_to_place(const Storage& storage) {
  return std::any_of(storage.roots().begin(), storage.roots().end(), [](const Root& root) { return root.planned; });
}

/// With sections, what stands outside of them runs on both cores, where not every pipe exists.
void refuse_work_outside_sections(const Program& program, const Function& function, Diagnostics& diagnostics) {
  const Rows& rows = Rows::get();
  for (uint32_t op = function.info.op + 1; op < function.end;) {
    const RowId row = program.ops[op].row;
    const bool section = row == rows.section_cube || row == rows.section_vector;
    const bool queued = !section && pipe_number(isa::pipe_of(OpView(program, op))) > 0;
    if (queued) {
      Diagnostic& d = diagnostics.error("E0603",
                                        fmt::format("{} outside of the sections of @{} cannot be ordered automatically",
                                                    isa::row(row).name, function.info.name),
                                        Span{}, program.ops[op].where);
      d.help = "move it into pto.section.cube or pto.section.vector, or write the flags by hand";
      return;
    }
    op = section ? program.end_of(op) : op + 1;
  }
}

/// The planner follows structures and tiles. Buffers of other kinds, and jumps, are beyond it; the simulator does not carry
/// them out either.
bool is_unplannable(const isa::Row& row) {
  const bool buffer = row.name == "memref.alloc" || row.name == "memref.alloca";
  return (row.flags & isa::kNotExecuted) != 0 && (row.layer == isa::Layer::control || buffer);
}

bool holds_unplannable(const Program& program, const std::set<uint32_t>& wanted, Diagnostics& diagnostics) {
  for (const FunctionInfo& function : functions(program)) {
    if (!wanted.empty() && !wanted.contains(function.op)) continue;
    for (uint32_t op = function.op + 1; op < program.end_of(function.op); ++op) {
      const isa::Row& row = isa::row(program.ops[op].row);
      if (!is_unplannable(row)) continue;
      Diagnostic& d =
          diagnostics.error("E0449", fmt::format("{} is not supported by the planner and the simulator yet", row.name),
                            Span{}, program.ops[op].where);
      d.unsupported = true;
      d.help = row.layer == isa::Layer::control ? "use scf.for, scf.if and scf.while" : "use pto.alloc_tile";
      return true;
    }
  }
  return false;
}

/// All tiles of the program together, as if none shared its bytes with another one. Not decided where some have an address.
bool fits_side_by_side(const Program& program, const Machine& machine) {
  std::array<uint64_t, kSpaceCount> bytes{};
  const RowId alloc = isa::id_of(*isa::find_row("pto.alloc_tile"));
  for (const Op& op : program.ops) {
    if (op.row != alloc) continue;
    if (program.operands[op.operands] != kNoValue) return false;
    const Type& tile = program.type_of(op.first_result);
    const uint64_t unit = alignment_of(machine, tile.space);
    bytes[static_cast<size_t>(tile.space)] += (occupied_bytes(tile) + unit - 1) / unit * unit;
  }
  for (size_t space = 0; space < kSpaceCount; ++space) {
    if (bytes[space] > machine.bytes[space]) return false;
  }
  return true;
}

/// The planner walks structures recursively.
constexpr size_t kMaxDepth = 200;

bool nested_too_deeply(const Program& program, Diagnostics& diagnostics) {
  std::vector<uint32_t> ends;
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    while (!ends.empty() && op >= ends.back()) ends.pop_back();
    if (program.ops[op].n_regions == 0) continue;
    ends.push_back(program.end_of(op));
    if (ends.size() <= kMaxDepth) continue;
    diagnostics.error("E0604", fmt::format("structures are nested deeper than {}", kMaxDepth), Span{},
                      program.ops[op].where);
    return true;
  }
  return false;
}

}  // namespace
}  // namespace planner

bool has_sync(const Program& program, uint32_t function_op) {
  for (uint32_t op = function_op; op < program.end_of(function_op); ++op) {
    if (isa::row(program.ops[op].row).layer == isa::Layer::sync &&
        planner::is_local_sync(isa::row(program.ops[op].row).name))
      return true;
  }
  return false;
}

bool check_capacity(const Program& program, Diagnostics& diagnostics) {
  Machine machine;
  machine.target = program.target;
  for (size_t space = 0; space < kSpaceCount; ++space)
    machine.bytes[space] = isa::on_chip_bytes(program.target, static_cast<Space>(space));
  machine.bytes[static_cast<size_t>(Space::fb)] =
      ~uint64_t{0} / 2;  // its tables are not checked, as in the public assembler
  Diagnostics unplannable;
  if (planner::fits_side_by_side(program, machine) || planner::holds_unplannable(program, {}, unplannable)) return true;
  const size_t before = diagnostics.errors();
  if (planner::nested_too_deeply(program, diagnostics)) return false;
  planner::Storage storage(program);
  if (planner::has_alloc_to_place(storage)) planner::place_tiles(program, {machine, {}}, {}, storage, diagnostics);
  return diagnostics.errors() == before;
}

bool plan(Program& program, const Machine& machine, const PlanOptions& options, Diagnostics& diagnostics) {
  if (program.ops.empty()) return true;
  if (planner::nested_too_deeply(program, diagnostics)) return false;
  const size_t before = diagnostics.errors();
  planner::Storage storage(program);
  const planner::Functions all(program);
  const std::set<uint32_t> wanted = all.reachable(options.entry);
  if (planner::holds_unplannable(program, wanted, diagnostics)) return false;
  if (options.plan_memory && planner::has_alloc_to_place(storage))
    planner::place_tiles(program, {machine, options.machine}, wanted, storage, diagnostics);
  if (diagnostics.errors() != before) return false;
  std::vector<planner::Insertion> insertions;
  if (options.sync == PlanOptions::Sync::automatic) {
    const std::vector<bool> fenced = all.fenced_calls();
    const planner::Segments segments(program, storage);
    planner::SyncPlanner sync(program, machine, segments, fenced);
    for (const planner::Function& function : all.all()) {
      if (function.explicit_sync || function.in_scope || (!wanted.empty() && !wanted.contains(function.info.op))) continue;
      if (function.sections) planner::refuse_work_outside_sections(program, function, diagnostics);
      sync.plan_function(function.info.op, insertions);
    }
  }
  if (diagnostics.errors() != before) return false;
  planner::rewrite(program, storage, std::move(insertions));
  return true;
}

}  // namespace pto
