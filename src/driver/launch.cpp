#include "pto/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "analysis/launch_groups.hpp"
#include "cases/argument_binding.hpp"
#include "cases/case_files.hpp"
#include "driver/argument_checks.hpp"
#include "driver/launch_case.hpp"
#include "driver/warning_selection.hpp"
#include "report/run_recorder.hpp"
#include "report/run_report.hpp"
#include "sim/engine/run_hooks.hpp"
#include "support/file.hpp"

namespace pto {

Result<Case> driver::case_of_launch(const std::string& file, const LaunchOptions& options,
                                    const Defines& defines) {
  Case the_case;
  if (file.ends_with(".toml")) {
    auto read = read_case(file, defines, options.case_settings);
    if (!read) return read.error();
    the_case = std::move(*read);
  } else {
    if (!options.case_settings.empty()) {
      auto read = parse_case("program = 'x'", "", defines, options.case_settings);
      if (!read) return read.error();
      the_case = std::move(*read);
    }
    the_case.program = file;
  }
  if (!options.entry.empty()) the_case.entry = options.entry;
  if (!options.target.empty()) the_case.target = options.target;
  if (options.level) the_case.level = options.level;
  if (options.sync != SyncBy::by_program) the_case.sync = options.sync;
  if (options.blocks) the_case.blocks = options.blocks;
  if (options.ranks != 0) the_case.ranks = options.ranks;
  if (!options.topology.empty()) the_case.topology = options.topology;
  for (const std::string& text : options.args) {
    const Result<std::string> expanded = defines.expand(text);
    if (!expanded) return Error{fmt::format("--arg {}: {}", text, expanded.error().message)};
    auto arg = parse_arg(*expanded);
    if (!arg) return arg.error();
    const auto same = std::find_if(the_case.args.begin(), the_case.args.end(),
                                   [&](const CaseArg& other) { return other.name == arg->name; });
    if (same == the_case.args.end()) {
      the_case.args.push_back(std::move(*arg));
      continue;
    }
    arg->added = same->added;
    *same = std::move(*arg);
  }
  for (const std::string& text : options.outputs) {
    if (auto added = add_output(the_case, text); !added) return added.error();
  }
  if (auto good = report::check_files(the_case, file, options.files); !good) return good.error();
  if (auto done = complete_arguments(the_case); !done) return done.error();
  return the_case;
}

namespace {

/// The function that says which arguments the launch takes.
std::optional<FunctionInfo> find_entry(const Program& program, std::string_view name) {
  const Functions all(program);
  const Result<LaunchedFunctions> launch = find_launch(program, all, CallGraph(program, all), name);
  if (!launch) return std::nullopt;  // said when it runs
  return all[launch->functions.front()].info;
}

/// What the case names, ready to run.
Result<Prepared> prepared_case(const Case& the_case, const LaunchOptions& options, const Defines& defines) {
  auto text = read_file(the_case.program);
  if (!text) return text.error();
  PrepareOptions wanted;
  wanted.name = the_case.program == "-" ? "<stdin>" : the_case.program;
  wanted.target = the_case.target;
  wanted.settings = options.settings;
  wanted.level = the_case.level;
  wanted.sync = the_case.sync;
  wanted.buffers = options.buffers;
  wanted.vectors = options.vectors;
  wanted.entry = the_case.entry;
  wanted.check_synchronisation = false;  // the run itself shows what is wrong with flags and orders
  wanted.source_of = [&](const std::string& name) {
    return report::source_text(name, the_case.program, options.files.source_root);
  };
  wanted.defines = &defines;
  wanted.diagnostics = options.diagnostics;
  wanted.fold_warnings = options.fold_warnings;
  wanted.of_entry = options.fold_warnings.has_value();
  return prepare(std::move(*text), wanted);
}

std::vector<std::vector<int64_t>> shapes_of(const Case& the_case) {
  std::vector<std::vector<int64_t>> shapes;
  for (const CaseArg& arg : the_case.args)
    shapes.push_back(arg.value || !arg.peer.empty() ? std::vector<int64_t>() : arg.shape);
  return shapes;
}

/// Warnings about arguments that the kernel takes for something else.
void add_shapes(Launch& launch) {
  Diagnostics added(0);
  for (Diagnostic& each :
       driver::compare_shapes(launch.prepared.program, launch.the_case.entry, shapes_of(launch.the_case)))
    added.add(std::move(each));
  launch.prepared.locate(added);
  for (Diagnostic& each : added.all()) launch.prepared.diagnostics.add(std::move(each));
}

}  // namespace

std::vector<std::string> entries(const Program& program, const std::string& entry) {
  if (entry != kEveryEntry || find_entry(program, entry)) return {entry};
  const Functions all(program);
  std::vector<std::string> names;
  for (const LaunchedFunctions& launch : launches(program, all, CallGraph(program, all)))
    names.emplace_back(launch.name);
  return names;
}

Result<Launch> prepare_launch(const std::string& file, const LaunchOptions& options) {
  Result<Defines> defines = Defines::parse(options.defines);
  if (!defines) return defines.error();
  if (options.files.sandbox) defines->ignore_environment();
  auto the_case = driver::case_of_launch(file, options, *defines);
  if (!the_case) return the_case.error();
  Launch launch;
  launch.the_case = std::move(*the_case);
  launch.guard = report::guard_of(launch.the_case, file, options.files);
  auto prepared = prepared_case(launch.the_case, options, *defines);
  if (!prepared) return prepared.error();
  launch.prepared = std::move(*prepared);
  if (!launch.prepared.ready) return launch;
  const Program& program = launch.prepared.program;
  if (const std::optional<FunctionInfo> entry = find_entry(program, launch.the_case.entry)) {
    if (options.of_several) report::keep_arguments(launch.the_case, program, *entry);
    if (auto good = report::order_arguments(launch.the_case, program, *entry); !good) return good.error();
    if (auto good = report::check_types(case_of_rank(launch.the_case, 0), program, *entry); !good)
      return good.error();
    add_shapes(launch);
  }
  return launch;
}

Result<SimResult> simulate(const Launch& launch, std::vector<Argument>& arguments, SimOptions options,
                           std::span<Observer* const> observers) {
  options.entry = launch.the_case.entry;
  options.blocks = launch.the_case.blocks;
  options.watch.insert(options.watch.end(), launch.the_case.watch.begin(), launch.the_case.watch.end());
  const bool counts = options.count_written;
  Result<SimResult> result = simulate(launch.prepared, arguments, std::move(options), observers);
  if (!result || !counts) return result;
  std::vector<driver::ExpectedWrites> expected;
  for (const CaseArg& arg : launch.the_case.args) {
    const bool fresh = !arg.fill && arg.input.empty() && arg.peer.empty();
    expected.push_back(
        {.whole = fresh && arg.expect.empty(), .some = fresh && !(arg.output.empty() && arg.expect.empty())});
  }
  driver::tell_unwritten(launch.prepared, launch.the_case.entry, launch.the_case.blocks, arguments, expected,
                         *result);
  driver::explain_bounds(launch.prepared.program, launch.the_case.entry, shapes_of(launch.the_case), *result);
  return result;
}

namespace {

bool same(const Mismatch& one, const Mismatch& other) {
  return one.argument == other.argument && one.count == other.count && one.got == other.got;
}

/// What a case compares must not depend on bytes that nobody wrote: it has to be the same with any others.
void judge_unwritten(const Launch& launch, SimOptions options, const Comparison& first, SimResult& result) {
  const auto shows = [](const Diagnostic& each) {
    return each.id == FindingId::uninit && each.severity == Severity::warning && each.effect.has_value();
  };
  if (result.padding.empty() && std::ranges::none_of(result.findings.all(), shows)) return;
  options.checks.races = false;
  options.checks.uninitialised = false;
  options.print = nullptr;
  const sim::RunHooks hooks{.fill_varies = true};
  options.hooks = &hooks;
  const auto differs = [&](uint32_t fill) {
    options.fill_on_chip = fill;
    auto arguments = load_arguments(launch.the_case);
    if (!arguments || !simulate(launch, *arguments, options)) return false;
    const auto other = compare_expected(launch.the_case, *arguments);
    return other && !std::ranges::equal(first.mismatches, other->mismatches, same);
  };
  if (std::ranges::none_of(options.checks.fill_patterns, differs)) return;
  std::vector<Diagnostic> errors;
  std::ranges::copy_if(result.findings.all(), std::back_inserter(errors), shows);
  result.findings.remove_if(shows);
  Diagnostics padding(0);
  for (Diagnostic& each : result.padding) padding.add(std::move(each));
  launch.prepared.locate(padding);
  for (Diagnostic& each : padding.all()) {
    each.effect.emplace();
    errors.push_back(std::move(each));
  }
  for (Diagnostic& each : errors) {
    each.severity = Severity::error;
    each.effect->compared = true;
    result.findings.add(std::move(each));
  }
}

}  // namespace

Result<std::vector<Agreement>> judge(const Launch& launch, const SimOptions& options,
                                     const std::vector<Argument>& arguments, SimResult& result) {
  auto compared = compare_expected(launch.the_case, arguments);
  if (!compared) return compared.error();
  judge_unwritten(launch, options, *compared, result);
  Diagnostics found(0);
  for (const Mismatch& mismatch : compared->mismatches) {
    report::LastWriter writer(static_cast<uint32_t>(mismatch.argument), mismatch.byte);
    Observer* const observers[] = {&writer};
    auto again = load_arguments(launch.the_case);
    SimOptions once = options;
    once.checks.adverse_schedule = false;
    const bool known = again.ok() && simulate(launch, *again, once, observers).ok();
    found.add(report::mismatch_finding(mismatch, launch.prepared.program, known ? &writer : nullptr));
  }
  launch.prepared.locate(found);
  for (Diagnostic& finding : found.all()) result.findings.add(std::move(finding));
  return std::move(compared->agreements);
}

Diagnostics folded(const Prepared& prepared, Diagnostics findings, Diagnostics shown) {
  driver::FunctionPlaces(prepared.program).fold(findings);
  shown.append(findings);
  return shown;
}

}  // namespace pto
