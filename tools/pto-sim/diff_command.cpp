#include "pto-sim/diff_command.hpp"

#include <fmt/format.h>

#include "cli/tool_main.hpp"
#include "pto/report.hpp"
#include "pto/run_diff.hpp"
#include "support/file.hpp"
#include "support/printable.hpp"

namespace pto::tools {
namespace {

constexpr std::string_view kTool = "pto-sim diff";

/// The statistics of a run, or an exit code if it failed.
struct Side {
  std::string stats, page;
  int code = kOk;
  FileGuard guard = {};
};

/// Runs a program or a case, with advice.
Side run_side(const std::string& file, const DiffTool& options, const std::atomic<bool>& stop) {
  LaunchOptions wanted = options.run.launch;
  wanted.diagnostics = make_diagnostics(options.run.diagnostics);
  wanted.fold_warnings = folded_warnings(options.run.diagnostics);
  auto launch = prepare_launch(file, wanted);
  if (!launch) return {"", "", fail(kTool, launch.error())};
  const Prepared& prepared = launch->prepared;
  if (!prepared.ready) {
    print_diagnostics(options.run.diagnostics, prepared.diagnostics, launch->the_case.program,
                      prepared.source, kTool);
    return {"", "", exit_code(prepared.diagnostics)};
  }
  auto arguments = load_arguments(launch->the_case);
  if (!arguments) return {"", "", fail(kTool, arguments.error())};
  ReportOptions reported;
  reported.target = prepared.target;
  reported.settings = prepared.settings;
  reported.advice = true;
  reported.page = !options.html.empty();
  Reports reports(std::move(reported));
  const auto result = simulate(*launch, *arguments, sim_options(options.run, stop), reports.observers());
  if (!result) return {"", "", fail(kTool, result.error())};
  if (result->findings.errors() != 0)
    print_diagnostics(options.run.diagnostics, result->findings, prepared.program.source_name,
                      prepared.source, kTool);
  if (result->interrupted) return {"", "", kInterrupted};
  if (!result->ended) return {"", "", kFinding};
  return {reports.stats(prepared.program, *result), reports.page_data(prepared.program, *result), kOk,
          launch->guard};
}

Side side(const std::string& file, const DiffTool& options, const std::atomic<bool>& stop) {
  if (!file.ends_with(".json")) return run_side(file, options, stop);
  auto text = read_file(file);
  if (!text) return {"", "", fail(kTool, text.error())};
  FileGuard guard;
  const std::filesystem::path path(file);
  if (options.run.launch.files.sandbox) guard.folder = path.has_parent_path() ? path.parent_path() : ".";
  guard.inputs.push_back({"a compared file", path});
  return {std::move(*text), "", kOk, std::move(guard)};
}

}  // namespace

CLI::App* add_diff_command(CLI::App& app) {
  return app.add_subcommand("diff", "Compares two runs by line, pipe and wait.");
}

void add_diff_options(CLI::App& command, DiffTool& options) {
  begin_group(command, group::kProgram);
  command
      .add_option("a", options.a, "first run: case.toml, .pto text, object, or statistics (--stats, .json)")
      ->type_name("A");
  command.add_option("b", options.b, "second run")->type_name("B");
  begin_group(command, group::kReports);
  command.add_option("--report", options.report, "format of the report on standard output (default: text)")
      ->check(one_of({"text", "json", "none"}));
  add_count(command, "--rows", options.rows, "rows of each table")->capture_default_str();
  begin_group(command, group::kOutput);
  command.add_option("--html", options.html, "write a page for a browser")->type_name("FILE");
  add_common_run_options(command, options.run);
  add_other_run_options(command, options.run);
  add_unused_options(command, options.run);
}

int run_diff(const DiffTool& options, const std::atomic<bool>& stop) {
  if (options.b.empty()) {
    return fail(kTool, Error{fmt::format("two runs are compared, but {} is given: pto-sim diff A B",
                                         options.a.empty() ? "none" : "only " + options.a)});
  }
  if (const std::string why = refusal(options.run.ptoas, options.run.launch.target); !why.empty())
    return fail(kTool, why);
  const Side a = side(options.a, options, stop);
  if (a.code != kOk) return a.code;
  const Side b = side(options.b, options, stop);
  if (b.code != kOk) return b.code;
  const auto diff = diff_runs(a.stats, b.stats, {options.a, options.b, options.rows, a.page, b.page});
  if (!diff) return fail(kTool, diff.error());
  if (options.report == "text") put(stdout, printable_text(diff->text));
  if (options.report == "json") put(stdout, diff->json);
  if (options.html.empty()) return kOk;
  FileGuard guard = a.guard;
  guard.inputs.insert(guard.inputs.end(), b.guard.inputs.begin(), b.guard.inputs.end());
  OutputFiles files(std::move(guard));
  const auto out = files.open(options.html);
  if (!out) return fail(kTool, out.error());
  (*out)->write(diff->html);
  const auto written = files.commit();
  return written ? kOk : fail(kTool, written.error());
}

}  // namespace pto::tools
