#include "report/run_recorder.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "check/footprint_ranges.hpp"

namespace pto::report {

void Summary::on_start(std::span<const CoreInfo> cores, const Program& program) {
  operations_.resize(program.ops.size());
  core_key_.clear();
  for (const CoreInfo& core : cores) {
    const auto same = [&](const CoreInfo& other) {
      return other.kind == core.kind && other.subblock == core.subblock;
    };
    const uint32_t row = cores.size() <= kMaxCores ? core.index : std::ranges::find_if(cores, same)->index;
    core_key_.push_back(uint64_t{row} << 48);
  }
}

void Summary::on_instruction(const InstEvent& event) {
  if (event.pc >= operations_.size()) return;
  OpTotal& total = operations_[event.pc];
  total.cycles += event.busy_end - event.start;
  total.basis = event.basis;
  ++total.count;
}

void Summary::on_stall(const StallEvent& event) {
  Sum& sum = sum_of(core_key_[event.core] | uint64_t{static_cast<uint8_t>(event.pipe)} << 40 |
                    uint64_t{static_cast<uint8_t>(event.reason)} << 32 | event.pc);
  sum.cycles += event.end - event.begin;
  ++sum.times;
}

/// The place of a key, or the free one it gets: a table with open addressing, at most half full. Millions of
/// waits have a few thousand keys.
Summary::Sum& Summary::sum_of(uint64_t key) {
  if (2 * used_ >= waits_.size()) grow();
  constexpr uint64_t kSpread = 0x9e3779b97f4a7c15ULL;
  constexpr unsigned kHigh = 24;
  for (size_t at = (key * kSpread) >> kHigh;; ++at) {
    Sum& sum = waits_[at & (waits_.size() - 1)];
    if (sum.times != 0 && sum.key != key) continue;
    if (sum.times == 0) ++used_;
    sum.key = key;
    return sum;
  }
}

void Summary::grow() {
  constexpr size_t kFirst = 256;
  const std::vector<Sum> old = std::exchange(waits_, std::vector<Sum>(std::max(kFirst, 2 * waits_.size())));
  used_ = 0;
  for (const Sum& sum : old) {
    if (sum.times != 0) sum_of(sum.key) = sum;
  }
}

std::vector<Wait> Summary::waits() const {
  std::vector<Wait> list;
  for (const auto& [key, cycles, times] : waits_) {
    if (times == 0) continue;
    list.push_back({static_cast<uint32_t>(key >> 48), static_cast<Pipe>(key >> 40 & 0xff),
                    static_cast<Stall>(key >> 32 & 0xff), static_cast<uint32_t>(key), cycles, times});
  }
  const auto place = [](const Wait& wait) { return std::tie(wait.core, wait.pipe, wait.reason, wait.pc); };
  std::ranges::sort(list, [&](const Wait& a, const Wait& b) {
    return a.cycles != b.cycles ? a.cycles > b.cycles : place(a) < place(b);
  });
  return list;
}

void LastWriter::on_argument(uint32_t index, std::string_view, uint64_t addr, uint64_t, bool) {
  if (index == argument_) addr_ = addr + byte_;
}

void LastWriter::on_footprint(const FootprintEvent& event) {
  if (!event.write || event.space != Space::gm) return;
  sim::for_each_range(event, [&](uint64_t begin, uint64_t end) {
    if (addr_ < begin || addr_ >= end) return;
    pc_ = event.pc;
    core_ = event.core;
    time_ = event.time;
    rank_ = std::nullopt;
    if (context_ != nullptr) moment_ = context_->moment();
  });
}

void LastWriter::on_message(const sim::MessageEvent& arrival) {
  if (!arrival.changes()) return;
  FootprintEvent rows;
  rows.addr = arrival.addr;
  rows.rows = arrival.rows;
  rows.row_bytes = arrival.row_bytes;
  rows.pitch = arrival.pitch;
  sim::for_each_range(rows, [&](uint64_t begin, uint64_t end) {
    if (addr_ < begin || addr_ >= end) return;
    pc_ = arrival.pc;
    core_ = arrival.core;
    time_ = arrival.time;
    rank_ = arrival.from;
    moment_ = std::nullopt;
  });
}

}  // namespace pto::report
