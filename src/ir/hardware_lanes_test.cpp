#include "ir/hardware_lanes.hpp"

#include <set>

#include "testing/catch_main.hpp"

namespace pto {
namespace {

TEST_CASE("lanes: the scalar unit first, then the queues along the way of the data", "[lanes]") {
  CHECK(lane_of(Pipe::s) == 0);
  CHECK(lane_of(Pipe::mte2) == 1);
  CHECK(lane_of(Pipe::mte1) == 2);
  CHECK(lane_of(Pipe::m) == 3);
  CHECK(lane_of(Pipe::v) == 4);
  CHECK(lane_of(Pipe::fix) == 5);
  CHECK(lane_of(Pipe::mte3) == 6);
  CHECK(kLanes == 7);
}

TEST_CASE("lanes: names for pipes, not places to run at, have none", "[lanes]") {
  CHECK(lane_of(Pipe::all) == kNoLane);
  CHECK(lane_of(Pipe::none) == kNoLane);
}

TEST_CASE("lanes: every lane is one pipe", "[lanes]") {
  std::set<Pipe> seen;
  for (int lane = 0; lane < kLanes; ++lane) {
    CHECK(lane_of(pipe_of_lane(lane)) == lane);
    seen.insert(pipe_of_lane(lane));
  }
  CHECK(seen.size() == 7);
}

}  // namespace
}  // namespace pto
