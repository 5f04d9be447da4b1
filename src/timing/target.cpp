// load_target: a target's layers, judged as a whole.
#include "machine/layers.hpp"
#include "timing/cost.hpp"
#include "timing/model.hpp"

namespace pto::timing {

Result<TargetConfig> load_target(std::string_view name_or_path, const CostOptions& options,
                                 std::span<const std::string> settings) {
  const Result<toml::table> table = machine::read_layers(std::string(name_or_path), settings);
  if (!table) return table.error();
  Result<ConfigFile> config = read_config(*table);
  if (!config) return config.error();
  TargetConfig target;
  target.machine = config->machine;
  auto costs = std::make_unique<ConfigCostModel>(std::move(*config), options);
  if (const auto problem = costs->misfit()) return Error{*problem};
  target.costs = std::move(costs);
  return target;
}

}  // namespace pto::timing
