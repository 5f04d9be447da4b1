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
#include "program_options.hpp"
#include "pto/launch.hpp"
#include "pto/report.hpp"
#include "pto/simulator.hpp"
#include "pto/version.hpp"
#include "sim/describe.hpp"
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
  LaunchOptions launch;
};

constexpr std::string_view kTool = "pto-sim";

std::atomic<bool> stop_wanted = false;

/// The first interrupt ends the run at its next safe point, so that the report so far is written; the second
/// one kills.
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
    put(stderr,
        fmt::format("\r{} cycles, {} instructions", sim::grouped(cycles), sim::grouped(instructions)));
    shown_ = true;
  }
  ~Progress() {
    if (shown_) put(stderr, "\r\x1b[K");
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool watched_ = isatty(STDERR_FILENO) != 0, shown_ = false;
};

LaunchOptions launch_options(const Options& options) {
  LaunchOptions launch = options.launch;
  if (!options.trace.empty()) launch.files.reports.push_back({"--trace", options.trace});
  if (!options.stats.empty()) launch.files.reports.push_back({"--stats", options.stats});
  if (options.report != "none" || options.timeline) launch.files.reports.push_back({"standard output", "-"});
  launch.diagnostics = make_diagnostics(options.diagnostics);
  return launch;
}

SimOptions sim_options(const Options& options) {
  SimOptions sim = options.sim;
  sim.mode = options.mode == "time" ? Mode::time : options.mode == "check" ? Mode::check : Mode::run;
  sim.documented_costs = options.basis == "documented";
  sim.max_findings = options.diagnostics.limit;
  sim.warnings = warning_policy(options.diagnostics);
  sim.stop = &stop_wanted;
  return sim;
}

/// The reports that are wanted. When nobody takes those that are written while the run goes on, it ends.
ReportOptions report_options(const Options& options, const Prepared& prepared, OutputFile* trace) {
  ReportOptions reports;
  reports.target = prepared.target;
  reports.settings = prepared.settings;
  reports.timeline = options.timeline;
  if (options.report == "json") {
    reports.json = [](std::string_view piece) {
      put(stdout, piece);
      if (std::ferror(stdout) != 0) stop_wanted = true;
    };
  }
  if (trace != nullptr) {
    reports.trace = [trace](std::string_view piece) {
      trace->write(piece);
      if (!trace->good()) stop_wanted = true;
    };
  }
  return reports;
}

/// Prints the reports; the statistics are added to the files of the run.
Result<bool> write_reports(const Options& options, const Program& program, const SimResult& result,
                           Reports& reports, OutputFiles& files) {
  reports.finish(program, result);
  if (options.report == "text") put(stdout, printable_report(reports.text(program, result)));
  if (options.timeline) put(stdout, "\n" + printable_report(reports.timeline(program, result)));
  if (options.stats.empty()) return true;
  const auto out = files.open(options.stats);
  if (!out) return out.error();
  (*out)->write(reports.stats(program, result));
  return true;
}

/// Before the report, so that they are not lost behind it. Documents are one for the text and its run.
void print_findings(const Options& options, Launch& launch, const SimResult& result) {
  Prepared& prepared = launch.prepared;
  const bool one_document = options.diagnostics.form != "text";
  Diagnostics of_run = make_diagnostics(options.diagnostics);
  Diagnostics& all = one_document ? prepared.diagnostics : of_run;
  add_findings(all, result.findings, prepared.program, prepared.source);
  const std::string& name = one_document || prepared.program.source_name.empty()
                                ? launch.the_case.program
                                : prepared.program.source_name;
  print_diagnostics(options.diagnostics, all, name, prepared.source, kTool);
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
  auto launch = prepare_launch(options.input, launch_options(options));
  if (!launch) return fail(kTool, launch.error());
  const Prepared& prepared = launch->prepared;
  const bool text = options.diagnostics.form == "text";  // the others are one document, with the findings
  if (text || !prepared.ready)
    print_diagnostics(options.diagnostics, prepared.diagnostics, launch->the_case.program, prepared.source,
                      kTool);
  if (!prepared.ready) return exit_code(prepared.diagnostics);
  auto arguments = load_arguments(launch->the_case);
  if (!arguments) return fail(kTool, arguments.error());

  OutputFiles files;
  OutputFile* trace = nullptr;
  if (!options.trace.empty()) {
    const auto opened = files.open(options.trace);
    if (!opened) return fail(kTool, opened.error());
    trace = *opened;
  }
  Reports reports(report_options(options, prepared, trace));
  SimOptions sim = sim_options(options);
  sim.progress = Progress();
  stop_on_interrupt();
  spdlog::info("running {} on {}", printable_line(launch->the_case.program), printable_line(prepared.target));
  auto result = simulate(*launch, *arguments, sim, reports.observers());
  sim.progress = nullptr;  // clears its line
  if (!result) return fail(kTool, result.error());
  if (trace != nullptr && !trace->good()) return fail(kTool, files.commit().error());

  if (sim.mode == Mode::run && result->ended) {
    if (auto judged = judge(*launch, sim, *arguments, *result); !judged) return fail(kTool, judged.error());
    if (auto added = add_outputs(files, launch->the_case, *arguments); !added)
      return fail(kTool, added.error());
  }
  print_findings(options, *launch, *result);
  auto reported = write_reports(options, prepared.program, *result, reports, files);
  if (reported) reported = files.commit();
  return reported ? exit_code_of(*result) : fail(kTool, reported.error());
}

void add_options(CLI::App& app, Options& o) {
  app.add_option("file", o.input,
                 "case.toml, .pto text or .bin object; - for text or an object from standard input");
  app.add_option("--target", o.launch.target, "a2a3, a5, cpu, or a configuration file");
  app.add_option("--set", o.launch.settings,
                 "KEY=VALUE over the target's configuration, as in its file: machine.queue_depth=4")
      ->allow_extra_args(false);
  app.add_option("--mode", o.mode, "run: values and cycles; time: cycles; check: synchronisation and memory")
      ->check(one_of({"run", "time", "check"}));
  app.add_option("--report", o.report, "what to print")->check(one_of({"text", "json", "none"}));
  app.add_option("--trace", o.trace, "write a trace for Perfetto");
  app.add_flag("--timeline", o.timeline, "print a timeline");
  app.add_option("--stats", o.stats, "write sums per pipe, mnemonic, line and wait as JSON");
  app.add_option("--arg", o.launch.args,
                 "NAME=FILE.npy, NAME=f32[16x16], NAME=f32[16x16]:1.5, NAME=f32[16x16]@FILE, NAME=i32:64; "
                 ":bits behind it for another type of the width")
      ->allow_extra_args(false);
  app.add_option("--out", o.launch.outputs, "NAME=FILE: write the buffer after the run")
      ->allow_extra_args(false);
  app.add_option("--source-root", o.launch.files.source_root,
                 "folder of the texts that objects were made from; default: the object's own");
  app.add_flag("--sandbox", o.launch.files.sandbox,
               "read and write nothing outside the folder of the case or program");
  app.add_option("-D", o.launch.defines, "NAME=VALUE for ${NAME} in case files")->allow_extra_args(false);
  app.add_option("--entry", o.launch.entry, "kernel to run");
  app.add_option("--blocks", o.launch.blocks, "launched blocks")->check(CLI::Range(1, 65535));
  add_level_option(app, "--level", o.launch.level, "what the program leaves to the tools");
  add_sync_option(app, o.launch.sync, "insert flags or keep the program's");
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
