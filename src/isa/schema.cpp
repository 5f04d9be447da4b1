// Compiles the small languages of a Row (operands, results, attributes, syntax) into a Schema.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string>

#include "isa/row.hpp"

namespace pto::isa {
namespace {

struct KindName {
  std::string_view name;
  uint32_t bits;
};
constexpr std::array kKinds = {
    KindName{"tile", kTile},   KindName{"view", kView}, KindName{"tview", kTView},   KindName{"ptr", kPtr},       KindName{"memref", kMemRef},
    KindName{"vreg", kVReg},   KindName{"mask", kMask}, KindName{"align", kAlign},   KindName{"i1", kI1},         KindName{"i8", kI8},
    KindName{"i16", kI16},     KindName{"i32", kI32},   KindName{"i64", kI64},       KindName{"index", kIndex},   KindName{"int", kInt},
    KindName{"float", kFloat}, KindName{"scalar", kScalar}, KindName{"vector", kVector}, KindName{"pipe", kPipeHandle}, KindName{"any", kAny},
    KindName{"async_session", kAsyncSession}, KindName{"async_event", kAsyncEvent}, KindName{"eventid_array", kEventIdArray},
    KindName{"local_array", kLocalArray},
};

/// Calls `each` for the parts of `text` between separators; empty parts are skipped. Stops when `each` says false.
template <typename Each>
bool split(std::string_view text, char separator, Each each) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!part.empty() && !each(part)) return false;
  }
  return true;
}

bool parse_kinds(std::string_view text, uint32_t& kinds, std::string& problem) {
  return split(text, '|', [&](std::string_view name) {
    const auto* found = std::ranges::find(kKinds, name, &KindName::name);
    if (found == kKinds.end()) {
      problem = "unknown operand kind '" + std::string(name) + "'";
      return false;
    }
    kinds |= found->bits;
    return true;
  });
}

bool parse_role(std::string_view text, Role& role, std::string& problem) {
  if (text == "in") role = Role::in;
  else if (text == "out") role = Role::out;
  else if (text == "inout") role = Role::inout;
  else if (text == "tmp") role = Role::tmp;
  else {
    problem = "unknown role '" + std::string(text) + "'";
    return false;
  }
  return true;
}

/// name:kind[?|*][=role]
bool parse_operand(std::string_view text, OperandSpec& spec, std::string& problem) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) {
    problem = "operand '" + std::string(text) + "' lacks a kind";
    return false;
  }
  spec.name = text.substr(0, colon);
  text.remove_prefix(colon + 1);
  if (const size_t equals = text.find('='); equals != std::string_view::npos) {
    if (!parse_role(text.substr(equals + 1), spec.role, problem)) return false;
    text = text.substr(0, equals);
  }
  if (text.ends_with('?')) spec.arity = Arity::optional;
  if (text.ends_with('*')) spec.arity = Arity::variadic;
  if (spec.arity != Arity::one) text.remove_suffix(1);
  return parse_kinds(text, spec.kinds, problem);
}

bool parse_operands(std::string_view text, std::vector<OperandSpec>& out, std::string& problem) {
  return split(text, ' ', [&](std::string_view part) { return parse_operand(part, out.emplace_back(), problem); });
}

struct AttrTypeName {
  std::string_view name;
  AttrType type;
};
constexpr std::array kAttrTypes = {
    AttrTypeName{"int", AttrType::integer},   AttrTypeName{"i32", AttrType::integer},   AttrTypeName{"i64", AttrType::integer},
    AttrTypeName{"float", AttrType::floating}, AttrTypeName{"bool", AttrType::boolean},  AttrTypeName{"unit", AttrType::unit},
    AttrTypeName{"string", AttrType::string}, AttrTypeName{"symbol", AttrType::symbol}, AttrTypeName{"ints", AttrType::ints},
    AttrTypeName{"type", AttrType::type},     AttrTypeName{"any", AttrType::any},
};

bool parse_attr_type(std::string_view name, AttrSpec& spec, std::string& problem) {
  if (const auto* found = std::ranges::find(kAttrTypes, name, &AttrTypeName::name); found != kAttrTypes.end()) {
    spec.type = found->type;
    return true;
  }
  spec.domain = find_enum(name);
  spec.type = AttrType::enumerant;
  if (spec.domain == nullptr) problem = "unknown attribute type '" + std::string(name) + "'";
  return spec.domain != nullptr;
}

bool parse_default(std::string_view text, AttrSpec& spec, std::string& problem) {
  spec.has_default = true;
  spec.default_text = text;
  if (spec.type == AttrType::enumerant) {
    const EnumCase* found = find_case(*spec.domain, text);
    if (found != nullptr) spec.default_int = found->value;
    else problem = "default '" + std::string(text) + "' is not a case of " + std::string(spec.domain->name);
    return found != nullptr;
  }
  if (spec.type == AttrType::boolean) {
    spec.default_int = text == "true" ? 1 : 0;
    return true;
  }
  if (spec.type != AttrType::integer) return true;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), spec.default_int);
  if (error != std::errc{} || end != text.data() + text.size()) problem = "default '" + std::string(text) + "' is not an integer";
  return problem.empty();
}

/// name:type[?][=default]; units are never required.
bool parse_attr(std::string_view text, AttrSpec& spec, std::string& problem) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) {
    problem = "attribute '" + std::string(text) + "' lacks a type";
    return false;
  }
  spec.name = text.substr(0, colon);
  text.remove_prefix(colon + 1);
  const size_t equals = text.find('=');
  std::string_view type = text.substr(0, equals);
  const bool optional = type.ends_with('?');
  if (optional) type.remove_suffix(1);
  if (!parse_attr_type(type, spec, problem)) return false;
  spec.required = !optional && equals == std::string_view::npos && spec.type != AttrType::unit;
  return equals == std::string_view::npos || parse_default(text.substr(equals + 1), spec, problem);
}

/// Recursive descent over a syntax string.
class SyntaxParser {
 public:
  SyntaxParser(std::string_view text, const Schema& schema, std::string& problem) : rest_(text), schema_(schema), problem_(problem) {}

  bool parse(std::vector<SyntaxNode>& out) {
    if (!sequence(out)) return false;
    return rest_.empty() || fail("unbalanced ')'");
  }

 private:
  using Kind = SyntaxNode::Kind;

  bool fail(std::string_view what) {
    problem_ = std::string(what) + " at '" + std::string(rest_.substr(0, 24)) + "'";
    return false;
  }
  void skip_spaces() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  bool eat(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }
  std::string_view word() {
    size_t n = 0;
    while (n < rest_.size() && is_word(rest_[n])) ++n;
    const std::string_view text = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return text;
  }

  /// Elements up to the end or an unmatched ')'.
  bool sequence(std::vector<SyntaxNode>& out) {
    for (skip_spaces(); !rest_.empty() && rest_.front() != ')'; skip_spaces()) {
      if (!element(out)) return false;
    }
    return true;
  }
  bool element(std::vector<SyntaxNode>& out) {
    if (eat("{attrs}")) return add(out, Kind::attr_dict);
    if (eat("$")) return value(out);
    if (eat("type~($")) return type(out, true);
    if (eat("type($")) return type(out, false);
    if (eat("(")) return paren(out);
    if (is_word(rest_.front())) return name(out);
    return punctuation(out);
  }
  static bool add(std::vector<SyntaxNode>& out, Kind kind, std::string_view text = {}) {
    out.emplace_back(SyntaxNode{kind, text, 0, false, {}});
    return true;
  }
  bool name(std::vector<SyntaxNode>& out) {
    const std::string_view text = word();
    return text == "region" ? add(out, Kind::region) : add(out, Kind::word, text);
  }
  bool punctuation(std::vector<SyntaxNode>& out) {
    size_t n = 1;
    for (const std::string_view longer : {std::string_view("<<<"), std::string_view(">>>"), std::string_view("->")}) {
      if (rest_.starts_with(longer)) n = longer.size();
    }
    const std::string_view text = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return add(out, Kind::punct, text);
  }
  bool value(std::vector<SyntaxNode>& out) {
    const std::string_view text = word();
    if (const int slot = schema_.operand_slot(text); slot >= 0) return indexed(out, Kind::operand, slot, false);
    if (const int attr = schema_.attr_index(text); attr >= 0) return indexed(out, Kind::attr, attr, false);
    return fail("unknown name '" + std::string(text) + "'");
  }
  bool type(std::vector<SyntaxNode>& out, bool elidable) {
    const std::string_view text = word();
    if (!eat(")")) return fail("type(..) lacks ')'");
    if (const int slot = schema_.operand_slot(text); slot >= 0) return indexed(out, Kind::type_operand, slot, elidable);
    for (size_t i = 0; i < schema_.results.size(); ++i) {
      if (schema_.results[i].name == text) return indexed(out, Kind::type_result, static_cast<int>(i), elidable);
    }
    if (const int attr = schema_.attr_index(text); attr >= 0) return indexed(out, Kind::type_attr, attr, elidable);
    return fail("unknown name '" + std::string(text) + "'");
  }
  static bool indexed(std::vector<SyntaxNode>& out, Kind kind, int index, bool elidable) {
    out.emplace_back(SyntaxNode{kind, {}, static_cast<uint16_t>(index), elidable, {}});
    return true;
  }
  bool paren(std::vector<SyntaxNode>& out) {
    SyntaxNode node{Kind::group, {}, 0, false, {}};
    if (!sequence(node.children)) return false;
    if (!eat(")")) return fail("missing ')'");
    if (eat("?")) node.kind = Kind::optional;
    else if (eat("*")) node.kind = Kind::repeat;
    out.push_back(std::move(node));
    return true;
  }

  std::string_view rest_;
  const Schema& schema_;
  std::string& problem_;
};

bool compile_attrs(const Row& row, Schema& out, std::string& problem) {
  return split(row.attrs, ' ', [&](std::string_view part) { return parse_attr(part, out.attrs.emplace_back(), problem); });
}

/// Appends `items` separated by commas.
void add_list(std::vector<SyntaxNode>& out, const std::vector<SyntaxNode>& items) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out.push_back({SyntaxNode::Kind::punct, ",", 0, false, {}});
    out.push_back(items[i]);
  }
}

std::vector<SyntaxNode> numbered(SyntaxNode::Kind kind, size_t count) {
  std::vector<SyntaxNode> nodes;
  for (size_t i = 0; i < count; ++i) nodes.push_back({kind, {}, static_cast<uint16_t>(i), false, {}});
  return nodes;
}

/// "list $attr..": operands and the named attributes, the dictionary, the operand types, the result types.
bool compile_list(std::string_view positional, Schema& out, std::string& problem) {
  using Kind = SyntaxNode::Kind;
  std::vector<SyntaxNode> values = numbered(Kind::operand, out.operands.size());
  if (!SyntaxParser(positional, out, problem).parse(values)) return false;
  add_list(out.syntax, values);
  out.syntax.push_back({Kind::attr_dict, {}, 0, false, {}});
  if (out.operands.empty() && out.results.empty()) return true;
  out.syntax.push_back({Kind::punct, ":", 0, false, {}});
  add_list(out.syntax, numbered(Kind::type_operand, out.operands.size()));
  if (!out.operands.empty() && !out.results.empty()) out.syntax.push_back({Kind::punct, "->", 0, false, {}});
  add_list(out.syntax, numbered(Kind::type_result, out.results.size()));
  return true;
}

bool compile_syntax(const Row& row, Schema& out, std::string& problem) {
  if (row.syntax.starts_with('@') || (row.flags & kAlias) != 0) return true;
  if (row.syntax == "list" || row.syntax.starts_with("list ")) return compile_list(row.syntax.substr(4), out, problem);
  return SyntaxParser(row.syntax, out, problem).parse(out.syntax);
}

}  // namespace

int Schema::operand_slot(std::string_view name) const {
  const auto found = std::ranges::find(operands, name, &OperandSpec::name);
  return found == operands.end() ? -1 : static_cast<int>(found - operands.begin());
}

int Schema::attr_index(std::string_view name) const {
  const auto found = std::ranges::find(attrs, name, &AttrSpec::name);
  return found == attrs.end() ? -1 : static_cast<int>(found - attrs.begin());
}

bool compile_schema(const Row& row, Schema& out, std::string& problem) {
  out = Schema{};
  out.row = &row;
  const bool ok = parse_operands(row.operands, out.operands, problem) && parse_operands(row.results, out.results, problem) &&
                  compile_attrs(row, out, problem) && compile_syntax(row, out, problem);
  if (!ok) problem = std::string(row.name) + ": " + problem;
  out.has_variadic = std::ranges::any_of(out.operands, [](const OperandSpec& spec) { return spec.arity == Arity::variadic; });
  return ok;
}

}  // namespace pto::isa
