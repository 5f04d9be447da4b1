// Comparison into packed masks and selection by them.
#include <vector>

#include "exec/tile/map.hpp"
#include "isa/cmp_predicate.hpp"
#include "support/rounding.hpp"

namespace pto::exec {
namespace {

using isa::CmpPredicate;

/// One row of comparisons; `right(col)` gives the other side. Calls put(col, holds).
template <typename Right, typename Put>
bool compare_row(const Tile& src, uint64_t row, CmpPredicate mode, Right&& right, Put&& put) {
  const Elem elem = src.elem();
  if (is_float(elem)) {
    for (uint64_t col = 0; col < src.cols(); ++col) {
      put(col,
          isa::holds<double>(mode, num::to_f64(elem, src.bits(row, col)), num::to_f64(elem, right(col))));
    }
    return true;
  }
  return with_element_integer(elem, [&](auto zero) {
    using T = decltype(zero);
    for (uint64_t col = 0; col < src.cols(); ++col)
      put(col, isa::holds<T>(mode, src.get<T>(row, col), static_cast<T>(right(col))));
  });
}

/// The words of a mask tile, cleared; written back as a whole.
class MaskWords {
 public:
  explicit MaskWords(const Tile& tile) : tile_(tile), words_(tile.rows() * tile.cols()) {}
  [[nodiscard]] uint64_t bits() const { return tile_.size() * uint64_t{8}; }
  void set(uint64_t row, uint64_t word, uint64_t bit) {
    words_[row * tile_.cols() + word] |= uint64_t{1} << bit;
  }
  void store() const {
    for (uint64_t row = 0; row < tile_.rows(); ++row) {
      for (uint64_t col = 0; col < tile_.cols(); ++col)
        tile_.put_bits(row, col, words_[row * tile_.cols() + col]);
    }
  }

 private:
  const Tile& tile_;
  std::vector<uint64_t> words_;
};

CmpPredicate compare_mode(const Context& context) { return static_cast<CmpPredicate>(context.attr(0)); }

/// Words of a mask row that hold a bit for every column of the data.
uint64_t words_per_row(const Type& data, const Type& mask) {
  const uint64_t bits = byte_width(mask.elem) * uint64_t{8};
  return ceil_div(static_cast<uint64_t>(data.cols()), bits);
}

/// Row r of the mask holds the bits of row r of the data, lowest first.
class MaskRows {
 public:
  MaskRows(MaskWords& words, const Tile& mask, uint64_t valid_cols) : words_(words), rows_(mask.rows()) {
    limit_ = std::min<uint64_t>(mask.cols(), valid_cols) * words.bits();
  }
  void operator()(uint64_t row, uint64_t col) const {
    if (row < rows_ && col < limit_) words_.set(row, col / words_.bits(), col % words_.bits());
  }

 private:
  MaskWords& words_;
  uint64_t rows_, limit_;
};

/// The bits of all rows, each padded to the bytes of the data's static width, as one stream of bytes that
/// fills the valid columns of the mask row after row, one byte per element.
class MaskStream {
 public:
  MaskStream(MaskWords& words, const Tile& mask, uint64_t valid_cols, const Type& data)
      : words_(words), rows_(mask.rows()), width_(std::min<uint64_t>(mask.cols(), valid_cols)) {
    row_bytes_ = ceil_div(static_cast<uint64_t>(data.cols()), 8);
  }
  void operator()(uint64_t row, uint64_t col) const {
    const uint64_t byte = row * row_bytes_ + col / 8;
    if (byte / width_ < rows_) words_.set(byte / width_, byte % width_, col % 8);
  }

 private:
  MaskWords& words_;
  uint64_t rows_, width_, row_bytes_;
};

/// Compares `src` with `right(row, col)` and writes the whole mask tile: 0 where no bit is set.
template <typename Right, typename Set>
void compare(Context& context, const Tile& src, MaskWords& words, Right&& right, const Set& set) {
  for (uint64_t row = 0; row < src.rows(); ++row) {
    const auto put = [&](uint64_t col, bool yes) {
      if (yes) set(row, col);
    };
    const auto other = [&](uint64_t col) { return right(row, col); };
    if (!compare_row(src, row, compare_mode(context), other, put)) return refuse_type(context, src.elem());
  }
  words.store();
}

void tcmp(Context& context) {
  const Tile src(context, 0, AccessMode::read);
  if (!src.good() || src.empty() || !covers(context, 1, src.rows(), src.cols())) return;
  const Tile other(context, 1, AccessMode::read, src.rows(), src.cols()),
      mask = Tile::whole(context, 2, AccessMode::write);
  if (!other.good() || !mask.good() || mask.empty()) return;
  MaskWords words(mask);
  const auto right = [&](uint64_t row, uint64_t col) { return other.bits(row, col); };
  compare(context, src, words, right, MaskRows(words, mask, context.tile(2).valid_cols));
}

/// Rows, as both tile libraries have it. A mask with more valid columns than a row of bits fills takes one
/// stream: public A5 kernels use such masks.
void tcmps(Context& context) {
  const Tile src(context, 0, AccessMode::read);
  if (!src.good() || src.empty()) return;
  const Tile mask = Tile::whole(context, 2, AccessMode::write);
  const uint64_t width = context.tile(2).valid_cols;
  if (!mask.good() || mask.empty() || width == 0) return;
  MaskWords words(mask);
  const uint64_t scalar = scalar_bits(context, 1, src.elem());
  const auto right = [scalar](uint64_t, uint64_t) { return scalar; };
  if (width <= words_per_row(context.type(0), context.type(2)))
    compare(context, src, words, right, MaskRows(words, mask, width));
  else
    compare(context, src, words, right, MaskStream(words, mask, width, context.type(0)));
}

/// The mask of a row: bit `col` of the row's words.
bool mask_bit(const Tile& mask, uint64_t row, uint64_t col) {
  const uint64_t bits = mask.size() * uint64_t{8};
  return mask.bits(row, col / bits) >> (col % bits) & 1;
}

Tile mask_for(Context& context, const Tile& dst) {
  const uint64_t bits = byte_width(context.type(0).elem) * 8;
  const uint64_t words = ceil_div(dst.cols(), bits);
  if (!covers(context, 0, dst.rows(), words)) return {};
  return Tile(context, 0, AccessMode::read, dst.rows(), words);
}

/// The mask of pto.tsel: rows, as both tile libraries read it. A byte mask of A2/A3 with more valid columns
/// than a row of bits fills is one stream of bits over the valid elements, as the public CPU simulator reads
/// it.
class SelectMask {
 public:
  SelectMask(Context& context, const Tile& dst) : cols_(dst.cols()) {
    const TileDesc& desc = context.tile(0);
    width_ = desc.valid_cols;
    stream_ = context.machine != nullptr && context.machine->target != Target::a5 &&
              byte_width(context.type(0).elem) == 1 &&
              width_ > words_per_row(context.type(4), context.type(0));
    if (!stream_) {
      tile_ = mask_for(context, dst);
      return;
    }
    const uint64_t bytes = ceil_div(dst.rows() * dst.cols(), 8);
    const uint64_t rows = ceil_div(bytes, width_);
    if (covers(context, 0, rows, width_))
      tile_ = Tile(context, 0, AccessMode::read, rows, std::min(width_, bytes));
  }
  [[nodiscard]] bool good() const { return tile_.good(); }
  [[nodiscard]] bool operator()(uint64_t row, uint64_t col) const {
    if (!stream_) return mask_bit(tile_, row, col);
    const uint64_t bit = row * cols_ + col;
    const uint64_t byte = bit / 8;
    return tile_.bits(byte / width_, byte % width_) >> (bit % 8) & 1;
  }

 private:
  Tile tile_;
  uint64_t cols_, width_ = 0;
  bool stream_ = false;
};

void tsel(Context& context) {
  const Tile dst(context, 4, AccessMode::write);
  if (!dst.good() || dst.empty() || !covers(context, 1, dst.rows(), dst.cols()) ||
      !covers(context, 2, dst.rows(), dst.cols()))
    return;
  const SelectMask mask(context, dst);
  const Tile a(context, 1, AccessMode::read, dst.rows(), dst.cols()),
      b(context, 2, AccessMode::read, dst.rows(), dst.cols());
  if (!mask.good() || !a.good() || !b.good()) return;
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < dst.cols(); ++col)
      dst.put_bits(row, col, (mask(row, col) ? a : b).bits(row, col));
  }
}

void tsels(Context& context) {
  const Tile dst(context, 4, AccessMode::write);
  if (!dst.good() || dst.empty() || !covers(context, 1, dst.rows(), dst.cols())) return;
  const Tile mask = mask_for(context, dst);
  const Tile src(context, 1, AccessMode::read, dst.rows(), dst.cols());
  if (!mask.good() || !src.good()) return;
  const uint64_t scalar = scalar_bits(context, 3, dst.elem());
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < dst.cols(); ++col)
      dst.put_bits(row, col, mask_bit(mask, row, col) ? src.bits(row, col) : scalar);
  }
}

constexpr Semantics kTileSelectSemantics[] = {
    {"pto.tcmp", tcmp},
    {"pto.tcmps", tcmps},
    {"pto.tsel", tsel},
    {"pto.tsels", tsels},
};

}  // namespace

std::span<const Semantics> tile_select() { return kTileSelectSemantics; }

}  // namespace pto::exec
