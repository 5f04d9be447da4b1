// Findings as compiler diagnostics.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "report/describe.hpp"
#include "report/report.hpp"

namespace pto::report {
namespace {

bool name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

/// The span of the operation's name at a location, so that the diagnostic shows its line; empty when there is
/// no such place.
Span span_at(std::string_view source, Location at) {
  if (at.line == 0) return {};
  size_t begin = 0;
  for (uint32_t line = 1; line < at.line; ++line) {
    begin = source.find('\n', begin);
    if (begin++ == std::string_view::npos) return {};
  }
  begin += at.col ? at.col - 1 : 0;
  size_t end = begin;
  while (end < source.size() && name_char(source[end])) ++end;
  if (end == begin) return {};
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

/// Whether the text at a span is the operation's name: objects name a source file that may have changed
/// since.
bool names(std::string_view source, Span span, std::string_view mnemonic) {
  const auto text = source.substr(span.begin, span.end - span.begin);
  return mnemonic.ends_with(text) || text.empty();
}

/// The source, or nothing when it is another text by now.
std::string_view current(std::string_view source, const Finding& finding, const Program& program) {
  return names(source, span_at(source, finding.where), mnemonic(program, finding.pc)) ? source
                                                                                      : std::string_view();
}

}  // namespace

Diagnostic diagnostic_of(const Finding& finding, const Program& program, std::string_view source) {
  source = current(source, finding, program);
  Diagnostic diagnostic;
  diagnostic.id = finding.id;
  diagnostic.severity = finding.warning ? Severity::warning : Severity::error;
  diagnostic.message = finding.message;
  diagnostic.where = finding.where;
  diagnostic.anchor.op = finding.pc;
  diagnostic.span = span_at(source, finding.where);
  diagnostic.help = finding.help;
  for (const auto& related : finding.related) {
    Note note;
    note.message = related.message;
    if (related.moment) note.message += ", " + describe(*related.moment, program);
    note.where = related.where;
    note.span = span_at(source, related.where);
    diagnostic.notes.push_back(std::move(note));
  }
  if (finding.moment) diagnostic.notes.push_back({describe(*finding.moment, program), {}, {}, {}});
  return diagnostic;
}

Finding mismatch_finding(const Mismatch& mismatch, const Program& program, const Provenance* provenance) {
  Finding out;
  out.id = "MISMATCH";
  out.message = mismatch.message;
  if (!provenance) return out;
  if (!provenance->written()) {
    out.help =
        "no instruction wrote this element: check the addresses, offsets and valid region of the store";
    return out;
  }
  out.pc = provenance->pc();
  out.moment = provenance->moment();
  out.where = where(program, out.pc);
  out.message += fmt::format("; written last by {} at {} in cycle {}", mnemonic(program, out.pc),
                             place(program, out.pc), grouped(provenance->time()));
  return out;
}

}  // namespace pto::report

namespace pto {

void add_findings(Diagnostics& diagnostics, const Findings& findings, const Program& program,
                  std::string_view source) {
  const auto count_hidden = [&](size_t hidden, bool warnings) {
    const auto like =
        std::ranges::find(findings, warnings, &Finding::warning);  // the limit is reached by its like
    for (size_t i = 0; i < hidden; ++i) diagnostics.add(report::diagnostic_of(*like, program, source));
  };
  for (const Finding& finding : findings) diagnostics.add(report::diagnostic_of(finding, program, source));
  count_hidden(findings.hidden_errors(), false);
  count_hidden(findings.hidden_warnings(), true);
}

}  // namespace pto
