// What pto-sim's runs and profiles are told alike: the machine, the launch, limits.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <string>

#include "cli/diagnostic_options.hpp"
#include "cli/lowering_options.hpp"
#include "cli/program_options.hpp"
#include "pto/launch.hpp"
#include "pto/simulator.hpp"

namespace pto::tools {

struct RunOptions {
  std::string mode = "run", basis = "measured";
  DiagnosticOptions diagnostics;
  SimOptions sim;
  LaunchOptions launch;
  PtoasOptions ptoas;
  std::vector<std::string> remarks;
};

inline void add_common_run_options(CLI::App& app, RunOptions& o) {
  app.add_option("--target,--pto-arch", o.launch.target, "a2a3, a5, cpu, or a configuration file");
  app.add_option("--mode", o.mode, "run: values and cycles; time: cycles; check: synchronisation and memory")
      ->check(one_of({"run", "time", "check"}));
  app.add_option("--arg", o.launch.args,
                 "NAME=FILE.npy, NAME=f32[16x16], NAME=f32[16x16]:1.5, NAME=f32[16x16]@FILE, NAME=i32:64; "
                 ":bits behind it for another type of the width")
      ->allow_extra_args(false);
  app.add_option("--entry", o.launch.entry, "kernel to run; all: every kernel, one after the other");
}

inline void add_other_run_options(CLI::App& app, RunOptions& o) {
  app.add_option("--set", o.launch.settings,
                 "KEY=VALUE over the target's configuration, as in its file: machine.queue_depth=4")
      ->allow_extra_args(false);
  app.add_option("--source-root", o.launch.files.source_root,
                 "folder of the texts that objects were made from; default: the object's own");
  app.add_flag("--sandbox", o.launch.files.sandbox,
               "read and write nothing outside the folder of the case or program");
  app.add_option("-D", o.launch.defines,
                 "NAME=VALUE for ${NAME} in case files and program texts, and for constants with pto.param")
      ->allow_extra_args(false);
  app.add_option("--blocks", o.launch.blocks, "launched blocks")->check(CLI::Range(1, 65535));
  add_level_option(app, "--level,--pto-level", o.launch.level, "what the program leaves to the tools");
  add_sync_option(app, o.launch.sync, "insert flags or keep the program's");
  add_buffer_option(app, o.launch.buffers);
  app.add_option("--cost-basis", o.basis, "which cost model where two exist")
      ->check(one_of({"measured", "documented"}));
  app.add_flag("--allow-unknown-cost", o.sim.allow_unknown_cost,
               "instructions without a cost row take 1 cycle, with a warning");
  app.add_flag_callback(
      "--no-launch", [&o] { o.sim.launch = false; },
      "leave out what the launch of the kernel takes before its first blocks run");
  app.add_option(
         "--fill-uninit", o.sim.checks.fill_patterns,
         "32 bits each for runs whose outputs tell whether bytes that nobody wrote matter, with commas; "
         "0: none")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--fill-on-chip", o.sim.fill_on_chip,
                 "32 bits that on-chip memory holds before anything is written, again and again");
  o.sim.checks.adverse_schedule = false;  // public kernels race and give right values on silicon
  app.add_option_function<std::string>(
         "--races", [&o](const std::string& which) { o.sim.checks.adverse_schedule = which == "old"; },
         "outputs after a RACE: old: of a second run, in which readers do not get what they do not wait for; "
         "new: of the order in which it happened")
      ->check(one_of({"old", "new"}));
  app.add_option(
      "--threads", o.sim.threads,
      "threads of the host that compute values, the same ones on any number; 0: one for each of its cores");
  app.add_option("--max-cycles", o.sim.limits.cycles, "stop after so many cycles");
  app.add_option("--max-instructions", o.sim.limits.instructions,
                 "stop when the scalar unit of a core has run so many instructions");
  add_vectors_option(app, o.launch.vectors);
  add_remark_option(app, o.remarks);
  add_diagnostic_options(app, o.diagnostics);
}

inline void add_unused_options(CLI::App& app, RunOptions& o) {
  add_ptoas_options(app, o.ptoas);
  app.add_flag_callback("--emit-pto-ir", [&o] { o.ptoas.unused.emplace_back("--emit-pto-ir"); })->group("");
}

inline SimOptions sim_options(const RunOptions& options, const std::atomic<bool>& stop) {
  SimOptions sim = options.sim;
  sim.mode = options.mode == "time" ? Mode::time : options.mode == "check" ? Mode::check : Mode::run;
  sim.documented_costs = options.basis == "documented";
  // Those that are shown as one are found first: `folded` of pto/launch.hpp.
  constexpr size_t kMaxFound = 500;
  const size_t shown = options.diagnostics.limit;
  sim.limits.findings = shown == 0 ? 0 : std::max(shown, kMaxFound);
  sim.warnings = warning_policy(options.diagnostics);
  sim.stop = &stop;
  std::erase(sim.checks.fill_patterns, 0U);
  return sim;
}

}  // namespace pto::tools
