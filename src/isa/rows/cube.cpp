// Cube: operand staging and multiply-add.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
constexpr std::string_view kMteL1BtSyntax =
    "$source, $destination, $len_burst nburst($n_burst, $nburst_src_gap, $nburst_dst_gap) {attrs} : "
    "type($source), type($destination), type($len_burst), type($n_burst), type($nburst_src_gap), "
    "type($nburst_dst_gap)";
constexpr std::string_view kBiasElements =
    "source:f32,destination:f32 source:i32,destination:i32 source:f16,destination:f32 source:bf16,destination:f32";
constexpr std::string_view kMadSyntax =
    "$lhs, $rhs, $dst, $m, $n, $k (unit_flag($unit_flag_mode))? ($disable_gemv)? ($sat_mode)? "
    "(tf32_mode($tf32_mode))? ($n_dir)? {attrs} : type($lhs), type($rhs), type($dst), type($m), type($n), "
    "type($k)";
constexpr std::string_view kMadA2a3 =
    "lhs:s8,rhs:s8,dst:i32 lhs:f16,rhs:f16,dst:f32 lhs:bf16,rhs:bf16,dst:f32 lhs:f32,rhs:f32,dst:f32";
constexpr std::string_view kMadA5 =
    "lhs:s8,rhs:s8,dst:i32 lhs:f16,rhs:f16,dst:f32 lhs:bf16,rhs:bf16,dst:f32 lhs:f32,rhs:f32,dst:f32 "
    "lhs:f8e4m3|f8e5m2,rhs:f8e4m3|f8e5m2,dst:f32 lhs:hif8,rhs:hif8,dst:f32";
constexpr std::string_view kMadBiasSyntax =
    "$lhs, $rhs, $dst, $bias, $m, $n, $k (unit_flag($unit_flag_mode))? ($disable_gemv)? ($sat_mode)? "
    "(tf32_mode($tf32_mode))? ($n_dir)? {attrs} : type($lhs), type($rhs), type($dst), type($bias), type($m), "
    "type($n), type($k)";
constexpr std::string_view kMadBiasA2a3 =
    "lhs:s8,rhs:s8,dst:i32,bias:i32 lhs:f16,rhs:f16,dst:f32,bias:f32 lhs:bf16,rhs:bf16,dst:f32,bias:f32 "
    "lhs:f32,rhs:f32,dst:f32,bias:f32";
constexpr std::string_view kMadBiasA5 =
    "lhs:s8,rhs:s8,dst:i32,bias:i32 lhs:f16,rhs:f16,dst:f32,bias:f32 lhs:bf16,rhs:bf16,dst:f32,bias:f32 "
    "lhs:f32,rhs:f32,dst:f32,bias:f32 lhs:f8e4m3|f8e5m2,rhs:f8e4m3|f8e5m2,dst:f32,bias:f32 "
    "lhs:hif8,rhs:hif8,dst:f32,bias:f32";
constexpr std::string_view kMadMxSyntax =
    "$lhs, $rhs, $dst, $m, $n, $k (unit_flag($unit_flag_mode))? ($disable_gemv)? ($sat_mode)? ($n_dir)? "
    "{attrs} : type($lhs), type($rhs), type($dst), type($m), type($n), type($k)";
constexpr std::string_view kMadMxA5 =
    "lhs:f8e4m3|f8e5m2,rhs:f8e4m3|f8e5m2,dst:f32 lhs:f4e1m2x2|f4e2m1x2,rhs:f4e1m2x2|f4e2m1x2,dst:f32";
constexpr std::string_view kMadMxBiasSyntax =
    "$lhs, $rhs, $dst, $bias, $m, $n, $k (unit_flag($unit_flag_mode))? ($disable_gemv)? ($sat_mode)? "
    "($n_dir)? {attrs} : type($lhs), type($rhs), type($dst), type($bias), type($m), type($n), type($k)";
constexpr std::string_view kMadMxBiasA5 =
    "lhs:f8e4m3|f8e5m2,rhs:f8e4m3|f8e5m2,dst:f32,bias:f32 "
    "lhs:f4e1m2x2|f4e2m1x2,rhs:f4e1m2x2|f4e2m1x2,dst:f32,bias:f32";

// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view attrs, std::string_view syntax,
                     std::string_view a2a3, std::string_view a5, std::string_view rules, std::string_view pipe,
                     std::string_view cost, uint32_t flags, std::string_view doc) {
  return {name, Layer::cube, operands, "", attrs, syntax, a2a3, a5, rules, pipe, cost, flags, doc};
}

constexpr Row kRows[] = {
    //     name                      operands                                                                                                                        attrs                                                                                                          syntax            a2a3           a5             rules                                                         pipe    cost                       flags                       doc
    row_of("pto.mte_l1_l0a",         "source:ptr|memref destination:ptr|memref=out m:i64 k:i64 start_row:i64 start_col:i64",                                         "transpose:bool=false",                                                                                        "list",           "",            "",            "l1:source l0a:destination start same_width",                 "MTE1", "cube.mte_l1_l0a",         kNoVecScope,                "L1 fractals to L0A"),
    row_of("pto.mte_l1_l0b",         "source:ptr|memref destination:ptr|memref=out k:i64 n:i64 start_row:i64 start_col:i64",                                         "transpose:bool=false",                                                                                        "list",           "",            "",            "l1:source l0b:destination start same_width",                 "MTE1", "cube.mte_l1_l0b",         kNoVecScope,                "L1 fractals to L0B"),
    row_of("pto.mte_l1_l0a_mx",      "source:ptr|memref destination:ptr|memref=out m:i64 k:i64",                                                                     "",                                                                                                            "list",           "-",           "",            "l1:source l0a:destination same_width",                       "MTE1", "cube.mte_l1_l0a_mx",      kNoVecScope,                "scales of the left operand"),
    row_of("pto.mte_l1_l0b_mx",      "source:ptr|memref destination:ptr|memref=out k:i64 n:i64",                                                                     "",                                                                                                            "list",           "-",           "",            "l1:source l0b:destination same_width",                       "MTE1", "cube.mte_l1_l0b_mx",      kNoVecScope,                "scales of the right operand"),
    row_of("pto.mte_l1_bt",          "source:ptr|memref destination:ptr|memref=out len_burst:i64 n_burst:i64 nburst_src_gap:i64 nburst_dst_gap:i64",                 "",                                                                                                            kMteL1BtSyntax,   kBiasElements, kBiasElements, "l1:source bt:destination",                                   "MTE1", "cube.mte_l1_bt",          kNoVecScope,                "L1 to the bias table"),
    row_of("pto.mte_l1_fb",          "source:ptr|memref destination:ptr|memref=out len_burst:i64 n_burst:i64 nburst_src_gap:i64 nburst_dst_gap:i64",                 "",                                                                                                            kMteL1BtSyntax,   "",            "",            "l1:source fb:destination",                                   "FIX",  "cube.mte_l1_fb",          kNoVecScope,                "L1 to the fixpipe parameters"),
    row_of("pto.load_cbuf_to_ca",    "source:ptr destination:ptr=out m_start:i64 k_start:i64 m_step:i64 k_step:i64 src_stride:i64 dst_stride:i64",                   "transpose:bool=false",                                                                                        "list",           "",            "",            "l1:source l0a:destination",                                  "MTE1", "cube.load_cbuf_to_ca",    kNoVecScope,                "raw L1 to L0A copy of fractals"),
    row_of("pto.load_cbuf_to_ca_s4", "source:ptr destination:ptr=out m_start:i64 k_start:i64 m_step:i64 k_step:i64 src_stride:i64 dst_stride:i64 transpose:i64",     "",                                                                                                            "list",           "",            "",            "l1:source l0a:destination",                                  "MTE1", "cube.load_cbuf_to_ca_s4", kNoVecScope,                "raw L1 to L0A copy of 4-bit fractals"),
    row_of("pto.load_cbuf_to_cb",    "source:ptr destination:ptr=out m_start:i64 k_start:i64 m_step:i64 k_step:i64 src_stride:i64 dst_stride:i64",                   "transpose:bool=false",                                                                                        "list",           "",            "",            "l1:source l0b:destination",                                  "MTE1", "cube.load_cbuf_to_cb",    kNoVecScope,                "raw L1 to L0B copy of fractals"),
    row_of("pto.load_cbuf_to_cb_s4", "source:ptr destination:ptr=out m_start:i64 k_start:i64 m_step:i64 k_step:i64 src_stride:i64 dst_stride:i64 transpose:i64",     "",                                                                                                            "list",           "",            "",            "l1:source l0b:destination",                                  "MTE1", "cube.load_cbuf_to_cb_s4", kNoVecScope,                "raw L1 to L0B copy of 4-bit fractals"),
    row_of("pto.load_cbuf_to_ca_mx", "source:ptr destination:ptr=out m:i64 k:i64",                                                                                   "",                                                                                                            "list",           "-",           "",            "l1:source",                                                  "MTE1", "cube.load_cbuf_to_ca_mx", kNoVecScope,                "raw copy of left scales"),
    row_of("pto.load_cbuf_to_cb_mx", "source:ptr destination:ptr=out x_start_position:i64 y_start_position:i64 x_step:i64 y_step:i64 src_stride:i64 dst_stride:i64", "",                                                                                                            "list",           "-",           "",            "l1:source",                                                  "MTE1", "cube.load_cbuf_to_cb_mx", kNoVecScope | kNotExecuted, "raw copy of right scales"),
    row_of("pto.copy_cbuf_to_bt",    "source:ptr destination:ptr=out conv_control:i1 n_burst:i64 len_burst:i64 source_gap:i64 dst_gap:i64",                          "",                                                                                                            "list",           "",            "",            "l1:source bt:destination",                                   "MTE1", "cube.copy_cbuf_to_bt",    kNoVecScope,                "raw L1 to bias table copy"),
    row_of("pto.copy_cbuf_to_fbuf",  "source:ptr destination:ptr=out n_burst:i64 len_burst:i64 source_gap:i64 dst_gap:i64",                                          "",                                                                                                            "list",           "",            "",            "l1:source fb:destination",                                   "FIX",  "cube.copy_cbuf_to_fbuf",  kNoVecScope,                "raw L1 to fixpipe parameter copy"),
    row_of("pto.mad",                "lhs:ptr rhs:ptr dst:ptr=out m:i64 n:i64 k:i64",                                                                                "unit_flag_mode:mad_unit_flag_mode? disable_gemv:unit sat_mode:mad_sat_mode? tf32_mode:tf32_mode? n_dir:unit", kMadSyntax,       kMadA2a3,      kMadA5,        "l0a:lhs l0b:rhs l0c:dst mad_shape mad_tf32 mad_sat",         "M",    "cube.mad",                kNoVecScope,                "dst = lhs * rhs"),
    row_of("pto.mad_acc",            "lhs:ptr rhs:ptr dst:ptr=inout m:i64 n:i64 k:i64",                                                                              "unit_flag_mode:mad_unit_flag_mode? disable_gemv:unit sat_mode:mad_sat_mode? tf32_mode:tf32_mode? n_dir:unit", kMadSyntax,       kMadA2a3,      kMadA5,        "l0a:lhs l0b:rhs l0c:dst mad_shape mad_tf32 mad_sat",         "M",    "cube.mad_acc",            kNoVecScope,                "dst += lhs * rhs"),
    row_of("pto.mad_bias",           "lhs:ptr rhs:ptr dst:ptr=out bias:ptr m:i64 n:i64 k:i64",                                                                       "unit_flag_mode:mad_unit_flag_mode? disable_gemv:unit sat_mode:mad_sat_mode? tf32_mode:tf32_mode? n_dir:unit", kMadBiasSyntax,   kMadBiasA2a3,  kMadBiasA5,    "l0a:lhs l0b:rhs l0c:dst mad_shape mad_tf32 mad_sat bt:bias", "M",    "cube.mad_bias",           kNoVecScope,                "dst = bias + lhs * rhs"),
    row_of("pto.mad_mx",             "lhs:ptr rhs:ptr dst:ptr=out m:i64 n:i64 k:i64",                                                                                "unit_flag_mode:mad_unit_flag_mode? disable_gemv:unit sat_mode:mad_sat_mode? n_dir:unit",                      kMadMxSyntax,     "-",           kMadMxA5,      "l0a:lhs l0b:rhs l0c:dst mad_shape mad_sat",                  "M",    "cube.mad_mx",             kNoVecScope,                "dst = lhs * rhs with scales"),
    row_of("pto.mad_mx_acc",         "lhs:ptr rhs:ptr dst:ptr=inout m:i64 n:i64 k:i64",                                                                              "unit_flag_mode:mad_unit_flag_mode? disable_gemv:unit sat_mode:mad_sat_mode? n_dir:unit",                      kMadMxSyntax,     "-",           kMadMxA5,      "l0a:lhs l0b:rhs l0c:dst mad_shape mad_sat",                  "M",    "cube.mad_mx_acc",         kNoVecScope,                "dst += lhs * rhs with scales"),
    row_of("pto.mad_mx_bias",        "lhs:ptr rhs:ptr dst:ptr=out bias:ptr m:i64 n:i64 k:i64",                                                                       "unit_flag_mode:mad_unit_flag_mode? disable_gemv:unit sat_mode:mad_sat_mode? n_dir:unit",                      kMadMxBiasSyntax, "-",           kMadMxBiasA5,  "l0a:lhs l0b:rhs l0c:dst mad_shape mad_sat bt:bias",          "M",    "cube.mad_mx_bias",        kNoVecScope,                "dst = bias + lhs * rhs with scales"),
    row_of("pto.mad_raw",            "lhs:ptr rhs:ptr dst:ptr=inout xt:i64",                                                                                         "",                                                                                                            "list",           "",            "",            "l0a:lhs l0b:rhs l0c:dst",                                    "M",    "cube.mad_raw",            kNoVecScope,                "multiply-add by control word"),
    row_of("pto.mad_bias_raw",       "lhs:ptr rhs:ptr dst:ptr=inout bias:ptr xt:i64",                                                                                "",                                                                                                            "list",           "",            "",            "l0a:lhs l0b:rhs l0c:dst bt:bias same_elements:dst,bias",     "M",    "cube.mad_bias_raw",       kNoVecScope,                "multiply-add with bias by control word"),
    row_of("pto.mad_mx_raw",         "lhs:ptr rhs:ptr dst:ptr=inout xt:i64",                                                                                         "",                                                                                                            "list",           "-",           kMadMxA5,      "l0a:lhs l0b:rhs l0c:dst",                                    "M",    "cube.mad_mx_raw",         kNoVecScope,                "multiply-add by control word"),
    row_of("pto.mad_mx_bias_raw",    "lhs:ptr rhs:ptr dst:ptr=inout bias:ptr xt:i64",                                                                                "",                                                                                                            "list",           "-",           kMadMxBiasA5,  "l0a:lhs l0b:rhs l0c:dst bt:bias",                            "M",    "cube.mad_mx_bias_raw",    kNoVecScope,                "multiply-add with bias by control word"),
};
// clang-format on

}  // namespace

std::span<const Row> cube_rows() { return kRows; }

}  // namespace pto::isa
