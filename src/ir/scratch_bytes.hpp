// The bytes that an instruction writes in its scratch tile, and behind it.
//
// Rows name them: `a2a3.scratch:selection` (instruction_phases.hpp). Example: on A2/A3 trem of 16x64xf32
// keeps quotients in bytes 0 to 255 of `tmp` and a comparison mask in the first eight bytes of its second
// row, whatever the size of `tmp` is.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "isa/row.hpp"
#include "pto/program.hpp"

namespace pto::isa {

/// A part of it, counted from the begin of the tile.
struct ScratchPart {
  uint64_t begin = 0, rows = 1, row_bytes = 0, pitch = 0;
  bool early = false;  ///< written by the phases in front of the one on the row's own pipe
  [[nodiscard]] uint64_t end() const { return rows == 0 ? begin : begin + (rows - 1) * pitch + row_bytes; }
};

struct Scratch {
  unsigned slot = 0;      ///< of `tmp`
  bool stated = false;    ///< the row says what is written; otherwise it may be the whole tile, or nothing
  bool has_rule = false;  ///< a legality rule of its own says how large the tile is
  std::vector<ScratchPart> parts;
  std::vector<uint8_t> shared;  ///< slots of operands that the tile may lie on (`scratch_on`)
  /// One past the last byte.
  [[nodiscard]] uint64_t end() const;
};

/// Valid extents of an operand's tile.
struct Extents {
  int64_t rows = 0, cols = 0;
};
enum class OpenExtents : uint8_t { least, most };  ///< an extent that only the run knows: 1, or the tile's

/// The operand that is the scratch tile; nothing where the operation has none or its target does not touch
/// it.
std::optional<unsigned> scratch_slot(const OpView& op);
/// Nothing where there is no scratch_slot().
std::optional<Scratch> scratch_of(const OpView& op, OpenExtents open);
/// What the extent of this name is, in words; empty when there is none.
std::string_view scratch_words(std::string_view name);
/// With the extents that the tiles have at run time, by slot.
std::optional<Scratch> scratch_of(const OpView& op, const std::function<Extents(unsigned slot)>& extents);

}  // namespace pto::isa
