// Verdicts of prove() on conditions that several numbers decide together, beside runs with many of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "prove/proof_scope.hpp"
#include "prove/prover_fixture.hpp"

namespace pto::test {
namespace {

constexpr std::string_view kSet = "pto.set_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID0\"]",
                           kWait = "pto.wait_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID0\"]";

std::string kernel(std::string_view body) {
  std::string constants;
  for (int i = 0; i <= 100; ++i) constants += fmt::format("  %c{} = arith.constant {} : index\n", i, i);
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
func.func @k(%a: !pto.ptr<f32, gm>, %d: !pto.ptr<i32, gm>, %p: index, %q: index)
    attributes {{pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>}} {{
{}{}  return
}}
}})",
                     constants, body);
}

std::string guarded(std::string_view condition, std::string_view what) {
  return fmt::format("  scf.if {} {{\n    {}\n  }}\n", condition, what);
}

/// Runs of a text with any numbers.
class Runs {
 public:
  explicit Runs(const std::string& text) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / fmt::format("pto_numbers_{}.pto", getpid());
    std::ofstream(file) << text;
    LaunchOptions options;
    options.sync = SyncBy::program;
    options.args = {"a=f32[64]", "d=i32[64]:0", "p=i64:1", "q=i64:1"};
    auto launch = prepare_launch(file.string(), options);
    std::filesystem::remove(file);
    REQUIRE(launch);
    REQUIRE(launch->prepared.ready);
    launch_.emplace(std::move(*launch));
  }

  bool fail(int64_t p, int64_t q) {
    auto arguments = load_arguments(launch_->the_case);
    REQUIRE(arguments);
    (*arguments)[2].scalar = static_cast<uint64_t>(p), (*arguments)[3].scalar = static_cast<uint64_t>(q);
    const auto result =
        simulate(*launch_, *arguments, {.mode = Mode::check, .checks = {.uninitialised = false}});
    REQUIRE(result);
    return std::ranges::any_of(result->findings.all(), driver::is_proof_failure);
  }

 private:
  std::optional<Launch> launch_;
};

/// The numbers of a counterexample have to fail; what is proved must not, with any of these.
Proof::Verdict checked(const std::string& text) {
  INFO(text);
  const Proof proof = proof_of(text);
  INFO(fmt::format("{} runs: {}", proof.runs, fmt::join(proof.inputs, ", ")));
  if (proof.verdict == Proof::Verdict::undecided) return proof.verdict;
  Runs runs(text);
  if (proof.verdict == Proof::Verdict::counterexample) {
    std::map<char, int64_t> numbers{{'p', 1}, {'q', 1}};
    for (const std::string& input : proof.inputs)
      numbers[input.front()] = std::stoll(input.substr(input.find('=') + 2));
    REQUIRE(runs.fail(numbers['p'], numbers['q']));
    return proof.verdict;
  }
  std::mt19937 chance(17);
  for (int i = 0; i < 60; ++i) {
    const int64_t p = static_cast<int64_t>(chance() % 51) - 6;
    const int64_t q = static_cast<int64_t>(chance() % 51) - 6;
    INFO(fmt::format("p = {}, q = {}", p, q));
    REQUIRE(!runs.fail(p, q));
  }
  return proof.verdict;
}

TEST_CASE("a condition that few combinations of numbers meet is found", "[prove]") {
  for (const std::string_view condition :
       {"  %s = arith.addi %p, %q : index\n  %on = arith.cmpi eq, %s, %c10 : index\n",
        "  %s = arith.subi %p, %q : index\n  %on = arith.cmpi eq, %s, %c10 : index\n",
        "  %s = arith.muli %p, %q : index\n  %on = arith.cmpi eq, %s, %c6 : index\n",
        "  %s = arith.muli %p, %p : index\n  %on = arith.cmpi eq, %s, %c100 : index\n",
        "  %x = arith.cmpi sgt, %p, %c100 : index\n  %y = arith.cmpi slt, %p, %q : index\n"
        "  %on = arith.andi %x, %y : i1\n",
        "  %x = arith.cmpi sgt, %p, %c50 : index\n  %r = arith.remui %p, %c7 : index\n"
        "  %y = arith.cmpi eq, %r, %c0 : index\n  %on = arith.andi %x, %y : i1\n",
        "  %x = arith.cmpi eq, %q, %c3 : index\n  %s = arith.divsi %p, %q : index\n"
        "  %y = arith.cmpi eq, %s, %c7 : index\n  %on = arith.andi %x, %y : i1\n",
        "  %s = arith.muli %p, %c2 : index\n  %t = arith.muli %q, %c3 : index\n"
        "  %x = arith.cmpi eq, %s, %t : index\n  %y = arith.cmpi sgt, %p, %c20 : index\n"
        "  %on = arith.andi %x, %y : i1\n",
        "  %x = arith.cmpi eq, %p, %q : index\n  %y = arith.cmpi sgt, %p, %c20 : index\n"
        "  %on = arith.andi %x, %y : i1\n",
        "  %s = arith.ori %p, %c4 : index\n  %on = arith.cmpi eq, %s, %c13 : index\n",
        "  %s = arith.xori %p, %c5 : index\n  %on = arith.cmpi eq, %s, %c12 : index\n",
        "  %v = pto.load_scalar %d[%c0] : !pto.ptr<i32, gm> -> i32\n  %w = arith.index_cast %v : i32 to "
        "index\n"
        "  %s = arith.addi %p, %w : index\n  %on = arith.cmpi eq, %s, %c30 : index\n"}) {
    INFO(condition);
    CHECK(proof_of(kernel(std::string(condition) + guarded("%on", kSet))).verdict ==
          Proof::Verdict::counterexample);
    // Where the set is taken as well, there is nothing to find.
    CHECK(proof_of(kernel(std::string(condition) + guarded("%on", kSet) + guarded("%on", kWait))).verdict ==
          Proof::Verdict::proved);
  }
}

TEST_CASE("of numbers that are only asked about in one sum, one is tried", "[prove]") {
  const std::string sum = "  %r = arith.addi %p, %c3 : index\n  %s = arith.addi %q, %r : index\n";
  const std::string ten = "  %on = arith.cmpi eq, %s, %c10 : index\n";
  const std::string far =
      "  %t = arith.muli %s, %c2 : index\n  %u = arith.subi %t, %c31 : index\n"
      "  %far = arith.cmpi sgt, %u, %c20 : index\n";
  const std::string alone = "  %four = arith.cmpi sgt, %q, %c4 : index\n";
  const std::string other = "  %d2 = arith.subi %p, %q : index\n  %four = arith.cmpi sgt, %d2, %c4 : index\n";
  const auto both = [](std::string_view on) {
    return guarded(on, kSet) + guarded(on, kWait) + "  pto.barrier <PIPE_ALL>\n";
  };
  const Proof one = proof_of(kernel(sum + ten + far + both("%on") + both("%far")));
  CHECK(one.verdict == Proof::Verdict::proved);
  for (const std::string& more : {alone, other}) {
    const Proof two = proof_of(kernel(sum + ten + far + more + both("%on") + both("%far") + both("%four")));
    CHECK(two.verdict == Proof::Verdict::proved);
    CHECK(one.runs < two.runs);
    // Fails with few pairs only.
    const std::string few = "  %x = arith.andi %on, %four : i1\n";
    CHECK(checked(kernel(sum + ten + far + more + few + guarded("%x", kSet))) ==
          Proof::Verdict::counterexample);
  }
  CHECK(checked(kernel(sum + ten + guarded("%on", kSet))) == Proof::Verdict::counterexample);
  CHECK(checked(kernel(sum + ten + far + guarded("%far", kSet) + guarded("%on", kWait))) ==
        Proof::Verdict::counterexample);
}

TEST_CASE("a loop of a called function is not the one around the call that counts alike", "[prove]") {
  const std::string text = R"(module attributes {pto.target_arch = "a5"} {
func.func private @inner(%i: index, %p: index) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c4 = arith.constant 4 : index
  %c100 = arith.constant 100 : index
  %c500 = arith.constant 500 : index
  scf.for %j = %c0 to %c6 step %c1 {
    %apart = arith.subi %i, %j : index
    %far = arith.muli %apart, %c100 : index
    %s = arith.addi %far, %p : index
    %x = arith.cmpi eq, %s, %c500 : index
    %y = arith.cmpi eq, %apart, %c4 : index
    %on = arith.andi %x, %y : i1
    scf.if %on {
      pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
    }
  }
  return
}
func.func @k(%a: !pto.ptr<f32, gm>, %d: !pto.ptr<i32, gm>, %p: index, %q: index)
    attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c1 {
    func.call @inner(%i, %p) : (index, index) -> ()
  }
  return
}
})";
  CHECK(checked(text) == Proof::Verdict::counterexample);
}

TEST_CASE("of combinations that answer all questions alike one is tried", "[prove]") {
  // Two comparisons have four outcomes.
  const std::string ask = "  %x = arith.cmpi sgt, %p, %c50 : index\n  %y = arith.cmpi slt, %p, %q : index\n";
  const auto both = [](std::string_view on) {
    return guarded(on, kSet) + guarded(on, kWait) + "  pto.barrier <PIPE_ALL>\n";
  };
  const Proof proof = proof_of(kernel(ask + both("%x") + both("%y")));
  CHECK(proof.verdict == Proof::Verdict::proved);
  CHECK(proof.runs < 10);
  const std::string few = "  %on = arith.andi %x, %y : i1\n";
  CHECK(checked(kernel(ask + few + both("%x") + guarded("%on", kSet))) == Proof::Verdict::counterexample);
}

TEST_CASE("what a loop carries on beside numbers that change is not taken for tried", "[prove]") {
  const std::string text = kernel(R"(  %e = scf.for %i = %c0 to %c6 step %c2 iter_args(%x = %p) -> (index) {
    %y = arith.addi %q, %x : index
    %z = arith.subi %y, %c31 : index
    scf.yield %z : index
  }
  %on = arith.cmpi eq, %e, %c7 : index
)" + guarded("%on", kSet));
  CHECK(checked(text) != Proof::Verdict::proved);
}

TEST_CASE("a counterexample names the numbers that say where accesses are", "[prove]") {
  // Both look at one place in the iteration that %q says.
  const std::string text = kernel(R"(  %b = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 256 : i64
  %u = pto.castptr %b : i64 -> !pto.ptr<f32, ub>
  %v = pto.castptr %n : i64 -> !pto.ptr<f32, ub>
  scf.for %i = %c0 to %p step %c3 {
  %other = arith.cmpi ne, %i, %q : index
  %place = arith.select %other, %i, %p : index
  %from = arith.muli %place, %c64 : index
  %to = arith.muli %p, %c64 : index
  %x = pto.addptr %a, %from : !pto.ptr<f32, gm> -> !pto.ptr<f32, gm>
  %y = pto.addptr %a, %to : !pto.ptr<f32, gm> -> !pto.ptr<f32, gm>
  pto.mte_gm_ub %x, %u, %b, %n nburst(%one, %n, %n)
    : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
  pto.mte_ub_gm %v, %y, %n nburst(%one, %n, %n)
    : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64
  pto.barrier <PIPE_ALL>
  }
)");
  const Proof proof = proof_of(text);
  REQUIRE(proof.verdict == Proof::Verdict::counterexample);
  CHECK(std::ranges::any_of(proof.inputs, [](const std::string& each) { return each.starts_with("q = "); }));
}

TEST_CASE("what is told as a consequence of bytes that are shared counts as well", "[prove]") {
  const auto text = [](std::string_view place) {
    return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>, %b: !pto.ptr<f32, gm>)
    attributes {{pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %z = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %n = arith.constant 256 : i64
  %far = arith.constant 4096 : i64
  %s = pto.castptr %far : i64 -> !pto.ptr<f32, ub>
  %u = pto.castptr %z : i64 -> !pto.ptr<f32, ub>
  %v = pto.castptr {} : i64 -> !pto.ptr<f32, ub>
  pto.mte_gm_ub %a, %s, %z, %n nburst(%one, %n, %n)
    : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
  pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.vecscope {{
    %m = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %x = pto.vlds %s[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
    pto.vsts %x, %u[%c0], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
  }}
  pto.mte_gm_ub %b, %v, %z, %n nburst(%one, %n, %n)
    : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
  pto.set_flag["PIPE_MTE2", "PIPE_MTE3", "EVENT_ID0"]
  pto.set_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]
  pto.wait_flag["PIPE_MTE2", "PIPE_MTE3", "EVENT_ID0"]
  pto.wait_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]
  pto.mte_ub_gm %u, %o, %n nburst(%one, %n, %n)
    : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64
  pto.barrier #pto.pipe<PIPE_ALL>
  return
}}
}})",
                       place);
  };
  CHECK(proof_of(text("%z")).verdict == Proof::Verdict::counterexample);
  CHECK(proof_of(text("%n")).verdict == Proof::Verdict::proved);
}

/// Conditions made at random of two parameters; a second one differs from it where a third one holds.
class Random {
 public:
  explicit Random(uint32_t seed) : chance_(seed) {}
  std::string text() {
    made_.clear();
    names_ = 0;
    const std::string first = both();
    std::string second = first;
    if (pick(3) != 0)
      second = name(fmt::format("arith.{}i {}, {} : i1", pick(2) ? "xor" : "and", first, both()));
    return kernel(made_ + guarded(first, kSet) + guarded(second, kWait));
  }

 private:
  size_t pick(size_t many) { return chance_() % many; }
  std::string name(const std::string& what) {
    const std::string built = fmt::format("%v{}", names_++);
    made_ += fmt::format("  {} = {}\n", built, what);
    return built;
  }
  std::string constant() {
    constexpr std::array kNumbers{0, 1, 2, 3, 5, 7, 8, 12, 16, 31, 40};
    return fmt::format("%c{}", kNumbers[pick(kNumbers.size())]);
  }
  std::string number(int depth) {
    if (depth == 0 || pick(4) == 0) return pick(2) ? "%p" : "%q";
    constexpr std::array<std::string_view, 6> kTwo{"addi", "subi", "subi", "minsi", "maxsi", "muli"},
        kOne{"addi", "subi", "muli", "divsi", "remui", "remsi"};
    const std::string a = number(depth - 1);
    if (pick(2))
      return name(fmt::format("arith.{} {}, {} : index", kTwo[pick(kTwo.size())], a, number(depth - 1)));
    return name(fmt::format("arith.{} {}, %c{} : index", kOne[pick(kOne.size())], a, 2 + pick(4)));
  }
  std::string condition() {
    constexpr std::array<std::string_view, 5> kHow{"eq", "ne", "slt", "sge", "ult"};
    const std::string a = number(2);
    const std::string b = pick(3) ? constant() : number(1);
    return name(fmt::format("arith.cmpi {}, {}, {} : index", kHow[pick(kHow.size())], a, b));
  }
  std::string both() {
    const std::string a = condition();
    return pick(3) ? name(fmt::format("arith.andi {}, {} : i1", a, condition())) : a;
  }

  std::mt19937 chance_;
  std::string made_;
  int names_ = 0;
};

TEST_CASE("conditions made at random are proved for all numbers, or those are told that fail", "[prove]") {
  Random random(3);
  size_t proved = 0, refuted = 0;
  for (int i = 0; i < 40; ++i) {
    const Proof::Verdict verdict = checked(random.text());
    proved += verdict == Proof::Verdict::proved;
    refuted += verdict == Proof::Verdict::counterexample;
  }
  CHECK(proved >= 4);
  CHECK(refuted >= 12);
}

}  // namespace
}  // namespace pto::test
