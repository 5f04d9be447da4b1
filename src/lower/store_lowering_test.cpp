#include "lower/store_lowering.hpp"

#include "lower/lowering_fixture.hpp"

namespace pto::lower {
namespace {

using test::instructions;

TEST_CASE("rows with a stride are stored as blocks with a stride", "[lower]") {
  CHECK(instructions(R"(
    %v = pto.vmi.vload %f32[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>
    pto.vmi.vstore %v, %f32[%c0], %c64 {group = 8} : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>)") ==
        "vlds addptr vsstb");
}

TEST_CASE("two streams are stored as a pair", "[lower]") {
  CHECK(instructions(R"(
    %v = pto.vmi.vload %f16[%c0] : !pto.ptr<f16, ub> -> !pto.vmi.vreg<128xf16>
    %w = pto.vmi.vcvt %v : !pto.vmi.vreg<128xf16> -> !pto.vmi.vreg<128xf32>
    pto.vmi.vstore %w, %f32[%c0] : !pto.vmi.vreg<128xf32>, !pto.ptr<f32, ub>)") == "vlds vcvt vcvt vstsx2");
}

}  // namespace
}  // namespace pto::lower
