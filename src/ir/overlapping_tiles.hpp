// Tiles that a text puts across each other, in words: a slip of an address, which flags only hide.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pto/program.hpp"

namespace pto::isa {

/// A tile and the bytes of its memory that it takes.
struct TilePlace {
  std::string name;
  uint64_t begin = 0, end = 0;
};

/// "%a (bytes 0 to 16383) and %b (bytes 4096 to 20479) share 12,288 bytes of l1: move one of them, or "; ""
/// where they have no byte in common, or one holds the other, as names of one place and of its parts do.
std::string across_each_other(const TilePlace& one, const TilePlace& other, std::string_view memory);

/// Where a tile lies whose address is a constant.
std::optional<TilePlace> place_of_tile(const Program& program, ValueId tile, std::optional<int64_t> address);

}  // namespace pto::isa
