#include "lower/rules.hpp"

namespace pto::lower {
namespace {

constexpr Rule kRules[] = {
    {.id = E0611,
     .title = "no lowering to registers",
     .cause = "No vector instructions are known for an operation on logical vectors, in any layout of its "
              "operands.",
     .example = "pto-as --emit=vpto of a pto.vmi.vcmax of bf16",
     .fix = "Write it with other operations; pto-sim --vmi=logical runs the program as it is."},
    {.id = W0611,
     .title = "run on logical lanes",
     .cause = "An operation on logical vectors has no lowering to registers, so the functions that belong "
              "together run lane by lane: values are the same, cycles know nothing of registers and layouts.",
     .example = "pto-sim --target a5 of a pto.vmi.vcmax of bf16",
     .fix = "Write it with other operations, or say --vmi=logical."},
};

}  // namespace

std::span<const Rule> lowering_rules() { return kRules; }

}  // namespace pto::lower
