// Tests of single families: the code that the loader makes of the body of a function.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/assembler.hpp"
#include "sim/loader/loader.hpp"
#include "support/message_text.hpp"
#include "testing/catch_main.hpp"

namespace pto::sim::test {

struct Loaded {
  Program program;
  std::unique_ptr<Kernel> kernel;
  std::string error;

  [[nodiscard]] const CoreCode& role() const { return kernel->roles.front(); }
  [[nodiscard]] std::vector<OpCode> ops() const {
    std::vector<OpCode> found;
    for (const BytecodeInst& code : role().code) found.push_back(code.op);
    return found;
  }
};

/// A module for A5 as it is.
inline std::unique_ptr<Loaded> load_module(const std::string& text) {
  ParseOptions options;
  options.target = Target::a5;
  Diagnostics diagnostics;
  std::optional<Program> program = parse(text, options, diagnostics);
  UNSCOPED_INFO(text << messages(diagnostics));
  REQUIRE(program.has_value());
  auto loaded = std::make_unique<Loaded>();
  loaded->program = std::move(*program);
  Machine machine;
  machine.target = Target::a5;
  Result<std::unique_ptr<Kernel>> kernel = load_kernel(loaded->program, "", machine);
  if (kernel)
    loaded->kernel = std::move(*kernel);
  else
    loaded->error = kernel.error().message;
  return loaded;
}

/// A vector kernel with this body.
inline std::unique_ptr<Loaded> load_body(std::string_view body, std::string_view helpers = "") {
  return load_module("module attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {\n" +
                     std::string(helpers) +
                     "func.func @k(%n: index, %g: !pto.ptr<f32, gm>) attributes {pto.kernel} {\n" +
                     "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n" + std::string(body) +
                     "\nreturn\n}\n}\n");
}

}  // namespace pto::sim::test
