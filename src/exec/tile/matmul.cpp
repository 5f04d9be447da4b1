// Matrix products of tiles: pto.tmatmul*, pto.tgemv*, with bias and accumulation. Those with scales are in
// exec/cube/cube.cpp.
//
// Operands are decoded once into row-major f32 (or i32), the kernel runs, the result goes back through the
// accumulator's layout. The accumulator is the initial value: the acc forms start from acc_in, the bias forms
// from the bias row.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "exec/deferred_work.hpp"
#include "exec/lane_ops.hpp"
#include "exec/mad_kernel.hpp"
#include "exec/strided_copy.hpp"
#include "exec/tile/rows.hpp"

namespace pto::exec {
namespace {

constexpr int kAbsent = -1;

/// Where an instruction's operands are.
struct Slots {
  int left, right, dst;
  int acc = kAbsent, bias = kAbsent;
};

/// Two values per byte: the even one is the low nibble.
/// TF32/HF32 mode: operands are rounded once, before they are multiplied.
struct Rounding {
  bool on = false, away = false;
  int bits = 0;
  explicit Rounding(const Context& context) {
    if (context.control == nullptr || context.machine == nullptr || !context.machine->tf32_supported) return;
    on = (context.control->ctrl >> kCtrlTf32 & 1) != 0;
    away = (context.control->ctrl >> kCtrlTf32Away & 1) != 0;
    bits = context.machine->tf32_mantissa_bits;
  }
  void round(Elem elem, std::span<float> values) const {
    if (!on || elem != Elem::f32) return;
    for (float& value : values) value = num::round_mantissa(value, bits, away);
  }
};

/// A tile's elements as they are stored, row by row.
std::vector<std::byte> rows_of(const Tile& tile) {
  const uint32_t size = tile.size();
  std::vector<std::byte> stored(tile.rows() * tile.cols() * size);
  if (stored.empty()) return stored;
  StridedCopy copy;
  IndexDigits rows, cols;
  rows.add(tile.rows(), static_cast<int64_t>(tile.cols()));
  cols.add(tile.cols(), 1);
  if (copy.add(tile.row_digits(), rows) && copy.add(tile.col_digits(), cols)) {
    copy.run(tile.at(0, 0), stored.data(), size, false);
    return stored;
  }
  std::byte* to = stored.data();
  for (uint64_t row = 0; row < tile.rows(); ++row) {
    for (uint64_t col = 0; col < tile.cols(); ++col, to += size) std::memcpy(to, tile.at(row, col), size);
  }
  return stored;
}

template <typename T>
std::array<T, 256> table_of(Elem elem) {
  if constexpr (std::is_same_v<T, float>) {
    return num::code_values(elem);
  } else {
    std::array<T, 256> table{};
    for (unsigned code = 0; code < table.size(); ++code)
      table[code] = static_cast<T>(num::int_value(elem, code));
    return table;
  }
}

/// A tile of f16, bf16 or f32.
std::vector<float> decode_floats(const Tile& tile) {
  std::vector<float> values(tile.rows() * tile.cols());
  FloatReader reader(tile, false);
  for_chunks(tile, [&](uint64_t row, uint64_t col, uint64_t n) {
    const float* from = reader.chunk(row, col, n);
    std::copy(from, from + n, values.begin() + static_cast<std::ptrdiff_t>(row * tile.cols() + col));
  });
  return values;
}

template <typename T>
std::vector<T> decode(const Tile& tile) {
  if constexpr (std::is_same_v<T, float>) {
    if (is_compute_float(tile.elem())) return decode_floats(tile);
  }
  std::vector<T> values(tile.rows() * tile.cols());
  if (tile.size() == 1) {
    const std::array<T, 256> table = table_of<T>(tile.elem());
    std::ranges::transform(rows_of(tile), values.begin(),
                           [&](std::byte code) { return table[std::to_integer<unsigned>(code)]; });
    return values;
  }
  if (std::is_same_v<T, int32_t> && signless(tile.elem()) == Elem::i32) {
    std::ranges::copy(rows_of(tile), std::as_writable_bytes(std::span(values)).begin());
    return values;
  }
  for (uint64_t row = 0; row < tile.rows(); ++row) {
    for (uint64_t col = 0; col < tile.cols(); ++col) {
      T& value = values[row * tile.cols() + col];
      if constexpr (std::is_integral_v<T>)
        value = static_cast<T>(num::int_value(tile.elem(), tile.bits(row, col)));
      else
        value = static_cast<T>(num::to_f64(tile.elem(), tile.bits(row, col)));
    }
  }
  return values;
}

/// The product's extents and the granted operands.
struct Operands {
  Tile left, right, dst;
  Tile start;            ///< what the accumulator starts from, where it is not zero
  bool is_bias = false;  ///< that is one row
  uint64_t m = 0, n = 0, k = 0;
};

/// The left tile says how long the sums are, as in the public headers; of the right one that many rows are
/// read, whichever are valid. False after a finding, or where there is nothing to do.
bool grant(Context& context, const Slots& slots, Operands& operands) {
  const auto left = static_cast<unsigned>(slots.left);
  const auto right = static_cast<unsigned>(slots.right);
  operands.m = context.tile(left).valid_rows;
  operands.k = context.tile(left).valid_cols;
  operands.n = context.tile(right).valid_cols;
  if (operands.m == 0 || operands.n == 0) return false;
  operands.left = Tile(context, left, AccessMode::read);
  operands.right = Tile(context, right, AccessMode::read, operands.k, operands.n);
  return operands.left.good() && operands.right.good();
}

/// What the product starts from, then its destination, which may be the same.
bool grant_accumulator(Context& context, const Slots& slots, Operands& operands) {
  operands.is_bias = slots.bias != kAbsent;
  const int start = operands.is_bias ? slots.bias : slots.acc;
  if (start != kAbsent) {
    operands.start = Tile(context, static_cast<unsigned>(start), AccessMode::read,
                          operands.is_bias ? 1 : operands.m, operands.n);
    if (!operands.start.good()) return false;
  }
  operands.dst = Tile(context, static_cast<unsigned>(slots.dst), AccessMode::write, operands.m, operands.n);
  return operands.dst.good();
}

/// The initial values of the accumulator: zero, what was there or the bias row.
template <typename T>
std::vector<T> initial(const Operands& operands) {
  if (!operands.start.good()) return std::vector<T>(operands.m * operands.n, T{0});
  std::vector<T> c = decode<T>(operands.start);
  if (!operands.is_bias) return c;
  c.resize(operands.m * operands.n);
  for (uint64_t i = 1; i < operands.m; ++i)
    std::copy_n(c.begin(), operands.n, c.begin() + static_cast<std::ptrdiff_t>(i * operands.n));
  return c;
}

template <typename T>
void store_sums(const Operands& operands, std::vector<T>& c) {
  for (T& value : c) value = canonical(value);
  for (uint64_t row = 0; row < operands.m; ++row) {
    const T* from = c.data() + row * operands.n;
    T* to = operands.dst.write(row, 0, const_cast<T*>(from));
    if (to != from) std::copy(from, from + operands.n, to);
    operands.dst.written(row, 0, operands.n, from);
  }
}

Gemm shape_of(const Operands& operands) {
  return {operands.m, operands.n, operands.k, operands.k, operands.n, operands.n};
}

void multiply_integers(const Operands& operands) {
  std::vector<int32_t> c = initial<int32_t>(operands);
  const std::vector<int32_t> a = decode<int32_t>(operands.left);
  const std::vector<int32_t> b = decode<int32_t>(operands.right);
  gemm_i32(shape_of(operands), a.data(), b.data(), c.data());
  store_sums(operands, c);
}

void multiply_floats(const Operands& operands, const Rounding& rounding) {
  std::vector<float> c = initial<float>(operands);
  std::vector<float> a = decode<float>(operands.left);
  std::vector<float> b = decode<float>(operands.right);
  rounding.round(operands.left.elem(), a);
  rounding.round(operands.right.elem(), b);
  gemm_f32(shape_of(operands), a.data(), b.data(), c.data());
  store_sums(operands, c);
}

// ---- whole boxes: as above, but nothing is unpacked row by row, and the accumulator stays where it is

/// A tile as f32, its rows and columns at these places. Null when the layouts do not fit each other.
std::unique_ptr<float[]> unpack(const Tile& tile, const IndexDigits& rows, const IndexDigits& cols) {
  StridedCopy copy;
  const unsigned size = tile.size();
  const bool whole = tile.elem() == Elem::f32;
  if (!whole && !is_compute_float(tile.elem()) && size != 1) return nullptr;
  if (!copy.add(tile.row_digits(), rows) || !copy.add(tile.col_digits(), cols)) return nullptr;
  const size_t count = tile.rows() * tile.cols();
  auto values = std::make_unique_for_overwrite<float[]>(count);
  if (whole) {
    copy.run(tile.at(0, 0), reinterpret_cast<std::byte*>(values.get()), size, false);
    return values;
  }
  if (size == 1) {
    const auto codes = std::make_unique_for_overwrite<std::byte[]>(count);
    copy.run(tile.at(0, 0), codes.get(), size, false);
    const std::array<float, 256> table = num::code_values(tile.elem());
    for (size_t i = 0; i < count; ++i) values[i] = table[std::to_integer<unsigned>(codes[i])];
    return values;
  }
  const auto bits = std::make_unique_for_overwrite<uint16_t[]>(count);
  copy.run(tile.at(0, 0), reinterpret_cast<std::byte*>(bits.get()), size, false);
  if (tile.elem() == Elem::f16)
    num::f16_to_f32({bits.get(), count}, values.get());
  else
    num::bf16_to_f32({bits.get(), count}, values.get());
  return values;
}

/// Puts into the destination what the product starts from.
bool put_start(const Operands& operands) {
  const Tile &from = operands.start, &to = operands.dst;
  StridedCopy copy;
  if (operands.is_bias || !copy.add(from.row_digits(), to.row_digits()) ||
      !copy.add(from.col_digits(), to.col_digits()))
    return false;
  if (from.at(0, 0) == to.at(0, 0) && copy.same()) return true;
  if (!copy.apart(from.at(0, 0), to.at(0, 0), to.size())) return false;
  copy.run(from.at(0, 0), to.at(0, 0), to.size(), false);
  return true;
}

/// False, and nothing has happened, where an operand is no row of whole boxes.
bool multiply_boxes(const Operands& operands, const Rounding& rounding) {
  constexpr uint64_t kWide = BlockGemm::kColumns;
  const IndexDigits rows = operands.dst.row_digits();
  const IndexDigits cols = operands.dst.col_digits();
  if (operands.k == 0 || operands.n % kWide != 0 || rows.n != 1 || cols.n == 0 ||
      cols.digits[0].stride != 1 || cols.digits[0].extent != kWide)
    return false;
  const auto step = [](uint64_t count) { return static_cast<int64_t>(count); };
  IndexDigits a_rows, a_cols, b_rows, b_cols;
  a_rows.add(operands.m, step(operands.k));
  a_cols.add(operands.k, 1);
  b_rows.add(operands.k, step(kWide));
  b_cols.add(kWide, 1);
  b_cols.add(operands.n / kWide, step(operands.k * kWide));
  const auto a = unpack(operands.left, a_rows, a_cols);
  const auto b = unpack(operands.right, b_rows, b_cols);
  if (!a || !b) return false;
  if (operands.start.good() && !put_start(operands)) return false;
  rounding.round(operands.left.elem(), {a.get(), static_cast<size_t>(operands.m * operands.k)});
  rounding.round(operands.right.elem(), {b.get(), static_cast<size_t>(operands.k * operands.n)});
  const BlockGemm shape{.m = operands.m,
                        .n = operands.n,
                        .k = operands.k,
                        .c_row = static_cast<size_t>(rows.digits[0].stride),
                        .c_block = cols.n == 1 ? 0 : static_cast<size_t>(cols.digits[1].stride),
                        .from_zero = !operands.start.good()};
  gemm_f32_blocks(shape, a.get(), b.get(), reinterpret_cast<float*>(operands.dst.at(0, 0)));
  return true;
}

void matmul(Context& context, const Slots& slots) {
  const Work work(context);
  Operands operands;
  if (!grant(context, slots, operands)) return;
  const Elem left = operands.left.elem();
  const Elem right = operands.right.elem();
  const Elem dst = context.type(static_cast<unsigned>(slots.dst)).elem;
  const bool integers = is_integer(left) && is_integer(right) && signless(dst) == Elem::i32;
  const bool floats =
      is_float(left) && is_float(right) && dst == Elem::f32 && !is_float4(left) && !is_float4(right);
  if (!integers && !floats) return refuse_type(context, is_float(left) == is_float(right) ? left : dst);
  if (!grant_accumulator(context, slots, operands)) return;
  work.run([operands, integers, rounding = Rounding(context)] {
    if (integers) return multiply_integers(operands);
    if (!multiply_boxes(operands, rounding)) multiply_floats(operands, rounding);
  });
}

template <Slots kSlots>
void plain(Context& context) {
  matmul(context, kSlots);
}

constexpr Slots kPlain = {.left = 0, .right = 1, .dst = 2};
constexpr Slots kAcc = {.left = 1, .right = 2, .dst = 3, .acc = 0};
constexpr Slots kBias = {.left = 0, .right = 1, .dst = 3, .bias = 2};

constexpr Semantics kTileMatmulSemantics[] = {
    {"pto.tmatmul", plain<kPlain>}, {"pto.tmatmul.acc", plain<kAcc>}, {"pto.tmatmul.bias", plain<kBias>},
    {"pto.tgemv", plain<kPlain>},   {"pto.tgemv.acc", plain<kAcc>},   {"pto.tgemv.bias", plain<kBias>},
};

}  // namespace

std::span<const Semantics> tile_matmul() { return kTileMatmulSemantics; }

}  // namespace pto::exec
