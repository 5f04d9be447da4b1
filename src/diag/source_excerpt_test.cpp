// Excerpts: the mark stands below the marked part at any width, with tabs and any script.
#include "support/source_excerpt.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "pto/diagnostic_formats.hpp"
#include "support/printable.hpp"
#include "support/utf8.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

unsigned width(std::string_view text) {
  unsigned sum = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text.substr(at));
    sum += display_width(c.value);
    at += c.bytes;
  }
  return sum;
}

/// The text above the mark.
std::string above(const Excerpt& shown) {
  const size_t first = shown.mark.find('^');
  std::string found;
  unsigned column = 0;
  for (size_t at = 0; at < shown.line.size();) {
    const CodePoint c = decode_utf8(std::string_view(shown.line).substr(at));
    if (column >= first && column < shown.mark.size()) found += shown.line.substr(at, c.bytes);
    column += display_width(c.value);
    at += c.bytes;
  }
  return found;
}

Excerpt at(std::string_view line, std::string_view part, unsigned columns = 92) {
  return excerpt(line, line.find(part), part.size(), columns);
}

TEST_CASE("Short lines are shown as they are", "[diagnostics]") {
  const Excerpt shown = at("  pto.tad ins(%a)", "pto.tad");
  CHECK(shown.line == "  pto.tad ins(%a)");
  CHECK(shown.mark == "  ^~~~~~~");
}

TEST_CASE("A mark behind the end of the line is one column", "[diagnostics]") {
  const Excerpt shown = excerpt("abc", 3, 5, 92);
  CHECK(shown.line == "abc");
  CHECK(shown.mark == "   ^");
}

TEST_CASE("Tabs are blanks up to the next stop, control characters question marks", "[diagnostics]") {
  const Excerpt shown = at("\tab\x01 cd", "cd");
  CHECK(shown.line == "        ab? cd");
  CHECK(above(shown) == "cd");
}

TEST_CASE("Columns are those of the terminal", "[diagnostics]") {
  CHECK(at("x \xef\xbc\x85"
           "a y",
           "\xef\xbc\x85")
            .mark == "  ^~");  // full-width percent sign
  CHECK(at("// \xe7\x9f\xa9\xe9\x98\xb5 %b", "%b").mark == "        ^~");
  CHECK(at("e\xcc\x81 b", "b").mark == "  ^");  // combining accent
  CHECK(at("a\xff b", "b").line == "a? b");
}

TEST_CASE("Types that are not marked are elided in long lines", "[diagnostics]") {
  const std::string type =
      "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major>";
  const std::string line = "    pto.tadd ins(%a, %b : " + type + ", " + type + ") outs(%d : " + type + ")";
  const Excerpt name = at(line, "pto.tadd");
  CHECK(name.line ==
        "    pto.tadd ins(%a, %b : !pto.tile_buf<…>, !pto.tile_buf<…>) outs(%d : !pto.tile_buf<…>)");
  CHECK(above(name) == "pto.tadd");
  const Excerpt key = at(line, "v_col=64");
  CHECK(above(key) == "v_col=64");
  CHECK(width(key.line) <= 92);
}

TEST_CASE("A window around the mark fits any width", "[diagnostics]") {
  std::string line;
  for (int i = 0; i < 400; ++i) line += "word" + std::to_string(i) + " ";
  for (const unsigned columns : {20u, 40u, 92u, 200u}) {
    for (const std::string_view part : {"word0", "word7", "word200", "word399"}) {
      const Excerpt shown = at(line, part, columns);
      INFO(part << " in " << columns);
      CHECK(above(shown) == part);
      CHECK(width(shown.line) <= columns);
      CHECK(shown.mark.size() <= columns);
    }
  }
  CHECK(at(line, "word0").line.ends_with("…"));
  CHECK(at(line, "word399").line.starts_with("…"));
  CHECK(excerpt(line, 4, line.size(), 40).mark.size() <= 40);
}

TEST_CASE("Lines as long as a file cost no more than their neighbourhood", "[diagnostics]") {
  const std::string line = std::string(1 << 24, '<') + "x" + std::string(1 << 24, '>');
  const Excerpt shown = at(line, "x");
  CHECK(above(shown) == "x");
  CHECK(width(shown.line) <= 92);
}

TEST_CASE("UTF-8 is decoded strictly", "[diagnostics]") {
  CHECK(decode_utf8("a").value == 'a');
  CHECK(decode_utf8("\xe2\x82\xac").value == 0x20ac);
  CHECK(decode_utf8("\xf0\x9f\x98\x80").bytes == 4);
  for (const std::string_view bad :
       {"\xff", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"}) {
    CHECK(decode_utf8(bad).value == kBadCodePoint);
    CHECK(decode_utf8(bad).bytes == 1);
  }
}

TEST_CASE("What takes no room is spelt out below the mark", "[diagnostics]") {
  CHECK(excerpt("a \u200b b", 2, 3, 92).line == "a <U+200B> b");
  CHECK(excerpt("a \u200b b", 2, 3, 92).mark == "  ^~~~~~~~");
  CHECK(excerpt("\ufeffab", 3, 2, 92).mark == "        ^~");  // not marked, and still in the way
  CHECK(excerpt("x\u0301", 1, 2, 92).line == "x<U+0301>");    // a combining accent alone
  CHECK(excerpt("x\u0301", 0, 3, 92).line == "x\u0301");
  CHECK(excerpt("\ufe0f", 0, 3, 92).mark == "^~~~~~~~");
  CHECK(excerpt("a\u202eb", 0, 1, 92).line == "a<U+202E>b");  // would turn the direction of writing
}

/// Text that is hard to show: every kind of code point, bad bytes, types, tabs, very long runs.
std::string random_line(std::mt19937& random) {
  static const std::vector<std::string> kPieces = {
      "a",        " ",      "\t",         "%x",         "!pto.tile_buf<vec, 16x16xf32>",
      "\u200b",   "\ufeff", "\u0301",     "\ufe0f",     "\u202e",
      "\u00ad",   "\x01",   "\x7f",       "\xff",       "\xc3",
      "\xe2\x80", "\u77e9", "\U0001f600", "\U000e0041", "<",
      ">"};
  std::string line;
  for (size_t count = random() % 60; count > 0; --count) {
    const std::string& piece = kPieces[random() % kPieces.size()];
    for (size_t times = random() % 40 == 0 ? 300 : 1; times > 0; --times) line += piece;
  }
  return line;
}

TEST_CASE("Any text has one mark, inside the columns", "[diagnostics]") {
  std::mt19937 random(20240607);
  for (int round = 0; round < 5000; ++round) {
    const std::string line = random_line(random);
    const size_t begin = random() % (line.size() + 2), size = random() % (line.size() + 3);
    const auto columns = static_cast<unsigned>(20 + random() % 100);
    const Excerpt shown = excerpt(line, begin, size, columns);
    INFO(line << " at " << begin << " size " << size << " columns " << columns);
    REQUIRE(std::count(shown.mark.begin(), shown.mark.end(), '^') == 1);
    REQUIRE(shown.mark.find_first_not_of(' ') == shown.mark.find('^'));
    REQUIRE(shown.mark.size() <= columns);
    REQUIRE(width(shown.line) <= columns);
    REQUIRE(shown.line == printable_line(shown.line, size_t{1} << 20));
  }
}

TEST_CASE("Every form of a diagnostic takes any text and any position", "[diagnostics]") {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string source;
    for (int lines = 0; lines < 4; ++lines) source += random_line(random) + (random() % 3 ? "\n" : "\r\n");
    const auto offset = [&] {
      return static_cast<uint32_t>(random() % 50 ? random() % (source.size() + 2) : random());
    };
    Diagnostics list(0);
    Diagnostic& d =
        list.error(E0111, random_line(random), Span{offset(), offset()}, {offset() % 8, offset()});
    d.notes.push_back({random_line(random), {offset(), offset()}, {offset() % 8, offset()}, {}});
    d.help = random_line(random);
    const std::string name = random_line(random), text = format_text(list, name, source);
    INFO(source);
    REQUIRE(text.find("error[E0111]: ") != std::string::npos);
    REQUIRE(text == printable(text, size_t{1} << 20));
    REQUIRE_FALSE(format_json(list, name, source).empty());
    REQUIRE_FALSE(format_sarif(list, name, source, "pto-as").empty());
  }
}

}  // namespace
}  // namespace pto
