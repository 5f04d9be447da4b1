#include "sim/engine/engine_run.hpp"

#include <algorithm>
#include <vector>

#include "sim/engine/scheduler.hpp"
#include "support/host_threads.hpp"

namespace pto::sim {

namespace {

template <bool kData, typename Tap>
class Engine final : public DeviceRun {
 public:
  Engine(Device& device, const SimOptions& options, timing::CostModel& costs,
         std::span<Observer* const> observers)
      : d_(device), options_(options), costs_(costs), parts_(device, options, costs, observers, kData) {}

  void begin() override;
  void advance(uint64_t horizon) override { scheduler_.advance(horizon); }
  [[nodiscard]] uint64_t next() const override { return scheduler_.next(); }
  [[nodiscard]] bool done() const override { return d_.stopped || scheduler_.has_finished(); }
  SimResult end() override;
  uint64_t let_go(uint64_t now) override;

 private:
  void report_start();
  void connect_memory();
  void add_final_findings(bool hangs);
  SimResult result();
  void add_stats(SimResult& result, const Core& core, Pipe pipe, LaneStats stats, uint64_t accounted,
                 Block block);

  Device& d_;
  const SimOptions& options_;
  timing::CostModel& costs_;
  RunParts<Tap> parts_;
  Scheduler<kData, Tap> scheduler_{parts_};
};

// ---- begin

template <bool kData, typename Tap>
void Engine<kData, Tap>::begin() {
  report_start();
  if constexpr (kData) parts_.watch.prepare();
  connect_memory();
  scheduler_.prepare_waves();
  parts_.chip.prepare();
  if constexpr (kData) parts_.reports.prepare_workers(host_threads(options_.threads));
  parts_.tap.observe([&](Observer& o) { o.on_launch(parts_.chip.launch_cycles()); });
  scheduler_.begin();
}

template <bool kData, typename Tap>
void Engine<kData, Tap>::report_start() {
  if constexpr (Tap::kEnabled) {
    std::vector<CoreInfo> infos;
    for (const auto& core : d_.cores) infos.push_back(core->info);
    parts_.tap.observe([&](Observer& o) { o.on_context(parts_.current); });
    parts_.tap.observe([&](Observer& o) { o.on_start(infos, *d_.program); });
    if (parts_.tap.steps() != nullptr) {
      parts_.tap.steps()->on_machine(*d_.machine);
      costs_.count_conflicts();
    }
    for (const GlobalMemory::Allocation& a : d_.gm.allocations()) {
      parts_.tap.observe(
          [&](Observer& o) { o.on_argument(a.argument, a.name, a.addr, a.bytes, a.initialised); });
    }
  }
}

template <bool kData, typename Tap>
void Engine<kData, Tap>::connect_memory() {
  for (const auto& core : d_.cores) {
    core->captures_loops = kData;
    core->context.faults = &parts_.reports;
    core->memory->listener = &parts_.reports;
    core->memory->report_footprints = (Tap::kEnabled || parts_.watch.is_watching()) && kData;
    core->memory->only_bounds = !kData;
  }
}

// ---- end

template <bool kData, typename Tap>
SimResult Engine<kData, Tap>::end() {
  parts_.reports.finish_work();
  const bool hangs = !d_.stopped && !scheduler_.has_finished();
  if (!d_.stopped) add_final_findings(hangs);
  SimResult out = result();
  out.ended = !d_.stopped && !hangs;
  out.deadlock = hangs || scheduler_.relief().core != nullptr;
  out.interrupted = parts_.monitor.was_interrupted();
  for (const auto& core : d_.cores) out.cores.push_back(core->info);
  if (parts_.tap.steps() != nullptr) parts_.tap.steps()->on_conflicts(costs_.conflicts());
  parts_.tap.observe([&](Observer& o) { o.on_finish(out.kernel_cycles()); });
  return out;
}

template <bool kData, typename Tap>
void Engine<kData, Tap>::add_final_findings(bool hangs) {
  // Cores that wait for other devices are explained together (run/simulate_ranks.cpp).
  const bool sleeps = std::ranges::any_of(d_.cores, [](const auto& core) { return core->su.asleep; });
  const QueueRelief& relief = scheduler_.relief();
  if (hangs && !sleeps)
    explain_deadlock(d_, parts_.findings);
  else if (relief.core != nullptr)
    explain_queue_deadlock(d_, *relief.core, relief.lane, relief.pc, relief.depth, d_.config.queue_depth,
                           parts_.findings);
  if (!hangs) report_leftovers(d_, parts_.findings);
}

template <bool kData, typename Tap>
uint64_t Engine<kData, Tap>::let_go(uint64_t now) {
  parts_.watch.disconnect();
  parts_.tap.disconnect();
  scheduler_.release_polls(now);
  return next();
}

template <bool kData, typename Tap>
SimResult Engine<kData, Tap>::result() {
  SimResult result;
  uint64_t total = 0;
  for (const auto& core : d_.cores) {
    total = std::max(total, core->su.time);
    for (const Lane& lane : core->lanes) total = std::max({total, lane.last_end, lane.idle_from});
  }
  if (!scheduler_.has_finished()) total = std::max({total, d_.now, parts_.queue.latest});
  result.total_cycles = total;
  result.unknown_cost = costs_.unknown();
  for (const auto& core : d_.cores) {
    result.instructions += core->su.instructions + core->vector_steps;
    for (unsigned i = kFirstQueue; i < kLanes; ++i) {
      const Lane& lane = core->lanes[i];
      if (lane.issued != 0) add_stats(result, *core, pipe_of_lane(i), lane.stats, lane.idle_from, lane.block);
    }
    if (core->su.used) add_stats(result, *core, Pipe::s, core->su.stats, core->su.time, core->su.block);
  }
  result.launch_cycles = parts_.chip.launch_cycles();
  result.total_cycles += result.launch_cycles;
  result.chip = parts_.chip.use();
  std::ranges::copy(scheduler_.basis_cycles(), result.basis_cycles);
  result.findings = parts_.findings.take_findings();
  result.double_sets = parts_.sync.double_sets();
  return result;
}

template <bool kData, typename Tap>
void Engine<kData, Tap>::add_stats(SimResult& result, const Core& core, Pipe pipe, LaneStats stats,
                                   uint64_t accounted, Block block) {
  const bool waits = block != Block::none && block != Block::halted;
  const Stall reason = waits ? stall_of(block) : Stall::finished;
  if (accounted < result.total_cycles) {
    stats.stall[static_cast<size_t>(reason)] += result.total_cycles - accounted;
    parts_.tap.template observe<Observer::kStalls>([&](Observer& o) {
      o.on_stall({core.info.index, pipe, accounted, result.total_cycles, reason, ~0u});
    });
  }
  PipeStats out;
  out.core = core.info.index;
  out.pipe = pipe;
  out.busy_cycles = stats.busy;
  out.instructions = pipe == Pipe::s ? core.su.instructions : stats.instructions;
  std::ranges::copy(stats.stall, out.stall_cycles);
  result.pipes.push_back(out);
}

}  // namespace

std::unique_ptr<DeviceRun> make_engine(Device& device, const SimOptions& options, timing::CostModel& costs,
                                       std::span<Observer* const> observers) {
  const auto make = [&]<bool kData, typename Tap>() -> std::unique_ptr<DeviceRun> {
    return std::make_unique<Engine<kData, Tap>>(device, options, costs, observers);
  };
  const bool data = options.mode != Mode::time;
  if (observers.empty())
    return data ? make.template operator()<true, NullTap>() : make.template operator()<false, NullTap>();
  return data ? make.template operator()<true, EventTap>() : make.template operator()<false, EventTap>();
}

}  // namespace pto::sim
