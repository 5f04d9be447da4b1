// Terms exist once; what they depend on, and where their numbers leave 64 bits.
#include "analysis/expression.hpp"

#include "plan/planner_fixture.hpp"
#include "test/analysis/arithmetic_fixture.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

using Kind = ExpressionTable::Kind;

LinearExpression times(int64_t factor, TermId term, int64_t constant = 0) {
  return {.constant = constant, .terms = {{term, factor}}};
}

TEST_CASE("sums of terms are equal however they are built", "[expression]") {
  ExpressionTable table;
  const TermId iteration = table.leaf(Kind::iteration), argument = table.leaf(Kind::value, 7);
  CHECK(table.leaf(Kind::value, 7) == argument);
  CHECK(table.leaf(Kind::value, 8) != argument);
  const auto half = sum(times(32, iteration), times(1, argument, 3));
  REQUIRE(half);
  CHECK(sum(*half, *half) == scaled(*half, 2));
  CHECK(sum(*half, *scaled(*half, -1)) == LinearExpression{});
  CHECK(scaled(*half, 0) == LinearExpression{});
  CHECK_FALSE(scaled(times(1, argument, INT64_MAX), 2));
  CHECK_FALSE(sum(times(INT64_MAX, argument), times(1, argument)));
}

TEST_CASE("an operation is a term by its row, its type, its attributes and its operands", "[expression]") {
  const Program program = test::parse_ok(
      "func.func @k(%a: !pto.ptr<f32>, %n: i64, %m: i64) attributes {pto.kernel} {\n"
      "%d = arith.divsi %n, %m : i64\n%e = arith.divsi %n, %m : i64\n%s = arith.trunci %n : i64 to i8\n"
      "%t = arith.trunci %n : i64 to i16\n%l = arith.cmpi slt, %n, %m : i64\n"
      "%g = arith.cmpi sgt, %n, %m : i64\nreturn\n}\n");
  const std::map<std::string, ValueId> names = test::names_of(program);
  ExpressionTable table;
  const LinearExpression n = times(1, table.leaf(Kind::value, names.at("%n")));
  const LinearExpression i = times(1, table.leaf(Kind::iteration));
  const auto term = [&](const std::string& name, std::vector<LinearExpression> operands) {
    for (uint32_t op = 0; op < program.ops.size(); ++op) {
      const OpView view(program, op);
      if (view.op().n_results == 1 && view.result(0) == names.at(name))
        return table.operation(view, std::move(operands));
    }
    FAIL(name);
    return TermId{0};
  };
  CHECK(term("%d", {n, i}) == term("%e", {n, i}));
  CHECK(term("%d", {n, i}) != term("%d", {i, n}));
  CHECK(term("%s", {n}) != term("%t", {n}));
  CHECK(term("%l", {n, i}) != term("%g", {n, i}));
  CHECK(table.depends_on(term("%d", {n, i}), Kind::iteration));
  CHECK_FALSE(table.depends_on(term("%d", {n, n}), Kind::iteration));
  CHECK(table.depends_on(times(4, term("%s", {n})), Kind::value));
  CHECK_FALSE(table.is_leaf(term("%s", {n}), Kind::value));
}

}  // namespace
}  // namespace pto
