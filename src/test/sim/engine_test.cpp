// The engine on small programs with chosen costs.
#include <cstring>
#include <random>

#include "check/checkers.hpp"
#include "sim/engine/engine_fixture.hpp"

namespace pto::sim {

using namespace test;

TEST_CASE("a flag orders load before store, to the cycle", "[sim]") {
  Bench bench = two_buffers();
  bench.costs.rows["pto.mte_gm_ub"] = {30, 50, Basis::measured};
  bench.costs.rows["pto.mte_ub_gm"] = {7, 9, Basis::documented};
  Recorder recorder;
  Observer* const observers[] = {&recorder};
  const SimResult result = bench.must_run(vector_kernel(kLoad + set_flag("PIPE_MTE2", "PIPE_MTE3") +
                                                        wait_flag("PIPE_MTE2", "PIPE_MTE3") + kStore),
                                          observers);
  CHECK(result.findings.all().empty());
  CHECK(bench.arguments[0].bytes == bench.arguments[1].bytes);
  REQUIRE(recorder.instructions.size() == 2);
  const InstEvent& load = recorder.instructions[0];
  const InstEvent& store = recorder.instructions[1];
  CHECK(load.end == load.start + 50);
  CHECK(load.busy_end == load.start + 30);
  // Not a cycle before the result is visible, and not a cycle after.
  CHECK(store.start == load.end);
  CHECK(result.total_cycles == store.start + 9);
  REQUIRE(recorder.flags.size() == 1);
  CHECK(recorder.flags[0].set_time == load.end);
  CHECK(recorder.flags[0].wait_end == load.end);
  CHECK(pipe(result, Pipe::mte3)->stall_cycles[static_cast<size_t>(Stall::flag)] ==
        load.end - recorder.flags[0].wait_begin);
  CHECK(result.basis_cycles[static_cast<size_t>(Basis::measured)] == 30);
  CHECK(result.basis_cycles[static_cast<size_t>(Basis::documented)] == 7);
  check_accounting(result);
}

TEST_CASE("the scalar unit runs ahead until a queue is full", "[sim]") {
  Bench bench = two_buffers();
  bench.machine.queue_depth = 2;
  bench.costs.rows["pto.mte_gm_ub"] = {100, 100, Basis::assumed};
  Recorder recorder;
  Observer* const observers[] = {&recorder};
  const SimResult result = bench.must_run(vector_kernel(kLoad + kLoad + kLoad + kLoad + kLoad), observers);
  REQUIRE(recorder.instructions.size() == 5);
  // One runs, two wait: the fourth enters when the second starts.
  CHECK(recorder.instructions[2].issue < recorder.instructions[0].busy_end);
  CHECK(recorder.instructions[3].issue == recorder.instructions[1].start + 1);
  CHECK(recorder.instructions[4].issue == recorder.instructions[2].start + 1);
  for (size_t i = 1; i < 5; ++i)
    CHECK(recorder.instructions[i].start == recorder.instructions[i - 1].busy_end);
  CHECK(pipe(result, Pipe::s)->stall_cycles[static_cast<size_t>(Stall::queue_full)] > 0);
  check_accounting(result);
}

TEST_CASE("busy decides when the next entry starts, latency when it is complete", "[sim]") {
  Bench bench = two_buffers();
  bench.costs.rows["pto.mte_gm_ub"] = {10, 100, Basis::assumed};
  Recorder recorder;
  Observer* const observers[] = {&recorder};
  SECTION("without a barrier they overlap") {
    bench.must_run(vector_kernel(kLoad + kLoad), observers);
    CHECK(recorder.instructions[1].start == recorder.instructions[0].start + 10);
  }
  SECTION("a barrier of the pipe waits for completion") {
    const SimResult result =
        bench.must_run(vector_kernel(kLoad + "    pto.barrier #pto.pipe<PIPE_MTE2>\n" + kLoad), observers);
    CHECK(recorder.instructions[1].start == recorder.instructions[0].start + 100);
    CHECK(pipe(result, Pipe::mte2)->stall_cycles[static_cast<size_t>(Stall::barrier)] == 90);
    check_accounting(result);
  }
  SECTION("PIPE_ALL holds the scalar unit") {
    const SimResult result =
        bench.must_run(vector_kernel(kLoad + "    pto.barrier #pto.pipe<PIPE_ALL>\n" + kStore), observers);
    CHECK(recorder.instructions[1].issue >= recorder.instructions[0].end);
    CHECK(result.findings.all().empty());
    CHECK(bench.arguments[0].bytes == bench.arguments[1].bytes);
    check_accounting(result);
  }
}

TEST_CASE("flags with PIPE_S act on the scalar unit", "[sim]") {
  Bench bench = two_buffers();
  Recorder recorder;
  Observer* const observers[] = {&recorder};
  bench.costs.rows["pto.mte_gm_ub"] = {50, 50, Basis::assumed};
  const SimResult result = bench.must_run(
      vector_kernel(kLoad + set_flag("PIPE_MTE2", "PIPE_S") + wait_flag("PIPE_MTE2", "PIPE_S") +
                    "    %v = pto.load_scalar %u0[%i1] : !pto.ptr<f32, ub> -> f32\n"
                    "    pto.store_scalar %v, %u0[%i0] : !pto.ptr<f32, ub>, f32\n" +
                    set_flag("PIPE_S", "PIPE_MTE3") + wait_flag("PIPE_S", "PIPE_MTE3") + kStore),
      observers);
  CHECK(result.findings.all().empty());
  CHECK(std::memcmp(bench.arguments[1].bytes.data(), bench.arguments[0].bytes.data() + 4, 4) == 0);
  CHECK(std::memcmp(bench.arguments[1].bytes.data() + 4, bench.arguments[0].bytes.data() + 4, 252) == 0);
  CHECK(pipe(result, Pipe::s)->stall_cycles[static_cast<size_t>(Stall::flag)] > 40);
  check_accounting(result);
}

TEST_CASE("a flag wakes the scalar unit only when it waits for that flag", "[sim]") {
  Bench bench = two_buffers();
  Recorder recorder;
  Observer* const observers[] = {&recorder};
  bench.costs.rows["pto.mte_gm_ub"] = {100, 100, Basis::assumed};
  bench.costs.rows["pto.mte_ub_gm"] = {20, 20, Basis::assumed};
  bench.must_run(
      vector_kernel(kLoad + set_flag("PIPE_MTE2", "PIPE_S") + kStore + set_flag("PIPE_MTE3", "PIPE_S") +
                    wait_flag("PIPE_MTE2", "PIPE_S") + wait_flag("PIPE_MTE3", "PIPE_S")),
      observers);
  REQUIRE(recorder.flags.size() == 2);
  REQUIRE(recorder.flags[1].set_time < recorder.flags[0].set_time);  // it comes while the other is waited for
  std::vector<StallEvent> waits;
  for (const StallEvent& stall : recorder.stalls) {
    if (stall.pipe == Pipe::s && stall.reason == Stall::flag) waits.push_back(stall);
  }
  REQUIRE(waits.size() == 1);
  CHECK(waits[0].begin == recorder.flags[0].wait_begin);
  CHECK(waits[0].end == recorder.flags[0].set_time);
}

TEST_CASE("loops, branches and carried values", "[sim]") {
  Bench bench = two_buffers();
  const SimResult result = bench.must_run(vector_kernel(R"(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum, %swap = scf.for %i = %i0 to %i20 step %i1 iter_args(%a = %zero, %b = %one) -> (i32, i32) {
      %next = arith.addi %a, %b : i32
      scf.yield %b, %next : i32, i32
    }
    %w:2 = scf.while (%x = %sum, %n = %zero) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi sgt, %x, %one : i32
      scf.condition(%more) %x, %n : i32, i32
    } do {
    ^bb0(%y: i32, %m: i32):
      %half = arith.shrsi %y, %one : i32
      %m1 = arith.addi %m, %one : i32
      scf.yield %half, %m1 : i32, i32
    }
    %big = arith.cmpi sgt, %sum, %one : i32
    %chosen = scf.if %big -> (i32) {
      scf.yield %sum : i32
    } else {
      scf.yield %zero : i32
    }
    %pg = pto.castptr %gb : !pto.ptr<f32, gm> -> !pto.ptr<i32, gm>
    pto.store_scalar %chosen, %pg[%i0] : !pto.ptr<i32, gm>, i32
    pto.store_scalar %w#1, %pg[%i1] : !pto.ptr<i32, gm>, i32
)"));
  CHECK(result.findings.all().empty());
  int32_t out[2];
  std::memcpy(out, bench.arguments[1].bytes.data(), sizeof out);
  CHECK(out[0] == 6765);  // the 20th Fibonacci number
  CHECK(out[1] == 12);    // halvings of 6765 until 1
  check_accounting(result);
}

TEST_CASE("buffer tokens order pipes in program order", "[sim]") {
  Bench bench = two_buffers();
  bench.costs.rows["pto.mte_gm_ub"] = {30, 60, Basis::assumed};
  Recorder recorder;
  Observer* const observers[] = {&recorder};
  const SimResult result = bench.must_run(
      vector_kernel("    pto.get_buf \"PIPE_MTE2\", 0, 0\n" + kLoad +
                    "    pto.rls_buf \"PIPE_MTE2\", 0, 0\n" + "    pto.get_buf \"PIPE_MTE3\", 0, 0\n" +
                    kStore + "    pto.rls_buf \"PIPE_MTE3\", 0, 0\n"),
      observers);
  CHECK(result.findings.all().empty());
  CHECK(recorder.instructions[1].start == recorder.instructions[0].end);
  CHECK(pipe(result, Pipe::mte3)->stall_cycles[static_cast<size_t>(Stall::buffer)] > 50);
  CHECK(bench.arguments[0].bytes == bench.arguments[1].bytes);
  check_accounting(result);
}

TEST_CASE("a pipe does not wait for its own release of a buffer", "[sim]") {
  Bench bench = two_buffers();
  bench.costs.rows["pto.mte_gm_ub"] = {30, 60, Basis::assumed};
  Recorder recorder;
  Observer* const observers[] = {&recorder};
  const std::string once =
      "    pto.get_buf \"PIPE_MTE2\", 0, 0\n" + kLoad + "    pto.rls_buf \"PIPE_MTE2\", 0, 0\n";
  const SimResult result = bench.must_run(vector_kernel(once + once), observers);
  CHECK(result.findings.all().empty());
  REQUIRE(recorder.instructions.size() == 2);
  CHECK(recorder.instructions[1].start == recorder.instructions[0].busy_end);
  CHECK(pipe(result, Pipe::mte2)->stall_cycles[static_cast<size_t>(Stall::buffer)] == 0);
}

TEST_CASE("what buffer tokens order does not race", "[sim][race]") {
  const auto races = [](const std::string& first, const std::string& second) {
    Bench bench = two_buffers();
    const std::unique_ptr<RunChecker> checker = make_race_checker(Machine{});
    Observer* const observers[] = {checker.get()};
    const Program program = assemble(vector_kernel(first + second));
    REQUIRE(run(program, bench.arguments, bench.options, bench.machine, bench.costs, observers).ok());
    return checker->take_findings().size();
  };
  const auto held = [](const std::string& pipe, const std::string& body) {
    return "    pto.get_buf \"" + pipe + "\", 0, 0\n" + body + "    pto.rls_buf \"" + pipe + "\", 0, 0\n";
  };
  CHECK(races(kLoad, kStore) == 1);
  CHECK(races(held("PIPE_MTE2", kLoad), held("PIPE_MTE3", kStore)) == 0);
  CHECK(races(held("PIPE_MTE2", "") + kLoad, held("PIPE_MTE3", kStore)) == 1);  // released before the load
}

TEST_CASE("accesses out of bounds name the argument and by how much", "[sim]") {
  Bench bench;
  bench.machine = make_machine(Target::a5);
  bench.buffer(200);
  bench.buffer(256);
  const SimResult result = bench.must_run(vector_kernel(kLoad));
  const Diagnostic* bounds = finding(result, FindingId::bounds);
  REQUIRE(bounds != nullptr);
  CHECK(bounds->where.line != 0);
  CHECK(bounds->message.find("bytes 0..255 of argument 'a' (200 bytes): 56 bytes beyond its end") !=
        std::string::npos);
}

TEST_CASE("time mode has no data and does not branch on it", "[sim]") {
  Bench bench = two_buffers();
  bench.options.mode = Mode::time;
  SECTION("same cycles as with data") {
    const std::string text = vector_kernel(kLoad + set_flag("PIPE_MTE2", "PIPE_MTE3") +
                                           wait_flag("PIPE_MTE2", "PIPE_MTE3") + kStore);
    const SimResult timed = bench.must_run(text);
    CHECK(bench.arguments[0].bytes != bench.arguments[1].bytes);
    bench.options.mode = Mode::run;
    CHECK(bench.must_run(text).total_cycles == timed.total_cycles);
  }
  SECTION("a branch on memory") {
    const SimResult result = bench.must_run(vector_kernel(R"(
    %v = pto.load_scalar %ga[%i0] : !pto.ptr<f32, gm> -> f32
    %z = arith.constant 0.0 : f32
    %big = arith.cmpf ogt, %v, %z : f32
    scf.if %big {
      pto.store_scalar %z, %gb[%i0] : !pto.ptr<f32, gm>, f32
    }
)"));
    REQUIRE(finding(result, FindingId::time_data) != nullptr);
  }
}

TEST_CASE("a vector function is one entry of PIPE_V", "[sim]") {
  Bench bench = two_buffers();
  Recorder recorder;
  Observer* const observers[] = {&recorder};
  const std::string body = kLoad + set_flag("PIPE_MTE2", "PIPE_V") + wait_flag("PIPE_MTE2", "PIPE_V") + R"(
    pto.vecscope {
      %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
      %x = pto.vlds %u0[%i0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
      %y = pto.vadd %x, %x, %all : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
      pto.vsts %y, %u0[%i0], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
    }
)" + set_flag("PIPE_V", "PIPE_MTE3") +
                           wait_flag("PIPE_V", "PIPE_MTE3") + kStore;
  for (size_t i = 0; i < 64; ++i) {
    const float value = static_cast<float>(i);
    std::memcpy(bench.arguments[0].bytes.data() + 4 * i, &value, 4);
  }
  const SimResult result = bench.must_run(vector_kernel(body), observers);
  CHECK(result.findings.all().empty());
  for (size_t i = 0; i < 64; ++i) {
    float value = 0;
    std::memcpy(&value, bench.arguments[1].bytes.data() + 4 * i, 4);
    CHECK(value == 2 * static_cast<float>(i));
  }
  CHECK(pipe(result, Pipe::v)->instructions == 1);
  CHECK(pipe(result, Pipe::v)->busy_cycles == 5 + 4);
  check_accounting(result);
}

TEST_CASE("runs repeat to the cycle, and ordered programs give the same bytes under any costs", "[sim]") {
  const std::string text =
      vector_kernel(R"(
    scf.for %i = %i0 to %i4 step %i1 {
)" + wait_flag("PIPE_MTE3", "PIPE_MTE2") +
                    kLoad + set_flag("PIPE_MTE2", "PIPE_V") + wait_flag("PIPE_MTE2", "PIPE_V") + R"(
      pto.vecscope {
        %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
        %x = pto.vlds %u0[%i0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
        %y = pto.vadd %x, %x, %all : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
        pto.vsts %y, %u0[%i0], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
      }
)" + set_flag("PIPE_V", "PIPE_MTE3") +
                    wait_flag("PIPE_V", "PIPE_MTE3") + kStore + set_flag("PIPE_MTE3", "PIPE_MTE2") +
                    "    }\n" + wait_flag("PIPE_MTE3", "PIPE_MTE2"));
  const std::string primed = [&] {
    std::string all = text;
    const size_t loop = all.find("    scf.for");
    return all.insert(loop, set_flag("PIPE_MTE3", "PIPE_MTE2"));
  }();
  std::vector<std::byte> expected;
  uint64_t cycles = 0;
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    Bench bench = two_buffers();
    if (round >= 2) {
      bench.machine.queue_depth = 1 + static_cast<int>(random() % 8);
      bench.costs.choose = [&](const decode::Inst&) {
        const uint32_t busy = 1 + static_cast<uint32_t>(random() % 50);
        return timing::Cost{busy, busy + static_cast<uint32_t>(random() % 50), Basis::assumed};
      };
    }
    const SimResult result = bench.must_run(primed);
    REQUIRE(result.findings.all().empty());
    check_accounting(result);
    if (round == 0) {
      expected = bench.arguments[1].bytes;
      cycles = result.total_cycles;
    }
    if (round == 1) CHECK(result.total_cycles == cycles);
    REQUIRE(bench.arguments[1].bytes == expected);
  }
}

TEST_CASE("what cannot run is refused before it runs", "[sim]") {
  Bench bench = two_buffers();
  const Program program = assemble(vector_kernel(kLoad));
  bench.options.entry = "nobody";
  Result<SimResult> result = run(program, bench.arguments, bench.options, bench.machine, bench.costs);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().message == "no function @nobody; the program defines @k");
  bench.options.entry = "k";
  bench.arguments.pop_back();
  result = run(program, bench.arguments, bench.options, bench.machine, bench.costs);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().message == "@k takes 2 arguments, 1 given");
}

TEST_CASE("flag ids computed at run time", "[sim]") {
  Bench bench = two_buffers();
  const std::string body = R"(
    %ids = pto.declare_eventid_array -> !pto.eventid_array<2>
    %i7 = arith.constant 7 : index
    pto.eventid_array_set %ids[%i1], %i7 : !pto.eventid_array<2>
    %e = pto.eventid_array_get %ids[%i1] : !pto.eventid_array<2>
)" + kLoad + R"(
    pto.set_flag_dyn [#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_MTE3>, %e]
    pto.wait_flag_dyn [#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_MTE3>, %e]
)" + kStore;
  Recorder recorder;
  Observer* const observers[] = {&recorder};
  const SimResult result = bench.must_run(vector_kernel(body), observers);
  CHECK(result.findings.all().empty());
  REQUIRE(recorder.flags.size() == 1);
  CHECK(recorder.flags[0].id == 7);
  CHECK(bench.arguments[0].bytes == bench.arguments[1].bytes);
  const SimResult beyond = bench.must_run(
      vector_kernel("    pto.set_flag_dyn [#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_MTE3>, %i20]\n"));
  REQUIRE(finding(beyond, FindingId::event_id) != nullptr);
  CHECK(beyond.findings.all()[0].message == "event id 20; the target has ids 0..7");
}

TEST_CASE("limits end a run", "[sim]") {
  Bench bench = two_buffers();
  bench.options.limits.cycles = 35;
  bench.costs.rows["pto.mte_gm_ub"] = {10, 10, Basis::assumed};
  const SimResult result =
      bench.must_run(vector_kernel("    scf.for %i = %i0 to %i20 step %i1 {\n" + kLoad + "    }\n"));
  REQUIRE(finding(result, FindingId::max_cycles) != nullptr);
  CHECK(result.total_cycles < 60);
  check_accounting(result);
  bench.options.limits.cycles = 0;
  CHECK(bench.must_run(vector_kernel("    scf.for %i = %i0 to %i20 step %i1 {\n" + kLoad + "    }\n"))
            .findings.all()
            .empty());
}

TEST_CASE("time mode refuses extents that come from memory", "[sim]") {
  Bench bench = two_buffers();
  bench.options.mode = Mode::time;
  const SimResult result = bench.must_run(vector_kernel(R"(
    %p = pto.castptr %ga : !pto.ptr<f32, gm> -> !pto.ptr<i64, gm>
    %n = pto.load_scalar %p[%i0] : !pto.ptr<i64, gm> -> i64
    pto.mte_gm_ub %ga, %u0, %c0, %n nburst(%c1, %c256, %c256) : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
)"));
  REQUIRE(finding(result, FindingId::time_data) != nullptr);
}

TEST_CASE("a loop marked as vector scope is a vector function", "[sim]") {
  Bench bench = two_buffers();
  const SimResult result = bench.must_run(
      vector_kernel(kLoad + set_flag("PIPE_MTE2", "PIPE_V") + wait_flag("PIPE_MTE2", "PIPE_V") + R"(
    scf.for %i = %i0 to %i1 step %i1 {
      %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
      %x = pto.vlds %u0[%i] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
      pto.vsts %x, %u1[%i], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
    } {llvm.loop.aivector_scope}
)"));
  CHECK(result.findings.all().empty());
  CHECK(pipe(result, Pipe::v)->instructions == 1);
}

TEST_CASE("Loops that do not end are stopped: scalar and in vector functions, by every limit", "[sim]") {
  const std::string scalar =
      "func.func @k(%n: index) attributes {pto.entry} {\n%c0 = arith.constant 0 : index\n%c1 = "
      "arith.constant 1 : index\n"
      "scf.for %i = %c0 to %n step %c1 {\n%x = arith.addi %i, %c1 : index\n}\nreturn\n}\n";
  const std::string vector =
      "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @k(%n: index) attributes {pto.kernel} {\n"
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%a = arith.constant 0 : i64\n"
      "%u = pto.castptr %a : i64 -> !pto.ptr<f32, ub>\npto.vecscope {\nscf.for %i = %c0 to %n step %c1 {\n"
      "%v = pto.vlds %u[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n}\n}\nreturn\n}\n}\n";
  for (const std::string* each : {&scalar, &vector}) {
    const std::string& text = *each;
    for (const Mode mode : {Mode::run, Mode::time, Mode::check}) {
      const auto stopped_by = [&](SimOptions options) {
        Bench bench;
        bench.options = options;
        bench.options.mode = mode;
        bench.machine.target = &text == &scalar ? Target::a2a3 : Target::a5;
        bench.scalar(uint64_t{1} << 60);
        const SimResult result = bench.must_run(text);
        REQUIRE(result.findings.all().size() == 1);
        return result.findings.all()[0].id;
      };
      SimOptions endless, cycles, instructions;
      endless.limits.endless_steps = 100000;
      cycles.limits.cycles = 50000;
      instructions.limits.instructions = 50000;
      CHECK(stopped_by(endless) == FindingId::hang);
      CHECK(stopped_by(instructions) == FindingId::max_instructions);
      if (mode != Mode::check || text == scalar)
        CHECK(stopped_by(cycles) == FindingId::max_cycles);  // vector functions take a cycle in check mode
    }
  }
}

TEST_CASE("a loop whose step is not positive is an error", "[sim]") {
  const std::string text =
      "func.func @k(%step: index) attributes {pto.entry} {\n%c0 = arith.constant 0 : index\n%c9 = "
      "arith.constant 9 : index\n"
      "scf.for %i = %c0 to %c9 step %step {\n%x = arith.addi %i, %c9 : index\n}\nreturn\n}\n";
  for (const int step : {3, 0, -1}) {
    Bench bench;
    bench.options.limits.endless_steps = 100000;
    bench.scalar(static_cast<uint64_t>(static_cast<int64_t>(step)));
    const SimResult result = bench.must_run(text);
    if (step > 0) {
      CHECK(result.findings.all().empty());
      continue;
    }
    REQUIRE(result.findings.all().size() == 1);
    CHECK(result.findings.all()[0].id == FindingId::loop_step);
    CHECK(result.findings.all()[0].message ==
          "the step of this loop is " + std::to_string(step) + "; it has to be positive");
  }
}

TEST_CASE("A limit of instructions is kept to, short kernels included", "[sim]") {
  const std::string text =
      "func.func @k() attributes {pto.entry} {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : "
      "index\n"
      "%n = arith.constant 2000 : index\nscf.for %i = %c0 to %n step %c1 {\n%x = arith.addi %i, %c1 : "
      "index\n}\nreturn\n}\n";
  Bench bench;
  bench.options.limits.instructions = 100;
  CHECK(finding(bench.must_run(text), FindingId::max_instructions) != nullptr);
  Bench enough;
  enough.options.limits.instructions = 1000000;
  CHECK(enough.must_run(text).findings.all().empty());
}

}  // namespace pto::sim
