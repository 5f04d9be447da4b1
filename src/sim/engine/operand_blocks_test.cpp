#include "sim/engine/operand_blocks.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <random>
#include <vector>

#include "testing/catch_main.hpp"

namespace pto::sim {

TEST_CASE("blocks of entries keep their words until the entry is done", "[sim]") {
  struct Entry {
    uint32_t block;
    std::vector<EntryBlocks::Word> words;
  };
  std::mt19937 chance(5);
  const auto below = [&](uint32_t limit) { return static_cast<uint32_t>(chance() % limit); };
  EntryBlocks blocks;
  std::array<std::deque<Entry>, 3> queues;
  size_t wrong = 0;
  const auto check = [&](const Entry& entry) {
    const EntryBlocks::Word* const words = blocks.words(entry.block);
    wrong += !std::equal(entry.words.begin(), entry.words.end(), words);
  };
  for (int step = 0; step < 20'000; ++step) {
    std::deque<Entry>& queue = queues[below(queues.size())];
    if (queue.size() == 8 || (!queue.empty() && below(3) == 0)) {
      check(queue.front());
      blocks.drop(queue.front().block);
      queue.pop_front();
      continue;
    }
    // Instructions 1 and 65 remember their last block in one place.
    const uint32_t instruction = std::array{1U, 2U, 65U, 7U}[below(4)], size = 1 + instruction % 5;
    Entry entry{0, std::vector<EntryBlocks::Word>(size)};
    for (EntryBlocks::Word& word : entry.words) word = below(2);
    const auto fill = [&](EntryBlocks::Word* words) {
      std::copy(entry.words.begin(), entry.words.end(), words);
    };
    if (below(2) == 0) {
      entry.block = blocks.make(size);
      fill(blocks.words(entry.block));
    } else {
      const auto equals = [&](const EntryBlocks::Word* words) {
        return std::equal(entry.words.begin(), entry.words.end(), words);
      };
      entry.block = blocks.share(instruction, size, equals, fill);
    }
    queue.push_back(std::move(entry));
    for (const std::deque<Entry>& each : queues) std::ranges::for_each(each, check);
  }
  CHECK(wrong == 0);
}

TEST_CASE("entries of one instruction with the same words share a block", "[sim]") {
  EntryBlocks blocks;
  const auto share = [&](uint32_t instruction, EntryBlocks::Word word) {
    return blocks.share(
        instruction, 1, [&](const EntryBlocks::Word* words) { return *words == word; },
        [&](EntryBlocks::Word* words) { *words = word; });
  };
  const uint32_t first = share(3, 10);
  CHECK(share(3, 10) == first);
  CHECK(share(3, 11) != first);
  CHECK(share(4, 11) != first);
  CHECK(blocks.make(1) != first);
  CHECK(blocks.make(0) == 0);
  blocks.drop(first);
  CHECK(*blocks.words(first) == 10);  // held by the second one
  blocks.drop(first);
  CHECK(blocks.make(1) == first);
}

}  // namespace pto::sim
