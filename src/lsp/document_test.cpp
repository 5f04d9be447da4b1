#include "lsp/document.hpp"

#include <random>
#include <vector>

#include "testing/catch_main.hpp"

namespace pto::lsp {
namespace {

/// The text as a row of UTF-16 units, each with the bytes it represents; the second half of a pair has none.
struct Unit {
  std::string bytes;
  bool second = false;
};

std::vector<std::vector<Unit>> lines_of(const std::vector<Unit>& units) {
  std::vector<std::vector<Unit>> lines(1);
  for (size_t i = 0; i < units.size(); ++i) {
    if (units[i].bytes == "\n" || units[i].bytes == "\r") {
      if (units[i].bytes == "\r" && i + 1 < units.size() && units[i + 1].bytes == "\n") ++i;
      lines.emplace_back();
    } else {
      lines.back().push_back(units[i]);
    }
  }
  return lines;
}

std::string bytes_of(const std::vector<Unit>& units) {
  std::string text;
  for (const Unit& unit : units) text += unit.bytes;
  return text;
}

}  // namespace

TEST_CASE("Document: UTF-16 positions", "[lsp]") {
  const Document document("ab\nπ😀c\r\n\rd");
  CHECK(document.lines() == 4);
  CHECK(document.line(1) == "π😀c");
  CHECK(document.line(2).empty());
  CHECK(document.line(3) == "d");
  CHECK(document.offset({1, 1}) == 5);                        // behind the two bytes of the letter
  CHECK(document.offset({1, 2}) == document.offset({1, 1}));  // within the pair: its begin
  CHECK(document.offset({1, 3}) == 9);
  CHECK(document.position(9) == Position{1, 3});
  CHECK(document.position(7) == Position{1, 1});  // within its bytes
  CHECK(document.offset({1, 99}) == 10);          // the end of the line, in front of its CR
  CHECK(document.offset({99, 0}) == document.text().size());
  CHECK(document.position(9999) == Position{3, 1});
}

TEST_CASE("Document: edits outside of the text", "[lsp]") {
  Document document("a\nb");
  CHECK_FALSE(document.replace({{2, 0}, {2, 0}}, "x"));
  CHECK_FALSE(document.replace({{1, 0}, {0, 0}}, "x"));
  CHECK(document.text() == "a\nb");
  CHECK(document.replace({{1, 9}, {1, 9}}, "c"));
  CHECK(document.text() == "a\nbc");
}

TEST_CASE("Document: random edits give the text that a simple model has", "[lsp]") {
  static const std::vector<std::string> kLetters = {"a", "%", " ", "\n", "\r", "π", "語", "😀", "{", "\n"};
  std::mt19937 random(7);
  const auto below = [&](size_t n) { return n == 0 ? 0 : random() % n; };
  for (int round = 0; round < 40; ++round) {
    std::vector<Unit> model;
    Document document;
    for (int edit = 0; edit < 60; ++edit) {
      // A range in the model, not within a pair, a CRLF or the bytes of a letter.
      const auto whole = [&](size_t at) {
        return at == 0 || at == model.size() ||
               (!model[at].second && !(model[at].bytes == "\n" && model[at - 1].bytes == "\r"));
      };
      size_t begin = below(model.size() + 1), end = std::min(model.size(), begin + below(6));
      while (!whole(begin)) --begin;
      while (!whole(end)) ++end;
      const auto position = [&](size_t at) {
        const auto lines = lines_of({model.begin(), model.begin() + static_cast<long>(at)});
        return Position{static_cast<uint32_t>(lines.size() - 1), static_cast<uint32_t>(lines.back().size())};
      };
      const Range range{position(begin), position(end)};
      std::string text;
      std::vector<Unit> units;
      for (size_t i = below(5); i > 0; --i) {
        const std::string& letter = kLetters[below(kLetters.size())];
        text += letter;
        units.push_back({letter});
        if (letter.size() == 4) units.push_back({"", true});
      }
      CHECK(document.offset(range.start) ==
            bytes_of({model.begin(), model.begin() + static_cast<long>(begin)}).size());
      REQUIRE(document.replace(range, text));
      model.erase(model.begin() + static_cast<long>(begin), model.begin() + static_cast<long>(end));
      model.insert(model.begin() + static_cast<long>(begin), units.begin(), units.end());
      REQUIRE(document.text() == bytes_of(model));
      REQUIRE(document.lines() == lines_of(model).size());
      for (uint32_t at = 0; at <= document.text().size(); ++at) {
        const uint32_t back = document.offset(document.position(at));
        REQUIRE(back <= at);
      }
    }
  }
}

}  // namespace pto::lsp
