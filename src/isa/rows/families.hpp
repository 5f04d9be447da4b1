// The row families, in table order. The order decides row numbers: append families, do not reorder.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "isa/layout_hash.hpp"

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
  std::array<Row, n> built{};
  for (size_t i = 0; i < n; ++i) built[i] = whole(shared, rows[i]);
  return built;
}

/// The rows of a family that shares two things.
template <size_t n, size_t m>
constexpr std::array<Row, n + m> joined(const std::array<Row, n>& first, const std::array<Row, m>& second) {
  std::array<Row, n + m> built{};
  for (size_t i = 0; i < n; ++i) built[i] = first[i];
  for (size_t i = 0; i < m; ++i) built[n + i] = second[i];
  return built;
}

/// The rows of a family, with a hash that the compiler has computed.
struct FamilyRows {
  template <size_t n>
  consteval FamilyRows(const std::array<Row, n>& table)
      : rows(table), hash(layout_hash(std::span<const Row>(table))) {}
  std::span<const Row> rows;
  uint64_t hash;
};

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
