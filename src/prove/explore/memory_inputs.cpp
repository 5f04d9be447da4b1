#include "prove/explore/memory_inputs.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace pto::driver {
namespace {

constexpr size_t kMaxIntervals = 4096;
constexpr uint64_t kMaxCellOffset = uint64_t{1} << 26;

}  // namespace

bool fits(const Type& type, int64_t number) {
  if (type.elem == Elem::index) return true;
  const uint32_t bits = bit_width(type.elem);
  if (is_float(type.elem) || bits == 0) return false;
  if (type.elem == Elem::i1) return number == 0 || number == 1;
  return bits >= 64 || (number >= -(int64_t{1} << (bits - 1)) && number < int64_t{1} << (bits - 1));
}

bool fits(const MemoryCell& place, int64_t number) {
  const uint32_t bits = 8 * place.bytes;
  return bits >= 64 || (number >= -(int64_t{1} << (bits - 1)) && number < int64_t{1} << bits);
}

bool write_inputs(const MemoryInputs& contents, std::vector<Argument>& arguments) {
  for (const auto& [place, number] : contents) {
    if (number == 0) continue;
    if (place.argument >= arguments.size() || place.offset > kMaxCellOffset) return false;
    std::vector<std::byte>& bytes = arguments[place.argument].bytes;
    if (bytes.size() < place.offset + place.bytes) bytes.resize(place.offset + place.bytes);
    std::memcpy(bytes.data() + place.offset, &number, std::min<size_t>(place.bytes, sizeof number));
  }
  return true;
}

std::optional<uint32_t> InputLoadTracker::argument_at(uint64_t addr) const {
  for (const auto& [index, buffer] : buffers_) {
    if (addr >= buffer.addr && addr - buffer.addr < buffer.bytes) return index;
  }
  return std::nullopt;
}

void InputLoadTracker::record_write(const FootprintEvent& event) {
  const auto argument = argument_at(event.addr);
  if (event.space != Space::gm || !argument) return;
  const uint64_t offset = event.addr - buffers_[*argument].addr;
  const int64_t last = static_cast<int64_t>(event.rows - 1) * event.pitch;
  const uint64_t begin = offset + static_cast<uint64_t>(std::min<int64_t>(0, last));
  const uint64_t end = offset + static_cast<uint64_t>(std::max<int64_t>(0, last)) + event.row_bytes;
  std::vector<Interval>& all = written_[*argument];
  if (!all.empty() && begin <= all.back().end && end >= all.back().begin)
    all.back() = {std::min(begin, all.back().begin), std::max(end, all.back().end)};
  else
    all.push_back({begin, end});
  if (all.size() > kMaxIntervals) {  // what lies between counts as written
    for (const Interval& each : all)
      all.front() = {std::min(all.front().begin, each.begin), std::max(all.front().end, each.end)};
    all.resize(1);
  }
}

std::optional<size_t> InputLoadTracker::record_load(const FootprintEvent& event, uint32_t way) {
  const auto argument = argument_at(event.addr);
  if (!argument) return std::nullopt;
  const MemoryCell place{*argument, event.addr - buffers_[*argument].addr,
                         static_cast<uint32_t>(event.row_bytes), way};
  readers_[place].insert(event.pc);
  const auto [at, fresh] = read_by_.try_emplace(place, Reader{event.pc, cells_.size()});
  if (fresh)
    cells_.push_back(place);
  else
    reloading_op_ = event.pc;
  const int64_t number = number_of(place);
  std::memcpy(event.data, &number, std::min<size_t>(place.bytes, sizeof number));
  return at->second.number;
}

int64_t InputLoadTracker::number_of(const MemoryCell& place) const {
  const auto found = numbers_.find(place);
  return found == numbers_.end() ? 0 : found->second;
}

void InputLoadTracker::reorder(const std::vector<size_t>& order) {
  std::vector<MemoryCell> places;
  for (const size_t before : order) {
    read_by_.at(cells_[before]).number = places.size();
    places.push_back(cells_[before]);
  }
  cells_ = std::move(places);
}

MemoryInputs InputLoadTracker::observed() const {
  MemoryInputs came;
  for (const MemoryCell& place : cells_) came.push_back({place, number_of(place)});
  return came;
}

std::optional<uint32_t> InputLoadTracker::find_written_input() const {
  for (const auto& read : read_by_) {
    const MemoryCell& place = read.first;
    const uint64_t end = place.offset + place.bytes;
    const auto written = written_.find(place.argument);
    if (written != written_.end() && std::ranges::any_of(written->second, [&](const Interval& each) {
          return each.begin < end && place.offset < each.end;
        }))
      return read.second.op;
    const auto next = read_by_.upper_bound(
        {place.argument, place.offset, place.bytes, std::numeric_limits<uint32_t>::max()});
    if (next != read_by_.end() && next->first.argument == place.argument && next->first.offset < end)
      return read.second.op;
  }
  return std::nullopt;
}

}  // namespace pto::driver
