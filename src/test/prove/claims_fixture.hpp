// What tests ask the analyses of driver that no other one asks from outside.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "analysis/symbolic_access.hpp"
#include "plan/planner_fixture.hpp"
#include "prove/abstract/control_slice.hpp"
#include "test/analysis/arithmetic_fixture.hpp"

namespace pto {

/// The private questions of the analyses.
struct Claims {
  using Extreme = driver::InputSlice::Extreme;
  static Number extreme(const driver::InputSlice& all, ValueId value, Extreme which) {
    return all.extreme(value, which);
  }
  static int64_t pace(const driver::InputSlice& all, ValueId value) { return all.stride(value); }
  static Number ahead(const driver::InputSlice& all, ValueId value, ValueId of) {
    return all.max_difference(value, of);
  }
  static auto addresses(const driver::InputSlice& all, ValueId value) { return all.addresses_of(value, 0); }
  static bool may_leave_type(const driver::InputSlice& all, const OpView& op) {
    return all.may_leave_type(op);
  }
  static int64_t number_with(const driver::InputSlice& all, ValueId value,
                             const std::map<uint32_t, int64_t>& counters) {
    std::map<ValueId, int64_t> known;
    return all.evaluate_with(value, counters, known, 0);
  }
  static const std::set<uint32_t>& spare(const driver::InputSlice& all) { return all.merged_inputs_; }
  static std::optional<driver::Polynomial> number(driver::SymbolicAccesses& all, ValueId value) {
    const auto found = all.values_.find(value);
    return found == all.values_.end() ? std::nullopt : found->second.number;
  }
};

namespace test {

/// A program with all that an analysis of its launch asks for.
struct Made {
  Program program;
  Functions functions;
  CallGraph calls;
  LaunchedFunctions launch;
  std::map<std::string, ValueId> names;

  explicit Made(const std::string& text)
      : program(parse_ok(text)),
        functions(program),
        calls(program, functions),
        launch(launches(program, functions, calls).front()),
        names(names_of(program)) {}
};

}  // namespace test
}  // namespace pto
