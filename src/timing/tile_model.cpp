#include "timing/tile_model.hpp"

#include <array>

#include "timing/tile_elementwise.hpp"

namespace pto::timing {

namespace {

/// Instruction n of the row for the given element type.
const VectorInstr& instr(const TileOperands& op, size_t n, Elem elem) {
  return *instruction_for(*op.instr[n], elem);
}
const VectorInstr& instr(const TileOperands& op, size_t n) { return instr(op, n, op.src0.elem); }

const TileView* second(const TileOperands& op) { return op.has_src1 ? &op.src1 : nullptr; }

// ---- elementwise

void unary(const TileOperands& op, VectorTimeline& time) {
  walk(instr(op, 0), op.dst, op.src0, nullptr, kUnaryWalk, time);
}
void binary(const TileOperands& op, VectorTimeline& time) {
  walk(instr(op, 0), op.dst, op.src0, second(op), kBinaryWalk, time);
}
void scalar(const TileOperands& op, VectorTimeline& time) {
  walk(instr(op, 0), op.dst, op.src0, nullptr, kScalarWalk, time);
}

/// The scalar is spread over a tile first, then a tile instruction runs.
void spread_then_binary(const TileOperands& op, VectorTimeline& time) {
  walk(instr(op, 0), op.dst, op.src0, nullptr, kSpreadWalk, time);
  time.barrier();
  walk(instr(op, 1), op.dst, op.dst, &op.src0, kSpreadWalk, time);
}

/// Several tile instructions in a row, each waiting for the one before.
void chain(const TileOperands& op, VectorTimeline& time) {
  for (size_t i = 0; i < op.instr.size(); ++i) {
    if (i > 0) time.barrier();
    walk(instr(op, i), op.dst, op.src0, second(op), kBinaryWalk, time);
  }
}

/// The same, but the whole chain is done for one row before the next.
void chain_by_row(const TileOperands& op, VectorTimeline& time) {
  TileView row = op.dst;
  TileView a = op.src0;
  TileView b = op.has_src1 ? op.src1 : op.src0;
  row.rows = a.rows = b.rows = 1;
  if (op.dst.cols % lanes(op.dst.elem_bytes) != 0) time.region(kCountMode);
  for (uint32_t r = 0; r < op.dst.rows; ++r) {
    for (size_t i = 0; i < op.instr.size(); ++i) {
      walk(instr(op, i), row, a, op.has_src1 ? &b : nullptr, kUnaryWalk, time);
      time.barrier();
    }
    row.addr += op.dst.pitch();
    a.addr += op.src0.pitch();
    b.addr += b.pitch();
  }
}

/// The wider of source and destination decides how many elements a repeat takes.
void convert(const TileOperands& op, VectorTimeline& time) {
  TileView dst = op.dst, src = op.src0;
  dst.elem_bytes = src.elem_bytes = std::max(op.dst.elem_bytes, op.src0.elem_bytes);
  const VectorInstr& vconv = instr(op, 0);
  if (dst.cols != lanes(dst.elem_bytes) || op.dst.elem_bytes == op.src0.elem_bytes)
    return walk(vconv, dst, src, nullptr, kUnaryWalk, time);
  for (uint32_t r = 0; r < dst.rows; ++r) time.issue(vconv, 1);
}

/// One instruction per row, nothing to wait for between them.
void per_row(const TileOperands& op, VectorTimeline& time) {
  const uint64_t repeats = ceil_div(op.src0.cols, lanes(op.src0.elem_bytes));
  for (uint32_t r = 0; r < op.src0.rows; ++r) {
    const RepeatAccess a{op.src0.addr + r * op.src0.pitch(), 256, 256},
        b{op.src1.addr + r * op.src1.pitch(), 256, 256};
    time.issue(instr(op, 0), repeats, op.has_src1 ? bank_conflicts(time.config().banks, a, b, repeats) : 0);
  }
}

/// Per row: mask bytes to a register-sized buffer, wait, set the compare mask, select; the next row waits for
/// nothing.
void select(const TileOperands& op, VectorTimeline& time) {
  const uint64_t repeats = ceil_div(op.dst.cols, lanes(op.dst.elem_bytes));
  time.region(kCountMode);
  for (uint32_t r = 0; r < op.dst.rows; ++r) {
    const VectorInstr& vsel = instr(op, 1, op.dst.elem);
    const RepeatAccess a{op.src0.addr + r * op.src0.pitch(), 256, 256},
        b{op.src1.addr + r * op.src1.pitch(), 256, 256};
    time.issue(instr(op, 0, op.dst.elem), 1);
    time.barrier();
    time.spend(1);  // the compare mask
    time.issue(vsel, repeats,
               op.has_src1 && vsel.conflict ? bank_conflicts(time.config().banks, a, b, repeats) : 0);
  }
}

/// The scalar is written, waited for and made the compare mask once; then one selection per row, nothing to
/// wait for between them.
void select_scalar(const TileOperands& op, VectorTimeline& time) {
  const uint64_t repeats = ceil_div(op.dst.cols, lanes(op.dst.elem_bytes));
  time.region(kCountMode);
  time.spend(time.config().scalar_round + 1);
  for (uint32_t r = 0; r < op.dst.rows; ++r) time.issue(instr(op, 0, op.dst.elem), repeats);
}

// ---- reductions

struct Step {
  uint8_t instr;  ///< 0 combine, 1 reduce a repeat, 2 reduce groups of a repeat
  uint16_t repeats;
};

/// Four f32 shapes with a one-column, column-major destination have hand-written trees.
std::span<const Step> group_tree(uint32_t rows, uint32_t cols) {
  static constexpr std::array<Step, 3> k64x128 = {{{2, 128}, {0, 8}, {2, 8}}};
  static constexpr std::array<Step, 4> k32x256 = {{{2, 128}, {0, 8}, {0, 4}, {2, 4}}};
  static constexpr std::array<Step, 3> k16x512 = {{{2, 128}, {2, 16}, {2, 2}}};
  static constexpr std::array<Step, 4> k8x1024 = {{{2, 128}, {2, 16}, {0, 1}, {2, 1}}};
  if (rows == 64 && cols == 128) return k64x128;
  if (rows == 32 && cols == 256) return k32x256;
  if (rows == 16 && cols == 512) return k16x512;
  if (rows == 8 && cols == 1024) return k8x1024;
  return {};
}

bool has_group_tree(const TileOperands& op) {
  // tile_view has turned the column-major destination: one valid column has become one row.
  return op.instr.size() == 3 && op.src0.elem == Elem::f32 && op.dst.rows == 1 &&
         op.dst.cols == op.src0.rows && op.src0.rows > 1 && op.src0.contiguous() &&
         !group_tree(op.src0.rows, op.src0.cols).empty();
}

/// `a` combined with `b`, row by row as repeats, as many at once as a repeat counter takes in count mode.
void combine(const VectorInstr& vop, const TileView& src, uint64_t a, uint64_t a_pitch, uint64_t b,
             uint64_t bytes, VectorTimeline& time) {
  const RepeatAccess first{a, a_pitch, bytes}, other{b, src.pitch(), bytes};
  const uint64_t conflicts = vop.conflict ? bank_conflicts(time.config().banks, first, other, src.rows) : 0;
  time.issue(vop, src.rows, conflicts);
  time.barrier();
}

/// instr: combine (vadd), reduce (vcadd), reduce groups (vcgadd).
void row_reduce(const TileOperands& op, VectorTimeline& time) {
  const TileView& src = op.src0;
  if (src.rows == 0 || src.cols == 0) return;
  if (has_group_tree(op)) {
    for (const Step step : group_tree(src.rows, src.cols)) {
      time.issue(instr(op, step.instr), step.repeats);
      time.barrier();
    }
    return;
  }
  const uint64_t per_repeat = lanes(src.elem_bytes);
  const uint64_t chunks = src.cols / per_repeat;
  const uint64_t tail = src.cols % per_repeat;
  const VectorInstr& vop = instr(op, 0);
  const VectorInstr& reduce = instr(op, 1);
  time.region(chunks == 0 ? kUnderMask : kCountMode);
  if (tail != 0) time.spend(time.config().mask_switch);
  const TileView& tmp = op.src1;  // its rows keep their own distance
  if (chunks == 1 && tail != 0) {
    time.spend(src.rows);  // first chunk to the temporary, one repeat-sized burst per row
    combine(vop, src, tmp.addr, tmp.pitch(), src.addr + 256, tail * src.elem_bytes, time);
  }
  if (chunks >= 2) {
    combine(vop, src, src.addr, src.pitch(), src.addr + 256, 256, time);
    if (tail != 0)
      combine(vop, src, tmp.addr, tmp.pitch(), src.addr + chunks * 256, tail * src.elem_bytes, time);
    for (uint64_t chunk = 2; chunk < chunks; ++chunk)
      combine(vop, src, tmp.addr, tmp.pitch(), src.addr + chunk * 256, 256, time);
  }
  for (uint64_t row = 0; row < src.rows; row += time.config().max_repeats) {
    time.issue(reduce, std::min<uint64_t>(time.config().max_repeats, src.rows - row));
  }
  time.barrier();
}

/// UB to UB copy of `bursts` bursts of `bytes`.
void copy(uint64_t bursts, uint64_t bytes, VectorTimeline& time) {
  time.spend(bursts * (time.config().copy_burst + ceil_div(bytes, 32) * time.config().copy_block));
}

/// Pairs of rows are combined level by level, each pair in count mode; within a level nothing waits. A row
/// that is left over is added to the first one of the level.
void col_reduce_tree(const TileOperands& op, uint64_t repeats, VectorTimeline& time) {
  const VectorInstr& vop = instr(op, 0);
  const uint64_t pitch = op.src0.pitch();
  const auto add = [&](uint64_t first, uint64_t second) {
    const RepeatAccess a{op.src0.addr + first * pitch, 256, std::min<uint64_t>(256, op.src0.row_bytes())};
    const RepeatAccess b{op.src0.addr + second * pitch, 256, a.bytes};
    time.issue(vop, repeats, vop.conflict ? bank_conflicts(time.config().banks, a, b, repeats) : 0,
               time.config().count_issue);
  };
  for (uint64_t rows = op.src0.rows; rows > 1; rows /= 2) {
    for (uint64_t pair = 0; pair < rows / 2; ++pair) add(2 * pair, 2 * pair + 1);
    time.barrier();
    if (rows % 2 == 0) continue;
    add(0, rows - 1);
    time.barrier();
  }
  copy(1, op.src0.row_bytes(), time);
}

/// Every further row, `bytes` of it from `offset` on, combined with the destination by one instruction and
/// waited for. Its last repeat may be a part.
void combine_rows(const TileOperands& op, uint64_t offset, uint64_t bytes, VectorTimeline& time) {
  const TileView& src = op.src0;
  const VectorInstr& vop = instr(op, 0);
  const BankGeometry& banks = time.config().banks;
  const uint64_t whole = bytes / 256;
  const uint64_t left = bytes % 256;
  for (uint64_t row = 1; row < src.rows; ++row) {
    const uint64_t into = op.dst.addr + offset;
    const uint64_t from = src.addr + row * src.pitch() + offset;
    uint64_t conflicts = 0;
    if (vop.conflict != 0) {
      conflicts = bank_conflicts(banks, {into, 256, 256}, {from, 256, 256}, whole);
      if (left != 0)
        conflicts += bank_conflicts(banks, {into + whole * 256, 0, left}, {from + whole * 256, 0, left}, 1);
    }
    time.issue(vop, whole + (left != 0), conflicts);
    time.barrier();
  }
}

/// Row 0 is copied, then all rows are combined over their whole repeats in count mode, and once more over
/// what is left, under a mask.
void col_reduce(const TileOperands& op, VectorTimeline& time) {
  const TileView& src = op.src0;
  if (src.rows == 0 || src.cols == 0) return;
  copy(1, src.row_bytes(), time);
  if (src.rows == 1) return;
  const uint64_t whole = src.row_bytes() / 256 * 256;
  const uint64_t left = src.row_bytes() % 256;
  time.region(whole != 0 ? kCountMode : kUnderMask);
  if (whole != 0) combine_rows(op, 0, whole, time);
  if (left != 0) combine_rows(op, whole, left, time);
}

/// The same, but what is left of a row is part of the one run in count mode.
void col_sum(const TileOperands& op, VectorTimeline& time) {
  const TileView& src = op.src0;
  if (src.rows == 0 || src.cols == 0) return;
  if (src.rows > 1) time.region(kCountMode);
  if (op.tree && src.rows > 1) return col_reduce_tree(op, ceil_div(src.row_bytes(), 256), time);
  copy(1, src.row_bytes(), time);
  combine_rows(op, 0, src.row_bytes(), time);
}

// ---- broadcasts

/// The scalar unit reads one element per row, then the row is filled.
void row_expand(const TileOperands& op, VectorTimeline& time) {
  const VectorInstr& dup = instr(op, 0, op.dst.elem);
  const uint64_t repeats = ceil_div(op.dst.cols, lanes(op.dst.elem_bytes));
  time.region(kCountMode);
  for (uint32_t r = 0; r < op.dst.rows; ++r) time.spend(time.config().scalar_round + repeats * dup.cycles);
  time.issue_latency(dup.latency);
}

/// One value per row spread over a block, then row by row with a fixed block (vbrcb, vop...).
void row_expand_op(const TileOperands& op, VectorTimeline& time) {
  time.issue(instr(op, 0), ceil_div(op.dst.rows, 8));
  for (size_t i = 1; i < op.instr.size(); ++i) {
    time.barrier();
    TileView src = op.src0;
    src.rows = op.dst.rows;
    src.cols = op.dst.cols;
    walk_rows_as_repeats(instr(op, i), src, op.has_src1 ? &op.src1 : nullptr, 32, time);
  }
}

void col_expand(const TileOperands& op, VectorTimeline& time) { copy(op.dst.rows, op.dst.row_bytes(), time); }

/// One row against every row.
void col_expand_op(const TileOperands& op, VectorTimeline& time) {
  TileView src = op.src0;
  src.rows = op.dst.rows;
  src.cols = op.dst.cols;
  for (size_t i = 0; i < op.instr.size(); ++i) {
    if (i > 0) time.barrier();
    walk_rows_as_repeats(instr(op, i), src, op.has_src1 ? &op.src1 : nullptr, 0, time);
  }
}

/// One instruction per row.
void fill_rows(const TileOperands& op, VectorTimeline& time) {
  const uint64_t repeats = ceil_div(op.dst.cols, lanes(op.dst.elem_bytes));
  time.region(kCountMode);
  for (uint32_t r = 0; r < op.dst.rows; ++r) time.issue(instr(op, 0, op.dst.elem), repeats);
}

/// A scalar into every row; into a tile whose type says that it is one run of memory at once.
void fill(const TileOperands& op, VectorTimeline& time) {
  if (op.dst.rows > 1 && !(op.dst.fixed && op.dst.contiguous())) return fill_rows(op, time);
  TileOperands run = op;
  run.dst.cols *= run.dst.rows;
  run.dst.rows = 1;
  fill_rows(run, time);
}

/// The source's region copied, the rest of the destination filled: instr copy, fill.
void fill_pad(const TileOperands& op, VectorTimeline& time) {
  if (op.src0.addr != op.dst.addr) walk(instr(op, 0), op.src0, op.src0, nullptr, kSpreadWalk, time);
  const VectorInstr& dup = instr(op, 1, op.dst.elem);
  const uint32_t rows = std::min(op.src0.rows, op.dst.rows);
  const uint32_t cols = std::min(op.src0.cols, op.dst.cols);
  TileView right = op.dst, below = op.dst;
  right.rows = rows;
  right.cols = op.dst.cols - cols;
  below.rows = op.dst.rows - rows;
  walk(dup, right, right, nullptr, kSpreadWalk, time);
  walk(dup, below, below, nullptr, kSpreadWalk, time);
}

// ---- rearrangement

/// Blocks of 32 bytes by 16 rows through the transposing instruction, bytes by 32 rows in four quarters, then
/// one copy back.
void transpose(const TileOperands& op, VectorTimeline& time) {
  const bool bytes = op.src0.elem_bytes == 1;
  const uint64_t blocks = ceil_div(op.src0.row_bytes(), 32);
  const uint64_t repeats = ceil_div(op.src0.rows, bytes ? 32 : 16);
  for (uint64_t i = 0; i < blocks * (bytes ? 4 : 1); ++i) time.issue(instr(op, 0), repeats);
  time.barrier();
  time.issue(instr(op, 1), ceil_div(uint64_t{op.src0.rows} * op.src0.row_bytes(), 256));
}

/// Per row and 32 elements one sorting step.
void sort_rows(const TileOperands& op, VectorTimeline& time) {
  for (uint32_t r = 0; r < op.src0.rows; ++r) {
    time.issue(instr(op, 0), ceil_div(op.src0.cols, 32));
    time.barrier();
  }
}

/// Sorted lists of 8-byte records, 16 a repeat. Several lists are merged into the scratch tile and copied
/// back.
void merge_sort(const TileOperands& op, VectorTimeline& time) {
  constexpr uint64_t kRecord = 8, kPerRepeat = 16;
  const TileView& all = op.lists > 1 ? op.dst : op.src0;
  const uint64_t bytes = uint64_t{all.rows} * all.row_bytes();
  time.issue(instr(op, 0), ceil_div(bytes, kPerRepeat * kRecord));
  if (op.lists < 2) return;
  time.barrier();
  copy(1, bytes, time);
}

/// Per row: indices to byte offsets, wait, gather. By a mask pattern: one instruction over all of the source.
void gather_rows(const TileOperands& op, VectorTimeline& time) {
  const uint64_t repeats = ceil_div(op.dst.cols, lanes(op.dst.elem_bytes));
  time.region(kCountMode);
  if (op.by_mask) {
    const uint64_t bytes = uint64_t{op.src0.rows} * op.src0.row_bytes();
    return time.issue(instr(op, 2, op.dst.elem), ceil_div(bytes, 256));
  }
  for (uint32_t r = 0; r < op.dst.rows; ++r) {
    time.issue(instr(op, 0, Elem::i32), ceil_div(op.dst.cols, lanes(4)));
    time.barrier();
    time.issue(instr(op, 1, op.dst.elem), repeats);
  }
}

constexpr std::array<TileModelEntry, 24> kModels = {{
    {"unary", 1, unary},
    {"binary", 1, binary},
    {"scalar", 1, scalar},
    {"spread_then_binary", 2, spread_then_binary},
    {"chain", 0, chain},
    {"chain_by_row", 0, chain_by_row},
    {"convert", 1, convert},
    {"per_row", 1, per_row},
    {"select", 2, select},
    {"select_scalar", 1, select_scalar},
    {"row_reduce", 3, row_reduce},
    {"col_reduce", 1, col_reduce},
    {"col_sum", 1, col_sum},
    {"row_expand", 1, row_expand},
    {"row_expand_op", 0, row_expand_op},
    {"col_expand", 0, col_expand},
    {"col_expand_op", 0, col_expand_op},
    {"fill", 1, fill},
    {"fill_rows", 1, fill_rows},
    {"fill_pad", 2, fill_pad},
    {"transpose", 2, transpose},
    {"sort_rows", 1, sort_rows},
    {"merge_sort", 1, merge_sort},
    {"gather_rows", 3, gather_rows},
}};

}  // namespace

const TileModelEntry* find_tile_model(std::string_view name) {
  for (const TileModelEntry& entry : kModels) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

const VectorInstr* instruction_for(const VectorInstrSet& set, Elem elem) {
  return &set.by_elem[static_cast<size_t>(elem)];
}

TileView tile_view(const decode::ValueRef& ref, const decode::Word* frame) {
  const auto& tile = *reinterpret_cast<const decode::TileDesc*>(frame + ref.offset);
  const Type& type = *ref.type;
  TileView view{tile.addr,         tile.valid_rows,
                tile.valid_cols,   tile.storage_rows,
                tile.storage_cols, std::max(1u, byte_width(type.elem)),
                type.elem,         type.valid[1] == type.dims[1]};
  if (type.blayout == BLayout::col_major) {
    std::swap(view.rows, view.cols);
    std::swap(view.stored_rows, view.stored_cols);
    view.fixed = type.valid[0] == type.dims[0];
  }
  return view;
}

}  // namespace pto::timing
