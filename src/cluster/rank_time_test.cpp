// Several devices: how long transfers take, beside public times and by hand.
#include <algorithm>
#include <cmath>

#include "driver/run_fixture.hpp"
#include "pto/ranks.hpp"

namespace {

using namespace pto;

/// `args` of each rank, by its number.
template <typename Job>
std::vector<RankResult> run(const std::string& text, uint32_t ranks, const std::string& topology,
                            Job&& job_of) {
  const Result<Prepared> prepared = prepare(std::string(text));
  REQUIRE(prepared.ok());
  for (const Diagnostic& d : prepared->diagnostics.all()) UNSCOPED_INFO(d.where.line << ": " << d.message);
  REQUIRE(prepared->ready);
  SimOptions options;
  options.target = prepared->target;
  std::vector<RankJob> jobs;
  for (uint32_t rank = 0; rank < ranks; ++rank) jobs.push_back(job_of(rank));
  RankTransport alone;
  auto results = simulate_ranks(prepared->program, ranks, jobs, options, topology, alone);
  REQUIRE(results.ok());
  for (const RankResult& each : *results) test::expect_clean(each.result);
  return std::move(*results);
}

std::string get_kernel(uint64_t elements) {
  const std::string n = std::to_string(elements);
  return R"(!flat = !pto.partition_tensor_view<1x)" + n + R"(xf32>
!tile = !pto.tile_buf<vec, 1x1024xf32>
module attributes {pto.target_arch = "a2a3"} {
func.func @k(%x: !pto.ptr<f32>, %d: !pto.ptr<f32>, %peer: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant )" +
         n + R"( : index
  %a = arith.constant 0 : i64
  %t = pto.alloc_tile addr = %a : !tile
  %dv = pto.make_tensor_view %d, shape = [%c1, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>
  %pv = pto.make_tensor_view %peer, shape = [%c1, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>
  %dp = pto.partition_view %dv, offsets = [%c0, %c0], sizes = [%c1, %n] : !pto.tensor_view<?x?xf32> -> !flat
  %pp = pto.partition_view %pv, offsets = [%c0, %c0], sizes = [%c1, %n] : !pto.tensor_view<?x?xf32> -> !flat
  pto.comm.tget(%dp, %pp, buf(%t) : !flat, !flat, !tile)
  return
}
})";
}

/// comm.md, section 8: one core between two devices, through a tile of 4 KiB; ticks of 50 MHz are our
/// reading.
TEST_CASE("A get through a tile takes what was measured", "[ranks]") {
  struct Row {
    uint64_t bytes;
    double ticks;
  };
  constexpr Row kRows[] = {
      {4096, 36.28}, {16384, 149.98}, {65536, 579.62}, {262144, 2409.72}, {1048576, 9317.93}};
  constexpr double kCyclesPerTick = 1850.0 / 50;
  constexpr double kError = 0.05;
  for (const Row& row : kRows) {
    INFO(row.bytes);
    const std::vector<float> data(row.bytes / sizeof(float), 1);
    const auto results = run(get_kernel(data.size()), 2, "full_mesh", [&](uint32_t rank) {
      RankJob job;
      job.rank = rank;
      job.arguments = {test::buffer("x", data), test::buffer("d", data), Argument{}};
      job.known = {{}, {}, {1 - rank, 0, true}};
      return job;
    });
    const auto cycles = static_cast<double>(results[0].result.kernel_cycles());
    CHECK(std::abs(cycles / (row.ticks * kCyclesPerTick) - 1) < kError);
  }
}

/// Ranks 0 and 1 put 64 KiB into the window of rank 2 each and tell it.
std::string two_puts() {
  return R"(!row = !pto.partition_tensor_view<1x16384xf32>
!tile = !pto.tile_buf<vec, 1x16384xf32>
!word = !pto.partition_tensor_view<1xi32>
module attributes {pto.target_arch = "a2a3"} {
func.func @k(%x: !pto.ptr<f32>, %w: !pto.ptr<f32>, %s: !pto.ptr<i32>, %there: !pto.ptr<f32>, %word: !pto.ptr<i32>, %rank: i32) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = arith.constant 16384 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = arith.constant 0 : i64
  %t = pto.alloc_tile addr = %a : !tile
  %me = arith.index_cast %rank : i32 to index
  %xv = pto.make_tensor_view %x, shape = [%c1, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>
  %tv = pto.make_tensor_view %there, shape = [%c2, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>
  %sv = pto.make_tensor_view %s, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
  %wv = pto.make_tensor_view %word, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
  %own = pto.partition_view %sv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
  %other = pto.partition_view %wv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !word
  %sends = arith.cmpi slt, %rank, %two : i32
  scf.if %sends {
    %xp = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c1, %n] : !pto.tensor_view<?x?xf32> -> !row
    %tp = pto.partition_view %tv, offsets = [%me, %c0], sizes = [%c1, %n] : !pto.tensor_view<?x?xf32> -> !row
    pto.comm.tput(%tp, %xp, buf(%t) : !row, !row, !tile)
    pto.comm.tnotify(%other, %one : !word, i32) {notifyOp = #pto<notify_op atomic_add>}
  }
  %waits = arith.cmpi eq, %rank, %two : i32
  scf.if %waits {
    pto.comm.twait(%own, %two : !word, i32) {cmp = #pto<wait_cmp ge>}
  }
  return
}
})";
}

TEST_CASE("Who goes through a link waits for the others there", "[ranks]") {
  constexpr uint64_t kBytes = 65536, kBandwidth = 11, kLatency = 400;
  const auto cycles = [&](const std::string& topology) {
    const auto results = run(two_puts(), 4, topology, [&](uint32_t rank) {
      RankJob job;
      job.rank = rank;
      const std::vector<float> data(kBytes / sizeof(float), 1);
      Argument number;
      number.is_buffer = false;
      number.scalar = rank;
      job.arguments = {test::buffer("x", data),
                       test::buffer("w", std::vector<float>(2 * data.size(), 0)),
                       test::buffer("s", std::vector<int32_t>{0}),
                       Argument{},
                       Argument{},
                       number};
      job.known = {{}, {}, {}, {2, 1, true}, {2, 2, true}, {}};
      return job;
    });
    return results[2].result.kernel_cycles();
  };
  // Each over a link of its own; both over the one from 1 to 2; both over the one into 2.
  CHECK(cycles("full_mesh") < 2 * kBytes / kBandwidth);
  CHECK(cycles("ring") > 2 * kBytes / kBandwidth + kLatency);
  CHECK(cycles("hub") > 2 * kBytes / kBandwidth + kLatency);
  CHECK(cycles("ring") < 3 * kBytes / kBandwidth);
  CHECK(cycles("hub") < 3 * kBytes / kBandwidth);
}

}  // namespace
