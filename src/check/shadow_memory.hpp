// What checkers remember of each byte of a memory. Mostly a program touches whole tiles again and again,
// which a tree of ranges holds in a few nodes. Blocks that it goes through word by word, in no order, become
// arrays.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <unordered_map>
#include <utility>

#include "check/interval_map.hpp"
#include "check/paged_map.hpp"

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
        [&](uint64_t from, uint64_t to) {
          tree_.update(from, to, visit);
          look_for_scattered(from, to);
        });
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
        [&](uint64_t from, uint64_t to) {
          tree_.assign(from, to, value);
          look_for_scattered(from, to);
        });
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
  [[nodiscard]] size_t arrays() const { return blocks_.size(); }

 private:
  static constexpr uint64_t kWord = 4, kBlock = 4096, kWords = kBlock / kWord;
  /// So many parts make a block an array; fewer are faster in the tree.
  static constexpr size_t kScattered = 32;

  /// What it holds is newer than what the tree still has there.
  struct Block {
    std::array<Value, kWords> values{};
    std::bitset<kWords> known;
  };

  static size_t word(uint64_t at) { return at % kBlock / kWord; }

  /// [begin, end) in order, as parts of arrays and of the tree.
  template <typename InBlock, typename InTree>
  void walk(uint64_t begin, uint64_t end, InBlock&& in_block, InTree&& in_tree) {
    if (begin >= end) return;
    if (begin / kBlock == (end - 1) / kBlock && begin % kWord == 0 && end % kWord == 0) {
      Block* const block = blocks_.find(begin / kBlock);
      return block == nullptr ? in_tree(begin, end) : in_block(*block, begin, end);
    }
    for (uint64_t at = begin; at < end;) {
      const auto next = blocks_.first_from(at / kBlock);
      const uint64_t starts = next == blocks_.end() ? end : std::max(at, next->first * kBlock);
      if (starts >= end) return in_tree(at, end);
      if (starts > at) in_tree(at, starts);
      const uint64_t stops = std::min(end, (next->first + 1) * kBlock);
      if (starts % kWord != 0 || stops % kWord != 0) {  // bytes: the tree can do that
        dissolve(next);
        at = starts;
        continue;
      }
      in_block(*next->second, starts, stops);
      at = stops;
    }
  }

  /// What is all overwritten is no longer scattered.
  void forget_within(uint64_t begin, uint64_t end) {
    if (blocks_.size() == 0 || end - begin < kBlock) return;
    const auto first = blocks_.first_from((begin + kBlock - 1) / kBlock),
               last = blocks_.first_from(end / kBlock);
    if (first != last) blocks_.erase(first, last);
  }

  /// Counts what makes the tree grow by a word or so. A block in which that goes on becomes an array.
  void look_for_scattered(uint64_t begin, uint64_t end) {
    const size_t size = tree_.size(), before = std::exchange(size_, size);
    if (size <= before || end - begin > 2 * kWord) return;
    const uint64_t number = begin / kBlock;
    size_t& grown = grown_[number];
    if (++grown != kScattered) return;
    grown = 0;
    auto result = std::make_unique<Block>();
    size_t parts = 0;
    bool words = true;
    tree_.look(number * kBlock, (number + 1) * kBlock, [&](uint64_t from, uint64_t to, const Value* value) {
      ++parts;
      words &= from % kWord == 0 && to % kWord == 0;
      for (size_t i = word(from); words && value != nullptr && from < to; ++i, from += kWord) {
        result->values[i] = *value;
        result->known.set(i);
      }
    });
    if (parts >= kScattered && words) blocks_.page_of(number) = std::move(*result);
  }

  /// Back into the tree, for good.
  void dissolve(typename Pages<Block>::Iterator at) {
    const uint64_t begin = at->first * kBlock;
    const std::unique_ptr<Block> block = std::move(at->second);
    blocks_.erase(at, std::next(at));
    for (size_t i = 0; i < kWords; ++i) {
      if (block->known[i]) tree_.assign(begin + i * kWord, begin + (i + 1) * kWord, block->values[i]);
    }
    grown_[begin / kBlock] = kScattered;  // counts on from there
  }

  Intervals<Value> tree_;
  Pages<Block> blocks_;                         ///< that are arrays
  std::unordered_map<uint64_t, size_t> grown_;  ///< by number of a block
  size_t size_ = 0;
};

}  // namespace pto::sim
