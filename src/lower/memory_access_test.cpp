#include "lower/memory_access.hpp"

#include "lower/lowering_fixture.hpp"

namespace pto::lower {
namespace {

using test::instructions;

const std::string kVector = "!pto.vmi.vreg<64xf32>", kPointer = "!pto.ptr<f32, ub>";

std::string load(const std::string& name, const std::string& at) {
  return "%" + name + " = pto.vmi.vload %f32[" + at + "] : " + kPointer + " -> " + kVector + "\n";
}
std::string store(const std::string& name, const std::string& at) {
  return "pto.vmi.vstore %" + name + ", %f32[" + at + "] : " + kVector + ", " + kPointer + "\n";
}

TEST_CASE("a barrier orders a load behind a store of the same bytes", "[lower]") {
  CHECK(instructions(load("v", "%c0") + store("v", "%c64") + load("w", "%c100") + store("w", "%c0")) ==
        "vlds vsts mem_bar vlds vsts");
  CHECK(instructions(load("v", "%c0") + store("v", "%c64") + load("w", "%c128") + store("w", "%c0")) ==
        "vlds vsts vlds vsts");
}

TEST_CASE("an unknown offset meets a store at the same offset only", "[lower]") {
  CHECK(instructions(load("v", "%c0") + store("v", "%n") + load("w", "%n") + store("w", "%c0")) ==
        "vlds vsts mem_bar vlds vsts");
}

TEST_CASE("an offset of blocks keeps the alignment of its pointer", "[lower]") {
  const test::StateBench bench(load("v", "%c8") + load("w", "%c1") + load("u", "%n") + store("v", "%c0") +
                               store("w", "%c0") + store("u", "%c0"));
  std::vector<bool> aligned;
  for (uint32_t at = 0; at < bench.input.ops.size(); ++at) {
    const OpView op(bench.input, at);
    if (op.mnemonic() == "pto.vmi.vload") aligned.push_back(is_block_aligned(bench.state, op, 0, 1));
  }
  CHECK(aligned == std::vector{true, false, false});
}

}  // namespace
}  // namespace pto::lower
