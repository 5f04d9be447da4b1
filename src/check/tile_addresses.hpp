// Where the tiles of a text lie, as far as it says so itself.
#pragma once

#include <vector>

#include "analysis/constant_folding.hpp"
#include "check/storage_roots.hpp"
#include "ir/overlapping_tiles.hpp"
#include "isa/row.hpp"

namespace pto::sim {

/// Tiles whose addresses the text gives as constants.
class TilePlaces {
 public:
  explicit TilePlaces(const Program& program) : program_(program), roots_(program), constants_(program) {}

  /// The tiles of an operation that hold a byte.
  [[nodiscard]] std::vector<isa::TilePlace> place_of(uint32_t pc, Space space, uint64_t byte) const {
    std::vector<isa::TilePlace> found;
    const OpView op(program_, pc);
    for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
      for (const ValueId operand : op.operands(slot)) {
        const ValueId root = operand == kNoValue ? kNoValue : roots_.root_of(operand);
        if (root == kNoValue || program_.type_of(root).space != space) continue;
        const OpView defining_op(program_, roots_.defining_op(root));
        if (isa::opcode_class(defining_op) != isa::OpcodeClass::alloc_tile ||
            defining_op.operand(0) == kNoValue)
          continue;
        const auto place = isa::place_of_tile(program_, root, constants_.value_of(defining_op.operand(0)));
        if (place && place->begin <= byte && byte < place->end) found.push_back(*place);
      }
    }
    return found;
  }

 private:
  const Program& program_;
  StorageRoots roots_;
  Constants constants_;
};

}  // namespace pto::sim
