#include "support/toml.hpp"

#include <fmt/format.h>

#include "testing/catch_main.hpp"

namespace pto {
namespace {

std::string dotted(int parts) {
  std::string key = "a";
  for (int i = 1; i < parts; ++i) key += i % 2 ? ".a" : " . \"a.b\"";
  return key;
}

TEST_CASE("the parts of a key are bounded before anything recurses over them", "[toml]") {
  for (const char* form : {"{} = 1\n", "[{}]\n", "[[{}]]\n", "x = {{ {} = 1 }}\n"}) {
    INFO(form);
    CHECK(parse_toml(fmt::format(fmt::runtime(form), dotted(kMaxKeyParts)), "t.toml"));
    const auto deep = parse_toml("\n" + fmt::format(fmt::runtime(form), dotted(100'000)), "t.toml");
    REQUIRE_FALSE(deep);
    CHECK(deep.error().message == "t.toml:2: the key has more than 16 parts");
  }
}

TEST_CASE("dots that join no key are not counted", "[toml]") {
  std::string dots(100, '.');
  CHECK(parse_toml("a = \"" + dots + "\\\"" + dots + "\"\n", "t"));
  CHECK(parse_toml("a = '" + dots + "'\n", "t"));
  CHECK(parse_toml("a = \"\"\"\n" + dots + "\n" + dots + "\\\"\"\"\"\n", "t"));
  CHECK(parse_toml("a = '''" + dots + "\n''\n" + dots + "'''\n", "t"));
  CHECK(parse_toml("# " + dots + "\na = 1\n", "t"));
  std::string floats = "a = [1.5";
  for (int i = 0; i < 1000; ++i) floats += ", 1.5";
  CHECK(parse_toml(floats + "]\n", "t"));
  CHECK_FALSE(parse_toml("a = \"" + dots, "t"));  // not closed: an error of the parser
}

TEST_CASE("nested values end in an error, not in a crash", "[toml]") {
  std::string arrays = "a = ", tables = "a = ";
  for (int i = 0; i < 100'000; ++i) {
    arrays += '[';
    tables += "{ " + dotted(kMaxKeyParts) + " = ";
  }
  CHECK_FALSE(parse_toml(arrays, "t"));
  CHECK_FALSE(parse_toml(tables, "t"));
}

}  // namespace
}  // namespace pto
