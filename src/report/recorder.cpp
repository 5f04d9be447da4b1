#include "report/recorder.hpp"

#include <algorithm>
#include <tuple>

#include "sim/check/footprint.hpp"

namespace pto::report {

void Summary::on_start(std::span<const CoreInfo> cores, const Program& program) {
  operations_.resize(program.ops.size());
  core_key_.clear();
  for (const CoreInfo& core : cores) {
    const auto same = [&](const CoreInfo& other) {
      return other.kind == core.kind && other.subblock == core.subblock;
    };
    const uint32_t row = cores.size() <= kMostCores ? core.index : std::ranges::find_if(cores, same)->index;
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
  Sum& sum = waits_[core_key_[event.core] | uint64_t{static_cast<uint8_t>(event.pipe)} << 40 |
                    uint64_t{static_cast<uint8_t>(event.reason)} << 32 | event.pc];
  sum.cycles += event.end - event.begin;
  ++sum.times;
}

std::vector<Wait> Summary::waits() const {
  std::vector<Wait> list;
  for (const auto& [key, sum] : waits_)
    list.push_back({static_cast<uint32_t>(key >> 48), static_cast<Pipe>(key >> 40 & 0xff),
                    static_cast<Stall>(key >> 32 & 0xff), static_cast<uint32_t>(key), sum.cycles, sum.times});
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
    if (context_ != nullptr) moment_ = context_->moment();
  });
}

}  // namespace pto::report
