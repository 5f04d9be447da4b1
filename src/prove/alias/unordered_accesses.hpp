// Unordered accesses of GM, and whether they can overlap in iterations, blocks or with parameters
// that no run had. Runs show which statements are unordered, and at which distance in iterations,
// independent of their addresses. The symbolic accesses of the text show whether their bytes can
// overlap.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/symbolic_access.hpp"
#include "check/pipe_threads.hpp"
#include "prove/abstract/control_slice.hpp"
#include "prove/explore/loop_periodicity.hpp"
#include "pto/machine.hpp"
#include "pto/simulator.hpp"

namespace pto::driver {

/// Two unordered statements, with the relation of their cores and the loops that contain both.
struct Unordered {
  enum class Cores : uint8_t { same, block, other } cores = Cores::same;
  uint32_t first = 0, second = 0, argument = 0;
  uint32_t first_subblock = 0, second_subblock = 0;
  std::vector<uint32_t> first_loops, second_loops;
  std::vector<int> signs;  ///< per depth that both have: of the first one's counter less the second one's
  auto operator<=>(const Unordered&) const = default;
};
/// Per depth; nothing where there is no end to it.
struct Distances {
  std::vector<std::optional<int64_t>> min, max;
};

/// Of all runs of a kernel.
class UnorderedAccesses {
 public:
  /// Arguments that the kernel writes.
  [[nodiscard]] const std::set<uint32_t>& written() const { return written_; }
  [[nodiscard]] bool overrun() const { return overrun_; }
  /// No block of any run has had several cores.
  [[nodiscard]] bool has_one_core_per_block() const { return one_core_per_block_; }
  /// Every statement with every store, of cores of two blocks, whether runs came to them or not.
  void add_between_blocks(const Program& program, const SymbolicAccesses& places);
  /// A wait for words of an argument that another core writes, or another pipe: whether it ends may be up to
  /// the kernel itself.
  [[nodiscard]] std::optional<uint32_t> self_waiting_op() const;
  struct PossibleConflict {
    uint32_t first = 0, second = 0;  ///< statements
    bool blocks = false;
  };
  struct Limits {
    bool in_views = true;   ///< windows stay in their views
    bool distances = true;  ///< the runs have shown how far apart all pairs are
  };
  /// Pairs that may come to the same bytes.
  [[nodiscard]] std::vector<PossibleConflict> possible_conflicts(SymbolicAccesses& places,
                                                                 Limits limits) const;
  /// Statements in no order whose bytes on the chip are the same ones with some numbers, tried or not.
  [[nodiscard]] const std::set<std::pair<uint32_t, uint32_t>>& onchip_conflicts() const {
    return onchip_conflicts_;
  }
  /// Whether all that a statement looks at in GM is certainly of arguments that no run has written.
  [[nodiscard]] bool is_read_of_unwritten_argument(const SymbolicAccesses& places, uint32_t op) const;
  /// Statements on written arguments that no run executed.
  [[nodiscard]] std::vector<uint32_t> unobserved_accesses(SymbolicAccesses& places) const;

 private:
  friend class UnorderedAccessObserver;
  std::map<Unordered, Distances> pairs_;
  std::set<uint32_t> written_, seen_;
  std::set<std::pair<uint32_t, uint32_t>> words_;  ///< arguments that are waited for, and where
  std::set<std::pair<uint32_t, uint32_t>> onchip_conflicts_;
  std::set<uint32_t> signalling_;  ///< arguments that somebody else than the waiting unit may write
  bool overrun_ = false, one_core_per_block_ = true;
};

/// Observes one run. `queue_ops`: operations that move tiles through slots of a queue, which the
/// tools order themselves.
class UnorderedAccessObserver final : public Observer {
 public:
  UnorderedAccessObserver(const Machine& machine, const InputSlice& slice,
                          const std::set<uint32_t>& queue_ops)
      : overlapping_(sim::overlapping_threads(machine)),
        slice_(slice),
        input_dependent_loops_(slice.input_dependent_loops()),
        queue_ops_(queue_ops),
        word_waits_(slice.word_waits()) {}

  uint32_t wants() const override { return kFootprints | kOrder; }
  void on_context(const RunContext& context) override { context_ = &context; }
  void on_start(std::span<const CoreInfo> cores, const Program& program) override;
  void on_argument(uint32_t index, std::string_view name, uint64_t addr, uint64_t bytes,
                   bool initialised) override;
  void on_order(const OrderEvent& event) override;
  void on_footprint(const FootprintEvent& event) override;
  void on_finish(uint64_t cycles) override;
  /// Adds the result of the run, with the periodicity of its loops.
  void add_to(UnorderedAccesses& all, const std::map<uint32_t, LoopPeriodicity::Repetition>& loops) const;

 private:
  static constexpr uint64_t kMaxPairs = 1'000'000;
  struct Loops {
    std::vector<uint32_t> ops;
    std::vector<int64_t> values;
  };
  struct Access {
    uint32_t epoch = 0;
    uint64_t entry = 0;
    EntryMark mark;
  };
  struct Key {
    uint32_t argument = 0, thread = 0, pc = 0;
    bool write = false, update = false;
    auto operator<=>(const Key&) const = default;
  };
  /// By the counter of the later access: from the least to the most.
  using ByValue = std::map<int64_t, std::pair<int64_t, int64_t>>;
  struct Found {
    std::vector<ByValue> by_first, by_second;  ///< per depth, by either counter
  };

  /// On-chip accesses of one statement so far: all bytes, and those of the last two entries.
  struct ChipUse {
    uint64_t begin = 0, end = 0;
    bool varies = false;
    struct Last {
      uint32_t epoch = 0;
      uint64_t entry = ~uint64_t{0};
    } last, before;
  };
  using ChipMemory = std::pair<uint32_t, Space>;  ///< of which core

  void finish_entry(uint32_t thread);
  void record_onchip_access(const FootprintEvent& event);
  void record_onchip_access(const FootprintEvent& event, uint32_t thread, const OnChipRange& place,
                            bool moves);
  [[nodiscard]] bool is_unordered(const Key& key, uint64_t entry, const Key& other, const ChipUse& use) const;
  [[nodiscard]] Loops loops_of(const Access& access) const;
  void compare(const Key& key, const Access& access);
  void record_pair(const Key& a, const Access& first, const Key& b, const Access& second);

  [[nodiscard]] bool overlaps(uint32_t thread) const { return overlapping_[thread % sim::kThreads]; }

  std::array<bool, sim::kThreads> overlapping_;
  sim::SharedPipeClock::Arena clocks_;  ///< before all that holds some of them
  order::HappensBefore<sim::SharedPipeClock> order_;
  std::vector<uint64_t> entry_;  ///< per thread: number of the entry that runs
  const InputSlice& slice_;
  const std::set<uint32_t>& input_dependent_loops_;
  const std::set<uint32_t>& queue_ops_;
  const std::set<uint32_t>& word_waits_;
  const RunContext* context_ = nullptr;
  const Program* program_ = nullptr;
  std::vector<CoreInfo> cores_;
  std::unordered_map<uint64_t, sim::SharedPipeClock> tokens_;
  std::unordered_set<uint64_t> issued_;  ///< tokens of entries that wait in queues
  std::map<uint32_t, uint32_t>
      untouched_;  ///< by thread: the running operation, if it has no on-chip access yet
  std::map<uint64_t, std::pair<uint64_t, uint32_t>> arguments_;  ///< by address: end and index
  std::map<uint32_t, std::map<Key, std::vector<Access>>> accesses_;
  std::map<Unordered, Found> found_;
  std::map<ChipMemory, std::map<Key, ChipUse>> chip_;
  std::set<std::pair<uint32_t, uint32_t>> onchip_conflicts_;
  std::set<uint32_t> written_, seen_, signalling_;
  std::set<std::pair<uint32_t, uint32_t>> words_;
  uint64_t pairs_ = 0, entries_ = 0;
  bool overrun_ = false;
};

}  // namespace pto::driver
