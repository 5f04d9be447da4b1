// A vector clock that is shared until it is changed. Most releases of a run tell the same as the
// one before, and most acquires learn nothing: both cost a comparison of two pointers.
#pragma once

#include <cstdint>
#include <utility>

#include "order/ref_counted.hpp"

namespace pto::order {

template <typename Clock>
class SharedClock {
 public:
  using Arena = typename RefCounted<Clock>::Arena;

  /// Knows nothing, and can only take over a clock that it is merged with.
  SharedClock() = default;
  explicit SharedClock(Arena& arena) : clock_(arena.make()) {}

  explicit operator bool() const { return static_cast<bool>(clock_); }
  const Clock& operator*() const { return *clock_; }
  [[nodiscard]] uint32_t operator[](uint32_t thread) const { return (*clock_)[thread]; }
  [[nodiscard]] bool is_same(const SharedClock& other) const { return clock_.is_same(other.clock_); }
  void set(uint32_t thread, uint32_t epoch) { clock_.unshare().set(thread, epoch); }
  void merge(const Clock& other) {
    if (clock_->is_older_than(other)) clock_.unshare().merge(other);
  }
  void merge(const SharedClock& other) {
    if (is_same(other)) return;
    if (!clock_)
      clock_ = other.clock_;
    else
      merge(*other.clock_);
  }

 private:
  RefCounted<Clock> clock_;
};

}  // namespace pto::order
