#include "pto-sim/sweep_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/tool_main.hpp"
#include "pto/sweep.hpp"
#include "sim/findings/naming.hpp"
#include "support/printable.hpp"

namespace pto::tools {
namespace {

constexpr std::string_view kTool = "pto-sim sweep";

/// A counter on standard error, if it is a terminal.
class Counter {
 public:
  void show(uint64_t done, uint64_t all) {
    if (!watched_) return;
    put(stderr, fmt::format("\r{} of {} points", sim::grouped(done), sim::grouped(all)));
    shown_ = true;
  }
  ~Counter() {
    if (shown_) put(stderr, "\r\x1b[K");
  }

 private:
  bool watched_ = isatty(STDERR_FILENO) != 0, shown_ = false;
};

}  // namespace

CLI::App* add_sweep_command(CLI::App& app) {
  return app.add_subcommand("sweep", "Runs a case or program with many values of its parameters.");
}

void add_sweep_options(CLI::App& command, SweepTool& options) {
  begin_group(command, group::kProgram);
  command.add_option("file", options.file, "sweep file")->type_name("FILE")->required();
  begin_group(command, group::kSimulation);
  command
      .add_option("--shard", options.shard,
                  "I/N: run every N-th point, from point I on; auto: take I and N from mpirun or Slurm")
      ->type_name("I/N");
  command.add_flag("--merge", options.merge, "merge the rows of all shards");
  add_count(command, "-j,--jobs", options.jobs, "points to run in parallel (default: one per host core)");
  begin_group(command, group::kReports);
  command.add_option("--report", options.report, "format of the report on standard output (default: text)")
      ->check(one_of({"text", "json", "none"}));
  begin_group(command, group::kOutput);
  command.add_option("--out", options.out, "write OUT.jsonl and OUT.csv (default: FILE without .toml)")
      ->type_name("OUT");
  add_common_run_options(command, options.run);
  add_other_run_options(command, options.run);
  add_unused_options(command, options.run);
}

int run_sweep(const CLI::App& command, const SweepTool& options, const std::atomic<bool>& stop) {
  if (const std::string why = refusal(options.run.ptoas, options.run.launch.target); !why.empty())
    return fail(kTool, why);
  SweepOptions wanted;
  wanted.launch = options.run.launch;
  wanted.launch.diagnostics = make_diagnostics(options.run.diagnostics);
  wanted.launch.fold_warnings = folded_warnings(options.run.diagnostics);
  wanted.sim = sim_options(options.run, stop);
  wanted.mode_given = command.count("--mode") != 0;
  wanted.out = options.out;
  wanted.jobs = options.jobs;
  wanted.stop = &stop;
  wanted.shards = 0;
  if (!options.shard.empty()) {
    if (options.merge) return fail(kTool, "--merge merges all shards; omit --shard");
    const auto shard = parse_shard(options.shard);
    if (!shard) return fail(kTool, shard.error());
    std::tie(wanted.shard, wanted.shards) = *shard;
  }
  Counter counter;
  wanted.progress = [&](uint64_t done, uint64_t all) { counter.show(done, all); };
  const auto outcome =
      options.merge ? merge_sweep(options.file, wanted) : pto::run_sweep(options.file, wanted);
  if (!outcome) return fail(kTool, outcome.error());
  if (outcome->rows != outcome->points) {
    put(stderr, fmt::format("{}: {} of {} points are finished; the same command continues\n", kTool,
                            outcome->rows, outcome->points));
    return kInterrupted;
  }
  if (outcome->text.empty()) {
    if (options.report == "text")
      put(stdout, fmt::format("shard {} of {}: {} points, {} ok\n", wanted.shard, wanted.shards,
                              outcome->points, outcome->ok));
    return kOk;
  }
  if (options.report == "text") put(stdout, printable_report(outcome->text));
  if (options.report == "json") put(stdout, outcome->json);
  return outcome->ok != 0 ? kOk : kFinding;
}

}  // namespace pto::tools
