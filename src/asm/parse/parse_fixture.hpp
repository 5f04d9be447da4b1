// Helpers of the assembler's tests.
#pragma once

#include <string>
#include <string_view>

#include "isa/row.hpp"
#include "pto/assembler.hpp"
#include "support/message_text.hpp"
#include "testing/catch_main.hpp"

namespace pto::text::testing {

/// Parses; a failure shows the messages.
inline Program assemble(std::string_view source, std::optional<Target> target = Target::a5) {
  Diagnostics diagnostics;
  ParseOptions options;
  options.name = "test.pto";
  options.target = target;
  std::optional<Program> program = parse(source, options, diagnostics);
  INFO(messages(diagnostics));
  REQUIRE(program.has_value());
  return std::move(*program);
}

/// The body of one kernel; `%p`, `%q` point to UB, `%g` to GM, `%n` is an i64, `%i` an index.
inline std::string kernel(std::string_view body) {
  return "module {\nfunc.func @k(%p: !pto.ptr<f32, ub>, %q: !pto.ptr<f32, ub>, %g: !pto.ptr<f32>, %n: i64, "
         "%i: index, %b: i1) {\n" +
         std::string(body) + "\nreturn\n}\n}\n";
}

struct Failure {
  FindingId id = FindingId::none;
  std::string message, help, spelling;  ///< spelling: the text the error points at
  Location where;
  size_t errors = 0;
  bool unsupported = false;
  std::string text;
};

/// The first error of a text that must not assemble.
inline Failure refuse(std::string_view source) {
  Diagnostics diagnostics;
  ParseOptions options;
  options.target = Target::a5;
  const std::optional<Program> program = parse(source, options, diagnostics);
  REQUIRE_FALSE(program.has_value());
  REQUIRE_FALSE(diagnostics.all().empty());
  const Diagnostic& first = diagnostics.all().front();
  Failure failure{first.id,    first.message,        to_string(first.help),          {},
                  first.where, diagnostics.errors(), diagnostics.only_unsupported(), {}};
  failure.spelling = source.substr(first.span.begin, first.span.end - first.span.begin);
  failure.text = messages(diagnostics);
  return failure;
}

/// The only operation of that name, or the first.
inline OpView find_op(const Program& program, std::string_view name) {
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    if (isa::row(program.ops[i].row).name == name) return {program, i};
  }
  FAIL("no operation " << name);
  return {program, 0};
}

inline size_t count_ops(const Program& program, std::string_view name) {
  size_t n = 0;
  for (const Op& op : program.ops) n += isa::row(op.row).name == name ? 1 : 0;
  return n;
}

/// print is a fixed point and keeps the program.
inline void check_round_trip(const Program& program) {
  const std::string once = print(program);
  INFO(once);
  const Program again = assemble(once, std::nullopt);
  CHECK(print(again) == once);
  CHECK(again.ops.size() == program.ops.size());
  CHECK(again.operands == program.operands);
  CHECK(again.values.size() == program.values.size());
}

}  // namespace pto::text::testing
