// Cores that meet: syncall in hardware and in software, signals within a block and across blocks.
#include <map>
#include <numeric>
#include <set>

#include "sim/engine/engine_fixture.hpp"

namespace pto::sim {

using namespace test;

namespace {

/// Every core writes its number into `a` and, behind `meeting`, reads what the next core wrote into `b`. 64
/// words of f32 are 32 of i64.
std::string ring(bool vector, const std::string& meeting, std::string_view cores) {
  const std::string kind = vector ? "vector" : "cube";
  return R"(
  func.func @k_ai)" +
         std::string(vector ? "v" : "c") + R"((%ga: !pto.ptr<i64, gm>, %gb: !pto.ptr<i64, gm>)
      attributes {pto.kernel_kind = #pto.kernel_kind<)" +
         kind + R"(>} {
    %per = arith.constant )" +
         std::string(cores) + R"( : i64
    %first = arith.constant )" +
         (vector && cores == "3" ? "1" : "0") + R"( : i64
    %one = arith.constant 1 : i64
    %block = pto.get_block_idx
    %blocks = pto.get_block_num
    %lane = pto.get_subblock_idx
    %begin = arith.muli %block, %per : i64
    %offset = arith.addi %first, %lane : i64
    %mine = arith.addi %begin, %offset : i64
    %all = arith.muli %blocks, %per : i64
    %behind = arith.addi %mine, %one : i64
    %next = arith.remsi %behind, %all : i64
    %at = arith.index_cast %mine : i64 to index
    %there = arith.index_cast %next : i64 to index
    pto.store_scalar %mine, %ga[%at] : !pto.ptr<i64, gm>, i64
)" + meeting +
         R"(    %v = pto.load_scalar %ga[%there] : !pto.ptr<i64, gm> -> i64
    pto.store_scalar %v, %gb[%at] : !pto.ptr<i64, gm>, i64
    return
  }
)";
}

std::string module_of(std::string_view arch, const std::string& functions) {
  return "module attributes {pto.target_arch = \"" + std::string(arch) + "\"} {" + functions + "}\n";
}

std::string sync_all(const char* mode, const char* type, const char* operands = "") {
  return "    pto.syncall(" + std::string(operands) + ") mode = #pto.sync_all_mode<" + mode +
         ">, core_type = #pto.sync_core_type<" + type + ">\n";
}

struct Case {
  const char* arch;
  Target target;
};
constexpr Case kTargets[] = {{"a3", Target::a2a3}, {"a5", Target::a5}};

void check_ring(const Bench& bench, int64_t cores) {
  for (int64_t i = 0; i < cores; ++i) {
    int64_t got = 0;
    std::memcpy(&got, bench.arguments[1].bytes.data() + i * 8, sizeof got);
    CHECK(got == (i + 1) % cores);
  }
}

/// Whether the first release of a token stands in front of all its acquires, and who joined.
struct Order final : Observer {
  std::vector<OrderEvent> orders;
  void on_order(const OrderEvent& e) override { orders.push_back(e); }
  [[nodiscard]] bool ordered(uint32_t from, uint32_t to) const {
    std::map<uint64_t, std::set<uint32_t>> before;
    std::map<uint32_t, std::set<uint32_t>> knows;
    for (const OrderEvent& e : orders) {
      if (e.release) {
        before[e.token].insert(e.from_core);
        before[e.token].insert(knows[e.from_core].begin(), knows[e.from_core].end());
      } else {
        knows[e.to_core].insert(before[e.token].begin(), before[e.token].end());
      }
    }
    return knows[to].contains(from);
  }
};

}  // namespace

TEST_CASE("syncall in hardware: every core of the kind waits for all of them", "[sim][meeting]") {
  for (const Case& target : kTargets) {
    for (const bool vector : {true, false}) {
      INFO(target.arch << (vector ? " vector" : " cube"));
      Bench bench = two_buffers();
      bench.machine = make_machine(target.target);
      bench.options.blocks = 5;
      Order order;
      Observer* const observer = &order;
      const SimResult result = bench.must_run(
          module_of(target.arch, ring(vector, sync_all("hard", vector ? "aiv_only" : "aic_only"), "1")),
          std::span(&observer, 1));
      CHECK(result.findings.all().empty());
      check_ring(bench, 5);
      check_accounting(result);
      for (uint32_t from = 0; from < 5; ++from) {
        for (uint32_t to = 0; to < 5; ++to) CHECK(order.ordered(from, to));
      }
    }
  }
}

TEST_CASE("syncall in hardware: both kinds meet, the cube core last in and first out", "[sim][meeting]") {
  for (const Case& target : kTargets) {
    INFO(target.arch);
    Bench bench = two_buffers();
    bench.machine = make_machine(target.target);
    bench.options.blocks = 3;
    const std::string meeting = sync_all("hard", "mix");
    Order order;
    Observer* const observer = &order;
    const SimResult result =
        bench.must_run(module_of(target.arch, ring(false, meeting, "3") + ring(true, meeting, "3")),
                       std::span(&observer, 1));
    CHECK(result.findings.all().empty());
    check_ring(bench, 9);
    check_accounting(result);
    for (uint32_t from = 0; from < 9; ++from) {
      for (uint32_t to = 0; to < 9; ++to) CHECK(order.ordered(from, to));
    }
  }
}

TEST_CASE("syncall in hardware: those of the other kind only finish their pipes", "[sim][meeting]") {
  Bench bench = two_buffers();
  bench.options.blocks = 2;
  const SimResult result = bench.must_run(module_of(
      "a5", ring(false, sync_all("hard", "aiv_only"), "3") + ring(true, sync_all("hard", "aiv_only"), "3")));
  CHECK(finding(result, FindingId::deadlock) == nullptr);
  CHECK(finding(result, FindingId::cross_left) == nullptr);
}

TEST_CASE("syncall: a missing side is named", "[sim][meeting]") {
  for (const Case& target : kTargets) {
    INFO(target.arch);
    Bench bench = two_buffers();
    bench.machine = make_machine(target.target);
    const SimResult result = bench.must_run(
        module_of(target.arch, ring(false, "", "3") + ring(true, sync_all("hard", "mix"), "3")));
    const Diagnostic* dead = finding(result, FindingId::deadlock);
    REQUIRE(dead != nullptr);
    CHECK(dead->message == "the scalar unit of AIV0 waits at pto.syncall for cores that do not come");
    REQUIRE(!dead->notes.empty());
    CHECK(dead->notes[0].message == "the AIC has ended");
  }
}

TEST_CASE("syncall in software within a loop: both kinds meet each time", "[sim][meeting]") {
  const std::string meeting = R"(    %at48 = arith.constant 48 : index
    %pw = pto.addptr %ga, %at48 : !pto.ptr<i64, gm> -> !pto.ptr<i64, gm>
    %words = pto.castptr %pw : !pto.ptr<i64, gm> -> !pto.ptr<i32, gm>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
)" + sync_all("soft", "mix", "%words : !pto.ptr<i32, gm>") +
                              "    }\n";
  Bench bench = two_buffers();
  bench.arguments[0].bytes.resize(512);
  bench.options.blocks = 3;
  Order order;
  Observer* const observer = &order;
  const SimResult result = bench.must_run(
      module_of("a5", ring(false, meeting, "3") + ring(true, meeting, "3")), std::span(&observer, 1));
  CHECK(finding(result, FindingId::deadlock) == nullptr);
  check_ring(bench, 9);
  for (uint32_t from = 0; from < 9; ++from) {
    for (uint32_t to = 0; to < 9; ++to) CHECK(order.ordered(from, to));
  }
}

TEST_CASE("syncall in software counts in GM, round after round", "[sim][meeting]") {
  const std::string words = "%words : !pto.ptr<i32, gm>";
  const std::string meet = sync_all("soft", "aiv_only", words.c_str());
  const std::string base =
      "    %at48 = arith.constant 48 : index\n    %pw = pto.addptr %ga, %at48 : !pto.ptr<i64, gm> -> "
      "!pto.ptr<i64, gm>\n    %words = pto.castptr %pw : !pto.ptr<i64, gm> -> !pto.ptr<i32, gm>\n";
  const auto run = [&](uint32_t blocks, int32_t begins, const std::string& meetings, Mode mode = Mode::run) {
    Bench bench = two_buffers();
    bench.arguments[0].bytes.resize(512);
    std::memcpy(bench.arguments[0].bytes.data() + 384, &begins, sizeof begins);
    bench.options.blocks = blocks;
    bench.options.mode = mode;
    SimResult result = bench.must_run(module_of("a5", ring(true, base + meetings, "1")));
    int32_t count = 0;
    std::memcpy(&count, bench.arguments[0].bytes.data() + 384, sizeof count);
    if (result.ended && begins == 0 && mode == Mode::run) check_ring(bench, blocks);
    return std::pair{std::move(result), count};
  };
  SECTION("two rounds of four") {
    const auto [result, count] = run(4, 0, meet + meet);
    CHECK(result.findings.all().empty());
    CHECK(count == 8);
    check_accounting(result);
  }
  SECTION("fewer than the launch has") {
    const auto [result, count] =
        run(4, 0,
            "    %two = arith.constant 2 : i32\n" +
                sync_all("soft", "aiv_only", "%words, %two : !pto.ptr<i32, gm>, i32"));
    CHECK(finding(result, FindingId::deadlock) == nullptr);
    CHECK(count == 4);
  }
  SECTION("more than the launch has") {
    const auto [result, count] =
        run(2, 0,
            "    %three = arith.constant 3 : i32\n" +
                sync_all("soft", "aiv_only", "%words, %three : !pto.ptr<i32, gm>, i32"));
    const Diagnostic* dead = finding(result, FindingId::deadlock);
    REQUIRE(dead != nullptr);
    CHECK(to_string(dead->help).find("the number of cores") != std::string::npos);
  }
  SECTION("a count that does not begin with 0") {
    const auto [result, count] = run(4, 3, meet);
    REQUIRE(finding(result, FindingId::operand) != nullptr);
    CHECK(finding(result, FindingId::deadlock) !=
          nullptr);  // the first goes on alone, the others wait for it
  }
  SECTION("without data") {
    const auto [result, count] = run(4, 0, meet, Mode::time);
    CHECK(result.findings.all().empty());
    CHECK(result.ended);
    CHECK(count == 0);
  }
}

TEST_CASE("Signals within a block: A5 one to one, A2/A3 as sync.set", "[sim][meeting]") {
  const auto both = [](const std::string& cube, const std::string& vector, const char* arch) {
    return module_of(arch,
                     "  func.func @k_aic(%a: !pto.ptr<f32, gm>, %b: !pto.ptr<f32, gm>) attributes "
                     "{pto.kernel_kind = #pto.kernel_kind<cube>} {\n    %id = arith.constant 17 : "
                     "index\n    %pipe = arith.constant 10 : i64\n    %old = arith.constant 17 : i64\n" +
                         cube +
                         "    return\n  }\n  func.func @k_aiv(%a: !pto.ptr<f32, gm>, %b: !pto.ptr<f32, "
                         "gm>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {\n" +
                         vector + "    return\n  }\n");
  };
  Bench bench = two_buffers();
  SECTION("a5, literal and computed ids, and the older spelling") {
    for (const char* second :
         {"    pto.set_intra_block <PIPE_FIX>, 17\n", "    pto.set_intra_block <PIPE_FIX>, %id\n",
          "    pto.set_intra_block %pipe, %old : i64, i64\n"}) {
      INFO(second);
      const SimResult result =
          bench.must_run(both("    pto.set_intra_block <PIPE_FIX>, 1\n" + std::string(second),
                              "    pto.wait_intra_block <PIPE_MTE3>, 1\n", "a5"));
      CHECK(result.findings.all().empty());
    }
  }
  SECTION("a5: one half is not told") {
    const SimResult result = bench.must_run(
        both("    pto.set_intra_block <PIPE_FIX>, 1\n", "    pto.wait_intra_block <PIPE_MTE3>, 1\n", "a5"));
    const Diagnostic* dead = finding(result, FindingId::deadlock);
    REQUIRE(dead != nullptr);
    CHECK(dead->message == "PIPE_MTE3 of AIV1 waits for cross-core id 1, which is never signalled");
    REQUIRE(!dead->notes.empty());
    CHECK(dead->notes[0].message == "pto.set_intra_block of id 1 on the AIC ran 1 time");
  }
  SECTION("a2a3: one signal for both") {
    bench.machine = make_machine(Target::a2a3);
    const SimResult result = bench.must_run(
        both("    pto.set_intra_block <PIPE_FIX>, 1\n", "    pto.wait_intra_block <PIPE_MTE3>, 1\n", "a3"));
    CHECK(finding(result, FindingId::deadlock) == nullptr);
    CHECK(finding(result, FindingId::cross_left) == nullptr);
  }
  SECTION("a5: a mode of A2/A3 and its ids are apart from those one to one") {
    const SimResult result = bench.must_run(
        both("    pto.sync.set <PIPE_FIX>, 1 {ffts_mode = 2 : i32}\n    pto.set_intra_block <PIPE_FIX>, 1\n"
             "    pto.set_intra_block <PIPE_FIX>, 17\n",
             "    pto.sync.wait <PIPE_MTE3>, 1 {ffts_mode = 2 : i32}\n"
             "    pto.wait_intra_block <PIPE_MTE3>, 1\n",
             "a5"));
    CHECK(result.findings.all().empty());
  }
}

TEST_CASE("Signals across blocks reach every core of the kind", "[sim][meeting]") {
  for (const Case& target : kTargets) {
    INFO(target.arch);
    Bench bench = two_buffers();
    bench.machine = make_machine(target.target);
    bench.options.blocks = 4;
    const SimResult result = bench.must_run(module_of(
        target.arch,
        ring(true, "    pto.set_cross_block <PIPE_MTE3>, 3\n    pto.wait_cross_block <PIPE_V>, 3\n", "1")));
    CHECK(result.findings.all().empty());
    check_ring(bench, 4);
  }
}

}  // namespace pto::sim
