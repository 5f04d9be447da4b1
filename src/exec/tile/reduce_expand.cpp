// Reductions of rows and columns. Order: rows left to right, columns top to bottom, one element at a time;
// rows of floats on A5 are in row_lanes.cpp. Which format the running value has is stated in
// docs/reference/numerics.md.
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "exec/tile/map.hpp"
#include "exec/tile/row_lanes.hpp"

namespace pto::exec {
namespace {

/// How a reduction keeps its running value: `kWide` in f32 with one rounding at the end, else in the format
/// itself.
struct Sum : Add {
  static constexpr bool kWide = true;
  static constexpr RowReduction kRow = RowReduction::sum;
};
struct Product : Mul {
  static constexpr bool kWide = false;
  static constexpr RowReduction kRow = RowReduction::product;
};
/// Strict comparison: the running value stays when unordered, so NaN counts only as first element.
struct Largest : MaxOfOrdered {
  static constexpr bool kWide = false;
  static constexpr RowReduction kRow = RowReduction::max;
};
struct Smallest : MinOfOrdered {
  static constexpr bool kWide = false;
  static constexpr RowReduction kRow = RowReduction::min;
};

/// Rounded to a 16-bit format through its bits: in a chain, where latency counts, faster than selects.
float converted(Elem elem, float value) {
  return elem == Elem::f16 ? num::f16_to_f32(num::f32_to_f16(value))
                           : num::bf16_to_f32(num::f32_to_bf16(value));
}

template <typename Op>
void reduce_row_floats(Context& context, const Tile& src, const Tile& dst) {
  FloatReader in(src, flushes(context));
  FloatWriter out(dst, flushes(context));
  const bool narrow = !Op::kWide && src.elem() != Elem::f32;
  for (uint64_t row = 0; row < src.rows(); ++row) {
    float running = 0;
    for (uint64_t col = 0; col < src.cols(); col += kChunk) {
      const uint64_t n = std::min(kChunk, src.cols() - col);
      const float* from = in.chunk(row, col, n);
      uint64_t i = 0;
      if (col == 0) running = from[i++];
      if (narrow)
        for (; i < n; ++i) running = converted(src.elem(), Op::f(running, from[i]));
      else
        for (; i < n; ++i) running = Op::f(running, from[i]);
    }
    *out.chunk(row, 0) = canonical(running);
    out.done(row, 0, 1);
  }
}

template <typename T, typename Op>
void reduce_row_integers(const Tile& src, const Tile& dst) {
  std::array<T, kChunk> buffer;
  for (uint64_t row = 0; row < src.rows(); ++row) {
    int64_t running = 0;  // wide enough for i16 sums kept in i32; everything wraps at the store
    for (uint64_t col = 0; col < src.cols(); col += kChunk) {
      const uint64_t n = std::min(kChunk, src.cols() - col);
      const T* from = src.read(row, col, n, buffer.data());
      uint64_t i = 0;
      if (col == 0) running = static_cast<int64_t>(from[i++]);
      for (; i < n; ++i) running = Op::i(running, static_cast<int64_t>(from[i]));
    }
    dst.put_bits(row, 0, static_cast<uint64_t>(running));
  }
}

template <typename Op, unsigned kDst>
void reduce_rows(Context& context) {
  Tile src(context, 0, AccessMode::read);
  if (!src.good() || src.empty() || !covers(context, kDst, src.rows(), 1)) return;
  Tile dst(context, kDst, AccessMode::write, src.rows(), 1);
  if (!dst.good()) return;
  const bool floats = is_compute_float(src.elem()) && is_compute_float(dst.elem());
  if (floats && context.no_values) return;
  if (on_a5(context) && reduce_rows_by_lanes(context, Op::kRow, src, dst)) return;
  if (floats) return reduce_row_floats<Op>(context, src, dst);
  if (!with_element_integer(src.elem(),
                            [&](auto zero) { reduce_row_integers<decltype(zero), Op>(src, dst); }))
    refuse_type(context, src.elem());
}

/// Column reductions work on one chunk of columns at a time, row after row: vectorised across columns.
template <typename Op>
void reduce_column_floats(Context& context, const Op& op, const Tile& src, const Tile& dst) {
  FloatReader in(src, flushes(context));
  FloatWriter out(dst, flushes(context));
  std::array<float, kChunk> running;
  std::array<uint16_t, kChunk> narrow;
  for (uint64_t col = 0; col < src.cols(); col += kChunk) {
    const uint64_t n = std::min(kChunk, src.cols() - col);
    const float* first = in.chunk(0, col, n);
    std::copy(first, first + n, running.begin());
    for (uint64_t row = 1; row < src.rows(); ++row) {
      const float* from = in.chunk(row, col, n);
      op.chunk(running.data(), from, running.data(), n);
      const std::span<const float> wide(running.data(), n);
      const std::span<const uint16_t> back(narrow.data(), n);
      if (dst.elem() == Elem::f16) {
        num::f32_to_f16(wide, narrow.data());
        num::f16_to_f32(back, running.data());
      }
      if (dst.elem() == Elem::bf16) {
        num::f32_to_bf16(wide, narrow.data());
        num::bf16_to_f32(back, running.data());
      }
    }
    compute_canonical(out.chunk(0, col), n, [&](uint64_t i) { return running[i]; });
    out.done(0, col, n);
  }
}

template <typename T, typename Op>
void reduce_column_integers(const Tile& src, const Tile& dst) {
  std::array<T, kChunk> buffer;
  std::array<int64_t, kChunk> running;
  for (uint64_t col = 0; col < src.cols(); col += kChunk) {
    const uint64_t n = std::min(kChunk, src.cols() - col);
    for (uint64_t row = 0; row < src.rows(); ++row) {
      const T* from = src.read(row, col, n, buffer.data());
      for (uint64_t i = 0; i < n; ++i) {
        const auto value = static_cast<int64_t>(from[i]);
        running[i] = row == 0 ? value : Op::i(running[i], value);
      }
    }
    for (uint64_t i = 0; i < n; ++i) dst.put_bits(0, col + i, static_cast<uint64_t>(running[i]));
  }
}

template <typename Op, unsigned kDst>
void reduce_columns(Context& context) {
  Tile src(context, 0, AccessMode::read);
  if (!src.good() || src.empty() || !covers(context, kDst, 1, src.cols())) return;
  Tile dst(context, kDst, AccessMode::write, 1, src.cols());
  if (!dst.good()) return;
  if (is_compute_float(src.elem()) && is_compute_float(dst.elem())) {
    if (context.no_values) return;
    return for_target<Op>(context, [&](const auto& op) { reduce_column_floats(context, op, src, dst); });
  }
  if (!with_element_integer(src.elem(),
                            [&](auto zero) { reduce_column_integers<decltype(zero), Op>(src, dst); }))
    refuse_type(context, src.elem());
}

// ---- position of the extreme value

template <typename T, bool kMax>
bool better(T candidate, T best) {
  return kMax ? candidate > best : candidate < best;
}

/// Elements as something comparable: floats as f32, integers as themselves.
template <typename F>
bool with_comparable(const Tile& src, F&& f) {
  if (is_compute_float(src.elem())) {
    f(0.0f, [&src](uint64_t row, uint64_t col) {
      if (src.elem() == Elem::f32) return src.get<float>(row, col);
      return static_cast<float>(num::to_f64(src.elem(), src.bits(row, col)));
    });
    return true;
  }
  return with_element_integer(src.elem(), [&](auto zero) {
    f(zero, [&src](uint64_t row, uint64_t col) { return src.get<decltype(zero)>(row, col); });
  });
}

/// The index form has the positions in slot 2, the other one the values there and the positions behind them.
template <bool kMax, bool kRows>
void arg_reduce(Context& context) {
  Tile src(context, 0, AccessMode::read);
  if (!src.good() || src.empty()) return;
  const uint64_t outer = kRows ? src.rows() : src.cols();
  const uint64_t inner = kRows ? src.cols() : src.rows();
  const uint64_t rows = kRows ? outer : 1;
  const uint64_t cols = kRows ? 1 : outer;
  const bool with_value = context.inst->schema->operand_slot("dstVal") >= 0;
  const unsigned position = with_value ? 3 : 2;
  if (!covers(context, position, rows, cols) || !covers(context, 2, rows, cols)) return;
  Tile dst(context, position, AccessMode::write, rows, cols);
  if (!dst.good()) return;
  std::optional<Tile> best_value;
  if (with_value) best_value.emplace(context, 2, AccessMode::write, rows, cols);
  if (best_value && !best_value->good()) return;
  const Tile* values = best_value ? &*best_value : nullptr;
  if (kRows && on_a5(context) && arg_rows_by_lanes(context, kMax, src, dst, values)) return;
  const bool known = with_comparable(src, [&](auto zero, auto element) {
    for (uint64_t i = 0; i < outer; ++i) {
      uint64_t where = 0;
      auto best = kRows ? element(i, 0) : element(0, i);
      for (uint64_t j = 1; j < inner; ++j) {
        const auto value = kRows ? element(i, j) : element(j, i);
        if (better<decltype(zero), kMax>(value, best)) {
          best = value;
          where = j;
        }
      }
      dst.put_bits(kRows ? i : 0, kRows ? 0 : i, where);
      if (values != nullptr)
        values->put_bits(kRows ? i : 0, kRows ? 0 : i, kRows ? src.bits(i, where) : src.bits(where, i));
    }
  });
  if (!known) refuse_type(context, src.elem());
}

// ---- partial operations: sources may be smaller than the destination

/// The part of a source that lies in the destination's valid region.
Tile part_of(Context& context, unsigned slot, const Tile& dst) {
  const TileDesc& desc = context.tile(slot);
  return Tile(context, slot, AccessMode::read, std::min<uint64_t>(desc.valid_rows, dst.rows()),
              std::min<uint64_t>(desc.valid_cols, dst.cols()));
}

bool inside(const Tile& tile, uint64_t row, uint64_t col) { return row < tile.rows() && col < tile.cols(); }

/// What stands where no source is valid: 0; on A5 the maximum and the minimum take the end of the range that
/// loses (PTOAS lib/TileOps/tpartmax_template.py).
template <typename Op>
uint64_t no_source(const Context& context, Elem elem) {
  constexpr bool kMax = std::is_same_v<Op, Max>;
  constexpr bool kMin = std::is_same_v<Op, Min>;
  if (!on_a5(context) || (!kMax && !kMin)) return 0;
  return num::from_f64(elem, kMax ? -HUGE_VAL : HUGE_VAL, num::Round::rint, num::Overflow::saturate);
}

/// `op` on the bits of one element.
template <typename Op>
uint64_t combine(const Context& context, const Op& op, Elem elem, uint64_t x, uint64_t y) {
  if (elem == Elem::ui64) return op.i(x, y);
  if (!is_compute_float(elem))
    return static_cast<uint64_t>(op.i(num::int_value(elem, x), num::int_value(elem, y)));
  std::array<float, 2> v{static_cast<float>(num::to_f64(elem, x)), static_cast<float>(num::to_f64(elem, y))};
  if (flushes(context)) flush_denormals(elem, v.data(), 2);
  float result = num::rounded(elem, canonical(op.f(v[0], v[1])));
  if (flushes(context)) flush_denormals(elem, &result, 1);
  return num::from_f64(elem, static_cast<double>(result));
}

/// Both valid: op; one valid: that one.
template <typename Op>
void part(Context& context) {
  Tile dst(context, 2, AccessMode::write);
  if (!dst.good() || dst.empty()) return;
  const Tile a = part_of(context, 0, dst);
  const Tile b = part_of(context, 1, dst);
  if (!a.good() || !b.good()) return;
  const Elem elem = dst.elem();
  if (!is_compute_float(elem) && !is_integer(elem)) return refuse_type(context, elem);
  const uint64_t neither = no_source<Op>(context, elem);
  for_target<Op>(context, [&](const auto& op) {
    if (inside(a, dst.rows() - 1, dst.cols() - 1) && inside(b, dst.rows() - 1, dst.cols() - 1)) {
      std::array<Tile, 2> src{a, b};
      return map_tiles(context, src, dst, op);
    }
    for (uint64_t row = 0; row < dst.rows(); ++row) {
      for (uint64_t col = 0; col < dst.cols(); ++col) {
        const bool has_a = inside(a, row, col);
        const bool has_b = inside(b, row, col);
        uint64_t bits = neither;
        if (has_a && has_b)
          bits = combine(context, op, elem, a.bits(row, col), b.bits(row, col));
        else if (has_a)
          bits = a.bits(row, col);
        else if (has_b)
          bits = b.bits(row, col);
        dst.put_bits(row, col, bits);
      }
    }
  });
}

/// Whether src0 stays. Equal values take the first source on the chips, the second in the CPU simulator. With
/// a NaN the comparison fails: A2/A3 ask whether src0 is as good (pto-isa include/pto/npu/a2a3/
/// TPartArgOp.hpp, npu/a5/TPartArgMax.hpp:22), A5 whether src1 is better.
template <typename T, bool kMax>
bool first_stays(Target target, T first, T second) {
  if (target == Target::a5) return !better<T, kMax>(second, first);
  return better<T, kMax>(first, second) || (target == Target::a2a3 && first == second);
}

/// Values with their indices.
template <bool kMax>
void part_arg(Context& context) {
  const Target target = context.machine == nullptr ? Target::cpu : context.machine->target;
  Tile dst(context, 4, AccessMode::write);
  if (!dst.good() || dst.empty()) return;
  const Tile index(context, 5, AccessMode::write, dst.rows(), dst.cols());
  const Tile a = part_of(context, 0, dst);
  const Tile b = part_of(context, 1, dst);
  const Tile a_index = part_of(context, 2, dst);
  const Tile b_index = part_of(context, 3, dst);
  if (!index.good() || !a.good() || !b.good() || !a_index.good() || !b_index.good()) return;
  const Elem elem = dst.elem();
  const auto first_wins = [&](uint64_t row, uint64_t col) {
    if (is_float(elem))
      return first_stays<double, kMax>(target, num::to_f64(elem, a.bits(row, col)),
                                       num::to_f64(elem, b.bits(row, col)));
    return first_stays<int64_t, kMax>(target, num::int_value(elem, a.bits(row, col)),
                                      num::int_value(elem, b.bits(row, col)));
  };
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < dst.cols(); ++col) {
      const bool has_a = inside(a, row, col) && inside(a_index, row, col);
      const bool has_b = inside(b, row, col) && inside(b_index, row, col);
      const bool take_a = has_a && (!has_b || first_wins(row, col));
      const bool take_b = has_b && !take_a;
      dst.put_bits(row, col, take_a ? a.bits(row, col) : take_b ? b.bits(row, col) : 0);
      index.put_bits(row, col, take_a ? a_index.bits(row, col) : take_b ? b_index.bits(row, col) : 0);
    }
  }
}

constexpr Semantics kTileReduceExpandSemantics[] = {
    {"pto.trowsum", reduce_rows<Sum, 2>},
    {"pto.trowprod", reduce_rows<Product, 2>},
    {"pto.trowmax", reduce_rows<Largest, 2>},
    {"pto.trowmin", reduce_rows<Smallest, 2>},
    {"pto.tcolsum", reduce_columns<Add, 2>},
    {"pto.tcolprod", reduce_columns<Mul, 1>},
    {"pto.tcolmax", reduce_columns<Max, 1>},
    {"pto.tcolmin", reduce_columns<Min, 1>},
    {"pto.trowargmax", arg_reduce<true, true>},
    {"pto.trowargmin", arg_reduce<false, true>},
    {"pto.tcolargmax", arg_reduce<true, false>},
    {"pto.tcolargmin", arg_reduce<false, false>},
    {"pto.tpartadd", part<Add>},
    {"pto.tpartmul", part<Mul>},
    {"pto.tpartmax", part<Max>},
    {"pto.tpartmin", part<Min>},
    {"pto.tpartargmax", part_arg<true>},
    {"pto.tpartargmin", part_arg<false>},
};

}  // namespace

std::span<const Semantics> tile_reduce_expand() { return kTileReduceExpandSemantics; }

}  // namespace pto::exec
