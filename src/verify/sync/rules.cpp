// What the static checks report: findings.cpp words the findings. docs/reference/static-checks.md has more.
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

constexpr Rule kRules[] = {
    {.id = E0501,
     .title = "wait without set",
     .cause = "A pipe waits for a flag that no set_flag of the same core sets, so the kernel hangs.",
     .example = "pto.set_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID0\"]  pto.wait_flag[\"PIPE_MTE2\", "
                "\"PIPE_V\", \"EVENT_ID1\"]",
     .fix = "Let set and wait name the same pipes, in the same order, and the same id."},
    {.id = E0502,
     .title = "flag for the next kernel",
     .cause = "As W0502, and the set happens whatever the inputs are: the next kernel on the core finds the "
              "flag set.",
     .example = "pto.set_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID0\"] alone, directly in a kernel",
     .fix = "Add the wait_flag before the first use of the data, or remove the set."},
    {.id = E0503,
     .title = "set that is lost",
     .cause = "As W0503, whatever the inputs are, where the configuration says that a flag is one bit that "
              "loses a second set (machine.flags = \"bit\").",
     .example = "two pto.set_flag of the same pipes and id in a row, directly in a kernel",
     .fix = "Put a wait between the two sets, or use another id."},
    {.id = E0504,
     .title = "more waits than sets",
     .cause = "A flag is waited for more often than it is set, so the last wait never ends.",
     .example = "one set_flag in front of a loop of two iterations that each wait for it",
     .fix = "Set the flag once for every wait."},
    {.id = E0505,
     .title = "set left over",
     .cause = "As W0505, whatever the inputs are: the next kernel on the core finds the flag set.",
     .example = "two set_flag of two iterations and one wait_flag",
     .fix = "Wait for it once more before the kernel ends."},
    {.id = E0506,
     .title = "wait circle",
     .cause = "Pipes wait for flags whose sets are after each other's waits, or cores for each other's "
              "signals, so none of them continues.",
     .example = "PIPE_MTE2 waits for PIPE_V before the load that PIPE_V waits for",
     .fix = "Set one of the flags once before the first wait, or move its set in front of the wait that "
            "holds it up."},
    {.id = E0507,
     .title = "buffer id that is held",
     .cause = "As W0507, whatever the inputs are: other pipes wait for the release, or the next kernel finds "
              "the id held.",
     .example = "pto.get_buf \"PIPE_V\", 0 twice in a row",
     .fix = "Pair get_buf and rls_buf of every pipe and id."},
    {.id = E0508,
     .title = "wait that no core answers",
     .cause = "As W0508, whatever the inputs are: a core waits more often than the other one signals it, and "
              "the kernel hangs.",
     .example = "pto.sync.wait <PIPE_MTE2>, 4 directly in the vector section, without a sync.set of 4 in the "
                "cube section",
     .fix = "Let both name the same id, and signal as often as there are waits."},
    {.id = E0509,
     .title = "signal without a wait",
     .cause = "As W0509, whatever the inputs are: the next kernel on the cores finds the signal.",
     .example = "pto.sync.set <PIPE_FIX>, 3 directly in a section, without a sync.wait of 3",
     .fix = "Add the wait, or remove the signal."},
    {.id = E0510,
     .title = "signals that overflow",
     .cause = "A core signals another one 16 times, and no synchronisation orders the last signal after the "
              "wait for the first: the counter of an id holds 15, so with a late receiver a signal is lost.",
     .example = "16 pto.sync.set <PIPE_FIX>, 0 in the cube section, 16 pto.sync.wait <PIPE_MTE3>, 0 in the "
                "vector section",
     .fix = "Signal back after at most 15, and wait for that before the next one."},
    {.id = E0511,
     .title = "accesses in no order",
     .cause =
         "As W0511, whatever the inputs are: both accesses certainly happen, and touch a byte in common. "
         "Under another timing the kernel gives other bytes. Or the two are on two cores of a block, and no "
         "signal orders them.",
     .example =
         "pto.tload outs(%a)  pto.tadd ins(%a, ..) directly in a kernel, with a flag for something else",
     .fix = "Add the set_flag and wait_flag, or the barrier, that the message names."},
    {.id = E0513,
     .title = "access outside of a memory",
     .cause = "A computed address, or a pointer made from a constant, lies outside of the on-chip memory "
              "it points into.",
     .example = "pto.castptr %c262144 : i64 -> !pto.ptr<f32, ub> as destination of a load on a5",
     .fix = "Lower the address."},
    {.id = E0514,
     .title = "tassign with inserted flags",
     .cause = "pto.tassign changes a tile's address while the program runs; automatic insertion of flags "
              "knows only the address a tile is made with.",
     .example = "pto-as --sync=auto of a program with pto.tassign",
     .fix = "Synchronise by hand, or make one tile per address."},
    {.id = E0515,
     .title = "id used again too early",
     .cause = "As W0515, whatever the inputs are, where the configuration says that a flag is one bit that "
              "loses a second set (machine.flags = \"bit\").",
     .example = "pto.set_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID0\"] and its wait twice, and nothing from "
                "PIPE_V back to PIPE_MTE2",
     .fix = "Use another id, or add the flag back that the message names."},
    {.id = E0518,
     .title = "flag held over an instruction that uses it",
     .cause = "As W0518, whatever the inputs are.",
     .example = "set_flag[S, V, EVENT_ID0]; tsels on a2a3; wait_flag[S, V, EVENT_ID0]",
     .fix = "Use another event id, or wait before the instruction."},
    {.id = E0519,
     .title = "source left with other bytes",
     .cause = "As W0519, whatever the inputs are.",
     .example = "tquant of %x on a2a3, then tstore of %x",
     .fix = "Copy the tile before, or load it again."},
    {.id = W0501,
     .title = "conditional wait without set",
     .cause = "As E0501, but the wait is in a branch or loop that depends on the kernel's inputs.",
     .example = "scf.if %c { pto.wait_flag[..] } without any set",
     .fix = "Let set and wait name the same pipes and id, or remove the wait."},
    {.id = W0502,
     .title = "set without wait",
     .cause = "A flag is set and never waited for. It orders nothing, and the next kernel on the core "
              "finds it set.",
     .example = "pto.set_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID0\"] alone",
     .fix = "Add the wait_flag before the first use of the data, or remove the set."},
    {.id = W0503,
     .title = "flag set twice",
     .cause = "A flag is set again before any wait asks for it. Flags of the chips keep both sets, while the "
              "vendor's page requires pairs of set and wait. Shown by -Wdouble-set only.",
     .example = "two pto.set_flag of the same pipes and id in a row",
     .fix = "Put a wait between the two sets, or use another id."},
    {.id = W0504,
     .title = "conditional waits outnumber sets",
     .cause = "As E0504, but the waits are in branches or loops that depend on the kernel's inputs.",
     .example = "scf.for %i = %c0 to %n { pto.wait_flag[..] } with one set before the loop",
     .fix = "Set the flag as often as it is waited for."},
    {.id = W0505,
     .title = "flag left set",
     .cause = "A flag is set more often than it is waited for, so it is still set when the kernel ends.",
     .example = "a backward flag that is set in every iteration and not taken once after the loop",
     .fix = "Wait for it once more before the kernel ends."},
    {.id = W0506,
     .title = "conditional wait circle",
     .cause = "As E0506, but a wait is in a branch or loop that depends on the kernel's inputs.",
     .example = "scf.for %i = %c0 to %n { wait V->MTE2; load; set MTE2->V; wait MTE2->V; add; set V->MTE2 }",
     .fix = "Set the backward flag once before the loop."},
    {.id = W0507,
     .title = "unpaired buffer id",
     .cause = "A pipe gets a buffer id without releasing it, or releases one it has not got.",
     .example = "pto.get_buf \"PIPE_V\", 0 without pto.rls_buf",
     .fix = "Pair get_buf and rls_buf of every pipe and id."},
    {.id = W0508,
     .title = "wait without signal",
     .cause = "One core of a mixed kernel waits for an id that the other one never signals.",
     .example = "pto.sync.wait <PIPE_MTE2>, 4 in the vector section, pto.sync.set <PIPE_FIX>, 3 in the "
                "cube section",
     .fix = "Let both name the same id."},
    {.id = W0509,
     .title = "signal without wait",
     .cause = "One core of a mixed kernel signals an id for which the other one never waits.",
     .example = "pto.sync.set <PIPE_FIX>, 3 without a sync.wait of 3",
     .fix = "Add the wait, or remove the signal."},
    {.id = W0511,
     .title = "missing order",
     .cause = "Two instructions on different pipes, or on a pipe that starts instructions before the ones in "
              "front are done (PIPE_V of A2/A3), touch the same bytes, at least one writes them, and no "
              "flag, barrier or buffer id orders the two. Only kernels that synchronise themselves are "
              "checked: in others the tools insert the flags.",
     .example = "pto.tload outs(%a)  pto.tadd ins(%a, ..) without set_flag and wait_flag between them",
     .fix = "Add the set_flag and wait_flag that the message names."},
    {.id = W0512,
     .title = "overwritten tile",
     .cause = "A tile is written through another tile at overlapping addresses, and read afterwards "
              "without being written again.",
     .example = "%a at 0 and %b at 2048, both 4 KiB: load %a, load %b, add %a",
     .fix = "Give the tiles addresses that do not overlap while both are needed."},
    {.id = W0518,
     .title = "flag held over an instruction that may use it",
     .cause =
         "Some instructions of the library set and wait for flags themselves. A flag of the program with "
         "the same pipes and id that is open meanwhile is taken by the instruction's wait: its phases "
         "lose their order, or a flag of one bit loses a set and a wait hangs.",
     .example = "scf.if %c { set_flag[S, V, EVENT_ID0] }; tsels on a2a3",
     .fix = "Use another event id, or wait before the instruction."},
    {.id = W0519,
     .title = "source that may hold other bytes",
     .cause = "Some instructions of the library work in their sources and leave intermediate results there; "
              "the tile is read afterwards without being written again.",
     .example = "scf.if %c { trem of i32 by %y on a2a3 }; tstore of %y",
     .fix = "Copy the tile before, or load it again."},
    {.id = W0515,
     .title = "id used again",
     .cause = "A flag is set again, and the setting pipe is not ordered after the wait for the previous set: "
              "with a late wait the flag holds two sets. Flags of the chips keep both, while the vendor's "
              "page requires pairs. Shown by -Wdouble-set only.",
     .example =
         "scf.for { tload  set MTE2->V 0  wait MTE2->V 0  tadd } without a flag from PIPE_V to PIPE_MTE2",
     .fix = "Use another id, or add the flag back that the message names."},
};

}  // namespace

RuleFamily synchronisation_rules() { return {.rules = kRules, .checks = {}}; }

}  // namespace pto::legality
