#include "verify/rule_words.hpp"

#include <algorithm>
#include <iterator>

namespace pto::legality {

namespace {

// clang-format off
constexpr RuleWords kWords[] = {
    // where operands live
    {"vec",            "E0341", "tiles are in vec", "*=vec"},
    {"vec_or_mat",     "E0341", "tiles are in vec or mat", "*=vec|mat"},
    {"acc_src",        "E0341", "`$` is in acc", "$=acc"},
    {"fp_scaling",     "E0341", "`fp` is in scaling", "fp=scaling"},
    {"tmov_path",      "E0342 W0443", "the target has a data path from the source's memory to the destination's", ""},
    {"gm",             "E0411", "`$` points to gm", "$=gm"},
    {"ub",             "E0411", "`$` points to ub", "$=ub"},
    {"l1",             "E0411", "`$` points to l1", "$=l1"},
    {"l0a",            "E0411", "`$` points to l0a", "$=l0a"},
    {"l0b",            "E0411", "`$` points to l0b", "$=l0b"},
    {"l0c",            "E0411", "`$` points to l0c", "$=l0c"},
    {"bt",             "E0411", "`$` points to bt", "$=bt"},
    {"fb",             "E0411", "`$` points to fb", "$=fb"},
    // tiles by name: the argument lists them
    {"in",             "E0341", "$ in @", "="},
    {"row_major",      "E0351", "$ row_major and not boxed", ""},
    {"nz",             "E0351", "$ in NZ layout (blayout=col_major, slayout=row_major)", ""},
    {"dn",             "E0351", "$ col_major and not boxed", ""},
    {"unboxed",        "E0351", "$ not boxed", ""},
    {"vec_row_major",  "E0351", "$ row_major and not boxed when in vec", ""},
    {"blocks",         "E0383", "lines of $ are whole 32-byte blocks", ""},
    {"fractal_512",    "E0360", "$ with fractal=512", ""},
    {"same_valid",     "E0352", "valid regions are equal: $", ""},
    {"same_rows",      "E0352", "valid rows are equal: $", ""},
    {"same_cols",      "E0352", "valid columns are equal: $", ""},
    {"same_shape",     "E0353", "shapes are equal: $", ""},
    {"nonempty",       "E0359", "$ not empty", ""},
    {"full_rows",      "E0353", "all columns are valid: $", ""},
    {"one_row",        "E0353", "one row: $", ""},
    {"distinct",       "E0370", "different tiles, not in place: $", ""},
    {"acc_cols",       "E0360", "at most 4095 columns: $", ""},
    // masks
    {"mask_out",       "E0358", "the mask is an integer tile with a row per row of data and a bit per element", ""},
    {"mask_bits",      "E0358", "the mask is an integer tile", ""},
    // reductions and broadcasts
    {"row_reduce",     "E0354", "the source is not empty, the destination has its rows", ""},
    {"col_reduce",     "E0354", "the source is not empty, the destination has its columns", ""},
    {"row_expand",     "E0355", "source and destination have the same valid rows", ""},
    {"col_expand",     "E0355", "source and destination have the same valid columns", ""},
    {"row_expand_op",  "E0355", "one source has the destination's valid region, the other one value or 32 bytes per row", ""},
    {"col_expand_op",  "E0355", "one source has the destination's valid region, the other one row", ""},
    {"part_valid",     "E0357", "one source is valid on all of the destination, the other not beyond it", ""},
    {"column_out",     "E0354", "one column, or the first column of a row_major tile: $", ""},
    {"row_out",        "E0354", "one valid row: $", ""},
    {"broadcast_columns", "E0355", "one value per row of the destination: $", ""},
    {"concat_columns", "E0353", "the destination holds the columns of both sources", ""},
    // matrix products
    {"scale_of",       "E0341 E0369", "the scale tile is in scaling and fits its operand", ""},
    {"scales",         "E0341 E0369", "scales have the operand's shape, or one per 32 elements of K", ""},
    {"matmul",         "E0341 E0356", "operands are in left, right, acc and bias with the target's layouts; M, N and K agree and are 1 to 4095",
                       "lhs=left rhs=right dst=acc acc_in=acc a=left b=right bias=bias"},
    {"gemv",           "E0341 E0356", "as a matrix product whose left operand has one row", "lhs=left rhs=right dst=acc acc_in=acc a=left b=right bias=bias"},
    // loads, stores, moves
    {"load_shape",     "E0331 E0341 E0351 E0359 E0361 E0363 W0361", "fills vec or mat tiles; extents and element types of window and tile fit each other", "dst=vec|mat"},
    {"store_shape",    "E0341 E0351 E0359 E0361 W0361", "stores vec, mat or acc tiles; extents of window and tile fit each other", "src=vec|mat|acc"},
    {"store_types",    "E0331", "the element types are equal; an acc tile of f32 or i32 may be converted", ""},
    {"extract",        "E0342 E0351 E0362", "the window lies inside the source", ""},
    {"insert",         "E0331 E0342 E0351 E0360 E0362", "the window lies inside the destination; a2a3 converts f32 accumulators to f16 or bf16", ""},
    {"fillpad",        "E0353 E0363", "the destination has a pad value and is at least as large as the source", ""},
    {"reshape",        "E0364", "memory, size in bytes and boxing stay", ""},
    {"subview",        "E0365", "the window lies inside the tile and cuts no box", ""},
    {"view_rank",      "E0366 E0411", "an extent and a stride per dimension, on a pointer to gm", "ptr=gm"},
    {"partition",      "E0362 E0366", "an offset and a size per dimension; the window lies inside the view", ""},
    {"alloc_valid",    "E0367", "valid_row and valid_col are given exactly where the type says ?", ""},
    {"dynamic_valid",  "E0367", "the tile's type has a dynamic valid region", ""},
    {"index_i32",      "E0331", "`$` holds 32-bit integers", ""},
    {"tgather_form",   "E0322 E0331 E0333 E0368 E0371", "exactly one of an index tile, maskPattern and a comparison value", ""},
    {"mrgsort_form",   "E0301 E0323 E0353 E0368 E0371", "the blocks of one tile (blockLen), or 2 to 4 tiles; the scratch tile holds the merged list", ""},
    {"result_elem",    "E0331", "the result has the tile's element type", ""},
    {"tquant_offset",  "E0368", "an offset tile exactly with INT8_ASYM", ""},
    {"extract_window", "E0362", "the window lies inside the source", ""},
    {"insert_window",  "E0362", "the window lies inside the destination", ""},
    {"fillpad_mat",    "E0380", "in mat source and destination have one type", ""},
    {"mov_form",       "E0322 E0331 E0351 E0368", "accToVecMode, reluPreMode, fp and preQuantScalar only from acc", ""},
    {"mov_shape",      "E0353 E0360", "the shape stays where the path cannot change it", ""},
    {"prefetch",       "E0331 E0359", "source and destination go with each other", ""},
    {"store_extents",  "E0359", "extents are not zero", ""},
    {"store_form",     "E0322 E0368", "preQuantScalar, reluPreMode and atomic types only where the target has them, from acc", ""},
    {"address_of",     "E0331 E0411", "the pointer has the operand's element type and memory", ""},
    {"assign",         "E0364 E0379", "the result is the same tile at another address; level 3 only", ""},
    {"bitcast",        "E0364", "only the element type changes", ""},
    {"set_elem",       "E0333", "the value has the tile's element type", ""},
    {"mem_rows",       "E0366", "the window of GM lies in rows", ""},
    {"index_shape",    "E0353", "one index per element of `$`, or one column of them", ""},
    {"histogram",      "E0353", "256 bins, a row per row of the source; the index tile has one column", ""},
    {"scatter_atomic", "E0322", "the atomic operation exists for the element type", ""},
    // scratch tiles
    {"tmp_elem",       "E0371 W0441", "the scratch tile has the element type of `$`", ""},
    {"tmp_valid",      "E0371 W0441", "the scratch tile has the valid region of `$`", ""},
    {"tmp_covers",     "E0371 W0441", "the scratch tile covers a row of `$`", ""},
    {"tmp_block",      "E0371", "the scratch tile has at least 32 bytes", ""},
    {"tmp_i8",         "E0371", "the scratch tile holds bytes", ""},
    {"no_tmp",         "E0371", "no scratch tile", ""},
    {"binary_tmp",     "E0322", "a scratch tile goes with isBinary", ""},
    // scalars and attributes
    {"scalar_is",      "E0333", "$ of type @", ""},
    {"scalar_reads",   "E0341", "the scalar unit reaches vec tiles only", ""},
    {"nonnegative",    "E0323", "not negative: $", ""},
    {"precision",      "E0320", "HIGH_PRECISION is for f16 and f32", ""},
    {"ramp",           "E0333 E0353", "more than one column; the first value has the element type", ""},
    {"scalar_elem",    "E0333", "the scalar has the tile's element type", ""},
    {"one_tile",       "E0333", "one of the operands is a tile, the other a scalar", ""},
    {"upper_or_lower", "E0313", "upperOrLower is 0 or 1", ""},
    {"rounds",         "E0313", "rounds is 7 or 10", ""},
    {"tf32_round",     "E0313", "on a5 the mode is CAST_ROUND", ""},
    {"trem_tmp",       "E0371 W0441", "the scratch tile has two rows as wide as the destination", ""},
    {"tcvt_sat",       "W0372", "sat_mode is not portable to the public functional simulator", ""},
    {"all_same",       "E0333", "operands and result have one type", ""},
    {"cast_width",     "E0333", "widening casts widen, narrowing casts narrow, bit casts keep the width", ""},
    // vector registers
    {"mask_width",     "E0414", "the mask is of $", ""},
    {"same_bits",      "E0415", "the size of the register stays", ""},
    {"vcvt",           "E0416", "part is given exactly where source and result lanes differ in width", ""},
    {"updated_base",   "E0333", "the moved pointer has the type of `$`", ""},
    // cube and fixpipe
    {"mad_shape",      "E0413", "m, n and k are 1 to 4095; packed 4-bit data has an even k", ""},
    {"mad_tf32",       "E0412", "tf32_mode needs f32 operands", ""},
    {"mad_sat",        "E0412", "sat and nosat need floating operands", ""},
    {"same_elem",      "E0331", "source and destination have the same element type", ""},
    {"start",          "E0362", "start positions are not negative", ""},
    {"pad_counts",     "E0417", "the pad group has a value, or a value and both counts", ""},
    {"fixpipe",        "E0417 E0418", "clauses go with the element types and with each other", ""},
    // synchronisation and queues
    {"pipe_pair",      "E0391 E0392 W0440", "the flag orders two different pipes that work", ""},
    {"barrier_pipe",   "E0391", "instructions run on the pipe", ""},
    {"buf_id",         "E0391 E0394", "one working pipe; id and mode are in range", ""},
    {"cross_core",     "E0393 E0394", "one event id in range; on a5 the pipe is FIX or MTE3", ""},
    {"fifo",           "E0394", "slot_size is positive", ""},
    {"fifo_valid",     "E0367", "a valid region is given only where the result's type leaves it open", ""},
    // memrefs
    {"alloc_sizes",    "E0440", "as many sizes as the type has open dimensions", ""},
    {"indices",        "E0441", "an index per dimension", ""},
    {"same_element",   "E0442", "the element type stays", ""},
};
// clang-format on

}  // namespace

const RuleWords* rule_words(std::string_view name) {
  const auto found = std::find_if(std::begin(kWords), std::end(kWords), [&](const RuleWords& words) { return words.name == name; });
  return found == std::end(kWords) ? nullptr : &*found;
}

}  // namespace pto::legality
