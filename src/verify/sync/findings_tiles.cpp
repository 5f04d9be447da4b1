// Findings about the bytes of tiles: beyond their memory, over one another, across each other.
#include <fmt/format.h>

#include "ir/overlapping_tiles.hpp"
#include "ir/value_names.hpp"
#include "isa/memory_spaces.hpp"
#include "verify/sync/findings.hpp"

namespace pto::legality::sync {

void Report::tiles(Walk& walk) {
  for (const ExternalEffects& each : walk.outside()) {
    const uint32_t op = each.access.inside != ~0U ? each.access.inside : each.when.op;
    const ByteRange& bytes = each.access.bytes;
    const uint64_t size = isa::on_chip_bytes(program_.target, each.access.space);
    add(E0513, Severity::error, op,
        {Anchor::Part::operand, op, flat_index(OpView(program_, op), each.access.slot)}, ~0U,
        fmt::format("{} {} {} at {} of {}, which has {} bytes on {}", OpView(program_, op).mnemonic(),
                    each.access.write ? "writes" : "reads", operand_name(op, each.access.slot),
                    range_text(bytes.begin, bytes.end), to_string(each.access.space), size,
                    to_string(program_.target)),
        "lower the address");
  }
  for (const ClobberedBytes& each : walk.destroyed()) {
    const OpView by(program_, each.by.op), read(program_, each.read.op);
    const std::string tile = value_name(program_, each.tile);
    Diagnostic* built =
        add(each.certain, E0519, W0519, each.read.op,
            {Anchor::Part::operand, each.read.op, flat_index(read, each.read_slot)}, each.by.op,
            fmt::format("this reads {}, which {} has left with other bytes: {} works in its source", tile,
                        place(each.by.op), by.mnemonic()),
            fmt::format("copy {} before {}, or load it again", tile, by.mnemonic()));
    if (built != nullptr)
      note(*built, each.by.op, fmt::format("{} is changed here", tile), Anchor::Part::operand,
           flat_index(by, each.slot));
  }
  for (const Clobber& each : walk.clobbers()) {
    const OpView read(program_, each.read.op);
    const std::string tile = value_name(program_, each.tile), by = value_name(program_, each.by);
    Diagnostic* built =
        add(W0512, Severity::warning, each.overwritten.op,
            {Anchor::Part::operand, each.overwritten.op,
             flat_index(OpView(program_, each.overwritten.op), each.overwritten_slot)},
            each.read.op,
            fmt::format("this writes {} over {} of {}, which {} still reads", by,
                        range_text(each.begin, each.end), tile, place(each.read.op)),
            fmt::format("give {} an address of its own, or write {} again before it is read", by, tile));
    if (built == nullptr) continue;
    note(*built, each.written.op, fmt::format("{} was written here", tile));
    note(*built, each.read.op, fmt::format("{} is read here", tile), Anchor::Part::operand,
         flat_index(read, each.read_slot));
  }
}

/// Tiles at addresses of the author's that lie across each other; "" for all others.
std::string Report::shared_bytes(const Race& race) const {
  const auto place = [&](const LastAccess& access, const ByteRange& bytes) {
    return isa::TilePlace{operand_name(place_of(access), access.slot), static_cast<uint64_t>(bytes.begin),
                          static_cast<uint64_t>(bytes.end)};
  };
  if (!is_memory_base(race.first_bytes.base) || race.first_bytes.begin < 0 || race.second_bytes.begin < 0)
    return {};
  return isa::across_each_other(place(race.first, race.first_bytes), place(race.second, race.second_bytes),
                                to_string(race.space));
}

}  // namespace pto::legality::sync
