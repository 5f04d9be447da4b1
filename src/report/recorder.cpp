#include "report/recorder.hpp"

#include <algorithm>

#include "sim/check/footprint.hpp"

namespace pto::report {

void Summary::on_start(std::span<const CoreInfo>, const Program& program) {
  operations_.resize(program.ops.size());
}

void Summary::on_instruction(const InstEvent& event) {
  if (event.pc >= operations_.size()) return;
  OpTotal& total = operations_[event.pc];
  total.cycles += event.busy_end - event.start;
  total.basis = event.basis;
  ++total.count;
}

void Summary::on_stall(const StallEvent& event) {
  Sum& sum =
      waits_[{event.core, static_cast<uint32_t>(event.pipe), static_cast<uint32_t>(event.reason), event.pc}];
  sum.cycles += event.end - event.begin;
  ++sum.times;
}

std::vector<Wait> Summary::waits() const {
  std::vector<Wait> list;
  for (const auto& [key, sum] : waits_) {
    list.push_back(
        {key[0], static_cast<Pipe>(key[1]), static_cast<Stall>(key[2]), key[3], sum.cycles, sum.times});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Wait& a, const Wait& b) { return a.cycles > b.cycles; });
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
