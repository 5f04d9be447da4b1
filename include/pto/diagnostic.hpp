// Diagnostics are data: what is wrong, where, what else to look at, how to mend it. The library never prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "pto/finding_id.hpp"
#include "pto/fix.hpp"
#include "pto/result.hpp"

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

/// A place in the program that the text was made from.
struct SourcePlace {
  std::string file;
  Location at;
  bool operator==(const SourcePlace&) const = default;
};

/// The part of an operation a rule speaks of. Rules name parts; the assembler resolves them to spans by
/// parsing the operation's statement again, so programs carry one position per operation only. The statement
/// is found by the position beside the anchor (Diagnostic::where, Note::where) and read by `row`, so an
/// anchor stays valid when operations are inserted, moved or erased.
struct Anchor {
  static constexpr uint16_t kNoRow = 0xffff;
  /// `end`: the '}' that closes region `index`.
  enum class Part : uint8_t {
    op,
    operand,
    operand_type,
    attribute,
    result,
    result_type,
    end
  } part = Part::op;
  uint32_t op = ~0u;   ///< index into Program::ops at the time of the finding; ~0: none
  uint32_t index = 0;  ///< operand position (flat), attribute spec index (kUnknownAttr + Attr::name for
                       ///< unknown ones), or result index
  std::string_view key =
      {};  ///< narrows a tile type to one part: "loc", "dtype", "rows", "valid", ..; static storage
  uint16_t row = kNoRow;  ///< of the operation; none when the diagnostic has a span already
};

/// Where and when something happens in a run.
struct Moment {
  /// An iteration of a loop around: 1 is the first; 0: not known, as bounds are computed. The first part of
  /// an scf.while runs once more than the second.
  struct Iteration {
    uint32_t op = ~0u;  ///< the loop, in Program::ops
    Location where;
    uint64_t number = 0;
    std::string variable;  ///< "%i"; none: scf.while, which has no value either
    int64_t value = 0;
  };
  uint32_t core = 0, block = 0;  ///< index of the core within the device; its block
  std::string core_name;         ///< "the AIC", "AIV1"
  uint64_t cycle = 0;
  std::vector<Iteration> loops;  ///< outermost first
};

/// What a note is to code that looks for the cause of a finding.
enum class NoteKind : uint8_t {
  remark,
  lost_set,  ///< the set that a wait lacks: it found its flag set
};

struct Note {
  std::string message;
  Span span;       ///< resolved, or empty
  Location where;  ///< line/column, or 0
  Anchor anchor;
  std::optional<Moment> moment = {};        ///< of a run
  std::optional<SourcePlace> origin = {};   ///< what the text says of the operation by loc(..)
  FindingId consequence = FindingId::none;  ///< an error that comes of the finding
  NoteKind kind = NoteKind::remark;
};

/// Text that would mend the program when put in place of a span.
struct Replacement {
  Span span;
  std::string text;
};

/// What depends on bytes that nothing wrote.
struct OutputEffect {
  std::string output;     ///< the one that differs; empty: any
  bool compared = false;  ///< the case says what it should be
};

struct Diagnostic {
  FindingId id = FindingId::none;
  Severity severity = Severity::error;
  std::string message;
  Span span;  ///< in the source text, when there is one
  Location where;
  Anchor anchor;
  std::vector<Note> notes;
  Fix help;
  std::optional<Replacement> replacement;  ///< the fix as an edit, where there is exactly one
  bool unsupported = false;                ///< exit code 3 instead of 1
  // of a run
  std::optional<Moment> moment;  ///< nothing: it speaks of the whole run
  std::string operand;           ///< "%x", the tile or pointer it speaks of; or empty
  std::string subject = {};      ///< the attribute or argument it speaks of; or empty
  std::optional<OutputEffect> effect = {};
  std::optional<SourcePlace> origin = {};  ///< what the text says of the operation by loc(..)
};

/// The message with what follows from the data of the diagnostic: all forms print this one.
std::string full_message(const Diagnostic& diagnostic);

/// What becomes of warnings. apply_switch() of pto/rules.hpp reads the switches of the command line.
class WarningPolicy {
 public:
  enum class Verdict : uint8_t { drop, warn, fail };
  void show(FindingId id, bool on);
  /// What names a warning outweighs all_fail().
  void fail(FindingId id, bool on);
  void all_fail(bool on) { errors_ = on; }  ///< every warning is an error
  void silence() { silent_ = true; }        ///< -w: no warnings at all
  [[nodiscard]] Verdict verdict(FindingId id) const;

 private:
  struct Choice {
    FindingId id;
    bool on = true;
    std::optional<bool> error;
  };
  Choice& choice(FindingId id);
  std::vector<Choice> choices_;
  bool silent_ = false, errors_ = false;
};

/// Collects diagnostics. Keeps the first `limit` errors and warnings each (0: all) and counts the others, so
/// that a broken file neither floods nor fills memory. The same diagnostic twice is kept once.
class Diagnostics {
 public:
  static constexpr size_t kDefaultLimit = 20, kMostSuggestions = 1000;
  explicit Diagnostics(size_t limit = kDefaultLimit, WarningPolicy warnings = {})
      : limit_(limit), warnings_(std::move(warnings)) {}
  /// The reference is to be completed before the next call; it is valid also when the diagnostic is not kept.
  Diagnostic& add(Diagnostic diagnostic);
  Diagnostic& error(FindingId id, std::string message, Span span = {}, Location where = {});
  Diagnostic& error(FindingId id, std::string message, Anchor anchor);
  Diagnostic& warning(FindingId id, std::string message, Span span = {}, Location where = {});
  Diagnostic& warning(FindingId id, std::string message, Anchor anchor);
  /// Goes on with those of another collection, also with how many it did not keep.
  void append(const Diagnostics& others);
  /// Whether the latest error is worth a search for suggestions: those that are not kept are not, and there
  /// is an end.
  [[nodiscard]] bool suggests() const { return errors_ <= (limit_ == 0 ? kMostSuggestions : limit_); }
  /// All that were added, also those that are not kept.
  [[nodiscard]] size_t errors() const { return errors_; }
  [[nodiscard]] size_t warnings() const { return kept_warnings_ + hidden_warnings_; }
  [[nodiscard]] size_t hidden_errors() const { return hidden_errors_; }
  [[nodiscard]] size_t hidden_warnings() const { return hidden_warnings_; }
  [[nodiscard]] bool only_unsupported() const;  ///< at least one error and every error is `unsupported`
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return list_; }
  [[nodiscard]] std::vector<Diagnostic>& all() { return list_; }
  /// Takes findings back that turned out to follow from another one.
  template <typename Predicate>
  void remove_if(const Predicate& predicate) {
    std::erase_if(list_, [&](const Diagnostic& d) {
      if (!predicate(d)) return false;
      if (d.severity == Severity::error) --errors_;
      --(d.severity == Severity::error ? kept_errors_ : kept_warnings_);
      return true;
    });
  }
  /// Brings them into the order of the text; those without a position come last.
  void sort();

 private:
  Diagnostic& keep_aside(Diagnostic diagnostic);
  [[nodiscard]] bool seen_before(const Diagnostic& diagnostic);

  std::vector<Diagnostic> list_;
  Diagnostic aside_;                 ///< the last one that is not kept
  std::unordered_set<size_t> seen_;  ///< hashes of those that are kept
  size_t errors_ = 0, kept_errors_ = 0, kept_warnings_ = 0, hidden_errors_ = 0, hidden_warnings_ = 0, limit_;
  bool hidden_supported_ =
      false;  ///< an error that is not kept speaks of something other than missing support
  WarningPolicy warnings_;
};

/// The candidate nearest to `word` (edit distance at most a third of its length), or "".
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace pto
