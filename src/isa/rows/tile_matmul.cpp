// Matrix and matrix-vector products.
// Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr std::string_view kTmatmulA2a3 =
    "lhs:s8,rhs:s8,dst:i32 lhs:f16,rhs:f16,dst:f32 lhs:bf16,rhs:bf16,dst:f32 lhs:f32,rhs:f32,dst:f32";
constexpr std::string_view kTmatmulA5 =
    "lhs:s8,rhs:s8,dst:i32 lhs:f16,rhs:f16,dst:f32 lhs:bf16,rhs:bf16,dst:f32 lhs:f32,rhs:f32,dst:f32 "
    "lhs:f8e4m3|f8e5m2,rhs:f8e4m3|f8e5m2,dst:f32 lhs:hif8,rhs:hif8,dst:f32";
constexpr std::string_view kTmatmulAccA2a3 =
    "lhs:s8,rhs:s8,dst:i32,acc_in:i32 lhs:f16,rhs:f16,dst:f32,acc_in:f32 "
    "lhs:bf16,rhs:bf16,dst:f32,acc_in:f32 lhs:f32,rhs:f32,dst:f32,acc_in:f32";
constexpr std::string_view kTmatmulAccA5 =
    "lhs:s8,rhs:s8,dst:i32,acc_in:i32 lhs:f16,rhs:f16,dst:f32,acc_in:f32 "
    "lhs:bf16,rhs:bf16,dst:f32,acc_in:f32 lhs:f32,rhs:f32,dst:f32,acc_in:f32 "
    "lhs:f8e4m3|f8e5m2,rhs:f8e4m3|f8e5m2,dst:f32,acc_in:f32 lhs:hif8,rhs:hif8,dst:f32,acc_in:f32";
constexpr std::string_view kTmatmulBiasA2a3 =
    "a:s8,b:s8,dst:i32,bias:i32 a:f16,b:f16,dst:f32,bias:f32 a:bf16,b:bf16,dst:f32,bias:f32 "
    "a:f32,b:f32,dst:f32,bias:f32";
constexpr std::string_view kTmatmulBiasA5 =
    "a:s8,b:s8,dst:i32,bias:i32 a:f16,b:f16,dst:f32,bias:f32 a:bf16,b:bf16,dst:f32,bias:f32 "
    "a:f32,b:f32,dst:f32,bias:f32 a:f8e4m3|f8e5m2,b:f8e4m3|f8e5m2,dst:f32,bias:f32 "
    "a:hif8,b:hif8,dst:f32,bias:f32";
constexpr std::string_view kTmatmulMxA5 =
    "a:f8e4m3|f8e5m2,b:f8e4m3|f8e5m2,dst:f32 a:f4e1m2x2|f4e2m1x2,b:f4e1m2x2|f4e2m1x2,dst:f32";
constexpr std::string_view kTmatmulMxAccA5 =
    "a:f8e4m3|f8e5m2,b:f8e4m3|f8e5m2,dst:f32,c_in:f32 "
    "a:f4e1m2x2|f4e2m1x2,b:f4e1m2x2|f4e2m1x2,dst:f32,c_in:f32";
constexpr std::string_view kTmatmulMxBiasA5 =
    "a:f8e4m3|f8e5m2,b:f8e4m3|f8e5m2,dst:f32,bias:f32 "
    "a:f4e1m2x2|f4e2m1x2,b:f4e1m2x2|f4e2m1x2,dst:f32,bias:f32";

constexpr Row kShared = {.syntax = "@dps", .pipe = "M", .layer = Layer::tile};

constexpr Row product(Row own) { return inherit({.attrs = "accPhase:acc_phase=unspecified"}, own); }

constexpr Row kRows[] = {
    product({.name = "pto.tmatmul",
             .doc = "dst = lhs * rhs",
             .operands = "lhs:tile rhs:tile dst:tile=out",
             .types = {.a2a3 = kTmatmulA2a3, .a5 = kTmatmulA5},
             .rules = "matmul unit_flag:accPhase,dst"}),
    product({.name = "pto.tmatmul.acc",
             .doc = "dst = acc_in + lhs * rhs",
             .operands = "acc_in:tile lhs:tile rhs:tile dst:tile=out",
             .types = {.a2a3 = kTmatmulAccA2a3, .a5 = kTmatmulAccA5},
             .rules = "matmul in_place:acc_in unit_flag:accPhase,dst"}),
    product({.name = "pto.tmatmul.bias",
             .doc = "dst = a * b + bias",
             .operands = "a:tile b:tile bias:tile dst:tile=out",
             .types = {.a2a3 = kTmatmulBiasA2a3, .a5 = kTmatmulBiasA5},
             .rules = "matmul unit_flag:accPhase,dst"}),
    product({.name = "pto.tmatmul.mx",
             .doc = "dst = product with one scale per 32 of K",
             .operands = "a:tile a_scale:tile b:tile b_scale:tile dst:tile=out",
             .types = {.a2a3 = "-", .a5 = kTmatmulMxA5},
             .rules = "matmul exempt:a_scale,b_scale scales scale_boxes unit_flag:accPhase,dst"}),
    product(
        {.name = "pto.tmatmul.mx.acc",
         .doc = "dst = c_in + scaled product",
         .operands = "c_in:tile a:tile a_scale:tile b:tile b_scale:tile dst:tile=out",
         .types = {.a2a3 = "-", .a5 = kTmatmulMxAccA5},
         .rules = "matmul exempt:a_scale,b_scale scales scale_boxes in_place:c_in unit_flag:accPhase,dst"}),
    {.name = "pto.tmatmul.mx.bias",
     .doc = "dst = scaled product + bias",
     .operands = "a:tile a_scale:tile b:tile b_scale:tile bias:tile dst:tile=out",
     .types = {.a2a3 = "-", .a5 = kTmatmulMxBiasA5},
     .rules = "matmul exempt:a_scale,b_scale scales scale_boxes"},
    product({.name = "pto.tgemv",
             .doc = "dst = row vector lhs * rhs",
             .operands = "lhs:tile rhs:tile dst:tile=out",
             .types = {.a2a3 = kTmatmulA2a3, .a5 = kTmatmulA5},
             .rules = "gemv unit_flag:accPhase,dst"}),
    product({.name = "pto.tgemv.acc",
             .doc = "dst = acc_in + row vector lhs * rhs",
             .operands = "acc_in:tile lhs:tile rhs:tile dst:tile=out",
             .types = {.a2a3 = kTmatmulAccA2a3, .a5 = kTmatmulAccA5},
             .rules = "gemv in_place:acc_in unit_flag:accPhase,dst"}),
    product({.name = "pto.tgemv.bias",
             .doc = "dst = a * b + bias",
             .operands = "a:tile b:tile bias:tile dst:tile=out",
             .types = {.a2a3 = kTmatmulBiasA2a3, .a5 = kTmatmulBiasA5},
             .rules = "gemv unit_flag:accPhase,dst"}),
    product({.name = "pto.tgemv.mx",
             .doc = "dst = product with one scale per 32 of K",
             .operands = "a:tile a_scale:tile b:tile b_scale:tile dst:tile=out",
             .types = {.a2a3 = "-", .a5 = kTmatmulMxA5},
             .rules = "gemv exempt:a_scale,b_scale scales unit_flag:accPhase,dst"}),
    product({.name = "pto.tgemv.mx.acc",
             .doc = "dst = c_in + scaled product",
             .operands = "c_in:tile a:tile a_scale:tile b:tile b_scale:tile dst:tile=out",
             .types = {.a2a3 = "-", .a5 = kTmatmulMxAccA5},
             .rules = "gemv exempt:a_scale,b_scale scales in_place:c_in unit_flag:accPhase,dst"}),
    {.name = "pto.tgemv.mx.bias",
     .doc = "dst = scaled product + bias",
     .operands = "a:tile a_scale:tile b:tile b_scale:tile bias:tile dst:tile=out",
     .types = {.a2a3 = "-", .a5 = kTmatmulMxBiasA5},
     .rules = "gemv exempt:a_scale,b_scale scales"},
    {.name = "pto.tget_scale_addr",
     .doc = "dst = the scale tile that belongs to a data tile",
     .operands = "src:tile dst:tile=out",
     .types = {.a2a3 = "-"},
     .rules = "in:src=left|right scale_of",
     .pipe = "S"},
    {.name = "pto.tmatmul_mx_hif4",
     .doc = "needs a target that is not supported",
     .syntax = "@none",
     .types = both("-"),
     .pipe = "none",
     .flags = kNotExecuted},
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows tile_matmul_rows() { return complete<kTable>(); }

}  // namespace pto::isa
