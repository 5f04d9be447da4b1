// Tile to tile: pto.tmov, pto.textract, pto.tinsert and their quantising forms.
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "exec/cube/mx_quant.hpp"
#include "exec/deferred_work.hpp"
#include "exec/tile/quant.hpp"
#include "exec/tile/rows.hpp"
#include "support/rounding.hpp"
#include "support/saturating.hpp"

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
  bool turned = false;              ///< rows of src become columns
};

/// False when the layouts of the two have nothing in common, or they overlap; then rows are moved one by one.
bool copy_loops(const Tile& src, const Tile& dst) {
  StridedCopy copy;
  if (!copy.add(src.row_digits(), dst.row_digits()) || !copy.add(src.col_digits(), dst.col_digits()) ||
      !copy.distinct() || !copy.apart(src.at(0, 0), dst.at(0, 0), src.size()))
    return false;
  copy.run(src.at(0, 0), dst.at(0, 0), src.size(), false);
  return true;
}

void copy_rows(Tile src, Tile dst) {
  normalise(src, dst);
  if (copy_loops(src, dst)) return;
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

void copy_turned(const Tile& src, const Tile& dst) {
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < dst.cols(); ++col) dst.put_bits(row, col, src.bits(col, row));
  }
}

/// Boxes by rows of boxes in columns, as loads out of L1 take them.
bool is_nz(const Type& type) {
  return type.blayout == BLayout::col_major && type.slayout == SLayout::row_major;
}

/// What leaves L0C for a boxed tile of f32 in UB keeps its boxes where a template makes the move; the library
/// splits them into those of the tile's type.
Tile::Boxes boxes_of(const Context& context, const Move& move) {
  const Type& from = context.type(move.src);
  const Type& to = context.type(move.dst);
  const bool whole = context.inst->beside_micro && from.space == Space::l0c && to.space == Space::ub &&
                     is_nz(to) && byte_width(to.elem) == 4;
  return whole ? Tile::Boxes::cube : Tile::Boxes::of_type;
}

/// The right operand gets whole fractals: of the summed dimension 32 bytes at once, as far as both tiles go.
void whole_fractals(const Context& context, Move& move) {
  const TileDesc& src = context.tile(move.src);
  const TileDesc& dst = context.tile(move.dst);
  const auto left = [](uint64_t extent, uint64_t from) { return extent - std::min(extent, from); };
  const uint64_t of_src =
      move.turned ? left(src.storage_cols, move.src_col) : left(src.storage_rows, move.src_row);
  const uint64_t limit = std::min(of_src, left(dst.storage_rows, move.dst_row));
  if (move.rows >= limit) return;  // what is too much is said by whoever asks for the memory
  move.rows = std::min(limit, round_up(move.rows, 32U / byte_width(context.type(move.dst).elem)));
}

void run(Context& context, Move move) {
  if (move.rows == 0 || move.cols == 0) return;
  if (context.type(move.dst).space == Space::l0b) whole_fractals(context, move);
  std::optional<Work> work;  // words are read already, and somebody else's
  if (move.words == nullptr) work.emplace(context);
  const Space to = context.type(move.dst).space;
  const bool to_l0 = to == Space::l0a || to == Space::l0b;
  const Tile src = Tile::window(context, move.src, AccessMode::read, move.src_row, move.src_col,
                                move.turned ? move.cols : move.rows, move.turned ? move.rows : move.cols,
                                Tile::kOwnCore, to_l0 ? Tile::Boxes::fractals : Tile::Boxes::of_type);
  if (!src.good()) return;
  const Tile dst = Tile::window(context, move.dst, AccessMode::write, move.dst_row, move.dst_col, move.rows,
                                move.cols, move.core, boxes_of(context, move));
  if (!dst.good()) return;
  const auto piece = [move, src, dst] {
    if (move.turned)
      copy_turned(src, dst);
    else if (move.path.copies())
      copy_rows(src, dst);
    else
      convert_rows(move, src, dst);
  };
  if (work)
    work->run(piece);
  else if (!context.no_values)
    piece();
}

OutputPath move_path(const Context& context, unsigned from, unsigned to) {
  OutputPath path;
  path.from = context.type(from).elem;
  path.to = context.type(to).elem;
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
  if (byte_width(context.type(slot).elem) != sizeof(uint64_t)) {  // the buffer holds words, whatever its type
    const std::byte* from = context.memory->access(context.type(slot).space, context.tile(slot).addr,
                                                   cols * sizeof(uint64_t), AccessMode::read);
    words.resize(cols);
    if (from != nullptr) std::memcpy(words.data(), from, cols * sizeof(uint64_t));
    return from != nullptr;
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
  const uint64_t whole = extent;
  const uint64_t first = (whole + 1) / 2;
  extent = first;
  move.core = kAiv0;
  run(context, move);
  (by_rows ? move.src_row : move.src_col) += first;
  extent = whole - first;
  move.core = kAiv1;
  run(context, move);
}

enum AccToVec : int64_t { kVec0 = 0, kVec1 = 1, kSplitM = 2, kSplitN = 3 };

/// To the core that the destination belongs to: of the accumulator's two vector cores one, or both by halves.
void deliver(Context& context, Move move, int64_t acc_to_vec) {
  const Space from = context.type(move.src).space;
  const Space to = context.type(move.dst).space;
  move.core = core_of(from, to);
  if (from == Space::l0c && to == Space::ub) {
    if (acc_to_vec == kSplitM || acc_to_vec == kSplitN) return split(context, move, acc_to_vec == kSplitM);
    if (acc_to_vec == kVec1) move.core = kAiv1;
  }
  run(context, move);
}

void move_whole(Context& context, Move move, int64_t acc_to_vec) {
  const TileDesc& src = context.tile(move.src);
  move.rows = src.valid_rows;
  move.cols = src.valid_cols;
  deliver(context, move, acc_to_vec);
}

constexpr unsigned kMoveAccToVec = 0, kMoveRelu = 1;

void tmov(Context& context) {
  if (context.has(2) && context.type(2).space != Space::fb) return move_exponents(context);
  const auto relu = static_cast<Relu>(context.attr(kMoveRelu));
  if (!relu_supported(context, relu)) return;
  Move move;
  move.path = move_path(context, 0, 1);
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
  move_whole(context, move, context.attr(kMoveAccToVec));
}

void tmov_fp(Context& context) {
  Move move;
  move.dst = 2;
  move.path = move_path(context, 0, 2);
  move.path.mode = quant_mode(move.path.from, move.path.to);
  move.path.vector_word = true;
  std::vector<uint64_t> words;
  if (!read_words(context, 1, context.tile(0).valid_cols, words)) return;
  move.words = words.data();
  move_whole(context, move, kVec0);
}

/// The slots of textract and tinsert and of their forms with quantisation words.
struct WindowSlots {
  unsigned row, dst, words = kNoSlot, word = kNoSlot;
  static constexpr unsigned kNoSlot = ~0U;
};
WindowSlots window_slots(const Context& context) {
  const isa::Schema& schema = *context.inst->schema;
  const auto at = [&](std::string_view name) {
    const int slot = schema.operand_slot(name);
    return slot < 0 || !context.has(static_cast<unsigned>(slot)) ? WindowSlots::kNoSlot
                                                                 : static_cast<unsigned>(slot);
  };
  const unsigned scalar = at("preQuantScalar");
  return {at("indexRow"), at("dst"), at("fp"), scalar != WindowSlots::kNoSlot ? scalar : at("pre_quant")};
}

/// Quantisation (of `cols` columns) and relu of a window. False after a finding.
bool read_path(Context& context, const WindowSlots& slots, Move& move, uint64_t cols,
               std::vector<uint64_t>& words) {
  const auto relu = context.inst->attrs.empty() ? Relu::none : static_cast<Relu>(context.attr(kMoveRelu));
  if (!relu_supported(context, relu)) return false;
  move.dst = slots.dst;
  move.path = move_path(context, 0, slots.dst);
  move.path.relu = relu == Relu::normal;
  if (slots.words == WindowSlots::kNoSlot && slots.word == WindowSlots::kNoSlot) return true;
  move.path.mode = quant_mode(move.path.from, move.path.to);
  if (slots.word != WindowSlots::kNoSlot) {
    move.word = context.word(slots.word);
    return true;
  }
  move.path.vector_word = true;
  if (!read_words(context, slots.words, cols, words)) return false;
  move.words = words.data();
  return true;
}
int64_t acc_to_vec_of(const Context& context) {
  return context.inst->attrs.empty() ? kVec0 : context.attr(kMoveAccToVec);
}

/// dst = window of src. A destination in the UBs of both vector cores takes the whole window from there on.
void textract(Context& context) {
  const WindowSlots slots = window_slots(context);
  Move move;
  move.src_row = context.word(slots.row);
  move.src_col = context.word(slots.row + 1);
  move.rows = context.tile(slots.dst).valid_rows;
  move.cols = context.tile(slots.dst).valid_cols;
  const int64_t acc_to_vec = acc_to_vec_of(context);
  if (acc_to_vec == kSplitM) move.rows = sat_mul<uint64_t>(move.rows, 2);
  if (acc_to_vec == kSplitN) move.cols = sat_mul<uint64_t>(move.cols, 2);
  move.turned =
      context.inst->beside_micro && context.type(slots.dst).space == Space::l0b && is_nz(context.type(0));
  std::vector<uint64_t> words;
  if (read_path(context, slots, move, sat_add(move.src_col, move.cols), words))
    deliver(context, move, acc_to_vec);
}

/// Window of dst = src. SPLIT2 and SPLIT4 name the number of bursts: the bytes are the same.
void tinsert(Context& context) {
  const WindowSlots slots = window_slots(context);
  Move move;
  move.dst_row = context.word(slots.row);
  move.dst_col = context.word(slots.row + 1);
  std::vector<uint64_t> words;
  if (read_path(context, slots, move, context.tile(0).valid_cols, words))
    move_whole(context, move, acc_to_vec_of(context));
}

constexpr Semantics kTileMoveSemantics[] = {
    {"pto.tmov", tmov},         {"pto.tmov.fp", tmov_fp},
    {"pto.textract", textract}, {"pto.textract_fp", textract},
    {"pto.tinsert", tinsert},   {"pto.tinsert_fp", tinsert},
};

}  // namespace

std::span<const Semantics> tile_move() { return kTileMoveSemantics; }

}  // namespace pto::exec
