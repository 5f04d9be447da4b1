// Critical paths of small kernels, counted by hand: a scalar unit that takes a cycle for each of three
// pointers and for each entry of a queue, loads that keep their pipe for 100 cycles and are visible after
// 120, stores of 10 and 30.
#include "report/bottleneck/critical_path.hpp"

#include <fmt/format.h>

#include "report/bottleneck/flag_slack.hpp"
#include "report/bottleneck/redundant_flags.hpp"
#include "sim/engine/engine_fixture.hpp"
#include "testing/catch_main.hpp"

namespace pto::report {
namespace {

using sim::test::kLoad;
using sim::test::kStore;
using sim::test::set_flag;
using sim::test::wait_flag;

struct Walked {
  Program program;
  SimResult result;
  StepGraph graph;
  std::vector<PathPart> path;

  explicit Walked(const std::string& body, int queue_depth = 8, timing::Cost store = {10, 30, Basis::assumed},
                  FlagKind flags = FlagKind::counter) {
    sim::test::Bench bench = sim::test::two_buffers();
    bench.machine.flags = flags;
    bench.machine.queue_depth = queue_depth;
    bench.options.mode = Mode::time;
    bench.costs.rows["pto.mte_gm_ub"] = {100, 120, Basis::assumed};
    bench.costs.rows["pto.mte_ub_gm"] = store;
    const std::string text = sim::test::vector_kernel(body);
    program = sim::test::assemble(text);
    Observer* const observers[] = {&graph};
    result = bench.must_run(text, observers);
    path = critical_path(graph, graph.time_again());
  }
  /// "PIPE_S 0-4 begin, PIPE_MTE2 4-124 issue, .."
  [[nodiscard]] std::string words() const {
    std::string text;
    for (const PathPart& part : path)
      text += fmt::format("{}{} {}-{} {}", text.empty() ? "" : ", ", to_string(part.pipe), part.begin,
                          part.end, to_string(part.after));
    return text;
  }
  [[nodiscard]] uint64_t total(const StepChanges& changes) const { return graph.time_again(changes).total; }
};

TEST_CASE("a flag hands the path from one pipe to the other", "[advice]") {
  const Walked run(kLoad + set_flag("PIPE_MTE2", "PIPE_MTE3") + wait_flag("PIPE_MTE2", "PIPE_MTE3") + kStore);
  CHECK(run.result.total_cycles == 154);
  CHECK(run.words() == "PIPE_S 0-4 begin, PIPE_MTE2 4-124 issue, PIPE_MTE3 124-154 flag");
  CHECK(OpView(run.program, run.path[2].wait_pc).mnemonic() == "pto.wait_flag");
  CHECK(OpView(run.program, run.path[2].set_pc).mnemonic() == "pto.set_flag");
}

TEST_CASE("entries of a pipe stand behind each other", "[advice]") {
  const Walked run(kLoad + kLoad + set_flag("PIPE_MTE2", "PIPE_MTE3") + wait_flag("PIPE_MTE2", "PIPE_MTE3") +
                   kStore);
  CHECK(run.words() ==
        "PIPE_S 0-4 begin, PIPE_MTE2 4-104 issue, PIPE_MTE2 104-224 in_order, PIPE_MTE3 224-254 flag");
  const auto sums = path_sums(run.program, run.path);
  REQUIRE(sums.size() == 4);
  CHECK(sums[0].cycles == 120);
}

TEST_CASE("a barrier of all pipes leads over the scalar unit", "[advice]") {
  const Walked run(kLoad + "    pto.barrier <PIPE_ALL>\n" + kStore);
  CHECK(run.words() ==
        "PIPE_S 0-4 begin, PIPE_MTE2 4-124 issue, PIPE_S 124-126 barrier, PIPE_MTE3 126-156 issue");
}

TEST_CASE("a barrier of a pipe holds what follows", "[advice]") {
  const Walked run(kLoad + "    pto.barrier <PIPE_MTE2>\n" + kLoad);
  CHECK(run.words() == "PIPE_S 0-4 begin, PIPE_MTE2 4-124 issue, PIPE_MTE2 124-244 barrier");
}

TEST_CASE("a full queue holds the scalar unit, and what it would have issued", "[advice]") {
  // The third load finds the second in the queue of one entry until that starts at 104.
  const Walked run(kLoad + kLoad + kLoad + kStore, 1);
  CHECK(run.result.total_cycles == 324);
  CHECK(run.words() ==
        "PIPE_S 0-4 begin, PIPE_MTE2 4-104 issue, PIPE_MTE2 104-204 in_order, PIPE_MTE2 204-324 in_order");
  CHECK(run.total({.deep_queues = true}) == 324);
  std::string stores;
  for (int i = 0; i < 23; ++i) stores += kStore;
  const Walked store(kLoad + kLoad + kLoad + stores, 1);
  // The first issues at 106, 22 wait for it; the last is visible 30 after its start.
  CHECK(store.result.total_cycles == 106 + 22 * 10 + 30);
  CHECK(
      store.words().starts_with("PIPE_S 0-4 begin, PIPE_MTE2 4-104 issue, PIPE_S 104-106 queue_room, "
                                "PIPE_MTE3 106-116 issue, PIPE_MTE3 116-126 in_order, "));
  CHECK(store.total({.deep_queues = true}) == 324);  // the loads
}

const std::string kSet = set_flag("PIPE_MTE2", "PIPE_MTE3");
const std::string kWait = wait_flag("PIPE_MTE2", "PIPE_MTE3");

TEST_CASE("a set of a full flag stands until a wait takes one", "[advice]") {
  // The first set is taken at 124; the load behind the second one starts then, not at 104.
  const std::string body = kLoad + kSet + kSet + kLoad + kWait + kStore + kWait;
  const Walked waits(body, 8, {10, 30, Basis::assumed}, FlagKind::bit_stall);
  CHECK(waits.result.total_cycles == 244);
  CHECK(waits.graph.time_again().total == 244);
  CHECK(waits.words() == "PIPE_S 0-4 begin, PIPE_MTE2 4-124 issue, PIPE_MTE2 124-244 flag_room");
  CHECK(OpView(waits.program, waits.path[2].wait_pc).mnemonic() == "pto.set_flag");
  CHECK(OpView(waits.program, waits.path[2].set_pc).mnemonic() == "pto.wait_flag");
  CHECK(after_words(waits.program, waits.path[2]).starts_with("room in the flag set at line "));
  const Walked counts(body);
  CHECK(counts.result.total_cycles == 224);
  CHECK(counts.words() == "PIPE_S 0-4 begin, PIPE_MTE2 4-104 issue, PIPE_MTE2 104-224 in_order");
  // Without the wait that takes the first set nothing holds the second.
  StepChanges ahead;
  ahead.no_wait = {waits.path[2].set_pc};
  CHECK(waits.total(ahead) == 224);
  ahead.no_wait = {waits.path[2].wait_pc};
  CHECK(waits.total(ahead) == 224);
  // A counter waits, too, with its sixteenth set.
  std::string full = kLoad, taken;
  for (int i = 0; i < 16; ++i) {
    full += kSet;
    taken += kWait;
  }
  const Walked counter(full + kLoad + taken + kStore, 64);
  CHECK(counter.result.total_cycles == counter.graph.time_again().total);
  CHECK(counter.words() == "PIPE_S 0-4 begin, PIPE_MTE2 4-124 issue, PIPE_MTE2 124-244 flag_room");
}

TEST_CASE("more buffers have more flags", "[advice]") {
  // The flag that says that a buffer is filled is set twice in front of its wait, and holds one set.
  const std::string turn = wait_flag("PIPE_MTE3", "PIPE_MTE2") + kLoad + kSet + kWait + kStore +
                           set_flag("PIPE_MTE3", "PIPE_MTE2");
  const std::string body = set_flag("PIPE_MTE3", "PIPE_MTE2") + turn + turn + turn + turn;
  StepChanges twice;
  twice.more_buffers[static_cast<size_t>(lane_of(Pipe::mte2))] = 1;
  const Walked counts(body, 32), waits(body, 32, {10, 30, Basis::assumed}, FlagKind::bit_stall);
  CHECK(waits.result.total_cycles == counts.result.total_cycles);
  CHECK(waits.graph.time_again().total == waits.result.total_cycles);
  CHECK(waits.total(twice) == counts.total(twice));
}

TEST_CASE("how long before its wait a flag was set", "[advice]") {
  // The store in front keeps its pipe from 4 to 304; the load issues at 5 and is visible at 125.
  const Walked early(kStore + kLoad + kSet + kWait + kStore, 8, {300, 300, Basis::assumed});
  const auto uses = flag_uses(early.program, early.graph, early.graph.time_again());
  REQUIRE(uses.size() == 1);
  CHECK(uses[0].times == 1);
  CHECK(uses[0].waited == 0);
  CHECK(uses[0].slack == 304 - 125);
  CHECK(uses[0].ids == std::vector<int16_t>{0});
  // Without it the wait is there at 6, the load is visible at 124.
  const Walked late(kLoad + kSet + kWait + kStore);
  const auto waits = flag_uses(late.program, late.graph, late.graph.time_again());
  REQUIRE(waits.size() == 1);
  CHECK(waits[0].waited_times == 1);
  CHECK(waits[0].waited == 124 - 6);
  CHECK(waits[0].slack == 0);
  const auto ids = id_uses(late.graph);
  REQUIRE(ids.size() == 1);
  CHECK(ids[0].used == 1);
}

TEST_CASE("more buffers let loads go on under stores", "[advice]") {
  const std::string turn = wait_flag("PIPE_MTE3", "PIPE_MTE2") + kLoad + kSet + kWait + kStore +
                           set_flag("PIPE_MTE3", "PIPE_MTE2");
  const Walked run(set_flag("PIPE_MTE3", "PIPE_MTE2") + turn + turn + turn + turn, 32);
  // The first load starts at 6; each iteration is 120 of the load and 30 of the store.
  CHECK(run.result.total_cycles == 6 + 4 * 150);
  StepChanges twice;
  twice.more_buffers[static_cast<size_t>(lane_of(Pipe::mte2))] = 1;
  CHECK(run.total(twice) == 6 + 3 * 100 + 120 + 30);  // the loads follow each other
  // Of the second iteration alone: its load follows the first one, is visible at 226 and stored until 256.
  StepChanges second = twice;
  for (const StepNode& node : run.graph.nodes())
    if (node.kind == DependenceEvent::Kind::wait_flag && node.dst == lane_of(Pipe::mte2))
      second.more_at.push_back(node.pc);
  second.more_at = {second.more_at.at(1)};
  CHECK(run.total(second) == 256 + 2 * 150);
  StepChanges others;
  others.more_buffers[static_cast<size_t>(lane_of(Pipe::mte3))] = 1;
  CHECK(run.total(others) == run.result.total_cycles);
  // Set for the first time behind a store: the load may read what that has written to GM.
  const std::string data =
      kStore + set_flag("PIPE_MTE3", "PIPE_MTE2") + wait_flag("PIPE_MTE3", "PIPE_MTE2") + kLoad;
  const Walked handed(data + data, 32);
  CHECK(handed.total(twice) == handed.result.total_cycles);
}

TEST_CASE("a barrier of all pipes as flags does not hold the scalar unit", "[advice]") {
  const Walked run(kLoad + "    pto.barrier <PIPE_ALL>\n" + kStore);
  CHECK(run.result.total_cycles == 156);
  const auto load_lane = static_cast<unsigned>(lane_of(Pipe::mte2));
  const auto store_lane = static_cast<unsigned>(lane_of(Pipe::mte3));
  StepChanges flags;
  for (const StepNode& node : run.graph.nodes())
    if (node.kind == DependenceEvent::Kind::barrier_all) flags.as_flags[node.pc].add(load_lane, store_lane);
  CHECK(run.total(flags) == 124 + 30);  // the store has issued meanwhile, and starts with the load's result
}

TEST_CASE("flags that order nothing are those whose order is there without them", "[advice]") {
  const std::string set1 = set_flag("PIPE_MTE2", "PIPE_MTE3", 1);
  const std::string wait1 = wait_flag("PIPE_MTE2", "PIPE_MTE3", 1);
  SECTION("the second of two in a row") {
    const Walked run(kLoad + kSet + set1 + kWait + wait1 + kStore);
    const auto flags = ordered_flags(run.graph);
    REQUIRE(flags.size() == 1);
    CHECK(flags[0].wait_pcs.size() == 1);
    const OpView op(run.program, flags[0].wait_pcs[0]);
    CHECK(op.attr("event_id")->integer == 1);
  }
  SECTION("a load between the two makes it needed") {
    CHECK(ordered_flags(Walked(kLoad + kSet + kLoad + set1 + kWait + wait1 + kStore).graph).empty());
  }
  SECTION("behind a barrier of all pipes") {
    CHECK(
        ordered_flags(Walked(kLoad + kSet + "    pto.barrier <PIPE_ALL>\n" + kWait + kStore).graph).size() ==
        1);
  }
  SECTION("a flag back that tells of the wait is needed though nothing ran in between") {
    const std::string back = set_flag("PIPE_MTE3", "PIPE_MTE2") + wait_flag("PIPE_MTE3", "PIPE_MTE2");
    CHECK(ordered_flags(Walked(kLoad + kSet + kWait + back + kLoad + kSet + kWait + kStore).graph).empty());
  }
}

TEST_CASE("a unit flag hands the path on", "[advice]") {
  // M works from 1 to 101 and is visible at 121; FIX has issued at 2 and takes the accumulator over then.
  StepGraph graph;
  const CoreInfo core{};
  graph.on_start({&core, 1}, Program());
  graph.on_step({.number = 1, .pipe = Pipe::m, .cycles = 1, .time = 1, .scalar_busy = 1, .queue_depth = 8});
  graph.on_step_starts(1, 1, 100, 120);
  graph.on_step({.number = 2, .pipe = Pipe::fix, .cycles = 1, .time = 2, .scalar_busy = 2, .queue_depth = 8});
  graph.on_unit(2, 1);
  graph.on_step_starts(2, 121, 10, 10);
  // Another one begins later than anything explains.
  graph.on_step(
      {.number = 3, .pipe = Pipe::mte3, .cycles = 1, .time = 3, .scalar_busy = 3, .queue_depth = 8});
  graph.on_step_starts(3, 125, 10, 10);
  const StepTimes times = graph.time_again();
  CHECK(times.start[1] == 121);
  CHECK(times.start[2] == 125);
  CHECK(times.total == 135);
  const auto path = critical_path(graph, times);
  uint64_t at = 0;
  for (const PathPart& part : path) {
    CHECK(part.begin == at);
    at = part.end;
  }
  CHECK(at == 135);
}

TEST_CASE("a unit flag that held nobody counts when what is in front of it changes", "[advice]") {
  // The queue of FIX has an entry that works from 2 to 202; behind it stands one that takes over from M,
  // which is done at 121.
  StepGraph graph;
  const CoreInfo core{};
  graph.on_start({&core, 1}, Program());
  graph.on_step({.number = 1, .pipe = Pipe::m, .cycles = 1, .time = 1, .scalar_busy = 1, .queue_depth = 8});
  graph.on_step_starts(1, 1, 100, 120);
  graph.on_step({.number = 2, .pipe = Pipe::fix, .cycles = 1, .time = 2, .scalar_busy = 2, .queue_depth = 8});
  graph.on_step_starts(2, 2, 200, 200);
  graph.on_step({.number = 3, .pipe = Pipe::fix, .cycles = 1, .time = 3, .scalar_busy = 3, .queue_depth = 8});
  graph.on_unit(3, 1);
  graph.on_step_starts(3, 202, 10, 10);
  const StepTimes times = graph.time_again();
  CHECK(times.total == 212);
  REQUIRE(graph.needs(graph.nodes()[2]).size() == 1);
  CHECK(graph.needs(graph.nodes()[2])[0] == 0);
  for (const PathPart& part : critical_path(graph, times)) CHECK(part.after != After::unit_flag);
  StepChanges changes;
  changes.free[static_cast<size_t>(lane_of(Pipe::fix))] = true;
  CHECK(graph.time_again(changes).start[2] == 121);
}

TEST_CASE("cores that meet go on with the last of them", "[advice]") {
  for (const char* arch : {"a3", "a5"}) {
    for (const char* how : {"hard", "soft"}) {
      for (const Mode mode : {Mode::run, Mode::time}) {
        INFO(arch << " " << how);
        sim::test::Bench bench;
        bench.machine = sim::test::make_machine(std::string_view(arch) == "a5" ? Target::a5 : Target::a2a3);
        bench.options.mode = mode;
        bench.options.blocks = 3;
        bench.buffer(256);
        bench.arguments[0].bytes.assign(256, std::byte{0});
        const bool soft = std::string_view(how) == "soft";
        const std::string text = "module attributes {pto.target_arch = \"" + std::string(arch) +
                                 R"("} {
  func.func @k(%ga: !pto.ptr<i32, gm>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %block = pto.get_block_idx
    %n = arith.index_cast %block : i64 to index
    %turns = arith.muli %n, %c8 : index
    scf.for %i = %zero to %turns step %c1 {
    }
)"
                                 "    pto.syncall(" +
                                 (soft ? "%ga : !pto.ptr<i32, gm>" : "") + ") mode = #pto.sync_all_mode<" +
                                 how + ">, core_type = #pto.sync_core_type<aiv_only>\n    return\n  }\n}\n";
        StepGraph graph;
        Observer* const observers[] = {&graph};
        const SimResult result = bench.must_run(text, observers);
        CHECK(result.findings.all().empty());
        const StepTimes times = graph.time_again();
        CHECK(times.total == result.total_cycles);
        const auto path = critical_path(graph, times);
        REQUIRE(!path.empty());
        CHECK(path.front().begin == 0);
        CHECK(path.front().core == 2);  // the block with the longest loop
        CHECK(path.back().end == result.total_cycles);
      }
    }
  }
}

TEST_CASE("the same steps, timed again under a change", "[advice]") {
  const Walked run(kLoad + set_flag("PIPE_MTE2", "PIPE_MTE3") + wait_flag("PIPE_MTE2", "PIPE_MTE3") + kStore);
  CHECK(run.total({}) == 154);
  StepChanges free;
  free.free[static_cast<size_t>(lane_of(Pipe::mte2))] = true;
  CHECK(run.total(free) == 7 + 30);  // the store issues at 7, load and set are over by then
  StepChanges ahead;
  for (const StepNode& node : run.graph.nodes())
    if (node.kind == DependenceEvent::Kind::wait_flag) ahead.no_wait = {node.pc};
  CHECK(run.total(ahead) == 124);  // the load alone
}

}  // namespace
}  // namespace pto::report
