#include "sim/engine/event_tap.hpp"

#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

struct OrderLog final : Observer {
  std::vector<OrderEvent> events;
  uint32_t wanted = kOrder;
  [[nodiscard]] uint32_t wants() const override { return wanted; }
  void on_order(const OrderEvent& event) override { events.push_back(event); }
};

struct TwoCores {
  Device device;
  Core first, second;
  TwoCores() { second.info.index = 1; }
};

TEST_CASE("A release and an acquire of one token are reported as a pair", "[sim]") {
  TwoCores cores;
  OrderLog log;
  Observer* const observers[] = {&log};
  EventTap tap(cores.device, observers, true);
  const OrderEdge edge{cores.first, 1, cores.second, 2, 7, 3};
  const uint64_t token = tap.release(edge);
  tap.acquire(edge, token, false);
  REQUIRE(log.events.size() == 2);
  CHECK(log.events[0].release);
  CHECK_FALSE(log.events[1].release);
  CHECK_FALSE(log.events[1].last);
  for (const OrderEvent& event : log.events) {
    CHECK(event.token == token);
    CHECK(event.from_core == 0);
    CHECK(event.to_core == 1);
    CHECK(event.from == pipe_of_lane(1));
    CHECK(event.to == pipe_of_lane(2));
    CHECK(event.pc == 7);
    CHECK(event.flag == 3);
  }
  CHECK(tap.release(edge) != token);
}

TEST_CASE("An acquire without a token is not reported", "[sim]") {
  TwoCores cores;
  OrderLog log;
  Observer* const observers[] = {&log};
  EventTap tap(cores.device, observers, true);
  tap.acquire({cores.first, 1, cores.first, 2, 7}, 0);
  CHECK(log.events.empty());
}

TEST_CASE("Without footprints there are no ordering facts", "[sim]") {
  TwoCores cores;
  OrderLog log;
  Observer* const observers[] = {&log};
  EventTap tap(cores.device, observers, false);
  CHECK(tap.release({cores.first, 1, cores.first, 2, 7}) == 0);
  tap.order_lane(cores.first, 1, 7);
  CHECK(log.events.empty());
}

TEST_CASE("An observer gets the frequent events that it wants, until the tap is disconnected", "[sim]") {
  TwoCores cores;
  OrderLog log;
  log.wanted = Observer::kStalls;
  OrderLog other;
  Observer* const observers[] = {&log, &other};
  EventTap tap(cores.device, observers, true);
  tap.release({cores.first, 1, cores.first, 2, 7});
  CHECK(log.events.empty());
  CHECK(other.events.size() == 1);
  tap.disconnect();
  tap.release({cores.first, 1, cores.first, 2, 7});
  CHECK(other.events.size() == 1);
}

}  // namespace
}  // namespace pto::sim
