#include "sim/engine/chip_model.hpp"

#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

class NoCosts final : public timing::CostModel {
 public:
  timing::Cost cost(const exec::Inst&, const exec::Word*, const exec::ControlState*) override { return {}; }
  std::unique_ptr<timing::VectorFunctionTimer> vector_function() override { return nullptr; }
  [[nodiscard]] std::vector<std::string> unbound(std::span<const RowId>) const override { return {}; }
};

struct Chip {
  Device device;
  SimOptions options;
  NoCosts costs;
  NullTap tap{device, {}, false};
  ChipModel<NullTap> model{device, options, costs, tap};
  Core core;
};

uint64_t cycles(const LaneStats& stats, Stall reason) { return stats.stall[static_cast<size_t>(reason)]; }

TEST_CASE("A wait for a signal is the hub's for the last cycles that the hub held it", "[sim]") {
  Chip chip;
  chip.device.now = 100;
  chip.core.semaphores.resize(3);
  chip.core.semaphores[2].held = 30;
  LaneStats stats;
  chip.model.add_wait(chip.core, Pipe::s, stats, 40, Block::cross_core, 2, 0);
  CHECK(cycles(stats, Stall::cross_core) == 30);
  CHECK(cycles(stats, Stall::resource) == 30);
  CHECK(chip.model.use().resource_cycles[static_cast<size_t>(Resource::signals)] == 30);

  LaneStats shorter;
  chip.model.add_wait(chip.core, Pipe::s, shorter, 90, Block::cross_core, 2, 0);
  CHECK(cycles(shorter, Stall::cross_core) == 0);
  CHECK(cycles(shorter, Stall::resource) == 10);
}

TEST_CASE("A stall that ends before it begins is none", "[sim]") {
  Chip chip;
  LaneStats stats;
  chip.model.add_stall(stats, {0, Pipe::v, 10, 10, Stall::flag, 0});
  chip.model.add_stall(stats, {0, Pipe::v, 10, 7, Stall::flag, 0});
  CHECK(cycles(stats, Stall::flag) == 0);
  chip.model.add_stall(stats, {0, Pipe::v, 10, 12, Stall::flag, 0});
  CHECK(cycles(stats, Stall::flag) == 2);
}

TEST_CASE("Behind a wait a pipe picks up again some cycles after its last end", "[sim]") {
  Chip chip;
  const auto index = static_cast<unsigned>(lane_of(Pipe::v));
  chip.device.slow.fill(1);
  chip.device.now = 100;
  Lane& lane = chip.core.lanes[index];
  BytecodeInst code;
  Slot slot;
  slot.code = &code;
  timing::Cost cost;
  cost.restart = 25;
  lane.last_end = 90;
  lane.behind_wait = true;
  CHECK(chip.model.delay(chip.core, index, slot, cost).begin == 100);  // nothing ran before
  lane.behind_wait = true;
  lane.stats.instructions = 1;
  CHECK(chip.model.delay(chip.core, index, slot, cost).begin == 115);
  CHECK(cycles(lane.stats, Stall::flag) == 15);
  CHECK(chip.model.delay(chip.core, index, slot, cost).begin == 100);  // no wait in front
}

}  // namespace
}  // namespace pto::sim
