// Attributes, scratch tiles and layouts that only one form of an instruction takes: one path or one
// target.
#include <fmt/format.h>

#include "isa/memory_spaces.hpp"
#include "support/strings.hpp"
#include "verify/named_operands.hpp"
#include "verify/tile_rules.hpp"

namespace pto::legality {
namespace {

using Part = Anchor::Part;

/// The target has no such attribute.
void lacks(Checker& check, const OpView& op, std::string_view names) {
  for (const std::string_view name : split(names, ',')) {
    if (op.attr(name) == nullptr) continue;
    check.fail(E0368, op, Part::attribute, attr_index(op, name),
               fmt::format("{} has no {} on {}", op.mnemonic(), name, to_string(check.target())),
               Fix::remove("drop it"));
  }
}

/// `attribute=memory>memory`, from src to dst.
void moves(Checker& check, const OpView& op, std::string_view argument) {
  const size_t equals = argument.find('=');
  const std::string_view name = argument.substr(0, equals);
  const std::string_view path = argument.substr(equals + 1);
  if (op.attr(name) == nullptr) return;
  const TileOperand src = tile_of(op, "src");
  const TileOperand dst = tile_of(op, "dst");
  const std::string here = fmt::format("{}>{}", tile_loc(src.type->space), tile_loc(dst.type->space));
  if (here == path) return;
  const size_t arrow = path.find('>');
  check.fail(E0368, op, Part::attribute, attr_index(op, name),
             fmt::format("{} from {} to {} has no {}", op.mnemonic(), tile_loc(src.type->space),
                         tile_loc(dst.type->space), name),
             fmt::format("it applies to moves from {} to {}; drop it", path.substr(0, arrow),
                         path.substr(arrow + 1)));
}

/// The windows of a split source lie in boxes.
void split_boxes(Checker& check, const OpView& op, std::string_view) {
  const TileOperand src = tile_of(op, "src");
  if (op.attr("tinsertMode") == nullptr || src.type->space != Space::ub || is_nz(*src.type)) return;
  fail_at(
      check, E0351, op, src,
      fmt::format("{} with tinsertMode: {} has {}", op.mnemonic(), label(op, src), layout_name(*src.type)),
      Fix::use("blayout=col_major, slayout=row_major"));
}

/// From GM to L1 by numbers in GM: whole boxes, and a scratch view for single elements only.
void gather_mat(Checker& check, const OpView& op, std::string_view) {
  const TileOperand dst = tile_of(op, "dst");
  const auto block = static_cast<int64_t>(32 * 8 / std::max(bit_width(dst.type->elem), 1u));
  if (dst.type->cols() % block != 0 || dst.type->rows() % 16 != 0)
    fail_at(check, E0384, op, dst,
            fmt::format("{}: {} is {}; it consists of boxes of 16x{}", op.mnemonic(), label(op, dst),
                        shape(*dst.type), block),
            "round its rows and columns up, and keep valid=");
  const auto slot = static_cast<unsigned>(slot_of(op, "scratch"));
  const bool given = op.operand(slot) != kNoValue;
  const bool single = op.attr_int("coalesce") == 1;
  if (given != single) {
    check.fail(E0371, op,
               fmt::format("{} of {} {} a scratch view", op.mnemonic(),
                           single ? "elements needs" : "rows has no use for", single ? "" : "it,"),
               single ? "give a view of GM as the last of ins" : Fix::remove("drop it"));
    return;
  }
  if (!given) return;
  const Type& scratch = op.type(slot);
  if (scratch.is_tile() || scratch.elem != dst.type->elem)
    check.fail(E0371, op, Part::operand_type, flat_index(op, slot),
               fmt::format("{}: the scratch is {}, dst holds {}", op.mnemonic(), describe(scratch),
                           to_string(dst.type->elem)),
               "use a view of GM with the elements of dst");
}

/// No value of src is left out: `dst,src`.
void holds(Checker& check, const OpView& op, std::string_view names) {
  const size_t comma = names.find(',');
  const TileOperand large = tile_of(op, names.substr(0, comma));
  const TileOperand small = tile_of(op, names.substr(comma + 1));
  for (unsigned axis = 0; axis < 2; ++axis) {
    if (!exceeds(small.type->valid[axis], large.type->valid[axis])) continue;
    fail_pair(
        check, E0352, op, large, small,
        fmt::format("{}: {} has valid={}, {} has valid={}; it must hold it", op.mnemonic(), label(op, large),
                    valid_region(*large.type), label(op, small), valid_region(*small.type)),
        "use a larger tile");
    return;
  }
}

/// Eight bits with a sign.
void short_offset(Checker& check, const OpView& op, std::string_view name) {
  const Named offset = find_named(op, name);
  const Number value = offset.present() ? check.constant(offset.value) : std::nullopt;
  if (!value || (*value >= -128 && *value <= 127)) return;
  check.fail(E0594, op, Part::operand, offset.index,
             fmt::format("'{}' of {} is {}", name, op.mnemonic(), *value), "it is -128 to 127");
}

/// Caches are between the scalar unit and GM; lines of UB are looked at as well.
void cached(Checker& check, const OpView& op, std::string_view argument) {
  if (argument == "gm") {
    if (op.attr("space") == nullptr || op.attr_int("space") == static_cast<int64_t>(Space::gm)) return;
    check.fail(E0411, op, Part::attribute, attr_index(op, "space"),
               fmt::format("{} is of GM only", op.mnemonic()), Fix::write("#pto.address_space<gm>"));
    return;
  }
  const Type& at = op.type(0);
  if (at.space == Space::gm || at.space == Space::ub || at.space == Space::none) return;
  check.fail(
      E0411, op, Part::operand_type, 0,
      fmt::format("{} of {}: no cache holds lines of {}", op.mnemonic(), describe(at), to_string(at.space)),
      "give a pointer into GM or UB");
}

/// The number of a vector core tells which half of a tile in its UB is meant.
void half_of_tile(Checker& check, const OpView& op, std::string_view) {
  const auto slot = static_cast<unsigned>(slot_of(op, "aiv_subblockid"));
  if (op.operands(slot).empty()) return;
  const auto fail = [&](FindingId id, std::string message, Fix help) {
    check.fail(id, op, Part::operand, flat_index(op, slot), std::move(message), std::move(help));
  };
  const Named entry = find_named(op, "tile");
  const Type& type = entry.type(op);
  if (op.attr_int("split") == 0)
    return fail(E0368, fmt::format("{} names a half, but split = 0 sends whole tiles", op.mnemonic()),
                Fix::remove("drop aiv_subblockid, or split the tile"));
  if (!type.is_tile())
    return fail(E0368, fmt::format("{} of {} has no halves", op.mnemonic(), describe(type)),
                Fix::remove("drop aiv_subblockid"));
  if (type.space != Space::ub)
    fail(E0341,
         fmt::format("{} names a half of {}, which is no tile of a vector core", op.mnemonic(),
                     describe(type)),
         Fix::remove("drop aiv_subblockid"));
}

constexpr OpRule kFormsChecks[] = {
    {.name = "half_of_tile",
     .check = half_of_tile,
     .ids = {E0341, E0368},
     .words = "a half is named of split tiles in vec only"},
    {.name = "lacks", .check = lacks, .ids = {E0368}, .words = "no attribute $"},
    {.name = "moves",
     .check = moves,
     .sees = Sees::types,
     .ids = {E0368},
     .words = "$ from and to these memories only"},
    {.name = "split_boxes",
     .check = split_boxes,
     .ids = {E0351},
     .words = "a source that is split lies in boxes"},
    {.name = "gather_mat",
     .check = gather_mat,
     .ids = {E0371, E0384},
     .words = "whole boxes; a scratch view for elements, none for rows"},
    {.name = "holds",
     .check = holds,
     .sees = Sees::types,
     .ids = {E0352},
     .words = "one valid region holds the other: $"},
    {.name = "short_offset", .check = short_offset, .ids = {E0594}, .words = "`$` is -128 to 127"},
    {.name = "cached", .check = cached, .ids = {E0411}, .words = "memory that has a cache"},
};

}  // namespace

RuleFamily form_rules() { return {.rules = {}, .checks = kFormsChecks}; }

}  // namespace pto::legality
