// Predicate registers: generation, algebra, packing, interleaving, and their loads and stores.
// A predicate is 256 bits, one per byte of a vector register; the lanes of a granularity b8/b16/b32 own 1/2/4
// bits, of which the lowest counts and the others are zero in generated predicates. Facts: PTO micro ISA
// pages 04 and 05.
#include <charconv>
#include <optional>

#include "exec/exec_context.hpp"
#include "exec/vector/memory.hpp"

namespace pto::exec {
namespace {

using namespace vec;

/// A predicate whose lane i (of `width` bytes) is f(i).
template <typename F>
Mask make_mask(unsigned width, F&& f) {
  Mask mask{};
  for (unsigned i = 0; i < kVRegBytes / width; ++i) {
    if (f(i)) set_bit(mask, i * width);
  }
  return mask;
}

// ---- generation
/// The lanes of a PAT_* token: all or none, the first N, half or quarter, every third or fourth from lane 0.
std::optional<Mask> pattern_mask(std::string_view name, unsigned width) {
  const unsigned lanes = kVRegBytes / width;
  const auto first = [&](unsigned n) { return make_mask(width, [n](unsigned i) { return i < n; }); };
  if (name == "PAT_ALL") return first(lanes);
  if (name == "PAT_ALLF") return Mask{};
  if (name == "PAT_H") return first(lanes / 2);
  if (name == "PAT_Q") return first(lanes / 4);
  if (name == "PAT_M3") return make_mask(width, [](unsigned i) { return i % 3 == 0; });
  if (name == "PAT_M4") return make_mask(width, [](unsigned i) { return i % 4 == 0; });
  if (!name.starts_with("PAT_VL")) return std::nullopt;
  name.remove_prefix(6);
  unsigned n = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), n);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return first(n);
}
template <unsigned kWidth>
void from_pattern(Context& ctx) {
  const auto mask = pattern_mask(token(ctx, 0), kWidth);
  if (!mask) return ctx.fault(Fault::bad_operand, "no such predicate pattern");
  ctx.result<Mask>() = *mask;
}
/// The lanes of iteration `loop` whose number is below `bound`.
template <unsigned kWidth>
void pltm(Context& ctx) {
  const int64_t first = ctx.i64(0) * (kVRegBytes / kWidth);
  const int64_t bound = ctx.i64(1);
  ctx.result<Mask>() = make_mask(kWidth, [&](unsigned i) { return first + i < bound; });
}
/// The first `scalar` lanes, and what is left of the count for the next register.
template <unsigned kWidth>
void plt(Context& ctx) {
  constexpr unsigned kCount = kVRegBytes / kWidth;
  const uint32_t n = static_cast<uint32_t>(std::max<int64_t>(ctx.i64(0), 0));
  ctx.result<Mask>(0) = make_mask(kWidth, [n](unsigned i) { return i < n; });
  ctx.set(n < kCount ? 0 : n - kCount, 1);
}

// ---- algebra, bit by bit; the governing predicate zeroes
template <typename F>
void combine(Context& ctx, F&& f) {
  Mask result;
  for (unsigned i = 0; i < 4; ++i) result.bit[i] = f(i);
  ctx.result<Mask>() = result;
}
void pand(Context& ctx) {
  combine(ctx, [&](unsigned i) { return ctx.mask(0).bit[i] & ctx.mask(1).bit[i] & ctx.mask(2).bit[i]; });
}
void por(Context& ctx) {
  combine(ctx, [&](unsigned i) { return (ctx.mask(0).bit[i] | ctx.mask(1).bit[i]) & ctx.mask(2).bit[i]; });
}
void pxor(Context& ctx) {
  combine(ctx, [&](unsigned i) { return (ctx.mask(0).bit[i] ^ ctx.mask(1).bit[i]) & ctx.mask(2).bit[i]; });
}
void pnot(Context& ctx) {
  combine(ctx, [&](unsigned i) { return ~ctx.mask(0).bit[i] & ctx.mask(1).bit[i]; });
}
void psel(Context& ctx) {
  combine(ctx, [&](unsigned i) {
    const uint64_t select = ctx.mask(2).bit[i];
    return (ctx.mask(0).bit[i] & select) | (ctx.mask(1).bit[i] & ~select);
  });
}
void pbitcast(Context& ctx) { ctx.result<Mask>() = Mask(ctx.mask(0)); }

// ---- packing: on single bits, whatever the granularity
void ppack(Context& ctx) {
  const unsigned first = token(ctx, 0) == "HIGHER" ? kVRegBytes / 2 : 0;
  Mask result{};
  for (unsigned i = 0; i < kVRegBytes / 2; ++i) {
    if (bit_of(ctx.mask(0), 2 * i)) set_bit(result, first + i);
  }
  ctx.result<Mask>() = result;
}
void punpack(Context& ctx) {
  const unsigned first = token(ctx, 0) == "HIGHER" ? kVRegBytes / 2 : 0;
  Mask result{};
  for (unsigned i = 0; i < kVRegBytes / 2; ++i) {
    if (bit_of(ctx.mask(0), first + i)) set_bit(result, 2 * i);
  }
  ctx.result<Mask>() = result;
}

// ---- interleaving lanes of two predicates
template <unsigned kWidth>
void pintlv(Context& ctx) {
  constexpr unsigned kHalf = kVRegBytes / kWidth / 2;
  const auto lanes = [&](unsigned first) {
    return make_mask(kWidth,
                     [&ctx, first](unsigned i) { return active(ctx.mask(i % 2), first + i / 2, kWidth); });
  };
  const Mask low = lanes(0);
  const Mask high = lanes(kHalf);
  ctx.result<Mask>(0) = low;
  ctx.result<Mask>(1) = high;
}
template <unsigned kWidth>
void pdintlv(Context& ctx) {
  constexpr unsigned kHalf = kVRegBytes / kWidth / 2;
  const auto lanes = [&](unsigned odd) {
    return make_mask(kWidth, [&ctx, odd](unsigned i) {
      return active(ctx.mask(i < kHalf ? 0 : 1), i % kHalf * 2 + odd, kWidth);
    });
  };
  const Mask low = lanes(0);
  const Mask high = lanes(1);
  ctx.result<Mask>(0) = low;
  ctx.result<Mask>(1) = high;
}

// ---- loads and stores of the packed image
bool image_bit(const std::byte* image, unsigned i) {
  return (std::to_integer<unsigned>(image[i / 8]) >> (i % 8) & 1U) != 0;
}

/// NORM 32 bytes; US 16 bytes, each bit twice; DS 64 bytes, every other bit.
/// Offsets count bytes; the immediate ones of pldi and psti units of 32 bytes, of US and PK 16.
int64_t image_unit(std::string_view dist, bool immediate) {
  return !immediate ? 1 : dist == "US" || dist == "PK" ? 16 : 32;
}
template <bool kImmediate>
void plds(Context& ctx) {
  const std::string_view dist = token(ctx, 0);
  const unsigned bytes = dist == "NORM" ? 32 : dist == "US" ? 16 : dist == "DS" ? 64 : 0;
  if (bytes == 0) return ctx.fault(Fault::bad_operand, "the predicate load distribution is NORM, US or DS");
  const uint64_t address = access_address(ctx, 0, ctx.i64(1), 1, image_unit(dist, kImmediate));
  ctx.aligned(space_of(ctx, 0), address, std::min(bytes, kBlockBytes));
  const std::byte* image = ctx.memory->access(space_of(ctx, 0), address, bytes, AccessMode::read);
  if (image == nullptr) return;
  ctx.result<Mask>() = make_mask(1, [&](unsigned i) {
    return image_bit(image, bytes == 32 ? i : bytes == 16 ? i / 2 : 2 * i);
  });
}
/// NORM 32 bytes; PK 16 bytes, every other bit.
template <bool kImmediate>
void psts(Context& ctx) {
  const std::string_view dist = token(ctx, 0);
  const unsigned bytes = dist == "NORM" ? 32 : dist == "PK" ? 16 : 0;
  if (bytes == 0) return ctx.fault(Fault::bad_operand, "the predicate store distribution is NORM or PK");
  const uint64_t address = access_address(ctx, 1, ctx.i64(2), 0, image_unit(dist, kImmediate));
  ctx.aligned(space_of(ctx, 1), address, bytes);
  std::byte* image = ctx.memory->access(space_of(ctx, 1), address, bytes, AccessMode::write);
  if (image == nullptr) return;
  std::memset(image, 0, bytes);
  for (unsigned i = 0; i < 8 * bytes; ++i) {
    if (bit_of(ctx.mask(0), bytes == 32 ? i : 2 * i))
      image[i / 8] |= std::byte{static_cast<uint8_t>(1U << (i % 8))};
  }
}
/// Appends one bit per lane (8 bytes for b32, 16 for b16) to an unaligned stream; the base moves on by as
/// much.
void pstu(Context& ctx) {
  const unsigned width = byte_width(ctx.type(1).elem);
  const unsigned lanes = kVRegBytes / width;
  uint8_t packed[kVRegBytes / 8] = {};
  for (unsigned i = 0; i < lanes; ++i) {
    if (active(ctx.mask(1), i, width)) packed[i / 8] |= static_cast<uint8_t>(1U << (i % 8));
  }
  const uint64_t base = ctx.word(2);
  AlignState state = ctx.as<AlignState>(0);
  append_unaligned(ctx, space_of(ctx, 2), state, base, packed, lanes / 8);
  ctx.result<AlignState>(0) = state;
  ctx.set(base + lanes / 8, 1);
}

constexpr Semantics kVectorPredicateSemantics[] = {
    {"pto.pset_b8", from_pattern<1>},
    {"pto.pset_b16", from_pattern<2>},
    {"pto.pset_b32", from_pattern<4>},
    {"pto.pge_b8", from_pattern<1>},
    {"pto.pge_b16", from_pattern<2>},
    {"pto.pge_b32", from_pattern<4>},
    {"pto.pltm_b8", pltm<1>},
    {"pto.pltm_b16", pltm<2>},
    {"pto.pltm_b32", pltm<4>},
    {"pto.plt_b8", plt<1>},
    {"pto.plt_b16", plt<2>},
    {"pto.plt_b32", plt<4>},
    {"pto.pand", pand},
    {"pto.por", por},
    {"pto.pxor", pxor},
    {"pto.pnot", pnot},
    {"pto.psel", psel},
    {"pto.pbitcast", pbitcast},
    {"pto.ppack", ppack},
    {"pto.punpack", punpack},
    {"pto.pintlv_b8", pintlv<1>},
    {"pto.pintlv_b16", pintlv<2>},
    {"pto.pintlv_b32", pintlv<4>},
    {"pto.pdintlv_b8", pdintlv<1>},
    {"pto.pdintlv_b16", pdintlv<2>},
    {"pto.pdintlv_b32", pdintlv<4>},
    {"pto.plds", plds<false>},
    {"pto.pldi", plds<true>},
    {"pto.psts", psts<false>},
    {"pto.psti", psts<true>},
    {"pto.pstu", pstu},
};

}  // namespace

std::span<const Semantics> predicate() { return kVectorPredicateSemantics; }

}  // namespace pto::exec
