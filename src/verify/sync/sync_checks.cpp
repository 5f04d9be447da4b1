// Static synchronisation checks: which kernels there are, and which cores run them.
// docs/reference/static-checks.md says what is found.
#include <algorithm>
#include <set>
#include <span>

#include "analysis/launch_groups.hpp"
#include "ir/call_graph.hpp"
#include "ir/regions.hpp"
#include "verify/sync/findings.hpp"

namespace pto::legality {
namespace sync {
namespace {

using Kind = FunctionInfo::Kind;

/// Calls multiply what is walked: a kernel that is longer than this is given up, not walked for hours.
constexpr uint64_t kMaxOperations = 5'000'000;

/// What a kernel's text holds, with everything it calls.
struct Needs {
  bool cube = false, vector = false, sync = false, signals = false;
  bool order = false;  ///< what orders its pipes: the tools insert nothing
  uint64_t operations = 0;
};

class Kernels {
 public:
  Kernels(Checker& check, FactsTable& facts, SyncBy sync, const Machine* machine)
      : check_(check),
        by_(sync),
        machine_(machine),
        program_(check.program()),
        functions_(check.functions()),
        graph_(check.calls()),
        facts_(facts) {
    needs_.resize(functions_.all().size());
    called_.resize(functions_.all().size());
    for (const uint32_t function : graph_.callees_first()) scan(function);
  }

  [[nodiscard]] bool any_sync() const {
    return std::ranges::any_of(needs_, [](const Needs& n) { return n.sync || n.signals; });
  }

  void check(Report& report) {
    AbstractValues values(program_);
    const bool marked = std::ranges::any_of(
        functions_.all(), [](const Function& f) { return f.info.entry && !f.info.declaration; });
    for (uint32_t i = 0; i < functions_.all().size(); ++i) {
      const FunctionInfo& f = functions_[i].info;
      if (f.declaration || !(marked ? f.entry : !called_[i])) continue;
      check_kernel(report, values, i);
    }
    check_launches(report, values);
    for (const auto& [cube, vector] : signals_) report.signals(cube, vector);
  }

 private:
  /// What the function itself holds, and what its callees were found to hold.
  void scan(uint32_t index) {
    Needs& needs = needs_[index];
    needs.order = has_own_synchronisation(program_, functions_[index].info.op);
    for (uint32_t i = functions_[index].info.op; i < functions_[index].end; ++i) {
      const OperationFacts& facts = facts_.find(program_.ops[i].row);
      ++needs.operations;
      needs.sync = needs.sync || facts.sync;
      needs.signals = needs.signals || isa::is_signal(facts.opcode_class);
      needs.cube = needs.cube || facts.opcode_class == OpcodeClass::section_cube;
      needs.vector = needs.vector || facts.opcode_class == OpcodeClass::section_vector;
    }
    for (const Call& call : graph_.calls_of(index)) add_callee(needs, call.callee);
  }

  void add_callee(Needs& needs, uint32_t callee) {
    called_[callee] = true;
    const Needs& theirs = needs_[callee];
    const Kind kind = functions_[callee].info.kind;
    needs.cube = needs.cube || theirs.cube || kind == Kind::cube;
    needs.vector = needs.vector || theirs.vector || kind == Kind::vector;
    needs.sync = needs.sync || theirs.sync;
    needs.order = needs.order || theirs.order;
    needs.signals = needs.signals || theirs.signals;
    needs.operations = std::min(needs.operations + theirs.operations, kMaxOperations);
  }

  void check_kernel(Report& report, AbstractValues& values, uint32_t index) {
    const FunctionInfo& f = functions_[index].info;
    const Needs& needs = needs_[index];
    if (!needs.sync && !needs.signals && check_.level() != Level::level3 && by_ != SyncBy::program) return;
    const bool cube = f.kind == Kind::cube || (f.kind == Kind::unknown && needs.cube);
    const bool vector = f.kind == Kind::vector || (f.kind == Kind::unknown && needs.vector);
    std::vector<CoreKind> kinds;
    if (cube) kinds.push_back(CoreKind::aic);
    if (vector) kinds.push_back(CoreKind::aiv);
    if (kinds.empty()) kinds.push_back(CoreKind::mixed);
    std::vector<std::vector<Signal>> signals;
    bool signals_known = true;
    for (const CoreKind kind : kinds) {
      WalkOptions options{.kind = kind,
                          .entry = f.entry,
                          .races = needs.order || by_ == SyncBy::program,
                          .budget = 10 * needs.operations + 4096,
                          .machine = machine_};
      Walk walk(check_, functions_, facts_, values, options);
      if (!walk.run(f.op)) return;
      signals_known = signals_known && !walk.signals_unknown();
      signals.push_back(walk.signals());
      report.flags(walk, f.op);
      report.orders(walk);
      report.tiles(walk);
    }
    if (signals.size() == 2 && signals_known) signals_.emplace_back(signals[0], signals[1]);
  }

  /// The cores of every block together: kernels with code for both kinds, and pairs of kernels.
  void check_launches(Report& report, AbstractValues& values) {
    if (!any_sync()) return;
    const auto some = [&](Kind kind) {
      return std::ranges::any_of(functions_.all(), [&](const Function& f) { return f.info.kind == kind; });
    };
    if (some(Kind::cube) && some(Kind::vector)) {
      for (const LaunchedFunctions& launch : launches(program_, functions_, graph_))
        check_launch(report, values, launch.functions);
      return;
    }
    for (uint32_t i = 0; i < functions_.all().size(); ++i) {
      if (!functions_[i].info.declaration) check_launch(report, values, {&i, 1});
    }
  }

  void check_launch(Report& report, AbstractValues& values, std::span<const uint32_t> members) {
    const uint32_t cube = members.front(), vector = members.back();
    const Kind first = functions_[cube].info.kind, last = functions_[vector].info.kind;
    const bool one = cube == vector && first == Kind::unknown && needs_[cube].cube && needs_[cube].vector;
    const bool two = members.size() == 2 && first == Kind::cube && last == Kind::vector;
    if (one || two) check_block(report, values, cube, vector);
  }

  void check_block(Report& report, AbstractValues& values, uint32_t cube, uint32_t vector) {
    const FunctionInfo &first = functions_[cube].info, &last = functions_[vector].info;
    const bool signals = needs_[cube].signals || needs_[vector].signals;
    const bool orders = needs_[cube].order || needs_[vector].order || by_ == SyncBy::program;
    if (!first.entry || !last.entry || (!signals && !orders)) return;
    std::array<Trace, kBlockCores> traces;
    for (size_t core = 0; core < kBlockCores; ++core) {
      const uint32_t function = core == 0 ? cube : vector;
      constexpr uint64_t kSteps = 20'000;  // of loops that synchronise, every iteration
      const WalkOptions options{.kind = core == 0 ? CoreKind::aic : CoreKind::aiv,
                                .budget = 10 * needs_[function].operations + kSteps,
                                .machine = machine_,
                                .trace = &traces[core],
                                .vector_core = core == 2 ? 1 : 0,
                                .core_is_argument = core != 0 && parameters(vector) == parameters(cube) + 1};
      Walk walk(check_, functions_, facts_, values, options);
      if (!walk.run(functions_[function].info.op)) return;
      if (!orders) traces[core].order_open = true;
    }
    BlockModel model(traces);
    model.run();
    report.block(model);
  }

  [[nodiscard]] uint32_t parameters(uint32_t function) const {
    return body_of(program_, functions_[function].info.op).n_args;
  }

  Checker& check_;
  SyncBy by_;
  const Machine* machine_;
  const Program& program_;
  const Functions& functions_;
  const CallGraph& graph_;
  FactsTable& facts_;
  std::vector<Needs> needs_;
  std::vector<bool> called_;
  std::vector<std::pair<std::vector<Signal>, std::vector<Signal>>> signals_;  ///< of mixed kernels
};

}  // namespace
}  // namespace sync

void check_insertable(Checker& check) {
  for (uint32_t i = 0; i < check.program().ops.size(); ++i) {
    const OpView op(check.program(), i);
    if (isa::opcode_class(op) != isa::OpcodeClass::assign) continue;
    check.fail(E0514, op,
               "pto.tassign cannot be combined with inserted flags: they are placed for the addresses that "
               "tiles are made with",
               "write the flags by hand (--sync=explicit), or make one tile per address");
  }
}

void check_synchronisation(Checker& check, SyncBy by, const Machine* machine) {
  sync::FactsTable facts;
  sync::Kernels kernels(check, facts, by, machine);
  if (!kernels.any_sync() && check.level() != Level::level3 && by != SyncBy::program) return;
  sync::Report report(check);
  kernels.check(report);
  report.finish();
}

}  // namespace pto::legality
