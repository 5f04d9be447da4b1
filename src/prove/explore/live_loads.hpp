// Liveness of loaded inputs: those on which the rest of the run can still depend.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "ir/regions.hpp"

namespace pto::driver {

class LiveLoads {
 public:
  LiveLoads(const Program& program, const RegionTree& tree) : program_(program), tree_(tree) {}

  /// Whether a value that depends on `load` can be used from `next` on, before it is loaded again.
  [[nodiscard]] bool is_live(uint32_t load, uint32_t next);
  [[nodiscard]] bool is_same_function(uint32_t a, uint32_t b) const {
    return function_of(a) == function_of(b);
  }

 private:
  struct Uses {
    std::set<uint32_t> ops;
    bool anywhere = false;  ///< also where this function does not see it
  };
  const Uses& uses_of(uint32_t load);
  [[nodiscard]] uint32_t function_of(uint32_t op) const;
  [[nodiscard]] bool is_in_loop(uint32_t op) const;

  const Program& program_;
  const RegionTree& tree_;
  std::map<uint32_t, Uses> uses_;
  std::map<std::pair<uint32_t, uint32_t>, bool> known_;
};

}  // namespace pto::driver
