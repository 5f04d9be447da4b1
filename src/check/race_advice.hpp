// What to write so that two accesses of one core are in order.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "check/flag_history.hpp"
#include "ir/value_names.hpp"
#include "pto/program.hpp"
#include "sim/findings/insertion_points.hpp"

namespace pto::sim {

/// Whether the addresses of an operation come of the number of the block: `no` where nothing that they are
/// computed of does; nothing where a caller decides.
std::optional<bool> depends_on_block(const Program& program, uint32_t op);

/// Of what a core did so far: `flags`, which has to outlive it.
class FlagWords {
 public:
  struct Pair {
    uint32_t core = 0;
    Pipe first = Pipe::none, second = Pipe::none;
    uint32_t first_pc = 0, second_pc = 0;
  };

  FlagWords(const Program& program, const FlagBook& flags, int event_ids)
      : program_(program), flags_(flags), event_ids_(event_ids), places_(program) {}

  /// order() will be asked for it: where several ask for the wait of one set, all name the first place.
  void expect(const Pair& pair);
  /// A barrier, a wait for a set that nobody waits for, a flag turned round, or a flag of its own.
  Fix order(const Pair& pair);
  /// The flag that orders what stands at `first` before what stands at `second`, in the next iteration where
  /// that comes first in the text.
  Fix flag_between(const isa::FlagName& flag, uint32_t first, uint32_t second);

 private:
  [[nodiscard]] std::optional<std::pair<isa::SpeltFlag, uint32_t>> pending_set(const Pair& pair) const;
  [[nodiscard]] uint32_t wait_place(uint32_t set, uint32_t wanted) const;
  Fix turned_round(const Pair& pair);
  [[nodiscard]] bool works_within(Pipe pipe, uint32_t begin, uint32_t end) const;

  const Program& program_;
  const FlagBook& flags_;
  int event_ids_;
  InsertionPoints places_;
  /// By set and region: the first operation that a wait is to hold back.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> waits_;
};

}  // namespace pto::sim
