// Layouts and valid regions of elementwise tiles (E035x), compare masks, scalar operands.
#include <fmt/format.h>

#include "support/rounding.hpp"
#include "verify/element_type_rules.hpp"
#include "verify/tile_rules.hpp"

namespace pto::legality {
namespace {

void row_major(Checker& check, const OpView& op, std::string_view names) {
  for (const TileOperand& tile : tiles_of(op, names)) {
    // One column (or row) of elements lies the same way in both layouts.
    // Scratch is written row by row.
    const bool vector = tile.type->rows() == 1 || (tile.type->cols() == 1 && tile.name != "tmp");
    if (tile.type->slayout == SLayout::none_box && (tile.type->blayout == BLayout::row_major || vector))
      continue;
    fail_at(check, E0351, op, tile,
            fmt::format("operand '{}' of {} must be row_major and not boxed, but is {}", tile.name,
                        op.mnemonic(), describe(*tile.type)),
            Fix::use("blayout=row_major, slayout=none_box"));
  }
}

bool is_source(const OpView& op, const TileOperand& tile) {
  const int slot = slot_of(op, tile.name);
  return slot >= 0 && isa::schema(op.op().row).operands[static_cast<size_t>(slot)].role == isa::Role::in;
}

/// Whether an instruction of the table takes tiles of this element on a target.
bool takes(const isa::Row& row, Target target, Elem elem) {
  const auto on = [&](std::string_view types) {
    if (types.empty() || types == "-") return types.empty();
    std::vector<TypeAlternative> alternatives;
    std::string problem;
    return compile_types(types, isa::schema(isa::id_of(row)), alternatives, problem) &&
           matches(alternatives, {{.name = {}, .elem = elem, .is_result = false, .index = 0}});
  };
  return (target != Target::a5 && on(row.types.a2a3)) || (target != Target::a2a3 && on(row.types.a5));
}

/// Whether src0 of a rowexpand is the source that is not repeated.
bool states_full_source(const isa::Row& row) {
  return std::ranges::any_of(isa::schema(isa::id_of(row)).rules, [](const RowRule& rule) {
    return rule.id == RuleName::same_valid && rule.argument == "src0,dst";
  });
}

/// The help for a source of one row, or of one column, beside a larger one: NumPy repeats it. So does the
/// instruction with `colexpand` or `rowexpand` in its name, if it takes the sources in this order, or the
/// operation does not mind the other. Else tcolexpand or trowexpand repeats it first. "" where nothing does.
Fix broadcast_help(const Checker& check, const OpView& op, const TileOperand& one, const TileOperand& other) {
  constexpr std::string_view kTile = "pto.t";
  const std::string_view name = op.mnemonic();
  if (!name.starts_with(kTile) || !is_source(op, one) || !is_source(op, other) ||
      signless(one.type->elem) != signless(other.type->elem))
    return {};
  for (const unsigned axis : {0u, 1u}) {
    const auto repeats = [axis](const Type& small, const Type& large) {
      return small.valid[axis] == 1 && large.valid[axis] != 1 &&
             !differ(small.valid[1 - axis], large.valid[1 - axis]);
    };
    const bool is_one = repeats(*one.type, *other.type);
    if (!is_one && !repeats(*other.type, *one.type)) continue;
    const TileOperand& small = is_one ? one : other;
    const TileOperand& large = is_one ? other : one;
    const std::string prefix = fmt::format("{}{}expand", kTile, axis == 0 ? "col" : "row");
    const std::string of =
        fmt::format("the {} of {}", axis == 0 ? "row" : "column", value_name(op.program(), small.value));
    const std::string names[] = {value_name(op.program(), small.value),
                                 value_name(op.program(), large.value)};
    const isa::Row* expand = isa::find_row(prefix + std::string(name.substr(kTile.size())));
    // A row_major column is read in blocks of 32 bytes there.
    if (expand != nullptr && takes(*expand, check.target(), small.type->elem) &&
        (axis == 0 || is_dn(*small.type))) {
      const bool is_first = small.flat < large.flat;
      // row_expand_op repeats either source, unless the row says that src0 is the full one.
      const bool either = expand->rule_names.has(RuleName::row_expand_op) && !states_full_source(*expand);
      if (!is_first || either || has_rule(op, RuleName::commutes))
        return fmt::format("{} ins({}, {}) repeats {}; or give both tiles one valid= region", expand->name,
                           names[is_first && either ? 0 : 1], names[is_first && either ? 1 : 0], of);
    }
    const isa::Row* alone = isa::find_row(prefix);
    if (alone == nullptr || !takes(*alone, check.target(), small.type->elem)) continue;
    return fmt::format(
        "{} ins({}) repeats {} in a tile like {}, which {} then takes; or give both tiles one "
        "valid= region",
        alone->name, names[0], of, names[1], name);
  }
  return {};
}

/// One column lies the same way in both layouts, but the public headers take rows only.
void no_column(Checker& check, const OpView& op, std::string_view names) {
  for (const TileOperand& tile : tiles_of(op, names)) {
    if (tile.type->slayout != SLayout::none_box || tile.type->blayout == BLayout::row_major ||
        tile.type->cols() != 1 || tile.type->rows() == 1)
      continue;
    Fix help;
    for (const TileOperand& other : tiles_of(op, {})) {
      if (help.empty()) help = broadcast_help(check, op, tile, other);
    }
    if (help.empty())
      help =
          fmt::format("make it a row first: pto.treshape to 1x{} with blayout=row_major", tile.type->rows());
    fail_at(check, E0351, op, tile,
            fmt::format("operand '{}' of {} must be row_major, but is {}", tile.name, op.mnemonic(),
                        describe(*tile.type)),
            std::move(help));
  }
}

/// All listed tiles (or all) have the same valid region, as far as it is known.
void same_valid(Checker& check, const OpView& op, std::string_view names) {
  const std::vector<TileOperand> tiles = tiles_of(op, names);
  const auto odd = odd_one(tiles, [](const TileOperand& a, const TileOperand& b) {
    return differ(a.type->valid[0], b.type->valid[0]) ||
           differ(values(*a.type, a.type->valid[1]), values(*b.type, b.type->valid[1]));
  });
  if (!odd) return;
  const auto [tile, other] = *odd;
  Fix help = broadcast_help(check, op, *tile, *other);
  if (help.empty()) help = "give both tiles the same valid= region";
  fail_pair(check, E0352, op, *other, *tile,
            fmt::format("valid regions of {} differ: {} has {}, {} has {}{}", op.mnemonic(),
                        label(op, *other), valid_region(*other->type), label(op, *tile),
                        valid_region(*tile->type), packing(*tile->type, *other->type)),
            std::move(help));
}

void tile_layout(Checker& check, const OpView& op, std::string_view names, bool (*fits)(const Type&),
                 std::string_view wanted) {
  for (const TileOperand& tile : tiles_of(op, names)) {
    if (fits(*tile.type)) continue;
    fail_at(check, E0351, op, tile,
            fmt::format("{}: {} has {}; it must have {}", op.mnemonic(), label(op, tile),
                        layout_name(*tile.type), wanted),
            Fix::use(wanted));
  }
}

void nz(Checker& check, const OpView& op, std::string_view names) {
  tile_layout(check, op, names, is_nz, "blayout=col_major, slayout=row_major");
}
void unboxed(Checker& check, const OpView& op, std::string_view names) {
  tile_layout(
      check, op, names, [](const Type& tile) { return tile.slayout == SLayout::none_box; },
      "slayout=none_box");
}

/// In vec the form of A2/A3 writes rows; mat tiles have any layout.
void vec_row_major(Checker& check, const OpView& op, std::string_view names) {
  tile_layout(
      check, op, names,
      [](const Type& tile) {
        return tile.space != Space::ub || is_nd(tile) || tile.rows() == 1 || tile.cols() == 1;
      },
      "blayout=row_major, slayout=none_box");
}

void fractal_512(Checker& check, const OpView& op, std::string_view names) {
  for (const TileOperand& tile : tiles_of(op, names)) {
    if (tile.type->fractal == 512) continue;
    fail_at(check, E0360, op, tile,
            fmt::format("{}: {} has fractal={} on {}; it must be 512", op.mnemonic(), label(op, tile),
                        tile.type->fractal, to_string(check.target())),
            "leave fractal= out of the type");
  }
}

/// The mask written by a comparison: one bit per element, rows in step.
void mask_out(Checker& check, const OpView& op, std::string_view width) {
  const Type& src = op.type(0);
  const int slot = slot_of(op, "dst");
  const Type& dst = op.type(static_cast<unsigned>(slot));
  if (!is_integer(dst.elem) || (width == "i8" && signless(dst.elem) != Elem::i8)) {
    check.fail(E0358, op, Anchor::Part::operand_type, flat_index(op, static_cast<unsigned>(slot)),
               fmt::format("{} writes a bit mask into 'dst'; {} is not {}", op.mnemonic(),
                           to_string(dst.elem), width == "i8" ? "i8" : "an integer type"),
               Fix::use_one_of({"i8", "ui8"}));
    return;
  }
  if (!differ(src.valid[0], dst.valid[0]) || dst.rows() >= src.rows()) return;
  check.fail(
      E0358, op, Anchor::Part::operand_type, flat_index(op, static_cast<unsigned>(slot)),
      fmt::format("the mask of {} has {} rows for {} rows of data", op.mnemonic(), dst.rows(), src.rows()),
      "give the mask as many rows");
}

void mask_bits(Checker& check, const OpView& op, std::string_view) {
  const Type& mask = op.type(0);
  if (is_integer(mask.elem)) return;
  check.fail(
      E0358, op, Anchor::Part::operand_type, 0,
      fmt::format("the mask of {} holds bits in integers, not {}", op.mnemonic(), to_string(mask.elem)),
      Fix::use_one_of({"i8", "ui8"}));
}

/// A mask whose valid columns hold more than a row of bits: here it is one stream of bits, in the tile
/// libraries rows.
void mask_stream(Checker& check, const OpView& op, std::string_view names) {
  const std::vector<TileOperand> tiles = tiles_of(op, names);
  if (tiles.size() != 2) return;
  const bool mask_first = tiles[0].name == "mask";
  const TileOperand& data = tiles[mask_first ? 1 : 0];
  const TileOperand& mask = tiles[mask_first ? 0 : 1];
  if (!is_integer(mask.type->elem)) return;  // mask_out says it
  const auto bits = static_cast<int64_t>(bit_width(mask.type->elem));
  const int64_t needed = ceil_div(data.type->cols(), bits);
  if (!exceeds(mask.type->valid[1], needed) || (mask_first && bits != 8)) return;
  check.warn(
      W0358, op, Anchor::Part::operand_type, mask.flat,
      fmt::format("{}: {} has {} valid columns, a row of {} has {} bits; the mask is taken as one stream of "
                  "bits, not row by row",
                  op.mnemonic(), label(op, mask), mask.type->valid[1], label(op, data), data.type->cols()),
      fmt::format("give the mask {} valid columns", needed));
}

constexpr Rule kLayoutRules[] = {
    {.id = E0351,
     .title = "layout",
     .cause = "The instruction or data path needs another layout: rows without boxes for vector "
              "instructions, boxes for matrix data.",
     .example = "pto.texp on a col_major tile",
     .fix = "Change blayout and slayout of the tile's type."},
    {.id = E0352,
     .title = "valid regions differ",
     .cause = "Elementwise tiles must have the same valid region.",
     .example = "pto.tadd of valid=16x60 and valid=16x64",
     .fix = "Give all tiles the same valid region."},
    {.id = E0358,
     .title = "mask tile",
     .cause = "Comparison masks are bits in integer tiles with a row per row of data.",
     .example = "pto.tcmp into an f32 tile",
     .fix = "Use an i8 or ui8 tile."},
    {.id = W0358,
     .title = "mask stream",
     .cause = "The mask has more valid columns than a row of bits fills. It is taken as one stream of bits "
              "over the data; the tile libraries go row by row.",
     .example = "pto.tcmps of 4x64xf32 into a mask of 4x64xui8",
     .fix = "Give the mask ceil(columns / 8) valid columns."},
    {.id = E0360,
     .title = "fractal size",
     .cause = "The data path writes boxes of 512 bytes, and reads at most 4095 columns of the accumulator "
              "at once.",
     .example = "pto.tmov from acc to a mat tile with fractal=1024 on a2a3",
     .fix = "Leave fractal= out of the type, or split the tile."},
};

constexpr OpRule kLayoutChecks[] = {
    {.name = "row_major",
     .check = row_major,
     .sees = Sees::types,
     .ids = {E0351},
     .words = "$ row_major and not boxed"},
    {.name = "no_column",
     .check = no_column,
     .sees = Sees::types,
     .ids = {E0351},
     .words = "$ no column in col_major"},
    {.name = "same_valid",
     .check = same_valid,
     .sees = Sees::types,
     .ids = {E0352},
     .words = "valid regions are equal: $"},
    {.name = "nz",
     .check = nz,
     .sees = Sees::types,
     .ids = {E0351},
     .words = "$ in NZ layout (blayout=col_major, slayout=row_major)"},
    {.name = "unboxed", .check = unboxed, .sees = Sees::types, .ids = {E0351}, .words = "$ not boxed"},
    {.name = "vec_row_major",
     .check = vec_row_major,
     .sees = Sees::types,
     .ids = {E0351},
     .words = "$ row_major and not boxed when in vec"},
    {.name = "fractal_512",
     .check = fractal_512,
     .sees = Sees::types,
     .ids = {E0360},
     .words = "$ with fractal=512"},
    {.name = "mask_out",
     .check = mask_out,
     .sees = Sees::types,
     .ids = {E0358},
     .words = "the mask is an integer tile with a row per row of data and a bit per element"},
    {.name = "mask_bits",
     .check = mask_bits,
     .sees = Sees::types,
     .ids = {E0358},
     .words = "the mask is an integer tile"},
    {.name = "mask_stream",
     .check = mask_stream,
     .sees = Sees::types,
     .ids = {W0358},
     .words = "a mask wider than a row of bits is one stream of bits"},
};

}  // namespace

RuleFamily layout_rules() { return {.rules = kLayoutRules, .checks = kLayoutChecks}; }

}  // namespace pto::legality
