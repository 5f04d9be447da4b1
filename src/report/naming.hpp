// How reports name things: as findings do.
#pragma once

#include "sim/findings/naming.hpp"

namespace pto::report {

using sim::core_name, sim::describe, sim::finding, sim::grouped, sim::mnemonic, sim::percent, sim::place,
    sim::short_name, sim::where;

}  // namespace pto::report
