#include "ir/storage_aliases.hpp"

#include <numeric>

#include "ir/op_queries.hpp"
#include "isa/row.hpp"

namespace pto::isa {

std::vector<ValueId> viewed_tiles(const Program& program) {
  std::vector<ValueId> viewed(program.values.size());
  std::iota(viewed.begin(), viewed.end(), ValueId{0});
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const OpView op(program, i);
    if (op.op().n_results == 0 || !op.result_type(0).is_tile()) continue;
    const OpcodeClass what = opcode_class(op);
    if (what != OpcodeClass::subview && what != OpcodeClass::rename && what != OpcodeClass::reshape) continue;
    const ValueId from = op.operand(0);
    if (from != kNoValue && program.type_of(from).is_tile()) viewed[op.result(0)] = viewed[from];
  }
  return viewed;
}

}  // namespace pto::isa
