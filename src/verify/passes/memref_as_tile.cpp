// Memrefs as the tiles and views they represent, so that the rules written for those hold for them.
#include <algorithm>

#include "support/saturating.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

/// Far more than any memory holds; bytes and sums of them stay far from overflow.
constexpr int64_t kMaxElements = 1 << 24;

/// The layout that instructions want of a tile in this memory.
void lay_out(Type& tile, Target target) {
  const bool cube = tile.space != Space::ub && tile.space != Space::bt && tile.space != Space::fb;
  if (!cube) return;
  const bool rows_of_boxes = tile.space == Space::l0b || (tile.space == Space::l0a && target != Target::a5);
  tile.blayout = rows_of_boxes ? BLayout::row_major : BLayout::col_major;
  tile.slayout = tile.space == Space::l0b ? SLayout::col_major : SLayout::row_major;
  if (tile.space == Space::l0c) tile.fractal = 1024;
}

/// On chip: a tile of the rows that all dimensions but the last make. In GM, or nowhere stated: a view.
std::optional<Type> stands_for(const Type& memref, Target target) {
  const auto dims = std::span(memref.dims).first(memref.rank);
  Type type;
  type.elem = memref.elem;
  type.vec_lanes = memref.vec_lanes;
  type.text = to_string(memref);  // messages show what the user wrote
  if (memref.space == Space::none || memref.space == Space::gm) {
    type.kind = TypeKind::partition_view;
    type.space = memref.space;
    type.rank = memref.rank;
    type.dims = memref.dims;
    return type;
  }
  if (dims.empty() || std::ranges::any_of(dims, [](int64_t size) {
        return size == kDynamic || size <= 0 || size > kMaxElements;
      }))
    return std::nullopt;
  int64_t rows = 1;
  for (const int64_t size : dims.first(dims.size() - 1)) rows = sat_mul(rows, size);
  if (rows > kMaxElements) return std::nullopt;
  type.kind = TypeKind::tile_buf;
  type.space = memref.space;
  type.fractal = 512;
  type.rank = 2;
  type.dims = {rows, dims.back()};
  type.valid = {rows, dims.back()};
  lay_out(type, target);
  return type;
}

}  // namespace

std::optional<NoTile> stands_for_nothing(const Type& type) {
  if (type.kind != TypeKind::memref) return std::nullopt;
  const auto dims = std::span(type.dims).first(type.rank);
  const bool open = std::ranges::find(dims, kDynamic) != dims.end();
  const bool possible = std::ranges::all_of(dims, [](int64_t size) { return size == kDynamic || size > 0; });
  return open && possible ? NoTile::open : NoTile::impossible;
}

bool from_memref(const Type& type) { return (type.is_tile() || type.is_view()) && !type.text.empty(); }

std::optional<Program> memrefs_as_tiles(const Program& program) {
  const auto is_memref = [&](size_t id) {
    return program.types[static_cast<TypeId>(id)].kind == TypeKind::memref;
  };
  std::vector<TypeId> seen_as(program.types.size());
  bool any = false;
  for (size_t id = 0; id < seen_as.size(); ++id) any = any || is_memref(id);
  if (!any) return std::nullopt;
  Program copy = program;
  for (size_t id = 0; id < seen_as.size(); ++id) {
    const std::optional<Type> type =
        is_memref(id) ? stands_for(program.types[static_cast<TypeId>(id)], program.target) : std::nullopt;
    seen_as[id] = type ? copy.types.intern(*type) : static_cast<TypeId>(id);
  }
  for (Value& value : copy.values) value.type = seen_as[value.type];
  return copy;
}

}  // namespace pto::legality
