#include "support/printable.hpp"

#include "testing/catch_main.hpp"

namespace pto {
namespace {

TEST_CASE("what a terminal would act on is spelt out", "[printable]") {
  CHECK(printable("%a is not defined") == "%a is not defined");
  CHECK(printable("\x1b[31mred\x07") == "\\x1b[31mred\\x07");
  CHECK(printable("a\u202eb\u200bc\u0085d") == "a\\u{202e}b\\u{200b}c\\u{0085}d");
  CHECK(printable("über 中…") == "über 中…");
  CHECK(printable("\xff\xc3") == "\\xff\\xc3");
  CHECK(printable("two\n\tlines") == "two\n\tlines");
  CHECK(printable_line("two\nlines\r") == "two\\x0alines\\x0d");
}

TEST_CASE("long words and texts lose their middle", "[printable]") {
  const std::string name(1'000'000, 'n');
  const std::string text = printable("there is no function @" + name + "; the program defines @k");
  CHECK(text.size() < 700);
  CHECK(text.starts_with("there is no function @nnn"));
  CHECK(text.ends_with("nnn; the program defines @k"));
  std::string words;
  while (words.size() < 1'000'000) words += "word ";
  CHECK(printable(words).size() < kMaxTextLength + 100);
  CHECK(printable(std::string(300, ' ') + "end").ends_with(" end"));
}

TEST_CASE("no code point is cut", "[printable]") {
  for (size_t size = 500; size < 530; ++size) {
    std::string text(size % 4, 'x');
    while (text.size() < 2 * size) text += "\U0001f600";
    CHECK(printable(text, size).find("\\x") == std::string::npos);
  }
}

}  // namespace
}  // namespace pto
