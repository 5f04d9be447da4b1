// Descriptors of tiles and views out of their types and operands.
#pragma once

#include <vector>

#include "exec/exec_context.hpp"

namespace pto::exec {

/// The address a descriptor or pointer represents.
uint64_t address_of(const Context& context, unsigned slot);
/// Row-major view of the type's static shape.
void fill_static_view(ViewDesc& view, const Type& type, uint64_t addr);
/// A tile as its type says; dynamic extents start at the full size.
TileDesc tile_of_type(const Type& type, uint64_t addr);
/// Takes the valid extents from operands where they are given; a finding when they exceed the type.
void take_valid(const Context& context, TileDesc& tile, const Type& type, unsigned row_slot,
                unsigned col_slot);

/// The numbers of a list of values and constants, `list` counting those of the row; `slot` has the values.
std::vector<int64_t> numbers(const Context& context, unsigned list, unsigned slot);

}  // namespace pto::exec
