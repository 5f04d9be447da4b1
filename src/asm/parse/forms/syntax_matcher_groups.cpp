// Groups of a syntax: optional, repeated, alternatives, clauses in any order.
#include <fmt/format.h>

#include <algorithm>

#include "asm/parse/forms/syntax_matcher.hpp"

namespace pto::text {

namespace {

/// The first operand, attribute or type a group speaks of.
const isa::SyntaxNode* first_reference(const std::vector<isa::SyntaxNode>& nodes) {
  for (const isa::SyntaxNode& node : nodes) {
    switch (node.kind) {
      case isa::SyntaxNode::Kind::operand:
      case isa::SyntaxNode::Kind::attr:
      case isa::SyntaxNode::Kind::mixed:
      case isa::SyntaxNode::Kind::type_operand:
      case isa::SyntaxNode::Kind::type_result:
      case isa::SyntaxNode::Kind::type_attr:
        return &node;
      default:
        if (const isa::SyntaxNode* inner = first_reference(node.children)) return inner;
    }
  }
  return nullptr;
}

}  // namespace

/// The nodes as they are here, or nothing: then everything is as before.
bool Matcher::attempt(const Nodes& nodes, Cursor& cursor, bool silent) {
  const Cursor saved = cursor;
  const size_t events = events_.size();
  const uint32_t quiet = quiet_at_;
  if (silent) quiet_at_ = cursor.index();
  const bool matched = sequence(nodes, 0, nodes.size(), cursor);
  quiet_at_ = quiet;
  if (matched) return true;
  cursor = saved;
  events_.resize(events);
  return false;
}

bool Matcher::optional(const isa::SyntaxNode& node, Cursor& cursor) {
  bool required = false;
  if (const isa::SyntaxNode* first = first_reference(node.children);
      node.kind == SyntaxKind::optional && first != nullptr && first->kind == SyntaxKind::type_operand &&
      !first->not_index) {
    required = values_of(first->index) != 0;
    if (!required) return true;
  }
  return attempt(node.children, cursor, !required) || !required;
}

bool Matcher::repeat(const isa::SyntaxNode& node, Cursor& cursor) {
  for (bool first = true;; first = false) {
    Cursor next = cursor;
    if (node.comma && !first && !next.accept(NodeKind::comma)) return true;
    const bool outer = repeating_;
    repeating_ = true;
    const bool matched = !next.done() && attempt(node.children, next, first || !node.comma);
    repeating_ = outer;
    if (!matched || next.index() == cursor.index()) return true;
    cursor = next;
  }
}

/// The first alternative that matches. Where all fail at their first token the first one is reported.
bool Matcher::choice(const isa::SyntaxNode& node, Cursor& cursor) {
  for (const isa::SyntaxNode& one : node.children) {
    if (attempt(one.children, cursor, true)) return true;
  }
  return attempt(node.children.front().children, cursor, false);
}

/// Clauses in any order.
bool Matcher::clauses(const isa::SyntaxNode& node, Cursor& cursor) {
  uint64_t used = 0;
  for (bool first = true;; first = false) {
    Cursor next = cursor;
    if (node.comma && !first && !next.accept(NodeKind::comma)) return true;
    if (next.done()) return true;
    size_t found = node.children.size();
    for (size_t i = 0; i < node.children.size() && found == node.children.size(); ++i) {
      if ((used >> i & 1) == 0 && attempt(node.children[i].children, next, true)) found = i;
    }
    if (found == node.children.size()) return !given_twice(node, used, next);
    used |= uint64_t{1} << found;
    cursor = next;
  }
}

/// A clause that is here again.
bool Matcher::given_twice(const isa::SyntaxNode& node, uint64_t used, Cursor cursor) {
  const size_t events = events_.size();
  for (size_t i = 0; i < node.children.size(); ++i) {
    Cursor probe = cursor;
    if ((used >> i & 1) == 0 || !attempt(node.children[i].children, probe, true)) continue;
    events_.resize(events);
    if (!cursor.is(NodeKind::word)) cursor.take_token();
    mismatch_.progress = 0;
    const std::string_view word = p_.reader.text(cursor.peek());
    if (schema_.operand_slot(word) >= 0)
      p_.reader.reject(mismatch_, cursor, E0116,
                       fmt::format("{}: '{}' is given twice", p_.reader.op_name(), word));
    else
      p_.reader.reject(mismatch_, cursor, E0108,
                       fmt::format("{}: '{}' after another clause of its kind", p_.reader.op_name(), word));
    return true;
  }
  return false;
}

bool Matcher::group(const isa::SyntaxNode& node, Cursor& cursor) {
  if (p_.old_forms.allowed() && cursor.is(NodeKind::operand)) return old_list(node.children, cursor);
  if (!cursor.is(NodeKind::paren)) return expected(cursor, "'('");
  Cursor inner = cursor.into(cursor.peek());
  if (!sequence(node.children, 0, node.children.size(), inner)) return false;
  if (!inner.done()) return expected(inner, "')'");
  cursor.take_token();
  return true;
}

}  // namespace pto::text
