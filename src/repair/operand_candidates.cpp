#include "repair/operand_candidates.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "ir/value_names.hpp"
#include "isa/row.hpp"
#include "sim/findings/insertion_points.hpp"

namespace pto::sim {
namespace {

using isa::OpcodeClass;

bool is_uninitialised(const Diagnostic& finding) {
  return finding.severity == Severity::error && finding.id == FindingId::uninit;
}

Repair exchange_operand(uint32_t op, ValueId wrong, ValueId right) {
  return {{{.kind = Edit::Kind::exchange, .op = op, .wrong = wrong, .right = right}}};
}

class OperandCandidates {
 public:
  explicit OperandCandidates(const Program& program) : program_(program), places_(program) {}

  [[nodiscard]] uint32_t function_of(uint32_t op) const {
    for (op = places_.tree().parent(op); op != kNoOp; op = places_.tree().parent(op)) {
      if (isa::row(program_.ops[op].row).opcode_class == OpcodeClass::function) return op;
    }
    return kNoOp;
  }

  /// An operand of an operation by the name that a finding has for it.
  [[nodiscard]] ValueId named(uint32_t op, std::string_view name) const {
    const auto all = operands(op);
    const auto found =
        std::ranges::find_if(all, [&](ValueId value) { return isa::value_name(program_, value) == name; });
    return found == all.end() ? kNoValue : *found;
  }

  /// Operations of the function that write another buffer of the same type, which has other writers.
  void add_writers(uint32_t reader, ValueId buffer, std::vector<Repair>& repairs) const {
    const uint32_t function = function_of(reader);
    if (function == kNoOp || program_.type_of(buffer).space == Space::gm) return;
    constexpr size_t kMaxWriters = 8;
    std::map<ValueId, std::vector<uint32_t>> writers;
    std::vector<Repair> found;
    for (uint32_t op = function + 1; op < program_.end_of(function); ++op) {
      for (const ValueId other : written(op)) {
        writers[other].push_back(op);
        if (op != reader && other != buffer && same_type(other, buffer) && places_.reaches(buffer, op))
          found.push_back(exchange_operand(op, other, buffer));
      }
    }
    for (Repair& repair : found) {
      repair.suspects = writers[repair.edits.front().wrong];
      if (repair.suspects.size() > 1 && repair.suspects.size() <= kMaxWriters)
        repairs.push_back(std::move(repair));
    }
  }

  /// Numbers for which more operations, alike in all else, have another one, or the other end of the flag one
  /// that is used more; the rarest first.
  void add_odd_numbers(uint32_t function, std::vector<Repair>& repairs) const {
    constexpr uint32_t kMaxOperations = 5000;
    const uint32_t end = program_.end_of(function);
    if (end - function > kMaxOperations) return;
    std::map<std::pair<RowId, size_t>, std::vector<uint32_t>> alike;
    std::map<ValueId, size_t> uses;
    for (uint32_t op = function + 1; op < end; ++op) {
      const auto all = operands(op);
      for (const ValueId value : all) ++uses[value];
      if ((all.size() > 1 && !makes_place(op)) || is_flag(op))
        alike[{is_flag(op) ? RowId{0} : program_.ops[op].row, all.size()}].push_back(op);
    }
    std::vector<Repair> found;
    constexpr size_t kMaxEquivalent = 200;
    for (const auto& [key, group] : alike) {
      if (group.size() > kMaxEquivalent) continue;
      for (const uint32_t op : group) {
        std::map<std::pair<ValueId, ValueId>, size_t> others;
        for (const uint32_t other : group) {
          if (const auto difference = only_difference(op, other)) ++others[*difference];
        }
        for (const auto& [values, count] : others) {
          const auto& [wrong, right] = values;
          const bool odd = is_flag(op) ? uses[wrong] < uses[right] : count > as_this(op, group);
          if (odd && places_.reaches(right, op)) found.push_back(exchange_operand(op, wrong, right));
        }
      }
    }
    std::ranges::stable_sort(found, {},
                             [&](const Repair& repair) { return uses[repair.edits.front().wrong]; });
    for (const Repair& repair : found) {
      const Edit& edit = repair.edits.front();
      const bool again = std::ranges::any_of(repairs, [&](const Repair& before) {
        const Edit& other = before.edits.front();
        return other.op == edit.op && other.wrong == edit.wrong && other.right == edit.right;
      });
      if (!again) repairs.push_back(repair);
    }
  }

 private:
  [[nodiscard]] std::vector<ValueId> operands(uint32_t index) const {
    const OpView op(program_, index);
    std::vector<ValueId> all;
    for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
      for (const ValueId value : op.operands(slot)) all.push_back(value);
    }
    return all;
  }
  [[nodiscard]] std::vector<ValueId> written(uint32_t index) const {
    const OpView op(program_, index);
    const isa::Schema& schema = isa::schema(op.op().row);
    std::vector<ValueId> all;
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      if (schema.operands[slot].role == isa::Role::in) continue;
      for (const ValueId value : op.operands(slot)) all.push_back(value);
    }
    return all;
  }
  [[nodiscard]] bool is_flag(uint32_t op) const {
    const OpcodeClass opcode_class = isa::row(program_.ops[op].row).opcode_class;
    return opcode_class == OpcodeClass::set_flag_dyn || opcode_class == OpcodeClass::wait_flag_dyn;
  }
  /// Another place would only hide what is missing: somebody else fills it.
  [[nodiscard]] bool makes_place(uint32_t op) const {
    const OpcodeClass opcode_class = isa::row(program_.ops[op].row).opcode_class;
    return opcode_class == OpcodeClass::alloc_tile || opcode_class == OpcodeClass::assign;
  }
  [[nodiscard]] bool same_type(ValueId one, ValueId other) const {
    return program_.values[one].type == program_.values[other].type;
  }
  [[nodiscard]] bool same_attributes(uint32_t one, uint32_t other) const {
    return std::ranges::equal(program_.attrs_of(program_.ops[one]), program_.attrs_of(program_.ops[other]),
                              [](const Attr& a, const Attr& b) {
                                return a.spec == b.spec && a.value.kind == b.value.kind &&
                                       a.value.integer == b.value.integer && a.value.text == b.value.text;
                              });
  }
  /// How many of a group have all that the operation has, itself among them.
  [[nodiscard]] size_t as_this(uint32_t op, const std::vector<uint32_t>& group) const {
    return static_cast<size_t>(std::ranges::count_if(group, [&](uint32_t other) {
      return operands(op) == operands(other) && same_attributes(op, other);
    }));
  }
  /// Where the two differ in one number and nothing else.
  [[nodiscard]] std::optional<std::pair<ValueId, ValueId>> only_difference(uint32_t op,
                                                                           uint32_t other) const {
    const std::vector<ValueId> mine = operands(op), theirs = operands(other);
    std::optional<size_t> at;
    for (size_t i = 0; i < mine.size(); ++i) {
      if (mine[i] == theirs[i]) continue;
      if (at) return std::nullopt;
      at = i;
    }
    if (!at || program_.type_of(mine[*at]).kind != TypeKind::scalar || !same_type(mine[*at], theirs[*at]) ||
        !same_attributes(op, other))
      return std::nullopt;
    return std::pair(mine[*at], theirs[*at]);
  }

  const Program& program_;
  InsertionPoints places_;
};

}  // namespace

std::vector<Repair> operand_candidates(const Program& program, const Diagnostics& findings) {
  const OperandCandidates operands(program);
  std::vector<Repair> repairs;
  std::set<uint32_t> functions;
  for (const Diagnostic& each : findings.all()) {
    if (!(is_of_order(each) || is_uninitialised(each)) || each.anchor.op >= program.ops.size()) continue;
    functions.insert(operands.function_of(each.anchor.op));
    if (!is_uninitialised(each)) continue;
    const ValueId buffer = operands.named(each.anchor.op, each.operand);
    if (buffer != kNoValue) operands.add_writers(each.anchor.op, buffer, repairs);
  }
  for (const uint32_t function : functions) {
    if (function != kNoOp) operands.add_odd_numbers(function, repairs);
  }
  return repairs;
}

}  // namespace pto::sim
