// One pass over a program that writes it anew without logical vectors, with the layouts of a LoweringTask.
//
// Each program is written twice. The first pass emits a constant, a mask or another layout of a value at its
// first use, and records the request. The second pass emits it where it belongs: a constant at the beginning
// of the function, a layout behind the value. The cost of layouts is counted in the second pass.
#pragma once

#include <optional>
#include <vector>

#include "lower/lowering_state.hpp"

namespace pto::lower {

/// An instruction on logical vectors.
inline bool is_vmi(const OpView& op) { return isa::row(op.op().row).layer == isa::Layer::vmi; }

class VectorLowering {
 public:
  /// `output` is a copy of `input` without operations.
  VectorLowering(const Program& input, Program& output, const Values& values, const LoweringTask& task,
                 LayoutRequest& wanted, Lowered* report)
      : state_(input, output, values, task, wanted, report) {}
  void run();
  [[nodiscard]] const std::optional<NotLowered>& refusal() const { return state_.refusal; }
  [[nodiscard]] uint64_t cost() const { return state_.writer.cost(); }

 private:
  void copy(uint32_t op);
  void copy_regions(const OpView& op);
  void copy_region(const OpView& op, uint32_t region);
  void copy_function(const OpView& op);
  /// A scope begins: forms that it requests of values from outside are built in it.
  void begin_scope(const OpView& op);
  void copy_structure(const OpView& op);
  void lower_logical(const OpView& op);
  [[nodiscard]] bool touches_logical(const OpView& op) const;
  /// Whether the called function has a body.
  [[nodiscard]] bool is_defined(const OpView& call) const;
  /// Operand words with registers in place of logical values.
  std::vector<ValueId> expand_operands(const OpView& op);
  /// For operands that are forwarded: the values that they become.
  [[nodiscard]] std::vector<ValueId> forwarded_to(const OpView& op, unsigned slot) const;
  /// The types behind the arrow of a function, where they were logical.
  void write_results(uint32_t function);
  /// Types of the registers of a value, or of the value itself.
  void expand_types(ValueId value, std::vector<TypeId>& types);
  /// Binds the value to the new values from `first` on; returns the next one.
  ValueId bind_value(ValueId value, ValueId first);

  LoweringState state_;
  std::vector<uint32_t> around_;      ///< operations with regions around the current one
  uint32_t output_function_ = kNoOp;  ///< operation of state_.function in the output
  bool in_function_ = false;          ///< one of the task
};

}  // namespace pto::lower
