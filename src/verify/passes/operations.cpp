// Checks each operation: operand kinds, target, element types, then the rules its row names.
//
// All but the value rules depend on the row and the types alone, so their verdict is kept per (row, types): a
// program of a hundred thousand operations has a few hundred of these.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <unordered_set>
#include <vector>

#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

/// A rule of a row that checks something on a target.
struct Bound {
  const OpRule* rule;
  std::string_view argument;
  bool layout;  ///< asks how tiles lie in memory
  bool tiles;   ///< relies on its operands being tiles where the row takes some
};

bool is_of(const RuleFamily& family, const OpRule* rule) {
  return std::ranges::any_of(family.checks, [rule](const OpRule& known) { return &known == rule; });
}

std::vector<Bound> bind(RowId row, Target target) {
  std::vector<Bound> bound;
  for (const RowRule& named : isa::schema(row).rules) {
    const OpRule* rule = find_op_rule(named.name);
    if (rule == nullptr)
      throw std::logic_error(
          fmt::format("instruction table: {}: no rule '{}'", isa::row(row).name, named.name));
    if (!named.holds_on(target) || rule->check == nullptr) continue;
    const bool layout = is_of(layout_rules(), rule);
    const bool any = is_of(comm_rules(), rule);
    bound.push_back({rule, named.argument, layout, !any});
  }
  return bound;
}

/// The rules of every row on every target, looked up at their first use in the process.
class Bindings {
 public:
  const std::vector<Bound>& of(RowId row, Target target) {
    Slot& slot = slots_[static_cast<size_t>(target) * isa::rows().size() + row];
    const std::vector<Bound>* known = slot.load(std::memory_order_acquire);
    return known != nullptr ? *known : add(slot, row, target);
  }

 private:
  using Slot = std::atomic<const std::vector<Bound>*>;

  const std::vector<Bound>& add(Slot& slot, RowId row, Target target) {
    const std::scoped_lock lock(adding_);
    if (slot.load(std::memory_order_acquire) == nullptr)
      slot.store(&owned_.emplace_back(bind(row, target)), std::memory_order_release);
    return *slot.load(std::memory_order_acquire);
  }

  static constexpr size_t kTargets = 3;
  std::unique_ptr<Slot[]> slots_ = std::make_unique<Slot[]>(kTargets * isa::rows().size());
  std::deque<std::vector<Bound>> owned_;
  std::mutex adding_;
};

const std::vector<Bound>& rules_of(RowId row, Target target) {
  static Bindings bindings;
  return bindings.of(row, target);
}

/// The layout of what a memref holds is not in its type.
bool layout_unknown(const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    for (const ValueId value : op.operands(slot)) {
      if (from_memref(op.program().type_of(value))) return true;
    }
  }
  return false;
}

/// Two rounds of a multiply-xorshift per word; equal for operations of the same row, operand types and result
/// types.
uint64_t signature(const Program& program, const Op& op) {
  uint64_t hash = op.row * 0x9e3779b97f4a7c15ULL + op.n_results;
  const auto mix = [&hash](uint64_t word) {
    hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32;
  };
  const isa::Schema& schema = isa::schema(op.row);
  if (schema.has_variadic) {
    const OpView view(program, static_cast<uint32_t>(&op - program.ops.data()));
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      mix(~slot);
      for (const ValueId value : view.operands(slot)) mix(program.values[value].type);
    }
  } else {
    for (uint32_t i = 0; i < op.n_operand_words; ++i) {
      const ValueId value = program.operands[op.operands + i];
      mix(value == kNoValue ? ~uint64_t{0} : program.values[value].type);
    }
  }
  for (uint32_t i = 0; i < op.n_results; ++i) mix(program.values[op.first_result + i].type);
  return hash;
}

class Operations {
 public:
  explicit Operations(Checker& check) : check_(check) {}

  void run(uint32_t index) {
    if (index < refused_until_) return;
    const OpView op(check_.program(), index);
    const std::vector<Bound>& rules = rules_of(op.op().row, check_.target());
    const uint64_t key = signature(check_.program(), op.op());
    kinds_fit_ = tiles_fit_ = true;
    if (!clean_.contains(key) && check_types(op, rules)) clean_.insert(key);
    // A rule may rely on its operands being tiles where the row says so.
    if (!kinds_fit_) return;
    for (const Bound& rule : rules) {
      if (rule.rule->sees == Sees::values && (tiles_fit_ || !rule.tiles))
        rule.rule->check(check_, op, rule.argument);
    }
  }

 private:
  /// True when nothing was found and there is nothing more to find in operations of these types.
  bool check_types(const OpView& op, const std::vector<Bound>& rules) {
    const size_t before = check_.errors();
    check_target(check_, op);
    if (check_.errors() != before && op.op().n_regions != 0)
      refused_until_ = check_.program().end_of(op.index());  // its regions go with it
    check_operand_kinds(check_, op);
    kinds_fit_ = check_.errors() == before;
    if (kinds_fit_) tiles_fit_ = check_memrefs(op);
    if (kinds_fit_) check_elements(check_, op);
    if (check_.errors() != before) return false;
    const bool skip_layout = layout_unknown(op);
    for (const Bound& rule : rules) {
      if ((rule.layout && skip_layout) || (rule.tiles && !tiles_fit_)) continue;
      if (rule.rule->sees == Sees::types) rule.rule->check(check_, op, rule.argument);
    }
    return check_.errors() == before && tiles_fit_;
  }

  /// Where the row takes a tile, a memref represents one. False when one does not: rules on tiles have
  /// nothing to read then.
  bool check_memrefs(const OpView& op) {
    const isa::Schema& schema = isa::schema(op.op().row);
    bool all = true;
    unsigned flat = 0;
    for (const isa::OperandSpec& spec : schema.operands) {
      for (const ValueId value : op.operands(static_cast<unsigned>(&spec - schema.operands.data()))) {
        const Type& type = check_.program().type_of(value);
        const std::optional<NoTile> none =
            (spec.kinds & isa::kTile) != 0 ? stands_for_nothing(type) : std::nullopt;
        all = all && !none;
        if (none == NoTile::impossible) {
          check_.fail(E0450, op, Anchor::Part::operand_type, flat,
                      fmt::format("{}: {} is not a tile", op.mnemonic(), to_string(type)),
                      "give it one to five dimensions of at least one element, and no more elements than a "
                      "memory holds");
        }
        ++flat;
      }
    }
    return all;
  }

  Checker& check_;
  std::unordered_set<uint64_t> clean_;
  bool kinds_fit_ = true, tiles_fit_ = true;
  uint32_t refused_until_ = 0;
};

constexpr Rule kOperationsRules[] = {
    {.id = E0450,
     .title = "extents of a memref",
     .cause = "A memref on the chip that an instruction takes as a tile has at least one dimension, no "
              "empty one, and fits a memory.",
     .example = "pto.tload outs(%m : memref<0x16xf16, #pto.address_space<vec>>)",
     .fix = "Correct the extents; '?' leaves them open."},
};

}  // namespace

RuleFamily operation_rules() { return {.rules = kOperationsRules, .checks = {}}; }

void check_operations(Checker& check) {
  Operations operations(check);
  for (uint32_t i = 0; i < check.program().ops.size(); ++i) operations.run(i);
}

}  // namespace pto::legality
