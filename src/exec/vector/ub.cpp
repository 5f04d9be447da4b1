// Vectors of A2/A3 in UB, pto.ub.*: repeats of eight 32-byte blocks, elements under the mask registers. The
// arithmetic is that of the tile instructions.
#include <algorithm>
#include <cstring>

#include "exec/address_math.hpp"
#include "exec/vector/lanes.hpp"

namespace pto::exec {
namespace {

using namespace vec;
using decode::kCtrlMaskCount;

constexpr unsigned kBlock = 32, kRepeatBlocks = 8;

/// Which elements of a repeat take part.
struct Active {
  uint64_t word[2];
  bool counts = false;
  unsigned per_repeat;
  [[nodiscard]] bool operator()(uint64_t repeat, unsigned element) const {
    if (counts) return repeat * per_repeat + element < word[0];
    return (word[element / 64] >> (element % 64) & 1) != 0;
  }
};
Active active_elements(const Context& ctx, unsigned size) {
  const ControlState& control = *ctx.control;
  return {{control.vector_mask[0], control.vector_mask[1]},
          (control.ctrl >> kCtrlMaskCount & 1) != 0,
          kBlock * kRepeatBlocks / size};
}

/// An operand: block b of repeat r is at address + (r * repeat_stride + b * block_stride) * 32.
struct Stream {
  uint64_t address;
  int64_t block_stride, repeat_stride;
};
Stream stream(const Context& ctx, unsigned pointer, unsigned block, unsigned repeat) {
  return {ctx.word(pointer), ctx.i64(block), ctx.i64(repeat)};
}

/// Calls f(element, count, bytes in UB) for every run of active elements of a repeat; false after a finding.
template <typename F>
bool for_active_runs(const Context& ctx, const Stream& from, const Active& active, uint64_t repeat,
                     unsigned size, AccessMode how, F&& f) {
  const unsigned per_block = kBlock / size;
  for (unsigned block = 0; block < kRepeatBlocks; ++block) {
    const uint64_t base = moved(
        from.address, static_cast<int64_t>(repeat) * from.repeat_stride + block * from.block_stride, kBlock);
    for (unsigned i = 0; i < per_block;) {
      unsigned end = i;
      while (end < per_block && active(repeat, block * per_block + end)) ++end;
      if (end == i) {
        ++i;
        continue;
      }
      std::byte* at = ctx.memory->access(Space::ub, moved(base, i, size), (end - i) * size, how);
      if (at == nullptr) return false;
      f(block * per_block + i, end - i, at);
      i = end;
    }
  }
  return true;
}

template <typename T, typename Op, typename... Bits>
uint64_t lane_result(const Op& op, Bits... bits) {
  if constexpr (kIsFloat<T>) {
    const auto value = op.f(from_bits<T>(bits)...);
    if constexpr (std::is_same_v<decltype(value), const double>)
      return num::from_f64(kElem<T>, canonical(value));
    else
      return to_bits<T>(canonical(value));
  } else {
    return to_bits<T>(op.i(from_bits<T>(bits)...));
  }
}

bool counts_fit(const Context& ctx, unsigned first, unsigned count) {
  for (unsigned slot = first; slot < first + count; ++slot) {
    if (ctx.i64(slot) >= 0 && ctx.i64(slot) <= 255) continue;
    ctx.fault(Fault::bad_operand,
              "a repeat or stride of " + std::to_string(ctx.i64(slot)) + "; it is 0 to 255");
    return false;
  }
  return true;
}

/// dst = op of the sources, repeat by repeat.
template <typename T, typename F>
void run(Context& ctx, const Stream& dst, std::initializer_list<Stream> sources, uint64_t repeats, F&& op) {
  constexpr unsigned kSize = sizeof(T);
  const Active active = active_elements(ctx, kSize);
  for (uint64_t r = 0; r < repeats; ++r) {
    VReg in[2];
    unsigned n = 0;
    for (const Stream& source : sources) {
      VReg& reg = in[n++];
      const auto read = [&](unsigned element, unsigned count, const std::byte* at) {
        std::memcpy(reg.byte + element * kSize, at, count * kSize);
      };
      if (!for_active_runs(ctx, source, active, r, kSize, AccessMode::read, read)) return;
    }
    const auto write = [&](unsigned element, unsigned count, std::byte* at) {
      for (unsigned i = 0; i < count; ++i) {
        const uint64_t bits = op(lane_bits(in[0], element + i, kSize), lane_bits(in[1], element + i, kSize));
        std::memcpy(at + i * kSize, &bits, kSize);
      }
    };
    if (!for_active_runs(ctx, dst, active, r, kSize, AccessMode::write, write)) return;
  }
}

template <typename Op, typename F>
void for_elements(Context& ctx, F&& f) {
  const Elem elem = ctx.type(0).elem;
  for_target<Op>(ctx, [&](const auto& op) {
    using Chosen = std::remove_cvref_t<decltype(op)>;
    bool known = false;
    if constexpr (Chosen::kFloat) known = with_float(elem, [&](auto tag) { f(tag, op); });
    if constexpr (Chosen::kInteger) known = known || with_integer(elem, [&](auto tag) { f(tag, op); });
    if (!known) refuse_type(ctx, elem);
  });
}

template <typename Op>
void binary(Context& ctx) {
  if (!counts_fit(ctx, 3, 7)) return;
  for_elements<Op>(ctx, [&](auto tag, const auto& op) {
    using T = typename decltype(tag)::type;
    run<T>(ctx, stream(ctx, 0, 4, 7), {stream(ctx, 1, 5, 8), stream(ctx, 2, 6, 9)}, ctx.word(3),
           [&](uint64_t a, uint64_t b) { return lane_result<T>(op, a, b); });
  });
}
template <typename Op>
void unary(Context& ctx) {
  if (!counts_fit(ctx, 2, 5)) return;
  for_elements<Op>(ctx, [&](auto tag, const auto& op) {
    using T = typename decltype(tag)::type;
    run<T>(ctx, stream(ctx, 0, 3, 5), {stream(ctx, 1, 4, 6)}, ctx.word(2),
           [&](uint64_t a, uint64_t) { return lane_result<T>(op, a); });
  });
}
/// The scalar is in the low bits of an i64, as the element has it.
template <typename Op>
void with_scalar(Context& ctx) {
  if (!counts_fit(ctx, 3, 5)) return;
  const uint64_t scalar = ctx.word(2);
  for_elements<Op>(ctx, [&](auto tag, const auto& op) {
    using T = typename decltype(tag)::type;
    run<T>(ctx, stream(ctx, 0, 4, 6), {stream(ctx, 1, 5, 7)}, ctx.word(3),
           [&](uint64_t a, uint64_t) { return lane_result<T>(op, a, scalar); });
  });
}
/// Shifts see elements without sign; by their width or more they give 0.
template <bool kLeft>
void shift(Context& ctx) {
  if (!counts_fit(ctx, 3, 5)) return;
  const uint64_t distance = ctx.word(2);
  with_width(byte_width(ctx.type(0).elem), [&](auto tag) {
    using T = typename decltype(tag)::type;
    run<T>(ctx, stream(ctx, 0, 4, 6), {stream(ctx, 1, 5, 7)}, ctx.word(3), [&](uint64_t a, uint64_t) {
      return distance >= 8 * sizeof(T) ? 0 : kLeft ? a << distance : a >> distance;
    });
  });
}
template <typename FloatOp, typename IntOp>
void ub_sign_operation(Context& ctx) {
  if (!counts_fit(ctx, 2, 5)) return;
  const Elem elem = ctx.type(0).elem;
  const auto go = [&](auto tag, auto op) {
    using T = typename decltype(tag)::type;
    run<T>(ctx, stream(ctx, 0, 3, 5), {stream(ctx, 1, 4, 6)}, ctx.word(2),
           [&](uint64_t a, uint64_t) { return static_cast<uint64_t>(op.i(static_cast<T>(a))); });
  };
  if (is_float(elem))
    byte_width(elem) == 2 ? go(Tag<uint16_t>{}, FloatOp{}) : go(Tag<uint32_t>{}, FloatOp{});
  else if (!with_integer(elem, [&](auto tag) { go(tag, IntOp{}); }))
    refuse_type(ctx, elem);
}
void ub_vdup(Context& ctx) {
  if (!counts_fit(ctx, 2, 5)) return;
  const uint64_t scalar = ctx.word(1);
  with_width(byte_width(ctx.type(0).elem), [&](auto tag) {
    run<typename decltype(tag)::type>(ctx, stream(ctx, 0, 3, 5), {}, ctx.word(2),
                                      [&](uint64_t, uint64_t) { return scalar; });
  });
}

void set_mask(Context& ctx) {
  ctx.control->vector_mask[0] = ctx.word(0);
  ctx.control->vector_mask[1] = ctx.word(1);
}
template <bool kCounts>
void set_mask_mode(Context& ctx) {
  constexpr uint64_t kBit = uint64_t{1} << kCtrlMaskCount;
  ctx.control->ctrl = kCounts ? ctx.control->ctrl | kBit : ctx.control->ctrl & ~kBit;
}

constexpr Semantics kVectorUbSemantics[] = {
    {"pto.ub.vadd", binary<Add>},
    {"pto.ub.vsub", binary<Sub>},
    {"pto.ub.vmul", binary<Mul>},
    {"pto.ub.vdiv", binary<Div>},
    {"pto.ub.vmax", binary<Max>},
    {"pto.ub.vmin", binary<Min>},
    {"pto.ub.vand", binary<And>},
    {"pto.ub.vor", binary<Or>},
    {"pto.ub.vaddrelu", binary<AddRelu>},
    {"pto.ub.vexp", unary<Exp>},
    {"pto.ub.vln", unary<Log>},
    {"pto.ub.vsqrt", unary<Sqrt>},
    {"pto.ub.vrsqrt", unary<Rsqrt>},
    {"pto.ub.vrelu", unary<Rectify>},
    {"pto.ub.vnot", unary<Not>},
    {"pto.ub.vabs", ub_sign_operation<FloatAbs, IntAbs>},
    {"pto.ub.vadds", with_scalar<Add>},
    {"pto.ub.vmuls", with_scalar<Mul>},
    {"pto.ub.vmaxs", with_scalar<Max>},
    {"pto.ub.vmins", with_scalar<Min>},
    {"pto.ub.vshl", shift<true>},
    {"pto.ub.vshr", shift<false>},
    {"pto.ub.vdup", ub_vdup},
    {"pto.ub.set_mask", set_mask},
    {"pto.ub.set_mask_count", set_mask_mode<true>},
    {"pto.ub.set_mask_norm", set_mask_mode<false>},
};

}  // namespace

std::span<const Semantics> vector_ub() { return kVectorUbSemantics; }

}  // namespace pto::exec
