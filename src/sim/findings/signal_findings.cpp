// Waits for signals of other cores, and for cores that meet.
#include "sim/findings/signal_findings.hpp"

#include <fmt/format.h>

#include <string_view>

#include "isa/row.hpp"

namespace pto::sim {
namespace {

std::string_view name_at(const Device& device, uint32_t pc) {
  return isa::row(device.program->ops[pc].row).name;
}

}  // namespace

void note_waiting_blocks(const Device& device, FindingList& findings) {
  const auto blocks = static_cast<uint32_t>(device.cores.size() / device.kernel->cores.size());
  if (device.next_block >= blocks || findings.size() == 0) return;
  findings.at(0).notes.push_back({fmt::format("{} of {} blocks have not started: those before them keep "
                                              "their cores until they end, so no block may "
                                              "wait for one that comes so much later",
                                              blocks - device.next_block, blocks),
                                  {},
                                  {},
                                  {}});
}

bool is_meeting(const Device& device, uint32_t pc) {
  return isa::row(device.program->ops[pc].row).opcode_class == isa::OpcodeClass::sync_all;
}

QueueWait explain_meeting(const Device& device, const Core& core, uint32_t pc, const std::string& who,
                          FindingList& findings) {
  constexpr size_t kNamed = 4;
  const std::string_view name = name_at(device, pc);
  QueueWait built;
  built.message = fmt::format("{} waits at {} for cores that do not come", who, name);
  size_t missing = 0;
  for (const auto& other : device.cores) {
    const uint32_t at = other->role->code[other->su.at].pc;
    const bool ended = other->su.block == Block::halted;
    if (other.get() == &core || (!ended && is_meeting(device, at)) || ++missing > kNamed) continue;
    built.notes.push_back(ended ? Note{fmt::format("{} has ended", core_name(device, *other)), {}, {}, {}}
                                : findings.note(at, fmt::format("{} is here", core_name(device, *other))));
  }
  if (missing > kNamed)
    built.notes.push_back({fmt::format("and {} more cores", missing - kNamed), {}, {}, {}});
  built.help = missing == 0 ? fmt::format(
                                  "every core is at {}: the kinds of core, or the number of cores that it "
                                  "names, differ from those that run",
                                  name)
                            : fmt::format("every core that takes part has to come to as many {}", name);
  return built;
}

QueueWait explain_signal(const Device& device, const Core& core, const BytecodeInst& wait, int id,
                         const std::string& who, FindingList& findings) {
  constexpr int kIdsPerVector = 16;
  constexpr size_t kNamed = 6;
  QueueWait built;
  built.message = fmt::format("{} waits for cross-core id {}, which is never signalled", who, id);
  for (const auto& other : device.cores) {
    const bool near = other.get() != &core && other->info.block == core.info.block;
    for (uint32_t at = 0; at < other->role->code.size() && built.notes.size() < kNamed; ++at) {
      const BytecodeInst& code = other->role->code[at];
      if (code.op != OpCode::sync_set) continue;
      if ((code.flags & kDynamicId) == 0 && code.id % kIdsPerVector != id % kIdsPerVector) continue;
      const bool of_all = code.b == kAllOfKind && wait.b != kOneToOne && other->info.kind == core.info.kind;
      if (!near && !of_all) continue;
      const uint64_t runs = other->runs(at);
      const std::string how =
          runs != 0 ? fmt::format("ran {} time{}", runs, runs == 1 ? "" : "s") : "did not run";
      built.notes.push_back(
          findings.note(code.pc, fmt::format("{} of id {} on {} {}", name_at(device, code.pc), code.id,
                                             core_name(device, *other), how)));
    }
  }
  built.help = !built.notes.empty() ? "as many signals as waits; between two cores of A5, AIV0 has ids 0..15 "
                                      "and AIV1 ids 16..31"
                                    : fmt::format("no other core signals id {}", id);
  return built;
}

}  // namespace pto::sim
