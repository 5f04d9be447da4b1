// The configurations compiled into the library.
#pragma once

#include <string_view>
#include <vector>

namespace pto::machine {

/// By name ("a2a3").
struct EmbeddedConfig {
  std::string_view name, text;
};
std::vector<EmbeddedConfig> embedded_configs();

}  // namespace pto::machine
