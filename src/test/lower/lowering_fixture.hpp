// Programs with logical vectors for tests: run lane by lane and lowered, against what is computed beside
// them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "driver/run_fixture.hpp"
#include "isa/row.hpp"
#include "pto/lower.hpp"

namespace pto::test {

inline constexpr unsigned kElements = 1024;  ///< of 4 bytes, that go in and come out

/// `body` has pointers to 4096 bytes, %x of f32 and so on, and %y to as many behind them.
inline std::string kernel(std::string_view body, std::string_view helpers = "") {
  constexpr std::string_view kPointers[][2] = {
      {"f32", "f32"}, {"f16", "f16"},  {"i32", "i32"},  {"i16", "i16"},   {"u8", "ui8"},
      {"s8", "si8"},  {"u16", "ui16"}, {"u32", "ui32"}, {"bf16", "bf16"}, {"i8", "i8"}};
  std::string pointers;
  for (const auto& [name, type] : kPointers)
    pointers += fmt::format(
        "%x_{0} = pto.castptr %a : i64 -> !pto.ptr<{1}, ub>\n%y_{0} = pto.castptr %b : i64 -> !pto.ptr<{1}, "
        "ub>\n",
        name, type);
  std::string constants;
  for (const int n : {0, 1, 2, 3, 4, 5, 8, 12, 16, 24, 32, 64, 100, 128, 256})
    constants += fmt::format("%c{0} = arith.constant {0} : index\n", n);
  return fmt::format(R"(
module attributes {{pto.target_arch = "a5", pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  {}
  func.func @k(%in: !pto.ptr<f32, gm>, %out: !pto.ptr<f32, gm>) attributes {{pto.kernel}} {{
    %a = arith.constant 0 : i64
    %b = arith.constant 8192 : i64
    %one = arith.constant 1 : i64
    %bytes = arith.constant 4096 : i64
    {}{}
    pto.mte_gm_ub %in, %x_f32, %a, %bytes nburst(%one, %bytes, %bytes) : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
    pto.mte_gm_ub %out, %y_f32, %a, %bytes nburst(%one, %bytes, %bytes) : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
    pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
    pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
    pto.vecscope {{
      {}
    }}
    pto.set_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]
    pto.wait_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]
    pto.mte_ub_gm %y_f32, %out, %bytes nburst(%one, %bytes, %bytes) : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64
    pto.barrier #pto.pipe<PIPE_ALL>
    return
  }}
}}
)",
                     helpers, constants, pointers, body);
}

/// What a run leaves, of elements of T. Before it there were numbers from 0 on, and -1 behind.
template <typename T>
std::vector<T> run(const std::string& text, Vectors vectors, const std::vector<T>& in) {
  std::vector<T> before(in.size(), static_cast<T>(-1));
  std::vector<Argument> arguments{buffer("in", in), buffer("out", before)};
  PrepareOptions options;
  options.vectors = vectors;
  expect_clean(run_text(text, arguments, options));
  return values_of<T>(arguments[1]);
}

inline Prepared lowered(const std::string& text) {
  PrepareOptions options;
  options.vectors = Vectors::all_lowered;
  Result<Prepared> prepared = prepare(text, options);
  REQUIRE(prepared.ok());
  for (const Diagnostic& d : prepared->diagnostics.all()) {
    INFO(to_string(d.id) << " line " << d.where.line << ": " << d.message);
    CHECK(false);
  }
  REQUIRE(prepared->ready);
  return std::move(*prepared);
}

/// How often an instruction is in the lowered program.
inline size_t count(const Prepared& prepared, std::string_view name) {
  return static_cast<size_t>(std::ranges::count_if(
      prepared.program.ops, [&](const Op& op) { return isa::row(op.row).name == name; }));
}

template <typename T>
std::vector<T> numbers(const std::function<T(unsigned)>& f) {
  std::vector<T> built(kElements * 4 / sizeof(T));
  for (unsigned i = 0; i < built.size(); ++i) built[i] = f(i);
  return built;
}

/// Lanes as expected, and what the program does not store as before.
template <typename T>
Prepared check(const std::string& text, const std::function<T(unsigned)>& in,
               const std::function<T(unsigned)>& expected) {
  const std::vector<T> input = numbers<T>(in);
  const std::vector<T> wanted = numbers<T>(expected);
  Prepared prepared = lowered(text);
  CHECK_FALSE(has_logical_vectors(prepared.program));
  const std::string again = print(prepared.program);
  for (const auto& [name, of, vectors] :
       {std::tuple{"lanes", &text, Vectors::logical}, std::tuple{"registers", &text, Vectors::all_lowered},
        std::tuple{"printed", &again, Vectors::logical}}) {
    const std::vector<T> got = run<T>(*of, vectors, input);
    for (unsigned i = 0; i < got.size(); ++i) {
      INFO(name << " lane " << i);
      if (got[i] != wanted[i]) CHECK(got[i] == wanted[i]);
    }
  }
  return prepared;
}

}  // namespace pto::test
