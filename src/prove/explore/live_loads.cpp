#include "prove/explore/live_loads.hpp"

#include <algorithm>

#include "ir/op_queries.hpp"
#include "isa/row.hpp"

namespace pto::driver {

using isa::OpcodeClass;

uint32_t LiveLoads::function_of(uint32_t op) const {
  while (op != kNoOp && isa::opcode_class(OpView(program_, op)) != OpcodeClass::function)
    op = tree_.parent(op);
  return op;
}

/// What is in it may come once more when its end has been reached.
bool LiveLoads::is_in_loop(uint32_t op) const {
  const OpcodeClass opcode_class = isa::opcode_class(OpView(program_, op));
  return opcode_class != OpcodeClass::branch && opcode_class != OpcodeClass::index_switch;
}

/// All that is made of the number, and the operations that look at it: also what comes out of branches and
/// loops that it decides.
const LiveLoads::Uses& LiveLoads::uses_of(uint32_t load) {
  const auto [at, fresh] = uses_.try_emplace(load);
  Uses& uses = at->second;
  if (!fresh) return uses;
  std::set<ValueId> built;
  const auto take = [&](ValueId first, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) built.insert(first + i);
  };
  take(program_.ops[load].first_result, program_.ops[load].n_results);
  const uint32_t function = function_of(load);
  for (size_t before = 0; before != built.size() + uses.ops.size();) {
    before = built.size() + uses.ops.size();
    for (const uint32_t index : descendants(program_, function)) {
      const OpView op(program_, index);
      bool looks = false;
      for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size() && !looks; ++slot)
        looks = std::ranges::any_of(op.operands(slot), [&](ValueId value) { return built.contains(value); });
      if (!looks) continue;
      uses.ops.insert(index);
      take(op.op().first_result, op.op().n_results);
      for (const Region& region : program_.regions_of(op.op())) take(region.first_arg, region.n_args);
      const OpcodeClass opcode_class = isa::opcode_class(op);
      if (opcode_class == OpcodeClass::call || opcode_class == OpcodeClass::ret ||
          opcode_class == OpcodeClass::store_array)
        uses.anywhere = true;
      if (!is_terminator(program_, index)) continue;
      const Op& around = program_.ops[tree_.parent(index)];
      take(around.first_result, around.n_results);
      for (const Region& region : program_.regions_of(around)) take(region.first_arg, region.n_args);
    }
  }
  return uses;
}

bool LiveLoads::is_live(uint32_t load, uint32_t next) {
  const auto [at, fresh] = known_.try_emplace({load, next}, true);
  bool& is = at->second;
  if (!fresh || function_of(load) != function_of(next)) return is;  // one of the two has called the other
  const uint32_t ancestor = tree_.ancestor_in(next, tree_.region_of(load));
  if (ancestor == kNoOp || ancestor <= load) return is = false;
  const Uses& uses = uses_of(load);
  if (uses.anywhere || uses.ops.lower_bound(next) != uses.ops.end()) return is;
  for (uint32_t around = tree_.parent(next); around != kNoOp && around > load;
       around = tree_.parent(around)) {
    if (!is_in_loop(around)) continue;
    const auto use = uses.ops.lower_bound(around);
    if (use != uses.ops.end() && *use < program_.end_of(around)) return is;
  }
  return is = false;
}

}  // namespace pto::driver
