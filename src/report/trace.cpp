// The trace for Perfetto and chrome://tracing: one process per core, one thread per pipe in dataflow order, flags as arrows,
// waits as slices of their own. One cycle is one microsecond of the viewer. Format: the Trace Event Format document.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <unordered_map>

#include "pto/assembler.hpp"
#include "report/describe.hpp"
#include "report/report.hpp"

namespace pto::report {
namespace {

using Json = nlohmann::ordered_json;

uint32_t process_of(uint32_t core) { return core + 1; }     // viewers hide process 0
int thread_of(Pipe pipe) { return queue_index(pipe) + 2; }  // 1: the scalar unit, then the queues in dataflow order

Json metadata(const char* what, uint32_t pid, int tid, Json args) {
  return {{"ph", "M"}, {"name", what}, {"pid", pid}, {"tid", tid}, {"args", std::move(args)}};
}

/// Names and order of processes and of the threads that have events.
void add_names(const Recorder& recorder, const std::set<std::pair<uint32_t, Pipe>>& used, Json& events) {
  for (const CoreInfo& core : recorder.cores) {
    events.push_back(metadata("process_name", process_of(core.index), 0, {{"name", core_name(core)}}));
    events.push_back(metadata("process_sort_index", process_of(core.index), 0, {{"sort_index", core.index}}));
  }
  for (const auto& [core, pipe] : used) {
    events.push_back(metadata("thread_name", process_of(core), thread_of(pipe), {{"name", to_string(pipe)}}));
    events.push_back(metadata("thread_sort_index", process_of(core), thread_of(pipe), {{"sort_index", thread_of(pipe)}}));
  }
}

/// One entry of the trace: which event it is made from, and where it stands. Its text is made when it is written.
struct Entry {
  enum class Kind : uint8_t { instruction, stall, set, wait, arrow_begin, arrow_end };
  uint64_t time, length;   ///< at one time: the longer slice holds the shorter
  uint32_t index;
  Kind kind;
  [[nodiscard]] int rank() const { return kind == Kind::arrow_begin ? 1 : kind == Kind::arrow_end ? 2 : 0; }   ///< slices before the arrows that bind to them
};

/// The texts of operations, each printed once.
class Texts {
 public:
  explicit Texts(const Program& program) : program_(program) {}
  const std::string& of(uint32_t pc) {
    const auto [at, fresh] = texts_.try_emplace(pc);
    if (fresh) at->second = print_op(program_, pc);
    return at->second;
  }

 private:
  const Program& program_;
  std::unordered_map<uint32_t, std::string> texts_;
};

Json slice(std::string_view name, const char* category, uint32_t core, Pipe pipe, uint64_t begin, uint64_t end) {
  return {{"ph", "X"},   {"name", name},      {"cat", category}, {"pid", process_of(core)}, {"tid", thread_of(pipe)},
          {"ts", begin}, {"dur", end - begin}};
}

Json instruction_slice(const Program& program, Texts& texts, const InstEvent& event) {
  Json json = slice(mnemonic(program, event.pc), "instruction", event.core, event.pipe, event.start, event.busy_end);
  json["args"] = {{"line", where(program, event.pc).line},
                  {"operation", texts.of(event.pc)},
                  {"issued", event.issue},
                  {"visible", event.end},
                  {"basis", to_string(event.basis)}};
  return json;
}

Json stall_slice(const Program& program, Texts& texts, const StallEvent& event) {
  Json json =
      slice(fmt::format("wait: {}", to_string(event.reason)), "stall", event.core, event.pipe, event.begin, event.end);
  json["cname"] = "grey";
  json["args"] = {{"reason", to_string(event.reason)}};
  if (event.pc < program.ops.size()) {
    json["args"]["line"] = where(program, event.pc).line;
    json["args"]["operation"] = texts.of(event.pc);
  }
  return json;
}

/// Arrows bind to the slice around their end, so each end gets one of a cycle.
Json flag_slice(const char* what, const FlagEvent& flag, Pipe pipe, uint64_t time) {
  return slice(fmt::format("{} EVENT_ID{}", what, flag.id), "flag", flag.core, pipe, time, time + 1);
}

Json arrow(const char* phase, const FlagEvent& flag, size_t id, Pipe pipe, uint64_t time) {
  Json json = {{"ph", phase},
               {"name", fmt::format("EVENT_ID{}", flag.id)},
               {"cat", "flag"},
               {"id", id},
               {"pid", process_of(flag.core)},
               {"tid", thread_of(pipe)},
               {"ts", time}};
  if (*phase == 'f') json["bp"] = "e";
  return json;
}

uint64_t taken_at(const FlagEvent& flag) { return std::max(flag.set_time, flag.wait_end); }

/// Waits before the first and after the last instruction only say that the pipe was not needed.
bool worth_a_slice(const StallEvent& event) { return event.end > event.begin && event.reason != Stall::finished; }

std::vector<Entry> entries_of(const Recorder& recorder, std::set<std::pair<uint32_t, Pipe>>& used) {
  using Kind = Entry::Kind;
  std::vector<Entry> list;
  list.reserve(recorder.instructions.size() + recorder.stalls.size() + 4 * recorder.flags.size());
  for (uint32_t i = 0; i < recorder.instructions.size(); ++i) {
    const InstEvent& event = recorder.instructions[i];
    used.emplace(event.core, event.pipe);
    list.push_back({event.start, event.busy_end - event.start, i, Kind::instruction});
  }
  for (uint32_t i = 0; i < recorder.stalls.size(); ++i) {
    const StallEvent& event = recorder.stalls[i];
    if (!worth_a_slice(event)) continue;
    used.emplace(event.core, event.pipe);
    list.push_back({event.begin, event.end - event.begin, i, Kind::stall});
  }
  for (uint32_t i = 0; i < recorder.flags.size(); ++i) {
    const FlagEvent& flag = recorder.flags[i];
    used.emplace(flag.core, flag.src);
    used.emplace(flag.core, flag.dst);
    list.push_back({flag.set_time, 1, i, Kind::set});
    list.push_back({taken_at(flag), 1, i, Kind::wait});
    list.push_back({flag.set_time, 0, i, Kind::arrow_begin});
    list.push_back({taken_at(flag), 0, i, Kind::arrow_end});
  }
  std::stable_sort(list.begin(), list.end(), [](const Entry& a, const Entry& b) {
    return std::tuple(a.time, a.rank(), b.length) < std::tuple(b.time, b.rank(), a.length);
  });
  return list;
}

Json event_of(const Run& run, Texts& texts, const Entry& entry) {
  using Kind = Entry::Kind;
  const Recorder& recorder = *run.recorder;
  if (entry.kind == Kind::instruction) return instruction_slice(run.program, texts, recorder.instructions[entry.index]);
  if (entry.kind == Kind::stall) return stall_slice(run.program, texts, recorder.stalls[entry.index]);
  const FlagEvent& flag = recorder.flags[entry.index];
  const size_t id = size_t{entry.index} + 1;
  switch (entry.kind) {
    case Kind::set:
      return flag_slice("set", flag, flag.src, entry.time);
    case Kind::wait:
      return flag_slice("wait", flag, flag.dst, entry.time);
    case Kind::arrow_begin:
      return arrow("s", flag, id, flag.src, entry.time);
    default:
      return arrow("f", flag, id, flag.dst, entry.time);
  }
}

}  // namespace

void write_trace(const Run& run, const Sink& put) {
  std::set<std::pair<uint32_t, Pipe>> used;
  const std::vector<Entry> entries = entries_of(*run.recorder, used);
  Json names = Json::array();
  add_names(*run.recorder, used, names);
  const auto dump = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  Json other = {{"target", run.target}, {"time", "1 us = 1 cycle"}, {"total_cycles", run.result.total_cycles}};
  if (run.recorder->left_out != 0) other["events_left_out"] = run.recorder->left_out;
  put("{\"displayTimeUnit\": \"ns\",\n\"otherData\": " + dump(other) + ",\n\"traceEvents\": [\n");
  std::string_view separator;
  const auto put_event = [&](const Json& event) {
    put(separator);
    put(dump(event));
    separator = ",\n";
  };
  for (const Json& name : names) put_event(name);
  Texts texts(run.program);
  for (const Entry& entry : entries) put_event(event_of(run, texts, entry));
  put("\n]}\n");
}

std::string trace_json(const Run& run) {
  std::string text;
  write_trace(run, [&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace pto::report
