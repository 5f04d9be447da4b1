// Text, JSON and SARIF say the same.

#include "pto/diagnostic_formats.hpp"
#include "pto/rules.hpp"
#include "support/json.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

using nlohmann::json;

constexpr std::string_view kSource = "module {\n  \xe7\x9f\xa9 pto.tad %a\n}\n";

Diagnostics sample() {
  Diagnostics list(1);
  Diagnostic& error = list.error(E0111, "there is no instruction pto.tad", {15, 22});
  error.help = "did you mean 'pto.tadd'?";
  error.replacement = Replacement{{15, 22}, "pto.tadd"};
  error.notes.push_back({"opened here", {0, 6}, {}, {}});
  list.warning(W0361, "sizes differ", Span{23, 25});
  list.error(E0112, "%a is not defined", {23, 25});
  return list;
}

TEST_CASE("Text: position, mark, switch, notes, help, what is not shown", "[diagnostics]") {
  CHECK(format_text(sample(), "a.pto", kSource) ==
        "a.pto:2:7: error[E0111]: there is no instruction pto.tad\n"
        "    2 |   \xe7\x9f\xa9 pto.tad %a\n"
        "      |      ^~~~~~~\n"
        "a.pto:1:1: note: opened here\n"
        "    1 | module {\n"
        "      | ^~~~~~\n"
        "  help: did you mean 'pto.tadd'?\n"
        "a.pto:2:15: warning[W0361]: sizes differ [-Welement-count]\n"
        "    2 |   \xe7\x9f\xa9 pto.tad %a\n"
        "      |              ^~\n"
        "a.pto: 1 more error is not shown; --max-errors 0 shows all\n");
}

TEST_CASE("Text: colours leave the words as they are", "[diagnostics]") {
  std::string text = format_text(sample(), "a.pto", kSource, {.color = true});
  CHECK(text.find("\x1b[1;31merror[E0111]:\x1b[0m") != std::string::npos);
  for (size_t at = text.find('\x1b'); at != text.npos; at = text.find('\x1b'))
    text.erase(at, text.find('m', at) - at + 1);
  CHECK(text == format_text(sample(), "a.pto", kSource));
}

TEST_CASE("JSON: places, switch, notes, replacement", "[diagnostics]") {
  const json list = json::parse(format_json(sample(), "a.pto", kSource));
  REQUIRE(list.size() == 3);
  CHECK(list[0]["id"] == "E0111");
  CHECK(list[0]["location"] ==
        json({{"line", 2}, {"column", 7}, {"end_line", 2}, {"end_column", 14}, {"begin", 15}, {"end", 22}}));
  CHECK(list[0]["replacement"]["text"] == "pto.tadd");
  CHECK(list[0]["notes"][0]["location"]["line"] == 1);
  CHECK(list[1]["severity"] == "warning");
  CHECK(list[1]["switch"] == "-Welement-count");
  CHECK(list[2]["severity"] == "note");
  CHECK(list[2]["message"] == "1 more error is not shown; --max-errors 0 shows all");
}

/// The properties that the SARIF 2.1.0 schema requires, and those whose values it restricts.
void check_region(const json& region) {
  for (const char* const key : {"startLine", "startColumn", "endLine", "endColumn"}) {
    REQUIRE(region.contains(key));
    CHECK(region[key].get<int>() >= 1);
  }
  CHECK(region["endLine"] >= region["startLine"]);
}

void check_location(const json& location) {
  const json& physical = location.at("physicalLocation");
  CHECK(physical.at("artifactLocation").at("uri").is_string());
  if (physical.contains("region")) check_region(physical["region"]);
}

void check_result(const json& result, const json& rules) {
  CHECK(result.at("message").at("text").is_string());
  CHECK((result["level"] == "error" || result["level"] == "warning" || result["level"] == "note"));
  CHECK(rules.at(result.at("ruleIndex").get<size_t>()).at("id") == result.at("ruleId"));
  for (const json& location : result.at("locations")) check_location(location);
  for (const json& location : result.value("relatedLocations", json::array())) {
    check_location(location);
    CHECK(location.at("message").at("text").is_string());
  }
  for (const json& fix : result.value("fixes", json::array())) {
    for (const json& change : fix.at("artifactChanges")) {
      CHECK(change.at("artifactLocation").contains("uri"));
      for (const json& replacement : change.at("replacements")) check_region(replacement.at("deletedRegion"));
    }
  }
}

TEST_CASE("SARIF: has what the schema requires", "[diagnostics]") {
  const json log = json::parse(format_sarif(sample(), "dir/a b.pto", kSource, "pto-as"));
  CHECK(log.at("version") == "2.1.0");
  CHECK(log.at("$schema").get<std::string>().ends_with("sarif-2.1.0.json"));
  REQUIRE(log.at("runs").size() == 1);
  const json& run = log["runs"][0];
  const json& driver = run.at("tool").at("driver");
  CHECK(driver.at("name") == "pto-as");
  for (const json& rule : driver.at("rules")) {
    for (const char* const key : {"shortDescription", "fullDescription", "help"})
      CHECK_FALSE(rule.at(key).at("text").get<std::string>().empty());
  }
  REQUIRE(run.at("results").size() == 2);
  for (const json& result : run["results"]) check_result(result, driver["rules"]);
  CHECK(run["artifacts"][0]["location"]["uri"] == "dir/a%20b.pto");
  CHECK(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] ==
        "1 more error is not shown; --max-errors 0 shows all");
}

TEST_CASE("SARIF: columns count code points, fixes replace exactly the word", "[diagnostics]") {
  const json log = json::parse(format_sarif(sample(), "a.pto", kSource, "pto-as"));
  const json& run = log["runs"][0];
  CHECK(run.at("columnKind") == "unicodeCodePoints");
  const json& region = run["results"][0]["locations"][0]["physicalLocation"]["region"];
  CHECK(region["startColumn"] == 5);
  CHECK(region["endColumn"] == 12);
  CHECK(region["byteOffset"] == 15);
  const json& replacement = run["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0];
  CHECK(replacement["deletedRegion"]["startColumn"] == 5);
  CHECK(replacement["insertedContent"]["text"] == "pto.tadd");
  CHECK_FALSE(run["results"][1].contains("fixes"));
}

TEST_CASE("SARIF: a run without findings is a complete log", "[diagnostics]") {
  const json log = json::parse(format_sarif(Diagnostics(), "a.pto", kSource, "pto-as"));
  CHECK(log["runs"][0]["results"] == json::array());
}

TEST_CASE("Messages show the line and the place", "[diagnostic]") {
  Diagnostic d;
  d.id = E0115;
  d.message = "wrong";
  d.span = {9, 12};
  d.help = "mend it";
  CHECK(format_text(d, "a.pto", "line one\nabc def\n") ==
        "a.pto:2:1: error[E0115]: wrong\n    2 | abc def\n      | ^~~\n  help: mend it\n");
  Diagnostics list;
  list.add(d);
  const std::string shown = format_json(list, "a.pto", "line one\nabc def\n");
  CHECK(shown.find("\"id\": \"E0115\"") != std::string::npos);
  CHECK(nearest("nbrst", {"loop", "nburst", "pad"}) == "nburst");
  CHECK(nearest("xyz", {"loop", "nburst"}).empty());
}

}  // namespace
}  // namespace pto
