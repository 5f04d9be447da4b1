// What instructions and their memory accesses report while they run: faults become findings,
// accesses become events, and work on bytes goes to the host's workers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "exec/fault_sink.hpp"
#include "pto/simulator.hpp"
#include "sim/engine/current_instruction.hpp"
#include "sim/engine/device_state.hpp"
#include "sim/engine/event_tap.hpp"
#include "sim/engine/host_workers.hpp"
#include "sim/engine/watch_output.hpp"
#include "sim/findings/engine_findings.hpp"
#include "sim/memory/device_memory.hpp"

namespace pto::sim {

template <typename Tap>
class InstructionReports final : public exec::FaultSink, public AccessListener {
 public:
  InstructionReports(Device& device, FindingList& findings, Tap& tap, const CurrentInstruction& current,
                     WatchOutput& watch)
      : d_(device), findings_(findings), tap_(tap), current_(current), watch_(watch) {}

  // ---- FaultSink
  void fault(const exec::Context& context, exec::Fault kind, std::string message) override;
  void misaligned(const exec::Context& context, Space space, uint64_t address, uint64_t unit,
                  std::string message) override;
  void print(const exec::Context&, std::string text) override { watch_.print(std::move(text)); }
  [[nodiscard]] bool is_in_argument(uint64_t address, uint64_t bytes) override;
  void inexact(const exec::Context& context, std::string message) override;
  void beyond_table(const exec::Context& context, std::string message, Fix help) override;
  bool work_begins(const exec::Context& context) override;
  void work(std::function<void()> piece) override { workers_->add(std::move(piece)); }
  void work_ends() override { workers_->end(); }

  // ---- AccessListener
  void out_of_bounds(Space space, uint64_t addr, std::string message, std::string argument) override;
  void footprint(FootprintEvent event) override;
  void beyond(FootprintEvent event) override;
  void cache_cleaned(uint64_t addr, bool all) override;

  // ---- workers: none when everything is done at once
  void prepare_workers(unsigned threads);
  void finish_work(uint32_t block) {
    if (workers_) workers_->finish(block);
  }
  void finish_work() {
    if (workers_) workers_->finish();
  }

 private:
  Device& d_;
  FindingList& findings_;
  Tap& tap_;
  const CurrentInstruction& current_;
  WatchOutput& watch_;
  std::optional<Workers> workers_;
};

}  // namespace pto::sim
