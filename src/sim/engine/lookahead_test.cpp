// A core that runs ahead of its turn changes nothing: a run that nobody watches has the times of a watched
// one.
#include <random>

#include "sim/engine/sim_fixture.hpp"

using namespace pto;
using namespace pto::sim;
using namespace pto::sim::test;

namespace {

// Blocks of different length: the cube core hands over to its vector cores and back, all of them move bytes
// of GM.
constexpr std::string_view kMixed = R"(module attributes {pto.target_arch = "a3"} {
  func.func @k(%x: !pto.ptr<f32, gm>) attributes {pto.kernel} {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i3 = arith.constant 3 : index
    %i16 = arith.constant 16 : index
    %i5 = arith.constant 5 : index
    %l0 = arith.constant 0 : i64
    %l1 = arith.constant 1024 : i64
    %block = pto.get_block_idx
    %b = arith.index_cast %block : i64 to index
    %odd = arith.remui %b, %i3 : index
    %turns = arith.addi %odd, %i5 : index
    %v = pto.make_tensor_view %x, shape = [%i16, %i16], strides = [%i16, %i1] : !pto.tensor_view<?x?xf32>
    %p = pto.partition_view %v, offsets = [%i0, %i0], sizes = [%i16, %i16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
    pto.section.cube {
      %m = pto.alloc_tile addr = %l0 : !pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>
      %l = pto.alloc_tile addr = %l0 : !pto.tile_buf<left, 16x16xf32, slayout=row_major>
      pto.set_flag[<PIPE_MTE1>, <PIPE_MTE2>, <EVENT_ID0>]
      scf.for %i = %i0 to %turns step %i1 {
        pto.wait_flag[<PIPE_MTE1>, <PIPE_MTE2>, <EVENT_ID0>]
        pto.tload ins(%p : !pto.partition_tensor_view<16x16xf32>) outs(%m : !pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>)
        pto.set_flag[<PIPE_MTE2>, <PIPE_MTE1>, <EVENT_ID0>]
        pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE1>, <EVENT_ID0>]
        pto.tmov ins(%m : !pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>) outs(%l : !pto.tile_buf<left, 16x16xf32, slayout=row_major>)
        pto.set_flag[<PIPE_MTE1>, <PIPE_MTE2>, <EVENT_ID0>]
        pto.sync.set <PIPE_MTE1>, 3
        pto.sync.wait <PIPE_MTE2>, 4
      }
      pto.wait_flag[<PIPE_MTE1>, <PIPE_MTE2>, <EVENT_ID0>]
    }
    pto.section.vector {
      %t = pto.alloc_tile addr = %l0 : !pto.tile_buf<vec, 16x16xf32>
      %u = pto.alloc_tile addr = %l1 : !pto.tile_buf<vec, 16x16xf32>
      pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
      pto.set_flag[<PIPE_MTE3>, <PIPE_V>, <EVENT_ID0>]
      scf.for %i = %i0 to %turns step %i1 {
        pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
        pto.tload ins(%p : !pto.partition_tensor_view<16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32>)
        pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
        pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
        pto.wait_flag[<PIPE_MTE3>, <PIPE_V>, <EVENT_ID0>]
        pto.tadd ins(%t, %t : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>) outs(%u : !pto.tile_buf<vec, 16x16xf32>)
        pto.tmul ins(%u, %u : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>) outs(%u : !pto.tile_buf<vec, 16x16xf32>)
        pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
        pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
        pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
        pto.tstore ins(%u : !pto.tile_buf<vec, 16x16xf32>) outs(%p : !pto.partition_tensor_view<16x16xf32>)
        pto.set_flag[<PIPE_MTE3>, <PIPE_V>, <EVENT_ID0>]
        pto.sync.wait <PIPE_V>, 3
        pto.sync.set <PIPE_MTE3>, 4
      }
      pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
      pto.wait_flag[<PIPE_MTE3>, <PIPE_V>, <EVENT_ID0>]
      pto.barrier <PIPE_ALL>
    }
    return
  }
})";

SimResult run_mixed(unsigned seed, std::span<Observer* const> observers) {
  std::mt19937 engine(seed);
  const auto random = [&] { return static_cast<uint32_t>(engine()); };
  Bench bench;
  bench.buffer(16 * 16 * 4);
  bench.options.mode = Mode::time;
  bench.options.blocks = 7;
  bench.machine.clusters = 1 + random() % 4;  // waves
  bench.machine.queue_depth = 1 + random() % 6;
  timing::MemoryConfig& chip = bench.costs.chip.emplace();
  chip.read.value = 40 + random() % 40;
  chip.write.value = 20 + random() % 40;
  chip.signal.value = 1 + random() % 20;
  for (const char* row : {"tload", "tstore", "tmov", "tadd", "tmul"}) {
    timing::Cost cost{10 + random() % 90, 0, Basis::assumed};
    cost.latency = cost.busy + random() % 50;
    if (row[1] == 'l' || row[1] == 's') {
      cost.gm_bytes = 1024;
      cost.gm_cycles = 9;
      cost.gm_write = row[1] == 's';
    }
    bench.costs.rows[row] = cost;
  }
  return bench.must_run(kMixed, observers);
}

}  // namespace

TEST_CASE("cores that run ahead of their turn have the times of those that wait for it", "[sim][ahead]") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    INFO(seed);
    Recorder recorder;
    Observer* const observers[] = {&recorder};
    const SimResult watched = run_mixed(seed, observers), alone = run_mixed(seed, {});
    CHECK(watched.ended);
    CHECK(watched.findings.all().size() == alone.findings.all().size());
    CHECK(watched.total_cycles == alone.total_cycles);
    CHECK(watched.instructions == alone.instructions);
    REQUIRE(watched.pipes.size() == alone.pipes.size());
    for (size_t i = 0; i < alone.pipes.size(); ++i) {
      CHECK(watched.pipes[i].busy_cycles == alone.pipes[i].busy_cycles);
      CHECK(std::ranges::equal(watched.pipes[i].stall_cycles, alone.pipes[i].stall_cycles));
    }
    CHECK(std::ranges::equal(watched.chip.resource_cycles, alone.chip.resource_cycles));
    CHECK(alone.chip.resource_cycles[static_cast<size_t>(Resource::signals)] +
              alone.chip.resource_cycles[static_cast<size_t>(Resource::l2_read)] !=
          0);
    check_accounting(alone);
  }
}
