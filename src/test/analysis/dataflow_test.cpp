// The solver on the lattice of its worked example, and on the structure that it follows.
#include "analysis/dataflow.hpp"

#include "analysis/constant_folding.hpp"
#include "analysis/data_dependence.hpp"
#include "ir/op_queries.hpp"
#include "isa/row.hpp"
#include "plan/planner_fixture.hpp"
#include "test/analysis/arithmetic_fixture.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

using isa::OpcodeClass;

enum class Parity : uint8_t { even, odd, any };

struct ParityLattice {
  using Fact = Parity;
  static constexpr unsigned kMaxRounds = 4;

  const Constants& constants;

  [[nodiscard]] Number constant(ValueId value) const { return constants.value_of(value); }
  [[nodiscard]] static Parity of_constant(int64_t number) {
    return number % 2 != 0 ? Parity::odd : Parity::even;
  }
  [[nodiscard]] static Parity entry(ValueId) { return Parity::any; }
  [[nodiscard]] static bool follows(const OpView& op) { return isa::opcode_class(op) == OpcodeClass::add; }
  static void add_inputs(ValueId, const ValueOrigin&, std::vector<ValueId>&) {}
  [[nodiscard]] static Parity transfer(const OpView&, ValueId, std::span<const Parity> operands) {
    if (operands.size() < 2 || operands[0] == Parity::any || operands[1] == Parity::any) return Parity::any;
    return operands[0] == operands[1] ? Parity::even : Parity::odd;
  }
  [[nodiscard]] static Parity counter(const OpView&, std::span<const Parity> bounds) {
    return bounds[2] == Parity::even ? bounds[0] : Parity::any;
  }
  [[nodiscard]] static Parity join(Parity a, Parity b) { return a == b ? a : Parity::any; }
  [[nodiscard]] static Parity widen(ValueId, Parity, Parity after) { return after; }
};

/// A body on an unknown %n and %yes.
class Body {
 public:
  explicit Body(const std::string& body)
      : program_(test::parse_ok(
            "func.func @k(%a: !pto.ptr<f32>, %n: index, %yes: i1) attributes {pto.kernel} {\n"
            "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n"
            "%c4 = arith.constant 4 : index\n" +
            body + "return\n}\n")),
        constants_(program_),
        names_(test::names_of(program_)),
        solver_(program_, {constants_}) {}
  Parity operator()(const std::string& name, const IterationVector& iterations = {}) {
    return solver_.fact(names_.at(name), iterations);
  }
  [[nodiscard]] ValueId value(const std::string& name) const { return names_.at(name); }

 private:
  Program program_;
  Constants constants_;
  std::map<std::string, ValueId> names_;
  SparseSolver<ParityLattice> solver_;
};

TEST_CASE("the worked example", "[dataflow]") {
  Body body(
      "%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c4) -> (index) {\n"
      "%y = arith.addi %x, %c2 : index\nscf.yield %y : index\n}\n%z = arith.addi %r, %c1 : index\n");
  CHECK(body("%z") == Parity::odd);
  CHECK(body("%x") == Parity::even);
  CHECK(body("%i") == Parity::any);
  CHECK(body("%y", {{body.value("%i"), 0}}) == Parity::even);
}

TEST_CASE("a fact in a fixed iteration", "[dataflow]") {
  Body body(
      "%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c4) -> (index) {\n"
      "%y = arith.addi %x, %c1 : index\n%w = arith.addi %y, %i : index\nscf.yield %y : index\n}\n");
  const ValueId i = body.value("%i");
  CHECK(body("%w") == Parity::any);
  CHECK(body("%w", {{i, 0}}) == Parity::odd);
  CHECK(body("%w", {{i, 1}}) == Parity::odd);
  CHECK(body("%x", {{i, 1}}) == Parity::odd);
  CHECK(body("%x", {{i, 2}}) == Parity::any);
  CHECK(body("%r", {{i, 0}}) == Parity::any);
}

TEST_CASE("what regions hand on", "[dataflow]") {
  Body body(
      "%f = scf.if %yes -> (index) {\nscf.yield %c2 : index\n} else {\nscf.yield %c4 : index\n}\n"
      "%g = scf.if %yes -> (index) {\nscf.yield %c2 : index\n} else {\nscf.yield %c1 : index\n}\n"
      "%v = scf.while (%p = %c4) : (index) -> index {\n%q = arith.addi %p, %c2 : index\n"
      "scf.condition(%yes) %q : index\n} do {\n^bb0(%s: index):\n%t = arith.addi %s, %c4 : index\n"
      "scf.yield %t : index\n}\n");
  CHECK(body("%f") == Parity::even);
  CHECK(body("%g") == Parity::any);
  CHECK(body("%v") == Parity::even);
  CHECK(body("%p") == Parity::even);
  CHECK(body("%s") == Parity::even);
}

TEST_CASE("a value depends on what decides where it comes from", "[dataflow]") {
  const Program program = test::parse_ok(
      "func.func @k(%a: !pto.ptr<f32>, %n: index, %yes: i1) attributes {pto.kernel} {\n"
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
      "%f = scf.if %yes -> (index) {\nscf.yield %c0 : index\n} else {\nscf.yield %c1 : index\n}\n"
      "%r = scf.for %i = %c0 to %f step %c1 iter_args(%x = %c1) -> (index) {\nscf.yield %x : index\n}\n"
      "%s = scf.for %j = %c0 to %n step %c1 iter_args(%y = %c1) -> (index) {\nscf.yield %y : index\n}\n"
      "return\n}\n");
  const std::map<std::string, ValueId> names = test::names_of(program);
  std::vector<uint8_t> sources(program.values.size(), 0);
  sources[names.at("%yes")] = 1;
  const uint32_t function = functions(program).front().op;
  const std::vector<uint8_t> depends = dependent_values(program, function, sources);
  for (const char* name : {"%yes", "%f", "%r", "%i", "%x"}) CHECK(depends[names.at(name)] == 1);
  for (const char* name : {"%n", "%c1", "%s", "%j", "%y"}) CHECK(depends[names.at(name)] == 0);
}

}  // namespace
}  // namespace pto
