// Expansion: one column or one row of a source represents all of them.
#include <array>

#include "exec/tile/map.hpp"

namespace pto::exec {
namespace {

bool unboxed(Context& context, unsigned slot) {
  if (context.type(slot).slayout == SLayout::none_box) return true;
  context.fault(Fault::unsupported, "a boxed tile cannot be expanded");
  return false;
}

/// Element (r, c) is (r, c mod width) of the tile.
Tile expanded_columns(Context& context, unsigned slot, uint64_t rows, uint64_t cols, uint64_t width) {
  Tile tile;
  if (!unboxed(context, slot) || !covers(context, slot, rows, width)) return tile;
  tile = Tile(context, slot, AccessMode::read, rows, width);
  if (tile.good()) tile.repeat_columns(width, cols);
  return tile;
}

Tile expanded_rows(Context& context, unsigned slot, uint64_t rows, uint64_t cols) {
  Tile tile;
  if (!unboxed(context, slot) || !covers(context, slot, 1, cols)) return tile;
  tile = Tile(context, slot, AccessMode::read, 1, cols);
  if (tile.good()) tile.repeat_first_row(rows);
  return tile;
}

Tile full(Context& context, unsigned slot, uint64_t rows, uint64_t cols) {
  if (!covers(context, slot, rows, cols)) return {};
  return Tile(context, slot, AccessMode::read, rows, cols);
}

void trowexpand(Context& context) {
  Tile dst(context, 1, AccessMode::write);
  if (!dst.good() || dst.empty()) return;
  std::array<Tile, 1> src{expanded_columns(context, 0, dst.rows(), dst.cols(), 1)};
  if (src[0].good()) map_tiles(context, src, dst, Copy{});
}

void tcolexpand(Context& context) {
  Tile dst(context, 1, AccessMode::write);
  if (!dst.good() || dst.empty()) return;
  std::array<Tile, 1> src{expanded_rows(context, 0, dst.rows(), dst.cols())};
  if (src[0].good()) map_tiles(context, src, dst, Copy{});
}

template <typename Op>
void map_expanded(Context& context, std::array<Tile, 2>& src, Tile& dst) {
  if (!src[0].good() || !src[1].good()) return;
  for_target<Op>(context, [&](auto op) {
    if constexpr (requires { op.elem; }) op.elem = dst.elem();
    map_tiles(context, src, dst, op);
  });
}

/// The row-major form has a block of 32 bytes per row, which repeats along the row (pto-isa
/// include/pto/npu/a5/TRowExpandBinOp.hpp:142); programs often fill it with one value. Either source may be
/// the one to expand: the one whose valid region is not the destination's. Operands keep their order.
template <typename Op>
void row_expand(Context& context) {
  Tile dst(context, 3, AccessMode::write);
  if (!dst.good() || dst.empty()) return;
  const auto is_full = [&](unsigned slot) {
    const TileDesc& source = context.tile(slot);
    return source.valid_rows == dst.rows() && source.valid_cols == dst.cols();
  };
  const bool first_is_full = is_full(0);
  if (!first_is_full && !is_full(1))
    return context.fault(Fault::bad_operand, "neither source has the valid region of the destination");
  const unsigned narrow = first_is_full ? 1 : 0;
  const uint64_t width = std::min<uint64_t>(context.tile(narrow).valid_cols, dst.cols());
  if (width == 0) return context.fault(Fault::bad_operand, "the source to expand has no valid column");
  std::array<Tile, 2> src;
  src[narrow] = expanded_columns(context, narrow, dst.rows(), dst.cols(), width);
  src[1 - narrow] = full(context, 1 - narrow, dst.rows(), dst.cols());
  map_expanded<Op>(context, src, dst);
}

template <typename Op>
void col_expand(Context& context) {
  Tile dst(context, 2, AccessMode::write);
  if (!dst.good() || dst.empty()) return;
  std::array<Tile, 2> src{full(context, 0, dst.rows(), dst.cols()),
                          expanded_rows(context, 1, dst.rows(), dst.cols())};
  map_expanded<Op>(context, src, dst);
}

constexpr Semantics kTileExpandSemantics[] = {
    {"pto.trowexpand", trowexpand},
    {"pto.tcolexpand", tcolexpand},
    {"pto.trowexpandadd", row_expand<Add>},
    {"pto.tcolexpandadd", col_expand<Add>},
    {"pto.trowexpandsub", row_expand<Sub>},
    {"pto.tcolexpandsub", col_expand<Sub>},
    {"pto.trowexpandmul", row_expand<Mul>},
    {"pto.tcolexpandmul", col_expand<Mul>},
    {"pto.trowexpanddiv", row_expand<Div>},
    {"pto.tcolexpanddiv", col_expand<Div>},
    {"pto.trowexpandmax", row_expand<Max>},
    {"pto.tcolexpandmax", col_expand<Max>},
    {"pto.trowexpandmin", row_expand<Min>},
    {"pto.tcolexpandmin", col_expand<Min>},
    {"pto.trowexpandexpdif", row_expand<ExpDif>},
    {"pto.tcolexpandexpdif", col_expand<ExpDif>},
};

}  // namespace

std::span<const Semantics> tile_expand() { return kTileExpandSemantics; }

}  // namespace pto::exec
