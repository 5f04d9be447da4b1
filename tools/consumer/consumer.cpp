// Uses the installed library as a user would: assemble, encode, decode, simulate, look at the result.
#include <pto/assembler.hpp>
#include <pto/object.hpp>
#include <pto/simulator.hpp>
#include <pto/verify.hpp>

#include <cstdio>
#include <cstring>

namespace {

constexpr const char* kText = R"(
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

int fail(const char* what) {
  std::printf("%s\n0 passed, 1 failed\n", what);
  return 1;
}

pto::Argument buffer(const char* name, std::size_t bytes) {
  pto::Argument argument;
  argument.name = name;
  argument.bytes.resize(bytes);
  return argument;
}

}  // namespace

int main() {
  pto::Diagnostics diagnostics;
  const auto program = pto::parse(kText, {}, diagnostics);
  if (!program || !pto::verify(*program, {}, diagnostics)) return fail("the program was refused");
  const auto bytes = pto::write_object(*program);
  const auto loaded = pto::read_object(bytes);
  if (!loaded) return fail(loaded.error().message.c_str());

  std::vector<pto::Argument> arguments = {buffer("a", 32), buffer("out", 4)};
  for (int i = 0; i < 8; ++i) std::memcpy(arguments[0].bytes.data() + 4 * i, &i, 4);
  pto::SimOptions options;
  options.target = "a5";
  const auto result = pto::simulate(*loaded, arguments, options);
  if (!result) return fail(result.error().message.c_str());
  int sum = 0;
  std::memcpy(&sum, arguments[1].bytes.data(), 4);
  if (sum != 28 || result->total_cycles == 0 || !result->findings.empty()) return fail("wrong result");
  std::printf("1 passed, 0 failed\n");
  return 0;
}
