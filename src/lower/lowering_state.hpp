// State of a lowering pass that all families of operations share: the program that is read, the program that
// is written, and the registers of each logical value.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lower/logical_values.hpp"
#include "lower/vector_builder.hpp"
#include "pto/lower.hpp"

namespace pto::lower {

/// A layout of a value in registers; `width` is that of masks.
struct Form {
  Layout layout;
  unsigned width = 0;
  auto operator<=>(const Form&) const = default;
};

/// What the first pass found to be needed; the second pass writes it where it belongs.
struct LayoutRequest {
  Beginnings beginnings;
  std::map<uint32_t, std::map<ValueId, std::set<Form>>> forms;  ///< by scope
};

/// Functions to be lowered, by their operations, and the layout of each cluster of values.
struct LoweringTask {
  std::set<uint32_t> functions;
  std::vector<Layout> layouts;
  bool alone = false;  ///< a trial: nothing else is written
};

/// Bytes of UB that an operation loads or stores.
struct AccessedRange {
  bool store = false;
  ValueId root = kNoValue, offset = kNoValue;
  std::optional<int64_t> first;  ///< byte
  int64_t bytes = 0;
};

using RegPair = std::array<ValueId, 2>;

struct LoweringState {
  /// `output` is a copy of `input` without operations.
  LoweringState(const Program& input, Program& output, const Values& values, const LoweringTask& task,
                LayoutRequest& wanted, Lowered* report);

  /// The value of the output for a scalar of the input.
  [[nodiscard]] ValueId scalar(ValueId value) const { return renamed[value]; }
  [[nodiscard]] const Logical& info(ValueId value) const { return values[value]; }
  [[nodiscard]] Layout assigned_layout(ValueId value) const;

  /// The operation has no lowering; the first refusal counts.
  void refuse(const std::string& why);
  /// The same, with `n` registers in place of those that could not be built.
  Regs refused(unsigned n, TypeId type, const std::string& why);

  const Program& input;
  Program& output;
  const Values& values;
  const LoweringTask& task;
  LayoutRequest& wanted;
  Lowered* report;
  Writer writer;
  std::vector<ValueId> renamed;                             ///< scalars by their value in the input
  std::map<ValueId, std::map<Form, Regs>> forms;            ///< registers of logical values in the scope
  std::map<std::pair<bool, RegPair>, RegPair> interleaved;  ///< results of interleave_pair()
  std::vector<AccessedRange> stores;                        ///< of the scope since its last barrier
  std::optional<NotLowered> refusal;
  uint32_t op = kNoOp, function = kNoOp;  ///< operation that is lowered, and its function
};

}  // namespace pto::lower
