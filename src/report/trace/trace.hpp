// The trace for Perfetto and chrome://tracing, written while the run goes on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pto/simulator.hpp"
#include "report/access_times.hpp"
#include "report/memory_occupancy.hpp"
#include "report/run_report.hpp"
#include "report/signal_arrows.hpp"
#include "report/trace/vector_tracks.hpp"
#include "sim/ranks/rank_messages.hpp"

namespace pto::report {

/// Writes every instruction, stall and flag of a run as trace events. Events reach it when they end, so the
/// last ones are held back and sorted by the time at which they begin; what began longer ago stands where it
/// was told. A file that is shorter than what is held is in the order of time.
class TraceWriter final : public Observer, public sim::MessageObserver {
 public:
  static constexpr size_t kHeld = size_t{1} << 16;
  /// `rank`: of several devices; it is a part of a trace (trace_of_ranks).
  TraceWriter(std::string target, Sink put, size_t held = kHeld, std::optional<uint32_t> rank = {});

  void on_context(const RunContext& context) override { context_ = &context; }
  DependenceObserver* steps() override { return &signals_; }
  void on_start(std::span<const CoreInfo> cores, const Program& program) override;
  void on_instruction(const InstEvent& event) override;
  void on_stall(const StallEvent& event) override;
  void on_flag(const FlagEvent& event) override;
  void on_footprint(const FootprintEvent& event) override;
  void on_transfer(const TransferEvent& event) override;
  void on_vector_step(const VectorStepEvent& event) override;
  [[nodiscard]] bool wants_vector_steps() const override { return true; }
  void on_launch(uint64_t cycles) override;
  void on_finish(uint64_t total_cycles) override;
  void on_message(const sim::MessageEvent& arrival) override;
  void on_wait_released(const sim::WaitReleased& awoken) override;
  /// The critical path gets a process of its own.
  void set_steps(const StepGraph* steps) { steps_ = steps; }
  /// Who wants to be told the steps, too.
  void hand_on(DependenceObserver* next) { signals_.hand_on(next); }

 private:
  /// One entry of the trace, before it has a text.
  struct Record {
    enum class Kind : uint8_t { instruction, stall, counter, block, step, set, wait, arrow_begin, arrow_end };
    uint64_t time = 0, length = 0;
    uint64_t number = 0;  ///< instructions: when issued; flags and signals: of the arrow
    uint64_t visible = 0;
    double change = 0;  ///< of a counter
    uint32_t core = 0;
    uint32_t pc = 0;  ///< flags: the event id; counters: bytes of a memory, or of GM
    Pipe pipe = Pipe::none;
    Kind kind = Kind::instruction;
    /// The basis of an instruction, the reason of a stall, 1 of a signal and of a step that loads or stores;
    /// of a counter the space, of all cores what it is (kTraffic).
    uint8_t detail = 0;
    [[nodiscard]] bool of_flag() const { return kind >= Kind::set; }
  };
  /// What all events of an operation share.
  struct OpText {
    std::string name, place;
  };

  static bool before(const Record& a, const Record& b);
  void add(const Record& record);
  void write_out(size_t hold);
  [[nodiscard]] bool settled(const Record& record) const;
  void write(const Record& record);
  void write_names(const Record& record);
  void write_instruction(const Record& record);
  void write_stall(const Record& record);
  void write_slice(const Record& record, std::string_view name, std::string_view category);
  void write_arrow(const Record& record);
  void write_counter(const Record& record);
  void add_blocks();
  void write_block(const Record& record);
  void write_step(const Record& record);
  void write_critical_path();
  void arrow(const Record& set, const Record& wait);
  void on_signal(const SignalEnd& set, const SignalEnd& wait);
  void count(uint32_t core, uint8_t what, uint64_t begin, uint64_t end, double amount);
  void event();
  void put_if_much(size_t much);
  const OpText& text_of(uint32_t pc);
  /// Of the viewer's processes: cores, behind them what belongs to the device.
  enum class Extra : uint32_t { critical_path, launch, memory, links, count };
  [[nodiscard]] uint32_t process_of(uint32_t core, uint32_t rank) const;
  [[nodiscard]] uint32_t process_of(uint32_t core) const { return process_of(core, rank_.value_or(0)); }
  [[nodiscard]] uint32_t process_of(Extra extra) const;
  [[nodiscard]] std::string named(std::string_view process) const;
  /// From a core of another rank to a track of this one.
  void write_link_arrow(uint32_t rank, uint32_t core, int thread, uint64_t sent, uint32_t pc, uint32_t to,
                        int to_thread, uint64_t time);

  std::string target_;
  Sink put_;
  size_t held_, limit_;
  const Program* program_ = nullptr;
  const StepGraph* steps_ = nullptr;
  std::vector<Record> records_;
  size_t sorted_ = 0;               ///< so many of them are in order
  std::vector<uint64_t> told_;      ///< per track: slices are told up to here
  std::vector<uint8_t> has_names_;  ///< per track
  std::unordered_map<uint32_t, OpText> texts_;
  uint64_t arrows_ = 0, launch_ = 0;
  const RunContext* context_ = nullptr;
  Signals signals_;
  std::vector<uint64_t> visible_;  ///< per track: when what it has done is visible
  Accesses accesses_;
  Occupancy occupancy_{1};
  std::map<std::pair<uint32_t, uint8_t>, double> counters_;  ///< by core and space; GM has no core
  struct Block {
    CoreInfo core;
    uint64_t begin = ~uint64_t{0}, end = 0;
  };
  std::vector<Block> blocks_;         ///< by core
  std::vector<VectorTracks> inside_;  ///< by core
  std::string out_;
  bool first_ = true, finished_ = false;
  std::optional<uint32_t> rank_;
  std::set<int> link_threads_;  ///< that have a name
};

/// One trace of the parts that the ranks have written, in their order.
std::string trace_of_ranks(std::span<const std::string> parts, std::string_view target, uint64_t cycles);

}  // namespace pto::report
