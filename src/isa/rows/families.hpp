// The row families, in table order. The order decides row numbers: append families, do not reorder.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "isa/row.hpp"

namespace pto::isa {

std::span<const Row> tile_elementwise_rows();
std::span<const Row> tile_scalar_rows();
std::span<const Row> tile_select_convert_rows();
std::span<const Row> tile_reduce_expand_rows();
std::span<const Row> tile_move_rows();
std::span<const Row> tile_matmul_rows();
std::span<const Row> descriptor_rows();
std::span<const Row> vector_alu_rows();
std::span<const Row> predicate_rows();
std::span<const Row> vector_memory_rows();
std::span<const Row> dma_rows();
std::span<const Row> cube_rows();
std::span<const Row> fixpipe_rows();
std::span<const Row> sync_rows();
std::span<const Row> system_rows();
std::span<const Row> scalar_rows();
std::span<const Row> control_rows();
std::span<const Row> simt_rows();
std::span<const Row> comm_rows();
std::span<const Row> memref_rows();
std::span<const Row> llvm_rows();
std::span<const Row> math_rows();

struct Family {
  std::string_view name;    ///< of its page in docs/isa
  std::string_view title;
  std::span<const Row> rows;
};
/// All of them.
std::vector<Family> families();

}  // namespace pto::isa
