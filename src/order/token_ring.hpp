// What waits for the acquire of a token. Tokens are numbers one after the other, and most do not live long:
// a ring holds those. The few that stay longer make room for others.
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
  /// The value of a token, from its first mention on. Not 0.
  Value& value_of(uint64_t token) {
    Place& place = ring_[token & (ring_.size() - 1)];
    if (place.token == token) return place.value;
    if (const auto old = old_.find(token); old != old_.end()) return old->second;
    if (place.token == 0) {
      place.token = token;
      ++held_;
      return place.value;
    }
    if (held_ > ring_.size() / 2) {
      grow();
      return value_of(token);
    }
    old_.emplace(place.token, std::move(place.value));
    place = {token, {}};
    return place.value;
  }
  /// Null: nobody has mentioned it, or it has been erased.
  [[nodiscard]] Value* find(uint64_t token) {
    Place& place = ring_[token & (ring_.size() - 1)];
    if (place.token == token) return &place.value;
    if (old_.empty()) return nullptr;
    const auto old = old_.find(token);
    return old == old_.end() ? nullptr : &old->second;
  }
  void erase(uint64_t token) {
    Place& place = ring_[token & (ring_.size() - 1)];
    if (place.token == token) {
      place = {};
      --held_;
    } else {
      old_.erase(token);
    }
  }

 private:
  static constexpr size_t kFirst = 64;
  struct Place {
    uint64_t token = 0;  ///< 0: free
    Value value{};
  };
  void grow() {
    std::vector<Place> before = std::exchange(ring_, std::vector<Place>(2 * ring_.size()));
    for (Place& place : before) {
      if (place.token != 0) ring_[place.token & (ring_.size() - 1)] = std::move(place);
    }
  }

  std::vector<Place> ring_ =
      std::vector<Place>(kFirst);  ///< as small as it can be: all of it is used in turn
  size_t held_ = 0;                ///< in the ring
  std::unordered_map<uint64_t, Value> old_;
};

}  // namespace pto::order
