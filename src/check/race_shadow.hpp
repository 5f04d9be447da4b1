// The state of the race checker: per thread a vector clock (order/happens_before.hpp), per part of
// memory a shadow cell with the accesses that the next one must follow (FastTrack, TSan). Two
// accesses race when one of them writes and neither happens before the other. Happens-before holds
// under every timing, so one run judges them all.
//
// A program of one core, and the state behind each step. C is the clock of the pipe that runs the
// step, for the pipes [MTE2 V MTE3]; n@P is epoch n of pipe P, W a write, R a read.
//
//   step                               C         shadow cells          judged
//   tload  ins(%x) outs(%a)     MTE2   [0 0 0]   %a: W 1@MTE2          first access
//   set_flag  MTE2, V, 0        MTE2   [1 0 0]                         token = [1 0 0]
//   wait_flag MTE2, V, 0        V      [1 0 0]                         token acquired
//   tadd   ins(%a, %a) outs(%b) V      [1 0 0]   %a: W 1@MTE2, R 1@V   C[MTE2] = 1: ordered
//                                                %b: W 1@V
//   tload  ins(%x) outs(%a)     MTE2   [1 0 0]   %a: W 2@MTE2          C[V] = 0 < 1: RACE
//   set_flag  V, MTE3, 0        V      [1 1 0]                         token = [1 1 0]
//   wait_flag V, MTE3, 0        MTE3   [1 1 0]                         token acquired
//   tstore ins(%b) outs(%o)     MTE3   [1 1 0]   %b: W 1@V, R 1@MTE3   C[V] = 1: ordered
//
//   error[RACE]: pto.tload on MTE2 writes %a (4,096 bytes of ub at 0x0) that pto.tadd on V reads;
//   nothing orders the two
//
// How to read it: the second tload has epoch 2@MTE2, as a set is between the two. It follows the
// first one, which is of the same pipe, but not the read of V: no flag leads from V to MTE2. A
// write replaces the list of its cell; a read replaces the last read of its own thread. The scalar
// unit issues all of it: each entry also acquires the clock of the scalar unit at its issue (not
// shown).
//
// Parts that TSan does not have:
//   pipes that overlap   V of A2/A3 starts an instruction before the earlier one is complete. A
//                        cell keeps the last reads of two entries. A barrier of V orders them.
//   scalar stores        are a thread of their own (pipe_threads.hpp): entries that the scalar unit
//                        issues do not wait for them; its flags, barriers and signals do.
//   atomics              updates commute with each other.
//   several devices      A clock travels with each message; threads are numbered over all devices.
//
// Limits: one run follows one path of the program and one set of addresses. Other inputs need other
// runs, or the prover. A wait takes the set that it took in this run; whether another set could be
// taken is a finding of its own (FLAG-REUSE, CROSS-ORDER).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "check/race_clocks.hpp"
#include "order/ref_counted.hpp"
#include "pto/simulator.hpp"

namespace pto::sim {

/// What makes an access: those that are equal are one.
struct AccessKey {
  uint32_t thread = 0, epoch = 0, pc = 0;
  bool write = false, update = false;
  uint64_t order = 0;
  uint64_t entry = 0;  ///< number of the queue entry whose moment is kept; 0: it is not
  bool operator==(const AccessKey&) const = default;
};
struct MemoryAccess : AccessKey {
  EntryMark mark;  ///< of that entry
  bool operator==(const MemoryAccess& other) const { return AccessKey::operator==(other); }
};

/// An access that many parts of memory may remember.
using AccessRef = order::RefCounted<MemoryAccess>;

/// A part of memory: the write that the next access must follow, if there was one (or sums of several devices
/// in no order), and the last read of each thread since, in the order of threads; of a pipe whose entries
/// overlap, the last of two entries. Mostly that is a write and one who reads.
class ShadowCell {
 public:
  ShadowCell() = default;
  explicit ShadowCell(const AccessRef& access) : inline_{access, {}} {}
  ShadowCell(ShadowCell&&) noexcept = default;
  ShadowCell& operator=(ShadowCell&&) noexcept = default;
  ShadowCell(const ShadowCell& other) : inline_(other.inline_) {
    if (other.heap_ != nullptr) heap_ = std::make_unique<std::vector<AccessRef>>(*other.heap_);
  }
  ShadowCell& operator=(const ShadowCell& other) { return *this = ShadowCell(other); }
  ~ShadowCell() = default;

  [[nodiscard]] std::span<AccessRef> accesses() {
    if (heap_ != nullptr) return *heap_;
    return {inline_.data(), static_cast<size_t>(inline_[0] ? inline_[1] ? 2 : 1 : 0)};
  }
  [[nodiscard]] std::span<const AccessRef> accesses() const {
    return const_cast<ShadowCell*>(this)->accesses();
  }
  void set(const AccessRef& access) {
    heap_.reset();
    inline_[0] = access;
    inline_[1] = {};
  }
  void insert(size_t at, const AccessRef& access) {
    const size_t count = accesses().size();
    if (count < inline_.size()) {
      if (at < count) inline_[1] = std::move(inline_[0]);
      inline_[at] = access;
      return;
    }
    if (heap_ == nullptr) {
      heap_ = std::make_unique<std::vector<AccessRef>>();
      for (AccessRef& each : inline_) heap_->push_back(std::move(each));
    }
    heap_->insert(heap_->begin() + static_cast<std::ptrdiff_t>(at), access);
  }
  /// Those that `keep` says yes to stay.
  template <typename Keep>
  void filter(Keep&& keep) {
    std::vector<AccessRef> kept;
    for (AccessRef& each : accesses()) {
      if (keep(*each)) kept.push_back(std::move(each));
    }
    *this = {};
    for (const AccessRef& each : kept) insert(accesses().size(), each);
  }
  bool operator==(const ShadowCell& other) const { return std::ranges::equal(accesses(), other.accesses()); }

 private:
  std::array<AccessRef, 2> inline_;
  std::unique_ptr<std::vector<AccessRef>> heap_;  ///< all of them, where they are more
};

/// What a thread runs.
struct ThreadEntry {
  SharedPipeClock issuer;           ///< of the thread that issued the entry: already acquired
  uint64_t order = 0;               ///< when the entry that runs was issued
  uint64_t entry = 0;               ///< number of the entry that runs, once it has accessed memory
  EntryMark mark;                   ///< of that entry
  std::array<AccessRef, 4> recent;  ///< by operation: what it did last
};

/// The sync object of a token.
struct ReleasedClock {
  SharedPipeClock clock;
  uint64_t order = 0;  ///< of an entry: when it was issued
};

/// Two instructions that race, in the order the program issued them.
struct Conflict {
  MemoryAccess first, second;
  std::optional<Moment> first_moment, second_moment;
  Space space = Space::none;
  uint64_t begin = 0, end = 0, count = 1;
  ValueId operand = kNoValue;  ///< of the second access
};

}  // namespace pto::sim
