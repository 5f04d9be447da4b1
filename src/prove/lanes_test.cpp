// Verdicts of prove() where what an instruction touches is up to which lanes take part, to an index, or to
// threads; each beside a twin with a fault.
#include <fmt/format.h>

#include "prove/prover_fixture.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

using test::proof_of;
using Verdict = Proof::Verdict;

/// One register is loaded from %u; `vectors` does something with it in a vector function, `after` behind it.
std::string kernel(std::string_view vectors, std::string_view after) {
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>, %n: i32, %f: f32, %ix: !pto.ptr<i32, gm>)
    attributes {{pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c256 = arith.constant 256 : i64
  %c4096 = arith.constant 4096 : i64
  %c8192 = arith.constant 8192 : i64
  %c16384 = arith.constant 16384 : i64
  %i0 = arith.constant 0 : index
  %i64 = arith.constant 64 : index
  %i128 = arith.constant 128 : index
  %n8 = arith.constant 8 : i32
  %n72 = arith.constant 72 : i32
  %two = arith.constant 2.0 : f32
  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
  %v = pto.castptr %c4096 : i64 -> !pto.ptr<f32, ub>
  %w = pto.castptr %c8192 : i64 -> !pto.ptr<i32, ub>
  %s = pto.castptr %c16384 : i64 -> !pto.ptr<f32, ub>
  pto.mte_gm_ub %a, %u, %c0, %c256 nburst(%c1, %c256, %c256)
    : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
  pto.mte_gm_ub %ix, %w, %c0, %c256 nburst(%c1, %c256, %c256)
    : !pto.ptr<i32, gm>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64
  pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.vecscope {{
    %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %x = pto.vlds %u[%i0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
{}  }}
{}  pto.barrier #pto.pipe<PIPE_ALL>
  return
}}
}})",
                     vectors, after);
}

Verdict verdict_of(std::string_view vectors, std::string_view after) {
  const std::string text = kernel(vectors, after);
  INFO(text);
  return proof_of(text).verdict;
}

constexpr std::string_view kFlag =
    "  pto.set_flag[\"PIPE_V\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
    "  pto.wait_flag[\"PIPE_V\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n";
constexpr std::string_view kOut =
    "  pto.mte_ub_gm %v, %o, %c256 nburst(%c1, %c256, %c256)\n"
    "    : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64\n";

/// How %m is made, by what decides it.
constexpr std::string_view kMasks[] = {
    // data
    "    %m = pto.vcmps %x, %two, %all, \"gt\" : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> !pto.mask<b32>\n",
    // a parameter
    "    %m, %rest = pto.plt_b32 %n : i32 -> !pto.mask<b32>, i32\n",
    // a float that is one
    "    %y = pto.vdup %f, %all : f32, !pto.mask<b32> -> !pto.vreg<64xf32>\n"
    "    %m = pto.vcmps %y, %two, %all, \"gt\" : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> !pto.mask<b32>\n",
};

TEST_CASE("a mask that data or parameters make may let all lanes take part", "[prove]") {
  constexpr std::string_view kStore =
      "    pto.vsts %x, %v[%i0], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>\n";
  constexpr std::string_view kBack =
      "    %z = pto.vlds %v[%i0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n"
      "    pto.vsts %z, %v[%i64], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>\n";
  for (const std::string_view mask : kMasks) {
    const std::string stored = fmt::format("{}{}", mask, kStore);
    CHECK(verdict_of(stored, fmt::format("{}{}", kFlag, kOut)) == Verdict::proved);
    CHECK(verdict_of(stored, kOut) != Verdict::proved);  // the store and the copy, in no order
    CHECK(verdict_of(stored + "    pto.mem_bar \"VST_VLD\"\n" + std::string(kBack), "") == Verdict::proved);
    CHECK(verdict_of(stored + std::string(kBack), "") != Verdict::proved);
  }
}

TEST_CASE("lanes that constants choose are those that take part", "[prove]") {
  const auto text = [](std::string_view count) {
    return fmt::format(
        R"(    %left = scf.for %i = %i0 to %i128 step %i64 iter_args(%k = {}) -> (i32) {{
      %m, %rest = pto.plt_b32 %k : i32 -> !pto.mask<b32>, i32
      pto.vsts %x, %v[%i], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
      scf.yield %rest : i32
    }}
    %z = pto.vlds %v[%i64] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
    pto.vsts %z, %u[%i64], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
)",
        count);
  };
  CHECK(verdict_of(text("%n8"), "") == Verdict::proved);  // the second store has no lanes
  CHECK(verdict_of(text("%n72"), "") == Verdict::counterexample);
}

TEST_CASE("an index may lead anywhere", "[prove]") {
  constexpr std::string_view kIndex = "    %j = pto.vlds %w[%i0] : !pto.ptr<i32, ub> -> !pto.vreg<64xi32>\n";
  constexpr std::string_view kScatter =
      "    pto.vscatter %x, %s, %j, %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.vreg<64xi32>, "
      "!pto.mask<b32>\n";
  const std::string stored = fmt::format("{}{}", kIndex, kScatter);
  CHECK(verdict_of(stored, kOut) == Verdict::undecided);
  CHECK(verdict_of(stored, fmt::format("{}{}", kFlag, kOut)) == Verdict::proved);
}

std::string tiles(std::string_view order) {
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>) attributes {{pto.kernel}} {{
  %c0 = arith.constant 0 : i64
  %c8192 = arith.constant 8192 : i64
  %c16384 = arith.constant 16384 : i64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i64 = arith.constant 64 : index
  %to = pto.make_tensor_view %o, shape = [%i1, %i64], strides = [%i64, %i1] : !pto.tensor_view<?x?xf32>
  %part = pto.partition_view %to, offsets = [%i0, %i0], sizes = [%i1, %i64]
    : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x64xf32>
  %s = pto.alloc_tile addr = %c0 : !pto.tile_buf<vec, 1x64xf32>
  %j = pto.alloc_tile addr = %c8192 : !pto.tile_buf<vec, 1x64xi32>
  %d = pto.alloc_tile addr = %c16384 : !pto.tile_buf<vec, 2x64xf32>
  %second = pto.subview %d[%i1, %i0] sizes [1, 64] : !pto.tile_buf<vec, 2x64xf32> -> !pto.tile_buf<vec, 1x64xf32>
  pto.tscatter ins(%s, %j : !pto.tile_buf<vec, 1x64xf32>, !pto.tile_buf<vec, 1x64xi32>)
    outs(%d : !pto.tile_buf<vec, 2x64xf32>)
{}  pto.tstore ins(%second : !pto.tile_buf<vec, 1x64xf32>) outs(%part : !pto.partition_tensor_view<1x64xf32>)
  return
}}
}})",
                     order);
}

TEST_CASE("a store over another one needs a mem_bar unless both put the same there", "[prove]") {
  const auto text = [](std::string_view first, std::string_view second) {
    return fmt::format(
        R"(    %y = pto.vadd %x, %x, %all : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
    %c = pto.vdup %two, %all : f32, !pto.mask<b32> -> !pto.vreg<64xf32>
    %d = pto.vdup %two, %all : f32, !pto.mask<b32> -> !pto.vreg<64xf32>
    pto.vsts {}, %v[%i0], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
    pto.vsts {}, %v[%i0], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
)",
        first, second);
  };
  CHECK(verdict_of(text("%x", "%y"), "") == Verdict::counterexample);
  CHECK(verdict_of(text("%c", "%y"), "") == Verdict::counterexample);
  CHECK(verdict_of(text("%x", "%x"), "") == Verdict::proved);
  CHECK(verdict_of(text("%c", "%d"), "") == Verdict::proved);
}

TEST_CASE("a scatter comes to all of its tile, which it clears first", "[prove]") {
  CHECK(proof_of(tiles("")).verdict == Verdict::counterexample);
  CHECK(proof_of(tiles(std::string(kFlag))).verdict == Verdict::proved);
}

TEST_CASE("an amount that is nothing in the run may be something with other numbers", "[prove]") {
  const auto text = [](std::string_view order) {
    return fmt::format(R"(  %at = pto.load_scalar %ix[%i0] : !pto.ptr<i32, gm> -> i32
  %bursts = arith.extsi %at : i32 to i64
  pto.barrier #pto.pipe<PIPE_ALL>
  pto.mte_gm_ub %a, %s, %c0, %c256 nburst(%bursts, %c256, %c256)
    : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
{}  pto.mte_ub_gm %s, %o, %c256 nburst(%c1, %c256, %c256)
    : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64
)",
                       order);
  };
  CHECK(verdict_of("", text("")) == Verdict::undecided);
  CHECK(verdict_of("", text("  pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID1\"]\n"
                            "  pto.wait_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID1\"]\n")) ==
        Verdict::proved);
}

TEST_CASE("what stands behind a constant that is false never runs", "[prove]") {
  const auto text = [](std::string_view constant) {
    return fmt::format("  %never = arith.constant {}\n  scf.if %never {{\n  {}}}\n", constant, kOut);
  };
  constexpr std::string_view kStore =
      "    pto.vsts %x, %v[%i0], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>\n";
  CHECK(verdict_of(kStore, text("false")) == Verdict::proved);
  CHECK(verdict_of(kStore, text("true")) == Verdict::counterexample);
}

/// Threads of both vector cores load from %g at their number and store `apart` elements further.
std::string threads(int count, int apart) {
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
func.func @k(%g: !pto.ptr<i32, gm>) attributes {{pto.kernel}} {{
  %one = arith.constant 1 : i32
  %count = arith.constant {} : i32
  pto.section.vector {{
    pto.simt_launch @body<<<%count, %one, %one>>>(%g) : (!pto.ptr<i32, gm>) -> ()
    pto.barrier #pto.pipe<PIPE_ALL>
  }}
  pto.section.cube {{
    pto.barrier #pto.pipe<PIPE_ALL>
  }}
  return
}}
func.func @body(%g: !pto.ptr<i32, gm>) attributes {{pto.simt_entry}} {{
  %t = pto.get_tid_x : i32
  %far = arith.constant {} : i32
  %from = arith.index_castui %t : i32 to index
  %x = pto.load %g[%from] : !pto.ptr<i32, gm> -> i32
  %to32 = arith.addi %t, %far : i32
  %to = arith.index_castui %to32 : i32 to index
  pto.store %x, %g[%to] : !pto.ptr<i32, gm>, i32
  return
}}
}})",
                     count, apart);
}

TEST_CASE("threads look where their numbers lead them", "[prove]") {
  CHECK(proof_of(threads(32, 32)).verdict == Verdict::proved);
  CHECK(proof_of(threads(32, 31)).verdict != Verdict::proved);
}

}  // namespace
}  // namespace pto
