// Signals between cores as the race checker sees them: whether those of one id come in one order.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace pto::sim {

/// A wait takes the oldest signal of its id. Two that come from pipes which nothing orders may come the other
/// way round, and so may two waits on such pipes: then each wait knows of other work than in this run.
class SignalOrders {
 public:
  struct Use {
    uint32_t thread = 0, epoch = 0, pc = 0;
  };
  struct Key {
    uint32_t from_core = 0, to_core = 0;  ///< the same twice for waits, and where a group is signalled
    bool wait = false;
    int signal = 0;
    auto operator<=>(const Key&) const = default;
  };

  /// The use before, if it is one of another thread and `knows` says that the new one does not follow it.
  std::optional<Use> add(const Key& key, const Use& now, auto knows) {
    const auto [at, fresh] = last_.try_emplace(key, now);
    if (fresh) return std::nullopt;
    const Use before = std::exchange(at->second, now);
    if (before.thread == now.thread || knows(before)) return std::nullopt;
    return before;
  }

 private:
  std::map<Key, Use> last_;
};

}  // namespace pto::sim
