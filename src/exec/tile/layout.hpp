// Offset formulas of all tile layouts (pto-isa include/pto/cpu/tile_offsets.hpp), and the checked access
// to the memory of a tile. No other file has an offset formula.
//
// A row of any layout is a sequence of runs: `run` elements `step` apart, the next run `run_pitch` after the
// start of the one before. Plain row-major and Zn tiles have one run per row, so loops over contiguous
// elements stay fast.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "exec/exec_context.hpp"
#include "exec/strided_copy.hpp"

namespace pto::exec {

/// Offsets of a tile, in elements.
class TileMap {
 public:
  TileMap() = default;
  TileMap(const Type& type, uint64_t storage_rows, uint64_t storage_cols);

  /// Offset of element (row, 0).
  [[nodiscard]] int64_t row_start(uint64_t row) const {
    if (box_rows_ == 1) return static_cast<int64_t>(row) * row_pitch_;
    return static_cast<int64_t>(row / box_rows_) * box_row_pitch_ +
           static_cast<int64_t>(row % box_rows_) * row_pitch_;
  }
  [[nodiscard]] int64_t offset(uint64_t row, uint64_t col) const {
    return row_start(row) + static_cast<int64_t>(col / run_) * run_pitch_ +
           static_cast<int64_t>(col % run_) * step_;
  }
  [[nodiscard]] uint64_t run() const { return run_; }
  [[nodiscard]] int64_t run_pitch() const { return run_pitch_; }
  [[nodiscard]] int64_t step() const { return step_; }
  [[nodiscard]] int64_t row_pitch() const { return row_pitch_; }
  /// The digits of rows or columns [first, first + count), counted from the first; empty if they
  /// cut boxes.
  [[nodiscard]] IndexDigits rows_from(uint64_t first, uint64_t count) const {
    return box_rows_ == 1 ? cut(kWhole, 0, row_pitch_, 0, count)
                          : cut(box_rows_, box_row_pitch_, row_pitch_, first, count);
  }
  [[nodiscard]] IndexDigits cols_from(uint64_t first, uint64_t count) const {
    return cut(run_, run_pitch_, step_, first, count);
  }
  /// Every row is one run of neighbouring elements.
  [[nodiscard]] bool plain() const { return box_rows_ == 1 && step_ == 1 && run_ == kWhole; }
  /// Plain after exchanging rows and columns.
  [[nodiscard]] bool plain_transposed() const { return box_rows_ == 1 && row_pitch_ == 1 && run_ == kWhole; }
  [[nodiscard]] TileMap transposed() const;  ///< only of plain_transposed maps
  /// The first `width` columns repeat for ever; only without boxes.
  void repeat_columns(uint64_t width) {
    run_ = width;
    run_pitch_ = 0;
    if (width == 1) {
      run_ = kWhole;
      step_ = 0;
    }
  }
  void repeat_first_row() { row_pitch_ = 0; }

  /// The blocks of memory that hold a window; `start` and all extents in elements.
  struct Blocks {
    int64_t start;
    uint64_t blocks, block;
    int64_t pitch;
  };
  /// Whole boxes together; of those that a window cuts at its first and last column of boxes (Nz) or row of
  /// boxes (Zn) the part inside. Where boxes are cut both ways (Zz, Nn) one block per row or column of boxes.
  struct Footprint {
    std::array<Blocks, 3> parts;
    unsigned n = 0;
    void add(const Blocks& blocks) { parts[n++] = blocks; }
    [[nodiscard]] std::span<const Blocks> all() const { return {parts.data(), n}; }
  };
  [[nodiscard]] Footprint footprint(uint64_t row, uint64_t col, uint64_t rows, uint64_t cols) const;

 private:
  static IndexDigits cut(uint64_t box, int64_t pitch, int64_t step, uint64_t first, uint64_t count) {
    IndexDigits digits;
    const bool within = first % box + count <= box;
    if (!within && (first % box != 0 || count % box != 0)) return digits;
    digits.add(within ? count : box, step);
    if (!within) digits.add(count / box, pitch);
    return digits;
  }

  static constexpr uint64_t kWhole = uint64_t{1} << 40;  ///< a run without end
  uint64_t box_rows_ = 1;
  int64_t row_pitch_ = 0, box_row_pitch_ = 0;
  uint64_t run_ = kWhole;
  int64_t run_pitch_ = 0, step_ = 1;
  uint64_t box_height_ = 1, box_width_ = 1;
  int64_t block_pitch_ = 0;     ///< from one column of boxes (Nz, Nn) or row of boxes (Zz, Zn) to the next
  bool column_blocks_ = false;  ///< boxes of one column are neighbours (Nz, Nn)
};

/// A tile operand whose memory was granted: element pointers, valid extents, layout.
class Tile {
 public:
  Tile() = default;
  /// Grants the first rows x cols elements. `good()` is false after a finding; an empty tile is good and has
  /// no memory.
  Tile(Context& context, unsigned slot, AccessMode how)
      : Tile(context, slot, how, context.tile(slot).valid_rows, context.tile(slot).valid_cols) {}
  Tile(Context& context, unsigned slot, AccessMode how, uint64_t rows, uint64_t cols);
  /// The same, from element (row, col) on.
  /// `core`: the core of the cluster whose memory it is (Memory::access_peer), or kOwnCore.
  static constexpr int kOwnCore = -1;
  /// The boxes of a window: those of its type; fractals, also if its type has none, as loads into
  /// L0A and L0B read it; those of the accumulator, as it leaves L0C.
  enum class Boxes : uint8_t { of_type, fractals, cube };
  static Tile window(Context& context, unsigned slot, AccessMode how, uint64_t row, uint64_t col,
                     uint64_t rows, uint64_t cols, int core = kOwnCore, Boxes boxes = Boxes::of_type);
  /// The valid region of value `i` of a variadic slot.
  static Tile operand(Context& context, unsigned slot, unsigned i, AccessMode how);
  /// The tile's whole storage.
  static Tile whole(Context& context, unsigned slot, AccessMode how);

  /// A window of a granted access; it makes no new access.
  [[nodiscard]] Tile part(uint64_t row, uint64_t col, uint64_t rows, uint64_t cols) const {
    Tile tile = *this;
    tile.first_row_ += row;
    tile.first_col_ += col;
    tile.rows_ = rows;
    tile.cols_ = cols;
    return tile;
  }

  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool empty() const { return rows_ == 0 || cols_ == 0; }
  [[nodiscard]] uint64_t rows() const { return rows_; }
  [[nodiscard]] uint64_t cols() const { return cols_; }
  [[nodiscard]] Elem elem() const { return elem_; }
  [[nodiscard]] uint32_t size() const { return size_; }
  [[nodiscard]] const TileMap& map() const { return map_; }
  [[nodiscard]] IndexDigits row_digits() const { return map_.rows_from(first_row_, rows_); }
  [[nodiscard]] IndexDigits col_digits() const { return map_.cols_from(first_col_, cols_); }
  [[nodiscard]] std::byte* at(uint64_t row, uint64_t col) const {
    return base_ + (map_.offset(first_row_ + row, first_col_ + col) - origin_) * size_;
  }

  template <typename T>
  [[nodiscard]] T get(uint64_t row, uint64_t col) const {
    T value;
    std::memcpy(&value, at(row, col), sizeof(T));
    return value;
  }
  template <typename T>
  void put(uint64_t row, uint64_t col, T value) const {
    std::memcpy(at(row, col), &value, sizeof(T));
  }
  /// One element's bits, zero-extended, of any size.
  [[nodiscard]] uint64_t bits(uint64_t row, uint64_t col) const {
    uint64_t value = 0;
    std::memcpy(&value, at(row, col), size_);
    return value;
  }
  void put_bits(uint64_t row, uint64_t col, uint64_t value) const {
    std::memcpy(at(row, col), &value, size_);
  }

  /// Elements [col, col + n) of a row as neighbours: a pointer into the tile, or into `scratch` after
  /// gathering.
  template <typename T>
  [[nodiscard]] const T* read(uint64_t row, uint64_t col, uint64_t n, T* scratch) const;
  /// Where to put elements [col, col + n): the tile itself when they are neighbours there, else `scratch`;
  /// then call `written`.
  template <typename T>
  [[nodiscard]] T* write(uint64_t row, uint64_t col, T* scratch) const {
    return direct() ? reinterpret_cast<T*>(at(row, col)) : scratch;
  }
  template <typename T>
  void written(uint64_t row, uint64_t col, uint64_t n, const T* scratch) const;

  [[nodiscard]] bool direct() const { return map_.plain(); }
  /// Treats columns as rows; only when map().plain_transposed().
  void transpose();
  /// Gives the tile rows x cols elements by repeating its first `width` columns, or its first row; only
  /// without boxes.
  void repeat_columns(uint64_t width, uint64_t cols) {
    map_.repeat_columns(width);
    cols_ = cols;
  }
  void repeat_first_row(uint64_t rows) {
    map_.repeat_first_row();
    rows_ = rows;
  }
  /// All elements as one row; only when direct() and the rows touch.
  void flatten();
  [[nodiscard]] bool dense() const {
    return map_.plain() && (rows_ <= 1 || map_.row_pitch() == static_cast<int64_t>(cols_));
  }

 private:
  void grant(Context& context, unsigned slot, AccessMode how, uint64_t row, uint64_t col, int core = kOwnCore,
             unsigned value = 0, Boxes boxes = Boxes::of_type);

  std::byte* base_ = nullptr;  ///< of the element at offset origin_
  int64_t origin_ = 0;
  uint64_t first_row_ = 0, first_col_ = 0;  ///< the window's corner; all coordinates are relative to it
  uint64_t rows_ = 0, cols_ = 0;
  uint32_t size_ = 0;
  Elem elem_ = Elem::none;
  TileMap map_;
  bool good_ = false;
};

template <typename T>
const T* Tile::read(uint64_t row, uint64_t col, uint64_t n, T* scratch) const {
  if (direct()) return reinterpret_cast<const T*>(at(row, col));
  const T* const first = reinterpret_cast<const T*>(base_) + (map_.row_start(first_row_ + row) - origin_);
  for (uint64_t done = 0; done < n;) {
    const uint64_t at_col = first_col_ + col + done;
    const uint64_t box = at_col / map_.run();
    const uint64_t inside = at_col % map_.run();
    const uint64_t take = std::min(n - done, map_.run() - inside);
    const T* from =
        first + static_cast<int64_t>(box) * map_.run_pitch() + static_cast<int64_t>(inside) * map_.step();
    if (map_.step() == 1)
      std::memcpy(scratch + done, from, take * sizeof(T));
    else
      for (uint64_t i = 0; i < take; ++i) scratch[done + i] = from[static_cast<int64_t>(i) * map_.step()];
    done += take;
  }
  return scratch;
}

template <typename T>
void Tile::written(uint64_t row, uint64_t col, uint64_t n, const T* scratch) const {
  if (direct()) return;
  T* const first = reinterpret_cast<T*>(base_) + (map_.row_start(first_row_ + row) - origin_);
  for (uint64_t done = 0; done < n;) {
    const uint64_t at_col = first_col_ + col + done;
    const uint64_t box = at_col / map_.run();
    const uint64_t inside = at_col % map_.run();
    const uint64_t take = std::min(n - done, map_.run() - inside);
    T* to = first + static_cast<int64_t>(box) * map_.run_pitch() + static_cast<int64_t>(inside) * map_.step();
    if (map_.step() == 1)
      std::memcpy(to, scratch + done, take * sizeof(T));
    else
      for (uint64_t i = 0; i < take; ++i) to[static_cast<int64_t>(i) * map_.step()] = scratch[done + i];
    done += take;
  }
}

/// Gives tiles of equal extents a common shape that loops well: columns as rows where all are column-major,
/// one long row where all are dense.
template <typename... Tiles>
void normalise(Tiles&... tiles) {
  if (!(tiles.map().plain() && ...) && (tiles.map().plain_transposed() && ...)) (tiles.transpose(), ...);
  if ((tiles.dense() && ...)) (tiles.flatten(), ...);
}

}  // namespace pto::exec
