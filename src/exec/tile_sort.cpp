#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> tile_sort() { return {}; }

}  // namespace pto::exec
