// Which tile of an alloc_multi_tile an operation means, as far as it is known before the program runs: loops
// count through the slots with remainders of their induction variables.
#pragma once

#include <optional>

#include "analysis/constant_folding.hpp"
#include "analysis/integer_facts.hpp"

namespace pto::planner {

class Slots {
 public:
  Slots(const Program& program, const Constants& constants);

  /// Of a multi_tile_get: the slot that it means in every turn of every loop.
  [[nodiscard]] std::optional<uint32_t> slots_of(const OpView& get) const;
  /// How many turns of the loop side by side give every multi_tile_get in it that counts its turns one slot
  /// each; 1 when there are none.
  [[nodiscard]] uint32_t counter_congruence(uint32_t loop) const;

 private:
  [[nodiscard]] bool counts(ValueId value, ValueId induction, unsigned depth) const;

  const Program& program_;
  const Constants& constants_;
  IntegerFacts facts_;
};

}  // namespace pto::planner
