// A vector clock over the pipes of all cores. It holds the cores it has heard of only: most know nothing but
// their own block, and a launch has many blocks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
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
  [[nodiscard]] bool is_older_than(const VectorClock& other) const {
    static constexpr CoreEpochs kNothing{};
    return std::ranges::any_of(other.cores(), [&](const CoreEpochs& theirs) {
      const CoreEpochs* mine = find(theirs.index);
      if (mine == nullptr) mine = &kNothing;
      bool later = false;
      for (uint32_t i = 0; i < kPerCore; ++i) later |= theirs.epochs[i] > mine->epochs[i];
      return later;
    });
  }
  void merge(const VectorClock& other) {
    for (const CoreEpochs& theirs : other.cores()) {
      CoreEpochs& mine = core(theirs.index);
      for (uint32_t i = 0; i < kPerCore; ++i) mine.epochs[i] = std::max(mine.epochs[i], theirs.epochs[i]);
    }
  }
  /// As bytes, behind what is there; and back.
  void write(std::string& out) const {
    out.append(reinterpret_cast<const char*>(cores().data()), cores().size_bytes());
  }
  static VectorClock read(std::string_view bytes) {
    std::vector<CoreEpochs> cores(bytes.size() / sizeof(CoreEpochs));
    if (!cores.empty()) std::memcpy(cores.data(), bytes.data(), cores.size() * sizeof(CoreEpochs));
    VectorClock clock;
    for (const CoreEpochs& each : cores) clock.core(each.index) = each;
    return clock;
  }

 private:
  struct CoreEpochs {
    uint32_t index = 0;
    std::array<uint32_t, kPerCore> epochs{};
  };
  static constexpr uint32_t kBlock = 3;  ///< cores of a block stand here, without memory of their own

  [[nodiscard]] std::span<const CoreEpochs> cores() const {
    return heap_.empty() ? std::span<const CoreEpochs>(inline_.data(), count_) : heap_;
  }
  [[nodiscard]] const CoreEpochs* find(uint32_t index) const {
    const std::span<const CoreEpochs> all = cores();
    if (all.size() <= kBlock) {
      for (const CoreEpochs& each : all) {
        if (each.index == index) return &each;
      }
      return nullptr;
    }
    const auto at = std::ranges::lower_bound(all, index, {}, &CoreEpochs::index);
    return at == all.end() || at->index != index ? nullptr : &*at;
  }
  CoreEpochs& core(uint32_t index) {
    if (const CoreEpochs* known = find(index)) return const_cast<CoreEpochs&>(*known);
    if (count_ < kBlock && heap_.empty()) {
      uint32_t at = count_++;
      for (; at > 0 && inline_[at - 1].index > index; --at) inline_[at] = inline_[at - 1];
      return inline_[at] = {index, {}};
    }
    if (heap_.empty()) heap_.assign(inline_.begin(), inline_.end());
    const auto at = std::ranges::lower_bound(heap_, index, {}, &CoreEpochs::index);
    return *heap_.insert(at, {index, {}});
  }

  uint32_t count_ = 0;
  std::array<CoreEpochs, kBlock> inline_;  ///< by index, the first `count_`
  std::vector<CoreEpochs> heap_;           ///< all of them, where they are more
};

}  // namespace pto::sim
