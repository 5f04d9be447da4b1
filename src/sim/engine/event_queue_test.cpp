#include "sim/engine/event_queue.hpp"

#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

TEST_CASE("Of the events of one time, completions come before the scalar unit and it before starts",
          "[sim]") {
  Core core;
  core.at.fill(kNever);
  CHECK(next_of(core).time == kNever);
  core.at[kStartAt + 2] = 5;
  CHECK(next_of(core).agent == kStartAt + 2);
  core.at[kScalarAt] = 5;
  CHECK(next_of(core).agent == kScalarAt);
  core.at[kCompleteAt + 3] = 5;
  CHECK(next_of(core).agent == kCompleteAt + 3);
  core.at[kStartAt + 1] = 4;
  CHECK(next_of(core).time == 4);
}

TEST_CASE("A core that is woken by another one is rescheduled, never later than before", "[sim]") {
  EventQueue queue;
  queue.ready = ReadyTree(2);
  queue.ready.set(0, 3);
  queue.ready.set(1, 9);
  Core core;
  core.info.index = 1;
  core.at.fill(kNever);
  core.at[kScalarAt] = 6;
  queue.reschedule(core);
  CHECK(queue.disturbed);
  CHECK(queue.ready.time(1) == 6);
  core.at[kScalarAt] = 8;
  queue.reschedule(core);
  CHECK(queue.ready.time(1) == 6);
  CHECK(queue.ready.time(0) == 3);
}

}  // namespace
}  // namespace pto::sim
