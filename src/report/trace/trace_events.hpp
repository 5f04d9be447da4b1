// Events of a trace as JSON text, in the form of the Trace Event Format document.
//
// Each core is a process, and each of its pipes a thread in dataflow order. Behind the cores of a device come
// processes for the critical path, the launch, GM and the links to other ranks. Waits are slices of their
// own, flags and signals are arrows, bytes in use are counters. One cycle is one microsecond of the viewer:
//
//   TraceRecord{.time = 5, .length = 3, .pipe = MTE2, ..}  ->
//   {"ph":"X","name":"pto.tload","cat":"instruction","pid":1,"tid":4,"ts":5,"dur":3,"args":{"line":7, ..}}
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pto/simulator.hpp"
#include "report/bottleneck/dependence_graph.hpp"
#include "report/run_report.hpp"
#include "report/trace/vector_tracks.hpp"
#include "sim/ranks/rank_messages.hpp"

namespace pto::report {

/// One entry of the trace, before it has a text.
struct TraceRecord {
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
  /// of a counter the space, of all cores the kind of traffic.
  uint8_t detail = 0;
  [[nodiscard]] bool is_of_flag() const { return kind >= Kind::set; }
};

inline constexpr uint32_t kGmCounters = ~0u;  ///< TraceRecord::core of the counters of all cores

/// Of a pipe among those of all cores.
size_t track_of(uint32_t core, Pipe pipe);

class TraceEvents {
 public:
  TraceEvents(Sink put, std::optional<uint32_t> rank);

  void start(std::span<const CoreInfo> cores, const Program& program);
  void write(const TraceRecord& record);
  /// The launch is a slice of its own; all other times count from its end.
  void write_launch(uint64_t cycles);
  void write_critical_path(const StepGraph& steps);
  /// A message is on its link for a while: a track for each rank, and one for answers of it.
  void write_message(const sim::MessageEvent& arrival);
  /// From a core of another rank to the scalar unit of a core of this one.
  void write_notification(const sim::Notification& by, uint32_t to, uint64_t time);
  void finish(std::string_view target, uint64_t total_cycles);
  /// Arrows of all ranks have ids of their own.
  uint64_t next_arrow() { return ++arrows_; }

 private:
  /// The text that all events of an operation share.
  struct OpText {
    std::string name, place;
  };
  /// The end of an arrow between ranks.
  struct LinkEnd {
    uint32_t process = 0;
    int thread = 0;
    uint64_t time = 0;
  };
  /// Processes behind those of the cores.
  enum class Extra : uint32_t { critical_path, launch, memory, links, count };

  void begin_event();
  void name_process(uint32_t pid, std::string_view name, int64_t sort_index);
  void name_thread(uint32_t pid, int tid, std::string_view name);
  void write_instruction(const TraceRecord& record);
  void write_stall(const TraceRecord& record);
  void write_flag(const TraceRecord& record);
  void write_slice(const TraceRecord& record, std::string_view name, std::string_view category);
  void write_arrow(const TraceRecord& record);
  void write_counter(const TraceRecord& record);
  void write_block(const TraceRecord& record);
  void write_step(const TraceRecord& record);
  void write_link_arrow(uint32_t pc, const LinkEnd& from, const LinkEnd& to);
  void write_link_end(uint32_t pc, const LinkEnd& end, bool begins);
  const OpText& text_of(uint32_t pc);
  [[nodiscard]] uint32_t process_of(uint32_t core, uint32_t rank) const;
  [[nodiscard]] uint32_t process_of(uint32_t core) const { return process_of(core, rank_.value_or(0)); }
  [[nodiscard]] uint32_t process_of(Extra extra) const;
  [[nodiscard]] std::string with_rank(std::string_view process) const;
  /// Hands the text on, when there is so much of it.
  void flush(size_t least);

  Sink put_;
  std::optional<uint32_t> rank_;
  const Program* program_ = nullptr;
  std::vector<CoreInfo> cores_;
  uint64_t launch_ = 0, arrows_ = 0;
  std::string out_;
  bool first_ = true;
  std::unordered_map<uint32_t, OpText> texts_;
  std::vector<uint8_t> has_names_;                           ///< per track
  std::map<std::pair<uint32_t, uint8_t>, double> counters_;  ///< by core and space
  std::vector<VectorTracks> vector_tracks_;                  ///< by core
  std::set<int> link_threads_;                               ///< that have a name
};

/// One trace of the parts that the ranks have written, in their order.
std::string trace_of_ranks(std::span<const std::string> parts, std::string_view target, uint64_t cycles);

}  // namespace pto::report
