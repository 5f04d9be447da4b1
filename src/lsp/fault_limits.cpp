// Diagnostics of a text for the editor.
#include <fmt/format.h>

#include "lsp/features.hpp"

namespace pto::lsp {

namespace {

enum Severity : int { kError = 1, kWarning = 2, kInformation = 3 };

Severity severity(const Diagnostic& d) {
  switch (d.severity) {
    case pto::Severity::error:
      return kError;
    case pto::Severity::warning:
      return kWarning;
    case pto::Severity::note:
      break;
  }
  return kInformation;
}

std::string words(const Diagnostic& d) {
  return d.help.empty() ? full_message(d) : fmt::format("{}\nhelp: {}", full_message(d), to_string(d.help));
}

Json related(const Finding& finding, const std::string& uri) {
  Json list = Json::array();
  for (const auto& [message, range] : finding.notes)
    list.push_back({{"location", {{"uri", uri}, {"range", to_json(range)}}}, {"message", message}});
  return list;
}

}  // namespace

Json fault(const Finding& finding, const std::string& uri) {
  const Diagnostic& d = finding.diagnostic;
  Json json = {
      {"range", to_json(finding.range)}, {"severity", severity(d)}, {"source", "pto"}, {"message", words(d)}};
  if (d.id != FindingId::none) json["code"] = to_string(d.id);
  if (!finding.notes.empty()) json["relatedInformation"] = related(finding, uri);
  return json;
}

Json faults(OpenText& text, const Settings& settings) {
  Json list = Json::array();
  for (const Finding& finding : text.analysis(settings).findings())
    list.push_back(fault(finding, text.uri()));
  return {{"uri", text.uri()}, {"version", text.version()}, {"diagnostics", std::move(list)}};
}

}  // namespace pto::lsp
