// The engine on small programs with chosen costs.
#include <cstring>
#include <map>
#include <random>
#include <set>

#include "sim/test_support.hpp"

namespace pto::sim {
namespace {

using namespace test;

/// A vector kernel around `body`; %ga and %gb are GM pointers, %u0..%u2 UB pointers 256 bytes apart, %c0..%c8
/// i64.
std::string vector_kernel(const std::string& body) {
  return R"(module attributes {pto.target_arch = "a5", pto.kernel_kind = #pto.kernel_kind<vector>} {
  func.func @k(%ga: !pto.ptr<f32, gm>, %gb: !pto.ptr<f32, gm>) attributes {pto.kernel} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c256 = arith.constant 256 : i64
    %c512 = arith.constant 512 : i64
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i4 = arith.constant 4 : index
    %i20 = arith.constant 20 : index
    %u0 = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
    %u1 = pto.castptr %c256 : i64 -> !pto.ptr<f32, ub>
    %u2 = pto.castptr %c512 : i64 -> !pto.ptr<f32, ub>
)" + body +
         R"(
    return
  }
})";
}

const std::string kLoad =
    "    pto.mte_gm_ub %ga, %u0, %c0, %c256 nburst(%c1, %c256, %c256) : !pto.ptr<f32, gm>, !pto.ptr<f32, "
    "ub>, i64, i64, "
    "i64, i64, i64\n";
const std::string kStore =
    "    pto.mte_ub_gm %u0, %gb, %c256 nburst(%c1, %c256, %c256) : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, "
    "i64, i64, i64, "
    "i64\n";
std::string set_flag(const char* src, const char* dst, int id = 0) {
  return std::string("    pto.set_flag[\"") + src + "\", \"" + dst + "\", \"EVENT_ID" + std::to_string(id) +
         "\"]\n";
}
std::string wait_flag(const char* src, const char* dst, int id = 0) {
  return std::string("    pto.wait_flag[\"") + src + "\", \"" + dst + "\", \"EVENT_ID" + std::to_string(id) +
         "\"]\n";
}

Bench two_buffers() {
  Bench bench;
  bench.machine = make_machine(Target::a5);
  bench.buffer(256);
  bench.buffer(256);
  std::memset(bench.arguments[1].bytes.data(), 0xee, 256);
  return bench;
}

}  // namespace

TEST_CASE("a flag orders load before store, to the cycle", "[sim]") {
  Bench bench = two_buffers();
  bench.costs.rows["pto.mte_gm_ub"] = {30, 50, Basis::measured};
  bench.costs.rows["pto.mte_ub_gm"] = {7, 9, Basis::documented};
  Recorder recorder;
  Observer* const observers[] = {&recorder};
  const SimResult result = bench.must_run(vector_kernel(kLoad + set_flag("PIPE_MTE2", "PIPE_MTE3") +
                                                        wait_flag("PIPE_MTE2", "PIPE_MTE3") + kStore),
                                          observers);
  CHECK(result.findings.empty());
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
    CHECK(result.findings.empty());
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
  CHECK(result.findings.empty());
  CHECK(std::memcmp(bench.arguments[1].bytes.data(), bench.arguments[0].bytes.data() + 4, 4) == 0);
  CHECK(std::memcmp(bench.arguments[1].bytes.data() + 4, bench.arguments[0].bytes.data() + 4, 252) == 0);
  CHECK(pipe(result, Pipe::s)->stall_cycles[static_cast<size_t>(Stall::flag)] > 40);
  check_accounting(result);
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
  CHECK(result.findings.empty());
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
  CHECK(result.findings.empty());
  CHECK(recorder.instructions[1].start == recorder.instructions[0].end);
  CHECK(pipe(result, Pipe::mte3)->stall_cycles[static_cast<size_t>(Stall::buffer)] > 50);
  CHECK(bench.arguments[0].bytes == bench.arguments[1].bytes);
  check_accounting(result);
}

TEST_CASE("a wait without a set is a deadlock that names the nearest set", "[sim]") {
  Bench bench = two_buffers();
  const SimResult result = bench.must_run(vector_kernel(kLoad + set_flag("PIPE_MTE2", "PIPE_MTE3", 1) +
                                                        wait_flag("PIPE_MTE2", "PIPE_MTE3", 0) + kStore));
  const Finding* dead = finding(result, "DEADLOCK");
  REQUIRE(dead != nullptr);
  CHECK_FALSE(dead->warning);
  CHECK(dead->where.line != 0);
  CHECK(dead->message ==
        "PIPE_MTE3 of AIV0 waits for flag PIPE_MTE2 -> PIPE_MTE3 EVENT_ID0, but no set_flag of AIV0 sets it");
  REQUIRE(dead->related.size() == 2);
  CHECK(dead->related[0].message ==
        "EVENT_ID1 of the same pipes is set here and never waited for; did you mean EVENT_ID1?");
  CHECK(dead->related[1].message == "1 more entry is queued behind it, first this pto.mte_ub_gm");
  check_accounting(result);
}

TEST_CASE("a wait for a wrong id is told the set that nobody takes", "[sim]") {
  Bench bench = two_buffers();
  const auto hint = [&](const std::string& body) {
    const SimResult result = bench.must_run(vector_kernel(body));
    const Finding* dead = finding(result, "DEADLOCK");
    REQUIRE(dead != nullptr);
    return dead->related.at(0).message;
  };
  // EVENT_ID0 is nearer in the text, but it is taken.
  CHECK(hint(kLoad + set_flag("PIPE_MTE2", "PIPE_MTE3", 1) + set_flag("PIPE_MTE2", "PIPE_MTE3", 0) +
             wait_flag("PIPE_MTE2", "PIPE_MTE3", 0) + wait_flag("PIPE_MTE2", "PIPE_MTE3", 2)) ==
        "EVENT_ID1 of the same pipes is set here and never waited for; did you mean EVENT_ID1?");
  CHECK(hint(set_flag("PIPE_MTE3", "PIPE_MTE2", 3) + wait_flag("PIPE_MTE2", "PIPE_MTE3", 0)) ==
        "flag PIPE_MTE3 -> PIPE_MTE2 EVENT_ID3 is set here and never waited for: the other direction");
  CHECK(hint(set_flag("PIPE_V", "PIPE_MTE3", 0) + wait_flag("PIPE_MTE2", "PIPE_MTE3", 0)) ==
        "flag PIPE_V -> PIPE_MTE3 EVENT_ID0 is set here and never waited for: another pipe");
}

TEST_CASE("blocks that hang alike are told once", "[sim]") {
  Bench bench = two_buffers();
  bench.options.blocks = 8;
  const SimResult result = bench.must_run(
      vector_kernel("    scf.for %i = %i0 to %i4 step %i1 {\n" + wait_flag("PIPE_MTE3", "PIPE_MTE2") + kLoad +
                    set_flag("PIPE_MTE2", "PIPE_MTE3") + wait_flag("PIPE_MTE2", "PIPE_MTE3") + kStore +
                    set_flag("PIPE_MTE3", "PIPE_MTE2") + "    }\n"));
  REQUIRE(result.findings.size() == 1);
  const Finding& dead = result.findings[0];
  CHECK(dead.message.starts_with(
      "PIPE_MTE2 of AIV0 of block 0 waits for flag PIPE_MTE3 -> PIPE_MTE2 EVENT_ID0"));
  CHECK(dead.related.back().message ==
        "AIV0 of block 1, AIV0 of block 2, AIV0 of block 3 and 4 more cores hang in the same way");
  std::set<std::string> notes;
  for (const Finding::Related& note : dead.related) CHECK(notes.insert(note.message).second);
  REQUIRE(dead.moment.has_value());
  REQUIRE(dead.moment->loops.size() == 1);
  CHECK(dead.moment->loops[0].number == 1);
}

TEST_CASE("a deadlock says why the set did not run", "[sim]") {
  Bench bench = two_buffers();
  SECTION("branch not taken") {
    const SimResult result = bench.must_run(vector_kernel(
        "    %never = arith.cmpi sgt, %i0, %i1 : index\n    scf.if %never {\n" +
        set_flag("PIPE_MTE2", "PIPE_MTE3") + "    }\n" + wait_flag("PIPE_MTE2", "PIPE_MTE3") + kStore));
    const Finding* dead = finding(result, "DEADLOCK");
    REQUIRE(dead != nullptr);
    CHECK(dead->related[0].message.find("its branch of the scf.if") != std::string::npos);
  }
  SECTION("loop without iterations") {
    const SimResult result = bench.must_run(vector_kernel("    scf.for %i = %i1 to %i0 step %i1 {\n" +
                                                          set_flag("PIPE_MTE2", "PIPE_MTE3") + "    }\n" +
                                                          wait_flag("PIPE_MTE2", "PIPE_MTE3") + kStore));
    const Finding* dead = finding(result, "DEADLOCK");
    REQUIRE(dead != nullptr);
    CHECK(dead->related[0].message.find("made no iteration") != std::string::npos);
  }
  SECTION("one set too few") {
    const SimResult result = bench.must_run(vector_kernel(set_flag("PIPE_MTE2", "PIPE_MTE3") +
                                                          wait_flag("PIPE_MTE2", "PIPE_MTE3") +
                                                          wait_flag("PIPE_MTE2", "PIPE_MTE3")));
    const Finding* dead = finding(result, "DEADLOCK");
    REQUIRE(dead != nullptr);
    CHECK(dead->related[0].message == "this set ran 1 time; 1 wait took what was set");
  }
  SECTION("the set is queued behind a wait of the other pipe") {
    const SimResult result = bench.must_run(
        vector_kernel(wait_flag("PIPE_MTE3", "PIPE_MTE2") + set_flag("PIPE_MTE2", "PIPE_MTE3") +
                      wait_flag("PIPE_MTE2", "PIPE_MTE3") + set_flag("PIPE_MTE3", "PIPE_MTE2")));
    const Finding* dead = finding(result, "DEADLOCK");
    REQUIRE(dead != nullptr);
    CHECK(dead->related[0].message.find("stands in the queue of PIPE_MTE3 behind pto.wait_flag") !=
          std::string::npos);
  }
  SECTION("a loop that lacks its first set") {
    const SimResult result = bench.must_run(
        vector_kernel("    scf.for %i = %i0 to %i4 step %i1 {\n" + wait_flag("PIPE_MTE3", "PIPE_MTE2") +
                      kLoad + set_flag("PIPE_MTE2", "PIPE_MTE3") + wait_flag("PIPE_MTE2", "PIPE_MTE3") +
                      kStore + set_flag("PIPE_MTE3", "PIPE_MTE2") + "    }\n"));
    REQUIRE(result.findings.size() == 1);  // both pipes of the circle are in one finding
    CHECK(result.findings[0].related[2].message.find(
              "PIPE_MTE3 waits here for flag PIPE_MTE2 -> PIPE_MTE3 EVENT_ID0") == 0);
    CHECK(result.findings[0].help.find("set flag PIPE_MTE3 -> PIPE_MTE2 EVENT_ID0 once before the loop") !=
          std::string::npos);
  }
  SECTION("the scalar unit is held up before it") {
    const SimResult result =
        bench.must_run(vector_kernel(wait_flag("PIPE_MTE2", "PIPE_S") + set_flag("PIPE_MTE2", "PIPE_S")));
    const Finding* dead = finding(result, "DEADLOCK");
    REQUIRE(dead != nullptr);
    CHECK(dead->message.find("the scalar unit of AIV0 waits for") == 0);
    CHECK(dead->related[0].message.find("has not come to this set") != std::string::npos);
  }
}

TEST_CASE("a deadlock of a full queue names the depth that cures it", "[sim]") {
  Bench bench = two_buffers();
  bench.machine.queue_depth = 3;
  std::string body = wait_flag("PIPE_MTE3", "PIPE_MTE2");
  for (int i = 0; i < 5; ++i) body += kLoad;
  body += set_flag("PIPE_MTE3", "PIPE_MTE2");
  const SimResult result = bench.must_run(vector_kernel(body));
  const Finding* dead = finding(result, "DEADLOCK");
  REQUIRE(dead != nullptr);
  CHECK(dead->message.find("waits for room in the queue of PIPE_MTE2, which holds 3 entries") !=
        std::string::npos);
  CHECK(dead->help.find("queues of 6 entries would be deep enough") != std::string::npos);
  bench.machine.queue_depth = 6;
  CHECK(bench.must_run(vector_kernel(body)).findings.empty());
  bench.machine.queue_depth = 5;
  CHECK_FALSE(bench.must_run(vector_kernel(body)).findings.empty());
}

TEST_CASE("flags at rest: double sets, leftovers, buffers", "[sim]") {
  Bench bench = two_buffers();
  SECTION("a bit flag loses the second set") {
    const SimResult result = bench.must_run(
        vector_kernel(set_flag("PIPE_MTE2", "PIPE_S") + set_flag("PIPE_MTE2", "PIPE_S") +
                      "    pto.barrier #pto.pipe<PIPE_ALL>\n" + wait_flag("PIPE_MTE2", "PIPE_S")));
    const Finding* twice = finding(result, "FLAG-DOUBLE");
    REQUIRE(twice != nullptr);
    CHECK(twice->warning);
    CHECK(twice->message.find("this set is lost") != std::string::npos);
    CHECK(finding(result, "FLAG-LEFT") == nullptr);
  }
  SECTION("a counting flag keeps it") {
    bench.machine.flag_is_counter = true;
    const SimResult result =
        bench.must_run(vector_kernel(set_flag("PIPE_MTE2", "PIPE_S") + set_flag("PIPE_MTE2", "PIPE_S") +
                                     "    pto.barrier #pto.pipe<PIPE_ALL>\n" +
                                     wait_flag("PIPE_MTE2", "PIPE_S") + wait_flag("PIPE_MTE2", "PIPE_S")));
    REQUIRE(finding(result, "FLAG-DOUBLE") != nullptr);
    CHECK(finding(result, "DEADLOCK") == nullptr);
  }
  SECTION("left over") {
    const SimResult result = bench.must_run(vector_kernel(kLoad + set_flag("PIPE_MTE2", "PIPE_MTE3")));
    const Finding* left = finding(result, "FLAG-LEFT");
    REQUIRE(left != nullptr);
    CHECK_FALSE(left->warning);
  }
  SECTION("buffer not released") {
    const SimResult result = bench.must_run(vector_kernel("    pto.get_buf \"PIPE_MTE2\", 3, 0\n" + kLoad));
    const Finding* left = finding(result, "BUF-LEFT");
    REQUIRE(left != nullptr);
    CHECK(left->message == "PIPE_MTE2 of AIV0 got buffer id 3 1 time more often than it released it");
  }
}

TEST_CASE("accesses out of bounds name the argument and by how much", "[sim]") {
  Bench bench;
  bench.machine = make_machine(Target::a5);
  bench.buffer(200);
  bench.buffer(256);
  const SimResult result = bench.must_run(vector_kernel(kLoad));
  const Finding* bounds = finding(result, "BOUNDS");
  REQUIRE(bounds != nullptr);
  CHECK(bounds->where.line != 0);
  CHECK(bounds->message.find("bytes 0..255 of argument 'a' (200 bytes): 56 bytes beyond its end") !=
        std::string::npos);
}

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
    REQUIRE(finding(result, "TIME-DATA") != nullptr);
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
  CHECK(result.findings.empty());
  for (size_t i = 0; i < 64; ++i) {
    float value = 0;
    std::memcpy(&value, bench.arguments[1].bytes.data() + 4 * i, 4);
    CHECK(value == 2 * static_cast<float>(i));
  }
  CHECK(pipe(result, Pipe::v)->instructions == 1);
  CHECK(pipe(result, Pipe::v)->busy_cycles == 5 + 4);
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
    CHECK(result.findings.empty());
    check_accounting(result);
  }
  SECTION("one half only") {
    const SimResult result =
        bench.must_run(text("      pto.sync.set <PIPE_FIX>, 1\n", "      pto.sync.wait <PIPE_MTE3>, 1\n"));
    const Finding* dead = finding(result, "DEADLOCK");
    REQUIRE(dead != nullptr);
    CHECK(dead->message == "PIPE_MTE3 of AIV1 waits for cross-core id 1, which nobody signals");
  }
  SECTION("back: the AIC hears AIV1 at id + 16") {
    const SimResult result =
        bench.must_run(text("      pto.sync.wait <PIPE_MTE2>, 2\n      pto.sync.wait <PIPE_MTE2>, 18\n",
                            "      pto.sync.set <PIPE_MTE3>, 2\n"));
    CHECK(result.findings.empty());
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
      CHECK(result.findings.empty());
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
  CHECK(result.findings.empty());
  CHECK(pipe(result, Pipe::s, 0)->stall_cycles[static_cast<size_t>(Stall::cross_core)] > 0);
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
    REQUIRE(result.findings.empty());
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
  CHECK(result.findings.empty());
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
  CHECK(result.findings.empty());
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
  CHECK(result.findings.empty());
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
  CHECK(result.findings.empty());
  REQUIRE(recorder.flags.size() == 1);
  CHECK(recorder.flags[0].id == 7);
  CHECK(bench.arguments[0].bytes == bench.arguments[1].bytes);
  const SimResult beyond = bench.must_run(
      vector_kernel("    pto.set_flag_dyn [#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_MTE3>, %i20]\n"));
  REQUIRE(finding(beyond, "EVENT-ID") != nullptr);
  CHECK(beyond.findings[0].message == "event id 20; the target has ids 0..7");
}

TEST_CASE("limits end a run", "[sim]") {
  Bench bench = two_buffers();
  bench.options.max_cycles = 35;
  bench.costs.rows["pto.mte_gm_ub"] = {10, 10, Basis::assumed};
  const SimResult result =
      bench.must_run(vector_kernel("    scf.for %i = %i0 to %i20 step %i1 {\n" + kLoad + "    }\n"));
  REQUIRE(finding(result, "MAX-CYCLES") != nullptr);
  CHECK(result.total_cycles < 60);
  check_accounting(result);
  bench.options.max_cycles = 0;
  CHECK(bench.must_run(vector_kernel("    scf.for %i = %i0 to %i20 step %i1 {\n" + kLoad + "    }\n"))
            .findings.empty());
}

TEST_CASE("time mode refuses extents that come from memory", "[sim]") {
  Bench bench = two_buffers();
  bench.options.mode = Mode::time;
  const SimResult result = bench.must_run(vector_kernel(R"(
    %p = pto.castptr %ga : !pto.ptr<f32, gm> -> !pto.ptr<i64, gm>
    %n = pto.load_scalar %p[%i0] : !pto.ptr<i64, gm> -> i64
    pto.mte_gm_ub %ga, %u0, %c0, %n nburst(%c1, %c256, %c256) : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
)"));
  REQUIRE(finding(result, "TIME-DATA") != nullptr);
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
  CHECK(result.findings.empty());
  CHECK(pipe(result, Pipe::v)->instructions == 1);
}

TEST_CASE("check mode warns of flags that some machines would share", "[sim]") {
  Bench bench = two_buffers();
  const auto body = [](int second) {
    return vector_kernel(set_flag("PIPE_MTE2", "PIPE_MTE3", 0) + set_flag("PIPE_V", "PIPE_MTE3", second) +
                         "    pto.barrier #pto.pipe<PIPE_ALL>\n" + wait_flag("PIPE_MTE2", "PIPE_MTE3", 0) +
                         wait_flag("PIPE_V", "PIPE_MTE3", second));
  };
  CHECK(bench.must_run(body(0)).findings.empty());
  bench.options.mode = Mode::check;
  CHECK(bench.must_run(body(1)).findings.empty());
  CHECK(bench.must_run(body(0)).findings.empty());  // the key is settled on a2a3 and a5
  bench.machine.target = Target::cpu;
  CHECK(bench.must_run(body(1)).findings.empty());
  const SimResult result = bench.must_run(body(0));
  const Finding* key = finding(result, "FLAG-KEY");
  REQUIRE(key != nullptr);
  CHECK(key->warning);
  CHECK(key->help == "give the flags into PIPE_MTE3 ids of their own");
  SECTION("and on such a machine the second set is a double set") {
    bench.machine.flag_key_has_src = false;
    REQUIRE(finding(bench.must_run(body(0)), "FLAG-DOUBLE") != nullptr);
  }
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
        REQUIRE(result.findings.size() == 1);
        return std::string(result.findings[0].id);
      };
      SimOptions endless, cycles, instructions;
      endless.endless_steps = 100000;
      cycles.max_cycles = 50000;
      instructions.max_instructions = 50000;
      CHECK(stopped_by(endless) == "HANG");
      CHECK(stopped_by(instructions) == "MAX-INSTRUCTIONS");
      if (mode != Mode::check || text == scalar)
        CHECK(stopped_by(cycles) == "MAX-CYCLES");  // vector functions take a cycle in check mode
    }
  }
}

TEST_CASE("A limit of instructions is kept to, short kernels included", "[sim]") {
  const std::string text =
      "func.func @k() attributes {pto.entry} {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : "
      "index\n"
      "%n = arith.constant 2000 : index\nscf.for %i = %c0 to %n step %c1 {\n%x = arith.addi %i, %c1 : "
      "index\n}\nreturn\n}\n";
  Bench bench;
  bench.options.max_instructions = 100;
  CHECK(finding(bench.must_run(text), "MAX-INSTRUCTIONS") != nullptr);
  Bench enough;
  enough.options.max_instructions = 1000000;
  CHECK(enough.must_run(text).findings.empty());
}

}  // namespace pto::sim
