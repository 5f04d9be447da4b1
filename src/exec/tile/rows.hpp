// Row pipelines of the elementwise tile instructions: rows are cut into chunks, 16-bit floats become f32 on
// the way in and are rounded once on the way out, and the operation is a plain loop that the compiler
// vectorises.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "exec/denormals.hpp"
#include "exec/lane_ops.hpp"
#include "exec/tile/layout.hpp"
#include "numeric/float_formats.hpp"
#include "pto/machine.hpp"

namespace pto::exec {

inline constexpr uint64_t kChunk = 512;  ///< elements worked on at a time

/// Calls f(T{}) with the C++ integer type of an element format; false when it is no integer of 8 to 64 bits.
template <typename F>
bool with_element_integer(Elem elem, F&& f) {
  switch (elem) {
    case Elem::i8:
    case Elem::si8:
    case Elem::i1:
      f(int8_t{});
      return true;
    case Elem::i16:
    case Elem::si16:
      f(int16_t{});
      return true;
    case Elem::i32:
    case Elem::si32:
      f(int32_t{});
      return true;
    case Elem::i64:
    case Elem::si64:
    case Elem::index:
      f(int64_t{});
      return true;
    case Elem::ui8:
      f(uint8_t{});
      return true;
    case Elem::ui16:
      f(uint16_t{});
      return true;
    case Elem::ui32:
      f(uint32_t{});
      return true;
    case Elem::ui64:
      f(uint64_t{});
      return true;
    default:
      return false;
  }
}

/// Calls f(T{}) with the unsigned type of `bytes` bytes; used to move elements.
template <typename F>
void with_bits(uint32_t bytes, F&& f) {
  switch (bytes) {
    case 1:
      f(uint8_t{});
      break;
    case 2:
      f(uint16_t{});
      break;
    case 4:
      f(uint32_t{});
      break;
    default:
      f(uint64_t{});
      break;
  }
}

/// The formats arithmetic works on: f16, bf16, f32.
inline bool is_compute_float(Elem elem) {
  return elem == Elem::f16 || elem == Elem::bf16 || elem == Elem::f32;
}

inline void refuse_type(Context& context, Elem elem) {
  context.fault(Fault::unsupported,
                "element type " + std::string(to_string(elem)) + " is not supported by this operation");
}

/// Whether `tile` has at least the extents the destination asks for; a finding when not.
inline bool covers(Context& context, unsigned slot, uint64_t rows, uint64_t cols) {
  const TileDesc& desc = context.tile(slot);
  if (desc.storage_rows >= rows && desc.storage_cols >= cols) return true;
  context.fault(Fault::bad_operand, "a source tile is smaller than the destination's valid region");
  return false;
}

/// Reads chunks of a float tile as f32.
class FloatReader {
 public:
  FloatReader(const Tile& tile, bool flush) : tile_(tile), flush_(flush) {}
  const float* chunk(uint64_t row, uint64_t col, uint64_t n) {
    if (tile_.elem() == Elem::f32) {
      const float* values = tile_.read(row, col, n, wide_.data());
      if (!flush_) return values;
      if (values != wide_.data()) std::copy(values, values + n, wide_.data());
    } else {
      const std::span<const uint16_t> narrow(tile_.read(row, col, n, narrow_.data()), n);
      if (tile_.elem() == Elem::f16)
        num::f16_to_f32(narrow, wide_.data());
      else
        num::bf16_to_f32(narrow, wide_.data());
    }
    if (flush_) flush_denormals(tile_.elem(), wide_.data(), n);
    return wide_.data();
  }

 private:
  const Tile& tile_;
  bool flush_;
  std::array<float, kChunk> wide_;
  std::array<uint16_t, kChunk> narrow_;
};

/// Writes chunks of f32 (or f64) results to a float tile with one rounding to nearest even.
class FloatWriter {
 public:
  FloatWriter(const Tile& tile, bool flush) : tile_(tile), flush_(flush) {}
  /// Where to compute the chunk; then call `done`.
  float* chunk(uint64_t row, uint64_t col) {
    return tile_.elem() == Elem::f32 ? tile_.write(row, col, wide_.data()) : wide_.data();
  }
  void done(uint64_t row, uint64_t col, uint64_t n) {
    if (tile_.elem() == Elem::f32) {
      if (flush_) flush_denormals(Elem::f32, chunk(row, col), n);
      return tile_.written(row, col, n, wide_.data());
    }
    uint16_t* to = tile_.write(row, col, narrow_.data());
    const std::span<const float> from(wide_.data(), n);
    if (tile_.elem() == Elem::f16)
      num::f32_to_f16(from, to);
    else
      num::f32_to_bf16(from, to);
    if (flush_) flush_denormals(tile_.elem(), to, n);
    tile_.written(row, col, n, narrow_.data());
  }
  /// A chunk computed in f64; NaNs become canonical.
  void put(uint64_t row, uint64_t col, uint64_t n, const double* values) {
    if (tile_.elem() == Elem::f32) {
      float* to = chunk(row, col);
      for (uint64_t i = 0; i < n; ++i) to[i] = canonical(static_cast<float>(values[i]));
      return done(row, col, n);
    }
    uint16_t* to = tile_.write(row, col, narrow_.data());
    for (uint64_t i = 0; i < n; ++i)
      to[i] = static_cast<uint16_t>(num::from_f64(tile_.elem(), canonical(values[i])));
    if (flush_) flush_denormals(tile_.elem(), to, n);
    tile_.written(row, col, n, narrow_.data());
  }

 private:
  const Tile& tile_;
  bool flush_;
  std::array<float, kChunk> wide_;
  std::array<uint16_t, kChunk> narrow_;
};

/// Calls f(row, col, n) for every chunk of a tile.
template <typename F>
void for_chunks(const Tile& tile, F&& f) {
  for (uint64_t row = 0; row < tile.rows(); ++row) {
    for (uint64_t col = 0; col < tile.cols(); col += kChunk) f(row, col, std::min(kChunk, tile.cols() - col));
  }
}

/// A scalar operand as a value of the tile's element format: floats are rounded to it, integers wrap.
uint64_t scalar_bits(Context& context, unsigned slot, Elem elem);
float scalar_float(Context& context, unsigned slot, Elem elem);
template <typename T>
T scalar_integer(Context& context, unsigned slot, Elem elem) {
  return static_cast<T>(scalar_bits(context, slot, elem));
}

}  // namespace pto::exec
