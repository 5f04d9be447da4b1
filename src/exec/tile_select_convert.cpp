#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> tile_select_convert() { return {}; }

}  // namespace pto::exec
