// SIMT threads: known by name, not executed.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view cost, std::string_view doc) {
  return {name, Layer::scalar, operands, "", "", "@none", "-", "", "", "S", cost, kNotExecuted, doc};
}

constexpr Row kRows[] = {
    //     name                     operands  cost      doc
    row_of("pto.vperm",             "",       "scalar", "SIMT: data-rearrangement"),
    row_of("pto.vshift",            "",       "scalar", "SIMT: data-rearrangement"),
    row_of("pto.vslide",            "",       "scalar", "SIMT: data-rearrangement"),
    row_of("pto.ldg",               "",       "scalar", "SIMT: scalar-memory"),
    row_of("pto.stg",               "",       "scalar", "SIMT: scalar-memory"),
    row_of("pto.atomic_add",        "",       "scalar", "SIMT: atomic"),
    row_of("pto.atomic_and",        "",       "scalar", "SIMT: atomic"),
    row_of("pto.atomic_cas",        "",       "scalar", "SIMT: atomic"),
    row_of("pto.atomic_exch",       "",       "scalar", "SIMT: atomic"),
    row_of("pto.atomic_max",        "",       "scalar", "SIMT: atomic"),
    row_of("pto.atomic_min",        "",       "scalar", "SIMT: atomic"),
    row_of("pto.atomic_or",         "",       "scalar", "SIMT: atomic"),
    row_of("pto.atomic_sub",        "",       "scalar", "SIMT: atomic"),
    row_of("pto.atomic_xor",        "",       "scalar", "SIMT: atomic"),
    row_of("pto.keep",              "",       "scalar", "SIMT: launch"),
    row_of("pto.resume",            "",       "scalar", "SIMT: launch"),
    row_of("pto.simt_launch",       "",       "scalar", "SIMT: launch"),
    row_of("pto.store_vfsimt_info", "",       "scalar", "SIMT: launch"),
    row_of("pto.absf",              "",       "scalar", "SIMT: math"),
    row_of("pto.ceil",              "",       "scalar", "SIMT: math"),
    row_of("pto.convert",           "",       "scalar", "SIMT: math"),
    row_of("pto.exp",               "",       "scalar", "SIMT: math"),
    row_of("pto.floor",             "",       "scalar", "SIMT: math"),
    row_of("pto.fma",               "",       "scalar", "SIMT: math"),
    row_of("pto.fmax",              "",       "scalar", "SIMT: math"),
    row_of("pto.fmin",              "",       "scalar", "SIMT: math"),
    row_of("pto.log",               "",       "scalar", "SIMT: math"),
    row_of("pto.mul_i32toi64",      "",       "scalar", "SIMT: math"),
    row_of("pto.mulhi",             "",       "scalar", "SIMT: math"),
    row_of("pto.pow",               "",       "scalar", "SIMT: math"),
    row_of("pto.prmt",              "",       "scalar", "SIMT: math"),
    row_of("pto.rint",              "",       "scalar", "SIMT: math"),
    row_of("pto.round",             "",       "scalar", "SIMT: math"),
    row_of("pto.sqrt",              "",       "scalar", "SIMT: math"),
    row_of("pto.get_block_dim_x",   "",       "scalar", "SIMT: query"),
    row_of("pto.get_block_dim_y",   "",       "scalar", "SIMT: query"),
    row_of("pto.get_block_dim_z",   "",       "scalar", "SIMT: query"),
    row_of("pto.get_block_idx_x",   "",       "scalar", "SIMT: query"),
    row_of("pto.get_block_idx_y",   "",       "scalar", "SIMT: query"),
    row_of("pto.get_block_idx_z",   "",       "scalar", "SIMT: query"),
    row_of("pto.get_clock32",       "",       "scalar", "SIMT: query"),
    row_of("pto.get_clock64",       "",       "scalar", "SIMT: query"),
    row_of("pto.get_grid_dim_x",    "",       "scalar", "SIMT: query"),
    row_of("pto.get_grid_dim_y",    "",       "scalar", "SIMT: query"),
    row_of("pto.get_grid_dim_z",    "",       "scalar", "SIMT: query"),
    row_of("pto.get_laneid",        "",       "scalar", "SIMT: query"),
    row_of("pto.get_lanemask_eq",   "",       "scalar", "SIMT: query"),
    row_of("pto.get_lanemask_ge",   "",       "scalar", "SIMT: query"),
    row_of("pto.get_lanemask_gt",   "",       "scalar", "SIMT: query"),
    row_of("pto.get_lanemask_le",   "",       "scalar", "SIMT: query"),
    row_of("pto.get_lanemask_lt",   "",       "scalar", "SIMT: query"),
    row_of("pto.get_tid_x",         "",       "scalar", "SIMT: query"),
    row_of("pto.get_tid_y",         "",       "scalar", "SIMT: query"),
    row_of("pto.get_tid_z",         "",       "scalar", "SIMT: query"),
    row_of("pto.get_veccoreid",     "",       "scalar", "SIMT: query"),
    row_of("pto.redux_add",         "",       "scalar", "SIMT: warp"),
    row_of("pto.redux_max",         "",       "scalar", "SIMT: warp"),
    row_of("pto.redux_min",         "",       "scalar", "SIMT: warp"),
    row_of("pto.shuffle_bfly",      "",       "scalar", "SIMT: warp"),
    row_of("pto.shuffle_down",      "",       "scalar", "SIMT: warp"),
    row_of("pto.shuffle_idx",       "",       "scalar", "SIMT: warp"),
    row_of("pto.shuffle_up",        "",       "scalar", "SIMT: warp"),
    row_of("pto.vote_all",          "",       "scalar", "SIMT: warp"),
    row_of("pto.vote_any",          "",       "scalar", "SIMT: warp"),
    row_of("pto.vote_ballot",       "",       "scalar", "SIMT: warp"),
    row_of("pto.vote_uni",          "",       "scalar", "SIMT: warp"),
};
// clang-format on

}  // namespace

std::span<const Row> simt_rows() { return kRows; }

}  // namespace pto::isa
