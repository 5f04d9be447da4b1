#include "ir/overlapping_tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ir/value_names.hpp"

namespace pto::isa {

std::string across_each_other(const TilePlace& one, const TilePlace& other, std::string_view memory) {
  const auto [low, high] = one.begin < other.begin ? std::pair(&one, &other) : std::pair(&other, &one);
  const bool across = low->begin < high->begin && high->begin < low->end && low->end < high->end;
  if (!across || one.name == other.name) return {};
  return fmt::format(
      "{} (bytes {} to {}) and {} (bytes {} to {}) share {} bytes of {}: move one of them, or ", one.name,
      one.begin, one.end - 1, other.name, other.begin, other.end - 1, low->end - high->begin, memory);
}

std::optional<TilePlace> place_of_tile(const Program& program, ValueId tile, std::optional<int64_t> address) {
  const Type& type = program.type_of(tile);
  if (!type.is_tile() || !address || *address < 0) return std::nullopt;
  const auto begin = static_cast<uint64_t>(*address);
  return TilePlace{value_name(program, tile), begin, begin + tile_bytes(type)};
}

}  // namespace pto::isa
