// Reads the items of the current statement: its tokens, expectations with error messages, and the
// names on its left side.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asm/parse/text/reporter.hpp"
#include "asm/parse/text/statement_syntax.hpp"

namespace pto::text {

/// Siblings of the node tree, left to right.
class Cursor {
 public:
  Cursor(const std::vector<Node>& nodes, uint32_t begin, uint32_t end)
      : nodes_(&nodes), at_(begin), end_(end) {}

  [[nodiscard]] bool done() const { return at_ >= end_; }
  [[nodiscard]] const Node& peek() const { return (*nodes_)[at_]; }
  [[nodiscard]] uint32_t index() const { return at_; }
  [[nodiscard]] uint32_t limit() const { return end_; }
  [[nodiscard]] bool is(NodeKind kind) const { return !done() && peek().kind == kind; }
  const Node& take_token() {
    const Node& node = peek();
    at_ = node.next;
    return node;
  }
  bool accept(NodeKind kind) {
    if (!is(kind)) return false;
    take_token();
    return true;
  }
  /// The children of a node of this tree.
  [[nodiscard]] Cursor into(const Node& node) const {
    const auto index = static_cast<uint32_t>(&node - nodes_->data());
    return {*nodes_, index + 1, node.next};
  }

 private:
  const std::vector<Node>* nodes_;
  uint32_t at_, end_;
};

inline Span span_of(const Node& node) { return {node.begin, node.end}; }
/// Whether a type may be written like this.
inline bool is_type_node(const Node& node) {
  return node.kind == NodeKind::type || node.kind == NodeKind::word || node.kind == NodeKind::angled ||
         node.kind == NodeKind::elided;
}

/// Why a form does not fit. The one that got furthest is reported.
struct MatchFailure {
  FindingId id;
  std::string message, help;
  Span span;
  uint32_t progress = 0;
  std::string_view word, near;  ///< a misspelt word and its suggestion
};

/// A name on the left side of a statement; `count`: of a pack `%r:2`, else 0.
struct ResultName {
  std::string_view name;
  Span span;
  uint32_t count;
};

class Reader {
 public:
  Reader(Reporter& report, const Oracle& oracle) : report_(report), stream_(report.source(), oracle) {}

  void next();
  /// The part after a region of the operation with this name.
  void resume(Span name);
  /// The text between statements: regions are stepped into and over there.
  StatementReader& stream() { return stream_; }
  [[nodiscard]] const StatementReader& stream() const { return stream_; }

  [[nodiscard]] const Statement& statement() const { return statement_; }
  [[nodiscard]] const std::vector<Node>& nodes() const { return statement_.nodes; }
  [[nodiscard]] Cursor items() const { return {statement_.nodes, statement_.first_item, items_end_}; }
  /// From here on the items end in front of this one.
  void cut(uint32_t end) { items_end_ = end; }
  [[nodiscard]] std::string_view text(const Node& node) const { return report_.text(span_of(node)); }
  /// Whether ')' is the next thing behind this node and the other brackets that close there.
  [[nodiscard]] bool closes_behind(const Node& node) const;
  /// The message prefix: the operation as written.
  [[nodiscard]] std::string_view op_name() const { return report_.text(statement_.name); }
  /// The entry of a dictionary that has this key.
  [[nodiscard]] Span entry_span(std::string_view key) const;

  bool expect(Cursor& cursor, NodeKind kind, std::string_view what);
  bool accept_word(Cursor& cursor, std::string_view word) const;
  bool expect_word(Cursor& cursor, std::string_view word);
  bool expect_end(const Cursor& cursor);

  /// A form does not fit here: remembered when it got further than the one before. Always false.
  bool reject(MatchFailure& mismatch, const Cursor& at, FindingId id, std::string message,
              Span where = {}) const;
  /// Whether one of the candidates is near to a word of the mismatch.
  bool suggest(MatchFailure& mismatch, std::string_view word,
               const std::vector<std::string_view>& candidates) const;
  void report(MatchFailure& mismatch);

  const std::vector<ResultName>& result_names();
  /// Number of results the left side asks for.
  [[nodiscard]] uint32_t result_count();
  /// The left side was used up: the operation itself has no results.
  void take_results() { result_names_.clear(); }

 private:
  [[nodiscard]] Span rest_span(const Cursor& cursor) const;

  Reporter& report_;
  StatementReader stream_;
  Statement statement_;
  uint32_t items_end_ = 0;
  std::vector<ResultName> result_names_;
  bool result_names_ready_ = false;
};

}  // namespace pto::text
