// A GM window seen as the rows and columns of a tile. Which of the five dimensions are rows depends on the
// layout (pto-isa include/pto/cpu/tile_offsets.hpp):
//   nd  rows = d0 d1 d2 d3, columns = d4
//   dn  rows = d3,          columns = d0 d1 d2 d4
//   nz  rows = d2 d3,       columns = d0 d1 d4
//   mx_a_zz  rows = d0 d1 d3, columns = d2 d4      boxes of 16 rows by 2 scales
//   mx_b_nn  rows = d2 d4,    columns = d0 d1 d3   boxes of 2 scales by 16 columns
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "exec/exec_context.hpp"
#include "exec/strided_copy.hpp"
#include "support/saturating.hpp"

namespace pto::exec {

/// ViewDesc::layout
inline constexpr uint64_t kLayoutNd = 0, kLayoutDn = 1, kLayoutNz = 2, kLayoutMxA = 3, kLayoutMxB = 4;

class WindowMap {
 public:
  explicit WindowMap(const ViewDesc& view);
  [[nodiscard]] uint64_t rows() const { return rows_.count(); }
  [[nodiscard]] uint64_t cols() const { return cols_.count(); }
  [[nodiscard]] int64_t offset(uint64_t row, uint64_t col) const {
    return rows_.offset(row) + cols_.offset(col);
  }
  /// Columns [col, col + run) are `step` elements apart.
  [[nodiscard]] uint64_t run() const { return cols_.inner(); }
  [[nodiscard]] int64_t step() const { return cols_.step(); }
  /// How far the first rows x cols elements reach from the first one, at most; never overflows.
  [[nodiscard]] int64_t reach(uint64_t rows, uint64_t cols) const {
    return sat_add(rows_.reach(rows), cols_.reach(cols));
  }
  /// The digits of the first rows or columns; empty if they cut a dimension.
  [[nodiscard]] IndexDigits first_rows(uint64_t count) const { return rows_.first(count); }
  [[nodiscard]] IndexDigits first_cols(uint64_t count) const { return cols_.first(count); }
  static constexpr int64_t kMaxMagnitude = int64_t{1} << 61;

 private:
  /// A mixed-radix index: the last dimension runs fastest.
  struct Digits {
    std::array<int64_t, 5> extent{1, 1, 1, 1, 1}, stride{};
    int n = 0;
    void add(const ViewDesc& view, int dim);
    [[nodiscard]] uint64_t count() const;
    [[nodiscard]] int64_t offset(uint64_t index) const;
    [[nodiscard]] IndexDigits first(uint64_t count) const;
    [[nodiscard]] int64_t reach(uint64_t count) const;
    [[nodiscard]] uint64_t inner() const { return static_cast<uint64_t>(extent[static_cast<size_t>(n - 1)]); }
    [[nodiscard]] int64_t step() const { return stride[static_cast<size_t>(n - 1)]; }
  };
  Digits rows_, cols_;
};

/// Whether two of the first rows x cols elements of a window lie in one place.
bool meets_itself(const ViewDesc& view, uint64_t rows, uint64_t cols);

/// A window whose memory was granted.
class Window {
 public:
  /// Grants the first rows x cols elements of the view.
  Window(Context& context, const ViewDesc& view, AccessMode how, uint64_t rows, uint64_t cols, uint32_t size);
  [[nodiscard]] bool good() const { return base_ != nullptr; }
  [[nodiscard]] std::byte* at(uint64_t row, uint64_t col) const {
    return base_ + map_.offset(row, col) * size_;
  }
  [[nodiscard]] const WindowMap& map() const { return map_; }

  /// A whole row as neighbours: a pointer into GM or into `scratch` after gathering.
  template <typename T>
  const T* read(uint64_t row, uint64_t cols, T* scratch) const {
    if (map_.step() == 1 && map_.run() >= cols) return reinterpret_cast<const T*>(at(row, 0));
    for_runs(row, cols, scratch, [](T* element, T* value) { std::memcpy(value, element, sizeof(T)); });
    return scratch;
  }
  template <typename T>
  void write(uint64_t row, uint64_t cols, const T* values) const {
    if (map_.step() == 1 && map_.run() >= cols) {
      std::memcpy(at(row, 0), values, cols * sizeof(T));
      return;
    }
    for_runs(row, cols, values, [](T* element, const T* value) { std::memcpy(element, value, sizeof(T)); });
  }

 private:
  template <typename T, typename V, typename F>
  void for_each_in_run(T* first, V* values, uint64_t n, F&& f) const {
    for (uint64_t i = 0; i < n; ++i) f(first + static_cast<int64_t>(i) * map_.step(), values + i);
  }
  template <typename V, typename F>
  void for_runs(uint64_t row, uint64_t cols, V* values, F&& f) const {
    using T = std::remove_const_t<V>;
    for (uint64_t col = 0; col < cols;) {
      const uint64_t take = std::min(cols - col, map_.run());
      for_each_in_run(reinterpret_cast<T*>(at(row, col)), values + col, take, f);
      col += take;
    }
  }
  bool accept(Context& context, std::byte* memory, int64_t offset);
  bool grant(Context& context, const ViewDesc& view, AccessMode how, uint64_t rows, uint64_t cols);

  WindowMap map_;
  uint32_t size_;
  std::byte* base_ = nullptr;
};

}  // namespace pto::exec
