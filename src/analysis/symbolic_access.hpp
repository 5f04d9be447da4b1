// Symbolic memory accesses: the GM bytes that each statement of a kernel accesses, as polynomials
// over parameters, loop counters and block indices. One abstract interpretation of the text covers
// all iterations, blocks and parameter values.
//
// Example: every block stores pairs of rows of 64 f32 elements, 4 KiB apart.
//
//     func @rows(%o: ptr<f32>, %n: index)
//       %b = get_block_idx
//       for %i = 0 to %n step 1
//         %row = %b * 16 + %i
//         %to = addptr %o, %row * 64
//         mte_ub_gm %u, %to, 256 nburst(2, 256, 4096)
//
// The symbols are n (a parameter), b (the block) and t (the trip of the loop: iterations before
// this one). The counter %i is the polynomial 0 + 1 * t. The store has one SymbolicAccess:
//
//     loops       {for}           counters  {t}
//     conditions  n - 1 - t >= 0, t >= 0
//     region      argument 0
//                 base   4096*b + 256*t      bytes from the begin of %o
//                 dims   {offset 0, size 2, step 4096}
//                 width  256
//
// The region is the set of bytes base + 4096*k + w with 0 <= k < 2 and 0 <= w < 256. To decide
// whether two executions of the store can access the same byte, the symbols that differ between
// them are primed (`SymbolTable::prime`): t' for another iteration, b' and t' for another block.
// Equal bytes are one equation between polynomials:
//
//     4096*b + 256*t + 4096*k + w = 4096*b' + 256*t' + 4096*k' + w'
//
// Together with the conditions and the bounds of k and w it goes to `is_infeasible`. For two
// iterations of one block (b' = b) with t' > t and n <= 16, the difference 256*(t' - t) is between
// 256 and 3840; 4096*(k - k') + w - w' cannot have such a value: no conflict. For b' = b + 1 the
// values k = 1, k' = 0, t = t', w = w' are a solution: the second row of a block is the first row
// of the next block, so the two stores need an order.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "analysis/launch_groups.hpp"
#include "analysis/structured_walk.hpp"
#include "analysis/symbols.hpp"

namespace pto {
struct Claims;  ///< what a test asks
}

namespace pto::driver {

/// Some of an argument's bytes: all `base` + sum of (offset + n) * step, n below size, and `width` behind.
struct SymbolicRegion {
  static constexpr uint32_t kNoArgument = ~0u;
  struct Dim {
    Polynomial offset, size;          ///< in steps
    Polynomial step;                  ///< in bytes
    std::optional<Polynomial> limit;  ///< steps that there are, where a view says so
  };
  uint32_t argument = kNoArgument;
  bool known = false;  ///< false: may be all of them
  Polynomial base, width = 1;
  std::vector<Dim> dims;
};

inline bool is_number(const Type& type) { return type.kind == TypeKind::scalar && !is_float(type.elem); }

/// A load or store of several elements at once.
bool is_vector_access(const OpView& op);

/// What one statement looks at.
struct SymbolicAccess {
  uint32_t op = 0;
  SymbolicRegion region;
  bool is_transfer = false;            ///< it is there to move bytes, of which there may be none
  bool may_write = false;              ///< it may change them
  std::vector<uint32_t> loops;         ///< around it, outermost first
  std::vector<Polynomial> counters;    ///< of the loops
  std::vector<Polynomial> conditions;  ///< are 0 or more where it runs
};

/// What is known of a value.
struct SymbolicValue {
  std::optional<Polynomial> number;
  std::vector<Polynomial> yes, no;  ///< of a condition: are 0 or more where it holds, and where not
  SymbolicRegion region;
  int64_t element = 0;  ///< bytes; of places
};

class SymbolicAccesses : private StructuredWalk<SymbolicValue> {
 public:
  /// `written`: arguments that the kernel itself writes.
  SymbolicAccesses(const Program& program, const Functions& functions, const LaunchedFunctions& launch,
                   std::set<uint32_t> written);

  /// By statement.
  [[nodiscard]] const std::map<uint32_t, std::vector<SymbolicAccess>>& accesses() const { return accesses_; }
  /// Arguments that statements may change.
  [[nodiscard]] std::set<uint32_t> written_arguments() const {
    std::set<uint32_t> found;
    for (const auto& [op, accesses] : accesses_) {
      for (const SymbolicAccess& access : accesses) {
        if (access.may_write) found.insert(access.region.argument);
      }
    }
    return found;
  }
  [[nodiscard]] SymbolTable& symbols() { return symbols_; }
  /// The walk gave up.
  [[nodiscard]] bool overrun() const { return has_given_up(); }

 private:
  friend struct pto::Claims;
  static constexpr uint64_t kMaxSteps = 400'000;

  void loop(const OpView& op) override;
  void branch(const OpView& op) override;
  void while_loop(const OpView& op) override;
  void call(const OpView& op) override { call_with(op, 0); }
  void transfer(const OpView& op) override;
  AbstractValue yielded(ValueId value) override;
  void number(const OpView& op);
  void condition(const OpView& op);
  void assume(ValueId condition, bool holds);
  /// The arguments are the operands in this slot.
  void call_with(const OpView& op, unsigned slot);
  void launch(const OpView& op);
  void make_view(const OpView& op);
  void partition(const OpView& op);
  void load(const OpView& op);
  void record_access(const OpView& op);
  [[nodiscard]] std::optional<SymbolicRegion> bursts(const OpView& op, unsigned slot) const;
  /// What is carried from one iteration to the next, with what is added to it each time.
  void bind_loop_carried(const OpView& op, const Region& body, uint32_t first,
                         std::span<const ValueId> begins, const Region& from, const Polynomial& trip);
  AbstractValue join(const AbstractValue& a, const AbstractValue& b, ValueId value);
  AbstractValue initial_value(ValueId value, uint32_t parameter);
  Polynomial make_unknown(ValueId value, std::vector<Polynomial> of = {});
  [[nodiscard]] std::optional<Polynomial> threads_along(const OpView& op) const;
  std::optional<Symbol::Kind> chosen_extreme(ValueId condition, const Polynomial& yes, const Polynomial& no);
  Polynomial normalised(Polynomial poly);
  void normalise(SymbolicRegion& place);
  Polynomial quotient(const Polynomial& a, const Polynomial& b);
  Polynomial number_of(ValueId value);
  void set_number(ValueId value, Polynomial number);

  Constants constants_;
  std::set<uint32_t> written_;
  SymbolTable symbols_;
  std::vector<uint32_t> loops_;
  std::vector<Polynomial> counters_;
  std::vector<Polynomial> conditions_;
  std::array<std::optional<Polynomial>, 3> threads_;  ///< that run what is looked at, along x, y and z
  std::map<uint32_t, std::vector<SymbolicAccess>> accesses_;
  std::vector<std::pair<Polynomial, Polynomial>>
      unsigned_;  ///< numbers read as such without sign, and what they were
  std::string context_;
  int muted_ = 0;  ///< nothing is noted: a body is looked at for what it hands on
};

}  // namespace pto::driver
