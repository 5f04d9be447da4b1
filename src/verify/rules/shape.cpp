// Rules with operand names as arguments: shapes, valid regions, locations, layouts, storage of tile operands.
#include <fmt/format.h>

#include <algorithm>

#include "ir/instruction_phases.hpp"
#include "verify/tile_rules.hpp"

namespace pto::legality {
namespace {

/// Every listed tile (none listed: all but scratch) has the shape of the first.
void equal_shapes(Checker& check, const OpView& op, std::string_view names) {
  const std::vector<TileOperand> tiles = tiles_of(op, names);
  const auto odd = odd_one(tiles, [](const TileOperand& a, const TileOperand& b) {
    return differ(a.type->rows(), b.type->rows()) ||
           differ(values(*a.type, a.type->cols()), values(*b.type, b.type->cols()));
  });
  if (!odd) return;
  const auto [tile, other] = *odd;
  fail_pair(check, E0353, op, *other, *tile,
            fmt::format("{}: {} is {}, {} is {}; it needs tiles of one shape{}", op.mnemonic(),
                        label(op, *other), shape(*other->type), label(op, *tile), shape(*tile->type),
                        packing(*tile->type, *other->type)),
            "give both tiles the same rows and columns; valid= states the used part");
}

void same_rows(Checker& check, const OpView& op, std::string_view names) {
  const std::vector<TileOperand> tiles = tiles_of(op, names);
  const auto odd = odd_one(tiles, [](const TileOperand& a, const TileOperand& b) {
    return differ(a.type->valid[0], b.type->valid[0]);
  });
  if (!odd) return;
  const auto [tile, other] = *odd;
  fail_pair(check, E0352, op, *other, *tile,
            fmt::format("{}: {} has {} valid rows, {} has {}; they must be equal", op.mnemonic(),
                        label(op, *other), other->type->valid[0], label(op, *tile), tile->type->valid[0]),
            "give both tiles the same valid rows");
}

void full_rows(Checker& check, const OpView& op, std::string_view names) {
  for (const TileOperand& tile : tiles_of(op, names)) {
    if (!differ(tile.type->valid[1], tile.type->cols())) continue;
    fail_at(check, E0353, op, tile,
            fmt::format("{}: {} has {} columns, of which {} are valid; all must be", op.mnemonic(),
                        label(op, tile), tile.type->cols(), tile.type->valid[1]),
            "use a tile of as many columns as are valid");
  }
}

void one_row(Checker& check, const OpView& op, std::string_view names) {
  for (const TileOperand& tile : tiles_of(op, names)) {
    if (!differ(tile.type->rows(), 1)) continue;
    fail_at(
        check, E0353, op, tile,
        fmt::format("{}: {} has {} rows; it works on one", op.mnemonic(), label(op, tile), tile.type->rows()),
        "use a tile of one row");
  }
}

/// Values, not bytes: what two names share at run time is for the race checker.
void distinct(Checker& check, const OpView& op, std::string_view argument) {
  const isa::RowRule rule{.argument = argument};
  if (!isa::condition_holds(op, rule.condition())) return;
  const std::vector<TileOperand> tiles = tiles_of(op, rule.words());
  for (size_t i = 0; i < tiles.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (tiles[i].value != tiles[j].value) continue;
      check.fail(E0370, op, Anchor::Part::operand, tiles[i].flat,
                 fmt::format("{}: {} and {} are one tile ({}); {} does not work in place", op.mnemonic(),
                             tiles[j].name, tiles[i].name, value_name(op.program(), tiles[i].value),
                             to_string(check.target())),
                 "allocate a second tile");
      return;
    }
  }
}

/// `operand=loc|loc`.
void in(Checker& check, const OpView& op, std::string_view argument) {
  const size_t equals = argument.find('=');
  const std::string_view list = argument.substr(equals + 1);
  for (const TileOperand& tile : tiles_of(op, argument.substr(0, equals))) {
    std::string allowed;
    bool fits = false;
    for (size_t at = 0; at <= list.size();) {
      const size_t end = std::min(list.find('|', at), list.size());
      fits |= list.substr(at, end - at) == tile_loc(tile.type->space);
      allowed += (allowed.empty() ? "" : " or ") + std::string(list.substr(at, end - at));
      at = end + 1;
    }
    if (fits) continue;
    fail_at(check, E0341, op, tile,
            fmt::format("operand '{}' of {} must be in {}, but {} is in {}", tile.name, op.mnemonic(),
                        allowed, value_name(op.program(), tile.value), tile_loc(tile.type->space)),
            "move the tile with pto.tmov, or change loc= of its type");
  }
}

/// Fixpipe moves at most 4095 columns at once.
void acc_cols(Checker& check, const OpView& op, std::string_view names) {
  for (const TileOperand& tile : tiles_of(op, names)) {
    if (tile.type->space != Space::l0c ||
        (!exceeds(tile.type->cols(), 4095) && !exceeds(tile.type->valid[1], 4095)))
      continue;
    fail_at(check, E0360, op, tile,
            fmt::format("{}: {} has {} columns; the accumulator is read in at most 4095", op.mnemonic(),
                        label(op, tile), tile.type->cols()),
            "split the tile");
  }
}

constexpr Rule kShapeRules[] = {
    {.id = E0353,
     .title = "shapes differ",
     .cause = "The tiles' static shapes do not fit.",
     .example = "pto.tfillpad from 32x64 into 32x32",
     .fix = "Use tiles of the shapes the message names."},
    {.id = E0359,
     .title = "no elements",
     .cause = "A view without a single element, where the instruction needs one.",
     .example = "pto.tload from !pto.partition_tensor_view<0x64xf32>",
     .fix = "Give every dimension at least one element."},
    {.id = E0370,
     .title = "in place",
     .cause =
         "The instruction cannot write the tile that it reads, or its scratch tile lies on an operand: the "
         "library's sequence of instructions writes there before it has read all of it.",
     .example = "pto.trecip ins(%a : T) outs(%a : T) on a2a3",
     .fix = "Allocate a second tile, or put the tiles at different addresses."},
};

constexpr OpRule kShapeChecks[] = {
    {.name = "same_shape",
     .check = equal_shapes,
     .sees = Sees::types,
     .ids = {E0353},
     .words = "shapes are equal: $"},
    {.name = "same_rows",
     .check = same_rows,
     .sees = Sees::types,
     .ids = {E0352},
     .words = "valid rows are equal: $"},
    {.name = "full_rows",
     .check = full_rows,
     .sees = Sees::types,
     .ids = {E0353},
     .words = "all columns are valid: $"},
    {.name = "one_row", .check = one_row, .sees = Sees::types, .ids = {E0353}, .words = "one row: $"},
    {.name = "distinct", .check = distinct, .ids = {E0370}, .words = "different tiles, not in place: $"},
    {.name = "in", .check = in, .sees = Sees::types, .ids = {E0341}, .words = "$ in @", .places = "="},
    {.name = "acc_cols",
     .check = acc_cols,
     .sees = Sees::types,
     .ids = {E0360},
     .words = "at most 4095 columns: $"},
};

}  // namespace

RuleFamily shape_rules() { return {.rules = kShapeRules, .checks = kShapeChecks}; }

}  // namespace pto::legality
