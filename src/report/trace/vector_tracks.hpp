// Assigns the steps of vector functions to tracks of a drawing: two for loads and stores, two for
// computation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pto::report {

/// The tracks of one core. Two steps of a kind can start in one cycle. Steps are added in the order of time.
class VectorTracks {
 public:
  static constexpr size_t kCount = 4;
  struct Allocation {
    size_t track;
    bool fresh;  ///< the first step on this track
  };
  Allocation allocate(uint64_t time, bool memory) {
    size_t track = memory ? 0 : 2;
    if (free_[track] > time) ++track;
    const bool fresh = free_[track] == 0;
    free_[track] = time + 1;
    return {track, fresh};
  }
  static std::string_view name(size_t track) {
    constexpr std::array<std::string_view, kCount> kNames = {"ld/st 1", "ld/st 2", "alu 1", "alu 2"};
    return kNames[track];
  }

 private:
  std::array<uint64_t, kCount> free_{};
};

}  // namespace pto::report
