#include "asm/parse/forms/syntax_matcher.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pto::text {

namespace {

void collect_words(const isa::Schema& schema, const std::vector<isa::SyntaxNode>& nodes,
                   std::vector<std::string_view>& out) {
  for (const isa::SyntaxNode& node : nodes) {
    if (node.kind == isa::SyntaxNode::Kind::word) out.push_back(node.text);
    if (node.kind == isa::SyntaxNode::Kind::attr) {
      const isa::AttrSpec& spec = schema.attrs[node.index];
      if (spec.type == isa::AttrType::unit) out.push_back(spec.name);
      if (spec.domain != nullptr) {
        for (const isa::EnumCase& item : spec.domain->cases) out.push_back(item.name);
      }
    }
    collect_words(schema, node.children, out);
  }
}

bool is_number_type(const isa::AttrSpec& spec) {
  return spec.type == isa::AttrType::integer || spec.type == isa::AttrType::floating ||
         spec.type == isa::AttrType::any;
}

}  // namespace

bool Matcher::match(Cursor cursor) {
  events_.clear();
  if (!sequence(schema_.syntax, 0, schema_.syntax.size(), cursor)) return false;
  return cursor.done() || expected(cursor, "the end of the operation");
}

bool Matcher::sequence(const Nodes& nodes, size_t from, size_t to, Cursor& cursor) {
  for (size_t i = from; i < to;) {
    if (!element(nodes, i, cursor)) return false;
  }
  return true;
}

/// One element; advances `at` past what it used of the syntax.
bool Matcher::element(const Nodes& nodes, size_t& at, Cursor& cursor) {
  const isa::SyntaxNode& node = nodes[at];
  if (node.kind == SyntaxKind::punct) return punct(nodes, at, cursor);
  ++at;
  switch (node.kind) {
    case SyntaxKind::word:
      return word(node, cursor);
    case SyntaxKind::operand:
      return operand(node, cursor) && old_offset(at < nodes.size() ? &nodes[at] : nullptr, cursor);
    case SyntaxKind::attr:
      return attr(node, cursor);
    case SyntaxKind::type_operand:
    case SyntaxKind::type_result:
    case SyntaxKind::type_attr:
      return type_list(node, cursor, at == nodes.size());
    case SyntaxKind::attr_dict:
      return dictionary(cursor);
    case SyntaxKind::mixed:
      return mixed(node, cursor);
    case SyntaxKind::is:
      record(Event::Kind::is, node.index, cursor, cursor);
      events_.back().node = cursor.index() - 1;
      events_.back().syntax = &node;
      return true;
    case SyntaxKind::argument:
      return argument(cursor);
    case SyntaxKind::optional:
    case SyntaxKind::accepted:
      return optional(node, cursor);
    case SyntaxKind::repeat:
      return repeat(node, cursor);
    case SyntaxKind::group:
      return group(node, cursor);
    case SyntaxKind::choice:
      return choice(node, cursor);
    case SyntaxKind::clauses:
      return clauses(node, cursor);
    case SyntaxKind::sequence:
      return sequence(node.children, 0, node.children.size(), cursor);
    case SyntaxKind::punct:
    case SyntaxKind::region:
      break;
  }
  return false;
}

bool Matcher::dictionary(Cursor& cursor) {
  if (!flags(cursor)) return false;
  const Cursor before = cursor;
  if (cursor.accept(NodeKind::dict)) record(Event::Kind::dict, 0, before, cursor);
  return flags(cursor);
}

/// `overflow<nsw>` and `fastmath<..>` of arith.
bool Matcher::flags(Cursor& cursor) {
  if (!cursor.is(NodeKind::angled)) return true;
  const std::string_view text = p_.reader.text(cursor.peek());
  const int index = schema_.attr_index(text.substr(0, text.find('<')));
  if (index < 0) return true;
  const Cursor before = cursor;
  cursor.take_token();
  record(Event::Kind::attr, static_cast<uint16_t>(index), before, cursor);
  return true;
}

bool Matcher::word(const isa::SyntaxNode& node, Cursor& cursor) {
  if (cursor.is(NodeKind::word)) {
    const std::string_view text = p_.reader.text(cursor.peek());
    if (text == node.text || (node.text == "loop" && (text == "loop1" || text == "loop2"))) {
      cursor.take_token();
      return true;
    }
  }
  return quiet(cursor) ? false : expected(cursor, fmt::format("'{}'", node.text));
}

bool Matcher::punct(const Nodes& nodes, size_t& at, Cursor& cursor) {
  const std::string_view text = nodes[at].text;
  NodeKind kind = NodeKind::equal;
  switch (text.front()) {
    case ',':
      kind = NodeKind::comma;
      break;
    case ':':
      kind = NodeKind::colon;
      break;
    case '-':
      kind = NodeKind::arrow;
      break;
    case '[':
      return nested(nodes, at, cursor, NodeKind::bracket, "]");
    case '{':
      return nested(nodes, at, cursor, NodeKind::dict, "}");
    case '<':
      if (text == "<<<") return nested(nodes, at, cursor, NodeKind::launch, ">>>");
      break;
    default:
      break;
  }
  ++at;
  const isa::SyntaxNode* next = at < nodes.size() ? &nodes[at] : nullptr;
  if (cursor.accept(kind)) return true;
  if (p_.old_forms.allowed() && kind == NodeKind::comma && old_comma(nodes, at, cursor)) return true;
  if (quiet(cursor)) return false;
  expected(cursor, fmt::format("'{}'{}", text, next == nullptr ? std::string{} : and_what(*next)));
  if (next != nullptr && next->kind == SyntaxKind::attr) allowed_values(cursor, schema_.attrs[next->index]);
  return false;
}

/// What follows a separator, for messages.
std::string Matcher::and_what(const isa::SyntaxNode& node) const {
  switch (node.kind) {
    case SyntaxKind::operand:
      return fmt::format(" and operand '{}'", schema_.operands[node.index].name);
    case SyntaxKind::attr:
      return fmt::format(" and a value for '{}'", schema_.attrs[node.index].name);
    case SyntaxKind::type_operand:
      return fmt::format(" and the type of '{}'", schema_.operands[node.index].name);
    case SyntaxKind::type_result:
      return fmt::format(" and the type of '{}'", schema_.results[node.index].name);
    default:
      return {};
  }
}

/// Brackets are flat in a syntax string and nested in the items.
bool Matcher::nested(const Nodes& nodes, size_t& at, Cursor& cursor, NodeKind kind, std::string_view close) {
  size_t end = at + 1;
  while (end < nodes.size() && nodes[end].text != close) ++end;
  const size_t first = at + 1;
  at = end + 1;
  if (!cursor.is(kind)) {
    const bool other =
        cursor.is(NodeKind::paren) || cursor.is(NodeKind::bracket) || cursor.is(NodeKind::dict);
    return expected(cursor, other ? fmt::format("'{}' instead of '{}'", nodes[first - 1].text,
                                                p_.reader.text(cursor.peek()).substr(0, 1))
                                  : fmt::format("'{}'", nodes[first - 1].text));
  }
  if (kind == NodeKind::dict) {
    const Cursor before = cursor;
    cursor.take_token();
    record(Event::Kind::dict, 0, before, cursor);
    return true;
  }
  Cursor inner = cursor.into(cursor.peek());
  if (!sequence(nodes, first, end, inner)) return false;
  if (!inner.done()) return expected(inner, fmt::format("'{}'", close));
  cursor.take_token();
  return true;
}

bool Matcher::operand(const isa::SyntaxNode& node, Cursor& cursor) {
  const isa::OperandSpec& spec = schema_.operands[node.index];
  const bool list = spec.arity == isa::Arity::variadic && !repeating_;
  if (list && !cursor.is(NodeKind::operand) && !(node.numbers && cursor.is(NodeKind::number))) return true;
  for (;;) {
    const Cursor before = cursor;
    const bool number = node.numbers && cursor.is(NodeKind::number);
    if (!number && !cursor.is(NodeKind::operand)) return no_operand(cursor, spec);
    cursor.take_token();
    record(number ? Event::Kind::number : Event::Kind::operand, node.index, before, cursor);
    if (!list || !cursor.is(NodeKind::comma)) return true;
    Cursor next = cursor;
    next.take_token();
    if (next.done() || next.is(NodeKind::comma)) return expected(next, "another operand behind ','");
    if (!next.is(NodeKind::operand) && !(node.numbers && next.is(NodeKind::number))) return true;
    cursor = next;
  }
}

std::string constant_help(std::string_view number, std::string_view type) {
  const bool whole = number.find_first_not_of("+-0123456789") == number.npos;
  if (type.empty() || type.starts_with('!')) type = whole ? "index" : "f32";
  const bool real = type.starts_with('f') || type.starts_with("bf");
  if (!whole && !real) return fmt::format("a value of type {} is needed", type);
  return fmt::format("define a constant: %c{} = arith.constant {}{} : {}", number, number,
                     whole && real ? ".0" : "", type);
}

namespace {

/// The type of constants that an operand takes.
std::string_view constant_type(uint32_t kinds) {
  if ((kinds & isa::kIndex) != 0) return "index";
  if ((kinds & (isa::kScalar | isa::kAny)) != 0) return {};
  if ((kinds & isa::kFloat) != 0) return "f32";
  if ((kinds & isa::kI1) != 0) return "i1";
  if ((kinds & isa::kI8) != 0) return "i8";
  if ((kinds & isa::kI16) != 0) return "i16";
  return (kinds & isa::kI32) != 0 ? "i32" : "i64";
}

}  // namespace

/// Something else where an operand must stand: often a name without its '%', or a number.
bool Matcher::no_operand(const Cursor& cursor, const isa::OperandSpec& spec) {
  if (quiet(cursor)) return false;
  const bool bare = cursor.is(NodeKind::word) && p_.names.is_defined(p_.reader.text(cursor.peek()));
  if (!bare && !cursor.is(NodeKind::number)) return expected(cursor, fmt::format("operand '{}'", spec.name));
  if (quiet(cursor)) return false;
  const std::string_view found = p_.reader.text(cursor.peek());
  p_.reader.reject(mismatch_, cursor, E0101,
                   fmt::format("{}: operand '{}' is a value; the name of a value begins with '%'",
                               p_.reader.op_name(), spec.name));
  mismatch_.help =
      bare ? fmt::format("did you mean '%{}'?", found) : constant_help(found, constant_type(spec.kinds));
  return false;
}

/// Adds what an attribute can be to the mismatch at this place.
void Matcher::allowed_values(const Cursor& cursor, const isa::AttrSpec& spec) {
  if (spec.domain == nullptr || mismatch_.progress != cursor.index() + 1 || !mismatch_.help.empty()) return;
  std::string list;
  for (const isa::EnumCase& item : spec.domain->cases) {
    if (isa::case_name(*spec.domain, item.value) == item.name)
      list += (list.empty() ? "" : ", ") + std::string(item.name);
  }
  mismatch_.help = fmt::format("{} is one of {}", spec.name, list);
}

/// A keyword that is none of the cases, where only the attribute can stand.
bool Matcher::wrong_case(const Cursor& cursor, const isa::AttrSpec& spec) {
  if (quiet(cursor)) return false;
  const std::string_view word = p_.reader.text(cursor.peek());
  std::string list;
  std::vector<std::string_view> names;
  for (const isa::EnumCase& item : spec.domain->cases) {
    if (isa::case_name(*spec.domain, item.value) == item.name)
      list += (list.empty() ? "" : ", ") + std::string(item.name);
    names.push_back(item.name);
  }
  p_.reader.reject(
      mismatch_, cursor, E0121,
      fmt::format("{}: '{}' is not a value of {}; allowed: {}", p_.reader.op_name(), word, spec.name, list));
  p_.reader.suggest(mismatch_, word, names);
  return false;
}

bool Matcher::no_symbol(const Cursor& cursor) {
  p_.reader.reject(mismatch_, cursor, E0101,
                   fmt::format("{}: the name of a function begins with '@'", p_.reader.op_name()));
  mismatch_.help = fmt::format("did you mean '@{}'?", p_.reader.text(cursor.peek()));
  return false;
}

bool Matcher::attr(const isa::SyntaxNode& node, Cursor& cursor) {
  const isa::AttrSpec& spec = schema_.attrs[node.index];
  const Cursor before = cursor;
  if (cursor.done()) return expected(cursor, fmt::format("a value for '{}'", spec.name));
  const Node& item = cursor.peek();
  bool fits = false;
  switch (spec.type) {
    case isa::AttrType::unit:
      fits = item.kind == NodeKind::word && p_.reader.text(item) == spec.name;
      break;
    case isa::AttrType::enumerant:
      // A keyword must be one of the cases here: clauses are distinguished by it. Other spellings are checked
      // by value.
      fits = item.kind == NodeKind::word ? isa::find_case(*spec.domain, p_.reader.text(item)) != nullptr
                                         : item.kind == NodeKind::string || item.kind == NodeKind::attr ||
                                               item.kind == NodeKind::elided;
      break;
    case isa::AttrType::boolean:
      fits =
          item.kind == NodeKind::word && (p_.reader.text(item) == "true" || p_.reader.text(item) == "false");
      break;
    case isa::AttrType::string:
      fits = item.kind == (node.form == isa::SyntaxNode::Form::symbol ? NodeKind::symbol : NodeKind::string);
      break;
    case isa::AttrType::symbol:
      fits = item.kind == (node.form == isa::SyntaxNode::Form::label ? NodeKind::caret : NodeKind::symbol);
      break;
    case isa::AttrType::ints:
      fits = item.kind == NodeKind::bracket || item.kind == NodeKind::angled;
      break;
    case isa::AttrType::type:
      fits = is_type_node(item);
      break;
    case isa::AttrType::integer:
    case isa::AttrType::floating:
      fits = item.kind == NodeKind::number;
      break;
    case isa::AttrType::any:
      fits = true;
      break;
  }
  if (!fits) {
    if (quiet(cursor)) return false;
    if (spec.domain != nullptr && item.kind == NodeKind::word) return wrong_case(cursor, spec);
    if (spec.type == isa::AttrType::symbol && item.kind == NodeKind::word) return no_symbol(cursor);
    const bool missing =
        expected(cursor, spec.type == isa::AttrType::unit ? fmt::format("'{}'", spec.name)
                                                          : fmt::format("a value for '{}'", spec.name));
    allowed_values(cursor, spec);
    return missing;
  }
  cursor.take_token();
  if (item.kind == NodeKind::number && is_number_type(spec) && cursor.is(NodeKind::colon)) {  // 1 : i32
    Cursor typed = cursor;
    typed.take_token();
    if (typed.is(NodeKind::word) && !p_.reader.statement().region) {
      const std::string_view name = p_.reader.text(typed.peek());
      if (name.front() == 'i' || name.front() == 'f') {
        typed.take_token();
        if (typed.done() || !typed.is(NodeKind::comma)) cursor = typed;
      }
    }
  }
  if (count(Event::Kind::attr, node.index) == 0) {
    if (spec.type == isa::AttrType::unit)
      record(Event::Kind::attr, node.index, cursor, cursor);
    else
      record(Event::Kind::attr, node.index, before, cursor);
  }
  return true;
}

size_t Matcher::count(Event::Kind kind, uint16_t index) const {
  return static_cast<size_t>(std::count_if(
      events_.begin(), events_.end(), [&](const Event& e) { return e.kind == kind && e.index == index; }));
}

/// How many values a slot has so far.
size_t Matcher::values_of(uint16_t slot) const {
  return count(Event::Kind::operand, slot) + count(Event::Kind::number, slot) +
         count(Event::Kind::zero, slot);
}

namespace {

MatchEvent::Kind type_event(const isa::SyntaxNode& node) {
  return node.kind == isa::SyntaxNode::Kind::type_operand  ? MatchEvent::Kind::type_operand
         : node.kind == isa::SyntaxNode::Kind::type_result ? MatchEvent::Kind::type_result
                                                           : MatchEvent::Kind::type_attr;
}

/// Whether a type follows a comma here.
bool another_type(Cursor cursor) {
  return cursor.accept(NodeKind::comma) && !cursor.done() && is_type_node(cursor.peek());
}

}  // namespace

/// One type, recorded for all that have it.
bool Matcher::type(const isa::SyntaxNode& node, Cursor& cursor) {
  const Cursor before = cursor;
  if (cursor.done() || !is_type_node(cursor.peek())) {
    if (quiet(cursor)) return false;
    const std::string_view name = node.kind == SyntaxKind::type_operand  ? schema_.operands[node.index].name
                                  : node.kind == SyntaxKind::type_result ? schema_.results[node.index].name
                                                                         : schema_.attrs[node.index].name;
    return expected(cursor, fmt::format("the type of '{}'", name));
  }
  cursor.take_token();
  record(type_event(node), node.index, before, cursor);
  for (const isa::SyntaxNode& other : node.children) record(type_event(other), other.index, before, cursor);
  return true;
}

/// The types of a variadic, one by one. Where nothing else can follow, wrong counts are left to `commit`.
bool Matcher::type_list(const isa::SyntaxNode& node, Cursor& cursor, bool last) {
  const bool of_result = node.kind == SyntaxKind::type_result;
  if (node.unless_one && cursor.is(NodeKind::paren)) {
    Cursor inner = cursor.into(cursor.peek());
    if (!inner.done() && !type_rest(node, inner)) return false;
    if (!inner.done()) return expected(inner, "',' or ')'");
    cursor.take_token();
    return true;
  }
  if (of_result && schema_.results[node.index].arity == isa::Arity::variadic)
    return cursor.done() || type_rest(node, cursor);
  size_t wanted = 1;
  if (!repeating_ && node.kind == SyntaxKind::type_operand &&
      schema_.operands[node.index].arity != isa::Arity::one)
    wanted = values_of(node.index);
  for (size_t i = 0; i < wanted; ++i) {
    if (i > 0 && last && cursor.done()) return true;
    if (i > 0 && !cursor.accept(NodeKind::comma)) return expected(cursor, "',' and another type");
    if (!type(node, cursor)) return false;
  }
  while (wanted > 0 && last && !repeating_ && node.kind == SyntaxKind::type_operand &&
         schema_.operands[node.index].arity == isa::Arity::variadic && another_type(cursor)) {
    cursor.take_token();
    type(node, cursor);
  }
  return true;
}

/// As many types as are here.
bool Matcher::type_rest(const isa::SyntaxNode& node, Cursor& cursor) {
  if (!type(node, cursor)) return false;
  while (another_type(cursor)) {
    cursor.take_token();
    if (!type(node, cursor)) return false;
  }
  return true;
}

/// `%a, 3, %b` up to the end of the bracket.
bool Matcher::mixed(const isa::SyntaxNode& node, Cursor& cursor) {
  const Cursor before = cursor;
  const uint16_t slot = schema_.mixed[node.index].slot;
  while (!cursor.done()) {
    const Cursor item = cursor;
    if (cursor.accept(NodeKind::operand))
      record(Event::Kind::operand, slot, item, cursor);
    else if (!cursor.accept(NodeKind::number))
      return expected(cursor, "a value or a constant");
    if (cursor.done()) break;
    if (!cursor.accept(NodeKind::comma)) return expected(cursor, "','");
  }
  record(Event::Kind::mixed, node.index, before, cursor);
  return true;
}

bool Matcher::argument(Cursor& cursor) {
  const Cursor before = cursor;
  if (!cursor.accept(NodeKind::operand)) return expected(cursor, "a name");
  record(Event::Kind::argument, 0, before, cursor);
  return true;
}

bool Matcher::expected(const Cursor& cursor, std::string_view what) {
  if (quiet(cursor)) return false;
  if (!cursor.is(NodeKind::word)) {
    p_.reader.reject(
        mismatch_, cursor, E0101,
        fmt::format("{}: expected {} here", p_.reader.op_name(), what.empty() ? "a keyword" : what));
    return false;
  }
  const std::string_view word = p_.reader.text(cursor.peek());
  std::vector<std::string_view> words;
  collect_words(schema_, schema_.syntax, words);
  if (std::find(words.begin(), words.end(), word) != words.end()) {
    p_.reader.reject(mismatch_, cursor, E0101,
                     fmt::format("{}: '{}' does not belong here{}{}", p_.reader.op_name(), word,
                                 what.empty() ? "" : "; expected ", what));
    return false;
  }
  p_.reader.reject(mismatch_, cursor, E0118,
                   fmt::format("{}: unknown clause '{}'", p_.reader.op_name(), word));
  if (!p_.reader.suggest(mismatch_, word, words) && !words.empty()) {
    std::string list;
    for (const std::string_view item : words) {
      if (list.find(fmt::format("'{}'", item)) == std::string::npos)
        list += fmt::format("{}'{}'", list.empty() ? "" : ", ", item);
    }
    mismatch_.help = "clauses of this instruction: " + list;
  }
  return false;
}

}  // namespace pto::text
