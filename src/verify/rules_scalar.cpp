// Scalar operands, scratch tiles, small attribute ranges, calls (E0333, E037x).
#include <fmt/format.h>

#include <algorithm>

#include "verify/checker.hpp"

namespace pto::legality {
namespace {

/// A scalar beside tiles has their element type; floats may be wider (the instruction rounds once).
void scalar_elem(Checker& check, const OpView& op, std::string_view) {
  const isa::Schema& schema = isa::schema(op.op().row);
  Elem elem = Elem::none;
  for_each_tile(op, [&](unsigned slot, const Type& type) {
    const std::string_view name = schema.operands[slot].name;
    if (name != "mask" && (elem == Elem::none || name == "src" || name == "src0")) elem = type.elem;
  });
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    const Type& type = op.type(slot);
    if (type.kind != TypeKind::scalar || (schema.operands[slot].kinds & isa::kScalar) == 0) continue;
    const bool fits = is_float(elem) ? is_float(type.elem) : !is_float(type.elem);
    if (fits || elem == Elem::none) continue;
    check.fail("E0333", op, Anchor::Part::operand_type, flat_index(op, slot),
               fmt::format("scalar '{}' of {} is {}, the tile holds {}", schema.operands[slot].name, op.mnemonic(), to_string(type.elem), to_string(elem)),
               fmt::format("use {}", to_string(elem)));
  }
}

void one_tile(Checker& check, const OpView& op, std::string_view) {
  if (op.type(0).is_tile() != op.type(1).is_tile()) return;
  check.fail("E0333", op, Anchor::Part::operand_type, 0, fmt::format("{} divides a tile by a scalar or a scalar by a tile", op.mnemonic()),
             "use pto.tdiv for two tiles");
}

void attr_range(Checker& check, const OpView& op, std::string_view attr, std::initializer_list<int64_t> allowed) {
  const int64_t value = op.attr_int(attr);
  if (std::ranges::find(allowed, value) != allowed.end()) return;
  std::string list;
  for (const int64_t item : allowed) list += fmt::format("{}{}", list.empty() ? "" : " or ", item);
  const int index = isa::schema(op.op().row).attr_index(attr);
  check.fail("E0313", op, Anchor::Part::attribute, static_cast<unsigned>(index), fmt::format("attribute '{}' of {} is {}", attr, op.mnemonic(), value),
             fmt::format("allowed: {}", list));
}

void upper_or_lower(Checker& check, const OpView& op, std::string_view) { attr_range(check, op, "upperOrLower", {0, 1}); }
void rounds(Checker& check, const OpView& op, std::string_view) { attr_range(check, op, "rounds", {7, 10}); }

/// Only rounding to nearest even is defined (page of settf32mode); the functional target takes any mode.
void tf32_round(Checker& check, const OpView& op, std::string_view) {
  if (check.target() != Target::a5) return;
  const AttrValue* mode = op.attr("mode");
  if (mode == nullptr || mode->integer == 2) return;
  const isa::AttrSpec& spec = isa::schema(op.op().row).attrs[1];
  check.fail("E0313", op, Anchor::Part::attribute, 1,
             fmt::format("mode {} of {} is reserved on a5", isa::case_name(*spec.domain, mode->integer), op.mnemonic()), "use CAST_ROUND");
}

/// A2/A3 computes in the scratch tile: row 0 intermediate results, row 1 the comparison mask (page of trem).
void trem_tmp(Checker& check, const OpView& op, std::string_view) {
  if (check.target() != Target::a2a3) return;
  const Type& tmp = op.type(2);
  const Type& dst = op.type(3);
  if (!tmp.is_tile()) return;
  if (signless(tmp.elem) != signless(dst.elem)) {
    check.fail("E0371", op, Anchor::Part::operand_type, 2,
               fmt::format("tmp of {} holds {}, dst {}", op.mnemonic(), to_string(tmp.elem), to_string(dst.elem)), "use dst's element type");
  } else if (tmp.valid[0] != kDynamic && tmp.valid[0] < 2) {
    // The public assembler does not look at the scratch tile's rows.
    check.warn("W0441", op, Anchor::Part::operand_type, 2, fmt::format("tmp of {} has {} valid rows, two are needed", op.mnemonic(), tmp.valid[0]),
               "row 0 holds intermediate results, row 1 the comparison mask");
  } else if (tmp.valid[1] != kDynamic && dst.valid[1] != kDynamic && tmp.valid[1] < dst.valid[1]) {
    check.fail("E0371", op, Anchor::Part::operand_type, 2,
               fmt::format("tmp of {} has {} valid columns, dst {}", op.mnemonic(), tmp.valid[1], dst.valid[1]), "tmp must cover dst's columns");
  }
}

/// The functional simulator has no form with an explicit saturation mode (page of tcvt); here it is carried out all the same.
void tcvt_sat(Checker& check, const OpView& op, std::string_view) {
  if (check.target() != Target::cpu || op.attr("sat_mode") == nullptr) return;
  check.warn("W0372", op, fmt::format("the public functional simulator does not take sat_mode on {}", op.mnemonic()), "leave sat_mode out for portable cpu programs");
}

/// Listed operands (or all) and the result have one type.
void all_same(Checker& check, const OpView& op, std::string_view names) {
  const isa::Schema& schema = isa::schema(op.op().row);
  int first = -1;
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    if (!in_list(names, schema.operands[slot].name)) continue;
    if (first < 0) first = static_cast<int>(slot);
    if (op.type(slot) == op.type(static_cast<unsigned>(first))) continue;
    check.fail("E0333", op, Anchor::Part::operand, flat_index(op, slot),
               fmt::format("operands of {} differ: '{}' is {}, '{}' is {}", op.mnemonic(), schema.operands[static_cast<unsigned>(first)].name,
                           describe(op.type(static_cast<unsigned>(first))), schema.operands[slot].name, describe(op.type(slot))),
               "convert one of them");
  }
  if (!names.empty() || first < 0 || op.op().n_results == 0 || op.result_type(0) == op.type(static_cast<unsigned>(first))) return;
  check.fail("E0333", op, Anchor::Part::result_type, 0,
             fmt::format("result of {} is {}, its operands are {}", op.mnemonic(), describe(op.result_type(0)), describe(op.type(static_cast<unsigned>(first)))),
             "use one type");
}

/// Widening casts widen, narrowing casts narrow, bit casts keep the width.
void cast_width(Checker& check, const OpView& op, std::string_view) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  if (from.kind != TypeKind::scalar || to.kind != TypeKind::scalar) return;
  const std::string_view name = op.mnemonic();
  const auto bits = [](Elem elem) { return elem == Elem::i1 ? 1u : bit_width(elem); };
  const uint32_t a = bits(from.elem), b = bits(to.elem);
  const bool widens = name.starts_with("arith.ext"), narrows = name.starts_with("arith.trunc"), keeps = name == "arith.bitcast";
  if ((widens && b <= a) || (narrows && b >= a) || (keeps && a != b)) {
    check.fail("E0333", op, Anchor::Part::result_type, 0,
               fmt::format("{} from {} to {} does not {}", name, describe(from), describe(to), widens ? "widen" : narrows ? "narrow" : "keep the width"),
               "use the cast that fits, or drop it");
  }
}

constexpr OpRule kRules[] = {
    {"scalar_elem", Sees::types, scalar_elem}, {"one_tile", Sees::types, one_tile},     {"upper_or_lower", Sees::values, upper_or_lower},
    {"rounds", Sees::values, rounds},          {"tf32_round", Sees::values, tf32_round}, {"trem_tmp", Sees::types, trem_tmp},
    {"tcvt_sat", Sees::values, tcvt_sat},
    {"all_same", Sees::types, all_same},       {"cast_width", Sees::types, cast_width},
};

}  // namespace

std::span<const OpRule> scalar_rules() { return kRules; }

}  // namespace pto::legality
