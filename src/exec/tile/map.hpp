// The loop all elementwise tile instructions share.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "exec/denormals.hpp"
#include "exec/lane_ops.hpp"
#include "exec/tile/rows.hpp"

namespace pto::exec {

template <size_t N, size_t... I>
void normalise_all(std::array<Tile, N>& tiles, Tile& dst, std::index_sequence<I...>) {
  normalise(tiles[I]..., dst);
}

/// to[i] = f(i), every NaN as the canonical one. The loops have no branch: they vectorise.
template <typename F>
void compute_canonical(float* to, uint64_t n, F&& f) {
  uint32_t nan = 0;
  for (uint64_t i = 0; i < n; ++i) {
    const float value = f(i);
    to[i] = value;
    nan |= value != value ? 1U : 0U;
  }
  if (nan == 0) return;
  for (uint64_t i = 0; i < n; ++i) to[i] = canonical(to[i]);
}

template <typename Op, size_t N, size_t... I>
void run_floats(const std::array<Tile, N>& src, const Tile& dst, const Op& op, bool flush,
                std::index_sequence<I...>) {
  std::array<FloatReader, N> in{FloatReader(src[I], flush)...};
  FloatWriter out(dst, flush);
  for_chunks(dst, [&](uint64_t row, uint64_t col, uint64_t n) {
    const std::array<const float*, N> from{in[I].chunk(row, col, n)...};
    if constexpr (requires(float* to) { op.chunk(from[I]..., to, n); }) {
      op.chunk(from[I]..., out.chunk(row, col), n);
      out.done(row, col, n);
    } else if constexpr (std::is_same_v<decltype(op.f((static_cast<void>(I), 0.0f)...)), double>) {
      std::array<double, kChunk> wide;
      for (uint64_t i = 0; i < n; ++i) wide[i] = op.f(from[I][i]...);
      out.put(row, col, n, wide.data());
    } else {
      compute_canonical(out.chunk(row, col), n, [&](uint64_t i) { return op.f(from[I][i]...); });
      out.done(row, col, n);
    }
  });
}

template <typename T, typename Op, size_t N, size_t... I>
void run_integers(const std::array<Tile, N>& src, const Tile& dst, const Op& op, std::index_sequence<I...>) {
  std::array<std::array<T, kChunk>, N> in;
  std::array<T, kChunk> out;
  for_chunks(dst, [&](uint64_t row, uint64_t col, uint64_t n) {
    const std::array<const T*, N> from{src[I].read(row, col, n, in[I].data())...};
    T* const to = dst.write(row, col, out.data());
    for (uint64_t i = 0; i < n; ++i) to[i] = op.i(from[I][i]...);
    dst.written(row, col, n, out.data());
  });
}

/// Runs `op` over all elements of dst; the sources have its extents (possibly broadcast). Types are checked
/// whether or not values are asked for.
template <typename Op, size_t N>
void map_tiles(Context& context, std::array<Tile, N>& src, Tile& dst, const Op& op) {
  constexpr auto all = std::make_index_sequence<N>{};
  normalise_all(src, dst, all);
  if constexpr (Op::kFloat) {
    if (is_compute_float(dst.elem())) {
      if (!context.no_values) run_floats(src, dst, op, flushes(context), all);
      return op.finish(context);
    }
  }
  if constexpr (Op::kInteger) {
    const auto integers = [&](auto zero) {
      if (!context.no_values) run_integers<decltype(zero)>(src, dst, op, all);
    };
    if (with_element_integer(dst.elem(), integers)) return op.finish(context);
    if constexpr (Op::kBits) return with_bits(dst.size(), integers);
  }
  refuse_type(context, dst.elem());
}

/// Runs `op` over dst's valid region with the tiles of N slots as sources.
template <typename Op, size_t N>
void map(Context& context, const std::array<unsigned, N>& slots, unsigned dst_slot, const Op& op) {
  Tile dst(context, dst_slot, AccessMode::write);
  if (!dst.good() || dst.empty()) return;
  std::array<Tile, N> src;
  for (size_t i = 0; i < N; ++i) {
    if (!covers(context, slots[i], dst.rows(), dst.cols())) return;
    src[i] = Tile(context, slots[i], AccessMode::read, dst.rows(), dst.cols());
    if (!src[i].good()) return;
  }
  map_tiles(context, src, dst, op);
}

}  // namespace pto::exec
