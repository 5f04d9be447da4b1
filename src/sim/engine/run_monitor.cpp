#include "sim/engine/run_monitor.hpp"

#include <fmt/format.h>

#include <utility>

#include "sim/engine/iteration_vector.hpp"

namespace pto::sim {

// ---- limits

void RunMonitor::stop_at_max_cycles() {
  findings_.add(
      FindingId::max_cycles, ~0u,
      fmt::format("the kernel was still running at the limit of {} cycles", options_.limits.cycles));
  d_.stopped = true;
}

void RunMonitor::stop_at_max_instructions(const Core& core) {
  if (Diagnostic* finding = findings_.add(FindingId::max_instructions, core.role->code[core.su.at].pc,
                                          fmt::format("{} has run more instructions than the limit of {}",
                                                      core_name(d_, core), options_.limits.instructions))) {
    finding->moment = scalar_moment(core);
  }
  d_.stopped = true;
}

bool RunMonitor::is_within_limits(const Core& core, const LongEvent& event) {
  if (exceeds_instructions(core, event.uncounted)) stop_at_max_instructions(core);
  if (exceeds_cycles(d_.now + event.cycles)) stop_at_max_cycles();
  if (event.steps >= options_.limits.endless_steps)
    hang(event.pc, std::string(event.hang), current_.moment());
  if ((event.steps & 0xffff) == 0) report_progress();
  return !is_interrupted() && !d_.stopped;
}

void RunMonitor::hang(uint32_t pc, std::string message, Moment moment) {
  if (Diagnostic* finding = findings_.add(FindingId::hang, pc, std::move(message))) {
    finding->help = "check the condition that ends the loop";
    finding->moment = std::move(moment);
  }
  d_.stopped = true;
}

// ---- the caller

void RunMonitor::report_progress() {
  if (!options_.progress) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_progress_ < std::chrono::milliseconds(100)) return;
  last_progress_ = now;
  uint64_t instructions = 0;
  for (const auto& core : d_.cores) instructions += core->su.instructions + core->vector_steps;
  options_.progress(d_.now, instructions);
}

void RunMonitor::interrupt() {
  findings_.add(
      FindingId::interrupted, ~0u,
      fmt::format("the run was interrupted in cycle {}; all that is reported is about the time before",
                  d_.now));
  interrupted_ = true;
  d_.stopped = true;
}

// ---- findings that end a run

Moment RunMonitor::scalar_moment(const Core& core) const {
  return moment_of(*d_.program, core, core.role->code[core.su.at].pc, core.su.time);
}

/// Of the scalar unit, or of a vector function that runs.
Moment RunMonitor::code_moment(const Core& core, const BytecodeInst& code) {
  if (&code == &core.role->code[core.su.at]) return scalar_moment(core);
  current_.set_pc(code.pc);
  return current_.moment();
}

void RunMonitor::stop_at_unknown(Core& core, const BytecodeInst& code) {
  if (Diagnostic* finding =
          findings_.add(FindingId::time_data, code.pc,
                        "this depends on a value in memory, which a run without data does not have")) {
    finding->help = "run with --mode run";
    finding->moment = code_moment(core, code);
  }
  d_.stopped = true;
  core.su.block = Block::halted;
}

void RunMonitor::stop_at_loop_step(Core& core, const BytecodeInst& code, int64_t step) {
  if (Diagnostic* finding =
          findings_.add(FindingId::loop_step, code.pc,
                        fmt::format("the step of this loop is {}; it has to be positive", step))) {
    finding->moment = code_moment(core, code);
  }
  d_.stopped = true;
  core.su.block = Block::halted;
}

/// cf.assert: the run ends where its condition does not hold.
void RunMonitor::stop_at_assertion(Core& core, const BytecodeInst& code) {
  const AttrValue* const message = OpView(*d_.program, code.pc).attr("msg");
  if (Diagnostic* finding = findings_.add(
          FindingId::assertion, code.pc,
          fmt::format("this does not hold: {}",
                      message == nullptr ? std::string_view() : d_.program->strings[message->text]))) {
    finding->moment = code_moment(core, code);
  }
  d_.stopped = true;
}

}  // namespace pto::sim
