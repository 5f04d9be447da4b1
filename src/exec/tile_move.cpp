#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> tile_move() { return {}; }

}  // namespace pto::exec
