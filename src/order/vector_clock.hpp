// Vector clocks (Mattern 1989): per thread, its last epoch that is known to be complete. A thread
// is anything whose operations have an order: a pipe of a core, a warp, the stores of a scalar
// unit.
//
//   DenseClock<7>    all threads in one array: the lanes of a core, known when compiled
//   SparseClock<9>   blocks of 9 threads (a core), only those that are known of, the first three
//                    without an allocation. Most threads know only the cores of their own
//                    block, and a launch has many blocks.
//   SharedClock<..>  one of these, shared until it is changed (shared_clock.hpp)
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pto::order {

/// An operation, by its thread and the thread's epoch (FastTrack: c@t).
struct Epoch {
  uint32_t thread = 0, value = 0;
};

/// The storage of a clock over all threads.
template <uint32_t kThreads>
class DenseBlocks {
 public:
  struct Block {
    static constexpr uint32_t index = 0;
    std::array<uint32_t, kThreads> epochs{};
  };
  [[nodiscard]] std::span<const Block> all() const { return {&block_, 1}; }
  [[nodiscard]] const Block* find(uint32_t) const { return &block_; }
  Block& block(uint32_t) { return block_; }
  [[nodiscard]] uint32_t epoch(uint32_t thread) const { return block_.epochs[thread]; }
  uint32_t& epoch(uint32_t thread) { return block_.epochs[thread]; }

 private:
  Block block_;
};

/// The storage of a clock that has heard of few of its threads: blocks of `kWidth`, ascending.
template <uint32_t kWidth>
class SparseBlocks {
 public:
  struct Block {
    uint32_t index = 0;
    std::array<uint32_t, kWidth> epochs{};
  };
  [[nodiscard]] std::span<const Block> all() const {
    return heap_.empty() ? std::span<const Block>(inline_.data(), count_) : heap_;
  }
  [[nodiscard]] const Block* find(uint32_t index) const {
    const std::span<const Block> blocks = all();
    if (blocks.size() <= kInline) {
      for (const Block& each : blocks) {
        if (each.index == index) return &each;
      }
      return nullptr;
    }
    const auto at = std::ranges::lower_bound(blocks, index, {}, &Block::index);
    return at == blocks.end() || at->index != index ? nullptr : &*at;
  }
  Block& block(uint32_t index) {
    if (const Block* known = find(index)) return const_cast<Block&>(*known);
    if (count_ < kInline && heap_.empty()) {
      uint32_t at = count_++;
      for (; at > 0 && inline_[at - 1].index > index; --at) inline_[at] = inline_[at - 1];
      return inline_[at] = {index, {}};
    }
    if (heap_.empty()) heap_.assign(inline_.begin(), inline_.end());
    const auto at = std::ranges::lower_bound(heap_, index, {}, &Block::index);
    return *heap_.insert(at, {index, {}});
  }
  [[nodiscard]] uint32_t epoch(uint32_t thread) const {
    const Block* known = find(thread / kWidth);
    return known == nullptr ? 0 : known->epochs[thread % kWidth];
  }
  uint32_t& epoch(uint32_t thread) { return block(thread / kWidth).epochs[thread % kWidth]; }

 private:
  static constexpr uint32_t kInline = 3;  ///< the cores of a block

  uint32_t count_ = 0;
  std::array<Block, kInline> inline_;  ///< the first `count_` of them
  std::vector<Block> heap_;            ///< all blocks, where there are more than `kInline`
};

template <typename Storage>
class VectorClock {
  using Block = typename Storage::Block;

 public:
  [[nodiscard]] uint32_t operator[](uint32_t thread) const { return storage_.epoch(thread); }
  void set(uint32_t thread, uint32_t epoch) { storage_.epoch(thread) = epoch; }
  /// Whether the other one knows of anything later.
  [[nodiscard]] bool is_older_than(const VectorClock& other) const {
    static constexpr Block kNothing{};
    return std::ranges::any_of(other.storage_.all(), [&](const Block& theirs) {
      const Block* mine = storage_.find(theirs.index);
      if (mine == nullptr) mine = &kNothing;
      bool later = false;
      for (size_t i = 0; i < theirs.epochs.size(); ++i) later |= theirs.epochs[i] > mine->epochs[i];
      return later;
    });
  }
  /// The least clock that knows what both know.
  void merge(const VectorClock& other) {
    for (const Block& theirs : other.storage_.all()) {
      Block& mine = storage_.block(theirs.index);
      for (size_t i = 0; i < theirs.epochs.size(); ++i)
        mine.epochs[i] = std::max(mine.epochs[i], theirs.epochs[i]);
    }
  }
  /// Appends the clock as bytes; `read` is the inverse.
  void write(std::string& out) const {
    const std::span<const Block> blocks = storage_.all();
    out.append(reinterpret_cast<const char*>(blocks.data()), blocks.size_bytes());
  }
  static VectorClock read(std::string_view bytes) {
    VectorClock clock;
    for (; bytes.size() >= sizeof(Block); bytes.remove_prefix(sizeof(Block))) {
      Block block;
      std::memcpy(&block, bytes.data(), sizeof block);
      clock.storage_.block(block.index) = block;
    }
    return clock;
  }

 private:
  Storage storage_;
};

template <uint32_t kThreads>
using DenseClock = VectorClock<DenseBlocks<kThreads>>;
template <uint32_t kWidth>
using SparseClock = VectorClock<SparseBlocks<kWidth>>;

}  // namespace pto::order
