// Matrix and matrix-vector products.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
constexpr std::string_view kTmatmulA2a3 =
    "lhs:s8,rhs:s8,dst:i32 lhs:f16,rhs:f16,dst:f32 lhs:bf16,rhs:bf16,dst:f32 lhs:f32,rhs:f32,dst:f32";
constexpr std::string_view kTmatmulA5 =
    "lhs:s8,rhs:s8,dst:i32 lhs:f16,rhs:f16,dst:f32 lhs:bf16,rhs:bf16,dst:f32 lhs:f32,rhs:f32,dst:f32 "
    "lhs:f8e4m3|f8e5m2,rhs:f8e4m3|f8e5m2,dst:f32 lhs:hif8,rhs:hif8,dst:f32";
constexpr std::string_view kTmatmulAccA2a3 =
    "lhs:s8,rhs:s8,dst:i32,acc_in:i32 lhs:f16,rhs:f16,dst:f32,acc_in:f32 lhs:bf16,rhs:bf16,dst:f32,acc_in:f32 "
    "lhs:f32,rhs:f32,dst:f32,acc_in:f32";
constexpr std::string_view kTmatmulAccA5 =
    "lhs:s8,rhs:s8,dst:i32,acc_in:i32 lhs:f16,rhs:f16,dst:f32,acc_in:f32 lhs:bf16,rhs:bf16,dst:f32,acc_in:f32 "
    "lhs:f32,rhs:f32,dst:f32,acc_in:f32 lhs:f8e4m3|f8e5m2,rhs:f8e4m3|f8e5m2,dst:f32,acc_in:f32 "
    "lhs:hif8,rhs:hif8,dst:f32,acc_in:f32";
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

// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view syntax, std::string_view a2a3,
                     std::string_view a5, std::string_view rules, std::string_view pipe, std::string_view cost, uint32_t
                     flags, std::string_view doc) {
  return {name, Layer::tile, operands, "", "", syntax, a2a3, a5, rules, pipe, cost, flags, doc};
}

constexpr Row kRows[] = {
    //     name                   operands                                                          syntax   a2a3              a5                rules                                   pipe    cost                    flags         doc
    row_of("pto.tmatmul",         "lhs:tile rhs:tile dst:tile=out",                                 "@dps",  kTmatmulA2a3,     kTmatmulA5,       "matmul",                               "M",    "tile.tmatmul",         kNone,        "dst = lhs * rhs"),
    row_of("pto.tmatmul.acc",     "acc_in:tile lhs:tile rhs:tile dst:tile=out",                     "@dps",  kTmatmulAccA2a3,  kTmatmulAccA5,    "matmul in_place:acc_in",               "M",    "tile.tmatmul.acc",     kNone,        "dst = acc_in + lhs * rhs"),
    row_of("pto.tmatmul.bias",    "a:tile b:tile bias:tile dst:tile=out",                           "@dps",  kTmatmulBiasA2a3, kTmatmulBiasA5,   "matmul",                               "M",    "tile.tmatmul.bias",    kNone,        "dst = a * b + bias"),
    row_of("pto.tmatmul.mx",      "a:tile a_scale:tile b:tile b_scale:tile dst:tile=out",           "@dps",  "-",              kTmatmulMxA5,     "matmul exempt:a_scale,b_scale scales", "M",    "tile.tmatmul.mx",      kNone,        "dst = product with one scale per 32 of K"),
    row_of("pto.tmatmul.mx.acc",  "c_in:tile a:tile a_scale:tile b:tile b_scale:tile dst:tile=out", "@dps",  "-",              kTmatmulMxAccA5,  "matmul exempt:a_scale,b_scale scales in_place:c_in", "M",    "tile.tmatmul.mx.acc",  kNone,        "dst = c_in + scaled product"),
    row_of("pto.tmatmul.mx.bias", "a:tile a_scale:tile b:tile b_scale:tile bias:tile dst:tile=out", "@dps",  "-",              kTmatmulMxBiasA5, "matmul exempt:a_scale,b_scale scales", "M",    "tile.tmatmul.mx.bias", kNone,        "dst = scaled product + bias"),
    row_of("pto.tgemv",           "lhs:tile rhs:tile dst:tile=out",                                 "@dps",  kTmatmulA2a3,     kTmatmulA5,       "gemv",                                 "M",    "tile.tgemv",           kNone,        "dst = row vector lhs * rhs"),
    row_of("pto.tgemv.acc",       "acc_in:tile lhs:tile rhs:tile dst:tile=out",                     "@dps",  kTmatmulAccA2a3,  kTmatmulAccA5,    "gemv in_place:acc_in",                 "M",    "tile.tgemv.acc",       kNone,        "dst = acc_in + row vector lhs * rhs"),
    row_of("pto.tgemv.bias",      "a:tile b:tile bias:tile dst:tile=out",                           "@dps",  kTmatmulBiasA2a3, kTmatmulBiasA5,   "gemv",                                 "M",    "tile.tgemv.bias",      kNone,        "dst = a * b + bias"),
    row_of("pto.tgemv.mx",        "a:tile a_scale:tile b:tile b_scale:tile dst:tile=out",           "@dps",  "-",              kTmatmulMxA5,     "gemv exempt:a_scale,b_scale scales",   "M",    "tile.tgemv.mx",        kNone,        "dst = product with one scale per 32 of K"),
    row_of("pto.tgemv.mx.acc",    "c_in:tile a:tile a_scale:tile b:tile b_scale:tile dst:tile=out", "@dps",  "-",              kTmatmulMxAccA5,  "gemv exempt:a_scale,b_scale scales in_place:c_in",   "M",    "tile.tgemv.mx.acc",    kNone,        "dst = c_in + scaled product"),
    row_of("pto.tgemv.mx.bias",   "a:tile a_scale:tile b:tile b_scale:tile bias:tile dst:tile=out", "@dps",  "-",              kTmatmulMxBiasA5, "gemv exempt:a_scale,b_scale scales",   "M",    "tile.tgemv.mx.bias",   kNone,        "dst = scaled product + bias"),
    row_of("pto.tget_scale_addr", "src:tile dst:tile=out",                                          "@dps",  "-",              "",               "scale_of",                             "S",    "tile.tget_scale_addr", kNotExecuted, "dst = the scale tile that belongs to a data tile"),
    row_of("pto.tmatmul_mx_hif4", "",                                                               "@none", "-",              "-",              "",                                     "none", "",                     kNotExecuted, "needs a target that is not supported"),
};
// clang-format on

}  // namespace

std::span<const Row> tile_matmul_rows() { return kRows; }

}  // namespace pto::isa
