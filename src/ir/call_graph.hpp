// Who calls whom.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/symbol_table.hpp"

namespace pto {

/// One thing that one call means; a call of a helper that exists for both kinds of core is two of them.
struct Call {
  uint32_t op;              ///< the func.call
  uint32_t caller, callee;  ///< indices into Functions::all()
};

/// Time and memory grow with the number of operations only, however long the chains of calls are.
class CallGraph {
 public:
  CallGraph(const Program& program, const Functions& functions);

  /// The calls of a function, in the order of the program.
  [[nodiscard]] std::span<const Call> calls_of(uint32_t caller) const {
    return std::span(calls_).subspan(first_[caller], first_[caller + 1] - first_[caller]);
  }
  [[nodiscard]] const std::vector<Call>& calls() const { return calls_; }
  /// Functions that reach themselves, in the order of the program.
  [[nodiscard]] const std::vector<uint32_t>& recursive() const { return recursive_; }
  /// All functions, every one behind those that it calls (where none is recursive).
  [[nodiscard]] const std::vector<uint32_t>& callees_first() const { return callees_first_; }

 private:
  std::vector<Call> calls_;      ///< by caller
  std::vector<uint32_t> first_;  ///< of each caller, and the end
  std::vector<uint32_t> recursive_, callees_first_;
};

}  // namespace pto
