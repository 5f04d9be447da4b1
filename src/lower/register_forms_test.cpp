#include "lower/register_forms.hpp"

#include "lower/lowering_fixture.hpp"

namespace pto::lower {
namespace {

using test::instructions;

TEST_CASE("a constant is built once for all its uses in a scope", "[lower]") {
  CHECK(instructions(R"(
    %z = pto.vmi.vbrc %s : f32 -> !pto.vmi.vreg<64xf32>
    pto.vmi.vstore %z, %f32[%c0] : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>
    pto.vmi.vstore %z, %f32[%c64] : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>)") == "vdup vsts vsts");
}

}  // namespace
}  // namespace pto::lower
