// Whose turn it is: the next time of every core, as a tournament. Time per change grows with the logarithm of
// their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core_state.hpp"

namespace pto::sim {

class Turns {
 public:
  explicit Turns(size_t cores = 0) : times_(cores, kNever) {
    while (leaves_ < cores) leaves_ *= 2;
    winner_.resize(2 * leaves_);
    for (uint32_t i = 0; i < leaves_; ++i) winner_[leaves_ + i] = i;
    for (size_t node = leaves_ - 1; node > 0; --node) play(node);
  }

  void set(size_t core, uint64_t time) {
    times_[core] = time;
    for (size_t node = (leaves_ + core) / 2; node > 0; node /= 2) play(node);
  }
  [[nodiscard]] uint64_t time(size_t core) const { return core < times_.size() ? times_[core] : kNever; }
  /// The core with the earliest time; ties go to the lower index.
  [[nodiscard]] uint32_t first() const { return winner_[1]; }
  /// The same without the first one; the first one itself when there is no other.
  [[nodiscard]] uint32_t second() const {
    uint32_t best = first();
    bool any = false;
    for (size_t node = leaves_ + first(); node > 1; node /= 2) {
      const uint32_t other = winner_[node ^ 1];
      if (!any || before(other, best)) best = other;
      any = true;
    }
    return best;
  }

 private:
  [[nodiscard]] bool before(uint32_t a, uint32_t b) const {
    return time(a) < time(b) || (time(a) == time(b) && a < b);
  }
  void play(size_t node) {
    const uint32_t left = winner_[2 * node], right = winner_[2 * node + 1];
    winner_[node] = time(right) < time(left) ? right : left;
  }

  size_t leaves_ = 1;
  std::vector<uint64_t> times_;
  std::vector<uint32_t> winner_;  ///< of each pair, pairs below each other as in a heap; [1] of all
};

}  // namespace pto::sim
