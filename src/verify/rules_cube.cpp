// mad clauses and extents, DMA groups, start positions (E0412, E0413, E0417).
#include <fmt/format.h>

#include <algorithm>

#include "verify/checker.hpp"

namespace pto::legality {
namespace {

Elem elem(const OpView& op, std::string_view name) { return op.type(static_cast<unsigned>(slot_of(op, name))).elem; }

std::string operand_elems(const OpView& op) {
  return fmt::format("lhs {}, rhs {}, dst {}", to_string(elem(op, "lhs")), to_string(elem(op, "rhs")), to_string(elem(op, "dst")));
}

unsigned attr_index(const OpView& op, std::string_view name) { return static_cast<unsigned>(isa::schema(op.op().row).attr_index(name)); }

/// Constants m, n, k: positive, and within the 12 bits of the control word.
void mad_shape(Checker& check, const OpView& op, std::string_view) {
  for (const std::string_view name : {std::string_view("m"), std::string_view("n"), std::string_view("k")}) {
    const unsigned slot = static_cast<unsigned>(slot_of(op, name));
    const std::optional<int64_t> value = check.constant(op.operand(slot));
    if (!value) continue;
    if (*value < 1 || *value > 4095) {
      check.fail("E0413", op, Anchor::Part::operand, flat_index(op, slot), fmt::format("{} of {} is {}; it must be 1 to 4095", name, op.mnemonic(), *value),
                 "split the product");
    } else if (name == "k" && bit_width(elem(op, "lhs")) == 4 && *value % 2 != 0) {
      check.fail("E0413", op, Anchor::Part::operand, flat_index(op, slot), fmt::format("k of {} is {}; packed 4-bit data needs an even k", op.mnemonic(), *value),
                 "pad K to an even number");
    }
  }
}

void mad_tf32(Checker& check, const OpView& op, std::string_view) {
  if (op.attr("tf32_mode") == nullptr) return;
  if (elem(op, "lhs") == Elem::f32 && elem(op, "rhs") == Elem::f32 && elem(op, "dst") == Elem::f32) return;
  check.fail("E0412", op, Anchor::Part::attribute, attr_index(op, "tf32_mode"),
             fmt::format("tf32_mode needs f32 operands: {}", operand_elems(op)), "drop tf32_mode, or use f32 pointers");
}

void mad_sat(Checker& check, const OpView& op, std::string_view) {
  if (op.attr("sat_mode") == nullptr || is_float(elem(op, "dst"))) return;
  check.fail("E0412", op, Anchor::Part::attribute, attr_index(op, "sat_mode"),
             fmt::format("sat and nosat need floating operands: {}", operand_elems(op)), "integer products take neither flag");
}

void same_elem(Checker& check, const OpView& op, std::string_view) {
  if (bit_width(op.type(0).elem) == bit_width(op.type(1).elem)) return;
  check.fail("E0331", op, Anchor::Part::operand_type, 1,
             fmt::format("{} copies elements unchanged: source {}, destination {}", op.mnemonic(), to_string(op.type(0).elem), to_string(op.type(1).elem)),
             "use elements of one width");
}

void pad_counts(Checker& check, const OpView& op, std::string_view) {
  const bool value = op.operand(static_cast<unsigned>(slot_of(op, "pad_value"))) != kNoValue;
  const bool left = op.operand(static_cast<unsigned>(slot_of(op, "left_padding_count"))) != kNoValue;
  const bool right = op.operand(static_cast<unsigned>(slot_of(op, "right_padding_count"))) != kNoValue;
  if (left == right && (value || !left)) return;
  check.fail("E0417", op, fmt::format("the pad group of {} is incomplete", op.mnemonic()), "write pad(%value) or pad(%value, %left, %right)");
}

/// Constant start positions are not negative.
void start(Checker& check, const OpView& op, std::string_view) {
  for (const std::string_view name : {std::string_view("start_row"), std::string_view("start_col")}) {
    const unsigned slot = static_cast<unsigned>(slot_of(op, name));
    const std::optional<int64_t> value = check.constant(op.operand(slot));
    if (value && *value < 0) check.fail("E0362", op, Anchor::Part::operand, flat_index(op, slot), fmt::format("{} of {} is {}", name, op.mnemonic(), *value), "start inside the matrix");
  }
}

constexpr OpRule kRules[] = {
    {"mad_shape", Sees::values, mad_shape}, {"mad_tf32", Sees::values, mad_tf32},     {"mad_sat", Sees::values, mad_sat},
    {"same_elem", Sees::types, same_elem},  {"pad_counts", Sees::values, pad_counts}, {"start", Sees::values, start},
};

}  // namespace

std::span<const OpRule> cube_rules() { return kRules; }

}  // namespace pto::legality
