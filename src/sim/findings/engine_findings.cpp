#include "sim/findings/engine_findings.hpp"

#include <fmt/format.h>

#include "ir/value_names.hpp"
#include "sim/findings/flag_advice.hpp"
#include "sim/findings/naming.hpp"
#include "sim/findings/queue_findings.hpp"

namespace pto::sim {

Diagnostic* FindingList::add(FindingId id, uint32_t pc, std::string message, Severity severity,
                             uint32_t which) {
  if (!seen_.add({id, pc, which}, severity)) return nullptr;
  const size_t before = size();
  Diagnostic& added = list_.add(finding(*program_, id, pc, std::move(message), severity));
  return size() == before ? nullptr : &added;
}

Note FindingList::note(uint32_t pc, std::string message) const {
  return note_at(*program_, pc, std::move(message));
}

std::string core_name(const Device& device, const Core& core) {
  std::string name = spoken_name(core.info);
  if (device.cores.back()->info.block > 0) name += fmt::format(" of block {}", core.info.block);
  return name;
}

std::string flag_name(unsigned src, unsigned dst, int id) {
  return isa::to_string(isa::FlagName{pipe_of_lane(src), pipe_of_lane(dst), id});
}

std::string place_of(const Program& program, uint32_t pc) {
  if (pc >= program.ops.size() || program.ops[pc].where.line == 0) return fmt::format("operation {}", pc);
  return fmt::format("line {}", program.ops[pc].where.line);
}

/// Board cases signal both vector cores of a block and run their vector code on one of them: `core` does
/// nothing, or the other one takes the signals of this id.
bool for_the_other_vector_core(const Device& device, const Core& core, size_t semaphore) {
  const auto idle = [](const Core& one) {
    return std::ranges::none_of(one.semaphores, &Semaphore::taken) &&
           std::ranges::all_of(one.lanes, [](const Lane& lane) { return lane.stats.instructions == 0; });
  };
  return core.info.kind == CoreKind::aiv && std::ranges::any_of(device.cores, [&](const auto& other) {
           return other.get() != &core && other->info.kind == CoreKind::aiv &&
                  other->info.block == core.info.block &&
                  (other->semaphores[semaphore].taken || (idle(core) && !idle(*other)));
         });
}

void report_leftovers(const Device& device, FindingList& findings) {
  const EngineConfig& config = device.config;
  report_queue_leftovers(device, findings);
  for (const auto& owner : device.cores) {
    const Core& core = *owner;
    for (unsigned src = 0; src < (config.key_has_src ? kLanes : 1); ++src) {
      for (unsigned dst = 0; dst < kLanes; ++dst) {
        for (unsigned id = 0; id < config.event_ids; ++id) {
          const uint32_t index = config.flag_index(src, dst, id);
          const uint32_t sets = core.flags.count(index);
          if (sets == 0) continue;
          const Pending& set = core.flags.oldest(index);
          if (Diagnostic* finding =
                  findings.add(FindingId::flag_left, set.pc,
                               fmt::format("{} is still set when the kernel ends on {}{}",
                                           flag_name(src, dst, static_cast<int>(id)), core_name(device, core),
                                           sets > 1 ? fmt::format(" ({} sets)", sets) : ""))) {
            finding->help = advice_on_extra_set(device, core,
                                                {pipe_of_lane(src), pipe_of_lane(dst), static_cast<int>(id)});
            if (finding->help.empty())
              finding->help = "every set_flag needs its wait_flag; the next kernel would find the flag set";
            finding->moment = moment_at(core.info, set.time);
          }
        }
      }
    }
    for (size_t id = 0; id < core.semaphores.size(); ++id) {
      const Semaphore& semaphore = core.semaphores[id];
      if (semaphore.count == 0 || channel_of_flag(device, core, id) != nullptr) continue;
      if (Diagnostic* finding = findings.add(
              FindingId::cross_left, semaphore.last_set,
              fmt::format("cross-core id {} of {} has {} pending signal{} when the kernel ends",
                          config.id_of(id), core_name(device, core), semaphore.count,
                          semaphore.count == 1 ? "" : "s"),
              for_the_other_vector_core(device, core, id) ? Severity::warning : Severity::error)) {
        finding->help = "wait as often as the id is signalled; the next kernel would find the signals";
        finding->moment = moment_at(core.info, device.now);
      }
    }
    for (size_t id = 0; id < core.buffers.size(); ++id) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const int held = core.buffers[id].held[lane];
        if (held == 0) continue;
        const BufferToken& token = core.buffers[id];
        const std::string who =
            fmt::format("{} of {}", to_string(pipe_of_lane(lane)), core_name(device, core));
        const std::string times = std::abs(held) == 1 ? "once" : fmt::format("{} times", std::abs(held));
        Diagnostic* const finding =
            held > 0
                ? findings.add(
                      FindingId::buf_left, token.last_get[lane],
                      fmt::format("{} got buffer id {} {} more often than it released it", who, id, times))
                : findings.add(
                      FindingId::buf_left, token.last_release[lane],
                      fmt::format("{} released buffer id {} {} more often than it got it", who, id, times));
        if (finding != nullptr) {
          finding->help = held > 0 ? advice_on_extra_get(device, core, lane, static_cast<int>(id))
                                   : advice_on_extra_release(device, core, lane, static_cast<int>(id),
                                                             token.last_release[lane]);
          if (finding->help.empty())
            finding->help = "every get_buf needs its rls_buf, and every rls_buf its get_buf";
          finding->moment = moment_at(core.info, device.now);
        }
      }
    }
  }
}

void explain_queue_deadlock(const Device& device, const Core& core, unsigned lane, uint32_t pc,
                            uint64_t depth, uint64_t needed, FindingList& findings) {
  Diagnostic* finding = findings.add(
      FindingId::deadlock, pc,
      fmt::format(
          "{} hangs: its scalar unit waits for room in the queue of {}, which holds {} entries, and nothing "
          "can start before the scalar unit goes on",
          core_name(device, core), to_string(pipe_of_lane(lane)), depth));
  if (finding == nullptr) return;
  finding->help = fmt::format(
      "issue the operations that the queued instructions wait for earlier; queues of {} entries would be "
      "deep enough",
      needed);
}

}  // namespace pto::sim
