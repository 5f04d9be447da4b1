// Shapes of reductions, broadcasts and partial operations (E0354, E0355, E0357).
#include <fmt/format.h>

#include "verify/tile_rules.hpp"

namespace pto::legality {
namespace {

std::string dim(int64_t value) { return value == kDynamic ? "?" : fmt::format("{}", value); }
std::string region(const Type& type) { return valid_region(type); }

const Type& tile(const OpView& op, std::string_view name) {
  return op.type(static_cast<unsigned>(slot_of(op, name)));
}
unsigned anchor(const OpView& op, std::string_view name) {
  return flat_index(op, static_cast<unsigned>(slot_of(op, name)));
}

/// Reductions into 0x0 do nothing; those that give positions always have some.
bool empty_marker(const Type& dst) { return dst.valid[0] == 0 && dst.valid[1] == 0; }
bool gives_positions(const OpView& op) {
  return signless(tile(op, "src").elem) != signless(tile(op, "dst").elem);
}

/// A reduction that is not of the empty marker has a source.
bool nothing_to_reduce(Checker& check, const OpView& op, const Type& src, const Type& dst) {
  if (src.valid[0] != 0 && src.valid[1] != 0) return false;
  if (empty_marker(dst) && !gives_positions(op)) return false;
  check.fail(E0354, op, Anchor::Part::operand_type, anchor(op, "src"),
             fmt::format("{} of an empty tile ({})", op.mnemonic(), region(src)),
             "give src at least one valid row and column, or leave dst empty (valid=0x0)");
  return true;
}

void row_reduce(Checker& check, const OpView& op, std::string_view) {
  const Type& src = tile(op, "src");
  const Type& dst = tile(op, "dst");
  if (nothing_to_reduce(check, op, src, dst) || !differ(src.valid[0], dst.valid[0]) || empty_marker(dst))
    return;
  check.fail(E0354, op, Anchor::Part::operand_type, anchor(op, "dst"),
             fmt::format("{} gives one value per row: src has {} valid rows, dst {}", op.mnemonic(),
                         dim(src.valid[0]), dim(dst.valid[0])),
             "give dst as many valid rows as src");
}

/// The results of a row reduction: a column, or the first column of a row_major tile.
void column_out(Checker& check, const OpView& op, std::string_view name) {
  const TileOperand dst = tile_of(op, name);
  if (empty_marker(*dst.type)) return;
  if (differ(dst.type->valid[1], 1)) {
    fail_at(check, E0354, op, dst,
            fmt::format("{} gives one value per row: {} has {} valid columns", op.mnemonic(), label(op, dst),
                        dst.type->valid[1]),
            "give it one valid column");
  } else if (is_dn(*dst.type) && differ(dst.type->cols(), 1)) {
    fail_at(check, E0354, op, dst,
            fmt::format("{} into a col_major tile of {} columns ({})", op.mnemonic(), dst.type->cols(),
                        label(op, dst)),
            "use one column, or a row_major tile");
  }
}

void row_out(Checker& check, const OpView& op, std::string_view name) {
  const TileOperand dst = tile_of(op, name);
  if (!differ(dst.type->valid[0], 1) || empty_marker(*dst.type)) return;
  fail_at(check, E0354, op, dst,
          fmt::format("{} gives one value per column: {} has {} valid rows", op.mnemonic(), label(op, dst),
                      dst.type->valid[0]),
          "give it one valid row");
}

void col_reduce(Checker& check, const OpView& op, std::string_view) {
  const Type& src = tile(op, "src");
  const Type& dst = tile(op, "dst");
  if (nothing_to_reduce(check, op, src, dst) || !differ(src.valid[1], dst.valid[1]) || empty_marker(dst))
    return;
  check.fail(E0354, op, Anchor::Part::operand_type, anchor(op, "dst"),
             fmt::format("{} gives one value per column: src has {} valid columns, dst {}", op.mnemonic(),
                         dim(src.valid[1]), dim(dst.valid[1])),
             "give dst as many valid columns as src");
}

/// Nothing is done for it: how one of two vector cores skips a step.
bool no_elements(const Type& dst) { return dst.valid[0] == 0 && dst.valid[1] == 0; }

void row_expand(Checker& check, const OpView& op, std::string_view) {
  const Type& src = tile(op, "src");
  const Type& dst = tile(op, "dst");
  if (no_elements(dst)) return;
  for (const std::string_view name : {"src", "dst"}) {
    const Type& type = tile(op, name);
    if (type.valid[0] != 0 && type.valid[1] != 0) continue;
    check.fail(E0355, op, Anchor::Part::operand_type, anchor(op, name),
               fmt::format("{}: {} is valid={}; only a destination of 0x0 is skipped", op.mnemonic(), name,
                           extents(type.valid[0], type.valid[1])),
               "give it rows and columns, or make dst valid=0x0");
    return;
  }
  if (!differ(src.valid[0], dst.valid[0])) return;
  check.fail(E0355, op, Anchor::Part::operand_type, anchor(op, "dst"),
             fmt::format("{} repeats each row's value: src has {} valid rows, dst {}", op.mnemonic(),
                         dim(src.valid[0]), dim(dst.valid[0])),
             "give both tiles the same valid rows");
}

void col_expand(Checker& check, const OpView& op, std::string_view) {
  const Type& src = tile(op, "src");
  const Type& dst = tile(op, "dst");
  if (!differ(src.valid[1], dst.valid[1])) return;
  check.fail(E0355, op, Anchor::Part::operand_type, anchor(op, "dst"),
             fmt::format("{} repeats row 0: src has {} valid columns, dst {}", op.mnemonic(),
                         dim(src.valid[1]), dim(dst.valid[1])),
             "give both tiles the same valid columns");
}

bool same_region(const Type& a, const Type& b) {
  return !differ(a.valid[0], b.valid[0]) && !differ(a.valid[1], b.valid[1]);
}

/// One source has dst's region, the other one column (col_major), or 32 bytes per row (row_major).
void row_expand_op(Checker& check, const OpView& op, std::string_view) {
  const Type& src0 = tile(op, "src0");
  const Type& src1 = tile(op, "src1");
  const Type& dst = tile(op, "dst");
  const bool full0 = same_region(src0, dst);
  const bool full1 = same_region(src1, dst);
  const Type& narrow = full0 ? src1 : src0;
  if (!full0 && !full1) {
    check.fail(
        E0355, op, Anchor::Part::operand_type, anchor(op, "src0"),
        fmt::format("one source of {} must have the valid region of dst: src0 is {}, src1 is {}, dst is {}",
                    op.mnemonic(), region(src0), region(src1), region(dst)),
        "broadcast only one of both");
  } else if (differ(narrow.valid[0], dst.valid[0])) {
    check.fail(E0355, op, Anchor::Part::operand_type, anchor(op, full0 ? "src1" : "src0"),
               fmt::format("the broadcast source of {} has {} valid rows, dst has {}", op.mnemonic(),
                           dim(narrow.valid[0]), dim(dst.valid[0])),
               "one value per row of dst is needed");
  }
}

/// The broadcast source in detail: one column (col_major), or 32 bytes per row (row_major).
bool broadcasts(const Type& narrow, const Type& dst) {
  if (differ(narrow.valid[0], dst.valid[0])) return false;
  return !differ(narrow.valid[1], is_nd(narrow) ? 32 / std::max<int64_t>(byte_width(narrow.elem), 1) : 1);
}

void broadcast_columns(Checker& check, const OpView& op, std::string_view names) {
  const TileOperand dst = tile_of(op, "dst");
  if (no_elements(*dst.type)) return;
  const std::vector<TileOperand> sources = tiles_of(op, names);
  const auto fits = [&](size_t full, size_t narrow) {
    return same_region(*sources[full].type, *dst.type) && is_nd(*sources[full].type) &&
           broadcasts(*sources[narrow].type, *dst.type);
  };
  const bool only_second = names == "src1";
  // With a scratch tile A2/A3 spreads the values itself.
  const TileOperand tmp = tile_of(op, "tmp");
  for (const TileOperand& source : sources) {
    if (tmp.type == nullptr || check.target() != Target::a2a3 || !is_nd(*source.type) ||
        same_region(*source.type, *dst.type))
      continue;
    return fail_pair(
        check, E0355, op, tmp, source,
        fmt::format(
            "{} with a scratch tile ({}) takes one value per row in a col_major column; {} is row_major",
            op.mnemonic(), label(op, tmp), label(op, source)),
        "use a col_major tile of one column, or leave tmp out");
  }
  if (only_second ? broadcasts(*sources[0].type, *dst.type) : fits(0, 1) || fits(1, 0)) return;
  const TileOperand& narrow =
      only_second || !same_region(*sources[0].type, *dst.type) ? sources[0] : sources[1];
  fail_pair(check, E0355, op, dst, narrow,
            fmt::format("{}: {} is {} with valid={}; it holds one value per row of {}: {} valid columns if "
                        "row_major, 1 if col_major",
                        op.mnemonic(), label(op, narrow), is_nd(*narrow.type) ? "row_major" : "col_major",
                        valid_region(*narrow.type), label(op, dst),
                        32 / std::max<uint32_t>(byte_width(narrow.type->elem), 1)),
            "repeat the value over 32 bytes per row, or use a col_major tile of one column");
}

void col_expand_op(Checker& check, const OpView& op, std::string_view) {
  const Type& src0 = tile(op, "src0");
  const Type& src1 = tile(op, "src1");
  const Type& dst = tile(op, "dst");
  if (!same_region(src0, dst)) {
    check.fail(E0355, op, Anchor::Part::operand_type, anchor(op, "src0"),
               fmt::format("src0 of {} must have the valid region of dst: {} and {}", op.mnemonic(),
                           region(src0), region(dst)),
               "src1 is the broadcast source");
  } else if (differ(src1.valid[1], dst.valid[1])) {
    check.fail(E0355, op, Anchor::Part::operand_type, anchor(op, "src1"),
               fmt::format("src1 of {} has {} valid columns, dst has {}", op.mnemonic(), dim(src1.valid[1]),
                           dim(dst.valid[1])),
               "one value per column of dst is needed");
  }
}

bool unknown(const Type& type) { return type.valid[0] == kDynamic || type.valid[1] == kDynamic; }
bool exceeds_region(const Type& a, const Type& b) {
  return exceeds(a.valid[0], b.valid[0]) || exceeds(a.valid[1], b.valid[1]);
}
bool equal_region(const Type& a, const Type& b) { return a.valid == b.valid; }

/// One source equals dst's valid region, the other does not exceed it (TPARTMUL page, constraints).
void part_valid(Checker& check, const OpView& op, std::string_view what) {
  const Type& src0 = tile(op, "src0");
  const Type& src1 = tile(op, "src1");
  const Type& dst = tile(op, "dst");
  if (unknown(src0) || unknown(src1) || unknown(dst) || dst.valid[0] == 0 || dst.valid[1] == 0) return;
  for (const std::string_view name : {std::string_view("src0"), std::string_view("src1")}) {
    if (!exceeds_region(tile(op, name), dst)) continue;
    check.fail(E0357, op, Anchor::Part::operand_type, anchor(op, name),
               fmt::format("valid region of '{}' ({}) exceeds that of dst ({}) in {}", name,
                           region(tile(op, name)), region(dst), op.mnemonic()),
               "the sources may be smaller than dst, not larger");
    return;
  }
  if (equal_region(src0, dst) || equal_region(src1, dst)) return;
  // The A5 tile library fills dst first and so defines these two for any pair (PTOAS
  // lib/TileOps/tpartmax_template.py).
  if (check.target() == Target::a5 && what == "filled_on_a5") return;
  check.fail(E0357, op, Anchor::Part::operand_type, anchor(op, "dst"),
             fmt::format("at least one source of {} must be valid on all of dst ({}): src0 is {}, src1 is {}",
                         op.mnemonic(), region(dst), region(src0), region(src1)),
             "elements that neither source defines are undefined");
}

/// The columns of both sources are side by side in dst.
void concat_columns(Checker& check, const OpView& op, std::string_view) {
  const TileOperand a = tile_of(op, "src0");
  const TileOperand b = tile_of(op, "src1");
  const TileOperand dst = tile_of(op, "dst");
  const int64_t left = a.type->valid[1];
  const int64_t right = b.type->valid[1];
  if (left == kDynamic || right == kDynamic || left + right <= dst.type->cols()) return;
  fail_pair(check, E0353, op, b, dst,
            fmt::format("{}: {} and {} have {} + {} valid columns, {} holds {}", op.mnemonic(), label(op, a),
                        label(op, b), left, right, label(op, dst), dst.type->cols()),
            "enlarge dst");
}

constexpr Rule kReductionRules[] = {
    {.id = E0354,
     .title = "reduction shape",
     .cause = "The destination does not hold one value per row or column of the source, or the source is "
              "empty.",
     .example = "pto.trowsum of 16 rows into 8",
     .fix = "Give dst the source's rows (row reductions) or columns (column reductions)."},
    {.id = E0355,
     .title = "broadcast shape",
     .cause = "No source has the destination's region, or the broadcast source does not fit it.",
     .example = "pto.trowexpandadd with 8 values for 16 rows",
     .fix = "One source has dst's region; the other one value per row or column."},
    {.id = E0357,
     .title = "partial operation",
     .cause = "One source must be valid on all of dst, the other not beyond it.",
     .example = "pto.tpartmul with two sources smaller than dst",
     .fix = "Enlarge a source, or shrink dst's valid region."},
};

constexpr OpRule kReductionChecks[] = {
    {.name = "row_reduce",
     .check = row_reduce,
     .sees = Sees::types,
     .ids = {E0354},
     .words = "the source is not empty, the destination has its rows"},
    {.name = "col_reduce",
     .check = col_reduce,
     .sees = Sees::types,
     .ids = {E0354},
     .words = "the source is not empty, the destination has its columns"},
    {.name = "row_expand",
     .check = row_expand,
     .sees = Sees::types,
     .ids = {E0355},
     .words = "source and destination have the same valid rows"},
    {.name = "col_expand",
     .check = col_expand,
     .sees = Sees::types,
     .ids = {E0355},
     .words = "source and destination have the same valid columns"},
    {.name = "row_expand_op",
     .check = row_expand_op,
     .sees = Sees::types,
     .ids = {E0355},
     .words = "one source has the destination's valid region, the other one value or 32 bytes per row"},
    {.name = "col_expand_op",
     .check = col_expand_op,
     .sees = Sees::types,
     .ids = {E0355},
     .words = "one source has the destination's valid region, the other one row"},
    {.name = "part_valid",
     .check = part_valid,
     .sees = Sees::types,
     .ids = {E0357},
     .words = "one source is valid on all of the destination, the other not beyond it"},
    {.name = "column_out",
     .check = column_out,
     .sees = Sees::types,
     .ids = {E0354},
     .words = "one column, or the first column of a row_major tile: $"},
    {.name = "row_out", .check = row_out, .sees = Sees::types, .ids = {E0354}, .words = "one valid row: $"},
    {.name = "broadcast_columns",
     .check = broadcast_columns,
     .sees = Sees::types,
     .ids = {E0355},
     .words = "one value per row of the destination: $"},
    {.name = "concat_columns",
     .check = concat_columns,
     .sees = Sees::types,
     .ids = {E0353},
     .words = "the destination holds the columns of both sources"},
};

}  // namespace

RuleFamily reduction_rules() { return {.rules = kReductionRules, .checks = kReductionChecks}; }

}  // namespace pto::legality
