#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> tile_matmul() { return {}; }

}  // namespace pto::exec
