// Data movement between GM, L1 and UB.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
constexpr std::string_view kMteGmUbOperands =
    "source:ptr|memref destination:ptr|memref=out l2_cache_ctl:i64 len_burst:i64 n_burst:i64 "
    "nburst_src_stride:i64 nburst_dst_stride:i64 loop_counts:i64* loop_src_strides:i64* loop_dst_strides:i64* "
    "pad_value:scalar? left_padding_count:i64? right_padding_count:i64?";
constexpr std::string_view kMteGmUbSyntax =
    "$source, $destination, $l2_cache_ctl, $len_burst nburst($n_burst, $nburst_src_stride, "
    "$nburst_dst_stride) (loop($loop_counts, $loop_src_strides, $loop_dst_strides))* (pad($pad_value (, "
    "$left_padding_count, $right_padding_count)?))? {attrs} : type($source), type($destination), "
    "type($l2_cache_ctl), type($len_burst), type($n_burst), type($nburst_src_stride), "
    "type($nburst_dst_stride) (, loop type($loop_counts), type($loop_src_strides), type($loop_dst_strides))* "
    "(, pad type($pad_value) (, type($left_padding_count), type($right_padding_count))?)?";
constexpr std::string_view kMteUbGmOperands =
    "source:ptr|memref destination:ptr|memref=out len_burst:i64 n_burst:i64 nburst_src_stride:i64 "
    "nburst_dst_stride:i64 loop_counts:i64* loop_src_strides:i64* loop_dst_strides:i64*";
constexpr std::string_view kMteUbGmSyntax =
    "$source, $destination, $len_burst nburst($n_burst, $nburst_src_stride, $nburst_dst_stride) "
    "(loop($loop_counts, $loop_src_strides, $loop_dst_strides))* {attrs} : type($source), type($destination), "
    "type($len_burst), type($n_burst), type($nburst_src_stride), type($nburst_dst_stride) (, loop "
    "type($loop_counts), type($loop_src_strides), type($loop_dst_strides))*";
constexpr std::string_view kMteUbL1Syntax =
    "$source, $destination, $len_burst nburst($n_burst, $src_stride, $dst_stride) {attrs} : type($source), "
    "type($destination), type($n_burst), type($len_burst), type($src_stride), type($dst_stride)";
constexpr std::string_view kMteGmL1FracOperands =
    "source:ptr|memref destination:ptr|memref=out n_value:i64 d_value:i64 src_inner_stride:i64 "
    "group_count:i64 dst_loop2_stride:i64 dst_loop3_stride:i64 dst_loop4_stride:i64 l2_cache_ctrl:i64 "
    "smallc0_en:i1 src_outer_stride:i64?";
constexpr std::string_view kMteGmL1FracSyntax =
    "$source, $destination, $mode, shape($n_value, $d_value), src_layout($src_inner_stride (, "
    "$src_outer_stride)?), dst_group($group_count, $dst_loop2_stride, $dst_loop3_stride, $dst_loop4_stride), "
    "ctrl($l2_cache_ctrl, $smallc0_en) {attrs} : type($source), type($destination), $mode, shape "
    "type($n_value), type($d_value), src_layout(type($src_inner_stride) (, type($src_outer_stride))?), "
    "dst_group type($group_count), type($dst_loop2_stride), type($dst_loop3_stride), type($dst_loop4_stride), "
    "ctrl type($l2_cache_ctrl), type($smallc0_en)";
constexpr std::string_view kCopyGmToUbufOperands =
    "source:ptr|memref destination:ptr|memref=out sid:i64 n_burst:i64 len_burst:i64 left_padding_count:i64 "
    "right_padding_count:i64 data_select_bit:i1 l2_cache_ctl:i64 gm_stride:i64 ub_stride:i64";
constexpr std::string_view kCopyUbufToGmOperands =
    "source:ptr|memref destination:ptr|memref=out sid:i64 n_burst:i64 len_burst:i64 reserved:i64 "
    "burst_dst_stride:i64 burst_src_stride:i64";
constexpr std::string_view kCopyGmToCbufMultiNd2nzOperands =
    "source:ptr destination:ptr=out sid:i64 loop1_src_stride:i64 l2_cache_ctrl:i64 n_value:i64 d_value:i64 "
    "loop4_src_stride:i64 smallc0_en:i1";

// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view attrs, std::string_view syntax,
                     std::string_view a2a3, std::string_view rules, std::string_view pipe, std::string_view cost, uint32_t
                     flags, std::string_view doc) {
  return {name, Layer::dma, operands, "", attrs, syntax, a2a3, "", rules, pipe, cost, flags, doc};
}

constexpr Row kRows[] = {
    //     name                               operands                                                                                          attrs                       syntax              a2a3 rules                                                                                                                                                             pipe    cost                               flags                     doc
    row_of("pto.mte_gm_ub",                   kMteGmUbOperands,                                                                                 "",                         kMteGmUbSyntax,     "",  "gm:source ub:destination exempt:pad_value pad_counts same_width pad_type:pad_value",                                                                             "MTE2", "dma.mte_gm_ub",                   kNoVecScope,              "bursts of bytes GM to UB, nested loops, optional padding"),
    row_of("pto.mte_ub_gm",                   kMteUbGmOperands,                                                                                 "",                         kMteUbGmSyntax,     "",  "ub:source gm:destination same_width",                                                                                                                            "MTE3", "dma.mte_ub_gm",                   kNoVecScope,              "bursts of bytes UB to GM, nested loops"),
    row_of("pto.mte_gm_l1",                   kMteUbGmOperands,                                                                                 "",                         kMteUbGmSyntax,     "",  "gm:source l1:destination same_width",                                                                                                                            "MTE2", "dma.mte_gm_l1",                   kNoVecScope,              "bursts of bytes GM to L1, nested loops"),
    row_of("pto.mte_l1_ub",                   kMteUbGmOperands,                                                                                 "",                         kMteUbGmSyntax,     "-", "l1:source ub:destination same_width",                                                                                                                            "MTE1", "dma.mte_l1_ub",                   kNoVecScope,              "bursts of bytes L1 to UB, nested loops"),
    row_of("pto.mte_ub_l1",                   "source:ptr destination:ptr=out n_burst:i64 len_burst:i64 src_stride:i64 dst_stride:i64",         "",                         kMteUbL1Syntax,     "-", "ub:source l1:destination",                                                                                                                                       "MTE3", "dma.mte_ub_l1",                   kNoVecScope,              "bursts of 32-byte blocks UB to L1"),
    row_of("pto.mte_ub_ub",                   "source:ptr destination:ptr=out n_burst:i64 len_burst:i64 src_stride:i64 dst_stride:i64",         "",                         kMteUbL1Syntax,     "",  "ub:source ub:destination",                                                                                                                                       "V",    "dma.mte_ub_ub",                   kNoVecScope,              "bursts of 32-byte blocks within UB"),
    row_of("pto.mte_gm_l1_frac",              kMteGmL1FracOperands,                                                                             "mode:cube_load_frac_mode", kMteGmL1FracSyntax, "",  "gm:source l1:destination same_width not_negative:group_count,src_inner_stride,dst_loop2_stride,dst_loop3_stride,dst_loop4_stride,src_outer_stride fractal_load", "MTE2", "dma.mte_gm_l1_frac",              kNoVecScope,              "GM matrix to L1 fractals"),
    row_of("pto.copy_gm_to_ubuf",             kCopyGmToUbufOperands,                                                                            "",                         "list",             "",  "gm:source ub:destination same_width",                                                                                                                            "MTE2", "dma.copy_gm_to_ubuf",             kNoVecScope,              "raw GM to UB copy under the loop registers"),
    row_of("pto.copy_ubuf_to_gm",             kCopyUbufToGmOperands,                                                                            "",                         "list",             "",  "ub:source gm:destination same_width",                                                                                                                            "MTE3", "dma.copy_ubuf_to_gm",             kNoVecScope,              "raw UB to GM copy under the loop registers"),
    row_of("pto.copy_ubuf_to_ubuf",           "source:ptr destination:ptr=out sid:i64 n_burst:i64 len_burst:i64 src_stride:i64 dst_stride:i64", "",                         "list",             "",  "ub:source ub:destination",                                                                                                                                       "V",    "dma.copy_ubuf_to_ubuf",           kNoVecScope,              "raw UB to UB copy of 32-byte blocks"),
    row_of("pto.copy_ubuf_to_cbuf",           "source:ptr destination:ptr=out sid:i64 n_burst:i64 len_burst:i64 src_stride:i64 dst_stride:i64", "",                         "list",             "-", "ub:source l1:destination",                                                                                                                                       "MTE3", "dma.copy_ubuf_to_cbuf",           kNoVecScope,              "raw UB to L1 copy of 32-byte blocks"),
    row_of("pto.copy_cbuf_to_ubuf",           "source:ptr destination:ptr=out sid:i64 n_burst:i64 len_burst:i64 src_stride:i64 dst_stride:i64", "",                         "list",             "-", "l1:source ub:destination same_width",                                                                                                                            "MTE1", "dma.copy_cbuf_to_ubuf",           kNoVecScope,              "raw L1 to UB copy of 32-byte blocks"),
    row_of("pto.copy_gm_to_cbuf",             "source:ptr destination:ptr=out n_burst:i64 len_burst:i64 src_stride:i64 dst_stride:i64",         "",                         "list",             "",  "gm:source l1:destination",                                                                                                                                       "MTE2", "dma.copy_gm_to_cbuf",             kNoVecScope,              "raw GM to L1 copy"),
    row_of("pto.copy_gm_to_cbuf_multi_nd2nz", kCopyGmToCbufMultiNd2nzOperands,                                                                  "",                         "list",             "",  "gm:source l1:destination",                                                                                                                                       "MTE2", "dma.copy_gm_to_cbuf_multi_nd2nz", kNoVecScope,              "raw GM to L1 copy into fractals"),
    row_of("pto.copy_gm_to_cbuf_multi_dn2nz", kCopyGmToCbufMultiNd2nzOperands,                                                                  "",                         "list",             "",  "gm:source l1:destination",                                                                                                                                       "MTE2", "dma.copy_gm_to_cbuf_multi_dn2nz", kNoVecScope,              "raw GM to L1 copy into fractals"),
    row_of("pto.dma_load",                    "",                                                                                               "",                         "pto.mte_gm_ub",    "",  "",                                                                                                                                                               "none", "",                                kAlias | kNotExecuted,    "older spelling of pto.mte_gm_ub"),
    row_of("pto.dma_store",                   "",                                                                                               "",                         "pto.mte_ub_gm",    "",  "",                                                                                                                                                               "none", "",                                kAlias | kNotExecuted,    "older spelling of pto.mte_ub_gm"),
    row_of("pto.dma_copy",                    "",                                                                                               "",                         "pto.mte_ub_ub",    "",  "",                                                                                                                                                               "none", "",                                kAlias | kNotExecuted,    "older spelling of pto.mte_ub_ub"),
    row_of("pto.set_loop_size_outtoub",       "first:i64 second:i64",                                                                           "",                         "list",             "",  "",                                                                                                                                                               "S",    "scalar",                          kNoVecScope | kModeWrite, "counts of the two GM to UB loops"),
    row_of("pto.set_loop1_stride_outtoub",    "first:i64 second:i64",                                                                           "",                         "list",             "",  "",                                                                                                                                                               "S",    "scalar",                          kNoVecScope | kModeWrite, "strides of the inner GM to UB loop"),
    row_of("pto.set_loop2_stride_outtoub",    "first:i64 second:i64",                                                                           "",                         "list",             "",  "",                                                                                                                                                               "S",    "scalar",                          kNoVecScope | kModeWrite, "strides of the outer GM to UB loop"),
    row_of("pto.set_loop_size_ubtoout",       "first:i64 second:i64",                                                                           "",                         "list",             "",  "",                                                                                                                                                               "S",    "scalar",                          kNoVecScope | kModeWrite, "counts of the two UB to GM loops"),
    row_of("pto.set_loop1_stride_ubtoout",    "first:i64 second:i64",                                                                           "",                         "list",             "",  "",                                                                                                                                                               "S",    "scalar",                          kNoVecScope | kModeWrite, "strides of the inner UB to GM loop"),
    row_of("pto.set_loop2_stride_ubtoout",    "first:i64 second:i64",                                                                           "",                         "list",             "",  "",                                                                                                                                                               "S",    "scalar",                          kNoVecScope | kModeWrite, "strides of the outer UB to GM loop"),
    row_of("pto.set_loop_size_outtol1",       "value:i64",                                                                                      "",                         "list",             "",  "",                                                                                                                                                               "S",    "scalar",                          kNoVecScope | kModeWrite, "counts of the two GM to L1 loops"),
    row_of("pto.set_loop1_stride_outtol1",    "value:i64",                                                                                      "",                         "list",             "",  "",                                                                                                                                                               "S",    "scalar",                          kNoVecScope | kModeWrite, "strides of the inner GM to L1 loop"),
    row_of("pto.set_loop2_stride_outtol1",    "value:i64",                                                                                      "",                         "list",             "",  "",                                                                                                                                                               "S",    "scalar",                          kNoVecScope | kModeWrite, "strides of the outer GM to L1 loop"),
    row_of("pto.set_mov_pad_val",             "value:scalar",                                                                                   "",                         "list",             "",  "pad_type:value",                                                                                                                                                 "S",    "scalar",                          kNoVecScope | kModeWrite, "pad element of GM to UB copies"),
    row_of("pto.set_pad_val_outtol1",         "value:i64",                                                                                      "",                         "list",             "",  "",                                                                                                                                                               "S",    "scalar",                          kNoVecScope | kModeWrite, "pad element of GM to L1 copies"),
    row_of("pto.set_mte2_nz_para",            "value:i64",                                                                                      "",                         "list",             "",  "",                                                                                                                                                               "S",    "scalar",                          kNoVecScope | kModeWrite, "group count and strides of fractal loads"),
};
// clang-format on

}  // namespace

std::span<const Row> dma_rows() { return kRows; }

}  // namespace pto::isa
