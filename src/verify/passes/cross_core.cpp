// Signals between the cores of a cluster on a2a3: their counters need a base address (W0465).
#include <fmt/format.h>

#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

constexpr Rule kCrossCoreRules[] = {
    {.id = W0465,
     .title = "missing set_ffts",
     .cause = "On a2a3 signals between cores count in memory whose address pto.set_ffts states; the "
              "function has none. The memory belongs to the runtime: the host passes the address that "
              "rtGetC2cCtrlAddr returns as an argument of the kernel (pto-isa "
              "kernels/automode/a2a3/flash_atten/main.cpp:241). The simulator needs no bytes there.",
     .example = "pto.sync.set <PIPE_FIX>, 3 in a function without pto.set_ffts",
     .fix = "Begin with pto.set_ffts of an argument !pto.ptr<i64>."},
};

}  // namespace

RuleFamily cross_core_rules() { return {.rules = kCrossCoreRules, .checks = {}}; }

void check_cross_core(Checker& check) {
  const Program& program = check.program();
  if (check.target() != Target::a2a3 || !program.target_stated) return;
  using isa::OpcodeClass;
  uint32_t function = ~0u, signal = ~0u;
  bool based = false;
  const auto finish = [&] {
    if (signal == ~0u || based) return;
    const OpView op(program, signal);
    Diagnostic& built = check.warn(
        W0465, op,
        fmt::format("{} in a function without pto.set_ffts: the counters have no address yet", op.mnemonic()),
        "add an argument %ffts: !pto.ptr<i64> and begin with pto.set_ffts %ffts : !pto.ptr<i64>; the host "
        "passes "
        "the address that rtGetC2cCtrlAddr returns, the simulator reads nothing there");
    add_note(built, OpView(program, function), "the function begins here");
  };
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const OpcodeClass opcode_class = isa::row(program.ops[i].row).opcode_class;
    if (opcode_class == OpcodeClass::function) {
      finish();
      function = i;
      signal = ~0u;
      based = false;
    }
    based = based || opcode_class == OpcodeClass::sync_base;
    if (signal == ~0u && function != ~0u && isa::is_signal(opcode_class)) signal = i;
  }
  finish();
}

}  // namespace pto::legality
