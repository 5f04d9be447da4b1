// The engine's side of SIMT launches. Included by engine.cpp only.
#pragma once

#include <fmt/format.h>

#include "sim/engine/engine_core.hpp"

namespace pto::sim {

/// One entry of PIPE_V: the threads run to their end at its start.
template <bool kData, bool kObserved>
timing::Cost Engine<kData, kObserved>::run_threads(Core& core, Lane& lane, uint64_t serial) {
  constexpr int64_t kMaxThreads = 2048;
  constexpr uint64_t kMaxWords = uint64_t{1} << 27;  // a gigabyte of frames
  Slot& slot = lane.slot(serial);
  const Queued& queued = core.role->queued[slot.code->inst];
  const exec::Word* const block = core.block_of(slot);
  for (const Copy& copy : queued.unpack)
    std::copy_n(block + copy.from, copy.words, core.vf_frame.data() + copy.to);
  if constexpr (kObserved)
    order_acquire(core, kScalarLane, core, lane_of(Pipe::v), lane.facts(serial).issue_token, slot.code->pc);
  running_core_ = &core;
  running_pipe_ = Pipe::v;
  running_pc_ = slot.code->pc;
  running_block_end_ = core.end_of_block(slot);
  slot.settled = true;
  std::array<int64_t, 3> dims{};
  int64_t count = 1;
  bool sound = true;
  for (size_t i = 0; i < dims.size(); ++i) {
    dims[i] = static_cast<int32_t>(block[queued.dims[i]]);
    sound = sound && dims[i] > 0 && dims[i] <= kMaxThreads;
    if (sound) count *= dims[i];
  }
  if (!sound || count > kMaxThreads) {
    thread_finding("OPERAND", slot.code->pc,
                   fmt::format("a launch of {} x {} x {} threads; there can be 1 to {}", dims[0], dims[1],
                               dims[2], kMaxThreads),
                   "say how many threads there are", ~0u, {});
    return {};
  }
  if (static_cast<uint64_t>(count) * (queued.frame_end - queued.frame_begin) > kMaxWords) {
    thread_finding("UNSUPPORTED", slot.code->pc, "the values of these threads take more than a gigabyte", {},
                   ~0u, {});
    d_.stopped = true;
    return {};
  }
  core.context.control = &core.control.live();
  Warps warps({.role = *core.role,
               .queued = queued,
               .start = core.vf_frame.data(),
               .dims = dims,
               .context = core.context,
               .memory = *core.memory,
               .kept = core.kept,
               .costs = costs_,
               .host = *this,
               .data = kData,
               .races = options_.checks.races && kObserved,
               .now = d_.now,
               .core = core.info.index});
  running_threads_ = &warps;
  watch_begins();
  const timing::Cost cost = warps.run();
  running_pc_ = slot.code->pc;
  watch_ends(core);
  running_threads_ = nullptr;
  core.vector_steps += warps.steps();
  return cost;
}

/// Which thread a finding is about, in words; its loops for the finding's moment.
template <bool kData, bool kObserved>
std::string Engine<kData, kObserved>::of_thread() {
  if (running_threads_ == nullptr) return {};
  running_threads_->show(running_core_->vf_frame);
  return " by thread " + running_threads_->name();
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::thread_step_of_loop(const BytecodeInst& code, exec::Word step) {
  thread_finding("LOOP-STEP", code.pc,
                 fmt::format("the step of this loop is {}{}; it has to be positive",
                             static_cast<int64_t>(step), of_thread()),
                 {}, ~0u, {});
  d_.stopped = true;
}

/// What L2 and HBM have no time for is a wait within the launch, which is busy meanwhile.
template <bool kData, bool kObserved>
uint64_t Engine<kData, kObserved>::thread_transfer(uint64_t begin, uint64_t alone, uint64_t bytes,
                                                   const timing::GmWindow& window, bool write) {
  (write ? chip_.written_bytes : chip_.read_bytes) += bytes;
  if (!memory_ || d_.slow[static_cast<size_t>(lane_of(Pipe::v))] == 0) return begin + alone;
  const uint64_t from = d_.now + begin;
  const timing::MemorySystem::Grant grant =
      memory_->transfer(from, bytes, alone, write, sharers(*running_core_), window);
  chip_.resource_cycles[static_cast<size_t>(resource_of(grant.limit))] += grant.end - (from + alone);
  if constexpr (kObserved) {
    const TransferEvent event{
        running_core_->info.index, running_pc_, grant.end - alone, grant.end, bytes, grant.missed, write};
    observe<Observer::kTransfers>([&](Observer& o) { o.on_transfer(event); });
  }
  return grant.end - d_.now;
}

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::thread_limits(uint64_t steps, uint64_t cycles) {
  Core& core = *running_core_;
  if (core.su.instructions + core.vector_steps + steps > instruction_limit_) max_instructions_reached(core);
  if (options_.limits.cycles != 0 && d_.now + cycles > options_.limits.cycles) max_cycles_reached();
  if (steps >= options_.limits.endless_steps)
    hang(running_pc_, "the threads of this launch do not end", moment());
  if ((steps & 0xffff) == 0) poll();
  return !interrupted() && !d_.stopped;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::thread_finding(std::string_view id, uint32_t pc, std::string message,
                                              std::string help, uint32_t other_pc, std::string other) {
  Diagnostic* const finding = findings_.add(id, pc, std::move(message));
  if (finding == nullptr) return;
  if (other_pc != ~0u) finding->notes.push_back(findings_.note(other_pc, std::move(other)));
  finding->help = std::move(help);
  finding->moment = moment();
}

}  // namespace pto::sim
