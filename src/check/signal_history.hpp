// Signals between cores as the race checker sees them: whether those of one id come in one order.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "order/vector_clock.hpp"

namespace pto::sim {

/// A wait takes the oldest signal of its id. Two that come from pipes which nothing orders may come the other
/// way round, and so may two waits on such pipes: then each wait knows of other work than in this run.
class SignalOrders {
 public:
  struct Use {
    order::Epoch at;
    uint32_t pc = 0;
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
    if (before.at.thread == now.at.thread || knows(before)) return std::nullopt;
    return before;
  }

 private:
  std::map<Key, Use> last_;
};

/// Signals that a core may have been sent before it has waited for those 15 before: the counter of an id
/// holds 15 (src/sim/engine/sync/cross_core_sync.cpp). A core that is signalled by several at once (A2/A3:
/// the cube core by both vector cores) counts when the last of them has signalled: one that knows of the wait
/// is enough.
class SignalCounts {
 public:
  static constexpr uint64_t kMaxCounters = 15;
  struct Late {
    uint32_t core = 0;             ///< that may be signalled too early
    uint32_t pc = 0, wait_pc = 0;  ///< the signal, and the wait that it may come before; ~0: none came
    int signal = 0;
  };

  /// `knows` says whether a wait comes before this signal under every timing.
  void signals(uint32_t from, uint32_t to, int signal, uint32_t pc, auto knows) {
    Counter& counter = counters_[{to, signal}];
    Stream& stream = counter.streams[from];
    const uint64_t number = stream.sent++;
    if (number < kMaxCounters) return;
    const uint64_t wanted = number - kMaxCounters;
    const bool taken = wanted < stream.taken;
    const SignalOrders::Use& wait = stream.waits[wanted % kMaxCounters];
    if (taken && stream.taken - wanted <= kMaxCounters && knows(wait)) return;
    constexpr size_t kKept = 64;
    if (counter.late.size() < kKept || counter.late.contains(number))
      counter.late[number].push_back({to, pc, taken ? wait.pc : ~0u, signal});
  }
  /// A wait of `core` that takes a signal of `from`.
  void waits(uint32_t from, uint32_t core, int signal, const SignalOrders::Use& wait) {
    Stream& stream = counters_[{core, signal}].streams[from];
    stream.waits[stream.taken++ % kMaxCounters] = wait;
  }
  /// One for each statement that signals.
  [[nodiscard]] std::vector<Late> late() const {
    std::vector<Late> out;
    std::set<uint32_t> reported;
    for (const auto& [key, counter] : counters_) {
      for (const auto& [number, signals] : counter.late) {
        if (signals.size() == counter.streams.size() && reported.insert(signals.front().pc).second)
          out.push_back(signals.front());
      }
    }
    return out;
  }

 private:
  /// What one core sends another one.
  struct Stream {
    uint64_t sent = 0, taken = 0;
    std::array<SignalOrders::Use, kMaxCounters> waits;  ///< the last ones
  };
  struct Counter {
    std::map<uint32_t, Stream> streams;          ///< by the core that signals
    std::map<uint64_t, std::vector<Late>> late;  ///< by number
  };
  std::map<std::pair<uint32_t, int>, Counter> counters_;  ///< by the core that waits
};

}  // namespace pto::sim
