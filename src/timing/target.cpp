// load_target: a name of an embedded configuration, or a path.
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "timing/cost.hpp"
#include "timing/model.hpp"

namespace pto::timing {

namespace {

constexpr size_t kMaxConfigBytes = 8u << 20;

Result<std::string> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{fmt::format("{}: no such target or configuration file (targets: a2a3, a5, cpu)", path)};
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) return Error{fmt::format("{}: cannot read", path)};
  if (text.size() > kMaxConfigBytes) return Error{fmt::format("{}: larger than a configuration may be", path)};
  return text;
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
  if (text.empty()) {
    Result<std::string> read = read_file(name);
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
