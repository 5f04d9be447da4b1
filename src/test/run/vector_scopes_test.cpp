// Vector scopes that are missing: where they are put, and what keeps them away.
#include <fmt/format.h>

#include "pto/assembler.hpp"
#include "pto/vector_scope.hpp"
#include "pto/verify.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

std::string function(std::string_view body) {
  return fmt::format(
      "module attributes {{pto.target_arch = \"a5\"}} {{\nfunc.func @k(%ub: !pto.ptr<f32, ub>, %gm: "
      "!pto.ptr<f32>, %n: index, %c: i1) attributes {{pto.kernel}} {{\n"
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n{}\nreturn\n}}\n}}\n",
      body);
}
constexpr std::string_view kLoad = "%v = pto.vlds %ub[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n";
constexpr std::string_view kStore =
    "%m = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\npto.vsts %v, %ub[%c0], %m : !pto.vreg<64xf32>, "
    "!pto.ptr<f32, ub>, !pto.mask<b32>\n";
const std::string kCopy = std::string(kLoad) + std::string(kStore);

struct Inferred {
  size_t scopes = 0, warnings = 0;
  bool legal = false, stable = false;
};

/// Scopes put in; whether the program is legal then and printing and reading it gives the same text.
Inferred infer(std::string_view body) {
  Diagnostics diagnostics;
  std::optional<Program> program = parse(function(body), {}, diagnostics);
  REQUIRE(program);
  const size_t before = program->ops.size();
  infer_vector_scopes(*program, diagnostics);
  Inferred result;
  result.scopes = program->ops.size() - before;
  result.warnings = diagnostics.all().size();
  result.legal = verify(*program, {}, diagnostics);
  const std::string text = print(*program);
  Diagnostics again;
  const std::optional<Program> read = parse(text, {}, again);
  result.stable = read && print(*read) == text;
  return result;
}

}  // namespace

TEST_CASE("A run of vector operations gets one scope", "[verify][vecscope]") {
  const Inferred one = infer(kCopy);
  CHECK(one.scopes == 1);
  CHECK(one.warnings == 1);
  CHECK(one.legal);
  CHECK(one.stable);
}

TEST_CASE("Barriers end a run, loops of vector operations belong to it", "[verify][vecscope]") {
  CHECK(
      infer(kCopy + "pto.barrier <PIPE_ALL>\n" + "%k = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n").scopes ==
      2);
  const Inferred loop = infer("scf.for %i = %c0 to %n step %c1 {\n" + kCopy +
                              "}\n%k = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n");
  CHECK(loop.scopes == 1);
  CHECK(loop.legal);
  const Inferred inner = infer("scf.for %i = %c0 to %n step %c1 {\n" + kCopy + "pto.barrier <PIPE_ALL>\n}\n");
  CHECK(inner.scopes == 1);
  CHECK(inner.legal);
  CHECK(inner.stable);
}

TEST_CASE("Written scopes stay as they are", "[verify][vecscope]") {
  CHECK(infer("pto.vecscope {\n" + kCopy + "}\n").scopes == 0);
  CHECK(infer("pto.vecscope {\n" + kCopy + "}\n" + kCopy).scopes == 1);
}

TEST_CASE("Values that leave a run keep the scope away", "[verify][vecscope]") {
  const Inferred escape = infer(std::string(kLoad) + "pto.barrier <PIPE_ALL>\n" + std::string(kStore));
  CHECK_FALSE(escape.legal);
  CHECK(escape.warnings == 0);
  // A scalar made in front of the vector operations may be used anywhere.
  CHECK(infer("%t = arith.addi %c0, %c1 : index\n" + kCopy + "%x = pto.load %gm[%t] : !pto.ptr<f32> -> f32\n")
            .legal);
}

TEST_CASE("A loop whose results leave the run is looked into", "[verify][vecscope]") {
  const Inferred loop =
      infer("%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {\n" + kCopy +
            "%b = arith.addi %a, %c1 : index\nscf.yield %b : index\n}\n%x = pto.load %gm[%r] : !pto.ptr<f32> "
            "-> f32\n");
  CHECK(loop.scopes == 1);
  CHECK(loop.legal);
}

TEST_CASE("Long runs are handled in linear time", "[verify][vecscope]") {
  std::string body;
  for (int i = 0; i < 20000; ++i) body += "%t" + std::to_string(i) + " = arith.addi %c0, %c1 : index\n";
  body += kCopy;
  for (int i = 0; i < 20000; ++i)
    body +=
        "%x" + std::to_string(i) + " = pto.load %gm[%t" + std::to_string(i) + "] : !pto.ptr<f32> -> f32\n";
  const Inferred many = infer(body);
  CHECK(many.scopes == 1);
  CHECK(many.legal);
}

}  // namespace pto
