#include "lower/load_lowering.hpp"

#include "lower/lowering_fixture.hpp"

namespace pto::lower {
namespace {

using test::instructions;

TEST_CASE("lanes that fill no register are loaded by blocks", "[lower]") {
  CHECK(instructions(R"(
    %v = pto.vmi.vload %f32[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<72xf32>
    pto.vmi.vstore %v, %f32[%c0] : !pto.vmi.vreg<72xf32>, !pto.ptr<f32, ub>)") ==
        "vlds addptr vsldb vsts vsts");
}

TEST_CASE("rows with a stride are blocks with a stride", "[lower]") {
  CHECK(instructions(R"(
    %v = pto.vmi.vload %f32[%c0], %c64 {group = 8} : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>
    pto.vmi.vstore %v, %f32[%c0] : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>)") == "addptr vsldb vsts");
}

}  // namespace
}  // namespace pto::lower
