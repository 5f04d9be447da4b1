// The text report: verdict, table, shares.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/hardware_lanes.hpp"
#include "report/chip_summary.hpp"
#include "report/naming.hpp"
#include "report/run_report.hpp"
#include "support/quiet_warnings.hpp"

namespace pto::report {
namespace {

constexpr size_t kMaxCoreRows = 6;   // more cores are shown as groups of one kind
constexpr double kBoundShare = 0.6;  // a pipe busier than this bounds the run
constexpr double kWaitWorthTelling = 0.05;

bool waits_for_something(Stall reason) {
  return reason != Stall::none && reason != Stall::not_issued && reason != Stall::finished;
}

bool bounds(const PipeStats& pipe, const SimResult& result) {
  return share(pipe.busy_cycles, result.kernel_cycles()) >= kBoundShare;
}

const PipeStats* busiest(const SimResult& result) {
  const PipeStats* best = nullptr;
  for (const PipeStats& pipe : result.pipes) {
    if (pipe.instructions != 0 && (!best || pipe.busy_cycles > best->busy_cycles)) best = &pipe;
  }
  return best;
}

/// " on AIC 0", when there is more than one core to confuse it with.
std::string on_core(const SimResult& result, uint32_t core) {
  return result.cores.size() > 1 && core < result.cores.size() ? " on " + core_name(result.cores[core]) : "";
}

/// What a wait was for: " for MTE2 (EVENT_ID0) at k.pto:41", " in pto.barrier at k.pto:7".
std::string wait_cause(const Run& run, const Wait& wait) {
  if (wait.pc >= run.program.ops.size()) return fmt::format(" ({})", to_string(wait.reason));
  const OpView op(run.program, wait.pc);
  const AttrValue* source = op.attr("src_pipe");
  const AttrValue* id = op.attr("event_id");
  if (wait.reason == Stall::flag && source && id) {
    return fmt::format(" for {} (EVENT_ID{}) at {}", short_name(static_cast<Pipe>(source->integer)),
                       id->integer, place(run.program, wait.pc));
  }
  return fmt::format(" in {} at {} ({})", op.mnemonic(), place(run.program, wait.pc), to_string(wait.reason));
}

/// What keeps the busiest pipe from working: its own longest wait. That another pipe waits, as a store does
/// until the end, costs nothing.
std::string longest_wait(const Run& run, const PipeStats& busiest) {
  const auto worth_telling = [&](uint64_t cycles) {
    return share(cycles, run.result.kernel_cycles()) >= kWaitWorthTelling;
  };
  const uint64_t nothing = busiest.stall_cycles[static_cast<size_t>(Stall::not_issued)];
  const uint64_t over = busiest.stall_cycles[static_cast<size_t>(Stall::finished)];
  std::string longest;
  uint64_t cycles = 0;
  for (const Wait& wait : run.summary.waits()) {
    if (wait.pipe != busiest.pipe || wait.core != busiest.core || !waits_for_something(wait.reason)) continue;
    if (worth_telling(wait.cycles))
      longest = fmt::format("waits{} for {} of the time", wait_cause(run, wait),
                            percent(wait.cycles, run.result.kernel_cycles()));
    cycles = wait.cycles;
    break;
  }
  if (over > cycles && over >= nothing && worth_telling(over))
    longest = fmt::format("is done after {}",
                          percent(run.result.kernel_cycles() - over, run.result.kernel_cycles()));
  else if (nothing > cycles && worth_telling(nothing))
    longest = fmt::format("has nothing in its queue for {} of the time",
                          percent(nothing, run.result.kernel_cycles()));
  return longest.empty() ? "" : "; it " + longest;
}

uint64_t waits_for_cores(const PipeStats& pipe) {
  return pipe.stall_cycles[static_cast<size_t>(Stall::cross_core)];
}

/// Cube and vector cores that wait for each other for a good part of the time.
std::string turns(const Run& run) {
  constexpr double kMuch = 0.2;
  const PipeStats *cube = nullptr, *vector = nullptr;
  for (const PipeStats& pipe : run.result.pipes) {
    if (pipe.core >= run.result.cores.size() || pipe.instructions == 0) continue;
    const CoreKind kind = run.result.cores[pipe.core].kind;
    const PipeStats*& most = kind == CoreKind::aic ? cube : vector;
    if (kind == CoreKind::mixed || share(waits_for_cores(pipe), run.result.kernel_cycles()) < kMuch) continue;
    if (most == nullptr || waits_for_cores(pipe) > waits_for_cores(*most)) most = &pipe;
  }
  if (cube == nullptr || vector == nullptr) return "";
  const auto words = [&](const PipeStats& pipe) {
    return fmt::format("{} on {} waits for the other side for {}", short_name(pipe.pipe),
                       core_name(run.result.cores[pipe.core]),
                       percent(waits_for_cores(pipe), run.result.kernel_cycles()));
  };
  return fmt::format("; cube and vector alternate: {}, {}", words(*cube), words(*vector));
}

struct PipeRow {
  std::string core;
  Pipe pipe;
  uint64_t busy = 0, instructions = 0, cores = 0;
  std::array<uint64_t, 16> stalls{};
};

void add(PipeRow& row, const PipeStats& pipe) {
  row.busy += pipe.busy_cycles;
  row.instructions += pipe.instructions;
  ++row.cores;
  for (size_t i = 0; i < row.stalls.size(); ++i) row.stalls[i] += pipe.stall_cycles[i];
}

std::string_view kind_label(CoreKind kind) {
  return kind == CoreKind::aic ? "AIC" : kind == CoreKind::aiv ? "AIV" : "core";
}

/// Per core, or per kind of core when there are many; pipes without work are left out.
std::vector<PipeRow> rows_of(const SimResult& result) {
  std::map<std::pair<uint32_t, int>, PipeRow> rows;
  const bool grouped_rows = result.cores.size() > kMaxCoreRows;
  for (const PipeStats& pipe : result.pipes) {
    if (pipe.instructions == 0 && pipe.busy_cycles == 0) continue;
    const CoreInfo core = pipe.core < result.cores.size() ? result.cores[pipe.core] : CoreInfo{};
    const uint32_t key = grouped_rows ? static_cast<uint32_t>(core.kind) : pipe.core;
    PipeRow& row = rows.try_emplace({key, lane_of(pipe.pipe)}, PipeRow{{}, pipe.pipe}).first->second;
    add(row, pipe);
    row.core = grouped_rows ? fmt::format("{} x{}", kind_label(core.kind), row.cores) : core_name(core);
  }
  std::vector<PipeRow> list;
  for (auto& [key, row] : rows) list.push_back(std::move(row));
  return list;
}

std::string stall_shares(const PipeRow& row, uint64_t total) {
  std::vector<std::pair<uint64_t, Stall>> list;
  for (size_t i = 1; i < row.stalls.size(); ++i) {
    if (row.stalls[i]) list.emplace_back(row.stalls[i], static_cast<Stall>(i));
  }
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [cycles, reason] : list)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(reason), percent(cycles, total));
  return text;
}

std::string table(const SimResult& result) {
  std::string out = fmt::format("{:<9} {:<5} {:>12} {:>7} {:>13}  {}\n", "core", "pipe", "busy cycles",
                                "busy", "instructions", "idle because of");
  for (const PipeRow& row : rows_of(result)) {
    const uint64_t total = result.kernel_cycles() * row.cores;
    out += fmt::format("{:<9} {:<5} {:>12} {:>7} {:>13}  {}\n", row.core, short_name(row.pipe),
                       grouped(row.busy), percent(row.busy, total), grouped(row.instructions),
                       stall_shares(row, total));
  }
  return out;
}

std::string basis_line(const SimResult& result) {
  uint64_t all = 0;
  for (const uint64_t cycles : result.basis_cycles) all += cycles;
  if (all == 0) return "";
  std::string text;
  for (size_t i = 0; i < 4; ++i) {
    if (result.basis_cycles[i])
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", percent(result.basis_cycles[i], all),
                          to_string(static_cast<Basis>(i)));
  }
  return fmt::format("cost basis: {} (of {} busy cycles)\n", text, grouped(all));
}

std::string inserted_line(const Run& run) {
  if (run.inserted == 0) return "";
  return fmt::format(
      "note: put in {} set_flag, wait_flag and barrier, which the program leaves to the tools (--sync "
      "explicit "
      "leaves them out)\n",
      grouped(run.inserted));
}

/// What the verdict takes flags for, where it makes a difference.
std::string assumption_line(const SimResult& result) {
  if (result.double_sets == 0) return "";
  return fmt::format("note: {}\n", assumption_of_flags(result.double_sets));
}

std::string unknown_cost_line(const SimResult& result) {
  if (result.unknown_cost == 0) return "";
  return fmt::format(
      "warning: {} instruction{} without a cost row counted as 1 cycle each (--allow-unknown-cost)\n",
      grouped(result.unknown_cost), result.unknown_cost == 1 ? "" : "s");
}

}  // namespace

std::string verdict(const Run& run) {
  const SimResult& result = run.result;
  std::string cycles =
      fmt::format("{} cycle{}", grouped(result.total_cycles), result.total_cycles == 1 ? "" : "s");
  if (result.launch_cycles != 0) cycles += fmt::format(" ({} of them launch)", grouped(result.launch_cycles));
  if (result.deadlock) {
    const auto why = std::ranges::find(result.findings.all(), FindingId::deadlock, &Diagnostic::id);
    return fmt::format("deadlock after {}{}", cycles,
                       why == result.findings.all().end() ? "" : ": " + why->message);
  }
  const PipeStats* top = busiest(result);
  if (!top || result.kernel_cycles() == 0) return cycles + ", no pipe had work";
  if (const std::string chip = bound_by_chip(result); !chip.empty()) return cycles + ", " + chip;
  const std::string who = fmt::format("{}{}", short_name(top->pipe), on_core(result, top->core));
  const std::string busy = percent(top->busy_cycles, result.kernel_cycles());
  const std::string bound =
      bounds(*top, result)
          ? fmt::format("bound by {} ({} busy)", who, busy)
          : fmt::format("bound by waiting: the busiest pipe, {}, works {} of the time", who, busy);
  const std::string both = turns(run);
  return fmt::format("{}, {}{}", cycles, bound, both.empty() ? longest_wait(run, *top) : both);
}

std::string outcome(const Diagnostics& findings) {
  const auto count = [](size_t n, std::string_view what) {
    return fmt::format("{} {}{}", grouped(n), what, n == 1 ? "" : "s");
  };
  std::string text = findings.errors() == 0 ? "ok" : "FAILED";
  if (findings.errors() != 0) text += ", " + count(findings.errors(), "error");
  if (findings.warnings() != 0) text += ", " + count(findings.warnings(), "warning");
  return text;
}

std::string text_report(const Run& run) {
  return outcome(run.result.findings) + ": " + verdict(run) + "\n" + agreement_text(run) + "\n" +
         table(run.result) + chip_lines(run.result) + basis_line(run.result) + unknown_cost_line(run.result) +
         assumption_line(run.result) + inserted_line(run);
}

}  // namespace pto::report

namespace pto {

std::string bound_by(const SimResult& result) {
  const PipeStats* top = report::busiest(result);
  if (top == nullptr || result.kernel_cycles() == 0) return "no work";
  if (const auto waves = report::use_of_waves(result)) {
    const std::string pipe = fmt::format("{} {:.0f} %", report::short_name(waves->pipe), 100 * waves->busy);
    if (waves->bound() == report::WaveUse::Bound::pipe) return pipe;
    return fmt::format("{} ({})", waves->bound() == report::WaveUse::Bound::waves ? "waves" : "waiting",
                       pipe);
  }
  const std::string busiest = fmt::format("{} {}", report::short_name(top->pipe),
                                          report::percent(top->busy_cycles, result.kernel_cycles()));
  return report::bounds(*top, result) ? busiest : fmt::format("waiting ({})", busiest);
}

}  // namespace pto
