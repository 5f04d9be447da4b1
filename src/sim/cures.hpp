// Synchronisation that is written otherwise: where sets and waits do not go together, or leave accesses in no
// order, one line or two may name the wrong pipes or the wrong id, stand at the wrong place or not at all.
// Advice on what is missing cannot see that when the name that was written belongs to another flag; what can
// is a run with the line changed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "isa/walk.hpp"
#include "pto/diagnostic.hpp"
#include "pto/program.hpp"
#include "sim/code.hpp"

namespace pto::sim {

/// A set or a wait, of a flag or of a signal: of the program, or to be written into it.
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

struct Edit {
  enum class Kind : uint8_t { remove, write, add, move };
  Kind kind = Kind::remove;
  uint32_t op = kNoOp;     ///< of all but add: the statement that is there
  Statement statement;     ///< that is there then; of remove: that was
  uint32_t place = kNoOp;  ///< of add and move: the operation that it comes to stand beside
  bool behind = false;     ///< it, not before it
};

struct Cure {
  std::vector<Edit> edits;
  /// What the cure before does, at a place that is nearer: of such ones the last that passes is taken.
  bool nearer = false;
};

/// Whether a finding is one of flags, signals and order.
bool is_of_order(const Diagnostic& finding);
/// Of these, what stops pipes, or would: sets and waits of flags do not go together.
bool is_of_flags(const Diagnostic& finding);
/// Between two cores, or sets and waits of signals do not go together.
bool is_of_cores(const Diagnostic& finding);

/// The program with a cure, and without it again.
class Changed {
 public:
  explicit Changed(const Program& original) : original_(original), program_(original) {}
  const Program& with(const Cure& cure);

 private:
  const Program& original_;
  Program program_;
};

/// What stands for nothing outside of vector functions.
RowId nothing();

/// Of these cures the first that leaves no finding of order, told in the help of the findings. `clean`:
/// whether a program has none; it is asked `most` times at most.
void advise_cure(const Program& program, Diagnostics& findings, const std::vector<Cure>& cures, size_t most,
                 const std::function<bool(const Program&)>& clean);

}  // namespace pto::sim
