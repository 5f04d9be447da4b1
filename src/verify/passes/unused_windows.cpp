// Unused windows of global memory (W0104). If the load through a window is missing, the tile still
// has the bytes of an earlier load: the accesses are ordered, so a run cannot detect it.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "ir/regions.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

using isa::OpcodeClass;

bool is_global(const Type& type) { return type.space == Space::gm || type.is_view(); }

/// Windows of arrays, and pointers into them.
bool makes_window(const OpView& op) {
  const OpcodeClass opcode_class = isa::opcode_class(op);
  if (op.op().n_results != 1 || op.operand(0) == kNoValue) return false;
  const Type& built = op.result_type(0);
  if (opcode_class == OpcodeClass::partition) return is_global(built);
  const bool pointer = opcode_class == OpcodeClass::add_ptr || opcode_class == OpcodeClass::cast_ptr;
  return pointer && built.kind == TypeKind::ptr && built.space == Space::gm &&
         op.type(0).kind == TypeKind::ptr;
}

class Windows {
 public:
  explicit Windows(Checker& check)
      : check_(check),
        program_(check.program()),
        whole_(program_.values.size()),
        of_(program_.values.size()) {
    std::iota(whole_.begin(), whole_.end(), ValueId{0});
  }

  void run(uint32_t function) {
    for (const uint32_t index : descendants(program_, function)) look(OpView(program_, index));
    const ValueId empty = empty_tile(function);
    for (const uint32_t index : descendants(program_, function)) {
      const OpView op(program_, index);
      if (!makes_window(op) || of_[op.result(0)].used) continue;
      // A kernel may take an array that it does not look at, and name its parts.
      if (of_[whole_[op.result(0)]].touched || empty != kNoValue) tell(op, empty);
    }
  }

 private:
  struct Use {
    bool used = false;                  ///< by any operation
    bool touched = false;               ///< of a whole: something looks at it or at a part of it
    bool read = false, filled = false;  ///< of a tile
  };

  void look(const OpView& op) {
    const OpcodeClass opcode_class = isa::opcode_class(op);
    const bool name =
        isa::is_address_operation(opcode_class) && op.op().n_results == 1 && op.operand(0) != kNoValue;
    if (name) whole_[op.result(0)] = whole_[op.operand(0)];
    const isa::Schema& schema = isa::schema(op.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      for (const ValueId value : op.operands(slot)) {
        if (value == kNoValue) continue;
        of_[value].used = true;
        if (name) continue;
        Use& whole = of_[whole_[value]];
        whole.touched = true;
        // What structures and calls do with a tile is not followed.
        const bool reads = schema.operands[slot].role == isa::Role::in && !isa::is_structural(opcode_class) &&
                           !isa::is_scalar_evaluable(opcode_class);
        (reads ? whole.read : whole.filled) = true;
      }
    }
  }

  /// A tile that is read and that nothing fills by any of its names: the one that the missing load is for, if
  /// one is missing. Tiles at one address may be two names of one thing.
  ValueId empty_tile(uint32_t function) const {
    for (const uint32_t index : descendants(program_, function)) {
      const OpView op(program_, index);
      if (isa::opcode_class(op) != OpcodeClass::alloc_tile) continue;
      const Use& tile = of_[op.result(0)];
      if (tile.read && !tile.filled) return op.result(0);
    }
    return kNoValue;
  }

  void tell(const OpView& op, ValueId empty) {
    const ValueId window = op.result(0);
    const ValueId whole = whole_[window];
    const std::string name = value_name(program_, window);
    Diagnostic& built = check_.warn(
        W0104, op,
        fmt::format("nothing loads or stores through {}, a part of {}", name, value_name(program_, whole)),
        empty == kNoValue
            ? Fix::use(name, ", or remove it")
            : Fix::use(name, fmt::format(", or remove it; nothing fills {} by that name, which is read",
                                         value_name(program_, empty))));
    if (empty != kNoValue) check_.note_definition(built, empty);
  }

  Checker& check_;
  const Program& program_;
  std::vector<ValueId> whole_;  ///< what a value is a part of, or another name for
  std::vector<Use> of_;
};

constexpr Rule kUnusedWindowsRules[] = {
    {.id = W0104,
     .title = "unused window",
     .cause =
         "A window of global memory, or a pointer into it, is made and nothing loads or stores through it. "
         "Where a load was forgotten, the tile holds the bytes of an earlier one.",
     .example = "pto.partition_view of an array, without a pto.tload of it",
     .fix = "Load or store through the window, or remove it."},
};

}  // namespace

RuleFamily unused_window_rules() { return {.rules = kUnusedWindowsRules, .checks = {}}; }

void check_windows(Checker& check) {
  if (std::ranges::none_of(check.rows(), [](RowId row) {
        const OpcodeClass opcode_class = isa::row(row).opcode_class;
        return opcode_class == OpcodeClass::partition || opcode_class == OpcodeClass::add_ptr ||
               opcode_class == OpcodeClass::cast_ptr;
      }))
    return;
  Windows windows(check);
  for (const Function& function : check.functions().all()) {
    if (!function.info.declaration) windows.run(function.info.op);
  }
}

}  // namespace pto::legality
