// How much of each argument a run writes, and which it reads as well.
#pragma once

#include <cstdint>
#include <vector>

#include "check/footprint_ranges.hpp"
#include "check/interval_map.hpp"
#include "ir/hardware_lanes.hpp"
#include "pto/simulator.hpp"

namespace pto::sim {

class WrittenBytes final : public Observer {
 public:
  uint32_t wants() const override { return kFootprints; }
  void on_argument(uint32_t index, std::string_view, uint64_t addr, uint64_t bytes, bool) override {
    arguments_.push_back({index, addr, addr + bytes, false, false, {}});
  }
  void on_footprint(const FootprintEvent& event) override {
    if (event.space != Space::gm) return;
    for_each_range(event, [&](uint64_t begin, uint64_t end) {
      Known* const known = argument_at(begin);
      if (known == nullptr) return;
      known->touched = known->touched || event.write;
      if (known->read) return;  // of a part that is not written nothing is told
      if (!event.write || event.update)
        known->read = true;
      else
        known->written.assign(begin, std::min(end, known->end), true);
    });
  }
  /// SimResult::written_bytes of `count` arguments.
  [[nodiscard]] std::vector<uint64_t> bytes(size_t count) {
    std::vector<uint64_t> out(count, SimResult::kReadAsWell);
    for (Known& known : arguments_) {
      if (known.index >= count || (known.read && known.touched)) continue;
      uint64_t& sum = out[known.index] = 0;
      known.written.update(known.begin, known.end, [&](uint64_t begin, uint64_t end, const bool& written) {
        if (written) sum += end - begin;
      });
    }
    return out;
  }

 private:
  struct Known {
    uint32_t index;
    uint64_t begin, end;
    bool read, touched;  ///< `touched`: written, be it a part
    Intervals<bool> written;
  };
  Known* argument_at(uint64_t address) {
    const auto holds = [&](const Known& each) { return address >= each.begin && address < each.end; };
    if (last_ < arguments_.size() && holds(arguments_[last_])) return &arguments_[last_];
    for (last_ = 0; last_ < arguments_.size(); ++last_)
      if (holds(arguments_[last_])) return &arguments_[last_];
    return nullptr;
  }

  std::vector<Known> arguments_;
  size_t last_ = 0;
};

}  // namespace pto::sim
