#include "pto/profile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/argument_inference.hpp"
#include "cases/argument_binding.hpp"
#include "cases/dtype.hpp"
#include "cases/fill_patterns.hpp"
#include "profile/profile_files.hpp"
#include "sim/memory/host_pages.hpp"

namespace pto {
namespace {

using driver::InferredArgument;
using Outcome = KernelProfile::Outcome;

/// "NAME=REST" of a list of them; empty when the name is not there.
std::string given_for(const std::vector<std::string>& list, std::string_view name) {
  for (const std::string& text : list) {
    if (text.size() > name.size() && text.starts_with(name) && text[name.size()] == '=')
      return text.substr(name.size() + 1);
  }
  return {};
}

/// The arguments of one launch: what the caller gave, and what is chosen.
class Arguments {
 public:
  Arguments(std::vector<InferredArgument> chosen, const ProfileOptions& options)
      : options_(options), chosen_(std::move(chosen)) {}

  /// Reads what is given, fills what is chosen.
  Result<bool> prepare() {
    for (InferredArgument& chosen : chosen_) {
      if (!given_for(options_.fills, chosen.name).empty()) chosen.why = "given";
      auto arg = case_arg(chosen);
      if (!arg) return arg.error();
      const bool given = arg->added;
      the_case_.args.push_back(std::move(*arg));
      auto argument = given ? loaded(the_case_.args.back()) : make_argument(the_case_.args.back(), chosen);
      if (!argument) return argument.error();
      arguments_.push_back(std::move(*argument));
    }
    return true;
  }

  [[nodiscard]] std::vector<Argument>& values() { return arguments_; }

  /// Sizes of buffers as the run reached them. False: one whose contents matter was too small, so it has to
  /// run again.
  Result<bool> settle() {
    bool enough = true;
    for (size_t i = 0; i < chosen_.size(); ++i) {
      CaseArg& arg = the_case_.args[i];
      Argument& argument = arguments_[i];
      if (argument.room == 0) continue;
      if (elements_of(arg) * byte_width(arg.dtype) < argument.reach)
        arg.shape = {static_cast<int64_t>((argument.reach - 1) / byte_width(arg.dtype) + 1)};
      if (argument.bytes.empty() || argument.bytes.size() >= argument.reach) continue;
      enough = false;
      if (auto filled = fill(arg, argument); !filled) return filled;
    }
    return enough;
  }

  /// Other contents for buffers whose numbers only decide branches: fewer of them, then none, take the branch
  /// of numbers that are not negative. False: there is nothing else to try.
  Result<bool> try_others(size_t iteration) {
    constexpr std::string_view kOthers[] = {"range:-3:1", "-1"};
    if (iteration >= std::size(kOthers)) return false;
    bool changed = false;
    for (size_t i = 0; i < chosen_.size(); ++i) {
      CaseArg& arg = the_case_.args[i];
      const bool decides = chosen_[i].buffer && !arg.added && chosen_[i].why == driver::kCompared;
      if (!decides || is_unsigned(arg.dtype)) continue;
      arg.fill = kOthers[iteration];
      if (auto filled = fill(arg, arguments_[i]); !filled) return filled;
      changed = true;
    }
    return changed;
  }

  [[nodiscard]] const std::vector<CaseArg>& args() const { return the_case_.args; }

  [[nodiscard]] std::vector<std::string> shown() const {
    std::vector<std::string> lines;
    for (size_t i = 0; i < chosen_.size(); ++i) lines.push_back(shown(the_case_.args[i], chosen_[i]));
    return lines;
  }
  [[nodiscard]] std::string_view why(size_t i) const { return chosen_[i].why; }

 private:
  static uint64_t elements_of(const CaseArg& arg) { return report::element_count(arg.shape).value_or(0); }

  Result<CaseArg> case_arg(const InferredArgument& chosen) const {
    if (const std::string given = given_for(options_.launch.args, chosen.name); !given.empty()) {
      Case one;
      auto arg = parse_arg(chosen.name + "=" + given);
      if (!arg) return arg.error();
      one.args.push_back(std::move(*arg));
      if (auto done = complete_arguments(one); !done) return done.error();
      return std::move(one.args.front());
    }
    CaseArg arg;
    arg.name = chosen.name;
    arg.dtype = report::parse_dtype(report::dtype_of(chosen.type->elem)).value_or(Elem::ui8);
    if (!chosen.buffer) {
      arg.value = fmt::format("{}", chosen.value.value_or(1));
      return arg;
    }
    const std::string fill = given_for(options_.fills, chosen.name);
    arg.fill = !fill.empty() ? fill : fmt::format("{}", chosen.value.value_or(0));
    if (fill.empty() && !report::check_fill(arg.dtype, *arg.fill))
      arg.fill = "zeros";  // formats of two values
    if (auto good = report::check_fill(arg.dtype, *arg.fill); !good)
      return Error{fmt::format("--fill {}: {}", chosen.name, good.error().message)};
    const uint64_t width = byte_width(arg.dtype);
    arg.shape = chosen.shape;
    if (arg.shape.empty())
      arg.shape = {static_cast<int64_t>(std::max<uint64_t>(1, (chosen.bytes + width - 1) / width))};
    return arg;
  }

  static Result<Argument> loaded(const CaseArg& arg) {
    Case one;
    one.args.push_back(arg);
    auto all = load_arguments(one);
    if (!all) return all.error();
    return std::move(all->front());
  }

  Result<Argument> make_argument(const CaseArg& arg, const InferredArgument& chosen) const {
    if (!chosen.buffer) return loaded(arg);
    Argument argument;
    argument.name = arg.name;
    argument.room = std::min(options_.max_buffer, sim::kMaxRoom);
    const bool zeros = *arg.fill == "0" || *arg.fill == "zeros";
    if (zeros) return argument;
    if (auto filled = fill(arg, argument); !filled) return filled.error();
    return argument;
  }

  Result<bool> fill(const CaseArg& arg, Argument& argument) const {
    const uint64_t bytes = elements_of(arg) * byte_width(arg.dtype);
    if (bytes > options_.max_buffer)
      return Error{fmt::format("'{}' would take {} MiB, more than the {} MiB of --max-buffer", arg.name,
                               bytes >> 20, options_.max_buffer >> 20)};
    argument.bytes.resize(bytes);
    return report::fill_elements(argument.bytes, arg.dtype, *arg.fill);
  }

  static std::string shown(const CaseArg& arg, const InferredArgument& chosen) {
    std::string text = fmt::format("{} = {}", arg.name, report::dtype_name(arg.dtype));
    if (!arg.shape.empty()) text += report::show_shape(arg.shape);
    if (arg.value || arg.fill) text += fmt::format(":{}", arg.value ? *arg.value : *arg.fill);
    if (!arg.input.empty()) text += "@" + arg.input;
    const std::string_view why = arg.added ? "given" : chosen.why;
    return why.empty() ? text : fmt::format("{} ({})", text, why);
  }

  const ProfileOptions& options_;
  std::vector<InferredArgument> chosen_;
  Case the_case_;
  std::vector<Argument> arguments_;
};

/// The launches of one prepared file, one after the other.
class FileProfile {
 public:
  FileProfile(const ProfileInput& input, const ProfileOptions& options) : input_(input), options_(options) {}

  std::vector<KernelProfile> run() {
    LaunchOptions without = options_.launch;
    const bool is_case = input_.file.ends_with(".toml");
    if (!is_case) {
      without.args.clear();
      without.outputs.clear();
    }
    auto launch = prepare_launch(input_.file, without);
    if (!launch) return {refused(launch.error())};
    launch_ = std::move(*launch);
    FileGuard& guard = launch_.guard;
    if (!guard.folder.empty() && !input_.folder.empty()) guard.folder = input_.folder;
    guard.inputs.insert(guard.inputs.end(), options_.inputs.begin(), options_.inputs.end());
    if (!launch_.prepared.ready) return {illegal()};
    if (is_case && !launch_.the_case.args.empty()) return {with_case()};
    return launches_of(launch_.the_case.entry);
  }

 private:
  KernelProfile blank(const std::string& kernel = {}) const {
    KernelProfile made;
    made.file = input_.file;
    made.kernel = kernel;
    return made;
  }
  KernelProfile refused(const Error& error, const std::string& kernel = {}) const {
    KernelProfile made = blank(kernel);
    made.outcome = error.kind == Error::Kind::unsupported ? Outcome::unsupported : Outcome::unusable;
    made.problem = error.message;
    return made;
  }
  KernelProfile illegal() const {
    KernelProfile made = blank();
    const Diagnostics& all = launch_.prepared.diagnostics;
    made.outcome = all.only_unsupported() ? Outcome::unsupported : Outcome::finding;
    made.errors = all.errors();
    made.warnings = all.warnings();
    for (const Diagnostic& diagnostic : all.all()) {
      if (diagnostic.severity != Severity::error) continue;
      made.problem = fmt::format("error[{}]: {}", to_string(diagnostic.id), full_message(diagnostic));
      made.first_error = diagnostic.id;
      break;
    }
    report_outcome(made, all);
    return made;
  }
  void report_outcome(KernelProfile& made, const Diagnostics& all) const {
    made.diagnostics = all;
    made.source = launch_.prepared.source;
    made.source_name = launch_.the_case.program;
  }

  KernelProfile with_case() {
    auto arguments = load_arguments(launch_.the_case);
    if (!arguments) return refused(arguments.error());
    KernelProfile made = blank(launch_.the_case.entry);
    driver::ProfileFiles files(options_, input_.name, launch_);
    if (auto ran = simulated(*arguments, files, made); !ran) return refused(ran.error(), made.kernel);
    if (auto written = files.commit(); !written) return refused(written.error(), made.kernel);
    return made;
  }

  /// The named one, or every one of the program.
  std::vector<KernelProfile> launches_of(const std::string& entry) {
    const Program& program = launch_.prepared.program;
    const Functions functions(program);
    const CallGraph calls(program, functions);
    std::vector<LaunchedFunctions> found = launches(program, functions, calls);
    const bool every = entry.empty() || entries(program, entry) != std::vector<std::string>{entry};
    if (!every || found.empty()) {
      auto one = find_launch(program, functions, calls, entry);
      if (!one) return {refused(one.error(), entry)};
      found = {std::move(*one)};
    }
    std::vector<KernelProfile> all;
    for (const LaunchedFunctions& one : found)
      all.push_back(profiled(std::string(one.name), driver::infer_arguments(program, functions, one),
                             found.size() > 1));
    return all;
  }

  KernelProfile profiled(const std::string& name, std::vector<InferredArgument> chosen, bool of_several) {
    launch_.the_case.entry = name;
    KernelProfile made = blank(name);
    const std::string folder = of_several ? input_.name + "/" + name : input_.name;
    Arguments arguments(std::move(chosen), options_);
    if (auto good = arguments.prepare(); !good) return refused(good.error(), name);
    for (int run = 0, others = 0;; ++run) {
      driver::ProfileFiles files(options_, folder, launch_);
      made = blank(name);
      if (auto ran = simulated(arguments.values(), files, made); !ran) return refused(ran.error(), name);
      const auto enough = arguments.settle();
      if (!enough) return refused(enough.error(), name);
      if (!*enough && run < kMaxRuns) continue;
      if (made.first_error == FindingId::bounds) {
        const auto changed = arguments.try_others(static_cast<size_t>(others++));
        if (!changed) return refused(changed.error(), name);
        if (*changed) continue;
      }
      made.arguments = arguments.shown();
      Case the_case = launch_.the_case;
      the_case.args = arguments.args();
      if (auto added = files.add_case(the_case, made.arguments); !added) return refused(added.error(), name);
      if (auto written = files.commit(); !written) return refused(written.error(), name);
      break;
    }
    return made;
  }

  /// One run: its sums into the profile, its reports into the files.
  Result<bool> simulated(std::vector<Argument>& arguments, driver::ProfileFiles& files, KernelProfile& made) {
    const auto machine = launch_.prepared.machine();
    if (!machine) return machine.error();
    if (auto opened = files.open(*machine); !opened) return opened;
    SimOptions sim = options_.sim;
    bool whole = true;
    sim.print = [&](const Printed& printed) {
      whole = whole && made.printed.size() < kMaxPrintedBytes;
      if (whole) made.printed += print_text(launch_.prepared.program, printed);
    };
    auto result = simulate(launch_, arguments, sim, files.observers());
    if (!whole) made.printed += "(and more)\n";
    if (!result) return result.error();
    if (options_.launch.fold_warnings)
      result->findings = folded(launch_.prepared, std::move(result->findings), options_.launch.diagnostics);
    made.cycles = result->total_cycles;
    if (machine->clock_ghz > 0)
      made.microseconds = static_cast<double>(made.cycles) / (machine->clock_ghz * 1000);
    made.bound = bound_by(*result);
    made.outcome = result->findings.errors() != 0 ? Outcome::finding : Outcome::ok;
    Diagnostics all = launch_.prepared.diagnostics;
    all.append(result->findings);
    made.errors = all.errors();
    made.warnings = all.warnings();
    for (const Diagnostic& finding : result->findings.all()) {
      if (finding.severity != Severity::error) continue;
      made.problem = fmt::format("error[{}]: {}", to_string(finding.id), full_message(finding));
      made.first_error = finding.id;
      break;
    }
    report_outcome(made, all);
    return files.write(*result, made);
  }

  static constexpr int kMaxRuns = 3;
  static constexpr size_t kMaxPrintedBytes = 1u << 20;
  const ProfileInput& input_;
  const ProfileOptions& options_;
  Launch launch_;
};

}  // namespace

std::vector<KernelProfile> profile(const ProfileInput& input, const ProfileOptions& options) {
  return FileProfile(input, options).run();
}

}  // namespace pto
