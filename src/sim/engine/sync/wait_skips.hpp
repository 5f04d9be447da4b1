// "What if" runs (Hypotheses::no_wait): synchronisations that let go at once. A wait that goes ahead
// of its set takes the next set instead of leaving it, so that the sets and waits behind it pair up
// as before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "sim/engine/device_state.hpp"

namespace pto::sim {

class WaitSkips {
 public:
  /// `operations`: those whose waits let go.
  explicit WaitSkips(std::vector<uint32_t> operations) : operations_(std::move(operations)) {
    std::ranges::sort(operations_);
  }
  enum class Kind : uint8_t { flag, semaphore };

  [[nodiscard]] bool empty() const { return operations_.empty(); }
  [[nodiscard]] bool skips(const BytecodeInst& code) const {
    return !operations_.empty() && std::ranges::binary_search(operations_, code.pc);
  }
  [[nodiscard]] bool has_debts() const { return !debts_.empty(); }
  /// A wait went ahead of its set.
  void add_debt(const Core& core, uint32_t key, Kind kind) { ++debts_[{core.info.index, key, kind}]; }
  [[nodiscard]] uint64_t debts(const Core& core, uint32_t key, Kind kind) const {
    const auto found = debts_.find({core.info.index, key, kind});
    return found == debts_.end() ? 0 : found->second;
  }
  /// A set is visible: whether it belongs to a wait that went ahead.
  bool pay_debt(const Core& core, uint32_t key, Kind kind) {
    const auto found = debts_.find({core.info.index, key, kind});
    if (found == debts_.end()) return false;
    if (--found->second == 0) debts_.erase(found);
    return true;
  }

 private:
  std::vector<uint32_t> operations_;                                ///< sorted
  std::map<std::tuple<uint32_t, uint32_t, Kind>, uint32_t> debts_;  ///< by core and flag index or semaphore
};

}  // namespace pto::sim
