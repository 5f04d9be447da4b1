// pto-sim: runs a program on a target: values, cycles, findings, reports.
#include <fmt/format.h>
#include <signal.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <cstdio>

#include "diagnostic_options.hpp"
#include "document_options.hpp"
#include "exit_codes.hpp"
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
  DocumentOptions documents;
  SimOptions sim;
  report::LaunchOptions launch;
};

constexpr std::string_view kTool = "pto-sim";

std::atomic<bool> stop_wanted = false;

/// The first interrupt ends the run at its next safe point, so that the report so far is written; the second one kills.
void stop_on_interrupt() {
  struct sigaction action = {};
  action.sa_handler = [](int) { stop_wanted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
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
  sim.max_findings = options.diagnostics.limit;
  sim.warnings = warning_policy(options.diagnostics);
  sim.stop = &stop_wanted;
  return sim;
}

/// Prints the reports; those that go into files are added to the files of the run.
Result<bool> write_reports(const Options& options, const report::Run& run, OutputFiles& files) {
  if (options.report == "json") report::write_json_report(run, [](std::string_view piece) { put(stdout, piece); });
  if (options.report == "text") put(stdout, printable_report(report::text_report(run)));
  if (options.timeline) put(stdout, "\n" + printable_report(report::timeline(run)));
  const auto add = [&](const std::string& file, const auto& write) -> Result<bool> {
    if (file.empty()) return true;
    const auto out = files.open(file);
    if (!out) return out.error();
    write(run, [&to = **out](std::string_view piece) { to.write(piece); });
    return true;
  };
  if (auto added = add(options.trace, report::write_trace); !added) return added;
  return add(options.stats, [](const report::Run& of, const report::Sink& put_piece) { put_piece(report::stats_json(of)); });
}

/// Before the report, so that they are not lost behind it. Documents are one for the text and its run.
void print_findings(const Options& options, const report::Launch& launch, const SimResult& result, Diagnostics& of_text) {
  const bool one_document = options.diagnostics.form != "text";
  Diagnostics of_run = make_diagnostics(options.diagnostics);
  Diagnostics& all = one_document ? of_text : of_run;
  report::add_findings(all, result.findings, launch.program, launch.source);
  const std::string& name = launch.program.source_name.empty() ? launch.the_case.program : launch.program.source_name;
  print_diagnostics(options.diagnostics, all, one_document ? launch.the_case.program : name, launch.source, "pto-sim");
}

int exit_code_of(const SimResult& result) {
  if (result.interrupted) return kInterrupted;
  return result.findings.errors() == 0 ? kOk : kFinding;
}

int run(const Options& options) {
  if (wants_documents(options.documents)) {
    const auto printed = print_documents(options.documents, std::nullopt);
    return printed ? kOk : fail(kTool, printed.error());
  }
  if (options.input.empty()) return fail(kTool, Error{"no input file; --help shows the options"});
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
  stop_on_interrupt();
  spdlog::info("running {} on {}", printable_line(launch->the_case.program), printable_line(launch->target));
  auto result = simulate(launch->program, *arguments, sim, observers);
  sim.progress = nullptr;  // clears its line
  if (!result) return fail(kTool, result.error());

  OutputFiles files;
  if (sim.mode == Mode::run && result->ended) {
    if (auto judged = report::judge(*launch, sim, *arguments, *result); !judged) return fail(kTool, judged.error());
    if (auto added = report::add_outputs(files, launch->the_case, *arguments); !added) return fail(kTool, added.error());
  }
  print_findings(options, *launch, *result, diagnostics);
  auto reported = write_reports(options, {launch->program, *result, summary, record ? &recorder : nullptr, launch->target}, files);
  if (reported) reported = files.commit();
  if (!reported) return fail(kTool, reported.error());
  return exit_code_of(*result);
}

void add_options(CLI::App& app, Options& o) {
  app.add_option("file", o.input, "case.toml, .pto text or .bin object; - for text or an object from standard input");
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
  app.add_option("--max-instructions", o.sim.max_instructions,
                 "stop when the scalar unit of a core has run so many instructions");
  app.add_option("--log-level", o.log_level, "trace, debug, info, warn, error, off")
      ->check(one_of({"trace", "debug", "info", "warn", "error", "off"}));
  add_diagnostic_options(app, o.diagnostics);
  add_rule_options(app, o.documents);
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
