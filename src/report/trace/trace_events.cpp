#include "report/trace/trace_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "ir/hardware_lanes.hpp"
#include "pto/assembler.hpp"
#include "report/bottleneck/critical_path.hpp"
#include "report/naming.hpp"
#include "support/json.hpp"

namespace pto::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kFlushBytes = size_t{1} << 16;

int thread_of(Pipe pipe) { return lane_of(pipe) + 1; }  // viewers hide thread 0 too

/// TraceRecord::detail of the counters of all cores.
constexpr std::array<std::string_view, 6> kTraffic = {"GM reads",  "GM writes", "L2 reads",
                                                      "L2 writes", "HBM reads", "HBM writes"};

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

constexpr std::string_view kTraceHead = "{\"displayTimeUnit\": \"ns\",\n\"traceEvents\": [\n";

std::string trace_tail(std::string_view target, uint64_t cycles) {
  return "\n],\n\"otherData\": " +
         dump({{"target", target}, {"time", "1 us = 1 cycle"}, {"total_cycles", cycles}}) + "}\n";
}

std::string metadata(const char* what, uint32_t pid, int tid, Json args) {
  return dump({{"ph", "M"}, {"name", what}, {"pid", pid}, {"tid", tid}, {"args", std::move(args)}});
}

}  // namespace

size_t track_of(uint32_t core, Pipe pipe) {
  return size_t{core} * kLanes + static_cast<size_t>(lane_of(pipe));
}

TraceEvents::TraceEvents(Sink put, std::optional<uint32_t> rank)
    : put_(std::move(put)), rank_(rank), arrows_(uint64_t{rank.value_or(0)} << 32) {}

void TraceEvents::start(std::span<const CoreInfo> cores, const Program& program) {
  program_ = &program;
  cores_.assign(cores.begin(), cores.end());
  has_names_.assign(cores.size() * kLanes, 0);
  vector_tracks_.resize(cores.size());
  if (!rank_) out_ += kTraceHead;
  for (const CoreInfo& core : cores) {
    const uint32_t pid = process_of(core.index);
    name_process(pid, with_rank(core_name(core)), rank_ ? pid : core.index);
  }
}

void TraceEvents::name_process(uint32_t pid, std::string_view name, int64_t sort_index) {
  begin_event();
  out_ += metadata("process_name", pid, 0, {{"name", name}});
  begin_event();
  out_ += metadata("process_sort_index", pid, 0, {{"sort_index", sort_index}});
}

void TraceEvents::name_thread(uint32_t pid, int tid, std::string_view name) {
  begin_event();
  out_ += metadata("thread_name", pid, tid, {{"name", name}});
  begin_event();
  out_ += metadata("thread_sort_index", pid, tid, {{"sort_index", tid}});
}

void TraceEvents::write(const TraceRecord& record) {
  using Kind = TraceRecord::Kind;
  if (record.kind == Kind::counter) return write_counter(record);
  if (record.kind == Kind::block) return write_block(record);
  if (record.kind == Kind::step) return write_step(record);
  uint8_t& has_name = has_names_[track_of(record.core, record.pipe)];
  if (has_name == 0) name_thread(process_of(record.core), thread_of(record.pipe), to_string(record.pipe));
  has_name = 1;
  begin_event();
  if (record.kind == Kind::instruction)
    write_instruction(record);
  else if (record.kind == Kind::stall)
    write_stall(record);
  else if (record.kind == Kind::set || record.kind == Kind::wait)
    write_flag(record);
  else
    write_arrow(record);
  flush(kFlushBytes);
}

void TraceEvents::write_flag(const TraceRecord& record) {
  if (record.detail != 0) {
    write_slice(record, text_of(record.pc).name, "signal");
    fmt::format_to(std::back_inserter(out_), R"(,"args":{{{}}}}})", text_of(record.pc).place);
    return;
  }
  const std::string_view what = record.kind == TraceRecord::Kind::set ? "set" : "wait";
  write_slice(record, fmt::format("\"{} EVENT_ID{}\"", what, record.pc), "flag");
  out_ += '}';
}

void TraceEvents::write_instruction(const TraceRecord& record) {
  const OpText& text = text_of(record.pc);
  write_slice(record, text.name, "instruction");
  fmt::format_to(std::back_inserter(out_), R"(,"args":{{{},"issued":{},"visible":{},"basis":"{}"}}}})",
                 text.place, record.number, record.visible, to_string(static_cast<Basis>(record.detail)));
}

void TraceEvents::write_stall(const TraceRecord& record) {
  const std::string_view reason = to_string(static_cast<Stall>(record.detail));
  write_slice(record, fmt::format("\"wait: {}\"", reason), "stall");
  fmt::format_to(std::back_inserter(out_), R"(,"cname":"grey","args":{{"reason":"{}")", reason);
  if (record.pc < program_->ops.size()) (out_ += ',') += text_of(record.pc).place;
  out_ += "}}";
}

/// All but the closing brace; the name is a JSON string.
void TraceEvents::write_slice(const TraceRecord& record, std::string_view name, std::string_view category) {
  fmt::format_to(std::back_inserter(out_),
                 R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{})", name, category,
                 process_of(record.core), thread_of(record.pipe), launch_ + record.time, record.length);
}

void TraceEvents::write_arrow(const TraceRecord& record) {
  const bool begins = record.kind == TraceRecord::Kind::arrow_begin, signal = record.detail != 0;
  fmt::format_to(std::back_inserter(out_),
                 R"({{"ph":"{}","name":"{}","cat":"{}","id":{},"pid":{},"tid":{},"ts":{}{}}})",
                 begins ? "s" : "f", signal ? "signal" : fmt::format("EVENT_ID{}", record.pc),
                 signal ? "signal" : "flag", record.number, process_of(record.core), thread_of(record.pipe),
                 launch_ + record.time, begins ? "" : R"(,"bp":"e")");
}

/// Records hold changes; events hold the sum.
void TraceEvents::write_counter(const TraceRecord& record) {
  double& sum = counters_[{record.core, record.detail}];
  sum += record.change;
  const bool gm = record.core == kGmCounters;
  begin_event();
  fmt::format_to(std::back_inserter(out_),
                 R"({{"ph":"C","name":"{}","pid":{},"ts":{},"args":{{"{}":{:.10g}}}}})",
                 gm ? std::string(kTraffic[record.detail])
                    : fmt::format("{} in use", to_string(static_cast<Space>(record.detail))),
                 gm ? process_of(Extra::memory) : process_of(record.core), launch_ + record.time,
                 gm ? "bytes per cycle" : "bytes", std::abs(sum) < 1e-6 ? 0 : sum);
  flush(kFlushBytes);
}

void TraceEvents::write_block(const TraceRecord& record) {
  const CoreInfo& core = cores_[record.core];
  const uint32_t pid = process_of(core.index);
  name_thread(pid, kLanes + 1, "block");
  begin_event();
  fmt::format_to(
      std::back_inserter(out_),
      R"({{"ph":"X","name":"block {}","cat":"block","pid":{},"tid":{},"ts":{},"dur":{},"args":{{"block":{},"subblock":{}}}}})",
      core.block, pid, kLanes + 1, launch_ + record.time, record.length, core.block, core.subblock);
  flush(kFlushBytes);
}

/// Steps of vector functions have tracks of their own, behind the block's.
void TraceEvents::write_step(const TraceRecord& record) {
  const auto [track, fresh] = vector_tracks_[record.core].allocate(record.time, record.detail != 0);
  const uint32_t pid = process_of(record.core);
  const auto tid = static_cast<int>(kLanes + 2 + track);
  if (fresh) name_thread(pid, tid, fmt::format("V {}", VectorTracks::name(track)));
  begin_event();
  const OpText& text = text_of(record.pc);
  fmt::format_to(
      std::back_inserter(out_),
      R"({{"ph":"X","name":{},"cat":"vector step","pid":{},"tid":{},"ts":{},"dur":1,"args":{{{},"visible":{}}}}})",
      text.name, pid, tid, launch_ + record.time, text.place, record.visible);
  flush(kFlushBytes);
}

void TraceEvents::write_launch(uint64_t cycles) {
  launch_ = cycles;
  if (launch_ == 0) return;
  const uint32_t pid = process_of(Extra::launch);
  for (const char* what : {"process_name", "thread_name"}) {
    begin_event();
    out_ += metadata(what, pid, 1, {{"name", with_rank("launch")}});
  }
  begin_event();
  fmt::format_to(std::back_inserter(out_),
                 R"({{"ph":"X","name":"launch","cat":"launch","pid":{},"tid":1,"ts":0,"dur":{}}})", pid,
                 launch_);
}

void TraceEvents::write_critical_path(const StepGraph& steps) {
  const uint32_t pid = process_of(Extra::critical_path);
  for (const char* what : {"process_name", "thread_name"}) {
    begin_event();
    out_ += metadata(what, pid, 1, {{"name", with_rank("critical path")}});
  }
  begin_event();
  out_ += metadata("process_sort_index", pid, 1, {{"sort_index", -1}});
  for (const PathPart& part : critical_path(steps, steps.time_again())) {
    begin_event();
    const CoreInfo& core = steps.cores()[part.core];
    fmt::format_to(
        std::back_inserter(out_),
        R"({{"ph":"X","name":{},"cat":"critical path","pid":{},"tid":1,"ts":{},"dur":{},"args":{{{},"pipe":"{}","core":"{}","after":{}}}}})",
        text_of(part.pc).name, pid, launch_ + part.begin, part.end - part.begin, text_of(part.pc).place,
        to_string(part.pipe), core_name(core), dump(after_words(*program_, part)));
    flush(kFlushBytes);
  }
}

void TraceEvents::begin_event() {
  if (!first_) out_ += ",\n";
  first_ = false;
}

/// Viewers hide process 0. The processes of a rank are behind those of the ranks before.
uint32_t TraceEvents::process_of(uint32_t core, uint32_t rank) const {
  const auto each = static_cast<uint32_t>(cores_.size()) + static_cast<uint32_t>(Extra::count);
  return rank * each + core + 1;
}

uint32_t TraceEvents::process_of(Extra extra) const {
  return process_of(static_cast<uint32_t>(cores_.size()) + static_cast<uint32_t>(extra));
}

std::string TraceEvents::with_rank(std::string_view process) const {
  return rank_ ? fmt::format("rank {}, {}", *rank_, process) : std::string(process);
}

void TraceEvents::flush(size_t least) {
  if (out_.size() < least) return;
  put_(out_);
  out_.clear();
}

void TraceEvents::finish(std::string_view target, uint64_t total_cycles) {
  if (!rank_) out_ += trace_tail(target, launch_ + total_cycles);
  flush(0);
}

// ---- several devices

void TraceEvents::write_link_arrow(uint32_t pc, const LinkEnd& from, const LinkEnd& to) {
  ++arrows_;
  write_link_end(pc, from, true);
  write_link_end(pc, to, false);
  flush(kFlushBytes);
}

/// In a slice of a cycle. Threads of cores are their lanes, as elsewhere.
void TraceEvents::write_link_end(uint32_t pc, const LinkEnd& end, bool begins) {
  begin_event();
  fmt::format_to(std::back_inserter(out_),
                 R"({{"ph":"X","name":{},"cat":"link","pid":{},"tid":{},"ts":{},"dur":1}},{})",
                 text_of(pc).name, end.process, end.thread, launch_ + end.time, "\n");
  fmt::format_to(std::back_inserter(out_),
                 R"({{"ph":"{}","name":"link","cat":"link","id":{},"pid":{},"tid":{},"ts":{}{}}})",
                 begins ? "s" : "f", arrows_, end.process, end.thread, launch_ + end.time,
                 begins ? "" : R"(,"bp":"e")");
}

void TraceEvents::write_message(const sim::MessageEvent& arrival) {
  using Kind = sim::MessageEvent::Kind;
  const uint32_t pid = process_of(Extra::links);
  const bool got = arrival.kind == Kind::got;
  const int tid = static_cast<int>(2 * arrival.from) + (got ? 2 : 1);
  if (link_threads_.empty()) {
    name_process(pid, with_rank("links"), pid);
  }
  if (link_threads_.insert(tid).second) {
    name_thread(pid, tid, fmt::format("{} rank {}", got ? "asked of" : "from", arrival.from));
  }
  const uint64_t takes = std::clamp<uint64_t>(arrival.takes, 1, arrival.time + 1);
  const uint64_t begin = arrival.time - std::min(takes, arrival.time);
  begin_event();
  fmt::format_to(
      std::back_inserter(out_),
      R"({{"ph":"X","name":{},"cat":"link","pid":{},"tid":{},"ts":{},"dur":{},"args":{{{},"bytes":{},"sent":{}}}}})",
      text_of(arrival.pc).name, pid, tid, launch_ + begin, takes, text_of(arrival.pc).place,
      arrival.rows * arrival.row_bytes, launch_ + arrival.sent);
  if (arrival.kind == Kind::write || arrival.kind == Kind::add)
    write_link_arrow(
        arrival.pc,
        {process_of(arrival.core, arrival.from), static_cast<int>(arrival.lane) + 1, arrival.sent},
        {pid, tid, begin});
  flush(kFlushBytes);
}

void TraceEvents::write_notification(const sim::Notification& by, uint32_t to, uint64_t time) {
  write_link_arrow(by.pc, {process_of(by.core, by.rank), thread_of(Pipe::s), by.sent},
                   {process_of(to), thread_of(Pipe::s), time});
}

std::string trace_of_ranks(std::span<const std::string> parts, std::string_view target, uint64_t cycles) {
  std::string out(kTraceHead);
  bool first = true;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!first) out += ",\n";
    first = false;
    out += part;
  }
  return out + trace_tail(target, cycles);
}

auto TraceEvents::text_of(uint32_t pc) -> const OpText& {
  const auto [at, fresh] = texts_.try_emplace(pc);
  if (fresh) {
    at->second.name = dump(mnemonic(*program_, pc));
    const Location line = where(*program_, pc);
    at->second.place = fmt::format(R"("line":{},"operation":{})", line.line, dump(print_op(*program_, pc)));
    if (const Origin* origin = program_->origin_of(line)) {
      const std::string source =
          fmt::format("{}:{}:{}", program_->strings[origin->file], origin->at.line, origin->at.col);
      at->second.place += fmt::format(R"(,"source":{})", dump(source));
    }
  }
  return at->second;
}

}  // namespace pto::report
