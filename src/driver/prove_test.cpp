// Verdicts of prove() beside runs with every number of iterations up to forty.
#include "pto/prove.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "support/catch.hpp"

namespace pto {
namespace {

/// Loads and stores one buffer %n times, with a flag in each direction; `wait` and `set` guard the flag back.
std::string loop_kernel(std::string_view primed, std::string_view wait, std::string_view set,
                        std::string_view drained) {
  int names = 0;
  const auto guarded = [&](std::string condition, std::string_view what) {
    if (condition == "always") return fmt::format("    {}\n", what);
    if (condition == "never") return std::string();
    const std::string name = fmt::format("%on{} =", names++), old = "%on =";
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
  const auto result = simulate(*launch, *arguments, {.mode = Mode::check, .check_uninitialised = false});
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

TEST_CASE("what data decides is not decided, with the statement that needs it", "[prove]") {
  std::string text = loop_kernel("always", "always", "always", "always");
  const std::string wanted = "  scf.for";
  text.insert(
      text.find(wanted),
      "  %w = pto.load_scalar %o[%i0] : !pto.ptr<f32, gm> -> f32\n  %z = arith.constant 0.0 : f32\n"
      "  %big = arith.cmpf ogt, %w, %z : f32\n  scf.if %big {\n    pto.barrier #pto.pipe<PIPE_ALL>\n  }\n");
  const std::filesystem::path file = written(text);
  const auto proofs = prove(file.string(), {});
  std::filesystem::remove(file);
  REQUIRE(proofs);
  REQUIRE(proofs->kernels.size() == 1);
  const Proof& proof = proofs->kernels.front();
  CHECK(proof.verdict == Proof::Verdict::undecided);
  REQUIRE(proof.diagnostics.all().size() == 1);
  CHECK(proof.diagnostics.all().front().id == "UNPROVED");
  CHECK(proof.diagnostics.all().front().message.find("scf.if") != std::string::npos);
}

}  // namespace
}  // namespace pto
