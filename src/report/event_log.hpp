// Memory accesses and synchronisation events of a run as JSON lines, for tools that judge a run
// themselves.
#pragma once

#include <string>
#include <utility>

#include "pto/simulator.hpp"
#include "report/run_report.hpp"

namespace pto::report {

/// Writes one object per event, in the order of simulated time (docs/user/reports.md).
class EventWriter final : public Observer {
 public:
  explicit EventWriter(Sink put) : put_(std::move(put)) {}

  void on_start(std::span<const CoreInfo> cores, const Program& program) override;
  void on_argument(uint32_t index, std::string_view name, uint64_t addr, uint64_t bytes,
                   bool initialised) override;
  void on_footprint(const FootprintEvent& event) override;
  void on_beyond(const FootprintEvent& event) override;
  void on_cache_clean(uint32_t core, uint32_t pc, uint64_t addr, bool all) override;
  void on_order(const OrderEvent& event) override;
  void on_vector_function(uint32_t core, uint32_t pc, bool begins) override;
  void on_memory_barrier(uint32_t core, uint32_t pc) override;
  void on_finish(uint64_t total_cycles) override;

 private:
  [[nodiscard]] uint32_t line_of(uint32_t pc) const;
  void put_access(std::string_view what, const FootprintEvent& event);
  void put_if_much(size_t much);

  Sink put_;
  const Program* program_ = nullptr;
  std::string out_;
};

}  // namespace pto::report
