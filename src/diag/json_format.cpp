// Diagnostics as JSON: an array of objects with stable names.

#include "diag/diagnostic_facts.hpp"
#include "pto/diagnostic_formats.hpp"
#include "support/json.hpp"
#include "support/printable.hpp"
#include "support/source_lines.hpp"

namespace pto {

namespace {

using Json = nlohmann::ordered_json;

Json location_json(const SourceLines& lines, Span span, Location where) {
  const Location begin = lines.begin_of(span, where), end = lines.end_of(span, where);
  return {{"line", begin.line},    {"column", begin.col}, {"end_line", end.line},
          {"end_column", end.col}, {"begin", span.begin}, {"end", span.end}};
}

Json origin_json(const SourcePlace& place) {
  return {{"file", printable(place.file)}, {"line", place.at.line}, {"column", place.at.col}};
}

Json diagnostic_json(const Diagnostic& d, std::string_view file, const SourceLines& lines) {
  Json item;
  item["id"] = to_string(d.id);
  item["severity"] = to_string(d.severity);
  item["message"] = printable(full_message(d));
  item["switch"] = switch_of(d);
  item["file"] = file;
  item["location"] = location_json(lines, d.span, d.where);
  if (d.origin) item["made_from"] = origin_json(*d.origin);
  item["unsupported"] = d.unsupported;
  item["notes"] = Json::array();
  for (const Note& note : notes_of(d)) {
    Json about = {{"message", printable(note.message)},
                  {"location", location_json(lines, note.span, note.where)}};
    if (note.origin) about["made_from"] = origin_json(*note.origin);
    item["notes"].push_back(std::move(about));
  }
  item["help"] = printable(to_string(d.help));
  if (d.replacement)
    item["replacement"] = {{"location", location_json(lines, d.replacement->span, {})},
                           {"text", d.replacement->text}};
  return item;
}

}  // namespace

std::string format_json(const Diagnostics& diagnostics, std::string_view file, std::string_view source) {
  const SourceLines lines(source);
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics.all())
    list.push_back(diagnostic_json(diagnostic, file, lines));
  if (const std::string hidden = hidden_text(diagnostics); !hidden.empty()) {
    Diagnostic note;
    note.severity = Severity::note;
    note.message = hidden;
    list.push_back(diagnostic_json(note, file, lines));
  }
  return list.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pto
