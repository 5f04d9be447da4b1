// Flags, barriers, buffer tokens, cross-core events (E039x).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ir/pipe_rules.hpp"
#include "verify/named_operands.hpp"

namespace pto::legality {
namespace {

std::string_view pipe_name(int64_t value) { return isa::case_name(*isa::find_enum("pipe"), value); }
/// Pipes that execute instructions.
constexpr std::array<int64_t, 7> kWorking = {0, 1, 2, 3, 4, 5, 10};
bool working(int64_t pipe) {
  for (const int64_t known : kWorking) {
    if (known == pipe) return true;
  }
  return false;
}

void flag_pipe(Checker& check, const OpView& op, std::string_view attr) {
  const int64_t pipe = op.attr_int(attr);
  if (working(pipe)) return;
  std::string message =
      fmt::format("{} cannot be '{}' of {}: no instruction runs on it", pipe_name(pipe), attr, op.mnemonic());
  Fix help =
      Fix::use_one_of({"PIPE_S", "PIPE_V", "PIPE_M", "PIPE_MTE1", "PIPE_MTE2", "PIPE_MTE3", "PIPE_FIX"});
  // The public assembler encodes every pipe number where the flag's number is a value.
  if (op.mnemonic().ends_with("_dyn"))
    check.warn(W0440, op, Anchor::Part::attribute, attr_index(op, attr), std::move(message), std::move(help));
  else
    check.fail(E0391, op, Anchor::Part::attribute, attr_index(op, attr), std::move(message), std::move(help));
}

void pipe_pair(Checker& check, const OpView& op, std::string_view) {
  flag_pipe(check, op, "src_pipe");
  flag_pipe(check, op, "dst_pipe");
  if (op.attr_int("src_pipe") != op.attr_int("dst_pipe")) return;
  check.fail(E0392, op, Anchor::Part::attribute, attr_index(op, "dst_pipe"),
             fmt::format("{} orders {} against itself; a pipe runs in order", op.mnemonic(),
                         pipe_name(op.attr_int("src_pipe"))),
             Fix::use("pto.barrier", ", or drop the flag"));
}

void barrier_pipe(Checker& check, const OpView& op, std::string_view) {
  const int64_t pipe = op.attr_int("pipe");
  if (pipe == static_cast<int64_t>(Pipe::all) || working(pipe)) return;
  check.fail(E0391, op, Anchor::Part::attribute, 0,
             fmt::format("{} cannot stop {}: no instruction runs on it", op.mnemonic(), pipe_name(pipe)),
             Fix::use("PIPE_ALL", " or a working pipe"));
}

void buf_id(Checker& check, const OpView& op, std::string_view) {
  attr_in_range(check, op, "buf_id", 0, 31, "choose another id");
  attr_in_range(check, op, "mode", 0, 1, "choose another id");
  if (working(op.attr_int("op_type"))) return;
  check.fail(
      E0391, op, Anchor::Part::attribute, 0,
      fmt::format("{} needs one working pipe, not {}", op.mnemonic(), pipe_name(op.attr_int("op_type"))),
      "name the pipe that uses the buffer");
}

/// A2/A3: ids 0 to 15. A5: ids 16 to 31 address the second vector core.
void cross_core(Checker& check, const OpView& op, std::string_view) {
  const bool dynamic = op.operand(0) != kNoValue;
  const bool fixed = op.attr("event_id") != nullptr;
  if (dynamic == fixed) {
    check.fail(E0393, op,
               fmt::format("{} takes one event id, {} given", op.mnemonic(), dynamic ? "two" : "none"),
               Fix::write("pto.sync.set <PIPE_FIX>, 3"));
    return;
  }
  const bool a5 = check.target() == Target::a5;
  // Programs that name no target may be meant for a5.
  const isa::OpcodeClass opcode_class = isa::opcode_class(op);
  const bool crosses =
      opcode_class == isa::OpcodeClass::cross_set || opcode_class == isa::OpcodeClass::cross_wait;
  attr_in_range(check, op, "event_id", 0, !crosses && (a5 || !check.program().target_stated) ? 31 : 15,
                "choose another id");
  attr_in_range(check, op, "ffts_mode", 0, crosses ? 0 : 2, "choose another id");
  const bool by_core =
      opcode_class == isa::OpcodeClass::intra_set || opcode_class == isa::OpcodeClass::intra_wait;
  if (a5 && !crosses && !by_core && fixed && op.attr_int("event_id") > 15)
    check.warn(W0394, op, Anchor::Part::attribute, attr_index(op, "event_id"),
               fmt::format("{} with id {}: the public assembler has ids up to 15 here since August",
                           op.mnemonic(), op.attr_int("event_id")),
               "for the second vector core write pto.set_intra_block or pto.wait_intra_block");
}

void pipes(Checker& check, const OpView& op, std::string_view where) {
  const auto pipe = static_cast<Pipe>(op.attr_int("pipe"));
  const auto& allowed = isa::kSignalPipes;
  if (std::find(allowed.begin(), allowed.end(), pipe) != allowed.end()) return;
  std::string names;
  for (const Pipe each : allowed)
    names += fmt::format("{}{}",
                         names.empty()            ? ""
                         : each == allowed.back() ? " or "
                                                  : ", ",
                         to_string(each));
  check.fail(E0393, op, Anchor::Part::attribute, 0,
             fmt::format("{} on {} is not possible{}", op.mnemonic(), pipe_name(op.attr_int("pipe")), where),
             "use " + names);
}
/// A5: every pipe that moves data can signal and wait.
void signal_pipes(Checker& check, const OpView& op, std::string_view) {
  if (check.target() == Target::a5) pipes(check, op, " on a5");
}
void named_pipes(Checker& check, const OpView& op, std::string_view) { pipes(check, op, ""); }

/// Words that the cores count in, which a hardware meeting does not have.
void sync_all(Checker& check, const OpView& op, std::string_view) {
  constexpr int64_t kSoft = 1, kWords = 16;
  const ValueId workspace = op.operand(0);
  const auto fail = [&](std::string message, Fix help) {
    check.fail(E0395, op, std::move(message), std::move(help));
  };
  if (op.attr_int("mode") != kSoft) {
    if (workspace != kNoValue || op.operand(1) != kNoValue)
      fail(fmt::format("{} with mode hard takes no operands", op.mnemonic()), "write mode soft, or () alone");
    return;
  }
  if (workspace == kNoValue)
    return fail(fmt::format("{} with mode soft needs words in GM to count in", op.mnemonic()),
                "name 16 words of i32 that are 0 at first");
  const Type& type = op.type(0);
  if (check.written_type(workspace).kind == TypeKind::memref)
    return fail(fmt::format("{} counts behind a pointer or a view, not in a memref", op.mnemonic()),
                "make it a view or pointer of i32");
  if (type.kind == TypeKind::ptr && type.space != Space::gm && type.space != Space::none)
    fail(fmt::format("{} counts in GM, not in {}", op.mnemonic(), to_string(type.space)), "name words in GM");
  if (byte_width(type.elem) != sizeof(int32_t) || is_float(type.elem))
    fail(fmt::format("{} counts in i32, not in {}", op.mnemonic(), to_string(type.elem)),
         "make it a view or pointer of i32");
  int64_t words = type.is_view() ? 1 : kWords;
  for (unsigned i = 0; type.is_view() && i < type.rank; ++i) {
    const int64_t size = type.dims[i];
    if (size == kDynamic) return;
    if (size <= 0)
      return fail(fmt::format("the workspace of {} has no elements", op.mnemonic()), "give it 16 words");
    words = std::min(words, kWords) * std::min(size, kWords);
  }
  if (words < kWords)
    fail(fmt::format("the workspace of {} has {} words; it needs a cache line, {} words", op.mnemonic(),
                     words, kWords),
         "give it 16 words");
}

constexpr Rule kSyncRules[] = {
    {.id = E0391,
     .title = "pipe",
     .cause = "No instruction runs on the named pipe.",
     .example = "pto.set_flag[<PIPE_MTE4>, <PIPE_V>, <EVENT_ID0>]",
     .fix = "Name a pipe that works."},
    {.id = E0392,
     .title = "flag within a pipe",
     .cause = "A flag orders two different pipes; one pipe runs in order by itself.",
     .example = "pto.set_flag[<PIPE_V>, <PIPE_V>, <EVENT_ID0>]",
     .fix = "Drop it, or use pto.barrier."},
    {.id = E0393,
     .title = "cross-core event",
     .cause = "The event id is missing or given twice, or the pipe cannot signal other cores.",
     .example = "pto.sync.set <PIPE_V>, 3 on a5",
     .fix = "Use a pipe the message lists and one id."},
    {.id = E0394,
     .title = "id out of range",
     .cause = "An event id, buffer id or mode is out of range.",
     .example = "pto.get_buf \"PIPE_V\", 32",
     .fix = "Use a value that the message allows."},
    {.id = W0394,
     .title = "id of the second vector core",
     .cause = "On a5 ids 16 to 31 name the second vector core. pto.sync.set and pto.sync.wait had them in "
              "June; the "
              "public assembler of August refuses them there.",
     .example = "pto.sync.set <PIPE_FIX>, 17 on a5",
     .fix = "Write pto.set_intra_block or pto.wait_intra_block."},
    {.id = E0395,
     .title = "meeting of cores",
     .cause = "A hardware meeting takes no operands; one in software counts in at least 16 words of i32 in "
              "GM.",
     .example = "pto.syncall() mode = #pto.sync_all_mode<soft>, core_type = #pto.sync_core_type<mix>",
     .fix = "Give it the operands that its mode has."},
    {.id = W0440,
     .title = "idle pipe",
     .cause = "A flag with a computed id names a pipe on which no instruction runs. The public assembler "
              "takes it.",
     .example = "pto.wait_flag_dyn [<PIPE_MTE3>, <PIPE_MTE4>, %id]",
     .fix = "Name the pipe that the ordered instruction runs on."},
};

constexpr OpRule kSyncChecks[] = {
    {.name = "pipe_pair",
     .check = pipe_pair,
     .ids = {E0391, E0392, W0440},
     .words = "the flag orders two different pipes that work"},
    {.name = "barrier_pipe", .check = barrier_pipe, .ids = {E0391}, .words = "instructions run on the pipe"},
    {.name = "buf_id",
     .check = buf_id,
     .ids = {E0391, E0394},
     .words = "one working pipe; id and mode are in range"},
    {.name = "cross_core",
     .check = cross_core,
     .ids = {E0393, E0394, W0394},
     .words = "one event id in range"},
    {.name = "signal_pipes",
     .check = signal_pipes,
     .ids = {E0393},
     .words = "on a5 the pipe is FIX, MTE1, MTE2, MTE3 or V"},
    {.name = "named_pipes",
     .check = named_pipes,
     .ids = {E0393},
     .words = "the pipe is FIX, MTE1, MTE2, MTE3 or V"},
    {.name = "sync_all",
     .check = sync_all,
     .ids = {E0395},
     .words = "hard: no operands; soft: 16 words of i32 in GM"},
};

}  // namespace

RuleFamily sync_rules() { return {.rules = kSyncRules, .checks = kSyncChecks}; }

}  // namespace pto::legality
