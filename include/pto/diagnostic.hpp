// Diagnostics are data: what is wrong, where, what else to look at, how to mend it. The library never prints.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pto {

enum class Severity : uint8_t { error, warning, note };

/// A half-open byte range of the source text. Empty and at 0 when unknown.
struct Span {
  uint32_t begin = 0, end = 0;
  bool operator==(const Span&) const = default;
};

/// 1-based position; line 0 means unknown. Columns count bytes.
struct Location {
  uint32_t line = 0, col = 0;
  bool operator==(const Location&) const = default;
};

/// The part of an operation a rule speaks of. Rules name parts; the assembler resolves them to spans by parsing the
/// operation's statement again, so programs carry one position per operation only.
struct Anchor {
  /// `end`: the '}' that closes region `index`.
  enum class Part : uint8_t { op, operand, operand_type, attribute, result, result_type, end } part = Part::op;
  uint32_t op = ~0u;     ///< index into Program::ops, ~0 when the diagnostic has a span already
  uint32_t index = 0;    ///< operand position (flat), attribute spec index (kUnknownAttr + position for unknown ones), or result index
  std::string_view key = {};  ///< narrows a tile type to one part: "loc", "dtype", "rows", "valid", ..; static storage
};

struct Note {
  std::string message;
  Span span;             ///< resolved, or empty
  Location where;        ///< line/column, or 0
  Anchor anchor;
};

struct Diagnostic {
  std::string_view id;   ///< stable: "E0123" errors, "W0012" warnings; static storage
  Severity severity = Severity::error;
  std::string message;
  Span span;             ///< in the source text, when there is one
  Location where;
  Anchor anchor;
  std::vector<Note> notes;
  std::string help;      ///< the fix, or empty
  bool unsupported = false;   ///< exit code 3 instead of 1
};

/// Collects diagnostics; stops taking errors after `limit` so that a broken file does not flood.
class Diagnostics {
 public:
  explicit Diagnostics(size_t limit = 20) : limit_(limit) {}
  Diagnostic& add(Diagnostic diagnostic);
  Diagnostic& error(std::string_view id, std::string message, Span span = {}, Location where = {});
  Diagnostic& error(std::string_view id, std::string message, Anchor anchor);
  [[nodiscard]] bool full() const { return errors_ >= limit_; }
  [[nodiscard]] size_t errors() const { return errors_; }
  [[nodiscard]] bool only_unsupported() const;   ///< at least one error and every error is `unsupported`
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return list_; }
  [[nodiscard]] std::vector<Diagnostic>& all() { return list_; }
  /// Takes findings back that turned out to follow from another one.
  template <typename Predicate>
  void remove_if(const Predicate& predicate) {
    std::erase_if(list_, [&](const Diagnostic& d) {
      if (!predicate(d)) return false;
      if (d.severity == Severity::error) --errors_;
      return true;
    });
  }

 private:
  std::vector<Diagnostic> list_;
  size_t errors_ = 0, limit_;
};

/// `file:line:col: error[E0123]: message`, the source line with carets, then note: and help: lines.
std::string format_text(const Diagnostic& diagnostic, std::string_view file, std::string_view source);
/// The same facts as a JSON array.
std::string format_json(const std::vector<Diagnostic>& diagnostics, std::string_view file);

/// The candidate nearest to `word` (edit distance at most a third of its length), or "".
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace pto
