#include "report/diagnostic_facts.hpp"

#include <fmt/format.h>

#include "pto/rules.hpp"

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
  return fmt::format("-W{}{}", diagnostic.severity == Severity::error ? "error=" : "", slug(*rule));
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
