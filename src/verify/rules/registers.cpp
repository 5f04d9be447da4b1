// Register types that must agree: one type, lane counts, index registers, masks, scalars beside registers
// (E0550 to E0555, E0557).
#include <algorithm>

#include "verify/named_operands.hpp"

namespace pto::legality {

Named find_named(const OpView& op, std::string_view name) {
  const isa::Schema& schema = isa::schema(op.op().row);
  Named named;
  named.name = name;
  if (const int slot = schema.operand_slot(name); slot >= 0) {
    const std::span<const ValueId> values = op.operands(static_cast<unsigned>(slot));
    named.index = flat_index(op, static_cast<unsigned>(slot));
    if (!values.empty()) named.value = values.front();
    return named;
  }
  named.result = true;
  for (unsigned i = 0; i < schema.results.size() && i < op.op().n_results; ++i) {
    if (schema.results[i].name != name) continue;
    named.index = i;
    named.value = op.result(i);
  }
  return named;
}

Named first_result(const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  Named named;
  named.result = true;
  if (op.op().n_results == 0 || schema.results.empty()) return named;
  named.name = schema.results.front().name;
  named.value = op.result(0);
  return named;
}

void note_definition(const Checker& check, Diagnostic& diagnostic, const Named& named) {
  if (!named.result && named.present()) check.note_definition(diagnostic, named.value);
}

namespace {

/// All named operands and results have the type of the first.
void same(Checker& check, const OpView& op, std::string_view names) {
  const auto alike = [&](const Named& first, const Named& named) {
    const bool scalar = named.type(op).kind == TypeKind::scalar;  // of vdup; see scalar_of
    return scalar || named.type(op) == first.type(op);
  };
  all_same(op, names, alike, [&](const Named& first, const Named& named) {
    Diagnostic& built = check.fail(
        E0550, op, named.type_part(), named.index,
        fmt::format("{} needs one type: {}, {}", op.mnemonic(), role_is(op, first), role_is(op, named)),
        first.type(op).kind == TypeKind::vreg
            ? Fix::use(describe(first.type(op)), ", or convert with pto.vbitcast or pto.vcvt")
            : Fix::use(describe(first.type(op))));
    note_definition(check, built, first);
  });
}

/// masks=register: one mask bit per lane of the register. 64-bit lanes have no granularity of their own.
void mask_of(Checker& check, const OpView& op, std::string_view argument) {
  const auto [masks, of] = split_pair(argument);
  const Named reg = find_named(op, of);
  if (!reg.present() || reg.type(op).kind != TypeKind::vreg || bit_width(reg.type(op).elem) > 32) return;
  for (const std::string_view name : split(masks, ',')) {
    const Named mask = find_named(op, name);
    if (!mask.present() || mask.type(op).kind != TypeKind::mask ||
        bit_width(mask.type(op).elem) == bit_width(reg.type(op).elem))
      continue;
    Diagnostic& built =
        check.fail(E0551, op, mask.type_part(), mask.index,
                   fmt::format("{}: {}, but {} with lanes of {} bits", op.mnemonic(), role_is(op, mask),
                               role_is(op, reg), bit_width(reg.type(op).elem)),
                   Fix::use_a(fmt::format("!pto.mask<b{}>", bit_width(reg.type(op).elem))));
    note_definition(check, built, mask);
  }
}

/// All named masks have one granularity.
void masks_same(Checker& check, const OpView& op, std::string_view names) {
  all_same_elements(op, names, [&](const Named& first, const Named& named) {
    Diagnostic& built = check.fail(
        E0551, op, named.type_part(), named.index,
        fmt::format("masks of {} differ: {}, {}", op.mnemonic(), role_is(op, first), role_is(op, named)),
        Fix::use(describe(first.type(op)), ", or convert with pto.pbitcast"));
    note_definition(check, built, first);
  });
}

/// ppack keeps the granularity or halves it, punpack keeps or doubles it.
void mask_step(Checker& check, const OpView& op, std::string_view direction) {
  const uint32_t from = bit_width(op.type(0).elem);
  const uint32_t to = bit_width(op.result_type(0).elem);
  const uint32_t step = direction == "narrow" ? from / 2 : from * 2;
  if (to == from || (to == step && to >= 8 && to <= 32)) return;
  const bool can_step = step >= 8 && step <= 32;
  check.fail(
      E0551, op, Anchor::Part::result_type, 0,
      fmt::format("{} makes {} of {}", op.mnemonic(), describe(op.result_type(0)), describe(op.type(0))),
      can_step ? fmt::format("the result is {} or !pto.mask<b{}>", describe(op.type(0)), step)
               : fmt::format("the result is {}", describe(op.type(0))));
}

/// False after an error: the register holds other things than integers of `width` bits (0: of any).
bool integers(Checker& check, const OpView& op, const Named& indices, uint32_t width,
              const Named& as_wide_as) {
  const Elem elem = indices.type(op).elem;
  if (is_integer(elem) && (width == 0 || bit_width(elem) == width)) return true;
  const std::string wanted = width == 0 ? "integers" : fmt::format("{}-bit integers", width);
  const std::string why =
      as_wide_as.present() ? fmt::format(", as wide as the lanes of '{}'", as_wide_as.name) : std::string();
  Diagnostic& built = check.fail(
      E0553, op, indices.type_part(), indices.index,
      fmt::format("'{}' of {} holds {}, not {}{}", indices.name, op.mnemonic(), to_string(elem), wanted, why),
      width == 0 ? "use an integer register"
                 : Fix::use(fmt::format("!pto.vreg<{}xi{}>", 2048 / width, width)));
  note_definition(check, built, as_wide_as);
  return false;
}

/// offsets=data or offsets:32=data: integers (of 32 bits), one for every lane of the data.
void offsets(Checker& check, const OpView& op, std::string_view argument) {
  const auto [left, right] = split_pair(argument);
  const bool words = left.ends_with("32");
  const Named indices = find_named(op, words ? left.substr(0, left.size() - 2) : left);
  const Named data = find_named(op, right);
  if (!indices.present() || !data.present() || !integers(check, op, indices, words ? 32 : 0, {})) return;
  if (indices.type(op).dims[0] == data.type(op).dims[0]) return;
  Diagnostic& built = check.fail(E0552, op, data.type_part(), data.index,
                                 fmt::format("{} needs an offset per lane: {}, {}", op.mnemonic(),
                                             role_is(op, indices), role_is(op, data)),
                                 fmt::format("use elements of {} bits", bit_width(indices.type(op).elem)));
  note_definition(check, built, indices);
}

/// offsets=data: an integer per stored element, of 32 bits for 32-bit elements, else of 16: 8-bit elements
/// are stored from every second lane.
void scatter_offsets(Checker& check, const OpView& op, std::string_view argument) {
  const auto [left, right] = split_pair(argument);
  const Named indices = find_named(op, left);
  const Named data = find_named(op, right);
  if (indices.present() && data.present() &&
      integers(check, op, indices, std::max(16u, bit_width(data.type(op).elem)), {}))
    mask_of(check, op, fmt::format("mask={}", left));
  const Named target = find_named(op, "destination");
  if (!target.present() || !data.present() || signless(target.type(op).elem) == signless(data.type(op).elem))
    return;
  check.fail(E0331, op, target.type_part(), target.index,
             fmt::format("{} writes {} through a pointer to {}", op.mnemonic(), to_string(data.type(op).elem),
                         to_string(target.type(op).elem)),
             Fix::use(fmt::format("!pto.ptr<{}, ub>", to_string(data.type(op).elem))));
}

/// Offsets count from 0: ui or i, not si.
void not_signed(Checker& check, const OpView& op, std::string_view name) {
  const Named indices = find_named(op, name);
  if (!indices.present() || !is_integer(indices.type(op).elem)) return;
  const Elem elem = indices.type(op).elem;
  const Elem plain = signless(elem);
  if (is_unsigned(elem) || elem == plain) return;
  check.fail(E0553, op, indices.type_part(), indices.index,
             fmt::format("'{}' of {} holds {}; offsets have no sign", name, op.mnemonic(), to_string(elem)),
             Fix::use_one_of({fmt::format("u{}", to_string(plain)), fmt::format("{}", to_string(plain))}));
}

/// lanes=data: lane numbers are integers as wide as the data.
void lane_numbers(Checker& check, const OpView& op, std::string_view argument) {
  const auto [left, right] = split_pair(argument);
  const Named lanes = find_named(op, left);
  const Named data = find_named(op, right);
  if (lanes.present() && data.present()) integers(check, op, lanes, bit_width(data.type(op).elem), data);
}

/// Whether a scalar can be beside elements: the same type, or the signless integer of the width.
bool scalar_fits(Elem scalar, Elem elem) {
  if (scalar == elem) return true;
  return is_integer(scalar) && is_integer(elem) && bit_width(scalar) == bit_width(elem) &&
         scalar == signless(scalar) && scalar != Elem::index;
}

/// scalar=register: the scalar is one element.
void scalar_of(Checker& check, const OpView& op, std::string_view argument) {
  const auto [name, of] = split_pair(argument);
  const Named scalar = find_named(op, name);
  const Named reg = find_named(op, of);
  if (!scalar.present() || !reg.present() || scalar.type(op).kind != TypeKind::scalar ||
      reg.type(op).kind != TypeKind::vreg)
    return;
  const Elem elem = reg.type(op).elem;
  if (scalar_fits(scalar.type(op).elem, elem)) return;
  Diagnostic& built =
      check.fail(E0555, op, scalar.type_part(), scalar.index,
                 fmt::format("{}: {}, but {}", op.mnemonic(), role_is(op, scalar), role_is(op, reg)),
                 is_integer(elem) && signless(elem) != elem
                     ? Fix::use_one_of(
                           {fmt::format("{}", to_string(elem)), fmt::format("{}", to_string(signless(elem)))})
                     : Fix::use(to_string(elem)));
  note_definition(check, built, reg);
}

/// Shift counts are i16 whatever is shifted.
void shift_count(Checker& check, const OpView& op, std::string_view name) {
  const Named count = find_named(op, name);
  if (!count.present() || count.type(op).elem == Elem::i16) return;
  Diagnostic& built = check.fail(
      E0555, op, count.type_part(), count.index,
      fmt::format("the shift count '{}' of {} is {}, not i16", name, op.mnemonic(), describe(count.type(op))),
      "use an i16 value");
  note_definition(check, built, count);
}

/// position picks a lane of a register; a scalar has none.
void dup_position(Checker& check, const OpView& op, std::string_view) {
  if (op.attr("position") == nullptr || op.type(0).kind == TypeKind::vreg) return;
  check.fail(E0557, op, Anchor::Part::attribute, 0,
             fmt::format("position of {} picks a lane of a register, but the input is {}", op.mnemonic(),
                         describe(op.type(0))),
             Fix::remove("drop position"));
}

constexpr Rule kRegistersRules[] = {
    {.id = E0550,
     .title = "one type",
     .cause = "Operands and results that must have one type differ, be it in the sign of the elements only.",
     .example = "pto.vadd %a, %b, %m : !pto.vreg<64xi32>, !pto.vreg<64xui32>, ..",
     .fix = "Use one type; pto.vbitcast reads the same bits under another."},
    {.id = E0551,
     .title = "mask granularity",
     .cause = "A mask has a bit per lane, so its granularity is the width of the lanes: b8, b16 or b32. "
              "Masks of one instruction agree.",
     .example = "pto.vabs %v, %m : !pto.vreg<64xf32>, !pto.mask<b16> -> ..",
     .fix = "Make the mask with the pset, pge or plt of the width, or reread it with pto.pbitcast."},
    {.id = E0552,
     .title = "an offset per lane",
     .cause = "Gather and scatter take one offset for every lane of the data, so both registers have as "
              "many lanes.",
     .example = "pto.vgather2 of !pto.vreg<64xf32> with offsets !pto.vreg<128xi16>",
     .fix = "Choose elements of one width for data and offsets."},
    {.id = E0553,
     .title = "integers in a register",
     .cause = "Offsets and lane indices are integers, of 32 bits or of the width of the data; offsets into "
              "elements of 8 and 16 bits have 16. Offsets have no sign.",
     .example = "pto.vscatter %v, %ub, %o, %m with offsets !pto.vreg<128xi16>",
     .fix = "Use an integer register of the width the message names."},
    {.id = E0555,
     .title = "scalar beside a register",
     .cause = "A scalar operand is one element of the register; a signless integer is allowed for either "
              "sign. Shift counts are i16.",
     .example = "pto.vadds %v, %i, %m : !pto.vreg<64xf32>, i32, ..",
     .fix = "Convert the scalar."},
    {.id = E0557,
     .title = "position of a scalar",
     .cause = "position picks a lane of a register; a scalar has no lanes.",
     .example = "pto.vdup %s, %m {position = \"HIGHEST\"} : f32, ..",
     .fix = "Drop position."},
};

constexpr OpRule kRegistersChecks[] = {
    {.name = "same", .check = same, .sees = Sees::types, .ids = {E0550, E0551}, .words = "one type: $"},
    {.name = "mask_of",
     .check = mask_of,
     .sees = Sees::types,
     .ids = {E0550, E0551},
     .words = "a mask bit per lane of @: $"},
    {.name = "masks_same",
     .check = masks_same,
     .sees = Sees::types,
     .ids = {E0550, E0551},
     .words = "masks of one granularity: $"},
    {.name = "mask_step",
     .check = mask_step,
     .sees = Sees::types,
     .ids = {E0551},
     .words = "the granularity stays or makes one step"},
    {.name = "offsets",
     .check = offsets,
     .sees = Sees::types,
     .ids = {E0552, E0553},
     .words = "$: an integer per lane of @"},
    {.name = "scatter_offsets",
     .check = scatter_offsets,
     .sees = Sees::types,
     .ids = {E0551, E0553},
     .words = "$: integers of 32 bits for 32-bit lanes of @, else of 16, with a mask bit each"},
    {.name = "not_signed",
     .check = not_signed,
     .sees = Sees::types,
     .ids = {E0553},
     .words = "$ is not signed"},
    {.name = "lane_numbers",
     .check = lane_numbers,
     .sees = Sees::types,
     .ids = {E0553},
     .words = "$: integers as wide as the lanes of @"},
    {.name = "scalar_of",
     .check = scalar_of,
     .sees = Sees::types,
     .ids = {E0555},
     .words = "$ is one element of @"},
    {.name = "shift_count", .check = shift_count, .sees = Sees::types, .ids = {E0555}, .words = "$ is i16"},
    {.name = "dup_position", .check = dup_position, .ids = {E0557}, .words = "position only for a register"},
};

}  // namespace

RuleFamily register_rules() { return {.rules = kRegistersRules, .checks = kRegistersChecks}; }

}  // namespace pto::legality
