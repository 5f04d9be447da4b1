// One fault, one finding: what follows from another finding is told as a note of it.
#include <algorithm>
#include <set>
#include <unordered_map>
#include <vector>

#include "check/checkers.hpp"
#include "ir/value_names.hpp"
#include "isa/row.hpp"

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

bool is_caused_by(const Program& program, const Diagnostic& finding, const Diagnostic& cause) {
  if (cause.severity != Severity::error) return false;
  // An instruction that comes before what it needs reads bytes that nobody has written yet, or a line of the
  // cache from before.
  if (cause.id == FindingId::race && finding.id == FindingId::uninit)
    return finding.anchor.op == cause.anchor.op;
  if (cause.id == FindingId::race && finding.id == FindingId::stale) return same_accesses(cause, finding);
  // Nobody orders what should lie apart.
  if (cause.id == FindingId::overlap && finding.id == FindingId::race)
    return cause.notes.size() > 1 && same_accesses(finding, cause) &&
           speaks_of(finding, cause.notes[1].anchor.op);
  // What moves more than its buffer holds, or puts it on top of itself, touches what others use.
  if ((cause.id == FindingId::bounds || cause.id == FindingId::operand) &&
      (finding.id == FindingId::overlap || finding.id == FindingId::race))
    return speaks_of(finding, cause.anchor.op);
  if (finding.id == FindingId::uninit && has_trait(cause.id, kLeavesUnwritten))
    return writes_operand_of(program, cause.anchor.op, finding);
  // A set that found its flag set is missing later.
  if (cause.id == FindingId::flag_double && finding.id == FindingId::deadlock)
    return finding.anchor.op != cause.anchor.op && std::ranges::any_of(finding.notes, [&](const Note& note) {
             return note.anchor.op == cause.anchor.op && note.kind == NoteKind::lost_set;
           });
  return false;
}

/// Findings that may be the cause of one: they speak of an operation that it speaks of, or leave unwritten
/// what it reads. There may be many findings, and few that have to do with each other.
class RootCauses {
 public:
  RootCauses(const Program& program, const std::vector<Diagnostic*>& all) : program_(program), all_(all) {
    for (uint32_t i = 0; i < all.size(); ++i) {
      places_.emplace(all[i], i);
      if (all[i]->severity != Severity::error) continue;
      for_each_op(*all[i], [&](uint32_t op) { by_op_[op].push_back(i); });
      if (has_trait(all[i]->id, kLeavesUnwritten)) faults_.push_back(i);
    }
  }

  /// A finding speaks of what followed from it, too.
  void add(const Diagnostic& finding, const Note& note) {
    if (known(note.anchor.op)) by_op_[note.anchor.op].push_back(places_.at(&finding));
  }

  /// The first one; null when there is none.
  [[nodiscard]] Diagnostic* cause_of(const Diagnostic& finding) const {
    auto first = static_cast<uint32_t>(all_.size());
    const auto look = [&](const std::vector<uint32_t>& candidates) {
      for (const uint32_t i : candidates) {
        if (i < first && all_[i] != &finding && is_caused_by(program_, finding, *all_[i])) first = i;
      }
    };
    for_each_op(finding, [&](uint32_t op) {
      if (const auto found = by_op_.find(op); found != by_op_.end()) look(found->second);
    });
    if (finding.id == FindingId::uninit) look(faults_);
    return first < all_.size() ? all_[first] : nullptr;
  }

 private:
  [[nodiscard]] bool known(uint32_t op) const { return op != 0 && op < program_.ops.size(); }
  template <typename Visit>
  void for_each_op(const Diagnostic& finding, Visit visit) const {
    if (known(finding.anchor.op)) visit(finding.anchor.op);
    for (const Note& note : finding.notes) {
      if (known(note.anchor.op)) visit(note.anchor.op);
    }
  }

  const Program& program_;
  const std::vector<Diagnostic*>& all_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> by_op_;
  std::unordered_map<const Diagnostic*, uint32_t> places_;
  std::vector<uint32_t> faults_;
};

}  // namespace

Note derived_note(const Diagnostic& finding) {
  Note note{"so " + full_message(finding), {}, finding.where, finding.anchor, finding.moment};
  if (finding.severity == Severity::error) note.consequence = finding.id;
  return note;
}

void add_with_consequences(const Program& program, std::vector<Diagnostic> found, Diagnostics& reported) {
  std::stable_partition(found.begin(), found.end(),
                        [](const Diagnostic& each) { return each.id == FindingId::race; });
  std::vector<Diagnostic*> all;
  for (Diagnostic& each : reported.all()) all.push_back(&each);
  for (Diagnostic& each : found) all.push_back(&each);
  RootCauses causes(program, all);
  std::set<const Diagnostic*> notes;
  for (Diagnostic* each : all) {
    Diagnostic* cause = causes.cause_of(*each);
    if (cause == nullptr) continue;
    for (Diagnostic* before = causes.cause_of(*cause); before != nullptr; before = causes.cause_of(*cause))
      cause = before;
    cause->notes.push_back(derived_note(*each));
    causes.add(*cause, cause->notes.back());
    notes.insert(each);
  }
  reported.remove_if([&](const Diagnostic& each) { return notes.contains(&each); });
  for (Diagnostic& each : found) {
    if (!notes.contains(&each)) reported.add(std::move(each));
  }
}

}  // namespace pto::sim
