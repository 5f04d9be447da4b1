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

/// Counts on standard error, when somebody watches.
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
  return app.add_subcommand("sweep", "runs a case or program with many values of its parameters");
}

void add_sweep_options(CLI::App& command, SweepTool& options) {
  command.add_option("file", options.file, "sweep file (docs/user/sweeps.md)")->required();
  command.add_option("--out", options.out, "OUT.jsonl and OUT.csv are written; default: FILE without .toml");
  command.add_option("--shard", options.shard,
                     "i/n: only every n-th point, from point i on; auto: what mpirun or Slurm say");
  command.add_flag("--merge", options.merge, "put the rows of all shards together");
  command.add_option("--jobs,-j", options.jobs, "points that run at the same time; default: one per core");
  command.add_option("--report", options.report, "what to print")->check(one_of({"text", "json", "none"}));
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
    if (options.merge) return fail(kTool, "--merge puts all shards together; leave --shard out");
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
    put(stderr, fmt::format("{}: {} of {} points have their rows; the same command goes on\n", kTool,
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
