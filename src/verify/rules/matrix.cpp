// Matrix products on tiles (E0356): locations, layouts, M/N/K.
#include <fmt/format.h>

#include "support/rounding.hpp"
#include "verify/tile_rules.hpp"

namespace pto::legality {
namespace {

struct Operands {
  unsigned lhs, rhs, dst;
  int bias, acc;
};

Operands find_operands(const OpView& op) {
  const auto either = [&](std::string_view a, std::string_view b) {
    const int slot = slot_of(op, a);
    return static_cast<unsigned>(slot >= 0 ? slot : slot_of(op, b));
  };
  const int c_in = slot_of(op, "c_in");
  return {either("lhs", "a"), either("rhs", "b"), static_cast<unsigned>(slot_of(op, "dst")),
          slot_of(op, "bias"), c_in >= 0 ? c_in : slot_of(op, "acc_in")};
}

bool check_location(Checker& check, const OpView& op, unsigned slot, Space space) {
  const Type& type = op.type(slot);
  if (type.space == space) return true;
  Diagnostic& built =
      check.fail(E0341, op, Anchor::Part::operand_type, flat_index(op, slot),
                 fmt::format("operand '{}' of {} must be in {}, but {} is in {}",
                             isa::schema(op.op().row).operands[slot].name, op.mnemonic(), tile_loc(space),
                             value_name(op.program(), op.operand(slot)), tile_loc(type.space)),
                 space == Space::l0c ? "products are in acc; move them on with pto.tmov or pto.tstore"
                                     : "stage operands with pto.tmov from mat to left, right and bias");
  built.anchor.key = "loc";
  check.note_definition(built, op.operand(slot));
  return false;
}

void check_layout(Checker& check, const OpView& op, unsigned slot, BLayout blayout, SLayout slayout) {
  const Type& type = op.type(slot);
  if (type.blayout == blayout && type.slayout == slayout) return;
  Type wanted = type;
  wanted.blayout = blayout;
  wanted.slayout = slayout;
  check.fail(E0356, op, Anchor::Part::operand_type, flat_index(op, slot),
             fmt::format("operand '{}' of {} has {} on {}", isa::schema(op.op().row).operands[slot].name,
                         op.mnemonic(), layout_name(type), to_string(check.target())),
             type.space == Space::l0a ? left_layout_help(check.target()) : Fix::use(layout_name(wanted)));
}

void check_extent(Checker& check, const OpView& op, unsigned slot, std::string_view what, int64_t extent) {
  const int64_t least = slot_of(op, "a_scale") < 0 ? 0 : 1;
  if (extent == kDynamic || (extent >= least && extent <= 4095)) return;
  check.fail(E0356, op, Anchor::Part::operand_type, flat_index(op, slot),
             fmt::format("{} of {} is {}; it must be {} to 4095", what, op.mnemonic(), extent, least),
             "split the product into smaller tiles");
}

void check_extents(Checker& check, const OpView& op, const Operands& at) {
  const Type& lhs = op.type(at.lhs);
  const Type& rhs = op.type(at.rhs);
  const Type& dst = op.type(at.dst);
  check_extent(check, op, at.lhs, "M", lhs.valid[0]);
  check_extent(check, op, at.lhs, "K", lhs.valid[1]);
  check_extent(check, op, at.rhs, "N", rhs.valid[1]);
  // The product with scales takes two groups at once.
  if (slot_of(op, "a_scale") >= 0 && lhs.cols() % 64 != 0)
    check.fail(
        E0356, op, Anchor::Part::operand_type, flat_index(op, at.lhs),
        fmt::format("K of {} is {} in the tile; it must be a multiple of 64", op.mnemonic(), lhs.cols()),
        "enlarge the tile, and give the used part with valid=");
  if (differ(lhs.valid[1], rhs.valid[0])) {
    check.fail(
        E0356, op, Anchor::Part::operand_type, flat_index(op, at.rhs),
        fmt::format("K differs in {}: the left operand has {} valid columns, the right one {} valid rows",
                    op.mnemonic(), lhs.valid[1], rhs.valid[0]),
        "both are the summed dimension");
  }
  if (differ(lhs.valid[0], dst.valid[0]) || differ(rhs.valid[1], dst.valid[1]))
    return;  // check_result says it
  if (lhs.rows() > dst.rows() || rhs.cols() > dst.cols()) {
    const bool fits = lhs.valid[0] != kDynamic && rhs.valid[1] != kDynamic && lhs.valid[0] <= dst.rows() &&
                      rhs.valid[1] <= dst.cols();
    if (fits) return;
    check.fail(E0356, op, Anchor::Part::operand_type, flat_index(op, at.dst),
               fmt::format("the product of {} is {}x{}, dst holds {}x{}", op.mnemonic(), lhs.rows(),
                           rhs.cols(), dst.rows(), dst.cols()),
               "dst must hold M rows and N columns");
  }
}

/// M and N of the operands are those of the result.
void check_result(Checker& check, const OpView& op, const Operands& at) {
  const Type& dst = op.type(at.dst);
  const unsigned slots[] = {at.lhs, at.rhs};
  for (unsigned d = 0; d < 2; ++d) {
    const Type& source = op.type(slots[d]);
    if (!differ(source.valid[d], dst.valid[d])) continue;
    Diagnostic& built =
        check.fail(E0356, op, Anchor::Part::operand_type, flat_index(op, at.dst),
                   fmt::format("{}: the {} operand ({}) has {} valid {}, dst ({}) has {}", op.mnemonic(),
                               d == 0 ? "left" : "right", value_name(op.program(), op.operand(slots[d])),
                               source.valid[d], d == 0 ? "rows" : "columns",
                               value_name(op.program(), op.operand(at.dst)), dst.valid[d]),
                   "the product of MxK and KxN is MxN");
    check.note_definition(built, op.operand(slots[d]));
  }
}

/// One row of bias, added to every row of the product.
void check_bias(Checker& check, const OpView& op, const Operands& at, bool one_row) {
  if (at.bias < 0) return;
  const auto slot = static_cast<unsigned>(at.bias);
  const Type& bias = op.type(slot);
  const Type& dst = op.type(at.dst);
  if (differ(bias.rows(), 1)) {
    check.fail(E0356, op, Anchor::Part::operand_type, flat_index(op, slot),
               fmt::format("bias of {} has {} rows", op.mnemonic(), bias.rows()), "use one row");
  }
  if (check.target() == Target::a5 && bias.blayout != BLayout::row_major) {
    check.fail(E0356, op, Anchor::Part::operand_type, flat_index(op, slot),
               fmt::format("bias of {} has {} on a5", op.mnemonic(), layout_name(bias)),
               Fix::use("blayout=row_major"));
  }
  if (one_row && slot_of(op, "a_scale") >= 0 &&
      (differ(bias.cols(), dst.cols()) || differ(bias.valid[0], dst.valid[0]) ||
       differ(bias.valid[1], dst.valid[1]))) {
    check.fail(E0356, op, Anchor::Part::operand_type, flat_index(op, slot),
               fmt::format("bias of {} is {} (valid {}), dst {} (valid {})", op.mnemonic(), shape(bias),
                           valid_region(bias), shape(dst), valid_region(dst)),
               "give bias the columns of dst");
  }
}

/// The accumulator that is added has the region of the result.
void check_accumulator(Checker& check, const OpView& op, const Operands& at) {
  if (at.acc < 0) return;
  const Type& acc = op.type(static_cast<unsigned>(at.acc));
  const Type& dst = op.type(at.dst);
  if (!differ(acc.valid[0], dst.valid[0]) && !differ(acc.valid[1], dst.valid[1])) return;
  check.fail(E0356, op, Anchor::Part::operand_type, flat_index(op, static_cast<unsigned>(at.acc)),
             fmt::format("the accumulator of {} is valid on {}, dst on {}", op.mnemonic(), valid_region(acc),
                         valid_region(dst)),
             "give both the same valid region");
}

/// A scale tile is in scaling and has the shape of its operand, as the public compiler has it, or one element
/// per 32 of K, as the headers have it.
void check_scale(Checker& check, const OpView& op, std::string_view scale_name,
                 std::string_view operand_name) {
  const TileOperand scale = tile_of(op, scale_name);
  const TileOperand operand = tile_of(op, operand_name);
  if (scale.type == nullptr || operand.type == nullptr) return;
  if (scale.type->space != Space::fb) {
    fail_at(check, E0341, op, scale,
            fmt::format("operand '{}' of {} must be in scaling, but is in {}", scale_name, op.mnemonic(),
                        tile_loc(scale.type->space)),
            Fix::use("loc=scaling"));
    return;
  }
  const unsigned k = operand.type->space == Space::l0b ? 0 : 1;
  const int64_t shared = operand.type->dims[1 - k];
  const int64_t groups = ceil_div(operand.type->dims[k], 32);
  // One scale per 32 of the K that is used, in a tile as wide as the operand or as its used part.
  const int64_t used = operand.type->valid[k] == kDynamic ? groups : ceil_div(operand.type->valid[k], 32);
  if (scale.type->dims[1 - k] == shared && scale.type->dims[k] >= std::min(groups, used) &&
      scale.type->dims[k] <= std::max(groups, used))
    return;
  fail_pair(check, E0369, op, operand, scale,
            fmt::format("{}: {} is {} (valid {}), {} is {} (valid {})", op.mnemonic(), label(op, scale),
                        shape(*scale.type), valid_region(*scale.type), label(op, operand),
                        shape(*operand.type), valid_region(*operand.type)),
            Fix::use(k == 0 ? extents(groups, shared) : extents(shared, groups), ", one scale per 32 of K"));
}

/// Boxes of 16 rows (or columns) by two groups, one behind the other along K.
void check_scale_layout(Checker& check, const OpView& op, std::string_view name, bool left) {
  const TileOperand scale = tile_of(op, name);
  if (scale.type == nullptr) return;
  const bool fits =
      left ? scale.type->blayout == BLayout::row_major && scale.type->slayout == SLayout::row_major
           : scale.type->blayout == BLayout::col_major && scale.type->slayout == SLayout::col_major;
  if (fits && scale.type->fractal == 32) return;
  fail_at(check, E0369, op, scale,
          fmt::format("{}: {} has {}, fractal={}", op.mnemonic(), label(op, scale), layout_name(*scale.type),
                      scale.type->fractal),
          Fix::use(fmt::format("blayout={0}, slayout={0}, fractal=32", left ? "row_major" : "col_major")));
}

void scales(Checker& check, const OpView& op, std::string_view) {
  check_scale(check, op, "a_scale", "a");
  check_scale(check, op, "b_scale", "b");
}

void scale_boxes(Checker& check, const OpView& op, std::string_view) {
  check_scale_layout(check, op, "a_scale", true);
  check_scale_layout(check, op, "b_scale", false);
}

void scale_of(Checker& check, const OpView& op, std::string_view) { check_scale(check, op, "dst", "src"); }

void product(Checker& check, const OpView& op, bool one_row) {
  const Operands at = find_operands(op);
  bool placed = check_location(check, op, at.lhs, Space::l0a);
  placed &= check_location(check, op, at.rhs, Space::l0b);
  placed &= check_location(check, op, at.dst, Space::l0c);
  if (at.bias >= 0) placed &= check_location(check, op, static_cast<unsigned>(at.bias), Space::bt);
  if (at.acc >= 0) placed &= check_location(check, op, static_cast<unsigned>(at.acc), Space::l0c);
  if (!placed) return;
  if (check.target() == Target::a5) check_layout(check, op, at.lhs, BLayout::col_major, SLayout::row_major);
  if (check.target() == Target::a2a3) check_layout(check, op, at.lhs, BLayout::row_major, SLayout::row_major);
  check_layout(check, op, at.rhs, BLayout::row_major, SLayout::col_major);
  check_layout(check, op, at.dst, BLayout::col_major, SLayout::row_major);
  check_extents(check, op, at);
  check_result(check, op, at);
  check_bias(check, op, at, one_row);
  check_accumulator(check, op, at);
}

void matmul(Checker& check, const OpView& op, std::string_view) { product(check, op, false); }

void gemv(Checker& check, const OpView& op, std::string_view) {
  const Operands at = find_operands(op);
  const int64_t rows = op.type(at.lhs).valid[0];
  if (rows != kDynamic && rows != 1) {
    check.fail(E0356, op, Anchor::Part::operand_type, flat_index(op, at.lhs),
               fmt::format("{} multiplies one row; the left operand has {} valid rows", op.mnemonic(), rows),
               Fix::use("pto.tmatmul", ", or valid=1xK"));
    return;
  }
  product(check, op, true);
}

constexpr Rule kMatrixRules[] = {
    {.id = E0356,
     .title = "matrix product",
     .cause = "Locations, layouts or extents of a matrix product do not fit.",
     .example = "pto.tmatmul of 16x32 and 64x16",
     .fix = "Make K agree, keep M, N, K within 1 to 4095, use the target's layouts."},
    {.id = E0369,
     .title = "scale tile",
     .cause =
         "The scales of an MX operand are one element per 32 of K, in boxes of 16 rows (left) or columns "
         "(right) by two groups.",
     .example = "pto.tgemv.mx with a_scale of 1x64 for a of 1x128",
     .fix = "Give the scale tile the shape and layout the message names."},
};

constexpr OpRule kMatrixChecks[] = {
    {.name = "matmul",
     .check = matmul,
     .sees = Sees::types,
     .ids = {E0341, E0356},
     .words = "operands are in left, right, acc and bias with the target's layouts; M, N and K agree and "
              "are 1 to 4095",
     .places = "lhs=left rhs=right dst=acc acc_in=acc a=left b=right bias=bias"},
    {.name = "gemv",
     .check = gemv,
     .sees = Sees::types,
     .ids = {E0341, E0356},
     .words = "as a matrix product whose left operand has one row",
     .places = "lhs=left rhs=right dst=acc acc_in=acc a=left b=right bias=bias"},
    {.name = "scales",
     .check = scales,
     .sees = Sees::types,
     .ids = {E0341, E0369},
     .words = "one scale per 32 elements of K"},
    {.name = "scale_boxes",
     .check = scale_boxes,
     .sees = Sees::types,
     .ids = {E0369},
     .words = "scales lie by rows on the left, by columns on the right, fractal 32"},
    {.name = "scale_of",
     .check = scale_of,
     .sees = Sees::types,
     .ids = {E0341, E0369},
     .words = "the scale tile is in scaling and fits its operand"},
};

}  // namespace

RuleFamily matrix_rules() { return {.rules = kMatrixRules, .checks = kMatrixChecks}; }

}  // namespace pto::legality
