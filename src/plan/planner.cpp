// Auto mode: which functions to plan, and in what order.
// Over 500 lines: which functions are planned, and which of them together, is one question.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "analysis/core_kinds.hpp"
#include "analysis/launch_groups.hpp"
#include "analysis/multi_buffer_slots.hpp"
#include "ir/nesting_depth.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "ir/vector_scope_candidates.hpp"
#include "isa/memory_spaces.hpp"
#include "isa/tile_defaults.hpp"
#include "plan/core_sections.hpp"
#include "plan/loops/multi_buffer.hpp"
#include "plan/loops/stage_scheduling.hpp"
#include "plan/memory/memref_to_tiles.hpp"
#include "plan/memory/placement.hpp"
#include "plan/memory/scratch_tiles.hpp"
#include "plan/memory/storage_analysis.hpp"
#include "plan/rewrite.hpp"
#include "plan/sync/lockstep_loops.hpp"
#include "plan/sync/sync_insertion.hpp"
#include "plan/sync/vector_core_barriers.hpp"
#include "pto/plan.hpp"
#include "support/rounding.hpp"
#include "support/saturating.hpp"

namespace pto {
namespace planner {
namespace {

struct PlannableFunction {
  FunctionInfo info;
  uint32_t end = 0;
  bool explicit_sync = false;  ///< it, a caller or a callee synchronises itself
  bool works = false;          ///< puts something into a queue, itself or through calls
  bool sections = false;
  CoreSet cores = CoreSet::none;  ///< with sections, its own or of those it calls: that run it
  bool orders_cores = false;      ///< it, a caller or a callee signals other cores itself, or has tile queues
  bool called = false;            ///< or calls
  bool in_scope = false;  ///< runs inside a vector scope of its caller: one entry of PIPE_V, nothing to order
};

class Plannable {
 public:
  explicit Plannable(const Program& program)
      : program_(program), symbols_(program), graph_(program, symbols_) {
    for (const pto::Function& each : symbols_.all()) {
      PlannableFunction function;
      function.info = each.info;
      function.end = each.end;
      function.explicit_sync = has_sync(program, each.info.op);
      all_.push_back(function);
    }
    for (PlannableFunction& function : all_) scan(function);
    for (const Call& call : graph_.calls()) all_[call.caller].called = all_[call.callee].called = true;
    spread();
    find_scoped();
  }

  [[nodiscard]] const std::vector<PlannableFunction>& all() const { return all_; }

  /// Which cores run a function with sections, or that calls some; of others nothing is asked.
  void find_cores() {
    const bool sections = std::ranges::any_of(all_, &PlannableFunction::sections);
    if (!sections) return;
    const Cores cores(program_, symbols_, graph_);
    for (uint32_t i = 0; i < all_.size(); ++i) {
      const CoreSet needed = cores.cores_of_function(i);
      const bool both = needed == CoreSet::both && all_[i].info.kind == FunctionInfo::Kind::unknown;
      if (all_[i].sections || (both && program_.target != Target::cpu)) all_[i].cores = needed;
    }
  }

  /// The functions of a launch, by their operations, with what they call; empty when there is none.
  [[nodiscard]] std::set<uint32_t> reachable(std::string_view entry) const {
    std::set<uint32_t> found;
    if (entry.empty()) return found;
    const Result<LaunchedFunctions> launch = find_launch(program_, symbols_, graph_, entry);
    std::vector<uint32_t> open = launch ? launch->functions : std::vector<uint32_t>();
    while (!open.empty()) {
      const uint32_t function = open.back();
      open.pop_back();
      if (!found.insert(all_[function].info.op).second) continue;
      for (const Call& call : graph_.calls_of(function)) open.push_back(call.callee);
    }
    return found;
  }

  /// The cube and the vector function of a launch that the tools order, both.
  struct Pair {
    uint32_t cube = 0, vector = 0;                    ///< into all()
    uint32_t cube_call = kNoOp, vector_call = kNoOp;  ///< in a wrapper that starts both
  };
  [[nodiscard]] std::vector<Pair> pairs(std::string_view entry) const {
    std::vector<LaunchedFunctions> all = launches(program_, symbols_, graph_);
    if (!entry.empty()) {
      const Result<LaunchedFunctions> one = find_launch(program_, symbols_, graph_, entry);
      all.clear();
      if (one) all.push_back(*one);
    }
    std::vector<Pair> found;
    for (const LaunchedFunctions& launch : all) {
      if (launch.functions.size() == 1) {
        const std::optional<Pair> started = started_by(launch.functions[0]);
        if (started) found.push_back(*started);
      }
      if (launch.functions.size() != 2) continue;
      // Two kernels of one file that nothing but marks connects are one launch only where they are started.
      if (launch.by_marks && entry.empty()) continue;
      const uint32_t cube = launch.functions[0], vector = launch.functions[1];
      const uint32_t taken = body_of(program_, all_[cube].info.op).n_args;
      const uint32_t given = body_of(program_, all_[vector].info.op).n_args;
      if (given != taken && given != taken + 1) continue;
      if (all_[cube].info.kind == FunctionInfo::Kind::cube && is_pairable(cube) &&
          all_[vector].info.kind == FunctionInfo::Kind::vector && is_pairable(vector))
        found.push_back({cube, vector});
    }
    return found;
  }

  /// Calls that need a barrier before and after. A wrapper that starts a cube and a vector function does
  /// nothing itself; they run on cores of their own.
  [[nodiscard]] std::vector<bool> fenced_calls() const {
    std::vector<bool> fenced(program_.ops.size(), false);
    for (const Call& call : graph_.calls()) {
      const PlannableFunction &caller = all_[call.caller], &callee = all_[call.callee];
      const bool other_core =
          callee.info.kind != FunctionInfo::Kind::unknown && caller.info.kind == FunctionInfo::Kind::unknown;
      if (callee.works && !other_core && !caller.in_scope) fenced[call.op] = true;
    }
    return fenced;
  }

 private:
  void scan(PlannableFunction& function) {
    for (const uint32_t op : descendants(program_, function.info.op)) {
      const OpView view(program_, op);
      const isa::OpcodeClass opcode_class = isa::opcode_class(view);
      if (isa::is_section(opcode_class)) function.sections = true;
      if (opcode_class != isa::OpcodeClass::call && lane_of(isa::pipe_of(view)) > 0) function.works = true;
      if (isa::is_signal(opcode_class) || opcode_class == isa::OpcodeClass::sync_all ||
          opcode_class == isa::OpcodeClass::opaque_sync || isa::is_queue_operation(opcode_class))
        function.orders_cores = true;
    }
  }

  /// A function that does nothing but call one function of each kind, which no other one calls.
  [[nodiscard]] std::optional<Pair> started_by(uint32_t wrapper) const {
    const uint32_t op = all_[wrapper].info.op;
    if (all_[wrapper].info.kind != FunctionInfo::Kind::unknown || graph_.calls_of(wrapper).size() != 2)
      return std::nullopt;
    Pair pair{kNoOp, kNoOp};
    for (const Call& call : graph_.calls_of(wrapper)) {
      const bool cube = all_[call.callee].info.kind == FunctionInfo::Kind::cube;
      if (!cube && all_[call.callee].info.kind != FunctionInfo::Kind::vector) return std::nullopt;
      (cube ? pair.cube : pair.vector) = call.callee;
      (cube ? pair.cube_call : pair.vector_call) = call.op;
      const auto direct = ops_in(program_, op);
      if (std::find(direct.begin(), direct.end(), call.op) == direct.end()) return std::nullopt;
    }
    if (pair.cube == kNoOp || pair.vector == kNoOp || !is_pairable(pair.cube) || !is_pairable(pair.vector))
      return std::nullopt;
    const auto callers = [&](uint32_t callee) {
      return std::ranges::count_if(graph_.calls(), [&](const Call& call) { return call.callee == callee; });
    };
    return callers(pair.cube) == 1 && callers(pair.vector) == 1 ? std::optional(pair) : std::nullopt;
  }

  [[nodiscard]] bool is_pairable(uint32_t index) const {
    const PlannableFunction& function = all_[index];
    return !function.explicit_sync && !function.orders_cores && !function.in_scope && function.works &&
           !function.sections;
  }

  /// SIMT functions are one entry of PIPE_V as well.
  void find_scoped() {
    const auto inside = isa::functions_inside_scopes(program_, symbols_, graph_);
    for (PlannableFunction& function : all_)
      function.in_scope = inside.contains(function.info.op) ||
                          OpView(program_, function.info.op).attr("pto.simt_entry") != nullptr;
  }

  /// What a callee does its caller does. Who synchronises itself does so together with all that it calls and
  /// that call it.
  void spread() {
    std::vector<uint32_t> group(all_.size());
    std::iota(group.begin(), group.end(), 0);
    const auto leader = [&](uint32_t function) {
      while (group[function] != function) function = group[function] = group[group[function]];
      return function;
    };
    for (const uint32_t caller : graph_.callees_first()) {
      for (const Call& call : graph_.calls_of(caller)) {
        all_[caller].works = all_[caller].works || all_[call.callee].works;
        group[leader(call.callee)] = leader(caller);
      }
    }
    for (uint32_t i = 0; i < all_.size(); ++i) {
      PlannableFunction& first = all_[leader(i)];
      first.explicit_sync = first.explicit_sync || all_[i].explicit_sync;
      first.orders_cores = first.orders_cores || all_[i].orders_cores;
    }
    for (uint32_t i = 0; i < all_.size(); ++i) {
      all_[i].explicit_sync = all_[leader(i)].explicit_sync;
      all_[i].orders_cores = all_[leader(i)].orders_cores;
    }
  }

  const Program& program_;
  const pto::Functions symbols_;
  const CallGraph graph_;
  std::vector<PlannableFunction> all_;
};

bool has_alloc_to_place(const Storage& storage) {
  return std::any_of(storage.roots().begin(), storage.roots().end(),
                     [](const Root& root) { return root.planned; });
}

bool is_core_number(const Program& program, ValueId value) {
  return std::ranges::any_of(program.ops, [&](const Op& op) {
    return isa::row(op.row).opcode_class == isa::OpcodeClass::vector_core_number && op.first_result == value;
  });
}

/// Their arguments, by position; a vector function may have one more, which of its block's cores it runs on.
SameValues same_arguments(const Program& program, const Plannable& all,
                          std::span<const Plannable::Pair> pairs) {
  SameValues same;
  for (const Plannable::Pair& pair : pairs) {
    const Region& cube = body_of(program, all.all()[pair.cube].info.op);
    const Region& vector = body_of(program, all.all()[pair.vector].info.op);
    if (pair.cube_call != kNoOp) {
      std::map<ValueId, ValueId> first;  // parameter that gets a value
      for (const auto& [call, body] :
           {std::pair(pair.cube_call, cube), std::pair(pair.vector_call, vector)}) {
        const std::span<const ValueId> given = OpView(program, call).operands(0);
        for (uint32_t i = 0; i < std::min<size_t>(given.size(), body.n_args); ++i) {
          const auto [at, built] = first.try_emplace(given[i], body.first_arg + i);
          if (!built) same.add(body.first_arg + i, at->second);
          if (is_core_number(program, given[i])) same.add_core_number(body.first_arg + i);
        }
      }
      continue;
    }
    for (uint32_t i = 0; i < std::min(cube.n_args, vector.n_args); ++i)
      same.add(vector.first_arg + i, cube.first_arg + i);
    if (vector.n_args == cube.n_args + 1) same.add_core_number(vector.first_arg + cube.n_args);
  }
  return same;
}

/// The loops of one kind of core: in its sections, or in its function.
std::vector<uint32_t> loops_of(const Program& program, uint32_t function,
                               std::optional<isa::OpcodeClass> section) {
  std::vector<uint32_t> found;
  uint32_t section_end = 0;
  for (const uint32_t op : descendants(program, function)) {
    const isa::OpcodeClass opcode_class = isa::opcode_class(program.ops[op]);
    if (section && opcode_class == *section) section_end = program.end_of(op);
    if (opcode_class == isa::OpcodeClass::loop && (!section || op < section_end)) found.push_back(op);
  }
  return found;
}

/// Loops of two cores that pass on values in the same bytes, turn by turn: with several turns written out in
/// one of them, or in both, that would be something else.
std::set<uint32_t> bound_turn_by_turn(const Program& program, const Plannable& all, std::string_view entry) {
  std::set<uint32_t> bound;
  if (program.target == Target::cpu) return bound;
  const std::vector<Plannable::Pair> pairs = all.pairs(entry);
  std::vector<std::pair<std::vector<uint32_t>, std::vector<uint32_t>>> sides;
  for (const Plannable::Pair& pair : pairs)
    sides.emplace_back(loops_of(program, all.all()[pair.cube].info.op, {}),
                       loops_of(program, all.all()[pair.vector].info.op, {}));
  for (const PlannableFunction& function : all.all()) {
    if (!function.sections || function.orders_cores || function.explicit_sync) continue;
    sides.emplace_back(loops_of(program, function.info.op, isa::OpcodeClass::section_cube),
                       loops_of(program, function.info.op, isa::OpcodeClass::section_vector));
  }
  if (std::ranges::all_of(sides, [](const auto& side) { return side.first.empty() || side.second.empty(); }))
    return bound;
  const Storage storage(program, same_arguments(program, all, pairs));
  for (const auto& [cube, vector] : sides) {
    for (const uint32_t a : cube) {
      for (const uint32_t b : vector) {
        if (!count_alike(program, storage, storage.same(), a, b) ||
            !reuse_bytes(program, storage, storage.same(), a, b))
          continue;
        bound.insert({a, b});
      }
    }
  }
  return bound;
}

/// With sections, what is outside of them runs on both cores, where not every pipe exists.
void refuse_work_outside_sections(const Program& program, const PlannableFunction& function,
                                  Diagnostics& diagnostics) {
  for (uint32_t op = function.info.op + 1; op < function.end;) {
    const RowId row = program.ops[op].row;
    const bool section = isa::is_section(isa::row(row).opcode_class);
    const bool queued = !section && lane_of(isa::pipe_of(OpView(program, op))) > 0;
    if (queued) {
      Diagnostic& d =
          diagnostics.error(E0603,
                            fmt::format("{} outside of the sections of @{} cannot be ordered automatically",
                                        isa::row(row).name, function.info.name),
                            Span{}, program.ops[op].where);
      d.help = "move it into pto.section.cube or pto.section.vector, or write the flags by hand";
      return;
    }
    op = section ? program.end_of(op) : op + 1;
  }
}

/// The planner follows structures and tiles. Buffers of other kinds, and jumps, are beyond it; the simulator
/// does not carry them out either.
bool is_unplannable(const OpView& op) {
  const isa::Row& row = isa::row(op.op().row);
  if (row.opcode_class == isa::OpcodeClass::block) {
    for (uint32_t i = 0; i < op.op().n_results; ++i)
      if (op.result_type(i).is_tile()) return true;
  }
  const bool buffer = row.opcode_class == isa::OpcodeClass::alloc_buffer;
  return buffer || ((row.flags & isa::kNotExecuted) != 0 && row.layer == isa::Layer::control);
}

bool holds_unplannable(const Program& program, const std::set<uint32_t>& wanted, Diagnostics& diagnostics) {
  for (const FunctionInfo& function : functions(program)) {
    if (!wanted.empty() && !wanted.contains(function.op)) continue;
    for (const uint32_t op : descendants(program, function.op)) {
      const isa::Row& row = isa::row(program.ops[op].row);
      if (!is_unplannable(OpView(program, op))) continue;
      Diagnostic& d = diagnostics.error(
          E0449,
          row.opcode_class == isa::OpcodeClass::block
              ? "tiles that are handed from block to block are not supported by the planner"
              : fmt::format("{} is not supported by the planner and the simulator yet", row.name),
          Span{}, program.ops[op].where);
      d.unsupported = true;
      d.help = row.layer == isa::Layer::control ? Fix::use("scf.for", ", scf.if and scf.while")
                                                : "use pto.alloc_tile";
      return true;
    }
  }
  return false;
}

/// All tiles of the program together, as if none shared its bytes with another one. Not decided where some
/// have an address.
bool fits_side_by_side(const Program& program, const Machine& machine) {
  std::array<uint64_t, kSpaceCount> bytes{};
  for (const Op& op : program.ops) {
    const isa::OpcodeClass opcode_class = isa::row(op.row).opcode_class;
    if (opcode_class == isa::OpcodeClass::reserve_buffer) return false;
    if (opcode_class != isa::OpcodeClass::alloc_tile) continue;
    if (program.operands[op.operands] != kNoValue) return false;
    const Type& tile = program.type_of(op.first_result);
    const uint64_t unit = alignment_of(machine, tile.space);
    uint64_t& total = bytes[static_cast<size_t>(tile.space)];
    total = sat_add(total, round_up(occupied_bytes(tile), unit));
  }
  for (size_t space = 0; space < kSpaceCount; ++space) {
    if (bytes[space] > machine.bytes[space]) return false;
  }
  return true;
}

/// The planner walks structures recursively.
bool nested_too_deeply(const Program& program, Diagnostics& diagnostics) {
  const std::optional<uint32_t> deep = nested_deeper(program, kMaxPlannedDepth);
  if (!deep) return false;
  diagnostics.error(E0604, fmt::format("structures are nested deeper than {}", kMaxPlannedDepth), Span{},
                    program.ops[*deep].where);
  return true;
}

/// Last ones first, so that the others keep their numbers.
Copies add_buffers(Program& program, std::vector<LoopBuffers> loops) {
  Copies copies;
  std::ranges::sort(loops, std::ranges::greater(), &LoopBuffers::loop);
  for (const LoopBuffers& each : loops) {
    if (each.count <= 1) continue;
    LoopShape shape = shape_of(program, Storage(program), Constants(program), each.loop);
    if (each.open) shape.upper.reset();
    unroll(program, shape, each.count, copies);
  }
  return copies;
}

/// Those of copies are those of their tiles. Copies come after what they are made from.
BankPlaces with_copies(BankPlaces banks, const Copies& copies) {
  for (const auto& [copy, from] : copies) {
    const auto found = banks.of_tile.find(from);
    if (found != banks.of_tile.end()) banks.of_tile.emplace(copy, found->second);
  }
  return banks;
}

/// Functions that the tools order.
void reorder(Program& program, const PlanOptions& options) {
  if (who_orders(program, options.sync) != SyncBy::tools) return;
  const Plannable all(program);
  const std::set<uint32_t> wanted = all.reachable(options.entry);
  std::vector<uint32_t> functions;
  for (const PlannableFunction& function : all.all()) {
    if (function.explicit_sync || function.in_scope || !function.works) continue;
    if (wanted.empty() || wanted.contains(function.info.op)) functions.push_back(function.info.op);
  }
  order_by_stages(program, functions);
}

/// By number; division changes operations only.
std::vector<bool> functions_with_sections(const Program& program) {
  std::vector<bool> found;
  for (const FunctionInfo& function : functions(program)) {
    bool any = false;
    for (const uint32_t op : descendants(program, function.op))
      any = any || isa::is_section(isa::row(program.ops[op].row).opcode_class);
    found.push_back(any);
  }
  return found;
}

/// Functions of the entry, all when it is empty; those that order themselves only, where that is asked.
bool divide(Program& program, std::string_view entry, bool explicit_only, Diagnostics& diagnostics) {
  if (!may_need_division(program)) return true;
  const Plannable all(program);
  const std::set<uint32_t> wanted = all.reachable(entry);
  std::vector<uint32_t> functions;
  for (const PlannableFunction& function : all.all()) {
    if (explicit_only && !function.explicit_sync) continue;
    if (wanted.empty() || wanted.contains(function.info.op)) functions.push_back(function.info.op);
  }
  return divide_among_cores(program, functions, diagnostics);
}

}  // namespace
}  // namespace planner

std::vector<BufferedLoop> loops_to_buffer(const Program& program, const PlanOptions& options) {
  std::vector<BufferedLoop> found;
  if (program.ops.empty() || who_orders(program, options.sync) != SyncBy::tools) return found;
  const planner::Plannable all(program);
  const std::set<uint32_t> wanted = all.reachable(options.entry);
  const Constants constants(program);
  const planner::Slots slots(program, constants);
  const std::set<uint32_t> bound = planner::bound_turn_by_turn(program, all, options.entry);
  for (const planner::PlannableFunction& function : all.all()) {
    if (function.explicit_sync || function.in_scope || !function.works ||
        (!wanted.empty() && !wanted.contains(function.info.op)))
      continue;
    for (const uint32_t op : descendants(program, function.info.op)) {
      if (bound.contains(op) || !planner::can_unroll(program, op)) continue;
      const Number trips = planner::trips_of(program, constants, op);
      const uint32_t turns = slots.counter_congruence(op);
      if ((options.plan_memory || turns > 1) && (!trips || *trips > 1)) found.push_back({op, trips, turns});
    }
  }
  std::ranges::reverse(found);
  return found;
}

bool has_sync(const Program& program, uint32_t function_op) {
  return has_own_synchronisation(program, function_op);
}

SyncBy who_orders(const Program& program, SyncBy asked) {
  if (asked != SyncBy::by_program) return asked;
  const std::vector<FunctionInfo> all = functions(program);
  const bool any = std::any_of(all.begin(), all.end(), [&](const FunctionInfo& function) {
    return !function.declaration && has_sync(program, function.op);
  });
  return any ? SyncBy::program : SyncBy::tools;
}

bool divide_among_cores(Program& program, SyncBy sync, std::string_view entry, Diagnostics& diagnostics) {
  if (program.ops.empty() || program.target == Target::cpu) return true;
  Diagnostics depth;
  if (planner::nested_too_deeply(program, depth)) return true;  // whoever plans it says so
  return planner::divide(program, entry, who_orders(program, sync) == SyncBy::tools, diagnostics);
}

bool check_capacity(const Program& program, Diagnostics& diagnostics) {
  Machine machine;
  machine.target = program.target;
  for (size_t space = 0; space < kSpaceCount; ++space)
    machine.bytes[space] = isa::on_chip_bytes(program.target, static_cast<Space>(space));
  machine.bytes[static_cast<size_t>(Space::fb)] =
      ~uint64_t{0} / 2;  // its tables are not checked, as in the public assembler
  Diagnostics unplannable;
  if (planner::fits_side_by_side(program, machine) || planner::holds_unplannable(program, {}, unplannable))
    return true;
  const size_t before = diagnostics.errors();
  if (planner::nested_too_deeply(program, diagnostics)) return false;
  planner::Storage storage(program);
  if (planner::has_alloc_to_place(storage))
    planner::place_tiles(program, {machine, {}}, {}, storage, diagnostics);
  return diagnostics.errors() == before;
}

bool plan(Program& program, const Machine& machine, const PlanOptions& options, Diagnostics& diagnostics) {
  if (program.ops.empty()) return true;
  if (planner::nested_too_deeply(program, diagnostics)) return false;
  const size_t before = diagnostics.errors();
  const planner::Copies copies = planner::add_buffers(program, options.buffers);
  const BankPlaces banks = planner::with_copies(options.banks, copies);
  planner::memrefs_to_tiles(program);
  if (options.plan_memory) planner::widen_scratch(program);
  if (options.by_stage && options.plan_memory) planner::reorder(program, options);
  const std::vector<bool> has_sections = planner::functions_with_sections(program);
  if (!planner::divide(program, options.entry, false, diagnostics)) return false;
  planner::Plannable all(program);
  std::vector<planner::Plannable::Pair> pairs;
  if (who_orders(program, options.sync) == SyncBy::tools && program.target != Target::cpu)
    pairs = all.pairs(options.entry);
  planner::Storage storage(program, planner::same_arguments(program, all, pairs));
  const std::set<uint32_t> wanted = all.reachable(options.entry);
  if (planner::holds_unplannable(program, wanted, diagnostics)) return false;
  if (options.plan_memory && planner::has_alloc_to_place(storage))
    planner::place_tiles(program, {machine, options.machine}, wanted, storage, diagnostics, options.reuse,
                         banks);
  if (diagnostics.errors() != before) return false;
  std::vector<planner::Insertion> insertions;
  if (who_orders(program, options.sync) == SyncBy::tools) {
    all.find_cores();
    const std::vector<bool> fenced = all.fenced_calls();
    const planner::ByteSegments segments(program, storage);
    planner::SyncPlanner sync(program, machine, segments, fenced, options.shortage, diagnostics);
    planner::VectorCores vector_cores(program, storage, diagnostics);
    int signals_of_calls = 0;
    std::set<uint32_t> planned;
    for (const planner::Plannable::Pair& pair : pairs) {
      const planner::PlannableFunction &cube = all.all()[pair.cube], &vector = all.all()[pair.vector];
      if (!sync.meet_in_memory(cube.info.op, vector.info.op)) {
        vector_cores.find(vector.info.op, false);
        vector_cores.emit(0, insertions);
        continue;
      }
      planned.insert({cube.info.op, vector.info.op});
      const int kept = vector_cores.find(vector.info.op, false) ? 1 : 0;
      const int taken = sync.plan_function({.op = cube.info.op,
                                            .vector_op = vector.info.op,
                                            .cores = planner::kBothCores,
                                            .signals = true,
                                            .kept_signals = kept},
                                           insertions);
      vector_cores.emit(taken, insertions);
    }
    for (const planner::PlannableFunction& function : all.all()) {
      if (planned.contains(function.info.op)) continue;
      if (function.explicit_sync || function.in_scope ||
          (!wanted.empty() && !wanted.contains(function.info.op)))
        continue;
      if (function.sections) planner::refuse_work_outside_sections(program, function, diagnostics);
      const bool both = function.cores == CoreSet::both, signals = both && !function.orders_cores;
      const int first = function.called ? signals_of_calls : 0;
      const int kept = signals && vector_cores.find(function.info.op, true) ? 1 : 0;
      int taken =
          sync.plan_function({.op = function.info.op,
                              .cores = static_cast<planner::CoreBits>(function.cores),
                              .signals = signals,
                              .first_signal = first,
                              .kept_signals = kept,
                              .divided = !has_sections[static_cast<size_t>(&function - all.all().data())]},
                             insertions);
      if (signals) vector_cores.emit(first + taken, insertions);
      taken += kept;
      if (function.called) signals_of_calls += taken;
    }
  }
  if (diagnostics.errors() != before) return false;
  planner::rewrite(program, storage, std::move(insertions));
  return true;
}

}  // namespace pto
