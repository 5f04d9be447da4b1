#include "sweep/sweep_inputs.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <vector>

#include "driver/launch_case.hpp"
#include "pto/version.hpp"
#include "support/file.hpp"
#include "support/hash.hpp"

namespace pto::driver {

LaunchOptions launch_of(const SweepPlan& plan, uint64_t point, const SweepOptions& options) {
  LaunchOptions launch = options.launch;
  launch.args.insert(launch.args.begin(), plan.args.begin(), plan.args.end());
  for (size_t i = 0; i < plan.parameters.size(); ++i) {
    const SweepParameter& parameter = plan.parameters[i];
    const SweepValue& value = plan.value(plan.points[point], i);
    if (parameter.kind == SweepParameter::Kind::define)
      launch.defines.push_back(parameter.name + "=" + value.text);
    else
      (parameter.kind == SweepParameter::Kind::of_case ? launch.case_settings : launch.settings)
          .push_back(parameter.key + "=" + value.toml);
  }
  return launch;
}

namespace {

/// All that the rows depend on: the sweep file, what it names, what the command line says.
class Fingerprint {
 public:
  void add(std::string_view text) { hash_ = hash_text(text, hash_); }
  /// Its contents, once.
  std::optional<Error> add_file(const std::string& name) {
    if (name.empty() || name == "-" || !known_.insert(name).second) return std::nullopt;
    const auto text = read_file(name);
    if (!text) return text.error();
    add(*text);
    return std::nullopt;
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}", hash_); }
  [[nodiscard]] const std::set<std::string>& files() const { return known_; }

 private:
  uint64_t hash_ = hash_text(kVersion);
  std::set<std::string> known_;
};

/// The files of a point: program, target, arrays. A point whose case is wrong has none, and says so in its
/// row.
std::optional<Error> add_files(const SweepPlan& plan, uint64_t point, const SweepOptions& options,
                               Fingerprint& all) {
  const LaunchOptions launch = launch_of(plan, point, options);
  auto defines = Defines::parse(launch.defines);
  if (!defines) return std::nullopt;
  if (launch.files.sandbox) defines->ignore_environment();
  const auto the_case = case_of_launch(plan.input, launch, *defines);
  if (!the_case) return std::nullopt;
  std::vector<std::string> files = {the_case->program};
  if (the_case->target.ends_with(".toml")) files.push_back(the_case->target);
  for (const CaseArg& arg : the_case->args) {
    files.push_back(arg.input);
    files.push_back(arg.expect);
  }
  for (const std::string& file : files) {
    std::error_code code;
    if (!std::filesystem::is_regular_file(file, code)) continue;
    if (auto error = all.add_file(file)) return error;
  }
  return std::nullopt;
}

}  // namespace

Result<SweepInputs> inputs_of(const SweepPlan& plan, const std::filesystem::path& file,
                              const SweepOptions& options) {
  Fingerprint all;
  const LaunchOptions& launch = options.launch;
  FileGuard guard;
  if (launch.files.sandbox) guard.folder = file.has_parent_path() ? file.parent_path() : ".";
  if (auto good = guard.may_touch({"the program or case of the sweep", plan.input}); !good)
    return good.error();
  all.add(plan.source);
  if (auto error = all.add_file(plan.input)) return *error;
  all.add(launch.target + "\n" + launch.entry);
  for (const auto* list : {&launch.args, &launch.settings, &launch.defines}) {
    for (const std::string& each : *list) all.add(each);
    all.add("\n");
  }
  const SimOptions& sim = options.sim;
  all.add(fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}",
                      launch.level ? static_cast<int>(*launch.level) : -1, static_cast<int>(launch.sync),
                      launch.buffers, launch.blocks, options.mode_given ? static_cast<int>(sim.mode) : -1,
                      sim.documented_costs, sim.allow_unknown_cost, sim.launch, sim.limits.cycles,
                      sim.limits.instructions, sim.fill_on_chip, fmt::join(sim.checks.fill_patterns, ","),
                      sim.limits.findings));
  for (uint64_t point = 0; point < plan.points.size(); ++point) {
    if (auto error = add_files(plan, point, options, all)) return *error;
  }
  guard.inputs.push_back({"the sweep file", file});
  for (const std::string& each : all.files()) guard.inputs.push_back({"a file that the sweep reads", each});
  return SweepInputs{all.text(), std::move(guard)};
}

}  // namespace pto::driver
