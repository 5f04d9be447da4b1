// The event loop: a discrete-event simulation of the agents of all cores.
//
// An agent is a scalar unit, or one end of the queue of a pipe: the end at which entries start, or
// the end at which they complete. Core::at holds the time of the next event of each agent of a core
// (kNever: it waits for another agent). The loop carries out the event with the smallest (time,
// core, agent). Within a core, completions come before the scalar unit, and the scalar unit comes
// before starts.
//
// An example. A vector core of an A3 loads a tile of 4 KiB, doubles it, and stores it:
//
//     tload  ins(a) outs(x)         MTE2: busy for  86 cycles, complete after 229
//     set_flag   MTE2 -> V, id 0
//     wait_flag  MTE2 -> V, id 0
//     tadd   ins(x, x) outs(y)      V:    busy for  36 cycles, complete after  57
//     set_flag   V -> MTE3, id 0
//     wait_flag  V -> MTE3, id 0
//     tstore ins(y) outs(b)         MTE3: busy for 147 cycles, complete after 147
//
//     time  agent          event                                     sets the next time of
//        0  scalar unit    issues 7 entries at 1, 2, .. 7, and halts starts: MTE2 1, V 3, MTE3 6
//        1  MTE2 start     tload                                     completion 230, start 87
//        3  V start        wait_flag finds no set: V is blocked      -
//        6  MTE3 start     wait_flag finds no set: MTE3 is blocked   -
//       87  MTE2 start     set_flag: complete at 230, as the tload   -
//      230  MTE2 complete  tload writes x; the set becomes visible   V start 230
//      230  V start        wait_flag takes the set                   V start 230
//      230  V start        tadd                                      completion 287, start 266
//      266  V start        set_flag: complete at 287, as the tadd    -
//      287  V complete     tadd writes y; the set becomes visible    MTE3 start 287
//      287  MTE3 start     wait_flag takes the set                   MTE3 start 287
//      287  MTE3 start     tstore                                    completion 434
//      434  MTE3 complete  tstore writes b                           -
//           no event is left, all agents are done: the kernel takes 434 cycles
//
// How to read it. The scalar unit is one event at 0, although it issues the last entry at 7: it
// runs ahead of simulated time until another agent's state decides how it goes on. An event that
// changes what another agent waits for sets that agent's time: the set at 230 wakes V. Effects on
// memory happen at completion: without the first pair of flags the tadd would start before 230 and
// read the old x. Idle time is booked when it ends: at 230, V books 227 cycles of Stall::flag. If
// no event is left and an agent is not done, that is a deadlock.
//
// Several cores. ReadyTree holds the earliest time of each core. The core with the earliest event
// runs until the second earliest time, so that the tree changes once for many events, and beyond
// that time where other cores cannot see a difference (lookahead.hpp). A device among others stops
// at a horizon, before which no message of another device can arrive (sim/ranks/rank_windows.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sim/engine/queue_pipes.hpp"
#include "sim/engine/run_parts.hpp"
#include "sim/engine/scalar_unit.hpp"

namespace pto::sim {

/// A deadlock that only full queues cause: the scalar unit that waited first.
struct QueueRelief {
  Core* core = nullptr;
  unsigned lane = 0;
  uint32_t pc = 0;
  uint64_t depth = 0;
};

template <bool kData, typename Tap>
class Scheduler {
 public:
  explicit Scheduler(RunParts<Tap>& parts);

  /// Chooses the blocks of the first wave; before ChipModel::prepare.
  void prepare_waves();
  /// After everything else is prepared.
  void begin();
  /// The time of the next event; kNever: none, unless a message of another device brings one.
  [[nodiscard]] uint64_t next() const;
  /// Carries out all events before `horizon`.
  void advance(uint64_t horizon);
  [[nodiscard]] bool has_finished() const;
  /// After the run: polls for words that other devices write pass.
  void release_polls(uint64_t now);
  /// Its core is null where no queue had to be made deeper.
  [[nodiscard]] const QueueRelief& relief() const { return relief_; }
  [[nodiscard]] const std::array<uint64_t, 4>& basis_cycles() const { return pipes_.basis_cycles(); }

 private:
  /// Events of one core may be carried out until then.
  struct Limit {
    uint64_t time = kNever;
    bool inclusive = false;  ///< events at `time` too
  };
  [[nodiscard]] Limit limit_for(uint32_t first, uint64_t horizon) const;
  [[nodiscard]] uint64_t next_arrival() const {
    return d_.port == nullptr ? kNever : d_.port->next_arrival();
  }
  uint64_t run_core(Core& core, Limit limit);
  void receive(uint64_t now);
  void refresh_times();
  bool deepen_queues();
  void retire(Core& core);
  void start_next_block(std::span<const std::unique_ptr<Core>> ended);

  Device& d_;
  const SimOptions& options_;
  Tap& tap_;
  EventQueue& queue_;
  RunMonitor& monitor_;
  ChipModel<Tap>& chip_;
  InstructionReports<Tap>& reports_;
  const CoreSync<Tap>& sync_;
  ScalarUnit<kData, Tap> scalar_;
  QueuePipes<kData, Tap> pipes_;
  QueueRelief relief_;
  const bool has_lookahead_;
};

}  // namespace pto::sim
