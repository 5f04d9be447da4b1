#pragma once

#include "pto/machine.hpp"
#include "timing/toml_reader.hpp"

namespace pto::timing {

/// Reads [machine]. Every key is required except bytes.gm, so that a config states what it means.
Machine read_machine(const toml::table& table, ConfigErrors& errors);

}  // namespace pto::timing
