#include "sim/findings/queue_findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exec/scalar/tile_queue.hpp"
#include "sim/findings/naming.hpp"
#include "support/rounding.hpp"

namespace pto::sim {
namespace {

constexpr int kIdsPerVector = 16;

std::string entries(uint64_t n) { return fmt::format("{} entr{}", n, n == 1 ? "y" : "ies"); }

std::string name_of(const Device& device, const QueueChannel& channel) {
  return fmt::format("the tile queue of {} ({}, {} slot{})", place_of(*device.program, channel.end),
                     channel.to_vector ? "cube to vector" : "vector to cube", channel.slots,
                     channel.slots == 1 ? "" : "s");
}

/// The part of a core in a channel; null when it has none.
const QueueCounts* queue_counts_of(const Core& core, size_t channel) {
  if (channel >= core.role->queue_counts.size()) return nullptr;
  const QueueCounts& counts = core.role->queue_counts[channel];
  return counts.moved == ~0u ? nullptr : &counts;
}
uint64_t word(const Core& core, uint32_t offset) {
  return offset < core.frame.size() ? core.frame[offset] : 0;
}

/// How often the code of a core that `wanted` names ran.
template <typename Wanted>
uint64_t runs(const Core& core, Wanted wanted) {
  uint64_t total = 0;
  for (size_t at = 0; at < core.role->code.size(); ++at) {
    if (wanted(core.role->code[at])) total += core.runs(at);
  }
  return total;
}

bool is_free(const QueueChannel& channel, const BytecodeInst& code) {
  return code.id % kIdsPerVector == channel.free;
}

}  // namespace

QueueWait explain_queue_wait(const Device& device, const Core& core, const BytecodeInst& wait,
                             const std::string& who, const FindingList& findings) {
  const size_t index = wait.inst - 1;
  const QueueChannel& channel = device.kernel->channels[index];
  const bool for_slot = is_free(channel, wait);
  uint64_t entry = runs(core, [&](const BytecodeInst& code) {
    return code.op == OpCode::sync_wait && code.inst == wait.inst && code.id == wait.id;
  });
  const auto slots = static_cast<uint64_t>(std::max<int64_t>(channel.slots, 1));
  if (for_slot) {  // one wait stands for several slots
    const auto period = static_cast<uint64_t>(exec::queue_period(channel.slots));
    entry = (ceil_div(slots, period) + entry) * period;
  }
  const std::string queue = name_of(device, channel);
  QueueWait built;
  built.message = for_slot ? fmt::format(
                                 "{} waits for a free slot: entry {} goes to slot {} of {}, which is not "
                                 "given back",
                                 who, entry, entry % slots, queue)
                           : fmt::format("{} waits for entry {} (slot {}) of {}, which is never sent", who,
                                         entry, entry % slots, queue);
  for (const auto& other : device.cores) {
    const QueueCounts* part = queue_counts_of(*other, index);
    if (part == nullptr || other->info.block != core.info.block || part->consumer != for_slot) continue;
    // The signals that are due stand where the other side sends, receives or gives back.
    uint32_t place = channel.end;
    for (const BytecodeInst& code : other->role->code) {
      if (code.inst == wait.inst && (code.op == OpCode::sync_set || code.op == OpCode::sync_wait))
        place = code.pc;
      if (code.inst == wait.inst && code.op == OpCode::sync_set) break;
    }
    const uint64_t moved = word(*other, part->moved), freed = word(*other, part->freed);
    std::string how = fmt::format("{} has {} {}", core_name(device, *other), for_slot ? "received" : "sent",
                                  entries(moved));
    if (for_slot && freed != 0) how += fmt::format(" and given back {}", freed);
    const ScalarState& su = other->su;
    if (su.block == Block::halted)
      how += ", and has ended";
    else if (su.used)
      how += fmt::format(", and is at {}", place_of(*device.program, other->role->code[su.at].pc));
    built.notes.push_back(findings.note(place, std::move(how)));
  }
  if (built.notes.empty())
    built.help = "no core of this launch has the other end: run both functions together";
  else
    built.help = for_slot ? "receive every entry and give its slot back with tfree"
                          : "send as many entries as are received, in the same order on both sides";
  return built;
}

const QueueChannel* channel_of_flag(const Device& device, const Core& core, size_t id) {
  if (device.config.pair_ids != 0 && id >= device.config.pair_ids) return nullptr;
  const auto flag = static_cast<int>(id % kIdsPerVector);
  for (size_t i = 0; i < device.kernel->channels.size(); ++i) {
    const QueueChannel& channel = device.kernel->channels[i];
    if (queue_counts_of(core, i) != nullptr && (flag == channel.ready || flag == channel.free))
      return &channel;
  }
  return nullptr;
}

void report_queue_leftovers(const Device& device, FindingList& findings) {
  for (size_t i = 0; i < device.kernel->channels.size(); ++i) {
    const QueueChannel& channel = device.kernel->channels[i];
    for (const auto& core : device.cores) {
      const QueueCounts* part = queue_counts_of(*core, i);
      if (part == nullptr || !part->consumer) continue;
      uint64_t sent = 0, least = ~uint64_t{0};  // of several senders, which signal together
      for (const auto& other : device.cores) {
        const QueueCounts* theirs = queue_counts_of(*other, i);
        if (theirs == nullptr || theirs->consumer || other->info.block != core->info.block) continue;
        sent = std::max(sent, word(*other, theirs->moved));
        least = std::min(least, word(*other, theirs->moved));
      }
      const uint64_t received = word(*core, part->moved),
                     waiting = core->semaphores[static_cast<size_t>(channel.ready)].count;
      if (sent <= received || (waiting == 0 && sent == least)) continue;
      uint32_t place = channel.end;
      for (const BytecodeInst& code : core->role->code) {
        if (code.inst == i + 1 && code.op == OpCode::sync_wait) place = code.pc;
      }
      if (Diagnostic* finding = findings.add(
              FindingId::queue_left, place,
              fmt::format(
                  "{} were sent through {}, {} received {}: entry {} (slot {}) waits when the kernel ends",
                  entries(sent), name_of(device, channel), core_name(device, *core), received, received,
                  received % static_cast<uint64_t>(std::max<int64_t>(channel.slots, 1))),
              Severity::error, core->info.index)) {
        finding->help =
            "receive as many entries as are sent; on hardware the sender waits for their slots at its end";
        finding->moment = moment_at(core->info, device.now);
      }
    }
  }
}

}  // namespace pto::sim
