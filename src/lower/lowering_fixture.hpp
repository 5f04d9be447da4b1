// Tests of single families: the instructions of a vector scope after the lowering, and a state for functions
// that are called directly.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "lower/lowering_state.hpp"
#include "pto/assembler.hpp"
#include "pto/lower.hpp"
#include "support/message_text.hpp"
#include "testing/catch_main.hpp"

namespace pto::test {

/// A kernel of A5 with `body` in a vector scope.
inline Program scope_program(std::string_view body) {
  std::string text = "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @k(";
  for (const std::string_view type : {"f32", "f16", "i32", "ui8"})
    text += "%" + std::string(type) + ": !pto.ptr<" + std::string(type) + ", ub>, ";
  text += "%n: index, %s: f32) {\n";
  for (const char* n : {"0", "1", "8", "64", "100", "128"})
    text += std::string("%c") + n + " = arith.constant " + n + " : index\n";
  text += "pto.vecscope {\n" + std::string(body) + "\n}\nreturn\n}\n}\n";
  ParseOptions options;
  options.target = Target::a5;
  Diagnostics diagnostics;
  std::optional<Program> program = parse(text, options, diagnostics);
  UNSCOPED_INFO(text << messages(diagnostics));
  REQUIRE(program.has_value());
  return std::move(*program);
}

inline uint32_t scope_of(const Program& program) {
  uint32_t op = 0;
  while (!opens_vector_scope(OpView(program, op))) ++op;
  return op;
}

/// The lowered instructions of the scope in order, without the constant masks that the scope begins with.
inline std::string instructions(std::string_view body) {
  Program program = scope_program(body);
  const Lowered report = lower_logical_vectors(program);
  for (const NotLowered& each : report.left) return "left: " + each.why;
  std::string found;
  for (const uint32_t op : ops_in(program, body_of(program, scope_of(program)))) {
    std::string_view name = OpView(program, op).mnemonic();
    name.remove_prefix(name.find('.') + 1);
    if (!name.starts_with("pset_")) found += (found.empty() ? "" : " ") + std::string(name);
  }
  return found;
}

/// A state inside of the scope of a program.
struct StateBench {
  explicit StateBench(std::string_view body)
      : input(scope_program(body)),
        values(input),
        output(input),
        state(input, output, values, task, wanted, nullptr) {
    output.ops.clear();
    for (uint32_t cluster = 0; cluster < values.clusters(); ++cluster)
      task.layouts.push_back(lower::memory_order(values[values.members(cluster)[0]].width));
    state.op = scope_of(input);
    state.writer.begin_function();
    state.writer.begin_scope(state.op);
  }
  /// New registers, as if something had loaded them.
  lower::Regs registers(unsigned n, Elem elem) {
    lower::Regs regs;
    for (unsigned i = 0; i < n; ++i) {
      output.values.push_back({state.writer.vector_type(elem), 0});
      regs.push_back(static_cast<ValueId>(output.values.size() - 1));
    }
    return regs;
  }

  Program input;
  lower::Values values;
  Program output;
  lower::LoweringTask task;
  lower::LayoutRequest wanted;
  lower::LoweringState state;
};

}  // namespace pto::test
