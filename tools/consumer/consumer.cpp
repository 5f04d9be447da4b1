// Uses the installed library as a user would: assemble, encode, decode, simulate, look at the result.
#include <pto/assembler.hpp>
#include <pto/object.hpp>
#include <pto/plan.hpp>
#include <pto/simulator.hpp>
#include <pto/verify.hpp>

#include <cstdio>
#include <cstring>
#include <string>

namespace {

/// Scalars only: nothing to place, nothing to order.
constexpr const char* kSum = R"(
module attributes {pto.target_arch = "a5"} {
  func.func @sum(%a: !pto.ptr<i32>, %out: !pto.ptr<i32>) attributes {pto.entry} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %z = arith.constant 0 : i32
    %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (i32) {
      %x = pto.load_scalar %a[%i] : !pto.ptr<i32> -> i32
      %n = arith.addi %acc, %x : i32
      scf.yield %n : i32
    }
    pto.store_scalar %s, %out[%c0] : !pto.ptr<i32>, i32
    return
  }
}
)";

/// A level 2 program: where tiles lie and how pipes wait is left to plan().
constexpr const char* kTriple = R"(
module attributes {pto.target_arch = "a5"} {
  func.func @triple(%a: !pto.ptr<f32>, %out: !pto.ptr<f32>) attributes {pto.entry} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %av = pto.make_tensor_view %a, shape = [%c8, %c16], strides = [%c16, %c1] : !pto.tensor_view<8x16xf32>
    %ov = pto.make_tensor_view %out, shape = [%c8, %c16], strides = [%c16, %c1] : !pto.tensor_view<8x16xf32>
    %x = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>
    %y = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>
    pto.tload ins(%av : !pto.tensor_view<8x16xf32>) outs(%x : !pto.tile_buf<vec, 8x16xf32>)
    pto.tadd ins(%x, %x : !pto.tile_buf<vec, 8x16xf32>, !pto.tile_buf<vec, 8x16xf32>) outs(%y : !pto.tile_buf<vec, 8x16xf32>)
    pto.tadd ins(%x, %y : !pto.tile_buf<vec, 8x16xf32>, !pto.tile_buf<vec, 8x16xf32>) outs(%y : !pto.tile_buf<vec, 8x16xf32>)
    pto.tstore ins(%y : !pto.tile_buf<vec, 8x16xf32>) outs(%ov : !pto.tensor_view<8x16xf32>)
    return
  }
}
)";

pto::Argument buffer(const char* name, std::size_t bytes) {
  pto::Argument argument;
  argument.name = name;
  argument.bytes.resize(bytes);
  return argument;
}

pto::SimOptions on_a5() {
  pto::SimOptions options;
  options.target = "a5";
  return options;
}

/// Empty when all is well.
std::string object_round_trip() {
  pto::Diagnostics diagnostics;
  const auto program = pto::parse(kSum, {}, diagnostics);
  if (!program || !pto::verify(*program, {}, diagnostics)) return "the program was refused";
  const auto loaded = pto::read_object(pto::write_object(*program));
  if (!loaded) return loaded.error().message;

  std::vector<pto::Argument> arguments = {buffer("a", 32), buffer("out", 4)};
  for (int i = 0; i < 8; ++i) std::memcpy(arguments[0].bytes.data() + 4 * i, &i, 4);
  const auto result = pto::simulate(*loaded, arguments, on_a5());
  if (!result) return result.error().message;
  int sum = 0;
  std::memcpy(&sum, arguments[1].bytes.data(), 4);
  return sum == 28 && result->total_cycles > 0 && result->findings.empty() ? "" : "wrong sum";
}

std::string plan_and_simulate() {
  pto::Diagnostics diagnostics;
  auto program = pto::parse(kTriple, {}, diagnostics);
  if (!program || !pto::verify(*program, {}, diagnostics)) return "the program was refused";
  std::vector<pto::Argument> arguments = {buffer("a", 512), buffer("out", 512)};
  for (int i = 0; i < 128; ++i) {
    const auto value = static_cast<float>(i);
    std::memcpy(arguments[0].bytes.data() + 4 * i, &value, 4);
  }
  const auto unplanned = pto::simulate(*program, arguments, on_a5());
  if (unplanned) return "tiles without addresses were simulated";
  if (unplanned.error().message.find("%x has no address") == std::string::npos) return unplanned.error().message;

  const auto machine = pto::load_machine("a5");
  if (!machine) return machine.error().message;
  if (!pto::plan(*program, *machine, {}, diagnostics)) return "the program was not planned";
  const auto result = pto::simulate(*program, arguments, on_a5());
  if (!result) return result.error().message;
  if (!result->findings.empty()) return result->findings.front().message;
  for (int i = 0; i < 128; ++i) {
    float value = 0;
    std::memcpy(&value, arguments[1].bytes.data() + 4 * i, 4);
    if (value != 3.0f * static_cast<float>(i)) return "wrong product";
  }
  return "";
}

std::string unknown_machine() {
  return pto::load_machine("no_such_chip.toml") ? "a machine that does not exist" : "";
}

}  // namespace

int main() {
  int passed = 0, failed = 0;
  for (const auto& test : {object_round_trip, plan_and_simulate, unknown_machine}) {
    const std::string problem = test();
    problem.empty() ? ++passed : ++failed;
    if (!problem.empty()) std::printf("%s\n", problem.c_str());
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
