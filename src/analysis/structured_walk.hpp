// A walk through a function along its structured control flow, with an abstract value for each value of the
// program. It visits the operations of a region in order, goes into callees, and hands on what regions yield.
// The walks of argument use and of symbolic accesses derive from it and give the transfer functions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "ir/symbol_table.hpp"

namespace pto::driver {

template <typename Value>
class StructuredWalk {
 protected:
  using AbstractValue = Value;
  using AbstractValues = std::vector<Value>;

  StructuredWalk(const Program& program, const Functions& functions, uint64_t max_steps)
      : program_(program), functions_(functions), max_steps_(max_steps) {}
  StructuredWalk(const StructuredWalk&) = default;
  StructuredWalk(StructuredWalk&&) = default;
  virtual ~StructuredWalk() = default;

  // ---- transfer functions
  virtual void loop(const OpView& op) = 0;
  virtual void while_loop(const OpView& op) = 0;
  virtual void branch(const OpView& op) = 0;
  virtual void call(const OpView& op) = 0;
  /// All other operations.
  virtual void transfer(const OpView& op) = 0;
  /// What a region yields as `value`.
  virtual Value yielded(ValueId value) { return value_of(value); }

  // ---- regions
  /// Visits the operations of a region; gives what it yields. Nothing after too many steps.
  AbstractValues run(const Region& region) {
    for (const uint32_t op : ops_in(program_, region)) {
      if (++steps_ > max_steps_) return {};
      step(OpView(program_, op));
    }
    AbstractValues values;
    for (const ValueId value : yielded_values(program_, region)) values.push_back(yielded(value));
    return values;
  }
  /// Of sections, scopes and switches: everything in them may run.
  void run_regions(const OpView& op) {
    AbstractValues last;
    for (const Region& region : program_.regions_of(op.op())) {
      bind(region, 0, {});
      last = run(region);
    }
    set_results(op, op.op().n_regions == 1 ? last : AbstractValues{});
  }
  /// What the last of the called functions returns; nothing when calls nest too deeply.
  std::optional<AbstractValues> run_callees(const OpView& op, const AbstractValues& given) {
    constexpr unsigned kMaxCalls = 16;
    if (calls_ >= kMaxCalls) return std::nullopt;
    AbstractValues results;
    const Function* const caller = inside_;
    ++calls_;
    for (const uint32_t index : functions_.called(op, *caller)) {
      const Function& callee = functions_[index];
      if (callee.info.declaration || program_.ops[callee.info.op].n_regions == 0) continue;
      inside_ = &callee;
      const Region& body = body_of(program_, callee.info.op);
      bind(body, 0, given);
      results = run(body);
    }
    --calls_;
    inside_ = caller;
    return results;
  }
  void give_up() { steps_ = max_steps_ + 1; }
  [[nodiscard]] bool has_given_up() const { return steps_ > max_steps_; }

  // ---- values
  [[nodiscard]] const Value& value_of(ValueId value) const {
    static const Value kUnknown;
    const auto found = values_.find(value);
    return found == values_.end() ? kUnknown : found->second;
  }
  void set(ValueId value, Value known) { values_[value] = std::move(known); }
  /// The arguments of a region from `first` on; unknown where `values` ends.
  void bind(const Region& region, uint32_t first, std::span<const Value> values) {
    for (uint32_t i = first; i < region.n_args; ++i)
      set(region.first_arg + i, i - first < values.size() ? values[i - first] : Value{});
  }
  void set_results(const OpView& op, const AbstractValues& values) {
    for (unsigned i = 0; i < op.op().n_results; ++i)
      set(op.result(i), i < values.size() ? values[i] : Value{});
  }

  const Program& program_;
  const Functions& functions_;
  std::map<ValueId, Value> values_;
  const Function* inside_ = nullptr;
  uint64_t steps_ = 0;

 private:
  void step(const OpView& op) {
    switch (isa::opcode_class(op)) {
      case isa::OpcodeClass::loop:
        return loop(op);
      case isa::OpcodeClass::while_loop:
        return while_loop(op);
      case isa::OpcodeClass::branch:
        return branch(op);
      case isa::OpcodeClass::call:
        return call(op);
      default:
        return transfer(op);
    }
  }

  uint64_t max_steps_;
  unsigned calls_ = 0;
};

}  // namespace pto::driver
