// Scratch tiles (E0371): what an instruction needs of a tmp that is given. It may be left out.
#include <fmt/format.h>

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
        check, "E0371", op, other, tmp,
        fmt::format("{}: {} holds {}, {} holds {}; the scratch tile must hold the same", op.mnemonic(),
                    label(op, tmp), to_string(tmp.type->elem), label(op, other), to_string(other.type->elem)),
        fmt::format("use {}", to_string(other.type->elem)));
  });
}

void tmp_valid(Checker& check, const OpView& op, std::string_view name) {
  with_tmp(op, name, [&](const TileOperand& tmp, const TileOperand& other) {
    if (!differ(tmp.type->valid[0], other.type->valid[0]) &&
        !differ(tmp.type->valid[1], other.type->valid[1]))
      return;
    fail_pair(
        check, "E0371", op, other, tmp,
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
        check, "E0371", op, other, tmp,
        fmt::format("{}: {} has valid={}, it must cover a row of {} with {} valid columns", op.mnemonic(),
                    label(op, tmp), valid_region(*tmp.type), label(op, other), other.type->valid[1]),
        "enlarge tmp, or leave it out");
  });
}

void tmp_i8(Checker& check, const OpView& op, std::string_view) {
  const TileOperand tmp = tile_of(op, "tmp");
  if (tmp.type == nullptr || signless(tmp.type->elem) == Elem::i8) return;
  fail_at(check, "E0371", op, tmp,
          fmt::format("{}: {} holds {}; on {} the scratch tile holds bytes", op.mnemonic(), label(op, tmp),
                      to_string(tmp.type->elem), to_string(check.target())),
          "use ui8");
}

void no_tmp(Checker& check, const OpView& op, std::string_view) {
  const TileOperand tmp = tile_of(op, "tmp");
  if (tmp.type == nullptr) return;
  check.fail("E0371", op, Anchor::Part::operand, tmp.flat,
             fmt::format("{} takes no scratch tile on {}: {}", op.mnemonic(), to_string(check.target()),
                         label(op, tmp)),
             "leave tmp out");
}

/// A2/A3 computes in the scratch tile: row 0 intermediate results, row 1 the comparison mask (page of trem).
void trem_tmp(Checker& check, const OpView& op, std::string_view) {
  tmp_elem(check, op, "dst");
  with_tmp(op, "dst", [&](const TileOperand& tmp, const TileOperand& dst) {
    if (below(tmp.type->valid[0], 1)) {
      fail_at(check, "E0371", op, tmp, fmt::format("{}: {} has no valid row", op.mnemonic(), label(op, tmp)),
              "give tmp two rows");
    } else if (below(tmp.type->valid[0], 2)) {
      const std::string message =
          fmt::format("tmp of {} has {} valid rows, two are needed", op.mnemonic(), tmp.type->valid[0]);
      static constexpr std::string_view kHelp = "row 0 holds intermediate results, row 1 the comparison mask";
      // Below level 3 the scratch tile is the planner's to place; the public assembler does not look at its
      // rows.
      if (check.level() == Level::level3)
        return static_cast<void>(
            check.fail("E0371", op, Anchor::Part::operand_type, tmp.flat, message, std::string(kHelp)));
      check.warn("W0441", op, Anchor::Part::operand_type, tmp.flat, message, std::string(kHelp));
    } else if (exceeds(dst.type->valid[1], tmp.type->valid[1])) {
      fail_pair(check, "E0371", op, dst, tmp,
                fmt::format("tmp of {} has {} valid columns, dst {}", op.mnemonic(), tmp.type->valid[1],
                            dst.type->valid[1]),
                "tmp must cover dst's columns");
    }
  });
}

constexpr Rule kRules[] = {
    {.id = "E0371",
     .title = "scratch tile",
     .cause = "The scratch tile is too small or of another element type.",
     .example = "pto.trem with a tmp of fewer columns than dst",
     .fix = "Give tmp the size the message names, or leave it out."},
    {.id = "W0441",
     .title = "scratch rows",
     .cause = "On A2/A3 the scratch tile of trem holds two rows: results and the comparison mask. The "
              "public assembler does not check it.",
     .example = "pto.trem with a tmp of 1x64",
     .fix = "Allocate tmp with two rows."},
};

constexpr OpRule kChecks[] = {
    {.name = "tmp_elem",
     .check = tmp_elem,
     .sees = Sees::types,
     .ids = "E0371 W0441",
     .words = "the scratch tile has the element type of `$`"},
    {.name = "tmp_valid",
     .check = tmp_valid,
     .sees = Sees::types,
     .ids = "E0371 W0441",
     .words = "the scratch tile has the valid region of `$`"},
    {.name = "tmp_covers",
     .check = tmp_covers,
     .sees = Sees::types,
     .ids = "E0371 W0441",
     .words = "the scratch tile covers a row of `$`"},
    {.name = "tmp_i8",
     .check = tmp_i8,
     .sees = Sees::types,
     .ids = "E0371",
     .words = "the scratch tile holds bytes"},
    {.name = "no_tmp", .check = no_tmp, .sees = Sees::types, .ids = "E0371", .words = "no scratch tile"},
    {.name = "trem_tmp",
     .check = trem_tmp,
     .sees = Sees::types,
     .ids = "E0371 W0441",
     .words = "the scratch tile has two rows as wide as the destination"},
};

}  // namespace

RuleFamily scratch_rules() { return {.rules = kRules, .checks = kChecks}; }

}  // namespace pto::legality
