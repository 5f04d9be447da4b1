#include "sim/engine/ready_tree.hpp"

#include <random>

#include "testing/catch_main.hpp"

using namespace pto::sim;

TEST_CASE("The tournament gives the earliest core and the next one, ties to the lower index", "[sim]") {
  for (const size_t cores : {1u, 2u, 3u, 7u, 64u, 65u}) {
    std::mt19937 random(static_cast<unsigned>(cores));
    ReadyTree turns(cores);
    std::vector<uint64_t> times(cores, kNever);
    for (int round = 0; round < 2000; ++round) {
      const size_t core = random() % cores;
      times[core] = random() % 8 == 0 ? kNever : random() % 16;
      turns.set(core, times[core]);
      size_t first = 0;
      for (size_t i = 1; i < cores; ++i) first = times[i] < times[first] ? i : first;
      size_t second = cores;
      for (size_t i = 0; i < cores; ++i) {
        if (i != first && (second == cores || times[i] < times[second])) second = i;
      }
      REQUIRE(turns.first() == first);
      REQUIRE(turns.time(turns.first()) == times[first]);
      if (second == cores || times[second] == kNever) {
        REQUIRE((turns.second() == turns.first() || turns.time(turns.second()) == kNever));
      } else {
        REQUIRE(turns.second() == second);
      }
    }
  }
}
