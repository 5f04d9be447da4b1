#include "check/checkers.hpp"

#include "check/interval_map.hpp"
#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

/// Plays what an engine would report for one core.
class Stage {
 public:
  explicit Stage(std::unique_ptr<RunChecker> checker, uint32_t cores = 1)
      : Stage(std::move(checker), mixed(cores)) {}
  Stage(std::unique_ptr<RunChecker> checker, std::vector<CoreInfo> cores)
      : cores_(std::move(cores)), checker_(std::move(checker)) {
    program_.ops.resize(32);
    program_.operands.resize(64);
    program_.source_name = "k.pto";
    for (uint32_t pc = 0; pc < program_.ops.size(); ++pc) program_.ops[pc].where = {pc + 1, 5};
    checker_->on_start(cores_, program_);
  }
  /// S puts an entry into the pipe's queue; the result is its token.
  uint64_t issue(Pipe pipe, uint32_t core = 0) {
    checker_->on_order({core, core, Pipe::s, pipe, ++token_, true, 0});
    return token_;
  }
  void start(uint64_t issued, Pipe pipe, uint32_t core = 0) {
    checker_->on_order({core, core, Pipe::s, pipe, issued, false, 0});
  }
  void access(Pipe pipe, uint32_t pc, bool write, uint64_t addr, uint64_t bytes, Space space = Space::ub,
              uint32_t core = 0, bool update = false) {
    FootprintEvent event;
    event.core = core;
    event.pipe = pipe;
    event.pc = pc;
    event.write = write;
    event.space = space;
    event.addr = addr;
    event.row_bytes = bytes;
    event.pitch = static_cast<int64_t>(bytes);
    event.update = update;
    checker_->on_footprint(event);
  }
  /// Issue, start and access in one.
  void run(Pipe pipe, uint32_t pc, bool write, uint64_t addr, uint64_t bytes, Space space = Space::ub,
           uint32_t core = 0, bool update = false) {
    start(issue(pipe, core), pipe, core);
    access(pipe, pc, write, addr, bytes, space, core, update);
  }
  void flag(Pipe from, Pipe to, uint32_t from_core = 0, uint32_t to_core = 0) {
    ++token_;
    checker_->on_order({from_core, to_core, from, to, token_, true, 0});
    checker_->on_order({from_core, to_core, from, to, token_, false, 0});
  }
  /// All meet: what the pipe of each did before comes before what it does after.
  void meet(Pipe pipe, uint32_t cores) {
    ++token_;
    for (uint32_t core = 0; core < cores; ++core)
      checker_->on_order({core, core, pipe, Pipe::none, token_, true, 0});
    for (uint32_t core = 0; core < cores; ++core)
      checker_->on_order({0, core, pipe, pipe, token_, false, 0, core + 1 == cores});
  }
  std::vector<Diagnostic> findings() { return checker_->take_findings(); }
  RunChecker& checker() { return *checker_; }

 private:
  static std::vector<CoreInfo> mixed(uint32_t count) {
    std::vector<CoreInfo> cores;
    for (uint32_t core = 0; core < count; ++core) cores.push_back({core, core, CoreKind::mixed, 0});
    return cores;
  }

  Program program_;
  std::vector<CoreInfo> cores_;
  std::unique_ptr<RunChecker> checker_;
  uint64_t token_ = 0;
};

TEST_CASE("an unsynchronised load and use race; a flag cures it", "[race]") {
  for (const bool synchronised : {false, true}) {
    Stage stage(make_race_checker(Machine{}));
    stage.run(Pipe::mte2, 3, true, 0x100, 64);
    if (synchronised) stage.flag(Pipe::mte2, Pipe::v);
    stage.run(Pipe::v, 5, false, 0x120, 16);
    const auto found = stage.findings();
    REQUIRE(found.size() == (synchronised ? 0 : 1));
    if (synchronised) continue;
    CHECK(found[0].id == FindingId::race);
    CHECK(found[0].where.line == 6);
    CHECK(found[0].notes.at(0).where.line == 4);
    CHECK(found[0].message.find("16 bytes of ub at 0x120") != std::string::npos);
    CHECK(to_string(found[0].help).find("pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>] after k.pto:4") !=
          std::string::npos);
    CHECK(to_string(found[0].help).find("pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>] before k.pto:6") !=
          std::string::npos);
  }
}

TEST_CASE("the verdict does not depend on who happened to run first", "[race]") {
  Stage stage(make_race_checker(Machine{}));
  const auto load = stage.issue(Pipe::mte2), use = stage.issue(Pipe::v);
  stage.start(use, Pipe::v);
  stage.access(Pipe::v, 5, false, 0, 64);
  stage.start(load, Pipe::mte2);
  stage.access(Pipe::mte2, 3, true, 0, 64);
  const auto found = stage.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].anchor.op == 5);  // in issue order the use is second
  CHECK(found[0].notes.at(0).anchor.op == 3);
}

TEST_CASE("a meeting orders each core's past before every core's future", "[race]") {
  constexpr uint32_t kCores = 5;
  for (const bool met : {false, true}) {
    Stage stage(make_race_checker(Machine{}), kCores);
    for (uint32_t core = 0; core < kCores; ++core)
      stage.run(Pipe::mte3, 1 + core, true, 64 * core, 64, Space::gm, core);
    if (met) stage.meet(Pipe::mte3, kCores);
    for (uint32_t core = 0; core < kCores; ++core)
      stage.run(Pipe::mte3, 11 + core, false, 0, 64 * kCores, Space::gm, core);
    CHECK(stage.findings().size() == (met ? 0 : kCores * (kCores - 1)));
    if (!met) continue;
    stage.run(Pipe::mte3, 20, true, 0, 8, Space::gm, 2);  // after all met: the readers' ends are not known
    CHECK(stage.findings().size() == kCores - 1);
  }
}

/// An engine whose clock counts what it is asked.
class Clock final : public RunContext {
 public:
  mutable uint64_t asked = 0;
  [[nodiscard]] Moment moment() const override { return {.cycle = 1000}; }
  [[nodiscard]] EntryMark mark() const override { return {.cycle = ++asked}; }
  [[nodiscard]] Moment moment_of(const EntryMark& mark) const override { return {.cycle = mark.cycle}; }
  [[nodiscard]] ValueId operand_at(Space, uint64_t) const override { return kNoValue; }
};

TEST_CASE("a race tells the moments of both accesses", "[race]") {
  Stage stage(make_race_checker(Machine{}));
  const Clock clock;
  stage.checker().on_context(clock);
  stage.run(Pipe::mte2, 3, true, 0x100, 64);
  stage.access(Pipe::mte2, 3, true, 0x140, 64);  // of the same entry
  stage.run(Pipe::mte2, 3, true, 0x180, 64);
  stage.run(Pipe::v, 5, false, 0x180, 16);
  CHECK(clock.asked == 3);
  const auto found = stage.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].moment.value().cycle == 1000);
  CHECK(found[0].notes.at(0).moment.value().cycle == 2);
  stage.run(Pipe::mte3, 6, false, 0x140, 16);
  const auto first = stage.findings();
  REQUIRE(first.size() == 1);
  CHECK(first[0].notes.at(0).moment.value().cycle == 1);
}

TEST_CASE("the scalar unit's loops do not fill the memory with moments", "[race]") {
  Stage stage(make_race_checker(Machine{}));
  const Clock clock;
  stage.checker().on_context(clock);
  constexpr uint64_t kStores = 100'000;
  for (uint64_t i = 0; i < kStores; ++i) stage.access(Pipe::s, 3, true, 4 * i, 4, Space::gm);
  CHECK(clock.asked == 1 << 14);
  const auto load = stage.issue(Pipe::mte2);
  stage.access(Pipe::s, 4, true, 0, 4, Space::gm);
  stage.access(Pipe::s, 4, true, 4 * kStores - 4, 4, Space::gm);
  stage.start(load, Pipe::mte2);
  stage.access(Pipe::mte2, 5, false, 0, 4 * kStores, Space::gm);
  const auto found = stage.findings();
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found[0].moment.has_value());  // the scalar unit's access comes later in the order of issue
  CHECK(found[0].notes.at(0).moment.value().cycle == 1000);
}

TEST_CASE("write after read of the next iteration is told as such", "[race]") {
  Stage stage(make_race_checker(Machine{}));
  stage.run(Pipe::mte2, 3, true, 0, 64);
  stage.flag(Pipe::mte2, Pipe::v);
  stage.run(Pipe::v, 5, false, 0, 64);
  stage.run(Pipe::mte2, 3, true, 0, 64);  // no flag V -> MTE2
  const auto found = stage.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].anchor.op == 3);
  CHECK(to_string(found[0].help).find("<PIPE_V>, <PIPE_MTE2>") != std::string::npos);
  CHECK(to_string(found[0].help).find("next iteration") != std::string::npos);
}

TEST_CASE("what does not race", "[race]") {
  Stage stage(make_race_checker(Machine{}));
  stage.run(Pipe::v, 1, true, 0, 64);
  stage.run(Pipe::v, 2, false, 0, 64);      // one pipe is in order
  stage.run(Pipe::mte3, 3, false, 64, 64);  // neighbours, not overlapping
  stage.run(Pipe::v, 4, true, 128, 64);
  stage.run(Pipe::mte3, 5, false, 256, 64);
  stage.run(Pipe::v, 6, false, 256, 64);  // two reads
  stage.run(Pipe::mte3, 7, true, 0, 64, Space::gm, 0, true);
  stage.run(Pipe::v, 8, true, 0, 64, Space::gm, 0, true);  // atomics commute
  CHECK(stage.findings().empty());
}

TEST_CASE("order is transitive and flags order only what came before them", "[race]") {
  Stage stage(make_race_checker(Machine{}));
  stage.run(Pipe::mte2, 1, true, 0, 64);
  stage.flag(Pipe::mte2, Pipe::v);
  stage.run(Pipe::mte2, 2, true, 64, 64);  // after the flag
  stage.run(Pipe::v, 3, true, 0, 64);
  stage.flag(Pipe::v, Pipe::mte3);
  stage.run(Pipe::mte3, 4, false, 0, 64);  // ordered through V
  CHECK(stage.findings().empty());
  stage.run(Pipe::mte3, 5, false, 64, 64);
  CHECK(stage.findings().size() == 1);
}

TEST_CASE("the scalar unit orders what it did before an issue", "[race]") {
  Stage stage(make_race_checker(Machine{}));
  stage.access(Pipe::s, 1, true, 0, 4);
  stage.run(Pipe::v, 2, false, 0, 4);
  CHECK(stage.findings().empty());
  stage.access(Pipe::s, 3, true, 0, 4);  // V may still be reading
  CHECK(stage.findings().size() == 1);
}

TEST_CASE("a write races with every core that has read, whatever the order of the reads", "[race]") {
  Stage stage(make_race_checker(Machine{}), 4);
  for (const uint32_t core : {2U, 0U, 3U, 1U, 2U})
    stage.run(Pipe::mte2, 1 + core, false, 0, 64, Space::gm, core);
  stage.flag(Pipe::mte2, Pipe::mte3, 0, 0);
  stage.flag(Pipe::mte2, Pipe::mte3, 3, 0);
  stage.run(Pipe::mte3, 9, true, 0, 64, Space::gm, 0);
  const auto found = stage.findings();
  REQUIRE(found.size() == 2);
  CHECK(found[0].notes.at(0).anchor.op == 2);
  CHECK(found[1].notes.at(0).anchor.op == 3);
}

TEST_CASE("cores share GM only", "[race]") {
  Stage stage(make_race_checker(Machine{}), 2);
  stage.run(Pipe::mte3, 1, true, 0, 64, Space::ub, 0);
  stage.run(Pipe::mte3, 2, true, 0, 64, Space::ub, 1);
  CHECK(stage.findings().empty());
  stage.run(Pipe::mte3, 3, true, 0, 64, Space::gm, 0);
  stage.run(Pipe::mte3, 4, true, 0, 64, Space::gm, 1);
  const auto found = stage.findings();
  REQUIRE(found.size() == 1);
  CHECK(to_string(found[0].help).find("pto.get_block_idx") != std::string::npos);
  stage.run(Pipe::mte3, 5, true, 4096, 64, Space::gm, 0);
  stage.flag(Pipe::mte3, Pipe::mte2, 0, 1);
  stage.run(Pipe::mte2, 6, false, 4096, 64, Space::gm, 1);
  CHECK(stage.findings().empty());
}

TEST_CASE("what both vector cores of a cluster write is a warning", "[race]") {
  const std::vector<CoreInfo> cores = {
      {0, 0, CoreKind::aiv, 0}, {1, 0, CoreKind::aiv, 1}, {2, 1, CoreKind::aiv, 0}};
  Stage stage(make_race_checker(Machine{}), cores);
  stage.run(Pipe::mte3, 1, true, 0, 64, Space::gm, 0);
  stage.run(Pipe::mte3, 1, true, 0, 64, Space::gm, 1);
  stage.run(Pipe::mte3, 2, true, 0, 64, Space::gm, 2);  // another cluster
  const auto found = stage.findings();
  REQUIRE(found.size() == 2);
  CHECK(found[0].severity == Severity::warning);
  CHECK(found[1].severity == Severity::error);
}

TEST_CASE("a vector unit that overlaps its instructions wants a barrier between dependent ones", "[race]") {
  Machine machine;
  machine.vector_overlaps = true;
  for (const bool first_writes : {false, true}) {
    for (const bool barrier : {false, true}) {
      INFO(first_writes << barrier);
      Stage stage(make_race_checker(machine));
      stage.run(Pipe::v, 3, first_writes, 0x100, 64);
      if (barrier) stage.flag(Pipe::v, Pipe::v);
      stage.run(Pipe::v, 5, true, 0x120, 16);
      const auto found = stage.findings();
      REQUIRE(found.size() == (barrier ? 0 : 1));
      if (!barrier) CHECK(to_string(found[0].help).starts_with("add pto.barrier <PIPE_V> before k.pto:6"));
    }
  }
  SECTION("one instruction may read and write the same bytes") {
    Stage stage(make_race_checker(machine));
    stage.run(Pipe::v, 3, true, 0x100, 64);
    stage.flag(Pipe::v, Pipe::v);
    stage.run(Pipe::v, 5, false, 0x100, 64);
    stage.access(Pipe::v, 5, true, 0x100, 64);
    CHECK(stage.findings().empty());
  }
  SECTION("a read of its own does not hide the one before") {
    Stage stage(make_race_checker(machine));
    stage.run(Pipe::v, 3, false, 0x100, 64);
    stage.run(Pipe::v, 5, false, 0x100, 64);
    stage.access(Pipe::v, 5, true, 0x100, 64);
    CHECK(stage.findings().size() == 1);
  }
  SECTION("what it heard back after a flag of its own is done") {
    Stage stage(make_race_checker(machine));
    stage.run(Pipe::v, 3, true, 0x100, 64);
    stage.flag(Pipe::v, Pipe::mte3);
    stage.flag(Pipe::mte3, Pipe::v);
    stage.run(Pipe::v, 5, true, 0x100, 64);
    CHECK(stage.findings().empty());
  }
  SECTION("a flag to others does not make it wait") {
    Stage stage(make_race_checker(machine));
    stage.run(Pipe::v, 3, true, 0x100, 64);
    stage.flag(Pipe::v, Pipe::mte3);
    stage.run(Pipe::v, 5, true, 0x100, 64);
    CHECK(stage.findings().size() == 1);
  }
  SECTION("other pipes keep their order") {
    Stage stage(make_race_checker(machine));
    stage.run(Pipe::mte2, 3, true, 0x100, 64);
    stage.run(Pipe::mte2, 5, true, 0x100, 64);
    CHECK(stage.findings().empty());
  }
}

TEST_CASE("a flag is advised with an id that the machine has and the kernel does not use", "[race]") {
  const auto help = [](int ids, int used) {
    Machine machine;
    machine.event_ids = ids;
    Stage stage(make_race_checker(machine));
    for (int id = 0; id < used; ++id) {
      FlagEvent flag;
      flag.src = Pipe::mte2;
      flag.dst = Pipe::v;
      flag.id = id;
      stage.checker().on_flag(flag);
    }
    stage.run(Pipe::mte2, 3, true, 0x100, 64);
    stage.run(Pipe::v, 5, false, 0x120, 16);
    return to_string(stage.findings().at(0).help);
  };
  CHECK(help(8, 3).starts_with("add pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID3>]"));
  CHECK(help(16, 9).starts_with("add pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID9>]"));
  CHECK(help(2, 2) ==
        "add pto.barrier <PIPE_ALL> before k.pto:6: all 2 ids of PIPE_MTE2 -> PIPE_V are in use, so that no "
        "flag "
        "is left for the two");
}

TEST_CASE("a warning does not hide the error of the same operations", "[race][uninit]") {
  Stage race(make_race_checker(Machine{}),
             {{0, 0, CoreKind::aiv, 0}, {1, 0, CoreKind::aiv, 1}, {2, 1, CoreKind::aiv, 0}});
  for (uint32_t core = 0; core < 3; ++core) race.run(Pipe::mte3, 3, true, 4096, 64, Space::gm, core);
  const auto races = race.findings();
  REQUIRE(races.size() == 2);  // both vector cores of a cluster, and two blocks
  CHECK(races[0].severity == Severity::warning);
  CHECK(races[1].severity == Severity::error);
  Stage uninit(make_uninitialised_checker());
  uninit.run(Pipe::mte2, 3, true, 0, 32);
  uninit.run(Pipe::v, 5, false, 0, 64);
  uninit.run(Pipe::mte2, 3, true, 0, 32);  // else they are two parts of what one instruction reads
  uninit.run(Pipe::v, 5, false, 128, 64);
  const auto reads = uninit.findings();
  REQUIRE(reads.size() == 2);  // half of the bytes, and none
  CHECK(reads[0].severity == Severity::warning);
  CHECK(reads[1].severity == Severity::error);
}

TEST_CASE("no finding is dropped", "[race]") {
  Stage stage(make_race_checker(Machine{}));
  for (uint32_t i = 0; i < 30; ++i) {
    stage.run(Pipe::mte2, i / 6, true, 64 * i, 64);
    stage.run(Pipe::v, 10 + i % 6, false, 64 * i, 64);
  }
  CHECK(stage.findings().size() == 30);  // one per pair of operations
}

TEST_CASE("a pair of instructions is reported once", "[race]") {
  Stage stage(make_race_checker(Machine{}));
  for (uint64_t i = 0; i < 10; ++i) {
    stage.run(Pipe::mte2, 1, true, 64 * i, 64);
    stage.run(Pipe::v, 2, false, 64 * i, 64);
  }
  CHECK(stage.findings().size() == 1);
}

TEST_CASE("reads of bytes that nothing wrote", "[uninit]") {
  Stage stage(make_uninitialised_checker());
  stage.checker().on_argument(0, "a", 4096, 256, true);
  stage.checker().on_argument(1, "b", 8192, 256, false);
  stage.access(Pipe::mte2, 1, false, 4096, 256, Space::gm);
  stage.access(Pipe::mte2, 1, true, 0, 256);
  stage.access(Pipe::v, 2, false, 0, 256);
  CHECK(stage.findings().empty());
  stage.access(Pipe::v, 3, false, 128, 256);
  stage.access(Pipe::v, 4, false, 512, 64);
  stage.access(Pipe::mte2, 5, false, 8192, 256, Space::gm);
  const auto found = stage.findings();
  REQUIRE(found.size() == 3);
  CHECK(found[0].severity == Severity::warning);  // half of it is known
  CHECK(found[0].message.find("reads 256 bytes, 128 of them never written, the first in ub at 0x100") !=
        std::string::npos);
  CHECK(found[1].severity == Severity::error);
  CHECK(found[2].where.line == 6);
  CHECK(found[2].message.find("argument 'b' at byte 0") != std::string::npos);
}

TEST_CASE("moving unknown bytes is a warning, computing with them an error", "[uninit]") {
  Stage stage(make_uninitialised_checker());
  stage.access(Pipe::mte3, 1, false, 0, 64);
  stage.access(Pipe::v, 2, false, 0, 64);
  stage.access(Pipe::v, 3, true, 128, 64, Space::ub, 0, true);  // keeps what lies between
  stage.access(Pipe::m, 4, true, 0, 64, Space::l0c, 0, true);   // adds to nothing
  const auto found = stage.findings();
  REQUIRE(found.size() == 3);
  CHECK(found[0].severity == Severity::warning);
  CHECK(found[1].severity == Severity::error);
  CHECK(found[2].anchor.op == 4);
}

TEST_CASE("a move of unknown bytes leaves its destination unknown", "[uninit]") {
  for (const bool known : {true, false}) {
    Stage stage(make_uninitialised_checker());
    stage.checker().on_argument(0, "a", 4096, 64, known);
    stage.access(Pipe::mte2, 1, false, 4096, 64, Space::gm);
    stage.access(Pipe::mte2, 1, true, 0, 64);
    stage.access(Pipe::v, 2, false, 0, 64);
    const auto found = stage.findings();
    REQUIRE(found.size() == (known ? 0 : 2));
    if (known) continue;
    CHECK(found[0].severity == Severity::warning);
    CHECK(found[1].anchor.op == 2);
    CHECK(found[1].severity == Severity::error);
  }
}

TEST_CASE("strided footprints touch their rows only", "[race][uninit]") {
  Stage stage(make_uninitialised_checker());
  FootprintEvent rows;
  rows.pipe = Pipe::v;
  rows.pc = 1;
  rows.write = true;
  rows.space = Space::ub;
  rows.rows = 4;
  rows.row_bytes = 16;
  rows.pitch = 64;
  stage.checker().on_footprint(rows);
  rows.write = false;
  rows.pc = 2;
  stage.checker().on_footprint(rows);
  CHECK(stage.findings().empty());
  stage.access(Pipe::v, 3, false, 16, 48);
  CHECK(stage.findings().size() == 1);
}

TEST_CASE("interval maps split and join", "[intervals]") {
  Intervals<int> map;
  map.assign(0, 100, 1);
  map.assign(40, 60, 2);
  CHECK(map.size() == 3);
  map.assign(40, 60, 1);
  CHECK(map.size() == 1);
  map.update(90, 120, [](uint64_t, uint64_t, int& value) { value += 5; });
  std::vector<std::array<uint64_t, 3>> seen;
  map.look(80, 130, [&](uint64_t begin, uint64_t end, const int* value) {
    seen.push_back({begin, end, value ? static_cast<uint64_t>(*value) : 99});
  });
  CHECK(seen ==
        std::vector<std::array<uint64_t, 3>>{{80, 90, 1}, {90, 100, 6}, {100, 120, 5}, {120, 130, 99}});
}

}  // namespace
}  // namespace pto::sim
