// Happens-before between the operations of threads, by vector clocks. The race checker, the static
// synchronisation checks, flag insertion, the prover and the SIMT launch all ask it whether one
// operation comes before another under every timing.
//
// Words are those of the literature: happens-before (Lamport 1978), vector clocks (Mattern 1989),
// epochs (FastTrack, Flanagan, Freund 2009: c@t), acquire, release and release-store of a sync
// object (ThreadSanitizer). C is the clock of a thread: C[t] is the last epoch of thread t that
// comes before its next operation.
//
//   program, for the pipes [MTE2 V MTE3]   call                       C behind it, sync objects
//   tload  ins(%x) outs(%a)     MTE2       access(MTE2): 1@MTE2       MTE2 [0 0 0]
//   set_flag  MTE2, V, 0        MTE2       f0 = release_store(MTE2)   MTE2 [1 0 0]  f0 = [1 0 0]
//   tload  ins(%y) outs(%b)     MTE2       access(MTE2): 2@MTE2       MTE2 [1 0 0]
//   wait_flag MTE2, V, 0        V          acquire(V, f0)             V    [1 0 0]
//   tadd   ins(%a, %a) outs(%c) V          access(V): 1@V             V    [1 0 0]
//   set_flag  V, MTE3, 0        V          f1 = release_store(V)      V    [1 1 0]  f1 = [1 1 0]
//   wait_flag V, MTE3, 0        MTE3       acquire(MTE3, f1)          MTE3 [1 1 0]
//   tstore ins(%c) outs(%o)     MTE3       is_ordered(1@MTE2, MTE3)   C[MTE2] = 1: yes, by way of V
//                                          is_ordered(2@MTE2, MTE3)   C[MTE2] < 2: no
//
// How to read it: an epoch ends at the first release behind an access, so all accesses between two
// releases share one (FastTrack). A release adds the thread's own epoch to its clock, and the sync
// object gets a copy. An acquire takes the maximum of the two clocks.
//
// What is particular to these machines:
//   overlapping pipes   V of A2/A3 starts an entry before the earlier ones of V are complete. Its
//                       releases wait for all of them. V itself relies on its own epochs only up to
//                       `completed`, which rises when V acquires a clock that has them, or by a
//                       barrier of V alone (complete):
//                         access(V): 1@V; is_ordered(1@V, V): no; complete(V); then yes
//   scalar stores       The scalar unit goes on before its stores are in memory. They are a thread
//                       that never acquires. A flag of PIPE_S, a barrier or a signal waits for them
//                       (publish); the release that issues an entry does not:
//                         access(stores); e = release_store(S); f = e; publish(stores, f)
//   barriers            Every participant releases into one clock and acquires it.
//
// Limits: synchronisation is taken in the order in which the caller reports it. Which set a wait
// takes under another timing is for the caller to judge. Epochs have 32 bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "order/vector_clock.hpp"

namespace pto::order {

template <typename Clock>
class HappensBefore {
 public:
  HappensBefore() = default;
  /// The threads from `first` on; clocks may know of others. `zero`: a clock that knows nothing.
  explicit HappensBefore(size_t threads, uint32_t first = 0, const Clock& zero = {})
      : first_(first), threads_(threads, Thread{.clock = zero}) {}

  [[nodiscard]] size_t size() const { return threads_.size(); }
  /// Its operations do not wait for its earlier ones.
  void set_overlapping(uint32_t thread) { at(thread).completed = 0; }
  [[nodiscard]] const Clock& clock(uint32_t thread) const { return at(thread).clock; }

  // ---- operations

  /// The epoch of an access of the thread, or of anything else that others may have to follow.
  uint32_t access(uint32_t thread) {
    Thread& self = at(thread);
    self.touched = true;
    return self.epoch;
  }
  /// An operation with an epoch that the caller has chosen: higher than those before.
  void execute(uint32_t thread, uint32_t epoch) {
    Thread& self = at(thread);
    self.clock.set(thread, epoch);
    self.epoch = epoch + 1;
  }

  // ---- edges

  /// What whoever acquires a new sync object of the thread learns: all that it knows and has done.
  const Clock& release_store(uint32_t thread) {
    Thread& self = at(thread);
    if (self.touched) {
      self.touched = false;
      self.clock.set(thread, self.epoch++);
    }
    return self.clock;
  }
  /// Adds that to a sync object that others have released too.
  void release(uint32_t thread, Clock& sync) { sync.merge(release_store(thread)); }
  /// What the thread does from here on follows all that the sync object knows.
  template <typename Sync>
  void acquire(uint32_t thread, const Sync& sync) {
    Thread& self = at(thread);
    self.clock.merge(sync);
    if (self.completed != kInOrder) self.completed = std::max(self.completed, sync[thread]);
  }
  /// The thread waits for its own earlier operations.
  void complete(uint32_t thread) {
    Thread& self = at(thread);
    self.completed = std::max(self.completed, release_store(thread)[thread]);
  }
  /// Adds the operations of a thread that never acquires, the stores of a scalar unit, to a sync
  /// object.
  void publish(uint32_t stores, Clock& sync) {
    Thread& self = at(stores);
    self.epoch += self.touched ? 1 : 0;
    self.touched = false;
    if (self.epoch > 1) sync.set(stores, self.epoch - 1);
  }
  /// All these threads wait for each other.
  template <typename Threads>
  void barrier(const Threads& threads) {
    Clock all{};
    for (const uint32_t thread : threads) release(thread, all);
    for (const uint32_t thread : threads) acquire(thread, all);
  }

  // ---- questions

  /// Whether an operation comes before the next one of the thread under every timing.
  [[nodiscard]] bool is_ordered(Epoch before, uint32_t thread) const {
    const Thread& self = at(thread);
    return before.value <= (before.thread == thread ? self.completed : self.clock[before.thread]);
  }

  /// Two executions of different paths meet: what either of them orders counts as ordered.
  void join(const HappensBefore& other) {
    for (size_t i = 0; i < threads_.size(); ++i) {
      Thread& mine = threads_[i];
      const Thread& theirs = other.threads_[i];
      mine.clock.merge(theirs.clock);
      mine.epoch = std::max(mine.epoch, theirs.epoch);
      mine.completed = std::max(mine.completed, theirs.completed);
      mine.touched = mine.touched || theirs.touched;
    }
  }

 private:
  static constexpr uint32_t kInOrder = std::numeric_limits<uint32_t>::max();
  struct Thread {
    Clock clock{};
    uint32_t epoch = 1;             ///< of its accesses since the last release
    uint32_t completed = kInOrder;  ///< of its own epochs, the last that it may rely on
    bool touched = false;           ///< accessed something in this epoch
  };
  [[nodiscard]] Thread& at(uint32_t thread) { return threads_[thread - first_]; }
  [[nodiscard]] const Thread& at(uint32_t thread) const { return threads_[thread - first_]; }

  uint32_t first_ = 0;
  std::vector<Thread> threads_;
};

}  // namespace pto::order
