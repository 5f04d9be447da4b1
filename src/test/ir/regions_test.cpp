#include "ir/regions.hpp"

#include <algorithm>

#include "pto/assembler.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

Program assemble(std::string_view text) {
  Diagnostics diagnostics;
  ParseOptions options;
  std::optional<Program> program = parse(text, options, diagnostics);
  REQUIRE(program.has_value());
  return std::move(*program);
}

/// The only operation of this name.
uint32_t find(const Program& program, std::string_view name) {
  uint32_t found = kNoOp;
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    if (OpView(program, op).mnemonic() != name) continue;
    REQUIRE(found == kNoOp);
    found = op;
  }
  REQUIRE(found != kNoOp);
  return found;
}

std::vector<std::string> names(const Program& program, const Region& region) {
  std::vector<std::string> list;
  for (const uint32_t op : ops_in(program, region)) list.emplace_back(OpView(program, op).mnemonic());
  return list;
}

constexpr std::string_view kNested = R"(
module attributes {pto.target_arch = "a5"} {
  func.func @k(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cond = arith.cmpi slt, %c0, %n : index
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {
      scf.if %cond {
        %two = arith.addi %i, %i : index
        scf.yield
      }
      %next = arith.subi %a, %i : index
      scf.yield %next : index
    }
    scf.for %i = %c0 to %n step %c1 {
      scf.if %cond {
        scf.yield
      }
    }
    return
  }
}
)";

TEST_CASE("walk: the children of a region leave out what is nested", "[walk]") {
  const Program program = assemble(kNested);
  const std::vector<std::string> wanted = {"arith.constant", "arith.constant", "arith.cmpi",
                                           "scf.for",        "scf.for",        "func.return"};
  CHECK(names(program, body_of(program, find(program, "func.func"))) == wanted);
  CHECK(names(program, Region{3, 3, 0, 0}).empty());
}

TEST_CASE("walk: inside of an operation is everything at every depth", "[walk]") {
  const Program program = assemble(kNested);
  size_t count = 0;
  for (const uint32_t op : descendants(program, 0)) count += op != 0;
  CHECK(count == program.ops.size() - 1);
  const uint32_t leaf = find(program, "arith.cmpi");
  CHECK(descendants(program, leaf).begin() == descendants(program, leaf).end());
}

TEST_CASE("walk: a region ends with its own terminator, not with a nested one", "[walk]") {
  const Program program = assemble(kNested);
  std::vector<uint32_t> loops;
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    if (OpView(program, op).mnemonic() == "scf.for") loops.push_back(op);
  }
  REQUIRE(loops.size() == 2);
  const Region& first = body_of(program, loops[0]);
  REQUIRE(terminator(program, first).has_value());
  CHECK(OpView(program, *terminator(program, first)).mnemonic() == "scf.yield");
  REQUIRE(yielded_values(program, first).size() == 1);
  CHECK(program.name_of(yielded_values(program, first)[0]) == "next");
  const Region& second = body_of(program, loops[1]);
  CHECK(is_terminator(program, second.end - 1));
  CHECK_FALSE(terminator(program, second).has_value());
  CHECK(OpView(program, last_of(program, second)).mnemonic() == "scf.if");
  CHECK(yielded_values(program, second).empty());
  CHECK(last_of(program, Region{3, 3, 0, 0}) == kNoOp);
}

TEST_CASE("walk: the condition of a while loop is not among what it hands on", "[walk]") {
  const Program program = assemble(R"(
func.func @k(%n: index) {
  %r = scf.while (%a = %n) : (index) -> index {
    %true = arith.constant true
    scf.condition(%true) %a : index
  } do {
  ^bb0(%b: index):
    scf.yield %b : index
  }
  return
}
)");
  const Region& before = body_of(program, find(program, "scf.while"));
  REQUIRE(yielded_values(program, before).size() == 1);
  CHECK(program.name_of(yielded_values(program, before)[0]) == "a");
}

TEST_CASE("walk: vector scopes are vecscopes and loops of the older spelling", "[walk]") {
  const Program program = assemble(R"(
module attributes {pto.target_arch = "a5"} {
  func.func @k(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    pto.vecscope {
    }
    scf.for %i = %c0 to %n step %c1 {
    } {llvm.loop.aivector_scope}
    scf.for %i = %c0 to %n step %c1 {
    }
    return
  }
}
)");
  std::vector<bool> opens;
  for (const uint32_t op : ops_in(program, body_of(program, find(program, "func.func"))))
    opens.push_back(opens_vector_scope(OpView(program, op)));
  CHECK(opens == std::vector<bool>{false, false, true, true, false, false});
}

TEST_CASE("walk: what encloses an operation, by stepping and by the tree", "[walk]") {
  const Program program = assemble(kNested);
  const RegionTree tree(program);
  EnclosingOps enclosing(program);
  std::vector<uint32_t> left;
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    enclosing.advance_to(op, [&](uint32_t ended) { left.push_back(ended); });
    uint32_t brute = kNoOp;
    for (uint32_t outer = 0; outer < op; ++outer) {
      if (program.end_of(outer) > op) brute = outer;
    }
    CHECK(enclosing.innermost() == brute);
    CHECK(tree.parent(op) == brute);
    if (program.ops[op].n_regions != 0) enclosing.enter(op);
  }
  for (size_t i = 1; i < left.size(); ++i) CHECK(program.end_of(left[i - 1]) <= program.end_of(left[i]));
}

TEST_CASE("walk: an operation runs before another when it stands before it or before what holds it",
          "[walk]") {
  const Program program = assemble(kNested);
  const RegionTree tree(program);
  const uint32_t compare = find(program, "arith.cmpi");
  const uint32_t add = find(program, "arith.addi");
  const uint32_t sub = find(program, "arith.subi");
  CHECK(tree.dominates(compare, add));
  CHECK_FALSE(tree.dominates(add, compare));
  CHECK_FALSE(tree.dominates(add, sub));  // in a branch that need not run
  CHECK(tree.dominates(compare, sub));
  CHECK_FALSE(tree.dominates(add, add));
}

}  // namespace
}  // namespace pto
