// What checkers remember of each byte of a memory. Mostly a program touches whole tiles again and again,
// which a tree of ranges holds in a few nodes. Blocks that it goes through word by word, in no order, become
// arrays.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/check/intervals.hpp"

namespace pto::sim {

/// The calls are those of Intervals; parts that lie beside each other may be told one by one.
template <typename Value>
class ShadowMemory {
 public:
  template <typename Visit>
  void update(uint64_t begin, uint64_t end, Visit&& visit) {
    walk(
        begin, end,
        [&](Block& block, uint64_t from, uint64_t to) {
          for (size_t i = word(from); from < to; ++i, from += kWord) {
            block.known.set(i);
            visit(from, from + kWord, block.values[i]);
          }
        },
        [&](uint64_t from, uint64_t to) { tree_.update(from, to, visit); });
    look_for_scattered(begin, end);
  }

  void assign(uint64_t begin, uint64_t end, const Value& value) {
    forget_within(begin, end);
    walk(
        begin, end,
        [&](Block& block, uint64_t from, uint64_t to) {
          for (size_t i = word(from); from < to; ++i, from += kWord) {
            block.known.set(i);
            block.values[i] = value;
          }
        },
        [&](uint64_t from, uint64_t to) { tree_.assign(from, to, value); });
    look_for_scattered(begin, end);
  }

  template <typename Visit>
  void look(uint64_t begin, uint64_t end, Visit&& visit) {
    walk(
        begin, end,
        [&](Block& block, uint64_t from, uint64_t to) {
          for (size_t i = word(from); from < to; ++i, from += kWord)
            visit(from, from + kWord, block.known[i] ? &std::as_const(block.values[i]) : nullptr);
        },
        [&](uint64_t from, uint64_t to) { tree_.look(from, to, visit); });
  }

  /// Blocks that are arrays.
  [[nodiscard]] size_t arrays() const { return numbers_.size(); }

 private:
  static constexpr uint64_t kWord = 4, kBlock = 4096, kWords = kBlock / kWord;
  /// So many parts make a block an array; fewer are faster in the tree.
  static constexpr size_t kScattered = 32;

  /// What it holds is newer than what the tree still has there.
  struct Block {
    std::vector<Value> values = std::vector<Value>(kWords);
    std::bitset<kWords> known;
  };

  static size_t word(uint64_t at) { return at % kBlock / kWord; }

  /// [begin, end) in order, as parts of arrays and of the tree.
  template <typename InBlock, typename InTree>
  void walk(uint64_t begin, uint64_t end, InBlock&& in_block, InTree&& in_tree) {
    for (uint64_t at = begin; at < end;) {
      const size_t next = block_from(at / kBlock);
      const uint64_t starts = next == numbers_.size() ? end : std::max(at, numbers_[next] * kBlock);
      if (starts >= end) return in_tree(at, end);
      if (starts > at) in_tree(at, starts);
      const uint64_t stops = std::min(end, (numbers_[next] + 1) * kBlock);
      if (starts % kWord != 0 || stops % kWord != 0) {  // bytes: the tree can do that
        dissolve(next);
        at = starts;
        continue;
      }
      in_block(*blocks_[next], starts, stops);
      at = stops;
    }
  }

  /// The first block that is an array, from this number on.
  [[nodiscard]] size_t block_from(uint64_t number) {
    if (near_ < numbers_.size() && numbers_[near_] == number) return near_;
    near_ = static_cast<size_t>(std::ranges::lower_bound(numbers_, number) - numbers_.begin());
    return near_;
  }

  /// What is all overwritten is no longer scattered.
  void forget_within(uint64_t begin, uint64_t end) {
    if (numbers_.empty() || end - begin < kBlock) return;
    const auto first = std::ranges::lower_bound(numbers_, (begin + kBlock - 1) / kBlock),
               last = std::ranges::lower_bound(numbers_, end / kBlock);
    if (first >= last) return;
    const auto block = blocks_.begin() + (first - numbers_.begin());
    blocks_.erase(block, block + (last - first));
    numbers_.erase(first, last);
  }

  /// Counts what makes the tree grow by a word or so. A block in which that goes on becomes an array.
  void look_for_scattered(uint64_t begin, uint64_t end) {
    const size_t size = tree_.size(), before = std::exchange(size_, size);
    if (size <= before || end - begin > 2 * kWord) return;
    const uint64_t number = begin / kBlock;
    size_t& grown = grown_[number];
    if (++grown != kScattered) return;
    grown = 0;
    Block made;
    size_t parts = 0;
    bool words = true;
    tree_.look(number * kBlock, (number + 1) * kBlock, [&](uint64_t from, uint64_t to, const Value* value) {
      ++parts;
      words &= from % kWord == 0 && to % kWord == 0;
      for (size_t i = word(from); words && value != nullptr && from < to; ++i, from += kWord) {
        made.values[i] = *value;
        made.known.set(i);
      }
    });
    if (parts < kScattered || !words) return;
    const auto at = static_cast<ptrdiff_t>(block_from(number));
    numbers_.insert(numbers_.begin() + at, number);
    blocks_.insert(blocks_.begin() + at, std::make_unique<Block>(std::move(made)));
  }

  /// Back into the tree, for good.
  void dissolve(size_t index) {
    const uint64_t begin = numbers_[index] * kBlock;
    const std::unique_ptr<Block> block = std::move(blocks_[index]);
    numbers_.erase(numbers_.begin() + static_cast<ptrdiff_t>(index));
    blocks_.erase(blocks_.begin() + static_cast<ptrdiff_t>(index));
    for (size_t i = 0; i < kWords; ++i) {
      if (block->known[i]) tree_.assign(begin + i * kWord, begin + (i + 1) * kWord, block->values[i]);
    }
    grown_[begin / kBlock] = kScattered;  // counts on from there
  }

  Intervals<Value> tree_;
  std::vector<uint64_t> numbers_;  ///< of blocks that are arrays, in order
  std::vector<std::unique_ptr<Block>> blocks_;
  std::unordered_map<uint64_t, size_t> grown_;  ///< by number of a block
  size_t size_ = 0, near_ = 0;
};

}  // namespace pto::sim
