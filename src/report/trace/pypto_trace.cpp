#include "report/trace/pypto_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "pto/assembler.hpp"
#include "report/naming.hpp"
#include "support/json.hpp"

namespace pto::report {
namespace {

using Json = nlohmann::ordered_json;

struct PyptoLane {
  Pipe pipe;
  const char *name, *label, *color;
};
/// In the order of the data flow. The scalar unit has none: it only prepares.
constexpr PyptoLane kPyptoLanes[] = {
    {Pipe::mte2, "MTE2", "MTE2 (load GM->UB)", "thread_state_iowait"},
    {Pipe::mte1, "MTE1", "MTE1 (load L1->L0)", "thread_state_iowait"},
    {Pipe::m, "CUBE", "CUBE (matmul)", "rail_response"},
    {Pipe::v, "VECTOR", "VECTOR (compute)", "good"},
    {Pipe::fix, "FIXPIPE", "FIXPIPE (quant/out)", "yellow"},
    {Pipe::mte3, "MTE3", "MTE3 (store UB->GM)", "cq_build_passed"},
};

const PyptoLane* pypto_lane_of(Pipe pipe) {
  const auto* const found = std::ranges::find(kPyptoLanes, pipe, &PyptoLane::pipe);
  return found == std::end(kPyptoLanes) ? nullptr : found;
}

std::string core_label(const CoreInfo& core) {
  switch (core.kind) {
    case CoreKind::aic:
      return fmt::format("core{}.cubecore0", core.block);
    case CoreKind::aiv:
      return fmt::format("core{}.veccore{}", core.block, core.subblock);
    default:
      return fmt::format("core{}", core.block);
  }
}

std::string track(const PyptoLane& lane, uint32_t number) {
  return number == 0 ? lane.name : fmt::format("{}#{}", lane.name, number);
}

/// The line of the program that the text was made from, else that of the text.
std::string code_of(const Program& program, uint32_t pc) {
  const Origin* origin = program.origin_of(where(program, pc));
  return origin == nullptr ? place(program, pc)
                           : fmt::format("{}:{}", program.strings[origin->file], origin->at.line);
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

/// From the instruction before the set to the one behind the wait.
struct CleanTrace::Arrow {
  Slice from, to;
  FlagEvent flag;
};

void CleanTrace::on_start(std::span<const CoreInfo> cores, const Program& program) {
  cores_.assign(cores.begin(), cores.end());
  program_ = &program;
}

void CleanTrace::on_instruction(const InstEvent& event) {
  auto& [pipe, sum] = sums_[{event.core, event.pc}];
  pipe = event.pipe;
  sum.cycles += event.busy_end - event.start;
  ++sum.count;
  if (pypto_lane_of(event.pipe) != nullptr)
    slices_.push_back({event.start, std::max(event.end, event.busy_end), event.core, event.pc, event.pipe});
}

void CleanTrace::on_flag(const FlagEvent& event) { flags_.push_back(event); }

/// Sorted, each on the first track of its pipe that is free.
std::vector<CleanTrace::Slice> CleanTrace::packed() const {
  std::vector<Slice> all = slices_;
  std::ranges::stable_sort(all, {}, [](const Slice& s) { return std::tuple(s.begin, s.core, s.pipe); });
  std::map<std::pair<uint32_t, Pipe>, std::vector<uint64_t>> free;
  for (Slice& slice : all) {
    auto& ends = free[{slice.core, slice.pipe}];
    const auto lane = std::ranges::find_if(ends, [&](uint64_t end) { return end <= slice.begin; });
    slice.lane = static_cast<uint32_t>(lane - ends.begin());
    if (lane == ends.end())
      ends.push_back(slice.end);
    else
      *lane = slice.end;
  }
  return all;
}

std::vector<CleanTrace::Arrow> CleanTrace::arrows(const std::vector<Slice>& slices) const {
  std::map<std::pair<uint32_t, Pipe>, std::vector<const Slice*>> tracks;
  for (const Slice& slice : slices) tracks[{slice.core, slice.pipe}].push_back(&slice);
  const auto begin = [](const Slice* slice) { return slice->begin; };
  std::vector<Arrow> all;
  for (const FlagEvent& flag : flags_) {
    const auto& before = tracks[{flag.core, flag.src}];
    const auto& behind = tracks[{flag.core, flag.dst}];
    const auto from = std::ranges::upper_bound(before, flag.set_time, {}, begin);
    const auto to = std::ranges::lower_bound(behind, std::max(flag.set_time, flag.wait_end), {}, begin);
    if (from != before.begin() && to != behind.end()) all.push_back({**(from - 1), **to, flag});
  }
  return all;
}

std::string CleanTrace::trace() const {
  const std::vector<Slice> slices = packed();
  const auto time = [&](uint64_t cycles) { return static_cast<double>(cycles) / cycles_per_us_; };
  const auto core = [&](const Slice& slice) { return core_label(cores_[slice.core]); };
  Json events = Json::array();
  std::map<uint32_t, std::map<std::pair<const PyptoLane*, uint32_t>, bool>> used;
  for (const Slice& slice : slices) used[slice.core][{pypto_lane_of(slice.pipe), slice.lane}] = true;
  const auto name = [&](const char* what, const std::string& pid, const Json& tid, const Json& args) {
    Json event = {{"name", what}, {"ph", "M"}, {"pid", pid}};
    if (!tid.is_null()) event["tid"] = tid;
    event["args"] = args;
    events.push_back(std::move(event));
  };
  for (int order = 0; const auto& [index, tracks] : used) {
    const std::string pid = core_label(cores_[index]);
    name("process_name", pid, nullptr, {{"name", pid}});
    name("process_sort_index", pid, nullptr, {{"sort_index", order++}});
    for (const auto& [key, present] : tracks) {
      const auto& [lane, number] = key;
      const std::string tid = track(*lane, number);
      name("thread_name", pid, tid,
           {{"name", number == 0 ? lane->label : fmt::format("{} #{}", lane->label, number)}});
      name("thread_sort_index", pid, tid, {{"sort_index", (lane - kPyptoLanes) * 100 + number}});
    }
  }
  for (const Slice& slice : slices) {
    const PyptoLane& lane = *pypto_lane_of(slice.pipe);
    events.push_back(
        {{"name", mnemonic(*program_, slice.pc)},
         {"ph", "X"},
         {"pid", core(slice)},
         {"tid", track(lane, slice.lane)},
         {"ts", time(slice.begin)},
         {"cname", lane.color},
         {"dur", time(slice.end - slice.begin)},
         {"args", {{"code", code_of(*program_, slice.pc)}, {"cycles", slice.end - slice.begin}}}});
  }
  for (int id = 0; const Arrow& arrow : arrows(slices)) {
    ++id;
    const std::string label = fmt::format("{}->{} flag{}", pypto_lane_of(arrow.from.pipe)->name,
                                          pypto_lane_of(arrow.to.pipe)->name, arrow.flag.id);
    for (const auto& [phase, slice] : {std::pair{"s", arrow.from}, std::pair{"f", arrow.to}}) {
      Json event = {{"ph", phase}, {"id", id}, {"cat", "sync"}};
      if (*phase == 'f') event["bp"] = "e";
      event["name"] = label;
      event["pid"] = core(slice);
      event["tid"] = track(*pypto_lane_of(slice.pipe), slice.lane);
      event["ts"] = time(slice.begin);
      events.push_back(std::move(event));
    }
  }
  const Json document = {{"displayTimeUnit", "ns"},
                         {"profilingType", "op"},
                         {"schemaVersion", 1},
                         {"traceEvents", std::move(events)}};
  return dumped(document) + "\n";
}

std::string CleanTrace::metrics() const {
  Json cores = Json::array();
  Json by_core = Json::object();
  for (const CoreInfo& core : cores_) {
    cores.push_back(core_label(core));
    by_core[core_label(core)] = Json::array();
  }
  for (const auto& [key, value] : sums_) {
    const auto& [core, pc] = key;
    const auto& [pipe, sum] = value;
    const PyptoLane* lane = pypto_lane_of(pipe);
    by_core[core_label(cores_[core])].push_back(
        {{"address", fmt::format("0x{:x}", pc)},
         {"source", mnemonic(*program_, pc)},
         {"pipe", lane != nullptr ? lane->name : "SCALAR"},
         {"cycles", sum.cycles},
         {"instructions_executed", sum.count},
         {"vector_utilization_percentage", nullptr},  // nothing measures how many lanes do work
         {"code", code_of(*program_, pc)}});
  }
  const Json document = {{"cores", cores}, {"instructions", by_core}, {"column_types", Json::object()}};
  return dumped(document) + "\n";
}

}  // namespace pto::report
