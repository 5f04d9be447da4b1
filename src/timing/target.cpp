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

Result<ConfigFile> find_config(const std::string& name) {
  for (const EmbeddedConfig& config : embedded_configs()) {
    if (config.name == name) return read_config(config.text, fmt::format("sim-configs/{}.toml", name));
  }
  const Result<std::string> text = read_file(name);
  if (!text.ok()) return text.error();
  return read_config(*text, name);
}

}  // namespace

Result<TargetConfig> load_target(std::string_view name_or_path, const CostOptions& options) {
  Result<ConfigFile> config = find_config(std::string(name_or_path));
  if (!config.ok()) return config.error();
  TargetConfig target;
  target.machine = config->machine;
  target.costs = std::make_unique<ConfigCostModel>(std::move(*config), options);
  return target;
}

}  // namespace pto::timing
