// What comes from other devices, for those who look on.
#pragma once

#include <cstdint>

namespace pto::sim {

/// Bytes that another device has written come here.
struct Arrival {
  uint32_t from = 0;  ///< rank
  uint32_t core = 0;  ///< of the other device
  uint32_t pc = 0;
  uint64_t time = 0, sent = 0;
  uint64_t addr = 0, rows = 1, row_bytes = 0;
  int64_t pitch = 0;
};

class ArrivalObserver {
 public:
  virtual ~ArrivalObserver() = default;
  virtual void on_arrival(const Arrival& arrival) = 0;
};

}  // namespace pto::sim
