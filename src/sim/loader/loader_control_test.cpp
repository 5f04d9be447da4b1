#include "sim/loader/loader_control.hpp"

#include "sim/loader/loader_fixture.hpp"

namespace pto::sim {
namespace {

using enum OpCode;
using Ops = std::vector<OpCode>;

TEST_CASE("a loop tests at its top and moves its values", "[sim]") {
  const auto loaded = test::load_body(R"(
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (index) {
      %y = arith.addi %x, %i : index
      scf.yield %y : index
    })");
  REQUIRE(loaded->error.empty());
  CHECK(loaded->ops() == Ops{move, for_test, exec, move, for_next, move, halt});
  const std::vector<BytecodeInst>& code = loaded->role().code;
  CHECK(code[1].target == 5);
  CHECK(code[4].target == 1);
}

TEST_CASE("the branch of scf.if goes to the other region", "[sim]") {
  const auto loaded = test::load_body(R"(
    %c = arith.cmpi slt, %n, %c1 : index
    %r = scf.if %c -> (index) {
      scf.yield %c0 : index
    } else {
      scf.yield %c1 : index
    })");
  REQUIRE(loaded->error.empty());
  CHECK(loaded->ops() == Ops{exec, branch_false, move, jump, move, halt});
  CHECK(loaded->role().code[1].target == 4);
  CHECK(loaded->role().code[3].target == 5);
}

TEST_CASE("a callee is loaded once, behind the kernel", "[sim]") {
  const auto loaded = test::load_body(
      "%a = func.call @f(%n) : (index) -> index\n"
      "%b = func.call @f(%a) : (index) -> index",
      "func.func @f(%v: index) -> index {\n"
      "%w = arith.addi %v, %v : index\nreturn %w : index\n}\n");
  REQUIRE(loaded->error.empty());
  CHECK(loaded->ops() == Ops{move, call, move, move, call, move, halt, exec, move, ret});
  CHECK(loaded->role().code[1].target == 7);
  CHECK(loaded->role().code[4].target == 7);
  CHECK(loaded->role().code[1].a == loaded->role().code[9].a);
}

TEST_CASE("a function that calls itself is refused", "[sim]") {
  const auto loaded = test::load_body("func.call @f() : () -> ()",
                                      "func.func @f() {\nfunc.call @f() : () -> ()\nreturn\n}\n");
  CHECK(loaded->error.ends_with("@f calls itself; recursion has no meaning here"));
}

}  // namespace
}  // namespace pto::sim
