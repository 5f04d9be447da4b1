#include "analysis/known_bits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include "pto/assembler.hpp"
#include "support/message_text.hpp"
#include "testing/catch_main.hpp"

namespace pto::legality {
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

TEST_CASE("every number that a chain gives has the low bits that are known of it", "[low-bits]") {
  std::mt19937 chance(7);
  unsigned known_bits = 0;
  for (int round = 0; round < 200; ++round) {
    const Chain chain(chance);
    Diagnostics diagnostics;
    const std::optional<Program> program = parse(chain.text, {}, diagnostics);
    INFO(chain.text << messages(diagnostics));
    REQUIRE(program.has_value());
    const Constants constants(*program);
    const LowBitsAnalysis numbers(*program, constants);
    for (size_t step = 0; step <= chain.steps.size(); ++step) {
      const KnownLowBits found = numbers.low_bits(named(*program, fmt::format("x{}", step)), {});
      known_bits += found.count;
      const uint64_t mask = found.constant() ? ~uint64_t{0} : (uint64_t{1} << found.count) - 1;
      for (const int64_t parameter : {-9, -8, -1, 0, 1, 2, 3, 5, 8, 100, 4097})
        REQUIRE((static_cast<uint64_t>(chain.value(parameter, step)) & mask) == found.bits);
    }
  }
  CHECK(known_bits > 2000);
}

struct Carried {
  std::string_view text;
  KnownLowBits first, second, third, any;  ///< in the turns 0 and 1 of %i, behind the loop, and in any turn
};

TEST_CASE("what loops carry and branches choose", "[low-bits]") {
  const std::string_view head =
      "module attributes {pto.target_arch = \"a3\"} {\nfunc.func @k(%n: i64, %yes: i1) attributes "
      "{pto.kernel} "
      "{\n%c0 = arith.constant 0 : i64\n%c1 = arith.constant 1 : i64\n%c16 = arith.constant 16 : i64\n"
      "%c8 = arith.constant 8 : i64\n%c64 = arith.constant 64 : i64\n%c4 = arith.constant 4 : i64\n";
  const KnownLowBits none{}, eight{4, 8}, sixteen{4, 0};
  const Carried cases[] = {
      {"%r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %c8) -> (i64) : i64 {\n"
       "%y = arith.addi %x, %c16 : i64\nscf.yield %y : i64\n}\n",
       {64, 8},
       {64, 24},
       eight,
       eight},
      {"%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c8) -> (i64) : i64 {\n"
       "%y = scf.if %yes -> (i64) {\n%u = arith.addi %x, %c64 : i64\nscf.yield %u : i64\n} else {\n"
       "%v = arith.subi %x, %c16 : i64\nscf.yield %v : i64\n}\nscf.yield %y : i64\n}\n",
       {64, 8},
       {4, 8},
       eight,
       eight},
      {"%r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %c0) -> (i64) : i64 {\n"
       "%y = scf.for %j = %c0 to %n step %c1 iter_args(%z = %x) -> (i64) : i64 {\n"
       "%w = arith.addi %z, %c16 : i64\nscf.yield %w : i64\n}\nscf.yield %y : i64\n}\n",
       {64, 0},
       sixteen,
       sixteen,
       sixteen},
      {"%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c8) -> (i64) : i64 {\n"
       "%y = arith.addi %x, %n : i64\nscf.yield %y : i64\n}\n",
       {64, 8},
       none,
       none,
       none},
      {"%r, %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %c0, %t = %c8) -> (i64, i64) : i64 {\n"
       "scf.yield %t, %x : i64, i64\n}\n",
       {64, 0},
       {64, 8},
       KnownLowBits{3, 0},
       KnownLowBits{3, 0}},
  };
  for (const Carried& each : cases) {
    Diagnostics diagnostics;
    const std::optional<Program> program =
        parse(std::string(head) + std::string(each.text) + "return\n}\n}\n", {}, diagnostics);
    INFO(each.text << messages(diagnostics));
    REQUIRE(program.has_value());
    const Constants constants(*program);
    const LowBitsAnalysis numbers(*program, constants);
    const ValueId x = named(*program, "x"), turn = named(*program, "i");
    const auto is = [](const KnownLowBits& one, const KnownLowBits& other) {
      return one.count == other.count && one.bits == other.bits;
    };
    CHECK(is(numbers.low_bits(x, IterationVector{{turn, 0}}), each.first));
    CHECK(is(numbers.low_bits(x, IterationVector{{turn, 1}}), each.second));
    CHECK(is(numbers.low_bits(named(*program, "r"), {}), each.third));
    CHECK(is(numbers.low_bits(x, {}), each.any));
  }
}

}  // namespace
}  // namespace pto::legality
