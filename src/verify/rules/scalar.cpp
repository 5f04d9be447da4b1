// Scalar operands, scratch tiles, small attribute ranges, calls (E0333, E037x).
#include <fmt/format.h>

#include <algorithm>

#include "support/strings.hpp"
#include "verify/named_operands.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

/// A scalar beside tiles has their element type; where the instruction rounds once itself, floats may be
/// wider. With the argument `exact` the types are equal.
void scalar_elem(Checker& check, const OpView& op, std::string_view exact) {
  const isa::Schema& schema = isa::schema(op.op().row);
  Elem elem = Elem::none;
  for_each_tile(op, [&](unsigned slot, const Type& type) {
    const std::string_view name = schema.operands[slot].name;
    if (name != "mask" && (elem == Elem::none || name == "src" || name == "src0")) elem = type.elem;
  });
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    const Type& type = op.type(slot);
    if (type.kind != TypeKind::scalar || (schema.operands[slot].kinds & isa::kScalar) == 0) continue;
    const bool same_class = is_float(elem) ? is_float(type.elem) : !is_float(type.elem);
    const bool fits = exact.empty() ? same_class : signless(type.elem) == signless(elem);
    if (fits || elem == Elem::none) continue;
    Diagnostic& built =
        check.fail(E0333, op, Anchor::Part::operand_type, flat_index(op, slot),
                   fmt::format("scalar '{}' of {} is {} ({}), the tile holds {}", schema.operands[slot].name,
                               op.mnemonic(), to_string(type.elem),
                               value_name(op.program(), op.operand(slot)), to_string(elem)),
                   Fix::use(to_string(elem)));
    check.note_definition(built, op.operand(slot));
  }
}

/// A scalar of its own type: `name=f32`.
void scalar_is(Checker& check, const OpView& op, std::string_view argument) {
  const size_t equals = argument.find('=');
  for (const std::string_view name : split(argument.substr(0, equals), ',')) {
    const int slot = slot_of(op, name);
    if (slot < 0) continue;
    const Type& type = op.type(static_cast<unsigned>(slot));
    const std::string_view wanted = argument.substr(equals + 1);
    if (type.kind != TypeKind::scalar || to_string(signless(type.elem)) == wanted) continue;
    check.fail(E0333, op, Anchor::Part::operand, flat_index(op, static_cast<unsigned>(slot)),
               fmt::format("'{}' of {} is {}, not {}",
                           isa::schema(op.op().row).operands[static_cast<unsigned>(slot)].name, op.mnemonic(),
                           describe(type), wanted),
               Fix::use(wanted));
  }
}

void nonnegative(Checker& check, const OpView& op, std::string_view name) {
  const auto slot = static_cast<unsigned>(slot_of(op, name));
  const std::optional<int64_t> value = check.constant(op.operand(slot));
  if (!value || *value >= 0) return;
  check.fail(E0323, op, Anchor::Part::operand, flat_index(op, slot),
             fmt::format("'{}' of {} is {}; it must not be negative", name, op.mnemonic(), *value),
             Fix::use("0", " or more"));
}

/// The slow exact path exists for floating elements.
void precision(Checker& check, const OpView& op, std::string_view name) {
  if (op.attr_int("precision_mode") != 1) return;
  const Type& named = op.type(static_cast<unsigned>(slot_of(op, name)));
  const Type& tile = named.is_tile() ? named : op.type(1);
  if (tile.elem == Elem::f16 || tile.elem == Elem::f32) return;
  check.fail(E0320, op, Anchor::Part::attribute, attr_index(op, "precision_mode"),
             fmt::format("precision_mode HIGH_PRECISION of {} is for f16 and f32; {} holds {}", op.mnemonic(),
                         value_name(op.program(), op.operand(static_cast<unsigned>(slot_of(op, name)))),
                         to_string(tile.elem)),
             Fix::remove("drop it"));
}

/// A row of consecutive integers: not a single column, and the first one has the element type.
void ramp(Checker& check, const OpView& op, std::string_view) {
  const Type& first = op.type(0);
  const Type& dst = op.type(1);
  if (dst.is_tile() && dst.cols() == 1) {
    check.fail(E0353, op, Anchor::Part::operand_type, 1,
               fmt::format("{} counts along a row; {} has one column", op.mnemonic(),
                           value_name(op.program(), op.operand(1))),
               "use a tile of more columns");
  }
  if (!is_integer(dst.elem) || signless(first.elem) == signless(dst.elem)) return;
  check.fail(E0333, op, Anchor::Part::operand, 0,
             fmt::format("the first value of {} is {}, the tile holds {}", op.mnemonic(),
                         to_string(first.elem), to_string(dst.elem)),
             Fix::use(to_string(dst.elem)));
}

/// A scratch tile is for the pairwise sum, and says so.
void binary_tmp(Checker& check, const OpView& op, std::string_view) {
  const auto tmp = static_cast<unsigned>(slot_of(op, "tmp"));
  if (op.operand(tmp) == kNoValue || op.attr("isBinary") != nullptr) return;
  check.fail(E0322, op, Anchor::Part::operand, flat_index(op, tmp),
             fmt::format("{} has a scratch tile ({}) but does not say isBinary", op.mnemonic(),
                         value_name(op.program(), op.operand(tmp))),
             Fix::write("{isBinary = true}", ", or drop the scratch tile"));
}

/// The scalar unit sees the unified buffer only.
void scalar_reads(Checker& check, const OpView& op, std::string_view) {
  const Type& tile = op.type(static_cast<unsigned>(
      slot_of(op, isa::opcode_class(op) == isa::OpcodeClass::load_element ? "src" : "dst")));
  if (!tile.is_tile() || tile.space == Space::ub) return;
  check.fail(E0341, op, Anchor::Part::operand_type, 0,
             fmt::format("{} reaches vec tiles only; the scalar unit has no path to {}", op.mnemonic(),
                         tile_loc(tile.space)),
             "move the tile to vec first");
}

void one_tile(Checker& check, const OpView& op, std::string_view) {
  if (op.type(0).is_tile() != op.type(1).is_tile()) return;
  check.fail(E0333, op, Anchor::Part::operand_type, 0,
             fmt::format("{} divides a tile by a scalar or a scalar by a tile", op.mnemonic()),
             "use pto.tdiv for two tiles");
}

void attr_range(Checker& check, const OpView& op, std::string_view attr,
                std::initializer_list<int64_t> allowed) {
  const int64_t value = op.attr_int(attr);
  if (std::ranges::find(allowed, value) != allowed.end()) return;
  std::string list;
  for (const int64_t item : allowed) list += fmt::format("{}{}", list.empty() ? "" : " or ", item);
  const int index = isa::schema(op.op().row).attr_index(attr);
  check.fail(E0313, op, Anchor::Part::attribute, static_cast<unsigned>(index),
             fmt::format("attribute '{}' of {} is {}", attr, op.mnemonic(), value),
             fmt::format("allowed: {}", list));
}

/// A constant that a command line may give another value has a name that can be written there.
void names_parameter(Checker& check, const OpView& op, std::string_view) {
  const AttrValue* name = op.attr("pto.param");
  if (name == nullptr) return;
  const std::string_view written = op.program().strings[name->text];
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const bool good = !written.empty() && letter(written.front()) &&
                    std::ranges::all_of(written, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
  const auto index = static_cast<unsigned>(isa::schema(op.op().row).attr_index("pto.param"));
  if (!good)
    check.fail(E0313, op, Anchor::Part::attribute, index,
               fmt::format("'{}' is no name of a parameter", written),
               "letters, digits and '_', a letter first");
  else if (op.result_type(0).kind != TypeKind::scalar)
    check.fail(E0313, op, Anchor::Part::attribute, index,
               fmt::format("{} names a parameter, but is {}", op.mnemonic(), describe(op.result_type(0))),
               "only scalars can be given by -D");
}

void upper_or_lower(Checker& check, const OpView& op, std::string_view) {
  attr_range(check, op, "upperOrLower", {0, 1});
}
void rounds(Checker& check, const OpView& op, std::string_view) { attr_range(check, op, "rounds", {7, 10}); }

/// A2/A3 has one comparison of i32, for equality, and `ne` is that one inverted
/// (pto-isa include/pto/npu/a2a3/TCmp.hpp:102; tcmps: pto-isa include/pto/npu/a2a3/TCmps.hpp:100). An order
/// is not computed (pages of tcmp and tcmps).
void cmp_i32(Checker& check, const OpView& op, std::string_view) {
  if (signless(op.type(0).elem) != Elem::i32) return;
  const int index = isa::schema(op.op().row).attr_index("cmpMode");
  const isa::AttrSpec& spec = isa::schema(op.op().row).attrs[static_cast<size_t>(index)];
  const std::string_view mode = isa::case_name(*spec.domain, op.attr_int("cmpMode"));
  if (mode == "eq" || mode == "ne") return;
  Diagnostic& built = check.warn(
      W0385, op, Anchor::Part::attribute, static_cast<unsigned>(index),
      fmt::format("{} of i32 tiles on a2a3 compares for equality instead of '{}'; the simulator does '{}'",
                  op.mnemonic(), mode, mode),
      "compare f32 tiles, or subtract and look at the sign");
  built.subject = mode;
}

/// The constant that a tile holds at `op`: its last writer before filled it with one.
std::optional<int64_t> filled_with(Checker& check, const OpView& op, ValueId tile) {
  for (uint32_t i = op.index(); i-- > 0;) {
    const OpView earlier(op.program(), i);
    const isa::Schema& schema = isa::schema(earlier.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      if (schema.operands[slot].role != isa::Role::out && schema.operands[slot].role != isa::Role::inout)
        continue;
      if (earlier.operand(slot) != tile) continue;
      return isa::opcode_class(earlier) == isa::OpcodeClass::fill ? check.constant(earlier.operand(0))
                                                                  : std::nullopt;
    }
  }
  return std::nullopt;
}

/// The remainder of i32 on A2/A3 goes through f32: constants beyond 2^24 are not exact there.
void rem_i32(Checker& check, const OpView& op, std::string_view) {
  constexpr int64_t kExact = int64_t{1} << 24;
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    if (schema.operands[slot].role != isa::Role::in || signless(op.type(slot).elem) != Elem::i32) continue;
    const std::optional<int64_t> value =
        op.type(slot).is_tile() ? filled_with(check, op, op.operand(slot)) : check.constant(op.operand(slot));
    if (!value || (*value >= -kExact && *value <= kExact)) continue;
    check.warn(
        W0386, op, Anchor::Part::operand, flat_index(op, slot),
        fmt::format("{} computes i32 through f32 on a2a3; {} is beyond -2^24..2^24, where that is exact",
                    op.mnemonic(), *value),
        "keep both operands within -16777216..16777216");
  }
}

/// Only rounding to nearest even is defined (page of settf32mode); the functional target takes any mode.
void tf32_round(Checker& check, const OpView& op, std::string_view) {
  if (check.target() != Target::a5) return;
  const AttrValue* mode = op.attr("mode");
  if (mode == nullptr || mode->integer == 2) return;
  const isa::AttrSpec& spec = isa::schema(op.op().row).attrs[1];
  check.fail(E0313, op, Anchor::Part::attribute, 1,
             fmt::format("mode {} of {} is reserved on a5", isa::case_name(*spec.domain, mode->integer),
                         op.mnemonic()),
             Fix::use("CAST_ROUND"));
}

/// The functional simulator has no form with an explicit saturation mode (page of tcvt); here it is carried
/// out all the same.
void tcvt_sat(Checker& check, const OpView& op, std::string_view) {
  if (check.target() != Target::cpu || op.attr("sat_mode") == nullptr) return;
  check.warn(W0372, op,
             fmt::format("the public functional simulator does not take sat_mode on {}", op.mnemonic()),
             "leave sat_mode out for portable cpu programs");
}

/// What vectors hold that are computed lane by lane: int or float.
void lanes_of(Checker& check, const OpView& op, std::string_view kind) {
  const Type& type = op.type(0);
  if (type.kind != TypeKind::vector || is_float(type.elem) == (kind == "float")) return;
  check.fail(E0301, op, Anchor::Part::operand_type, 0,
             fmt::format("{} does not compute on {}", op.mnemonic(), describe(type)),
             kind == "float" ? "pass a vector of floats" : "pass a vector of integers");
}

/// value=vector: the value is an element of the vector.
void lane_of(Checker& check, const OpView& op, std::string_view argument) {
  const auto [name, of] = split_pair(argument);
  const Named value = find_named(op, name);
  const Named vector = find_named(op, of);
  if (!value.present() || !vector.present() || value.type(op).elem == vector.type(op).elem) return;
  check.fail(E0333, op, value.part(), value.index,
             fmt::format("{}: {}, {}", op.mnemonic(), role_is(op, value), role_is(op, vector)),
             Fix::use(to_string(vector.type(op).elem)));
}

/// Listed operands (or all) and the result have one type.
void all_same(Checker& check, const OpView& op, std::string_view names) {
  const isa::Schema& schema = isa::schema(op.op().row);
  int first = -1;
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    if (!in_list(names, schema.operands[slot].name)) continue;
    if (first < 0) first = static_cast<int>(slot);
    if (op.type(slot) == op.type(static_cast<unsigned>(first))) continue;
    check.fail(E0333, op, Anchor::Part::operand, flat_index(op, slot),
               fmt::format("operands of {} differ: '{}' is {}, '{}' is {}", op.mnemonic(),
                           schema.operands[static_cast<unsigned>(first)].name,
                           describe(op.type(static_cast<unsigned>(first))), schema.operands[slot].name,
                           describe(op.type(slot))),
               "convert one of them");
  }
  if (!names.empty() || first < 0 || op.op().n_results == 0 ||
      op.result_type(0) == op.type(static_cast<unsigned>(first)))
    return;
  check.fail(E0333, op, Anchor::Part::result_type, 0,
             fmt::format("result of {} is {}, its operands are {}", op.mnemonic(),
                         describe(op.result_type(0)), describe(op.type(static_cast<unsigned>(first)))),
             "use one type");
}

/// Widening casts widen, narrowing casts narrow, bit casts keep the width.
void cast_width(Checker& check, const OpView& op, std::string_view how) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  if (from.kind != TypeKind::scalar || to.kind != TypeKind::scalar) return;
  const auto bits = [](Elem elem) { return elem == Elem::i1 ? 1u : bit_width(elem); };
  const uint32_t a = bits(from.elem);
  const uint32_t b = bits(to.elem);
  const bool widens = how == "widens";
  const bool narrows = how == "narrows";
  const bool keeps = how == "keeps";
  if ((widens && b <= a) || (narrows && b >= a) || (keeps && a != b)) {
    check.fail(E0333, op, Anchor::Part::result_type, 0,
               fmt::format("{} from {} to {} does not {}", op.mnemonic(), describe(from), describe(to),
                           widens    ? "widen"
                           : narrows ? "narrow"
                                     : "keep the width"),
               "use the cast that fits, or drop it");
  }
}

constexpr Rule kScalarRules[] = {
    {.id = E0320,
     .title = "precision mode",
     .cause = "HIGH_PRECISION exists for f16 and f32 elements only.",
     .example = "pto.tdivs .. {precision_mode = #pto<precision_mode HIGH_PRECISION>} on i32",
     .fix = "Drop the attribute, or convert to f32."},
    {.id = E0323,
     .title = "scalar out of range",
     .cause = "A constant scalar operand is outside the values the instruction takes.",
     .example = "pto.tshls ins(%a, %minus_one : ..) outs(..)",
     .fix = "Use a value the message allows."},
    {.id = E0333,
     .title = "scalar type",
     .cause = "A scalar does not fit the tile's element type, or operands of scalar arithmetic differ in "
              "type.",
     .example = "pto.tadds ins(%a, %i : !pto.tile_buf<vec, 16x64xf32>, i32) outs(..)",
     .fix = "Make the types agree."},
    {.id = W0372,
     .title = "sat_mode on cpu",
     .cause = "The public functional simulator knows only the form without an explicit saturation mode.",
     .example = "pto.tcvt ins(%a {sat_mode = ..} : ..) for cpu",
     .fix = "Leave sat_mode out."},
    {.id = W0385,
     .title = "i32 comparison",
     .cause = "On A2/A3 tcmp and tcmps have one comparison of i32, for equality. The modes eq and ne are "
              "right; lt, "
              "gt, le and ge compare for equality too. The simulator follows cmpMode.",
     .example = "pto.tcmp {cmpMode = #pto<cmp lt>} of i32 tiles on a2a3",
     .fix = "Compare f32 tiles, or subtract and look at the sign."},
    {.id = W0386,
     .title = "i32 remainder",
     .cause = "On A2/A3 trem and trems compute i32 through f32, which is exact within -2^24..2^24. The "
              "simulator is exact everywhere.",
     .example = "pto.trems by 16777217 on a2a3",
     .fix = "Keep both operands within -16777216..16777216."},
};

constexpr OpRule kScalarChecks[] = {
    {.name = "names_parameter",
     .check = names_parameter,
     .ids = {E0313},
     .words = "pto.param names a scalar that -D can give"},
    {.name = "scalar_elem",
     .check = scalar_elem,
     .sees = Sees::types,
     .ids = {E0333},
     .words = "the scalar has the tile's element type"},
    {.name = "one_tile",
     .check = one_tile,
     .sees = Sees::types,
     .ids = {E0333},
     .words = "one of the operands is a tile, the other a scalar"},
    {.name = "scalar_is", .check = scalar_is, .sees = Sees::types, .ids = {E0333}, .words = "$ of type @"},
    {.name = "nonnegative", .check = nonnegative, .ids = {E0323}, .words = "not negative: $"},
    {.name = "precision", .check = precision, .ids = {E0320}, .words = "HIGH_PRECISION is for f16 and f32"},
    {.name = "ramp",
     .check = ramp,
     .sees = Sees::types,
     .ids = {E0333, E0353},
     .words = "more than one column; the first value has the element type"},
    {.name = "binary_tmp", .check = binary_tmp, .ids = {E0322}, .words = "a scratch tile goes with isBinary"},
    {.name = "scalar_reads",
     .check = scalar_reads,
     .sees = Sees::types,
     .ids = {E0341},
     .words = "the scalar unit reaches vec tiles only"},
    {.name = "upper_or_lower", .check = upper_or_lower, .ids = {E0313}, .words = "upperOrLower is 0 or 1"},
    {.name = "rounds", .check = rounds, .ids = {E0313}, .words = "rounds is 7 or 10"},
    {.name = "cmp_i32", .check = cmp_i32, .ids = {W0385}, .words = "i32 is compared for eq and ne only"},
    {.name = "rem_i32",
     .check = rem_i32,
     .ids = {W0386},
     .words = "i32 operands are within -2^24..2^24, where f32 is exact"},
    {.name = "tf32_round", .check = tf32_round, .ids = {E0313}, .words = "on a5 the mode is CAST_ROUND"},
    {.name = "tcvt_sat",
     .check = tcvt_sat,
     .ids = {W0372},
     .words = "sat_mode is not portable to the public functional simulator"},
    {.name = "all_same",
     .check = all_same,
     .sees = Sees::types,
     .ids = {E0333},
     .words = "operands and result have one type"},
    {.name = "lanes_of",
     .check = lanes_of,
     .sees = Sees::types,
     .ids = {E0301},
     .words = "vectors of any length, lane by lane"},
    {.name = "lane_of",
     .check = lane_of,
     .sees = Sees::types,
     .ids = {E0333},
     .words = "$ is an element of @"},
    {.name = "cast_width",
     .check = cast_width,
     .sees = Sees::types,
     .ids = {E0333},
     .words = "widening casts widen, narrowing casts narrow, bit casts keep the width"},
};

}  // namespace

RuleFamily scalar_rules() { return {.rules = kScalarRules, .checks = kScalarChecks}; }

}  // namespace pto::legality
