// Uses the installed library as a user would: assemble, encode, decode, simulate, look at the result.
#include <cstdio>
#include <cstring>
#include <pto/assembler.hpp>
#include <pto/launch.hpp>
#include <pto/object.hpp>
#include <pto/plan.hpp>
#include <pto/prepare.hpp>
#include <pto/simulator.hpp>
#include <pto/verify.hpp>
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
  return sum == 28 && result->total_cycles > 0 && result->findings.all().empty() ? "" : "wrong sum";
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
  if (unplanned.error().message.find("%x has no address") == std::string::npos)
    return unplanned.error().message;

  const auto machine = pto::load_machine("a5");
  if (!machine) return machine.error().message;
  if (!pto::plan(*program, *machine, {}, diagnostics)) return "the program was not planned";
  const auto result = pto::simulate(*program, arguments, on_a5());
  if (!result) return result.error().message;
  if (!result->findings.all().empty()) return result->findings.all().front().message;
  for (int i = 0; i < 128; ++i) {
    float value = 0;
    std::memcpy(&value, arguments[1].bytes.data() + 4 * i, 4);
    if (value != 3.0f * static_cast<float>(i)) return "wrong product";
  }
  return "";
}

/// The same program in one call, as text and as an object; the library places the tiles and orders the pipes.
std::string prepared_in_one_call() {
  const auto from_text = pto::prepare(kTriple);
  if (!from_text || !from_text->ready) return "the text was not prepared";
  pto::Diagnostics diagnostics;
  const auto parsed = pto::parse(kTriple, {}, diagnostics);
  const auto bytes = pto::write_object(*parsed);
  const auto from_object = pto::prepare({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!from_object || !from_object->ready) return "the object was not prepared";
  if (pto::print(from_text->program) != pto::print(from_object->program)) return "text and object differ";
  std::vector<pto::Argument> arguments = {buffer("a", 512), buffer("out", 512)};
  const auto result = pto::simulate(*from_object, arguments);
  if (!result) return result.error().message;
  return result->findings.all().empty() && result->ended ? "" : "the prepared program does not run";
}

std::string refused() {
  std::string text = kTriple;
  text.replace(text.find("pto.tadd"), 8, "pto.tadx");
  const auto prepared = pto::prepare(text, {.name = "triple.pto"});
  if (!prepared) return prepared.error().message;
  if (prepared->ready || prepared->diagnostics.errors() != 1) return "an unknown instruction was not refused";
  std::vector<pto::Argument> arguments;
  if (pto::simulate(*prepared, arguments)) return "a refused program was simulated";
  if (pto::prepare(kTriple, {.target = "no_such_chip.toml"})) return "a target that does not exist";
  return pto::prepare_launch("no_such_case.toml") ? "a case that does not exist" : "";
}

std::string unknown_machine() {
  return pto::load_machine("no_such_chip.toml") ? "a machine that does not exist" : "";
}

}  // namespace

int main() {
  int passed = 0, failed = 0;
  for (const auto& test :
       {object_round_trip, plan_and_simulate, prepared_in_one_call, refused, unknown_machine}) {
    const std::string problem = test();
    problem.empty() ? ++passed : ++failed;
    if (!problem.empty()) std::printf("%s\n", problem.c_str());
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
