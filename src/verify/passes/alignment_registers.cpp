// Alignment registers (E0561 to E0563): the state of an unaligned stream begins at pto.vldas or
// pto.init_align, goes from one access to the next, and is used once; a loop hands it on through its
// iter_args.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "ir/regions.hpp"
#include "verify/named_operands.hpp"

namespace pto::legality {
namespace {

using isa::OpcodeClass;

/// Structures, and what ends their regions, carry any value.
bool hands_on(OpcodeClass opcode_class) {
  return isa::is_control_flow(opcode_class) || opcode_class == OpcodeClass::yield ||
         opcode_class == OpcodeClass::condition;
}
bool accesses_stream(OpcodeClass opcode_class) {
  return opcode_class == OpcodeClass::load_stream || opcode_class == OpcodeClass::store_stream;
}
/// The instruction that begins the stream which this one goes on with.
const isa::Row& beginning(OpcodeClass access) {
  return isa::row(isa::id_of(access == OpcodeClass::load_stream ? OpcodeClass::begin_load_stream
                                                                : OpcodeClass::begin_store_stream));
}

class AlignChains {
 public:
  explicit AlignChains(Checker& check) : check_(check), program_(check.program()) {}

  void run() {
    if (!any_align()) return;
    find_arguments();
    tree_.emplace(program_);
    for (uint32_t i = 0; i < program_.ops.size(); ++i) check_op(OpView(program_, i));
  }

 private:
  struct Use {
    uint32_t op, operand;
  };

  bool any_align() const {
    for (TypeId id = 1; id < program_.types.size(); ++id) {
      if (program_.types[id].kind == TypeKind::align) return true;
    }
    return false;
  }

  void find_arguments() {
    for (uint32_t i = 0; i < program_.ops.size(); ++i) {
      for (const Region& region : program_.regions_of(program_.ops[i])) {
        for (uint32_t a = 0; a < region.n_args; ++a)
          argument_owner_.emplace(region.first_arg + a, std::pair(i, a));
      }
    }
  }

  void check_op(const OpView& op) {
    const isa::Schema& schema = isa::schema(op.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      unsigned operand = flat_index(op, slot);
      for (const ValueId value : op.operands(slot)) {
        if (value != kNoValue && program_.type_of(value).kind == TypeKind::align)
          check_use(op, operand, value);
        ++operand;
      }
    }
  }

  void check_use(const OpView& op, unsigned operand, ValueId value) {
    const OpcodeClass opcode_class = isa::opcode_class(op);
    check_single(op, operand, value);
    if (accesses_stream(opcode_class)) {
      check_loop(op, operand, value);
      check_origin(op, operand, value, beginning(opcode_class));
    } else if (!hands_on(opcode_class)) {
      check_.fail(
          E0561, op, Anchor::Part::operand, operand,
          fmt::format("{} cannot take the alignment state {}", op.mnemonic(), value_name(program_, value)),
          "only the accesses of its stream and the iter_args of loops take it");
    }
  }

  // ---- one use

  /// Uses in different branches of one scf.if exclude each other.
  bool exclusive(uint32_t a, uint32_t b) const {
    std::map<uint32_t, uint32_t> above;  // operation -> region that holds a
    for (; tree_->parent(a) != kNoOp; a = tree_->parent(a))
      above.emplace(tree_->parent(a), tree_->region_of(a));
    for (; tree_->parent(b) != kNoOp; b = tree_->parent(b)) {
      const auto found = above.find(tree_->parent(b));
      if (found != above.end()) return found->second != tree_->region_of(b);
    }
    return false;
  }

  void check_single(const OpView& op, unsigned operand, ValueId value) {
    std::vector<Use>& uses = uses_[value];
    for (const Use& use : uses) {
      if (exclusive(use.op, op.index())) continue;
      Diagnostic& built = check_.fail(
          E0562, op, Anchor::Part::operand, operand,
          fmt::format("the alignment state {} is used a second time", value_name(program_, value)),
          "use the state that the first access gives back");
      add_note(built, OpView(program_, use.op), "first used here", Anchor::Part::operand, use.operand);
      return;
    }
    uses.push_back({op.index(), operand});
  }

  // ---- loops

  [[nodiscard]] uint32_t definer(ValueId value) const {
    const auto argument = argument_owner_.find(value);
    return argument == argument_owner_.end() ? check_.definition(value) : argument->second.first;
  }
  [[nodiscard]] bool loop(uint32_t op) const {
    const OpcodeClass opcode_class = isa::row(program_.ops[op].row).opcode_class;
    return isa::is_loop(opcode_class);
  }

  void check_loop(const OpView& op, unsigned operand, ValueId value) {
    uint32_t around = tree_->parent(op.index());
    while (around != kNoOp && !loop(around)) around = tree_->parent(around);
    if (around == kNoOp) return;
    const bool argument = argument_owner_.contains(value);
    const uint32_t defining_op = definer(value);
    const bool inside = argument ? defining_op >= around : defining_op > around;
    if (defining_op == ~0u || (inside && defining_op < program_.end_of(around))) return;
    Diagnostic& built = check_.fail(
        E0563, op, Anchor::Part::operand, operand,
        fmt::format(
            "the alignment state {} comes from outside the loop, so every iteration would start from it",
            value_name(program_, value)),
        "hand it in with iter_args and yield the state of the last access");
    add_note(built, OpView(program_, around), "the loop");
  }

  // ---- where the stream begins

  /// The operation that begins the stream a value belongs to; ~0 when there is none. Steps back along the
  /// stream.
  uint32_t origin(ValueId value) const {
    for (size_t steps = 0; steps <= program_.ops.size(); ++steps) {
      if (const auto argument = argument_owner_.find(value); argument != argument_owner_.end()) {
        const OpView loop(program_, argument->second.first);
        if (isa::opcode_class(loop) != OpcodeClass::loop || argument->second.second == 0) return ~0u;
        const std::span<const ValueId> init = loop.operands(3);
        if (argument->second.second > init.size()) return ~0u;
        value = init[argument->second.second - 1];
        continue;
      }
      const uint32_t defining_op = check_.definition(value);
      if (defining_op == ~0u) return ~0u;
      const OpView op(program_, defining_op);
      if (isa::opcode_class(op) == OpcodeClass::begin_load_stream ||
          isa::opcode_class(op) == OpcodeClass::begin_store_stream)
        return defining_op;
      const ValueId before = previous(op, value);
      if (before == kNoValue) return ~0u;
      value = before;
    }
    return ~0u;
  }
  /// The state that an access or a loop took to make `value`.
  ValueId previous(const OpView& op, ValueId value) const {
    if (accesses_stream(isa::opcode_class(op))) {
      for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
        if (op.type(slot).kind == TypeKind::align) return op.operand(slot);
      }
    }
    const uint32_t result = value - op.op().first_result;
    if (isa::opcode_class(op) == OpcodeClass::loop)
      return result < op.operands(3).size() ? op.operands(3)[result] : kNoValue;
    if (isa::opcode_class(op) != OpcodeClass::branch) return kNoValue;
    const std::span<const ValueId> yielded = yielded_values(program_, body_of(op));
    return result < yielded.size() ? yielded[result] : kNoValue;
  }

  void check_origin(const OpView& op, unsigned operand, ValueId value, const isa::Row& begins) {
    const uint32_t begin = origin(value);
    if (begin != ~0u && OpView(program_, begin).mnemonic() == begins.name) return;
    if (begin != ~0u && !reported_.insert(begin).second) return;  // once per stream
    Diagnostic& built = check_.fail(E0561, op, Anchor::Part::operand, operand,
                                    fmt::format("the alignment state {} of {} does not begin at {}",
                                                value_name(program_, value), op.mnemonic(), begins.name),
                                    fmt::format("begin the stream with {}", begins.name));
    if (begin != ~0u)
      add_note(built, OpView(program_, begin),
               fmt::format("it begins here, at {}", OpView(program_, begin).mnemonic()));
  }

  Checker& check_;
  const Program& program_;
  std::optional<RegionTree> tree_;
  std::map<ValueId, std::pair<uint32_t, uint32_t>>
      argument_owner_;  ///< block argument -> operation, position
  std::map<ValueId, std::vector<Use>> uses_;
  std::set<uint32_t> reported_;  ///< where streams of the wrong kind begin
};

constexpr Rule kAlignmentRegistersRules[] = {
    {.id = E0561,
     .title = "origin of an alignment state",
     .cause = "Load streams begin at pto.vldas, store streams at pto.init_align; nothing else makes or "
              "takes their state.",
     .example = "pto.vstus with the result of pto.vldas",
     .fix = "Begin the stream with the instruction the message names."},
    {.id = E0562,
     .title = "alignment state used twice",
     .cause = "The state of a stream moves on with every access; the old one is gone.",
     .example = "two pto.vstus with one align_in",
     .fix = "Use the state that the access before gave back."},
    {.id = E0563,
     .title = "alignment state in a loop",
     .cause = "An access in a loop would begin every iteration at the state from before the loop.",
     .example = "pto.vstus in scf.for with a state from outside",
     .fix = "Hand the state in with iter_args, and yield the last one."},
};

}  // namespace

RuleFamily align_rules() { return {.rules = kAlignmentRegistersRules, .checks = {}}; }

void check_align_registers(Checker& check) { AlignChains(check).run(); }

}  // namespace pto::legality
