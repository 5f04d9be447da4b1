#include "lower/masks.hpp"

#include "lower/lowering_fixture.hpp"

namespace pto::lower {
namespace {

using test::instructions;

TEST_CASE("first lanes that are known need no scalar arithmetic", "[lower]") {
  CHECK(instructions(R"(
    %m = pto.vmi.create_mask %c100 : index -> !pto.vmi.mask<128xpred>
    %v = pto.vmi.vload %f32[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<128xf32>
    pto.vmi.vstore %v, %f32[%c0], %m : !pto.vmi.vreg<128xf32>, !pto.ptr<f32, ub>, !pto.vmi.mask<128xpred>)") ==
        "plt_b32 vlds vlds vsts vsts");
}

TEST_CASE("a count is clamped, and divided among registers", "[lower]") {
  CHECK(instructions(R"(
    %m = pto.vmi.create_mask %n : index -> !pto.vmi.mask<128xpred>
    %v = pto.vmi.vload %f32[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<128xf32>
    pto.vmi.vstore %v, %f32[%c0], %m : !pto.vmi.vreg<128xf32>, !pto.ptr<f32, ub>, !pto.vmi.mask<128xpred>)") ==
        "index_cast maxsi minsi plt_b32 subi plt_b32 vlds vlds vsts vsts");
}

}  // namespace
}  // namespace pto::lower
