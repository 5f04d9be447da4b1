// Who occupies on-chip memory when: lives of buffers, from the accesses of a run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "pto/simulator.hpp"

namespace pto::report {

/// The occupancy of an address by one value, from the begin of the first write to the end of the
/// last access; a write after a read begins the next one.
struct Life {
  uint32_t core = 0;
  Space space = Space::none;
  ValueId value = kNoValue;
  uint32_t pc = ~0u;             ///< of the first write
  uint64_t low = 0, high = 0;    ///< bytes
  uint64_t begin = 0, last = 0;  ///< cycles
  bool read = false;
};

class Occupancy {
 public:
  explicit Occupancy(size_t most) : most_(most) {}

  struct Access {
    uint32_t core = 0;
    Space space = Space::none;
    ValueId value = kNoValue;
    uint64_t room = 0;  ///< bytes that the value can hold; 0: not known
    uint32_t pc = ~0u;
    uint64_t low = 0, high = 0, begin = 0, end = 0;
    bool write = false;
  };
  void add(const Access& access);
  /// An update reads first.
  void add(Access access, bool update);
  /// Told of lives that are over; then they are not kept.
  void tell(std::function<void(const Life&)> call) { tell_ = std::move(call); }
  /// All lives are over.
  void finish();
  /// In the order of their begin.
  [[nodiscard]] std::vector<Life> lives() const;
  [[nodiscard]] bool complete() const { return closed_.size() < most_; }

 private:
  void close(std::vector<Life>& open, size_t at);

  size_t most_;
  std::map<std::pair<uint32_t, Space>, std::vector<Life>> open_;
  std::vector<Life> closed_;
  std::function<void(const Life&)> tell_;
};

}  // namespace pto::report
