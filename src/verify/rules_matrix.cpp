// Matrix products on tiles (E0356): locations, layouts, M/N/K.
#include <fmt/format.h>

#include "verify/checker.hpp"

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
  return {either("lhs", "a"), either("rhs", "b"), static_cast<unsigned>(slot_of(op, "dst")), slot_of(op, "bias"),
          c_in >= 0 ? c_in : slot_of(op, "acc_in")};
}

std::string_view layout_name(const Type& type) { return type.blayout == BLayout::row_major ? "row_major" : "col_major"; }
std::string_view box_name(const Type& type) {
  return type.slayout == SLayout::none_box ? "none_box" : type.slayout == SLayout::row_major ? "row_major" : "col_major";
}

bool check_location(Checker& check, const OpView& op, unsigned slot, Space space) {
  const Type& type = op.type(slot);
  if (type.space == space) return true;
  check.fail("E0341", op, Anchor::Part::operand_type, flat_index(op, slot),
             fmt::format("operand '{}' of {} must be in {}, but is in {}", isa::schema(op.op().row).operands[slot].name, op.mnemonic(),
                         tile_loc(space), tile_loc(type.space)),
             "stage operands with pto.tmov from mat to left, right and bias");
  return false;
}

void check_layout(Checker& check, const OpView& op, unsigned slot, BLayout blayout, SLayout slayout) {
  const Type& type = op.type(slot);
  if (type.blayout == blayout && type.slayout == slayout) return;
  Type wanted = type;
  wanted.blayout = blayout;
  wanted.slayout = slayout;
  check.fail("E0356", op, Anchor::Part::operand_type, flat_index(op, slot),
             fmt::format("operand '{}' of {} has blayout={}, slayout={} on {}", isa::schema(op.op().row).operands[slot].name, op.mnemonic(),
                         layout_name(type), box_name(type), to_string(check.target())),
             fmt::format("use blayout={}, slayout={}", layout_name(wanted), box_name(wanted)));
}

bool differ(int64_t a, int64_t b) { return a != kDynamic && b != kDynamic && a != b; }

void check_extent(Checker& check, const OpView& op, unsigned slot, std::string_view what, int64_t extent) {
  if (extent == kDynamic || (extent >= 1 && extent <= 4095)) return;
  check.fail("E0356", op, Anchor::Part::operand_type, flat_index(op, slot), fmt::format("{} of {} is {}; it must be 1 to 4095", what, op.mnemonic(), extent),
             "split the product into smaller tiles");
}

void check_extents(Checker& check, const OpView& op, const Operands& at) {
  const Type& lhs = op.type(at.lhs);
  const Type& rhs = op.type(at.rhs);
  const Type& dst = op.type(at.dst);
  check_extent(check, op, at.lhs, "M", lhs.valid[0]);
  check_extent(check, op, at.lhs, "K", lhs.valid[1]);
  check_extent(check, op, at.rhs, "N", rhs.valid[1]);
  if (differ(lhs.valid[1], rhs.valid[0])) {
    check.fail("E0356", op, Anchor::Part::operand_type, flat_index(op, at.rhs),
               fmt::format("K differs in {}: the left operand has {} valid columns, the right one {} valid rows", op.mnemonic(), lhs.valid[1], rhs.valid[0]),
               "both are the summed dimension");
  }
  if (lhs.rows() > dst.rows() || rhs.cols() > dst.cols()) {
    const bool fits = lhs.valid[0] != kDynamic && rhs.valid[1] != kDynamic && lhs.valid[0] <= dst.rows() && rhs.valid[1] <= dst.cols();
    if (fits) return;
    check.fail("E0356", op, Anchor::Part::operand_type, flat_index(op, at.dst),
               fmt::format("the product of {} is {}x{}, dst holds {}x{}", op.mnemonic(), lhs.rows(), rhs.cols(), dst.rows(), dst.cols()),
               "dst must hold M rows and N columns");
  }
}

void product(Checker& check, const OpView& op) {
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
}

void matmul(Checker& check, const OpView& op, std::string_view) { product(check, op); }

void gemv(Checker& check, const OpView& op, std::string_view) {
  const Operands at = find_operands(op);
  const int64_t rows = op.type(at.lhs).valid[0];
  if (rows != kDynamic && rows != 1) {
    check.fail("E0356", op, Anchor::Part::operand_type, flat_index(op, at.lhs), fmt::format("{} multiplies one row; the left operand has {} valid rows", op.mnemonic(), rows),
               "use pto.tmatmul, or valid=1xK");
    return;
  }
  product(check, op);
}

constexpr OpRule kRules[] = {
    {"matmul", Sees::types, matmul},
    {"gemv", Sees::types, gemv},
};

}  // namespace

std::span<const OpRule> matrix_rules() { return kRules; }

}  // namespace pto::legality
