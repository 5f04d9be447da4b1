// SIMT: threads of a vector core, started by simt_launch, by a call after store_vfsimt_info, or by a section.
// Columns: see src/isa/row.hpp. A launch is one instruction of PIPE_V; what threads do are its parts, and run
// on the scalar unit where they stand outside of threads.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr std::string_view kAtomic =
    "$ptr, $value (l2cache($l2cache))? ($signedness)? {attrs} : type($ptr), type($value) -> type($old)";
constexpr std::string_view kSlotTypes = "i1 i4 i8 i16 i32 i64 f16 bf16 f32";
constexpr std::string_view kMemoryTypes =
    "i8 i16 i32 i64 f16 bf16 f32 f64 f8e4m3 f8e5m2 f8e8m0 hif8 hif8x2 2xf16 2xbf16 2xf32 2xi8 2xi16 2xi32 "
    "2xf8e4m3 2xf8e5m2 4xf8e4m3 4xf8e5m2 8xf8e4m3 8xf8e5m2";
constexpr std::string_view kAtomicTypes = "i32 i64 f16 bf16 f32 2xf16 2xbf16";
constexpr std::string_view kBitTypes = "i32 i64";
constexpr std::string_view kShuffleTypes = "i32 i64 f16 f32 2xf16";
constexpr std::string_view kReduxTypes = "i32 f16 f32";
constexpr std::string_view kConvertTypes =
    "src:f32,dst:i32|i64|f16|bf16|f32 src:f16|bf16,dst:i32|f16|bf16|f32 src:i32,dst:f16|bf16|f32 "
    "src:i64,dst:f32 src:2xf32,dst:2xf16|2xbf16|2xf8e4m3|2xf8e5m2|hif8x2 src:2xf16,dst:2xf32|hif8x2 "
    "src:2xbf16,dst:2xf32|f4e1m2x2|f4e2m1x2 src:2xf8e4m3|2xf8e5m2|hif8x2,dst:2xf32|2xf16 "
    "src:f4e1m2x2|f4e2m1x2,dst:2xbf16";

constexpr Row kShared = {
    .syntax = "list", .types = {.a2a3 = "-"}, .pipe = "S", .cost = "simt.", .layer = Layer::scalar};

constexpr Row query(Row own) { return inherit({.results = "result:i32", .cost = "simt.query"}, own); }
constexpr Row atomic(Row own) {
  return inherit({.operands = "ptr:ptr=inout value:scalar|vector",
                  .results = "old:scalar|vector",
                  .attrs = "l2cache:st_l2_cache=nmfv signedness:signedness?",
                  .syntax = kAtomic,
                  .rules = "values atomic sign silent:l2cache",
                  .opcode_class = OpcodeClass::atomic},
                 own);
}
constexpr Row unary(Row own) {
  return inherit({.operands = "value:scalar|vector", .results = "result:scalar|vector", .rules = "values"},
                 own);
}
constexpr Row binary(Row own) {
  return inherit({.operands = "lhs:scalar|vector rhs:scalar|vector",
                  .results = "result:scalar|vector",
                  .rules = "values"},
                 own);
}
constexpr Row vote(Row own) {
  return inherit({.operands = "pred:i1", .results = "result:i1", .cost = "simt.vote"}, own);
}
constexpr Row shuffle(Row own) {
  return inherit({.operands = "value:scalar|vector offset:i32",
                  .results = "result:scalar|vector",
                  .attrs = "width:i32=32",
                  .types = {.a5 = kShuffleTypes},
                  .rules = "values shuffle_width",
                  .cost = "simt.shuffle"},
                 own);
}
constexpr Row reduction(Row own) {
  return inherit({.operands = "value:scalar",
                  .results = "result:scalar",
                  .attrs = "signedness:signedness?",
                  .syntax = "$value ($signedness)? {attrs} : type($value) -> type($result)",
                  .types = {.a5 = kReduxTypes},
                  .rules = "values sign needs_sign",
                  .cost = "simt.redux"},
                 own);
}

constexpr Row kRows[] = {
    {.name = "pto.simt_launch",
     .doc = "runs a pto.simt_entry function on x*y*z threads",
     .operands = "dimX:i32 dimY:i32 dimZ:i32 args:any*=inout",
     .attrs = "callee:symbol",
     .syntax = "$callee<<<$dimX, $dimY, $dimZ>>>($args) {attrs} : (type($args)) -> ()",
     .rules = "simt_dims",
     .opcode_class = OpcodeClass::launch_threads,
     .pipe = "V",
     .cost = "simt.launch"},
    {.name = "pto.store_vfsimt_info",
     .doc = "numbers of threads of the SIMT functions called next",
     .operands = "dimZ:i32 dimY:i32 dimX:i32",
     .rules = "simt_dims",
     .opcode_class = OpcodeClass::describe_threads,
     .pipe = "V"},
    {.name = "pto.keep",
     .doc = "leaves a value to the next SIMT function of the same thread",
     .operands = "payload:scalar",
     .attrs = "slot:i64",
     .types = {.a5 = kSlotTypes},
     .rules = "values",
     .opcode_class = OpcodeClass::keep},
    {.name = "pto.resume",
     .doc = "takes a value that the SIMT function before left",
     .results = "result:scalar",
     .attrs = "slot:i64",
     .types = {.a5 = kSlotTypes},
     .rules = "values",
     .opcode_class = OpcodeClass::resume,
     .cost = "simt.keep"},
    {.name = "pto.ldg",
     .doc = "load from GM with cache hints",
     .operands = "ptr:ptr offset:index",
     .results = "value:scalar|vector",
     .attrs = "l1cache:l1_cache=cache l2cache:ld_l2_cache=nmfv",
     .syntax = "$ptr[$offset] (l1cache($l1cache))? (l2cache($l2cache))? {attrs} : type($ptr) -> type($value)",
     .types = {.a5 = kMemoryTypes},
     .rules = "values gm:ptr of_threads silent:l1cache,l2cache",
     .opcode_class = OpcodeClass::thread_load},
    {.name = "pto.stg",
     .doc = "store to GM with cache hints",
     .operands = "ptr:ptr offset:index value:scalar|vector",
     .attrs = "l1cache:l1_cache=cache l2cache:st_l2_cache=nmfv",
     .syntax =
         "$value, $ptr[$offset] (l1cache($l1cache))? (l2cache($l2cache))? {attrs} : type($ptr), type($value)",
     .types = {.a5 = kMemoryTypes},
     .rules = "values gm:ptr of_threads silent:l1cache,l2cache"},
    {.name = "pto.sin",
     .doc = "sine",
     .operands = "value:scalar",
     .results = "result:scalar",
     .types = {.a5 = "f32"},
     .rules = "values"},
    {.name = "pto.cos",
     .doc = "cosine",
     .operands = "value:scalar",
     .results = "result:scalar",
     .types = {.a5 = "f32"},
     .rules = "values"},
    {.name = "pto.section.simt",
     .doc = "the region runs on x*y*z threads",
     .attrs = "dimX:i32 dimY:i32 dimZ:i32",
     .syntax = "<<<$dimX, $dimY, $dimZ>>> region {attrs}",
     .rules = "simt_section",
     .opcode_class = OpcodeClass::launch_threads,
     .regions = {1, 1},
     .pipe = "V",
     .cost = "simt.launch"},
    atomic({.name = "pto.atomic_add",
            .doc = "memory becomes old + value; gives what was there",
            .types = {.a5 = kAtomicTypes}}),
    atomic({.name = "pto.atomic_sub",
            .doc = "memory becomes old - value; gives what was there",
            .types = {.a5 = kAtomicTypes}}),
    atomic({.name = "pto.atomic_min",
            .doc = "memory becomes smaller of old and value; gives what was there",
            .types = {.a5 = kAtomicTypes}}),
    atomic({.name = "pto.atomic_max",
            .doc = "memory becomes larger of old and value; gives what was there",
            .types = {.a5 = kAtomicTypes}}),
    atomic({.name = "pto.atomic_exch",
            .doc = "memory becomes value; gives what was there",
            .types = {.a5 = kAtomicTypes}}),
    atomic({.name = "pto.atomic_and",
            .doc = "memory becomes old & value; gives what was there",
            .types = {.a5 = kBitTypes}}),
    atomic({.name = "pto.atomic_or",
            .doc = "memory becomes old | value; gives what was there",
            .types = {.a5 = kBitTypes}}),
    atomic({.name = "pto.atomic_xor",
            .doc = "memory becomes old ^ value; gives what was there",
            .types = {.a5 = kBitTypes}}),
    {.name = "pto.atomic_cas",
     .doc = "memory becomes value where it is compare; gives what was there",
     .operands = "ptr:ptr=inout compare:scalar|vector value:scalar|vector",
     .results = "old:scalar|vector",
     .attrs = "l2cache:st_l2_cache=nmfv signedness:signedness?",
     .syntax = "$ptr, $compare, $value (l2cache($l2cache))? ($signedness)? {attrs} : type($ptr), "
               "type($value) -> type($old)",
     .types = {.a5 = kAtomicTypes},
     .rules = "values atomic sign silent:l2cache",
     .opcode_class = OpcodeClass::atomic},
    shuffle({.name = "pto.shuffle_idx",
             .doc = "value of lane index",
             .operands = "value:scalar|vector index:i32"}),
    shuffle({.name = "pto.shuffle_up", .doc = "value of the lane offset lower"}),
    shuffle({.name = "pto.shuffle_down", .doc = "value of the lane offset higher"}),
    shuffle({.name = "pto.shuffle_bfly",
             .doc = "value of the lane whose number differs in mask",
             .operands = "value:scalar|vector mask:i32"}),
    vote({.name = "pto.vote_all", .doc = "true where every lane is true"}),
    vote({.name = "pto.vote_any", .doc = "true where some lane is true"}),
    vote({.name = "pto.vote_uni", .doc = "true where all lanes agree"}),
    {.name = "pto.vote_ballot",
     .doc = "a bit for every lane",
     .operands = "pred:i1",
     .results = "result:i32",
     .cost = "simt.vote"},
    reduction({.name = "pto.redux_add", .doc = "sum over the lanes", .rules = "values sign"}),
    reduction({.name = "pto.redux_max", .doc = "largest over the lanes"}),
    reduction({.name = "pto.redux_min", .doc = "smallest over the lanes"}),
    {.name = "pto.convert",
     .doc = "conversion with rounding and saturation",
     .operands = "src:scalar|vector",
     .results = "dst:scalar|vector",
     .attrs = "rounding:rounding saturation:saturation signedness:signedness?",
     .syntax = "$src round($rounding) $saturation ($signedness)? {attrs} : type($src) -> type($dst)",
     .types = {.a5 = kConvertTypes},
     .rules = "simt_convert"},
    unary({.name = "pto.absf", .doc = "absolute value", .types = {.a5 = "f16 f32 2xf16 2xbf16"}}),
    unary({.name = "pto.sqrt", .doc = "square root", .types = {.a5 = "f16 f32 2xf16"}}),
    unary({.name = "pto.exp", .doc = "e to the value", .types = {.a5 = "f16 f32 2xf16"}}),
    unary({.name = "pto.log", .doc = "natural logarithm", .types = {.a5 = "f16 f32 2xf16"}}),
    unary({.name = "pto.ceil", .doc = "up to an integer", .types = {.a5 = "f16 f32 bf16"}}),
    unary({.name = "pto.floor", .doc = "down to an integer", .types = {.a5 = "f16 f32 bf16"}}),
    unary(
        {.name = "pto.rint", .doc = "to the nearest integer, ties to even", .types = {.a5 = "f16 f32 bf16"}}),
    unary({.name = "pto.round",
           .doc = "to the nearest integer, ties away from zero",
           .types = {.a5 = "f16 f32 bf16"}}),
    binary({.name = "pto.fmin", .doc = "smaller", .types = {.a5 = "f16 bf16 f32 2xf16 2xbf16"}}),
    binary({.name = "pto.fmax", .doc = "larger", .types = {.a5 = "f16 bf16 f32 2xf16 2xbf16"}}),
    binary({.name = "pto.pow", .doc = "lhs to the rhs", .types = {.a5 = "f16 f32 2xf16"}}),
    {.name = "pto.fma",
     .doc = "lhs * rhs + acc, rounded once",
     .operands = "lhs:scalar|vector rhs:scalar|vector acc:scalar|vector",
     .results = "result:scalar|vector",
     .types = {.a5 = "f16 f32 bf16 2xf16 2xbf16"},
     .rules = "values"},
    {.name = "pto.mulhi",
     .doc = "upper half of the product",
     .operands = "lhs:scalar rhs:scalar",
     .results = "result:scalar",
     .attrs = "signedness:signedness",
     .syntax = "$lhs, $rhs $signedness {attrs} : type($lhs), type($rhs) -> type($result)",
     .types = {.a5 = "i32 i64"},
     .rules = "values"},
    {.name = "pto.mul_i32toi64",
     .doc = "whole product",
     .operands = "lhs:i32 rhs:i32",
     .results = "result:i64",
     .attrs = "signedness:signedness",
     .syntax = "$lhs, $rhs $signedness {attrs} : type($lhs), type($rhs) -> type($result)"},
    {.name = "pto.prmt",
     .doc = "four of the eight bytes of lhs and rhs",
     .operands = "lhs:i32 rhs:i32 selector:i32",
     .results = "result:i32"},
    query({.name = "pto.get_tid_x", .doc = "thread number along x", .results = "tid_x:i32"}),
    query({.name = "pto.get_tid_y", .doc = "thread number along y", .results = "tid_y:i32"}),
    query({.name = "pto.get_tid_z", .doc = "thread number along z", .results = "tid_z:i32"}),
    query({.name = "pto.get_block_dim_x", .doc = "threads along x"}),
    query({.name = "pto.get_block_dim_y", .doc = "threads along y"}),
    query({.name = "pto.get_block_dim_z", .doc = "threads along z"}),
    query({.name = "pto.get_block_idx_x", .doc = "block number along x", .rules = "varies:block"}),
    query({.name = "pto.get_block_idx_y", .doc = "block number along y", .rules = "varies:block"}),
    query({.name = "pto.get_block_idx_z", .doc = "block number along z", .rules = "varies:block"}),
    query({.name = "pto.get_grid_dim_x", .doc = "blocks along x"}),
    query({.name = "pto.get_grid_dim_y", .doc = "blocks along y"}),
    query({.name = "pto.get_grid_dim_z", .doc = "blocks along z"}),
    query({.name = "pto.get_laneid", .doc = "lane number in the warp", .results = "lane:i32"}),
    query({.name = "pto.get_lanemask_eq", .doc = "bit of this lane"}),
    query({.name = "pto.get_lanemask_ge", .doc = "bits of this lane and higher ones"}),
    query({.name = "pto.get_lanemask_gt", .doc = "bits of higher lanes"}),
    query({.name = "pto.get_lanemask_le", .doc = "bits of this lane and lower ones"}),
    query({.name = "pto.get_lanemask_lt", .doc = "bits of lower lanes"}),
    query({.name = "pto.get_veccoreid", .doc = "number of the vector core"}),
    query({.name = "pto.get_clock32", .doc = "lower half of the cycle counter"}),
    query({.name = "pto.get_clock64", .doc = "cycle counter", .results = "result:i64"}),
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows simt_rows() { return complete<kTable>(); }

}  // namespace pto::isa
