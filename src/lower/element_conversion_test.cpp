#include "lower/element_conversion.hpp"

#include "lower/lowering_fixture.hpp"

namespace pto::lower {
namespace {

using test::instructions;

TEST_CASE("a conversion to twice the width moves no lane", "[lower]") {
  CHECK(instructions(R"(
    %v = pto.vmi.vload %f16[%c0] : !pto.ptr<f16, ub> -> !pto.vmi.vreg<64xf16>
    %w = pto.vmi.vcvt %v : !pto.vmi.vreg<64xf16> -> !pto.vmi.vreg<64xf32>
    pto.vmi.vstore %w, %f32[%c0] : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>)") == "vlds vcvt vsts");
}

}  // namespace
}  // namespace pto::lower
