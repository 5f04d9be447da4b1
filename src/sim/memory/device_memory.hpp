// The memories of the device: GM as a set of allocations with guard gaps, and the on-chip buffers of each
// core. Every access is checked; one out of bounds is a finding with the line of the instruction.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "exec/exec_context.hpp"
#include "exec/peer_access.hpp"
#include "pto/simulator.hpp"
#include "sim/engine/host_workers.hpp"
#include "sim/memory/host_pages.hpp"
#include "sim/ranks/rank_port.hpp"

namespace pto::sim {

/// Is notified of each argument before its first change by the kernel.
class FirstWrites {
 public:
  virtual ~FirstWrites() = default;
  virtual void will_write(uint32_t argument) = 0;
};

/// GM: one allocation per buffer argument, far apart, at addresses that no small integer hits by chance.
class GlobalMemory {
 public:
  struct Allocation {
    uint64_t addr = 0, bytes = 0;
    std::byte* data = nullptr;
    std::string name;
    uint32_t argument = 0;
    bool initialised = true;
    bool has_room = false;
    bool window = true;  ///< other devices may access it
    uint64_t reach = 0;  ///< with room: one past the furthest byte that was accessed
    bool written = false;
  };
  FirstWrites* first_writes = nullptr;
  RankEndpoint* port = nullptr;  ///< to the other devices, where there are some
  void begin_at(uint64_t addr) { next_ = addr; }
  void keep_to_itself() { allocations_.back().window = false; }
  /// The argument that an address lies in or behind.
  [[nodiscard]] const Allocation* around(uint64_t addr) { return begins_in(addr); }
  /// Places an argument's bytes; the memory stays the caller's. Returns its address.
  uint64_t add(uint32_t argument, const std::string& name, std::span<std::byte> bytes, bool initialised);
  /// Places a buffer of unknown size: `room` bytes that begin with a copy of `bytes`.
  uint64_t add_room(uint32_t argument, const std::string& name, std::span<const std::byte> bytes,
                    uint64_t room, bool initialised);
  GlobalMemory() = default;
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;
  /// Hands the bytes of overrun arguments back to the caller.
  ~GlobalMemory();
  /// Pointer to [addr, addr + bytes), or null.
  std::byte* find(uint64_t addr, uint64_t bytes, exec::AccessMode how);
  /// The same for a range that begins in an argument and ends in the gap behind it: those bytes are 0 and
  /// lost after the run.
  std::byte* find_overrun(uint64_t addr, uint64_t bytes, exec::AccessMode how);
  [[nodiscard]] std::span<const Allocation> allocations() const { return allocations_; }
  /// One past the last byte of the argument that an address lies in or behind.
  [[nodiscard]] uint64_t end_around(uint64_t addr);
  /// The argument nearest to a range that lies outside, and in words by how much the range misses it.
  struct Miss {
    std::string argument, words;
  };
  [[nodiscard]] Miss nearest(uint64_t addr, uint64_t bytes) const;

 private:
  /// An argument that an access overran lives in `storage`, with its gap, until the end of the run.
  struct Overrun {
    std::unique_ptr<std::byte, void (*)(void*)> storage;
    std::byte* home;
    uint64_t bytes;
  };
  Allocation* begins_in(uint64_t addr);
  void note(Allocation& allocation, exec::AccessMode how);

  std::vector<Allocation> allocations_;
  std::vector<Overrun> overruns_;
  std::vector<HostPages> rooms_;
  size_t last_ = 0;
  uint64_t next_ = uint64_t{1} << 44;
};

/// The context of an access, and the target of its reports.
class AccessListener {
 public:
  virtual ~AccessListener() = default;
  /// `argument`: the one that the message names, or empty.
  virtual void out_of_bounds(Space space, uint64_t addr, std::string message, std::string argument) = 0;
  virtual void footprint(FootprintEvent event) = 0;
  virtual void beyond(FootprintEvent event) = 0;
  virtual void cache_cleaned(uint64_t addr, bool all) = 0;
};

/// The initial contents of on-chip memory: a repeated word of 32 bits.
struct Fill {
  uint32_t word = 0;
  bool varies = false;  ///< in kVaried, from place to place

  static constexpr uint32_t kVaried = 0x000f000f;
  [[nodiscard]] uint32_t at(uint64_t place) const {
    if (!varies) return word;
    constexpr uint64_t kMix = 0x9e3779b97f4a7c15;
    const uint64_t mixed = (place + 1) * kMix;
    return word ^ (static_cast<uint32_t>((mixed ^ mixed >> 32) * kMix >> 40) & kVaried);
  }
};

/// The memories one core sees.
class CoreMemory final : public exec::Memory, public exec::PeerMemory {
 public:
  CoreMemory(uint32_t core, const Machine& machine, GlobalMemory& gm)
      : core_(core), machine_(machine), gm_(gm) {}

  /// The cores of the cluster by role: AIC, AIV0, AIV1; null where the kernel does not run one.
  std::array<CoreMemory*, 3> peers{};
  AccessListener* listener = nullptr;
  bool report_footprints = false;
  bool only_bounds = false;    ///< without data: accesses of GM are only checked
  Fill fill;                   ///< initial contents of on-chip memory
  Workers* workers = nullptr;  ///< who may still have work to do with the bytes
  uint32_t block = 0;
  /// Releases the on-chip memories after their last use.
  void release() {
    for (HostPages& memory : on_chip_) memory.reset();
    for (HostPages& memory : short_) memory.reset();
  }

  std::byte* access(Space space, uint64_t addr, uint64_t bytes, exec::AccessMode how) override;
  std::byte* access_rows(Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes, int64_t pitch,
                         exec::AccessMode how) override;
  std::byte* access_peer(int core, Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes,
                         int64_t pitch, exec::AccessMode how) override;
  void will_add(Elem elem) override {
    if (gm_.port != nullptr) gm_.port->will_add(elem);
  }
  void will_take(uint64_t parts) override {
    if (gm_.port != nullptr) gm_.port->will_take(parts);
  }
  bool notify(uint64_t addr, int32_t value, bool set) override;
  bool looked(const exec::ViewDesc& words, isa::CmpPredicate how, int32_t wanted, bool passed,
              bool waits) override;
  void clean_cache(uint64_t addr, bool all) override {
    if (report_footprints) listener->cache_cleaned(addr, all);
  }

 private:
  struct Range {
    uint64_t low = 0, bytes = 0;
  };
  void touch(Space space, uint64_t rows, uint64_t row_bytes, int64_t pitch, Range range,
             exec::AccessMode how);
  std::byte* local(Space space, uint64_t addr, uint64_t bytes);
  /// Bytes for the part of a range that is after the end of an on-chip buffer; they belong to no
  /// buffer.
  std::byte* local_overrun(Space space, uint64_t addr, uint64_t bytes);
  std::byte* resolve(CoreMemory& owner, Space space, Range range, exec::AccessMode how);
  /// Of another device. False after a finding.
  bool may_reach(uint32_t peer, Range range, exec::AccessMode how);
  FootprintEvent footprint_of(const CoreMemory& owner, Space space, uint64_t addr, uint64_t rows,
                              uint64_t row_bytes, int64_t pitch, exec::AccessMode how) const;
  void report(const CoreMemory& owner, Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes,
              int64_t pitch, exec::AccessMode how, std::byte* data);
  void complain(const CoreMemory& owner, Space space, Range range);
  /// Reports the part of each row before `end`.
  void report_inside(const CoreMemory& owner, Space space, uint64_t end, uint64_t addr, uint64_t rows,
                     uint64_t row_bytes, int64_t pitch, exec::AccessMode how, std::byte* data);
  std::byte* rows_of(CoreMemory& owner, Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes,
                     int64_t pitch, exec::AccessMode how);

  uint32_t core_;
  const Machine& machine_;
  GlobalMemory& gm_;
  std::array<std::byte, 8> nothing_{};          ///< target of an access to no bytes
  std::array<HostPages, kSpaceCount> on_chip_;  ///< made at first use
  std::array<HostPages, kSpaceCount>
      short_;  ///< those that an overrun replaced; instructions may still point there
};

}  // namespace pto::sim
