// Flags as the race checker sees them: the sets of each, and the waits that took them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "check/pipe_threads.hpp"
#include "ir/hardware_lanes.hpp"
#include "order/vector_clock.hpp"
#include "pto/machine.hpp"
#include "pto/simulator.hpp"

namespace pto::sim {

struct FlagUses {
  struct Use {
    order::Epoch at;
    uint32_t pc = 0;
    uint64_t issued = 0;  ///< when its entry was issued
  };
  struct Places {
    std::set<uint32_t> all;
    uint32_t last = ~0u;
    void add(uint32_t pc) {
      if (std::exchange(last, pc) != pc) all.insert(pc);
    }
  };
  Use last_set, last_wait;
  uint64_t set = 0, waited = 0;  ///< how many there were
  Places set_at, wait_at;        ///< operations
};

class FlagBook {
 public:
  using Key =
      std::tuple<uint32_t, Pipe, Pipe, int>;  ///< core; source, none where the key has none; target; id

  explicit FlagBook(const Machine& machine)
      : ids_(machine.event_ids), key_has_source_(machine.flag_key_has_src) {
    taken_.resize(number(Pipe::none, Pipe::none, std::max(ids_, 1)));
  }
  void start(size_t cores) { known_.resize(cores); }

  [[nodiscard]] bool key_has_source() const { return key_has_source_; }
  [[nodiscard]] const std::map<Key, FlagUses>& all() const { return all_; }
  FlagUses& entry_of(const OrderEvent& event) {
    const Pipe source = key_has_source_ ? event.from : Pipe::none;
    if (event.flag >= ids_) return made(event, source);  // who asks what would be makes up some
    std::vector<FlagUses*>& known = known_[event.from_core];
    if (known.empty()) known.resize(taken_.size());
    FlagUses*& uses = known[number(source, event.to, event.flag)];
    if (uses == nullptr) uses = &made(event, source);
    return *uses;
  }
  /// A wait has taken a set of it, on any core.
  void reserve_id(Pipe source, Pipe target, int id) { taken_[number(source, target, id)] = true; }
  [[nodiscard]] bool taken(Pipe source, Pipe target, int id) const {
    return taken_[number(source, target, id)];
  }
  /// An id between two pipes that nobody has waited for.
  [[nodiscard]] std::optional<int> free_id(Pipe source, Pipe target) const {
    for (int id = 0; id < ids_; ++id) {
      if (!taken(source, target, id)) return id;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] size_t number(Pipe source, Pipe target, int id) const {
    const auto unit = [](Pipe pipe) {
      return pipe == Pipe::none ? size_t{kLanes} : size_t{kUnits[static_cast<uint8_t>(pipe)]};
    };
    return (unit(source) * (kLanes + 1) + unit(target)) * static_cast<size_t>(std::max(ids_, 1)) +
           static_cast<size_t>(id);
  }
  FlagUses& made(const OrderEvent& event, Pipe source) {
    return all_[{event.from_core, source, event.to, event.flag}];
  }

  int ids_;
  bool key_has_source_;
  std::map<Key, FlagUses> all_;
  std::vector<std::vector<FlagUses*>> known_;  ///< the same by core and number; null: none so far
  std::vector<bool> taken_;                    ///< by number
};

}  // namespace pto::sim
