// Shapes of reductions, broadcasts and partial operations (E0354, E0355, E0357).
#include <fmt/format.h>

#include "verify/checker.hpp"

namespace pto::legality {
namespace {

bool differ(int64_t a, int64_t b) { return a != kDynamic && b != kDynamic && a != b; }
bool exceeds(int64_t a, int64_t b) { return a != kDynamic && b != kDynamic && a > b; }
std::string dim(int64_t value) { return value == kDynamic ? "?" : fmt::format("{}", value); }
std::string region(const Type& type) { return fmt::format("{}x{}", dim(type.valid[0]), dim(type.valid[1])); }

const Type& tile(const OpView& op, std::string_view name) { return op.type(static_cast<unsigned>(slot_of(op, name))); }
unsigned anchor(const OpView& op, std::string_view name) { return flat_index(op, static_cast<unsigned>(slot_of(op, name))); }

void row_reduce(Checker& check, const OpView& op, std::string_view) {
  const Type& src = tile(op, "src");
  const Type& dst = tile(op, "dst");
  if (src.valid[0] == 0 || src.valid[1] == 0) {
    check.fail("E0354", op, Anchor::Part::operand_type, anchor(op, "src"), fmt::format("{} of an empty tile ({})", op.mnemonic(), region(src)),
               "give src at least one valid row and column");
  } else if (differ(src.valid[0], dst.valid[0])) {
    check.fail("E0354", op, Anchor::Part::operand_type, anchor(op, "dst"),
               fmt::format("{} gives one value per row: src has {} valid rows, dst {}", op.mnemonic(), dim(src.valid[0]), dim(dst.valid[0])),
               "give dst as many valid rows as src");
  }
}

void col_reduce(Checker& check, const OpView& op, std::string_view) {
  const Type& src = tile(op, "src");
  const Type& dst = tile(op, "dst");
  if (src.valid[0] == 0 || src.valid[1] == 0) {
    check.fail("E0354", op, Anchor::Part::operand_type, anchor(op, "src"), fmt::format("{} of an empty tile ({})", op.mnemonic(), region(src)),
               "give src at least one valid row and column");
  } else if (differ(src.valid[1], dst.valid[1])) {
    check.fail("E0354", op, Anchor::Part::operand_type, anchor(op, "dst"),
               fmt::format("{} gives one value per column: src has {} valid columns, dst {}", op.mnemonic(), dim(src.valid[1]), dim(dst.valid[1])),
               "give dst as many valid columns as src");
  }
}

void row_expand(Checker& check, const OpView& op, std::string_view) {
  const Type& src = tile(op, "src");
  const Type& dst = tile(op, "dst");
  if (!differ(src.valid[0], dst.valid[0])) return;
  check.fail("E0355", op, Anchor::Part::operand_type, anchor(op, "dst"),
             fmt::format("{} repeats each row's value: src has {} valid rows, dst {}", op.mnemonic(), dim(src.valid[0]), dim(dst.valid[0])),
             "give both tiles the same valid rows");
}

void col_expand(Checker& check, const OpView& op, std::string_view) {
  const Type& src = tile(op, "src");
  const Type& dst = tile(op, "dst");
  if (!differ(src.valid[1], dst.valid[1])) return;
  check.fail("E0355", op, Anchor::Part::operand_type, anchor(op, "dst"),
             fmt::format("{} repeats row 0: src has {} valid columns, dst {}", op.mnemonic(), dim(src.valid[1]), dim(dst.valid[1])),
             "give both tiles the same valid columns");
}

bool same_region(const Type& a, const Type& b) { return !differ(a.valid[0], b.valid[0]) && !differ(a.valid[1], b.valid[1]); }

/// One source has dst's region, the other one column (col_major), or 32 bytes per row (row_major).
void row_expand_op(Checker& check, const OpView& op, std::string_view) {
  const Type& src0 = tile(op, "src0");
  const Type& src1 = tile(op, "src1");
  const Type& dst = tile(op, "dst");
  const bool full0 = same_region(src0, dst), full1 = same_region(src1, dst);
  const Type& narrow = full0 ? src1 : src0;
  if (!full0 && !full1) {
    check.fail("E0355", op, Anchor::Part::operand_type, anchor(op, "src0"),
               fmt::format("one source of {} must have the valid region of dst: src0 is {}, src1 is {}, dst is {}", op.mnemonic(), region(src0),
                           region(src1), region(dst)),
               "broadcast only one of both");
  } else if (differ(narrow.valid[0], dst.valid[0])) {
    check.fail("E0355", op, Anchor::Part::operand_type, anchor(op, full0 ? "src1" : "src0"),
               fmt::format("the broadcast source of {} has {} valid rows, dst has {}", op.mnemonic(), dim(narrow.valid[0]), dim(dst.valid[0])),
               "one value per row of dst is needed");
  }
}

void col_expand_op(Checker& check, const OpView& op, std::string_view) {
  const Type& src0 = tile(op, "src0");
  const Type& src1 = tile(op, "src1");
  const Type& dst = tile(op, "dst");
  if (!same_region(src0, dst)) {
    check.fail("E0355", op, Anchor::Part::operand_type, anchor(op, "src0"),
               fmt::format("src0 of {} must have the valid region of dst: {} and {}", op.mnemonic(), region(src0), region(dst)),
               "src1 is the broadcast source");
  } else if (differ(src1.valid[1], dst.valid[1])) {
    check.fail("E0355", op, Anchor::Part::operand_type, anchor(op, "src1"),
               fmt::format("src1 of {} has {} valid columns, dst has {}", op.mnemonic(), dim(src1.valid[1]), dim(dst.valid[1])),
               "one value per column of dst is needed");
  }
}

bool unknown(const Type& type) { return type.valid[0] == kDynamic || type.valid[1] == kDynamic; }
bool exceeds_region(const Type& a, const Type& b) { return exceeds(a.valid[0], b.valid[0]) || exceeds(a.valid[1], b.valid[1]); }
bool equal_region(const Type& a, const Type& b) { return a.valid == b.valid; }

/// One source equals dst's valid region, the other does not exceed it (TPARTMUL page, constraints).
void part_valid(Checker& check, const OpView& op, std::string_view) {
  const Type& src0 = tile(op, "src0");
  const Type& src1 = tile(op, "src1");
  const Type& dst = tile(op, "dst");
  if (unknown(src0) || unknown(src1) || unknown(dst) || dst.valid[0] == 0 || dst.valid[1] == 0) return;
  for (const std::string_view name : {std::string_view("src0"), std::string_view("src1")}) {
    if (!exceeds_region(tile(op, name), dst)) continue;
    check.fail("E0357", op, Anchor::Part::operand_type, anchor(op, name),
               fmt::format("valid region of '{}' ({}) exceeds that of dst ({}) in {}", name, region(tile(op, name)), region(dst), op.mnemonic()),
               "the sources may be smaller than dst, not larger");
    return;
  }
  if (equal_region(src0, dst) || equal_region(src1, dst)) return;
  // The A5 tile library fills dst first and so defines these two for any pair (PTOAS lib/TileOps/tpartmax_template.py).
  if (check.target() == Target::a5 && (op.mnemonic() == "pto.tpartmax" || op.mnemonic() == "pto.tpartmin")) return;
  check.fail("E0357", op, Anchor::Part::operand_type, anchor(op, "dst"),
             fmt::format("at least one source of {} must be valid on all of dst ({}): src0 is {}, src1 is {}", op.mnemonic(), region(dst),
                         region(src0), region(src1)),
             "elements that neither source defines are undefined");
}

constexpr OpRule kRules[] = {
    {"row_reduce", Sees::types, row_reduce},       {"col_reduce", Sees::types, col_reduce},
    {"row_expand", Sees::types, row_expand},       {"col_expand", Sees::types, col_expand},
    {"row_expand_op", Sees::types, row_expand_op}, {"col_expand_op", Sees::types, col_expand_op},
    {"part_valid", Sees::types, part_valid},
};

}  // namespace

std::span<const OpRule> reduction_rules() { return kRules; }

}  // namespace pto::legality
