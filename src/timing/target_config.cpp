// load_target: a target's layers, judged as a whole.
#include <fmt/format.h>

#include <algorithm>

#include "support/scoped_cache.hpp"
#include "target/config_layers.hpp"
#include "target/embedded_configs.hpp"
#include "timing/cost_model.hpp"
#include "timing/table_model.hpp"

namespace pto::timing {

namespace {

Result<ConfigFile> read(std::string_view name_or_path, std::span<const std::string> settings) {
  const Result<toml::table> table = machine::read_layers(std::string(name_or_path), settings);
  if (!table) return table.error();
  return read_config(*table);
}

/// A configuration of this project as it is: a test sees that its rows fit the instructions.
bool is_built_in(std::string_view name, std::span<const std::string> settings) {
  return settings.empty() &&
         std::ranges::count(machine::embedded_configs(), name, &machine::EmbeddedConfig::name) != 0;
}

Result<TargetConfig> make(std::string_view name_or_path, const CostOptions& options,
                          std::span<const std::string> settings) {
  Result<ConfigFile> config = ScopedCache<ConfigFile>::get(key_of(name_or_path, settings),
                                                           [&] { return read(name_or_path, settings); });
  if (!config) return config.error();
  TargetConfig target;
  target.machine = config->machine;
  auto costs = std::make_shared<ConfigCostModel>(std::move(*config), options);
  if (!is_built_in(name_or_path, settings)) {
    if (const auto problem = costs->misfit()) return Error{*problem};
  }
  target.costs = std::move(costs);
  return target;
}

}  // namespace

Result<TargetConfig> load_target(std::string_view name_or_path, const CostOptions& options,
                                 std::span<const std::string> settings) {
  const std::string key =
      fmt::format("{}\n{} {} {}", key_of(name_or_path, settings), static_cast<int>(options.basis),
                  options.allow_unknown, options.bandwidth);
  return ScopedCache<TargetConfig>::get(key, [&] { return make(name_or_path, options, settings); });
}

}  // namespace pto::timing
