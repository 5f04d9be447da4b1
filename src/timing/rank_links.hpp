// Connections of devices: named topologies, with the latency and bandwidth of each link.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "pto/result.hpp"

namespace pto::timing {

/// `[links.NAME]` of a target.
struct Topology {
  enum class Shape : uint8_t {
    full_mesh,  ///< a link between any two devices
    ring,       ///< a link to the next and to the previous one; others are as many links away
    hub,        ///< a link to a switch, which all traffic of the device shares; the latency is that of both
  } shape = Shape::full_mesh;
  double latency = 1;    ///< cycles from one end of a link to the other
  double bandwidth = 1;  ///< bytes per cycle
};

/// `[links]`: the topologies by name, and the one that a run takes when it names none.
struct LinkConfig {
  std::string chosen;
  std::map<std::string, Topology, std::less<>> topologies;
};

/// Of a target's configuration, with settings (KEY=VALUE) put over it.
Result<LinkConfig> load_links(std::string_view name_or_path, std::span<const std::string> settings);

}  // namespace pto::timing
