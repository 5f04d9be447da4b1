// Options that all commands of pto-sim share: target, launch, limits.
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
  begin_group(app, group::kTarget);
  app.add_option("--target,--pto-arch", o.launch.target,
                 "a2a3, a2, a3, a5, cpu, or a configuration file (default: the target of the case or module, "
                 "else a2a3)")
      ->type_name("TARGET");
  begin_group(app, group::kSimulation);
  app.add_option("--mode", o.mode,
                 "run: values and cycles (default); time: cycles; check: synchronisation and memory")
      ->check(one_of({"run", "time", "check"}));
  begin_group(app, group::kLaunch);
  app.add_option(
         "--arg", o.launch.args,
         "argument of the kernel: NAME=FILE.npy, NAME=f32[16x16], NAME=f32[16x16]:1.5, "
         "NAME=f32[16x16]@FILE, NAME=i32:64; with :bits at the end, another type of the same width is "
         "accepted")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--entry", o.launch.entry, "kernel to run; all: every kernel, one after the other")
      ->type_name("KERNEL");
}

inline void add_other_run_options(CLI::App& app, RunOptions& o) {
  begin_group(app, group::kTarget);
  app.add_option("--set", o.launch.settings,
                 "override a key of the target's configuration: machine.queue_depth=4")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app.add_option("--cost-basis", o.basis,
                 "cost model to use if the target has two: measured (default) or documented")
      ->check(one_of({"measured", "documented"}));
  app.add_flag("--allow-unknown-cost", o.sim.allow_unknown_cost,
               "give instructions without a cost row 1 cycle, with a warning");
  begin_group(app, group::kProgram);
  app.add_option("-D", o.launch.defines,
                 "value of ${NAME} in case files and program texts, and of constants with pto.param")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--source-root", o.launch.files.source_root,
                 "folder of the program texts of objects (default: the path that the object contains)")
      ->type_name("DIR");
  app.add_flag("--sandbox", o.launch.files.sandbox,
               "do not read or write outside the folder of the case or program");
  begin_group(app, group::kLaunch);
  app.add_option("--blocks", o.launch.blocks, "blocks to launch, 1 to 65535")
      ->type_name("N")
      ->check(CLI::Range(1, 65535));
  begin_group(app, group::kCompilation);
  add_level_option(app, "--level,--pto-level", o.launch.level,
                   "level of the program: the tools choose addresses and flags below level3");
  add_sync_option(app, o.launch.sync);
  add_buffer_option(app, o.launch.buffers);
  add_vectors_option(app, o.launch.vectors);
  add_remark_option(app, o.remarks);
  begin_group(app, group::kSimulation);
  app.add_flag_callback(
      "--no-launch", [&o] { o.sim.launch = false; },
      "omit the launch latency of the kernel before its first blocks run");
  add_count(app, "--fill-uninit", o.sim.checks.fill_patterns,
            "32-bit patterns for uninitialised memory, separated by commas; one additional run for each "
            "pattern shows whether outputs depend on uninitialised bytes; 0: none",
            "BITS")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_count(app, "--fill-on-chip", o.sim.fill_on_chip,
            "32-bit pattern that fills on-chip memory before the run", "BITS");
  o.sim.checks.adverse_schedule = false;  // public kernels race and give right values on silicon
  app.add_option_function<std::string>(
         "--races", [&o](const std::string& which) { o.sim.checks.adverse_schedule = which == "old"; },
         "outputs after a RACE: new: those of the simulated order (default); old: those of a second run, in "
         "which a read without synchronisation returns the bytes from before the write")
      ->check(one_of({"old", "new"}));
  add_count(app, "--threads", o.sim.threads,
            "host threads that compute values; results do not depend on N; 0: one for each host core");
  add_count(app, "--max-cycles", o.sim.limits.cycles, "stop after this number of cycles", "CYCLES");
  add_count(app, "--max-instructions", o.sim.limits.instructions,
            "stop after this number of instructions of one scalar unit");
  add_diagnostic_options(app, o.diagnostics);
}

inline void add_unused_options(CLI::App& app, RunOptions& o) {
  add_ptoas_options(app, o.ptoas);
  app.add_flag_callback("--emit-pto-ir", [&o] { o.ptoas.unused.emplace_back("--emit-pto-ir"); })
      ->group(group::kHidden);
}

inline SimOptions sim_options(const RunOptions& options, const std::atomic<bool>& stop) {
  SimOptions sim = options.sim;
  sim.mode = options.mode == "time" ? Mode::time : options.mode == "check" ? Mode::check : Mode::run;
  sim.documented_costs = options.basis == "documented";
  // `folded` of pto/launch.hpp joins findings later, so more of them are kept than printed.
  constexpr size_t kMaxFound = 500;
  const size_t shown = options.diagnostics.limit;
  sim.limits.findings = shown == 0 ? 0 : std::max(shown, kMaxFound);
  sim.warnings = warning_policy(options.diagnostics);
  sim.stop = &stop;
  std::erase(sim.checks.fill_patterns, 0U);
  return sim;
}

}  // namespace pto::tools
