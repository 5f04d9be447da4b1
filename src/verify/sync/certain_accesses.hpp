// The bytes an operation certainly touches.
#pragma once

#include <vector>

#include "ir/accumulator_flag.hpp"
#include "ir/instruction_phases.hpp"
#include "verify/sync/known_values.hpp"

namespace pto::legality::sync {

/// `all`: every byte of [begin, end) is touched, and perhaps others. Otherwise some bytes of it are, and no
/// others.
struct ByteRange {
  Base base = 0;
  bool all = true;
  int64_t begin = 0, end = 0;
  [[nodiscard]] bool certainly_meets(const ByteRange& other) const {
    if (base != other.base || begin >= other.end || other.begin >= end) return false;
    if (all && other.all) return true;
    if (all) return begin <= other.begin && other.end <= end;
    return other.all && other.begin <= begin && end <= other.end;
  }
};

struct TileAccess {
  ByteRange bytes;
  Space space = Space::none;
  uint8_t slot = 0;  ///< operand, for messages
  bool read = false, write = false;
  bool update = false;     ///< atomic: commutes with others
  bool certain = false;    ///< touches its bytes whatever the inputs are
  bool scratch = false;    ///< of a scratch tile, or behind it
  bool clobbered = false;  ///< a source that holds other bytes afterwards
  isa::UnitFlag::Phase unit_flag = isa::UnitFlag::Phase::none;
  ValueId tile = kNoValue;  ///< the tile it goes through
  uint32_t stretch = ~0U;   ///< in the shadow; ~0: not followed
  uint32_t inside = ~0U;    ///< the operation itself, where it stands in a vector scope
};

/// Appends what one operation touches; nothing for bytes that are not known. `phases`: of the operation.
void find_accesses(const OpView& op, const OperationFacts& facts, const isa::Phases& phases,
                   const AbstractValues& values, std::vector<TileAccess>& found);
/// Appends what one of its phases touches that is not on its own pipe; early: one in front of it.
void find_phase_accesses(const OpView& op, const OperationFacts& facts, const isa::Phase& phase, bool early,
                         const AbstractValues& values, std::vector<TileAccess>& found);

}  // namespace pto::legality::sync
