// Flags, barriers, buffer tokens, cross-core synchronisation.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view results, std::string_view attrs,
                     std::string_view syntax, std::string_view a2a3, std::string_view rules, std::string_view pipe,
                     std::string_view cost, uint32_t flags, std::string_view doc) {
  return {name, Layer::sync, operands, results, attrs, syntax, a2a3, "", rules, pipe, cost, flags, doc};
}

constexpr Row kRows[] = {
    //     name                         operands                             results         attrs                                                     syntax                                                   a2a3  rules           pipe          cost                      flags                       doc
    row_of("pto.set_flag",              "",                                  "",             "src_pipe:pipe dst_pipe:pipe event_id:event",             "[$src_pipe, $dst_pipe, $event_id] {attrs}",             "",   "pipe_pair",    "@src_pipe",  "sync.set_flag",          kNoVecScope,                "sets a flag when all older work of src_pipe is done"),
    row_of("pto.wait_flag",             "",                                  "",             "src_pipe:pipe dst_pipe:pipe event_id:event",             "[$src_pipe, $dst_pipe, $event_id] {attrs}",             "",   "pipe_pair",    "@dst_pipe",  "sync.wait_flag",         kNoVecScope,                "stalls dst_pipe until the flag is set, then clears it"),
    row_of("pto.set_flag_dyn",          "event_id:index|int",                "",             "src_pipe:pipe dst_pipe:pipe",                            "[$src_pipe, $dst_pipe, $event_id] {attrs}",             "",   "pipe_pair",    "@src_pipe",  "sync.set_flag_dyn",      kNoVecScope,                "set_flag with a run-time event"),
    row_of("pto.wait_flag_dyn",         "event_id:index|int",                "",             "src_pipe:pipe dst_pipe:pipe",                            "[$src_pipe, $dst_pipe, $event_id] {attrs}",             "",   "pipe_pair",    "@dst_pipe",  "sync.wait_flag_dyn",     kNoVecScope,                "wait_flag with a run-time event"),
    row_of("pto.record_event",          "",                                  "",             "src_op:sync_op_type dst_op:sync_op_type event_id:event", "[$src_op, $dst_op, $event_id] {attrs}",                 "",   "",             ":src_op",    "sync.record_event",      kNoVecScope,                "set_flag named by operation kinds"),
    row_of("pto.wait_event",            "",                                  "",             "src_op:sync_op_type dst_op:sync_op_type event_id:event", "[$src_op, $dst_op, $event_id] {attrs}",                 "",   "",             ":dst_op",    "sync.wait_event",        kNoVecScope,                "wait_flag named by operation kinds"),
    row_of("pto.barrier",               "",                                  "",             "pipe:pipe",                                              "$pipe {attrs}",                                         "",   "barrier_pipe", "@pipe",      "sync.barrier",           kNoVecScope,                "a pipe, or all, finishes older work first"),
    row_of("pto.pipe_barrier",          "",                                  "",             "pipe:pipe",                                              "$pipe {attrs}",                                         "",   "barrier_pipe", "@pipe",      "sync.pipe_barrier",      kNoVecScope,                "same as pto.barrier"),
    row_of("pto.barrier_sync",          "",                                  "",             "op_type:sync_op_type",                                   "[$op_type] {attrs}",                                    "",   "",             ":op_type",   "sync.barrier_sync",      kNoVecScope,                "barrier named by an operation kind"),
    row_of("pto.get_buf",               "",                                  "",             "op_type:pipe_like buf_id:i32 mode:i32=0",                "@custom:get_buf",                                       "-",  "buf_id",       "@op_type",   "sync.get_buf",           kNoVecScope,                "waits until older owners released a buffer id"),
    row_of("pto.rls_buf",               "",                                  "",             "op_type:pipe_like buf_id:i32 mode:i32=0",                "@custom:get_buf",                                       "-",  "buf_id",       "@op_type",   "sync.rls_buf",           kNoVecScope,                "releases a buffer id when the pipe gets there"),
    row_of("pto.declare_eventid_array", "",                                  "array:any",    "",                                                       "{attrs} -> type($array)",                               "",   "",             "S",          "scalar",                 kNoVecScope,                "an array of event ids"),
    row_of("pto.eventid_array_get",     "array:any index:index",             "result:index", "",                                                       "$array[$index] {attrs} : type($array)",                 "",   "",             "S",          "scalar",                 kNoVecScope,                "an element of the array"),
    row_of("pto.eventid_array_set",     "array:any index:index value:index", "",             "",                                                       "$array[$index], $value {attrs} : type($array)",         "",   "",             "S",          "scalar",                 kNoVecScope,                "changes an element of the array"),
    row_of("pto.sync.set",              "event_id_dyn:index|int?",           "",             "pipe:pipe event_id:i32? ffts_mode:i32?",                 "@custom:sync",                                          "",   "cross_core",   "@pipe",      "sync.sync.set",          kNoVecScope,                "signals the other cores of the cluster"),
    row_of("pto.sync.wait",             "event_id_dyn:index|int?",           "",             "pipe:pipe event_id:i32?",                                "@custom:sync",                                          "",   "cross_core",   ":sync_wait", "sync.sync.wait",         kNoVecScope,                "waits for the other cores of the cluster"),
    row_of("pto.set_ffts",              "ffts:memref|ptr",                   "",             "",                                                       "list",                                                  "",   "",             "S",          "scalar",                 kNoVecScope,                "base address of the cross-core counters"),
    row_of("pto.set_cross_core",        "core_id:i64 event_id:i64",          "",             "",                                                       "$core_id, $event_id : type($core_id), type($event_id)", "",   "",             "S",          "sync.set_cross_core",    kNoVecScope | kNotExecuted, "older spelling of pto.sync.set"),
    row_of("pto.set_intra_block",       "pipe:i64 sem_id:i64",               "",             "",                                                       "$pipe, $sem_id : type($pipe), type($sem_id)",           "",   "",             "S",          "sync.set_intra_block",   kNoVecScope | kNotExecuted, "older spelling of pto.sync.set"),
    row_of("pto.wait_flag_dev",         "event_id:i64",                      "",             "",                                                       "$event_id : type($event_id)",                           "",   "",             "S",          "sync.wait_flag_dev",     kNoVecScope | kNotExecuted, "older spelling of pto.sync.wait"),
    row_of("pto.wait_intra_core",       "pipe:i64 sem_id:i64",               "",             "",                                                       "$pipe, $sem_id : type($pipe), type($sem_id)",           "",   "",             "S",          "sync.wait_intra_core",   kNoVecScope | kNotExecuted, "older spelling of pto.sync.wait"),
    row_of("pto.tsync",                 "events:any*",                       "",             "",                                                       "ins($events : type($events)) {attrs}",                  "",   "",             "S",          "sync.tsync",             kNoVecScope | kNotExecuted, "waits for the writers of the operands"),
    row_of("pto.syncall",               "",                                  "",             "core_type:string? mode:string?",                         "list",                                                  "",   "",             "@all",       "sync.syncall",           kNoVecScope | kNotExecuted, "all blocks meet"),
    row_of("pto.syncthreads",           "",                                  "",             "",                                                       "list",                                                  "-",  "",             "S",          "sync.syncthreads",       kNotExecuted,               "SIMT thread synchronisation"),
    row_of("pto.threadfence",           "",                                  "",             "",                                                       "list",                                                  "-",  "",             "S",          "sync.threadfence",       kNotExecuted,               "SIMT thread synchronisation"),
    row_of("pto.threadfence_block",     "",                                  "",             "",                                                       "list",                                                  "-",  "",             "S",          "sync.threadfence_block", kNotExecuted,               "SIMT thread synchronisation"),
};
// clang-format on

}  // namespace

std::span<const Row> sync_rows() { return kRows; }

}  // namespace pto::isa
