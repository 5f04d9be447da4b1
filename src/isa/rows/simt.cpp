// SIMT threads: known by name, not executed.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
constexpr Row kRows[] = {
    // name                     layer          operands  results  attrs  syntax   a2a3  a5  rules  pipe  cost      flags         doc
    {"pto.vperm",             Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: data-rearrangement"},
    {"pto.vshift",            Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: data-rearrangement"},
    {"pto.vslide",            Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: data-rearrangement"},
    {"pto.ldg",               Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: scalar-memory"},
    {"pto.stg",               Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: scalar-memory"},
    {"pto.atomic_add",        Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: atomic"},
    {"pto.atomic_and",        Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: atomic"},
    {"pto.atomic_cas",        Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: atomic"},
    {"pto.atomic_exch",       Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: atomic"},
    {"pto.atomic_max",        Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: atomic"},
    {"pto.atomic_min",        Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: atomic"},
    {"pto.atomic_or",         Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: atomic"},
    {"pto.atomic_sub",        Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: atomic"},
    {"pto.atomic_xor",        Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: atomic"},
    {"pto.keep",              Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: launch"},
    {"pto.resume",            Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: launch"},
    {"pto.simt_launch",       Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: launch"},
    {"pto.store_vfsimt_info", Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: launch"},
    {"pto.absf",              Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.ceil",              Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.convert",           Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.exp",               Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.floor",             Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.fma",               Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.fmax",              Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.fmin",              Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.log",               Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.mul_i32toi64",      Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.mulhi",             Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.pow",               Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.prmt",              Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.rint",              Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.round",             Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.sqrt",              Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: math"},
    {"pto.get_block_dim_x",   Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_block_dim_y",   Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_block_dim_z",   Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_block_idx_x",   Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_block_idx_y",   Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_block_idx_z",   Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_clock32",       Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_clock64",       Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_grid_dim_x",    Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_grid_dim_y",    Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_grid_dim_z",    Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_laneid",        Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_lanemask_eq",   Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_lanemask_ge",   Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_lanemask_gt",   Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_lanemask_le",   Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_lanemask_lt",   Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_tid_x",         Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_tid_y",         Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_tid_z",         Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.get_veccoreid",     Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: query"},
    {"pto.redux_add",         Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: warp"},
    {"pto.redux_max",         Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: warp"},
    {"pto.redux_min",         Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: warp"},
    {"pto.shuffle_bfly",      Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: warp"},
    {"pto.shuffle_down",      Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: warp"},
    {"pto.shuffle_idx",       Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: warp"},
    {"pto.shuffle_up",        Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: warp"},
    {"pto.vote_all",          Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: warp"},
    {"pto.vote_any",          Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: warp"},
    {"pto.vote_ballot",       Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: warp"},
    {"pto.vote_uni",          Layer::scalar, "",       "",      "",    "@none", "-",  "", "",    "S",  "scalar", kNotExecuted, "SIMT: warp"},
};
// clang-format on

}  // namespace

std::span<const Row> simt_rows() { return kRows; }

}  // namespace pto::isa
