// Tile instructions that are neither elementwise nor a reduction: padding, transposition, concatenation,
// sequences, masks, quantisation, histograms, random words, single elements.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "exec/address_math.hpp"
#include "exec/integer_ops.hpp"
#include "exec/tile/map.hpp"
#include "exec/tile/pad.hpp"

namespace pto::exec {
namespace {

// ---- pto.tfillpad and its forms: dst = src inside src's valid region, the pad value in the rest of dst's
// storage

/// The pad value of a fill. The A5 templates take the largest finite number where A2/A3 take infinity.
uint64_t fill_bits(const Context& context, const Type& type) {
  if (on_a5(context) && type.pad > 1 && is_float(type.elem)) {
    return num::from_f64(type.elem, type.pad == 2 ? HUGE_VAL : -HUGE_VAL, num::Round::rint,
                         num::Overflow::saturate);
  }
  return pad_bits(type.elem, type.pad);
}

void tfillpad(Context& context) {
  const Type& type = context.type(1);
  if (type.pad == 0) return context.fault(Fault::bad_operand, "the destination tile has no pad value");
  const Tile dst = Tile::whole(context, 1, AccessMode::write);
  if (!dst.good() || dst.empty()) return;
  const TileDesc& desc = context.tile(0);
  const uint64_t rows = std::min<uint64_t>(desc.valid_rows, dst.rows());
  const uint64_t cols = std::min<uint64_t>(desc.valid_cols, dst.cols());
  const Tile src(context, 0, AccessMode::read, rows, cols);
  if (!src.good()) return;
  const uint64_t pad = fill_bits(context, type);
  with_bits(dst.size(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> line(dst.cols()), scratch(dst.cols());
    for (uint64_t row = 0; row < dst.rows(); ++row) {
      std::fill(line.begin(), line.end(), static_cast<T>(pad));
      if (row < rows && cols > 0) {
        const T* from = src.read(row, 0, cols, scratch.data());
        std::copy(from, from + cols, line.begin());
      }
      if (dst.direct())
        std::memcpy(dst.at(row, 0), line.data(), line.size() * sizeof(T));
      else
        dst.written(row, 0, dst.cols(), line.data());
    }
  });
}

/// dst[c, r] = src[r, c]. The source is read completely first: the two may share memory.
void ttrans(Context& context) {
  const Tile src(context, 0, AccessMode::read);
  if (!src.good() || src.empty() || !covers(context, 2, src.cols(), src.rows())) return;
  const Tile dst(context, 2, AccessMode::write, src.cols(), src.rows());
  if (!dst.good()) return;
  std::vector<uint64_t> values(src.rows() * src.cols());
  for (uint64_t row = 0; row < src.rows(); ++row) {
    for (uint64_t col = 0; col < src.cols(); ++col) values[col * src.rows() + row] = src.bits(row, col);
  }
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < dst.cols(); ++col) dst.put_bits(row, col, values[row * dst.cols() + col]);
  }
}

// ---- concatenation of columns

void append(const Tile& dst, uint64_t row, uint64_t at, const Tile& src, uint64_t count) {
  const uint64_t n = std::min({count, src.cols(), dst.cols() > at ? dst.cols() - at : 0});
  for (uint64_t col = 0; col < n; ++col) dst.put_bits(row, at + col, src.bits(row, col));
}

/// Sources restricted to the destination's rows.
bool concat_sources(Context& context, const Tile& dst, Tile& a, Tile& b) {
  if (!covers(context, 0, dst.rows(), 0) || !covers(context, 1, dst.rows(), 0)) return false;
  a = Tile(context, 0, AccessMode::read, dst.rows(), context.tile(0).valid_cols);
  b = Tile(context, 1, AccessMode::read, dst.rows(), context.tile(1).valid_cols);
  return a.good() && b.good();
}

void tconcat(Context& context) {
  const Tile dst(context, 2, AccessMode::write);
  Tile a, b;
  if (!dst.good() || dst.empty() || !concat_sources(context, dst, a, b)) return;
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    append(dst, row, 0, a, a.cols());
    append(dst, row, a.cols(), b, b.cols());
  }
}

/// The counts are bytes, in column 0 of the index tiles (docs/reference/numerics.md says how they become
/// columns).
void tconcatidx(Context& context) {
  const TileDesc& desc = context.tile(4);
  const uint64_t rows = desc.valid_rows;
  if (rows == 0 || desc.valid_cols == 0 || !covers(context, 2, rows, 1) || !covers(context, 3, rows, 1))
    return;
  const Tile a_bytes(context, 2, AccessMode::read, rows, 1), b_bytes(context, 3, AccessMode::read, rows, 1);
  if (!a_bytes.good() || !b_bytes.good()) return;
  const bool counted = context.inst->schema->operand_slot("dstIdx") >= 0;
  const Tile bytes = counted ? Tile(context, 5, AccessMode::write, rows, 1) : Tile();
  if (counted && (!covers(context, 5, rows, 1) || !bytes.good())) return;
  const uint64_t unit = a_bytes.size();
  for (uint64_t row = 0; row < rows; ++row) {
    if (counted)
      bytes.put_bits(row, 0,
                     unit * std::min<uint64_t>(a_bytes.bits(row, 0) / unit + b_bytes.bits(row, 0) / unit,
                                               desc.valid_cols));
    uint64_t at = 0;
    for (unsigned slot = 0; slot < 2; ++slot) {
      const uint64_t wanted = (slot == 0 ? a_bytes : b_bytes).bits(row, 0) / unit;
      const uint64_t count = std::min({wanted, uint64_t{context.tile(slot).valid_cols},
                                       desc.valid_cols - std::min<uint64_t>(at, desc.valid_cols)});
      const Tile from = Tile::window(context, slot, AccessMode::read, row, 0, 1, count);
      const Tile to = Tile::window(context, 4, AccessMode::write, row, at, 1, count);
      if (!from.good() || !to.good()) return;
      append(to, 0, 0, from, count);
      at += wanted;
    }
  }
}

// ---- sequences and masks

/// dst[0, j] = start + j, or start - j; wraps.
void tci(Context& context) {
  const Tile dst(context, 1, AccessMode::write);
  if (!dst.good() || dst.empty()) return;
  const Elem elem = dst.elem();
  const int64_t start = num::int_value(context.type(0).elem, context.word(0));
  const bool descending = context.attr(0) != 0;
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < dst.cols(); ++col) {
      const auto step = static_cast<int64_t>(col);
      const int64_t value = static_cast<int64_t>(static_cast<uint64_t>(start) +
                                                 static_cast<uint64_t>(descending ? -step : step));
      dst.put_bits(
          row, col,
          is_float(elem) ? num::from_f64(elem, static_cast<double>(value)) : static_cast<uint64_t>(value));
    }
  }
}

/// Ones on and below (or above) a diagonal.
void ttri(Context& context) {
  const Tile dst(context, 1, AccessMode::write);
  if (!dst.good() || dst.empty()) return;
  const int64_t diagonal = num::int_value(context.type(0).elem, context.word(0));
  const bool upper = context.attr(0) != 0;
  const uint64_t one = is_float(dst.elem()) ? num::from_f64(dst.elem(), 1.0) : 1;
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < dst.cols(); ++col) {
      const int64_t edge = static_cast<int64_t>(row) + diagonal;
      const int64_t at = static_cast<int64_t>(col);
      dst.put_bits(row, col, (upper ? at >= edge : at <= edge) ? one : 0);
    }
  }
}

// ---- single elements: a linear element offset from the tile's start

std::byte* element(Context& context, unsigned slot, uint64_t offset, AccessMode how) {
  const Type& type = context.type(slot);
  const TileDesc& desc = context.tile(slot);
  const uint32_t size = byte_width(type.elem);
  const uint64_t elements = uint64_t{desc.storage_rows} * desc.storage_cols;
  if (offset >= elements) {
    context.fault(Fault::out_of_bounds, fmt::format("element offset {} of a tile with {} elements",
                                                    static_cast<int64_t>(offset), elements));
    return nullptr;
  }
  return context.memory->access(type.space, within(desc.addr, static_cast<int64_t>(offset), size), size, how);
}

void tgetval(Context& context) {
  const std::byte* from = element(context, 0, context.word(1), AccessMode::read);
  if (from == nullptr) return;
  const Elem elem = context.type(0).elem;
  uint64_t bits = 0;
  std::memcpy(&bits, from, byte_width(elem));
  context.set(is_integer(elem) ? int_word(elem, bits) : bits);
}

void tsetval(Context& context) {
  std::byte* to = element(context, 0, context.word(1), AccessMode::write);
  if (to == nullptr) return;
  const Elem elem = context.type(0).elem;
  const uint64_t bits = scalar_bits(context, 2, elem);
  std::memcpy(to, &bits, byte_width(elem));
}

// ---- quantisation

/// A per-row parameter; the last valid row represents those after it.
float parameter(const Tile& tile, uint64_t row) {
  return static_cast<float>(num::to_f64(tile.elem(), tile.bits(std::min(row, tile.rows() - 1), 0)));
}

Tile parameters(Context& context, unsigned slot) {
  return Tile(context, slot, AccessMode::read, context.tile(slot).valid_rows,
              std::min(1u, context.tile(slot).valid_cols));
}

/// pto.quant_type INT8_SYM: clamp(rint(x * scale)); INT8_ASYM: clamp(rint(x * scale + offset)) to 0..255.
void tquant(Context& context) {
  const bool symmetric = context.attr(0) == 0;
  const Tile src(context, 0, AccessMode::read);
  if (!src.good() || src.empty() || !covers(context, 3, src.rows(), src.cols())) return;
  if (src.elem() != Elem::f32) return refuse_type(context, src.elem());
  if (!symmetric && !context.has(2))
    return context.fault(Fault::bad_operand, "INT8_ASYM needs an offset tile");
  // A2/A3 work in the scratch tile, and what is there afterwards is nobody's.
  if (context.inst->schema->operands.size() > 4 && !on_a5(context) &&
      !Tile(context, 4, AccessMode::write, src.rows(), src.cols()).good())
    return;
  const Tile dst(context, 3, AccessMode::write, src.rows(), src.cols()), scale = parameters(context, 1);
  const Tile offset = symmetric ? Tile() : parameters(context, 2);
  if (!dst.good() || !scale.good() || scale.empty() || (!symmetric && (!offset.good() || offset.empty())))
    return;
  for (uint64_t row = 0; row < src.rows(); ++row) {
    const float factor = parameter(scale, row);
    const float zero = symmetric ? 0.0f : parameter(offset, row);
    for (uint64_t col = 0; col < src.cols(); ++col) {
      const float product = src.get<float>(row, col) * factor;
      const float value = symmetric ? product : product + zero;
      dst.put_bits(row, col,
                   num::from_f64(symmetric ? Elem::i8 : Elem::ui8, static_cast<double>(value),
                                 num::Round::rint, num::Overflow::saturate));
    }
  }
}

/// (src - offset) * scale in f32; parameters per row, or per element where they have the columns.
void tdequant(Context& context) {
  const Tile dst(context, 3, AccessMode::write);
  if (!dst.good() || dst.empty() || !covers(context, 0, dst.rows(), dst.cols())) return;
  if (dst.elem() != Elem::f32) return refuse_type(context, dst.elem());
  const uint64_t cols = std::max(1u, context.tile(1).valid_cols);
  const Tile src(context, 0, AccessMode::read, dst.rows(), dst.cols());
  const Tile scale(context, 1, AccessMode::read, dst.rows(), cols),
      offset(context, 2, AccessMode::read, dst.rows(), cols);
  if (!src.good() || !scale.good() || !offset.good()) return;
  const auto as_float = [](const Tile& tile, uint64_t row, uint64_t col) {
    return static_cast<float>(num::to_f64(tile.elem(), tile.bits(row, col)));
  };
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < dst.cols(); ++col) {
      const uint64_t at = std::min(col, cols - 1);
      dst.put(row, col,
              canonical((as_float(src, row, col) - as_float(offset, row, at)) * as_float(scale, row, at)));
    }
  }
}

// ---- histogram of one byte, as running totals over 256 bins

/// `byte` (0 the lowest) is counted where the bytes above it equal the filters: of ui16 one per row, of wider
/// elements one per byte, from the highest on, in the first column of the rows of the index tile.
void thistogram(Context& context) {
  constexpr uint64_t kBins = 256;
  constexpr unsigned kAttrHigh = 0, kAttrByte = 1;
  const Tile src(context, 0, AccessMode::read);
  if (!src.good() || src.empty() || !covers(context, 2, src.rows(), kBins)) return;
  const auto highest = static_cast<int64_t>(src.size()) - 1;
  const int64_t byte = context.attr_set(kAttrByte)    ? context.attr(kAttrByte)
                       : context.attr(kAttrHigh) != 0 ? highest
                                                      : highest - 1;
  if (byte < 0 || byte > highest)
    return context.fault(Fault::bad_operand, "thistogram: the source elements have no such byte");
  const bool wide = src.size() > 2;
  const auto above = static_cast<uint64_t>(highest - byte);
  const uint64_t filter_rows = wide ? above : src.rows();
  if (above > 0 && !covers(context, 1, filter_rows, 1)) return;
  const Tile filter = above == 0 ? Tile() : Tile(context, 1, AccessMode::read, filter_rows, 1);
  const Tile dst(context, 2, AccessMode::write, src.rows(), kBins);
  if (!dst.good() || (above > 0 && !filter.good())) return;
  for (uint64_t row = 0; row < src.rows(); ++row) {
    std::array<uint32_t, kBins> counts{};
    for (uint64_t col = 0; col < src.cols(); ++col) {
      const uint64_t value = src.bits(row, col);
      bool counted = true;
      for (uint64_t i = 0; i < above; ++i)
        counted = counted && (value >> 8 * (static_cast<uint64_t>(highest) - i) & 0xff) ==
                                 (filter.bits(wide ? i : row, 0) & 0xff);
      if (counted) ++counts[value >> 8 * byte & 0xff];
    }
    uint32_t total = 0;
    for (uint64_t bin = 0; bin < kBins; ++bin) dst.put_bits(row, bin, total += counts[bin]);
  }
}

// ---- Philox 4x32 random words (Salmon et al., SC 2011)

using Words4 = std::array<uint32_t, 4>;

void advance(Words4& counter, uint32_t by) {
  uint64_t carry = by;
  for (uint32_t& word : counter) {
    carry += word;
    word = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
}

Words4 philox(Words4 counter, std::array<uint32_t, 2> key, int64_t rounds) {
  for (int64_t i = 0; i < rounds; ++i) {
    const uint64_t first = uint64_t{counter[0]} * 0xD2511F53u;
    const uint64_t second = uint64_t{counter[2]} * 0xCD9E8D57u;
    counter = {static_cast<uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(second),
               static_cast<uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(first)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

/// Lane l of 64 takes counter + l and makes four words. A5 puts them into columns 4 l + i and goes on by the
/// counters that its vector loop used up; the CPU simulator puts them 64 columns apart and goes on by a
/// quarter of the tile's row.
void trandom(Context& context) {
  constexpr uint64_t kLanes = 64;
  constexpr uint64_t kColumns = 4 * kLanes;
  const Tile dst(context, 6, AccessMode::write);
  if (!dst.good() || dst.empty()) return;
  const bool apart = context.machine != nullptr && context.machine->target == Target::cpu;
  const auto word = [&](unsigned slot) { return static_cast<uint32_t>(context.word(slot)); };
  Words4 counter = {word(2), word(3), word(4), word(5)};
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t base = 0; base < dst.cols(); base += kColumns) {
      for (uint64_t lane = 0; lane < kLanes; ++lane) {
        Words4 mine = counter;
        advance(mine, static_cast<uint32_t>(lane));
        mine = philox(mine, {word(0), word(1)}, context.attr(0));
        for (uint64_t i = 0; i < 4; ++i) {
          const uint64_t col = base + (apart ? i * kLanes + lane : 4 * lane + i);
          if (col < dst.cols()) dst.put(row, col, mine[i]);
        }
      }
      const bool last = base + kColumns >= dst.cols();
      const uint64_t used = last ? (dst.cols() - 1) % kLanes + 1 : kLanes;
      advance(counter, static_cast<uint32_t>(apart ? context.tile(6).storage_cols / 4 : used));
    }
  }
}

constexpr Semantics kTileIrregularSemantics[] = {
    {"pto.tfillpad", tfillpad},
    {"pto.tfillpad_expand", tfillpad},
    {"pto.tfillpad_inplace", tfillpad},
    {"pto.ttrans", ttrans},
    {"pto.tconcat", tconcat},
    {"pto.tconcatidx", tconcatidx},
    {"pto.tci", tci},
    {"pto.ttri", ttri},
    {"pto.tgetval", tgetval},
    {"pto.tsetval", tsetval},
    {"pto.tquant", tquant},
    {"pto.tdequant", tdequant},
    {"pto.thistogram", thistogram},
    {"pto.trandom", trandom},
};

}  // namespace

std::span<const Semantics> tile_irregular() { return kTileIrregularSemantics; }

}  // namespace pto::exec
