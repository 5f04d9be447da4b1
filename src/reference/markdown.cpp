#include "reference/markdown.hpp"

#include <fmt/format.h>

namespace pto::reference {

namespace {

/// Text for a table cell or a paragraph: Markdown's own marks do not act.
std::string plain(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '<' || c == '_' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string code_list(const auto& items) {
  std::string text;
  for (const auto& item : items) text += fmt::format("{}`{}`", text.empty() ? "" : ", ", item);
  return text;
}

std::string operand_line(const OperandFacts& operand, std::string_view role) {
  std::string text = fmt::format("| `%{}` | {} | ", operand.name, role);
  for (size_t i = 0; i < operand.kinds.size(); ++i)
    text += fmt::format("{}{}",
                        i == 0                          ? ""
                        : i + 1 == operand.kinds.size() ? " or "
                                                        : ", ",
                        operand.kinds[i]);
  if (operand.arity != "one") text += fmt::format(", {}", operand.arity);
  return fmt::format("{} | {} |\n", text, code_list(operand.places));
}

std::string operands(const FormFacts& facts) {
  if (facts.operands.empty() && facts.results.empty()) return {};
  std::string text = "| operand | role | kind | memory |\n|---|---|---|---|\n";
  for (const OperandFacts& operand : facts.operands) text += operand_line(operand, operand.role);
  for (const OperandFacts& result : facts.results) text += operand_line(result, "result");
  return text + "\n";
}

std::string attributes(const FormFacts& facts) {
  if (facts.attributes.empty()) return {};
  std::string text = "| attribute | type | values | default |\n|---|---|---|---|\n";
  for (const AttributeFacts& attribute : facts.attributes) {
    const std::string fallback = attribute.fallback   ? fmt::format("`{}`", *attribute.fallback)
                                 : attribute.required ? "required"
                                                      : "absent";
    text += fmt::format("| `{}` | {} | {} | {} |\n", attribute.name, attribute.type,
                        code_list(attribute.values), fallback);
  }
  return text + "\n";
}

/// "input f32, result f16" and "input f32, result bf16" become one line.
std::vector<std::string> grouped(const std::vector<std::string>& alternatives) {
  std::vector<std::string> lines;
  std::string_view last;
  for (const std::string& text : alternatives) {
    const std::string_view beginning = std::string_view(text).substr(0, text.rfind(' ') + 1);
    const bool same = !lines.empty() && beginning == last && !beginning.ends_with("or ");
    if (same)
      lines.back() += ", " + text.substr(beginning.size());
    else
      lines.push_back(text);
    last = beginning;
  }
  return lines;
}

std::string target_line(const TargetFacts& target) {
  if (!target.legal) return fmt::format("- **{}**: not on this target\n", to_string(target.target));
  const std::string pipe =
      target.pipe == "none" ? "no pipe (takes no time)" : fmt::format("pipe {}", target.pipe);
  const bool tuples = !target.types.empty() && target.types.front().find(' ') != std::string::npos;
  const std::string types = target.types.empty() ? "any element type"
                            : tuples             ? "element types"
                                                 : code_list(target.types);
  std::string text = fmt::format("- **{}**: {}; {}\n", to_string(target.target), types, pipe);
  if (!tuples) return text;
  for (const std::string& alternative : grouped(target.types))
    text += fmt::format("  - {}\n", plain(alternative));
  return text;
}

std::string targets(const FormFacts& facts) {
  std::string text;
  for (const TargetFacts& target : facts.targets) text += target_line(target);
  return text;
}

std::string rules(const FormFacts& facts) {
  if (facts.rules.empty()) return {};
  std::string text = "- rules:\n";
  for (const RuleFacts& rule : facts.rules) {
    std::string ids;
    for (const FindingId id : rule.ids) ids += fmt::format("{}{}", ids.empty() ? " (" : ", ", to_string(id));
    text += fmt::format("  - {}{}{}\n", rule.target ? fmt::format("{}: ", to_string(*rule.target)) : "",
                        rule.demands, ids.empty() ? "" : ids + ")");
  }
  return text;
}

std::string form_section(const FormFacts& facts) {
  std::string text = fmt::format("{}\n\n", plain(facts.row->doc));
  if (!facts.readable) text += "Known by name; this version does not read it.\n\n";
  if (!facts.syntax.empty()) text += fmt::format("```mlir\n{}\n```\n\n", facts.syntax);
  text += operands(facts) + attributes(facts) + targets(facts);
  if (!facts.row->cost.empty()) text += fmt::format("- cost class `{}`\n", facts.row->cost);
  if (facts.readable)
    text += facts.executed ? "- executed by `pto-sim`\n"
                           : "- not executed yet: `pto-sim` refuses it with exit code 3\n";
  for (const std::string_view remark : facts.remarks) text += fmt::format("- {}\n", remark);
  return text + rules(facts) + "\n";
}

}  // namespace

std::string section_markdown(const std::vector<FormFacts>& forms) {
  std::string text = fmt::format("### {}\n\n", forms.front().row->name);
  for (size_t i = 0; i < forms.size(); ++i) {
    if (forms.size() > 1) text += fmt::format("**Form {} of {}.** ", i + 1, forms.size());
    text += form_section(forms[i]);
  }
  return text;
}

std::string anchor_of(std::string_view mnemonic) {
  std::string text;
  for (const char c : mnemonic) {
    if (c != '.') text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

}  // namespace pto::reference
