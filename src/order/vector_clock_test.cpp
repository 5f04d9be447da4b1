#include "order/vector_clock.hpp"

#include <random>

#include "testing/catch_main.hpp"

using namespace pto::order;

TEST_CASE("A sparse clock says what a full one says", "[report]") {
  constexpr uint32_t kThreads = 35;
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    SparseClock<7> sparse[2];
    std::array<uint32_t, kThreads> full[2] = {};
    for (int k = 0; k < 2; ++k) {
      for (auto i = random() % 6; i > 0; --i) {
        const uint32_t thread = static_cast<uint32_t>(random() % kThreads),
                       epoch = static_cast<uint32_t>(1 + random() % 3);
        sparse[k].set(thread, epoch);
        full[k][thread] = epoch;
      }
    }
    bool behind = false;
    for (uint32_t i = 0; i < kThreads; ++i) behind = behind || full[1][i] > full[0][i];
    REQUIRE(sparse[0].is_older_than(sparse[1]) == behind);
    sparse[0].merge(sparse[1]);
    for (uint32_t i = 0; i < kThreads; ++i) REQUIRE(sparse[0][i] == std::max(full[0][i], full[1][i]));
  }
}
