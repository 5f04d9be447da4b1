#include "diag/diagnostic_facts.hpp"

#include <fmt/format.h>

#include "pto/rules.hpp"
#include "support/number_text.hpp"
#include "support/printable.hpp"

namespace pto {

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      break;
  }
  return "note";
}

std::string switch_of(const Diagnostic& diagnostic) {
  const Rule* rule = find_rule(diagnostic.id);
  if (rule == nullptr || rule->weighs() == Weight::error) return {};
  if (diagnostic.severity == Severity::error && rule->weighs() == Weight::either)
    return {};  // it may be one by itself
  return fmt::format("-W{}{}", diagnostic.severity == Severity::error ? "error=" : "", switch_name(*rule));
}

namespace {

std::string words(const Moment::Iteration& loop) {
  const std::string where = loop.where.line == 0 ? fmt::format("the loop (operation {})", loop.op)
                                                 : fmt::format("the loop at line {}", loop.where.line);
  const std::string value = loop.variable.empty() ? "" : fmt::format(" ({} = {})", loop.variable, loop.value);
  return loop.number == 0 ? fmt::format("in {}{}", where, value)
                          : fmt::format("iteration {} of {}{}", with_commas(loop.number), where, value);
}

}  // namespace

std::string words(const Moment& moment) {
  std::string text =
      fmt::format("in cycle {} on {} of block {}", with_commas(moment.cycle), moment.core_name, moment.block);
  for (const Moment::Iteration& loop : moment.loops) text += ", " + words(loop);
  return text;
}

std::string words(const SourcePlace& place) {
  return fmt::format("{}:{}:{}", printable_line(place.file, kMaxPathLength), place.at.line, place.at.col);
}

std::vector<Note> notes_of(const Diagnostic& diagnostic) {
  std::vector<Note> notes = diagnostic.notes;
  for (Note& note : notes) {
    if (note.moment) note.message += ", " + words(*note.moment);
  }
  if (diagnostic.moment) notes.push_back({words(*diagnostic.moment), {}, {}, {}});
  return notes;
}

std::string hidden_text(const Diagnostics& diagnostics) {
  const auto count = [](size_t n, std::string_view what) {
    return n == 0 ? std::string() : fmt::format("{} more {}{}", n, what, n == 1 ? "" : "s");
  };
  const std::string errors = count(diagnostics.hidden_errors(), "error"),
                    warnings = count(diagnostics.hidden_warnings(), "warning");
  if (errors.empty() && warnings.empty()) return {};
  const bool one = diagnostics.hidden_errors() + diagnostics.hidden_warnings() == 1;
  return fmt::format("{}{}{} {} not shown; --max-errors 0 shows all", errors,
                     errors.empty() || warnings.empty() ? "" : " and ", warnings, one ? "is" : "are");
}

}  // namespace pto
