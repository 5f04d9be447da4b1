// pto-sim: runs a program on a target: values, cycles, findings, reports.
#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "diagnostic_options.hpp"
#include "pto/simulator.hpp"
#include "pto/version.hpp"
#include "report/describe.hpp"
#include "report/launch.hpp"
#include "report/report.hpp"
#include "support/file.hpp"
#include "tool_main.hpp"

namespace {

using namespace pto;
using namespace pto::tools;


struct Options {
  std::string input, mode = "run", report = "text", trace, stats, basis = "measured", log_level = "warn";
  bool timeline = false;
  DiagnosticOptions diagnostics;
  SimOptions sim;
  report::LaunchOptions launch;
};

constexpr std::string_view kTool = "pto-sim";

/// -w and -Werror hold for warnings of a run as well.
void apply_switches(const Options& options, std::vector<Finding>& findings) {
  const WarningPolicy policy = warning_policy(options.diagnostics);
  std::erase_if(findings, [&](const Finding& f) { return f.warning && policy.verdict(f.id) == WarningPolicy::Verdict::drop; });
  for (Finding& finding : findings) finding.warning = finding.warning && policy.verdict(finding.id) != WarningPolicy::Verdict::fail;
}

/// Counts on stderr, once a run takes over a second and somebody watches.
class Progress {
 public:
  void operator()(uint64_t cycles, uint64_t instructions) {
    if (!watched_ || std::chrono::steady_clock::now() - begin_ < std::chrono::seconds(1)) return;
    put(stderr, fmt::format("\r{} cycles, {} instructions", report::grouped(cycles), report::grouped(instructions)));
    shown_ = true;
  }
  ~Progress() {
    if (shown_) put(stderr, "\r\x1b[K");
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool watched_ = isatty(STDERR_FILENO) != 0, shown_ = false;
};

report::LaunchOptions launch_options(const Options& options) {
  report::LaunchOptions launch = options.launch;
  if (!options.trace.empty()) launch.files.reports.push_back({"--trace", options.trace});
  if (!options.stats.empty()) launch.files.reports.push_back({"--stats", options.stats});
  if (options.report != "none" || options.timeline) launch.files.reports.push_back({"standard output", "-"});
  return launch;
}

SimOptions sim_options(const Options& options, const report::Launch& launch) {
  SimOptions sim = options.sim;
  sim.mode = options.mode == "time" ? Mode::time : options.mode == "check" ? Mode::check : Mode::run;
  sim.target = launch.target;
  sim.entry = launch.the_case.entry;
  sim.blocks = launch.the_case.blocks;
  sim.documented_costs = options.basis == "documented";
  return sim;
}

/// Prints the reports; those that go into files are added to the files of the run.
Result<bool> write_reports(const Options& options, const report::Run& run, OutputFiles& files) {
  if (options.report == "json") put(stdout, report::json_report(run));
  if (options.report == "text") put(stdout, printable_report(report::text_report(run)));
  if (options.timeline) put(stdout, "\n" + printable_report(report::timeline(run)));
  const auto add = [&](const std::string& file, const auto& text) -> Result<bool> {
    if (file.empty()) return true;
    const auto out = files.open(file);
    if (!out) return out.error();
    (*out)->write(text(run));
    return true;
  };
  if (auto added = add(options.trace, report::trace_json); !added) return added;
  return add(options.stats, report::stats_json);
}

bool ran_to_the_end(const SimResult& result) {
  return std::none_of(result.findings.begin(), result.findings.end(),
                      [](const Finding& f) { return f.id == "DEADLOCK" || f.id.starts_with("MAX-"); });
}

int run(const Options& options) {
  Diagnostics diagnostics = make_diagnostics(options.diagnostics);
  auto launch = report::prepare(options.input, launch_options(options), diagnostics);  // read or assemble, verify, plan
  if (!launch) return fail(kTool, launch.error());
  diagnostics.sort();
  const bool text = options.diagnostics.form == "text";   // the others are one document, with the findings
  if (text || !launch->ready) print_diagnostics(options.diagnostics, diagnostics, launch->the_case.program, launch->source, kTool);
  if (!launch->ready) return exit_code(diagnostics);
  auto arguments = load_arguments(launch->the_case);
  if (!arguments) return fail(kTool, arguments.error());

  SimOptions sim = sim_options(options, *launch);
  sim.progress = Progress();
  report::Summary summary;
  report::Recorder recorder;
  const bool record = options.timeline || !options.trace.empty() || options.report == "json";
  std::vector<Observer*> observers = {&summary};
  if (record) observers.push_back(&recorder);
  spdlog::info("running {} on {}", printable_line(launch->the_case.program), printable_line(launch->target));
  auto result = simulate(launch->program, *arguments, sim, observers);
  sim.progress = nullptr;  // clears its line
  if (!result) return fail(kTool, result.error());

  OutputFiles files;
  if (sim.mode == Mode::run && ran_to_the_end(*result)) {
    if (auto judged = report::judge(*launch, sim, *arguments, *result); !judged) return fail(kTool, judged.error());
    if (auto added = report::add_outputs(files, launch->the_case, *arguments); !added) return fail(kTool, added.error());
  }
  apply_switches(options, result->findings);
  auto reported = write_reports(options, {launch->program, *result, summary, record ? &recorder : nullptr, launch->target}, files);
  if (reported) reported = files.commit();
  std::fflush(stdout);
  for (const Finding& finding : result->findings) {
    if (text) put(stderr, report::format_finding(finding, launch->program, launch->source, text_style(options.diagnostics)));
    else diagnostics.add(report::diagnostic_of(finding, launch->program, launch->source));
  }
  if (!text) print_diagnostics(options.diagnostics, diagnostics, launch->the_case.program, launch->source, kTool);
  if (!reported) return fail(kTool, reported.error());
  return std::all_of(result->findings.begin(), result->findings.end(), [](const Finding& f) { return f.warning; })
             ? kOk
             : kFinding;
}

void add_options(CLI::App& app, Options& o) {
  app.add_option("file", o.input, "case.toml, .pto text or .bin object; - for text or an object from standard input")->required();
  app.add_option("--target", o.launch.target, "a2a3, a5, cpu, or a configuration file");
  app.add_option("--mode", o.mode, "run: values and cycles; time: cycles; check: synchronisation and memory")
      ->check(one_of({"run", "time", "check"}));
  app.add_option("--report", o.report, "what to print")->check(one_of({"text", "json", "none"}));
  app.add_option("--trace", o.trace, "write a trace for Perfetto");
  app.add_flag("--timeline", o.timeline, "print a timeline");
  app.add_option("--stats", o.stats, "write sums per pipe, mnemonic, line and wait as JSON");
  app.add_option("--arg", o.launch.args,
                 "NAME=FILE.npy, NAME=f32[16x16], NAME=f32[16x16]:1.5, NAME=f32[16x16]@FILE, NAME=i32:64; :bits behind it for another type of the width")
      ->allow_extra_args(false);
  app.add_option("--out", o.launch.outputs, "NAME=FILE: write the buffer after the run")->allow_extra_args(false);
  app.add_option("--source-root", o.launch.files.source_root, "folder of the texts that objects were made from; default: the object's own");
  app.add_flag("--sandbox", o.launch.files.sandbox, "read and write nothing outside the folder of the case or program");
  app.add_option("-D", o.launch.defines, "NAME=VALUE for ${NAME} in case files")->allow_extra_args(false);
  app.add_option("--entry", o.launch.entry, "kernel to run");
  app.add_option("--blocks", o.launch.blocks, "launched blocks")->check(CLI::Range(1, 65535));
  app.add_option("--level", o.launch.level, "what the program leaves to the tools")
      ->check(one_of({"level1", "level2", "level3"}));
  app.add_option("--sync", o.launch.sync, "insert flags or keep the program's")->check(one_of({"auto", "explicit"}));
  app.add_option("--cost-basis", o.basis, "which cost model where two exist")
      ->check(one_of({"measured", "documented"}));
  app.add_flag("--allow-unknown-cost", o.sim.allow_unknown_cost,
               "instructions without a cost row take 1 cycle, with a warning");
  app.add_option("--max-cycles", o.sim.max_cycles, "stop after so many cycles");
  app.add_option("--log-level", o.log_level, "trace, debug, info, warn, error, off")
      ->check(one_of({"trace", "debug", "info", "warn", "error", "off"}));
  add_diagnostic_options(app, o.diagnostics);
  app.set_version_flag("--version", fmt::format("pto-sim {}", kVersion));
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Simulates PTO programs: values, cycles and findings."};
  add_options(app, options);
  return tool_main(kTool, app, argc, argv, [&] {
    spdlog::set_default_logger(spdlog::stderr_color_mt("pto-sim"));
    spdlog::set_level(spdlog::level::from_str(options.log_level));
    return run(options);
  });
}
