// From when to when accesses of memory take place: those of an instruction are reported when it completes.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "pto/simulator.hpp"
#include "report/memory_occupancy.hpp"

namespace pto::report {

class Accesses {
 public:
  /// Keeps the instructions of so many cores.
  void start(size_t cores, const Program& program);
  void add(const InstEvent& event);
  struct Span {
    uint64_t begin = 0, end = 0;
  };
  /// When the instruction whose access this is ran; of the scalar unit, and in a vector function: one cycle.
  [[nodiscard]] Span span_of(const FootprintEvent& event);
  /// The access as an occupancy of on-chip bytes. `core`: the owner of the memory; `value`: the
  /// whole tile, also for a part or another name of it.
  [[nodiscard]] Occupancy::Access on_chip(const FootprintEvent& event, const Span& span,
                                          const RunContext& context) const;

 private:
  struct Entry {
    uint32_t pc = 0;
    uint64_t begin = 0, end = 0;
    std::optional<uint64_t> told = {};  ///< when its accesses were
  };
  const Program* program_ = nullptr;
  std::vector<ValueId> viewed_;             ///< by value
  std::vector<std::deque<Entry>> running_;  ///< by core and lane: instructions whose accesses are to come
};

}  // namespace pto::report
