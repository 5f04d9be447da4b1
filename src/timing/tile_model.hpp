// A2/A3 tile operations as the vector instructions they decompose into.
//
// A model is named in a cost row (`model = "binary", instr = "vadd"`). It gets the tiles' geometry and
// addresses and adds its instructions to a timeline. The rules (which repeats, masks, count mode, barriers)
// are those of the public device headers; docs/timing.md lists them.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "target/decoded_inst.hpp"
#include "timing/cost_config.hpp"
#include "timing/vector_model.hpp"

namespace pto::timing {

/// One tile as a vector instruction sees it: rows of elements, `pitch` bytes apart.
struct TileView {
  uint64_t addr = 0;
  uint32_t rows = 0, cols = 0;  ///< valid
  uint32_t stored_rows = 0, stored_cols = 0;
  uint32_t elem_bytes = 1;
  Elem elem = Elem::none;
  bool fixed = true;  ///< its type says that all columns are valid

  [[nodiscard]] uint64_t pitch() const { return uint64_t{stored_cols} * elem_bytes; }
  [[nodiscard]] uint64_t row_bytes() const { return uint64_t{cols} * elem_bytes; }
  [[nodiscard]] bool contiguous() const { return stored_cols == cols || rows == 1; }
};

struct TileOperands {
  TileView dst, src0, src1;
  bool has_src1 = false;  ///< two inputs; otherwise src1 is the temporary, if there is one
  bool tree = false;      ///< isBinary: column sums as a tree
  bool by_mask = false;   ///< a mask pattern chooses, not indices
  uint32_t lists = 1;     ///< first inputs, where there may be several
  std::span<const VectorInstrSet* const> instr;
};

using TileModel = void (*)(const TileOperands&, VectorTimeline&);

/// The model of that name and how many instructions it wants; null when there is none.
struct TileModelEntry {
  std::string_view name;
  size_t instructions;
  TileModel model;
};
const TileModelEntry* find_tile_model(std::string_view name);

/// The row of an instruction for an element type; falls back to "i32"-like rows of the same width for other
/// integers. Null when the instruction has no row for it.
const VectorInstr* instruction_for(const VectorInstrSet& set, Elem elem);

/// Geometry of a tile operand. Column-major tiles are turned, so that `cols` run along memory.
TileView tile_view(const decode::ValueRef& ref, const decode::Word* frame);

}  // namespace pto::timing
