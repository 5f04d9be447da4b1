#include "ir/regions.hpp"

#include "ir/op_queries.hpp"
#include "isa/row.hpp"

namespace pto {

bool is_terminator(const Program& program, uint32_t op) {
  return isa::is_region_terminator(isa::row(program.ops[op].row).opcode_class);
}

uint32_t last_of(const Program& program, const Region& region) {
  uint32_t last = kNoOp;
  for (const uint32_t op : ops_in(program, region)) last = op;
  return last;
}

std::optional<uint32_t> terminator(const Program& program, const Region& region) {
  // Terminators have no regions, so one that ends this region is the last operation of the flat order. It may
  // as well be nested in the region's last operation.
  if (region.begin == region.end || !is_terminator(program, region.end - 1)) return std::nullopt;
  const uint32_t last = last_of(program, region);
  return last == region.end - 1 ? std::optional(last) : std::nullopt;
}

std::span<const ValueId> yielded_values(const OpView& terminator) {
  return terminator.operands(isa::opcode_class(terminator) == isa::OpcodeClass::condition ? 1 : 0);
}

std::span<const ValueId> yielded_values(const Program& program, const Region& region) {
  const std::optional<uint32_t> last = terminator(program, region);
  return last ? yielded_values(OpView(program, *last)) : std::span<const ValueId>();
}

bool opens_vector_scope(const OpView& op) {
  switch (isa::opcode_class(op)) {
    case isa::OpcodeClass::vecscope:
    case isa::OpcodeClass::strict_vecscope:
      return true;
    case isa::OpcodeClass::loop:
      return op.attr("llvm.loop.aivector_scope") != nullptr;
    default:
      return false;
  }
}

bool has_own_synchronisation(const Program& program, uint32_t function_op) {
  bool barriers = false, tiles = false;
  for (const uint32_t op : descendants(program, function_op)) {
    const isa::OpcodeClass opcode_class = isa::row(program.ops[op].row).opcode_class;
    if (opcode_class == isa::OpcodeClass::barrier)
      barriers = true;
    else if (isa::is_pipe_synchronisation(opcode_class))
      return true;
    tiles = tiles || opcode_class == isa::OpcodeClass::alloc_tile;
  }
  return barriers && !tiles;
}

RegionTree::RegionTree(const Program& program)
    : region_(program.ops.size(), kNoOp), owner_(program.regions.size(), kNoOp) {
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    for (uint32_t k = 0; k < program.ops[op].n_regions; ++k) {
      const uint32_t region = program.ops[op].regions + k;
      owner_[region] = op;
      for (const uint32_t child : ops_in(program, program.regions[region])) region_[child] = region;
    }
  }
}

uint32_t RegionTree::ancestor_in(uint32_t op, uint32_t region) const {
  while (op != kNoOp && region_[op] != region) op = parent(op);
  return op;
}

bool RegionTree::dominates(uint32_t first, uint32_t second) const {
  return first < second && ancestor_in(second, region_[first]) != kNoOp;
}

}  // namespace pto
