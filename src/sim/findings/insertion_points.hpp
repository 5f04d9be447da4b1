// Legal insertion points for suggested statements, and their wording ("after k.pto:12"). A point is
// after the last line of a statement, outside vector functions, and in the region of the operation
// that the suggestion orders.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/regions.hpp"
#include "pto/fix.hpp"
#include "support/source_lines.hpp"

namespace pto::sim {

/// Where a flag stands that orders one operation before another: the set behind `set_after`, the wait before
/// `wait_before`, both in one region, so that as many of them run.
struct FlagInsertionPoints {
  uint32_t set_after = kNoOp, wait_before = kNoOp;
  uint32_t loop = kNoOp;  ///< the wait is one of this loop's next iteration
};

bool is_loop(const Program& program, uint32_t op);

class InsertionPoints {
 public:
  explicit InsertionPoints(const Program& program)
      : program_(program), tree_(program), lines_(program.source_text) {}

  /// "at k.pto:12"
  [[nodiscard]] TextPlace at(uint32_t op) const;
  /// "before k.pto:12"
  [[nodiscard]] TextPlace before(uint32_t op) const;
  /// "after k.pto:13", the last line of the statement; "after the loop at k.pto:12"
  [[nodiscard]] TextPlace after(uint32_t op) const;
  /// The operation, or the vector function that holds it.
  [[nodiscard]] uint32_t queued(uint32_t op) const;
  /// Nothing when they stand in different functions, or when nothing repeats what comes first in the text.
  [[nodiscard]] std::optional<FlagInsertionPoints> between(uint32_t first, uint32_t second) const;
  /// Whether an operation at the place of `op`, or right behind it, can use the value.
  [[nodiscard]] bool reaches(ValueId value, uint32_t op) const;
  [[nodiscard]] const RegionTree& tree() const { return tree_; }

 private:
  [[nodiscard]] uint32_t last_line(uint32_t op) const;

  const Program& program_;
  RegionTree tree_;
  SourceLines lines_;
};

}  // namespace pto::sim
