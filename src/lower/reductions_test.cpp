#include "lower/reductions.hpp"

#include "lower/lowering_fixture.hpp"

namespace pto::lower {
namespace {

using test::instructions;

TEST_CASE("a group of one block is reduced by the instruction for blocks", "[lower]") {
  CHECK(instructions(R"(
    %m = pto.vmi.pset "PAT_ALL" : !pto.vmi.mask<64xpred>
    %v = pto.vmi.vload %f32[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>
    %g = pto.vmi.vcadd %v, %m {group = 8, reassoc} : !pto.vmi.vreg<64xf32>, !pto.vmi.mask<64xpred> -> !pto.vmi.vreg<8xf32>
    pto.vmi.vstore %g, %f32[%c0] : !pto.vmi.vreg<8xf32>, !pto.ptr<f32, ub>)") == "vlds vcgadd vsts");
}

TEST_CASE("registers are combined before the last reduction", "[lower]") {
  CHECK(instructions(R"(
    %m = pto.vmi.pset "PAT_ALL" : !pto.vmi.mask<128xpred>
    %v = pto.vmi.vload %f32[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<128xf32>
    %g = pto.vmi.vcmax %v, %m : !pto.vmi.vreg<128xf32>, !pto.vmi.mask<128xpred> -> !pto.vmi.vreg<1xf32>
    pto.vmi.vstore %g, %f32[%c0] : !pto.vmi.vreg<1xf32>, !pto.ptr<f32, ub>)") == "vldsx2 vmax vcmax vsts");
}

}  // namespace
}  // namespace pto::lower
