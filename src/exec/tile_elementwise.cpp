#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> tile_elementwise() { return {}; }

}  // namespace pto::exec
