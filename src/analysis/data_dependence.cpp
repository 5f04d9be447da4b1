#include "analysis/data_dependence.hpp"

#include <algorithm>
#include <unordered_map>

#include "analysis/dataflow.hpp"
#include "ir/op_queries.hpp"
#include "isa/row.hpp"

namespace pto {
namespace {

using isa::OpcodeClass;
using Sources = std::vector<uint8_t>;  ///< by value

/// How values go from one operation to another beside the structure of regions.
class Transfers {
 public:
  explicit Transfers(const Program& program) : program_(program), tree_(program) {
    for (uint32_t i = 0; i < program.ops.size(); ++i) add(OpView(program, i));
  }
  void add_calls(const Functions& functions, const CallGraph& calls) {
    follows_calls_ = true;
    for (const Call& call : calls.calls()) {
      const uint32_t callee = functions[call.callee].info.op;
      callers_[callee].push_back(call.op);
      callees_[call.op].push_back(callee);
    }
  }
  [[nodiscard]] bool follows_calls() const { return follows_calls_; }

  /// An argument of a function is one of those that its callers give.
  void add_arguments(const ValueOrigin& argument, std::vector<ValueId>& values) const {
    for_each(callers_, argument.op,
             [&](uint32_t call) { add_one(OpView(program_, call).operands(0), argument.position, values); });
  }
  void add_returned(const ValueOrigin& result, std::vector<ValueId>& values) const {
    for_each(callees_, result.op, [&](uint32_t callee) {
      for_each(returns_, callee,
               [&](uint32_t end) { add_one(OpView(program_, end).operands(0), result.position, values); });
    });
  }
  /// What a branch to one of the blocks beside an operation takes along.
  void add_jumps(uint32_t block, std::vector<ValueId>& values) const {
    for_each(jumps_, tree_.parent(block), [&](uint32_t jump) { add_operands(jump, values); });
  }
  /// What operations write into a value.
  void add_written(ValueId value, std::vector<ValueId>& values) const {
    for_each(writes_, value, [&](uint32_t op) { add_operands(op, values); });
    std::erase(values, value);
  }
  void add_operands(uint32_t op, std::vector<ValueId>& values) const {
    const OpView view(program_, op);
    for (unsigned slot = 0; slot < isa::schema(view.op().row).operands.size(); ++slot) {
      const std::span<const ValueId> operands = view.operands(slot);
      std::ranges::copy_if(operands, std::back_inserter(values), [](ValueId v) { return v != kNoValue; });
    }
  }

 private:
  using Index = std::unordered_map<uint32_t, std::vector<uint32_t>>;

  void add(const OpView& op) {
    switch (isa::opcode_class(op)) {
      case OpcodeClass::jump:
      case OpcodeClass::cond_jump:
        jumps_[tree_.parent(op.index())].push_back(op.index());
        break;
      case OpcodeClass::ret:
        returns_[tree_.parent(op.index())].push_back(op.index());
        break;
      case OpcodeClass::store_array:
      case OpcodeClass::set_extents:
        writes_[op.operand(0)].push_back(op.index());
        break;
      default:
        break;
    }
  }
  template <typename Each>
  static void for_each(const Index& index, uint32_t key, Each each) {
    const auto found = index.find(key);
    if (found != index.end()) std::ranges::for_each(found->second, each);
  }
  static void add_one(std::span<const ValueId> from, uint32_t position, std::vector<ValueId>& values) {
    if (position < from.size()) values.push_back(from[position]);
  }

  const Program& program_;
  RegionTree tree_;
  bool follows_calls_ = false;
  Index callers_, callees_, returns_, jumps_, writes_;
};

/// Whether a value depends on a source, by its operands or by what decides where it comes from.
struct DependenceLattice {
  using Fact = uint8_t;                      ///< 1: it does
  static constexpr unsigned kMaxRounds = 2;  ///< no fact changes twice

  const Program& program;
  const Transfers& transfers;
  const Sources& sources;

  [[nodiscard]] static std::optional<int64_t> constant(ValueId) { return std::nullopt; }
  [[nodiscard]] static Fact of_constant(int64_t) { return 0; }
  [[nodiscard]] Fact entry(ValueId value) const { return value != kNoValue ? sources[value] : Fact{0}; }
  [[nodiscard]] bool follows(const OpView& op) const {
    if (op.op().n_results != 0 && sources[op.result(0)] != 0) return false;  // it does, whatever they are
    return isa::opcode_class(op) != OpcodeClass::call || !transfers.follows_calls();
  }
  [[nodiscard]] Fact transfer(const OpView&, ValueId value, std::span<const Fact> operands) const {
    return std::max(entry(value), any_of(operands));
  }
  [[nodiscard]] static Fact counter(const OpView&, std::span<const Fact> bounds) { return any_of(bounds); }
  [[nodiscard]] static Fact join(Fact a, Fact b) { return std::max(a, b); }
  [[nodiscard]] static Fact widen(ValueId, Fact, Fact after) { return after; }
  [[nodiscard]] static Fact any_of(std::span<const Fact> facts) {
    return std::ranges::find(facts, Fact{1}) != facts.end() ? 1 : 0;
  }

  void add_inputs(ValueId value, const ValueOrigin& origin, std::vector<ValueId>& values) const {
    transfers.add_written(value, values);
    if (origin.op == kNoOp) return;
    const OpView op(program, origin.op);
    switch (isa::opcode_class(op)) {
      case OpcodeClass::function:
        return transfers.add_arguments(origin, values);
      case OpcodeClass::call:
        return transfers.add_returned(origin, values);
      case OpcodeClass::block:
        return transfers.add_jumps(origin.op, values);
      case OpcodeClass::loop:
        if (origin.kind == ValueOrigin::Kind::carried)
          values.insert(values.end(), {op.operand(0), op.operand(1), op.operand(2)});
        return;
      case OpcodeClass::branch:
      case OpcodeClass::index_switch:
        return values.push_back(op.operand(0));
      default:
        return add_regions(op, origin, values);
    }
  }
  /// Of other regions: all that goes in and all that they hand on.
  void add_regions(const OpView& op, const ValueOrigin& origin, std::vector<ValueId>& values) const {
    if (op.op().n_regions == 0) return;
    if (origin.is_argument) transfers.add_operands(op.index(), values);
    for (const Region& region : program.regions_of(op.op())) {
      const std::optional<uint32_t> last = terminator(program, region);
      if (last) transfers.add_operands(*last, values);
    }
  }
};

}  // namespace

bool loads_data(OpcodeClass opcode_class) {
  return opcode_class == OpcodeClass::load || opcode_class == OpcodeClass::load_buffer ||
         opcode_class == OpcodeClass::load_element || opcode_class == OpcodeClass::load_status ||
         opcode_class == OpcodeClass::thread_load;
}

std::vector<uint8_t> data_dependent_values(const Program& program, const Functions& functions,
                                           const CallGraph& calls) {
  Sources found(program.values.size(), 0);
  bool any = false;
  for (const Op& op : program.ops) {
    if (!loads_data(isa::row(op.row).opcode_class)) continue;
    any = any || op.n_results != 0;
    std::fill_n(found.begin() + op.first_result, op.n_results, uint8_t{1});
  }
  if (!any) return found;
  Transfers transfers(program);
  transfers.add_calls(functions, calls);
  const Sources sources = found;
  SparseSolver<DependenceLattice> solver(program, {program, transfers, sources});
  for (ValueId value = 0; value < found.size(); ++value) found[value] = solver.fact(value);
  return found;
}

std::vector<uint8_t> dependent_values(const Program& program, uint32_t function, const Sources& sources) {
  Sources found(program.values.size(), 0);
  const Transfers transfers(program);
  SparseSolver<DependenceLattice> solver(program, {program, transfers, sources});
  for (ValueId value = 0; value < found.size(); ++value) {
    if (sources[value] != 0 || solver.origins().is_inside(value, function)) found[value] = solver.fact(value);
  }
  return found;
}

}  // namespace pto
