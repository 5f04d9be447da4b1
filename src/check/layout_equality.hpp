// Two types of one place: whether an element stands elsewhere for the one than for the other.
#pragma once

#include <algorithm>
#include <cstdint>

#include "exec/tile/layout.hpp"
#include "pto/type.hpp"

namespace pto::sim {

/// Of tiles of one shape. Boxes of the one kind that are read as those of the other are a transposition,
/// which programs mean.
inline bool have_different_layouts(const Type& one, const Type& other) {
  if (!one.is_tile() || !other.is_tile() || byte_width(one.elem) != byte_width(other.elem)) return false;
  const bool boxes = one.slayout != SLayout::none_box && other.slayout != SLayout::none_box;
  if (boxes || one.rows() != other.rows() || one.cols() != other.cols() || one.rows() <= 0 || one.cols() <= 0)
    return false;
  const auto extent = [&](size_t dim) {
    int64_t least = one.dims[dim];
    for (const Type* type : {&one, &other})
      if (type->valid[dim] >= 0) least = std::min(least, type->valid[dim]);
    return static_cast<uint64_t>(std::min<int64_t>(least, 1024));  // more boxes repeat what these show
  };
  const auto map = [](const Type& type) {
    return exec::TileMap(type, static_cast<uint64_t>(type.rows()), static_cast<uint64_t>(type.cols()));
  };
  const exec::TileMap first = map(one), second = map(other);
  for (uint64_t row = 0; row < extent(0); ++row) {
    for (uint64_t col = 0; col < extent(1); ++col)
      if (first.offset(row, col) != second.offset(row, col)) return true;
  }
  return false;
}

}  // namespace pto::sim
