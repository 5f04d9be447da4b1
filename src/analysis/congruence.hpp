// Where in its buffer a view of GM begins, as far as that holds in every turn of every loop: a number modulo
// another. A number that leaves its type wraps, and is known modulo what the type can hold, too. So windows
// that never meet are told apart, whatever block and turn they belong to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "analysis/equal_values.hpp"
#include "analysis/integer_interval.hpp"

namespace pto::planner {

/// All numbers at + n * step; with a step of 0 the number itself, with 1 nothing is known.
struct Congruence {
  int64_t at = 0;
  uint64_t step = 1;
  bool operator==(const Congruence&) const = default;
};

struct Window {
  ValueId buffer = kNoValue;  ///< the pointer that it begins from
  Congruence begin;           ///< in bytes
  uint64_t bytes = 0;         ///< to its last byte
  bool operator==(const Window&) const = default;
};

class GmWindowAnalysis {
 public:
  GmWindowAnalysis(const Program& program, const Constants& constants, SameValues same = {});
  /// Of a view or a part of one; nothing where its extents are not numbers.
  [[nodiscard]] std::optional<Window> window_of(ValueId view);

 private:
  [[nodiscard]] Congruence congruence(ValueId value, unsigned depth = 0);
  [[nodiscard]] Congruence compute(ValueId value, unsigned depth);
  [[nodiscard]] Congruence branch_window(const OpView& branch, ValueId result, unsigned depth);
  [[nodiscard]] Congruence select_window(const OpView& select, unsigned depth);
  [[nodiscard]] std::optional<Window> pointer(ValueId value);

  const Program& program_;
  const Constants& constants_;
  const IntervalAnalysis intervals_;
  const SameValues same_;
  std::map<ValueId, Congruence> known_;
};

/// All values that say which vector core of its block runs.
std::vector<ValueId> core_numbers(const Program& program, const SameValues& same);

}  // namespace pto::planner
