// load_machine: [machine] of a target.
#include "pto/machine.hpp"

#include "support/scoped_cache.hpp"
#include "target/config_layers.hpp"
#include "target/machine_config.hpp"

namespace pto {

std::string_view to_string(Basis basis) {
  static constexpr std::string_view kNames[] = {"measured", "simulator", "documented", "assumed"};
  return kNames[static_cast<size_t>(basis)];
}

std::string_view to_string(FlagKind kind) {
  static constexpr std::string_view kNames[] = {"counter", "bit", "bit-stall"};
  return kNames[static_cast<size_t>(kind)];
}

Result<Machine> load_machine(std::string_view target) { return machine::load(std::string(target), {}); }

}  // namespace pto

namespace pto::machine {

namespace {

Result<Machine> read(const std::string& target, std::span<const std::string> settings) {
  const Result<toml::table> root = read_layers(target, settings);
  if (!root) return root.error();
  ConfigErrors errors;
  TableReader reader(*root, errors, "");
  check_tables(reader);
  const toml::table* table = reader.table("machine");
  if (errors.any()) return errors.first();
  const Machine machine = read_machine(*table, errors);
  if (errors.any()) return errors.first();
  return machine;
}

}  // namespace

Result<Machine> load(const std::string& target, std::span<const std::string> settings) {
  return ScopedCache<Machine>::get(key_of(target, settings), [&] { return read(target, settings); });
}

}  // namespace pto::machine
