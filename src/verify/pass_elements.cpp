// Instructions a target lacks (E0321) and element types per target (E0331).
#include <fmt/format.h>

#include "verify/checker.hpp"
#include "verify/element_types.hpp"

namespace pto::legality {
namespace {

/// The argument of `name:argument` in a rules column, "" when absent.
std::string_view rule_argument(std::string_view rules, std::string_view name) {
  while (!rules.empty()) {
    const size_t end = std::min(rules.find(' '), rules.size());
    const std::string_view rule = rules.substr(0, end);
    if (rule.starts_with(name) && rule.size() > name.size() && rule[name.size()] == ':') return rule.substr(name.size() + 1);
    rules.remove_prefix(std::min(end + 1, rules.size()));
  }
  return {};
}

bool lacks(const isa::Row& row, Target target) {
  if (target == Target::a2a3) return row.types_a2a3 == "-";
  if (target == Target::a5) return row.types_a5 == "-";
  return row.types_a2a3 == "-" && row.types_a5 == "-";
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
    if (text.empty()) found.any = true;
    else if (text != "-") compile_types(text, schema, found.list, problem);
  };
  if (target != Target::a5) add(row.types_a2a3);
  if (target != Target::a2a3) add(row.types_a5);
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

}  // namespace

void check_target(Checker& check, const OpView& op) {
  if (!lacks(isa::row(op.op().row), check.target())) return;
  check.fail("E0321", op, fmt::format("{} does not exist on {}", op.mnemonic(), to_string(check.target())),
             fmt::format("needs target {}", other_target(check.target())));
}

void check_elements(Checker& check, const OpView& op) {
  const isa::Row& row = isa::row(op.op().row);
  if (lacks(row, check.target())) return;
  const Alternatives alternatives = alternatives_of(isa::schema(op.op().row), check.target());
  if (alternatives.any) return;
  const std::vector<TypedOperand> operands = typed_operands(op, rule_argument(row.rules, "exempt"));
  if (matches(alternatives.list, operands)) return;
  const TypedOperand& first = operands.front();
  check.fail("E0331", op, first.is_result ? Anchor::Part::result_type : Anchor::Part::operand_type,
             first.is_result ? first.index : flat_index(op, first.index),
             fmt::format("{} does not take these element types on {}: {}", op.mnemonic(), to_string(check.target()), written(operands)),
             fmt::format("allowed on {}: {}", to_string(check.target()), list_of(alternatives.list)));
}

}  // namespace pto::legality
