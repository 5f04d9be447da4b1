#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> predicate() { return {}; }

}  // namespace pto::exec
