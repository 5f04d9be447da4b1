// Tiles of MX scales. A product takes the scales of an operand from the place that belongs to the operand's
// address, whatever tile its text names (docs/decisions.md). So tiles of scales are no part of those that
// compete for memory: they lie where their data tiles say.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "plan/memory/placement.hpp"

namespace pto::planner {

class ScaleTiles {
 public:
  ScaleTiles(const Program& program, const Machine& machine, Storage& storage, std::vector<LiveRange>& live,
             Diagnostics& diagnostics)
      : program_(program), machine_(machine), storage_(storage), live_(live), diagnostics_(diagnostics) {}

  /// Before data tiles are placed: which scales belong to which. Their bytes are taken as long as those of
  /// their scales.
  void find();
  /// Behind it: an error where one tile of scales would have to lie in two places, or two of them in one.
  void place();
  /// What the address of a data tile has to be a multiple of, so that its scales are at an address for tiles.
  [[nodiscard]] uint64_t alignment_of_data(RootId root) const;

 private:
  struct Use {
    uint32_t op = 0;
    ValueId data = kNoValue, scales = kNoValue;
    bool assigned = false;  ///< by pto.tget_scale_addr, which moves the tile in a run as well
  };
  struct Pinned {
    const Use* use;
    uint64_t addr;  ///< of the first slot
  };

  void add(const Use& use);
  void place_assigned(const Use& use);
  void place_product(const Use& use);
  [[nodiscard]] bool in_slots(std::span<const RootId> roots) const;
  bool pin(const Use& use, RootId data, RootId scales);
  [[nodiscard]] bool in_loop_of_its_own(RootId scales, uint32_t op) const;
  void refuse(const Use& use, const std::string& why, const Use* other);

  const Program& program_;
  const Machine& machine_;
  Storage& storage_;
  std::vector<LiveRange>& live_;
  Diagnostics& diagnostics_;
  std::vector<Use> uses_;
  std::set<RootId> assigned_;
  std::map<RootId, uint64_t> alignment_;                    ///< by data tile
  std::map<RootId, Pinned> pinned_;                         ///< by tile of scales, its first slot
  std::map<RootId, std::map<RootId, const Use*>> company_;  ///< by data tile: the scales that lie there
  std::vector<LiveRange> own_live_;  ///< as found, before data tiles live as long as scales
};

}  // namespace pto::planner
