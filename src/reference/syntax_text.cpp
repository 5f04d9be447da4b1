#include "reference/syntax_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reference/row_facts.hpp"

namespace pto::reference {

namespace {

using Kind = isa::SyntaxNode::Kind;
constexpr size_t kWide = 100;  // types go to a line of their own

std::string value_words(const isa::OperandSpec& spec) {
  return fmt::format("%{}{}", spec.name, spec.arity == isa::Arity::variadic ? ".." : "");
}

/// Writes tokens with the blanks that people would write.
class Line {
 public:
  explicit Line(const isa::Schema& schema) : schema_(schema) {}

  void add(std::string_view token, bool near = false) {
    const bool mark = token == "," || token == "]" || token == ")" || token == ">";
    const bool tight = near || text_.empty() || no_blank_behind_ || (mark && !text_.ends_with('|'));
    if (!tight && !text_.ends_with(' ')) text_ += ' ';
    text_ += token;
    no_blank_behind_ = token == "[" || token == "(" || token == "<" || token == "(..";
  }

  void add(const std::vector<isa::SyntaxNode>& nodes) {
    for (const isa::SyntaxNode& node : nodes) add(node);
  }

  void add(const isa::SyntaxNode& node) {
    switch (node.kind) {
      case Kind::word:
        add(node.text);
        break;
      case Kind::punct:
        add(node.text, node.near && (node.text == ":" || node.text == "["));
        break;
      case Kind::operand:
        add(value_words(schema_.operands[node.index]));
        break;
      case Kind::attr:
        attribute(node);
        break;
      case Kind::mixed:
        add(fmt::format("{}|int..", value_words(schema_.operands[schema_.mixed[node.index].slot])));
        break;
      case Kind::argument:
        add("%argument");
        break;
      case Kind::type_operand:
        add(fmt::format("type({})", value_words(schema_.operands[node.index])));
        break;
      case Kind::type_result:
        add(fmt::format("type({})", value_words(schema_.results[node.index])));
        break;
      case Kind::type_attr:
        add(fmt::format("type({})", schema_.attrs[node.index].name));
        break;
      case Kind::attr_dict:
        if (!schema_.attrs.empty()) add("{attributes}");
        break;
      case Kind::optional:
        bracket(node, ")?");
        break;
      case Kind::repeat:
      case Kind::clauses:
        bracket(node, node.comma ? ")*," : ")*");
        break;
      case Kind::group:
      case Kind::choice:
        bracket(node, ")");
        break;
      case Kind::sequence:
        add(node.children);
        break;
      case Kind::is:
      case Kind::accepted:
      case Kind::region:
        break;
    }
  }
  void regions() {
    for (const isa::RegionSyntax& region : schema_.regions) {
      if (region.optional)
        add(fmt::format("({} {{ region }})?", region.word));
      else
        add(fmt::format("{}{}{{ region }}", region.word, region.word.empty() ? "" : " "));
    }
    add(schema_.tail);
  }
  std::string take() { return std::move(text_); }

 private:
  void attribute(const isa::SyntaxNode& node) {
    const std::string_view name = schema_.attrs[node.index].name;
    switch (node.form) {
      case isa::SyntaxNode::Form::plain:
        if (schema_.attrs[node.index].type != isa::AttrType::ints) return add(name, node.near);
        return add(fmt::format("[{}]", name), node.near);
      case isa::SyntaxNode::Form::string:
        return add(fmt::format("\"{}\"", name));
      case isa::SyntaxNode::Form::symbol:
        return add(fmt::format("@{}", name));
      case isa::SyntaxNode::Form::label:
        return add(fmt::format("^{}", name));
    }
  }
  void bracket(const isa::SyntaxNode& node, std::string_view close) {
    const bool alternatives = node.kind == Kind::choice || node.kind == Kind::clauses;
    if (node.kind == Kind::group && node.near) no_blank_behind_ = true;  // keyword(..)
    // `((A | B))?` says no more than `(A | B)?`.
    const isa::SyntaxNode& inner =
        node.kind == Kind::optional && node.children.size() == 1 && node.children.front().kind == Kind::choice
            ? node.children.front()
            : node;
    add("(");
    for (const isa::SyntaxNode& part : inner.children) {
      const bool first = &part == &inner.children.front();
      if (node.kind == Kind::clauses) text_ += first ? "\n     " : "\n    ";
      if ((alternatives || &inner != &node) && !first) add("|");
      add(part);
    }
    text_ += close;
    no_blank_behind_ = false;
  }

  const isa::Schema& schema_;
  std::string text_;
  bool no_blank_behind_ = false;
};

/// `ins(..) outs(..)`
std::string tile_form(const isa::Schema& schema) {
  std::string values[2], types[2], clauses;
  const auto add = [&](uint16_t slot, bool out) {
    const isa::OperandSpec& spec = schema.operands[slot];
    const char* const mark = spec.arity == isa::Arity::optional ? "?" : "";
    if (!out && schema.tile.clauses && spec.arity == isa::Arity::optional) {
      clauses += fmt::format(" ({} = {} : type({}))?", spec.name, value_words(spec), value_words(spec));
      return;
    }
    values[out] += fmt::format("{}{}{}", values[out].empty() ? "" : ", ", value_words(spec), mark);
    types[out] += fmt::format("{}type({}){}", types[out].empty() ? "" : ", ", value_words(spec), mark);
  };
  for (const uint16_t slot : schema.tile.ins) add(slot, false);
  for (const uint16_t slot : schema.tile.outs) add(slot, true);
  const bool inside = schema.tile.inside;
  const std::string attributes = schema.attrs.empty() ? "" : " {attributes}";
  return fmt::format("ins({}{} : {}) outs({} : {}){}{}", values[0], inside ? attributes : "", types[0],
                     values[1], types[1], inside ? "" : attributes, clauses);
}

/// Where the types begin: " : type(" outside of all parentheses.
size_t types_at(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth == 0 && text.substr(i).starts_with(" : type(")) return i;
  }
  return std::string_view::npos;
}

/// A row with a hook of its own in src/asm: what the hook reads, in front of the name and behind it.
struct Form {
  std::string_view hook, before, behind;
  bool named = true;
};
constexpr Form kForms[] = {
    {"@custom:constant", "%result = ", " value : type(%result)"},
    {"@custom:func", "", " @name(%argument: type, ..) -> (types) attributes {attributes} { region }"},
    {"@custom:index_switch", "%results.. = ", " %arg -> types case 0 { region } .. default { region }"},
    {"@custom:block", "^name(%argument: type, ..):", "", false},
};

}  // namespace

std::string syntax_words(const isa::Schema& schema) {
  const isa::Row& row = *schema.row;
  if (row.syntax == "@none") return {};
  if (const Form* form = std::ranges::find(kForms, row.syntax, &Form::hook); form != std::end(kForms))
    return fmt::format("{}{}{}", form->before, form->named ? row.name : "", form->behind);
  if ((row.flags & isa::kAlias) != 0)
    return syntax_words(isa::schema(isa::id_of(*isa::find_row(row.syntax))));
  std::string results;
  for (const isa::OperandSpec& spec : schema.results)
    results += fmt::format("{}{}{}", results.empty() ? "" : ", ", value_words(spec),
                           spec.arity == isa::Arity::optional ? "?" : "");
  if (!results.empty()) results += " = ";
  if (row.syntax.starts_with('@')) return fmt::format("{}{} {}", results, row.name, tile_form(schema));
  Line line(schema);
  line.add(schema.syntax);
  line.regions();
  const std::string text = line.take();
  const bool near =
      text.empty() || text.starts_with('[') ||
      (!schema.syntax.empty() && schema.syntax.front().kind == Kind::group && schema.syntax.front().near);
  std::string whole = fmt::format("{}{}{}{}", results, row.name, near ? "" : " ", text);
  if (const size_t types = types_at(whole); whole.size() > kWide && types != whole.npos)
    whole.replace(types, 1, "\n    ");
  return whole;
}

}  // namespace pto::reference
