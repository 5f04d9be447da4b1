// Tile instructions that combine two steps, powers, and exchanges of columns.
#include <algorithm>
#include <array>
#include <vector>

#include "exec/tile/map.hpp"

namespace pto::exec {
namespace {

float f16_rounded(Elem elem, float value) { return elem == Elem::f16 ? num::rounded(elem, value) : value; }
float rectified(float value) { return value > 0 ? value : 0.0f; }

/// Integers: square and multiply, wrapping; a negative exponent gives 0 unless the base is 1 or -1.
struct Pow : OpBase {
  static double f(float base, float exponent) {
    return std::pow(static_cast<double>(base), static_cast<double>(exponent));
  }
  template <typename T>
  static T i(T base, T exponent) {
    if (exponent == 0 || base == 1) return 1;
    if constexpr (std::is_signed_v<T>) {
      if (exponent < 0) return base != -1 ? T{0} : exponent % 2 == 0 ? T{1} : T{-1};
    }
    uint64_t result = 1;
    uint64_t power = raw(base);
    for (uint64_t rest = raw(exponent); rest != 0; rest >>= 1, power *= power) {
      if (rest & 1) result *= power;
    }
    return wrap<T>(result);
  }
};
struct PowScalar : OpBase {
  float float_value = 0;
  uint64_t integer_value = 0;
  double f(float base) const { return Pow::f(base, float_value); }
  template <typename T>
  T i(T base) const {
    return Pow::i(base, static_cast<T>(integer_value));
  }
};

/// What vmula and vmadd give in f32: one rounding. The product of f16 is rounded first (vmul, vadd; pto-isa
/// include/pto/npu/a5/TFusedMulAdd.hpp, TMulAddDst.hpp, TFusedMulAddRelu.hpp:27).
struct MultiplyThenAdd : FloatOnly {
  Elem elem = Elem::f32;
  void multiply_add(const float* a, const float* b, const float* c, float* to, uint64_t n) const {
    if (elem != Elem::f16) return kernel::multiply_add(elem, a, b, c, to, n);
    compute_canonical(to, n, [&](uint64_t i) { return f16_rounded(elem, a[i] * b[i]) + c[i]; });
  }
};
/// Both roundings, in every format.
struct TwoRoundings : FloatOnly {
  Elem elem = Elem::f32;
  float multiply_add(float a, float b, float c) const { return f16_rounded(elem, a * b) + c; }
};
struct MulThenAddDst : TwoRoundings {
  float f(float a, float b, float dst) const { return multiply_add(a, b, dst); }
};
struct MulDstThenAdd : TwoRoundings {
  float f(float a, float b, float dst) const { return multiply_add(a, dst, b); }
};
struct MulDstThenAddRelu : TwoRoundings {
  float f(float a, float b, float dst) const { return rectified(f16_rounded(elem, multiply_add(a, dst, b))); }
};
struct MulAddDst : MultiplyThenAdd {
  using OffA5 = MulThenAddDst;
  void chunk(const float* a, const float* b, const float* dst, float* to, uint64_t n) const {
    multiply_add(a, b, dst, to, n);
  }
};
struct FusedMulAdd : MultiplyThenAdd {
  using OffA5 = MulDstThenAdd;
  void chunk(const float* a, const float* b, const float* dst, float* to, uint64_t n) const {
    multiply_add(a, dst, b, to, n);
  }
};
struct FusedMulAddRelu : MultiplyThenAdd {
  using OffA5 = MulDstThenAddRelu;
  void chunk(const float* a, const float* b, const float* dst, float* to, uint64_t n) const {
    multiply_add(a, dst, b, to, n);
    kernel::rectify(to, to, n);
  }
};

void tpow(Context& context) { map(context, std::array{0u, 1u}, 3u, Pow{}); }
void tpows(Context& context) {
  PowScalar op;
  const Elem elem = context.type(3).elem;
  op.integer_value = scalar_bits(context, 1, elem);
  if (is_compute_float(elem)) op.float_value = scalar_float(context, 1, elem);
  map(context, std::array{0u}, 3u, op);
}
void tsubrelu(Context& context) {
  for_target<SubRelu>(context, [&](const auto& op) { map(context, std::array{0u, 1u}, 2u, op); });
}

template <typename Op>
void with_destination(Context& context) {
  for_target<Op>(context, [&](auto op) {
    if constexpr (requires { op.elem; }) op.elem = context.type(2).elem;
    map(context, std::array{0u, 1u, 2u}, 2u, op);
  });
}

/// Sources and destination of different formats: f(bits a, bits b) gives the destination's bits.
template <typename F>
void map_converting(Context& context, unsigned dst_slot, F&& f) {
  const Tile dst(context, dst_slot, AccessMode::write);
  if (!dst.good() || dst.empty() || !covers(context, 0, dst.rows(), dst.cols()) ||
      !covers(context, 1, dst.rows(), dst.cols()))
    return;
  const Tile a(context, 0, AccessMode::read, dst.rows(), dst.cols()),
      b(context, 1, AccessMode::read, dst.rows(), dst.cols());
  if (!a.good() || !b.good()) return;
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < dst.cols(); ++col)
      dst.put_bits(row, col, f(a.bits(row, col), b.bits(row, col)));
  }
}

/// scale * sum of tadddeqrelu, before relu. A5 scales by 2^-17 before and 2^17 after (pto-isa
/// npu/a5/TAddDeqRelu.hpp).
float dequantised(const Context& context, float sum, float scale) {
  return on_a5(context) ? sum * 0x1p-17f * scale * 0x1p17f : scale * sum;
}

/// relu(f16(scale * (a + b))): the sum wraps in i32, the product is f32. A5 saturates.
void tadddeqrelu(Context& context) {
  const Elem from = context.type(0).elem;
  const Elem to = context.type(4).elem;
  if (!is_integer(from) || !is_float(to)) return refuse_type(context, from);
  const auto scale = static_cast<float>(num::to_f64(context.type(2).elem, context.word(2)));
  const auto overflow = on_a5(context) ? num::Overflow::saturate : num::Overflow::ieee;
  map_converting(context, 4, [&](uint64_t a, uint64_t b) {
    const float value = dequantised(context, static_cast<float>(num::int_value(from, a + b)), scale);
    return num::from_f64(to, static_cast<double>(rectified(value)), num::Round::rint, overflow);
  });
}

/// The destination's format of relu(a op b), saturating.
template <typename Op>
void relu_convert(Context& context) {
  const Elem from = context.type(0).elem;
  const Elem to = context.type(2).elem;
  if (!is_compute_float(from) && !is_integer(from)) return refuse_type(context, from);
  map_converting(context, 2, [&](uint64_t a, uint64_t b) {
    if (is_integer(from)) {
      const int64_t value = Op::i(num::int_value(from, a), num::int_value(from, b));
      return num::from_f64(to, static_cast<double>(std::max<int64_t>(value, 0)), num::Round::rint,
                           num::Overflow::saturate);
    }
    const float value =
        Op::f(static_cast<float>(num::to_f64(from, a)), static_cast<float>(num::to_f64(from, b)));
    const double stored = num::to_f64(from, num::from_f64(from, static_cast<double>(value)));
    return num::from_f64(to, stored > 0 ? stored : 0.0, num::Round::rint, num::Overflow::saturate);
  });
}

// ---- columns

/// Both outputs are computed before either is written: they may share memory with the sources.
struct Pairs {
  std::vector<uint64_t> first, second;
};

Tile source(Context& context, unsigned slot, uint64_t rows, uint64_t cols) {
  return covers(context, slot, rows, cols) ? Tile(context, slot, AccessMode::read, rows, cols) : Tile();
}

void write_pairs(Context& context, unsigned slot, uint64_t rows, uint64_t cols, const Pairs& pairs) {
  const Tile dst0(context, slot, AccessMode::write, rows, cols),
      dst1(context, slot + 1, AccessMode::write, rows, cols);
  if (!dst0.good() || !dst1.good()) return;
  for (uint64_t i = 0; i < rows * cols; ++i) {
    dst0.put_bits(i / cols, i % cols, pairs.first[i]);
    dst1.put_bits(i / cols, i % cols, pairs.second[i]);
  }
}

/// dst0 takes the elements of the left halves in turn, dst1 those of the right halves.
void tinterleave(Context& context) {
  const uint64_t rows = context.tile(2).valid_rows;
  const uint64_t cols = context.tile(2).valid_cols;
  if (rows == 0 || cols == 0) return;
  const Tile a = source(context, 0, rows, cols);
  const Tile b = source(context, 1, rows, cols);
  if (!a.good() || !b.good()) return;
  Pairs pairs;
  for (uint64_t row = 0; row < rows; ++row) {
    for (uint64_t col = 0; col < cols; ++col) {
      const Tile& from = col % 2 == 0 ? a : b;
      pairs.first.push_back(from.bits(row, col / 2));
      pairs.second.push_back(from.bits(row, std::min(col / 2 + cols / 2, cols - 1)));
    }
  }
  write_pairs(context, 2, rows, cols, pairs);
}

/// dst0 takes the even elements, dst1 the odd ones; two sources represent one of twice the width.
void tdeinterleave(Context& context) {
  const uint64_t rows = context.tile(2).valid_rows;
  const uint64_t cols = context.tile(2).valid_cols;
  if (rows == 0 || cols == 0) return;
  const bool two = context.has(1);
  const uint64_t width = two ? cols : 2 * cols;
  const Tile a = source(context, 0, rows, width);
  const Tile b = two ? source(context, 1, rows, width) : Tile();
  if (!a.good() || (two && !b.good())) return;
  Pairs pairs;
  for (uint64_t row = 0; row < rows; ++row) {
    const auto element = [&](uint64_t at) { return at < width ? a.bits(row, at) : b.bits(row, at - width); };
    for (uint64_t col = 0; col < cols; ++col) {
      pairs.first.push_back(element(2 * col));
      pairs.second.push_back(element(2 * col + 1));
    }
  }
  write_pairs(context, 2, rows, cols, pairs);
}

/// Sums of neighbouring columns at the left. A column without a partner has no sum, and what stands right of
/// the sums stays (pto-isa include/pto/npu/a2a3/TPairReduceSum.hpp, npu/a5/TPairReduceSum.hpp:39); the CPU
/// simulator takes 0 for the partner and clears the rest of the tile.
void tpairreducesum(Context& context) {
  const bool npu = on_a5(context) || on_a2a3(context);
  const Tile src(context, 0, AccessMode::read);
  if (!src.good()) return;
  const uint64_t pairs = npu ? src.cols() / 2 : (src.cols() + 1) / 2;
  if (npu && !covers(context, 1, src.rows(), pairs)) return;
  const Tile dst = npu ? Tile(context, 1, AccessMode::write, src.rows(), pairs)
                       : Tile::whole(context, 1, AccessMode::write);
  if (!dst.good() || dst.empty()) return;
  const Elem elem = src.elem();
  if (!is_compute_float(elem)) return refuse_type(context, elem);
  const auto sum = [&](uint64_t row, uint64_t col) {
    std::array<float, 2> pair{};
    for (uint64_t i = 0; i < 2 && col + i < src.cols(); ++i)
      pair[i] = static_cast<float>(num::to_f64(elem, src.bits(row, col + i)));
    if (flushes(context)) flush_denormals(elem, pair.data(), 2);
    float result = num::rounded(elem, canonical(Add::f(pair[0], pair[1])));
    if (flushes(context)) flush_denormals(elem, &result, 1);
    return num::from_f64(elem, static_cast<double>(result));
  };
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < dst.cols(); ++col)
      dst.put_bits(row, col, row < src.rows() && col < pairs ? sum(row, 2 * col) : 0);
  }
}

/// Every element keeps its low bits.
void tpack(Context& context) {
  const Tile dst(context, 1, AccessMode::write);
  if (!dst.good() || dst.empty()) return;
  const Tile src = source(context, 0, dst.rows(), dst.cols());
  if (!src.good()) return;
  if (src.size() < dst.size()) return refuse_type(context, src.elem());
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < dst.cols(); ++col) dst.put_bits(row, col, src.bits(row, col));
  }
}

constexpr Semantics kTileFusedSemantics[] = {
    {"pto.tpow", tpow},
    {"pto.tpows", tpows},
    {"pto.tsubrelu", tsubrelu},
    {"pto.tmuladddst", with_destination<MulAddDst>},
    {"pto.tfusedmuladd", with_destination<FusedMulAdd>},
    {"pto.tfusedmuladdrelu", with_destination<FusedMulAddRelu>},
    {"pto.tadddeqrelu", tadddeqrelu},
    {"pto.taddreluconv", relu_convert<Add>},
    {"pto.tsubreluconv", relu_convert<Sub>},
    {"pto.tinterleave", tinterleave},
    {"pto.tdeinterleave", tdeinterleave},
    {"pto.tpairreducesum", tpairreducesum},
    {"pto.tpack", tpack},
};

}  // namespace

std::span<const Semantics> tile_fused() { return kTileFusedSemantics; }

}  // namespace pto::exec
