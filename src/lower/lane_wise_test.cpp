#include "lower/lane_wise.hpp"

#include "lower/lowering_fixture.hpp"

namespace pto::lower {
namespace {

using test::instructions;

TEST_CASE("an operation is one instruction for each register", "[lower]") {
  CHECK(instructions(R"(
    %v = pto.vmi.vload %f32[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<128xf32>
    %w = pto.vmi.vadd %v, %v : !pto.vmi.vreg<128xf32>, !pto.vmi.vreg<128xf32> -> !pto.vmi.vreg<128xf32>
    pto.vmi.vstore %w, %f32[%c0] : !pto.vmi.vreg<128xf32>, !pto.ptr<f32, ub>)") == "vldsx2 vadd vadd vstsx2");
}

TEST_CASE("a value that is the same in all lanes is one register", "[lower]") {
  CHECK(instructions(R"(
    %z = pto.vmi.vbrc %s : f32 -> !pto.vmi.vreg<128xf32>
    pto.vmi.vstore %z, %f32[%c0] : !pto.vmi.vreg<128xf32>, !pto.ptr<f32, ub>)") == "vdup vsts vsts");
}

TEST_CASE("a comparison gives a mask, and a selection takes it", "[lower]") {
  CHECK(instructions(R"(
    %m = pto.vmi.pset "PAT_ALL" : !pto.vmi.mask<64xpred>
    %v = pto.vmi.vload %f32[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>
    %w = pto.vmi.vload %f32[%c64] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>
    %l = pto.vmi.vcmp %v, %w, %m {cmp = "lt"} : !pto.vmi.vreg<64xf32>, !pto.vmi.vreg<64xf32>, !pto.vmi.mask<64xpred> -> !pto.vmi.mask<64xpred>
    %s1 = pto.vmi.vsel %l, %v, %w : !pto.vmi.mask<64xpred>, !pto.vmi.vreg<64xf32>, !pto.vmi.vreg<64xf32> -> !pto.vmi.vreg<64xf32>
    pto.vmi.vstore %s1, %f32[%c128] : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>)") ==
        "vlds vlds vcmp vsel vsts");
}

}  // namespace
}  // namespace pto::lower
