#include "timing/cost_expression.hpp"

#include <vector>

#include "testing/catch_main.hpp"

using pto::timing::Expression;

namespace {

uint64_t cycles(const char* text, std::vector<int64_t> values = {}) {
  const auto compiled = Expression::compile(text);
  REQUIRE(compiled.ok());
  REQUIRE(compiled->variables().size() == values.size());
  const auto result = compiled->cycles(values);
  REQUIRE(result.has_value());
  return *result;
}

std::string problem(std::string_view text) {
  const auto compiled = Expression::compile(text);
  REQUIRE_FALSE(compiled.ok());
  return compiled.error().message;
}

}  // namespace

TEST_CASE("cost expressions: arithmetic is exact", "[timing]") {
  CHECK(cycles("1 + 2 * 3") == 7);
  CHECK(cycles("(1 + 2) * 3") == 9);
  CHECK(cycles("10 / 4 * 2") == 5);  // 10/4 is not 2
  CHECK(cycles("7 / 2") == 4);       // halves round up, once, at the end
  CHECK(cycles("1/3 + 1/3 + 1/3") == 1);
  CHECK(cycles("0.1 * 30") == 3);
  CHECK(cycles("ceil(7 / 2) + floor(7 / 2) + round(7 / 4)") == 4 + 3 + 2);
  CHECK(cycles("ceildiv(33, 16) * 100") == 300);
  CHECK(cycles("min(5, 3, 4) + max(5, 3, 8)") == 11);
  CHECK(cycles("17 % 5") == 2);
  CHECK(cycles("-3 + 5") == 2);
  CHECK(cycles("206 + bytes / 174.2", {65536}) == 582);  // 206 + 376.21
}

TEST_CASE("cost expressions: conditions evaluate one branch", "[timing]") {
  CHECK(cycles("n == 0 ? 1 : 8 / n", {0}) == 1);
  CHECK(cycles("n == 0 ? 1 : 8 / n", {4}) == 2);
  CHECK(cycles("a < b ? a : a == b ? 50 : b", {9, 9}) == 50);
  CHECK(cycles("1 < 2 && 3 >= 3 || 0") == 1);
  CHECK(cycles("(0 || 5) + (2 && 3) + !4") == 2);
}

TEST_CASE("cost expressions: variables keep their first order", "[timing]") {
  const auto compiled = Expression::compile("b.rows * a + b.rows");
  REQUIRE(compiled.ok());
  CHECK(compiled->variables() == std::vector<std::string>{"b.rows", "a"});
}

TEST_CASE("cost expressions: overflow and division by zero have no value", "[timing]") {
  const std::vector<int64_t> big = {INT64_MAX};
  CHECK_FALSE(Expression::compile("x * x")->eval(big).has_value());
  CHECK_FALSE(Expression::compile("x + x")->eval(big).has_value());
  CHECK_FALSE(Expression::compile("1 / (x - x)")->eval(big).has_value());
  CHECK_FALSE(Expression::compile("1 % (x - x)")->eval(big).has_value());
  CHECK_FALSE(Expression::compile("1 - x")->cycles(big).has_value());  // negative durations are none
  CHECK(Expression::compile("x / 3 * 3")->eval(big)->num == INT64_MAX);
}

TEST_CASE("cost expressions: errors name the place", "[timing]") {
  CHECK(problem("1 +").find("expected a value at column 4") != std::string::npos);
  CHECK(problem("(1").find("expected ')'") != std::string::npos);
  CHECK(problem("1 2").find("unexpected '2'") != std::string::npos);
  CHECK(problem("sqrt(4)").find("unknown function 'sqrt'") != std::string::npos);
  CHECK(problem("a ? 1").find("expected ':'") != std::string::npos);
  CHECK(problem("99999999999999999999").find("too large") != std::string::npos);
  CHECK(problem("").find("expected a value") != std::string::npos);
  CHECK(problem(std::string(100000, '(')).find("deeply") != std::string::npos);
  CHECK(problem(std::string(100000, '-')).find("deeply") != std::string::npos);
}
