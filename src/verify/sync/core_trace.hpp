// What one core of a block does that other cores may notice, in the order of its program. The walk writes it,
// block_model.hpp reads those of all cores together.
#pragma once

#include <vector>

#include "verify/sync/core_model.hpp"

namespace pto::legality::sync {

/// Ids of the second vector core, as the cube core names them, begin here.
inline constexpr int kIdsPerVectorCore = 16;

struct Step {
  enum class Kind : uint8_t {
    work,
    drain,
    set,
    wait,
    get_buf,
    rls_buf,
    send_signal,
    wait_signal
  } kind = Kind::work;
  bool certain = true;        ///< runs whatever the inputs are
  bool scalar_waits = false;  ///< work: the scalar unit waits for its result
  bool pair = false;          ///< tell, hear: from one core to one other (A5)
  bool orders = false;        ///< get_buf, rls_buf: waits for releases of other pipes
  uint8_t lane = 0;
  int16_t id = 0;  ///< of a signal or a buffer
  FlagKey flag;
  uint32_t op = 0;
  uint32_t begin = 0, end = 0;  ///< work: of Trace::accesses
};

struct Trace {
  std::vector<Step> steps;
  std::vector<TileAccess> accesses;  ///< of GM, that certainly happen
  bool opaque = false;               ///< something with signals is not known: nothing is said of the block
  bool flags_open = false;           ///< something with flags is not known: waits for flags are taken to end
  bool order_open = false;           ///< something may order more than is known
};

}  // namespace pto::legality::sync
