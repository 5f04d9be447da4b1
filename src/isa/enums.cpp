// Enumerations of attributes and string tokens, with the immediates the public tools use.
// Over 500 lines: it is a single table of all enumerations.
// The first case of a value is its canonical spelling; later cases of the same value are accepted aliases.
#include <algorithm>
#include <array>

#include "isa/cmp_predicate.hpp"
#include "isa/layout_hash.hpp"

namespace pto::isa {
namespace {

using Cases = EnumCase[];

constexpr Cases kAccStoreAtomicOp = {
    {"add", 0},
    {"max", 1},
    {"min", 2},
};
constexpr Cases kAccStoreAtomicType = {
    {"f32", 1}, {"f16", 2}, {"s16", 3}, {"s32", 4}, {"s8", 5}, {"bf16", 6},
};
constexpr Cases kAccStoreMode = {
    {"nz2nd", 0},
    {"nz2dn", 1},
    {"nz2nz", 2},
};
constexpr Cases kAccStoreQuantPreMode = {
    {"no_convert", 0},
    {"f32_f16", 1},
    {"qf322hif8_pre_vec", 2},
    {"qf322hif8_pre_scalar", 3},
    {"qf322hif8_pre_hybrid_vec", 4},
    {"qf322hif8_pre_hybrid_scalar", 5},
    {"deqs32_int_vec", 6},
    {"deqs32_int_scalar", 7},
    {"req8_vec", 8},
    {"req8_scalar", 9},
    {"deqf16_vec", 10},
    {"deqf16_scalar", 11},
    {"qf322fp8_pre_vec", 12},
    {"qf322fp8_pre_scalar", 13},
    {"qf322f32_pre_vec", 14},
    {"qf322f32_pre_scalar", 15},
    {"f32_bf16", 16},
    {"qf162b8_pre_vec", 17},
    {"qf162b8_pre_scalar", 18},
    {"qf162s4_pre_vec", 19},
    {"qf162s4_pre_scalar", 20},
    {"req4_vec", 21},
    {"req4_scalar", 22},
    {"qf322b8_pre_vec", 23},
    {"qf322b8_pre_scalar", 24},
    {"qf322s4_pre_vec", 25},
    {"qf322s4_pre_scalar", 26},
    {"deqs16_vec", 27},
    {"deqs16_scalar", 28},
    {"qf162s16_pre_vec", 29},
    {"qf162s16_pre_scalar", 30},
    {"qf322f16_pre_vec", 31},
    {"qf322f16_pre_scalar", 32},
    {"qf322bf16_pre_vec", 33},
    {"qf322bf16_pre_scalar", 34},
    {"qs322bf16_pre_vec", 35},
    {"qs322bf16_pre_scalar", 36},
};
constexpr Cases kAccStoreSatMode = {
    {"sat", 0},
    {"nosat", 1},
    {"sat_preserve_nan", 2},
};
constexpr Cases kAccStoreUbDstMode = {
    {"single", 0},
    {"split_m", 1},
    {"split_n", 2},
};
constexpr Cases kAccToVecMode = {
    {"single_mode_vec0", 0},
    {"single_mode_vec1", 1},
    {"dual_mode_split_m", 2},
    {"dual_mode_split_n", 3},
};
constexpr Cases kAddressSpace = {
    {"zero", 0}, {"gm", 1},  {"mat", 2},  {"left", 3},    {"right", 4},
    {"acc", 5},  {"vec", 6}, {"bias", 7}, {"scaling", 8},
};
constexpr Cases kAtomicType = {
    {"atomic_none", 0},
    {"atomic_add", 1},
};
constexpr Cases kBlayout = {
    {"row_major", 0},
    {"col_major", 1},
};
constexpr Cases kCmp = {
    {"eq", 0}, {"ne", 1}, {"lt", 2}, {"le", 3}, {"gt", 4}, {"ge", 5},
};
constexpr Cases kCompactMode = {
    {"null", 0},
    {"normal", 1},
    {"row_plus_one", 2},
};
constexpr Cases kCubeLoadFracMode = {
    {"nd2nz", 0},
    {"dn2nz", 1},
};
constexpr Cases kEvent = {
    {"EVENT_ID0", 0}, {"EVENT_ID1", 1}, {"EVENT_ID2", 2}, {"EVENT_ID3", 3},
    {"EVENT_ID4", 4}, {"EVENT_ID5", 5}, {"EVENT_ID6", 6}, {"EVENT_ID7", 7},
};
constexpr Cases kKernelKind = {
    {"cube", 0},
    {"vector", 1},
};
constexpr Cases kGatherOob = {
    {"undefined", 0},
    {"clamp", 1},
    {"wrap", 2},
    {"zero", 3},
};
constexpr Cases kL1Cache = {
    {"uncache", 0},
    {"cache", 1},
};
constexpr Cases kLayout = {
    {"nd", 0}, {"dn", 1}, {"nz", 2}, {"mx_a_zz", 3}, {"mx_b_nn", 4},
};
constexpr Cases kLdL2Cache = {
    {"nmfv", 0},     {"nmlv", 1},   {"nmprs", 2}, {"nmpref", 3}, {"nakeep", 4},
    {"naclean", 5},  {"nadrop", 6}, {"idsfv", 8}, {"idslv", 9},  {"idsprs", 10},
    {"idspref", 11}, {"exfv", 12},  {"exlv", 13}, {"exprs", 14}, {"expref", 15},
};
constexpr Cases kMadSatMode = {
    {"sat", 0},
    {"nosat", 1},
};
constexpr Cases kMadUnitFlagMode = {
    {"check_only", 0},
    {"check_and_set", 1},
};
constexpr Cases kMaskPattern = {
    {"P0101", 1}, {"P1010", 2}, {"P0001", 3}, {"P0010", 4}, {"P0100", 5}, {"P1000", 6}, {"P1111", 7},
};
constexpr Cases kMembar = {
    {"VV_ALL", 0},  {"VST_VLD", 1}, {"VLD_VST", 2}, {"VST_VST", 3}, {"VS_ALL", 4},  {"VST_LD", 5},
    {"VLD_ST", 6},  {"VST_ST", 7},  {"SV_ALL", 8},  {"ST_VLD", 9},  {"LD_VST", 10}, {"ST_VST", 11},
    {"SS_ALL", 12}, {"ST_LD", 13},  {"LD_ST", 14},  {"ST_ST", 15},
};
constexpr Cases kNotifyOp = {
    {"atomic_add", 0},
    {"set", 1},
};
constexpr Cases kPadmode = {
    {"PadNull", 0},
    {"PadFirstElem", 1},
    {"PadValue", 2},
};
constexpr Cases kPadValue = {
    {"null", 0},
    {"zero", 1},
    {"max", 2},
    {"min", 3},
};
constexpr Cases kPipe = {
    {"PIPE_S", 0},
    {"PIPE_V", 1},
    {"PIPE_M", 2},
    {"PIPE_MTE1", 3},
    {"PIPE_MTE2", 4},
    {"PIPE_MTE3", 5},
    {"PIPE_ALL", 6},
    {"PIPE_MTE4", 7},
    {"PIPE_MTE5", 8},
    {"PIPE_V2", 9},
    {"PIPE_FIX", 10},
    {"VIRTUAL_PIPE_MTE2_L1A", 11},
    {"VIRTUAL_PIPE_MTE2_L1B", 12},
    {"PIPE_NUM", 13},
    {"PIPE_UNASSIGNED", 99},
    {"PIPE_CUBE", 2},
    {"PIPE_FIXP", 10},  // what the pages of mad call PIPE_M and PIPE_FIX
};
constexpr Cases kPrecisionMode = {
    {"DEFAULT", 0},
    {"HIGH_PRECISION", 1},
};
constexpr Cases kQuantType = {
    {"INT8_SYM", 0},
    {"INT8_ASYM", 1},
    {"MXFP8", 2},
    {"MXFP4_E2M1", 3},
};
constexpr Cases kReduceOp = {
    {"sum", 0},
    {"max", 1},
    {"min", 2},
};
constexpr Cases kReluPreMode = {
    {"no_relu", 0}, {"normal_relu", 1}, {"scalar_relu", 2}, {"vector_relu", 3}, {"pwl", 4},
};
constexpr Cases kRoundMode = {
    {"NONE", 0},       {"RINT", 1},      {"ROUND", 2},      {"FLOOR", 3},     {"CEIL", 4},
    {"TRUNC", 5},      {"ODD", 6},       {"CAST_RINT", 7},  {"CAST_NONE", 0}, {"CAST_ROUND", 2},
    {"CAST_FLOOR", 3}, {"CAST_CEIL", 4}, {"CAST_TRUNC", 5}, {"CAST_ODD", 6},
};
constexpr Cases kRounding = {
    {"r", 0}, {"a", 1}, {"f", 2}, {"c", 3}, {"z", 4}, {"o", 5}, {"h", 6},
};
constexpr Cases kSlayout = {
    {"none_box", 0},
    {"row_major", 1},
    {"col_major", 2},
};
constexpr Cases kStPhase = {
    {"unspecified", 0},
    {"partial", 2},
    {"final", 3},
};
constexpr Cases kSaturation = {
    {"nosat", 0},
    {"sat", 1},
};
constexpr Cases kSaturationMode = {
    {"ON", 0},
    {"OFF", 1},
};
constexpr Cases kScatterAtomicOp = {
    {"none", 0},
    {"add", 1},
    {"max", 2},
    {"min", 3},
};
constexpr Cases kScatterOob = {
    {"undefined", 0},
    {"skip", 1},
    {"clamp", 2},
    {"wrap", 3},
};
constexpr Cases kSignedness = {
    {"signed", 0},
    {"unsigned", 1},
};
constexpr Cases kStL2Cache = {
    {"nmfv", 0},   {"nmlv", 1},   {"nmprs", 2},   {"nmred", 3},   {"naci", 4},    {"napw", 5},
    {"napi", 6},   {"nared", 7},  {"wbhfv", 8},   {"wbhlv", 9},   {"wbhprs", 10}, {"wbhred", 11},
    {"wtsfv", 12}, {"wtslv", 13}, {"wtsprs", 14}, {"wtsred", 15},
};
constexpr Cases kSyncAllMode = {
    {"hard", 0},
    {"soft", 1},
};
constexpr Cases kSyncCoreType = {
    {"aiv_only", 0},
    {"aic_only", 1},
    {"mix", 2},
};
constexpr Cases kSyncOpType = {
    {"TLOAD", 0},    {"TSTORE_ACC", 1}, {"TSTORE_VEC", 2},      {"TMOV_M2L", 3},
    {"TMOV_M2S", 4}, {"TMOV_M2B", 5},   {"TMOV_M2V", 6},        {"TMOV_V2M", 7},
    {"TMATMUL", 8},  {"TVEC", 9},       {"TVECWAIT_EVENT", 10},
};
constexpr Cases kTf32Mode = {
    {"round_even", 0},
    {"round_away", 1},
};
constexpr Cases kAccStoreUnitFlag = {
    {"off", 0},
    {"check_only", 2},
    {"check_and_clear", 3},
};
constexpr Cases kWaitCmp = {
    {"eq", 0}, {"ne", 1}, {"gt", 2}, {"ge", 3}, {"lt", 4}, {"le", 5},
};
constexpr Cases kPipeLike = {
    {"PIPE_S", 0},     {"PIPE_V", 1},    {"PIPE_M", 2},     {"PIPE_MTE1", 3},      {"PIPE_MTE2", 4},
    {"PIPE_MTE3", 5},  {"PIPE_ALL", 6},  {"PIPE_MTE4", 7},  {"PIPE_MTE5", 8},      {"PIPE_V2", 9},
    {"PIPE_FIX", 10},  {"PIPE_CUBE", 2}, {"PIPE_FIXP", 10}, {"TLOAD", 4},          {"TSTORE_ACC", 10},
    {"TSTORE_VEC", 5}, {"TMOV_M2L", 3},  {"TMOV_M2S", 10},  {"TMOV_M2B", 3},       {"TMOV_M2V", 1},
    {"TMOV_V2M", 10},  {"TMATMUL", 2},   {"TVEC", 1},       {"TVECWAIT_EVENT", 1},
};
constexpr Cases kPat = {
    {"PAT_ALL", 0}, {"PAT_VL1", 1},  {"PAT_VL2", 2},  {"PAT_VL3", 3},  {"PAT_VL4", 4},
    {"PAT_VL8", 5}, {"PAT_VL16", 6}, {"PAT_VL32", 7}, {"PAT_VL64", 8}, {"PAT_VL128", 9},
    {"PAT_M3", 10}, {"PAT_M4", 11},  {"PAT_H", 12},   {"PAT_Q", 13},   {"PAT_ALLF", 15},
};
constexpr Cases kVldsDist = {
    {"NORM", 0},      {"BRC_B8", 1},       {"BRC_B16", 2},       {"BRC_B32", 3},   {"US_B8", 6},
    {"US_B16", 7},    {"DS_B8", 8},        {"DS_B16", 9},        {"UNPK_B8", 13},  {"UNPK_B16", 14},
    {"BRC_BLK", 15},  {"E2B_B16", 16},     {"E2B_B32", 17},      {"UNPK_B32", 18}, {"UNPK4", 20},
    {"SPLT4CHN", 21}, {"SPLT2CHN_B8", 22}, {"SPLT2CHN_B16", 23},
};
constexpr Cases kVldsx2Dist = {
    {"BDINTLV", 10},
    {"DINTLV_B8", 11},
    {"DINTLV_B16", 12},
    {"DINTLV_B32", 19},
};
constexpr Cases kVstsDist = {
    {"NORM_B8", 0},     {"NORM_B16", 1},    {"NORM_B32", 2},     {"1PT_B8", 3},  {"1PT_B16", 4},
    {"1PT_B32", 5},     {"PK_B16", 6},      {"PK_B32", 7},       {"PK_B64", 10}, {"PK4_B32", 12},
    {"MRG4CHN_B8", 13}, {"MRG2CHN_B8", 14}, {"MRG2CHN_B16", 15},
};
constexpr Cases kVstsx2Dist = {
    {"INTLV_B8", 8},
    {"INTLV_B16", 9},
    {"INTLV_B32", 11},
};
constexpr Cases kPldsDist = {
    {"NORM", 0},
    {"US", 1},
    {"DS", 2},
};
constexpr Cases kPstsDist = {
    {"NORM", 0},
    {"PK", 1},
};
constexpr Cases kPart = {
    {"LOWER", 0},
    {"HIGHER", 1},
};
constexpr Cases kPartEo = {
    {"EVEN", 0},
    {"ODD", 1},
    {"PART_EVEN", 0},
    {"PART_ODD", 1},
};
// P0 to P3 count quarters, EVEN and ODD halves: different values, so that one is not taken for the other.
constexpr Cases kCvtPart = {
    {"EVEN", 0},      {"ODD", 1},      {"P0", 4},      {"P1", 5},      {"P2", 6},      {"P3", 7},
    {"PART_EVEN", 0}, {"PART_ODD", 1}, {"PART_P0", 4}, {"PART_P1", 5}, {"PART_P2", 6}, {"PART_P3", 7},
};
constexpr Cases kRnd = {
    {"R", 0},       {"A", 1},       {"F", 2},       {"C", 3},       {"Z", 4},
    {"O", 5},       {"H", 6},       {"ROUND_R", 0}, {"ROUND_A", 1}, {"ROUND_F", 2},
    {"ROUND_C", 3}, {"ROUND_Z", 4}, {"ROUND_O", 5}, {"ROUND_H", 6},
};
constexpr Cases kBackend = {
    {"emitc", 0},
    {"vpto", 1},
};
constexpr Cases kSat = {
    {"NOSAT", 0},
    {"SAT", 1},
    {"RS_DISABLE", 0},
    {"RS_ENABLE", 1},
};
constexpr Cases kDupPosition = {
    {"LOWEST", 0},
    {"HIGHEST", 1},
};
constexpr Cases kPostUpdate = {
    {"NO_POST_UPDATE", 0},
    {"POST_UPDATE", 1},
};
constexpr Cases kSpr = {
    {"AR", 74},
};
constexpr Cases kFenceScope = {{"local_memory", 0}, {"gm", 1}, {"all", 2}};
constexpr Cases kDsbMem = {{"ALL", 0}, {"DDR", 1}, {"UB", 2}, {"SEQ", 3}};
constexpr Cases kDcciScope = {{"SINGLE_CACHE_LINE", 0}, {"ENTIRE_DATA_CACHE", 1}};
constexpr Cases kDcciDst = {
    {"CACHELINE_ALL", 0}, {"CACHELINE_UB", 1}, {"CACHELINE_OUT", 2}, {"CACHELINE_ATOMIC", 3}};
constexpr Cases kCiOrder = {
    {"ASC", 0},
    {"DESC", 1},
};
constexpr Cases kVcmpMode = {
    {"eq", 0}, {"ne", 1}, {"lt", 2}, {"le", 3}, {"gt", 4}, {"ge", 5},
};
constexpr EnumCase named(std::string_view name, CmpPredicate predicate) {
  return {name, static_cast<int64_t>(predicate)};
}
constexpr EnumCase named(std::string_view name, FloatPredicate predicate) {
  return {name, static_cast<int64_t>(predicate)};
}
constexpr Cases kCmpiPredicate = {
    named("eq", CmpPredicate::eq),   named("ne", CmpPredicate::ne),   named("slt", CmpPredicate::slt),
    named("sle", CmpPredicate::sle), named("sgt", CmpPredicate::sgt), named("sge", CmpPredicate::sge),
    named("ult", CmpPredicate::ult), named("ule", CmpPredicate::ule), named("ugt", CmpPredicate::ugt),
    named("uge", CmpPredicate::uge),
};
constexpr Cases kCmpfPredicate = {
    named("false", FloatPredicate::always_false),
    named("oeq", FloatPredicate::oeq),
    named("ogt", FloatPredicate::ogt),
    named("oge", FloatPredicate::oge),
    named("olt", FloatPredicate::olt),
    named("ole", FloatPredicate::ole),
    named("one", FloatPredicate::one),
    named("ord", FloatPredicate::ord),
    named("ueq", FloatPredicate::ueq),
    named("ugt", FloatPredicate::ugt),
    named("uge", FloatPredicate::uge),
    named("ult", FloatPredicate::ult),
    named("ule", FloatPredicate::ule),
    named("une", FloatPredicate::une),
    named("uno", FloatPredicate::uno),
    named("true", FloatPredicate::always_true),
};

constexpr Cases kPrecision = {
    {"default", 0},
    {"high_precision", 1},
};
constexpr Cases kCoalesce = {
    {"row", 0},
    {"elem", 1},
};
constexpr Cases kScatterConflict = {
    {"default", 0},
    {"last", 1},
};
constexpr Cases kPrintFormat = {
    {"width8_precision4", 0},
    {"width8_precision2", 1},
    {"width10_precision6", 2},
};
constexpr Cases kQuantScaleAlg = {
    {"ocp", 0},
    {"nv", 1},
};
constexpr Cases kMxGroupAxis = {
    {"axis0", 0},
    {"axis1", 1},
};
constexpr Cases kVecStoreMode = {
    {"nd", 0},
    {"nz", 1},
};
constexpr Cases kAccPhase = {
    {"unspecified", 0},
    {"partial", 2},
    {"final", 3},
};
constexpr Cases kTInsertMode = {
    {"split2", 2},
    {"split4", 3},
};
constexpr Cases kAxis = {
    {"row", 0},
    {"col", 1},
};
constexpr Cases kVmiPmode = {
    {"merge", 0},
    {"zero", 1},
};
constexpr Cases kVmiCmpPmode = {
    {"merge", 0},
    {"zeroing", 1},
};
constexpr Cases kVmiDist = {
    {"continuous", 0},
    {"unpack", 1},
    {"dintlv", 2},
    {"brc", 3},
};
constexpr Cases kVmiCmp = {
    {"eq", 0},  {"ne", 1},  {"lt", 2},  {"le", 3},  {"gt", 4},   {"ge", 5},
    {"oeq", 6}, {"one", 7}, {"olt", 8}, {"ole", 9}, {"ogt", 10}, {"oge", 11},
};
constexpr Cases kVmiRounding = {
    {"R", 0}, {"A", 1}, {"F", 2}, {"C", 3}, {"Z", 4}, {"H", 6},
};
constexpr Cases kVmiSaturate = {
    {"NOSAT", 0},
    {"SAT", 1},
};

// name                     cases                     style: how the printer writes it
constexpr EnumDomain kDomains[] = {
    {"acc_store_atomic_op", kAccStoreAtomicOp, EnumStyle::keyword},
    {"acc_store_atomic_type", kAccStoreAtomicType, EnumStyle::keyword},
    {"acc_store_mode", kAccStoreMode, EnumStyle::keyword},
    {"acc_store_quant_pre_mode", kAccStoreQuantPreMode, EnumStyle::keyword},
    {"acc_store_sat_mode", kAccStoreSatMode, EnumStyle::keyword},
    {"acc_store_ub_dst_mode", kAccStoreUbDstMode, EnumStyle::keyword},
    {"acc_to_vec_mode", kAccToVecMode, EnumStyle::dotted},
    {"address_space", kAddressSpace, EnumStyle::dotted},
    {"atomic_type", kAtomicType, EnumStyle::angle},
    {"blayout", kBlayout, EnumStyle::dotted},
    {"cmp", kCmp, EnumStyle::angle},
    {"compact_mode", kCompactMode, EnumStyle::dotted},
    {"cube_load_frac_mode", kCubeLoadFracMode, EnumStyle::keyword},
    {"dcci_dst", kDcciDst, EnumStyle::string},
    {"dcci_scope", kDcciScope, EnumStyle::string},
    {"dsb_mem", kDsbMem, EnumStyle::string},
    {"event", kEvent, EnumStyle::dotted},
    {"fence_scope", kFenceScope, EnumStyle::dotted},
    {"kernel_kind", kKernelKind, EnumStyle::dotted},
    {"gather_oob", kGatherOob, EnumStyle::angle},
    {"l1_cache", kL1Cache, EnumStyle::keyword},
    {"layout", kLayout, EnumStyle::dotted},
    {"ld_l2_cache", kLdL2Cache, EnumStyle::keyword},
    {"mad_sat_mode", kMadSatMode, EnumStyle::keyword},
    {"mad_unit_flag_mode", kMadUnitFlagMode, EnumStyle::keyword},
    {"mask_pattern", kMaskPattern, EnumStyle::dotted},
    {"membar", kMembar, EnumStyle::dotted},
    {"notify_op", kNotifyOp, EnumStyle::angle},
    {"padmode", kPadmode, EnumStyle::dotted},
    {"pad_value", kPadValue, EnumStyle::dotted},
    {"pipe", kPipe, EnumStyle::dotted},
    {"precision_mode", kPrecisionMode, EnumStyle::angle},
    {"quant_type", kQuantType, EnumStyle::angle},
    {"reduce_op", kReduceOp, EnumStyle::angle},
    {"relu_pre_mode", kReluPreMode, EnumStyle::angle},
    {"round_mode", kRoundMode, EnumStyle::angle},
    {"rounding", kRounding, EnumStyle::keyword},
    {"slayout", kSlayout, EnumStyle::dotted},
    {"st_phase", kStPhase, EnumStyle::angle},
    {"saturation", kSaturation, EnumStyle::keyword},
    {"saturation_mode", kSaturationMode, EnumStyle::angle},
    {"scatter_atomic_op", kScatterAtomicOp, EnumStyle::angle},
    {"scatter_oob", kScatterOob, EnumStyle::angle},
    {"signedness", kSignedness, EnumStyle::keyword},
    {"st_l2_cache", kStL2Cache, EnumStyle::keyword},
    {"sync_op_type", kSyncOpType, EnumStyle::dotted},
    {"tf32_mode", kTf32Mode, EnumStyle::keyword},
    {"acc_store_unit_flag", kAccStoreUnitFlag, EnumStyle::keyword},
    {"wait_cmp", kWaitCmp, EnumStyle::angle},
    {"pipe_like", kPipeLike, EnumStyle::string},
    {"pat", kPat, EnumStyle::string},
    {"vlds_dist", kVldsDist, EnumStyle::string},
    {"vldsx2_dist", kVldsx2Dist, EnumStyle::string},
    {"vsts_dist", kVstsDist, EnumStyle::string},
    {"vstsx2_dist", kVstsx2Dist, EnumStyle::string},
    {"plds_dist", kPldsDist, EnumStyle::string},
    {"psts_dist", kPstsDist, EnumStyle::string},
    {"part", kPart, EnumStyle::string},
    {"part_eo", kPartEo, EnumStyle::string},
    {"cvt_part", kCvtPart, EnumStyle::string},
    {"rnd", kRnd, EnumStyle::string},
    {"sat", kSat, EnumStyle::string},
    {"backend", kBackend, EnumStyle::string},
    {"dup_position", kDupPosition, EnumStyle::string},
    {"post_update", kPostUpdate, EnumStyle::string},
    {"spr", kSpr, EnumStyle::string},
    {"ci_order", kCiOrder, EnumStyle::string},
    {"vcmp_mode", kVcmpMode, EnumStyle::string},
    {"cmpi_predicate", kCmpiPredicate, EnumStyle::keyword},
    {"cmpf_predicate", kCmpfPredicate, EnumStyle::keyword},
    {"exp_precision", kPrecision, EnumStyle::angle},
    {"log_precision", kPrecision, EnumStyle::angle},
    {"sqrt_precision", kPrecision, EnumStyle::angle},
    {"rsqrt_precision", kPrecision, EnumStyle::angle},
    {"recip_precision", kPrecision, EnumStyle::angle},
    {"div_precision", kPrecision, EnumStyle::angle},
    {"rem_precision", kPrecision, EnumStyle::angle},
    {"fmod_precision", kPrecision, EnumStyle::angle},
    {"pow_precision", kPrecision, EnumStyle::angle},
    {"coalesce", kCoalesce, EnumStyle::angle},
    {"scatter_conflict", kScatterConflict, EnumStyle::angle},
    {"sync_all_mode", kSyncAllMode, EnumStyle::dotted},
    {"sync_core_type", kSyncCoreType, EnumStyle::dotted},
    {"print_format", kPrintFormat, EnumStyle::angle},
    {"quant_scale_alg", kQuantScaleAlg, EnumStyle::angle},
    {"mx_group_axis", kMxGroupAxis, EnumStyle::angle},
    {"vec_store_mode", kVecStoreMode, EnumStyle::angle},
    {"acc_phase", kAccPhase, EnumStyle::angle},
    {"tinsert_mode", kTInsertMode, EnumStyle::angle},
    {"axis", kAxis, EnumStyle::string},
    {"vmi_pmode", kVmiPmode, EnumStyle::string},
    {"vmi_cmp_pmode", kVmiCmpPmode, EnumStyle::string},
    {"vmi_dist", kVmiDist, EnumStyle::string},
    {"vmi_cmp", kVmiCmp, EnumStyle::string},
    {"vmi_cmpi", kCmpiPredicate, EnumStyle::string},
    {"vmi_rounding", kVmiRounding, EnumStyle::string},
    {"vmi_saturate", kVmiSaturate, EnumStyle::string},
};

}  // namespace

std::span<const EnumDomain> enum_domains() { return kDomains; }

uint64_t enums_hash() {
  static constexpr uint64_t kHash = layout_hash(std::span<const EnumDomain>(kDomains));
  return kHash;
}

const EnumDomain* find_enum(std::string_view name) {
  const auto* found = std::ranges::find(kDomains, name, &EnumDomain::name);
  return found == std::end(kDomains) ? nullptr : found;
}

const EnumCase* find_case(const EnumDomain& domain, std::string_view name) {
  const auto found = std::ranges::find(domain.cases, name, &EnumCase::name);
  return found == domain.cases.end() ? nullptr : &*found;
}

std::string_view case_name(const EnumDomain& domain, int64_t value) {
  const auto found = std::ranges::find(domain.cases, value, &EnumCase::value);
  return found == domain.cases.end() ? std::string_view{} : found->name;
}

}  // namespace pto::isa
