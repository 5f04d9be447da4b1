#include "analysis/integer_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>

#include "pto/assembler.hpp"
#include "support/message_text.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

struct Operation {
  std::string_view name;
  int64_t (*result)(int64_t, int64_t);
};
constexpr Operation kOperations[] = {
    {"addi", [](int64_t a, int64_t b) { return a + b; }},
    {"subi", [](int64_t a, int64_t b) { return a - b; }},
    {"muli", [](int64_t a, int64_t b) { return a * b; }},
    {"andi", [](int64_t a, int64_t b) { return a & b; }},
    {"ori", [](int64_t a, int64_t b) { return a | b; }},
    {"xori", [](int64_t a, int64_t b) { return a ^ b; }},
    {"minsi", [](int64_t a, int64_t b) { return std::min(a, b); }},
    {"maxsi", [](int64_t a, int64_t b) { return std::max(a, b); }},
    {"divsi", [](int64_t a, int64_t b) { return b == 0 ? 0 : a / b; }},
    {"remsi", [](int64_t a, int64_t b) { return b == 0 ? 0 : a % b; }},
};

/// A chain of operations on a parameter that is a multiple of 8 and more, and what it gives for a parameter.
struct Chain {
  std::string text;
  std::vector<std::pair<const Operation*, int64_t>> steps;
  int64_t times = 0, plus = 0;

  explicit Chain(std::mt19937& chance) {
    times = int64_t{1} << chance() % 7;
    plus = chance() % 64;
    text = fmt::format(
        "module attributes {{pto.target_arch = \"a3\"}} {{\nfunc.func @k(%n: i64) attributes {{pto.kernel}} "
        "{{\n"
        "%t = arith.constant {} : i64\n%p = arith.constant {} : i64\n%m = arith.muli %n, %t : i64\n"
        "%x0 = arith.addi %m, %p : i64\n",
        times, plus);
    for (int i = 0; i < 5; ++i) {
      const Operation& operation = kOperations[chance() % std::size(kOperations)];
      const bool divides = operation.name.starts_with("div") || operation.name.starts_with("rem");
      const int64_t by = divides ? int64_t{1} + chance() % 40 : static_cast<int64_t>(chance() % 200) - 50;
      steps.emplace_back(&operation, by);
      text += fmt::format("%c{0} = arith.constant {1} : i64\n%x{2} = arith.{3} %x{0}, %c{0} : i64\n", i, by,
                          i + 1, operation.name);
    }
    text += "return\n}\n}\n";
  }
  [[nodiscard]] int64_t value(int64_t parameter, size_t step) const {
    int64_t number = parameter * times + plus;
    for (size_t i = 0; i < step; ++i) number = steps[i].first->result(number, steps[i].second);
    return number;
  }
};

ValueId named(const Program& program, std::string_view name) {
  for (ValueId value = 0; value < program.values.size(); ++value) {
    if (program.name_of(value) == name) return value;
  }
  FAIL(name);
  return kNoValue;
}

constexpr IntegerAssumptions kWrapping{.overflow = Overflow64::wraps};

TEST_CASE("every integer that a chain gives has the low bits that are known of it", "[integer-facts]") {
  std::mt19937 chance(7);
  unsigned known_bits = 0;
  for (int round = 0; round < 200; ++round) {
    const Chain chain(chance);
    Diagnostics diagnostics;
    const std::optional<Program> program = parse(chain.text, {}, diagnostics);
    INFO(chain.text << messages(diagnostics));
    REQUIRE(program.has_value());
    const Constants constants(*program);
    const IntegerFacts facts(*program, constants, kWrapping);
    for (size_t step = 0; step <= chain.steps.size(); ++step) {
      const IntegerFact found = facts.fact(named(*program, fmt::format("x{}", step)));
      const unsigned count = found.congruence.is_constant() ? 64U : std::countr_zero(found.congruence.step);
      known_bits += count;
      const uint64_t mask = count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
      for (const int64_t parameter : {-9, -8, -1, 0, 1, 2, 3, 5, 8, 100, 4097}) {
        const int64_t value = chain.value(parameter, step);
        REQUIRE((static_cast<uint64_t>(value ^ found.congruence.at) & mask) == 0);
        REQUIRE((found.interval.low <= value && value <= found.interval.high));
      }
    }
  }
  CHECK(known_bits > 2000);
}

struct Carried {
  std::string_view text;
  Congruence first, second, third, any;  ///< in the iterations 0 and 1 of %i, behind the loop, and in any
};

TEST_CASE("what loops carry and branches choose", "[integer-facts]") {
  const std::string_view head =
      "module attributes {pto.target_arch = \"a3\"} {\nfunc.func @k(%n: i64, %yes: i1) attributes "
      "{pto.kernel} "
      "{\n%c0 = arith.constant 0 : i64\n%c1 = arith.constant 1 : i64\n%c16 = arith.constant 16 : i64\n"
      "%c8 = arith.constant 8 : i64\n%c64 = arith.constant 64 : i64\n%c4 = arith.constant 4 : i64\n";
  const Congruence none{}, eight{8, 16}, sixteen{0, 16};
  const Carried cases[] = {
      {"%r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %c8) -> (i64) : i64 {\n"
       "%y = arith.addi %x, %c16 : i64\nscf.yield %y : i64\n}\n",
       {8, 0},
       {24, 0},
       eight,
       eight},
      {"%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c8) -> (i64) : i64 {\n"
       "%y = scf.if %yes -> (i64) {\n%u = arith.addi %x, %c64 : i64\nscf.yield %u : i64\n} else {\n"
       "%v = arith.subi %x, %c16 : i64\nscf.yield %v : i64\n}\nscf.yield %y : i64\n}\n",
       {8, 0},
       {72, 80},
       eight,
       eight},
      {"%r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %c0) -> (i64) : i64 {\n"
       "%y = scf.for %j = %c0 to %n step %c1 iter_args(%z = %x) -> (i64) : i64 {\n"
       "%w = arith.addi %z, %c16 : i64\nscf.yield %w : i64\n}\nscf.yield %y : i64\n}\n",
       {0, 0},
       sixteen,
       sixteen,
       sixteen},
      {"%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c8) -> (i64) : i64 {\n"
       "%y = arith.addi %x, %n : i64\nscf.yield %y : i64\n}\n",
       {8, 0},
       none,
       none,
       none},
      {"%r, %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %c0, %t = %c8) -> (i64, i64) : i64 {\n"
       "scf.yield %t, %x : i64, i64\n}\n",
       {0, 0},
       {8, 0},
       Congruence{0, 8},
       Congruence{0, 8}},
  };
  for (const Carried& each : cases) {
    Diagnostics diagnostics;
    const std::optional<Program> program =
        parse(std::string(head) + std::string(each.text) + "return\n}\n}\n", {}, diagnostics);
    INFO(each.text << messages(diagnostics));
    REQUIRE(program.has_value());
    const Constants constants(*program);
    const IntegerFacts facts(*program, constants, kWrapping);
    const ValueId x = named(*program, "x");
    const ValueId counter = named(*program, "i");
    CHECK(facts.congruence(x, {{counter, 0}}) == each.first);
    CHECK(facts.congruence(x, {{counter, 1}}) == each.second);
    CHECK(facts.congruence(named(*program, "r")) == each.third);
    CHECK(facts.congruence(x) == each.any);
  }
}

TEST_CASE("what a loop carries into its last iteration comes from all earlier ones", "[integer-facts]") {
  Diagnostics diagnostics;
  const std::optional<Program> program = parse(
      "module attributes {pto.target_arch = \"a3\"} {\nfunc.func @k() attributes {pto.kernel} {\n"
      "%c0 = arith.constant 0 : i64\n%c1 = arith.constant 1 : i64\n%c4 = arith.constant 4 : i64\n"
      "%c9 = arith.constant 9 : i64\n"
      "%r = scf.for %i = %c0 to %c9 step %c1 iter_args(%x = %c4) -> (i64) : i64 {\n"
      "%y = arith.addi %x, %i : i64\nscf.yield %y : i64\n}\nreturn\n}\n}\n",
      {}, diagnostics);
  INFO(messages(diagnostics));
  REQUIRE(program.has_value());
  const Constants constants(*program);
  const IntegerFacts facts(*program, constants, kWrapping);
  // 4 + 0 + 1 + .. + 7 = 32, although %i is a multiple of 8 in that iteration.
  CHECK_FALSE(facts.congruence(named(*program, "x"), {{named(*program, "i"), 8}}).is_never_multiple_of(8));
}

}  // namespace
}  // namespace pto
