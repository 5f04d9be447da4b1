#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> tile_load_store() { return {}; }

}  // namespace pto::exec
