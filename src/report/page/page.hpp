// A run as one self-contained page for a browser: reports, timeline, source, and memory occupancy.
// tools/web has the drawing code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/hardware_lanes.hpp"
#include "pto/simulator.hpp"
#include "report/access_times.hpp"
#include "report/json_report.hpp"
#include "report/memory_occupancy.hpp"
#include "report/run_report.hpp"
#include "report/trace/timeline.hpp"
#include "report/trace/vector_tracks.hpp"

namespace pto::report {

/// The page without its data.
std::string_view page_template();
/// The template with this data in it.
std::string page_with(const Json& data);

/// Sums over stretches of time; they get wider as the run gets longer.
class Series {
 public:
  explicit Series(size_t most) : most_(most) {}
  void add(uint64_t time, uint64_t amount);
  /// Evenly over [begin, end).
  void spread(uint64_t begin, uint64_t end, uint64_t amount);
  [[nodiscard]] uint64_t width() const { return width_; }
  [[nodiscard]] const std::vector<uint64_t>& sums() const { return sums_; }

 private:
  size_t most_;
  uint64_t width_ = 1;
  std::vector<uint64_t> sums_;
};

/// Collects the data of the page. Of a long run it keeps the first blocks in full, of a single
/// block the first events; sums cover the whole run.
class PageData final : public Observer {
 public:
  static constexpr size_t kMax = 60'000, kMaxLifetimes = 12'000, kMaxFlags = 30'000, kMaxSignals = 10'000,
                          kBuckets = 512;
  explicit PageData(size_t most = kMax) : most_(most) {}

  void on_context(const RunContext& context) override { context_ = &context; }
  void on_start(std::span<const CoreInfo> cores, const Program& program) override;
  void on_instruction(const InstEvent& event) override;
  void on_stall(const StallEvent& event) override;
  void on_flag(const FlagEvent& event) override;
  void on_footprint(const FootprintEvent& event) override;
  void on_transfer(const TransferEvent& event) override;
  void on_vector_step(const VectorStepEvent& event) override;
  [[nodiscard]] bool wants_vector_steps() const override { return true; }

  /// The data of the page, as its drawing code reads it.
  [[nodiscard]] Json json(const Run& run) const;

 private:
  struct Piece {
    uint32_t core = 0, pc = 0;
    /// kLanes and more: a step of a vector function, by its track. detail: the basis of an instruction, the
    /// reason of a stall.
    uint8_t lane = 0, detail = 0;
    bool stall = false;
    uint64_t begin = 0, busy = 0, issue = 0, visible = 0;
  };
  struct CoreSpan {
    uint64_t begin = ~uint64_t{0}, end = 0;
  };
  void keep(const Piece& piece);
  [[nodiscard]] bool kept(uint32_t core) const { return core < limit_; }
  [[nodiscard]] Json lanes_json() const;
  [[nodiscard]] Json operations_json(const Run& run) const;
  [[nodiscard]] Json lines_json(const Run& run) const;
  [[nodiscard]] Json flags_json() const;
  [[nodiscard]] Json signals_json(const Run& run) const;
  [[nodiscard]] Json memory_json(const Run& run) const;
  [[nodiscard]] Json traffic_json() const;
  [[nodiscard]] Json blocks_json() const;

  size_t most_;
  const RunContext* context_ = nullptr;
  const Program* program_ = nullptr;
  uint32_t cores_ = 0, first_block_ = 1;  ///< cores of the run, and of its first block
  uint32_t limit_ = 0;                    ///< cores that are kept in full
  uint64_t until_ = ~uint64_t{0};         ///< and up to when
  std::vector<Piece> pieces_;
  std::vector<FlagEvent> flags_;
  std::vector<CoreSpan> spans_;
  Accesses accesses_;
  std::vector<PipeTime> sums_;                 ///< by core and lane, while there are few
  Series reads_{kBuckets}, writes_{kBuckets};  ///< bytes of GM
  Series hbm_{kBuckets};
  Occupancy occupancy_{kMaxLifetimes};
};

}  // namespace pto::report
