// Moves that make or carry cube fractals: GM -> L1 (ND or DN to NZ), L1 -> L0A/L0B, MX scales, bias table,
// fixpipe buffer. Facts: PTO micro ISA page 16 and the public lowering of its wrapper instructions; see
// docs/reference/numerics.md.

#include <cstring>
#include <vector>

#include "exec/cube/cube_layout.hpp"
#include "exec/dma/burst.hpp"
#include "exec/vector/memory.hpp"
#include "support/saturating.hpp"

namespace pto::exec {
namespace {

using namespace cube_layout;
using dma_detail::Bursts;
using dma_detail::Place;
using vec::address_of;

constexpr auto kFractalPitch = static_cast<int64_t>(kFractal);

// ---- GM -> L1 with conversion to NZ
struct FractalLoad {
  uint64_t source, target;
  uint64_t n, d;                       ///< logical rows and columns of the NZ matrix
  int64_t inner_stride, outer_stride;  ///< source bytes: between rows (dn2nz: columns), between matrices
  uint64_t groups;
  int64_t row_stride, block_stride, group_stride;  ///< destination bytes: loop2, loop3, loop4
  bool transposed;                                 ///< dn2nz
  unsigned width;
};

/// One C0 block of one matrix: n rows of up to 32 bytes; lanes beyond d are zero.
bool load_block(const Context& ctx, const FractalLoad& load, uint64_t group, uint64_t block) {
  const uint64_t c0 = kRowBytes / load.width;
  const uint64_t first = block * c0;
  const uint64_t valid = std::min(c0, load.d - first);
  const auto groups = static_cast<int64_t>(group);
  const uint64_t base = moved(load.source, groups, load.outer_stride);
  const uint64_t to =
      moved(moved(load.target, static_cast<int64_t>(block), load.block_stride), groups, load.group_stride);
  const std::byte* source = nullptr;
  if (load.transposed) {
    const uint64_t start = moved(base, static_cast<int64_t>(first), load.inner_stride);
    source = ctx.memory->access_rows(Space::gm, start, valid, load.n * load.width, load.inner_stride,
                                     AccessMode::read);
  } else {
    source = ctx.memory->access_rows(Space::gm, moved(base, static_cast<int64_t>(first), load.width), load.n,
                                     valid * load.width, load.inner_stride, AccessMode::read);
  }
  if (source == nullptr) return false;
  ctx.aligned(Space::l1, to, kRowBytes);
  std::byte* target =
      ctx.memory->access_rows(Space::l1, to, load.n, kRowBytes, load.row_stride, AccessMode::write);
  if (target == nullptr) return false;
  for (uint64_t row = 0; row < load.n; ++row) {
    std::byte* out = target + static_cast<int64_t>(row) * load.row_stride;
    if (load.transposed) {
      for (uint64_t c = 0; c < valid; ++c)
        std::memcpy(out + c * load.width,
                    source + static_cast<int64_t>(c) * load.inner_stride + row * load.width, load.width);
    } else {
      std::memcpy(out, source + static_cast<int64_t>(row) * load.inner_stride, valid * load.width);
    }
    std::memset(out + valid * load.width, 0, kRowBytes - valid * load.width);
  }
  return true;
}
void load_fractals(const Context& ctx, const FractalLoad& load, bool small_c0) {
  if (small_c0)
    return ctx.fault(Fault::unsupported, "small-C0 packing of GM to L1 fractal loads is not supported");
  if (!dma_detail::in_field(ctx, "n", static_cast<int64_t>(load.n), 16) ||
      !dma_detail::in_field(ctx, "d", static_cast<int64_t>(load.d), 21) ||
      !dma_detail::in_field(ctx, "group count", static_cast<int64_t>(load.groups), 16))
    return;
  if (load.n == 0 || load.d == 0) return;
  for (uint64_t group = 0; group < load.groups; ++group) {
    for (uint64_t block = 0; block < ceil_div(load.d * load.width, kRowBytes); ++block) {
      if (!load_block(ctx, load, group, block)) return;
    }
  }
}

void mte_gm_l1_frac(Context& ctx) {
  const auto units = [&](unsigned slot) { return sat_mul(ctx.i64(slot), static_cast<int64_t>(kRowBytes)); };
  FractalLoad load{address_of(ctx, 0),
                   address_of(ctx, 1),
                   ctx.size(2),
                   ctx.size(3),
                   ctx.i64(4),
                   ctx.has(11) ? ctx.i64(11) : 0,
                   ctx.size(5),
                   units(6),
                   units(7),
                   units(8),
                   vec::token(ctx, 0) == "dn2nz",
                   byte_width(ctx.type(0).elem)};
  load_fractals(ctx, load, (ctx.word(10) & 1) != 0);
}
/// Group count and destination strides come from the register set_mte2_nz_para wrote: four 16-bit fields.
template <bool kTransposed>
void copy_gm_to_cbuf_multi(Context& ctx) {
  dma_detail::needs_written(ctx, LeftOver::mte2_nz_para, "where it puts the groups");
  const uint64_t para = ctx.control->mte2_nz_para;
  const auto units = [&](int shift) { return static_cast<int64_t>(((para >> shift) & 0xffff) * kRowBytes); };
  FractalLoad load{ctx.word(0), ctx.word(1), ctx.size(5),   ctx.size(6),
                   ctx.i64(3),  ctx.i64(7),  para & 0xffff, units(16),
                   units(32),   units(48),   kTransposed,   byte_width(ctx.type(0).elem)};
  load_fractals(ctx, load, (ctx.word(8) & 1) != 0);
}

// ---- L1 -> L0A / L0B
/// A region of an NZ matrix in L1: `rows` rows of `blocks` 32-byte column blocks; strides between column
/// blocks in fractals.
struct OperandLoad {
  Place from, to;
  uint64_t rows, blocks;
  uint64_t from_stride, to_stride;
  Elem elem;
};

void load_plain(const Context& ctx, const OperandLoad& load) {
  dma_detail::copy_bursts(
      ctx, load.from, load.to,
      {load.blocks, load.rows * kRowBytes, static_cast<int64_t>(load.from_stride) * kFractalPitch,
       static_cast<int64_t>(load.to_stride) * kFractalPitch});
}
/// Column `c` of a column block of packed values, from row `first` on, becomes one row of 32 bytes.
void transpose_nibbles(const std::byte* block, uint64_t c, uint64_t first, uint64_t rows, std::byte* to) {
  const uint64_t c0 = 2 * kRowBytes;
  std::memset(to, 0, kRowBytes);
  for (uint64_t i = 0; i < std::min(c0, rows - first); ++i) {
    const std::byte pair = block[(first + i) * kRowBytes + c / 2];
    const std::byte value = c % 2 == 0 ? pair & std::byte{0xf} : pair >> 4;
    to[i / 2] |= i % 2 == 0 ? value : value << 4;
  }
}
/// Element (r, c) of the region goes to row c, column r of the operand; lanes beyond the last row are zero.
void load_transposed(const Context& ctx, const OperandLoad& load) {
  const bool packed = value_bits(load.elem) == 4;
  const uint64_t width = byte_width(load.elem);
  const uint64_t c0 = values_per_row(load.elem);
  const uint64_t columns = load.blocks * c0;
  const uint64_t out_blocks = ceil_div(load.rows, c0);
  if (load.rows == 0 || columns == 0) return;
  const auto from_pitch = static_cast<int64_t>(load.from_stride) * kFractalPitch;
  const auto to_pitch = static_cast<int64_t>(load.to_stride) * kFractalPitch;
  const std::byte* source =
      dma_detail::rows_at(ctx, load.from, load.blocks, load.rows * kRowBytes, from_pitch, AccessMode::read);
  std::byte* target =
      dma_detail::rows_at(ctx, load.to, out_blocks, columns * kRowBytes, to_pitch, AccessMode::write);
  if (source == nullptr || target == nullptr) return;
  for (uint64_t block = 0; block < out_blocks;
       ++block) {  // in K order: a later block wins where strides make them overlap
    std::byte* out = target + static_cast<int64_t>(block) * to_pitch;
    for (uint64_t c = 0; c < columns; ++c) {
      const std::byte* from = source + static_cast<int64_t>(c / c0) * from_pitch;
      if (packed) {
        transpose_nibbles(from, c % c0, block * c0, load.rows, out + c * kRowBytes);
        continue;
      }
      const std::byte* column = from + c % c0 * width;
      for (uint64_t i = 0; i < c0; ++i) {
        const uint64_t r = block * c0 + i;
        std::byte* to = out + c * kRowBytes + i * width;
        if (r < load.rows)
          std::memcpy(to, column + r * kRowBytes, width);
        else
          std::memset(to, 0, width);
      }
    }
  }
}

/// mte_l1_l0a and mte_l1_l0b: `outer` is M or N. Plain: L1 holds outer x K. Transposed: L1 holds K x outer,
/// and the extents count in whole square blocks of 16 (32 for bytes), which sets the stride of the column
/// blocks.
void load_operand(Context& ctx, Space to, uint64_t outer, uint64_t k) {
  for (unsigned slot = 2; slot < 6; ++slot) {
    if (!dma_detail::in_field(ctx, "extent or start", ctx.i64(slot), 16)) return;
  }
  const Elem elem = ctx.type(0).elem;
  const bool transpose = ctx.attr(0) != 0;
  const uint64_t c0 = values_per_row(elem);
  const uint64_t square = std::max(kRows, c0);
  const auto squares = [&](uint64_t n) { return ceil_div(n, square) * square / kRows; };
  const uint64_t from_stride = transpose ? squares(k) : ceil_div(outer, kRows);
  const uint64_t to_stride = transpose ? squares(outer) : ceil_div(outer, kRows);
  const uint64_t start = (ctx.size(5) * from_stride + ctx.size(4)) * kFractal;
  OperandLoad load{{Space::l1, moved(address_of(ctx, 0), static_cast<int64_t>(start))},
                   {to, address_of(ctx, 1)},
                   outer,
                   ceil_div(k, c0),
                   from_stride,
                   to_stride,
                   elem};
  if (!transpose) {
    load_plain(ctx, load);
    // Whole fractals move, so a single row that is contiguous in L1, as GEMV takes it, stays so.
    const uint64_t row_bytes = ceil_div(k * value_bits(elem), 8);
    if (to == Space::l0a && outer == 1 && row_bytes > kRowBytes)
      dma_detail::copy_bursts(ctx, load.from, load.to, {1, row_bytes, 0, 0});
    return;
  }
  load.rows = k;
  load.blocks = ceil_div(squares(outer) * kRows, c0);
  load_transposed(ctx, load);
}
/// Raw form: whole fractals, m_step x k_step of them from (m_start, k_start); `block` is k_start in fractals.
void load_fractals(Context& ctx, Space to, bool transpose, uint64_t block) {
  for (unsigned slot = 2; slot < 8; ++slot) {
    if (!dma_detail::in_field(ctx, "fractal count or stride", ctx.i64(slot), 16)) return;
  }
  const uint64_t start = (block * ctx.size(6) + ctx.size(2)) * kFractal;
  const OperandLoad load{{Space::l1, moved(address_of(ctx, 0), static_cast<int64_t>(start))},
                         {to, address_of(ctx, 1)},
                         ctx.size(4) * kRows,
                         ctx.size(5),
                         ctx.size(6),
                         ctx.size(7),
                         ctx.type(0).elem};
  if (transpose)
    load_transposed(ctx, load);
  else
    load_plain(ctx, load);
}
template <Space kTo>
void load_cbuf_attr(Context& ctx) {
  load_fractals(ctx, kTo, ctx.attr(0) != 0, ctx.size(3));
}
template <Space kTo>
void load_cbuf_s4(Context& ctx) {
  load_fractals(ctx, kTo, ctx.word(8) != 0, ctx.size(3));
}
/// The form with starts, steps and strides; k_start of packed 4-bit values counts bytes.
void load_placed(Context& ctx, Space to) {
  const uint64_t k_start = ctx.size(3);
  const bool packed = value_bits(ctx.type(0).elem) == 4;
  if (packed && k_start % kRowBytes != 0)
    return ctx.fault(Fault::bad_operand, "k_start of 4-bit values is a multiple of 32 bytes");
  for (unsigned slot = 4; slot < 8; ++slot) {
    if (ctx.i64(slot) <= 0)
      return ctx.fault(Fault::bad_operand, "steps and strides of fractals are at least 1");
  }
  load_fractals(ctx, to, ctx.attr(0) != 0, packed ? k_start / kRowBytes : k_start);
}
bool is_placed(const Context& ctx) { return ctx.inst->schema->operand_slot("src_stride") >= 0; }
void mte_l1_l0a(Context& ctx) {
  if (is_placed(ctx)) return load_placed(ctx, Space::l0a);
  load_operand(ctx, Space::l0a, ctx.size(2), ctx.size(3));
}
void mte_l1_l0b(Context& ctx) {
  if (is_placed(ctx)) return load_placed(ctx, Space::l0b);
  load_operand(ctx, Space::l0b, ctx.size(3), ctx.size(2));
}

// ---- MX scales
/// `x` counts slices of 16 rows, `y` fragments of a slice; strides are in fragments, from slice to slice.
struct ScaleGrid {
  uint64_t x_start, y_start, x_step, y_step, src_stride, dst_stride;
};
void load_scales(Context& ctx, Space to, const ScaleGrid& grid) {
  if (grid.x_step == 0 || grid.y_step == 0) return;
  const auto bytes = [](uint64_t fragments) { return static_cast<int64_t>(fragments * kMxFragment); };
  const uint64_t start = grid.x_start * grid.src_stride + grid.y_start;
  dma_detail::copy_bursts(
      ctx, {Space::l1, moved(address_of(ctx, 0), bytes(start))},
      {to, mx_address(address_of(ctx, 1), ctx.type(1).elem)},
      {grid.x_step, grid.y_step * kMxFragment, bytes(grid.src_stride), bytes(grid.dst_stride)});
}
void load_scales_of(Context& ctx, Space to, std::string_view outer) {
  const auto slot_of = [&](std::string_view name) { return ctx.inst->schema->operand_slot(name); };
  const auto at = [&](std::string_view name) {
    const int slot = slot_of(name);
    return slot < 0 ? 0 : ctx.size(static_cast<unsigned>(slot));
  };
  for (unsigned slot = 2; slot < ctx.inst->schema->operands.size(); ++slot) {
    if (!dma_detail::in_field(ctx, "extent, start or stride", ctx.i64(slot), 16)) return;
  }
  if (is_placed(ctx))
    return load_scales(
        ctx, to, {ctx.size(2), ctx.size(3), at("x_step"), at("y_step"), at("src_stride"), at("dst_stride")});
  const uint64_t fragments = mx_fragments(at("k"));
  load_scales(
      ctx, to,
      {at("start_row"), at("start_col"), ceil_div(at(outer), kRows), fragments, fragments, fragments});
}
void mte_l1_l0a_mx(Context& ctx) { load_scales_of(ctx, Space::l0a_mx, "m"); }
void mte_l1_l0b_mx(Context& ctx) { load_scales_of(ctx, Space::l0b_mx, "n"); }

// ---- bias table and fixpipe buffer
/// Burst length and gaps in units of the source (32 bytes; a2a3 64); widened bursts are twice as long in the
/// table.
void load_bias(Context& ctx, uint64_t count, uint64_t length, int64_t from_gap, int64_t to_gap,
               Elem widen_from) {
  if (!dma_detail::in_field(ctx, "burst count", static_cast<int64_t>(count), 12) ||
      !dma_detail::in_field(ctx, "burst length", static_cast<int64_t>(length), 16))
    return;
  const uint64_t unit = ctx.machine->target == Target::a2a3 ? 64 : 32;
  const uint64_t bytes = length * unit;
  const auto stride = [&](int64_t gap, uint64_t factor) {
    return sat_mul(sat_add(static_cast<int64_t>(length), gap), static_cast<int64_t>(unit * factor));
  };
  const Place from{Space::l1, address_of(ctx, 0)}, to{Space::bt, address_of(ctx, 1)};
  if (widen_from == Elem::none) {
    dma_detail::copy_bursts(ctx, from, to, {count, bytes, stride(from_gap, 1), stride(to_gap, 1)});
    return;
  }
  if (count == 0 || bytes == 0) return;
  const std::byte* source =
      dma_detail::rows_at(ctx, from, count, bytes, stride(from_gap, 1), AccessMode::read);
  std::byte* target = dma_detail::rows_at(ctx, to, count, 2 * bytes, stride(to_gap, 2), AccessMode::write);
  if (source == nullptr || target == nullptr) return;
  for (uint64_t r = 0; r < count; ++r) {
    for (uint64_t i = 0; i < bytes / 2; ++i) {
      uint16_t bits = 0;
      std::memcpy(&bits, source + static_cast<int64_t>(r) * stride(from_gap, 1) + 2 * i, 2);
      const float value = widen_from == Elem::f16 ? num::f16_to_f32(bits) : num::bf16_to_f32(bits);
      std::memcpy(target + static_cast<int64_t>(r) * stride(to_gap, 2) + 4 * i, &value, 4);
    }
  }
}
void mte_l1_bt(Context& ctx) {
  const Elem from = ctx.type(0).elem;
  const Elem to = ctx.type(1).elem;
  const bool widen = byte_width(from) == 2 && to == Elem::f32;
  load_bias(ctx, ctx.size(3), ctx.size(2), ctx.i64(4), ctx.i64(5), widen ? from : Elem::none);
}
void copy_cbuf_to_bt(Context& ctx) {
  load_bias(ctx, ctx.size(3), ctx.size(4), ctx.i64(5), ctx.i64(6), ctx.word(2) != 0 ? Elem::f16 : Elem::none);
}
/// Burst length and gaps in units of 64 bytes (a2a3 128).
void load_parameters(Context& ctx, unsigned count_slot, unsigned length_slot) {
  const uint64_t unit = ctx.machine->target == Target::a2a3 ? 128 : 64;
  const auto length = static_cast<int64_t>(ctx.size(length_slot));
  const auto stride = [&](unsigned slot) {
    return sat_mul(sat_add(length, ctx.i64(slot)), static_cast<int64_t>(unit));
  };
  dma_detail::copy_bursts(ctx, {Space::l1, address_of(ctx, 0)},
                          {Space::fb, fb_address(address_of(ctx, 1), *ctx.machine)},
                          {ctx.size(count_slot), sat_mul(ctx.size(length_slot), unit), stride(4), stride(5)});
}
void mte_l1_fb(Context& ctx) { load_parameters(ctx, 3, 2); }
void copy_cbuf_to_fbuf(Context& ctx) { load_parameters(ctx, 2, 3); }

constexpr Semantics kDmaFractalSemantics[] = {
    {"pto.mte_gm_l1_frac", mte_gm_l1_frac},
    {"pto.copy_gm_to_cbuf_multi_nd2nz", copy_gm_to_cbuf_multi<false>},
    {"pto.copy_gm_to_cbuf_multi_dn2nz", copy_gm_to_cbuf_multi<true>},
    {"pto.mte_l1_l0a", mte_l1_l0a},
    {"pto.mte_l1_l0b", mte_l1_l0b},
    {"pto.load_cbuf_to_ca", load_cbuf_attr<Space::l0a>},
    {"pto.load_cbuf_to_cb", load_cbuf_attr<Space::l0b>},
    {"pto.load_cbuf_to_ca_s4", load_cbuf_s4<Space::l0a>},
    {"pto.load_cbuf_to_cb_s4", load_cbuf_s4<Space::l0b>},
    {"pto.mte_l1_l0a_mx", mte_l1_l0a_mx},
    {"pto.mte_l1_l0b_mx", mte_l1_l0b_mx},
    {"pto.load_cbuf_to_ca_mx", mte_l1_l0a_mx},
    {"pto.mte_l1_bt", mte_l1_bt},
    {"pto.copy_cbuf_to_bt", copy_cbuf_to_bt},
    {"pto.mte_l1_fb", mte_l1_fb},
    {"pto.copy_cbuf_to_fbuf", copy_cbuf_to_fbuf},
};

}  // namespace

std::span<const Semantics> fractal_moves() { return kDmaFractalSemantics; }

}  // namespace pto::exec
