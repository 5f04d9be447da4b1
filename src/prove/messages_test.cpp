// Verdicts of prove() where other devices write words, and where a statement runs with no number that is
// tried.
#include <fmt/format.h>

#include "prove/prover_fixture.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

struct Verdict {
  Proof::Verdict is = Proof::Verdict::undecided;
  std::string why;
};

Verdict verdict_on(const std::string& text) {
  const Proof proof = test::proof_of(text);
  return {proof.verdict, proof.diagnostics.all().empty() ? "" : proof.diagnostics.all().front().message};
}

std::string kernel(std::string_view body, std::string_view kind = "vector") {
  const std::string attribute =
      kind.empty() ? "" : fmt::format(", pto.kernel_kind = #pto.kernel_kind<{}>", kind);
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>, %s: !pto.ptr<i32, gm>, %d: !pto.ptr<i32, gm>, %p: index)
    attributes {{pto.kernel{}}} {{
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c256 = arith.constant 256 : i64
  %low = arith.constant 2048 : i64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  %i64 = arith.constant 64 : index
  %i512 = arith.constant 512 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %sv = pto.make_tensor_view %s, shape = [%i4], strides = [%i1] : !pto.tensor_view<?xi32>
  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
  %v = pto.castptr %low : i64 -> !pto.ptr<f32, ub>
{}  return
}}
}})",
                     attribute, body);
}

constexpr std::string_view kWord =
    "    %own = pto.partition_view %sv, offsets = [%i0], sizes = [%i1] : !pto.tensor_view<?xi32> -> "
    "!pto.partition_tensor_view<1xi32>\n";
constexpr std::string_view kWait =
    "    pto.comm.twait(%own, %one : !pto.partition_tensor_view<1xi32>, i32) {cmp = #pto<wait_cmp ge>}\n";
constexpr std::string_view kNotify =
    "    pto.comm.tnotify(%own, %one : !pto.partition_tensor_view<1xi32>, i32) {notifyOp = #pto<notify_op "
    "set>}\n";
constexpr std::string_view kLoad =
    "    pto.mte_gm_ub %a, %u, %c0, %c256 nburst(%c1, %c256, %c256)\n"
    "      : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64\n";
constexpr std::string_view kOrder =
    "    pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
    "    pto.wait_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n";
constexpr std::string_view kStore =
    "    pto.mte_ub_gm %u, %o, %c256 nburst(%c1, %c256, %c256)\n"
    "      : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64\n";

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

TEST_CASE("a wait for a word of another device is taken to end, and orders nothing", "[prove]") {
  CHECK(verdict_on(kernel(joined({kWord, kWait, kLoad, kOrder, kStore}))).is == Proof::Verdict::proved);
  CHECK(verdict_on(kernel(joined({kWord, kLoad, kWait, kOrder, kWait, kStore}))).is ==
        Proof::Verdict::proved);
  CHECK(verdict_on(kernel(joined({kWord, kLoad, kWait, kStore}))).is == Proof::Verdict::counterexample);
  // Behind the wait as well.
  CHECK(verdict_on(
            kernel(joined({kWord, kWait, "    pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"})))
            .is == Proof::Verdict::counterexample);
  // What the core itself has told before is there.
  CHECK(verdict_on(kernel(joined({kWord, kNotify, kWait, kLoad, kOrder, kStore}))).is ==
        Proof::Verdict::proved);
}

TEST_CASE("whether a wait for a word ends that the kernel itself writes is not said", "[prove]") {
  // The other core tells it behind a wait for what this one would tell later.
  const auto text = [&](std::string_view cube, std::string_view vector) {
    return kernel(
        joined({kWord, "  pto.section.cube {\n", cube, "  }\n  pto.section.vector {\n", vector, "  }\n"}),
        "");
  };
  const std::string_view waits = "    pto.sync.wait <PIPE_MTE2>, 1\n    pto.barrier <PIPE_ALL>\n",
                         tells = "    pto.sync.set <PIPE_FIX>, 1\n    pto.sync.set <PIPE_FIX>, 17\n";
  const Verdict circle = verdict_on(text(joined({kWait, tells}), joined({waits, kNotify})));
  CHECK(circle.is == Proof::Verdict::undecided);
  CHECK(circle.why.find("writes the words") != std::string::npos);
  CHECK(verdict_on(text(joined({kWait, tells}), waits)).is == Proof::Verdict::proved);
  // A pipe of the core itself, which runs when its queue comes to it.
  const std::string own =
      "    %t = pto.castptr %c0 : i64 -> !pto.ptr<i32, ub>\n    pto.mte_ub_gm %t, %s, %c256 nburst(%c1, "
      "%c256, "
      "%c256)\n      : !pto.ptr<i32, ub>, !pto.ptr<i32, gm>, i64, i64, i64, i64\n";
  CHECK(verdict_on(kernel(joined({kWord, kWait, own}))).is == Proof::Verdict::undecided);
}

TEST_CASE("what is loaded twice beside waits for words may be two numbers", "[prove]") {
  const auto guarded = [](std::string_view name, std::string_view what) {
    return fmt::format(
        "    %w{0} = pto.load_scalar %d[%i0] : !pto.ptr<i32, gm> -> i32\n    %on{0} = arith.cmpi sgt, %w{0}, "
        "%z : "
        "i32\n    scf.if %on{0} {{\n{1}    }}\n",
        name, what);
  };
  const std::string set = guarded("1", "    pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n");
  const std::string wait = guarded("2", "    pto.wait_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n");
  CHECK(verdict_on(kernel(joined({set, wait}))).is == Proof::Verdict::proved);
  CHECK(verdict_on(kernel(joined({kWord, set, kWait, wait}))).is == Proof::Verdict::undecided);
  CHECK(verdict_on(kernel(joined({kWord, kWait, guarded("1", kOrder)}))).is == Proof::Verdict::proved);
}

/// Four turns: a row of %o that %p chooses is stored, the ninth is loaded, where `%store` and `%load` say so.
std::string rows(std::string_view conditions, bool ordered) {
  return kernel(fmt::format(R"(  %px = arith.muli %p, %i64 : index
  %x = pto.addptr %o, %px : !pto.ptr<f32, gm> -> !pto.ptr<f32, gm>
  %y = pto.addptr %o, %i512 : !pto.ptr<f32, gm> -> !pto.ptr<f32, gm>
  scf.for %i = %i0 to %i4 step %i1 {{
    %w = pto.load_scalar %d[%i] : !pto.ptr<i32, gm> -> i32
    {}
    %load = arith.cmpi eq, %w, %three : i32
    scf.if %store {{
      pto.mte_ub_gm %u, %x, %c256 nburst(%c1, %c256, %c256)
        : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64
    }}
    scf.if %load {{
{}      pto.mte_gm_ub %y, %v, %c0, %c256 nburst(%c1, %c256, %c256)
        : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
{}    }}
  }}
)",
                            conditions, ordered ? "      pto.barrier <PIPE_ALL>\n" : "",
                            ordered ? "      pto.barrier <PIPE_ALL>\n" : ""));
}

TEST_CASE("accesses that other parameters bring together are seen in every order that data allow",
          "[prove]") {
  constexpr std::string_view kData = "%store = arith.cmpi eq, %w, %one : i32";
  CHECK(verdict_on(rows(kData, true)).is == Proof::Verdict::proved);
  CHECK(verdict_on(rows(kData, false)).is != Proof::Verdict::proved);
}

TEST_CASE("a store that runs with none of the numbers that are tried is not decided", "[prove]") {
  // With %p = 8 alone.
  constexpr std::string_view kSquare =
      "%square = arith.muli %p, %p : index\n    %store = arith.cmpi eq, %square, %i64 : index";
  CHECK(verdict_on(rows(kSquare, false)).is != Proof::Verdict::proved);
}

}  // namespace
}  // namespace pto
