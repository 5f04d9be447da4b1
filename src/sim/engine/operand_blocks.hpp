// The words that entries of queues captured when they issued. Loops issue the same instruction with the same
// words again and again: such entries may share a block, so that a core with full queues has little to
// remember. What is no longer held is used again first.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "target/decoded_inst.hpp"

namespace pto::sim {

class EntryBlocks {
 public:
  using Word = decode::Word;

  /// A block is known by where its words begin; 0 has none. Addresses of words hold until the next one is
  /// made.
  [[nodiscard]] Word* words(uint32_t block) { return words_.data() + block; }
  [[nodiscard]] const Word* words(uint32_t block) const { return words_.data() + block; }

  /// Of an entry of its own.
  uint32_t make(uint32_t size) { return size == 0 ? 0 : take_words(size, kNobody); }
  /// Of an instruction, by its number, that does not change its words: `equals` says whether a block holds
  /// them, `fill` puts them there.
  template <typename Equals, typename Fill>
  uint32_t share(uint32_t instruction, uint32_t size, Equals&& equals, Fill&& fill) {
    if (size == 0) return 0;
    uint32_t& last = last_[instruction % last_.size()];
    if (last != 0 && owner(last) == instruction && equals(words(last))) {
      ++uses(last);
      return last;
    }
    last = take_words(size, instruction);
    fill(words(last));
    return last;
  }
  /// An entry is done with it.
  void drop(uint32_t block) {
    if (block == 0 || --uses(block) != 0) return;
    words_[block - 1] = kNobody;
    free_[words_[block - kHead]].push_back(block);
  }
  void release() {
    words_ = std::vector<Word>(1);
    free_ = {};
    last_ = {};
  }

 private:
  /// In front of a block: its size, how many entries hold it, the instruction that shares it.
  static constexpr uint32_t kHead = 3, kNobody = ~0u;
  Word& uses(uint32_t block) { return words_[block - 2]; }
  [[nodiscard]] Word owner(uint32_t block) const { return words_[block - 1]; }

  uint32_t take_words(uint32_t size, uint32_t instruction) {
    if (size >= free_.size()) free_.resize(size + 1);
    uint32_t block = 0;
    if (free_[size].empty()) {
      block = static_cast<uint32_t>(words_.size() + kHead);
      words_.resize(words_.size() + kHead + size);
      words_[block - kHead] = size;
    } else {
      block = free_[size].back();
      free_[size].pop_back();
    }
    uses(block) = 1;
    words_[block - 1] = instruction;
    return block;
  }

  std::vector<Word> words_ = std::vector<Word>(1);  ///< of each block its head and its words
  std::vector<std::vector<uint32_t>> free_;         ///< by size
  std::array<uint32_t, 64> last_{};                 ///< by instruction: the block of its last entry
};

}  // namespace pto::sim
