// Matrix multiply of the cube: pto.mad and its accumulating, bias and MX forms, structured and raw.
//
// Every output is one chain of fused multiply-adds: the accumulator starts at zero, at the old value or at
// the bias, and k runs in order. Operands are decoded once into plain row-major arrays; TF32 rounding and the
// saturating treatment of infinities and NaN happen there. Facts: PTO micro ISA page 16 and seeds; see
// docs/reference/numerics.md, section "Cube".
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "exec/cube/cube_layout.hpp"
#include "exec/dma/burst.hpp"
#include "exec/mad_kernel.hpp"
#include "exec/vector/lanes.hpp"
#include "support/saturating.hpp"

namespace pto::exec {
namespace {

using namespace cube_layout;

enum class Start : uint8_t { zero, accumulate, bias };

struct Mad {
  uint64_t lhs, rhs, dst, bias = 0;
  Elem lhs_elem, rhs_elem, dst_elem;
  uint64_t m, n, k;
  Start start;
  bool mx = false, gemv = false, saturate = false;
  bool tf32 = false, tf32_away = false;
  std::optional<uint64_t> from;  ///< accumulators to start from, when they are not those of dst
};

// ---- decoding operands
/// Turns runs of stored values into f32.
class Decoder {
 public:
  explicit Decoder(Elem elem) : elem_(elem) {
    if (value_bits(elem) <= 8) table_ = num::code_values(elem);
  }
  void run(const std::byte* bytes, uint64_t count, float* to) const {
    switch (elem_) {
      case Elem::f32:
        std::memcpy(to, bytes, count * 4);
        return;
      case Elem::f16:
        return num::f16_to_f32(halves(bytes, count), to);
      case Elem::bf16:
        return num::bf16_to_f32(halves(bytes, count), to);
      default:
        break;
    }
    if (value_bits(elem_) == 8) {
      for (uint64_t i = 0; i < count; ++i) to[i] = table_[std::to_integer<unsigned>(bytes[i])];
      return;
    }
    for (uint64_t i = 0; i < count; ++i) {  // two values per byte, the first in the low nibble
      const auto byte = std::to_integer<unsigned>(bytes[i / 2]);
      to[i] = table_[i % 2 == 0 ? byte & 0xf : byte >> 4];
    }
  }

 private:
  std::span<const uint16_t> halves(const std::byte* bytes, uint64_t count) const {
    scratch_.resize(count);  // GEMV rows may be unaligned for uint16_t
    std::memcpy(scratch_.data(), bytes, count * 2);
    return scratch_;
  }
  Elem elem_;
  std::array<float, 256> table_{};
  mutable std::vector<uint16_t> scratch_;
};

/// Left operand as A[m][k]; empty after a finding.
std::vector<float> read_left(const Context& ctx, const Mad& mad) {
  const Decoder decoder(mad.lhs_elem);
  std::vector<float> a(mad.m * mad.k);
  if (mad.gemv) {  // one contiguous row
    const uint64_t bytes = ceil_div(mad.k * value_bits(mad.lhs_elem), 8);
    const std::byte* row = ctx.memory->access(Space::l0a, mad.lhs, bytes, AccessMode::read);
    if (row == nullptr) return {};
    decoder.run(row, mad.k, a.data());
    return a;
  }
  const uint64_t c0 = values_per_row(mad.lhs_elem);
  const uint64_t pitch = ceil_div(mad.m, kRows) * kFractal;
  const std::byte* base = ctx.memory->access_rows(Space::l0a, mad.lhs, ceil_div(mad.k, c0), mad.m * kRowBytes,
                                                  static_cast<int64_t>(pitch), AccessMode::read);
  if (base == nullptr) return {};
  std::vector<float> rows(mad.m * c0);
  for (uint64_t first = 0; first < mad.k; first += c0) {
    const std::byte* block = base + first / c0 * pitch;
    decoder.run(block, mad.m * c0, rows.data());
    const uint64_t valid = std::min(c0, mad.k - first);
    for (uint64_t i = 0; i < mad.m; ++i)
      std::copy_n(rows.data() + i * c0, valid, a.data() + i * mad.k + first);
  }
  return a;
}
/// Elements from row to row of the right operand: an odd number of cache lines, so that a column of it
/// spreads over the cache.
uint64_t right_stride(const Mad& mad) { return (ceil_div(mad.n, 16) | 1) * 16; }
/// Right operand as B[k][n].
std::vector<float> read_right(const Context& ctx, const Mad& mad) {
  const Decoder decoder(mad.rhs_elem);
  const uint64_t c0 = values_per_row(mad.rhs_elem);
  const uint64_t pitch = ceil_div(mad.n, kRows) * kFractal;
  const std::byte* base = ctx.memory->access_rows(Space::l0b, mad.rhs, ceil_div(mad.k, c0), mad.n * kRowBytes,
                                                  static_cast<int64_t>(pitch), AccessMode::read);
  if (base == nullptr) return {};
  const uint64_t stride = right_stride(mad);
  std::vector<float> b(mad.k * stride), columns(mad.n * c0);
  for (uint64_t first = 0; first < mad.k; first += c0) {
    const std::byte* block = base + first / c0 * pitch;
    decoder.run(block, mad.n * c0, columns.data());
    for (uint64_t i = 0; i < std::min(c0, mad.k - first); ++i) {
      float* row = b.data() + (first + i) * stride;
      for (uint64_t j = 0; j < mad.n; ++j) row[j] = columns[j * c0 + i];
    }
  }
  return b;
}

/// Infinities become the format's largest value, NaN becomes 0.
void normalise(std::vector<float>& values, Elem elem) {
  const auto largest =
      static_cast<float>(num::to_f64(elem, num::from_f64(elem, std::numeric_limits<double>::infinity(),
                                                         num::Round::rint, num::Overflow::saturate)));
  for (float& v : values) {
    if (std::isfinite(v)) continue;
    v = v != v ? 0.0F : std::copysign(largest, v);
  }
}
void round_tf32(std::vector<float>& values, int bits, bool away) {
  for (float& v : values) v = num::round_mantissa(v, bits, away);
}

// ---- accumulators in L0C: blocks of 16 columns, each holding all rows
template <typename T>
struct Accumulators {
  std::byte* base;
  uint64_t m, n;
  [[nodiscard]] std::byte* at(uint64_t i, uint64_t j) const {
    return base + ((j / kRows) * ceil_div(m, kRows) * kRows + i) * kRows * sizeof(T) + j % kRows * sizeof(T);
  }
};
std::byte* access_accumulators(const Context& ctx, const Mad& mad, uint64_t address, AccessMode how) {
  const uint64_t row = kRows * byte_width(mad.dst_elem);
  return ctx.memory->access_rows(Space::l0c, address, ceil_div(mad.n, kRows), mad.m * row,
                                 static_cast<int64_t>(ceil_div(mad.m, kRows) * kRows * row), how);
}
template <typename T>
std::vector<T> start_values(const Context& ctx, const Mad& mad, const std::byte* old) {
  std::vector<T> c(mad.m * mad.n);
  if (mad.start == Start::accumulate) {
    const Accumulators<T> from{const_cast<std::byte*>(old), mad.m, mad.n};
    for (uint64_t i = 0; i < mad.m; ++i) {
      for (uint64_t j = 0; j < mad.n; ++j) std::memcpy(&c[i * mad.n + j], from.at(i, j), sizeof(T));
    }
  } else if (mad.start == Start::bias) {
    const std::byte* bias = ctx.memory->access(Space::bt, mad.bias, mad.n * sizeof(T), AccessMode::read);
    if (bias == nullptr) return {};
    for (uint64_t i = 0; i < mad.m; ++i) std::memcpy(&c[i * mad.n], bias, mad.n * sizeof(T));
  }
  return c;
}
/// The columns that fill the last block up to 16 are written as zero.
template <typename T>
void store_values(const Mad& mad, std::byte* base, const std::vector<T>& c) {
  const Accumulators<T> to{base, mad.m, mad.n};
  for (uint64_t i = 0; i < mad.m; ++i) {
    for (uint64_t j = 0; j < mad.n; j += kRows) {
      const uint64_t valid = std::min(kRows, mad.n - j);
      std::memcpy(to.at(i, j), &c[i * mad.n + j], valid * sizeof(T));
      std::memset(to.at(i, j) + valid * sizeof(T), 0, (kRows - valid) * sizeof(T));
    }
  }
}

Gemm shape_of(const Mad& mad) { return {mad.m, mad.n, mad.k, mad.k, right_stride(mad), mad.n}; }

// ---- MX scales
/// Scales of the rows or columns of one operand, by row or column and group of 32 values: fragments of 16 x 2
/// bytes, of which those of the rows that take part are read. The scales of the single row of GEMV are
/// neighbours, as the row is (pto-isa tests/npu/a5/src/st/testcase/tmatmul_mx/tmatmul_mx_kernel.cpp:405).
class Scales {
 public:
  Scales(const Context& ctx, Space space, uint64_t address, uint64_t outer, uint64_t k, bool row)
      : fragments_(mx_fragments(k)), row_(row) {
    if (row) {
      base_ = ctx.memory->access(space, address, ceil_div(k, kMxGroup), AccessMode::read);
      return;
    }
    const uint64_t whole = outer / kRows * fragments_ * kMxFragment;
    if (whole != 0) base_ = ctx.memory->access(space, address, whole, AccessMode::read);
    if (outer % kRows == 0 || (whole != 0 && base_ == nullptr)) return;
    const std::byte* const rest = ctx.memory->access_rows(space, sat_add(address, whole), fragments_,
                                                          outer % kRows * 2, kMxFragment, AccessMode::read);
    base_ = rest == nullptr ? nullptr : rest - whole;
  }
  [[nodiscard]] bool ok() const { return base_ != nullptr; }
  [[nodiscard]] double at(uint64_t i, uint64_t group) const {
    const uint64_t offset =
        row_ ? group : (i / kRows * fragments_ + group / 2) * kMxFragment + i % kRows * 2 + group % 2;
    return num::to_f64(Elem::f8e8m0, std::to_integer<uint64_t>(base_[offset]));
  }

 private:
  const std::byte* base_ = nullptr;
  uint64_t fragments_;
  bool row_;
};
/// Products of scaled values in f64, where they are exact; one rounding to f32 per step.
bool multiply_mx(const Context& ctx, const Mad& mad, const std::vector<float>& a, const std::vector<float>& b,
                 std::vector<float>& c) {
  const Scales left(ctx, Space::l0a_mx, mx_address(mad.lhs, mad.lhs_elem), mad.m, mad.k, mad.gemv),
      right(ctx, Space::l0b_mx, mx_address(mad.rhs, mad.rhs_elem), mad.n, mad.k, false);
  if (!left.ok() || !right.ok()) return false;
  const uint64_t stride = right_stride(mad);
  std::vector<double> x(a.size()), y(b.size());
  for (uint64_t i = 0; i < mad.m; ++i) {
    for (uint64_t k = 0; k < mad.k; ++k)
      x[i * mad.k + k] = static_cast<double>(a[i * mad.k + k]) * left.at(i, k / kMxGroup);
  }
  for (uint64_t k = 0; k < mad.k; ++k) {
    for (uint64_t j = 0; j < mad.n; ++j)
      y[k * stride + j] = static_cast<double>(b[k * stride + j]) * right.at(j, k / kMxGroup);
  }
  gemm_f64_product(shape_of(mad), x.data(), y.data(), c.data());
  return true;
}

// ---- multiply
/// Outputs that overflowed are computed again with the accumulator held within the finite range at every
/// step.
void saturate_chains(const Mad& mad, const std::vector<float>& a, const std::vector<float>& b,
                     const std::vector<float>& first, std::vector<float>& c) {
  constexpr float kMax = std::numeric_limits<float>::max();
  const uint64_t stride = right_stride(mad);
  for (uint64_t i = 0; i < mad.m; ++i) {
    for (uint64_t j = 0; j < mad.n; ++j) {
      if (std::isfinite(c[i * mad.n + j])) continue;
      float sum = first[i * mad.n + j];
      if (!std::isfinite(sum)) sum = sum != sum ? 0.0F : std::copysign(kMax, sum);
      for (uint64_t k = 0; k < mad.k; ++k) {
        sum = std::fma(a[i * mad.k + k], b[k * stride + j], sum);
        if (std::isinf(sum)) sum = std::copysign(kMax, sum);
      }
      c[i * mad.n + j] = sum;
    }
  }
}
/// After an MX multiply: overflow to the finite range.
void clamp_finite(std::vector<float>& c) {
  for (float& v : c) {
    if (!std::isfinite(v)) v = v != v ? 0.0F : std::copysign(std::numeric_limits<float>::max(), v);
  }
}

void run_float(Context& ctx, const Mad& mad) {
  std::vector<float> a = read_left(ctx, mad);
  std::vector<float> b = read_right(ctx, mad);
  if (a.empty() || b.empty()) return;
  if (mad.saturate) {
    normalise(a, mad.lhs_elem);
    normalise(b, mad.rhs_elem);
  }
  if (mad.tf32) {
    round_tf32(a, ctx.machine->tf32_mantissa_bits, mad.tf32_away);
    round_tf32(b, ctx.machine->tf32_mantissa_bits, mad.tf32_away);
  }
  const bool elsewhere = mad.from.value_or(mad.dst) != mad.dst;
  const bool update = mad.start == Start::accumulate && !elsewhere;
  const std::byte* old = elsewhere ? access_accumulators(ctx, mad, *mad.from, AccessMode::read) : nullptr;
  if (elsewhere && old == nullptr) return;
  std::byte* base = access_accumulators(ctx, mad, mad.dst, update ? AccessMode::update : AccessMode::write);
  if (base == nullptr) return;
  std::vector<float> c = start_values<float>(ctx, mad, elsewhere ? old : base);
  if (c.empty()) return;
  if (mad.mx) {
    if (!multiply_mx(ctx, mad, a, b, c)) return;
    if (mad.saturate) clamp_finite(c);
  } else {
    const std::vector<float> first = mad.saturate ? c : std::vector<float>{};
    gemm_f32(shape_of(mad), a.data(), b.data(), c.data());
    if (mad.saturate) saturate_chains(mad, a, b, first, c);
  }
  for (float& v : c) v = canonical(v);
  store_values(mad, base, c);
}

void run_integer(Context& ctx, const Mad& mad) {
  const std::vector<float> a = read_left(ctx, mad);
  const std::vector<float> b = read_right(ctx, mad);  // 8-bit integers are exact in f32
  if (a.empty() || b.empty()) return;
  std::byte* base = access_accumulators(
      ctx, mad, mad.dst, mad.start == Start::accumulate ? AccessMode::update : AccessMode::write);
  if (base == nullptr) return;
  std::vector<int32_t> c = start_values<int32_t>(ctx, mad, base);
  if (c.empty()) return;
  const std::vector<int32_t> x(a.begin(), a.end()), y(b.begin(), b.end());
  gemm_i32(shape_of(mad), x.data(), y.data(), c.data());
  store_values(mad, base, c);
}

bool known_float(Elem elem) {
  switch (elem) {
    case Elem::f16:
    case Elem::bf16:
    case Elem::f32:
    case Elem::f8e4m3:
    case Elem::f8e5m2:
    case Elem::hif8:
    case Elem::f4e1m2x2:
    case Elem::f4e2m1x2:
      return true;
    default:
      return false;
  }
}
void run(Context& ctx, const Mad& mad) {
  constexpr uint64_t kMaxDim = 4095;  // 12-bit fields
  for (const uint64_t dim : {mad.m, mad.n, mad.k}) {
    if (dim == 0 || dim > kMaxDim)
      return ctx.fault(Fault::bad_operand, "mad: m, n and k are between 1 and 4095");
  }
  if (value_bits(mad.lhs_elem) == 4 && mad.k % 2 != 0)
    return ctx.fault(Fault::bad_operand, "mad: 4-bit operands need an even k");
  const bool integers = is_integer(mad.lhs_elem) && is_integer(mad.rhs_elem) &&
                        value_bits(mad.lhs_elem) <= 8 && value_bits(mad.rhs_elem) <= 8;
  if (integers && byte_width(mad.dst_elem) == 4 && is_integer(mad.dst_elem)) return run_integer(ctx, mad);
  if (known_float(mad.lhs_elem) && known_float(mad.rhs_elem) && mad.dst_elem == Elem::f32)
    return run_float(ctx, mad);
  ctx.fault(Fault::unsupported, "mad of " + std::string(to_string(mad.lhs_elem)) + " and " +
                                    std::string(to_string(mad.rhs_elem)) + " to " +
                                    std::string(to_string(mad.dst_elem)) + " is not supported");
}

// ---- the instructions
bool ctrl_bit(const Context& ctx, int bit) { return ((ctx.control->ctrl >> bit) & 1) != 0; }

/// Operand types and the modes of the control register.
Mad describe(const Context& ctx, Start start, bool mx) {
  Mad mad{ctx.word(0),
          ctx.word(1),
          ctx.word(2),
          start == Start::bias ? ctx.word(3) : 0,
          ctx.type(0).elem,
          ctx.type(1).elem,
          ctx.type(2).elem,
          0,
          0,
          0,
          start};
  mad.mx = mx;
  mad.saturate = !ctrl_bit(ctx, kCtrlNoSat);
  const bool all_f32 = mad.lhs_elem == Elem::f32 && mad.rhs_elem == Elem::f32;
  mad.tf32 = all_f32 && !mx && ctx.machine->tf32_supported && ctrl_bit(ctx, kCtrlTf32);
  mad.tf32_away = ctrl_bit(ctx, kCtrlTf32Away);
  return mad;
}
uint64_t extent(const Context& ctx, unsigned slot) {
  return static_cast<uint64_t>(std::max<int64_t>(ctx.i64(slot), 0));
}

enum MadAttr : unsigned {
  kUnitFlag,
  kDisableGemv,
  kSatMode,
  kTf32Mode
};  // n_dir follows; it and the unit flag change no value

template <Start kStart, bool kMx>
void mad_structured(Context& ctx) {
  Mad mad = describe(ctx, kStart, kMx);
  const unsigned first = kStart == Start::bias ? 4 : 3;
  mad.m = extent(ctx, first);
  mad.n = extent(ctx, first + 1);
  mad.k = extent(ctx, first + 2);
  mad.gemv = mad.m == 1 && !ctx.attr_set(kDisableGemv);
  if (ctx.attr_set(kSatMode)) mad.saturate = ctx.attr(kSatMode) == 0;
  if constexpr (!kMx) {
    if (ctx.attr_set(kTf32Mode)) {
      mad.tf32 = ctx.machine->tf32_supported;
      mad.tf32_away = ctx.attr(kTf32Mode) == 1;
    }
  }
  run(ctx, mad);
}
/// xt: m [11:0], k [23:12], n [35:24], disable_gemv [61], start from bias [62], from zero [63].
template <bool kBias, bool kMx>
void mad_raw(Context& ctx) {
  const uint64_t xt = ctx.word(kBias ? 4 : 3);
  const Start start = kBias ? Start::bias : (xt >> 63) != 0 ? Start::zero : Start::accumulate;
  Mad mad = describe(ctx, start, kMx);
  mad.m = xt & 0xfff;
  mad.k = (xt >> 12) & 0xfff;
  mad.n = (xt >> 24) & 0xfff;
  mad.gemv = mad.m == 1 && ((xt >> 61) & 1) == 0;
  run(ctx, mad);
}

/// Products of tiles with scales are the same instruction: where the scales lie follows from the addresses of
/// the operands, and the scale tiles name them for people. Empty tiles do nothing.
template <Start kStart, bool kGemv>
void tile_scaled(Context& ctx) {
  const auto slot = [&](std::string_view name) {
    return static_cast<unsigned>(ctx.inst->schema->operand_slot(name));
  };
  const unsigned left = slot("a");
  const unsigned right = slot("b");
  const unsigned dst = slot("dst");
  const TileDesc& a = ctx.tile(left);
  const TileDesc& b = ctx.tile(right);
  Mad mad{a.addr,
          b.addr,
          ctx.tile(dst).addr,
          0,
          ctx.type(left).elem,
          ctx.type(right).elem,
          ctx.type(dst).elem,
          a.valid_rows,
          b.valid_cols,
          a.valid_cols,
          kStart};
  if (mad.m == 0 || mad.n == 0 || mad.k == 0) return;
  // The left tile says how long the sums are; of the right one that many rows are read.
  if (mad.k > b.storage_rows)
    return ctx.fault(Fault::out_of_bounds,
                     fmt::format("the product reads {} rows of operand 'b', whose storage is {}x{}", mad.k,
                                 b.storage_rows, b.storage_cols));
  if (kStart == Start::bias) mad.bias = ctx.tile(slot("bias")).addr;
  if (kStart == Start::accumulate) mad.from = ctx.tile(slot("c_in")).addr;
  mad.mx = true;
  mad.gemv = kGemv;
  mad.saturate = !ctrl_bit(ctx, kCtrlNoSat);
  run(ctx, mad);
}

constexpr Semantics kCubeSemantics[] = {
    {"pto.tmatmul.mx", tile_scaled<Start::zero, false>},
    {"pto.tmatmul.mx.acc", tile_scaled<Start::accumulate, false>},
    {"pto.tmatmul.mx.bias", tile_scaled<Start::bias, false>},
    {"pto.tgemv.mx", tile_scaled<Start::zero, true>},
    {"pto.tgemv.mx.acc", tile_scaled<Start::accumulate, true>},
    {"pto.tgemv.mx.bias", tile_scaled<Start::bias, true>},
    {"pto.mad", mad_structured<Start::zero, false>},
    {"pto.mad_acc", mad_structured<Start::accumulate, false>},
    {"pto.mad_bias", mad_structured<Start::bias, false>},
    {"pto.mad_mx", mad_structured<Start::zero, true>},
    {"pto.mad_mx_acc", mad_structured<Start::accumulate, true>},
    {"pto.mad_mx_bias", mad_structured<Start::bias, true>},
    {"pto.mad_raw", mad_raw<false, false>},
    {"pto.mad_bias_raw", mad_raw<true, false>},
    {"pto.mad_mx_raw", mad_raw<false, true>},
    {"pto.mad_mx_bias_raw", mad_raw<true, true>},
};

}  // namespace

std::span<const Semantics> cube() { return kCubeSemantics; }

}  // namespace pto::exec
