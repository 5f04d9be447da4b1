// Elementwise tile instructions: tile with tile, tile with scalar, one tile. Meaning of each operation:
// docs/reference/numerics.md.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "exec/fault_sink.hpp"
#include "exec/tile/map.hpp"
#include "isa/row.hpp"

namespace pto::exec {

uint64_t scalar_bits(Context& context, unsigned slot, Elem elem) {
  const Elem from = context.type(slot).elem;
  const uint64_t word = context.word(slot);
  if (from == elem) return word;
  if (is_float(from)) return num::from_f64(elem, num::to_f64(from, word), num::Round::rint);
  if (is_float(elem)) return num::from_f64(elem, static_cast<double>(num::int_value(from, word)));
  return static_cast<uint64_t>(num::int_value(from, word));
}

float scalar_float(Context& context, unsigned slot, Elem elem) {
  return static_cast<float>(num::to_f64(elem, scalar_bits(context, slot, elem)));
}

namespace {

/// The remainder of A2/A3. Integers go through f32, so operands beyond 2^24 are a finding. Floats are what
/// the library's instructions give: a - floor(a / b) * b, each step rounded, and b once more where the sign
/// is the other one (pto-isa include/pto/npu/a2a3/TRem.hpp, TRemS.hpp:22..62). Where the quotient is
/// large that is no remainder any more, which is a finding, too.
struct TileRem : Rem {
  static constexpr int32_t kExact = 1 << 24;
  static constexpr double kClose = 1.0 / 256;  ///< of the divisor: the result has eight bits that are right
  struct Lost {
    float dividend, divisor, given, exact;
  };
  bool on_a2a3 = false;
  mutable std::optional<int32_t> beyond = {};  ///< the first
  mutable std::optional<Lost> lost = {};       ///< the first
  explicit TileRem(const Context& context) : Rem(context), on_a2a3(exec::on_a2a3(context)) {}

  static float by_steps(float a, float b) {
    const float product = std::floor(a / b) * b;
    const float rest = a - product;
    return rest * b < 0 ? rest + b : rest;
  }
  /// Between 0 and the divisor, and as near to the exact one as rounding takes it; the divisor is next to 0.
  static bool is_remainder(float given, float exact, float b) {
    if (exact != exact || given == exact) return true;
    if (!(std::fabs(given) < std::fabs(b)) || given * b < 0) return false;
    const double apart = std::fabs(static_cast<double>(given) - static_cast<double>(exact));
    const double divisor = std::fabs(static_cast<double>(b));
    return std::min(apart, divisor - apart) <= kClose * divisor;
  }
  float f(float a, float b) const {
    const float exact = Rem::f(a, b);
    if (!on_a2a3) return exact;
    const float given = by_steps(a, b);
    if (!lost && !is_remainder(given, exact, b)) lost = Lost{a, b, given, exact};
    return given;
  }
  template <typename T>
  T i(T a, T b) const {
    if constexpr (std::is_same_v<T, int32_t>) {
      for (const int32_t value : {a, b}) {
        if (on_a2a3 && !beyond && (value < -kExact || value > kExact)) beyond = value;
      }
    }
    return Rem::i(a, b);
  }
  void finish(Context& context) const {
    Rem::finish(context);
    if (context.faults == nullptr) return;
    const auto tell = [&](std::string what) { context.faults->inexact(context, std::move(what)); };
    const std::string_view name = context.inst->schema->row->name;
    if (beyond)
      tell(
          fmt::format("{} computes i32 through f32 on a2a3; the operand {} is beyond -2^24..2^24, where that "
                      "is exact",
                      name, *beyond));
    if (lost)
      tell(
          fmt::format("{} on a2a3 gives {} for {} by {}, which is no remainder (exactly {}): quotient and "
                      "product are rounded to f32",
                      name, lost->given, lost->dividend, lost->divisor, lost->exact));
  }
};

/// A binary operation with a scalar as second (or first) operand.
template <typename Op>
struct WithScalar {
  static constexpr bool kFloat = Op::kFloat, kInteger = Op::kInteger, kBits = Op::kBits;
  Op op;
  float float_value = 0;
  uint64_t integer_value = 0;
  bool first = false;
  std::array<float, kChunk> spread{};  ///< the scalar, for operations that work on chunks
  void chunk(const float* a, float* to, uint64_t n) const requires requires { Op::chunk(a, a, to, n); }
  { first ? Op::chunk(spread.data(), a, to, n) : Op::chunk(a, spread.data(), to, n); }
  float f(float a) const requires(Op::kFloat) { return first ? op.f(float_value, a) : op.f(a, float_value); }
  template <typename T>
  T i(T a) const {
    const T value = static_cast<T>(integer_value);
    return first ? op.i(value, a) : op.i(a, value);
  }
  void finish(Context& context) const { op.finish(context); }
};
/// a op scalar, then + b.
template <typename Op>
struct ScalarThenAdd : OpBase {
  float float_value = 0;
  uint64_t integer_value = 0;
  float f(float a, float b) const { return Op::f(a, float_value) + b; }
  template <typename T>
  T i(T a, T b) const {
    return Add::i(Op::i(a, static_cast<T>(integer_value)), b);
  }
};

// ---- bindings: operand slots

template <typename Op, unsigned kDst>
void unary(Context& context) {
  for_target<Op>(context, [&](const auto& op) { map(context, std::array{0u}, kDst, op); });
}
template <typename Op, unsigned kDst>
void binary(Context& context) {
  for_target<Op>(context, [&](const auto& op) { map(context, std::array{0u, 1u}, kDst, op); });
}
template <typename Op>
void ternary(Context& context) {
  map(context, std::array{0u, 1u, 2u}, 3u, Op{});
}

/// A scalar as the operand of a float operation.
float scalar_operand(Context& context, unsigned slot, Elem elem) {
  if (!is_compute_float(elem)) return 0;
  float value = scalar_float(context, slot, elem);
  if (flushes(context)) flush_denormals(elem, &value, 1);
  return value;
}

template <typename Op>
void scalar_at(Context& context, unsigned tile, unsigned scalar, unsigned dst) {
  const Elem elem = context.type(dst).elem;
  for_target<Op>(context, [&]<typename InferredArgument>(const InferredArgument& chosen) {
    WithScalar<InferredArgument> op{chosen};
    op.first = scalar < tile;
    op.integer_value = scalar_bits(context, scalar, elem);
    op.float_value = scalar_operand(context, scalar, elem);
    op.spread.fill(op.float_value);
    map(context, std::array{tile}, dst, op);
  });
}
template <typename Op, unsigned kDst>
void with_scalar(Context& context) {
  scalar_at<Op>(context, 0, 1, kDst);
}
/// The scalar is before or after the tile.
template <typename Op>
void with_scalar_either(Context& context) {
  if (context.type(0).is_tile())
    scalar_at<Op>(context, 0, 1, 2);
  else
    scalar_at<Op>(context, 1, 0, 2);
}

template <typename Op>
void scalar_then_add(Context& context) {
  const Elem elem = context.type(3).elem;
  ScalarThenAdd<Op> op;
  op.integer_value = scalar_bits(context, 1, elem);
  op.float_value = scalar_operand(context, 1, elem);
  map(context, std::array{0u, 2u}, 3u, op);
}

/// What A2/A3 leave in a source of a remainder of i32: they convert it in place. The divisor stays f32, the
/// dividend is converted back (pto-isa include/pto/npu/a2a3/TRem.hpp, TRemS.hpp:71..77).
void leave_converted(Context& context, unsigned slot, bool back) {
  const TileDesc& dst = context.tile(3);
  const Tile source(context, slot, AccessMode::update, dst.valid_rows, dst.valid_cols);
  if (!source.good() || context.no_values) return;
  for (uint64_t row = 0; row < source.rows(); ++row) {
    for (uint64_t col = 0; col < source.cols(); ++col) {
      const auto value = static_cast<float>(source.get<int32_t>(row, col));
      const uint64_t integer =
          num::from_f64(Elem::i32, static_cast<double>(value), num::Round::rint, num::Overflow::saturate);
      source.put(row, col, back ? static_cast<uint32_t>(integer) : std::bit_cast<uint32_t>(value));
    }
  }
}

/// Whether the dividend comes back as it was: only within the 24 bits of f32.
bool comes_back(Context& context) {
  const TileDesc& dst = context.tile(3);
  const Tile dividend(context, 0, AccessMode::read, dst.valid_rows, dst.valid_cols);
  for (uint64_t row = 0; dividend.good() && row < dividend.rows(); ++row) {
    for (uint64_t col = 0; col < dividend.cols(); ++col) {
      const auto value = dividend.get<int32_t>(row, col);
      if (static_cast<double>(static_cast<float>(value)) != static_cast<double>(value)) return false;
    }
  }
  return true;
}

bool converts_in_place(const Context& context) {
  return on_a2a3(context) && signless(context.type(3).elem) == Elem::i32;
}

void trem(Context& context) {
  binary<TileRem, 3>(context);
  if (!converts_in_place(context)) return;
  if (!comes_back(context)) leave_converted(context, 0, true);
  leave_converted(context, 1, false);
}

void trems(Context& context) {
  with_scalar<TileRem, 3>(context);
  if (converts_in_place(context) && !comes_back(context)) leave_converted(context, 0, true);
}

template <typename FloatOp, typename IntOp>
void sign_operation(Context& context) {
  if (is_float(context.type(1).elem))
    map(context, std::array{0u}, 1u, FloatOp{});
  else
    map(context, std::array{0u}, 1u, IntOp{});
}

void texpands(Context& context) {
  Tile dst(context, 1, AccessMode::write);
  if (!dst.good() || dst.empty()) return;
  if (context.no_values) return;
  const uint64_t bits = scalar_bits(context, 0, dst.elem());
  normalise(dst);
  with_bits(dst.size(), [&](auto zero) {
    using T = decltype(zero);
    std::array<T, kChunk> buffer;
    for_chunks(dst, [&](uint64_t row, uint64_t col, uint64_t n) {
      T* const to = dst.write(row, col, buffer.data());
      std::fill(to, to + n, static_cast<T>(bits));
      dst.written(row, col, n, buffer.data());
    });
  });
}

/// dst += src * scalar: on A5 with one rounding (vaxpy). Elsewhere with two; the first is to f16 when both
/// tiles are f16.
struct Axpy : FloatOnly {
  Elem src = Elem::f32, dst = Elem::f32;
  bool fused = false;
  std::array<float, kChunk> factors;  ///< the scalar
  void chunk(const float* a, const float* sum, float* to, uint64_t n) const {
    if (fused) return kernel::multiply_add(dst, factors.data(), a, sum, to, n);
    std::array<float, kChunk> product;
    for (uint64_t i = 0; i < n; ++i) product[i] = a[i] * factors[i];
    if (src == dst && src == Elem::f16) round_to_f16(product.data(), n);
    kernel::add(sum, product.data(), to, n);
  }
  static void round_to_f16(float* values, uint64_t n) {
    std::array<uint16_t, kChunk> narrow;
    num::f32_to_f16(std::span<const float>(values, n), narrow.data());
    num::f16_to_f32(std::span<const uint16_t>(narrow.data(), n), values);
  }
};

void taxpy(Context& context) {
  Tile dst(context, 2, AccessMode::update);
  if (!dst.good() || dst.empty() || !covers(context, 0, dst.rows(), dst.cols())) return;
  std::array<Tile, 2> src{Tile(context, 0, AccessMode::read, dst.rows(), dst.cols()), dst};
  if (!src[0].good()) return;
  const Elem from = src[0].elem();
  if (!is_compute_float(from) || !is_compute_float(dst.elem())) return refuse_type(context, dst.elem());
  Axpy op;
  op.src = from;
  op.dst = dst.elem();
  op.fused = on_a5(context);
  op.factors.fill(scalar_operand(context, 1, from));
  map_tiles(context, src, dst, op);
}

constexpr Semantics kTileElementwiseSemantics[] = {
    {"pto.tadd", binary<Add, 2>},
    {"pto.taddrelu", binary<AddRelu, 2>},
    {"pto.tsub", binary<Sub, 2>},
    {"pto.tmul", binary<Mul, 2>},
    {"pto.tdiv", binary<Div, 2>},
    {"pto.tmax", binary<Max, 2>},
    {"pto.tmin", binary<Min, 2>},
    {"pto.tfmod", binary<Fmod, 2>},
    {"pto.trem", trem},
    {"pto.tprelu", binary<Prelu, 3>},
    {"pto.tand", binary<And, 2>},
    {"pto.tor", binary<Or, 2>},
    {"pto.txor", binary<Xor, 3>},
    {"pto.tshl", binary<Shl, 2>},
    {"pto.tshr", binary<Shr, 2>},
    {"pto.taddc", ternary<AddAdd>},
    {"pto.tsubc", ternary<SubAdd>},
    {"pto.tadds", with_scalar<Add, 2>},
    {"pto.tsubs", with_scalar<Sub, 2>},
    {"pto.tmuls", with_scalar<Mul, 2>},
    {"pto.tdivs", with_scalar_either<Div>},
    {"pto.tmaxs", with_scalar<Max, 2>},
    {"pto.tmins", with_scalar<Min, 2>},
    {"pto.tfmods", with_scalar<Fmod, 2>},
    {"pto.trems", trems},
    {"pto.tlrelu", with_scalar<Prelu, 2>},
    {"pto.tands", with_scalar<And, 2>},
    {"pto.tors", with_scalar<Or, 2>},
    {"pto.txors", with_scalar<Xor, 3>},
    {"pto.tshls", with_scalar<Shl, 2>},
    {"pto.tshrs", with_scalar<Shr, 2>},
    {"pto.taddsc", scalar_then_add<Add>},
    {"pto.tsubsc", scalar_then_add<Sub>},
    {"pto.taxpy", taxpy},
    {"pto.texpands", texpands},
    {"pto.tabs", sign_operation<FloatAbs, IntAbs>},
    {"pto.tneg", sign_operation<FloatNeg, IntNeg>},
    {"pto.tnot", unary<Not, 1>},
    {"pto.trelu", unary<Rectify, 1>},
    {"pto.texp", unary<Exp, 1>},
    {"pto.tlog", unary<Log, 1>},
    {"pto.tsqrt", unary<Sqrt, 1>},
    {"pto.trsqrt", unary<Rsqrt, 1>},
    {"pto.trecip", unary<Recip, 1>},
};

}  // namespace

std::span<const Semantics> tile_elementwise() { return kTileElementwiseSemantics; }

}  // namespace pto::exec
