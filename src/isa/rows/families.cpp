#include "isa/rows/families.hpp"

namespace pto::isa {

std::vector<std::span<const Row>> families() {
  return {
      tile_elementwise_rows(),
      tile_scalar_rows(),
      tile_select_convert_rows(),
      tile_reduce_expand_rows(),
      tile_move_rows(),
      tile_matmul_rows(),
      descriptor_rows(),
      vector_alu_rows(),
      predicate_rows(),
      vector_memory_rows(),
      dma_rows(),
      cube_rows(),
      fixpipe_rows(),
      sync_rows(),
      system_rows(),
      scalar_rows(),
      control_rows(),
      simt_rows(),
      comm_rows(),
      memref_rows(),
      llvm_rows(),
      math_rows(),
  };
}

}  // namespace pto::isa
