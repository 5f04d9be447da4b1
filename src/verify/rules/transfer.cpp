// Loads, stores, moves and padding: data paths and the requirements of each.
// Over 500 lines: one list of checks of windows and tiles, most of which share their extents.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "support/rounding.hpp"
#include "support/saturating.hpp"
#include "verify/tile_rules.hpp"

namespace pto::legality {
namespace {

/// Elements of a view type when all extents are known.
std::optional<int64_t> element_count(const Type& view) {
  int64_t product = 1;
  for (int i = 0; i < view.rank; ++i) {
    if (view.dims[static_cast<size_t>(i)] == kDynamic) return std::nullopt;
    product = sat_mul(product, view.dims[static_cast<size_t>(i)]);
  }
  return product;
}

std::string counts(const OpView& op, const Type& view, const TileOperand& tile, int64_t count) {
  return fmt::format("{} copies {} elements of {} but the tile's valid region is {}", op.mnemonic(), count,
                     describe(view), valid_region(*tile.type));
}

/// A tile of MX scales: boxes of 16 by 2, of the left operand by rows, of the right one by columns.
bool is_scales(const Type& tile) {
  return tile.space == Space::l1 && tile.elem == Elem::f8e8m0 && tile.slayout != SLayout::none_box &&
         (tile.slayout == SLayout::row_major) == (tile.blayout == BLayout::row_major);
}

/// Elements of the boxes that hold the valid region of a tile of scales; they are loaded whole.
int64_t elements_of_boxes(const Type& tile) {
  const bool left = tile.slayout == SLayout::row_major;
  const auto whole = [](int64_t extent, int64_t box) { return sat_mul(ceil_div(extent, box), box); };
  return sat_mul(whole(tile.valid[0], left ? 16 : 2), whole(tile.valid[1], left ? 2 : 16));
}

/// Whether the view's dimensions, taken as one of the layouts, are the tile's rows and columns.
bool same_extents(const Type& view, const Type& tile) {
  std::array<int64_t, 5> d{1, 1, 1, 1, 1};
  std::copy(view.dims.begin(), view.dims.begin() + view.rank, d.end() - view.rank);
  if (is_scales(tile)) {
    const bool left = tile.slayout == SLayout::row_major;
    if (tile.valid[0] == (left ? d[0] * d[1] * d[3] : d[2] * d[4])) return true;
  }
  const int64_t nd = d[0] * d[1] * d[2] * d[3];
  const int64_t dn = d[3];
  const int64_t nz = d[2] * d[3];
  return tile.valid[0] == nd || tile.valid[0] == dn ||
         tile.valid[0] == nz;  // the columns follow from the product
}

/// A view and the valid region it is copied to or from hold the same number of elements. Loads that
/// differ are common in public programs and get a warning; stores are refused, as by the public verifier.
void same_element_count(Checker& check, const OpView& op, unsigned view_slot, const TileOperand& tile) {
  const Type& view = op.type(view_slot);
  if (!view.is_view() || from_memref(view) || from_memref(*tile.type))
    return;  // a memref states no valid region
  if (below(tile.type->valid[0], 1) || below(tile.type->valid[1], 1)) return;  // nothing is copied
  const std::optional<int64_t> count = element_count(view);
  if (!count || tile.type->valid[0] == kDynamic || tile.type->valid[1] == kDynamic) return;
  if (*count == sat_mul(tile.type->valid[0], tile.type->valid[1])) {
    if (view.rank > 5 || same_extents(view, *tile.type)) return;
    check.fail(E0361, op, Anchor::Part::operand_type, view_slot,
               fmt::format("{} copies between {} and a tile whose valid region is {}: as many elements "
                           "in another shape",
                           op.mnemonic(), describe(view), valid_region(*tile.type)),
               "make the sizes of pto.partition_view and the tile's valid= agree");
    return;
  }
  if (tile.name == "dst" && is_scales(*tile.type) && *count == elements_of_boxes(*tile.type)) return;
  const std::string_view help = "make the sizes of pto.partition_view and the tile's valid= agree";
  if (tile.name != "dst") {
    check.fail(E0361, op, Anchor::Part::operand_type, view_slot, counts(op, view, tile, *count),
               std::string(help));
  } else if (check.errors() == 0) {  // else a view type that is wrong has been reported where it is made
    check.warn(W0361, op, counts(op, view, tile, *count), std::string(help));
  }
}

void view_extents(Checker& check, const OpView& op, unsigned slot) {
  const Type& view = op.type(slot);
  for (int d = 0; view.is_view() && d < view.rank; ++d) {
    if (!below(view.dims[static_cast<size_t>(d)], 1)) continue;
    check.fail(E0359, op, Anchor::Part::operand_type, slot,
               fmt::format("{}: dimension {} of {} has {} elements", op.mnemonic(), d, describe(view),
                           view.dims[static_cast<size_t>(d)]),
               "give every dimension at least one element");
    return;
  }
}

/// The bytes are copied as they are.
void transfer_same_width(Checker& check, const OpView& op, const TileOperand& tile, unsigned view_slot) {
  const Type& view = op.type(view_slot);
  if (bit_width(tile.type->elem) == bit_width(view.elem)) return;
  check.note_definition(
      check.fail(E0331, op, Anchor::Part::operand_type, tile.name == "dst" ? tile.flat : view_slot,
                 fmt::format("{} copies elements unchanged: {} holds {}, the view {}", op.mnemonic(),
                             label(op, tile), to_string(tile.type->elem), to_string(view.elem)),
                 "convert with pto.tcvt"),
      op.operand(tile.name == "dst" ? view_slot : 0));
}

void load_vec_layout(Checker& check, const OpView& op, const TileOperand& dst) {
  const Type& type = *dst.type;
  if (check.target() != Target::a5 || type.space != Space::ub || type.slayout == SLayout::none_box ||
      is_nz(type))
    return;
  fail_at(check, E0351, op, dst,
          fmt::format("{} into vec fills unboxed or NZ tiles, not {}", op.mnemonic(), describe(type)),
          Fix::use("slayout=none_box", ", or blayout=col_major with slayout=row_major"));
}

void load_shape(Checker& check, const OpView& op, std::string_view) {
  const TileOperand dst = tile_of(op, "dst");
  view_extents(check, op, 0);
  same_element_count(check, op, 0, dst);
  transfer_same_width(check, op, dst, 0);
  load_vec_layout(check, op, dst);
  if (check.target() == Target::a5 && signless(dst.type->elem) == Elem::i64 && dst.type->pad > 1) {
    fail_at(check, E0363, op, dst,
            fmt::format("{} of 64-bit integers on a5 pads with zero only; {} has pad={}", op.mnemonic(),
                        label(op, dst), dst.type->pad),
            "use pad=0 (none) or 1 (zero)");
  }
  if (dst.type->space == Space::ub || dst.type->space == Space::l1) return;
  fail_at(check, E0341, op, dst,
          fmt::format("{} loads into vec or mat tiles, not {}", op.mnemonic(), tile_loc(dst.type->space)),
          "load into mat, then pto.tmov");
}

void store_shape(Checker& check, const OpView& op, std::string_view) {
  const TileOperand src = tile_of(op, "src");
  view_extents(check, op, 1);
  same_element_count(check, op, 1, src);
  const Type& type = *src.type;
  const bool mat = type.space == Space::l1 && check.target() != Target::a5;
  if (type.space != Space::ub && type.space != Space::l0c && !mat) {
    fail_at(check, E0341, op, src,
            fmt::format("{} stores {} tiles on {}, not {}", op.mnemonic(),
                        check.target() == Target::a5 ? "vec or acc" : "vec, mat or acc",
                        to_string(check.target()), tile_loc(type.space)),
            "move the tile to vec first");
  }
  const bool line = type.rows() == 1 || type.cols() == 1;
  if (check.target() != Target::a5 || type.space != Space::ub || line || type.slayout == SLayout::none_box ||
      is_nz(type))
    return;
  fail_at(check, E0351, op, src,
          fmt::format("{} from vec reads unboxed or NZ tiles on a5, not {}", op.mnemonic(), describe(type)),
          Fix::use("slayout=none_box", ", or blayout=col_major with slayout=row_major"));
}

void store_extents(Checker& check, const OpView& op, std::string_view) {
  view_extents(check, op, static_cast<unsigned>(slot_of(op, "dst")));
}

/// Small floats are of a5; f64 is no element of tiles.
void moved_element(Checker& check, const OpView& op, unsigned operand) {
  const Elem elem = op.type(operand).elem;
  const bool small = is_float(elem) && bit_width(elem) <= 8;
  if (elem != Elem::f64 && !(small && check.target() == Target::a2a3)) return;
  check.fail(E0331, op, Anchor::Part::operand_type, operand,
             fmt::format("{} of {}: {} has no such format", op.mnemonic(), to_string(elem),
                         to_string(check.target())),
             fmt::format("move the bytes as {}", small ? "i8" : "i64"));
}

void prefetch(Checker& check, const OpView& op, std::string_view) {
  view_extents(check, op, 0);
  transfer_same_width(check, op, tile_of(op, "dst"), 0);
  moved_element(check, op, 0);
}

/// What an accumulator can be converted to on its way to GM.
std::string acc_targets(Target target, Elem from, bool quantised) {
  if (!quantised)
    return target == Target::a2a3 ? "i32, f32, f16 or bf16" : "i32, f32, f16, bf16 or 8-bit floats";
  if (target == Target::a2a3) return from == Elem::f32 ? "i8" : "i8 or f16";
  return from == Elem::f32 ? "i8, f16, bf16, f32, f8E4M3FN or hif8" : "i8, f16 or bf16";
}

bool acc_fits(Target target, Elem from, Elem to, bool quantised) {
  const bool fp8 = one_of(to, {Elem::f8e4m3, Elem::f8e5m2, Elem::hif8});
  if (!quantised)
    return one_of(to, {Elem::i32, Elem::f32, Elem::f16, Elem::bf16}) || (target != Target::a2a3 && fp8);
  if (one_of(to, {Elem::i8}) || (from != Elem::f32 && to == Elem::f16)) return true;
  if (target == Target::a2a3) return false;
  return one_of(to, {Elem::f16, Elem::bf16}) ||
         (from == Elem::f32 && one_of(to, {Elem::f32, Elem::f8e4m3, Elem::hif8}));
}

/// Without the accumulator the bytes are copied as they are; the accumulator may be converted on the way.
void store_types(Checker& check, const OpView& op, std::string_view) {
  const TileOperand src = tile_of(op, "src");
  const Type& tile = *src.type;
  const Type& view = op.type(1);
  if (tile.space != Space::l0c) {
    transfer_same_width(check, op, src, 1);
    return moved_element(check, op, 0);
  }
  if (!one_of(tile.elem, {Elem::f32, Elem::i32})) {
    fail_at(check, E0331, op, src,
            fmt::format("the accumulator holds f32 or i32, not {}", to_string(tile.elem)),
            "use an f32 or i32 acc tile");
    return;
  }
  const bool quantised = op.operand(2) != kNoValue;
  if (acc_fits(check.target(), signless(tile.elem), view.elem, quantised)) return;
  check.fail(
      E0331, op, Anchor::Part::operand_type, 1,
      fmt::format("{} converts {} of the accumulator{} to {} on {}, not to {}", op.mnemonic(),
                  to_string(tile.elem), quantised ? " with preQuantScalar" : "",
                  acc_targets(check.target(), signless(tile.elem), quantised), to_string(check.target()),
                  to_string(view.elem)),
      quantised ? "choose another element type of the view" : "give preQuantScalar for 8-bit integers");
}

/// Clauses of the fixpipe apply to what leaves the accumulator.
void store_form(Checker& check, const OpView& op, std::string_view) {
  if (op.type(0).space == Space::l0c) return;
  if (op.operand(2) != kNoValue) {
    check.fail(E0368, op, Anchor::Part::operand, 2,
               fmt::format("preQuantScalar of {} quantises the accumulator; src is in {}", op.mnemonic(),
                           tile_loc(op.type(0).space)),
               Fix::remove("drop it, or store an acc tile"));
  }
  const AttrValue* relu = op.attr("reluPreMode");
  if (relu == nullptr || relu->integer == 0) return;
  check.fail(E0322, op, Anchor::Part::attribute,
             static_cast<unsigned>(isa::schema(op.op().row).attr_index("reluPreMode")),
             fmt::format("reluPreMode of {} works on the accumulator; src is in {}", op.mnemonic(),
                         tile_loc(op.type(0).space)),
             Fix::remove("drop it, or apply pto.trelu first"));
}

void bad_attr(Checker& check, const OpView& op, std::string_view attr, std::string message, Fix help) {
  check.fail(E0322, op, Anchor::Part::attribute,
             static_cast<unsigned>(isa::schema(op.op().row).attr_index(attr)), std::move(message),
             std::move(help));
}

/// The quantising modes of the fixpipe, as the tile libraries choose them. On A2/A3 a vector does not scale
/// f32 to a float.
bool word_fits(Target target, Elem from, Elem to, bool vector) {
  if (signless(to) == Elem::i8) return true;
  if (target == Target::a5) {
    return one_of(to, {Elem::f16, Elem::bf16}) ||
           (from == Elem::f32 && one_of(to, {Elem::f32, Elem::f8e4m3, Elem::f8e5m2, Elem::hif8}));
  }
  const bool shifted = from == Elem::i32 && signless(to) == Elem::i16;
  if (target == Target::a2a3)
    return shifted || (from == Elem::i32 ? to == Elem::f16 : !vector && one_of(to, {Elem::f16, Elem::bf16}));
  return shifted || is_float(to);
}

/// fp and preQuantScalar of tmov: one of them, from the accumulator, through one vector core.
void mov_quant(Checker& check, const OpView& op) {
  const TileOperand src = tile_of(op, "src");
  const TileOperand fp = tile_of(op, "fp");
  const unsigned scalar = flat_index(op, static_cast<unsigned>(slot_of(op, "preQuantScalar")));
  const bool quantised = op.operand(static_cast<unsigned>(slot_of(op, "preQuantScalar"))) != kNoValue;
  if (fp.type == nullptr && !quantised) return;
  const unsigned at = fp.type != nullptr ? fp.flat : scalar;
  const std::string_view what = fp.type != nullptr ? "fp" : "preQuantScalar";
  if (fp.type != nullptr && quantised) {
    check.fail(
        E0368, op, Anchor::Part::operand, scalar,
        fmt::format("{} quantises by {} or by preQuantScalar, not by both", op.mnemonic(), label(op, fp)),
        Fix::remove("drop one of them"));
  } else if (src.type->space != Space::l0c) {
    check.fail(E0368, op, Anchor::Part::operand, at,
               fmt::format("{} of {} quantises the accumulator; src is in {}", what, op.mnemonic(),
                           tile_loc(src.type->space)),
               Fix::remove("drop it, or move an acc tile"));
  } else if (fp.type != nullptr && !one_of(src.type->elem, {Elem::f32, Elem::i32})) {
    fail_at(check, E0331, op, src,
            fmt::format("{} with fp quantises f32 or i32, not {}", op.mnemonic(), to_string(src.type->elem)),
            "use an f32 or i32 acc tile");
  } else if (!word_fits(check.target(), signless(src.type->elem), tile_of(op, "dst").type->elem,
                        fp.type != nullptr)) {
    fail_at(check, E0331, op, tile_of(op, "dst"),
            fmt::format("{} of {} has no mode from {} to {} on {}", what, op.mnemonic(),
                        to_string(src.type->elem), to_string(tile_of(op, "dst").type->elem),
                        to_string(check.target())),
            "choose another element type of dst");
  } else if (op.attr("accToVecMode") != nullptr && op.attr_int("accToVecMode") >= 2) {
    bad_attr(check, op, "accToVecMode",
             fmt::format("{} with {} goes to one vector core", op.mnemonic(), what),
             Fix::use_one_of({"single_mode_vec0", "single_mode_vec1"}));
  }
}

void mov_form(Checker& check, const OpView& op, std::string_view) {
  const TileOperand src = tile_of(op, "src");
  const TileOperand dst = tile_of(op, "dst");
  if (const TileOperand third = tile_of(op, "fp"); third.type != nullptr && third.type->space != Space::fb)
    return;  // exponents: mx.cpp
  if (op.attr("grpAxis") != nullptr)
    bad_attr(
        check, op, "grpAxis",
        fmt::format("grpAxis of {} says how exponents are arranged, with a third tile in vec", op.mnemonic()),
        Fix::remove("drop it"));
  mov_quant(check, op);
  const bool acc = src.type->space == Space::l0c;
  const bool relu = op.attr_int("reluPreMode") != 0;
  if (op.attr("accToVecMode") != nullptr && !(acc && dst.type->space == Space::ub)) {
    bad_attr(check, op, "accToVecMode",
             fmt::format("accToVecMode of {} is for moves from acc to vec, not from {} to {}", op.mnemonic(),
                         tile_loc(src.type->space), tile_loc(dst.type->space)),
             Fix::remove("drop it"));
  }
  if (relu && !acc)
    bad_attr(check, op, "reluPreMode",
             fmt::format("reluPreMode of {} works on the accumulator; src is in {}", op.mnemonic(),
                         tile_loc(src.type->space)),
             Fix::remove("drop it, or apply pto.trelu"));
  if (!acc || is_nz(*src.type) || (!relu && tile_of(op, "fp").type == nullptr)) return;
  fail_at(check, E0351, op, src,
          fmt::format("{}: {} has {}; the accumulator has blayout=col_major, slayout=row_major",
                      op.mnemonic(), label(op, src), layout_name(*src.type)),
          Fix::use("blayout=col_major, slayout=row_major"));
}

/// Operands of products are filled box by box; rows that are as wide as a box are boxes already, and a single
/// row needs none.
void operand_boxes(Checker& check, const OpView& op, std::string_view) {
  const TileOperand src = tile_of(op, "src");
  const TileOperand dst = tile_of(op, "dst");
  const bool operand = dst.type->space == Space::l0a || dst.type->space == Space::l0b;
  if (src.type->space != Space::l1 || !operand || src.type->slayout != SLayout::none_box) return;
  const bool by_rows = src.type->blayout == BLayout::row_major;
  const int64_t line = by_rows ? src.type->cols() : src.type->rows();
  constexpr int64_t kBoxBits = 256;
  if (src.type->rows() == 1 || dst.type->rows() == 1 || line * bit_width(src.type->elem) == kBoxBits) return;
  fail_at(check, E0351, op, src,
          fmt::format("{}: {} has {}; {} is filled from boxes", op.mnemonic(), label(op, src),
                      layout_name(*src.type), label(op, dst)),
          "use blayout=col_major, slayout=row_major, fractal=512 (of a transposed operand row_major, "
          "col_major)");
}

/// The tables of the bias and of the fixpipe are written in lines of 64 and 128 bytes.
void mov_table(Checker& check, const OpView& op, std::string_view) {
  const TileOperand dst = tile_of(op, "dst");
  const int64_t line = dst.type->space == Space::bt ? 64 : dst.type->space == Space::fb ? 128 : 1;
  const int64_t bytes = sat_mul<int64_t>(dst.type->cols(), bit_width(dst.type->elem)) / 8;
  if (tile_of(op, "src").type->space != Space::l1 || bytes % line == 0 || dst.type->elem == Elem::f8e8m0)
    return;  // scales of MX operands are no table
  check.warn(W0374, op, Anchor::Part::operand_type, dst.flat,
             fmt::format("{}: {} has rows of {} bytes; the library writes {} in lines of {}", op.mnemonic(),
                         label(op, dst), bytes, tile_loc(dst.type->space), line),
             "pad the columns");
}

/// Tiles of one shape out of mat, and everywhere on A2/A3.
void mov_shape(Checker& check, const OpView& op, std::string_view) {
  const TileOperand src = tile_of(op, "src");
  const TileOperand dst = tile_of(op, "dst");
  const bool same =
      !differ(src.type->rows(), dst.type->rows()) && !differ(src.type->cols(), dst.type->cols());
  if (!same && (src.type->space == Space::l1 || check.target() == Target::a2a3)) {
    fail_pair(
        check, E0353, op, src, dst,
        fmt::format("{}: {} is {}, {} is {}; a move from {} keeps the shape", op.mnemonic(), label(op, src),
                    shape(*src.type), label(op, dst), shape(*dst.type), tile_loc(src.type->space)),
        "pto.textract takes a window, pto.tinsert writes one");
  }
  if (check.target() != Target::a2a3 || src.type->space != Space::l0c || dst.type->space != Space::l1 ||
      dst.type->fractal == 512)
    return;
  fail_at(check, E0360, op, dst,
          fmt::format("{}: {} has fractal={}; from acc to mat it must be 512 on a2a3", op.mnemonic(),
                      label(op, dst), dst.type->fractal),
          "leave fractal= out of the type");
}

void fillpad(Checker& check, const OpView& op, std::string_view) {
  const Type& src = op.type(0);
  const Type& dst = op.type(1);
  if (dst.pad == 0) {
    check.fail(E0363, op, Anchor::Part::operand_type, 1,
               fmt::format("{} fills with the pad value of dst, which has none (pad=0)", op.mnemonic()),
               "use pad=1 (zero), 2 (max) or 3 (min)");
  } else if (dst.rows() < src.rows() || dst.cols() < src.cols()) {
    check.fail(E0353, op, Anchor::Part::operand_type, 1,
               fmt::format("dst of {} is {}x{}, smaller than src {}x{}", op.mnemonic(), dst.rows(),
                           dst.cols(), src.rows(), src.cols()),
               "dst must be at least as large as src");
  }
}

/// In mat the instruction writes the padding of one tile type; a second type exists in vec only.
void fillpad_mat(Checker& check, const OpView& op, std::string_view) {
  const TileOperand src = tile_of(op, "src");
  const TileOperand dst = tile_of(op, "dst");
  if (src.type->space != Space::l1 || dst.type->space != Space::l1 || *src.type == *dst.type) return;
  std::string fields;
  const auto field = [&](std::string_view name, const std::string& a, const std::string& b) {
    if (a != b) fields += fmt::format("{}{} ({} and {})", fields.empty() ? "" : ", ", name, a, b);
  };
  field("shape", shape(*src.type), shape(*dst.type));
  field("valid", valid_region(*src.type), valid_region(*dst.type));
  field("pad", std::to_string(src.type->pad), std::to_string(dst.type->pad));
  field("layout", layout_name(*src.type), layout_name(*dst.type));
  fail_pair(check, E0380, op, src, dst,
            fmt::format("{} in mat needs {} and {} of one type; they differ in {}", op.mnemonic(),
                        label(op, src), label(op, dst), fields.empty() ? "their types" : fields),
            "give both the same type, or fill in vec");
}

constexpr Rule kTransferRules[] = {
    {.id = E0322,
     .title = "attribute and operands",
     .cause = "An attribute asks for something that the operands of this form do not have.",
     .example = "pto.tmov .. {accToVecMode = ..} from vec to vec",
     .fix = "Drop the attribute, or use the operands it is for."},
    {.id = E0361,
     .title = "store size",
     .cause = "A window of GM and the valid region stored into it hold different numbers of elements.",
     .example = "pto.tstore of valid=32x32 into 64x64",
     .fix = "Make the sizes of pto.partition_view and the tile's valid= agree."},
    {.id = W0361,
     .title = "element count",
     .cause = "A window of GM and the tile's valid region hold different numbers of elements.",
     .example = "pto.tload of 16x64 into valid=16x60",
     .fix = "Make both agree."},
    {.id = E0363,
     .title = "pad value",
     .cause = "Filling needs a tile type with a pad value.",
     .example = "pto.tfillpad into a tile with pad=0",
     .fix = "Write pad=1 (zero), 2 (max) or 3 (min) in the type."},
    {.id = W0374,
     .title = "table lines",
     .cause = "The bias table is written in lines of 64 bytes, the fixpipe's in lines of 128.",
     .example = "pto.tmov from mat to a scaling tile of 1x16xf32",
     .fix = "Pad the columns of the table."},
    {.id = E0380,
     .title = "padding in mat",
     .cause = "In mat tfillpad works on one tile type; a source of another type exists in vec only.",
     .example = "pto.tfillpad in mat from valid=?x? to valid=16x64, pad=1",
     .fix = "Give source and destination the same type, or fill in vec."},
};

constexpr OpRule kTransferChecks[] = {
    {.name = "load_shape",
     .check = load_shape,
     .sees = Sees::types,
     .ids = {E0331, E0341, E0351, E0359, E0361, E0363, W0361},
     .words = "fills vec or mat tiles; extents and element types of window and tile fit each other",
     .places = "dst=vec|mat"},
    {.name = "store_shape",
     .check = store_shape,
     .sees = Sees::types,
     .ids = {E0341, E0351, E0359, E0361, W0361},
     .words = "stores vec, mat or acc tiles; extents of window and tile fit each other",
     .places = "src=vec|mat|acc"},
    {.name = "store_types",
     .check = store_types,
     .sees = Sees::types,
     .ids = {E0331},
     .words = "the element types are equal; an acc tile of f32 or i32 may be converted"},
    {.name = "store_form",
     .check = store_form,
     .ids = {E0322, E0368},
     .words = "preQuantScalar, reluPreMode and atomic types only where the target has them, from acc"},
    {.name = "mov_form",
     .check = mov_form,
     .ids = {E0322, E0331, E0351, E0368},
     .words = "accToVecMode, reluPreMode, fp and preQuantScalar only from acc"},
    {.name = "operand_boxes",
     .check = operand_boxes,
     .sees = Sees::types,
     .ids = {E0351},
     .words = "tiles that are moved from mat to left or right are boxed"},
    {.name = "mov_shape",
     .check = mov_shape,
     .sees = Sees::types,
     .ids = {E0353, E0360},
     .words = "the shape stays where the path cannot change it"},
    {.name = "mov_table",
     .check = mov_table,
     .sees = Sees::types,
     .ids = {W0374},
     .words = "rows of bias and scaling tables are whole lines of 64 and 128 bytes"},
    {.name = "store_extents",
     .check = store_extents,
     .sees = Sees::types,
     .ids = {E0359},
     .words = "extents are not zero"},
    {.name = "prefetch",
     .check = prefetch,
     .sees = Sees::types,
     .ids = {E0331, E0359},
     .words = "source and destination go with each other"},
    {.name = "fillpad",
     .check = fillpad,
     .sees = Sees::types,
     .ids = {E0353, E0363},
     .words = "the destination has a pad value and is at least as large as the source"},
    {.name = "fillpad_mat",
     .check = fillpad_mat,
     .sees = Sees::types,
     .ids = {E0380},
     .words = "in mat source and destination have one type"},
};

}  // namespace

RuleFamily transfer_rules() { return {.rules = kTransferRules, .checks = kTransferChecks}; }

}  // namespace pto::legality
