// Synchronisation between cores: semaphores that signals raise (sync.set, sync.wait), and meetings
// that count in GM (syncall).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/engine/current_instruction.hpp"
#include "sim/engine/device_state.hpp"
#include "sim/engine/event_queue.hpp"
#include "sim/engine/event_tap.hpp"
#include "sim/engine/run_monitor.hpp"
#include "sim/engine/sync/wait_skips.hpp"
#include "sim/findings/engine_findings.hpp"

namespace pto::sim {

template <typename Tap>
class CrossCoreSync {
 public:
  /// `data`: GM has values, so that meetings count in it.
  CrossCoreSync(Device& device, bool data, FindingList& findings, Tap& tap, CurrentInstruction& current,
                const RunMonitor& monitor, WaitSkips& skips, EventQueue& queue)
      : d_(device),
        findings_(findings),
        tap_(tap),
        current_(current),
        monitor_(monitor),
        skips_(skips),
        queue_(queue),
        data_(data) {}

  /// A signal leaves a core.
  struct Signal {
    const BytecodeInst& code;
    int id;
    uint64_t step = 0;  ///< for a DependenceObserver
    uint32_t held = 0;  ///< cycles that the hub had no time for it
  };
  void send(Core& core, const Signal& signal);
  /// Takes a signal if there is one.
  bool take_semaphore(Core& core, uint32_t key, unsigned lane, uint32_t pc);
  /// A wait that is skipped: it takes the next signal.
  bool skip_wait(const Core& core, const BytecodeInst& wait, uint32_t key) {
    if (!skips_.skips(wait)) return false;
    skips_.add_debt(core, key, WaitSkips::Kind::semaphore);
    return true;
  }
  /// The core comes to a meeting. False: others are missing; the last one wakes it.
  bool arrive(Core& core, const BytecodeInst& code);

 private:
  /// Cores that meet by counting in GM.
  struct Count {
    int64_t arrived = 0;
    std::map<int64_t, uint64_t> tokens;              ///< by the count that ends the round
    std::map<int64_t, std::vector<uint64_t>> steps;  ///< likewise: of those that came
    std::vector<std::pair<Core*, int64_t>> waiting;  ///< for this count
  };
  /// Cores that signal each other: by id, kind and block (~0: all).
  using Group = std::tuple<int, CoreKind, uint32_t>;
  static Group group_of(const Core& core, const BytecodeInst& code, int id) {
    return {id, core.info.kind, code.b == kAllOfKind ? ~0u : core.info.block};
  }

  void signal_cube_core(Core& core, const Signal& signal);
  void signal_group(Core& core, const Signal& signal);
  [[nodiscard]] std::vector<OrderToken> release(const Core& core, const Signal& signal, const Core& target,
                                                int id_there);
  void raise(const Core& from, const Signal& signal, Core& target, int id, std::vector<OrderToken> tokens);
  void add_overflow(const Core& from, const Signal& signal, const Core& target, int id);
  bool is_last_acquire(const OrderToken& reported);
  [[nodiscard]] Core* cluster_core(const Core& core, uint32_t role_index) const;
  uint64_t join_group(const Core& core, const Signal& signal, uint32_t round, bool complete);
  [[nodiscard]] bool count_in_memory(Core& core, const BytecodeInst& code, uint64_t address, Count& count,
                                     bool first);
  void report_arrival(Core& core, const BytecodeInst& code, Count& count, int64_t target);
  [[nodiscard]] int64_t participants(const Core& core, const BytecodeInst& code) const;

  Device& d_;
  FindingList& findings_;
  Tap& tap_;
  CurrentInstruction& current_;
  const RunMonitor& monitor_;
  WaitSkips& skips_;
  EventQueue& queue_;
  const bool data_;
  std::map<std::pair<Group, uint32_t>, uint64_t> meetings_;  ///< open rounds of groups: their tokens
  std::unordered_map<uint64_t, uint32_t> to_acquire_;  ///< cores that have not acquired a meeting's token yet
  std::map<Group, std::deque<std::vector<uint64_t>>> joined_;  ///< steps that signalled, by round
  std::map<uint64_t, Count> counts_;                           ///< by address
};

}  // namespace pto::sim
