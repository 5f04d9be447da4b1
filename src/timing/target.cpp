// load_target: a name of an embedded configuration, or a path.
#include <filesystem>

#include <fmt/format.h>

#include "pto/plan.hpp"
#include "support/file.hpp"
#include "timing/cost.hpp"
#include "timing/model.hpp"

namespace pto::timing {

namespace {

Result<std::string> read_config_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return Error{fmt::format("{}: no such target or configuration file (targets: a2a3, a5, cpu)", path)};
  return read_file(path, kMaxConfigBytes);
}

struct Found {
  ConfigFile config;
  std::string file;   ///< for messages
};

Result<Found> find_config(const std::string& name) {
  std::string file = name, text;
  for (const EmbeddedConfig& config : embedded_configs()) {
    if (config.name != name) continue;
    file = fmt::format("sim-configs/{}.toml", name);
    text = config.text;
  }
  if (file == name) {
    Result<std::string> read = read_config_file(name);
    if (!read.ok()) return read.error();
    text = std::move(*read);
  }
  Result<ConfigFile> config = read_config(text, file);
  if (!config.ok()) return config.error();
  return Found{std::move(*config), std::move(file)};
}

}  // namespace

Result<TargetConfig> load_target(std::string_view name_or_path, const CostOptions& options) {
  Result<Found> found = find_config(std::string(name_or_path));
  if (!found.ok()) return found.error();
  TargetConfig target;
  target.machine = found->config.machine;
  auto costs = std::make_unique<ConfigCostModel>(std::move(found->config), options);
  if (const auto problem = costs->misfit()) return Error{fmt::format("{}:{}: {}", found->file, problem->first, problem->second)};
  target.costs = std::move(costs);
  return target;
}

}  // namespace pto::timing

namespace pto {

Result<Machine> load_machine(std::string_view target) {
  Result<timing::Found> found = timing::find_config(std::string(target));
  return found.ok() ? Result<Machine>(found->config.machine) : Result<Machine>(found.error());
}

}  // namespace pto
