// Recursive descent over the syntax strings of rows.
#include "isa/syntax.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

#include "isa/row.hpp"
#include "support/strings.hpp"

namespace pto::isa {
namespace {

using Kind = SyntaxNode::Kind;
using Nodes = std::vector<SyntaxNode>;

SyntaxNode node_of(Kind kind, std::string_view text = {}) {
  SyntaxNode node{};
  node.kind = kind;
  node.text = text;
  return node;
}

SyntaxNode indexed(Kind kind, int index) {
  SyntaxNode node = node_of(kind);
  node.index = static_cast<uint16_t>(index);
  return node;
}

class SyntaxParser {
 public:
  SyntaxParser(std::string_view text, Schema& schema, std::string& problem)
      : rest_(text), schema_(schema), problem_(problem) {}

  bool parse(Nodes& out) {
    if (!sequence(out)) return false;
    return rest_.empty() || fail("unbalanced ')'");
  }

 private:
  bool fail(std::string_view what) {
    problem_ = std::string(what) + " at '" + std::string(rest_.substr(0, 24)) + "'";
    return false;
  }
  bool skip_spaces() {
    const size_t before = rest_.size();
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    return rest_.size() != before;
  }
  bool eat(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  }
  std::string_view word() {
    size_t n = 0;
    while (n < rest_.size() && is_word(rest_[n])) ++n;
    const std::string_view text = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return text;
  }

  /// Elements up to the end, a '|' or an unmatched ')'.
  bool sequence(Nodes& out) {
    bool blank = skip_spaces();
    while (!rest_.empty() && rest_.front() != ')' && rest_.front() != '|') {
      const size_t built = out.size();
      if (!element(out)) return false;
      const bool opens = out[built].text == "[" || out[built].kind == Kind::group;
      out[built].near = !blank && (built > 0 || opens);
      blank = skip_spaces();
    }
    return true;
  }
  bool element(Nodes& out) {
    if (eat("{attrs}")) return add(out, node_of(Kind::attr_dict));
    if (eat("$^")) return add(out, node_of(Kind::argument)) && (schema_.names_arguments = true);
    if (eat("$")) return value(out);
    if (eat("\"$")) return form(out, SyntaxNode::Form::string) && (eat("\"") || fail("missing '\"'"));
    if (eat("@$")) return form(out, SyntaxNode::Form::symbol);
    if (eat("^$")) return form(out, SyntaxNode::Form::label);
    if (eat("type~($")) return type(out, true);
    if (eat("type($")) return type(out, false);
    if (eat("types($")) return type(out, false) && (out.back().unless_one = true);
    if (eat("mixed($")) return mixed(out, kDynamic);
    if (eat("mixed32($")) return mixed(out, std::numeric_limits<int32_t>::min());
    if (eat("(")) return paren(out);
    if (is_word(rest_.front())) return name(out);
    return punctuation(out);
  }
  static bool add(Nodes& out, SyntaxNode node) {
    out.push_back(std::move(node));
    return true;
  }
  bool name(Nodes& out) {
    const std::string_view text = word();
    if (text != "region") return add(out, node_of(Kind::word, text));
    out.push_back(node_of(Kind::region));
    return !eat("($") || references(out.back().children);
  }
  bool punctuation(Nodes& out) {
    static constexpr std::string_view kSigns[] = {"<<<", ">>>", "->", ",", ":", "=", "[", "]", "{", "}"};
    for (const std::string_view sign : kSigns) {
      if (eat(sign)) return add(out, node_of(Kind::punct, sign));
    }
    return fail("unknown sign");
  }
  bool value(Nodes& out) {
    const std::string_view text = word();
    if (const int slot = schema_.operand_slot(text); slot >= 0) {
      out.push_back(indexed(Kind::operand, slot));
      out.back().numbers = eat("#");
      return true;
    }
    const int attr = schema_.attr_index(text);
    if (attr < 0) return fail("unknown name '" + std::string(text) + "'");
    if (rest_.size() > 1 && rest_[0] == '=' && is_word(rest_[1])) return is_case(out, attr);
    return add(out, indexed(Kind::attr, attr));
  }
  bool is_case(Nodes& out, int attr) {
    eat("=");
    const std::string_view text = word();
    const EnumDomain* domain = schema_.attrs[static_cast<size_t>(attr)].domain;
    const EnumCase* found = domain == nullptr ? nullptr : find_case(*domain, text);
    if (found == nullptr) return fail("unknown case '" + std::string(text) + "'");
    out.push_back(indexed(Kind::is, attr));
    out.back().value = found->value;
    return true;
  }
  bool form(Nodes& out, SyntaxNode::Form form) {
    const std::string_view text = word();
    const int attr = schema_.attr_index(text);
    if (attr < 0) return fail("unknown attribute '" + std::string(text) + "'");
    out.push_back(indexed(Kind::attr, attr));
    out.back().form = form;
    return true;
  }
  /// `x)` or `x, $y)`: types of operands, results and attributes.
  bool references(Nodes& out) {
    do {
      const std::string_view text = word();
      int index = schema_.operand_slot(text);
      Kind kind = Kind::type_operand;
      for (size_t i = 0; index < 0 && i < schema_.results.size(); ++i) {
        if (schema_.results[i].name != text) continue;
        index = static_cast<int>(i);
        kind = Kind::type_result;
      }
      if (index < 0) {
        index = schema_.attr_index(text);
        kind = Kind::type_attr;
      }
      if (index < 0) return fail("unknown name '" + std::string(text) + "'");
      out.push_back(indexed(kind, index));
    } while (eat(", $"));
    return eat(")") || fail("missing ')'");
  }
  bool type(Nodes& out, bool elidable) {
    const size_t mark = rest_.find_first_of(":,)");
    const bool not_index = mark != std::string_view::npos && rest_.substr(mark).starts_with(":index)");
    Nodes all;
    if (not_index) {
      const std::string_view text = word();
      eat(":index)");
      all.push_back(indexed(Kind::type_operand, schema_.operand_slot(text)));
      if (schema_.operand_slot(text) < 0) return fail("unknown operand '" + std::string(text) + "'");
    } else if (!references(all)) {
      return false;
    }
    SyntaxNode first = std::move(all.front());
    all.erase(all.begin());
    first.elidable = elidable;
    first.not_index = not_index;
    first.children = std::move(all);
    return add(out, std::move(first));
  }
  bool mixed(Nodes& out, int64_t marker) {
    const int slot = schema_.operand_slot(word());
    if (slot < 0 || !eat(", $")) return fail("mixed lists name an operand and an attribute");
    const int attr = schema_.attr_index(word());
    if (attr < 0 || !eat(")")) return fail("mixed lists name an operand and an attribute");
    out.push_back(indexed(Kind::mixed, static_cast<int>(schema_.mixed.size())));
    schema_.mixed.push_back({static_cast<uint16_t>(slot), static_cast<uint16_t>(attr), marker});
    return true;
  }

  bool paren(Nodes& out) {
    Nodes parts;
    bool several = false;
    do {
      parts.push_back(node_of(Kind::sequence));
      if (!sequence(parts.back().children)) return false;
      several = several || rest_.starts_with('|');
    } while (eat("|"));
    if (!eat(")")) return fail("missing ')'");
    return suffixed(out, std::move(parts), several);
  }
  /// What the sign behind a parenthesis makes of it.
  bool suffixed(Nodes& out, Nodes parts, bool several) {
    SyntaxNode node = node_of(Kind::group);
    if (eat("?"))
      node.kind = Kind::optional;
    else if (eat("*"))
      node.kind = several ? Kind::clauses : Kind::repeat;
    else if (eat("-"))
      node.kind = Kind::accepted;
    else if (several)
      node.kind = Kind::choice;
    if (node.kind == Kind::repeat || node.kind == Kind::clauses) node.comma = eat(",");
    if (!several) {
      node.children = std::move(parts.front().children);
    } else if (node.kind == Kind::optional || node.kind == Kind::accepted) {
      node.children.push_back(node_of(Kind::choice));
      node.children.back().children = std::move(parts);
    } else {
      node.children = std::move(parts);
    }
    return add(out, std::move(node));
  }

  std::string_view rest_;
  Schema& schema_;
  std::string& problem_;
};

/// A region, or an optional group that ends with one; nullptr when there is none.
const SyntaxNode* region_in(const SyntaxNode& node) {
  if (node.kind == Kind::region) return &node;
  const bool ends_with_region =
      node.kind == Kind::optional && !node.children.empty() && node.children.back().kind == Kind::region;
  return ends_with_region ? &node.children.back() : nullptr;
}

/// Takes everything from the first region on out of the syntax: further regions with their words, and the
/// tail.
void split_regions(Schema& schema) {
  Nodes rest;
  for (size_t i = 0; i < schema.syntax.size(); ++i) {
    if (region_in(schema.syntax[i]) == nullptr) continue;
    rest.assign(schema.syntax.begin() + static_cast<long>(i), schema.syntax.end());
    schema.syntax.resize(i);
  }
  for (SyntaxNode& node : rest) {
    const SyntaxNode* region = region_in(node);
    if (region == nullptr) {
      schema.tail.push_back(std::move(node));
      continue;
    }
    RegionSyntax built;
    built.optional = node.kind == Kind::optional;
    built.arguments = region->children;
    if (built.optional) built.word = node.children.front().text;
    if (!schema.tail.empty()) built.word = schema.tail.back().text;
    schema.tail.clear();
    schema.regions.push_back(std::move(built));
  }
}

}  // namespace

namespace {

/// One of the words behind `@dps`.
bool tile_word(std::string_view word, Schema& schema) {
  TileSyntax& tile = schema.tile;
  if (word == "clauses") return tile.clauses = true;
  const size_t open = word.find('(');
  if (open == std::string_view::npos || !word.ends_with(')')) return false;
  const std::string_view head = word.substr(0, open);
  const std::string_view list = word.substr(open + 1, word.size() - open - 2);
  if (head != "order") {
    tile.last = schema.operand_slot(head);
    tile.with = schema.operand_slot(list);
    return tile.last >= 0 && tile.with >= 0;
  }
  tile.ins.clear();
  return for_each_part(list, ',', [&](std::string_view name) {
    while (name.starts_with(' ')) name.remove_prefix(1);
    const int slot = schema.operand_slot(name);
    if (slot >= 0) tile.ins.push_back(static_cast<uint16_t>(slot));
    return slot >= 0;
  });
}

}  // namespace

bool compile_tile_syntax(std::string_view text, Schema& schema, std::string& problem) {
  for (size_t i = 0; i < schema.operands.size(); ++i) {
    const Role role = schema.operands[i].role;
    const bool out = role == Role::out || role == Role::inout;
    (out ? schema.tile.outs : schema.tile.ins).push_back(static_cast<uint16_t>(i));
  }
  std::string_view rest = text.substr(std::string_view("@dps").size());
  schema.tile.inside = rest.starts_with("_in");
  if (schema.tile.inside) rest.remove_prefix(3);
  while (rest.starts_with(' ')) {
    rest.remove_prefix(1);
    size_t end = std::min(rest.find_first_of(" ("), rest.size());
    if (end < rest.size() && rest[end] == '(') end = std::min(rest.find(')'), rest.size() - 1) + 1;
    if (!tile_word(rest.substr(0, end), schema)) break;
    rest.remove_prefix(end);
  }
  if (!rest.empty()) problem = "unknown tile form at '" + std::string(rest) + "'";
  return rest.empty();
}

bool compile_syntax_string(std::string_view text, Schema& schema, std::string& problem) {
  if (const size_t other = text.find(" || "); other != std::string_view::npos) {
    schema.written_as = text.substr(other + 4);
    text = text.substr(0, other);
  }
  if (!SyntaxParser(text, schema, problem).parse(schema.syntax)) return false;
  split_regions(schema);
  return true;
}

}  // namespace pto::isa
