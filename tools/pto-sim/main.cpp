// pto-sim: runs a program on a target: values, cycles, findings, reports.
// Over 500 lines: the options of one program and their implementation.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "cases/npy.hpp"
#include "cli/diagnostic_options.hpp"
#include "cli/document_options.hpp"
#include "cli/exit_codes.hpp"
#include "cli/manual.hpp"
#include "cli/tool_main.hpp"
#include "pto-sim-mpi/rank_transport.hpp"
#include "pto-sim/cost_table.hpp"
#include "pto-sim/diff_command.hpp"
#include "pto-sim/profile_command.hpp"
#include "pto-sim/prove_command.hpp"
#include "pto-sim/run_options.hpp"
#include "pto-sim/sweep_command.hpp"
#include "pto/launch.hpp"
#include "pto/rank_launch.hpp"
#include "pto/report.hpp"
#include "pto/simulator.hpp"
#include "pto/version.hpp"
#include "pto/what_if.hpp"
#include "sim/findings/naming.hpp"
#include "support/file.hpp"
#include "support/printable.hpp"
#include "support/scoped_cache.hpp"
#include "timing/cost_config.hpp"

namespace {

using namespace pto;
using namespace pto::tools;

struct Options : RunOptions {
  std::vector<std::string> inputs;
  std::string report = "text", cost_table, trace, stats, events, html, watch_out, log_level = "warn";
  bool timeline = false, advice = false, quiet = false, fail_fast = false;
  size_t critical_path = 0;
  std::vector<std::string> what_if;
  DocumentOptions documents;
  ProfileTool profile;
  ProveTool prove;
  DiffTool diff;
  std::optional<uint32_t> rank;
  RankTransport* transport = nullptr;  ///< to the other processes; null for a single process
  SweepTool sweep;
};

constexpr std::string_view kTool = "pto-sim";

std::atomic<bool> stop_wanted = false;

/// The first interrupt ends the run at its next safe point, and its report is written. The second one ends
/// the process.
void stop_on_interrupt() {
  struct sigaction action = {};
  action.sa_handler = [](int signal) {
    if (stop_wanted.exchange(true)) end_by_signal(signal);
  };
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

/// Counters on standard error, for runs of more than a second, if it is a terminal.
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
  bool watched_ = isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
};

LaunchOptions launch_options(const Options& options) {
  LaunchOptions launch = options.launch;
  if (!options.trace.empty()) launch.files.reports.push_back({"--trace", options.trace});
  if (!options.stats.empty()) launch.files.reports.push_back({"--stats", options.stats});
  if (!options.events.empty()) launch.files.reports.push_back({"--events", options.events});
  if (!options.html.empty()) launch.files.reports.push_back({"--html", options.html});
  if (!options.watch_out.empty()) launch.files.reports.push_back({"--watch-out", options.watch_out});
  if (options.report != "none" || options.timeline) launch.files.reports.push_back({"standard output", "-"});
  launch.diagnostics = make_diagnostics(options.diagnostics);
  launch.fold_warnings = folded_warnings(options.diagnostics);
  note_unused(options.ptoas, launch.diagnostics);
  return launch;
}

/// Whether a report of the run is requested, beside its findings and values.
bool wants_reports(const Options& options) {
  const bool file =
      !options.trace.empty() || !options.stats.empty() || !options.events.empty() || !options.html.empty();
  return file || options.report != "none" || options.timeline || options.advice ||
         options.critical_path != 0 || !options.what_if.empty();
}

/// The requested reports. The run ends when a report that is written during the run cannot be written.
ReportOptions report_options(const Options& options, const Prepared& prepared, OutputFile* trace,
                             OutputFile* events) {
  ReportOptions reports;
  reports.target = prepared.target;
  reports.settings = prepared.settings;
  reports.inserted = prepared.inserted;
  reports.timeline = options.timeline;
  reports.advice = options.advice || options.critical_path != 0;
  reports.page = !options.html.empty();
  if (options.report == "json") {
    reports.json = [](std::string_view piece) {
      put(stdout, piece);
      if (std::ferror(stdout) != 0) stop_wanted = true;
    };
  }
  const auto into = [](OutputFile* file) -> Sink {
    if (file == nullptr) return nullptr;
    return [file](std::string_view piece) {
      file->write(piece);
      if (!file->good()) stop_wanted = true;
    };
  };
  reports.trace = into(trace);
  reports.events = into(events);
  return reports;
}

/// Prints the output of print instructions and the watched values during the run; with --watch-out, watched
/// values are written to files.
class PrintLog {
 public:
  PrintLog(const Options& options, const Program& program, OutputFiles& files)
      : options_(options), program_(program), files_(files) {}

  void operator()(const Printed& printed) {
    if (!printed.name.empty() && !options_.watch_out.empty()) return save(printed);
    put(options_.report == "json" ? stderr : stdout, printable_text(print_text(program_, printed)));
  }
  [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

 private:
  void save(const Printed& printed) {
    if (problem_) return;
    std::string name = printed.name;
    std::ranges::replace(name, '/', '_');
    const std::filesystem::path folder = options_.watch_out;
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    const auto file = files_.open(folder / fmt::format("{}-{:04}.npy", name, ++written_[name]));
    if (!file) return void(problem_ = file.error());
    (*file)->write(report::npy_header(printed.elem, printed.shape));
    (*file)->write({reinterpret_cast<const char*>(printed.bytes.data()), printed.bytes.size()});
    (void)(*file)->finish();
  }

  const Options& options_;
  const Program& program_;
  OutputFiles& files_;
  std::map<std::string, size_t> written_;
  std::optional<Error> problem_;
};

/// Prints the reports; the statistics and the page are added to the files of the run.
Result<bool> write_reports(const Options& options, const Program& program, const SimResult& result,
                           Reports& reports, OutputFiles& files) {
  reports.finish(program, result);
  if (options.report == "text") put(stdout, printable_report(reports.text(program, result)));
  if (const std::string advice = reports.advice(program, result, options.critical_path);
      !advice.empty() && options.report != "json")
    put(stdout, "\n" + printable_report(advice));
  if (!options.what_if.empty() && options.report != "json")
    put(stdout, "\n" + printable_report(reports.what_if(result)));
  if (options.timeline) put(stdout, "\n" + printable_report(reports.timeline(program, result)));
  const auto write = [&](const std::string& name, const auto& text) -> std::optional<Error> {
    if (name.empty()) return std::nullopt;
    const auto out = files.open(name);
    if (!out) return out.error();
    (*out)->write(text());
    return std::nullopt;
  };
  if (auto bad = write(options.stats, [&] { return reports.stats(program, result); })) return *bad;
  if (auto bad = write(options.html, [&] { return reports.page(program, result); })) return *bad;
  return true;
}

/// Printed before the report. Machine-readable formats have one document for the checks and the run.
void print_findings(const Options& options, Launch& launch, const SimResult& result) {
  Prepared& prepared = launch.prepared;
  const bool one_document = options.diagnostics.form != "text";
  if (one_document) prepared.diagnostics.append(result.findings);
  const Diagnostics& all = one_document ? prepared.diagnostics : result.findings;
  const std::string& name = one_document || prepared.program.source_name.empty()
                                ? launch.the_case.program
                                : prepared.program.source_name;
  print_diagnostics(options.diagnostics, all, name, prepared.source, kTool);
}

int exit_code_of(const SimResult& result) {
  if (result.interrupted) return kInterrupted;
  return result.findings.errors() == 0 ? kOk : kFinding;
}

int run_entries(const Options& options, const std::string& input, const std::vector<std::string>& names);

Result<std::vector<WhatIf>> questions_of(const Options& options, const Program& program) {
  std::vector<WhatIf> questions;
  for (const std::string& asked : options.what_if) {
    auto question = parse_what_if(asked, program);
    if (!question) return question.error();
    questions.push_back(std::move(*question));
  }
  return questions;
}

RanksReports ranks_reports(const Options& options, std::span<const WhatIf> questions) {
  RanksReports out;
  out.trace = options.trace;
  out.stats = options.stats;
  out.events = options.events;
  out.html = options.html;
  out.watch_out = options.watch_out;
  out.json = options.report == "json";
  out.text = options.report == "text" && options.rank.has_value();
  out.timeline = options.timeline;
  out.advice = options.advice || options.critical_path != 0;
  out.critical_path = options.critical_path;
  out.rank = options.rank;
  out.questions = questions;
  return out;
}

int run_of_ranks(const Options& options, Launch& launch) {
  SimOptions sim = sim_options(options, stop_wanted);
  auto questions = questions_of(options, launch.prepared.program);
  if (!questions) return fail(kTool, questions.error());
  stop_on_interrupt();
  RankTransport alone;
  auto done = run_ranks(launch, sim, options.transport == nullptr ? alone : *options.transport,
                        ranks_reports(options, *questions));
  if (!done) return fail(kTool, done.error());
  if (options.transport != nullptr && options.transport->process() != 0) return kOk;
  SimResult all;
  all.findings = make_diagnostics(options.diagnostics);
  all.findings.append(done->findings);
  all.interrupted = done->interrupted;
  put(options.report == "json" ? stderr : stdout, printable_text(done->prints));
  print_findings(options, launch, all);
  if (options.report == "text") put(stdout, printable_report(done->text));
  if (options.report == "json") put(stdout, done->json);
  auto written = done->write();
  return written ? exit_code_of(all) : fail(kTool, written.error());
}

int run_one(const Options& options, const std::string& input) {
  // The planner, the run and further runs share them.
  const ScopedCache<Machine> machines;
  const ScopedCache<timing::ConfigFile> configurations;
  auto launch = prepare_launch(input, launch_options(options));
  if (!launch) return fail(kTool, launch.error());
  const Prepared& prepared = launch->prepared;
  const std::vector<std::string> names =
      prepared.ready ? entries(prepared.program, launch->the_case.entry) : std::vector<std::string>();
  if (prepared.ready && (names.size() != 1 || names.front() != launch->the_case.entry))
    return run_entries(options, input, names);
  // Other formats are printed once, with the findings of the run.
  const bool text = options.diagnostics.form == "text";
  if (text || !prepared.ready)
    print_diagnostics(options.diagnostics, prepared.diagnostics, launch->the_case.program, prepared.source,
                      kTool);
  if (!prepared.ready) return exit_code(prepared.diagnostics);
  print_layouts(options.remarks, prepared.lowered, launch->the_case.program);
  if (launch->the_case.ranks != 0) return run_of_ranks(options, *launch);
  if (options.rank) return fail(kTool, "--rank is for several devices: --ranks");
  auto arguments = load_arguments(launch->the_case);
  if (!arguments) return fail(kTool, arguments.error());
  auto questions = questions_of(options, prepared.program);
  if (!questions) return fail(kTool, questions.error());

  OutputFiles files(launch->guard);
  OutputFile *trace = nullptr, *events = nullptr;
  for (const auto& [name, file] : {std::pair(&options.trace, &trace), {&options.events, &events}}) {
    if (name->empty()) continue;
    const auto opened = files.open(*name);
    if (!opened) return fail(kTool, opened.error());
    *file = *opened;
  }
  Reports reports(report_options(options, prepared, trace, events));
  SimOptions sim = sim_options(options, stop_wanted);
  sim.progress = Progress();
  if (sim.mode == Mode::time && (!sim.watch.empty() || !launch->the_case.watch.empty()))
    return fail(kTool, "--watch needs data: --mode run or check");
  PrintLog log(options, prepared.program, files);
  sim.print = [&log](const Printed& printed) { log(printed); };
  stop_on_interrupt();
  spdlog::info("running {} on {}", printable_line(launch->the_case.program), printable_line(prepared.target));
  sim.count_written = true;
  auto result = simulate(*launch, *arguments, sim,
                         wants_reports(options) ? reports.observers() : std::vector<Observer*>());
  sim.progress = nullptr;  // clears its line
  sim.count_written = false;
  if (!result) return fail(kTool, result.error());
  if (log.problem()) return fail(kTool, *log.problem());
  for (const OutputFile* file : {trace, events})
    if (file != nullptr && !file->good()) return fail(kTool, files.commit().error());

  if (sim.mode == Mode::run && result->ended) {
    auto judged = judge(*launch, sim, *arguments, *result);
    if (!judged) return fail(kTool, judged.error());
    reports.set_agreements(std::move(*judged));
    if (auto added = add_outputs(files, launch->the_case, *arguments); !added)
      return fail(kTool, added.error());
  }
  if (options.diagnostics.limit != 0)
    result->findings = folded(prepared, std::move(result->findings), make_diagnostics(options.diagnostics));
  print_findings(options, *launch, *result);
  if (!result->interrupted) {
    auto answers = what_if(*launch, sim, *questions);
    if (!answers) return fail(kTool, answers.error());
    reports.set_answers(std::move(*answers));
  }
  auto reported = write_reports(options, prepared.program, *result, reports, files);
  if (reported) reported = files.commit();
  return reported ? exit_code_of(*result) : fail(kTool, reported.error());
}

/// The first given option that is meaningful for a single run only.
std::string_view single_option(const Options& options) {
  if (!options.trace.empty()) return "--trace";
  if (!options.stats.empty()) return "--stats";
  if (!options.events.empty()) return "--events";
  if (!options.html.empty()) return "--html";
  if (options.report == "json") return "--report json";
  if (!options.watch_out.empty()) return "--watch-out";
  return options.launch.outputs.empty() ? "" : "--out";
}

struct Named {
  std::string name;
  std::function<int()> run;
};

/// Runs one after the other. Returns the worst exit code: unsupported, finding, unusable input, interrupt.
int run_sequentially(const Options& options, const std::vector<Named>& runs, std::string_view what) {
  static constexpr int kFromBest[] = {kOk, kUnsupported, kFinding, kUsage, kInternal, kInterrupted};
  const auto rank = [](int code) { return std::ranges::find(kFromBest, code) - std::begin(kFromBest); };
  int worst = kOk;
  std::vector<std::string> bad;
  size_t done = 0;
  for (const Named& each : runs) {
    if (options.report == "text") put(stdout, fmt::format("{}\n", printable_line(each.name, kMaxPathLength)));
    const int code = each.run();
    if (options.report == "text") put(stdout, "\n");
    ++done;
    if (code != kOk) bad.push_back(printable_line(each.name, kMaxPathLength));
    if (rank(code) > rank(worst)) worst = code;
    if (code == kInterrupted || (code != kOk && options.fail_fast)) break;
  }
  const std::string left = done == runs.size() ? "" : fmt::format("; not run: {}", runs.size() - done);
  if (!options.quiet || !bad.empty())
    put(stdout, fmt::format("{} {}: {} ok{}{}{}\n", runs.size(), what, done - bad.size(),
                            bad.empty() ? "" : "; not ok: ", fmt::join(bad, ", "), left));
  return worst;
}

int run_many(const Options& options) {
  std::string_view option = single_option(options);
  if (option.empty() && !options.launch.args.empty()) option = "--arg";
  if (!option.empty())
    return fail(
        kTool,
        fmt::format("{} is for one program, {} are given; pto-sim profile --out writes the files of many",
                    option, options.inputs.size()));
  std::vector<Named> runs;
  for (const std::string& input : options.inputs)
    runs.push_back({input, [&options, input] { return run_one(options, input); }});
  return run_sequentially(options, runs, "programs");
}

/// --entry all: every kernel, with the arguments that have the names of its parameters.
int run_entries(const Options& options, const std::string& input, const std::vector<std::string>& names) {
  if (const std::string_view option = single_option(options); !option.empty() && names.size() > 1)
    return fail(kTool,
                fmt::format("{} is for one kernel, {} has {}; pto-sim profile --out writes the files of many",
                            option, printable_line(input, kMaxPathLength), names.size()));
  if (names.empty())
    return fail(kTool, fmt::format("{} has no kernel", printable_line(input, kMaxPathLength)));
  if (input == "-")
    return fail(kTool, "--entry all reads the program once for each kernel: name a file, not -");
  std::vector<Named> runs;
  for (const std::string& name : names) {
    runs.push_back({"@" + name, [&options, &input, name] {
                      Options one = options;
                      one.launch.entry = name;
                      one.launch.of_several = true;
                      return run_one(one, input);
                    }});
  }
  return run_sequentially(options, runs, "kernels");
}

int run(Options& options) {
  if (options.quiet) options.report = "none";
  if (wants_documents(options.documents)) {
    const auto printed = print_documents(options.documents, std::nullopt);
    return printed ? kOk : fail(kTool, printed.error());
  }
  if (const std::string why = refusal(options.ptoas, options.launch.target); !why.empty())
    return fail(kTool, why);
  if (!options.cost_table.empty()) {
    if (options.launch.target.empty()) return fail(kTool, "--cost-table needs --target");
    const Result<std::string> table =
        cost_table(options.cost_table, options.launch.target, options.launch.settings);
    if (table) fmt::print("{}", *table);
    return table ? kOk : fail(kTool, table.error());
  }
  if (options.inputs.empty()) return fail(kTool, "no input file; --help shows the options");
  return options.inputs.size() == 1 ? run_one(options, options.inputs.front()) : run_many(options);
}

const ManualText kManual = {
    kTool,
    "pto-sim runs kernels on a simulated device. It computes values and cycles, checks memory accesses and "
    "synchronisation, and writes reports. A case file names the kernel, its arguments and the expected "
    "outputs. pto-sim-mpi is the same program with --ranks distributed over the processes of mpirun.",
    {{"Write the files of an example, and run its case:",
      "pto-as --example vector_add --output-dir add\npto-sim add/case.toml"},
     {"Run a kernel with given arguments, and write an output:",
      "pto-sim add/vector_add.pto --target a5 --blocks 4 --arg a=add/a.npy --arg b=add/b.npy "
      "--arg c=f32[128x64] --out c=sum.npy"},
     {"Print the bottlenecks, and write a page for a browser:",
      "pto-sim add/case.toml --report none --advice --html add/run.html"},
     {"Run every kernel of a folder with inferred arguments:", "pto-sim profile add"},
     {"Check a kernel for all inputs and timings:", "pto-sim prove add/vector_add.pto --blocks 4"},
     {"Compare two runs:",
      "pto-sim add/case.toml -q --stats before.json\n"
      "pto-sim add/case.toml -q --stats after.json --set machine.queue_depth=4\n"
      "pto-sim diff before.json after.json"}},
    {{"TARGET.toml",
      "The configuration of a target is part of the program. --target also takes a file in the "
      "same format; base = \"a5\" in it inherits from a target of the program."}}};

void add_common_options(CLI::App& app, Options& o) {
  begin_group(app, group::kProgram);
  app.add_option("file", o.inputs,
                 "case.toml, .pto text or .bin object; - is text or an object from standard input; several "
                 "files run one after the other")
      ->type_name("FILE");
  add_common_run_options(app, o);
  begin_group(app, group::kReports);
  app.add_flag("-q,--quiet", o.quiet,
               "print only errors and warnings; for several runs, also the names of those that are not ok");
  app.add_option("--report", o.report, "format of the report on standard output (default: text)")
      ->check(one_of({"text", "json", "none"}));
  begin_group(app, group::kOutput);
  app.add_option("--out", o.launch.outputs, "write a buffer to a .npy file after the run")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  begin_group(app, group::kGeneral);
  app.set_version_flag("--version", fmt::format("pto-sim {}", kVersion), "print the version and exit");
}

void add_other_options(CLI::App& app, Options& o) {
  add_other_run_options(app, o);
  begin_group(app, group::kLaunch);
  app.add_option("--ranks", o.launch.ranks, "devices that run the program together, 1 to 64")
      ->type_name("N")
      ->check(CLI::Range(1, 64));
  add_count(app, "--rank", o.rank, "device that text reports and pages describe (with --ranks)", "RANK");
  app.add_option("--topology", o.launch.topology,
                 "connection of the devices: a name from [links] of the target's configuration")
      ->type_name("NAME");
  begin_group(app, group::kSimulation);
  app.add_flag("--fail-fast", o.fail_fast, "stop after the first of several runs that is not ok");
  begin_group(app, group::kReports);
  app.add_flag("--timeline", o.timeline, "print a timeline of the pipes");
  app.add_flag("--advice", o.advice, "print the bottlenecks of the run, and changes that reduce its cycles");
  add_count(app, "--critical-path", o.critical_path,
            "print the advice with the N longest segments of the critical path");
  app.add_option("--what-if", o.what_if,
                 "run again with a changed machine or program and compare: free PIPE_MTE2, no-wait LINE, "
                 "bandwidth x2, machine.queue_depth=64")
      ->type_name("CHANGE")
      ->allow_extra_args(false);
  app.add_option(
         "--watch", o.sim.watch,
         "print a tile, pointer or buffer after every write to it (or only after writes on that line)")
      ->type_name("NAME[@LINE]")
      ->allow_extra_args(false);
  app.add_option("--cost-table", o.cost_table,
                 "print the costs of the instructions in a CSV file with the columns subject, types and "
                 "shape, as JSON")
      ->type_name("FILE");
  begin_group(app, group::kOutput);
  app.add_option("--trace", o.trace, "write a trace for Perfetto")->type_name("FILE");
  app.add_option("--stats", o.stats, "write sums per pipe, mnemonic, line and wait as JSON")
      ->type_name("FILE");
  app.add_option("--html", o.html, "write a page for a browser: timeline, source, memory, advice")
      ->type_name("FILE");
  app.add_option("--events", o.events,
                 "write memory accesses and synchronisation events, one JSON object per line")
      ->type_name("FILE");
  app.add_option("--watch-out", o.watch_out, "write watched values to NAME-0001.npy etc. in this folder")
      ->type_name("DIR");
  begin_group(app, group::kDiagnostics);
  app.add_option("--log-level", o.log_level, "messages of the tool itself (default: warn)")
      ->check(one_of({"trace", "debug", "info", "warn", "error", "off"}));
  add_rule_options(app, o.documents);
  add_manual_options(app, kManual);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  std::unique_ptr<RankTransport> transport;
  if (transport_factory() != nullptr) transport = transport_factory()(argc, argv);
  options.transport = transport.get();
  CLI::App app{"Simulates PTO programs: values, cycles and findings."};
  CLI::App* const profile = add_profile_command(app);
  CLI::App* const prove = add_prove_command(app);
  CLI::App* const diff = add_diff_command(app);
  CLI::App* const sweep = add_sweep_command(app);
  const auto named = [&](std::string_view command) {
    constexpr std::string_view kWhole[] = {"--man", "--completion"};
    return std::find(argv + 1, argv + argc, command) != argv + argc ||
           std::find_first_of(argv + 1, argv + argc, std::begin(kWhole), std::end(kWhole)) != argv + argc;
  };
  if (named("profile")) add_profile_options(*profile, options.profile);
  if (named("prove")) add_prove_options(*prove, options.prove);
  if (named("diff")) add_diff_options(*diff, options.diff);
  if (named("sweep")) add_sweep_options(*sweep, options.sweep);
  add_in_stages<Options>(
      app, options, argc, argv,
      {add_common_options, add_other_options, [](CLI::App& a, Options& o) { add_unused_options(a, o); }});
  return tool_main(kTool, app, argc, argv, [&] {
    spdlog::set_default_logger(spdlog::stderr_color_mt("pto-sim"));
    spdlog::set_level(spdlog::level::from_str(options.log_level));
    if (!profile->parsed() && !prove->parsed() && !diff->parsed() && !sweep->parsed()) return run(options);
    stop_on_interrupt();
    if (sweep->parsed()) return run_sweep(*sweep, options.sweep, stop_wanted);
    if (diff->parsed()) return run_diff(options.diff, stop_wanted);
    return profile->parsed() ? run_profile(options.profile, stop_wanted)
                             : run_prove(options.prove, stop_wanted);
  });
}
