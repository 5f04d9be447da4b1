// A vector clock over the pipes of all cores. It holds the cores it has heard of only: most know nothing but
// their own block, and a launch has many blocks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace pto::sim {

template <uint32_t kPerCore>
class VectorClock {
 public:
  [[nodiscard]] uint32_t operator[](uint32_t thread) const {
    const CoreEpochs* known = find(thread / kPerCore);
    return known == nullptr ? 0 : known->epochs[thread % kPerCore];
  }
  void set(uint32_t thread, uint32_t epoch) { core(thread / kPerCore).epochs[thread % kPerCore] = epoch; }
  /// Whether the other one knows of anything later.
  [[nodiscard]] bool behind(const VectorClock& other) const {
    return std::ranges::any_of(other.cores_, [&](const CoreEpochs& theirs) {
      const CoreEpochs* mine = find(theirs.index);
      for (uint32_t i = 0; i < kPerCore; ++i) {
        if (theirs.epochs[i] > (mine == nullptr ? 0 : mine->epochs[i])) return true;
      }
      return false;
    });
  }
  void merge(const VectorClock& other) {
    for (const CoreEpochs& theirs : other.cores_) {
      CoreEpochs& mine = core(theirs.index);
      for (uint32_t i = 0; i < kPerCore; ++i) mine.epochs[i] = std::max(mine.epochs[i], theirs.epochs[i]);
    }
  }
  /// As bytes, behind what is there; and back.
  void write(std::string& out) const {
    out.append(reinterpret_cast<const char*>(cores_.data()), cores_.size() * sizeof(CoreEpochs));
  }
  static VectorClock read(std::string_view bytes) {
    VectorClock clock;
    clock.cores_.resize(bytes.size() / sizeof(CoreEpochs));
    if (!clock.cores_.empty())
      std::memcpy(clock.cores_.data(), bytes.data(), clock.cores_.size() * sizeof(CoreEpochs));
    return clock;
  }

 private:
  struct CoreEpochs {
    uint32_t index = 0;
    std::array<uint32_t, kPerCore> epochs{};
  };
  [[nodiscard]] const CoreEpochs* find(uint32_t index) const {
    if (cores_.size() == 1) return cores_[0].index == index ? cores_.data() : nullptr;
    const auto at = std::ranges::lower_bound(cores_, index, {}, &CoreEpochs::index);
    return at == cores_.end() || at->index != index ? nullptr : &*at;
  }
  CoreEpochs& core(uint32_t index) {
    const auto at = std::ranges::lower_bound(cores_, index, {}, &CoreEpochs::index);
    return at != cores_.end() && at->index == index ? *at : *cores_.insert(at, {index, {}});
  }

  std::vector<CoreEpochs> cores_;  ///< by index
};

}  // namespace pto::sim
