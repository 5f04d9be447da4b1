// The printed reference: everything the table names has words, and pages hold every row.
#include "pto/reference.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "ir/pipe_rules.hpp"
#include "isa/rows/families.hpp"
#include "pto/rules.hpp"
#include "reference/row_facts.hpp"
#include "support/json.hpp"
#include "testing/catch_main.hpp"
#include "verify/rule_table.hpp"
#include "verify/verifier_context.hpp"

namespace pto {
namespace {

TEST_CASE("Every rule that a row names says what it demands, under ids of the catalogue", "[reference]") {
  for (const isa::Row& row : isa::rows()) {
    for (const reference::RuleFacts& rule : reference::facts_of(row).rules) {
      INFO(row.name << ": " << rule.name);
      const legality::OpRule* known = legality::find_op_rule(rule.name);
      REQUIRE(known != nullptr);
      CHECK_FALSE(known->words.empty());
      CHECK((known->check == nullptr) == (known->ids.front() == FindingId::none));
      for (const FindingId id : rule.ids) CHECK(find_rule(id) != nullptr);
    }
  }
}

TEST_CASE("Every check of the verifier is named by a row, once", "[reference]") {
  std::set<std::string_view> named, known;
  for (const isa::Row& row : isa::rows()) {
    for (const reference::RuleFacts& rule : reference::facts_of(row).rules) named.insert(rule.name);
  }
  for (const legality::RuleFamily& family : legality::rule_families()) {
    for (const legality::OpRule& rule : family.checks) {
      INFO(rule.name);
      CHECK(named.contains(rule.name));
      CHECK(known.insert(rule.name).second);
    }
  }
}

TEST_CASE("Every pipe of the table has words", "[reference]") {
  for (const isa::Row& row : isa::rows()) {
    INFO(row.name);
    CHECK_NOTHROW(isa::pipe_words(row, Target::a2a3));
    CHECK_FALSE(isa::pipe_words(row, Target::a5).empty());
  }
}

TEST_CASE("Every row that is read has a syntax line", "[reference]") {
  for (const isa::Row& row : isa::rows()) {
    INFO(row.name);
    CHECK(reference::facts_of(row).syntax.empty() == (row.syntax == "@none"));
  }
}

TEST_CASE("The pages name every mnemonic once", "[reference]") {
  std::map<std::string, int, std::less<>> headings;
  for (const ReferencePage& page : reference_pages()) {
    for (size_t at = page.text.find("\n### "); at != page.text.npos; at = page.text.find("\n### ", at + 1))
      ++headings[page.text.substr(at + 5, page.text.find('\n', at + 1) - at - 5)];
  }
  for (const isa::Row& row : isa::rows()) {
    INFO(row.name);
    if ((row.flags & isa::kAlias) == 0) CHECK(headings[std::string(row.name)] == 1);
  }
}

TEST_CASE("Families have names of their own", "[reference]") {
  std::set<std::string_view> names;
  for (const isa::Family& family : isa::families()) {
    CHECK(names.insert(family.name).second);
    CHECK_FALSE(family.title.empty());
  }
}

TEST_CASE("JSON: one object per form, with facts in words and as written", "[reference]") {
  const auto list = nlohmann::json::parse(list_instructions("json"));
  const auto found =
      std::find_if(list.begin(), list.end(), [](const auto& item) { return item["name"] == "pto.trem"; });
  REQUIRE(found != list.end());
  CHECK((*found)["syntax"] ==
        "pto.trem ins(%src0, %src1, %tmp? : type(%src0), type(%src1), type(%tmp)?) outs(%dst : type(%dst)) "
        "{attributes}");
  CHECK((*found)["operands"][2] == nlohmann::json({{"name", "tmp"},
                                                   {"kinds", {"tile"}},
                                                   {"role", "scratch"},
                                                   {"arity", "optional"},
                                                   {"places", nlohmann::json::array()}}));
  CHECK((*found)["targets"]["a2a3"]["types"] == nlohmann::json({"s32", "f32"}));
  CHECK((*found)["targets"]["a5"]["pipe"] == "V");
  CHECK((*found)["rules"][1]["ids"] == nlohmann::json({"E0351"}));
  const auto refused =
      nlohmann::json::parse(list_instructions("json", {.target = std::nullopt, .unsupported_only = true}));
  for (const auto& item : refused) CHECK_FALSE(item["executed"].get<bool>());
}

}  // namespace
}  // namespace pto
