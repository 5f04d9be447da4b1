#include <fmt/format.h>

#include "analysis/constant_folding.hpp"
#include "pto/assembler.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

/// The number of %x after these lines.
Number x_after(std::string_view lines) {
  Diagnostics diagnostics;
  ParseOptions options;
  const std::string text = fmt::format("func.func @k(%arg: i64, %flag: i1) {{\n{}\n  return\n}}\n", lines);
  const std::optional<Program> program = parse(text, options, diagnostics);
  INFO(text);
  REQUIRE(program.has_value());
  REQUIRE(diagnostics.errors() == 0);
  for (ValueId value = 0; value < program->values.size(); ++value) {
    if (program->name_of(value) == "x") return Constants(*program).value_of(value);
  }
  FAIL("no %x");
  return std::nullopt;
}

TEST_CASE("constants: written numbers, through every cast", "[constants]") {
  CHECK(x_after("%x = arith.constant 7 : i32") == 7);
  CHECK(x_after("%x = arith.constant -7 : index") == -7);
  CHECK(x_after("%x = arith.constant true") == 1);
  CHECK(x_after("%a = arith.constant 262144 : i32\n%x = arith.extsi %a : i32 to i64") == 262144);
  CHECK(x_after("%a = arith.constant 9 : i32\n%x = arith.index_cast %a : i32 to index") == 9);
  CHECK(x_after("%a = arith.constant 9 : index\n%x = arith.index_castui %a : index to i64") == 9);
  CHECK(x_after("%a = arith.constant 9 : i64\n%x = arith.trunci %a : i64 to i8") == 9);
  CHECK(x_after("%a = arith.constant 9 : i8\n%x = arith.extui %a : i8 to i32") == 9);
}

TEST_CASE("constants: a cast to a type that is too small is not followed", "[constants]") {
  CHECK(x_after("%a = arith.constant 300 : i64\n%x = arith.trunci %a : i64 to i8") == std::nullopt);
  CHECK(x_after("%a = arith.constant -1 : i32\n%x = arith.extui %a : i32 to i64") == 0xffffffff);
}

TEST_CASE("constants: true is -1 where its sign is extended", "[constants]") {
  CHECK(x_after("%a = arith.constant true\n%x = arith.extsi %a : i1 to i32") == -1);
  CHECK(x_after("%a = arith.constant true\n%x = arith.extui %a : i1 to i32") == 1);
  CHECK(x_after("%a = arith.constant false\n%x = arith.extsi %a : i1 to i32") == 0);
  // -1 < 0 holds
  CHECK(x_after("%a = arith.constant true\n%b = arith.constant false\n%x = arith.cmpi slt, %a, %b : i1") !=
        0);
}

TEST_CASE("constants: arithmetic of known numbers", "[constants]") {
  const auto of = [](std::string_view name, int64_t a, int64_t b, std::string_view type = "i32") {
    return x_after(
        fmt::format("%a = arith.constant {} : {}\n%b = arith.constant {} : {}\n%x = {} %a, %b : {}", a, type,
                    b, type, name, type));
  };
  CHECK(of("arith.addi", 5, 6) == 11);
  CHECK(of("arith.subi", 5, 6) == -1);
  CHECK(of("arith.muli", 5, 6) == 30);
  CHECK(of("arith.divsi", 17, 5) == 3);
  CHECK(of("arith.remui", 17, 5) == 2);
  CHECK(of("arith.andi", 12, 10) == 8);
  CHECK(of("arith.ori", 12, 10) == 14);
  CHECK(of("arith.xori", 12, 10) == 6);
  CHECK(of("arith.shli", 3, 4) == 48);
  CHECK(of("arith.minsi", -3, 4) == -3);
  CHECK(of("arith.maxsi", -3, 4) == 4);
  CHECK(of("arith.cmpi slt,", -3, 4) == 1);
  CHECK(of("arith.cmpi eq,", -3, 4) == 0);
  CHECK(of("arith.cmpi ult,", 3, 4) == 1);
  CHECK(of("arith.cmpi ult,", -3, 4) == 0);
  CHECK(of("arith.remsi", -7, 2) == -1);
}

TEST_CASE("constants: what leaves its type, or has no answer, is not known", "[constants]") {
  const auto of = [](std::string_view name, std::string_view a, std::string_view b, std::string_view type) {
    return x_after(
        fmt::format("%a = arith.constant {} : {}\n%b = arith.constant {} : {}\n%x = {} %a, %b : {}", a, type,
                    b, type, name, type));
  };
  CHECK(of("arith.addi", "100", "100", "i8") == std::nullopt);
  CHECK(of("arith.addi", "100", "27", "i8") == 127);
  CHECK(of("arith.muli", "4611686018427387904", "2", "i64") == std::nullopt);
  CHECK(of("arith.divsi", "1", "0", "i32") == std::nullopt);
  CHECK(of("arith.remsi", "-7", "0", "i32") == std::nullopt);
  CHECK(of("arith.shli", "1", "64", "i64") == std::nullopt);
}

TEST_CASE("constants: a choice that is known, and one that is not", "[constants]") {
  constexpr std::string_view kTwo = "%a = arith.constant 3 : i64\n%b = arith.constant 4 : i64\n";
  CHECK(x_after(fmt::format("{}%c = arith.constant true\n%x = arith.select %c, %a, %b : i64", kTwo)) == 3);
  CHECK(x_after(fmt::format("{}%c = arith.constant false\n%x = arith.select %c, %a, %b : i64", kTwo)) == 4);
  CHECK(x_after(fmt::format("{}%x = arith.select %flag, %a, %b : i64", kTwo)) == std::nullopt);
  CHECK(x_after("%a = arith.constant 3 : i64\n%x = arith.addi %a, %arg : i64") == std::nullopt);
}

TEST_CASE("constants: long chains take one step each", "[constants]") {
  std::string lines = "%v0 = arith.constant 1 : i64\n";
  for (int i = 1; i < 60; ++i) lines += fmt::format("%v{} = arith.addi %v{}, %v{} : i64\n", i, i - 1, i - 1);
  CHECK(x_after(lines + "%x = arith.subi %v59, %v0 : i64") == (int64_t{1} << 59) - 1);
}

TEST_CASE("constants: which operation makes a value", "[constants]") {
  Diagnostics diagnostics;
  const std::optional<Program> program =
      parse("func.func @k(%arg: i64) {\n  %a = arith.addi %arg, %arg : i64\n  return\n}\n", {}, diagnostics);
  REQUIRE(program.has_value());
  const Constants constants(*program);
  for (ValueId value = 0; value < program->values.size(); ++value) {
    if (program->name_of(value) == "arg") CHECK(constants.defining_op(value) == kNoOp);
    if (program->name_of(value) == "a")
      CHECK(OpView(*program, constants.defining_op(value)).mnemonic() == "arith.addi");
  }
  CHECK(constants.value_of(kNoValue) == std::nullopt);
  CHECK(constants.defining_op(kNoValue) == kNoOp);
}

}  // namespace
}  // namespace pto
