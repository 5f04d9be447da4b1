// The row families, in table order. The order decides row numbers: append families, do not reorder.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "isa/row.hpp"

namespace pto::isa {

/// A row as the table holds it: what it leaves out (and does not set to "") is as the family shares it.
constexpr Row whole(const Row& shared, Row row) {
  const auto inherit = [](std::string_view& own, std::string_view common) {
    // Sanitizer builds of g++ 12 take the address of a joined string for no constant: it is not asked for.
    if (own.empty() && own.data() == nullptr) own = common;
  };
  inherit(row.operands, shared.operands);
  inherit(row.results, shared.results);
  inherit(row.attrs, shared.attrs);
  inherit(row.syntax, shared.syntax);
  inherit(row.types.a2a3, shared.types.a2a3);
  inherit(row.types.a5, shared.types.a5);
  inherit(row.rules, shared.rules);
  inherit(row.pipe, shared.pipe);
  inherit(row.cost, shared.cost);
  if (row.scope == Scope::unsaid) row.scope = shared.scope;
  if (row.layer == Layer::unsaid) row.layer = shared.layer;
  row.flags |= shared.flags;
  return row;
}
template <size_t n>
constexpr std::array<Row, n> whole(const Row& shared, const Row (&rows)[n]) {
  std::array<Row, n> made{};
  for (size_t i = 0; i < n; ++i) made[i] = whole(shared, rows[i]);
  return made;
}

/// The rows of a family that shares two things.
template <size_t n, size_t m>
constexpr std::array<Row, n + m> joined(const std::array<Row, n>& first, const std::array<Row, m>& second) {
  std::array<Row, n + m> made{};
  for (size_t i = 0; i < n; ++i) made[i] = first[i];
  for (size_t i = 0; i < m; ++i) made[n + i] = second[i];
  return made;
}

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
std::span<const Row> cache_rows();
std::span<const Row> system_rows();
std::span<const Row> scalar_rows();
std::span<const Row> control_rows();
std::span<const Row> simt_rows();
std::span<const Row> comm_rows();
std::span<const Row> memref_rows();
std::span<const Row> llvm_rows();
std::span<const Row> math_rows();
std::span<const Row> vector_ub_rows();
std::span<const Row> vmi_values_rows();
std::span<const Row> vmi_masked_rows();
std::span<const Row> vmi_memory_rows();
std::span<const Row> vmi_typed_rows();

struct Family {
  std::string_view name;  ///< of its page in docs/isa
  std::string_view title;
  std::span<const Row> rows;
};
/// All of them.
std::vector<Family> families();

}  // namespace pto::isa
