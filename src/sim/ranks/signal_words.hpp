// Words in GM by which devices notify each other: senders, waits, waits that never blocked, and
// lost notifications.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/cmp_predicate.hpp"
#include "sim/ranks/rank_messages.hpp"

namespace pto::sim {

/// A wait of this device that was looked at.
struct Awaited {
  uint32_t core = 0, pc = 0;
  uint64_t first = 0, time = 0;  ///< of the first look and the last
  std::vector<uint64_t> words;
  isa::CmpPredicate how = isa::CmpPredicate::eq;
  int32_t wanted = 0;
  ClockStamp stamp = nullptr;  ///< of one that has passed
};

class SignalLog {
 public:
  /// Sets a word or adds to it, which lies at `at`.
  void write(uint64_t word, std::byte* at, Notification by);
  void waits(const Awaited& wait);
  void passed(const Awaited& wait);
  /// The words of a wait, as its core sees them.
  [[nodiscard]] std::vector<WaitReleased::Word> seen(const Awaited& wait) const;

  /// The notifications of a word in the order of arrival; null if there is none.
  [[nodiscard]] const std::vector<Notification>* word_of(uint64_t word) const;
  /// Waits that have not passed, by core and operation.
  [[nodiscard]] const std::map<std::pair<uint32_t, uint32_t>, Awaited>& open() const { return open_; }

  /// A wait that never blocked: its condition was already true when another wait of its core
  /// passed.
  struct Stale {
    uint32_t core = 0, pc = 0, before = 0;  ///< operation of the wait before
    uint64_t time = 0, passed = 0, word = 0;
    isa::CmpPredicate how = isa::CmpPredicate::eq;
    int32_t wanted = 0;
  };
  /// Those whose word was notified again after the wait before had passed.
  [[nodiscard]] std::vector<Stale> stale() const;
  /// A set that overwrote a notification of another rank for which no wait has passed.
  struct Lost {
    uint64_t word = 0;
    Notification lost, by;
  };
  [[nodiscard]] const std::vector<Lost>& lost() const { return lost_; }
  /// A notify that overwrites the value that a wait needs, and that is not ordered after this wait.
  struct Overtaking {
    uint64_t word = 0;
    uint32_t wait_pc = 0;
    isa::CmpPredicate how = isa::CmpPredicate::eq;
    int32_t wanted = 0;
    Notification by;
  };
  [[nodiscard]] std::vector<Overtaking> overtaking(const OrderOracle& order) const;

 private:
  struct Pass {
    uint32_t pc = 0;
    isa::CmpPredicate how = isa::CmpPredicate::eq;
    int32_t wanted = 0;
    uint64_t time = 0;
    size_t notifies = 0;  ///< that had come
    ClockStamp stamp = nullptr;
  };
  struct Word {
    std::vector<Notification> notifies;
    std::map<uint32_t, Pass> passes;  ///< the last one of each core
    std::vector<Pass> all;            ///< passes of all cores that have a stamp
    std::optional<uint64_t> awaited;  ///< when a wait passed last
  };
  static bool implies(const Pass& before, isa::CmpPredicate how, int32_t wanted);
  static bool held(const Word& word, const Pass& since, isa::CmpPredicate how, int32_t wanted);

  std::map<uint64_t, Word> words_;
  std::map<std::pair<uint32_t, uint32_t>, Awaited> open_;
  std::vector<Stale> stale_;
  std::vector<Lost> lost_;
};

}  // namespace pto::sim
