// Communication between devices. Not executed yet.
// Columns: see src/isa/row.hpp. One row per line. The scalar unit starts the transfers and waits for them.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
constexpr std::string_view kSession = "($scratch, $workspace : type($scratch), type($workspace)) {attrs} -> type($session)";
constexpr std::string_view kAsyncCopy =
    "($dst, $src, $session : type($dst), type($src), type($session)) {attrs} -> type($event)";
constexpr std::string_view kAsyncEvent = "($event, $session : type($event), type($session)) {attrs} -> type($completed)";
constexpr std::string_view kCopy =
    "($dst, $src, buf($ping (, $pong)?) : type($dst), type($src), type($ping) (, type($pong))?) {attrs}";
constexpr std::string_view kFromRoot =
    "($src, recv($ping (, $pong)?), group($group) : type($src), type($ping) (, type($pong))? (, type($group))?) {attrs}";
constexpr std::string_view kToRoot =
    "($dst, recv($ping (, $pong)?), group($group) : type($dst), type($ping) (, type($pong))? (, type($group))?) {attrs}";
constexpr std::string_view kReduce =
    "($dst, $acc, recv($recvPing (, $recvPong)?), group($group) : "
    "type($dst), type($acc), type($recvPing) (, type($recvPong))? (, type($group))?) {attrs}";

// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view results, std::string_view attrs,
                     std::string_view syntax, std::string_view rules, std::string_view cost, std::string_view doc) {
  return {name, Layer::system, operands, results, attrs, syntax, "", "", rules, "S", cost, kNoVecScope | kNotExecuted, doc};
}

constexpr Row kRows[] = {
    //     name                            operands                                                                                                                           results                  attrs                                                                                         syntax                                                                            rules             cost                        doc
    row_of("pto.comm.build_async_session", "scratch:tile|memref=tmp workspace:ptr|memref",                                                                                    "session:async_session", "sync_id:i32? block_bytes:i64? comm_block_offset:i64? queue_num:i32? channel_group_idx:i64?", kSession,                                                                         "async_session",  "comm.build_async_session", "a session of asynchronous transfers"),
    row_of("pto.comm.tput_async",          "dst:view|tview|memref=out src:view|tview|memref session:async_session",                                                           "event:async_event",     "",                                                                                           kAsyncCopy,                                                                       "async_transfer", "comm.tput_async",          "starts a copy to another device"),
    row_of("pto.comm.tget_async",          "dst:view|tview|memref=out src:view|tview|memref session:async_session",                                                           "event:async_event",     "",                                                                                           kAsyncCopy,                                                                       "async_transfer", "comm.tget_async",          "starts a copy from another device"),
    row_of("pto.comm.wait_async_event",    "event:async_event session:async_session",                                                                                         "completed:i1",          "",                                                                                           kAsyncEvent,                                                                      "",               "comm.wait_async_event",    "waits until a transfer is done"),
    row_of("pto.comm.test_async_event",    "event:async_event session:async_session",                                                                                         "completed:i1",          "",                                                                                           kAsyncEvent,                                                                      "",               "comm.test_async_event",    "whether a transfer is done"),
    row_of("pto.build_async_session",      "scratch:tile|memref=tmp workspace:ptr|memref",                                                                                    "session:async_session", "sync_id:i32? block_bytes:i64? comm_block_offset:i64? queue_num:i32? channel_group_idx:i64?", kSession,                                                                         "async_session",  "comm.build_async_session", "older name: a session of asynchronous transfers"),
    row_of("pto.tput_async",               "dst:view|tview|memref=out src:view|tview|memref session:async_session",                                                           "event:async_event",     "",                                                                                           kAsyncCopy,                                                                       "async_transfer", "comm.tput_async",          "older name: starts a copy to another device"),
    row_of("pto.tget_async",               "dst:view|tview|memref=out src:view|tview|memref session:async_session",                                                           "event:async_event",     "",                                                                                           kAsyncCopy,                                                                       "async_transfer", "comm.tget_async",          "older name: starts a copy from another device"),
    row_of("pto.wait_async_event",         "event:async_event session:async_session",                                                                                         "completed:i1",          "",                                                                                           kAsyncEvent,                                                                      "",               "comm.wait_async_event",    "older name: waits until a transfer is done"),
    row_of("pto.test_async_event",         "event:async_event session:async_session",                                                                                         "completed:i1",          "",                                                                                           kAsyncEvent,                                                                      "",               "comm.test_async_event",    "older name: whether a transfer is done"),
    row_of("pto.comm.tput",                "dst:view|tview|memref=out src:view|tview|memref ping:tile|memref=inout pong:tile|memref?=inout",                                  "",                      "atomicType:atomic_type=atomic_none",                                                         kCopy,                                                                            "comm_copy",      "comm.tput",                "copies to another device through tiles in UB"),
    row_of("pto.comm.tget",                "dst:view|tview|memref=out src:view|tview|memref ping:tile|memref=inout pong:tile|memref?=inout",                                  "",                      "",                                                                                           kCopy,                                                                            "comm_copy",      "comm.tget",                "copies from another device through tiles in UB"),
    row_of("pto.comm.tnotify",             "signal:view|tview|memref=inout value:i32",                                                                                        "",                      "notifyOp:notify_op",                                                                         "($signal, $value : type($signal), type($value)) {attrs}",                        "comm_signal",    "comm.tnotify",             "sets a signal of another device, or adds to it"),
    row_of("pto.comm.twait",               "signal:view|tview|memref cmpValue:i32",                                                                                           "",                      "cmp:wait_cmp",                                                                               "($signal, $cmpValue : type($signal), type($cmpValue)) {attrs}",                  "comm_signal",    "comm.twait",               "waits until the signals compare"),
    row_of("pto.comm.ttest",               "signal:view|tview|memref cmpValue:i32",                                                                                           "result:i1",             "cmp:wait_cmp",                                                                               "($signal, $cmpValue : type($signal), type($cmpValue)) {attrs} -> type($result)", "comm_signal",    "comm.ttest",               "whether the signals compare"),
    row_of("pto.comm.tbroadcast",          "src:view|tview|memref ping:tile|memref=inout pong:tile|memref?=inout group:view|tview|memref*=out",                               "",                      "root:i32",                                                                                   kFromRoot,                                                                        "comm_group",     "comm.tbroadcast",          "the root sends src to all of the group"),
    row_of("pto.comm.tscatter",            "src:view|tview|memref ping:tile|memref=inout pong:tile|memref?=inout group:view|tview|memref*=out",                               "",                      "root:i32",                                                                                   kFromRoot,                                                                        "comm_group",     "comm.tscatter",            "the root sends each of the group its part of src"),
    row_of("pto.comm.tgather",             "dst:view|tview|memref=out ping:tile|memref=inout pong:tile|memref?=inout group:view|tview|memref*",                               "",                      "root:i32",                                                                                   kToRoot,                                                                          "comm_group",     "comm.tgather",             "the root puts what the group has into dst"),
    row_of("pto.comm.treduce",             "dst:view|tview|memref=out acc:tile|memref=inout recvPing:tile|memref=inout recvPong:tile|memref?=inout group:view|tview|memref*", "",                      "reduceOp:reduce_op root:i32",                                                                kReduce,                                                                          "comm_group",     "comm.treduce",             "the root combines what the group has in dst"),
};
// clang-format on

}  // namespace

std::span<const Row> comm_rows() { return kRows; }

}  // namespace pto::isa
