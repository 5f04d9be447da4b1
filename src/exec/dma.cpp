#include "exec/context.hpp"

namespace pto::exec {

std::span<const Semantics> dma() { return {}; }

}  // namespace pto::exec
