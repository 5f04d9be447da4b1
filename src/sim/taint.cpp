#include "sim/taint.hpp"

#include <algorithm>
#include <unordered_map>

#include "isa/row.hpp"

namespace pto::sim {
namespace {

class Taint {
 public:
  explicit Taint(const Program& program) : p_(program), marked_(program.values.size(), 0) {
    for (const FunctionInfo& f : functions(program)) by_name_[f.name].push_back(f.op);
  }

  std::vector<uint8_t> run() {
    if (!mark_sources()) return marked_;
    do {
      changed_ = false;
      for (uint32_t op = 0; op < p_.ops.size(); ++op) propagate(op);
    } while (changed_);
    return std::move(marked_);
  }

 private:
  bool mark_sources() {
    bool any = false;
    for (const Op& op : p_.ops) {
      if (!loads_data(isa::row(op.row).name)) continue;
      for (uint32_t r = 0; r < op.n_results; ++r) marked_[op.first_result + r] = 1;
      any = true;
    }
    return any;
  }

  void mark(ValueId value) {
    if (value >= marked_.size() || marked_[value]) return;
    marked_[value] = 1;
    changed_ = true;
  }
  [[nodiscard]] bool is_marked(ValueId value) const { return value < marked_.size() && marked_[value]; }

  /// Flat operand values of an operation.
  [[nodiscard]] std::vector<ValueId> operands(const OpView& view) const {
    std::vector<ValueId> all;
    const size_t slots = isa::schema(view.op().row).operands.size();
    for (unsigned slot = 0; slot < slots; ++slot) {
      for (const ValueId value : view.operands(slot)) all.push_back(value);
    }
    return all;
  }

  void propagate(uint32_t index) {
    const OpView view(p_, index);
    const Op& op = view.op();
    const std::string_view name = view.mnemonic();
    const std::vector<ValueId> values = operands(view);
    if (name == "func.call") return propagate_call(view, values);
    const bool any = std::any_of(values.begin(), values.end(), [&](ValueId v) { return is_marked(v); });
    if (any) {
      for (uint32_t r = 0; r < op.n_results; ++r) mark(op.first_result + r);
      // What a loop carries in, and what an array takes in, is unknown afterwards.
      for (const Region& region : p_.regions_of(op)) {
        for (uint32_t a = 0; a < region.n_args; ++a) mark(region.first_arg + a);
      }
      if (name == "pto.local_array_set" || name == "pto.eventid_array_set" || name == "pto.set_validshape")
        mark(values.front());
    }
    for (const Region& region : p_.regions_of(op)) propagate_terminators(op, region);
  }

  /// Values that leave a region by scf.yield, scf.condition or func.return reach the operation's results and arguments.
  void propagate_terminators(const Op& op, const Region& region) {
    if (region.begin == region.end) return;
    uint32_t last = region.begin;
    for (uint32_t i = region.begin; i < region.end; i = p_.end_of(i)) last = i;
    const OpView view(p_, last);
    for (const ValueId value : operands(view)) {
      if (!is_marked(value)) continue;
      for (uint32_t r = 0; r < op.n_results; ++r) mark(op.first_result + r);
      for (const Region& each : p_.regions_of(op)) {
        // The induction variable of scf.for does not come from the yield.
        const uint32_t first = isa::row(op.row).name == "scf.for" ? 1 : 0;
        for (uint32_t a = first; a < each.n_args; ++a) mark(each.first_arg + a);
      }
      return;
    }
  }

  void propagate_call(const OpView& view, const std::vector<ValueId>& values) {
    const AttrValue* callee = view.attr("callee");
    if (callee == nullptr) return;
    const auto found = by_name_.find(p_.strings[callee->text]);
    if (found == by_name_.end()) return;
    for (const uint32_t function : found->second) {
      const std::span<const Region> regions = p_.regions_of(p_.ops[function]);
      if (regions.empty()) continue;
      for (size_t i = 0; i < values.size() && i < regions[0].n_args; ++i) {
        if (is_marked(values[i])) mark(regions[0].first_arg + static_cast<uint32_t>(i));
      }
      uint32_t last = regions[0].begin;
      for (uint32_t i = regions[0].begin; i < regions[0].end; i = p_.end_of(i)) last = i;
      const std::vector<ValueId> returned = operands(OpView(p_, last));
      for (size_t i = 0; i < returned.size() && i < view.op().n_results; ++i) {
        if (is_marked(returned[i])) mark(view.op().first_result + static_cast<uint32_t>(i));
      }
    }
  }

  const Program& p_;
  std::vector<uint8_t> marked_;
  std::unordered_map<std::string_view, std::vector<uint32_t>> by_name_;
  bool changed_ = false;
};

}  // namespace

bool loads_data(std::string_view mnemonic) {
  static constexpr std::string_view kLoads[] = {"pto.load_scalar", "pto.load",    "pto.tgetval",
                                                "pto.get_vms4_sr", "memref.load", "pto.ldg"};
  return std::find(std::begin(kLoads), std::end(kLoads), mnemonic) != std::end(kLoads);
}

std::vector<uint8_t> data_dependent_values(const Program& program) { return Taint(program).run(); }

}  // namespace pto::sim
