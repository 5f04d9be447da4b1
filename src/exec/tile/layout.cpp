#include "exec/tile/layout.hpp"

#include <fmt/format.h>

#include "exec/address_math.hpp"
#include "isa/memory_spaces.hpp"
#include "support/rounding.hpp"
#include "support/saturating.hpp"

namespace pto::exec {

TileMap::TileMap(const Type& type, uint64_t storage_rows, uint64_t storage_cols) {
  auto rows = static_cast<int64_t>(storage_rows);
  const auto cols = static_cast<int64_t>(storage_cols);
  const bool column_major = type.blayout == BLayout::col_major;
  const InnerBox box = inner_box(type);
  // The cube writes whole boxes. A single row elsewhere is contiguous, as GEMV reads it.
  if (type.space == Space::l0c) rows = round_up(rows, box.rows);
  if (type.slayout == SLayout::row_major && rows == 1) {
    row_pitch_ = cols;
    return;
  }
  if (type.slayout == SLayout::none_box) {
    row_pitch_ = column_major ? 1 : cols;
    step_ = column_major ? rows : 1;
    return;
  }
  const bool inner_row_major = type.slayout == SLayout::row_major;
  box_height_ = box_rows_ = static_cast<uint64_t>(box.rows);
  box_width_ = run_ = static_cast<uint64_t>(box.cols);
  column_blocks_ = column_major;
  row_pitch_ = inner_row_major ? box.cols : 1;
  step_ = inner_row_major ? 1 : box.rows;
  box_row_pitch_ = column_major ? box.rows * box.cols : cols * box.rows;
  run_pitch_ = column_major ? rows * box.cols : box.rows * box.cols;
  block_pitch_ = column_major ? run_pitch_ : box_row_pitch_;
  // Runs that follow each other at the step are one run (Zn), and rows at an even distance need no boxes
  // (Nz).
  if (run_pitch_ == box.cols * step_) run_ = kWhole;
  if (box_row_pitch_ == box.rows * row_pitch_) box_rows_ = 1;
}

TileMap TileMap::transposed() const {
  TileMap result = *this;
  std::swap(result.row_pitch_, result.step_);
  return result;
}

TileMap::Footprint TileMap::footprint(uint64_t row, uint64_t col, uint64_t rows, uint64_t cols) const {
  Footprint print;
  if (box_height_ * box_width_ == 1) {
    if (step_ == 1)
      print.add({offset(row, col), rows, cols, row_pitch_});
    else
      print.add({offset(row, col), cols, rows, step_});
    return print;
  }
  // Across: from one column (or row) of boxes to the next. Along: within it.
  const uint64_t box = column_blocks_ ? box_width_ : box_height_;
  const uint64_t across = column_blocks_ ? col : row;
  const uint64_t end = across + (column_blocks_ ? cols : rows);
  const uint64_t along = column_blocks_ ? row : col;
  const uint64_t count = column_blocks_ ? rows : cols;
  const auto at = [&](uint64_t a, uint64_t b) { return column_blocks_ ? offset(b, a) : offset(a, b); };
  const auto whole = [&](uint64_t from, uint64_t to) {  // of boxes: first, last and one more
    const int64_t start = at(from * box, along);
    const int64_t last = at(from * box + box - 1, along + count - 1);
    print.add({start, to - from, static_cast<uint64_t>(last - start) + 1, to - from == 1 ? 0 : block_pitch_});
  };
  const uint64_t first = across / box;
  const uint64_t last = (end - 1) / box;
  if (column_blocks_ ? box_rows_ != 1 : run_ != kWhole) {
    if (first != last) {
      whole(first, last + 1);
    } else {
      const int64_t start = at(across, along);
      print.add({start, 1, static_cast<uint64_t>(at(end - 1, along + count - 1) - start) + 1, 0});
    }
    return print;
  }
  const auto cut = [&](uint64_t from, uint64_t to) {
    print.add({at(from, along), count, to - from, column_blocks_ ? row_pitch_ : step_});
  };
  const uint64_t whole_first = ceil_div(across, box);
  const uint64_t whole_end = end / box;
  if (whole_first < whole_end) whole(whole_first, whole_end);
  if (whole_first > whole_end) {
    cut(across, end);
    return print;
  }
  if (across % box != 0) cut(across, whole_first * box);
  if (end % box != 0) cut(whole_end * box, end);
  return print;
}

namespace {

/// The bytes of a tile without boxes, read as if they were fractals in columns (Nz).
TileMap map_of_fractals(Type type, const TileDesc& desc) {
  type.blayout = BLayout::col_major;
  type.slayout = SLayout::row_major;
  type.fractal = 512;
  const InnerBox box = inner_box(type);
  const uint64_t rows =
      desc.storage_rows == 1 ? 1 : round_up(desc.storage_rows, static_cast<uint64_t>(box.rows));
  return {type, rows, round_up(desc.storage_cols, static_cast<uint64_t>(box.cols))};
}

TileMap map_of(Type type, const TileDesc& desc, Tile::Boxes boxes) {
  if (boxes == Tile::Boxes::fractals && type.slayout == SLayout::none_box) return map_of_fractals(type, desc);
  if (boxes == Tile::Boxes::cube) type.fractal = 1024;
  return {type, desc.storage_rows, desc.storage_cols};
}

}  // namespace

Tile::Tile(Context& context, unsigned slot, AccessMode how, uint64_t rows, uint64_t cols)
    : rows_(rows), cols_(cols) {
  grant(context, slot, how, 0, 0);
}

Tile Tile::window(Context& context, unsigned slot, AccessMode how, uint64_t row, uint64_t col, uint64_t rows,
                  uint64_t cols, int core, Boxes boxes) {
  Tile tile;
  tile.rows_ = rows;
  tile.cols_ = cols;
  tile.grant(context, slot, how, row, col, core, 0, boxes);
  return tile;
}

Tile Tile::operand(Context& context, unsigned slot, unsigned i, AccessMode how) {
  Tile tile;
  const TileDesc& desc = context.as<TileDesc>(slot, i);
  tile.rows_ = desc.valid_rows;
  tile.cols_ = desc.valid_cols;
  tile.grant(context, slot, how, 0, 0, kOwnCore, i);
  return tile;
}

Tile Tile::whole(Context& context, unsigned slot, AccessMode how) {
  const TileDesc& desc = context.tile(slot);
  const Type& type = context.type(slot);
  // A subview's parent extents bound the offsets; its own extents are the type's.
  return Tile(context, slot, how, std::min<uint64_t>(desc.storage_rows, static_cast<uint64_t>(type.rows())),
              std::min<uint64_t>(desc.storage_cols, static_cast<uint64_t>(type.cols())));
}

void Tile::grant(Context& context, unsigned slot, AccessMode how, uint64_t row, uint64_t col, int core,
                 unsigned value, Boxes boxes) {
  const TileDesc& desc = context.as<TileDesc>(slot, value);
  const Type& type = context.type(slot, value);
  elem_ = type.elem;
  size_ = byte_width(type.elem);
  map_ = map_of(type, desc, boxes);
  good_ = true;
  if (empty()) return;
  if (sat_add(row, rows_) > desc.storage_rows || sat_add(col, cols_) > desc.storage_cols) {
    context.fault(
        Fault::out_of_bounds,
        fmt::format("element ({}, {}) of operand '{}' is outside its {}x{} storage", sat_add(row, rows_ - 1),
                    sat_add(col, cols_ - 1),
                    context.inst->schema ? context.inst->schema->operands[slot].name : std::string_view("?"),
                    desc.storage_rows, desc.storage_cols));
    good_ = false;
    return;
  }
  first_row_ = row;
  first_col_ = col;
  Memory& memory = *context.memory;
  const Space space = isa::storage_space(type);
  const TileMap::Footprint print = map_.footprint(row, col, rows_, cols_);
  for (const TileMap::Blocks& blocks : print.all()) {
    const uint64_t address = within(desc.addr, blocks.start, size_);
    const uint64_t bytes = blocks.block * size_;
    const int64_t pitch = blocks.pitch * static_cast<int64_t>(size_);
    std::byte* const start = core == kOwnCore
                                 ? memory.access_rows(space, address, blocks.blocks, bytes, pitch, how)
                                 : memory.access_peer(core, space, address, blocks.blocks, bytes, pitch, how);
    good_ = start != nullptr;
    if (!good_) return;
    if (base_ == nullptr) {
      base_ = start;
      origin_ = blocks.start;
    }
  }
}

void Tile::transpose() {
  map_ = map_.transposed();
  std::swap(rows_, cols_);
  std::swap(first_row_, first_col_);
}

void Tile::flatten() {
  cols_ *= rows_;
  rows_ = 1;
}

}  // namespace pto::exec
