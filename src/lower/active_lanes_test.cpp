#include "lower/active_lanes.hpp"

#include "lower/lowering_fixture.hpp"

namespace pto::lower {
namespace {

using test::instructions;

TEST_CASE("the active lanes of one register are squeezed", "[lower]") {
  CHECK(instructions(R"(
    %m = pto.vmi.create_mask %n : index -> !pto.vmi.mask<64xpred>
    %v = pto.vmi.vload %f32[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>
    %c = "pto.vmi.compress"(%v, %m) : (!pto.vmi.vreg<64xf32>, !pto.vmi.mask<64xpred>) -> !pto.vmi.vreg<64xf32>
    pto.vmi.vstore %c, %f32[%c0] : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>)") ==
        "index_cast maxsi minsi plt_b32 vlds vsqz vsts");
}

}  // namespace
}  // namespace pto::lower
