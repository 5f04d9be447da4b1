// Signals between the cores of a cluster on a2a3: their counters need a base address (W0465).
#include <fmt/format.h>

#include "verify/checker.hpp"
#include "verify/regions.hpp"

namespace pto::legality {

void check_cross_core(Checker& check) {
  const Program& program = check.program();
  if (check.target() != Target::a2a3 || !program.target_stated) return;
  static const RowId func = isa::id_of(*isa::find_row("func.func")), base = isa::id_of(*isa::find_row("pto.set_ffts"));
  static const RowId set = isa::id_of(*isa::find_row("pto.sync.set")), wait = isa::id_of(*isa::find_row("pto.sync.wait"));
  uint32_t function = ~0u, signal = ~0u;
  bool based = false;
  const auto finish = [&] {
    if (signal == ~0u || based) return;
    const OpView op(program, signal);
    Diagnostic& made = check.warn(
        "W0465", op, fmt::format("{} in a function without pto.set_ffts: the counters have no address yet", op.mnemonic()),
        "call pto.set_ffts with the counters' memory first");
    Note note;
    note.message = "the function begins here";
    note.where = program.ops[function].where;
    note.anchor = {Anchor::Part::op, function, 0};
    made.notes.push_back(std::move(note));
  };
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const RowId row = program.ops[i].row;
    if (row == func) {
      finish();
      function = i;
      signal = ~0u;
      based = false;
    }
    based = based || row == base;
    if (signal == ~0u && function != ~0u && (row == set || row == wait)) signal = i;
  }
  finish();
}

}  // namespace pto::legality
