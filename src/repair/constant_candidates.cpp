#include "repair/constant_candidates.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/constant_folding.hpp"
#include "check/storage_roots.hpp"
#include "ir/value_names.hpp"
#include "isa/row.hpp"
#include "sim/findings/insertion_points.hpp"
#include "support/saturating.hpp"

namespace pto::sim {
namespace {

using isa::OpcodeClass;

/// An operand that may be the wrong one.
struct Suspect {
  uint32_t op = 0;
  OperandAt at;
  ValueId value = kNoValue;
  bool outside = false;  ///< the finding is of bytes beyond a buffer, not of missing ones
};

/// How likely a cure is; the first is the likeliest.
enum class Rank : uint8_t { made_of, elsewhere, inside, slip };

bool makes_place(OpcodeClass opcode_class) {
  switch (opcode_class) {
    case OpcodeClass::make_view:
    case OpcodeClass::partition:
    case OpcodeClass::subview:
    case OpcodeClass::add_ptr:
    case OpcodeClass::cast_ptr:
    case OpcodeClass::rename:
    case OpcodeClass::reshape:
      return true;
    default:
      return false;
  }
}

class ConstantCandidates {
 public:
  ConstantCandidates(const Program& program, const std::function<bool(const Program&)>& inside)
      : program_(program), places_(program), constants_(program), roots_(program), inside_(inside) {}

  std::vector<Repair> all(const Diagnostics& findings) {
    for (const Diagnostic& each : findings.all()) {
      if (is_repairable(each) && each.anchor.op < program_.ops.size()) suspects_of(each);
    }
    for (const Suspect& each : suspects_) {
      ++choice_;
      made_of(each);
      elsewhere(each);
      const Number number = constants_.value_of(each.value);
      if (!number) continue;
      if (each.outside) greatest_inside(each, *number);
      slips(each, *number);
    }
    std::ranges::stable_sort(ranked_, {}, &std::pair<Rank, Repair>::first);
    std::vector<Repair> repairs;
    for (auto& [rank, repair] : ranked_) repairs.push_back(std::move(repair));
    return repairs;
  }

 private:
  // ---- operands that may be wrong

  void suspects_of(const Diagnostic& finding) {
    const uint32_t op = finding.anchor.op;
    if (finding.id == FindingId::bounds || finding.id == FindingId::operand) {
      look_at(op, true);
    } else if (finding.id == FindingId::uninit || finding.id == FindingId::overlap ||
               finding.id == FindingId::stale) {
      const std::vector<uint32_t> writers = writers_of(op, finding.operand);
      // What nobody writes lacks a statement; a smaller number would only hide that.
      if (finding.id == FindingId::uninit && writers.empty()) return;
      for (const uint32_t writer : writers) look_at(writer, false);
      look_at(op, false);
    } else if (is_of_cores(finding) && meets_others(op)) {
      loops_around(op, false);
      for (const Note& note : finding.notes) {
        if (note.anchor.op < program_.ops.size()) loops_around(note.anchor.op, false);
      }
    }
  }

  /// A wait for another core, not for a flag.
  [[nodiscard]] bool meets_others(uint32_t op) const {
    const OpcodeClass opcode_class = isa::row(program_.ops[op].row).opcode_class;
    return !isa::is_synchronisation(opcode_class) || opcode_class == OpcodeClass::sync_set ||
           opcode_class == OpcodeClass::sync_wait || opcode_class == OpcodeClass::intra_set ||
           opcode_class == OpcodeClass::intra_wait || opcode_class == OpcodeClass::cross_set ||
           opcode_class == OpcodeClass::cross_wait;
  }

  /// An operation, what makes the places it works on, and the loops around it.
  void look_at(uint32_t op, bool outside) {
    std::vector<uint32_t> todo{op};
    for (size_t i = 0; i < todo.size(); ++i) {
      operands_of(todo[i], outside);
      each_operand(todo[i], [&](const OperandAt&, ValueId value) {
        const uint32_t defining_op = constants_.defining_op(value);
        if (defining_op != kNoOp && makes_place(isa::opcode_class(OpView(program_, defining_op))) &&
            std::ranges::count(todo, defining_op) == 0)
          todo.push_back(defining_op);
      });
    }
    for (const uint32_t each : todo) loops_around(each, outside);
  }

  void loops_around(uint32_t op, bool outside) {
    for (op = places_.tree().parent(op); op != kNoOp; op = places_.tree().parent(op)) {
      if (isa::row(program_.ops[op].row).opcode_class == OpcodeClass::loop) operands_of(op, outside);
    }
  }

  void operands_of(uint32_t op, bool outside) {
    if (!seen_.insert(op).second) return;
    const OpcodeClass opcode_class = isa::row(program_.ops[op].row).opcode_class;
    each_operand(op, [&](const OperandAt& at, ValueId value) {
      if (says_what_is_there(opcode_class, at) || !is_number(value)) return;
      suspects_.push_back({op, at, value, outside});
    });
  }

  /// The shape of a buffer is the caller's; that of a window stands in its type as well. Another address may
  /// be anything's.
  [[nodiscard]] static bool says_what_is_there(OpcodeClass opcode_class, const OperandAt& at) {
    constexpr unsigned kOffsets = 1;
    return opcode_class == OpcodeClass::make_view || opcode_class == OpcodeClass::cast_ptr ||
           (opcode_class == OpcodeClass::partition && at.slot != kOffsets);
  }

  /// Operations of the function that write the buffer which an operation reads by this name.
  [[nodiscard]] std::vector<uint32_t> writers_of(uint32_t reader, std::string_view name) const {
    ValueId buffer = kNoValue;
    each_operand(reader, [&](const OperandAt&, ValueId value) {
      if (isa::value_name(program_, value) == name) buffer = value;
    });
    std::vector<uint32_t> found;
    const uint32_t function = function_of(reader);
    if (buffer == kNoValue || function == kNoOp) return found;
    for (const uint32_t op : inside_of(function)) {
      const isa::Schema& schema = isa::schema(program_.ops[op].row);
      each_operand(op, [&](const OperandAt& at, ValueId value) {
        if (op != reader && schema.operands[at.slot].role != isa::Role::in && same_place(value, buffer))
          found.push_back(op);
      });
    }
    return found;
  }

  [[nodiscard]] bool same_place(ValueId one, ValueId other) const {
    return one == other || (roots_.root_of(one) != kNoValue && roots_.root_of(one) == roots_.root_of(other));
  }

  // ---- what may stand in their place

  void exchange(Rank rank, const Suspect& suspect, ValueId right) {
    if (right == suspect.value || program_.values[right].type != program_.values[suspect.value].type ||
        !places_.reaches(right, suspect.op))
      return;
    if (!tried_.emplace(suspect.op, suspect.at.slot, suspect.at.index, right, false).second) return;
    put(rank, {{{.kind = Edit::Kind::exchange,
                 .op = suspect.op,
                 .wrong = suspect.value,
                 .right = right,
                 .at = suspect.at}}});
  }

  [[nodiscard]] static Repair with_number(const Suspect& suspect, int64_t number) {
    return {{{.kind = Edit::Kind::exchange,
              .op = suspect.op,
              .wrong = suspect.value,
              .number = number,
              .at = suspect.at}}};
  }
  void write(Rank rank, const Suspect& suspect, int64_t number) {
    if (tried_.emplace(suspect.op, suspect.at.slot, suspect.at.index, number, true).second)
      put(rank, with_number(suspect, number));
  }
  void put(Rank rank, Repair repair) {
    if (rank == Rank::elsewhere || rank == Rank::inside) repair.alternative_group = choice_;
    ranked_.emplace_back(rank, std::move(repair));
  }

  /// `%n` for `%n + 1`.
  void made_of(const Suspect& suspect) {
    const uint32_t defining_op = constants_.defining_op(suspect.value);
    if (defining_op == kNoOp || constants_.value_of(suspect.value)) return;
    const OpcodeClass opcode_class = isa::row(program_.ops[defining_op].row).opcode_class;
    if (opcode_class != OpcodeClass::add && opcode_class != OpcodeClass::sub) return;
    bool step = false;
    each_operand(defining_op,
                 [&](const OperandAt&, ValueId value) { step |= constants_.value_of(value).has_value(); });
    if (!step) return;
    each_operand(defining_op, [&](const OperandAt&, ValueId value) {
      if (!constants_.value_of(value)) exchange(Rank::made_of, suspect, value);
    });
  }

  /// What the operand of this name is in other operations, those first that are nearest.
  void elsewhere(const Suspect& suspect) {
    const uint32_t function = function_of(suspect.op);
    if (function == kNoOp) return;
    const auto name = [&](uint32_t op, unsigned slot) {
      return isa::schema(program_.ops[op].row).operands[slot].name;
    };
    const std::string_view wanted = name(suspect.op, suspect.at.slot);
    std::vector<std::pair<uint32_t, ValueId>> found;
    for (const uint32_t op : inside_of(function)) {
      if (op == suspect.op) continue;
      each_operand(op, [&](const OperandAt& at, ValueId value) {
        if (at.index == suspect.at.index && is_number(value) && name(op, at.slot) == wanted)
          found.emplace_back(op < suspect.op ? suspect.op - op : op - suspect.op, value);
      });
    }
    std::ranges::stable_sort(found, {}, &std::pair<uint32_t, ValueId>::first);
    constexpr size_t kMax = 4;
    std::vector<ValueId> reported;
    for (const auto& [distance, value] : found) {
      if (reported.size() == kMax) break;
      if (std::ranges::count(reported, value) != 0 ||
          constants_.value_of(value) == constants_.value_of(suspect.value))
        continue;
      reported.push_back(value);
      exchange(Rank::elsewhere, suspect, value);
    }
  }

  void greatest_inside(const Suspect& suspect, int64_t number) {
    PatchedProgram changed(program_);
    const auto fits = [&](int64_t each) { return inside_(changed.apply(with_number(suspect, each))); };
    int64_t low = least(suspect), high = number;
    if (high <= low) {
      if (number < low && fits(low)) write(Rank::inside, suspect, low);
      return;
    }
    if (!fits(low)) return;
    while (high - low > 1) {
      const int64_t middle = low + (high - low) / 2;
      (fits(middle) ? low : high) = middle;
    }
    write(Rank::inside, suspect, low);
  }

  void slips(const Suspect& suspect, int64_t number) {
    constexpr int64_t kBlock = 32;
    std::vector<int64_t> others;
    if (isa::row(program_.ops[suspect.op].row).opcode_class == OpcodeClass::loop) {
      constexpr unsigned kStep = 2;
      const int64_t step = constants_.value_of(OpView(program_, suspect.op).operand(kStep)).value_or(1);
      if (suspect.at.slot < kStep)
        others = {sat_add(number, sat_mul<int64_t>(step, -1)), sat_add(number, step)};
    } else if (number != 0) {  // which is what nobody would have to count
      others = {
          sat_add<int64_t>(number, -1), sat_add<int64_t>(number, 1), number % 2 == 0 ? number / 2 : number,
          sat_mul<int64_t>(number, 2),  sat_add(number, -kBlock),    sat_add(number, kBlock)};
    }
    for (const int64_t each : others) {
      if (each != number && each >= least(suspect)) write(Rank::slip, suspect, each);
    }
  }

  /// A window may begin at 0; nothing is moved 0 times.
  [[nodiscard]] int64_t least(const Suspect& suspect) const {
    const std::string_view name = isa::schema(program_.ops[suspect.op].row).operands[suspect.at.slot].name;
    return name.starts_with("offset") || name == "lowerBound" ? 0 : 1;
  }

  // ---- what there is

  template <typename Visit>
  void each_operand(uint32_t index, Visit visit) const {
    const OpView op(program_, index);
    for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
      const auto values = op.operands(slot);
      for (unsigned i = 0; i < values.size(); ++i) {
        if (values[i] != kNoValue) visit(OperandAt{slot, i}, values[i]);
      }
    }
  }
  [[nodiscard]] bool is_number(ValueId value) const {
    const Type& type = program_.type_of(value);
    return type.kind == TypeKind::scalar && !is_float(type.elem) && type.elem != Elem::i1;
  }
  [[nodiscard]] uint32_t function_of(uint32_t op) const {
    for (op = places_.tree().parent(op); op != kNoOp; op = places_.tree().parent(op)) {
      if (isa::row(program_.ops[op].row).opcode_class == OpcodeClass::function) return op;
    }
    return kNoOp;
  }
  [[nodiscard]] Descendants inside_of(uint32_t function) const {
    return pto::descendants(program_, function);
  }

  const Program& program_;
  const InsertionPoints places_;
  const Constants constants_;
  const StorageRoots roots_;
  const std::function<bool(const Program&)>& inside_;
  std::set<uint32_t> seen_;
  std::vector<Suspect> suspects_;
  std::set<std::tuple<uint32_t, unsigned, unsigned, int64_t, bool>> tried_;
  std::vector<std::pair<Rank, Repair>> ranked_;
  uint32_t choice_ = 0;  ///< of what is said of one suspect
};

}  // namespace

std::vector<Repair> constant_candidates(const Program& program, const Diagnostics& findings,
                                        const std::function<bool(const Program&)>& inside) {
  return ConstantCandidates(program, inside).all(findings);
}

}  // namespace pto::sim
