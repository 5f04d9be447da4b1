// One statement's items against a compiled syntax string.
#pragma once

#include "asm/parse/binder_context.hpp"

namespace pto::text {

/// Matches the shape first and records the positions of parts; `commit` then looks up names and
/// converts types and values. So a form that does not match has no effect, and the next form of the
/// same mnemonic can be tried.
class Matcher {
 public:
  Matcher(BinderContext& parts, const isa::Schema& schema, MatchFailure& mismatch)
      : p_(parts), schema_(schema), mismatch_(mismatch) {}

  bool match(Cursor cursor);
  void commit();
  /// The position of a part of the operation, after `match`.
  [[nodiscard]] Span find(const Anchor& anchor) const;

  using Event = MatchEvent;

 private:
  using SyntaxKind = isa::SyntaxNode::Kind;
  using Nodes = std::vector<isa::SyntaxNode>;

  bool sequence(const Nodes& nodes, size_t from, size_t to, Cursor& cursor);
  bool element(const Nodes& nodes, size_t& at, Cursor& cursor);
  bool flags(Cursor& cursor);
  bool word(const isa::SyntaxNode& node, Cursor& cursor);
  bool punct(const Nodes& nodes, size_t& at, Cursor& cursor);
  bool nested(const Nodes& nodes, size_t& at, Cursor& cursor, NodeKind kind, std::string_view close);
  bool operand(const isa::SyntaxNode& node, Cursor& cursor);
  bool attr(const isa::SyntaxNode& node, Cursor& cursor);
  bool dictionary(Cursor& cursor);
  bool type(const isa::SyntaxNode& node, Cursor& cursor);
  bool type_list(const isa::SyntaxNode& node, Cursor& cursor, bool last);
  bool type_rest(const isa::SyntaxNode& node, Cursor& cursor);
  bool mixed(const isa::SyntaxNode& node, Cursor& cursor);
  bool argument(Cursor& cursor);
  // Old forms (old_forms.hpp), in syntax_matcher_old.cpp.
  bool old_comma(const Nodes& nodes, size_t& at, const Cursor& cursor);
  bool old_offset(const isa::SyntaxNode* next, Cursor& cursor);
  bool old_list(const Nodes& nodes, Cursor& cursor);
  void commit_old(const Event& event, const Node& node);
  void commit_left_out(const Event& event);
  [[nodiscard]] TypeId mask_of_context() const;
  TypeId view_by_rank(TypeId type, const Node& node);
  bool attempt(const Nodes& nodes, Cursor& cursor, bool silent);
  bool choice(const isa::SyntaxNode& node, Cursor& cursor);
  bool clauses(const isa::SyntaxNode& node, Cursor& cursor);
  bool given_twice(const isa::SyntaxNode& node, uint64_t used, Cursor cursor);
  bool optional(const isa::SyntaxNode& node, Cursor& cursor);
  bool repeat(const isa::SyntaxNode& node, Cursor& cursor);
  bool group(const isa::SyntaxNode& node, Cursor& cursor);
  bool expected(const Cursor& cursor, std::string_view what);
  bool no_operand(const Cursor& cursor, const isa::OperandSpec& spec);
  void allowed_values(const Cursor& cursor, const isa::AttrSpec& spec);
  bool wrong_case(const Cursor& cursor, const isa::AttrSpec& spec);
  bool no_symbol(const Cursor& cursor);
  [[nodiscard]] std::string and_what(const isa::SyntaxNode& node) const;
  /// Whether nothing is to be said about a failure here.
  [[nodiscard]] bool quiet(const Cursor& cursor) const {
    return cursor.index() == quiet_at_ || cursor.index() + 1 <= mismatch_.progress;
  }
  [[nodiscard]] size_t values_of(uint16_t slot) const;
  [[nodiscard]] size_t count(Event::Kind kind, uint16_t index) const;
  [[nodiscard]] std::vector<Event> in_slot_order(Event::Kind kind) const;
  void record(Event::Kind kind, uint16_t index, const Cursor& before, const Cursor& after) {
    events_.push_back({kind, index, before.index(), after.index(), nullptr});
  }
  void commit_number(const Event& event, const Node& node);
  void commit_attr(const Event& event, const Node& node);
  void commit_case(const Event& event, const Node& node);
  void commit_mixed(const Event& event);
  void commit_types();
  void check_type_counts();

  BinderContext& p_;
  const isa::Schema& schema_;
  MatchFailure& mismatch_;
  std::vector<Event>& events_ = p_.events;
  uint32_t quiet_at_ = ~0u;  ///< failures here are those of an optional part's first token
  bool repeating_ = false;
};

/// Whether a type is `!pto.mask` without its granularity, an old spelling; and `value` is a mask.
bool is_bare_mask(const BinderContext& parts, const Node& node);
bool is_bare_mask(const BinderContext& parts, const Node& node, ValueId value);
/// The help text for a constant in place of a value. `type`: the type in the statement, or empty.
std::string constant_help(std::string_view number, std::string_view type);
/// The type of a result that the text does not state.
TypeId implied_type(BinderContext& parts, const isa::OperandSpec& spec);

}  // namespace pto::text
