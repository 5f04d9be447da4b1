// Deadlocks and what is said of them; flags and buffers at rest.
#include <set>

#include "sim/engine/engine_fixture.hpp"
#include "support/quiet_warnings.hpp"

namespace pto::sim {

using namespace test;

TEST_CASE("a wait without a set is a deadlock that names the nearest set", "[sim]") {
  Bench bench = two_buffers();
  const SimResult result = bench.must_run(vector_kernel(kLoad + set_flag("PIPE_MTE2", "PIPE_MTE3", 1) +
                                                        wait_flag("PIPE_MTE2", "PIPE_MTE3", 0) + kStore));
  const Diagnostic* dead = finding(result, FindingId::deadlock);
  REQUIRE(dead != nullptr);
  CHECK(dead->severity == Severity::error);
  CHECK(dead->where.line != 0);
  CHECK(dead->message ==
        "PIPE_MTE3 of AIV0 waits for flag PIPE_MTE2 -> PIPE_MTE3 EVENT_ID0, but no set_flag of AIV0 sets it");
  REQUIRE(dead->notes.size() == 2);
  CHECK(dead->notes[0].message ==
        "EVENT_ID1 of the same pipes is set here and never waited for; did you mean EVENT_ID1?");
  CHECK(dead->notes[1].message == "1 more entry is queued behind it, first this pto.mte_ub_gm");
  check_accounting(result);
}

TEST_CASE("a wait for a wrong id is told the set that nobody takes", "[sim]") {
  Bench bench = two_buffers();
  const auto hint = [&](const std::string& body) {
    const SimResult result = bench.must_run(vector_kernel(body));
    const Diagnostic* dead = finding(result, FindingId::deadlock);
    REQUIRE(dead != nullptr);
    return dead->notes.at(0).message;
  };
  // EVENT_ID0 is nearer in the text, but it is taken.
  CHECK(hint(kLoad + set_flag("PIPE_MTE2", "PIPE_MTE3", 1) + set_flag("PIPE_MTE2", "PIPE_MTE3", 0) +
             wait_flag("PIPE_MTE2", "PIPE_MTE3", 0) + wait_flag("PIPE_MTE2", "PIPE_MTE3", 2)) ==
        "EVENT_ID1 of the same pipes is set here and never waited for; did you mean EVENT_ID1?");
  // Of two that are as near, the first of the program.
  CHECK(hint(set_flag("PIPE_MTE2", "PIPE_MTE3", 1) + set_flag("PIPE_MTE2", "PIPE_MTE3", 2) +
             wait_flag("PIPE_MTE2", "PIPE_MTE3", 0)) ==
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
  REQUIRE(result.findings.all().size() == 1);
  const Diagnostic& dead = result.findings.all()[0];
  CHECK(dead.message.starts_with(
      "PIPE_MTE2 of AIV0 of block 0 waits for flag PIPE_MTE3 -> PIPE_MTE2 EVENT_ID0"));
  CHECK(dead.notes.back().message ==
        "AIV0 of block 1, AIV0 of block 2, AIV0 of block 3 and 4 more cores hang in the same way");
  std::set<std::string> notes;
  for (const Note& note : dead.notes) CHECK(notes.insert(note.message).second);
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
    const Diagnostic* dead = finding(result, FindingId::deadlock);
    REQUIRE(dead != nullptr);
    CHECK(dead->notes[0].message.find("its branch of the scf.if") != std::string::npos);
  }
  SECTION("loop without iterations") {
    const SimResult result = bench.must_run(vector_kernel("    scf.for %i = %i1 to %i0 step %i1 {\n" +
                                                          set_flag("PIPE_MTE2", "PIPE_MTE3") + "    }\n" +
                                                          wait_flag("PIPE_MTE2", "PIPE_MTE3") + kStore));
    const Diagnostic* dead = finding(result, FindingId::deadlock);
    REQUIRE(dead != nullptr);
    CHECK(dead->notes[0].message.find("made no iteration") != std::string::npos);
  }
  SECTION("one set too few") {
    const SimResult result = bench.must_run(vector_kernel(set_flag("PIPE_MTE2", "PIPE_MTE3") +
                                                          wait_flag("PIPE_MTE2", "PIPE_MTE3") +
                                                          wait_flag("PIPE_MTE2", "PIPE_MTE3")));
    const Diagnostic* dead = finding(result, FindingId::deadlock);
    REQUIRE(dead != nullptr);
    CHECK(dead->notes[0].message == "this set ran 1 time; 1 wait took its sets");
  }
  SECTION("the set is queued behind a wait of the other pipe") {
    const SimResult result = bench.must_run(
        vector_kernel(wait_flag("PIPE_MTE3", "PIPE_MTE2") + set_flag("PIPE_MTE2", "PIPE_MTE3") +
                      wait_flag("PIPE_MTE2", "PIPE_MTE3") + set_flag("PIPE_MTE3", "PIPE_MTE2")));
    const Diagnostic* dead = finding(result, FindingId::deadlock);
    REQUIRE(dead != nullptr);
    CHECK(dead->notes[0].message.find("is in the queue of PIPE_MTE3 after pto.wait_flag") !=
          std::string::npos);
  }
  SECTION("a loop that lacks its first set") {
    const SimResult result = bench.must_run(
        vector_kernel("    scf.for %i = %i0 to %i4 step %i1 {\n" + wait_flag("PIPE_MTE3", "PIPE_MTE2") +
                      kLoad + set_flag("PIPE_MTE2", "PIPE_MTE3") + wait_flag("PIPE_MTE2", "PIPE_MTE3") +
                      kStore + set_flag("PIPE_MTE3", "PIPE_MTE2") + "    }\n"));
    REQUIRE(result.findings.all().size() == 1);  // both pipes of the circle are in one finding
    CHECK(result.findings.all()[0].notes[2].message.find(
              "PIPE_MTE3 waits here for flag PIPE_MTE2 -> PIPE_MTE3 EVENT_ID0") == 0);
    CHECK(to_string(result.findings.all()[0].help)
              .find(R"(add pto.set_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>] before )") !=
          std::string::npos);
  }
  SECTION("the scalar unit is held up before it") {
    const SimResult result =
        bench.must_run(vector_kernel(wait_flag("PIPE_MTE2", "PIPE_S") + set_flag("PIPE_MTE2", "PIPE_S")));
    const Diagnostic* dead = finding(result, FindingId::deadlock);
    REQUIRE(dead != nullptr);
    CHECK(dead->message.find("the scalar unit of AIV0 waits for") == 0);
    CHECK(dead->notes[0].message.find("has not come to this set") != std::string::npos);
  }
}

TEST_CASE("a deadlock of a full queue names the depth that cures it", "[sim]") {
  Bench bench = two_buffers();
  bench.machine.queue_depth = 3;
  std::string body = wait_flag("PIPE_MTE3", "PIPE_MTE2");
  for (int i = 0; i < 5; ++i) body += kLoad;
  body += set_flag("PIPE_MTE3", "PIPE_MTE2");
  const SimResult result = bench.must_run(vector_kernel(body));
  const Diagnostic* dead = finding(result, FindingId::deadlock);
  REQUIRE(dead != nullptr);
  CHECK(dead->message.find("waits for room in the queue of PIPE_MTE2, which holds 3 entries") !=
        std::string::npos);
  CHECK(to_string(dead->help).find("queues of 6 entries would be deep enough") != std::string::npos);
  bench.machine.queue_depth = 6;
  CHECK(bench.must_run(vector_kernel(body)).findings.all().empty());
  bench.machine.queue_depth = 5;
  CHECK_FALSE(bench.must_run(vector_kernel(body)).findings.all().empty());
}

TEST_CASE("a deadlock of a full queue is told of the core that has it", "[sim]") {
  Bench bench = two_buffers();
  bench.options.blocks = 2;
  bench.machine.queue_depth = 3;
  std::string body =
      "    %block = pto.get_block_idx\n    %bi = arith.index_cast %block : i64 to index\n"
      "    %second = arith.cmpi eq, %bi, %i1 : index\n    scf.if %second {\n" +
      wait_flag("PIPE_MTE3", "PIPE_MTE2");
  for (int i = 0; i < 5; ++i) body += kLoad;
  body += set_flag("PIPE_MTE3", "PIPE_MTE2") + "    }\n";
  const SimResult result = bench.must_run(vector_kernel(body));
  const Diagnostic* dead = finding(result, FindingId::deadlock);
  REQUIRE(dead != nullptr);
  CHECK(dead->message.find("of block 1 hangs: its scalar unit waits for room in the queue of PIPE_MTE2, "
                           "which holds 3 entries") != std::string::npos);
  CHECK(to_string(dead->help).find("queues of 6 entries would be deep enough") != std::string::npos);
}

TEST_CASE("flags at rest: double sets, leftovers, buffers", "[sim]") {
  Bench bench = two_buffers();
  for (const FindingId id : findings_with(kDoubleSet)) bench.options.warnings.show(id, true);
  const std::string two = set_flag("PIPE_MTE2", "PIPE_S") + set_flag("PIPE_MTE2", "PIPE_S"),
                    all = "    pto.barrier #pto.pipe<PIPE_ALL>\n", one = wait_flag("PIPE_MTE2", "PIPE_S");
  SECTION("a bit flag loses the second set") {
    bench.machine.flags = FlagKind::bit;
    const SimResult result = bench.must_run(vector_kernel(two + all + one));
    const Diagnostic* twice = finding(result, FindingId::flag_double);
    REQUIRE(twice != nullptr);
    CHECK(twice->severity == Severity::error);
    CHECK(twice->message.find("this set is lost") != std::string::npos);
    CHECK(finding(result, FindingId::flag_left) == nullptr);
    CHECK(result.double_sets == 0);
  }
  SECTION("a counting flag keeps it") {
    const SimResult result = bench.must_run(vector_kernel(two + all + one + one));
    REQUIRE(finding(result, FindingId::flag_double) != nullptr);
    CHECK(finding(result, FindingId::flag_double)->severity == Severity::warning);
    CHECK(result.findings.errors() == 0);
    CHECK(result.double_sets == 1);
  }
  SECTION("what one takes is left of the other") {
    const SimResult result = bench.must_run(vector_kernel(two + all + one));
    CHECK(finding(result, FindingId::flag_left) != nullptr);
  }
  SECTION("a second set waits for the first one to be taken") {
    bench.machine.flags = FlagKind::bit_stall;
    const SimResult stands =
        bench.must_run(vector_kernel(two + all + one + one));  // nobody comes to the waits
    REQUIRE(finding(stands, FindingId::deadlock) != nullptr);
    CHECK(finding(stands, FindingId::deadlock)->message ==
          "PIPE_MTE2 of AIV0 cannot set flag PIPE_MTE2 -> PIPE_S EVENT_ID0 again: no wait takes the set "
          "before");
    const SimResult goes_on = bench.must_run(vector_kernel(two + one + one));
    CHECK(goes_on.findings.errors() == 0);
  }
  SECTION("a counter holds 15") {
    std::string sets, waits;
    for (int i = 0; i < 15; ++i) {
      sets += set_flag("PIPE_MTE2", "PIPE_MTE3");
      waits += wait_flag("PIPE_MTE2", "PIPE_MTE3");
    }
    const std::string set = set_flag("PIPE_MTE2", "PIPE_MTE3"), wait = wait_flag("PIPE_MTE2", "PIPE_MTE3");
    CHECK(finding(bench.must_run(vector_kernel(sets + all + waits)), FindingId::flag_overflow) == nullptr);
    const SimResult more = bench.must_run(vector_kernel(sets + set + kLoad + waits + wait));
    CHECK(more.findings.errors() == 0);
    CHECK(finding(bench.must_run(vector_kernel(sets + set + all + waits + wait)), FindingId::deadlock) !=
          nullptr);
  }
  SECTION("left over") {
    const SimResult result = bench.must_run(vector_kernel(kLoad + set_flag("PIPE_MTE2", "PIPE_MTE3")));
    const Diagnostic* left = finding(result, FindingId::flag_left);
    REQUIRE(left != nullptr);
    CHECK(left->severity == Severity::error);
  }
  SECTION("buffer not released") {
    const SimResult result = bench.must_run(vector_kernel("    pto.get_buf \"PIPE_MTE2\", 3, 0\n" + kLoad));
    const Diagnostic* left = finding(result, FindingId::buf_left);
    REQUIRE(left != nullptr);
    CHECK(left->message == "PIPE_MTE2 of AIV0 got buffer id 3 once more often than it released it");
  }
}

TEST_CASE("check mode warns of flags that some machines would share", "[sim]") {
  Bench bench = two_buffers();
  const auto body = [](int second) {
    return vector_kernel(set_flag("PIPE_MTE2", "PIPE_MTE3", 0) + set_flag("PIPE_V", "PIPE_MTE3", second) +
                         "    pto.barrier #pto.pipe<PIPE_ALL>\n" + wait_flag("PIPE_MTE2", "PIPE_MTE3", 0) +
                         wait_flag("PIPE_V", "PIPE_MTE3", second));
  };
  CHECK(bench.must_run(body(0)).findings.all().empty());
  bench.options.mode = Mode::check;
  CHECK(bench.must_run(body(1)).findings.all().empty());
  CHECK(bench.must_run(body(0)).findings.all().empty());  // the key is settled on a2a3 and a5
  bench.machine.target = Target::cpu;
  CHECK(bench.must_run(body(1)).findings.all().empty());
  const SimResult result = bench.must_run(body(0));
  const Diagnostic* key = finding(result, FindingId::flag_key);
  REQUIRE(key != nullptr);
  CHECK(key->severity == Severity::warning);
  CHECK(to_string(key->help) == "give the flags into PIPE_MTE3 ids of their own");
  SECTION("and on such a machine the second set is a double set") {
    bench.machine.flag_key_has_src = false;
    bench.options.warnings.show(FindingId::flag_double, true);
    REQUIRE(finding(bench.must_run(body(0)), FindingId::flag_double) != nullptr);
  }
}

}  // namespace pto::sim
