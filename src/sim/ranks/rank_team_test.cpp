#include "sim/ranks/rank_team.hpp"

#include <atomic>
#include <stdexcept>
#include <string>

#include "testing/catch_main.hpp"

namespace {

using pto::sim::RankThreadPool;

TEST_CASE("A team does each piece once, turn after turn", "[ranks]") {
  constexpr size_t kPieces = 7;
  constexpr int kTurns = 2000;
  for (const unsigned threads : {1U, 2U, 5U}) {
    RankThreadPool team(threads);
    std::atomic<int> done[kPieces] = {};
    for (int turn = 0; turn < kTurns; ++turn) {
      team.each(kPieces, [&](size_t i) { ++done[i]; });
      int all = 0;
      for (const auto& each : done) all += each;
      REQUIRE(all == static_cast<int>(kPieces) * (turn + 1));
    }
    for (const auto& each : done) CHECK(each == kTurns);
    team.each(0, [](size_t) { FAIL(); });
  }
}

TEST_CASE("Of what pieces throw the first one's comes out", "[ranks]") {
  RankThreadPool team(4);
  for (int time = 0; time < 50; ++time) {
    std::string thrown;
    try {
      team.each(9, [](size_t i) {
        if (i % 2 == 1) throw std::runtime_error(std::to_string(i));
      });
    } catch (const std::runtime_error& error) {
      thrown = error.what();
    }
    CHECK(thrown == "1");
    int done = 0;
    team.each(1, [&](size_t) { ++done; });
    CHECK(done == 1);
  }
}

}  // namespace
