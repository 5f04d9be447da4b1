// The row families, in table order. The order decides row numbers: append families, do not reorder.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "isa/layout_hash.hpp"
#include "isa/rows/row_template.hpp"

namespace pto::isa {

/// The rows of a family, with a hash that the compiler has computed.
struct FamilyRows {
  template <size_t n>
  consteval FamilyRows(const std::array<Row, n>& table)
      : rows(table), hash(layout_hash(std::span<const Row>(table))) {}
  std::span<const Row> rows;
  uint64_t hash;
};
template <const auto& table>
FamilyRows complete() {
  return CompleteTable<table>::kRows;
}

FamilyRows tile_elementwise_rows();
FamilyRows tile_scalar_rows();
FamilyRows tile_select_convert_rows();
FamilyRows tile_reduce_expand_rows();
FamilyRows tile_move_rows();
FamilyRows tile_matmul_rows();
FamilyRows descriptor_rows();
FamilyRows vector_alu_rows();
FamilyRows predicate_rows();
FamilyRows vector_memory_rows();
FamilyRows dma_rows();
FamilyRows cube_rows();
FamilyRows fixpipe_rows();
FamilyRows sync_rows();
FamilyRows cache_rows();
FamilyRows system_rows();
FamilyRows scalar_rows();
FamilyRows control_rows();
FamilyRows simt_rows();
FamilyRows comm_rows();
FamilyRows memref_rows();
FamilyRows llvm_rows();
FamilyRows math_rows();
FamilyRows vector_ub_rows();
FamilyRows vmi_values_rows();
FamilyRows vmi_masked_rows();
FamilyRows vmi_memory_rows();
FamilyRows vmi_typed_rows();

struct Family {
  std::string_view name;  ///< of its page in docs/reference/isa
  std::string_view title;
  std::span<const Row> rows;
  uint64_t hash;

  Family(std::string_view page, std::string_view heading, const FamilyRows& own)
      : name(page), title(heading), rows(own.rows), hash(own.hash) {}
};
/// All of them.
std::vector<Family> families();

}  // namespace pto::isa
