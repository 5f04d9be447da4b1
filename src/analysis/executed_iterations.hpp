// Iterations in which an operation of a kernel is certainly executed, whatever the inputs are.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "analysis/loop_iteration.hpp"
#include "ir/regions.hpp"

namespace pto {

class ExecutedIterations {
 public:
  ExecutedIterations(const Program& program, const Constants& constants)
      : program_(program), constants_(constants), tree_(program) {}

  /// The first iterations of the loops around an operation, and of each loop the second one and the
  /// last. None where something else decides whether the operation is executed.
  [[nodiscard]] const std::vector<IterationVector>& iterations_of(uint32_t op) const;

 private:
  [[nodiscard]] std::vector<IterationVector> iterations_inside(uint32_t around) const;

  const Program& program_;
  const Constants& constants_;
  RegionTree tree_;
  /// By the operation around.
  mutable std::unordered_map<uint32_t, std::vector<IterationVector>> known_;
};

/// " where %i = 1 and %j = 0"
std::string words_of(const Program& program, std::span<const LoopIteration> iterations);

}  // namespace pto
