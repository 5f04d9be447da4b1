// The trace for Perfetto and chrome://tracing: one process per core, one thread per pipe in dataflow order, flags as arrows,
// waits as slices of their own. One cycle is one microsecond of the viewer. Format: the Trace Event Format document.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

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

struct Timed {
  uint64_t time;
  int rank;         ///< at one time: slices before the arrows that bind to them
  uint64_t length;  ///< at one time: the longer slice holds the shorter
  Json event;
};

Json slice(std::string_view name, const char* category, uint32_t core, Pipe pipe, uint64_t begin, uint64_t end) {
  return {{"ph", "X"},   {"name", name},      {"cat", category}, {"pid", process_of(core)}, {"tid", thread_of(pipe)},
          {"ts", begin}, {"dur", end - begin}};
}

Json instruction_slice(const Program& program, const InstEvent& event) {
  Json json = slice(mnemonic(program, event.pc), "instruction", event.core, event.pipe, event.start, event.busy_end);
  json["args"] = {{"line", where(program, event.pc).line},
                  {"operation", print_op(program, event.pc)},
                  {"issued", event.issue},
                  {"visible", event.end},
                  {"basis", to_string(event.basis)}};
  return json;
}

Json stall_slice(const Program& program, const StallEvent& event) {
  Json json =
      slice(fmt::format("wait: {}", to_string(event.reason)), "stall", event.core, event.pipe, event.begin, event.end);
  json["cname"] = "grey";
  json["args"] = {{"reason", to_string(event.reason)}};
  if (event.pc < program.ops.size()) {
    json["args"]["line"] = where(program, event.pc).line;
    json["args"]["operation"] = print_op(program, event.pc);
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

/// Waits before the first and after the last instruction only say that the pipe was not needed.
bool worth_a_slice(const StallEvent& event) { return event.end > event.begin && event.reason != Stall::finished; }

std::vector<Timed> timed_events(const Run& run, std::set<std::pair<uint32_t, Pipe>>& used) {
  std::vector<Timed> list;
  for (const InstEvent& event : run.recorder->instructions) {
    used.emplace(event.core, event.pipe);
    list.push_back({event.start, 0, event.busy_end - event.start, instruction_slice(run.program, event)});
  }
  for (const StallEvent& event : run.recorder->stalls) {
    if (!worth_a_slice(event)) continue;
    used.emplace(event.core, event.pipe);
    list.push_back({event.begin, 0, event.end - event.begin, stall_slice(run.program, event)});
  }
  size_t id = 0;
  for (const FlagEvent& flag : run.recorder->flags) {
    used.emplace(flag.core, flag.src);
    used.emplace(flag.core, flag.dst);
    const uint64_t end = std::max(flag.set_time, flag.wait_end);
    list.push_back({flag.set_time, 0, 1, flag_slice("set", flag, flag.src, flag.set_time)});
    list.push_back({end, 0, 1, flag_slice("wait", flag, flag.dst, end)});
    list.push_back({flag.set_time, 1, 0, arrow("s", flag, ++id, flag.src, flag.set_time)});
    list.push_back({end, 2, 0, arrow("f", flag, id, flag.dst, end)});
  }
  std::stable_sort(list.begin(), list.end(), [](const Timed& a, const Timed& b) {
    return std::tuple(a.time, a.rank, b.length) < std::tuple(b.time, b.rank, a.length);
  });
  return list;
}

}  // namespace

std::string trace_json(const Run& run) {
  std::set<std::pair<uint32_t, Pipe>> used;
  const auto timed = timed_events(run, used);
  Json events = Json::array();
  add_names(*run.recorder, used, events);
  const auto dump = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  std::string out =
      "{\"displayTimeUnit\": \"ns\",\n\"otherData\": " +
      dump({{"target", run.target}, {"time", "1 us = 1 cycle"}, {"total_cycles", run.result.total_cycles}}) +
      ",\n\"traceEvents\": [\n";
  std::string_view separator;
  const auto put = [&](const Json& event) {
    out += separator;
    out += dump(event);
    separator = ",\n";
  };
  for (const Json& event : events) put(event);
  for (const Timed& event : timed) put(event.event);
  return out + "\n]}\n";
}

}  // namespace pto::report
