#include "report/access_times.hpp"

#include <algorithm>

#include "ir/hardware_lanes.hpp"
#include "ir/storage_aliases.hpp"

namespace pto::report {
namespace {

size_t track_of(uint32_t core, Pipe pipe) {
  return size_t{core} * kLanes + static_cast<size_t>(lane_of(pipe));
}

bool of_queue(Pipe pipe) { return lane_of(pipe) != kNoLane && lane_of(pipe) != kScalarLane; }

}  // namespace

void Accesses::start(size_t cores, const Program& program) {
  running_.assign(cores * kLanes, {});
  program_ = &program;
  viewed_ = isa::viewed_tiles(program);
}

void Accesses::add(const InstEvent& event) {
  if (!of_queue(event.pipe)) return;
  std::deque<Entry>& queue = running_[track_of(event.core, event.pipe)];
  constexpr size_t kMax = 1024;  // more than a queue holds: nobody asks
  if (queue.size() == kMax) queue.pop_front();
  queue.push_back({event.pc, event.start, event.end});
}

auto Accesses::span_of(const FootprintEvent& event) -> Span {
  const Span moment{event.time, event.time + 1};
  if (!of_queue(event.pipe)) return moment;
  std::deque<Entry>& queue = running_[track_of(event.core, event.pipe)];
  const auto here = std::ranges::find_if(
      queue, [&](const Entry& each) { return each.pc == event.pc && event.time >= each.begin; });
  if (here == queue.end()) return moment;
  queue.erase(queue.begin(), here);
  // All accesses of one are reported at one time, those of the next one of the same place later.
  while (queue.size() > 1 && queue[1].pc == event.pc &&
         (event.time >= queue[1].end || (queue.front().told && queue.front().told != event.time)))
    queue.pop_front();
  queue.front().told = event.time;
  return {queue.front().begin, std::max({queue.front().end, event.time, queue.front().begin + 1})};
}

Occupancy::Access Accesses::on_chip(const FootprintEvent& event, const Span& span,
                                    const RunContext& context) const {
  const auto last = event.addr + (event.rows - 1) * static_cast<uint64_t>(event.pitch);
  Occupancy::Access access;
  access.core = event.home == ~0u ? event.core : event.home;
  access.space = event.space;
  access.value = context.operand_at(event.space, event.addr);
  if (access.value != kNoValue) access.value = viewed_[access.value];
  if (access.value != kNoValue && program_->type_of(access.value).is_tile())
    access.room = tile_bytes(program_->type_of(access.value));
  access.pc = event.pc;
  access.low = std::min(event.addr, last);
  access.high = std::max(event.addr, last) + event.row_bytes;
  access.begin = span.begin;
  access.end = span.end;
  access.write = event.write;
  return access;
}

}  // namespace pto::report
