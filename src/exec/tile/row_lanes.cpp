#include "exec/tile/row_lanes.hpp"

#include <algorithm>

#include "exec/lane_reduce.hpp"

namespace pto::exec {
namespace {

using namespace vec;

/// One row, register by register.
template <typename T>
class Row {
 public:
  Row(const Context& context, const Tile& tile, uint64_t row)
      : tile_(tile), row_(row), flush_(flushes(context)) {}
  [[nodiscard]] uint64_t registers() const { return (tile_.cols() + kLanes<T> - 1) / kLanes<T>; }
  [[nodiscard]] unsigned count(uint64_t r) const {
    return static_cast<unsigned>(std::min<uint64_t>(kLanes<T>, tile_.cols() - r * kLanes<T>));
  }
  /// The count(r) elements of register `r`: where they stand, or in `lanes`.
  [[nodiscard]] const float* elements(uint64_t r, Lanes<T>& lanes) const {
    const unsigned n = count(r);
    if constexpr (sizeof(T) == 4) {
      const float* from = tile_.read(row_, r * kLanes<T>, n, lanes.data());
      if (!flush_) return from;
      if (from != lanes.data()) std::copy(from, from + n, lanes.begin());
    } else {
      std::array<uint16_t, kLanes<T>> scratch;
      const std::span<const uint16_t> from(tile_.read(row_, r * kLanes<T>, n, scratch.data()), n);
      if constexpr (std::is_same_v<T, F16>)
        num::f16_to_f32(from, lanes.data());
      else
        num::bf16_to_f32(from, lanes.data());
    }
    if (flush_) flush_denormals(kElem<T>, lanes.data(), n);
    return lanes.data();
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
  Lanes<T> lanes;
  for (uint64_t r = 0; r < row.registers(); ++r) {
    const float* from = row.elements(r, lanes);
    if (row.count(r) < kLanes<T>) {  // lanes without an element count as +0
      if (from != lanes.data()) std::copy(from, from + row.count(r), lanes.begin());
      std::fill(lanes.begin() + row.count(r), lanes.end(), 0.0F);
      from = lanes.data();
    }
    total = round_to_lane<T>(Add::f(total, tree_sums<T>(from)[0]));
  }
  return total;
}

/// The registers multiplied lane by lane, then the upper half of the lanes onto the lower half until one is
/// left.
template <typename T>
float product(const Row<T>& row) {
  Lanes<T> total, lanes;
  total.fill(1);
  for (uint64_t r = 0; r < row.registers(); ++r) {
    const float* from = row.elements(r, lanes);
    for (unsigned i = 0; i < row.count(r); ++i) total[i] = round_to_lane<T>(Mul::f(total[i], from[i]));
  }
  for (unsigned half = kLanes<T> / 2; half > 0; half /= 2) {
    for (unsigned i = 0; i < half; ++i) total[i] = round_to_lane<T>(Mul::f(total[i], total[i + half]));
  }
  return total[0];
}

/// vcmax (vcmin) of every register, then vmax (vmin).
template <typename T, bool kMax>
float extreme_of_row(const Row<T>& row) {
  float best = neutral<float, kMax>();
  Lanes<T> lanes;
  for (uint64_t r = 0; r < row.registers(); ++r)
    best = extreme<kMax>(best, extremum_value<float, kMax>(row.elements(r, lanes), row.count(r)));
  return best;
}

/// A value of a row and where it stands.
struct Found {
  float value = 0;
  uint64_t where = 0;
};

template <typename T, bool kMax>
Found arg_of_row(const Row<T>& row) {
  float best = neutral<float, kMax>();
  uint64_t where = 0;
  Lanes<T> lanes;
  for (uint64_t r = 0; r < row.registers(); ++r) {
    const float* from = row.elements(r, lanes);
    const unsigned index = extremum<float, kMax>(from, row.count(r));
    if (kMax ? from[index] > best : from[index] < best) {
      best = from[index];
      where = r * kLanes<T> + index;
    }
  }
  return {best, where};
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

bool arg_rows_by_lanes(const Context& context, bool maximum, const Tile& src, const Tile& dst,
                       const Tile* values) {
  return with_float(src.elem(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (uint64_t row = 0; row < src.rows(); ++row) {
      const Row<T> elements(context, src, row);
      const Found found = maximum ? arg_of_row<T, true>(elements) : arg_of_row<T, false>(elements);
      dst.put_bits(row, 0, found.where);
      if (values != nullptr) values->put_bits(row, 0, to_bits<T>(found.value));
    }
  });
}

}  // namespace pto::exec
