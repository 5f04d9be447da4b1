#include "pto/defines.hpp"

#include "testing/catch_main.hpp"

namespace pto {

TEST_CASE("names of a command line that nothing asks for are told with the nearest", "[defines]") {
  const auto defines = Defines::parse({"TM=64", "TN=a=b", "TM=128", "ODD="});
  REQUIRE(defines.ok());
  CHECK(*defines->find("TM") == "128");
  CHECK(*defines->find("TN") == "a=b");
  CHECK(defines->find("TMX") == nullptr);
  CHECK(defines->unused("k.pto")->message.starts_with("-D ODD=: k.pto has no ${ODD}"));
  CHECK(defines->find("ODD")->empty());
  CHECK_FALSE(defines->unused("k.pto"));
  for (const std::string bad : {"TM", "=3", "TM=1\n2"}) CHECK_FALSE(Defines::parse({bad}).ok());
}

TEST_CASE("placeholders of cases take values, then the environment, then defaults", "[defines]") {
  const Defines defines(Defines::Values{{"A", "1"}});
  CHECK(*defines.expand("x${A}y${A:-2}z${PTO_TEST_NOT_SET:-3}") == "x1y1z3");
  CHECK(*defines.expand("${PTO_TEST_NOT_SET:-}") == "");
  CHECK_FALSE(defines.expand("${PTO_TEST_NOT_SET}").ok());
  CHECK_FALSE(defines.expand("${A").ok());
}

TEST_CASE("places in an expanded text are found in the original", "[defines]") {
  //                            0         1         2
  //                            0123456789012345678901
  const std::string original = "a ${LONG} b ${S} c\nd\n";
  const Expansion expansion{"a 7 b 123456 c\nd\n", {{2, 3, 2, 9}, {6, 12, 12, 16}}};
  CHECK(expansion.original({0, 1}) == Span{0, 1});
  CHECK(expansion.original({2, 3}) == Span{2, 9});     // the value: the whole placeholder
  CHECK(expansion.original({8, 10}) == Span{12, 16});  // within a value
  CHECK(expansion.original({4, 5}) == Span{10, 11});
  CHECK(expansion.original({0, 14}) == Span{0, 18});
  CHECK(expansion.original({15, 16}) == Span{19, 20});
  Diagnostic one;
  one.where = {1, 14};
  one.notes.push_back({"note", {4, 5}, {2, 1}, {}});
  Diagnostic* const all[] = {&one};
  expansion.restore(original, all);
  CHECK(one.where == Location{1, 18});
  CHECK(one.notes[0].span == Span{10, 11});
  CHECK(one.notes[0].where == Location{2, 1});
}

}  // namespace pto
