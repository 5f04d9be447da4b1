// On-chip addresses and capacity (E037x): a tile fits its memory, its address is aligned and in range. Two tiles at one
// address alias; that is legal as long as no data is lost (W0512, sync/walk.cpp).
#include <fmt/format.h>

#include "isa/memory.hpp"
#include "verify/checker.hpp"

namespace pto::legality {
namespace {

void check_capacity(Checker& check, const OpView& op, const Type& tile) {
  const uint64_t size = isa::on_chip_bytes(check.target(), tile.space);
  if (size == 0 || tile_bytes(tile) <= size) return;
  std::string message = fmt::format("{} takes {} bytes; {} has {} on {}", describe(tile), tile_bytes(tile), tile_loc(tile.space), size, to_string(check.target()));
  // The public assembler does not know the size of the scaling buffer.
  if (tile.space == Space::fb) check.warn("W0442", op, Anchor::Part::result_type, 0, std::move(message), "split the tile");
  else check.fail("E0376", op, Anchor::Part::result_type, 0, std::move(message), "split the tile");
}

void check_address(Checker& check, const OpView& op, const Type& tile, unsigned slot) {
  const std::optional<int64_t> address = check.constant(op.operand(slot));
  if (!address) return;
  const uint64_t size = isa::on_chip_bytes(check.target(), tile.space), bytes = tile_bytes(tile);
  if (*address < 0 || (size != 0 && static_cast<uint64_t>(*address) + bytes > size)) {
    check.fail("E0377", op, Anchor::Part::operand, flat_index(op, slot),
               fmt::format("tile at {} to {} lies outside {}, which has {} bytes on {}", *address, *address + static_cast<int64_t>(bytes),
                           tile_loc(tile.space), size, to_string(check.target())),
               size >= bytes ? fmt::format("the highest address for it is {}", size - bytes) : "split the tile");
  } else if (const int64_t alignment = isa::tile_alignment(tile.space); *address % alignment != 0) {
    check.fail("E0378", op, Anchor::Part::operand, flat_index(op, slot),
               fmt::format("tile address {} is not a multiple of {}, as addresses in {} are", *address, alignment, tile_loc(tile.space)),
               fmt::format("use {}", (*address / alignment + 1) * alignment));
  }
}

/// Level 3: every tile has an address. Below: none has, the planner gives them.
void check_level(Checker& check, const OpView& op, bool addressed) {
  if (addressed == (check.level() == Level::level3)) return;
  const std::string name = value_name(op.program(), op.result(0));
  if (addressed) {
    check.fail("E0379", op, Anchor::Part::operand, 0, fmt::format("{} has an address, but other tiles of this program have none", name),
               "give every alloc_tile an address (level 3), or none (the planner does it)");
  } else {
    check.fail("E0379", op, fmt::format("{} has no address at level 3", name), "write addr = %address, or assemble at level 2");
  }
}

}  // namespace

void check_memory(Checker& check) {
  const Program& program = check.program();
  const isa::Row* alloc = isa::find_row("pto.alloc_tile");
  const isa::Row* assign = isa::find_row("pto.tassign");
  const RowId alloc_id = isa::id_of(*alloc), assign_id = isa::id_of(*assign), buffer_id = isa::id_of(*isa::find_row("memref.alloc"));
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const RowId row = program.ops[i].row;
    if (row != alloc_id && row != assign_id && row != buffer_id) continue;
    const OpView op(program, i);
    const Type& tile = op.result_type(0);
    if (!tile.is_tile()) continue;
    if (row == buffer_id) {
      check_capacity(check, op, tile);
      continue;
    }
    if (row == alloc_id) {
      check_level(check, op, op.operand(0) != kNoValue);
      check_capacity(check, op, tile);
    }
    check_address(check, op, tile, row == alloc_id ? 0 : 1);
  }
}

}  // namespace pto::legality
