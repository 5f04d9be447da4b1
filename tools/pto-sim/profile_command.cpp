#include "pto-sim/profile_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "cli/tool_main.hpp"
#include "pto/profile.hpp"
#include "sim/findings/naming.hpp"
#include "support/host_threads.hpp"
#include "support/printable.hpp"

namespace pto::tools {
namespace {

using Outcome = KernelProfile::Outcome;
constexpr std::string_view kTool = "pto-sim profile";

/// A progress bar on standard error, if it is a terminal.
class Bar {
 public:
  explicit Bar(size_t all) : all_(all), watched_(isatty(STDERR_FILENO) != 0 && all > 1) {}
  void show(size_t done, std::string_view name) const {
    if (!watched_) return;
    constexpr size_t kWidth = 30;
    const size_t filled = done * kWidth / all_;
    put(stderr, fmt::format("\r[{:#<{}}{:.<{}}] {}/{} {:.40}\x1b[K", "", filled, "", kWidth - filled, done,
                            all_, printable_line(name)));
    (void)std::fflush(stderr);
  }
  ~Bar() {
    if (watched_) put(stderr, "\r\x1b[K");
  }
  Bar(const Bar&) = delete;
  Bar& operator=(const Bar&) = delete;

 private:
  size_t all_;
  bool watched_;
};

ProfileOptions profile_options(const ProfileTool& options, const std::atomic<bool>& stop) {
  ProfileOptions wanted;
  wanted.launch = options.run.launch;
  wanted.launch.diagnostics = make_diagnostics(options.run.diagnostics);
  wanted.launch.fold_warnings = folded_warnings(options.run.diagnostics);
  wanted.sim = sim_options(options.run, stop);
  // Inferred arguments can cause an endless loop.
  constexpr uint64_t kMaxInstructions = 100'000'000;
  if (wanted.sim.limits.instructions == 0) wanted.sim.limits.instructions = kMaxInstructions;
  wanted.fills = options.fills;
  wanted.max_buffer = options.max_buffer_mib << 20;
  wanted.out = options.out;
  wanted.cases = options.cases;
  return wanted;
}

/// The results of each input, in the order of the inputs.
std::vector<std::vector<KernelProfile>> profile_all(const std::vector<ProfileInput>& inputs,
                                                    const ProfileOptions& options, unsigned jobs,
                                                    const std::atomic<bool>& stop) {
  std::vector<std::vector<KernelProfile>> results(inputs.size());
  std::atomic<size_t> next = 0;
  std::mutex showing;
  size_t done = 0;
  const Bar bar(inputs.size());
  const auto work = [&] {
    for (size_t i = next++; i < inputs.size() && !stop; i = next++) {
      results[i] = profile(inputs[i], options);
      const std::scoped_lock lock(showing);
      bar.show(++done, inputs[i].name);
    }
  };
  const unsigned all = host_threads(jobs);
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < std::min<size_t>(all, inputs.size()); ++i) threads.emplace_back(work);
  work();
  threads.clear();
  return results;
}

std::string shown_name(const KernelProfile& kernel, const ProfileInput& input) {
  return kernel.kernel.empty() || input.name.ends_with(kernel.kernel)
             ? input.name
             : fmt::format("{} @{}", input.name, kernel.kernel);
}

std::string findings(const KernelProfile& kernel) {
  if (kernel.outcome == Outcome::unsupported) return "unsupported: " + kernel.problem;
  std::string text;
  const auto add = [&](size_t count, std::string_view what) {
    if (count == 0) return;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count, what, count == 1 ? "" : "s");
  };
  add(kernel.errors, "error");
  add(kernel.warnings, "warning");
  if (!kernel.problem.empty()) text += (text.empty() ? "" : ": ") + kernel.problem;
  return text.empty() ? "-" : text;
}

int exit_code_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok:
      return kOk;
    case Outcome::finding:
      return kFinding;
    case Outcome::unsupported:
      return kUnsupported;
    case Outcome::unusable:
      return kUsage;
  }
  return kInternal;
}

struct Table {
  size_t counts[4] = {};
  std::string text;

  void head(size_t width) {
    text = fmt::format("{:<{}} {:>12} {:>10}  {:<20} {}\n", "kernel", width, "cycles", "us", "bound by",
                       "findings");
  }
  void row(const std::string& name, size_t width, const KernelProfile& kernel) {
    ++counts[static_cast<size_t>(kernel.outcome)];
    const bool ran = !kernel.bound.empty();
    text +=
        fmt::format("{:<{}} {:>12} {:>10}  {:<20} {}\n", name, width, ran ? sim::grouped(kernel.cycles) : "-",
                    ran ? fmt::format("{:.1f}", kernel.microseconds) : "-", ran ? kernel.bound : "-",
                    printable_line(findings(kernel), 160));
  }
  [[nodiscard]] size_t count(Outcome outcome) const { return counts[static_cast<size_t>(outcome)]; }
  [[nodiscard]] std::string summary() const {
    const size_t all = counts[0] + counts[1] + counts[2] + counts[3];
    std::string line = fmt::format("{} kernel{}: {} ok", all, all == 1 ? "" : "s", count(Outcome::ok));
    for (const auto& [outcome, what] :
         {std::pair{Outcome::finding, "with errors"}, std::pair{Outcome::unsupported, "unsupported"},
          std::pair{Outcome::unusable, "not run"}}) {
      if (count(outcome) != 0) line += fmt::format(", {} {}", count(outcome), what);
    }
    return line + "\n";
  }
};

void print_kernel(const ProfileTool& options, const KernelProfile& kernel) {
  if (kernel.outcome == Outcome::unusable) {
    const bool named = kernel.problem.find(kernel.file) != std::string::npos;
    const std::string where = named ? "" : printable_line(kernel.file) + ": ";
    put(stderr,
        fmt::format("{}: error: {}{}\n", kTool, where, printable_line(kernel.problem, kMaxPathLength)));
  }
  if (kernel.outcome != Outcome::unusable && kernel.errors != 0)
    print_diagnostics(options.run.diagnostics, kernel.diagnostics, kernel.source_name, kernel.source, kTool);
}

}  // namespace

CLI::App* add_profile_command(CLI::App& app) {
  return app.add_subcommand("profile", "Runs every kernel of programs and folders with inferred arguments.");
}

void add_profile_options(CLI::App& command, ProfileTool& options) {
  begin_group(command, group::kProgram);
  command.add_option("paths", options.paths, ".pto text, object, case.toml, or a folder of programs")
      ->type_name("PATH")
      ->required();
  begin_group(command, group::kLaunch);
  command
      .add_option("--fill", options.fills,
                  "contents of the buffer NAME: zeros, iota, random:SEED, range:A:B, or a constant")
      ->type_name("NAME=CONTENTS")
      ->allow_extra_args(false);
  command.add_option("--max-buffer", options.max_buffer_mib, "largest size of a buffer of unknown size")
      ->type_name("MIB")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  begin_group(command, group::kSimulation);
  add_count(command, "-j,--jobs", options.jobs, "kernels to run in parallel (default: one per host core)");
  begin_group(command, group::kReports);
  command.add_flag("--show-arguments", options.arguments, "print the inferred arguments of every kernel");
  begin_group(command, group::kOutput);
  command
      .add_option("--out", options.out, "folder for the report, trace, statistics and case of every kernel")
      ->type_name("DIR");
  command
      .add_option("--save-case", options.cases,
                  "folder for a case file with the inferred arguments of every kernel")
      ->type_name("DIR");
  add_common_run_options(command, options.run);
  add_other_run_options(command, options.run);
  add_unused_options(command, options.run);
}

int run_profile(const ProfileTool& options, const std::atomic<bool>& stop) {
  if (const std::string why = refusal(options.run.ptoas, options.run.launch.target); !why.empty())
    return fail(kTool, why);
  Diagnostics notes = make_diagnostics(options.run.diagnostics);
  note_unused(options.run.ptoas, notes);
  print_diagnostics(options.run.diagnostics, notes, "pto-sim", "", kTool);
  const auto inputs = find_programs(options.paths);
  if (!inputs) return fail(kTool, inputs.error());
  ProfileOptions wanted = profile_options(options, stop);
  for (const ProfileInput& input : *inputs) wanted.inputs.push_back({"a program of the profile", input.file});
  const auto results = profile_all(*inputs, wanted, options.jobs, stop);
  size_t width = 10, kernels = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    for (const KernelProfile& kernel : results[i]) {
      width = std::max(width, shown_name(kernel, (*inputs)[i]).size());
      ++kernels;
      print_kernel(options, kernel);
    }
  }
  Table table;
  table.head(width);
  int worst = kOk;
  const auto rank = [](int code) {
    return code == kFinding ? 4 : code;
  };  // unsupported is less than a finding
  for (size_t i = 0; i < results.size(); ++i) {
    for (const KernelProfile& kernel : results[i]) {
      table.row(shown_name(kernel, (*inputs)[i]), width, kernel);
      if (kernels == 1) put(stdout, printable_text(kernel.printed));
      if (options.arguments || kernels == 1) {
        for (const std::string& line : kernel.arguments) table.text += "    " + printable_line(line) + "\n";
      }
      worst = rank(exit_code_of(kernel.outcome)) > rank(worst) ? exit_code_of(kernel.outcome) : worst;
    }
  }
  put(stdout, table.text + table.summary());
  return stop ? kInterrupted : worst;
}

}  // namespace pto::tools
