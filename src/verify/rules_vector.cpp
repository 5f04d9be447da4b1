// Vector registers: mask granularity, lanes, conversions (E0414 to E0416).
#include <fmt/format.h>

#include <algorithm>

#include "verify/checker.hpp"

namespace pto::legality {
namespace {

std::string granularity(Elem elem) { return fmt::format("b{}", bit_width(elem)); }

/// Masks that a mnemonic fixes to a width ("b32").
void mask_width(Checker& check, const OpView& op, std::string_view width) {
  for (unsigned i = 0; i < op.op().n_results; ++i) {
    const Type& type = op.result_type(i);
    if (type.kind != TypeKind::mask || granularity(type.elem) == width) continue;
    check.fail("E0414", op, Anchor::Part::result_type, i, fmt::format("{} makes a mask of {}, not {}", op.mnemonic(), width, granularity(type.elem)),
               fmt::format("use !pto.mask<{}>", width));
  }
}

void same_bits(Checker& check, const OpView& op, std::string_view) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  if (from.dims[0] * bit_width(from.elem) == to.dims[0] * bit_width(to.elem)) return;
  check.fail("E0415", op, Anchor::Part::result_type, 0, fmt::format("{} changes the size of the register: {} to {}", op.mnemonic(), describe(from), describe(to)),
             "lanes times width must stay 2048 bits");
}

/// part is needed exactly where source and result lanes differ in width.
void vcvt(Checker& check, const OpView& op, std::string_view) {
  const uint32_t from = bit_width(op.type(0).elem), to = bit_width(op.result_type(0).elem);
  const bool given = op.attr("part") != nullptr;
  if (given && from == to) {
    check.fail("E0416", op, Anchor::Part::attribute, 2,
               fmt::format("{} from {} to {} has no parts: the widths are equal", op.mnemonic(), to_string(op.type(0).elem), to_string(op.result_type(0).elem)),
               "drop part");
    return;
  }
  const bool quarter = from == 4 * to || to == 4 * from;
  if (!given || quarter || op.attr_int("part") < 2) return;
  check.fail("E0416", op, Anchor::Part::attribute, 2,
             fmt::format("{} from {} to {} has two parts, P{} is not one of them", op.mnemonic(), to_string(op.type(0).elem),
                         to_string(op.result_type(0).elem), op.attr_int("part")),
             "use EVEN or ODD");
}

/// The moved pointer of a post-update form has the type of the pointer it came from.
void updated_base(Checker& check, const OpView& op, std::string_view name) {
  const isa::Schema& schema = isa::schema(op.op().row);
  const Type& base = op.type(static_cast<unsigned>(slot_of(op, name)));
  for (unsigned i = 0; i < op.op().n_results; ++i) {
    if (schema.results[std::min<size_t>(i, schema.results.size() - 1)].name != "updated_base" || op.result_type(i) == base) continue;
    check.fail("E0333", op, Anchor::Part::result_type, i, fmt::format("{} moves {} and gives {}", op.mnemonic(), describe(base), describe(op.result_type(i))),
               fmt::format("the result is {}", describe(base)));
  }
}

constexpr OpRule kRules[] = {
    {"mask_width", Sees::types, mask_width},
    {"same_bits", Sees::types, same_bits},
    {"vcvt", Sees::values, vcvt},
    {"updated_base", Sees::types, updated_base},
};

}  // namespace

std::span<const OpRule> vector_rules() { return kRules; }

}  // namespace pto::legality
