// The static synchronisation and memory checks, for --explain. docs/static-checks.md has more.
#include "verify/checker.hpp"

namespace pto::legality {
namespace {

constexpr Rule kRules[] = {
    {"E0501", "wait without set", "A pipe waits for a flag that no set_flag of the same core sets, so the kernel hangs.",
     "pto.set_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID0\"]  pto.wait_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID1\"]",
     "Let set and wait name the same pipes, in the same order, and the same id."},
    {"E0504", "more waits than sets", "A flag is waited for more often than it is set, so the last wait never ends.",
     "one set_flag in front of a loop of two iterations that each wait for it", "Set the flag once for every wait."},
    {"E0506", "wait circle", "Pipes wait for flags whose sets stand behind each other's waits, so none of them goes on.",
     "PIPE_MTE2 waits for PIPE_V before the load that PIPE_V waits for", "Set one of the flags once before the first wait, or move its set in front of the wait that holds it up."},
    {"E0513", "access outside of a memory", "A computed address, or a pointer made from a constant, lies outside of the on-chip memory it points into.",
     "pto.castptr %c262144 : i64 -> !pto.ptr<f32, ub> as destination of a load on a5", "Lower the address."},
    {"E0514", "tassign with inserted flags", "pto.tassign changes a tile's address while the program runs; automatic insertion of flags knows only the address a tile is made with.",
     "pto-as --sync=auto of a program with pto.tassign", "Synchronise by hand, or make one tile per address."},
    {"W0501", "conditional wait without set", "As E0501, but the wait stands in a branch or loop that depends on the kernel's inputs.",
     "scf.if %c { pto.wait_flag[..] } without any set", "Let set and wait name the same pipes and id, or remove the wait."},
    {"W0502", "set without wait", "A flag is set and never waited for. It orders nothing, and the next kernel on the core finds it set.",
     "pto.set_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID0\"] alone", "Add the wait_flag in front of what uses the data, or remove the set."},
    {"W0503", "flag set twice", "A flag is set again before any wait asks for it. A flag is one bit on some machines: the second set may be lost.",
     "two pto.set_flag of the same pipes and id in a row", "Put a wait between the two sets, or use another id."},
    {"W0504", "conditional waits outnumber sets", "As E0504, but the waits stand in branches or loops that depend on the kernel's inputs.",
     "scf.for %i = %c0 to %n { pto.wait_flag[..] } with one set before the loop", "Set the flag as often as it is waited for."},
    {"W0505", "flag left set", "A flag is set more often than it is waited for, so it is still set when the kernel ends.",
     "a backward flag that is set in every iteration and not taken once after the loop", "Wait for it once more before the kernel ends."},
    {"W0506", "conditional wait circle", "As E0506, but a wait stands in a branch or loop that depends on the kernel's inputs.",
     "scf.for %i = %c0 to %n { wait V->MTE2; load; set MTE2->V; wait MTE2->V; add; set V->MTE2 }", "Set the backward flag once before the loop."},
    {"W0507", "unpaired buffer id", "A pipe gets a buffer id without releasing it, or releases one it has not got.", "pto.get_buf \"PIPE_V\", 0 without pto.rls_buf",
     "Pair get_buf and rls_buf of every pipe and id."},
    {"W0508", "wait without signal", "One core of a mixed kernel waits for an id that the other one never signals.",
     "pto.sync.wait <PIPE_MTE2>, 4 in the vector section, pto.sync.set <PIPE_FIX>, 3 in the cube section", "Let both name the same id."},
    {"W0509", "signal without wait", "One core of a mixed kernel signals an id for which the other one never waits.", "pto.sync.set <PIPE_FIX>, 3 without a sync.wait of 3",
     "Add the wait, or remove the signal."},
    {"W0511", "missing order", "Two instructions on different pipes touch the same bytes, at least one writes them, and no flag, barrier or buffer id "
     "orders the two. Only kernels that synchronise themselves are checked: in others the tools insert the flags.",
     "pto.tload outs(%a)  pto.tadd ins(%a, ..) without set_flag and wait_flag between them", "Add the set_flag and wait_flag that the message names."},
    {"W0512", "overwritten tile", "A tile is written through another tile at overlapping addresses, and read afterwards without being written again.",
     "%a at 0 and %b at 2048, both 4 KiB: load %a, load %b, add %a", "Give the tiles addresses that do not overlap while both are needed."},
};

}  // namespace

std::span<const Rule> synchronisation_rules() { return kRules; }

}  // namespace pto::legality
