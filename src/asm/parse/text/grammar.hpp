// State that the parts of the grammar share: the current statement, look-ahead and syntax errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asm/parse/text/scanner.hpp"
#include "asm/parse/text/statement_syntax.hpp"
#include "pto/finding_id.hpp"
#include "pto/fix.hpp"

namespace pto::text {

constexpr uint32_t kMaxNesting =
    200;  ///< brackets within one statement; deeper input is an error, not a stack overflow
constexpr size_t kMaxItems = 1u << 22;  ///< of one statement; a text of commas would take 20 times its size

struct SyntaxError {
  const char* at;
  FindingId id;
  std::string message;
  size_t width = 1;
  Fix help = {};
  bool lacks_percent = false;
};

/// State that the productions share.
struct Reading {
  using Result = StatementReader::Result;
  const char* begin;
  std::vector<Node>* nodes;
  const Oracle* oracle;
  size_t* patience;     ///< bytes that a search for a missing '>' may still look at
  std::string_view op;  ///< name of the operation being read
  bool after_region =
      false;  ///< items behind a region: only `else`, `do` and the cases of a switch bring another one
  bool quoted = false;  ///< generic form: regions are in `({..}, {..})`
  uint32_t depth = 0;
  const char* items_end = nullptr;  ///< where they end, once that was seen
  bool ends_in_region = false;      ///< a region begins there
  uint32_t maybe_results =
      UINT32_MAX;   ///< the node that would be the first result of a statement on the same line
  Result result{};  ///< the one result of the statement that follows, once that was seen
  mutable SyntaxError problem{
      nullptr, {}, {}, 1, {}};  ///< of a token; no exception, because files may hold a million of them

  [[nodiscard]] uint32_t offset(const char* at) const { return static_cast<uint32_t>(at - begin); }
  void room(const char* at) const {
    if (nodes->size() >= kMaxItems) throw SyntaxError{at, E0180, "one operation has more than 4194304 items"};
  }
  void leaf(NodeKind kind, const char* at, const char* end) const {
    if (nodes->size() == nodes->capacity()) room(at);
    nodes->push_back({kind, offset(at), offset(end), static_cast<uint32_t>(nodes->size() + 1)});
  }
  /// Whether `%name =` is here; it is `result` then.
  bool next_result(const char* at, const char* last);
  /// Whether a statement begins with this '%', the first on its line.
  bool statement_here(const char* at, const char* last);
  /// Whether the '=' at `at` is that of `%a, %b:2 = name` on the line of the statement in front of it. Then
  /// the nodes of the results go, and `at` is where they begin.
  bool next_results(const char*& at, const char* last) const;
};
inline const char* scan_digits(const char* at, const char* last, unsigned classes) {
  while (at != last && is(*at, classes)) ++at;
  return at;
}

// ---- statement_boundary.cpp: an operation has no terminator: it ends where a statement begins ----

/// Whether only blanks precede `at` on its line.
inline bool first_on_line(const char* at, const char* begin) {
  while (at != begin && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\r')) --at;
  return at == begin || at[-1] == '\n';
}
/// One behind the matching '>', or nullptr. A '<' without end is looked for far ahead while the reader has
/// patience; when many have failed, on its line only. So a text of a million of them is read in linear time,
/// and a text without errors never notices.
const char* closed_angle(const char* at, const char* last, const Reading& context);
/// `%a, %b:2 = name` but not the `%i = %c0` of scf.for; `at` moves behind what was looked at.
bool begins_results(const char*& at, const char* last);
/// `a = name.of.operation ..` on one line: the '%' is missing. `end`: of the word.
bool lacks_percent(const char* end, const char* last);
bool begins_statement(const char* at, const char* last, const Reading& context);
/// The same for a word that ends at `end`.
bool word_begins_statement(const char* at, const char* end, const char* last, const Reading& context);
/// Inside brackets: a line that begins like a statement, which no list holds. The bracket is not closed.
bool begins_stray_statement(const char* at, const char* last, const char* begin);
/// Whether this '{', or `({` in the generic form, opens a region.
bool begins_region(const char* at, const char* last, const Reading& context);

// ---- syntax_errors.cpp ----

/// A quote is missing on the line of the string at `at`.
SyntaxError open_string(const char* at, const char* begin, const char* last);
/// `3x2`, `0xZZ`, `1.5f`: digits that run into letters.
SyntaxError bad_number(const char* at, const char* last);
/// A description of the text at the cursor, for messages.
std::string describe_byte(const char* at, const char* last);
void set_error(Statement& statement, const char* begin, const char* last, SyntaxError error);
/// Reports the expected syntax at `where`. For brackets it also reports the opening bracket and the
/// probable position of the missing end.
void set_failure(Statement& statement, const char* begin, const char* where, const char* last,
                 const std::string& which, bool statement_follows);

}  // namespace pto::text
