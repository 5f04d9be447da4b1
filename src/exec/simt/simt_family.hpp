// State of SIMT instructions besides the Context: the threads of a launch, the running warp, and
// values that threads keep from one launch to the next.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/exec_context.hpp"

namespace pto::exec {

inline constexpr unsigned kWarpLanes = 32;
inline constexpr unsigned kKeptSlots = 123;  ///< words of 32 bits that a thread keeps

/// Values that the threads of a core keep between launches of one shape.
struct KeptValues {
  struct Slot {
    uint32_t bits = 0;
    Elem elem = Elem::none;  ///< of the value whose first word this is; none: never kept
  };
  /// An array that every thread has for itself: one for each operation that makes such.
  struct Array {
    uint32_t pc = 0;
    uint64_t bytes = 0;           ///< of one thread
    std::vector<std::byte> data;  ///< of all threads; empty until one is accessed
  };
  std::array<uint32_t, 3> dims{};
  std::vector<Slot> slots;  ///< kKeptSlots per thread; empty until something is kept
  std::vector<Array> arrays;

  /// For threads of another shape everything is new.
  void reshape(const std::array<uint32_t, 3>& other) {
    if (dims == other) return;
    dims = other;
    slots.clear();
    for (Array& array : arrays) array.data.clear();
  }
};

/// The threads of a launch, as the warp that runs sees them.
struct Threads {
  std::array<uint32_t, 3> dims{1, 1, 1};
  uint32_t warp = 0;
  uint32_t lane = 0;    ///< the thread that runs; the first active one in an exchange of lanes
  uint32_t active = 0;  ///< a bit for every lane that takes part
  std::array<Word*, kWarpLanes> frames{};  ///< of the lanes; null where the launch has no thread
  uint64_t cycle = 0;
  uint32_t core = 0;  ///< number of the vector core
  KeptValues* kept = nullptr;

  [[nodiscard]] uint32_t linear() const { return warp * kWarpLanes + lane; }
  [[nodiscard]] uint32_t count() const { return dims[0] * dims[1] * dims[2]; }
  [[nodiscard]] bool takes_part(uint32_t which) const { return (active >> which & 1) != 0; }
};

/// Whether a value of another dialect's type is an address: !llvm.ptr, or with a number for its memory.
inline bool is_pointer(const Type& type) { return type.text.starts_with("!llvm.ptr"); }

/// The context of every instruction that the simulator runs; `threads` only within a launch.
class ThreadContext : public Context {
 public:
  Threads* threads = nullptr;
  KeptValues* kept = nullptr;  ///< of the core
};

}  // namespace pto::exec
