// Verdicts of prove() on kernels in which nothing but the scalar unit acts.
#include <fmt/format.h>

#include "prove/prover_fixture.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

using Verdict = Proof::Verdict;

constexpr uint64_t kRuns = 600;  ///< more find nothing else

/// Loaded numbers say how often %o[%at] is stored, and whether.
Verdict verdict_of(std::string_view at, std::string_view inside = "", std::string_view behind = "") {
  return test::proof_of(fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
func.func @k(%m: !pto.ptr<i32, gm>, %o: !pto.ptr<i32, gm>, %n: index)
    attributes {{pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i64 = arith.constant 64 : index
  %i1000 = arith.constant 1000 : index
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %u = pto.castptr %c0 : i64 -> !pto.ptr<i32, ub>
  %block = pto.get_block_idx
  %b = arith.index_cast %block : i64 to index
  %base = arith.muli %b, %i64 : index
  %far = arith.muli %n, %i1000 : index
  scf.for %k = %i0 to %n step %i1 {{
    %first = pto.load_scalar %m[%k] : !pto.ptr<i32, gm> -> i32
    %there = arith.index_cast %first : i32 to index
    %many = pto.load_scalar %m[%there] : !pto.ptr<i32, gm> -> i32
    %end = arith.index_cast %many : i32 to index
    scf.for %i = %i0 to %end step %i1 {{
      %in = arith.remui %i, %i64 : index
      %own = arith.addi %base, %in : index
      %on = arith.cmpi eq, %first, %many : i32
      scf.if %on {{
        pto.store_scalar %zero, %o[{}] : !pto.ptr<i32, gm>, i32
{}      }}
    }}
  }}
{}  return
}}
}})",
                                    at, inside, behind),
                        kRuns)
      .verdict;
}

constexpr std::string_view kCopy = R"(  pto.mte_gm_ub %o, %u, %c0, %c32 nburst(%c1, %c32, %c32)
    : !pto.ptr<i32, gm>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64
)";

TEST_CASE("where only the scalar unit acts, data may decide about all of it", "[prove]") {
  CHECK(verdict_of("%own") == Verdict::proved);
  CHECK(verdict_of("%own", "        %x = pto.load_scalar %o[%own] : !pto.ptr<i32, gm> -> i32\n") ==
        Verdict::proved);
}

TEST_CASE("scalar units of two blocks may meet where data say so", "[prove]") {
  CHECK(verdict_of("%in") != Verdict::proved);
  CHECK(verdict_of("%there") != Verdict::proved);
  CHECK(verdict_of("%i") != Verdict::proved);
  // Only with a great %n, which no run has, and at what is loaded only.
  CHECK(verdict_of("%far") != Verdict::proved);
  CHECK(verdict_of("%own", "        %x = pto.load_scalar %o[%i] : !pto.ptr<i32, gm> -> i32\n") !=
        Verdict::proved);
}

TEST_CASE("another pipe beside the scalar unit is looked at", "[prove]") {
  CHECK(verdict_of("%own", "", kCopy) != Verdict::proved);
  CHECK(verdict_of("%own", kCopy) != Verdict::proved);
}

}  // namespace
}  // namespace pto
