// Where in its buffer a view of GM begins, as far as that holds in every iteration of every loop: a
// residue modulo a step. So windows that never overlap are separated, whatever block and iteration
// they belong to.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "analysis/equal_values.hpp"
#include "analysis/integer_facts.hpp"

namespace pto::planner {

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
  [[nodiscard]] std::optional<Window> window_of(ValueId view) const;

 private:
  [[nodiscard]] std::optional<Window> pointer(ValueId value) const;

  const Program& program_;
  const Constants& constants_;
  IntegerFacts facts_;
  SameValues same_;
};

/// All values that say which vector core of its block runs.
std::vector<ValueId> core_numbers(const Program& program, const SameValues& same);

}  // namespace pto::planner
