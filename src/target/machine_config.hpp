#pragma once

#include <span>
#include <string>

#include "pto/machine.hpp"
#include "target/config_reader.hpp"

namespace pto::machine {

/// Tells tables that no configuration has, and the two that every one has.
void check_tables(TableReader& root);

/// Reads [machine]. Every key is required, except sizes and alignments of memories: their defaults
/// are those of src/isa/memory_spaces.hpp.
Machine read_machine(const toml::table& table, ConfigErrors& errors);

/// The machine of a target with settings (target/config_layers.hpp) put over it.
Result<Machine> load(const std::string& target, std::span<const std::string> settings);

}  // namespace pto::machine
