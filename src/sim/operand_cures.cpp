#include "sim/operand_cures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "isa/row.hpp"
#include "isa/words.hpp"
#include "sim/check/checkers.hpp"
#include "sim/cures.hpp"
#include "sim/describe.hpp"
#include "sim/places.hpp"

namespace pto::sim {
namespace {

using isa::Does;

class Operands {
 public:
  explicit Operands(const Program& program) : program_(program), places_(program) {}

  [[nodiscard]] uint32_t function_of(uint32_t op) const {
    for (op = places_.tree().around(op); op != kNoOp; op = places_.tree().around(op)) {
      if (isa::row(program_.ops[op].row).does == Does::function) return op;
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
  void add_writers(uint32_t reader, ValueId buffer, std::vector<OperandCure>& cures) const {
    const uint32_t function = function_of(reader);
    if (function == kNoOp || program_.type_of(buffer).space == Space::gm) return;
    constexpr size_t kMostWriters = 8;
    std::map<ValueId, std::vector<uint32_t>> writers;
    std::vector<OperandCure> found;
    for (uint32_t op = function + 1; op < program_.end_of(function); ++op) {
      for (const ValueId other : written(op)) {
        writers[other].push_back(op);
        if (op != reader && other != buffer && same_type(other, buffer) && places_.reaches(buffer, op))
          found.push_back({op, other, buffer});
      }
    }
    for (OperandCure& cure : found) {
      cure.writers = writers[cure.wrong];
      if (cure.writers.size() > 1 && cure.writers.size() <= kMostWriters) cures.push_back(std::move(cure));
    }
  }

  /// Numbers for which more operations, alike in all else, have another one, or the other end of the flag one
  /// that is used more; the rarest first.
  void add_odd_numbers(uint32_t function, std::vector<OperandCure>& cures) const {
    constexpr uint32_t kMostOperations = 5000;
    const uint32_t end = program_.end_of(function);
    if (end - function > kMostOperations) return;
    std::map<std::pair<RowId, size_t>, std::vector<uint32_t>> alike;
    std::map<ValueId, size_t> uses;
    for (uint32_t op = function + 1; op < end; ++op) {
      const auto all = operands(op);
      for (const ValueId value : all) ++uses[value];
      if ((all.size() > 1 && !makes_place(op)) || is_flag(op))
        alike[{is_flag(op) ? RowId{0} : program_.ops[op].row, all.size()}].push_back(op);
    }
    std::vector<OperandCure> found;
    constexpr size_t kMostAlike = 200;
    for (const auto& [key, group] : alike) {
      if (group.size() > kMostAlike) continue;
      for (const uint32_t op : group) {
        std::map<std::pair<ValueId, ValueId>, size_t> others;
        for (const uint32_t other : group) {
          if (const std::optional<OperandCure> cure = only_difference(op, other))
            ++others[{cure->wrong, cure->right}];
        }
        for (const auto& [values, count] : others) {
          const auto& [wrong, right] = values;
          const bool odd = is_flag(op) ? uses[wrong] < uses[right] : count > as_this(op, group);
          if (odd && places_.reaches(right, op)) found.push_back({op, wrong, right});
        }
      }
    }
    std::ranges::stable_sort(found, {}, [&](const OperandCure& cure) { return uses[cure.wrong]; });
    const auto again = [&](const OperandCure& cure) {
      return std::ranges::any_of(cures, [&](const OperandCure& before) {
        return before.op == cure.op && before.wrong == cure.wrong && before.right == cure.right;
      });
    };
    for (const OperandCure& cure : found) {
      if (!again(cure)) cures.push_back(cure);
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
    const Does does = isa::row(program_.ops[op].row).does;
    return does == Does::set_flag_dyn || does == Does::wait_flag_dyn;
  }
  /// Another place would only hide what is missing: somebody else fills it.
  [[nodiscard]] bool makes_place(uint32_t op) const {
    const Does does = isa::row(program_.ops[op].row).does;
    return does == Does::alloc_tile || does == Does::assign;
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
  [[nodiscard]] std::optional<OperandCure> only_difference(uint32_t op, uint32_t other) const {
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
    return OperandCure{op, mine[*at], theirs[*at]};
  }

  const Program& program_;
  Places places_;
};

void exchange(Program& program, uint32_t index, ValueId from, ValueId to) {
  const Op& op = program.ops[index];
  const isa::Schema& schema = isa::schema(op.row);
  const OpView view(program, index);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    for (const ValueId& value : view.operands(slot)) {
      if (value == from) program.operands[static_cast<size_t>(&value - program.operands.data())] = to;
    }
  }
}

}  // namespace

bool is_of_operands(const Diagnostic& finding) {
  return is_of_order(finding) || (finding.severity == Severity::error && finding.id == "UNINIT");
}

std::vector<OperandCure> possible_operands(const Program& program, const Diagnostics& findings) {
  const Operands operands(program);
  std::vector<OperandCure> cures;
  std::set<uint32_t> functions;
  for (const Diagnostic& each : findings.all()) {
    if (!is_of_operands(each) || each.anchor.op >= program.ops.size()) continue;
    functions.insert(operands.function_of(each.anchor.op));
    if (each.id != "UNINIT") continue;
    const ValueId buffer = operands.named(each.anchor.op, each.operand);
    if (buffer != kNoValue) operands.add_writers(each.anchor.op, buffer, cures);
  }
  for (const uint32_t function : functions) {
    if (function != kNoOp) operands.add_odd_numbers(function, cures);
  }
  return cures;
}

bool advise_operand(const Program& program, Diagnostics& findings, size_t most,
                    const std::function<bool(const Program&)>& clean,
                    const std::function<bool(uint32_t)>& needed) {
  std::vector<OperandCure> cures = possible_operands(program, findings);
  if (cures.size() > most) cures.resize(most);
  if (cures.empty()) return false;
  Program changed = program;
  for (const OperandCure& cure : cures) {
    exchange(changed, cure.op, cure.wrong, cure.right);
    const bool cured = clean(changed) && (cure.writers.empty() || !std::ranges::all_of(cure.writers, needed));
    if (!cured) {
      const Op& op = program.ops[cure.op];
      std::copy_n(program.operands.begin() + op.operands, op.n_operand_words,
                  changed.operands.begin() + op.operands);
      continue;
    }
    Diagnostic& first = *std::ranges::find_if(findings.all(), is_of_operands);
    const auto follows = [kept = std::pair(first.message, first.anchor.op)](const Diagnostic& each) {
      return is_of_operands(each) && std::pair(each.message, each.anchor.op) != kept;
    };
    first.help = fmt::format("write {} in the place of {} at {}: tried, and nothing is out of order then",
                             isa::value_name(program, cure.right), isa::value_name(program, cure.wrong),
                             place(program, cure.op));
    std::vector<Note> notes;
    for (const Diagnostic& each : findings.all()) {
      if (follows(each)) notes.push_back(consequence(each));
    }
    findings.remove_if(follows);
    std::ranges::move(notes, std::back_inserter(std::ranges::find_if(findings.all(), is_of_operands)->notes));
    return true;
  }
  return false;
}

}  // namespace pto::sim
