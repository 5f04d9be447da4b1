#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> vector_alu() { return {}; }

}  // namespace pto::exec
