// Layouts and valid regions of elementwise tiles (E035x), compare masks, scalar operands.
#include <fmt/format.h>

#include "verify/checker.hpp"

namespace pto::legality {
namespace {

std::string_view operand_name(const OpView& op, unsigned slot) { return isa::schema(op.op().row).operands[slot].name; }

std::string region(const Type& type) {
  const auto dim = [](int64_t value) { return value == kDynamic ? std::string("?") : fmt::format("{}", value); };
  return fmt::format("{}x{}", dim(type.valid[0]), dim(type.valid[1]));
}

/// Known and different.
bool differ(int64_t a, int64_t b) { return a != kDynamic && b != kDynamic && a != b; }

void row_major(Checker& check, const OpView& op, std::string_view) {
  for_each_tile(op, [&](unsigned slot, const Type& type) {
    // One column (or row) of elements lies the same way in both layouts.
    const bool vector = type.rows() == 1 || type.cols() == 1;
    if (type.slayout == SLayout::none_box && (type.blayout == BLayout::row_major || vector)) return;
    check.fail("E0351", op, Anchor::Part::operand_type, flat_index(op, slot),
               fmt::format("operand '{}' of {} must be row_major and not boxed, but is {}", operand_name(op, slot), op.mnemonic(), describe(type)),
               "use blayout=row_major, slayout=none_box");
  });
}

/// For instructions whose a5 form takes any layout.
void row_major_a2a3(Checker& check, const OpView& op, std::string_view argument) {
  if (check.target() == Target::a2a3) row_major(check, op, argument);
}

/// All listed tiles (or all) have the same valid region, as far as it is known.
void same_valid(Checker& check, const OpView& op, std::string_view names) {
  int first = -1;
  for_each_tile(op, [&](unsigned slot, const Type& type) {
    if (!in_list(names, operand_name(op, slot))) return;
    if (first < 0) {
      first = static_cast<int>(slot);
      return;
    }
    const Type& other = op.type(static_cast<unsigned>(first));
    if (!differ(type.valid[0], other.valid[0]) && !differ(type.valid[1], other.valid[1])) return;
    check.fail("E0352", op, Anchor::Part::operand_type, flat_index(op, slot),
               fmt::format("valid regions of {} differ: '{}' is {}, '{}' is {}", op.mnemonic(), operand_name(op, static_cast<unsigned>(first)),
                           region(other), operand_name(op, slot), region(type)),
               "give both tiles the same valid= region");
  });
}

void same_shape(Checker& check, const OpView& op, std::string_view) {
  const Type& src = op.type(0);
  const Type& dst = op.type(1);
  if (src.rows() == dst.rows() && src.cols() == dst.cols()) return;
  check.fail("E0353", op, Anchor::Part::operand_type, 1,
             fmt::format("{} needs tiles of one shape: src is {}x{}, dst is {}x{}", op.mnemonic(), src.rows(), src.cols(), dst.rows(), dst.cols()),
             "pto.tfillpad_expand writes a larger tile");
}

/// The mask written by a comparison: one bit per element, rows in step.
void mask_out(Checker& check, const OpView& op, std::string_view) {
  const Type& src = op.type(0);
  const int slot = slot_of(op, "dst");
  const Type& dst = op.type(static_cast<unsigned>(slot));
  if (!is_integer(dst.elem)) {
    check.fail("E0358", op, Anchor::Part::operand_type, flat_index(op, static_cast<unsigned>(slot)),
               fmt::format("{} writes a bit mask into 'dst'; {} is not an integer type", op.mnemonic(), to_string(dst.elem)), "use i8 or ui8");
    return;
  }
  if (!differ(src.valid[0], dst.valid[0]) || dst.rows() >= src.rows()) return;
  check.fail("E0358", op, Anchor::Part::operand_type, flat_index(op, static_cast<unsigned>(slot)),
             fmt::format("the mask of {} has {} rows for {} rows of data", op.mnemonic(), dst.rows(), src.rows()), "give the mask as many rows");
}

void mask_bits(Checker& check, const OpView& op, std::string_view) {
  const Type& mask = op.type(0);
  if (is_integer(mask.elem)) return;
  check.fail("E0358", op, Anchor::Part::operand_type, 0,
             fmt::format("the mask of {} holds bits in integers, not {}", op.mnemonic(), to_string(mask.elem)), "use i8 or ui8");
}

constexpr OpRule kRules[] = {
    {"row_major", Sees::types, row_major},   {"row_major_a2a3", Sees::types, row_major_a2a3}, {"same_valid", Sees::types, same_valid},
    {"same_shape", Sees::types, same_shape}, {"mask_out", Sees::types, mask_out},             {"mask_bits", Sees::types, mask_bits},
};

}  // namespace

std::span<const OpRule> layout_rules() { return kRules; }

}  // namespace pto::legality
