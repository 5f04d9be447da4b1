#include "analysis/data_dependence.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto::sim {
namespace {

/// What uses each value.
class Uses {
 public:
  explicit Uses(const Program& program) : first_(program.values.size() + 1) {
    each_use(program, [&](ValueId value, uint32_t) { ++first_[value + 1]; });
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    users_.resize(first_.back());
    std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
    each_use(program, [&](ValueId value, uint32_t op) { users_[next[value]++] = op; });
  }

  [[nodiscard]] std::span<const uint32_t> uses_of(ValueId value) const {
    return std::span(users_).subspan(first_[value], first_[value + 1] - first_[value]);
  }

 private:
  template <typename Each>
  static void each_use(const Program& program, Each each) {
    for (uint32_t op = 0; op < program.ops.size(); ++op) {
      const OpView view(program, op);
      const size_t slots = isa::schema(view.op().row).operands.size();
      for (unsigned slot = 0; slot < slots; ++slot) {
        for (const ValueId value : view.operands(slot)) each(value, op);
      }
    }
  }

  std::vector<uint32_t> first_, users_;
};

class DataDependence {
 public:
  DataDependence(const Program& program, const Functions& functions, const CallGraph& calls)
      : p_(program), functions_(functions), marked_(program.values.size(), 0) {
    mark_sources();
    if (work_.empty()) return;
    for (const Call& call : calls.calls()) callers_[call.callee].push_back(call.op);
    const RegionTree tree(program);
    for (const Uses uses(program); !work_.empty();) {
      const ValueId value = work_.back();
      work_.pop_back();
      for (const uint32_t user : uses.uses_of(value)) propagate(value, user, tree.parent(user));
    }
  }

  std::vector<uint8_t> take_marked() { return std::move(marked_); }

 private:
  void mark_sources() {
    for (const Op& op : p_.ops) {
      if (loads_data(isa::row(op.row).opcode_class)) mark_results(op);
    }
  }

  void mark(ValueId value) {
    if (value >= marked_.size() || marked_[value]) return;
    marked_[value] = 1;
    work_.push_back(value);
  }
  void mark_results(const Op& op) {
    for (uint32_t r = 0; r < op.n_results; ++r) mark(op.first_result + r);
  }
  void mark_arguments(const Op& op, uint32_t first) {
    for (const Region& region : p_.regions_of(op)) {
      for (uint32_t a = first; a < region.n_args; ++a) mark(region.first_arg + a);
    }
  }

  void propagate(ValueId value, uint32_t user, uint32_t around) {
    const OpView view(p_, user);
    const isa::OpcodeClass opcode_class = isa::opcode_class(view);
    if (opcode_class == isa::OpcodeClass::call) return into_callees(view, value);
    mark_results(view.op());
    mark_arguments(view.op(), 0);  // what a loop carries in
    if (opcode_class == isa::OpcodeClass::store_array || opcode_class == isa::OpcodeClass::set_extents)
      mark(view.operand(0));
    if (opcode_class == isa::OpcodeClass::jump || opcode_class == isa::OpcodeClass::cond_jump)
      return into_blocks(around);
    if (is_terminator(p_, user)) leave(view, value, around);
  }

  /// A value that leaves a region by scf.yield, scf.condition or func.return reaches the results and
  /// arguments of `around`.
  void leave(const OpView& end, ValueId value, uint32_t around) {
    const Op& op = p_.ops[around];
    const isa::OpcodeClass opcode_class = isa::row(op.row).opcode_class;
    if (opcode_class == isa::OpcodeClass::function) return to_callers(end, value, around);
    mark_results(op);
    mark_arguments(op,
                   opcode_class == isa::OpcodeClass::loop
                       ? 1
                       : 0);  // the induction variable does not come from the yield
  }

  /// A branch hands its operands to one of the blocks.
  void into_blocks(uint32_t around) {
    for (const Region& region : p_.regions_of(p_.ops[around])) {
      for (const uint32_t op : ops_in(p_, region)) {
        if (isa::row(p_.ops[op].row).opcode_class == isa::OpcodeClass::block) mark_results(p_.ops[op]);
      }
    }
  }

  void into_callees(const OpView& call, ValueId value) {
    const Function* from = functions_.enclosing_function(call.index());
    if (from == nullptr) return;
    const std::span<const ValueId> given = call.operands(0);
    for (const uint32_t callee : functions_.called(call, *from)) {
      const std::span<const Region> regions = p_.regions_of(p_.ops[functions_[callee].info.op]);
      for (uint32_t i = 0; i < given.size() && !regions.empty() && i < regions[0].n_args; ++i) {
        if (given[i] == value) mark(regions[0].first_arg + i);
      }
    }
  }

  void to_callers(const OpView& end, ValueId value, uint32_t function) {
    const std::span<const ValueId> returned = end.operands(0);
    for (const uint32_t call : callers_[functions_.index_of(*functions_.enclosing_function(function))]) {
      const Op& op = p_.ops[call];
      for (uint32_t i = 0; i < returned.size() && i < op.n_results; ++i) {
        if (returned[i] == value) mark(op.first_result + i);
      }
    }
  }

  const Program& p_;
  const Functions& functions_;
  std::vector<uint8_t> marked_;
  std::vector<ValueId> work_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> callers_;  ///< calls, by the callee's index
};

}  // namespace

bool loads_data(isa::OpcodeClass opcode_class) {
  using isa::OpcodeClass;
  return opcode_class == OpcodeClass::load || opcode_class == OpcodeClass::load_buffer ||
         opcode_class == OpcodeClass::load_element || opcode_class == OpcodeClass::load_status ||
         opcode_class == OpcodeClass::thread_load;
}

std::vector<uint8_t> data_dependent_values(const Program& program, const Functions& functions,
                                           const CallGraph& calls) {
  return DataDependence(program, functions, calls).take_marked();
}

}  // namespace pto::sim
