// Verdicts of prove() where numbers move on the chip, come by others that move, or loops go on without a
// bound; each beside a twin with a fault.
#include <fmt/format.h>

#include <cstring>
#include <random>

#include "prove/explore/loop_fixpoint.hpp"
#include "prove/prover_fixture.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

using test::proof_of;
using Verdict = Proof::Verdict;

std::string kernel(std::string_view body) {
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>, %d: !pto.ptr<i32, gm>, %n: index, %m: i64)
    attributes {{pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c256 = arith.constant 256 : i64
  %c25600 = arith.constant 25600 : i64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  %i64 = arith.constant 64 : index
  %z = arith.constant 0 : i32
  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
  %v = pto.castptr %c25600 : i64 -> !pto.ptr<f32, ub>
{}  return
}}
}})",
                     body);
}

std::string load(std::string_view to, std::string_view bursts = "%c1") {
  return fmt::format(
      "  pto.mte_gm_ub %a, {}, %c0, %c256 nburst({}, %c256, %c256)\n"
      "    : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64\n",
      to, bursts);
}

std::string store(std::string_view from) {
  return fmt::format(
      "  pto.mte_ub_gm {}, %o, %c256 nburst(%c1, %c256, %c256)\n"
      "    : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64\n",
      from);
}

std::string flag(std::string_view what, std::string_view from, std::string_view to, int id = 0) {
  return fmt::format("  pto.{}_flag[\"PIPE_{}\", \"PIPE_{}\", \"EVENT_ID{}\"]\n", what, from, to, id);
}

const std::string kForth = flag("set", "MTE2", "MTE3") + flag("wait", "MTE2", "MTE3");
const std::string kBack = flag("set", "MTE3", "MTE2") + flag("wait", "MTE3", "MTE2");

std::string looped(std::string_view to, const std::string& body) {
  return fmt::format("  scf.for %i = %i0 to {} step %i1 {{\n{}  }}\n", to, body);
}

Verdict verdict_of(const std::string& body) {
  const std::string text = kernel(body);
  INFO(text);
  return proof_of(text).verdict;
}

TEST_CASE("what a parameter moves on the chip may come anywhere, unless something orders it", "[prove]") {
  const std::string moved = "  %w = pto.addptr %u, %n : !pto.ptr<f32, ub> -> !pto.ptr<f32, ub>\n";
  CHECK(verdict_of(moved + load("%w") + store("%v")) == Verdict::undecided);
  CHECK(verdict_of(moved + load("%w") + kForth + store("%v")) == Verdict::proved);
  CHECK(verdict_of(load("%u") + store("%v")) == Verdict::proved);
  // How much is moved.
  CHECK(verdict_of(load("%u", "%m") + store("%v")) == Verdict::undecided);
  CHECK(verdict_of(load("%u", "%m") + kForth + store("%v")) == Verdict::proved);
}

TEST_CASE("what a counter without end moves on the chip may come anywhere", "[prove]") {
  const std::string moved =
      "  %p = arith.muli %i, %i64 : index\n"
      "  %w = pto.addptr %u, %p : !pto.ptr<f32, ub> -> !pto.ptr<f32, ub>\n";
  CHECK(verdict_of(looped("%n", moved + load("%w") + store("%v"))) == Verdict::undecided);
  CHECK(verdict_of(looped("%n", moved + load("%w") + kForth + store("%v") + kBack)) == Verdict::proved);
  CHECK(verdict_of(looped("%i64", moved + load("%w") + store("%v"))) == Verdict::proved);  // all is tried
}

TEST_CASE("accesses of a vector function that a parameter moves are not decided", "[prove]") {
  const auto text = [](std::string_view at) {
    return fmt::format(R"(  %q = arith.muli %n, %i64 : index
  pto.vecscope {{
    %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %two = arith.constant 2.0 : f32
    %other = pto.vdup %two, %all : f32, !pto.mask<b32> -> !pto.vreg<64xf32>
    pto.vsts %other, %u[%i0], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
    %x = pto.vlds {} : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
    pto.vsts %x, %v[%i0], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
  }}
)",
                       at);
  };
  CHECK(verdict_of(text("%u[%q]")) == Verdict::undecided);
  CHECK(verdict_of(text("%u[%i64]")) == Verdict::proved);
  CHECK(verdict_of(text("%u[%i0]")) == Verdict::counterexample);
}

TEST_CASE("every remainder that is an address is tried", "[prove]") {
  const auto text = [](int64_t other) {
    return fmt::format(
               "  %r = arith.remui %n, %i4 : index\n  %j = arith.index_cast %r : index to i64\n"
               "  %at = arith.muli %j, %c256 : i64\n  %far = arith.constant {} : i64\n"
               "  %w = pto.castptr %at : i64 -> !pto.ptr<f32, ub>\n"
               "  %x = pto.castptr %far : i64 -> !pto.ptr<f32, ub>\n",
               other) +
           load("%w") + store("%x");
  };
  for (const int64_t with_one : {0, 256, 512, 768})
    CHECK(verdict_of(text(with_one)) == Verdict::counterexample);
  CHECK(verdict_of(text(1024)) == Verdict::proved);
}

/// In the first %n of 100 iterations; the one of that number stores before it waits.
std::string some_of_hundred(std::string_view late) {
  std::string body = "  %in = arith.cmpi slt, %i, %n : index\n  scf.if %in {\n";
  body += load("%u") + flag("set", "MTE2", "MTE3");
  body +=
      fmt::format("  %late = arith.constant {} : index\n  %bad = arith.cmpi eq, %i, %late : index\n", late);
  body += "  scf.if %bad {\n  } else {\n" + flag("wait", "MTE2", "MTE3") + "  }\n" + store("%u");
  body += "  scf.if %bad {\n" + flag("wait", "MTE2", "MTE3") + "  }\n" + kBack + "  }\n";
  return "  %h = arith.constant 100 : index\n" + looped("%h", body);
}

TEST_CASE("a number that a counter is compared with is tried in each iteration that differs", "[prove]") {
  for (const std::string_view late : {"0", "7", "57", "99"})
    CHECK(verdict_of(some_of_hundred(late)) == Verdict::counterexample);
  CHECK(verdict_of(some_of_hundred("100")) == Verdict::proved);
}

TEST_CASE("what constants alone decide needs no numbers", "[prove]") {
  const auto text = [](std::string_view left_out) {
    return fmt::format(R"(  %true = arith.constant true
  %h = arith.constant 60 : index
  %last = arith.constant {} : index
  %f:2 = scf.while (%x = %i0, %go = %true) : (index, i1) -> (index, i1) {{
    %lt = arith.cmpi slt, %x, %h : index
    %on = arith.andi %lt, %go : i1
    scf.condition(%on) %x, %go : index, i1
  }} do {{
  ^bb0(%y: index, %gone: i1):
    %bad = arith.cmpi eq, %y, %last : index
{}    scf.if %bad {{
    }} else {{
{}    }}
    %next = arith.addi %y, %i1 : index
    scf.yield %next, %gone : index, i1
  }}
)",
                       left_out, flag("set", "MTE2", "V"),
                       flag("wait", "MTE2", "V") + flag("set", "V", "MTE2") + flag("wait", "V", "MTE2"));
  };
  CHECK(verdict_of(text("60")) == Verdict::proved);
  CHECK(verdict_of(text("45")) == Verdict::counterexample);
}

TEST_CASE("a value is open that is so by way of itself", "[prove]") {
  // %x is what it was and one more, or a parameter: how often the inner loop runs has no bound.
  const auto text = [](std::string_view bad) {
    return fmt::format(R"(  %r = scf.for %i = %i0 to %i4 step %i1 iter_args(%x = %i0) -> (index) {{
    %first = arith.cmpi eq, %i, %i0 : index
    %y = scf.if %first -> (index) {{
      %one = arith.addi %x, %i1 : index
      scf.yield %one : index
    }} else {{
      scf.yield %n : index
    }}
    %bad = arith.constant {} : index
    %is = arith.cmpi eq, %x, %bad : index
    scf.if %is {{
    {}    }}
    scf.yield %y : index
  }}
)",
                       bad, flag("set", "MTE2", "V"));
  };
  CHECK(verdict_of(text("77")) != Verdict::proved);
}

TEST_CASE("remainders of negative numbers are tried", "[prove]") {
  const auto text = [](std::string_view taken) {
    return fmt::format(R"(  %p = arith.addi %n, %i64 : index
  %first = arith.remsi %p, %i4 : index
  scf.for %i = %first to %i4 step %i4 {{
{}    %early = arith.cmpi slt, %i, %i0 : index
    scf.if %early {{
{}{}    }}
  }}
)",
                       load("%u") + kForth + store("%u") + kBack, flag("set", "MTE2", "V"), taken);
  };
  CHECK(verdict_of(text(flag("wait", "MTE2", "V"))) == Verdict::proved);
  CHECK(verdict_of(text("")) == Verdict::counterexample);
}

/// %n iterations, each with a number of its own that says whether it moves something; the one of that number
/// takes its flag back in any case.
std::string data_loop(std::string_view wait, std::string_view odd) {
  std::string body =
      "  %w = pto.load_scalar %d[%i] : !pto.ptr<i32, gm> -> i32\n"
      "  %on = arith.cmpi sgt, %w, %z : i32\n  scf.if %on {\n";
  body += wait.empty() ? std::string() : flag("wait", "MTE3", "MTE2");
  body += load("%u") + kForth + store("%u") + flag("set", "MTE3", "MTE2") + "  }\n";
  body += fmt::format("  %odd = arith.constant {} : index\n  %is = arith.cmpi eq, %i, %odd : index\n", odd);
  body += "  scf.if %is {\n    scf.if %on {\n" + flag("wait", "MTE3", "MTE2") + "    }\n  }\n";
  return flag("set", "MTE3", "MTE2") + looped("%n", body) + flag("wait", "MTE3", "MTE2");
}

TEST_CASE("iterations without a bound are proved whatever each loads, where they come to nothing new",
          "[prove]") {
  CHECK(verdict_of(data_loop("wait", "-1")) == Verdict::proved);
  CHECK(verdict_of(data_loop("", "-1")) == Verdict::counterexample);
  for (const std::string_view odd : {"0", "5", "20"})
    CHECK(verdict_of(data_loop("wait", odd)) == Verdict::counterexample);
  // Iterations that load only sometimes: what they set they take again, but for one of them.
  const auto sometimes = [](std::string_view odd) {
    return looped("%n",
                  "  %in = arith.cmpi sgt, %i, %i4 : index\n  scf.if %in {\n"
                  "  %w = pto.load_scalar %d[%i] : !pto.ptr<i32, gm> -> i32\n"
                  "  %on = arith.cmpi sgt, %w, %z : i32\n  scf.if %on {\n" +
                      flag("set", "MTE3", "MTE2") +
                      fmt::format("  %odd = arith.constant {} : index\n"
                                  "  %is = arith.cmpi ne, %i, %odd : index\n  scf.if %is {{\n",
                                  odd) +
                      flag("wait", "MTE3", "MTE2") + "  }\n  }\n  }\n");
  };
  for (const std::string_view odd : {"5", "20", "200"}) CHECK(verdict_of(sometimes(odd)) != Verdict::proved);
}

TEST_CASE("a number that the kernel may write with other parameters is not free", "[prove]") {
  const auto text = [](std::string_view written) {
    return "  %x = pto.load_scalar %d[%i0] : !pto.ptr<i32, gm> -> i32\n"
           "  %sets = arith.cmpi sgt, %x, %z : i32\n  scf.if %sets {\n" +
           flag("set", "MTE2", "V") + "  }\n" +
           fmt::format(
               "  %q = arith.addi %n, %i64 : index\n"
               "  %e = pto.castptr %c0 : i64 -> !pto.ptr<i32, ub>\n"
               "  pto.store_scalar %z, {}[%q] : !pto.ptr<i32, {}>, i32\n",
               written, written == "%d" ? "gm" : "ub") +
           "  %y = pto.load_scalar %d[%i0] : !pto.ptr<i32, gm> -> i32\n"
           "  %takes = arith.cmpi sgt, %y, %z : i32\n  scf.if %takes {\n" +
           flag("wait", "MTE2", "V") + "  }\n";
  };
  CHECK(verdict_of(text("%e")) == Verdict::proved);
  CHECK(verdict_of(text("%d")) == Verdict::undecided);
}

// ---- what closes

driver::CheckpointState state(int64_t iteration, const std::string& rest, const std::string& knows) {
  driver::CheckpointState built{.key = {},
                                .pending_accesses = {{"store", knows}},
                                .positions = {{0, 7, {{3, iteration}}}},
                                .trip_counts = {},
                                .remainder = rest};
  built.write_key();
  return built;
}

/// Iterations of the loop 3, each with what it comes to at the load 7.
bool closes(const std::vector<std::vector<std::pair<std::string, std::string>>>& iterations,
            int64_t farthest_offset, int64_t period) {
  const std::map<uint32_t, uint32_t> loads{{3, 7}};
  driver::LoopFixpoint fixpoint(loads, farthest_offset, period);
  for (size_t i = 0; i < iterations.size(); ++i) {
    for (const auto& [rest, knows] : iterations[i])
      fixpoint.add(std::optional(state(static_cast<int64_t>(i), rest, knows)));
  }
  driver::LoopFixpoint::Found found;
  fixpoint.finish(iterations.size(), found);
  CHECK(found.max_trip_counts[3] == iterations.size());
  return found.converged.contains(3) && !found.diverging.contains(3);
}

TEST_CASE("iterations close where all that the last ones come to has been there before", "[prove]") {
  CHECK(closes({{{"a", "11"}}, {{"a", "11"}, {"b", "11"}}, {{"a", "11"}, {"b", "11"}}}, 0, 1));
  CHECK_FALSE(closes({{{"a", "11"}}, {{"a", "11"}}, {{"a", "11"}, {"b", "11"}}}, 0, 1));
  // Fewer know than ever before; more do.
  CHECK_FALSE(closes({{{"a", "11"}}, {{"a", "11"}}, {{"a", "10"}}}, 0, 1));
  CHECK(closes({{{"a", "11"}}, {{"a", "10"}}, {{"a", "11"}}}, 0, 1));
  // By turns: each as the one two before.
  CHECK(closes({{{"x", "1"}}, {{"a", "1"}}, {{"b", "1"}}, {{"a", "1"}}, {{"b", "1"}}}, 0, 2));
  CHECK_FALSE(closes({{{"x", "1"}}, {{"a", "1"}}, {{"b", "1"}}, {{"b", "1"}}, {{"a", "1"}}}, 0, 2));
  // Iterations that are distinguished by their index are no example.
  CHECK_FALSE(closes({{{"a", "1"}}, {{"b", "1"}}, {{"a", "1"}}}, 1, 1));
}

/// Two cores in loops, one iteration apart, that run `trip_counts` times; the first one leaves earlier.
std::vector<driver::CheckpointState> two_cores(int64_t trips, int64_t drift) {
  std::vector<driver::CheckpointState> built;
  for (int64_t i = 0; i < trips; ++i) {
    driver::CheckpointState one{.key = {},
                                .pending_accesses = {},
                                .positions = {{1, 7, {{3, i}}}},
                                .trip_counts = {{3, trips}},
                                .remainder = {}};
    if (i + 1 < trips) one.positions.insert(one.positions.begin(), {0, 17, {{13, i + 1}}});
    one.remainder = fmt::format("|7={}|{}", trips, drift * i);
    built.push_back(one);
    built.back().write_key();
  }
  return built;
}

bool second_closes(int64_t drift) {
  const std::map<uint32_t, uint32_t> loads{{3, 7}, {13, 17}};
  driver::LoopFixpoint fixpoint(loads, 0, 1);
  for (int64_t trips = 0; trips <= 6; ++trips) {
    for (const driver::CheckpointState& each : two_cores(trips, drift)) fixpoint.add(std::optional(each));
  }
  driver::LoopFixpoint::Found found;
  fixpoint.finish(5, found);
  return found.converged.contains(3);
}

TEST_CASE("iterations that another core is in a loop at as well close, if the last ones do not", "[prove]") {
  CHECK(second_closes(0));
  CHECK_FALSE(second_closes(1));
}

TEST_CASE("nothing closes where some cut is not told", "[prove]") {
  const std::map<uint32_t, uint32_t> loads{{3, 7}};
  driver::LoopFixpoint fixpoint(loads, 0, 1);
  for (int64_t i = 0; i < 4; ++i) fixpoint.add(std::optional(state(i, "a", "1")));
  fixpoint.add(std::nullopt);
  driver::LoopFixpoint::Found found;
  fixpoint.finish(4, found);
  CHECK(found.diverging.contains(3));
}

}  // namespace
}  // namespace pto
