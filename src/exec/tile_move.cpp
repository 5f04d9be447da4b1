// Tile to tile: pto.tmov, pto.textract, pto.tinsert and their quantising forms.
#include <algorithm>
#include <vector>

#include "exec/tile_quant.hpp"
#include "exec/tile_rows.hpp"
#include "support/checked.hpp"

namespace pto::exec {
namespace {

constexpr int kAic = 0, kAiv0 = 1, kAiv1 = 2;

/// The core whose memory a destination is in: the accumulator's fixpipe writes the UB of a vector core, a
/// vector core writes the L1 of the cube core.
int core_of(Space from, Space to) {
  if (to == Space::ub && from != Space::ub) return kAiv0;
  if (to == Space::l1 && from == Space::ub) return kAic;
  return Tile::kOwnCore;
}

/// What to move: a window of src at (src_row, src_col) to a window of dst.
struct Move {
  unsigned src = 0, dst = 1;
  uint64_t src_row = 0, src_col = 0, dst_row = 0, dst_col = 0, rows = 0, cols = 0;
  int core = Tile::kOwnCore;
  OutputPath path;
  uint64_t word = 0;                ///< scalar quantisation
  const uint64_t* words = nullptr;  ///< one per column of src
};

void copy_rows(const Tile& src, const Tile& dst) {
  with_bits(src.size(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> scratch(src.cols());
    for (uint64_t row = 0; row < src.rows(); ++row) {
      const T* from = src.read(row, 0, src.cols(), scratch.data());
      if (dst.direct())
        std::memmove(dst.at(row, 0), from, src.cols() * sizeof(T));
      else
        dst.written(row, 0, src.cols(), from);
    }
  });
}

void convert_rows(const Move& move, const Tile& src, const Tile& dst) {
  for (uint64_t row = 0; row < src.rows(); ++row) {
    for (uint64_t col = 0; col < src.cols(); ++col) {
      dst.put_bits(
          row, col,
          move.path.convert(src.bits(row, col), move.words ? move.words[move.src_col + col] : move.word));
    }
  }
}

void run(Context& context, const Move& move) {
  if (move.rows == 0 || move.cols == 0) return;
  Tile src =
      Tile::window(context, move.src, AccessMode::read, move.src_row, move.src_col, move.rows, move.cols);
  if (!src.good()) return;
  Tile dst = Tile::window(context, move.dst, AccessMode::write, move.dst_row, move.dst_col, move.rows,
                          move.cols, move.core);
  if (!dst.good()) return;
  if (!move.path.copies()) return convert_rows(move, src, dst);
  normalise(src, dst);
  copy_rows(src, dst);
}

OutputPath path_of(const Context& context, unsigned from, unsigned to) {
  OutputPath path;
  path.from = context.type(from).elem, path.to = context.type(to).elem;
  // Same width: bits move, whatever the two call them. Only the accumulator converts i32 to f32.
  if (context.type(from).space != Space::l0c && byte_width(path.from) == byte_width(path.to))
    path.from = path.to;
  if (context.machine != nullptr) path.target = context.machine->target;
  path.saturate_infinity = context.control != nullptr && (context.control->ctrl >> kCtrlNoSat & 1) == 0;
  return path;
}

/// The quantisation words of a scaling tile, one per column.
bool read_words(Context& context, unsigned slot, uint64_t cols, std::vector<uint64_t>& words) {
  if (context.tile(slot).valid_cols < cols) {
    context.fault(Fault::bad_operand, "fewer quantisation words than columns");
    return false;
  }
  const Tile tile(context, slot, AccessMode::read, 1, cols);
  if (!tile.good()) return false;
  words.resize(cols);
  for (uint64_t col = 0; col < cols; ++col) words[col] = tile.bits(0, col);
  return true;
}

/// Accumulator to the UBs of both vector cores, each getting one half of the rows or columns (A5).
void split(Context& context, Move move, bool by_rows) {
  uint64_t& extent = by_rows ? move.rows : move.cols;
  const uint64_t whole = extent, first = (whole + 1) / 2;
  extent = first, move.core = kAiv0;
  run(context, move);
  (by_rows ? move.src_row : move.src_col) += first;
  extent = whole - first, move.core = kAiv1;
  run(context, move);
}

enum AccToVec : int64_t { kVec0 = 0, kVec1 = 1, kSplitM = 2, kSplitN = 3 };

void move_whole(Context& context, Move move, int64_t acc_to_vec) {
  const TileDesc& src = context.tile(move.src);
  move.rows = src.valid_rows, move.cols = src.valid_cols;
  const Space from = context.type(move.src).space, to = context.type(move.dst).space;
  move.core = core_of(from, to);
  if (from == Space::l0c && to == Space::ub) {
    if (acc_to_vec == kSplitM || acc_to_vec == kSplitN) return split(context, move, acc_to_vec == kSplitM);
    if (acc_to_vec == kVec1) move.core = kAiv1;
  }
  run(context, move);
}

constexpr unsigned kAttrAccToVec = 0, kAttrRelu = 1;

void tmov(Context& context) {
  const auto relu = static_cast<Relu>(context.attr(kAttrRelu));
  if (!relu_supported(context, relu)) return;
  Move move;
  move.path = path_of(context, 0, 1);
  move.path.relu = relu == Relu::normal;
  move.path.relu_keeps_nan = true;
  std::vector<uint64_t> words;
  if (context.has(2)) {
    if (!read_words(context, 2, context.tile(0).valid_cols, words)) return;
    move.words = words.data();
    move.path.mode = quant_mode(move.path.from, move.path.to);
    move.path.vector_word = true;
  } else if (context.has(3)) {
    move.word = context.word(3);
    move.path.mode = quant_mode(move.path.from, move.path.to);
  }
  move_whole(context, move, context.attr(kAttrAccToVec));
}

void tmov_fp(Context& context) {
  Move move;
  move.dst = 2;
  move.path = path_of(context, 0, 2);
  move.path.mode = quant_mode(move.path.from, move.path.to);
  move.path.vector_word = true;
  std::vector<uint64_t> words;
  if (!read_words(context, 1, context.tile(0).valid_cols, words)) return;
  move.words = words.data();
  move_whole(context, move, kVec0);
}

/// dst = window of src.
void extract(Context& context, unsigned row_slot, unsigned dst_slot, bool quantised) {
  Move move;
  move.dst = dst_slot;
  move.src_row = context.word(row_slot), move.src_col = context.word(row_slot + 1);
  move.rows = context.tile(dst_slot).valid_rows, move.cols = context.tile(dst_slot).valid_cols;
  move.path = path_of(context, 0, dst_slot);
  move.core = core_of(context.type(0).space, context.type(dst_slot).space);
  std::vector<uint64_t> words;
  if (quantised) {
    if (!read_words(context, 1, sat_add(move.src_col, move.cols), words)) return;
    move.words = words.data();
    move.path.mode = quant_mode(move.path.from, move.path.to);
    move.path.vector_word = true;
  }
  run(context, move);
}

/// Window of dst = src.
void insert(Context& context, unsigned row_slot, unsigned dst_slot, bool quantised) {
  Move move;
  move.dst = dst_slot;
  move.dst_row = context.word(row_slot), move.dst_col = context.word(row_slot + 1);
  move.rows = context.tile(0).valid_rows, move.cols = context.tile(0).valid_cols;
  move.path = path_of(context, 0, dst_slot);
  move.core = core_of(context.type(0).space, context.type(dst_slot).space);
  std::vector<uint64_t> words;
  if (quantised) {
    if (!read_words(context, 1, move.cols, words)) return;
    move.words = words.data();
    move.path.mode = quant_mode(move.path.from, move.path.to);
    move.path.vector_word = true;
  }
  run(context, move);
}

void textract(Context& context) { extract(context, 1, 3, false); }
void textract_fp(Context& context) { extract(context, 2, 4, true); }
void tinsert(Context& context) { insert(context, 1, 3, false); }
void tinsert_fp(Context& context) { insert(context, 2, 4, true); }

constexpr Semantics kTable[] = {
    {"pto.tmov", tmov},         {"pto.tmov.fp", tmov_fp},
    {"pto.textract", textract}, {"pto.textract_fp", textract_fp},
    {"pto.tinsert", tinsert},   {"pto.tinsert_fp", tinsert_fp},
};

}  // namespace

std::span<const Semantics> tile_move() { return kTable; }

}  // namespace pto::exec
