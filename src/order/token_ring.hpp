// Values by token. Tokens are counted upwards, and most are erased soon: a ring holds those. Tokens
// that stay longer move to a map when a later token needs their slot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pto::order {

template <typename Value>
class TokenRing {
 public:
  /// The value of a token other than 0; a new token has a default value.
  Value& value_of(uint64_t token) {
    Slot& slot = ring_[token & (ring_.size() - 1)];
    if (slot.token == token) return slot.value;
    if (const auto old = old_.find(token); old != old_.end()) return old->second;
    if (slot.token == 0) {
      slot.token = token;
      ++held_;
      return slot.value;
    }
    if (held_ > ring_.size() / 2) {
      grow();
      return value_of(token);
    }
    old_.emplace(slot.token, std::move(slot.value));
    slot = {token, {}};
    return slot.value;
  }
  /// Null: the token is new, or has been erased.
  [[nodiscard]] Value* find(uint64_t token) {
    Slot& slot = ring_[token & (ring_.size() - 1)];
    if (slot.token == token) return &slot.value;
    if (old_.empty()) return nullptr;
    const auto old = old_.find(token);
    return old == old_.end() ? nullptr : &old->second;
  }
  void erase(uint64_t token) {
    Slot& slot = ring_[token & (ring_.size() - 1)];
    if (slot.token == token) {
      slot = {};
      --held_;
    } else {
      old_.erase(token);
    }
  }

 private:
  static constexpr size_t kFirst = 64;
  struct Slot {
    uint64_t token = 0;  ///< 0: free
    Value value{};
  };
  void grow() {
    std::vector<Slot> before = std::exchange(ring_, std::vector<Slot>(2 * ring_.size()));
    for (Slot& slot : before) {
      if (slot.token != 0) ring_[slot.token & (ring_.size() - 1)] = std::move(slot);
    }
  }

  std::vector<Slot> ring_ = std::vector<Slot>(kFirst);  ///< small: all slots are used cyclically
  size_t held_ = 0;                                     ///< in the ring
  std::unordered_map<uint64_t, Value> old_;
};

}  // namespace pto::order
