// How operations on logical vectors become vector instructions (src/lower), a column of their rows; and the
// part that vector instructions take in that. Which instruction computes the lanes of an operation is its
// cost class.
#pragma once

#include <cstdint>

#include "pto/type.hpp"

namespace pto::isa {

struct Row;

enum class Lowering : uint8_t {
  none,

  // ---- operations on logical values
  lanes,         ///< each register by the instruction, operands in order
  product,       ///< the same, elements with the sign that is written
  multiply_add,  ///< the same, the accumulator comes last
  choose,        ///< the same, the mask comes first
  logic_and,     ///< of lanes or of masks
  logic_or,
  logic_xor,
  logic_not,
  compare,
  compare_integers,
  convert,
  exp_difference,
  recast,  ///< the same bits
  constant,
  constant_mask,
  broadcast,
  counted,
  first_lanes,
  first_of_groups,
  pattern,
  count_down,
  select_lanes,
  shuffle,
  interleave,
  deinterleave,
  split,
  merge,
  compress,
  active_below,
  reduce_add,
  reduce_max,
  reduce_min,
  histogram,
  load,
  load_pairs,
  load_groups,
  load_group_broadcast,
  load_blocks,
  load_masked,
  load_expanded,
  gather,
  store,
  store_groups,
  store_blocks,
  store_pairs,
  scatter,
  store_compressed,
  place,   ///< the same lanes in another layout
  unpack,  ///< the registers of a value, as its type says
  pack,

  // ---- instructions that they become
  to_load,
  to_load_pair,
  to_load_blocks,
  to_gather,
  to_gather_words,
  to_store,
  to_store_pair,
  to_store_blocks,
  to_scatter,
  to_duplicate,
  to_count,
  to_interleave,
  to_deinterleave,
  to_pack,
  to_unpack,
  to_cast,
  to_choose,
  to_select_lanes,
  to_and,
  to_or,
  to_xor,
  to_not,
  to_add,
  to_max,
  to_min,
  to_sum,
  to_greatest,
  to_least,
  to_block_sum,
  to_block_greatest,
  to_block_least,
  to_add_scalar,
  to_multiply_scalar,
  to_and_scalar,
  to_shift_right_scalar,
  to_compare_scalar,
  to_squeeze,
  to_prefix,
  to_pattern,  ///< those of masks: of b8, b16, b32, in this order
  to_count_down,
  to_mask_interleave,
  to_mask_deinterleave,
  to_mask_and,
  to_mask_or,
  to_mask_xor,
  to_mask_not,
  to_mask_pack,
  to_mask_unpack,
  to_mask_cast,
  to_clear_stream,
  to_begin_stream,
  to_stream,
  to_end_stream,

  count,
};

/// The instruction that takes this part; of several that differ in the bytes of a lane only, that for
/// `bytes`.
RowId instruction(Lowering part, unsigned bytes = 1);
/// The vector instruction whose cost an operation on logical vectors has: it computes their lanes.
const Row& lane_instruction(const Row& row);

}  // namespace pto::isa
