// Where an operation stands: its region, its block.
#pragma once

#include <vector>

#include "pto/program.hpp"

namespace pto::legality {

/// The tree of regions, made once per run by passes that ask about blocks and dominance.
class Regions {
 public:
  explicit Regions(const Program& program);

  /// The region an operation stands in; ~0 for the top module.
  [[nodiscard]] uint32_t of(uint32_t op) const { return of_[op]; }
  [[nodiscard]] uint32_t owner(uint32_t region) const { return owner_[region]; }
  /// The operation of `region` that is or encloses `op`; ~0 when `op` stands outside of it.
  [[nodiscard]] uint32_t ancestor_in(uint32_t op, uint32_t region) const;
  /// Whether `first` has always run when `second` runs.
  [[nodiscard]] bool dominates(uint32_t first, uint32_t second) const;
  /// The operations of a region, those of nested regions left out.
  [[nodiscard]] std::vector<uint32_t> block(uint32_t region) const;

 private:
  const Program& program_;
  std::vector<uint32_t> of_, owner_;
};

}  // namespace pto::legality
