#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> vector_memory() { return {}; }

}  // namespace pto::exec
