// Verdicts of prove() beside runs with every number of iterations up to forty.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "pto/prove.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

/// Loads and stores one buffer %n times, with a flag in each direction; `wait` and `set` guard the flag back.
std::string loop_kernel(std::string_view primed, std::string_view wait, std::string_view set,
                        std::string_view drained) {
  int names = 0;
  const auto guarded = [&](std::string condition, std::string_view what) {
    if (condition == "always") return fmt::format("    {}\n", what);
    if (condition == "never") return std::string();
    const std::string name = fmt::format("%on{} =", names++);
    const std::string old = "%on =";
    condition.replace(condition.find(old), old.size(), name);
    if (const size_t at = condition.find("%r"); at != std::string::npos) {
      condition.replace(at, 2, fmt::format("%r{}", names));
      condition.replace(condition.rfind("%r,"), 2, fmt::format("%r{}", names));
    }
    return fmt::format("    {}\n    scf.if {} {{\n      {}\n    }}\n", condition,
                       name.substr(0, name.size() - 2), what);
  };
  constexpr std::string_view kSet = "pto.set_flag[\"PIPE_MTE3\", \"PIPE_MTE2\", \"EVENT_ID0\"]",
                             kWait = "pto.wait_flag[\"PIPE_MTE3\", \"PIPE_MTE2\", \"EVENT_ID0\"]";
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>, %n: index)
    attributes {{pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c256 = arith.constant 256 : i64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %i7 = arith.constant 7 : index
  %last = arith.subi %n, %i1 : index
  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
{}  scf.for %i = %i0 to %n step %i1 {{
{}    pto.mte_gm_ub %a, %u, %c0, %c256 nburst(%c1, %c256, %c256)
      : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
    pto.set_flag["PIPE_MTE2", "PIPE_MTE3", "EVENT_ID0"]
    pto.wait_flag["PIPE_MTE2", "PIPE_MTE3", "EVENT_ID0"]
    pto.mte_ub_gm %u, %o, %c256 nburst(%c1, %c256, %c256)
      : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64
{}  }}
{}  return
}}
}})",
                     guarded(std::string(primed), kSet), guarded(std::string(wait), kWait),
                     guarded(std::string(set), kSet), guarded(std::string(drained), kWait));
}

std::filesystem::path written(const std::string& text) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("pto_prove_{}.pto", getpid());
  std::ofstream(file) << text;
  return file;
}

/// Whether a run with `n` has an error.
bool fails(const std::filesystem::path& file, int n) {
  LaunchOptions options;
  options.args = {"a=f32[64]", "o=f32[64]", fmt::format("n=i64:{}", n)};
  const auto launch = prepare_launch(file.string(), options);
  REQUIRE(launch);
  REQUIRE(launch->prepared.ready);
  auto arguments = load_arguments(launch->the_case);
  REQUIRE(arguments);
  const auto result =
      simulate(*launch, *arguments, {.mode = Mode::check, .checks = {.uninitialised = false}});
  REQUIRE(result);
  return result->findings.errors() != 0;
}

TEST_CASE("what is proved has no failing number of iterations, what is not has the one that is told",
          "[prove]") {
  constexpr std::string_view kNot0 = "%on = arith.cmpi ne, %i, %i0 : index",
                             kNotLast = "%on = arith.cmpi ne, %i, %last : index",
                             kNot7 = "%on = arith.cmpi ne, %i, %i7 : index",
                             kSome = "%on = arith.cmpi sgt, %n, %i0 : index",
                             kMore = "%on = arith.cmpi sgt, %n, %i1 : index",
                             kOdd =
                                 "%r = arith.remui %i, %i2 : index\n    %on = arith.cmpi eq, %r, %i1 : index",
                             kThird =
                                 "%r = arith.remui %i, %i3 : index\n    %on = arith.cmpi ne, %r, %i2 : index";
  size_t proved = 0, refuted = 0;
  for (const std::string_view primed : {std::string_view("always"), std::string_view("never"), kSome}) {
    for (const std::string_view drained :
         {std::string_view("always"), std::string_view("never"), kSome, kMore}) {
      for (const auto& [wait, set] : {std::pair<std::string_view, std::string_view>{"always", "always"},
                                      {kNot0, "always"},
                                      {kNot0, kNotLast},
                                      {"always", kNotLast},
                                      {"always", kNot7},
                                      {kNot7, kNot7},
                                      {kOdd, kOdd},
                                      {kThird, kThird},
                                      {kOdd, kThird}}) {
        const std::string text = loop_kernel(primed, wait, set, drained);
        const std::filesystem::path file = written(text);
        INFO(text);
        const auto proofs = prove(file.string(), {});
        REQUIRE(proofs);
        if (proofs->diagnostics.errors() != 0) continue;  // it certainly hangs: no run is needed
        REQUIRE(proofs->kernels.size() == 1);
        const Proof& proof = proofs->kernels.front();
        REQUIRE(proof.verdict != Proof::Verdict::undecided);
        if (proof.verdict == Proof::Verdict::proved) {
          ++proved;
          for (int n = 0; n <= 40; ++n) {
            INFO(n);
            REQUIRE(!fails(file, n));
          }
        } else {
          ++refuted;
          REQUIRE(proof.inputs.size() == 1);
          REQUIRE(proof.inputs.front().starts_with("n = "));
          REQUIRE(fails(file, std::stoi(proof.inputs.front().substr(4))));
        }
      }
    }
  }
  CHECK(proved >= 4);
  CHECK(refuted >= 40);
  std::filesystem::remove(written(""));
}

// ---- data that decide

/// Copies a buffer in some of six iterations: where `wait` and `set` of the flag back stand, %w says.
std::string data_kernel(std::string_view load, std::string_view head, bool primed, std::string_view wait,
                        std::string_view set, bool drained) {
  constexpr std::string_view kSet = "    pto.set_flag[\"PIPE_MTE3\", \"PIPE_MTE2\", \"EVENT_ID0\"]\n",
                             kWait = "    pto.wait_flag[\"PIPE_MTE3\", \"PIPE_MTE2\", \"EVENT_ID0\"]\n";
  const auto at = [](std::string_view place, std::string_view where, std::string_view what) {
    return place == where ? what : std::string_view();
  };
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>, %d: !pto.ptr<i32, gm>)
    attributes {{pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c256 = arith.constant 256 : i64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i6 = arith.constant 6 : index
  %z = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
{}  scf.for %i = %i0 to %i6 step %i1 {{
    %w = pto.load_scalar %d[{}] : !pto.ptr<i32, gm> -> i32
    %n = arith.index_cast %w : i32 to index
{}    {} {{
{}    pto.mte_gm_ub %a, %u, %c0, %c256 nburst(%c1, %c256, %c256)
      : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
    pto.set_flag["PIPE_MTE2", "PIPE_MTE3", "EVENT_ID0"]
    pto.wait_flag["PIPE_MTE2", "PIPE_MTE3", "EVENT_ID0"]
    pto.mte_ub_gm %u, %o, %c256 nburst(%c1, %c256, %c256)
      : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64
{}    }}
{}  }}
{}  return
}}
}})",
                     primed ? kSet : "", load, at(wait, "outside", kWait), head, at(wait, "inside", kWait),
                     at(set, "inside", kSet), at(set, "outside", kSet), drained ? kWait : "");
}

/// Whether a run with these numbers at %d has an error.
bool fails_with(const std::filesystem::path& file, const std::vector<int32_t>& data) {
  LaunchOptions options;
  options.args = {"a=f32[64]:1", "o=f32[64]:0", "d=i32[6]:0"};
  const auto launch = prepare_launch(file.string(), options);
  REQUIRE(launch);
  REQUIRE(launch->prepared.ready);
  auto arguments = load_arguments(launch->the_case);
  REQUIRE(arguments);
  std::memcpy((*arguments)[2].data().data(), data.data(), data.size() * sizeof(int32_t));
  const auto result =
      simulate(*launch, *arguments, {.mode = Mode::check, .checks = {.uninitialised = false}});
  REQUIRE(result);
  return result->findings.errors() != 0;
}

TEST_CASE("what data decide is proved for all data, or some are told that fail", "[prove]") {
  size_t proved = 0, refuted = 0;
  std::mt19937 random(7);
  for (const std::string_view load : {"%i", "%i0"}) {
    for (const std::string_view head :
         {"%on = arith.cmpi sgt, %w, %z : i32\n    scf.if %on", "scf.for %j = %i0 to %n step %i1",
          "%on = arith.cmpi eq, %w, %three : i32\n    scf.if %on"}) {
      for (const std::string_view wait : {"inside", "outside", "never"}) {
        for (const std::string_view set : {"inside", "outside", "never"}) {
          for (const bool primed : {true, false}) {
            for (const bool drained : {true, false}) {
              const std::string text = data_kernel(load, head, primed, wait, set, drained);
              const std::filesystem::path file = written(text);
              INFO(text);
              const auto proofs = prove(file.string(), {});
              REQUIRE(proofs);
              if (proofs->diagnostics.errors() != 0) continue;  // it certainly hangs: no run is needed
              const Proof& proof = proofs->kernels.front();
              REQUIRE(proof.verdict != Proof::Verdict::undecided);
              std::vector<int32_t> data(6);
              if (proof.verdict == Proof::Verdict::proved) {
                ++proved;
                for (int run = 0; run < 60; ++run) {
                  for (int32_t& each : data) each = static_cast<int32_t>(random() % 6) - 1;
                  INFO(fmt::format("{}", fmt::join(data, " ")));
                  REQUIRE(!fails_with(file, data));
                }
              } else {
                ++refuted;
                for (const std::string& input : proof.inputs) {
                  INFO(input);
                  REQUIRE(input.starts_with("d["));
                  data.at(std::stoul(input.substr(2))) = std::stoi(input.substr(input.find('=') + 2));
                }
                REQUIRE(fails_with(file, data));
              }
            }
          }
        }
      }
    }
  }
  CHECK(proved >= 6);
  CHECK(refuted >= 100);
  std::filesystem::remove(written(""));
}

/// The verdict of a kernel whose branch or loop asks for what `%w` says; the statement that is in the way.
std::pair<Proof::Verdict, std::string> verdict_on(const std::string& text) {
  const std::filesystem::path file = written(text);
  const auto proofs = prove(file.string(), {});
  std::filesystem::remove(file);
  REQUIRE(proofs);
  REQUIRE(proofs->kernels.size() == 1);
  const Proof& proof = proofs->kernels.front();
  return {proof.verdict,
          proof.diagnostics.all().empty() ? std::string() : proof.diagnostics.all().front().message};
}

/// The index of a number is in a table.
const std::string kTable =
    "    %t = pto.load_scalar %d[%i] : !pto.ptr<i32, gm> -> i32\n    %x = arith.index_cast %t : i32 to "
    "index\n";

TEST_CASE("a number that data choose may be any, and the data are told with which it does harm", "[prove]") {
  const auto text = [](std::string_view wait, std::string_view set) {
    std::string built =
        data_kernel("%x", "%on = arith.cmpi sgt, %w, %three : i32\n    scf.if %on", true, wait, set, true);
    return built.insert(built.find("    %w = pto.load"), kTable);
  };
  CHECK(verdict_on(text("inside", "inside")).first == Proof::Verdict::proved);
  // Where a number is greater than 3, its set is lost or its wait is not there: zeros show nothing of it.
  CHECK(verdict_on(text("never", "inside")).first == Proof::Verdict::counterexample);
  CHECK(verdict_on(text("inside", "never")).first == Proof::Verdict::counterexample);
}

TEST_CASE("data that cannot be chosen freely are proved where they may be any, else told", "[prove]") {
  const auto replaced = [](std::string_view what, std::string_view with, std::string_view set = "inside") {
    std::string text =
        data_kernel("%i", "%on = arith.cmpi sgt, %w, %z : i32\n    scf.if %on", true, "inside", set, true);
    REQUIRE(text.find(what) != std::string::npos);
    return text.replace(text.find(what), what.size(), with);
  };
  CHECK(verdict_on(replaced("", "")).first == Proof::Verdict::proved);
  // The kernel itself writes what it loads.
  const std::string writes = "    pto.store_scalar %z, %d[%i] : !pto.ptr<i32, gm>, i32\n    %w = pto";
  CHECK(verdict_on(replaced("    %w = pto", writes)).first == Proof::Verdict::proved);
  const auto [written, at_written] = verdict_on(replaced("    %w = pto", writes, "never"));
  CHECK(written == Proof::Verdict::undecided);
  CHECK(at_written.find("writes") != std::string::npos);
  // Data choose which number is loaded, and the kernel writes there.
  const std::string chooses = kTable +
                              "    pto.store_scalar %z, %d[%i6] : !pto.ptr<i32, gm>, i32\n"
                              "    %w = pto.load_scalar %d[%x]";
  CHECK(verdict_on(replaced("    %w = pto.load_scalar %d[%i]", chooses)).first == Proof::Verdict::proved);
  CHECK(verdict_on(replaced("    %w = pto.load_scalar %d[%i]", chooses, "never")).first !=
        Proof::Verdict::proved);
  // A float decides.
  const std::string_view compared = "%on = arith.cmpi sgt, %w, %z : i32";
  const std::string floats =
      "%v = pto.load_scalar %a[%i] : !pto.ptr<f32, gm> -> f32\n    %f = arith.constant 0.0 : f32\n"
      "    %on = arith.cmpf ogt, %v, %f : f32";
  CHECK(verdict_on(replaced(compared, floats)).first == Proof::Verdict::proved);
  const auto [real, at_real] = verdict_on(replaced(compared, floats, "never"));
  CHECK(real == Proof::Verdict::undecided);
  CHECK(at_real.find("scf.if") != std::string::npos);
}

/// A flag is set before a loop of two iterations; %m[1] says whether the first one takes it, or what comes
/// last, and %m[0] whether the second one sets and takes it itself.
std::string two_loads(std::string_view first, std::string_view second) {
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
func.func @k(%m: !pto.ptr<i32, gm>, %p: index)
    attributes {{pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %x = pto.load_scalar %m[%i0] : !pto.ptr<i32, gm> -> i32
  %on = arith.cmpi eq, %x, %one : i32
  pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  scf.for %i = %i0 to %i2 step %i1 {{
    %late = arith.cmpi eq, %i, %i1 : index
    scf.if %late {{
      scf.if %on {{
{}      }}
    }} else {{
{}    }}
  }}
  %z = pto.load_scalar %m[%i1] : !pto.ptr<i32, gm> -> i32
  %left = arith.cmpi eq, %z, %one : i32
  scf.if %left {{
    pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  }}
  return
}}
}})",
                     first, second);
}

constexpr std::string_view kSetsAndTakes = R"(        pto.barrier <PIPE_ALL>
        pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
        pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
)";
constexpr std::string_view kSetsAndTakesAnother = R"(        pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID1"]
        pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID1"]
)";
constexpr std::string_view kTakesUnless = R"(      %y = pto.load_scalar %m[%i1] : !pto.ptr<i32, gm> -> i32
      %not = arith.cmpi ne, %y, %one : i32
      scf.if %not {
        pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
      }
)";

Proof::Verdict verdict_of(const std::string& text, std::vector<std::string> settings = {}) {
  INFO(text);
  const std::filesystem::path file = written(text);
  ProveOptions options;
  options.launch.sync = SyncBy::program;
  options.launch.settings = std::move(settings);
  const auto proofs = prove(file.string(), options);
  REQUIRE(proofs);
  REQUIRE(proofs->diagnostics.errors() == 0);
  REQUIRE(proofs->kernels.size() == 1);
  return proofs->kernels.front().verdict;
}

TEST_CASE("what was loaded counts where an earlier line comes once more", "[prove]") {
  // Neither number does harm alone; together they set a flag twice, which only counting flags bear.
  const std::vector<std::string> bit = {"machine.flags=bit"};
  CHECK(verdict_of(two_loads(kSetsAndTakesAnother, kTakesUnless), bit) == Proof::Verdict::proved);
  CHECK(verdict_of(two_loads(kSetsAndTakes, kTakesUnless), bit) == Proof::Verdict::counterexample);
  CHECK(verdict_of(two_loads(kSetsAndTakes, kTakesUnless)) == Proof::Verdict::proved);
}

/// Sets a flag where %m[%a] is 1, and takes it where %m[%b] is.
std::string two_ways(std::string_view a, std::string_view b) {
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
func.func @k(%m: !pto.ptr<i32, gm>, %p: index, %q: index)
    attributes {{pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %p1 = arith.subi %p, %i1 : index
  %p3 = arith.muli %p, %i3 : index
  %x = pto.load_scalar %m[{}] : !pto.ptr<i32, gm> -> i32
  %y = pto.load_scalar %m[{}] : !pto.ptr<i32, gm> -> i32
  %sets = arith.cmpi eq, %x, %one : i32
  scf.if %sets {{
    pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  }}
  %takes = arith.cmpi eq, %y, %one : i32
  scf.if %takes {{
    pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  }}
  return
}}
}})",
                     a, b);
}

TEST_CASE("loads that come to one place with the numbers tried are not taken for one", "[prove]") {
  CHECK(verdict_of(two_ways("%p", "%p")) == Proof::Verdict::proved);
  CHECK(verdict_of(two_ways("%i3", "%i3")) == Proof::Verdict::proved);
  // The parameters are 1 where nothing asks for them: all of these come to the same place then.
  for (const auto& [a, b] : {std::pair("%p", "%q"), std::pair("%p", "%i1"), std::pair("%p1", "%i0"),
                             std::pair("%p3", "%i3"), std::pair("%q", "%p")})
    CHECK(verdict_of(two_ways(a, b)) != Proof::Verdict::proved);
}

}  // namespace
}  // namespace pto
