// The lines of the report about buffers that agree with their expected values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/naming.hpp"
#include "report/run_report.hpp"

namespace pto::report {
namespace {

/// Of a result that stopped early nothing is compared, and the findings say why.
bool has_mismatch(const SimResult& result) {
  return std::ranges::find(result.findings.all(), FindingId::mismatch, &Diagnostic::id) !=
         result.findings.all().end();
}

}  // namespace

std::string agreement_line(const Agreement& one) {
  const std::string count = one.count == one.of
                                ? fmt::format("{} element{}", grouped(one.of), one.of == 1 ? "" : "s")
                                : fmt::format("{} of {} elements", grouped(one.count), grouped(one.of));
  const std::string_view verb = one.of == 1 ? "agrees" : "agree";
  if (one.largest_error == 0) return fmt::format("{}: {} {} exactly\n", one.arg, count, verb);
  return fmt::format("{}: {} {}, largest error {:.2g} at [{}]\n", one.arg, count, verb, one.largest_error,
                     fmt::join(one.where, ", "));
}

std::string agreement_text(const Run& run) {
  if (run.agreements == nullptr) return "";
  if (run.agreements->empty() && !has_mismatch(run.result))
    return "no values were compared: no argument has expected ones\n";
  std::string text;
  for (const Agreement& one : *run.agreements) text += agreement_line(one);
  return text;
}

}  // namespace pto::report
