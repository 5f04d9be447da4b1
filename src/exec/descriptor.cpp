#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> descriptor() { return {}; }

}  // namespace pto::exec
