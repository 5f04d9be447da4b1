// Masks that a mnemonic fixes, pointers that an access moves (E0414, E0333).
#include <fmt/format.h>

#include <algorithm>

#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

std::string granularity(Elem elem) { return fmt::format("b{}", bit_width(elem)); }

/// Masks that a mnemonic fixes to a width ("b32"), those it reads included.
void mask_width(Checker& check, const OpView& op, std::string_view width) {
  for (unsigned i = 0; i < op.op().n_results; ++i) {
    const Type& type = op.result_type(i);
    if (type.kind != TypeKind::mask || granularity(type.elem) == width) continue;
    check.fail(E0414, op, Anchor::Part::result_type, i,
               fmt::format("{} makes a mask of {}, not {}", op.mnemonic(), width, granularity(type.elem)),
               Fix::use(fmt::format("!pto.mask<{}>", width)));
  }
  for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
    const Type& type = op.type(slot);
    if (type.kind != TypeKind::mask || granularity(type.elem) == width) continue;
    check.fail(E0414, op, Anchor::Part::operand, flat_index(op, slot),
               fmt::format("{} works on masks of {}, {} is one of {}", op.mnemonic(), width,
                           value_name(op.program(), op.operand(slot)), granularity(type.elem)),
               Fix::use(fmt::format("!pto.mask<{}>", width),
                        fmt::format(", or the instruction for {}", granularity(type.elem))));
  }
}

/// The moved pointer of a post-update form has the type of the pointer it came from.
void updated_base(Checker& check, const OpView& op, std::string_view name) {
  const isa::Schema& schema = isa::schema(op.op().row);
  const Type& base = op.type(static_cast<unsigned>(slot_of(op, name)));
  for (unsigned i = 0; i < op.op().n_results; ++i) {
    if (schema.results[std::min<size_t>(i, schema.results.size() - 1)].name != "updated_base" ||
        op.result_type(i) == base)
      continue;
    check.fail(
        E0333, op, Anchor::Part::result_type, i,
        fmt::format("{} moves {} and gives {}", op.mnemonic(), describe(base), describe(op.result_type(i))),
        fmt::format("the result is {}", describe(base)));
  }
}

/// amounts=data: a shift has an amount per lane, of the type of the lanes or signed and as wide.
void shift_amounts(Checker& check, const OpView& op, std::string_view argument) {
  const size_t equals = argument.find('=');
  const auto amounts = static_cast<unsigned>(slot_of(op, argument.substr(0, equals)));
  const auto data = static_cast<unsigned>(slot_of(op, argument.substr(equals + 1)));
  const Type& by = op.type(amounts);
  const Type& shifted = op.type(data);
  const bool is_signed = by.elem != signless(by.elem) && !is_unsigned(by.elem);
  const bool fits = by.elem == shifted.elem || (is_signed && signless(by.elem) == signless(shifted.elem));
  if (fits && by.dims[0] == shifted.dims[0]) return;
  check.fail(E0550, op, Anchor::Part::operand_type, flat_index(op, amounts),
             fmt::format("{} shifts {} by {}; amounts have the type of the lanes, or are signed and as wide",
                         op.mnemonic(), describe(shifted), describe(by)),
             Fix::use(describe(shifted)));
}

constexpr Rule kVectorRules[] = {
    {.id = E0414,
     .title = "mask width",
     .cause = "The mnemonic fixes the width of the mask it makes.",
     .example = "pto.pset_b32 .. : !pto.mask<b16>",
     .fix = "Use the mask type of the mnemonic."},
};

constexpr OpRule kVectorChecks[] = {
    {.name = "shift_amounts",
     .check = shift_amounts,
     .sees = Sees::types,
     .ids = {E0550},
     .words = "an amount per lane, of its type, or signed and as wide"},
    {.name = "mask_width",
     .check = mask_width,
     .sees = Sees::types,
     .ids = {E0414},
     .words = "the mask is of $"},
    {.name = "updated_base",
     .check = updated_base,
     .sees = Sees::types,
     .ids = {E0333},
     .words = "the moved pointer has the type of `$`"},
};

}  // namespace

RuleFamily vector_rules() { return {.rules = kVectorRules, .checks = kVectorChecks}; }

}  // namespace pto::legality
