#include "lower/indexed_access.hpp"

#include "lower/lowering_fixture.hpp"

namespace pto::lower {
namespace {

using test::instructions;

TEST_CASE("few lanes at any address go by index", "[lower]") {
  CHECK(instructions(R"(
    %v = pto.vmi.vload %f32[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<3xf32>
    pto.vmi.vstore %v, %f32[%c1] : !pto.vmi.vreg<3xf32>, !pto.ptr<f32, ub>)") ==
        "addptr vci vgather2 vci addptr vscatter");
}

TEST_CASE("a gather takes indices as they are", "[lower]") {
  CHECK(instructions(R"(
    %m = pto.vmi.pset "PAT_ALL" : !pto.vmi.mask<64xpred>
    %q = pto.vmi.vload %i32[%c0] : !pto.ptr<i32, ub> -> !pto.vmi.vreg<64xi32>
    %g = pto.vmi.vgather %i32, %q, %m : !pto.ptr<i32, ub>, !pto.vmi.vreg<64xi32>, !pto.vmi.mask<64xpred> -> !pto.vmi.vreg<64xi32>
    pto.vmi.vstore %g, %i32[%c64] : !pto.vmi.vreg<64xi32>, !pto.ptr<i32, ub>)") ==
        "vlds vgather2 vbitcast vsts");
}

}  // namespace
}  // namespace pto::lower
