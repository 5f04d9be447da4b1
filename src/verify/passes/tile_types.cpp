// Tile types themselves (E038x): extents, rows of whole 32-byte blocks, whole boxes, valid region inside the
// tile.
#include <fmt/format.h>

#include "verify/tile_rules.hpp"

namespace pto::legality {
namespace {

bool sizes(Checker& check, const OpView& op, const Type& tile) {
  if (tile.rows() > 0 && tile.cols() > 0) return true;
  check.fail(E0381, op, Anchor::Part::result_type, 0,
             fmt::format("a tile needs rows and columns: {}", describe(tile)), "give positive extents");
  return false;
}

void valid_region(Checker& check, const OpView& op, const Type& tile) {
  for (unsigned d = 0; d < 2; ++d) {
    if (tile.valid[d] == kDynamic || (tile.valid[d] >= 0 && tile.valid[d] <= tile.dims[d])) continue;
    check
        .fail(E0382, op, Anchor::Part::result_type, 0,
              fmt::format("{} valid {} in a tile of {}: {}", tile.valid[d], d == 0 ? "rows" : "columns",
                          tile.dims[d], describe(tile)),
              "the valid region lies inside the tile")
        .anchor.key = "valid";
  }
}

/// Unboxed tiles: a row (row_major) or column (col_major) is a multiple of 32 bytes. Bias and scaling tables
/// are not 2-D.
void blocks(Checker& check, const OpView& op, const Type& tile) {
  const bool rows = tile.blayout == BLayout::row_major;
  const uint64_t bytes = static_cast<uint64_t>(rows ? tile.cols() : tile.rows()) * bit_width(tile.elem) / 8;
  if (bytes % 32 == 0) return;
  std::string message = fmt::format("each {} of {} takes {} bytes; it must be a multiple of 32",
                                    rows ? "row" : "column", describe(tile), bytes);
  const std::string pad =
      fmt::format("pad to {} {} and keep valid=", (bytes / 32 + 1) * 32 * 8 / bit_width(tile.elem),
                  rows ? "columns" : "rows");
  // The base layout of a left tile is the target's, and products read nothing but boxes.
  const bool left = tile.space == Space::l0a && check.target() != Target::cpu;
  Fix help = left ? left_layout_help(check.target()) : Fix(pad);
  // One column (or row) that is as long as it has to be, only laid the other way.
  const int64_t along = rows ? tile.rows() : tile.cols();
  const int64_t across = rows ? tile.cols() : tile.rows();
  if (!left && across == 1 && static_cast<uint64_t>(along) * bit_width(tile.elem) / 8 % 32 == 0)
    help = fmt::format("write blayout={} for one {}, or {}", rows ? "col_major" : "row_major",
                       rows ? "column" : "row", pad);
  // The public assembler does not measure floats of 8 and 4 bits.
  const bool small = is_float(tile.elem) && bit_width(tile.elem) <= 8;
  Diagnostic& built =
      small ? check.warn(W0383, op, Anchor::Part::result_type, 0, std::move(message), std::move(help))
            : check.fail(E0383, op, Anchor::Part::result_type, 0, std::move(message), std::move(help));
  built.anchor.key = "shape";
}

/// Boxed tiles: whole boxes, except rows of vec tiles, of scale tiles and of one-row tiles.
void boxes(Checker& check, const OpView& op, const Type& tile) {
  const InnerBox box = inner_box(tile);
  const bool free_rows = tile.space == Space::ub || tile.fractal == 32 || tile.rows() == 1;
  if (tile.cols() % box.cols == 0 && (free_rows || tile.rows() % box.rows == 0)) return;
  check
      .fail(E0384, op, Anchor::Part::result_type, 0,
            fmt::format("{} does not consist of whole boxes of {}x{}", describe(tile), box.rows, box.cols),
            fmt::format("round rows up to a multiple of {}, columns of {}", box.rows, box.cols))
      .anchor.key = "shape";
}

void check_tile(Checker& check, const OpView& op, const Type& tile) {
  if (!sizes(check, op, tile)) return;
  valid_region(check, op, tile);
  if (tile.elem == Elem::none) return;
  if (isa::opcode_class(op) == isa::OpcodeClass::reshape)
    return;  // a view of storage that was measured where it was made
  if (tile.slayout == SLayout::none_box)
    blocks(check, op, tile);
  else
    boxes(check, op, tile);
}

/// Types are checked where tiles come to be; views of a tile keep its bytes.
bool makes_tile(isa::OpcodeClass opcode_class) {
  return opcode_class == isa::OpcodeClass::alloc_tile || opcode_class == isa::OpcodeClass::declare_tile ||
         opcode_class == isa::OpcodeClass::reshape;
}

constexpr Rule kTileTypesRules[] = {
    {.id = E0381,
     .title = "tile extent",
     .cause = "Rows and columns of a tile are positive.",
     .example = "!pto.tile_buf<vec, 0x64xf32>",
     .fix = "Give positive extents."},
    {.id = E0382,
     .title = "valid region",
     .cause = "The valid region exceeds the tile.",
     .example = "!pto.tile_buf<vec, 16x64xf32, valid=16x65>",
     .fix = "Lower valid=, or enlarge the tile."},
    {.id = E0383,
     .title = "32-byte blocks",
     .cause = "A row of a row_major tile (a column of a col_major one) is a multiple of 32 bytes.",
     .example = "!pto.tile_buf<vec, 16x60xf16>",
     .fix = "Pad the extent and state the used part with valid=."},
    {.id = W0383,
     .title = "small floats",
     .cause =
         "Rows of tiles are whole 32-byte blocks; the public assembler does not measure floats of 8 and 4 "
         "bits.",
     .example = "!pto.tile_buf<vec, 16x16xf8E4M3FN>",
     .fix = "Pad the extent and state the used part with valid=."},
    {.id = E0384,
     .title = "boxes",
     .cause = "A boxed tile consists of whole boxes.",
     .example = "!pto.tile_buf<mat, 24x24xf16, blayout=col_major, slayout=row_major>",
     .fix = "Round the extents up to whole boxes."},
};

}  // namespace

RuleFamily tile_type_rules() { return {.rules = kTileTypesRules, .checks = {}}; }

void check_tile_types(Checker& check) {
  const Program& program = check.program();
  std::vector<bool> seen(2 * program.types.size(), false);  // where it is allocated, where it is a view
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    if (op.n_results != 1) continue;
    const TypeId type = program.values[op.first_result].type;
    const isa::OpcodeClass opcode_class = isa::row(op.row).opcode_class;
    const size_t place = 2 * size_t{type} + (opcode_class == isa::OpcodeClass::reshape ? 1 : 0);
    if (seen[place] || !program.types[type].is_tile() || !makes_tile(opcode_class)) continue;
    seen[place] = true;
    check_tile(check, OpView(program, i), program.types[type]);
  }
}

}  // namespace pto::legality
