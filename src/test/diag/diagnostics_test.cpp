// The collection: limits, duplicates, -W switches, order.
#include <set>
#include <string>

#include "pto/diagnostic_formats.hpp"
#include "pto/rules.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

Diagnostics with(std::initializer_list<std::string_view> switches, bool silent = false) {
  WarningPolicy policy;
  for (const std::string_view text : switches) {
    INFO(text);
    CHECK(apply_switch(policy, text).ok());
  }
  if (silent) policy.silence();
  return Diagnostics(Diagnostics::kDefaultLimit, policy);
}

std::string problem(std::string_view text) {
  WarningPolicy policy;
  const auto applied = apply_switch(policy, text);
  return applied ? "" : applied.error().message;
}

TEST_CASE("Ids and slugs of rules are unique", "[rules]") {
  std::set<std::string> names;
  for (const Rule& rule : rules()) {
    INFO(to_string(rule.id) << " " << rule.title);
    CHECK(names.insert(std::string(to_string(rule.id))).second);
    CHECK(names.insert(slug(rule)).second);
    CHECK(find_rule(rule.id) == &rule);
    CHECK(find_rule(slug(rule)) == &rule);
    CHECK((rule.of_a_run() || (to_string(rule.id).size() == 5 &&
                               (to_string(rule.id)[0] == 'E' || to_string(rule.id)[0] == 'W'))));
    for (const std::string_view text : {rule.title, rule.cause, rule.example, rule.fix})
      CHECK_FALSE(text.empty());
    // These mean something else behind -W.
    if (rule.weighs() != Weight::error)
      CHECK_FALSE((slug(rule).starts_with("no-") || slug(rule).starts_with("error")));
  }
}

TEST_CASE("The nearest rule is suggested by id and by name", "[rules]") {
  CHECK(nearest_rule("element-cont", true) == "element-count");
  CHECK(nearest_rule("W036l", true) == "W0361");
  CHECK(nearest_rule("zzzzzzzzzzzz").empty());
  CHECK(nearest_rule("flag-dubble", true) == "FLAG-DOUBLE");
  CHECK(find_rule("flag-double") == find_rule("FLAG-DOUBLE"));
  CHECK(find_rule("w0361") == find_rule("W0361"));
}

TEST_CASE("Warnings are shown, dropped, or count as errors, as the switches say", "[diagnostics]") {
  const auto errors = [](std::initializer_list<std::string_view> switches, bool silent = false) {
    Diagnostics list = with(switches, silent);
    list.warning(W0361, "text", Anchor{});
    return std::pair(list.all().size(), list.errors());
  };
  CHECK(errors({}) == std::pair<size_t, size_t>(1, 0));
  CHECK(errors({"no-element-count"}) == std::pair<size_t, size_t>(0, 0));
  CHECK(errors({"no-W0361"}) == std::pair<size_t, size_t>(0, 0));
  CHECK(errors({"no-W0361", "element-count"}) == std::pair<size_t, size_t>(1, 0));
  CHECK(errors({"error"}) == std::pair<size_t, size_t>(1, 1));
  CHECK(errors({"error", "no-error"}) == std::pair<size_t, size_t>(1, 0));
  CHECK(errors({"error=element-count"}) == std::pair<size_t, size_t>(1, 1));
  CHECK(errors({"error=W0372"}) == std::pair<size_t, size_t>(1, 0));
  CHECK(errors({"error", "no-error=element-count"}) == std::pair<size_t, size_t>(1, 0));
  CHECK(errors({"no-error=element-count", "error"}) == std::pair<size_t, size_t>(1, 0));
  CHECK(errors({"error", "no-element-count"}) == std::pair<size_t, size_t>(0, 0));
  CHECK(errors({"no-element-count", "error=element-count"}) == std::pair<size_t, size_t>(1, 1));
  CHECK(errors({"error=element-count"}, true) == std::pair<size_t, size_t>(0, 0));
}

TEST_CASE("Unknown switches are refused with the nearest name", "[diagnostics]") {
  CHECK(problem("no-element-cont") == "there is no warning 'element-cont'; did you mean 'element-count'?");
  CHECK(problem("error=zzzzzzzzz") == "there is no warning 'zzzzzzzzz'; --list-rules shows all");
  CHECK(problem("no-E0361x").find("there is no warning") == 0);
  CHECK(problem("no-E0301") == "'E0301' is an error, only warnings can be switched");
}

TEST_CASE("Beyond the limit diagnostics are counted, not kept", "[diagnostics]") {
  Diagnostics list(3);
  for (uint32_t i = 0; i < 10; ++i) list.error(E0101, "wrong", {i, i + 1});
  for (uint32_t i = 0; i < 5; ++i) list.warning(W0361, "odd", Span{i, i + 1});
  CHECK(list.all().size() == 6);
  CHECK(list.errors() == 10);
  CHECK(list.hidden_errors() == 7);
  CHECK(list.hidden_warnings() == 2);
  CHECK_FALSE(list.suggests());
  const std::string text = format_text(list, "a.pto", "");
  CHECK(text.ends_with("a.pto: 7 more errors and 2 more warnings are not shown; --max-errors 0 shows all\n"));
  Diagnostics all(0);
  for (uint32_t i = 0; i < 100; ++i) all.error(E0101, "wrong", {i, i + 1});
  CHECK(all.all().size() == 100);
  CHECK(all.hidden_errors() == 0);
}

TEST_CASE("The same diagnostic twice is kept once", "[diagnostics]") {
  Diagnostics list;
  list.error(E0101, "wrong", {1, 2}, {1, 2}).help = "first";
  list.error(E0101, "wrong", {1, 2}, {1, 2}).help = "second";
  list.error(E0101, "wrong", {3, 4}, {1, 4});
  list.error(E0102, "wrong", {1, 2}, {1, 2});
  REQUIRE(list.all().size() == 3);
  CHECK(to_string(list.all()[0].help) == "first");
  CHECK(list.errors() == 3);
  for (uint32_t i = 0; i < 2; ++i) list.warning(W0361, "odd", Span{1, 2});
  CHECK(list.warnings() == 1);
  list.error(W0361, "odd", Span{1, 2});  // a warning does not represent an error
  CHECK(list.errors() == 4);
}

TEST_CASE("Missing support decides the exit code also beyond the limit", "[diagnostics]") {
  Diagnostics list(1);
  list.error(E0110, "a").unsupported = true;
  list.error(E0110, "b").unsupported = true;
  CHECK(list.only_unsupported());
  list.error(E0101, "c");
  CHECK_FALSE(list.only_unsupported());
  list.error(E0110, "d").unsupported = true;
  CHECK_FALSE(list.only_unsupported());
}

TEST_CASE("Diagnostics are sorted by position, those without one last", "[diagnostics]") {
  Diagnostics list;
  list.error(E0101, "c");
  list.error(E0101, "b", {}, {2, 1});
  list.error(E0101, "a", {}, {1, 9});
  list.sort();
  std::string order;
  for (const Diagnostic& d : list.all()) order += d.message;
  CHECK(order == "abc");
}

}  // namespace
}  // namespace pto
