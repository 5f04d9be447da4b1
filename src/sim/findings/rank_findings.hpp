// Devices that wait for each other for ever: who waits for what, and why it never comes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/cmp_predicate.hpp"
#include "pto/simulator.hpp"
#include "sim/ranks/rank_port.hpp"

namespace pto::sim {

struct Device;

/// A core that waits for words of its device.
struct BlockedRank {
  uint32_t rank = 0, core = 0, pc = 0;
  uint64_t word = 0;  ///< the first one that does not compare
  isa::CmpPredicate how = isa::CmpPredicate::eq;
  int32_t wanted = 0, value = 0;
  uint64_t since = 0;
};
/// What all processes know of each rank when nothing moves.
struct RankState {
  uint32_t rank = 0;
  bool done = false, stopped = false;
  std::vector<BlockedRank> stuck;
};
std::string packed(const std::vector<RankState>& states);
std::vector<RankState> unpacked_states(std::string_view text);

/// Of a device that does not go on.
RankState state_of(const Device& device, const RankEndpoint& port, bool done);
/// Where its cores that wait stand, in the order of `stuck`; before waits are let go.
std::vector<Moment> moments_of(const Device& device, const RankState& state);
/// The findings of one rank. `after`: from this moment on, notifies came only because waits were let go.
std::vector<Diagnostic> explain_ranks(const Device& device, const RankEndpoint& port, const RankState& own,
                                      const std::vector<Moment>& moments, const std::vector<RankState>& all,
                                      uint64_t after);

/// Notifies that were lost, and waits that nothing could hold back.
std::vector<Diagnostic> signal_findings(const Device& device, const RankEndpoint& port);

}  // namespace pto::sim
