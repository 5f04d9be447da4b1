// Candidate repairs: variants of the program with a single edit. An edit changes the pipes or the
// id of a set or wait, moves, adds or removes one, or replaces an operand or a constant. Advice
// that is derived from a finding alone fails if the wrong statement belongs to another dependence;
// a run of the edited program decides.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/regions.hpp"
#include "pto/diagnostic.hpp"
#include "pto/program.hpp"
#include "sim/loader/kernel_code.hpp"

namespace pto::sim {

/// An operation without results: of the program, or to be written into it.
struct Statement {
  RowId row = 0;
  std::vector<ValueId> operands;  ///< in slot encoding, see Op
  std::vector<Attr> attrs;

  Statement() = default;
  Statement(const Program& program, uint32_t op);
  /// Changes an attribute; writes it where it is not there.
  void put(std::string_view name, int64_t value);
  void drop(std::string_view name);
  [[nodiscard]] const AttrValue* attr(std::string_view name) const;
};

/// One operand of an operation.
struct OperandAt {
  unsigned slot = 0, index = 0;
  bool operator==(const OperandAt&) const = default;
};

struct Edit {
  enum class Kind : uint8_t { remove, write, add, move, exchange };
  Kind kind = Kind::remove;
  uint32_t op = kNoOp;     ///< of all but add: the statement that is there
  Statement statement;     ///< that is there then; of remove: that was
  uint32_t place = kNoOp;  ///< of add and move: the operation that it comes to stand beside
  bool behind = false;     ///< it, not before it
  // of exchange
  ValueId wrong = kNoValue, right = kNoValue;
  std::optional<int64_t> number;  ///< in the place of `right`: a constant
  std::optional<OperandAt> at;    ///< nothing: wherever the operation names `wrong`
};

struct Repair {
  std::vector<Edit> edits;
  /// What the cure before does, at a place that is nearer: of such ones the last that passes is taken.
  bool prefer_later_position = false;
  /// All operations that write what one of them should not: outputs are the same without one of them.
  std::vector<uint32_t> suspects = {};
  /// Cures with one such number say different things of one operand: where several pass, and outputs tell
  /// which one it was, nobody knows which was meant. 0: alone.
  uint32_t alternative_group = 0;
  /// What a program leaves that is cured: what it left before, when memories on the chip held zeros; other
  /// bytes than when every instruction waits for those before it, as flags would have it.
  enum class Outputs : uint8_t { any, as_before, other_than_in_order } outputs = Outputs::any;
};

/// Whether a finding is one of flags, signals and order.
bool is_of_order(const Diagnostic& finding);
/// Of these, what stops pipes, or would: sets and waits of flags do not go together.
bool is_of_flags(const Diagnostic& finding);
/// Between two cores, or sets and waits of signals do not go together.
bool is_of_cores(const Diagnostic& finding);

/// Whether it is an error that another operand, number or statement may mend.
bool is_repairable(const Diagnostic& finding);

bool is_out_of_bounds(const Diagnostic& finding);

/// So many cures of one kind are tried at most.
inline constexpr size_t kMaxRepairs = 500;

/// The program with a cure, and without it again.
class PatchedProgram {
 public:
  explicit PatchedProgram(const Program& original) : original_(original), program_(original) {}
  const Program& apply(const Repair& repair);

 private:
  const Program& original_;
  Program program_;
};

/// The program with a barrier of all pipes behind every instruction.
Program in_order(const Program& program);

/// What stands for nothing outside of vector functions.
RowId nothing();

/// What tells whether a cure is one: runs.
struct TrialBudget {
  std::function<bool(const Program&)> clean;      ///< whether a program has no finding
  std::function<size_t(const Program&)> outputs;  ///< a digest of what a program leaves
  std::function<size_t(const Program&)> meaning;  ///< the same, of two that may both have been meant
  size_t max_trials = 0;                          ///< so many cures are tried at most
};

/// Of these cures the first after which a program is clean.
const Repair* first_validated(const Program& program, const std::vector<Repair>& repairs,
                              const TrialBudget& trials);
/// Told in the help of all findings of order: each of them is what the flag or signal is wrong for.
void advise_each(const Program& program, const Repair& repair, Diagnostics& findings);
/// Told in the help of the first of the findings; the others become its notes.
void advise_first(const Program& program, const Repair& repair, Diagnostics& findings);

}  // namespace pto::sim
