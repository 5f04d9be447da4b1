// Arguments that the caller hands over in one memory: they are one buffer in GM, as on a device.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "pto/simulator.hpp"

namespace pto::sim {

class SharedArguments {
 public:
  struct Group {
    std::span<std::byte> memory;  ///< from the first byte of any of them to the last one
    std::string name;             ///< "a and c"
    bool initialised = false;
    uint64_t address = 0;  ///< in GM, once it is placed
    bool placed = false;
  };

  explicit SharedArguments(std::vector<Argument>& arguments) : group_(arguments.size(), kNone) {
    std::vector<size_t> order;
    for (size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].is_buffer && !arguments[i].home.empty()) order.push_back(i);
    std::ranges::sort(order, std::less<>(), [&](size_t i) { return arguments[i].home.data(); });
    for (size_t k = 0, next = 0; k < order.size(); k = next) {
      std::byte* const begin = arguments[order[k]].home.data();
      std::byte* end = begin + arguments[order[k]].home.size();
      for (next = k + 1; next < order.size() && std::less<>()(arguments[order[next]].home.data(), end);
           ++next)
        end = std::max(end, arguments[order[next]].home.data() + arguments[order[next]].home.size(),
                       std::less<>());
      if (next - k == 1) continue;
      std::sort(order.begin() + static_cast<std::ptrdiff_t>(k),
                order.begin() + static_cast<std::ptrdiff_t>(next));
      Group& built = groups_.emplace_back();
      built.memory = {begin, end};
      for (size_t i = k; i < next; ++i) {
        const Argument& each = arguments[order[i]];
        group_[order[i]] = groups_.size() - 1;
        built.name += (built.name.empty() ? "" : " and ") + each.name;
        built.initialised = built.initialised || each.initialised;
      }
    }
  }

  [[nodiscard]] bool any() const { return !groups_.empty(); }
  /// Null where the argument has its memory for itself.
  Group* group_of(size_t argument) {
    return group_[argument] == kNone ? nullptr : &groups_[group_[argument]];
  }

 private:
  static constexpr size_t kNone = ~size_t{0};
  std::vector<size_t> group_;  ///< by argument
  std::vector<Group> groups_;
};

}  // namespace pto::sim
