// Scratch tiles (E0371): requirements on a given tmp operand. The operand is optional.
#include <fmt/format.h>

#include <algorithm>

#include "support/rounding.hpp"
#include "verify/tile_rules.hpp"

namespace pto::legality {
namespace {

/// Calls check(tmp, other) when both the scratch tile and the named operand are given.
template <typename Each>
void with_tmp(const OpView& op, std::string_view name, Each each) {
  const TileOperand tmp = tile_of(op, "tmp");
  const TileOperand other = tile_of(op, name);
  if (tmp.type != nullptr && other.type != nullptr) each(tmp, other);
}

void tmp_elem(Checker& check, const OpView& op, std::string_view name) {
  with_tmp(op, name, [&](const TileOperand& tmp, const TileOperand& other) {
    if (signless(tmp.type->elem) == signless(other.type->elem)) return;
    fail_pair(
        check, E0371, op, other, tmp,
        fmt::format("{}: {} holds {}, {} holds {}; the scratch tile must hold the same", op.mnemonic(),
                    label(op, tmp), to_string(tmp.type->elem), label(op, other), to_string(other.type->elem)),
        Fix::use(to_string(other.type->elem)));
  });
}

void tmp_valid(Checker& check, const OpView& op, std::string_view name) {
  with_tmp(op, name, [&](const TileOperand& tmp, const TileOperand& other) {
    if (!differ(tmp.type->valid[0], other.type->valid[0]) &&
        !differ(tmp.type->valid[1], other.type->valid[1]))
      return;
    fail_pair(
        check, E0371, op, other, tmp,
        fmt::format("{}: {} has valid={}, {} has valid={}; they must be equal", op.mnemonic(), label(op, tmp),
                    valid_region(*tmp.type), label(op, other), valid_region(*other.type)),
        fmt::format("give tmp the valid region of {}", other.name));
  });
}

/// At least one valid row, and the columns of the named operand.
void tmp_covers(Checker& check, const OpView& op, std::string_view name) {
  with_tmp(op, name, [&](const TileOperand& tmp, const TileOperand& other) {
    if (!below(tmp.type->valid[0], 1) && !exceeds(other.type->valid[1], tmp.type->valid[1])) return;
    fail_pair(
        check, E0371, op, other, tmp,
        fmt::format("{}: {} has valid={}, it must cover a row of {} with {} valid columns", op.mnemonic(),
                    label(op, tmp), valid_region(*tmp.type), label(op, other), other.type->valid[1]),
        "enlarge tmp, or leave it out");
  });
}

void tmp_i8(Checker& check, const OpView& op, std::string_view) {
  const TileOperand tmp = tile_of(op, "tmp");
  if (tmp.type == nullptr || signless(tmp.type->elem) == Elem::i8) return;
  fail_at(check, E0371, op, tmp,
          fmt::format("{}: {} holds {}; on {} the scratch tile holds bytes", op.mnemonic(), label(op, tmp),
                      to_string(tmp.type->elem), to_string(check.target())),
          Fix::use("ui8"));
}

/// A2/A3 computes in the scratch tile: row 0 intermediate results, row 1 the comparison mask (page of trem).
void trem_tmp(Checker& check, const OpView& op, std::string_view) {
  tmp_elem(check, op, "dst");
  with_tmp(op, "dst", [&](const TileOperand& tmp, const TileOperand& dst) {
    if (below(tmp.type->valid[0], 1)) {
      fail_at(check, E0371, op, tmp, fmt::format("{}: {} has no valid row", op.mnemonic(), label(op, tmp)),
              "give tmp two rows");
    } else if (below(tmp.type->valid[0], 2)) {
      const std::string message =
          fmt::format("tmp of {} has {} valid rows, two are needed", op.mnemonic(), tmp.type->valid[0]);
      static constexpr std::string_view kHelp = "row 0 holds intermediate results, row 1 the comparison mask";
      // Programs of June have one; the public assembler of August refuses it.
      if (check.level() == Level::level3)
        return static_cast<void>(
            check.fail(E0371, op, Anchor::Part::operand_type, tmp.flat, message, std::string(kHelp)));
      check.warn(W0441, op, Anchor::Part::operand_type, tmp.flat, message, std::string(kHelp));
    } else if (exceeds(dst.type->valid[1], tmp.type->valid[1])) {
      fail_pair(check, E0371, op, dst, tmp,
                fmt::format("tmp of {} has {} valid columns, dst {}", op.mnemonic(), tmp.type->valid[1],
                            dst.type->valid[1]),
                "tmp must cover dst's columns");
    }
  });
}

/// A2/A3 at level 3: no other one can place a scratch tile that the library needs.
void tmp_level3(Checker& check, const OpView& op, std::string_view) {
  const auto slot = static_cast<unsigned>(slot_of(op, "tmp"));
  if (check.level() != Level::level3 || check.target() != Target::a2a3 || !check.program().target_stated ||
      op.operand(slot) != kNoValue)
    return;
  check.fail(E0371, op,
             fmt::format("{} without a scratch tile at level 3, where no planner makes one", op.mnemonic()),
             "give tmp");
}
/// The same where the elements are floats; of lists, where several are merged; of rows, where they are no
/// multiple of 32 elements.
void tmp_level3_float(Checker& check, const OpView& op, std::string_view) {
  if (is_float(tile_of(op, "dst").type->elem)) tmp_level3(check, op, {});
}
void tmp_level3_lists(Checker& check, const OpView& op, std::string_view) {
  // A second output is the scratch tile of the older form.
  const bool older = op.operands(static_cast<unsigned>(slot_of(op, "dsts"))).size() > 1;
  if (op.operands(0).size() > 1 && !older) tmp_level3(check, op, {});
}
/// Of a conversion, where it drops bits without saturation.
void tmp_level3_narrowing(Checker& check, const OpView& op, std::string_view) {
  const Elem from = tile_of(op, "src").type->elem;
  const Elem to = tile_of(op, "dst").type->elem;
  const auto off = [&](std::string_view attr) {
    const AttrValue* value = op.attr(attr);
    return value != nullptr && isa::case_name(*isa::find_enum("saturation_mode"), value->integer) == "OFF";
  };
  const bool narrowing = is_float(from) && is_integer(to) && bit_width(to) < bit_width(from);
  if (narrowing && (off("sat_mode") || off("satmode"))) tmp_level3(check, op, {});
}
void tmp_level3_rows(Checker& check, const OpView& op, std::string_view) {
  const int64_t width = tile_of(op, "src").type->valid[1];
  if (width == kDynamic || width % 32 != 0) tmp_level3(check, op, {});
}

/// At least so many bytes.
void tmp_room(Checker& check, const OpView& op, const TileOperand& tmp, uint64_t bytes,
              std::string_view why) {
  if (tile_bytes(*tmp.type) >= bytes) return;
  fail_at(check, E0371, op, tmp,
          fmt::format("{}: {} has {} bytes, {} needs {}", op.mnemonic(), label(op, tmp),
                      tile_bytes(*tmp.type), why, bytes),
          fmt::format("use {} bytes or more", bytes));
}

/// tci counts in the scratch tile.
void tci_tmp(Checker& check, const OpView& op, std::string_view) {
  with_tmp(op, "dst", [&](const TileOperand& tmp, const TileOperand& dst) {
    if (bit_width(tmp.type->elem) != 32) {
      fail_at(check, E0371, op, tmp,
              fmt::format("{}: {} holds {}; it counts in 4 bytes", op.mnemonic(), label(op, tmp),
                          to_string(tmp.type->elem)),
              Fix::use("i32"));
    } else {
      tmp_room(check, op, tmp, bit_width(dst.type->elem) == 32 ? 768 : 1792,
               bit_width(dst.type->elem) == 32 ? "a 32-bit ramp" : "a 16-bit ramp");
    }
  });
}

/// The comparison mask of every row, a bit per element, and a row to work in.
void tprelu_tmp(Checker& check, const OpView& op, std::string_view) {
  with_tmp(op, "dst", [&](const TileOperand& tmp, const TileOperand& dst) {
    const int64_t rows = dst.type->valid[0];
    const int64_t cols = dst.type->valid[1];
    if (rows != kDynamic && tmp.type->rows() < rows + 1) {
      fail_pair(check, E0371, op, dst, tmp,
                fmt::format("{}: {} has {} rows; a mask per row and one to work in take {}", op.mnemonic(),
                            label(op, tmp), tmp.type->rows(), rows + 1),
                fmt::format("use {} rows", rows + 1));
    } else if (cols != kDynamic && below(tmp.type->valid[1], (cols + 7) / 8)) {
      fail_pair(check, E0371, op, dst, tmp,
                fmt::format("{}: {} has {} valid columns; a bit per element takes {}", op.mnemonic(),
                            label(op, tmp), tmp.type->valid[1], (cols + 7) / 8),
                fmt::format("use {} valid columns", (cols + 7) / 8));
    }
  });
}

/// Powers of floats have a scratch tile like dst. Those of integers are multiplied out, and leave a tile that
/// is given alone (pto-isa include/pto/npu/a2a3/TPow.hpp, npu/a5/TPow.hpp:646).
void tpow_tmp(Checker& check, const OpView& op, std::string_view) {
  with_tmp(op, "dst", [&](const TileOperand&, const TileOperand& dst) {
    if (is_float(dst.type->elem)) tmp_valid(check, op, "dst");
  });
}
void tpow_form(Checker& check, const OpView& op, std::string_view) {
  const TileOperand dst = tile_of(op, "dst");
  if (op.attr_int("precisionType") == 0) {
    if (dst.type->elem == Elem::bf16)
      fail_at(check, E0331, op, dst, fmt::format("{} of bf16 has high precision only", op.mnemonic()),
              Fix::write("precisionType = #pto<pow_precision high_precision>"));
    return;
  }
  if (check.target() != Target::a2a3 && is_float(dst.type->elem)) return;
  check.fail(E0322, op, Anchor::Part::attribute,
             static_cast<unsigned>(isa::schema(op.op().row).attr_index("precisionType")),
             fmt::format("{} of {} on {} has one precision", op.mnemonic(), to_string(dst.type->elem),
                         to_string(check.target())),
             Fix::remove("drop precisionType; floats on a5 have high_precision"));
}

/// Sums in pairs are kept in a row as wide as the source.
void tcolsum_tmp(Checker& check, const OpView& op, std::string_view) {
  with_tmp(op, "src", [&](const TileOperand& tmp, const TileOperand& src) {
    if (!exceeds(src.type->valid[1], tmp.type->cols())) return;
    fail_pair(check, E0371, op, src, tmp,
              fmt::format("{}: {} has {} columns, {} has {} valid ones", op.mnemonic(), label(op, tmp),
                          tmp.type->cols(), label(op, src), src.type->valid[1]),
              "use as many columns");
  });
}

/// The precise form works in a scratch tile.
void precise_tmp(Checker& check, const OpView& op, std::string_view) {
  const AttrValue* precision = op.attr("precisionType");
  if (precision == nullptr || precision->integer == 0 || tile_of(op, "tmp").type != nullptr) return;
  check.fail(E0371, op, fmt::format("{} with high_precision works in a scratch tile", op.mnemonic()),
             "give tmp");
}

void tsel_tmp(Checker& check, const OpView& op, std::string_view) {
  const TileOperand tmp = tile_of(op, "tmp");
  if (tmp.type != nullptr) tmp_room(check, op, tmp, 16, "a selection");
}

/// Broadcast sources in the scratch tile: of a column only, a block of 32 bytes per row.
void row_expand_tmp(Checker& check, const OpView& op, std::string_view) {
  const TileOperand tmp = tile_of(op, "tmp");
  const TileOperand src0 = tile_of(op, "src0");
  const TileOperand src1 = tile_of(op, "src1");
  if (tmp.type == nullptr) return;
  if (is_dn(*src0.type) || is_dn(*src1.type)) {
    // The library spreads eight rows at a time, and long tiles in pieces of 30 times eight.
    constexpr int64_t kRows = 8, kPieces = 30, kStep = 256;
    const int64_t rows = tile_of(op, "dst").type->valid[0];
    const int64_t steps = rows == kDynamic ? kPieces : std::min(ceil_div(rows, kRows), kPieces);
    const int64_t bytes = rows != kDynamic && rows < kStep ? ceil_div(rows, kRows) * kStep : steps * kStep;
    return tmp_room(check, op, tmp, static_cast<uint64_t>(bytes), fmt::format("a column of {} rows", rows));
  }
  fail_at(check, E0371, op, tmp,
          fmt::format("{}: {} is for a source of one column; {} and {} have rows", op.mnemonic(),
                      label(op, tmp), label(op, src0), label(op, src1)),
          "leave tmp out, or use a col_major source of one column");
}

constexpr Rule kScratchRules[] = {
    {.id = E0371,
     .title = "scratch tile",
     .cause = "The scratch tile is too small or of another element type.",
     .example = "pto.trem with a tmp of fewer columns than dst",
     .fix = "Give tmp the size the message names, or leave it out."},
    {.id = W0441,
     .title = "scratch rows",
     .cause = "On A2/A3 the scratch tile of trem holds two rows: results and the comparison mask. The "
              "public assembler does not check it.",
     .example = "pto.trem with a tmp of 1x64",
     .fix = "Allocate tmp with two rows."},
};

constexpr OpRule kScratchChecks[] = {
    {.name = "tmp_elem",
     .check = tmp_elem,
     .sees = Sees::types,
     .ids = {E0371, W0441},
     .words = "the scratch tile has the element type of `$`"},
    {.name = "tmp_valid",
     .check = tmp_valid,
     .sees = Sees::types,
     .ids = {E0371, W0441},
     .words = "the scratch tile has the valid region of `$`"},
    {.name = "tmp_covers",
     .check = tmp_covers,
     .sees = Sees::types,
     .ids = {E0371, W0441},
     .words = "the scratch tile covers a row of `$`"},
    {.name = "tmp_i8",
     .check = tmp_i8,
     .sees = Sees::types,
     .ids = {E0371},
     .words = "the scratch tile holds bytes"},
    {.name = "trem_tmp",
     .check = trem_tmp,
     .sees = Sees::types,
     .ids = {E0371, W0441},
     .words = "the scratch tile has two rows as wide as the destination"},
    {.name = "tmp_level3",
     .check = tmp_level3,
     .ids = {E0371},
     .words = "at level 3 a scratch tile is given"},
    {.name = "tmp_level3_float",
     .check = tmp_level3_float,
     .ids = {E0371},
     .words = "at level 3 a scratch tile is given for floats"},
    {.name = "tmp_level3_lists",
     .check = tmp_level3_lists,
     .ids = {E0371},
     .words = "at level 3 a scratch tile is given for several lists"},
    {.name = "tmp_level3_narrowing",
     .check = tmp_level3_narrowing,
     .ids = {E0371},
     .words = "at level 3 a scratch tile is given for floats to narrower integers without saturation"},
    {.name = "tmp_level3_rows",
     .check = tmp_level3_rows,
     .ids = {E0371},
     .words = "at level 3 a scratch tile is given for rows that are no multiple of 32"},
    {.name = "tci_tmp",
     .check = tci_tmp,
     .sees = Sees::types,
     .ids = {E0371},
     .words = "`tmp` has 4-byte elements and room to count"},
    {.name = "tprelu_tmp",
     .check = tprelu_tmp,
     .sees = Sees::types,
     .ids = {E0371},
     .words = "`tmp` has a mask per row and a row more"},
    {.name = "tpow_tmp",
     .check = tpow_tmp,
     .sees = Sees::types,
     .ids = {E0371},
     .words = "`tmp` of floats is like dst"},
    {.name = "tpow_form",
     .check = tpow_form,
     .ids = {E0322, E0331},
     .words = "high_precision is of floats on a5"},
    {.name = "tcolsum_tmp",
     .check = tcolsum_tmp,
     .sees = Sees::types,
     .ids = {E0371},
     .words = "`tmp` is as wide as the source"},
    {.name = "precise_tmp", .check = precise_tmp, .ids = {E0371}, .words = "high_precision needs `tmp`"},
    {.name = "tsel_tmp",
     .check = tsel_tmp,
     .sees = Sees::types,
     .ids = {E0371},
     .words = "`tmp` has 16 bytes"},
    {.name = "row_expand_tmp",
     .check = row_expand_tmp,
     .sees = Sees::types,
     .ids = {E0371},
     .words = "`tmp` is for a source of one column"},
};

}  // namespace

RuleFamily scratch_rules() { return {.rules = kScratchRules, .checks = kScratchChecks}; }

}  // namespace pto::legality
