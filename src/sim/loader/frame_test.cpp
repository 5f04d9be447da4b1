#include "sim/loader/frame.hpp"

#include "pto/assembler.hpp"
#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

Program program() {
  Diagnostics diagnostics;
  std::optional<Program> parsed = parse(
      "func.func @k(%a: i32, %b: i32) attributes {pto.entry} {\n  %c = arith.constant 3 : i32\n"
      "  %d = arith.addi %a, %b : i32\n  return\n}\n",
      {}, diagnostics);
  REQUIRE(parsed.has_value());
  return std::move(*parsed);
}

ValueId named(const Program& program, std::string_view name) {
  for (ValueId value = 0; value < program.values.size(); ++value)
    if (program.name_of(value) == name) return value;
  return kNoValue;
}

TEST_CASE("a value keeps the words of its first use", "[sim]") {
  const Program text = program();
  Frame frame(text);
  const uint32_t a = frame.at(named(text, "a")), b = frame.define(named(text, "b"));
  CHECK(a != b);
  CHECK(frame.at(named(text, "a")) == a);
  CHECK(frame.scalar.size() == 2);
  CHECK(frame.vector.size() == 0);
}

TEST_CASE("a vector function captures each value from outside once, and knows constants", "[sim]") {
  const Program text = program();
  const ValueId a = named(text, "a"), c = named(text, "c"), d = named(text, "d");
  Frame frame(text);
  frame.scalar.set(frame.define(c), 3);
  frame.mark_constant(c);
  std::vector<Copy> captures;
  frame.begin_captures(captures);
  CHECK(frame.in_vector_function());
  CHECK(&frame.current() == &frame.vector);
  const uint32_t inside = frame.at(a);
  CHECK(frame.at(a) == inside);
  CHECK(frame.known_constant(c) == 3);
  CHECK_FALSE(frame.known_constant(a).has_value());
  frame.define(d);
  frame.end_captures();
  CHECK_FALSE(frame.in_vector_function());
  REQUIRE(captures.size() == 1);
  CHECK(captures[0].from == frame.at(a));
  CHECK(captures[0].to == inside);
  CHECK(frame.vector.word(1) == 3);
}

}  // namespace
}  // namespace pto::sim
