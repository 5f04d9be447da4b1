// Statements that look like the one before them, and those that almost do; several statements on one line.
#include "asm/parse/forms/match_cache.hpp"

#include "asm/parse/parse_fixture.hpp"

using namespace pto;
using namespace pto::text::testing;

TEST_CASE("A statement of the same shape has its own words, names, numbers and types", "[asm]") {
  const Program p = assemble(kernel(R"(
    %a = arith.constant 1 : i32
    %c = arith.constant 7 : i64
    %x = arith.cmpi slt, %a, %a : i32
    %y = arith.cmpi sgt, %c, %n : i64
    %z = arith.cmpi sgt, %a, %a : i32
    %s = arith.addi %a, %a : i32
    %t = arith.addi %c, %n : i64
    %u = arith.addi %a, %s overflow<nsw> : i32)"));
  std::vector<int64_t> constants, predicates;
  std::vector<Elem> sums;
  for (uint32_t i = 0; i < p.ops.size(); ++i) {
    const OpView op(p, i);
    if (op.mnemonic() == "arith.constant") constants.push_back(op.attr("value")->integer);
    if (op.mnemonic() == "arith.cmpi") predicates.push_back(op.attr_int("predicate"));
    if (op.mnemonic() == "arith.addi") sums.push_back(op.result_type(0).elem);
  }
  CHECK(constants == std::vector<int64_t>{1, 7});
  CHECK(predicates == std::vector<int64_t>{2, 4, 4});  // MLIR: slt is 2, sgt 4
  CHECK(sums == std::vector<Elem>{Elem::i32, Elem::i64, Elem::i32});
  check_round_trip(p);
}

TEST_CASE("Errors in a statement of a known shape stand at their own place", "[asm]") {
  const std::string good = "%a = arith.constant 1 : i32\n%s = arith.addi %a, %a : i32\n";
  Failure failure = refuse(kernel(good + "%c = arith.addi %a, %zz : i32"));
  CHECK(failure.id == E0112);
  CHECK(failure.spelling == "%zz");
  failure = refuse(kernel(good + "%c = arith.addi %a %a : i32"));
  CHECK(failure.id == E0101);
  failure = refuse(kernel("%x = arith.cmpi slt, %n, %n : i64\n%y = arith.cmpi slr, %n, %n : i64"));
  CHECK(failure.id == E0121);
  CHECK(failure.spelling == "slr");
  failure = refuse(kernel(good + "%c, %d = arith.addi %a, %a : i32"));
  CHECK(failure.id == E0119);
}

TEST_CASE("Statements on one line end where the next one's results begin", "[asm]") {
  const Program p = assemble(
      "module { func.func private @two(i32) -> (i32, i32) func.func @k(%v: i32) attributes {pto.kernel} { "
      "pto.barrier #pto.pipe<PIPE_ALL> %a:2 = func.call @two(%v) : (i32) -> (i32, i32) "
      "%b, %c = func.call @two(%a#1) : (i32) -> (i32, i32) %d = arith.addi %b, %c : i32 "
      "%e = arith.addi %d,\n%a#0 : i32 return } }");
  CHECK(count_ops(p, "func.call") + count_ops(p, "call") == 2);
  CHECK(count_ops(p, "arith.addi") == 2);
  check_round_trip(p);
}
