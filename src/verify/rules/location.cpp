// Where operands live (E034x): tile locations, pointer spaces, data paths of tmov.
#include <fmt/format.h>

#include <array>

#include "verify/tile_rules.hpp"

namespace pto::legality {
namespace {

/// A tile must be in one of `spaces`.
void require(Checker& check, const OpView& op, unsigned slot, std::span<const Space> spaces) {
  const Type& type = op.type(slot);
  std::string allowed;
  for (const Space space : spaces) {
    if (type.space == space) return;
    allowed += (allowed.empty() ? "" : " or ") + std::string(tile_loc(space));
  }
  Diagnostic& built =
      check.fail(E0341, op, Anchor::Part::operand_type, flat_index(op, slot),
                 fmt::format("operand '{}' of {} must be in {}, but {} is in {}",
                             isa::schema(op.op().row).operands[slot].name, op.mnemonic(), allowed,
                             value_name(op.program(), op.operand(slot)), tile_loc(type.space)),
                 "move the tile with pto.tmov, or change loc= of its type");
  built.anchor.key = "loc";
  check.note_definition(built, op.operand(slot));
}

/// Scratch tiles too: the vector pipe works in vec.
void vec(Checker& check, const OpView& op, std::string_view) {
  for (const TileOperand& tile : tiles_of(op, "*")) {
    if (tile.type->space == Space::ub) continue;
    fail_at(check, E0341, op, tile,
            fmt::format("operand '{}' of {} must be in vec, but {} is in {}", tile.name, op.mnemonic(),
                        value_name(op.program(), tile.value), tile_loc(tile.type->space)),
            "move the tile with pto.tmov, or change loc= of its type");
  }
}

void vec_or_mat(Checker& check, const OpView& op, std::string_view) {
  static constexpr std::array kBoth = {Space::ub, Space::l1};
  for_each_tile(op, [&](unsigned slot, const Type&) { require(check, op, slot, kBoth); });
}

void acc_src(Checker& check, const OpView& op, std::string_view name) {
  static constexpr std::array kAcc = {Space::l0c};
  const int slot = slot_of(op, name);
  if (slot >= 0 && op.type(static_cast<unsigned>(slot)).is_tile())
    require(check, op, static_cast<unsigned>(slot), kAcc);
}

void fp_scaling(Checker& check, const OpView& op, std::string_view) {
  static constexpr std::array kScaling = {Space::fb};
  const int slot = slot_of(op, "fp");
  if (slot >= 0 && op.type(static_cast<unsigned>(slot)).is_tile())
    require(check, op, static_cast<unsigned>(slot), kScaling);
}

/// A pointer or memref operand must point into one space.
template <Space kSpace>
void pointer_space(Checker& check, const OpView& op, std::string_view name) {
  const int slot = slot_of(op, name);
  if (slot < 0) return;
  const Type& type = op.type(static_cast<unsigned>(slot));
  if (type.kind == TypeKind::none || type.space == kSpace || (kSpace == Space::gm && type.is_view())) return;
  check
      .fail(E0411, op, Anchor::Part::operand_type, flat_index(op, static_cast<unsigned>(slot)),
            fmt::format("operand '{}' of {} must point to {}, but {} points to {}", name, op.mnemonic(),
                        to_string(kSpace), value_name(op.program(), op.operand(static_cast<unsigned>(slot))),
                        to_string(type.space)),
            fmt::format("use a !pto.ptr<.., {}>", to_string(kSpace)))
      .anchor.key = "space";
}

struct Path {
  Space from, to;
  bool a2a3, a5;
};
/// Data paths between on-chip memories that tmov can take.
constexpr Path kPaths[] = {
    {Space::l1, Space::l0a, true, true}, {Space::l1, Space::l0b, true, true},
    {Space::l1, Space::bt, true, true},  {Space::l1, Space::fb, true, true},
    {Space::ub, Space::ub, true, true},  {Space::l0c, Space::l1, true, true},
    {Space::ub, Space::l1, false, true}, {Space::l0c, Space::ub, false, true},
    {Space::l1, Space::ub, false, true},
};

std::string paths_from(Space from, Target target) {
  std::string text;
  for (const Path& path : kPaths) {
    if (path.from != from || !(target == Target::a2a3 ? path.a2a3 : path.a5)) continue;
    text += (text.empty() ? "" : ", ") + std::string(tile_loc(path.to));
  }
  return text.empty() ? fmt::format("no path leaves {}", tile_loc(from))
                      : fmt::format("from {} to {}", tile_loc(from), text);
}

void tmov_path(Checker& check, const OpView& op, std::string_view) {
  const Space from = op.type(0).space;
  const Space to = op.type(1).space;
  for (const Path& path : kPaths) {
    if (path.from == from && path.to == to && (check.target() == Target::a2a3 ? path.a2a3 : path.a5)) return;
  }
  std::string message = fmt::format("{} has no data path from {} to {} for {}", to_string(check.target()),
                                    tile_loc(from), tile_loc(to), op.mnemonic());
  Fix help = fmt::format("paths on {}: {}", to_string(check.target()), paths_from(from, check.target()));
  // The public assembler takes this pair for every chip; only A5's fixpipe writes UB.
  const bool taken = from == Space::l0c && to == Space::ub;
  if (taken)
    check.warn(W0443, op, Anchor::Part::operand_type, 1, std::move(message), std::move(help));
  else
    check.fail(E0342, op, Anchor::Part::operand_type, 1, std::move(message), std::move(help));
}

constexpr Rule kLocationRules[] = {
    {.id = E0341,
     .title = "tile location",
     .cause = "A tile is in a memory that the instruction cannot use.",
     .example = "pto.tadd on tiles with loc=mat",
     .fix = "Move the tile with pto.tmov, or allocate it elsewhere."},
    {.id = E0342,
     .title = "no data path",
     .cause = "The hardware has no path between both memories.",
     .example = "pto.tmov from vec to mat on a2a3",
     .fix = "Go through a memory that has both paths, or through GM."},
    {.id = E0411,
     .title = "pointer space",
     .cause = "A pointer points into a memory that the instruction does not use there.",
     .example = "pto.mad with lhs in l0b",
     .fix = "Use a pointer into the space the message names."},
    {.id = W0443,
     .title = "acc to vec",
     .cause = "A2/A3 cannot move from the accumulator to UB, only A5 can. The public assembler takes it "
              "for every chip.",
     .example = "pto.tmov from acc to vec on a2a3",
     .fix = "Store the accumulator to GM and load it from there."},
};

constexpr OpRule kLocationChecks[] = {
    {.name = "vec",
     .check = vec,
     .sees = Sees::types,
     .ids = {E0341},
     .words = "tiles are in vec",
     .places = "*=vec"},
    {.name = "vec_or_mat",
     .check = vec_or_mat,
     .sees = Sees::types,
     .ids = {E0341},
     .words = "tiles are in vec or mat",
     .places = "*=vec|mat"},
    {.name = "acc_src",
     .check = acc_src,
     .sees = Sees::types,
     .ids = {E0341},
     .words = "`$` is in acc",
     .places = "$=acc"},
    {.name = "fp_scaling",
     .check = fp_scaling,
     .sees = Sees::types,
     .ids = {E0341},
     .words = "`fp` is in scaling",
     .places = "fp=scaling"},
    {.name = "tmov_path",
     .check = tmov_path,
     .sees = Sees::types,
     .ids = {E0342, W0443},
     .words = "the target has a data path from the source's memory to the destination's"},
    {.name = "gm",
     .check = pointer_space<Space::gm>,
     .sees = Sees::types,
     .ids = {E0411},
     .words = "`$` points to gm",
     .places = "$=gm"},
    {.name = "ub",
     .check = pointer_space<Space::ub>,
     .sees = Sees::types,
     .ids = {E0411},
     .words = "`$` points to ub",
     .places = "$=ub"},
    {.name = "l1",
     .check = pointer_space<Space::l1>,
     .sees = Sees::types,
     .ids = {E0411},
     .words = "`$` points to l1",
     .places = "$=l1"},
    {.name = "l0a",
     .check = pointer_space<Space::l0a>,
     .sees = Sees::types,
     .ids = {E0411},
     .words = "`$` points to l0a",
     .places = "$=l0a"},
    {.name = "l0b",
     .check = pointer_space<Space::l0b>,
     .sees = Sees::types,
     .ids = {E0411},
     .words = "`$` points to l0b",
     .places = "$=l0b"},
    {.name = "l0c",
     .check = pointer_space<Space::l0c>,
     .sees = Sees::types,
     .ids = {E0411},
     .words = "`$` points to l0c",
     .places = "$=l0c"},
    {.name = "bt",
     .check = pointer_space<Space::bt>,
     .sees = Sees::types,
     .ids = {E0411},
     .words = "`$` points to bt",
     .places = "$=bt"},
    {.name = "fb",
     .check = pointer_space<Space::fb>,
     .sees = Sees::types,
     .ids = {E0411},
     .words = "`$` points to fb",
     .places = "$=fb"},
};

}  // namespace

RuleFamily location_rules() { return {.rules = kLocationRules, .checks = kLocationChecks}; }

}  // namespace pto::legality
