// What comes from other devices, for those who look on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace pto::sim {

/// Bytes that another device has written come here, or those that this one asked for.
struct Arrival {
  enum class Kind : uint8_t { write, add, notify, got } kind = Kind::write;
  uint32_t from = 0;  ///< rank
  uint32_t core = 0;  ///< of the other device; got: of this one
  uint32_t lane = 0;  ///< of that core: which of its pipes
  uint32_t pc = 0;
  uint64_t time = 0, sent = 0;
  uint64_t takes = 0;  ///< cycles that the bytes are on a link
  uint64_t addr = 0, rows = 1, row_bytes = 0;
  int64_t pitch = 0;
};

/// A notify, as who waited for it sees it.
struct NotifySeen {
  uint32_t rank = 0, core = 0, pc = 0;
  uint64_t sent = 0;
};
/// A core goes on behind a wait for words.
struct Awoken {
  uint32_t core = 0, pc = 0;
  uint64_t time = 0;
  std::span<const NotifySeen> by;  ///< of other ranks, since the word was waited for before
};

class ArrivalObserver {
 public:
  virtual ~ArrivalObserver() = default;
  /// Memory has changed, or bytes that were asked for are here.
  virtual void on_arrival(const Arrival& arrival) = 0;
  virtual void on_awoken(const Awoken&) {}
};

}  // namespace pto::sim
