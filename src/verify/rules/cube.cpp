// mad clauses and extents, DMA groups, start positions (E0412, E0413, E0417).
#include <fmt/format.h>

#include <algorithm>

#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

Elem elem(const OpView& op, std::string_view name) {
  return op.type(static_cast<unsigned>(slot_of(op, name))).elem;
}

std::string operand_elems(const OpView& op) {
  return fmt::format("lhs {}, rhs {}, dst {}", to_string(elem(op, "lhs")), to_string(elem(op, "rhs")),
                     to_string(elem(op, "dst")));
}

/// Constants m, n, k: positive, and within the 12 bits of the control word.
void mad_shape(Checker& check, const OpView& op, std::string_view) {
  for (const std::string_view name : {std::string_view("m"), std::string_view("n"), std::string_view("k")}) {
    const unsigned slot = static_cast<unsigned>(slot_of(op, name));
    const std::optional<int64_t> value = check.constant(op.operand(slot));
    if (!value) continue;
    if (*value < 1 || *value > 4095) {
      check.fail(E0413, op, Anchor::Part::operand, flat_index(op, slot),
                 fmt::format("{} of {} is {}; it must be 1 to 4095", name, op.mnemonic(), *value),
                 "split the product");
    } else if (name == "k" && bit_width(elem(op, "lhs")) == 4 && *value % 2 != 0) {
      check.fail(E0413, op, Anchor::Part::operand, flat_index(op, slot),
                 fmt::format("k of {} is {}; packed 4-bit data needs an even k", op.mnemonic(), *value),
                 "pad K to an even number");
    }
  }
}

void mad_tf32(Checker& check, const OpView& op, std::string_view) {
  if (op.attr("tf32_mode") == nullptr) return;
  if (elem(op, "lhs") == Elem::f32 && elem(op, "rhs") == Elem::f32 && elem(op, "dst") == Elem::f32) return;
  check.fail(E0412, op, Anchor::Part::attribute, attr_index(op, "tf32_mode"),
             fmt::format("tf32_mode needs f32 operands: {}", operand_elems(op)),
             Fix::remove("drop tf32_mode, or use f32 pointers"));
}

void mad_sat(Checker& check, const OpView& op, std::string_view) {
  if (op.attr("sat_mode") == nullptr || is_float(elem(op, "dst"))) return;
  check.fail(E0412, op, Anchor::Part::attribute, attr_index(op, "sat_mode"),
             fmt::format("sat and nosat need floating operands: {}", operand_elems(op)),
             "integer products take neither flag");
}

void pad_counts(Checker& check, const OpView& op, std::string_view) {
  const bool value = op.operand(static_cast<unsigned>(slot_of(op, "pad_value"))) != kNoValue;
  const bool left = op.operand(static_cast<unsigned>(slot_of(op, "left_padding_count"))) != kNoValue;
  const bool right = op.operand(static_cast<unsigned>(slot_of(op, "right_padding_count"))) != kNoValue;
  if (left == right && (value || !left)) return;
  check.fail(E0417, op, fmt::format("the pad group of {} is incomplete", op.mnemonic()),
             Fix::write("pad(%value)", " or pad(%value, %left, %right)"));
}

/// Constant start positions are not negative.
void start(Checker& check, const OpView& op, std::string_view) {
  for (const std::string_view name : {std::string_view("start_row"), std::string_view("start_col")}) {
    const unsigned slot = static_cast<unsigned>(slot_of(op, name));
    const std::optional<int64_t> value = check.constant(op.operand(slot));
    if (value && *value < 0)
      check.fail(E0362, op, Anchor::Part::operand, flat_index(op, slot),
                 fmt::format("{} of {} is {}", name, op.mnemonic(), *value), "start inside the matrix");
  }
}

/// Addresses of scales that are known: the load reads in steps of 32 bytes and writes in steps of 16.
void mx_aligned(Checker& check, const OpView& op, std::string_view) {
  const Program& program = op.program();
  for (const unsigned slot : {0u, 1u}) {
    const uint32_t defining_op = check.definition(op.operand(slot));
    if (defining_op == ~0u || isa::opcode_class(OpView(program, defining_op)) != isa::OpcodeClass::cast_ptr)
      continue;
    const OpView cast(program, defining_op);
    const std::optional<int64_t> address = check.constant(cast.operand(0));
    const int64_t step = slot == 0 ? 32 : 16;
    if (!address || *address % step == 0) continue;
    check.fail(E0378, op, Anchor::Part::operand, slot,
               fmt::format("{} of {} is at address {}, which is no multiple of {}",
                           isa::schema(op.op().row).operands[slot].name, op.mnemonic(), *address, step),
               fmt::format("scales are {} at multiples of {} bytes", slot == 0 ? "read" : "written", step));
  }
}

/// Packed 4-bit data has a load of its own.
void not_packed(Checker& check, const OpView& op, std::string_view) {
  for (const unsigned slot : {0u, 1u}) {
    const Elem held = op.type(slot).elem;
    if (held != Elem::f4e1m2x2 && held != Elem::f4e2m1x2) continue;
    check.fail(E0331, op, Anchor::Part::operand_type, slot,
               fmt::format("{} does not take packed {}", op.mnemonic(), to_string(held)),
               Fix::use(fmt::format("{}_s4", op.mnemonic())));
    return;
  }
}

constexpr Rule kCubeRules[] = {
    {.id = E0412,
     .title = "mad clause",
     .cause = "tf32_mode needs f32 operands; sat and nosat need floating ones.",
     .example = "pto.mad .. tf32_mode(round_even) on f16",
     .fix = "Drop the clause."},
    {.id = E0413,
     .title = "mad extent",
     .cause = "m, n and k are 1 to 4095; packed 4-bit data needs an even k.",
     .example = "pto.mad with k = 0",
     .fix = "Split or pad the product."},
};

constexpr OpRule kCubeChecks[] = {
    {.name = "mad_shape",
     .check = mad_shape,
     .ids = {E0413},
     .words = "m, n and k are 1 to 4095; packed 4-bit data has an even k"},
    {.name = "mad_tf32", .check = mad_tf32, .ids = {E0412}, .words = "tf32_mode needs f32 operands"},
    {.name = "mad_sat", .check = mad_sat, .ids = {E0412}, .words = "sat and nosat need floating operands"},
    {.name = "pad_counts",
     .check = pad_counts,
     .ids = {E0417},
     .words = "the pad group has a value, or a value and both counts"},
    {.name = "mx_aligned",
     .check = mx_aligned,
     .ids = {E0378},
     .words = "a known source address is a multiple of 32, a destination of 16"},
    {.name = "not_packed",
     .check = not_packed,
     .sees = Sees::types,
     .ids = {E0331},
     .words = "no packed 4-bit data"},
    {.name = "start", .check = start, .ids = {E0362}, .words = "start positions are not negative"},
};

}  // namespace

RuleFamily cube_rules() { return {.rules = kCubeRules, .checks = kCubeChecks}; }

}  // namespace pto::legality
