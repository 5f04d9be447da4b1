// Data movement between GM, L1 and UB.
// Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr std::string_view kMteGmUbOperands =
    "source:ptr|memref destination:ptr|memref=out l2_cache_ctl:i64 len_burst:i64 n_burst:i64 "
    "nburst_src_stride:i64 nburst_dst_stride:i64 loop_counts:i64* loop_src_strides:i64* "
    "loop_dst_strides:i64* pad_value:scalar? left_padding_count:i64? right_padding_count:i64?";
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
    "(loop($loop_counts, $loop_src_strides, $loop_dst_strides))* {attrs} : type($source), "
    "type($destination), type($len_burst), type($n_burst), type($nburst_src_stride), "
    "type($nburst_dst_stride) (, loop type($loop_counts), type($loop_src_strides), type($loop_dst_strides))*";
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
    "dst_group type($group_count), type($dst_loop2_stride), type($dst_loop3_stride), "
    "type($dst_loop4_stride), ctrl type($l2_cache_ctrl), type($smallc0_en)";
constexpr std::string_view kCopyGmToUbufOperands =
    "source:ptr|memref destination:ptr|memref=out sid:i64 n_burst:i64 len_burst:i64 left_padding_count:i64 "
    "right_padding_count:i64 data_select_bit:i1 l2_cache_ctl:i64 gm_stride:i64 ub_stride:i64";
constexpr std::string_view kCopyGmToCbufMultiNd2nzOperands =
    "source:ptr destination:ptr=out sid:i64 loop1_src_stride:i64 l2_cache_ctrl:i64 n_value:i64 d_value:i64 "
    "loop4_src_stride:i64 smallc0_en:i1";
constexpr std::string_view kBlocksOperands =
    "source:ptr destination:ptr=out n_burst:i64 len_burst:i64 src_stride:i64 dst_stride:i64";
constexpr std::string_view kSidBlocksOperands =
    "source:ptr destination:ptr=out sid:i64 n_burst:i64 len_burst:i64 src_stride:i64 dst_stride:i64";

constexpr Row kShared = {.syntax = "list", .pipe = "S", .scope = Scope::outside, .layer = Layer::dma};

constexpr Row setting(Row own) {
  return inherit({.operands = "value:i64", .cost = "scalar", .flags = kModeWrite}, own);
}

constexpr Row kRows[] = {
    {.name = "pto.mte_gm_ub",
     .doc = "bursts of bytes GM to UB, nested loops, optional padding",
     .operands = kMteGmUbOperands,
     .syntax = kMteGmUbSyntax,
     .rules = "gm:source ub:destination blocks:destination exempt:pad_value pad_counts same_width "
              "pad_type:pad_value",
     .pipe = "MTE2"},
    {.name = "pto.mte_ub_gm",
     .doc = "bursts of bytes UB to GM, nested loops",
     .operands = kMteUbGmOperands,
     .syntax = kMteUbGmSyntax,
     .rules = "ub:source gm:destination blocks:source same_width",
     .pipe = "MTE3"},
    {.name = "pto.mte_ub_gm",
     .doc = "bursts of bytes UB to GM with a cache hint, nested loops",
     .operands =
         "source:ptr|memref destination:ptr|memref=out len_burst:i64 n_burst:i64 nburst_src_stride:i64 "
         "nburst_dst_stride:i64 loop_counts:i64* loop_src_strides:i64* loop_dst_strides:i64* "
         "l2_cache_ctl:i64",
     .syntax =
         "$source, $destination, $len_burst nburst($n_burst, $nburst_src_stride, $nburst_dst_stride) "
         "l2_cache_ctl($l2_cache_ctl) (loop($loop_counts, $loop_src_strides, $loop_dst_strides))* {attrs} : "
         "type($source), type($destination), type($len_burst), type($n_burst), type($nburst_src_stride), "
         "type($nburst_dst_stride), type($l2_cache_ctl) (, loop type($loop_counts), type($loop_src_strides), "
         "type($loop_dst_strides))*",
     .rules = "ub:source gm:destination blocks:source same_width l2_cache",
     .pipe = "MTE3"},
    {.name = "pto.mte_gm_l1",
     .doc = "bursts of bytes GM to L1, nested loops",
     .operands = kMteUbGmOperands,
     .syntax = kMteUbGmSyntax,
     .rules = "gm:source l1:destination blocks:destination same_width",
     .pipe = "MTE2"},
    {.name = "pto.mte_l1_ub",
     .doc = "bursts of bytes L1 to UB, nested loops",
     .operands = kMteUbGmOperands,
     .syntax = kMteUbGmSyntax,
     .types = {.a2a3 = "-"},
     .rules = "l1:source ub:destination blocks:source,destination same_width",
     .pipe = "MTE1"},
    {.name = "pto.mte_ub_l1",
     .doc = "bursts of 32-byte blocks UB to L1",
     .operands = kBlocksOperands,
     .syntax = kMteUbL1Syntax,
     .types = {.a2a3 = "-"},
     .rules = "ub:source l1:destination blocks:source,destination",
     .pipe = "MTE3"},
    {.name = "pto.mte_ub_ub",
     .doc = "bursts of 32-byte blocks within UB",
     .operands = kBlocksOperands,
     .syntax = kMteUbL1Syntax,
     .rules = "ub:source ub:destination blocks:source,destination",
     .pipe = "V"},
    {.name = "pto.mte_gm_l1_frac",
     .doc = "GM matrix to L1 fractals",
     .operands = kMteGmL1FracOperands,
     .attrs = "mode:cube_load_frac_mode",
     .syntax = kMteGmL1FracSyntax,
     .rules = "gm:source l1:destination blocks:destination same_width "
              "not_negative:group_count,src_inner_stride,dst_loop2_stride,dst_loop3_stride,dst_loop4_stride,"
              "src_outer_stride fractal_load",
     .pipe = "MTE2"},
    {.name = "pto.copy_gm_to_ubuf",
     .doc = "raw GM to UB copy under the loop registers",
     .operands = kCopyGmToUbufOperands,
     .rules = "gm:source ub:destination blocks:destination same_width",
     .pipe = "MTE2"},
    {.name = "pto.copy_ubuf_to_gm",
     .doc = "raw UB to GM copy under the loop registers",
     .operands = "source:ptr|memref destination:ptr|memref=out sid:i64 n_burst:i64 len_burst:i64 "
                 "reserved:i64 burst_dst_stride:i64 burst_src_stride:i64",
     .rules = "ub:source gm:destination blocks:source same_width",
     .pipe = "MTE3"},
    {.name = "pto.copy_ubuf_to_ubuf",
     .doc = "raw UB to UB copy of 32-byte blocks",
     .operands = kSidBlocksOperands,
     .rules = "ub:source ub:destination blocks:source,destination",
     .pipe = "V"},
    {.name = "pto.copy_ubuf_to_cbuf",
     .doc = "raw UB to L1 copy of 32-byte blocks",
     .operands = kSidBlocksOperands,
     .types = {.a2a3 = "-"},
     .rules = "ub:source l1:destination blocks:source,destination",
     .pipe = "MTE3"},
    {.name = "pto.copy_cbuf_to_ubuf",
     .doc = "raw L1 to UB copy of 32-byte blocks",
     .operands = kSidBlocksOperands,
     .types = {.a2a3 = "-"},
     .rules = "l1:source ub:destination blocks:source,destination same_width",
     .pipe = "MTE1"},
    {.name = "pto.copy_gm_to_cbuf",
     .doc = "raw GM to L1 copy",
     .operands = kBlocksOperands,
     .rules = "gm:source l1:destination blocks:destination",
     .pipe = "MTE2"},
    {.name = "pto.copy_gm_to_cbuf_multi_nd2nz",
     .doc = "raw GM to L1 copy into fractals",
     .operands = kCopyGmToCbufMultiNd2nzOperands,
     .rules = "gm:source l1:destination blocks:destination",
     .pipe = "MTE2"},
    {.name = "pto.copy_gm_to_cbuf_multi_dn2nz",
     .doc = "raw GM to L1 copy into fractals",
     .operands = kCopyGmToCbufMultiNd2nzOperands,
     .rules = "gm:source l1:destination blocks:destination",
     .pipe = "MTE2"},
    {.name = "pto.dma_load",
     .doc = "older spelling of pto.mte_gm_ub",
     .syntax = "pto.mte_gm_ub",
     .pipe = "none",
     .scope = Scope::either,
     .flags = kAlias | kNotExecuted},
    {.name = "pto.dma_store",
     .doc = "older spelling of pto.mte_ub_gm",
     .syntax = "pto.mte_ub_gm",
     .pipe = "none",
     .scope = Scope::either,
     .flags = kAlias | kNotExecuted},
    {.name = "pto.dma_copy",
     .doc = "older spelling of pto.mte_ub_ub",
     .syntax = "pto.mte_ub_ub",
     .pipe = "none",
     .scope = Scope::either,
     .flags = kAlias | kNotExecuted},
    setting({.name = "pto.set_loop_size_outtoub",
             .doc = "counts of the two GM to UB loops",
             .operands = "first:i64 second:i64"}),
    setting({.name = "pto.set_loop1_stride_outtoub",
             .doc = "strides of the inner GM to UB loop",
             .operands = "first:i64 second:i64"}),
    setting({.name = "pto.set_loop2_stride_outtoub",
             .doc = "strides of the outer GM to UB loop",
             .operands = "first:i64 second:i64"}),
    setting({.name = "pto.set_loop_size_ubtoout",
             .doc = "counts of the two UB to GM loops",
             .operands = "first:i64 second:i64"}),
    setting({.name = "pto.set_loop1_stride_ubtoout",
             .doc = "strides of the inner UB to GM loop",
             .operands = "first:i64 second:i64"}),
    setting({.name = "pto.set_loop2_stride_ubtoout",
             .doc = "strides of the outer UB to GM loop",
             .operands = "first:i64 second:i64"}),
    setting({.name = "pto.set_loop_size_outtol1", .doc = "counts of the two GM to L1 loops"}),
    setting({.name = "pto.set_loop1_stride_outtol1", .doc = "strides of the inner GM to L1 loop"}),
    setting({.name = "pto.set_loop2_stride_outtol1", .doc = "strides of the outer GM to L1 loop"}),
    setting({.name = "pto.set_mov_pad_val",
             .doc = "pad element of GM to UB copies",
             .operands = "value:scalar",
             .rules = "pad_type:value"}),
    setting({.name = "pto.set_pad_val_outtol1", .doc = "pad element of GM to L1 copies"}),
    setting({.name = "pto.set_mte2_nz_para", .doc = "group count and strides of fractal loads"}),
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows dma_rows() { return complete<kTable>(); }

}  // namespace pto::isa
