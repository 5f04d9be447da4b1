// Diagnostics as SARIF 2.1.0 (OASIS), which editors and code hosts read. Columns count code points there.
#include <fmt/format.h>

#include "diag/diagnostic_facts.hpp"
#include "pto/diagnostic_formats.hpp"
#include "pto/rules.hpp"
#include "pto/version.hpp"
#include "support/json.hpp"
#include "support/printable.hpp"
#include "support/source_lines.hpp"

namespace pto {

namespace {

using Json = nlohmann::ordered_json;

/// A path as a URI: relative ones stay relative.
std::string uri_of(std::string_view path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       std::string_view("/-._~").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

class SarifWriter {
 public:
  SarifWriter(std::string_view file, std::string_view source) : uri_(uri_of(file)), lines_(source) {}

  Json log(const Diagnostics& diagnostics, std::string_view tool) {
    Json results = Json::array();
    for (const Diagnostic& d : diagnostics.all()) results.push_back(result(d));
    Json run;
    run["tool"]["driver"] = {
        {"name", tool}, {"version", kVersion}, {"semanticVersion", kVersion}, {"rules", rules_}};
    Json invocation = {{"executionSuccessful", true}};
    if (const std::string hidden = hidden_text(diagnostics); !hidden.empty())
      invocation["toolExecutionNotifications"] =
          Json::array({{{"level", "note"}, {"message", {{"text", hidden}}}}});
    run["invocations"] = Json::array({std::move(invocation)});
    run["artifacts"] = Json::array({{{"location", {{"uri", uri_}}}}});
    run["columnKind"] = "unicodeCodePoints";
    run["results"] = std::move(results);
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({std::move(run)})}};
  }

 private:
  Json result(const Diagnostic& d) {
    Json item;
    if (d.id != FindingId::none) {
      item["ruleId"] = to_string(d.id);
      if (const auto index = rule_index(d.id)) item["ruleIndex"] = *index;
    }
    item["level"] = to_string(d.severity);
    item["message"]["text"] = printable(
        d.help.empty() ? full_message(d) : fmt::format("{}\nhelp: {}", full_message(d), to_string(d.help)));
    item["locations"] = Json::array({location(d.span, d.where)});
    size_t id = 1;
    const auto relate = [&](Json related, const std::string& text) {
      related["id"] = id++;
      related["message"]["text"] = text;
      item["relatedLocations"].push_back(std::move(related));
    };
    if (d.origin) relate(origin(*d.origin), "made from");
    for (const Note& note : notes_of(d)) {
      relate(location(note.span, note.where), printable(note.message));
      if (note.origin) relate(origin(*note.origin), "made from");
    }
    if (d.replacement) item["fixes"] = Json::array({fix(d)});
    if (d.unsupported) item["properties"]["unsupported"] = true;
    if (const std::string name = switch_of(d); !name.empty()) item["properties"]["switch"] = name;
    return item;
  }

  Json fix(const Diagnostic& d) const {
    const Json replacement = {{"deletedRegion", region(d.replacement->span, {})},
                              {"insertedContent", {{"text", d.replacement->text}}}};
    const Json change = {{"artifactLocation", artifact()}, {"replacements", Json::array({replacement})}};
    return {{"description",
             {{"text", d.help.empty() ? fmt::format("write '{}'", d.replacement->text)
                                      : printable(to_string(d.help))}}},
            {"artifactChanges", Json::array({change})}};
  }

  Json location(Span span, Location where) const {
    Json place = {{"artifactLocation", artifact()}};
    if (lines_.begin_of(span, where).line != 0) place["region"] = region(span, where);
    return {{"physicalLocation", std::move(place)}};
  }

  /// In another file, whose text is not at hand.
  static Json origin(const SourcePlace& place) {
    Json at = {{"artifactLocation", {{"uri", uri_of(place.file)}}}};
    at["region"] = {{"startLine", place.at.line}, {"startColumn", std::max(place.at.col, 1u)}};
    return {{"physicalLocation", std::move(at)}};
  }

  Json region(Span span, Location where) const {
    const Location begin = lines_.begin_of(span, where), end = lines_.end_of(span, where);
    Json json = {{"startLine", begin.line},
                 {"startColumn", lines_.code_point_column(begin)},
                 {"endLine", end.line},
                 {"endColumn", lines_.code_point_column(end)}};
    if (span.end > span.begin)
      json.update({{"byteOffset", span.begin}, {"byteLength", span.end - span.begin}});
    return json;
  }

  Json artifact() const { return {{"uri", uri_}, {"index", 0}}; }

  std::optional<size_t> rule_index(FindingId id) {
    for (size_t i = 0; i < rules_.size(); ++i) {
      if (rules_[i]["id"] == to_string(id)) return i;
    }
    const Rule* rule = find_rule(id);
    if (rule == nullptr) return std::nullopt;
    rules_.push_back(rule_json(*rule));
    return rules_.size() - 1;
  }

  static Json rule_json(const Rule& rule) {
    Json json = {{"id", to_string(rule.id)}, {"name", slug(rule)}};
    json["shortDescription"]["text"] = rule.title;
    json["fullDescription"]["text"] = rule.cause;
    json["help"]["text"] = fmt::format("{}\n\nExample:\n{}\n\nFix: {}", rule.cause, rule.example, rule.fix);
    json["help"]["markdown"] =
        fmt::format("{}\n\n```\n{}\n```\n\n**Fix:** {}", rule.cause, rule.example, rule.fix);
    json["defaultConfiguration"]["level"] = rule.weighs() == Weight::warning ? "warning" : "error";
    return json;
  }

  std::string uri_;
  SourceLines lines_;
  Json rules_ = Json::array();
};

}  // namespace

std::string format_sarif(const Diagnostics& diagnostics, std::string_view file, std::string_view source,
                         std::string_view tool) {
  return SarifWriter(file, source).log(diagnostics, tool).dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pto
