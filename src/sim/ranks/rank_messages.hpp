// Events of messages between devices, delivered to observers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "isa/cmp_predicate.hpp"

namespace pto::sim {

/// The clock of a device when it sends a message; observers of order interpret it.
using ClockStamp = std::shared_ptr<const std::string>;

/// Bytes that another device has written come here, it asks for some, or those that this one asked for are
/// here.
struct MessageEvent {
  enum class Kind : uint8_t { write, add, notify, asked, got } kind = Kind::write;
  uint32_t from = 0;  ///< rank
  uint32_t core = 0;  ///< of the other device; got: of this one
  uint32_t lane = 0;  ///< of that core: which of its pipes
  uint32_t pc = 0;
  uint64_t time = 0, sent = 0;
  uint64_t takes = 0;  ///< cycles that the bytes are on a link
  uint64_t addr = 0, rows = 1, row_bytes = 0;
  int64_t pitch = 0;
  ClockStamp stamp = nullptr;
  /// Whether memory has changed.
  [[nodiscard]] bool changes() const { return kind != Kind::asked && kind != Kind::got; }
};

/// A word was set, or a value was added to it.
struct Notification {
  uint32_t rank = 0, core = 0, pc = 0;
  uint64_t sent = 0, time = 0;
  bool set = false;
  int32_t value = 0, before = 0, after = 0;
  ClockStamp stamp = nullptr;
};
/// A core goes on behind a wait for words, or has seen that they compare.
struct WaitReleased {
  struct Word {
    uint64_t address = 0;
    std::span<const Notification> notified;  ///< all there were, in the order of arrival
    size_t before = 0;                       ///< of them, when this core waited for the word before
  };
  uint32_t core = 0, pc = 0;
  uint64_t time = 0;
  isa::CmpPredicate how = isa::CmpPredicate::eq;
  int32_t wanted = 0;
  std::vector<Word> words;
};

class MessageObserver {
 public:
  virtual ~MessageObserver() = default;
  virtual void on_message(const MessageEvent& arrival) = 0;
  virtual void on_wait_released(const WaitReleased&) {}
};

/// Interprets clock stamps.
class OrderOracle {
 public:
  virtual ~OrderOracle() = default;
  /// Of an access that an operation on a lane of a core makes at another device.
  virtual ClockStamp of_access(uint32_t core, unsigned lane, uint32_t pc, bool write) = 0;
  /// Of a wait for words that lets its core go on.
  virtual ClockStamp of_wait(uint32_t core) = 0;
  /// Whether the event of the first stamp happens before the notify of the second one under every
  /// timing.
  [[nodiscard]] virtual bool comes_before(const ClockStamp& one, const ClockStamp& notify) const = 0;
  /// The stamp of a notify: the events that precede it on its scalar unit.
  virtual ClockStamp of_notify(uint32_t core, uint32_t pc) = 0;
};

}  // namespace pto::sim
