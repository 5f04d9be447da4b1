// Matrix products of tiles: pto.tmatmul*, pto.tgemv*, with bias and accumulation. Those with scales are in
// cube.cpp.
//
// Operands are decoded once into row-major f32 (or i32), the kernel runs, the result goes back through the
// accumulator's layout. The accumulator is the initial value: the acc forms start from acc_in, the bias forms
// from the bias row.
#include <algorithm>
#include <vector>

#include "exec/lane_math.hpp"
#include "exec/mad_kernel.hpp"
#include "exec/tile_rows.hpp"

namespace pto::exec {
namespace {

constexpr int kAbsent = -1;

/// Where an instruction's operands are.
struct Slots {
  int left, right, dst;
  int acc = kAbsent, bias = kAbsent;
};

/// Two values per byte: the even one is the low nibble.
bool packed(Elem elem) { return elem == Elem::f4e1m2x2 || elem == Elem::f4e2m1x2; }

/// TF32/HF32 mode: operands are rounded once, before they are multiplied.
void round_operands(const Context& context, Elem elem, std::vector<float>& values) {
  if (elem != Elem::f32 || context.control == nullptr || context.machine == nullptr ||
      !context.machine->tf32_supported)
    return;
  if (!(context.control->ctrl >> kCtrlTf32 & 1)) return;
  const bool away = context.control->ctrl >> kCtrlTf32Away & 1;
  for (float& value : values) value = num::round_mantissa(value, context.machine->tf32_mantissa_bits, away);
}

template <typename T>
std::vector<T> decode(const Tile& tile) {
  std::vector<T> values(tile.rows() * tile.cols());
  if constexpr (std::is_same_v<T, float>) {
    if (is_compute_float(tile.elem())) {
      FloatReader reader(tile, false);
      for_chunks(tile, [&](uint64_t row, uint64_t col, uint64_t n) {
        const float* from = reader.chunk(row, col, n);
        std::copy(from, from + n, values.begin() + static_cast<std::ptrdiff_t>(row * tile.cols() + col));
      });
      return values;
    }
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

/// The product's extents and the granted operands; the destination is granted last.
struct Operands {
  Tile left, right, dst;
  uint64_t m = 0, n = 0, k = 0;
  bool ready = false;
};

Operands grant(Context& context, const Slots& slots) {
  Operands operands;
  const auto left = static_cast<unsigned>(slots.left), right = static_cast<unsigned>(slots.right);
  operands.m = context.tile(left).valid_rows, operands.k = context.tile(left).valid_cols,
  operands.n = context.tile(right).valid_cols;
  if (operands.m == 0 || operands.n == 0) return operands;
  if (context.tile(right).valid_rows != operands.k) {
    context.fault(Fault::bad_operand, "the left tile's valid columns and the right tile's valid rows differ");
    return operands;
  }
  operands.left = Tile(context, left, AccessMode::read);
  operands.right = Tile(context, right, AccessMode::read);
  operands.ready = operands.left.good() && operands.right.good();
  return operands;
}

/// After everything is read: the destination may be the accumulator that the product starts from.
bool grant_destination(Context& context, const Slots& slots, Operands& operands) {
  operands.dst = Tile(context, static_cast<unsigned>(slots.dst), AccessMode::write, operands.m, operands.n);
  return operands.dst.good();
}

/// The initial values of the accumulator: zero, acc_in or the bias row.
template <typename T>
bool initial(Context& context, const Slots& slots, const Operands& operands, std::vector<T>& c) {
  c.assign(operands.m * operands.n, T{0});
  if (slots.acc != kAbsent) {
    const Tile acc(context, static_cast<unsigned>(slots.acc), AccessMode::read, operands.m, operands.n);
    if (!acc.good()) return false;
    c = decode<T>(acc);
  } else if (slots.bias != kAbsent) {
    const Tile bias(context, static_cast<unsigned>(slots.bias), AccessMode::read, 1, operands.n);
    if (!bias.good()) return false;
    const std::vector<T> row = decode<T>(bias);
    for (uint64_t i = 0; i < operands.m; ++i)
      std::copy(row.begin(), row.end(), c.begin() + static_cast<std::ptrdiff_t>(i * operands.n));
  }
  return true;
}

template <typename T>
void store(const Operands& operands, std::vector<T>& c) {
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

void multiply_integers(Context& context, const Slots& slots, Operands& operands) {
  std::vector<int32_t> c;
  if (!initial(context, slots, operands, c) || !grant_destination(context, slots, operands)) return;
  const std::vector<int32_t> a = decode<int32_t>(operands.left), b = decode<int32_t>(operands.right);
  gemm_i32(shape_of(operands), a.data(), b.data(), c.data());
  store(operands, c);
}

void multiply_floats(Context& context, const Slots& slots, Operands& operands) {
  std::vector<float> c;
  if (!initial(context, slots, operands, c) || !grant_destination(context, slots, operands)) return;
  std::vector<float> a = decode<float>(operands.left), b = decode<float>(operands.right);
  round_operands(context, operands.left.elem(), a);
  round_operands(context, operands.right.elem(), b);
  gemm_f32(shape_of(operands), a.data(), b.data(), c.data());
  store(operands, c);
}

void matmul(Context& context, const Slots& slots) {
  Operands operands = grant(context, slots);
  if (!operands.ready) return;
  const Elem left = operands.left.elem(), right = operands.right.elem(),
             dst = context.type(static_cast<unsigned>(slots.dst)).elem;
  if (is_integer(left) && is_integer(right) && signless(dst) == Elem::i32)
    return multiply_integers(context, slots, operands);
  if (is_float(left) && is_float(right) && dst == Elem::f32 && !packed(left) && !packed(right))
    return multiply_floats(context, slots, operands);
  refuse_type(context, is_float(left) == is_float(right) ? left : dst);
}

template <Slots kSlots>
void plain(Context& context) {
  matmul(context, kSlots);
}

constexpr Slots kPlain = {.left = 0, .right = 1, .dst = 2};
constexpr Slots kAcc = {.left = 1, .right = 2, .dst = 3, .acc = 0};
constexpr Slots kBias = {.left = 0, .right = 1, .dst = 3, .bias = 2};

constexpr Semantics kTable[] = {
    {"pto.tmatmul", plain<kPlain>}, {"pto.tmatmul.acc", plain<kAcc>}, {"pto.tmatmul.bias", plain<kBias>},
    {"pto.tgemv", plain<kPlain>},   {"pto.tgemv.acc", plain<kAcc>},   {"pto.tgemv.bias", plain<kBias>},
};

}  // namespace

std::span<const Semantics> tile_matmul() { return kTable; }

}  // namespace pto::exec
