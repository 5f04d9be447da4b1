#include "isa/rows/families.hpp"

namespace pto::isa {

std::vector<Family> families() {
  return {
      {"tile-elementwise", "Tile elementwise: unary, binary and ternary, tile with tile",
       tile_elementwise_rows()},
      {"tile-scalar", "Tile with scalar", tile_scalar_rows()},
      {"tile-select-convert", "Compare, select, convert, quantise", tile_select_convert_rows()},
      {"tile-reduce-expand", "Row and column reductions, broadcasts, partial operations",
       tile_reduce_expand_rows()},
      {"tile-move", "Loads, stores, moves, rearrangement", tile_move_rows()},
      {"tile-matmul", "Matrix and matrix-vector products", tile_matmul_rows()},
      {"descriptor", "Views, tiles, pointers: address arithmetic only", descriptor_rows()},
      {"vector-alu", "Vector registers: arithmetic, logic, compare, select, convert, reduce, rearrange",
       vector_alu_rows()},
      {"predicate", "Predicate registers", predicate_rows()},
      {"vector-memory", "Vector registers and predicates from and to UB; the vector scopes",
       vector_memory_rows()},
      {"dma", "Data movement between GM, L1 and UB", dma_rows()},
      {"cube", "Cube: operand staging and multiply-add", cube_rows()},
      {"fixpipe", "Fixpipe: accumulator to GM, L1 and UB; its parameters", fixpipe_rows()},
      {"sync", "Flags, barriers, buffer tokens, cross-core synchronisation", sync_rows()},
      {"system", "Modes, sections, tile queues, debugging", system_rows()},
      {"scalar", "Scalar unit: pointers, queries, scalar memory, arithmetic", scalar_rows()},
      {"control", "Structure: modules, functions, control flow", control_rows()},
      {"simt", "SIMT threads", simt_rows()},
      {"cache", "Caches and memory fences", cache_rows()},
      {"comm", "Communication between devices", comm_rows()},
      {"memref", "Buffers of lowered programs", memref_rows()},
      {"llvm", "Casts, LLVM and vector operations of lowered programs", llvm_rows()},
      {"math", "Functions of scalars", math_rows()},
      {"vector-ub", "Vectors of A2/A3 in UB", vector_ub_rows()},
      {"vmi-values", "Logical vectors: constants, broadcasts, counts, masks", vmi_values_rows()},
      {"vmi-masked", "Logical vectors: operations under masks", vmi_masked_rows()},
      {"vmi-memory", "Logical vectors from and to UB", vmi_memory_rows()},
      {"vmi-typed", "Logical vectors: operations by element type, rearrangement, placement",
       vmi_typed_rows()},
  };
}

}  // namespace pto::isa
