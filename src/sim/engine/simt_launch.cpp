#include "sim/engine/simt_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace pto::sim {

template <typename Tap>
SimtLaunch<Tap>::SimtLaunch(RunParts<Tap>& parts, bool data)
    : d_(parts.device),
      options_(parts.options),
      costs_(parts.costs),
      findings_(parts.findings),
      current_(parts.current),
      monitor_(parts.monitor),
      chip_(parts.chip),
      watch_(parts.watch),
      data_(data) {}

template <typename Tap>
timing::Cost SimtLaunch<Tap>::run(Core& core, Lane& lane, uint64_t serial) {
  Slot& slot = lane.slot(serial);
  const uint32_t pc = slot.code->pc;
  const Queued& queued = core.role->queued[slot.code->inst];
  const exec::Word* const block = core.block_of(slot);
  for (const Copy& copy : queued.unpack)
    std::copy_n(block + copy.from, copy.words, core.vf_frame.data() + copy.to);
  current_.enter_entry(core, Pipe::v, slot);
  slot.settled = true;
  const std::optional<Dims> dims = dimensions(queued, block, pc);
  if (!dims) return {};
  core.context.control = &core.control.live();
  Warps warps({.role = *core.role,
               .queued = queued,
               .start = core.vf_frame.data(),
               .dims = *dims,
               .context = core.context,
               .memory = *core.memory,
               .kept = core.kept,
               .costs = costs_,
               .host = *this,
               .data = data_,
               .races = options_.checks.races && Tap::kEnabled,
               .now = d_.now,
               .core = core.info.index});
  current_.set_threads(&warps);
  watch_.begin_instruction();
  const timing::Cost cost = warps.run();
  current_.set_pc(pc);
  watch_.end_instruction(core);
  current_.set_threads(nullptr);
  core.vector_steps += warps.steps();
  return cost;
}

template <typename Tap>
auto SimtLaunch<Tap>::dimensions(const Queued& queued, const exec::Word* block, uint32_t pc)
    -> std::optional<Dims> {
  constexpr int64_t kMaxThreads = 2048;
  constexpr uint64_t kMaxWords = uint64_t{1} << 27;  // a gigabyte of frames
  Dims dims{};
  int64_t count = 1;
  bool sound = true;
  for (size_t i = 0; i < dims.size(); ++i) {
    dims[i] = static_cast<int32_t>(block[queued.dims[i]]);
    sound = sound && dims[i] > 0 && dims[i] <= kMaxThreads;
    if (sound) count *= dims[i];
  }
  if (!sound || count > kMaxThreads) {
    thread_finding(FindingId::operand, pc,
                   fmt::format("a launch of {} x {} x {} threads; there can be 1 to {}", dims[0], dims[1],
                               dims[2], kMaxThreads),
                   "say how many threads there are", ~0u, {});
    return std::nullopt;
  }
  if (static_cast<uint64_t>(count) * (queued.frame_end - queued.frame_begin) > kMaxWords) {
    thread_finding(FindingId::unsupported, pc, "the values of these threads take more than a gigabyte", {},
                   ~0u, {});
    d_.stopped = true;
    return std::nullopt;
  }
  return dims;
}

// ---- ThreadHost

template <typename Tap>
void SimtLaunch<Tap>::thread_unknown(const BytecodeInst& code) {
  monitor_.stop_at_unknown(current_.core(), code);
}

template <typename Tap>
bool SimtLaunch<Tap>::thread_check(const BytecodeInst& code, const exec::Word* frame) {
  const bool unknown = !data_ && (code.flags & kUnknown) != 0;
  if (unknown || (frame[code.a] & 1) != 0) return true;
  monitor_.stop_at_assertion(current_.core(), code);
  return false;
}

template <typename Tap>
void SimtLaunch<Tap>::thread_step_of_loop(const BytecodeInst& code, exec::Word step) {
  thread_finding(FindingId::loop_step, code.pc,
                 fmt::format("the step of this loop is {}{}; it has to be positive",
                             static_cast<int64_t>(step), current_.thread_name()),
                 {}, ~0u, {});
  d_.stopped = true;
}

template <typename Tap>
uint64_t SimtLaunch<Tap>::thread_transfer(uint64_t begin, uint64_t alone, uint64_t bytes,
                                          const timing::GmWindow& window, bool write) {
  return chip_.transfer_of_threads(current_.core(), current_.pc(), begin, alone, bytes, window, write);
}

template <typename Tap>
bool SimtLaunch<Tap>::thread_limits(uint64_t steps, uint64_t cycles) {
  return monitor_.is_within_limits(current_.core(), {.pc = current_.pc(),
                                                     .steps = steps,
                                                     .uncounted = steps,
                                                     .cycles = cycles,
                                                     .hang = "the threads of this launch do not end"});
}

template <typename Tap>
void SimtLaunch<Tap>::thread_finding(FindingId id, uint32_t pc, std::string message, Fix help,
                                     uint32_t other_pc, std::string other) {
  Diagnostic* const finding = findings_.add(id, pc, std::move(message));
  if (finding == nullptr) return;
  if (other_pc != ~0u) finding->notes.push_back(findings_.note(other_pc, std::move(other)));
  finding->help = std::move(help);
  finding->moment = current_.moment();
}

template class SimtLaunch<NullTap>;
template class SimtLaunch<EventTap>;

}  // namespace pto::sim
