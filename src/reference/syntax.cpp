#include "reference/syntax.hpp"

#include <fmt/format.h>

#include "reference/facts.hpp"

namespace pto::reference {

namespace {

using Kind = isa::SyntaxNode::Kind;
constexpr size_t kWide = 100;   // types go to a line of their own

std::string value_words(const isa::OperandSpec& spec) { return fmt::format("%{}{}", spec.name, spec.arity == isa::Arity::variadic ? ".." : ""); }

/// Writes tokens with the blanks that people would write.
class Line {
 public:
  explicit Line(const isa::Schema& schema) : schema_(schema) {}

  void add(std::string_view token) {
    const bool tight = text_.empty() || no_blank_behind_ || token == "," || token == "]" || token == ")" || token == ">" ||
                       (token == "[" && !text_.ends_with(' ') && !text_.ends_with(','));
    if (!tight) text_ += ' ';
    text_ += token;
    no_blank_behind_ = token == "[" || token == "(" || token == "<" || token == "(..";
  }

  void add(const std::vector<isa::SyntaxNode>& nodes) {
    for (const isa::SyntaxNode& node : nodes) add(node);
  }

  void add(const isa::SyntaxNode& node) {
    switch (node.kind) {
      case Kind::word:
      case Kind::punct: add(node.text); break;
      case Kind::operand: add(value_words(schema_.operands[node.index])); break;
      case Kind::attr: add(schema_.attrs[node.index].name); break;
      case Kind::type_operand: add(fmt::format("type({})", value_words(schema_.operands[node.index]))); break;
      case Kind::type_result: add(fmt::format("type({})", value_words(schema_.results[node.index]))); break;
      case Kind::type_attr: add(fmt::format("type({})", schema_.attrs[node.index].name)); break;
      case Kind::attr_dict:
        if (!schema_.attrs.empty()) add("{attributes}");
        break;
      case Kind::region: add("{ region }"); break;
      case Kind::optional: bracket(node, ")?"); break;
      case Kind::repeat: bracket(node, ")*"); break;
      case Kind::group: bracket(node, ")"); break;
    }
  }
  std::string take() { return std::move(text_); }

 private:
  void bracket(const isa::SyntaxNode& node, std::string_view close) {
    if (close == ")" && !text_.empty() && text_.back() != ' ') no_blank_behind_ = true;   // keyword(..)
    add("(");
    add(node.children);
    text_ += close;
    no_blank_behind_ = false;
  }

  const isa::Schema& schema_;
  std::string text_;
  bool no_blank_behind_ = false;
};

/// `pto.x ins(..) outs(..)`
std::string tile_form(const isa::Schema& schema) {
  std::string values[2], types[2];
  for (const isa::OperandSpec& spec : schema.operands) {
    const bool out = spec.role == isa::Role::out || spec.role == isa::Role::inout;
    const char* const mark = spec.arity == isa::Arity::optional ? "?" : "";
    values[out] += fmt::format("{}{}{}", values[out].empty() ? "" : ", ", value_words(spec), mark);
    types[out] += fmt::format("{}type({}){}", types[out].empty() ? "" : ", ", value_words(spec), mark);
  }
  const bool inside = schema.row->syntax == "@dps_in";
  const std::string attributes = schema.attrs.empty() ? "" : " {attributes}";
  return fmt::format("ins({}{} : {}) outs({} : {}){}", values[0], inside ? attributes : "", types[0], values[1], types[1], inside ? "" : attributes);
}

}  // namespace

std::string syntax_words(const isa::Schema& schema) {
  const isa::Row& row = *schema.row;
  if (row.syntax == "@none") return {};
  if (row.syntax.starts_with("@custom:")) return custom_syntax(row);
  std::string results;
  for (const isa::OperandSpec& spec : schema.results)
    results += fmt::format("{}{}{}", results.empty() ? "" : ", ", value_words(spec), spec.arity == isa::Arity::optional ? "?" : "");
  if (!results.empty()) results += " = ";
  if (row.syntax.starts_with('@')) return fmt::format("{}{} {}", results, row.name, tile_form(schema));
  Line line(schema);
  line.add(schema.syntax);
  const std::string text = line.take();
  std::string whole = fmt::format("{}{}{}{}", results, row.name, text.empty() || text.starts_with('[') ? "" : " ", text);
  if (const size_t types = whole.find(" : type("); whole.size() > kWide && types != whole.npos) whole.replace(types, 1, "\n    ");
  return whole;
}

}  // namespace pto::reference
