// Vector register types themselves (E0415): 2048 bits of integers or floats. So equal lanes mean equal
// widths, and whatever keeps a register's bits needs no rule of its own.
#include <fmt/format.h>

#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

constexpr int64_t kRegisterBits = 2048;

void check_register(Checker& check, const OpView& op, unsigned result, const Type& type) {
  const uint32_t bits =
      type.elem == Elem::index || type.elem == Elem::i1 || type.vec_lanes != 0 ? 0 : bit_width(type.elem);
  if (bits == 0) {
    check.fail(E0415, op, Anchor::Part::result_type, result,
               fmt::format("{} holds neither integers nor floats", describe(type)),
               "use elements of 8 to 64 bits");
  } else if (type.rank != 1 || type.dims[0] != kRegisterBits / bits) {
    check.fail(E0415, op, Anchor::Part::result_type, result,
               fmt::format("{} does not hold {} bits", describe(type), kRegisterBits),
               fmt::format("a register has {} lanes of {}", kRegisterBits / bits, to_string(type.elem)));
  }
}

constexpr Rule kRegisterTypesRules[] = {
    {.id = E0415,
     .title = "register size",
     .cause = "A vector register holds 2048 bits of integers or floats.",
     .example = "pto.vbitcast %v : !pto.vreg<64xf32> -> !pto.vreg<64xf16>",
     .fix = "Make lanes times width 2048."},
};

}  // namespace

RuleFamily register_type_rules() { return {.rules = kRegisterTypesRules, .checks = {}}; }

void check_register_types(Checker& check) {
  const Program& program = check.program();
  std::vector<bool> seen(program.types.size(), false);
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    for (unsigned k = 0; k < op.n_results; ++k) {
      const TypeId type = program.values[op.first_result + k].type;
      if (seen[type]) continue;
      seen[type] = true;
      if (program.types[type].kind == TypeKind::vreg)
        check_register(check, OpView(program, i), k, program.types[type]);
    }
  }
}

}  // namespace pto::legality
