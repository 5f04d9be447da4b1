#include "lower/permutations.hpp"

#include "lower/lowering_fixture.hpp"

namespace pto::lower {
namespace {

using test::instructions;

TEST_CASE("whole registers are interleaved by one instruction", "[lower]") {
  CHECK(instructions(R"(
    %m = pto.vmi.pset "PAT_ALL" : !pto.vmi.mask<64xpred>
    %v = pto.vmi.vload %f32[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>
    %w = pto.vmi.vload %f32[%c64] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>
    %lo, %hi = pto.vmi.vintlv %v, %w, %m : !pto.vmi.vreg<64xf32>, !pto.vmi.vreg<64xf32>, !pto.vmi.mask<64xpred> -> !pto.vmi.vreg<64xf32>, !pto.vmi.vreg<64xf32>
    pto.vmi.vstore %lo, %f32[%c0] : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>
    pto.vmi.vstore %hi, %f32[%c64] : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>)") ==
        "vlds vlds vintlv vsts vsts");
}

TEST_CASE("the lane of each group goes to all its lanes by computed indices", "[lower]") {
  CHECK(instructions(R"(
    %m = pto.vmi.pset "PAT_ALL" : !pto.vmi.mask<64xpred>
    %v = pto.vmi.vload %f32[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>
    %g = pto.vmi.vcadd %v, %m {group = 8, reassoc} : !pto.vmi.vreg<64xf32>, !pto.vmi.mask<64xpred> -> !pto.vmi.vreg<8xf32>
    %e = pto.vmi.vbrc %g {group = 8} : !pto.vmi.vreg<8xf32> -> !pto.vmi.vreg<64xf32>
    pto.vmi.vstore %e, %f32[%c0] : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>)") ==
        "vlds vcgadd vci vshrs vselr vsts");
}

}  // namespace
}  // namespace pto::lower
