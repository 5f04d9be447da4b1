#include "sim/ranks/rank_windows.hpp"

#include "sim/memory/device_memory.hpp"
#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

/// A device whose events are known before.
struct ScriptedRun final : DeviceRun {
  std::vector<uint64_t> events;    ///< in the order of time
  std::vector<uint64_t> horizons;  ///< of the windows in which it ran
  void begin() override {}
  [[nodiscard]] uint64_t next() const override { return events.empty() ? ~uint64_t{0} : events.front(); }
  void advance(uint64_t horizon) override {
    horizons.push_back(horizon);
    std::erase_if(events, [&](uint64_t time) { return time < horizon; });
  }
  [[nodiscard]] bool done() const override { return events.empty(); }
  SimResult end() override { return SimResult(); }
  uint64_t let_go(uint64_t) override { return next(); }
};

struct TwoRanks {
  timing::Topology topology{.latency = 100, .bandwidth = 1};
  Links links{topology, 2};
  GlobalMemory memories[2];
  RankEndpoint ports[2] = {{0, links, memories[0], {}}, {1, links, memories[1], {}}};
  ScriptedRun runs[2];
  RankTransport transport;
  RankWindows windows{{{&runs[0], &ports[0]}, {&runs[1], &ports[1]}}, links, transport, 1};
};

TEST_CASE("A window begins at the earliest event of all ranks and is as long as the least latency",
          "[sim][ranks]") {
  TwoRanks ranks;
  ranks.runs[0].events = {10, 60, 500};
  ranks.runs[1].events = {40, 109, 110};
  CHECK(ranks.windows.run() == 600);
  CHECK(ranks.runs[0].horizons == std::vector<uint64_t>{110, 600});
  CHECK(ranks.runs[1].horizons == std::vector<uint64_t>{110, 210});
}

TEST_CASE("Windows end in front of a limit", "[sim][ranks]") {
  TwoRanks ranks;
  ranks.runs[0].events = {10, 500};
  CHECK(ranks.windows.run(400) == 110);
  CHECK(ranks.runs[0].events == std::vector<uint64_t>{500});
  CHECK(ranks.windows.run(500) == 600);
  CHECK(ranks.windows.run() == 0);
}

}  // namespace
}  // namespace pto::sim
