#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> tile_irregular() { return {}; }

}  // namespace pto::exec
