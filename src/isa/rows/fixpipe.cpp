// Fixpipe: accumulator to GM, L1 and UB; its parameters.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
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

// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view attrs, std::string_view syntax,
                     std::string_view a2a3, std::string_view rules, std::string_view pipe, std::string_view cost, uint32_t
                     flags, std::string_view doc) {
  return {name, Layer::cube, operands, "", attrs, syntax, a2a3, "", rules, pipe, cost, flags, doc};
}

constexpr Row kRows[] = {
    //     name                          operands                                                  attrs           syntax             a2a3  rules                                                                     pipe   cost                           flags                     doc
    row_of("pto.mte_l0c_l1",             kMteL0cL1Operands,                                        kMteL0cL1Attrs, "@custom:mte_l0c", "",   "exempt:pre_quant,pre_relu,clip_value l0c:source l1:destination fixpipe", "FIX", "cube.mte_l0c_l1",             kNoVecScope,              "accumulator to L1 with conversion and layout"),
    row_of("pto.mte_l0c_gm",             kMteL0cGmOperands,                                        kMteL0cL1Attrs, "@custom:mte_l0c", "",   "exempt:pre_quant,pre_relu,clip_value l0c:source gm:destination fixpipe", "FIX", "cube.mte_l0c_gm",             kNoVecScope,              "accumulator to GM with conversion and layout"),
    row_of("pto.mte_l0c_ub",             kMteL0cUbOperands,                                        kMteL0cUbAttrs, "@custom:mte_l0c", "-",  "exempt:pre_quant,pre_relu,clip_value l0c:source ub:destination fixpipe", "FIX", "cube.mte_l0c_ub",             kNoVecScope,              "accumulator to the UB of a vector core"),
    row_of("pto.copy_matrix_cc_to_gm",   "source:ptr destination:ptr=out xm:i64 xt:i64",           "",             "list",            "",   "l0c:source",                                                             "FIX", "cube.copy_matrix_cc_to_gm",   kNoVecScope,              "raw accumulator to GM copy"),
    row_of("pto.copy_matrix_cc_to_cbuf", "source:ptr destination:ptr=out config0:i64 config1:i64", "",             "list",            "",   "l0c:source",                                                             "FIX", "cube.copy_matrix_cc_to_cbuf", kNoVecScope,              "raw accumulator to L1 copy"),
    row_of("pto.copy_matrix_cc_to_ub",   "source:ptr destination:ptr=out config0:i64 config1:i64", "",             "list",            "-",  "l0c:source",                                                             "FIX", "cube.copy_matrix_cc_to_ub",   kNoVecScope,              "raw accumulator to UB copy"),
    row_of("pto.set_loop3_para",         "first:i64 second:i64",                                   "",             "list",            "",   "",                                                                       "S",   "scalar",                      kNoVecScope | kModeWrite, "outer loop of accumulator copies"),
    row_of("pto.set_channel_para",       "first:i64 second:i64",                                   "",             "list",            "",   "",                                                                       "S",   "scalar",                      kNoVecScope | kModeWrite, "source stride of accumulator copies"),
    row_of("pto.set_quant_pre",          "value:i64",                                              "",             "list",            "",   "",                                                                       "S",   "scalar",                      kNoVecScope | kModeWrite, "scalar quantisation multiplier"),
    row_of("pto.set_relu_alpha",         "value:i64",                                              "",             "list",            "",   "",                                                                       "S",   "scalar",                      kNoVecScope | kModeWrite, "slope of the scalar relu"),
    row_of("pto.set_fix_clip_relu",      "value:i64",                                              "",             "list",            "",   "",                                                                       "S",   "scalar",                      kNoVecScope | kModeWrite, "upper bound of the clipped relu"),
    row_of("pto.set_fpc",                "value:i64",                                              "",             "list",            "",   "",                                                                       "S",   "scalar",                      kNoVecScope | kModeWrite, "addresses of the vector parameters"),
    row_of("pto.set_atomic_s32",         "",                                                       "",             "list",            "",   "",                                                                       "S",   "scalar",                      kNoVecScope | kModeWrite, "GM stores add 32-bit integers"),
    row_of("pto.set_atomic_s8",          "",                                                       "",             "list",            "",   "",                                                                       "S",   "scalar",                      kNoVecScope | kModeWrite, "GM stores add 8-bit integers"),
};
// clang-format on

}  // namespace

std::span<const Row> fixpipe_rows() { return kRows; }

}  // namespace pto::isa
