// The syntax tree of statements, which the grammar produces and the binder reads. It does not
// depend on instructions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "pto/diagnostic.hpp"

namespace pto::text {

enum class NodeKind : uint8_t {
  operand,  ///< %name, %name#1
  symbol,   ///< @name
  caret,    ///< ^bb0
  string,   ///< "text"
  number,   ///< 1, -4.5e+00, 0xFF
  word,     ///< sat, i32, pto.kernel
  angled,   ///< memref<..>, vector<..>, dense<..>, array<..>
  type,     ///< !pto.ptr<..>
  attr,     ///< #pto.pipe<..>
  elided,   ///< <PIPE_V>: the head is left out
  comma,
  colon,
  arrow,
  equal,
  question,
  star,
  paren,    ///< ( items )
  bracket,  ///< [ items ]
  dict,     ///< { entries }
  props,    ///< <{ entries }>
  entry,    ///< key [= items]: the first child is the key
  launch,   ///< <<< items >>>
};

/// A node of the flat, pre-order tree; children are between the node and `next`.
struct Node {
  NodeKind kind;
  uint32_t begin, end;  ///< bytes of the source
  uint32_t next;        ///< index of the next sibling
};

/// Questions of shape that only the instruction table can answer.
class Oracle {
 public:
  virtual ~Oracle() = default;
  /// Whether a bare word at the start of a line begins an operation (`return`, `tadd`).
  [[nodiscard]] virtual bool begins_operation(std::string_view word) const = 0;
  /// Whether the operation with this name has regions. For unknown names, the text after the brace
  /// decides.
  [[nodiscard]] virtual bool has_region(std::string_view name) const = 0;
  /// Whether `case 3` and `default` precede its regions.
  [[nodiscard]] virtual bool has_cases(std::string_view name) const = 0;
};

enum class StatementKind : uint8_t { operation, type_alias, attr_alias, label, close, end, error };

/// One statement, as far as the next region. Nodes: results, then items; the vector is reused.
struct Statement {
  StatementKind kind = StatementKind::end;
  Span span;                ///< from the first result to the end of the parsed text
  Span name;                ///< operation name without quotes, alias name, label name
  bool quoted = false;      ///< generic form
  bool region = false;      ///< stopped before the '{' of a region
  uint32_t first_item = 0;  ///< nodes before it are results
  std::vector<Node> nodes;
  Diagnostic problem;          ///< kind error
  bool lacks_percent = false;  ///< kind error: the problem's span is the name of a result without its '%'
};

/// Reads statements one by one. Regions are the caller's business: it consumes '{' with `enter`, and a
/// `close` statement is the '}' of the innermost one.
class StatementReader {
 public:
  StatementReader(std::string_view source, const Oracle& oracle);

  void next(Statement& statement);
  /// Items behind a region (`else`, `do`, a dictionary, `: types`) up to the end or the next region.
  void resume(Statement& statement, std::string_view name);
  /// Steps over the '{' of a region, in the generic form over `({` or `, {`.
  void enter();
  /// Generic form, behind the '}' of a region: another one follows, the list is at its end, or neither.
  enum class RegionList : uint8_t { another, closed, broken };
  RegionList next_in_list();
  /// Whether the region that begins here holds nothing.
  [[nodiscard]] bool region_is_empty() const;
  /// From the begin of a list of regions to its end; false when a bracket is missing.
  bool skip_regions();
  /// After an error: moves to the next plausible start of a statement.
  void recover();

  [[nodiscard]] uint32_t offset() const { return static_cast<uint32_t>(at_ - begin_); }
  /// Nothing more is read.
  void finish() { at_ = last_; }
  void seek(uint32_t offset) { at_ = begin_ + offset; }

  /// `%name =`: the begin, the end of the name, and the position of the '='.
  struct Result {
    const char *at = nullptr, *end = nullptr, *equal = nullptr;
  };

 private:
  void read_items(Statement& statement, std::string_view name, bool after_region);
  [[nodiscard]] bool begins_line(const char* at) const;

  const char* begin_;
  const char* at_;
  const char* last_;
  const Oracle* oracle_;
  size_t patience_;
  Result seen_;  ///< that of the statement that follows, where its end was looked for
};

}  // namespace pto::text
