// DMA between GM, L1 and UB: bursts with outer loops, padding, and the raw forms that read the loop
// registers. Facts: PTO micro ISA pages 02 (DMA) and 16 (cube data movement);
// docs/reference/numerics.md says where they disagree.
#include <fmt/format.h>

#include <vector>

#include "exec/dma/burst.hpp"
#include "exec/vector/memory.hpp"
#include "support/rounding.hpp"
#include "support/saturating.hpp"

namespace pto::exec {
namespace {

using namespace dma_detail;
using vec::address_of;

Place place_of(const Context& ctx, unsigned slot, Space fallback, int peer = -1) {
  const Space space = ctx.type(slot).space;
  return {space == Space::none ? fallback : space, address_of(ctx, slot), peer};
}

/// GM as the destination of a store, with the atomic mode of CTRL.
Place gm_target(const Context& ctx, unsigned slot) {
  Place place = place_of(ctx, slot, Space::gm);
  place.atomic = atomic_elem_of_ctrl(ctx.control->ctrl);
  place.atomic_op = atomic_op_of_ctrl(ctx.control->ctrl);
  return place;
}

uint64_t length(const Context& ctx, unsigned slot) {
  return static_cast<uint64_t>(std::max<int64_t>(ctx.i64(slot), 0));
}

/// loop(count, source stride, destination stride) groups of slots first, first+1, first+2.
std::vector<Loop> loops_at(const Context& ctx, unsigned first) {
  std::vector<Loop> loops;
  for (unsigned i = 0; i < ctx.count(first); ++i)
    loops.push_back({ctx.i64(first, i), ctx.i64(first + 1, i), ctx.i64(first + 2, i)});
  return loops;
}

// ---- structured forms: len_burst in bytes, strides between burst starts in bytes
enum GmUb : unsigned {
  kSource,
  kDestination,
  kCache,
  kLen,
  kCount,
  kFromStride,
  kToStride,
  kLoops,
  kLoopFrom,
  kLoopTo,
  kPad,
  kLeft,
  kRight
};

/// Padding of a row: the written counts of elements; without counts, up to the next row (page 02), at least
/// to a block.
Padding padding_of(uint64_t element, unsigned element_bytes, uint64_t left, uint64_t right, uint64_t bytes,
                   int64_t to_stride) {
  Padding padding{sat_mul<uint64_t>(left, element_bytes), sat_mul<uint64_t>(right, element_bytes), element,
                  element_bytes};
  if (left != 0 || right != 0) return padding;
  const uint64_t block_end = round_up(bytes, kBlock);
  const uint64_t row = to_stride > static_cast<int64_t>(bytes) ? static_cast<uint64_t>(to_stride) : block_end;
  padding.right = row - bytes;
  return padding;
}

void mte_gm_ub(Context& ctx) {
  const Bursts bursts{length(ctx, kCount), length(ctx, kLen), ctx.i64(kFromStride), ctx.i64(kToStride)};
  Padding padding;
  if (ctx.has(kPad)) {
    const uint64_t left = ctx.has(kLeft) ? length(ctx, kLeft) : 0;
    const uint64_t right = ctx.has(kRight) ? length(ctx, kRight) : 0;
    padding = padding_of(ctx.word(kPad), byte_width(ctx.type(kDestination).elem), left, right, bursts.bytes,
                         bursts.to_stride);
  }
  copy_loops(ctx, place_of(ctx, kSource, Space::gm), place_of(ctx, kDestination, Space::ub), bursts,
             loops_at(ctx, kLoops), padding);
}
Bursts linear_bursts(const Context& ctx) { return {length(ctx, 3), length(ctx, 2), ctx.i64(4), ctx.i64(5)}; }
void mte_ub_gm(Context& ctx) {
  copy_loops(ctx, place_of(ctx, 0, Space::ub), gm_target(ctx, 1), linear_bursts(ctx), loops_at(ctx, 6));
}
void mte_gm_l1(Context& ctx) {
  copy_loops(ctx, place_of(ctx, 0, Space::gm), place_of(ctx, 1, Space::l1), linear_bursts(ctx),
             loops_at(ctx, 6));
}

// ---- 32-byte block forms: length and gaps in blocks, a gap being the distance from a burst's end to the
// next start
Bursts block_bursts(uint64_t count, uint64_t blocks, int64_t from_gap, int64_t to_gap) {
  const auto len = static_cast<int64_t>(blocks);
  const auto block = static_cast<int64_t>(kBlock);
  return {count, sat_mul(blocks, kBlock), sat_mul(sat_add(len, from_gap), block),
          sat_mul(sat_add(len, to_gap), block)};
}
/// The loops of mte_l1_ub step in bytes; its bursts are those of copy_cbuf_to_ubuf, to which it is defined.
void mte_l1_ub(Context& ctx) {
  const Bursts bursts = block_bursts(length(ctx, 3), length(ctx, 2), ctx.i64(4), ctx.i64(5));
  copy_loops(ctx, place_of(ctx, 0, Space::l1), place_of(ctx, 1, Space::ub, 1), bursts, loops_at(ctx, 6));
}
void mte_ub_ub(Context& ctx) {
  copy_loops(ctx, place_of(ctx, 0, Space::ub), place_of(ctx, 1, Space::ub),
             block_bursts(length(ctx, 2), length(ctx, 3), ctx.i64(4), ctx.i64(5)));
}
void mte_ub_l1(Context& ctx) {
  copy_loops(ctx, place_of(ctx, 0, Space::ub), place_of(ctx, 1, Space::l1, 0),
             block_bursts(length(ctx, 2), length(ctx, 3), ctx.i64(4), ctx.i64(5)));
}
/// sid 0 or 1: the UB of which vector core.
void copy_cbuf_to_ubuf(Context& ctx) {
  const int core = ctx.i64(2) == 0 ? 1 : 2;
  copy_loops(ctx, place_of(ctx, 0, Space::l1), place_of(ctx, 1, Space::ub, core),
             block_bursts(length(ctx, 3), length(ctx, 4), ctx.i64(5), ctx.i64(6)));
}
void copy_ubuf_to_cbuf(Context& ctx) {
  copy_loops(ctx, place_of(ctx, 0, Space::ub), place_of(ctx, 1, Space::l1, 0),
             block_bursts(length(ctx, 3), length(ctx, 4), ctx.i64(5), ctx.i64(6)));
}
void copy_ubuf_to_ubuf(Context& ctx) {
  copy_loops(ctx, place_of(ctx, 0, Space::ub), place_of(ctx, 1, Space::ub),
             block_bursts(length(ctx, 3), length(ctx, 4), ctx.i64(5), ctx.i64(6)));
}

// ---- raw forms under the loop registers
constexpr uint64_t kLow40 = (uint64_t{1} << 40) - 1;
constexpr uint64_t kLow21 = (uint64_t{1} << 21) - 1;

/// Two hardware loops around the bursts: size = loop1 [20:0], loop2 [41:21]; a stride register = source
/// [39:0], destination above. `strides` is the first one's register.
std::vector<Loop> register_loops(const Context& ctx, uint64_t size, uint64_t loop1, uint64_t loop2,
                                 LeftOver strides) {
  const auto level = [](uint64_t count, uint64_t step) {
    return Loop{static_cast<int64_t>(count & kLow21), static_cast<int64_t>(step & kLow40),
                static_cast<int64_t>(step >> 40)};
  };
  std::vector<Loop> loops{level(size, loop1), level(size >> 21, loop2)};
  for (unsigned i = 0; i < loops.size(); ++i) {
    if (loops[i].count > 1)
      needs_written(ctx, static_cast<LeftOver>(static_cast<unsigned>(strides) + i),
                    fmt::format("the steps of loop {}", i + 1));
  }
  return loops;
}
void copy_gm_to_ubuf(Context& ctx) {
  const ControlState& c = *ctx.control;
  const Bursts bursts{length(ctx, 3), length(ctx, 4), ctx.i64(9), ctx.i64(10)};
  Padding padding;
  if (ctx.word(7) != 0) {  // data_select: pad with the register's element
    needs_written(ctx, LeftOver::mov_pad_val, "the padding value");
    padding = padding_of(c.mov_pad_val, byte_width(ctx.type(1).elem), length(ctx, 5), length(ctx, 6),
                         bursts.bytes, bursts.to_stride);
  }
  copy_loops(ctx, place_of(ctx, 0, Space::gm), place_of(ctx, 1, Space::ub), bursts,
             register_loops(ctx, c.loop_size_out_ub, c.loop1_stride_out_ub, c.loop2_stride_out_ub,
                            LeftOver::loop1_stride_out_ub),
             padding);
}
void copy_ubuf_to_gm(Context& ctx) {
  const ControlState& c = *ctx.control;
  const Bursts bursts{length(ctx, 3), length(ctx, 4), ctx.i64(7), ctx.i64(6)};
  copy_loops(ctx, place_of(ctx, 0, Space::ub), gm_target(ctx, 1), bursts,
             register_loops(ctx, c.loop_size_ub_out, c.loop1_stride_ub_out, c.loop2_stride_ub_out,
                            LeftOver::loop1_stride_ub_out));
}
/// Bytes and start-to-start strides, as mte_gm_l1 is defined by this form.
void copy_gm_to_cbuf(Context& ctx) {
  const ControlState& c = *ctx.control;
  const Bursts bursts{length(ctx, 2), length(ctx, 3), ctx.i64(4), ctx.i64(5)};
  copy_loops(ctx, place_of(ctx, 0, Space::gm), place_of(ctx, 1, Space::l1), bursts,
             register_loops(ctx, c.loop_size_out_l1, c.loop1_stride_out_l1, c.loop2_stride_out_l1,
                            LeftOver::loop1_stride_out_l1));
}

/// `repeat` stretches of `blocks` 32-byte blocks, `gap` blocks apart, of one 16- or 32-bit word.
void fill_l1(Context& ctx, uint64_t address, unsigned first) {
  constexpr uint64_t kBlock = 32;
  const auto word = static_cast<uint32_t>(ctx.word(first));
  const uint64_t repeat = ctx.word(first + 1);
  const uint64_t blocks = ctx.word(first + 2);
  const uint64_t gap = ctx.word(first + 3);
  for (unsigned slot = first + 1; slot < first + 4; ++slot)
    if (!in_field(ctx, "a count or gap of a fill", ctx.i64(slot), 15)) return;
  if (repeat == 0 || blocks == 0) return;
  const auto pitch = static_cast<int64_t>((blocks + gap) * kBlock);
  std::byte* to =
      ctx.memory->access_rows(Space::l1, address, repeat, blocks * kBlock, pitch, AccessMode::write);
  if (to == nullptr) return;
  const uint32_t pattern = ctx.attr(0) == 16 ? (word & 0xffff) * 0x10001u : word;
  for (uint64_t r = 0; r < repeat; ++r)
    for (uint64_t at = 0; at < blocks * kBlock; at += sizeof pattern)
      std::memcpy(to + static_cast<int64_t>(r) * pitch + at, &pattern, sizeof pattern);
}
void raw_fill_l1(Context& ctx) { fill_l1(ctx, moved(address_of(ctx, 0), ctx.i64(1)), 2); }
void create_cbuf_matrix(Context& ctx) { fill_l1(ctx, address_of(ctx, 0), 1); }

constexpr Semantics kDmaSemantics[] = {
    {"pto.mte_gm_ub", mte_gm_ub},
    {"pto.mte_ub_gm", mte_ub_gm},
    {"pto.mte_gm_l1", mte_gm_l1},
    {"pto.mte_l1_ub", mte_l1_ub},
    {"pto.mte_ub_ub", mte_ub_ub},
    {"pto.mte_ub_l1", mte_ub_l1},
    {"pto.copy_gm_to_ubuf", copy_gm_to_ubuf},
    {"pto.copy_ubuf_to_gm", copy_ubuf_to_gm},
    {"pto.copy_gm_to_cbuf", copy_gm_to_cbuf},
    {"pto.copy_cbuf_to_ubuf", copy_cbuf_to_ubuf},
    {"pto.copy_ubuf_to_cbuf", copy_ubuf_to_cbuf},
    {"pto.copy_ubuf_to_ubuf", copy_ubuf_to_ubuf},
    {"pto.raw_fill_l1", raw_fill_l1},
    {"pto.create_cbuf_matrix", create_cbuf_matrix},
};

}  // namespace

std::span<const Semantics> dma() { return kDmaSemantics; }

}  // namespace pto::exec
