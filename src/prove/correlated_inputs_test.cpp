// Verdicts of prove() on kernels whose cores ask the same of their data, which nothing but letting it go any
// way decides, beside twins that ask something else; beside runs with random data.
#include <fmt/format.h>

#include "prove/prover_oracle.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

using namespace test::cores;

std::string sections(const std::string& cube, const std::string& vector) {
  return kernel(
      "a3", fmt::format("  pto.section.cube {{\n{}  }}\n  pto.section.vector {{\n{}  }}\n", cube, vector));
}

/// The cube core tells, the vector cores wait, where it is so.
std::string told(std::string_view cube_place, std::string_view vector_place, std::string_view head) {
  return sections(turns(cube_place, head, line("pto.sync.set <PIPE_FIX>, 1"), "", Takes::bits),
                  turns(vector_place, head, line("pto.sync.wait <PIPE_MTE2>, 1"), "", Takes::bits));
}

TEST_CASE("cores that go by the same bits of the same numbers keep step", "[prove]") {
  // Any number of signals without an answer is too many for the counter: nothing is proved of those.
  for (const std::string_view head : {kSome, kTimes}) {
    Oracle oracle;
    for (const std::string_view place : {"%d[%i]", "%d[%i0]", "%d[%i2]"})
      oracle.check(told(place, place, head));
    CHECK(oracle.proved == (head == kSome ? 3 : 0));
  }
}

TEST_CASE("cores that go by other numbers may not keep step", "[prove]") {
  Oracle oracle;
  for (const std::string_view head : {kSome, kTimes}) {
    oracle.check(told("%d[%i]", "%e[%i]", head));
    oracle.check(told("%d[%i]", "%d[%i0]", head));
    oracle.check(told("%d[%i0]", "%d[%i1]", head));
  }
  CHECK(oracle.proved == 0);
}

TEST_CASE("what the kernel writes is not the same number for all", "[prove]") {
  Oracle oracle;
  const std::string write = line("pto.store_scalar %three, %d[%i] : !pto.ptr<i32, gm>, i32");
  const std::string set = line("pto.sync.set <PIPE_FIX>, 1");
  const std::string wait = line("pto.sync.wait <PIPE_MTE2>, 1");
  oracle.check(sections(turns("%d[%i]", kSome, set, write, Takes::bits),
                        turns("%d[%i]", kSome, wait, "", Takes::bits)));
  CHECK(oracle.proved == 0);
}

TEST_CASE("both sides of a queue that go by the same bits keep step", "[prove]") {
  Oracle oracle;
  oracle.max_runs = 3000;
  const std::string push = line(fmt::format("pto.tpush_to_aiv(%t : {}) {{split = 0}}", kAcc));
  const std::string take = line(fmt::format("%q = pto.tpop_from_aic {{split = 0}} -> {}", kVec)) +
                           line("pto.tfree_from_aic {split = 0}");
  const auto queue = [&](std::string_view arch, std::string_view cube_place, std::string_view vector_place,
                         std::string_view head) {
    return queue_kernel(arch, turns(cube_place, head, push, "", Takes::bits),
                        turns(vector_place, head, take, "", Takes::bits));
  };
  for (const std::string_view arch : {"a3", "a5"}) {
    for (const std::string_view head : {kSome, kTimes}) oracle.check(queue(arch, "%d[%i]", "%d[%i]", head));
  }
  CHECK(oracle.proved == 4);
  for (const std::string_view arch : {"a3", "a5"}) {
    for (const std::string_view head : {kSome, kTimes}) oracle.check(queue(arch, "%d[%i]", "%e[%i]", head));
  }
  CHECK(oracle.proved == 4);
}

TEST_CASE("whichever branch gives a slot back, the queue has it again", "[prove]") {
  Oracle oracle;
  const std::string push = line(fmt::format("pto.tpush_to_aiv(%t : {}) {{split = 0}}", kAcc));
  const std::string take = line(fmt::format("%q = pto.tpop_from_aic {{split = 0}} -> {}", kVec)) +
                           line("pto.tfree_from_aic {split = 0}");
  const std::string other = line("} else {") + take;
  const auto kernel = [&](std::string_view arch, const std::string& otherwise) {
    // More turns than the queue has slots: entries are given back in time.
    return queue_kernel(arch, turns("%d[%i]", kSome, "", push, Takes::bits, "%i12"),
                        turns("%d[%i]", kSome, take + otherwise, "", Takes::bits, "%i12"));
  };
  // Were signals of the two branches told apart, 292 and 159 runs would be needed, not 188 and 90.
  for (const auto& [arch, runs] : {std::pair("a3", 240), std::pair("a5", 125)}) {
    oracle.max_runs = runs;
    oracle.check(kernel(arch, other));
  }
  CHECK(oracle.proved == 2);
  for (const std::string_view arch : {"a3", "a5"}) oracle.check(kernel(arch, ""));
  CHECK(oracle.proved == 2);
}

TEST_CASE("blocks and vector cores have numbers of their own", "[prove]") {
  Oracle oracle;
  constexpr std::string_view kVector = ", pto.kernel_kind = #pto.kernel_kind<vector>";
  const std::string block = "  %block = pto.get_block_idx\n  %b = arith.index_cast %block : i64 to index\n";
  const std::string meet = line("pto.sync.set <PIPE_MTE3>, 3 {ffts_mode = 0 : i32}") +
                           line("pto.sync.wait <PIPE_V>, 3 {ffts_mode = 0 : i32}");
  oracle.check(kernel("a3", block + turns("%d[%i]", kSome, meet, "", Takes::bits), kVector), {1, 2, 3});
  CHECK(oracle.proved == 1);
  oracle.check(kernel("a3", block + turns("%d[%b]", kSome, meet, "", Takes::bits), kVector), {1, 2, 3});
  const std::string half = "  %sub = pto.get_subblock_idx\n  %b = arith.index_cast %sub : i64 to index\n";
  const std::string set = line("pto.sync.set <PIPE_MTE3>, 1");
  const std::string wait = line("pto.sync.wait <PIPE_FIX>, 1");
  oracle.check(sections(turns("%d[%i0]", kSome, wait, "", Takes::bits),
                        half + turns("%d[%b]", kSome, set, "", Takes::bits)));
  CHECK(oracle.proved == 1);
}

}  // namespace
}  // namespace pto
