#include "exec/tile_row_lanes.hpp"

#include <algorithm>

#include "exec/lane_reduce.hpp"

namespace pto::exec {
namespace {

using namespace vec;

template <typename T>
using Storage = std::conditional_t<sizeof(T) == 2, uint16_t, float>;

/// One row, register by register.
template <typename T>
class Row {
 public:
  Row(const Context& context, const Tile& tile, uint64_t row) : tile_(tile), row_(row), flush_(flushes(context)) {}
  [[nodiscard]] uint64_t registers() const { return (tile_.cols() + kLanes<T> - 1) / kLanes<T>; }
  /// The elements of register `r`; returns how many there are. The lanes beyond keep what they hold.
  unsigned load(uint64_t r, Lanes<T>& lanes) const {
    const uint64_t first = r * kLanes<T>;
    const auto n = static_cast<unsigned>(std::min<uint64_t>(kLanes<T>, tile_.cols() - first));
    std::array<Storage<T>, kLanes<T>> scratch;
    const Storage<T>* from = tile_.read(row_, first, n, scratch.data());
    if constexpr (std::is_same_v<T, F16>)
      num::f16_to_f32(std::span<const uint16_t>(from, n), lanes.data());
    else if constexpr (std::is_same_v<T, BF16>)
      num::bf16_to_f32(std::span<const uint16_t>(from, n), lanes.data());
    else
      std::copy(from, from + n, lanes.begin());
    if (flush_) flush_denormals(kElem<T>, lanes.data(), n);
    return n;
  }

 private:
  const Tile& tile_;
  uint64_t row_;
  bool flush_;
};

/// vcadd of every register, added up from +0.
template <typename T>
float sum(const Row<T>& row) {
  float total = 0;
  for (uint64_t r = 0; r < row.registers(); ++r) {
    Lanes<T> lanes{};
    row.load(r, lanes);
    tree_sums<T>(lanes.data(), kLanes<T>, kLanes<T>);
    total = num::rounded(kElem<T>, Add::f(total, lanes[0]));
  }
  return total;
}

/// The registers multiplied lane by lane, then the upper half of the lanes onto the lower half until one is left.
template <typename T>
float product(const Row<T>& row) {
  Lanes<T> total;
  total.fill(1);
  for (uint64_t r = 0; r < row.registers(); ++r) {
    Lanes<T> lanes;
    const unsigned n = row.load(r, lanes);
    for (unsigned i = 0; i < n; ++i) total[i] = Mul::f(total[i], lanes[i]);
    round_to_lanes<T>(total.data(), n);
  }
  for (unsigned half = kLanes<T> / 2; half > 0; half /= 2) {
    for (unsigned i = 0; i < half; ++i) total[i] = Mul::f(total[i], total[i + half]);
    round_to_lanes<T>(total.data(), half);
  }
  return total[0];
}

/// vcmax (vcmin) of every register, then vmax (vmin).
template <typename T, bool kMax>
float extreme_of_row(const Row<T>& row) {
  float best = neutral<float, kMax>();
  Lanes<T> lanes;
  for (uint64_t r = 0; r < row.registers(); ++r) {
    const unsigned n = row.load(r, lanes);
    best = extreme<kMax>(best, lanes[extremum<float, kMax>(lanes.data(), n)]);
  }
  return best;
}

template <typename T, bool kMax>
uint64_t arg_of_row(const Row<T>& row) {
  float best = neutral<float, kMax>();
  uint64_t where = 0;
  Lanes<T> lanes;
  for (uint64_t r = 0; r < row.registers(); ++r) {
    const unsigned n = row.load(r, lanes), index = extremum<float, kMax>(lanes.data(), n);
    if (kMax ? lanes[index] > best : lanes[index] < best) best = lanes[index], where = r * kLanes<T> + index;
  }
  return where;
}

template <typename T>
float reduce(RowReduction kind, const Row<T>& row) {
  switch (kind) {
    case RowReduction::sum:
      return sum(row);
    case RowReduction::product:
      return product(row);
    case RowReduction::max:
      return extreme_of_row<T, true>(row);
    case RowReduction::min:
      break;
  }
  return extreme_of_row<T, false>(row);
}

}  // namespace

bool reduce_rows_by_lanes(const Context& context, RowReduction kind, const Tile& src, const Tile& dst) {
  if (src.elem() != dst.elem()) return false;
  return with_float(src.elem(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (uint64_t row = 0; row < src.rows(); ++row) {
      float value = canonical(reduce<T>(kind, Row<T>(context, src, row)));
      if (flushes(context)) flush_denormals(kElem<T>, &value, 1);
      dst.put_bits(row, 0, to_bits<T>(value));
    }
  });
}

bool arg_rows_by_lanes(const Context& context, bool maximum, const Tile& src, const Tile& dst) {
  return with_float(src.elem(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (uint64_t row = 0; row < src.rows(); ++row) {
      const Row<T> elements(context, src, row);
      dst.put_bits(row, 0, maximum ? arg_of_row<T, true>(elements) : arg_of_row<T, false>(elements));
    }
  });
}

}  // namespace pto::exec
