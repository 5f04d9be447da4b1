#include "sim/engine/sync/core_sync.hpp"

#include <fmt/format.h>

#include <string>

#include "sim/engine/iteration_vector.hpp"
#include "sim/findings/flag_advice.hpp"

namespace pto::sim {

/// Of the entry of a pipe that is complete, or of the scalar unit.
template <typename Tap>
Moment CoreSync<Tap>::moment_of_lane(const Core& core, unsigned lane) const {
  if (lane == kScalarLane) return monitor_.scalar_moment(core);
  return moment_of_entry(*d_.program, core, core.lanes[lane], core.lanes[lane].done, d_.now);
}

// ---- flags

/// With the sets of the flag that are under way in the queues [first, end).
template <typename Tap>
[[gnu::cold, gnu::noinline]] bool CoreSync<Tap>::has_room_among(const Core& core, const BytecodeInst& code,
                                                                int id, unsigned first, unsigned end) const {
  const uint32_t flag = flag_index(code.src, code.dst, id);
  const uint64_t room = skips_.skips(code)
                            ? d_.config.flag_places
                            : d_.config.flag_capacity + skips_.debts(core, flag, WaitSkips::Kind::flag);
  uint64_t sets = core.flags.count(flag);
  for (unsigned index = first; index < end; ++index) {
    const Lane& lane = core.lanes[index];
    for (uint64_t serial = lane.done; serial < lane.started; ++serial) {
      const Slot& other = lane.slot(serial);
      sets += other.code->op == OpCode::set_flag && other.code->dst == code.dst && other.id == id;
    }
  }
  return sets < room;
}

template <typename Tap>
Diagnostic* CoreSync<Tap>::add_double_set(const Core& core, const BytecodeInst& code, int id) {
  const uint32_t index = flag_index(code.src, code.dst, id);
  const uint32_t capacity = d_.config.flag_capacity;
  const uint32_t sets = core.flags.count(index);
  const bool lost = d_.config.flags == FlagKind::bit && sets >= capacity;
  const bool counts = d_.config.flags != FlagKind::bit_stall;
  const bool full = d_.config.flags == FlagKind::counter && sets >= capacity;
  const Severity severity = lost ? Severity::error : Severity::warning;
  if (!lost) double_sets_.insert(code.pc);
  if (findings_.raised(full ? FindingId::flag_overflow : FindingId::flag_double, code.pc, severity))
    return nullptr;
  const std::string flag = flag_name(code.src, code.dst, id);
  const std::string_view source = to_string(pipe_of_lane(code.src));
  Diagnostic* const finding =
      full ? findings_.add(FindingId::flag_overflow, code.pc,
                           fmt::format("{} holds {} sets that no wait has taken: {} waits here until one is",
                                       flag, sets, source),
                           Severity::warning)
           : findings_.add(
                 FindingId::flag_double, code.pc,
                 fmt::format("{} is set again before any wait has taken the set before; {}", flag,
                             lost     ? "this set is lost"
                             : counts ? "this works with counting flags, the vendor's page requires pairs"
                                      : fmt::format("{} waits here until one does", source)),
                 severity);
  if (finding == nullptr) return nullptr;
  if (sets != 0)
    finding->notes.push_back(findings_.note(core.flags.newest(*core.flags.find(index)).pc, "the set before"));
  if (lost)
    finding->help = advice_on_extra_set(d_, core, {pipe_of_lane(code.src), pipe_of_lane(code.dst), id});
  if (finding->help.empty())
    finding->help = fmt::format(
        "wait for it between the sets, or hold {} back with a flag in the other direction", source);
  return finding;
}

/// With one flag per (destination, id) this set would meet a pending set of another source pipe.
template <typename Tap>
void CoreSync<Tap>::warn_of_shared_key(const Core& core, const BytecodeInst& code, int id) {
  for (unsigned other = 0; other < kLanes; ++other) {
    const uint32_t index = flag_index(other, code.dst, id);
    if (other == code.src || core.flags.count(index) == 0) continue;
    Diagnostic* finding = findings_.add(
        FindingId::flag_key, code.pc,
        fmt::format("{} is set while {} is pending: sources differ on whether these are two flags",
                    flag_name(code.src, code.dst, id), flag_name(other, code.dst, id)),
        Severity::warning);
    checks_keys_ = false;  // once says it: most programs that do this do it everywhere
    if (finding == nullptr) return;
    const Pending& set = core.flags.oldest(index);
    finding->notes.push_back(findings_.note(set.pc, "the pending set"));
    finding->help = fmt::format("give the flags into {} ids of their own", to_string(pipe_of_lane(code.dst)));
    finding->moment = moment_of_lane(core, code.src);
    return;
  }
}

template <typename Tap>
void CoreSync<Tap>::note_in_program_order(Core& core, const BytecodeInst& code, int id) const {
  const bool set = code.op == OpCode::set_flag;
  if (!core.role->own_flags || (!set && code.op != OpCode::wait_flag)) return;
  if ((code.flags & kOwnFlag) != 0) return;
  Core::OpenSets& open = core.open_sets[flag_index(code.src, code.dst, id)];
  open.count += set ? 1 : -1;
  if (set) open.pc = code.pc;
}

template <typename Tap>
void CoreSync<Tap>::check_open_sets(const Core& core, const BytecodeInst& code,
                                    const exec::HiddenWork& work) {
  for (const isa::InternalEvent& event : work.phases.events) {
    const auto open =
        core.open_sets.find(flag_index(static_cast<unsigned>(lane_of(event.source)),
                                       static_cast<unsigned>(lane_of(event.destination)), event.id));
    if (open == core.open_sets.end() || open->second.count <= 0) continue;
    const std::string flag = isa::to_string(isa::FlagName{event.source, event.destination, event.id});
    Diagnostic* const finding = findings_.add(
        FindingId::flag_double, code.pc,
        fmt::format(
            "the instruction sets {} itself before the set in front of it is taken: its own wait takes "
            "that set, and its phases lose their order",
            flag));
    if (finding == nullptr) return;
    finding->notes.push_back(findings_.note(open->second.pc, "the set in front of it"));
    finding->help = "use another event id for the flag that is open, or wait for it before";
    finding->moment = monitor_.scalar_moment(core);
    return;
  }
}

// ---- buffer tokens

template <typename Tap>
void CoreSync<Tap>::release_buffer(Core& core, unsigned lane, const BytecodeInst& code, int id) {
  BufferToken& token = buffer(core, id);
  ++token.done[lane];
  const auto key = static_cast<uint32_t>(id);
  if constexpr (Tap::kEnabled) {
    for (unsigned to = 0; to < kLanes; ++to) {
      if (to != lane && ((core.role->buffer_getters[key] >> to) & 1) != 0)
        token.token[lane][to] = tap_.release({core, lane, core, to, code.pc});
    }
  }
  for (unsigned i = kFirstQueue; i < kLanes; ++i) {
    if (core.lanes[i].block == Block::buffer && core.lanes[i].key == key) core.at[kStartAt + i] = d_.now;
  }
  if (core.su.block == Block::buffer && core.su.key == key) wake_scalar(core, d_.now);
}

template <typename Tap>
void CoreSync<Tap>::note_buffer_in_program_order(Core& core, const BytecodeInst& code, int id,
                                                 exec::Word* issued) {
  BufferToken& token = buffer(core, id);
  for (unsigned i = 0; i < kLanes; ++i) issued[i] = token.issued[i];
  if (code.op == OpCode::rls_buf) {
    ++token.issued[code.lane];
    --token.held[code.lane];
    token.last_release[code.lane] = code.pc;
  } else {
    if (token.held[code.lane]++ > 0) add_double_get(core, token, code, id);
    token.last_get[code.lane] = code.pc;
  }
}

/// One acquire is what a release ends.
template <typename Tap>
void CoreSync<Tap>::add_double_get(const Core& core, const BufferToken& token, const BytecodeInst& code,
                                   int id) {
  Diagnostic* finding =
      findings_.add(FindingId::buf_double, code.pc,
                    fmt::format("{} gets buffer id {} again, which it has not released since",
                                to_string(pipe_of_lane(code.lane)), id));
  if (finding == nullptr) return;
  finding->notes.push_back(findings_.note(token.last_get[code.lane], "the get before"));
  finding->help = advice_on_second_get(d_, core, code.lane, id, token.last_get[code.lane], code.pc);
  if (finding->help.empty()) finding->help = "release it first; one get and one release belong together";
  finding->moment = monitor_.scalar_moment(core);
}

template class CoreSync<NullTap>;
template class CoreSync<EventTap>;

}  // namespace pto::sim
