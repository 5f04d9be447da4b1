// Cube: operand staging and multiply-add.
// Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr std::string_view kMteL1BtSyntax =
    "$source, $destination, $len_burst nburst($n_burst, $nburst_src_gap, $nburst_dst_gap) {attrs} : "
    "type($source), type($destination), type($len_burst), type($n_burst), type($nburst_src_gap), "
    "type($nburst_dst_gap)";
constexpr std::string_view kBiasElements =
    "source:f32,destination:f32 source:i32,destination:i32 source:f16,destination:f32 "
    "source:bf16,destination:f32";
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
constexpr std::string_view kMadAttrs =
    "unit_flag_mode:mad_unit_flag_mode? disable_gemv:unit sat_mode:mad_sat_mode? tf32_mode:tf32_mode? "
    "n_dir:unit";
constexpr std::string_view kMadMxAttrs =
    "unit_flag_mode:mad_unit_flag_mode? disable_gemv:unit sat_mode:mad_sat_mode? n_dir:unit";

constexpr Row kShared = {.syntax = "list", .pipe = "MTE1", .scope = Scope::outside, .layer = Layer::cube};

constexpr Row product(Row own) { return inherit({.pipe = "M"}, own); }

constexpr Row kRows[] = {
    {.name = "pto.mte_l1_l0a",
     .doc = "L1 fractals to L0A",
     .operands = "source:ptr|memref destination:ptr|memref=out m:i64 k:i64 start_row:i64 start_col:i64",
     .attrs = "transpose:bool=false",
     .syntax = "$source, $destination, ($m, $k, $start_row, $start_col | (m($m) | k($k) | "
               "start_row($start_row) | start_col($start_col))*,) {attrs} : type($source), "
               "type($destination), type($m), type($k), type($start_row), type($start_col)",
     .rules = "l1:source l0a:destination start same_width"},
    {.name = "pto.mte_l1_l0a",
     .doc = "L1 fractals by the position in L1",
     .operands = "source:ptr|memref destination:ptr|memref=out m_start:i64 k_start:i64 m_step:i64 k_step:i64 "
                 "src_stride:i64 dst_stride:i64",
     .attrs = "transpose:bool=false",
     .syntax = "$source, $destination, ($m_start, $k_start, $m_step, $k_step, $src_stride, $dst_stride | "
               "(m_start($m_start) | k_start($k_start) | m_step($m_step) | k_step($k_step) | "
               "src_stride($src_stride) | dst_stride($dst_stride))*,) {attrs} : type($source), "
               "type($destination), type($m_start), "
               "type($k_start), type($m_step), type($k_step), type($src_stride), type($dst_stride)",
     .rules = "l1:source l0a:destination same_width l0_fields",
     .cost = "cube.mte_l1_l0a.at"},
    {.name = "pto.mte_l1_l0b",
     .doc = "L1 fractals to L0B",
     .operands = "source:ptr|memref destination:ptr|memref=out k:i64 n:i64 start_row:i64 start_col:i64",
     .attrs = "transpose:bool=false",
     .syntax = "$source, $destination, ($k, $n, $start_row, $start_col | (k($k) | n($n) | "
               "start_row($start_row) | start_col($start_col))*,) {attrs} : type($source), "
               "type($destination), type($k), type($n), type($start_row), type($start_col)",
     .rules = "l1:source l0b:destination start same_width"},
    {.name = "pto.mte_l1_l0b",
     .doc = "L1 fractals by the position in L1",
     .operands = "source:ptr|memref destination:ptr|memref=out m_start:i64 k_start:i64 m_step:i64 k_step:i64 "
                 "src_stride:i64 dst_stride:i64",
     .attrs = "transpose:bool=false",
     .syntax = "$source, $destination, ($m_start, $k_start, $m_step, $k_step, $src_stride, $dst_stride | "
               "(m_start($m_start) | k_start($k_start) | m_step($m_step) | k_step($k_step) | "
               "src_stride($src_stride) | dst_stride($dst_stride))*,) {attrs} : type($source), "
               "type($destination), type($m_start), "
               "type($k_start), type($m_step), type($k_step), type($src_stride), type($dst_stride)",
     .rules = "l1:source l0b:destination same_width l0_fields",
     .cost = "cube.mte_l1_l0b.at"},
    {.name = "pto.mte_l1_l0a_mx",
     .doc = "scales of the left operand",
     .operands = "source:ptr|memref destination:ptr|memref=out m:i64 k:i64",
     .types = {.a2a3 = "-"},
     .rules = "l1:source l0a:destination same_width mx_aligned"},
    {.name = "pto.mte_l1_l0a_mx",
     .doc = "scales by the position in L1",
     .operands = "source:ptr|memref destination:ptr|memref=out m:i64 k:i64 start_row:i64 start_col:i64",
     .syntax = "$source, $destination, ($m, $k, $start_row, $start_col | (m($m) | k($k) | "
               "start_row($start_row) | start_col($start_col))*,) {attrs} : type($source), "
               "type($destination), type($m), type($k), type($start_row), type($start_col)",
     .types = {.a2a3 = "-"},
     .rules = "l1:source l0a:destination same_width mx_aligned",
     .cost = "cube.mte_l1_l0a_mx.at"},
    {.name = "pto.mte_l1_l0a_mx",
     .doc = "scales by the position in L1",
     .operands = "source:ptr|memref destination:ptr|memref=out x_start:i64 y_start:i64 x_step:i64 y_step:i64 "
                 "src_stride:i64 dst_stride:i64",
     .syntax = "$source, $destination, ($x_start, $y_start, $x_step, $y_step, $src_stride, $dst_stride | "
               "(x_start($x_start) | y_start($y_start) | x_step($x_step) | y_step($y_step) | "
               "src_stride($src_stride) | dst_stride($dst_stride))*,) {attrs} : type($source), "
               "type($destination), type($x_start), type($y_start), type($x_step), type($y_step), "
               "type($src_stride), type($dst_stride)",
     .types = {.a2a3 = "-"},
     .rules = "l1:source l0a:destination same_width mx_aligned scale_fields",
     .cost = "cube.mte_l1_l0a_mx.at"},
    {.name = "pto.mte_l1_l0b_mx",
     .doc = "scales of the right operand",
     .operands = "source:ptr|memref destination:ptr|memref=out k:i64 n:i64",
     .types = {.a2a3 = "-"},
     .rules = "l1:source l0b:destination same_width mx_aligned"},
    {.name = "pto.mte_l1_l0b_mx",
     .doc = "scales by the position in L1",
     .operands = "source:ptr|memref destination:ptr|memref=out k:i64 n:i64 start_row:i64 start_col:i64",
     .syntax = "$source, $destination, ($k, $n, $start_row, $start_col | (k($k) | n($n) | "
               "start_row($start_row) | start_col($start_col))*,) {attrs} : type($source), "
               "type($destination), type($k), type($n), type($start_row), type($start_col)",
     .types = {.a2a3 = "-"},
     .rules = "l1:source l0b:destination same_width mx_aligned",
     .cost = "cube.mte_l1_l0b_mx.at"},
    {.name = "pto.mte_l1_l0b_mx",
     .doc = "scales by the position in L1",
     .operands = "source:ptr|memref destination:ptr|memref=out x_start:i64 y_start:i64 x_step:i64 y_step:i64 "
                 "src_stride:i64 dst_stride:i64",
     .syntax = "$source, $destination, ($x_start, $y_start, $x_step, $y_step, $src_stride, $dst_stride | "
               "(x_start($x_start) | y_start($y_start) | x_step($x_step) | y_step($y_step) | "
               "src_stride($src_stride) | dst_stride($dst_stride))*,) {attrs} : type($source), "
               "type($destination), type($x_start), type($y_start), type($x_step), type($y_step), "
               "type($src_stride), type($dst_stride)",
     .types = {.a2a3 = "-"},
     .rules = "l1:source l0b:destination same_width mx_aligned scale_fields",
     .cost = "cube.mte_l1_l0b_mx.at"},
    {.name = "pto.mte_l1_bt",
     .doc = "L1 to the bias table",
     .operands = "source:ptr|memref destination:ptr|memref=out len_burst:i64 n_burst:i64 nburst_src_gap:i64 "
                 "nburst_dst_gap:i64",
     .syntax = kMteL1BtSyntax,
     .types = both(kBiasElements),
     .rules = "l1:source bt:destination"},
    {.name = "pto.mte_l1_fb",
     .doc = "L1 to the fixpipe parameters",
     .operands = "source:ptr|memref destination:ptr|memref=out len_burst:i64 n_burst:i64 nburst_src_gap:i64 "
                 "nburst_dst_gap:i64",
     .syntax = kMteL1BtSyntax,
     .rules = "l1:source fb:destination",
     .pipe = "FIX"},
    {.name = "pto.load_cbuf_to_ca",
     .doc = "raw L1 to L0A copy of fractals",
     .operands = "source:ptr destination:ptr=out m_start:i64 k_start:i64 m_step:i64 k_step:i64 "
                 "src_stride:i64 dst_stride:i64",
     .attrs = "transpose:bool=false",
     .rules = "l1:source l0a:destination l0_fields not_packed"},
    {.name = "pto.load_cbuf_to_ca_s4",
     .doc = "raw L1 to L0A copy of 4-bit fractals",
     .operands = "source:ptr destination:ptr=out m_start:i64 k_start:i64 m_step:i64 k_step:i64 "
                 "src_stride:i64 dst_stride:i64 transpose:i64",
     .types = both("f4e1m2x2 f4e2m1x2"),
     .rules = "l1:source l0a:destination l0_fields transposed"},
    {.name = "pto.load_cbuf_to_cb",
     .doc = "raw L1 to L0B copy of fractals",
     .operands = "source:ptr destination:ptr=out m_start:i64 k_start:i64 m_step:i64 k_step:i64 "
                 "src_stride:i64 dst_stride:i64",
     .attrs = "transpose:bool=false",
     .rules = "l1:source l0b:destination l0_fields not_packed"},
    {.name = "pto.load_cbuf_to_cb_s4",
     .doc = "raw L1 to L0B copy of 4-bit fractals",
     .operands = "source:ptr destination:ptr=out m_start:i64 k_start:i64 m_step:i64 k_step:i64 "
                 "src_stride:i64 dst_stride:i64 transpose:i64",
     .types = both("f4e1m2x2 f4e2m1x2"),
     .rules = "l1:source l0b:destination l0_fields transposed"},
    {.name = "pto.load_cbuf_to_ca_mx",
     .doc = "raw copy of left scales",
     .operands = "source:ptr destination:ptr=out m:i64 k:i64",
     .types = {.a2a3 = "-"},
     .rules = "l1:source"},
    {.name = "pto.load_cbuf_to_cb_mx",
     .doc = "raw copy of right scales",
     .operands = "source:ptr destination:ptr=out x_start_position:i64 y_start_position:i64 x_step:i64 "
                 "y_step:i64 src_stride:i64 dst_stride:i64",
     .types = {.a2a3 = "-"},
     .rules = "l1:source l0b:destination scale_fields",
     .flags = kNotExecuted},
    {.name = "pto.copy_cbuf_to_bt",
     .doc = "raw L1 to bias table copy",
     .operands = "source:ptr destination:ptr=out conv_control:i1 n_burst:i64 len_burst:i64 source_gap:i64 "
                 "dst_gap:i64",
     .rules = "l1:source bt:destination"},
    {.name = "pto.copy_cbuf_to_fbuf",
     .doc = "raw L1 to fixpipe parameter copy",
     .operands = "source:ptr destination:ptr=out n_burst:i64 len_burst:i64 source_gap:i64 dst_gap:i64",
     .rules = "l1:source fb:destination",
     .pipe = "FIX"},
    product(
        {.name = "pto.mad",
         .doc = "dst = lhs * rhs",
         .operands = "lhs:ptr rhs:ptr dst:ptr=out m:i64 n:i64 k:i64",
         .attrs = kMadAttrs,
         .syntax = kMadSyntax,
         .types = {.a2a3 = kMadA2a3, .a5 = kMadA5},
         .rules =
             "l0a:lhs l0b:rhs l0c:dst mad_shape mad_tf32 mad_sat unit_flag:unit_flag_mode,dst silent:n_dir"}),
    product(
        {.name = "pto.mad_acc",
         .doc = "dst += lhs * rhs",
         .operands = "lhs:ptr rhs:ptr dst:ptr=inout m:i64 n:i64 k:i64",
         .attrs = kMadAttrs,
         .syntax = kMadSyntax,
         .types = {.a2a3 = kMadA2a3, .a5 = kMadA5},
         .rules =
             "l0a:lhs l0b:rhs l0c:dst mad_shape mad_tf32 mad_sat unit_flag:unit_flag_mode,dst silent:n_dir"}),
    product({.name = "pto.mad_bias",
             .doc = "dst = bias + lhs * rhs",
             .operands = "lhs:ptr rhs:ptr dst:ptr=out bias:ptr m:i64 n:i64 k:i64",
             .attrs = kMadAttrs,
             .syntax = kMadBiasSyntax,
             .types = {.a2a3 = "lhs:s8,rhs:s8,dst:i32,bias:i32 lhs:f16,rhs:f16,dst:f32,bias:f32 "
                               "lhs:bf16,rhs:bf16,dst:f32,bias:f32 lhs:f32,rhs:f32,dst:f32,bias:f32",
                       .a5 = kMadBiasA5},
             .rules =
                 "l0a:lhs l0b:rhs l0c:dst mad_shape mad_tf32 mad_sat bt:bias unit_flag:unit_flag_mode,dst "
                 "silent:n_dir"}),
    product({.name = "pto.mad_mx",
             .doc = "dst = lhs * rhs with scales",
             .operands = "lhs:ptr rhs:ptr dst:ptr=out m:i64 n:i64 k:i64",
             .attrs = kMadMxAttrs,
             .syntax = kMadMxSyntax,
             .types = {.a2a3 = "-", .a5 = kMadMxA5},
             .rules = "l0a:lhs l0b:rhs l0c:dst mad_shape mad_sat unit_flag:unit_flag_mode,dst silent:n_dir"}),
    product({.name = "pto.mad_mx_acc",
             .doc = "dst += lhs * rhs with scales",
             .operands = "lhs:ptr rhs:ptr dst:ptr=inout m:i64 n:i64 k:i64",
             .attrs = kMadMxAttrs,
             .syntax = kMadMxSyntax,
             .types = {.a2a3 = "-", .a5 = kMadMxA5},
             .rules = "l0a:lhs l0b:rhs l0c:dst mad_shape mad_sat unit_flag:unit_flag_mode,dst silent:n_dir"}),
    product(
        {.name = "pto.mad_mx_bias",
         .doc = "dst = bias + lhs * rhs with scales",
         .operands = "lhs:ptr rhs:ptr dst:ptr=out bias:ptr m:i64 n:i64 k:i64",
         .attrs = kMadMxAttrs,
         .syntax = kMadMxBiasSyntax,
         .types = {.a2a3 = "-", .a5 = kMadMxBiasA5},
         .rules =
             "l0a:lhs l0b:rhs l0c:dst mad_shape mad_sat bt:bias unit_flag:unit_flag_mode,dst silent:n_dir"}),
    product({.name = "pto.mad_raw",
             .doc = "multiply-add by control word",
             .operands = "lhs:ptr rhs:ptr dst:ptr=inout xt:i64",
             .rules = "l0a:lhs l0b:rhs l0c:dst"}),
    product({.name = "pto.mad_bias_raw",
             .doc = "multiply-add with bias by control word",
             .operands = "lhs:ptr rhs:ptr dst:ptr=inout bias:ptr xt:i64",
             .rules = "l0a:lhs l0b:rhs l0c:dst bt:bias same_elements:dst,bias"}),
    product({.name = "pto.mad_mx_raw",
             .doc = "multiply-add by control word",
             .operands = "lhs:ptr rhs:ptr dst:ptr=inout xt:i64",
             .types = {.a2a3 = "-", .a5 = kMadMxA5},
             .rules = "l0a:lhs l0b:rhs l0c:dst"}),
    product({.name = "pto.mad_mx_bias_raw",
             .doc = "multiply-add with bias by control word",
             .operands = "lhs:ptr rhs:ptr dst:ptr=inout bias:ptr xt:i64",
             .types = {.a2a3 = "-", .a5 = kMadMxBiasA5},
             .rules = "l0a:lhs l0b:rhs l0c:dst bt:bias"}),
    {.name = "pto.raw_fill_l1",
     .doc = "fills blocks of L1 with a value",
     .operands = "dst:ptr|memref=out byte_offset:i64 raw_value:i32 repeat_times:i64 block_num_32b:i64 "
                 "dst_gap_32b:i64",
     .attrs = "fill_word_bits:i64",
     .rules = "l1:dst fill_fields",
     .pipe = "MTE2"},
    {.name = "pto.create_cbuf_matrix",
     .doc = "fills blocks of L1 with a value",
     .operands = "dst:ptr=out raw_value:i32 repeat_times:i64 block_num_32b:i64 dst_gap_32b:i64",
     .attrs = "fill_word_bits:i64",
     .types = {.a5 = "u16 u32"},
     .rules = "l1:dst fill_fields",
     .pipe = "MTE2"},
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows cube_rows() { return complete<kTable>(); }

}  // namespace pto::isa
