// One fault, one finding: what follows from another finding is told as a note of it.
#include <algorithm>
#include <array>
#include <set>

#include "isa/row.hpp"
#include "isa/words.hpp"
#include "sim/check/checkers.hpp"

namespace pto::sim {
namespace {

bool speaks_of(const Diagnostic& finding, uint32_t op) {
  return finding.anchor.op == op ||
         std::ranges::any_of(finding.notes, [&](const Note& note) { return note.anchor.op == op; });
}

/// Both accesses of a race belong to the other finding.
bool same_accesses(const Diagnostic& race, const Diagnostic& other) {
  return !race.notes.empty() && speaks_of(other, race.anchor.op) &&
         speaks_of(other, race.notes.front().anchor.op);
}

bool has_operand(const OpView& op, ValueId value) {
  const size_t slots = isa::schema(op.op().row).operands.size();
  for (unsigned slot = 0; slot < slots; ++slot) {
    if (std::ranges::count(op.operands(slot), value) != 0) return true;
  }
  return false;
}

/// Whether an operation should have written what the finding speaks of; where it does not say what that is,
/// something of the operation that reads.
bool writes_operand_of(const Program& program, uint32_t index, const Diagnostic& finding) {
  if (index >= program.ops.size() || finding.anchor.op >= program.ops.size()) return false;
  const OpView op(program, index), reads(program, finding.anchor.op);
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    if (schema.operands[slot].role == isa::Role::in) continue;
    for (const ValueId value : op.operands(slot)) {
      if (finding.operand.empty() ? has_operand(reads, value)
                                  : isa::value_name(program, value) == finding.operand)
        return true;
    }
  }
  return false;
}

bool follows(const Program& program, const Diagnostic& finding, const Diagnostic& cause) {
  if (cause.severity != Severity::error) return false;
  // An instruction that comes before what it needs reads bytes that nobody has written yet, or a line of the
  // cache from before.
  if (cause.id == "RACE" && finding.id == "UNINIT") return finding.anchor.op == cause.anchor.op;
  if (cause.id == "RACE" && finding.id == "STALE") return same_accesses(cause, finding);
  // Nobody orders what should lie apart.
  if (cause.id == "OVERLAP" && finding.id == "RACE")
    return cause.notes.size() > 1 && same_accesses(finding, cause) &&
           speaks_of(finding, cause.notes[1].anchor.op);
  // What moves more than its buffer holds, or puts it on top of itself, touches what others use.
  if ((cause.id == "BOUNDS" || cause.id == "OPERAND") && (finding.id == "OVERLAP" || finding.id == "RACE"))
    return speaks_of(finding, cause.anchor.op);
  // What an instruction could not do is not there.
  constexpr std::array<std::string_view, 4> kFaults{"BOUNDS", "ALIGN", "DIV-ZERO", "UNSUPPORTED"};
  if (finding.id == "UNINIT" && std::ranges::find(kFaults, cause.id) != kFaults.end())
    return writes_operand_of(program, cause.anchor.op, finding);
  // A set that found its flag set is missing later.
  if (cause.id == "FLAG-DOUBLE" && finding.id == "DEADLOCK")
    return finding.anchor.op != cause.anchor.op && std::ranges::any_of(finding.notes, [&](const Note& note) {
             return note.anchor.op == cause.anchor.op && note.message.starts_with("this set was lost");
           });
  return false;
}

}  // namespace

Note consequence(const Diagnostic& finding) {
  Note note{"so " + finding.message, {}, finding.where, finding.anchor, finding.moment};
  if (finding.severity == Severity::error) note.consequence = finding.id;
  return note;
}

void add_with_consequences(const Program& program, std::vector<Diagnostic> found, Diagnostics& told) {
  std::stable_partition(found.begin(), found.end(), [](const Diagnostic& each) { return each.id == "RACE"; });
  std::vector<Diagnostic*> all;
  for (Diagnostic& each : told.all()) all.push_back(&each);
  for (Diagnostic& each : found) all.push_back(&each);
  const auto cause_of = [&](const Diagnostic* each) {
    const auto cause = std::ranges::find_if(
        all, [&](const Diagnostic* other) { return other != each && follows(program, *each, *other); });
    return cause == all.end() ? nullptr : *cause;
  };
  std::set<const Diagnostic*> notes;
  for (Diagnostic* each : all) {
    Diagnostic* cause = cause_of(each);
    if (cause == nullptr) continue;
    for (Diagnostic* before = cause_of(cause); before != nullptr; before = cause_of(cause)) cause = before;
    cause->notes.push_back(consequence(*each));
    notes.insert(each);
  }
  told.remove_if([&](const Diagnostic& each) { return notes.contains(&each); });
  for (Diagnostic& each : found) {
    if (!notes.contains(&each)) told.add(std::move(each));
  }
}

}  // namespace pto::sim
