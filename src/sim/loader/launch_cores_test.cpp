// What runs together: blocks, the cores of a cluster, calls, several entries.
#include <cstring>
#include <map>

#include "sim/engine/engine_fixture.hpp"

namespace pto::sim {

using namespace test;

TEST_CASE("blocks run at the same time and know who they are", "[sim]") {
  Bench bench = two_buffers();
  bench.options.blocks = 3;
  const SimResult result = bench.must_run(vector_kernel(R"(
    %b = pto.get_block_idx
    %n = pto.get_block_num
    %at = arith.index_cast %b : i64 to index
    %pg = pto.castptr %gb : !pto.ptr<f32, gm> -> !pto.ptr<i64, gm>
    %v = arith.addi %b, %n : i64
    pto.store_scalar %v, %pg[%at] : !pto.ptr<i64, gm>, i64
)"));
  REQUIRE(result.cores.size() == 3);
  CHECK(result.cores[2].block == 2);
  int64_t out[3];
  std::memcpy(out, bench.arguments[1].bytes.data(), sizeof out);
  CHECK(out[0] == 3);
  CHECK(out[1] == 4);
  CHECK(out[2] == 5);
  check_accounting(result);
}

TEST_CASE("A5: the cube core signals each vector core by its half of the ids", "[sim]") {
  const auto text = [](const std::string& cube, const std::string& vector) {
    return std::string(R"(module attributes {pto.target_arch = "a5"} {
  func.func @k(%ga: !pto.ptr<f32, gm>, %gb: !pto.ptr<f32, gm>) attributes {pto.kernel} {
    %i0 = arith.constant 0 : index
    pto.section.cube {
)") + cube +
           "    }\n    pto.section.vector {\n" + vector + "    }\n    return\n  }\n}";
  };
  Bench bench = two_buffers();
  SECTION("both halves") {
    const SimResult result =
        bench.must_run(text("      pto.sync.set <PIPE_FIX>, 1\n      pto.sync.set <PIPE_FIX>, 17\n",
                            "      pto.sync.wait <PIPE_MTE3>, 1\n"));
    REQUIRE(result.cores.size() == 3);
    CHECK(result.findings.all().empty());
    check_accounting(result);
  }
  SECTION("the second vector core may name its half") {
    const std::string wait =
        "      %one = arith.constant 1 : i64\n      %core = pto.get_subblock_idx\n"
        "      %second = arith.cmpi eq, %core, %one : i64\n"
        "      scf.if %second {\n        pto.wait_intra_block <PIPE_MTE3>, 17\n"
        "      } else {\n        pto.wait_intra_block <PIPE_MTE3>, 1\n      }\n";
    const SimResult result = bench.must_run(
        text("      pto.set_intra_block <PIPE_FIX>, 1\n      pto.set_intra_block <PIPE_FIX>, 17\n", wait));
    CHECK(result.findings.all().empty());
  }
  SECTION("one half only") {
    const SimResult result =
        bench.must_run(text("      pto.sync.set <PIPE_FIX>, 1\n", "      pto.sync.wait <PIPE_MTE3>, 1\n"));
    const Diagnostic* dead = finding(result, FindingId::deadlock);
    REQUIRE(dead != nullptr);
    CHECK(dead->message == "PIPE_MTE3 of AIV1 waits for cross-core id 1, which is never signalled");
  }
  SECTION("back: the AIC hears AIV1 at id + 16") {
    const SimResult result =
        bench.must_run(text("      pto.sync.wait <PIPE_MTE2>, 2\n      pto.sync.wait <PIPE_MTE2>, 18\n",
                            "      pto.sync.set <PIPE_MTE3>, 2\n"));
    CHECK(result.findings.all().empty());
  }
}

TEST_CASE("A2/A3: tokens of a meeting grow with the cores, not with their pairs", "[sim]") {
  const auto kernel = [](int mode) {
    const std::string set =
        "    pto.sync.set <PIPE_MTE3>, 3 {ffts_mode = " + std::to_string(mode) + " : i32}\n";
    return "module attributes {pto.target_arch = \"a3\", pto.kernel_kind = #pto.kernel_kind<vector>} {\n"
           "  func.func @k(%ga: !pto.ptr<f32, gm>) attributes {pto.kernel} {\n" +
           set + "    pto.sync.wait <PIPE_MTE3>, 3\n" + set +
           "    pto.sync.wait <PIPE_MTE3>, 3\n    return\n  }\n}";
  };
  for (const int mode : {0, 1}) {
    for (const uint32_t blocks : {1u, 8u, 64u}) {
      INFO("mode " << mode << ", " << blocks << " blocks");
      Bench bench;
      bench.buffer(64);
      bench.options.blocks = blocks;
      Recorder recorder;
      Observer* observers[] = {&recorder};
      const SimResult result = bench.must_run(kernel(mode), observers);
      CHECK(result.findings.all().empty());
      const auto cores = static_cast<uint32_t>(result.cores.size());
      REQUIRE(cores >= blocks);
      std::map<uint64_t, uint32_t> released, acquired, last;
      for (const OrderEvent& event : recorder.orders) {
        ++(event.release ? released : acquired)[event.token];
        if (!event.release) last[event.token] += event.last;
      }
      CHECK(acquired == released);  // each core joins once and learns once
      uint32_t meetings = 0, joined = 0;
      for (const auto& [token, count] : released) {
        CHECK(last[token] == 1);
        meetings += count > 1;
        joined += count > 1 ? count : 0;
      }
      if (cores / (mode == 0 ? 1 : blocks) > 1) {
        CHECK(meetings == 2 * (mode == 0 ? 1 : blocks));
        CHECK(joined == 2 * cores);
      }
      CHECK(recorder.orders.size() <= 2 * 12 * cores);
    }
  }
}

TEST_CASE("A2/A3: one signal of the cube core reaches both vector cores", "[sim]") {
  Bench bench;
  bench.buffer(64);
  const SimResult result = bench.must_run(R"(module attributes {pto.target_arch = "a3"} {
  func.func @k(%ga: !pto.ptr<f32, gm>) attributes {pto.kernel} {
    pto.section.cube {
      pto.sync.set <PIPE_FIX>, 3
      pto.sync.wait <PIPE_FIX>, 4
    }
    pto.section.vector {
      pto.sync.wait <PIPE_MTE2>, 3
      pto.sync.set <PIPE_MTE3>, 4
    }
    return
  }
})");
  CHECK(result.findings.all().empty());
  CHECK(pipe(result, Pipe::s, 0)->stall_cycles[static_cast<size_t>(Stall::cross_core)] > 0);
  check_accounting(result);
}

TEST_CASE("signals of several cores pass the hub one by one: who waits for it waits for a resource",
          "[sim]") {
  constexpr uint64_t kGap = 30;
  Bench bench;
  bench.buffer(64);
  bench.options.blocks = 3;
  bench.costs.chip.emplace().signal.value = kGap;
  const SimResult result = bench.must_run(R"(module attributes {pto.target_arch = "a3"} {
  func.func @k(%ga: !pto.ptr<f32, gm>) attributes {pto.kernel} {
    pto.section.cube {
      pto.sync.set <PIPE_FIX>, 3
    }
    pto.section.vector {
      pto.sync.wait <PIPE_MTE2>, 3
    }
    return
  }
})");
  CHECK(result.findings.all().empty());
  uint64_t all = 0;
  for (const CoreInfo& core : result.cores) {
    if (core.kind != CoreKind::aiv) continue;
    const PipeStats* scalar = pipe(result, Pipe::s, core.index);
    REQUIRE(scalar != nullptr);
    const uint64_t hub = scalar->stall_cycles[static_cast<size_t>(Stall::resource)];
    CHECK(hub == kGap * core.block);  // the three cube cores signal in one cycle
    CHECK(scalar->stall_cycles[static_cast<size_t>(Stall::cross_core)] > 0);
    all += hub;
  }
  CHECK(all == 2 * (1 + 2) * kGap);
  CHECK(result.chip.resource_cycles[static_cast<size_t>(Resource::signals)] == all);
  check_accounting(result);
}

TEST_CASE("a signal that the hub had time for has nothing of those before it in its place", "[sim]") {
  constexpr uint64_t kGap = 30;
  Bench bench;
  bench.buffer(64);
  bench.options.blocks = 3;
  bench.costs.chip.emplace().signal.value = kGap;
  // The second signals come one after the other, in the place of the queue that the first ones had.
  const SimResult result = bench.must_run(R"(module attributes {pto.target_arch = "a3"} {
  func.func @k(%ga: !pto.ptr<f32, gm>) attributes {pto.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %many = arith.constant 200 : i64
    pto.section.cube {
      pto.sync.set <PIPE_FIX>, 3
      pto.barrier #pto.pipe<PIPE_FIX>
      pto.barrier #pto.pipe<PIPE_FIX>
      pto.barrier #pto.pipe<PIPE_FIX>
      %block = pto.get_block_idx
      %behind = arith.addi %block, %block : i64
      %wait = arith.muli %behind, %many : i64
      %later = arith.addi %wait, %many : i64
      %n = arith.index_cast %later : i64 to index
      scf.for %i = %c0 to %n step %c1 {
        %next = arith.addi %i, %c1 : index
      }
      pto.sync.set <PIPE_FIX>, 3
    }
    pto.section.vector {
      pto.sync.wait <PIPE_MTE2>, 3
      pto.sync.wait <PIPE_MTE2>, 3
    }
    return
  }
})");
  CHECK(result.findings.all().empty());
  CHECK(result.chip.resource_cycles[static_cast<size_t>(Resource::signals)] == 2 * (1 + 2) * kGap);
  check_accounting(result);
}

TEST_CASE("calls: results, nesting, several callers", "[sim]") {
  Bench bench;
  bench.buffer(16);
  const SimResult result = bench.must_run(R"(module attributes {pto.target_arch = "a5"} {
  func.func @twice(%x: i32) -> i32 {
    %r = arith.addi %x, %x : i32
    return %r : i32
  }
  func.func @sum(%x: i32, %y: i32) -> (i32, i32) {
    %a = func.call @twice(%x) : (i32) -> i32
    %b = func.call @twice(%y) : (i32) -> i32
    %r = arith.addi %a, %b : i32
    return %r, %a : i32, i32
  }
  func.func @k(%out: !pto.ptr<i32, gm>) attributes {pto.kernel} {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i3 = arith.constant 3 : index
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %s = scf.for %i = %i0 to %i3 step %i1 iter_args(%x = %c1) -> (i32) {
      %n, %m = func.call @sum(%x, %c5) : (i32, i32) -> (i32, i32)
      scf.yield %n : i32
    }
    pto.store_scalar %s, %out[%i0] : !pto.ptr<i32, gm>, i32
    return
  }
})");
  CHECK(result.findings.all().empty());
  int32_t out = 0;
  std::memcpy(&out, bench.arguments[0].bytes.data(), 4);
  CHECK(out == 78);  // x -> 2x + 10 three times from 1: 12, 34, 78
  check_accounting(result);
}

TEST_CASE("recursion is refused", "[sim]") {
  Bench bench;
  const Program program = assemble(R"(module attributes {pto.target_arch = "a5"} {
  func.func @f() {
    func.call @f() : () -> ()
    return
  }
  func.func @k() attributes {pto.kernel} {
    func.call @f() : () -> ()
    return
  }
})");
  const Result<SimResult> result = run(program, bench.arguments, bench.options, bench.machine, bench.costs);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().message.find("@f calls itself") != std::string::npos);
}

TEST_CASE("helpers of both kinds run at the same time on their cores", "[sim]") {
  Bench bench;
  bench.machine = make_machine(Target::a5);
  bench.buffer(64);
  const SimResult result = bench.must_run(R"(module attributes {pto.target_arch = "a5"} {
  func.func @k(%out: !pto.ptr<i64, gm>) attributes {pto.entry} {
    func.call @cube(%out) : (!pto.ptr<i64, gm>) -> ()
    func.call @vector(%out) : (!pto.ptr<i64, gm>) -> ()
    return
  }
  func.func private @cube(%out: !pto.ptr<i64, gm>) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
    pto.sync.wait <PIPE_MTE2>, 0
    pto.sync.wait <PIPE_MTE2>, 16
    pto.sync.set <PIPE_FIX>, 1
    pto.sync.set <PIPE_FIX>, 17
    return
  }
  func.func private @vector(%out: !pto.ptr<i64, gm>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    %s = pto.get_subblock_idx
    %n = pto.get_subblock_num
    %at = arith.index_cast %s : i64 to index
    %v = arith.addi %s, %n : i64
    pto.sync.set <PIPE_MTE3>, 0
    pto.sync.wait <PIPE_MTE2>, 1
    pto.barrier #pto.pipe<PIPE_ALL>
    pto.store_scalar %v, %out[%at] : !pto.ptr<i64, gm>, i64
    return
  }
})");
  REQUIRE(result.cores.size() == 3);
  CHECK(result.cores[0].kind == CoreKind::aic);
  CHECK(result.findings.all().empty());
  int64_t out[2];
  std::memcpy(out, bench.arguments[0].bytes.data(), sizeof out);
  CHECK(out[0] == 2);
  CHECK(out[1] == 3);
  check_accounting(result);
}

TEST_CASE("one name in a cube and a vector module is one kernel", "[sim]") {
  Bench bench;
  bench.machine = make_machine(Target::a5);
  const SimResult result = bench.must_run(R"(module attributes {pto.target_arch = "a5"} {
  module attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    func.func @k() attributes {pto.kernel} {
      pto.sync.wait <PIPE_V>, 3
      return
    }
  }
  module attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
    func.func @k() attributes {pto.kernel} {
      pto.sync.set <PIPE_FIX>, 3
      pto.sync.set <PIPE_FIX>, 19
      return
    }
  }
})");
  REQUIRE(result.cores.size() == 3);
  CHECK(result.findings.all().empty());
}

}  // namespace pto::sim
