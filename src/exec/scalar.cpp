#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> scalar() { return {}; }

}  // namespace pto::exec
