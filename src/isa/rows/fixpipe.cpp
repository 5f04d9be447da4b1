// Fixpipe: accumulator to GM, L1 and UB; its parameters.
// Columns: see src/isa/row.hpp.
#include <algorithm>
#include <array>

#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr std::string_view kMteL0cL1Operands =
    "source:ptr|memref destination:ptr|memref=out m:i64 n:i64 src_stride:i64 dst_stride:i64 "
    "pre_quant:float|ptr? pre_relu:float|ptr? clip_value:scalar? split:i64? loop0_src_stride:i64? "
    "loop3_count:i64? loop3_src_stride:i64? loop3_dst_stride:i64?";
constexpr std::string_view kMteL0cL1Attrs =
    "mode:acc_store_mode? unit_flag:acc_store_unit_flag? pre_quant_mode:acc_store_quant_pre_mode? "
    "pre_relu_mode:relu_pre_mode? atomic_type:acc_store_atomic_type? atomic_op:acc_store_atomic_op? "
    "sat_mode:acc_store_sat_mode?";
constexpr std::string_view kMteL0cGmOperands =
    "source:ptr|memref destination:ptr|memref=out m:i64 n:i64 src_stride:i64 dst_stride:i64 "
    "pre_quant:float|ptr? pre_relu:float|ptr? clip_value:scalar? sid:i64 l2_cache_ctrl:i64 split:i64? "
    "loop0_src_stride:i64? loop3_count:i64? loop3_src_stride:i64? loop3_dst_stride:i64?";
constexpr std::string_view kMteL0cUbOperands =
    "source:ptr|memref destination:ptr|memref=out m:i64 n:i64 src_stride:i64 dst_stride:i64 "
    "pre_quant:float|ptr? pre_relu:float|ptr? clip_value:scalar? sub_blockid:i64? split:i64? "
    "loop0_src_stride:i64? loop3_count:i64? loop3_src_stride:i64? loop3_dst_stride:i64?";
constexpr std::string_view kMteL0cUbAttrs =
    "dst_mode:acc_store_ub_dst_mode mode:acc_store_mode? unit_flag:acc_store_unit_flag? "
    "pre_quant_mode:acc_store_quant_pre_mode? pre_relu_mode:relu_pre_mode? sat_mode:acc_store_sat_mode?";

// Operands, clauses and types of the accumulator moves; the GM form has two more operands, the UB form says
// which halves of the vector cores get what.
constexpr std::string_view kOperands = "$source, $destination, $m, $n, $src_stride, $dst_stride";
constexpr std::string_view kGmOperands = ", $sid, $l2_cache_ctrl";
constexpr std::string_view kClauses = " (";
constexpr std::string_view kUbClauses = " (, dst_mode(($sub_blockid $dst_mode=single | $dst_mode)) | ";
constexpr std::string_view kCommonClauses =
    ", unit_flag($unit_flag) | "
    ", pre_quant($pre_quant, mode = $pre_quant_mode) | "
    ", pre_relu(($pre_relu,)? mode = $pre_relu_mode (, clip = $clip_value)?) | "
    ", (nz2nd $mode=nz2nd | nz2dn $mode=nz2dn (($loop0_src_stride))? | nz2nz $mode=nz2nz (($split))?) | "
    ", loop3($loop3_count, $loop3_src_stride, $loop3_dst_stride) | "
    ", (sat(preserve_nan) $sat_mode=sat_preserve_nan | sat preserve_nan $sat_mode=sat_preserve_nan | "
    "sat $sat_mode=sat | nosat $sat_mode=nosat)";
constexpr std::string_view kAtomicClause =
    " | , atomic((type = $atomic_type, op = $atomic_op | $atomic_op, $atomic_type))";
constexpr std::string_view kTypes =
    ")* {attrs} : type($source), type($destination), type($m), type($n), type($src_stride), "
    "type($dst_stride)";
constexpr std::string_view kGmTypes = ", type($sid), type($l2_cache_ctrl)";
constexpr std::string_view kUbTypes = " (, type($sub_blockid))?";
constexpr std::string_view kCommonTypes =
    " (, type($pre_quant))? (, type($pre_relu))? (, type($clip_value))? (, type($split))? "
    "(, type($loop0_src_stride))? (, type($loop3_count), type($loop3_src_stride), type($loop3_dst_stride))?";

/// Several strings as one.
template <const std::string_view&... parts>
constexpr auto kCharacters = [] {
  std::array<char, (parts.size() + ...)> all{};
  auto at = all.begin();
  ((at = std::copy(parts.begin(), parts.end(), at)), ...);
  return all;
}();
template <const std::string_view&... parts>
constexpr std::string_view kJoined{kCharacters<parts...>.data(), kCharacters<parts...>.size()};

constexpr Row kShared = {
    .syntax = "list", .pipe = "S", .cost = "scalar", .scope = Scope::outside, .layer = Layer::cube};

constexpr Row setting(Row own) { return inherit({.operands = "value:i64", .flags = kModeWrite}, own); }
constexpr Row mode(Row own) { return inherit({.flags = kModeWrite}, own); }

constexpr Row kRows[] = {
    {.name = "pto.mte_l0c_l1",
     .doc = "accumulator to L1 with conversion and layout",
     .operands = kMteL0cL1Operands,
     .attrs = kMteL0cL1Attrs,
     .syntax = kJoined<kOperands, kClauses, kCommonClauses, kAtomicClause, kTypes, kCommonTypes>,
     .rules =
         "exempt:pre_quant,pre_relu,clip_value l0c:source l1:destination fixpipe unit_flag:unit_flag,source",
     .pipe = "FIX",
     .cost = "cube.mte_l0c_l1"},
    {.name = "pto.mte_l0c_gm",
     .doc = "accumulator to GM with conversion and layout",
     .operands = kMteL0cGmOperands,
     .attrs = kMteL0cL1Attrs,
     .syntax = kJoined<kOperands, kGmOperands, kClauses, kCommonClauses, kAtomicClause, kTypes, kGmTypes,
                       kCommonTypes>,
     .rules = "exempt:pre_quant,pre_relu,clip_value l0c:source gm:destination fixpipe:atomic "
              "unit_flag:unit_flag,source",
     .pipe = "FIX",
     .cost = "cube.mte_l0c_gm"},
    {.name = "pto.mte_l0c_ub",
     .doc = "accumulator to the UB of a vector core",
     .operands = kMteL0cUbOperands,
     .attrs = kMteL0cUbAttrs,
     .syntax = kJoined<kOperands, kUbClauses, kCommonClauses, kTypes, kUbTypes, kCommonTypes>,
     .types = {.a2a3 = "-"},
     .rules =
         "exempt:pre_quant,pre_relu,clip_value l0c:source ub:destination fixpipe unit_flag:unit_flag,source",
     .pipe = "FIX",
     .cost = "cube.mte_l0c_ub"},
    {.name = "pto.copy_matrix_cc_to_gm",
     .doc = "raw accumulator to GM copy",
     .operands = "source:ptr destination:ptr=out xm:i64 xt:i64",
     .rules = "l0c:source",
     .pipe = "FIX",
     .cost = "cube.copy_matrix_cc_to_gm"},
    {.name = "pto.copy_matrix_cc_to_cbuf",
     .doc = "raw accumulator to L1 copy",
     .operands = "source:ptr destination:ptr=out config0:i64 config1:i64",
     .rules = "l0c:source",
     .pipe = "FIX",
     .cost = "cube.copy_matrix_cc_to_cbuf"},
    {.name = "pto.copy_matrix_cc_to_ub",
     .doc = "raw accumulator to UB copy",
     .operands = "source:ptr destination:ptr=out config0:i64 config1:i64",
     .types = {.a2a3 = "-"},
     .rules = "l0c:source",
     .pipe = "FIX",
     .cost = "cube.copy_matrix_cc_to_ub"},
    setting({.name = "pto.set_loop3_para",
             .doc = "outer loop of accumulator copies",
             .operands = "first:i64 second:i64"}),
    setting({.name = "pto.set_channel_para",
             .doc = "source stride of accumulator copies",
             .operands = "first:i64 second:i64"}),
    setting({.name = "pto.set_quant_pre", .doc = "scalar quantisation multiplier"}),
    setting({.name = "pto.set_relu_alpha", .doc = "slope of the scalar relu"}),
    setting({.name = "pto.set_fix_clip_relu", .doc = "upper bound of the clipped relu"}),
    setting({.name = "pto.set_fpc", .doc = "addresses of the vector parameters"}),
    mode({.name = "pto.set_atomic_s32", .doc = "GM stores add 32-bit integers"}),
    mode({.name = "pto.set_atomic_s8", .doc = "GM stores add 8-bit integers"}),
    mode({.name = "pto.set_atomic_s16", .doc = "GM stores add 16-bit integers"}),
    mode({.name = "pto.set_atomic_f16", .doc = "GM stores combine f16"}),
    mode({.name = "pto.set_atomic_bf16", .doc = "GM stores combine bf16"}),
    mode({.name = "pto.set_atomic_f32", .doc = "GM stores combine f32"}),
    mode({.name = "pto.set_atomic_add", .doc = "GM stores add"}),
    mode({.name = "pto.set_atomic_max", .doc = "GM stores take the greater"}),
    mode({.name = "pto.set_atomic_min", .doc = "GM stores take the lesser"}),
    mode({.name = "pto.set_atomic_none", .doc = "GM stores overwrite"}),
    {.name = "pto.set_store_atomic_cfg",
     .doc = "how GM stores combine",
     .operands = "value:i64",
     .flags = kModeWrite | kNotExecuted},
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows fixpipe_rows() { return complete<kTable>(); }

}  // namespace pto::isa
