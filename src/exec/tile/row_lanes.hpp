// Row reductions of floats as the vector unit of A5 makes them: a register of elements at a time, then the
// registers' results one after another (pto-isa npu/a5/TRowReduce.hpp, TRowProd.hpp, TRowReduceIdx.hpp).
#pragma once

#include "exec/tile/layout.hpp"

namespace pto::exec {

enum class RowReduction : uint8_t { sum, product, max, min };

/// dst(row, 0) of every row of src. Both tiles are of one float format; false when they are not.
bool reduce_rows_by_lanes(const Context& context, RowReduction kind, const Tile& src, const Tile& dst);

/// The column of the extremum of each row. The first extremum of a register replaces the current
/// one if it is strictly better, so a register with a NaN changes nothing. `values` receives the
/// extremum itself, unless it is nullptr. False if src has no float format.
bool arg_rows_by_lanes(const Context& context, bool maximum, const Tile& src, const Tile& dst,
                       const Tile* values = nullptr);

}  // namespace pto::exec
