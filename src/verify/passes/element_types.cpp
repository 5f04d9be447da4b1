// Instructions a target lacks (E0321) and element types per target (E0331).
#include <fmt/format.h>

#include <algorithm>

#include "support/strings.hpp"
#include "verify/element_type_rules.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

bool lacks(const isa::Row& row, Target target) {
  if (target == Target::a2a3) return row.types.a2a3 == "-";
  if (target == Target::a5) return row.types.a5 == "-";
  return row.types.a2a3 == "-" && row.types.a5 == "-";
}

std::string_view other_target(Target target) { return target == Target::a5 ? "a2a3" : "a5"; }

/// The alternatives of a row on the target; cpu takes what either chip takes.
struct Alternatives {
  std::vector<TypeAlternative> list;
  bool any = false;
};

Alternatives alternatives_of(const isa::Schema& schema, Target target) {
  Alternatives found;
  std::string problem;
  const isa::Row& row = *schema.row;
  const auto add = [&](std::string_view text) {
    if (text.empty())
      found.any = true;
    else if (text != "-")
      compile_types(text, schema, found.list, problem);
  };
  if (target != Target::a5) add(row.types.a2a3);
  if (target != Target::a2a3) add(row.types.a5);
  return found;
}

std::string list_of(const std::vector<TypeAlternative>& alternatives) {
  std::string text;
  for (const TypeAlternative& alternative : alternatives) {
    if (text.find(alternative.text) != std::string::npos && alternative.operands[0].first.empty()) continue;
    text += (text.empty() ? "" : " ") + std::string(alternative.text);
  }
  return text;
}

std::string written(const std::vector<TypedOperand>& operands) {
  std::string text;
  for (const TypedOperand& operand : operands) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", operand.name, to_string(operand.elem));
  }
  return text;
}

bool all_equal(const std::vector<TypedOperand>& operands) {
  return std::ranges::all_of(
      operands, [&](const TypedOperand& operand) { return operand.elem == operands.front().elem; });
}

ValueId value_of(const OpView& op, const TypedOperand& operand) {
  return operand.is_result ? op.result(operand.index) : op.operand(operand.index);
}

/// `src0 is f32 (%a)`.
std::string named(const OpView& op, const TypedOperand& operand) {
  return fmt::format("{} is {} ({})", operand.name, to_string(operand.elem),
                     value_name(op.program(), value_of(op, operand)));
}

/// The element types that operand `k` could have beside the others as they are; signedness is named only
/// where it matters.
std::vector<Elem> fitting(const std::vector<TypeAlternative>& alternatives,
                          std::vector<TypedOperand> operands, size_t k) {
  std::vector<Elem> found;
  for (unsigned e = 1; e <= static_cast<unsigned>(kLastElem); ++e) {
    operands[k].elem = static_cast<Elem>(e);
    if (!matches(alternatives, operands)) continue;
    const bool listed = std::ranges::any_of(
        found, [&](Elem elem) { return signless(elem) == signless(static_cast<Elem>(e)); });
    if (!listed) found.push_back(static_cast<Elem>(e));
  }
  return found;
}

std::string names_of(const std::vector<Elem>& elems) {
  std::string text;
  for (const Elem elem : elems) text += (text.empty() ? "" : ", ") + std::string(to_string(elem));
  return text;
}

/// All operands but one fit each other: that one is at fault.
bool one_differs(Checker& check, const OpView& op, const std::vector<TypeAlternative>& alternatives,
                 const std::vector<TypedOperand>& operands) {
  for (size_t k = operands.size(); operands.size() > 1 && k-- > 0;) {
    const std::vector<Elem> fits = fitting(alternatives, operands, k);
    if (fits.empty()) continue;
    const TypedOperand& odd = operands[k];
    const TypedOperand& other = operands[k == 0 ? 1 : 0];
    std::vector<TypedOperand> rest = operands;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    const bool equal = fits.size() == 1 && all_equal(rest) && signless(fits[0]) == signless(other.elem);
    Diagnostic& built = check.fail(
        E0331, op, odd.is_result ? Anchor::Part::result_type : Anchor::Part::operand_type,
        odd.is_result ? odd.index : flat_index(op, odd.index),
        equal ? fmt::format("{}: {}, {}; {} requires equal element types", op.mnemonic(), named(op, other),
                            named(op, odd), to_string(check.target()))
              : fmt::format("{}: {}; beside {} {} takes {}", op.mnemonic(), named(op, odd), written(rest),
                            to_string(check.target()), names_of(fits)),
        equal ? "convert one of them with pto.tcvt" : "pto-as --list-instructions shows every combination");
    built.anchor.key = "dtype";
    check.note_definition(built, value_of(op, other));
    return true;
  }
  return false;
}

constexpr Rule kElementTypesRules[] = {
    {.id = E0321,
     .title = "not on this target",
     .cause = "The target's hardware does not have the instruction.",
     .example = "pto.vadd on a2a3",
     .fix = "Choose the target that has it, or use a tile instruction."},
    {.id = E0331,
     .title = "element types",
     .cause = "The instruction does not take this combination of element types on the target.",
     .example = "pto.trem on f16 tiles for a2a3",
     .fix = "Use one of the combinations the message lists, or convert with pto.tcvt."},
};

}  // namespace

RuleFamily element_rules() { return {.rules = kElementTypesRules, .checks = {}}; }

void check_target(Checker& check, const OpView& op) {
  if (!lacks(isa::row(op.op().row), check.target())) return;
  check.fail(E0321, op, fmt::format("{} does not exist on {}", op.mnemonic(), to_string(check.target())),
             fmt::format("needs target {}", other_target(check.target())));
}

void check_elements(Checker& check, const OpView& op) {
  if (lacks(isa::row(op.op().row), check.target())) return;
  const isa::Schema& schema = isa::schema(op.op().row);
  const Alternatives alternatives = alternatives_of(schema, check.target());
  if (alternatives.any) return;
  const RowRule* exempt = schema.find_rule(RuleName::exempt);
  const std::vector<TypedOperand> operands =
      typed_operands(op, exempt == nullptr ? std::string_view() : exempt->argument);
  if (matches(alternatives.list, operands)) return;
  if (one_differs(check, op, alternatives.list, operands)) return;
  const TypedOperand& first = operands.front();
  const std::string what = all_equal(operands) ? fmt::format("{} does not take {} on {}", op.mnemonic(),
                                                             to_string(first.elem), to_string(check.target()))
                                               : fmt::format("{} does not take these element types on {}",
                                                             op.mnemonic(), to_string(check.target()));
  check
      .fail(E0331, op, first.is_result ? Anchor::Part::result_type : Anchor::Part::operand_type,
            first.is_result ? first.index : flat_index(op, first.index),
            fmt::format("{}: {}", what, written(operands)),
            fmt::format("allowed on {}: {}", to_string(check.target()), list_of(alternatives.list)))
      .anchor.key = "dtype";
}

}  // namespace pto::legality
