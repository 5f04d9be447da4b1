#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> tile_gather() { return {}; }

}  // namespace pto::exec
