#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> tile_reduce_expand() { return {}; }

}  // namespace pto::exec
