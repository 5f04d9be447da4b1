// One process per core, one thread per pipe in dataflow order, flags as arrows, waits as slices of their own.
// One cycle is one microsecond of the viewer. Format: the Trace Event Format document.
#include "report/trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <tuple>

#include "ir/hardware_lanes.hpp"
#include "pto/assembler.hpp"
#include "report/bottleneck/critical_path.hpp"
#include "report/bottleneck/dependence_graph.hpp"
#include "report/naming.hpp"
#include "support/json.hpp"

namespace pto::report {
namespace {

using Json = nlohmann::ordered_json;

int thread_of(Pipe pipe) { return lane_of(pipe) + 1; }  // viewers hide thread 0 too
size_t track_of(uint32_t core, Pipe pipe) {
  return size_t{core} * kLanes + static_cast<size_t>(lane_of(pipe));
}

constexpr uint32_t kGm = ~0u;  // the core of the counters of all
// Of those, in Record::detail.
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

TraceWriter::TraceWriter(std::string target, Sink put, size_t held, std::optional<uint32_t> rank)
    : target_(std::move(target)),
      put_(std::move(put)),
      held_(held),
      limit_(2 * held),
      signals_([this](const SignalEnd& set, const SignalEnd& wait) { on_signal(set, wait); },
               [this](uint32_t core, Pipe pipe) { return visible_[track_of(core, pipe)]; }),
      rank_(rank) {
  arrows_ = uint64_t{rank.value_or(0)} << 32;  // of all ranks, each has its number
  occupancy_.tell([this](const Life& life) {
    count(life.core, static_cast<uint8_t>(life.space), life.begin, life.last,
          static_cast<double>(life.high - life.low));
  });
}

/// By time; at one time slices stand before the arrows that bind to them, and the longer slice holds the
/// shorter. Counters stand in front of both, and go down before they go up.
bool TraceWriter::before(const Record& a, const Record& b) {
  using Kind = Record::Kind;
  const auto rank = [](const Record& record) {
    if (record.kind == Kind::counter) return record.change < 0 ? -2 : -1;
    return record.kind == Kind::arrow_begin ? 1 : record.kind == Kind::arrow_end ? 2 : 0;
  };
  const auto sort = [](Kind kind) { return std::min(kind, Kind::set); };
  return std::tuple(a.time, rank(a), b.length, sort(a.kind)) <
         std::tuple(b.time, rank(b), a.length, sort(b.kind));
}

void TraceWriter::on_start(std::span<const CoreInfo> cores, const Program& program) {
  program_ = &program;
  told_.assign(cores.size() * kLanes, 0);
  has_names_.assign(told_.size(), 0);
  visible_.assign(told_.size(), 0);
  accesses_.start(cores.size(), program);
  inside_.resize(cores.size());
  for (const CoreInfo& core : cores) blocks_.push_back({core});
  if (!rank_) out_ += kTraceHead;
  for (const CoreInfo& core : cores) {
    const uint32_t pid = process_of(core.index);
    event();
    out_ += metadata("process_name", pid, 0, {{"name", named(core_name(core))}});
    event();
    out_ += metadata("process_sort_index", pid, 0, {{"sort_index", rank_ ? pid : core.index}});
  }
}

void TraceWriter::on_instruction(const InstEvent& event) {
  uint64_t& reported = told_[track_of(event.core, event.pipe)];
  reported = std::max(reported, event.busy_end);
  uint64_t& visible = visible_[track_of(event.core, event.pipe)];
  visible = std::max(visible, event.end);
  Block& block = blocks_[event.core];
  block.begin = std::min(block.begin, event.start);
  block.end = std::max(block.end, event.busy_end);
  accesses_.add(event);
  add({event.start, event.busy_end - event.start, event.issue, event.end, 0, event.core, event.pc, event.pipe,
       Record::Kind::instruction, static_cast<uint8_t>(event.basis)});
}

/// Waits after the last instruction only say that the pipe was not needed.
void TraceWriter::on_stall(const StallEvent& event) {
  if (event.end <= event.begin || event.reason == Stall::finished) return;
  uint64_t& reported = told_[track_of(event.core, event.pipe)];
  reported = std::max(reported, event.end);
  add({event.begin, event.end - event.begin, 0, 0, 0, event.core, event.pc, event.pipe, Record::Kind::stall,
       static_cast<uint8_t>(event.reason)});
}

/// It takes its port, or the way to memory, for a cycle.
void TraceWriter::on_vector_step(const VectorStepEvent& event) {
  add({event.begin, 1, 0, event.end, 0, event.core, event.pc, Pipe::v, Record::Kind::step,
       static_cast<uint8_t>(event.memory)});
}

void TraceWriter::on_flag(const FlagEvent& event) {
  using Kind = Record::Kind;
  const uint64_t taken = std::max(event.set_time, event.wait_end);
  const auto id = static_cast<uint32_t>(event.id);
  arrow({event.set_time, 1, 0, 0, 0, event.core, id, event.src, Kind::set, 0},
        {taken, 1, 0, 0, 0, event.core, id, event.dst, Kind::wait, 0});
}

void TraceWriter::on_signal(const SignalEnd& set, const SignalEnd& wait) {
  using Kind = Record::Kind;
  arrow({set.time, 1, 0, 0, 0, set.core, set.pc, set.pipe, Kind::set, 1},
        {std::max(set.time, wait.time), 1, 0, 0, 0, wait.core, wait.pc, wait.pipe, Kind::wait, 1});
}

/// Arrows bind to the slice around their end, so each end gets one of a cycle.
void TraceWriter::arrow(const Record& set, const Record& wait) {
  ++arrows_;
  for (const Record* each : {&set, &wait}) {
    Record record = *each;
    record.number = arrows_;
    add(record);
    record.length = 0;
    record.kind = each == &set ? Record::Kind::arrow_begin : Record::Kind::arrow_end;
    add(record);
  }
}

/// Bytes that GM moves per cycle, and those that buffers hold.
void TraceWriter::on_footprint(const FootprintEvent& event) {
  if (event.rows == 0 || event.row_bytes == 0 || event.pc >= program_->ops.size()) return;
  const Accesses::Span span = accesses_.span_of(event);
  if (event.space != Space::gm) {
    if (context_ != nullptr) occupancy_.add(accesses_.on_chip(event, span, *context_), event.update);
    return;
  }
  const double rate =
      static_cast<double>(event.rows * event.row_bytes) / static_cast<double>(span.end - span.begin);
  if (event.write) count(kGm, 1, span.begin, span.end, rate);
  if (!event.write || event.update) count(kGm, 0, span.begin, span.end, rate);
}

void TraceWriter::on_transfer(const TransferEvent& event) {
  const auto cycles = static_cast<double>(std::max<uint64_t>(event.end - event.begin, 1));
  const uint8_t which = event.write ? 1 : 0;
  count(kGm, 2 + which, event.begin, event.end, static_cast<double>(event.bytes) / cycles);
  if (event.hbm != 0) count(kGm, 4 + which, event.begin, event.end, static_cast<double>(event.hbm) / cycles);
}

void TraceWriter::count(uint32_t core, uint8_t what, uint64_t begin, uint64_t end, double amount) {
  for (const auto& [time, change] : {std::pair(begin, amount), {std::max(end, begin + 1), -amount}})
    add({time, 0, 0, 0, change, core, 0, Pipe::none, Record::Kind::counter, what});
}

void TraceWriter::on_finish(uint64_t total_cycles) {
  occupancy_.finish();
  add_blocks();
  write_out(0);
  if (steps_ != nullptr && steps_->complete()) write_critical_path();
  finished_ = true;
  if (!rank_) out_ += trace_tail(target_, launch_ + total_cycles);
  put_if_much(0);
}

void TraceWriter::add(const Record& record) {
  records_.push_back(record);
  if (records_.size() >= limit_) write_out(held_);
}

/// Writes all but the last `hold` records.
void TraceWriter::write_out(size_t hold) {
  const auto fresh = records_.begin() + static_cast<std::ptrdiff_t>(sorted_);
  std::stable_sort(fresh, records_.end(), before);
  std::inplace_merge(records_.begin(), fresh, records_.end(), before);
  const auto held = records_.end() - static_cast<std::ptrdiff_t>(std::min(hold, records_.size()));
  auto kept = records_.begin();
  for (auto record = records_.begin(); record != held; ++record) {
    if (hold == 0 || settled(*record))
      write(*record);
    else
      *kept++ = *record;
  }
  records_.erase(kept, held);
  sorted_ = records_.size();
  limit_ = sorted_ + held_;
}

/// A flag's slice waits for the slice of its pipe around it, which has to stand in front of it. The scalar
/// unit tells no slice that begins before its flags.
bool TraceWriter::settled(const Record& record) const {
  return !record.of_flag() || record.pipe == Pipe::s ||
         told_[track_of(record.core, record.pipe)] > record.time;
}

void TraceWriter::write(const Record& record) {
  using Kind = Record::Kind;
  if (record.kind == Kind::counter) return write_counter(record);
  if (record.kind == Kind::block) return write_block(record);
  if (record.kind == Kind::step) return write_step(record);
  if (has_names_[track_of(record.core, record.pipe)] == 0) write_names(record);
  event();
  if (record.kind == Kind::instruction) {
    write_instruction(record);
  } else if (record.kind == Kind::stall) {
    write_stall(record);
  } else if (record.kind == Kind::set || record.kind == Kind::wait) {
    const std::string_view what = record.kind == Kind::set ? "set" : "wait";
    if (record.detail != 0) {
      write_slice(record, text_of(record.pc).name, "signal");
      fmt::format_to(std::back_inserter(out_), R"(,"args":{{{}}}}})", text_of(record.pc).place);
    } else {
      write_slice(record, fmt::format("\"{} EVENT_ID{}\"", what, record.pc), "flag");
      out_ += '}';
    }
  } else {
    write_arrow(record);
  }
  put_if_much(size_t{1} << 16);
}

void TraceWriter::write_names(const Record& record) {
  has_names_[track_of(record.core, record.pipe)] = 1;
  const uint32_t pid = process_of(record.core);
  const int tid = thread_of(record.pipe);
  event();
  out_ += metadata("thread_name", pid, tid, {{"name", to_string(record.pipe)}});
  event();
  out_ += metadata("thread_sort_index", pid, tid, {{"sort_index", tid}});
}

void TraceWriter::write_instruction(const Record& record) {
  const OpText& text = text_of(record.pc);
  write_slice(record, text.name, "instruction");
  fmt::format_to(std::back_inserter(out_), R"(,"args":{{{},"issued":{},"visible":{},"basis":"{}"}}}})",
                 text.place, record.number, record.visible, to_string(static_cast<Basis>(record.detail)));
}

void TraceWriter::write_stall(const Record& record) {
  const std::string_view reason = to_string(static_cast<Stall>(record.detail));
  write_slice(record, fmt::format("\"wait: {}\"", reason), "stall");
  fmt::format_to(std::back_inserter(out_), R"(,"cname":"grey","args":{{"reason":"{}")", reason);
  if (record.pc < program_->ops.size()) (out_ += ',') += text_of(record.pc).place;
  out_ += "}}";
}

/// All but the closing brace; the name is a JSON string.
void TraceWriter::write_slice(const Record& record, std::string_view name, std::string_view category) {
  fmt::format_to(std::back_inserter(out_),
                 R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{})", name, category,
                 process_of(record.core), thread_of(record.pipe), launch_ + record.time, record.length);
}

void TraceWriter::write_arrow(const Record& record) {
  const bool begins = record.kind == Record::Kind::arrow_begin, signal = record.detail != 0;
  fmt::format_to(std::back_inserter(out_),
                 R"({{"ph":"{}","name":"{}","cat":"{}","id":{},"pid":{},"tid":{},"ts":{}{}}})",
                 begins ? "s" : "f", signal ? "signal" : fmt::format("EVENT_ID{}", record.pc),
                 signal ? "signal" : "flag", record.number, process_of(record.core), thread_of(record.pipe),
                 launch_ + record.time, begins ? "" : R"(,"bp":"e")");
}

/// Counters are told as changes; the sum is shown.
void TraceWriter::write_counter(const Record& record) {
  double& sum = counters_[{record.core, record.detail}];
  sum += record.change;
  const bool gm = record.core == kGm;
  event();
  fmt::format_to(std::back_inserter(out_),
                 R"({{"ph":"C","name":"{}","pid":{},"ts":{},"args":{{"{}":{:.10g}}}}})",
                 gm ? std::string(kTraffic[record.detail])
                    : fmt::format("{} in use", to_string(static_cast<Space>(record.detail))),
                 gm ? process_of(Extra::memory) : process_of(record.core), launch_ + record.time,
                 gm ? "bytes per cycle" : "bytes", std::abs(sum) < 1e-6 ? 0 : sum);
  put_if_much(size_t{1} << 16);
}

/// From the first instruction of a core to its last: a slice of its own track.
void TraceWriter::add_blocks() {
  for (const Block& block : blocks_) {
    if (block.end <= block.begin) continue;
    records_.push_back({block.begin, block.end - block.begin, 0, 0, 0, block.core.index, 0, Pipe::none,
                        Record::Kind::block, 0});
  }
}

void TraceWriter::write_block(const Record& record) {
  const CoreInfo& core = blocks_[record.core].core;
  const uint32_t pid = process_of(core.index);
  event();
  out_ += metadata("thread_name", pid, kLanes + 1, {{"name", "block"}});
  event();
  out_ += metadata("thread_sort_index", pid, kLanes + 1, {{"sort_index", kLanes + 1}});
  event();
  fmt::format_to(
      std::back_inserter(out_),
      R"({{"ph":"X","name":"block {}","cat":"block","pid":{},"tid":{},"ts":{},"dur":{},"args":{{"block":{},"subblock":{}}}}})",
      core.block, pid, kLanes + 1, launch_ + record.time, record.length, core.block, core.subblock);
  put_if_much(size_t{1} << 16);
}

/// Steps of vector functions have tracks of their own, behind the block's.
void TraceWriter::write_step(const Record& record) {
  const auto [track, fresh] = inside_[record.core].take(record.time, record.detail != 0);
  const uint32_t pid = process_of(record.core);
  const auto tid = static_cast<int>(kLanes + 2 + track);
  if (fresh) {
    event();
    out_ += metadata("thread_name", pid, tid, {{"name", fmt::format("V {}", VectorTracks::name(track))}});
    event();
    out_ += metadata("thread_sort_index", pid, tid, {{"sort_index", tid}});
  }
  event();
  const OpText& text = text_of(record.pc);
  fmt::format_to(
      std::back_inserter(out_),
      R"({{"ph":"X","name":{},"cat":"vector step","pid":{},"tid":{},"ts":{},"dur":1,"args":{{{},"visible":{}}}}})",
      text.name, pid, tid, launch_ + record.time, text.place, record.visible);
  put_if_much(size_t{1} << 16);
}

/// A slice of its own; everything else is told from its end on.
void TraceWriter::on_launch(uint64_t cycles) {
  launch_ = cycles;
  if (launch_ == 0) return;
  const uint32_t pid = process_of(Extra::launch);
  for (const char* what : {"process_name", "thread_name"}) {
    event();
    out_ += metadata(what, pid, 1, {{"name", named("launch")}});
  }
  event();
  fmt::format_to(std::back_inserter(out_),
                 R"({{"ph":"X","name":"launch","cat":"launch","pid":{},"tid":1,"ts":0,"dur":{}}})", pid,
                 launch_);
}

void TraceWriter::write_critical_path() {
  const uint32_t pid = process_of(Extra::critical_path);
  for (const char* what : {"process_name", "thread_name"}) {
    event();
    out_ += metadata(what, pid, 1, {{"name", named("critical path")}});
  }
  event();
  out_ += metadata("process_sort_index", pid, 1, {{"sort_index", -1}});
  for (const PathPart& part : critical_path(*steps_, steps_->time_again())) {
    event();
    const CoreInfo& core = steps_->cores()[part.core];
    fmt::format_to(
        std::back_inserter(out_),
        R"({{"ph":"X","name":{},"cat":"critical path","pid":{},"tid":1,"ts":{},"dur":{},"args":{{{},"pipe":"{}","core":"{}","after":{}}}}})",
        text_of(part.pc).name, pid, launch_ + part.begin, part.end - part.begin, text_of(part.pc).place,
        to_string(part.pipe), core_name(core), dump(after_words(*program_, part)));
    put_if_much(size_t{1} << 16);
  }
}

/// Begins the next event of the list.
void TraceWriter::event() {
  if (!first_) out_ += ",\n";
  first_ = false;
}

/// Viewers hide process 0. The processes of a rank stand behind those of the ranks before.
uint32_t TraceWriter::process_of(uint32_t core, uint32_t rank) const {
  const auto each = static_cast<uint32_t>(blocks_.size()) + static_cast<uint32_t>(Extra::count);
  return rank * each + core + 1;
}
uint32_t TraceWriter::process_of(Extra extra) const {
  return process_of(static_cast<uint32_t>(blocks_.size()) + static_cast<uint32_t>(extra));
}

std::string TraceWriter::named(std::string_view process) const {
  return rank_ ? fmt::format("rank {}, {}", *rank_, process) : std::string(process);
}

void TraceWriter::put_if_much(size_t much) {
  if (out_.size() < much) return;
  put_(out_);
  out_.clear();
}

// ---- several devices

/// Each end in a slice of a cycle. Threads of cores are their lanes, as elsewhere.
void TraceWriter::write_link_arrow(uint32_t rank, uint32_t core, int thread, uint64_t sent, uint32_t pc,
                                   uint32_t to, int to_thread, uint64_t time) {
  ++arrows_;
  const std::string& name = text_of(pc).name;
  const auto end = [&](uint32_t pid, int tid, uint64_t at, bool begins) {
    event();
    fmt::format_to(std::back_inserter(out_),
                   R"({{"ph":"X","name":{},"cat":"link","pid":{},"tid":{},"ts":{},"dur":1}},{})", name, pid,
                   tid, launch_ + at, "\n");
    fmt::format_to(std::back_inserter(out_),
                   R"({{"ph":"{}","name":"link","cat":"link","id":{},"pid":{},"tid":{},"ts":{}{}}})",
                   begins ? "s" : "f", arrows_, pid, tid, launch_ + at, begins ? "" : R"(,"bp":"e")");
  };
  end(process_of(core, rank), thread, sent, true);
  end(to, to_thread, time, false);
  put_if_much(size_t{1} << 16);
}

/// What comes is on its link for a while: a track for each rank, and one for what was asked of it.
void TraceWriter::on_message(const sim::MessageEvent& arrival) {
  using Kind = sim::MessageEvent::Kind;
  if (finished_ || !rank_ || arrival.kind == Kind::asked) return;
  const uint32_t pid = process_of(Extra::links);
  const bool got = arrival.kind == Kind::got;
  const int tid = static_cast<int>(2 * arrival.from) + (got ? 2 : 1);
  if (link_threads_.empty()) {
    event();
    out_ += metadata("process_name", pid, 0, {{"name", named("links")}});
    event();
    out_ += metadata("process_sort_index", pid, 0, {{"sort_index", pid}});
  }
  if (link_threads_.insert(tid).second) {
    event();
    out_ += metadata("thread_name", pid, tid,
                     {{"name", fmt::format("{} rank {}", got ? "asked of" : "from", arrival.from)}});
    event();
    out_ += metadata("thread_sort_index", pid, tid, {{"sort_index", tid}});
  }
  const uint64_t takes = std::clamp<uint64_t>(arrival.takes, 1, arrival.time + 1);
  const uint64_t begin = arrival.time - std::min(takes, arrival.time);
  event();
  fmt::format_to(
      std::back_inserter(out_),
      R"({{"ph":"X","name":{},"cat":"link","pid":{},"tid":{},"ts":{},"dur":{},"args":{{{},"bytes":{},"sent":{}}}}})",
      text_of(arrival.pc).name, pid, tid, launch_ + begin, takes, text_of(arrival.pc).place,
      arrival.rows * arrival.row_bytes, launch_ + arrival.sent);
  if (arrival.kind == Kind::write || arrival.kind == Kind::add)
    write_link_arrow(arrival.from, arrival.core, static_cast<int>(arrival.lane) + 1, arrival.sent, arrival.pc,
                     pid, tid, begin);
  put_if_much(size_t{1} << 16);
}

void TraceWriter::on_wait_released(const sim::WaitReleased& awoken) {
  if (finished_ || !rank_) return;
  for (const sim::WaitReleased::Word& word : awoken.words) {
    for (const sim::Notification& by : word.notified.subspan(word.before)) {
      if (by.rank != *rank_)
        write_link_arrow(by.rank, by.core, thread_of(Pipe::s), by.sent, by.pc, process_of(awoken.core),
                         thread_of(Pipe::s), awoken.time);
    }
  }
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

auto TraceWriter::text_of(uint32_t pc) -> const OpText& {
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
