// The cores of one block together, without time: what each does (core_trace.hpp), flags within and signals
// between them. As in core_model.hpp everything runs as soon as it may, and the clocks say what holds in all
// orders.
//
// What is not certain is taken as it helps most: a signal that may come does, and a wait that may be does not
// take one. So what is stuck here hangs whatever the inputs are.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "verify/sync/core_trace.hpp"

namespace pto::legality::sync {

inline constexpr size_t kBlockCores = 3;  ///< the cube core, and two vector cores
/// Over the lanes of all cores; an epoch is the number of a step in its lane.
using BlockClock = order::DenseClock<kBlockCores * kLanes>;

struct BlockPlace {
  uint8_t core = 0, lane = 0;
  bool operator==(const BlockPlace&) const = default;
};

/// A wait for a signal that hangs.
struct Hang {
  BlockPlace at;
  Step wait;
  std::vector<std::pair<BlockPlace, Step>> circle;  ///< what holds it up, in turn; empty: no signal is left
  uint32_t signals = 0, taken = 0;                  ///< that came, and by earlier waits
  std::optional<Step> idle;                         ///< a signal to the same core that nobody takes
  std::optional<Step> signal;                       ///< one of the same id
};

struct LeftSignal {
  uint8_t target = 0;
  Step signal;  ///< the last one
  uint32_t count = 0, signals = 0, taken = 0;
};

/// A signal that nothing orders behind the wait for the one 15 before: the counter of its id holds 15.
struct Overflow {
  uint8_t target = 0;
  Step signal;
  std::optional<Step> wait;
};

struct BlockAccess {
  BlockPlace at;
  uint32_t op = 0, stamp = 0;
  TileAccess access;
};
/// Two accesses of GM from two cores, in no order.
struct BlockRace {
  BlockAccess first, second;
};

class BlockModel {
 public:
  explicit BlockModel(const std::array<Trace, kBlockCores>& cores);
  void run();
  /// An id that no core signals or waits for.
  [[nodiscard]] std::optional<int> free_id() const;

  std::vector<Hang> hangs;
  std::vector<LeftSignal> left;
  std::vector<Overflow> overflows;
  std::vector<BlockRace> races;

 private:
  struct Entry {
    Step step;
    uint32_t stamp = 0;
    BlockClock known{};
    std::array<uint32_t, kLanes> releases{};
  };
  struct Buffer {
    std::array<uint32_t, kLanes> issued{}, done{};
    std::array<BlockClock, kLanes> clock{};
  };
  struct Core {
    std::array<std::deque<Entry>, kLanes> queues;
    std::array<uint32_t, kLanes> issued{};
    std::unordered_map<uint32_t, std::deque<BlockClock>> flags;
    std::unordered_map<int16_t, Buffer> buffers;
    size_t next = 0;     ///< step to issue
    int result_of = -1;  ///< lane whose result the scalar unit waits for
  };
  struct Taken {
    order::Epoch at;
    Step wait;
  };
  struct Semaphore {
    std::deque<BlockClock> tokens;
    std::vector<Taken> waits;
    std::array<std::deque<BlockClock>, 2> parts;  ///< of a cube core's: what each vector core has told
    Step last;
    bool open = false;                 ///< may be signalled more often than is known
    bool optional = false;             ///< may be waited for more often than is known
    uint8_t waiters = 0, tellers = 0;  ///< lanes
    uint32_t signals = 0, taken = 0;
  };

  static uint32_t key(size_t target, bool pair, int id) {
    return static_cast<uint32_t>(target << 8 | static_cast<size_t>(pair) << 7) | static_cast<uint32_t>(id);
  }
  static uint32_t awaited(size_t core, const Step& wait);
  static std::vector<uint32_t> reached(size_t core, const Step& tell);
  static std::vector<uint8_t> sources(size_t core, const Step& wait);
  [[nodiscard]] static bool reaches(size_t from, const Step& tell, size_t core, const Step& wait);
  void find_unreached();
  bool advance(size_t core);
  bool issue(size_t core);
  [[nodiscard]] bool ready(size_t core, const Entry& entry);
  void run(size_t core, Entry& entry);
  void signal(size_t core, const Step& step, const BlockClock& clock);
  void judge_count(uint32_t target, const Semaphore& semaphore, const Step& step, const BlockClock& clock);
  void touch(size_t core, const Entry& entry);
  [[nodiscard]] bool is_uniform(const BlockAccess& one, const BlockAccess& other) const;
  void explain();
  [[nodiscard]] std::optional<Entry> head(BlockPlace at);
  [[nodiscard]] std::optional<BlockPlace> holder(BlockPlace at, const Entry& head);
  [[nodiscard]] std::optional<BlockPlace> holder_of_signal(size_t core, const Step& wait) const;
  [[nodiscard]] bool blocked(size_t core) const;
  Hang make_hang(BlockPlace at, const Step& wait);
  void find_left();

  const std::array<Trace, kBlockCores>& traces_;
  order::HappensBefore<BlockClock> order_{kBlockCores * kLanes};
  std::array<Core, kBlockCores> cores_;
  std::map<uint32_t, Semaphore> semaphores_;
  std::unordered_map<Base, std::vector<BlockAccess>> accesses_;
  std::array<std::vector<uint32_t>, kBlockCores> works_;  ///< operations, sorted
  bool ordered_ = true;                                   ///< all that orders is known
  bool one_waiter_ = true;  ///< no two pipes take signals of one id: the order of runs decides nothing
};

}  // namespace pto::legality::sync
