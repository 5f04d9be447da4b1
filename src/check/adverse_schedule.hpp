// The second run after a race: what is in no order happens the other way round, so that values show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/checkers.hpp"
#include "check/footprint_ranges.hpp"
#include "check/interval_map.hpp"
#include "timing/cost_model.hpp"

namespace pto::sim {

/// The bytes of memories as they were before the last write.
class OldBytes {
 public:
  void save(MemoryKey memory, uint64_t begin, std::span<const std::byte> now);
  /// Puts them at `to`; bytes that nobody wrote stay what they are.
  void copy(MemoryKey memory, uint64_t begin, std::byte* to, uint64_t bytes) const;

 private:
  static constexpr uint64_t kPage = 4096;
  struct Page {
    std::vector<std::byte> bytes = std::vector<std::byte>(kPage);
    Intervals<bool> known;
  };
  std::unordered_map<MemoryKey, std::unordered_map<uint64_t, Page>> pages_;
};

/// What writes put where a reader before them in the same pipe has read: a pipe works in order here, so that
/// one run learns the bytes and the next one shows them.
class AdverseReads {
 public:
  struct Bytes {
    MemoryKey memory = 0;
    uint64_t begin = 0;
    std::vector<std::byte> bytes;
  };
  using Reader = std::tuple<uint32_t, Pipe, uint64_t>;  ///< core, pipe, when it was issued
  void add(const Reader& reader, Bytes bytes);
  /// Null: nobody overtakes it.
  [[nodiscard]] const std::vector<Bytes>* bytes_of(const Reader& reader) const;
  [[nodiscard]] bool empty() const { return readers_.empty(); }

 private:
  static constexpr uint64_t kMax = uint64_t{1} << 26;  ///< longer runs show what was written up to there
  std::map<Reader, std::vector<Bytes>> readers_;
  uint64_t bytes_ = 0;
};

/// An observer that changes memory: who reads what a write before it in the text has not handed over gets the
/// bytes of before, and of two writes in no order the first one comes last. Readers that a write of their own
/// pipe overtakes are learnt in one run and get its bytes in the next. Attach it alone.
class AdverseSchedule final : public Observer {
 public:
  AdverseSchedule(const Machine& machine, AdverseReads* learnt, const AdverseReads* known);
  [[nodiscard]] uint32_t wants() const override { return kFootprints | kOrder; }
  void on_start(std::span<const CoreInfo> cores, const Program& program) override;
  void on_argument(uint32_t index, std::string_view name, uint64_t addr, uint64_t bytes,
                   bool initialised) override;
  void on_order(const OrderEvent& event) override;
  void on_footprint(const FootprintEvent& event) override;
  void on_vector_function(uint32_t core, uint32_t pc, bool begins) override;
  void on_block_end(uint32_t) override { put_back(); }
  void on_finish(uint64_t) override { put_back(); }

 private:
  struct Range {
    uint64_t begin, end;
  };
  /// Bytes that look otherwise while an entry runs.
  struct Changed {
    MemoryKey memory;
    uint64_t begin;
    std::byte* at;
    std::vector<std::byte> after, meanwhile;  ///< what they are to be then; what the entry was shown
    bool lost;                                ///< `after` holds even where the entry writes
  };
  /// What is to be learnt when the entry is done.
  struct Overtaking {
    AdverseReads::Reader reader;
    MemoryKey memory;
    uint64_t begin;
    const std::byte* at;
    uint64_t bytes;
  };
  void show_old(const FootprintEvent& event, Range range);
  void show_new(const FootprintEvent& event);
  void learn_overtaking_writes();
  void lose(const FootprintEvent& event, Range range);
  void save_old_bytes(const FootprintEvent& event);
  [[nodiscard]] std::vector<std::byte> real(MemoryKey memory, uint64_t begin, const std::byte* at,
                                            uint64_t bytes) const;
  void put_back();

  std::unique_ptr<RaceFindings> races_;
  std::vector<Range> unordered_;                        ///< parts of the footprint at hand, behind writes
  std::vector<std::pair<Range, uint64_t>> overtaking_;  ///< parts before which an entry of the pipe reads
  AdverseReads* learned_;
  const AdverseReads* known_;
  std::vector<Overtaking> to_learn_;
  OldBytes old_;
  std::vector<Changed> changed_;
  std::unordered_map<MemoryKey, Intervals<bool>> written_;  ///< by the entry; true: every byte of it
  uint32_t core_ = ~0u, pc_ = ~0u;
  uint64_t time_ = 0;
  std::unordered_map<uint32_t, uint32_t> functions_;  ///< by core: the vector function that runs
};

/// Every instruction takes one cycle, but for reads that are in no order with writes behind them: they come
/// last.
class AdverseCosts final : public timing::CostModel {
 public:
  explicit AdverseCosts(std::set<uint32_t> late) : late_(std::move(late)) {}
  using CostModel::cost;
  timing::Cost cost(const decode::Inst& inst, const decode::Word*, const decode::ControlState*) override {
    return cost_of(late_.contains(inst.pc));
  }
  std::unique_ptr<timing::VectorFunctionTimer> vector_function() override;
  [[nodiscard]] std::vector<std::string> unbound(std::span<const RowId>) const override { return {}; }

 private:
  static timing::Cost cost_of(bool late) {
    constexpr uint32_t kLate = 1u << 20;
    timing::Cost cost;
    if (late) cost.busy = cost.latency = kLate;
    return cost;
  }
  std::set<uint32_t> late_;
};

}  // namespace pto::sim
