// GM of a chip: one L2, and HBM behind it. A transfer uses the read or write bandwidth of L2, at most the
// share of its core, and the bandwidth of HBM for lines that are not in L2. Requests come in the order in
// which the transfers start.
//
// Per transfer, not per line: a transfer gets an even rate over its whole time; which lines L2 holds is
// looked up for one line of 32.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "timing/provenance.hpp"

namespace pto::timing {

/// A number of a configuration, and where it is from.
struct Parameter {
  double value = 0;
  CostSource from;
};

/// `[chip]` of a target: shared resources of its cores, and its peak rates. Rates are bytes per cycle of all
/// cores together.
struct MemoryConfig {
  Parameter read, write, hbm;
  Parameter capacity;  ///< bytes that stay in L2
  Parameter signal;    ///< cycles from one signal between cores to the next, of the whole chip
  Parameter cube;      ///< multiplications and additions per cycle of a cube core, in 16 bits
  Parameter vector;    ///< elements per cycle of a vector core, in 16 bits; 0: not known
};

/// Something that serves so much per cycle; who asks first is served first, and gaps stay for those who ask
/// later.
class RateCalendar {
 public:
  explicit RateCalendar(double per_cycle = 0)
      : per_cycle_(units(per_cycle)), used_(per_cycle_ != 0 ? kSpan : 0), at_(used_.size()) {}
  /// When `bytes` are served that come from `from` on at `rate` bytes per cycle at most.
  uint64_t reserve(uint64_t from, uint64_t bytes, double rate);
  [[nodiscard]] bool limited() const { return per_cycle_ != 0; }

 private:
  static constexpr uint64_t kBucket = 64, kSpan = 4096, kUnit = 1024;
  static uint64_t units(double bytes) { return static_cast<uint64_t>(bytes * kUnit + 0.5); }

  uint64_t per_cycle_;  ///< in bytes/1024
  std::vector<uint64_t> used_, at_;
};

/// A window of GM that an instruction moves.
struct GmWindow {
  uint64_t addr = 0, rows = 1, row_bytes = 0;
  int64_t pitch = 0;
};

/// The lines of GM in L2, with least-recently-used replacement. L2 has two halves, each beside half
/// of the cores: lines that are read are kept in both, lines that are only written in one. Models
/// one of 32 lines.
class L2Lines {
 public:
  explicit L2Lines(uint64_t bytes) : room_(bytes / kLine / kSampled) {}
  /// Touches the lines of a window; how many bytes had left since they were touched before.
  uint64_t touch(const GmWindow& window, bool write);
  static constexpr uint64_t kLine = 512, kSampled = 32;

 private:
  static constexpr uint32_t kNone = ~0u;
  struct Line {
    uint64_t number = 0;
    uint32_t copies = 0;                    ///< 0: it has left, and is in no order
    uint32_t newer = kNone, older = kNone;  ///< of those that are there
  };
  uint32_t find(uint64_t number);
  void grow();
  void take_out(uint32_t at);
  void put_first(uint32_t at);

  uint64_t room_, used_ = 0;
  std::vector<Line> lines_;                ///< in the order of their first touch
  std::vector<uint32_t> places_;           ///< a table with open addressing: indices of lines, or kNone
  uint32_t first_ = kNone, last_ = kNone;  ///< the last touched one, and the one that leaves next
};

class MemorySystem {
 public:
  enum class Limit : uint8_t { none, l2_read, l2_write, hbm };
  struct Grant {
    uint64_t end = 0;
    Limit limit = Limit::none;  ///< the resource that delayed it
    uint64_t missed = 0;        ///< bytes that come from HBM, or go there
  };
  /// `footprint`: bytes of all GM of the kernel. Data that fits stays in L2, also from the previous
  /// run.
  MemorySystem(const MemoryConfig& config, uint64_t footprint);

  /// Whether windows are asked for.
  [[nodiscard]] bool follows_lines() const { return follows_lines_; }
  /// A transfer of `bytes` that would take `alone` cycles from `from` on; `sharers`: cores that have a part
  /// of L2's bandwidth each.
  Grant transfer(uint64_t from, uint64_t bytes, uint64_t alone, bool write, uint64_t sharers,
                 const GmWindow& window);
  /// When a signal of that moment reaches its receivers.
  uint64_t signal(uint64_t time);

 private:
  MemoryConfig config_;
  bool follows_lines_;
  RateCalendar read_, write_, hbm_;
  L2Lines lines_;
  uint64_t next_signal_ = 0;
};

}  // namespace pto::timing
