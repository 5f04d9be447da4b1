// Work on several threads leaves the bytes of one thread.
#include "sim/engine/host_workers.hpp"

#include <array>
#include <random>
#include <stdexcept>
#include <vector>

#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

constexpr uint64_t kMuch = 1 << 20;  ///< bytes that are worth a thread

}  // namespace

TEST_CASE("rows of GM overlap when bytes of theirs do, and never seem apart when they are not", "[threads]") {
  CHECK(overlap({0, 10}, {9, 20}));
  CHECK_FALSE(overlap({0, 10}, {10, 20}));
  const GmRows left{0, 100 * 64, 16, 64}, right{16, 100 * 64, 16, 64}, both{8, 100 * 64, 16, 64};
  CHECK_FALSE(overlap(left, right));
  CHECK(overlap(left, both));
  CHECK(overlap(right, both));
  CHECK(overlap(left, {100, 200, 16, 32}));  // another pitch: perhaps
  CHECK(overlap({48, 1000, 20, 64}, left));  // runs into the next row
  CHECK_FALSE(overlap({48, 1000, 16, 64}, left));
}

TEST_CASE("pieces of one block are done in their order, and pieces that share GM in the order of the engine",
          "[threads]") {
  constexpr uint32_t kBlocks = 7;
  constexpr size_t kCells = 12, kPieces = 4000;
  for (const unsigned threads : {1u, 2u, 3u, 5u}) {
    std::vector<uint32_t> expected_gm(kCells), gm(kCells), expected_chip(kBlocks), chip(kBlocks);
    std::mt19937 engine(threads);
    const auto random = [&engine] { return static_cast<uint32_t>(engine()); };
    Workers workers(threads, kBlocks);
    const auto step = [](uint32_t& to, uint32_t from, uint32_t by) { to = to * 31 + from * 7 + by; };
    for (uint32_t i = 0; i < kPieces; ++i) {
      const uint32_t block = random() % kBlocks;
      const size_t from = random() % kCells, to = random() % kCells;
      const uint64_t size = random() % 8 == 0 ? 1 : kMuch;
      workers.begin(block);
      workers.touch_chip(block, size);
      workers.touch_gm({from, from + 1}, false);
      workers.touch_gm({to, to + 1}, true);
      workers.add([&, block, from, to, i] {
        step(chip[block], gm[from], i);
        step(gm[to], chip[block], i);
      });
      workers.end();
      step(expected_chip[block], expected_gm[from], i);
      step(expected_gm[to], expected_chip[block], i);
      if (random() % 64 != 0) continue;
      // Somebody looks.
      workers.touch_chip(block, 1);
      CHECK(chip[block] == expected_chip[block]);
      workers.touch_gm({to, to + 1}, false);
      CHECK(gm[to] == expected_gm[to]);
      workers.touch_gm({from, from + 1}, true);
      step(gm[from], 1, i);
      step(expected_gm[from], 1, i);
    }
    workers.finish();
    CHECK(gm == expected_gm);
    CHECK(chip == expected_chip);
  }
}

TEST_CASE("what a piece throws is raised where its bytes are waited for", "[threads]") {
  Workers workers(3, 2);
  workers.begin(1);
  workers.touch_chip(1, kMuch);
  workers.add([] { throw std::runtime_error("no room"); });
  workers.end();
  CHECK_THROWS_AS(workers.finish(), std::runtime_error);
  workers.finish();
}

}  // namespace pto::sim
