#include "timing/rank_links.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "target/config_layers.hpp"
#include "target/config_reader.hpp"

namespace pto::timing {
namespace {

using machine::ConfigErrors, machine::TableReader;

constexpr double kMax = 1e9;
constexpr std::array<std::pair<std::string_view, Topology::Shape>, 3> kShapes = {
    {{"full_mesh", Topology::Shape::full_mesh},
     {"ring", Topology::Shape::ring},
     {"hub", Topology::Shape::hub}}};

/// A number with its basis and source.
double read_parameter(TableReader& topology, std::string_view key, double least, const toml::table* sources) {
  const toml::table* table = topology.table(key);
  if (table == nullptr) {
    topology.missing(key);
    return least;
  }
  TableReader reader(*table, topology.errors(), fmt::format("{}.{}", topology.name(), key));
  const double value = reader.number("value");
  if (!(value >= least && value < kMax)) reader.error("value", fmt::format("must be at least {}", least));
  const std::string basis = reader.text("basis");
  if (basis != "measured" && basis != "simulator" && basis != "documented" && basis != "assumed")
    reader.error("basis", "must be \"measured\", \"simulator\", \"documented\" or \"assumed\"");
  if (const std::string source = reader.text("source"); sources == nullptr || !sources->contains(source))
    reader.error("source", "is not a key of [sources]");
  reader.finish();
  return value;
}

Topology read_topology(TableReader& reader, const toml::table* sources) {
  constexpr double kMinLatency = 1, kMinBandwidth = 0.001;
  Topology out;
  const std::string shape = reader.text("shape");
  bool known = false;
  for (const auto& [name, value] : kShapes) {
    if (shape == name) {
      out.shape = value;
      known = true;
    }
  }
  if (!known) reader.error("shape", "must be \"full_mesh\", \"ring\" or \"hub\"");
  out.latency = read_parameter(reader, "latency", kMinLatency, sources);
  out.bandwidth = read_parameter(reader, "bandwidth", kMinBandwidth, sources);
  reader.finish();
  return out;
}

}  // namespace

Result<LinkConfig> load_links(std::string_view name_or_path, std::span<const std::string> settings) {
  const Result<toml::table> root = machine::read_layers(std::string(name_or_path), settings);
  if (!root) return root.error();
  LinkConfig out;
  const toml::table* links = (*root)["links"].as_table();
  if (links == nullptr) return out;
  ConfigErrors errors;
  TableReader reader(*links, errors, "links");
  out.chosen = reader.text("topology");
  for (const auto& [key, node] : *links) {
    if (key == "topology") continue;
    const std::string name(key.str());
    if (const toml::table* each = reader.table(name)) {
      TableReader topology(*each, errors, "links." + name);
      out.topologies.emplace(name, read_topology(topology, (*root)["sources"].as_table()));
    }
  }
  if (!out.topologies.contains(out.chosen)) reader.error("topology", "is none of the tables below [links]");
  reader.finish();
  if (errors.any()) return errors.first();
  return out;
}

}  // namespace pto::timing
