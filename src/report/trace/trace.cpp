// Order of the events: records are held back and sorted by the time at which they begin.
#include "report/trace/trace.hpp"

#include <algorithm>
#include <tuple>

#include "ir/hardware_lanes.hpp"

namespace pto::report {

TraceWriter::TraceWriter(std::string target, Sink put, size_t held, std::optional<uint32_t> rank)
    : target_(std::move(target)),
      held_(held),
      limit_(2 * held),
      signals_([this](const SignalEnd& set, const SignalEnd& wait) { on_signal(set, wait); },
               [this](uint32_t core, Pipe pipe) { return visible_[track_of(core, pipe)]; }),
      events_(std::move(put), rank),
      rank_(rank) {
  occupancy_.tell([this](const Life& life) {
    count(life.core, static_cast<uint8_t>(life.space), life.begin, life.last,
          static_cast<double>(life.high - life.low));
  });
}

/// By time; at one time slices are before the arrows that bind to them, and the longer slice holds the
/// shorter. Counters are in front of both, and go down before they go up.
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
  reported_until_.assign(cores.size() * kLanes, 0);
  visible_.assign(reported_until_.size(), 0);
  accesses_.start(cores.size(), program);
  blocks_.resize(cores.size());
  events_.start(cores, program);
}

void TraceWriter::on_instruction(const InstEvent& event) {
  uint64_t& reported = reported_until_[track_of(event.core, event.pipe)];
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
  uint64_t& reported = reported_until_[track_of(event.core, event.pipe)];
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
  add_arrow({event.set_time, 1, 0, 0, 0, event.core, id, event.src, Kind::set, 0},
            {taken, 1, 0, 0, 0, event.core, id, event.dst, Kind::wait, 0});
}

void TraceWriter::on_signal(const SignalEnd& set, const SignalEnd& wait) {
  using Kind = Record::Kind;
  add_arrow({set.time, 1, 0, 0, 0, set.core, set.pc, set.pipe, Kind::set, 1},
            {std::max(set.time, wait.time), 1, 0, 0, 0, wait.core, wait.pc, wait.pipe, Kind::wait, 1});
}

/// Arrows bind to the slice around their end, so each end gets one of a cycle.
void TraceWriter::add_arrow(const Record& set, const Record& wait) {
  const uint64_t number = events_.next_arrow();
  for (const Record* each : {&set, &wait}) {
    Record record = *each;
    record.number = number;
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
  if (event.write) count(kGmCounters, 1, span.begin, span.end, rate);
  if (!event.write || event.update) count(kGmCounters, 0, span.begin, span.end, rate);
}

void TraceWriter::on_transfer(const TransferEvent& event) {
  const auto cycles = static_cast<double>(std::max<uint64_t>(event.end - event.begin, 1));
  const uint8_t which = event.write ? 1 : 0;
  count(kGmCounters, 2 + which, event.begin, event.end, static_cast<double>(event.bytes) / cycles);
  if (event.hbm != 0)
    count(kGmCounters, 4 + which, event.begin, event.end, static_cast<double>(event.hbm) / cycles);
}

void TraceWriter::count(uint32_t core, uint8_t what, uint64_t begin, uint64_t end, double amount) {
  for (const auto& [time, change] : {std::pair(begin, amount), {std::max(end, begin + 1), -amount}})
    add({time, 0, 0, 0, change, core, 0, Pipe::none, Record::Kind::counter, what});
}

void TraceWriter::on_finish(uint64_t total_cycles) {
  occupancy_.finish();
  add_blocks();
  write_out(0);
  if (steps_ != nullptr && steps_->complete()) events_.write_critical_path(*steps_);
  finished_ = true;
  events_.finish(target_, total_cycles);
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
    if (hold == 0 || is_settled(*record))
      events_.write(*record);
    else
      *kept++ = *record;
  }
  records_.erase(kept, held);
  sorted_ = records_.size();
  limit_ = sorted_ + held_;
}

/// A flag's slice waits for the slice of its pipe around it, which has to be in front of it. The scalar unit
/// has no slice that begins before its flags.
bool TraceWriter::is_settled(const Record& record) const {
  return !record.is_of_flag() || record.pipe == Pipe::s ||
         reported_until_[track_of(record.core, record.pipe)] > record.time;
}

/// From the first instruction of a core to its last: a slice of its own track.
void TraceWriter::add_blocks() {
  for (uint32_t core = 0; core < blocks_.size(); ++core) {
    const Block& block = blocks_[core];
    if (block.end <= block.begin) continue;
    records_.push_back(
        {block.begin, block.end - block.begin, 0, 0, 0, core, 0, Pipe::none, Record::Kind::block, 0});
  }
}

void TraceWriter::on_message(const sim::MessageEvent& arrival) {
  if (finished_ || !rank_ || arrival.kind == sim::MessageEvent::Kind::asked) return;
  events_.write_message(arrival);
}

void TraceWriter::on_wait_released(const sim::WaitReleased& released) {
  if (finished_ || !rank_) return;
  for (const sim::WaitReleased::Word& word : released.words) {
    for (const sim::Notification& by : word.notified.subspan(word.before)) {
      if (by.rank != *rank_) events_.write_notification(by, released.core, released.time);
    }
  }
}

}  // namespace pto::report
