// Synchronisation within a core: flags between its pipes, and buffer tokens (get_buf, rls_buf).
//
// Sets and releases wake the agents that wait for them; whether an agent has to wait, and its
// account of the wait, are the agent's (scalar_unit.hpp, queue_pipes.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>

#include "pto/simulator.hpp"
#include "sim/engine/device_state.hpp"
#include "sim/engine/event_tap.hpp"
#include "sim/engine/run_monitor.hpp"
#include "sim/engine/sync/wait_skips.hpp"
#include "sim/findings/engine_findings.hpp"

namespace pto::sim {

template <typename Tap>
class CoreSync {
 public:
  CoreSync(Device& device, const SimOptions& options, FindingList& findings, Tap& tap,
           const RunMonitor& monitor, WaitSkips& skips)
      : d_(device),
        findings_(findings),
        tap_(tap),
        monitor_(monitor),
        skips_(skips),
        checks_keys_(options.mode == Mode::check && !device.config.key_is_settled &&
                     device.config.key_has_src) {}

  // ---- flags
  [[nodiscard]] uint32_t flag_index(unsigned src, unsigned dst, int id) const {
    return d_.config.flag_index(src, dst, static_cast<unsigned>(id));
  }
  /// A set becomes visible.
  void set_flag(Core& core, const BytecodeInst& code, int id, uint64_t token);
  /// Whether the flag of a set that is about to start will hold it: sets in front of it may be
  /// under way.
  [[nodiscard]] bool has_room_for_set(const Core& core, const BytecodeInst& code, int id) const;
  /// Takes a set if there is one. `token`: its ordering fact.
  bool take_flag(Core& core, const BytecodeInst& wait, unsigned dst, int id, uint64_t wait_begin,
                 uint64_t& token);
  /// A wait that is skipped: it takes the next set.
  bool skip_wait(Core& core, const BytecodeInst& wait, uint32_t flag);
  /// A set that finds sets of its flag which no wait has taken. The finding lacks its moment.
  [[gnu::cold, gnu::noinline]] Diagnostic* add_double_set(const Core& core, const BytecodeInst& code, int id);
  /// The scalar unit comes to a set or wait: these pair up in program order, whenever they happen.
  void note_in_program_order(Core& core, const BytecodeInst& code, int id) const;
  /// A set that is open while an instruction sets and waits for the same flag: its wait takes that
  /// set, and on a flag of one bit its own is lost.
  void check_open_sets(const Core& core, const BytecodeInst& code, const exec::HiddenWork& work);
  /// Operations that set a flag which was set.
  [[nodiscard]] size_t double_sets() const { return double_sets_.size(); }

  // ---- buffer tokens: get_buf waits for every older release of the id by other pipes
  BufferToken& buffer(Core& core, int id) const {
    if (core.buffers.empty()) core.buffers.resize(d_.config.buffer_ids);
    return core.buffers[static_cast<size_t>(id)];
  }
  /// `issued`: releases in front of the operation, by lane.
  [[nodiscard]] static bool is_buffer_ready(const Core& core, unsigned lane, int id,
                                            const exec::Word* issued) {
    const BufferToken& token = core.buffers[static_cast<size_t>(id)];
    for (unsigned i = 0; i < kLanes; ++i) {
      if (i != lane && token.done[i] < issued[i]) return false;
    }
    return true;
  }
  void release_buffer(Core& core, unsigned lane, const BytecodeInst& code, int id);
  /// The scalar unit comes to the operation, which orders it. `issued`: is filled in.
  void note_buffer_in_program_order(Core& core, const BytecodeInst& code, int id, exec::Word* issued);

 private:
  [[nodiscard]] bool has_room_among(const Core& core, const BytecodeInst& code, int id, unsigned first,
                                    unsigned end) const;
  void wake_setters(Core& core, unsigned src, uint32_t flag) const;
  void wake_setter(Core& core, unsigned src, uint32_t flag) const;
  void warn_of_shared_key(const Core& core, const BytecodeInst& code, int id);
  void add_double_get(const Core& core, const BufferToken& token, const BytecodeInst& code, int id);
  [[nodiscard]] Moment moment_of_lane(const Core& core, unsigned lane) const;

  Device& d_;
  FindingList& findings_;
  Tap& tap_;
  const RunMonitor& monitor_;
  WaitSkips& skips_;
  std::set<uint32_t> double_sets_;
  bool checks_keys_;  ///< until a finding about them is there
};

// ---- parts of the event loop's inner loop

template <typename Tap>
[[gnu::always_inline]] inline void CoreSync<Tap>::set_flag(Core& core, const BytecodeInst& code, int id,
                                                           uint64_t token) {
  const unsigned dst = code.dst;
  const uint32_t index = flag_index(code.src, dst, id);
  if (skips_.has_debts() && skips_.pay_debt(core, index, WaitSkips::Kind::flag)) return;
  Flag& flag = core.flags.at(index);
  if (flag.count != 0) {
    if (Diagnostic* const finding = add_double_set(core, code, id))
      finding->moment = moment_of_lane(core, code.src);
    if (flag.count == d_.config.flag_places) return;
  }
  if (checks_keys_) warn_of_shared_key(core, code, id);
  core.flags.push(flag, {code.pc, d_.now, token});
  if (dst == kScalarLane) {
    if (core.su.block == Block::flag && core.su.key == index) wake_scalar(core, d_.now);
  } else if (core.lanes[dst].block == Block::flag && core.lanes[dst].key == index) {
    core.at[kStartAt + dst] = d_.now;
  }
}

template <typename Tap>
[[gnu::always_inline]] inline bool CoreSync<Tap>::has_room_for_set(const Core& core, const BytecodeInst& code,
                                                                   int id) const {
  if (d_.config.flags == FlagKind::bit) return true;
  const uint64_t sets = core.flags.count(flag_index(code.src, code.dst, id));
  // Mostly few entries are under way, whatever they are.
  const unsigned first = d_.config.key_has_src ? std::max<unsigned>(code.src, kFirstQueue) : kFirstQueue;
  const unsigned end = d_.config.key_has_src ? code.src + 1U : kLanes;
  uint64_t under_way = 0;
  for (unsigned index = first; index < end; ++index)
    under_way += core.lanes[index].started - core.lanes[index].done;
  return sets + under_way < d_.config.flag_capacity || has_room_among(core, code, id, first, end);
}

template <typename Tap>
[[gnu::always_inline]] inline bool CoreSync<Tap>::take_flag(Core& core, const BytecodeInst& wait,
                                                            unsigned dst, int id, uint64_t wait_begin,
                                                            uint64_t& token) {
  const uint32_t index = flag_index(wait.src, dst, id);
  Flag* const flag = core.flags.find(index);
  if (flag == nullptr || flag->count == 0) return false;
  const Pending& set = core.flags.oldest(*flag);
  token = set.token;
  tap_.template observe<Observer::kFlags>([&](Observer& o) {
    o.on_flag({core.info.index, pipe_of_lane(wait.src), pipe_of_lane(dst), id, set.pc, wait.pc, set.time,
               wait_begin, d_.now});
  });
  core.flags.pop(*flag);
  wake_setters(core, wait.src, index);
  return true;
}

/// A set has been taken: an agent that waits to make the next one goes on.
template <typename Tap>
inline void CoreSync<Tap>::wake_setters(Core& core, unsigned src, uint32_t flag) const {
  if (d_.config.key_has_src) return wake_setter(core, src, flag);
  for (unsigned each = 0; each < kLanes; ++each) wake_setter(core, each, flag);
}

template <typename Tap>
inline void CoreSync<Tap>::wake_setter(Core& core, unsigned src, uint32_t flag) const {
  if (src == kScalarLane) {
    if (core.su.block == Block::flag_full && core.su.key == flag) wake_scalar(core, d_.now);
  } else if (core.lanes[src].block == Block::flag_full && core.lanes[src].key == flag) {
    core.at[kStartAt + src] = d_.now;
  }
}

template <typename Tap>
inline bool CoreSync<Tap>::skip_wait(Core& core, const BytecodeInst& wait, uint32_t flag) {
  if (!skips_.skips(wait)) return false;
  skips_.add_debt(core, flag, WaitSkips::Kind::flag);
  wake_setters(core, wait.src, flag);
  return true;
}

}  // namespace pto::sim
