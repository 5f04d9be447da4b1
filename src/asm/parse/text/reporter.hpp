// Collects the errors and warnings of a text while it is read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/diagnostic.hpp"
#include "support/source_lines.hpp"

namespace pto::text {

class Reporter {
 public:
  Reporter(std::string_view source, Diagnostics& diagnostics) : source_(source), diagnostics_(diagnostics) {}

  [[nodiscard]] std::string_view source() const { return source_; }
  [[nodiscard]] std::string_view text(Span span) const {
    return source_.substr(span.begin, span.end - span.begin);
  }
  Location locate(uint32_t offset);

  Diagnostic& fail(FindingId id, Span where, std::string message);
  Diagnostic& warn(FindingId id, Span where, std::string message);
  void note(Diagnostic& d, std::string message, Span where);
  /// "did you mean": the candidate nearest to a word of the diagnostic's span, as help and as an edit.
  void suggest(Diagnostic& d, std::string_view word, const std::vector<std::string_view>& candidates,
               std::string_view prefix = {});
  /// As above, with a suggestion.
  void suggest_word(Diagnostic& d, const std::string& word, std::string meant) const;

  /// Whether an error was found since `begin_statement`.
  [[nodiscard]] bool failed() const { return failed_; }
  /// An error that was reported elsewhere.
  void fail_silently() { failed_ = true; }
  void begin_statement() { failed_ = false; }
  Diagnostics& all() { return diagnostics_; }

 private:
  std::string_view source_;
  Diagnostics& diagnostics_;
  bool failed_ = false;
  uint32_t counted_offset_ = 0, line_ = 1, line_start_ = 0;
  std::optional<SourceLines> lines_;  ///< for positions that lie behind
};

}  // namespace pto::text
