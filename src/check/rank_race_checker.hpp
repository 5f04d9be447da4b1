// RANK-RACE: accesses of two devices to the same bytes that no signal orders.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "pto/simulator.hpp"
#include "sim/findings/naming.hpp"

namespace pto::sim {

struct RankRace {
  struct Side {
    uint32_t rank = 0, pc = 0;
    Pipe pipe = Pipe::none;
    bool write = false, update = false;
    std::optional<Moment> moment;  ///< not of other devices
  };
  Side before, now;  ///< as they happened here
  uint64_t begin = 0, end = 0;
};

class RankRaces {
 public:
  void add(const RankRace& race);
  /// Operations that notify or wait: words may be touched at any time by them.
  void is_signal(uint32_t pc) { signals_.insert(pc); }
  [[nodiscard]] bool are_signals(uint32_t one, uint32_t other) const {
    return signals_.contains(one) && signals_.contains(other);
  }
  std::vector<Diagnostic> take_findings(const Program& program, uint32_t home, const ArgumentMap& arguments);

 private:
  std::map<std::tuple<uint32_t, uint32_t, bool, bool>, RankRace> races_;  ///< one for each two operations
  std::set<uint32_t> signals_;
};

}  // namespace pto::sim
