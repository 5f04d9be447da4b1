// Values of the cube and of the vector function of one launch that are the same: their arguments, and the
// counters of loops that run in step.
#pragma once

#include <map>
#include <set>

#include "pto/program.hpp"

namespace pto::planner {

class SameValues {
 public:
  void add(ValueId value, ValueId same) { same_[value] = (*this)(same); }
  /// The one that stands for all that are the same.
  [[nodiscard]] ValueId operator()(ValueId value) const {
    const auto found = same_.find(value);
    return found == same_.end() ? value : found->second;
  }
  /// An argument that says which vector core of its block runs.
  void add_core_number(ValueId value) { core_numbers_.insert(value); }
  [[nodiscard]] const std::set<ValueId>& core_numbers() const { return core_numbers_; }
  [[nodiscard]] bool is_core_number(ValueId value) const { return core_numbers_.contains(value); }

 private:
  std::map<ValueId, ValueId> same_;
  std::set<ValueId> core_numbers_;
};

}  // namespace pto::planner
