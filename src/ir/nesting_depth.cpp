#include "ir/nesting_depth.hpp"

#include "ir/regions.hpp"

namespace pto {

std::optional<uint32_t> nested_deeper(const Program& program, size_t levels) {
  EnclosingOps around(program);
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    if (program.ops[op].n_regions == 0) continue;
    around.advance_to(op);
    around.enter(op);
    if (around.all().size() > levels) return op;
  }
  return std::nullopt;
}

}  // namespace pto
