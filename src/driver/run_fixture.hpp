// Tests from text to values: buffers of numbers, a run without findings.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "pto/prepare.hpp"
#include "testing/catch_main.hpp"

namespace pto::test {

template <typename T>
Argument buffer(std::string name, const std::vector<T>& values) {
  Argument built;
  built.name = std::move(name);
  built.bytes.resize(values.size() * sizeof(T));
  std::memcpy(built.bytes.data(), values.data(), built.bytes.size());
  return built;
}
template <typename T>
std::vector<T> values_of(const Argument& argument) {
  std::vector<T> built(argument.bytes.size() / sizeof(T));
  std::memcpy(built.data(), argument.bytes.data(), argument.bytes.size());
  return built;
}

/// Runs a program without errors; `arguments` receive its outputs.
inline SimResult run_text(const std::string& text, std::vector<Argument>& arguments,
                          const PrepareOptions& options = {}) {
  Result<Prepared> prepared = prepare(text, options);
  REQUIRE(prepared.ok());
  for (const Diagnostic& d : prepared->diagnostics.all()) {
    INFO(d.where.line << ": " << d.message);
    CHECK(d.severity != Severity::error);
  }
  REQUIRE(prepared->ready);
  Result<SimResult> result = simulate(*prepared, arguments);
  if (!result) FAIL(result.error().message);
  return std::move(*result);
}

inline void expect_clean(const SimResult& result) {
  for (const Diagnostic& finding : result.findings.all()) {
    INFO(to_string(finding.id) << " line " << finding.where.line << ": " << finding.message);
    CHECK(false);
  }
  CHECK(result.ended);
}

}  // namespace pto::test
