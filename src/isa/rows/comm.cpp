// Communication between devices. Executed within one device, whose windows are those of all.
// Columns: see src/isa/row.hpp. The scalar unit starts the transfers and waits for them.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr std::string_view kSession =
    "($scratch, $workspace : type($scratch), type($workspace)) {attrs} -> type($session)";
constexpr std::string_view kAsyncCopy =
    "($dst, $src, $session : type($dst), type($src), type($session)) {attrs} -> type($event)";
constexpr std::string_view kAsyncEvent =
    "($event, $session : type($event), type($session)) {attrs} -> type($completed)";
constexpr std::string_view kCopy =
    "($dst, $src, buf($ping (, $pong)?) : type($dst), type($src), type($ping) (, type($pong))?) {attrs}";
constexpr std::string_view kFromRoot =
    "($src, recv($ping (, $pong)?), group($group) : type($src), type($ping) (, type($pong))? (, "
    "type($group))?) {attrs}";

constexpr Row kShared = {.pipe = "S", .cost = "comm.", .scope = Scope::outside, .layer = Layer::system};

constexpr Row session(Row own) {
  return inherit(
      {.operands = "scratch:tile|memref=tmp workspace:ptr|memref",
       .results = "session:async_session",
       .attrs = "sync_id:i32? block_bytes:i64? comm_block_offset:i64? queue_num:i32? channel_group_idx:i64?",
       .syntax = kSession,
       .rules = "async_session not_vpto "
                "silent:sync_id,block_bytes,comm_block_offset,queue_num,channel_group_idx"},
      own);
}
constexpr Row async_copy(Row own) {
  return inherit({.operands = "dst:view|tview|memref=out src:view|tview|memref session:async_session",
                  .results = "event:async_event",
                  .syntax = kAsyncCopy,
                  .rules = "async_transfer"},
                 own);
}
constexpr Row async_event(Row own) {
  return inherit({.operands = "event:async_event session:async_session",
                  .results = "completed:i1",
                  .syntax = kAsyncEvent},
                 own);
}
constexpr Row from_root(Row own) {
  return inherit({.operands = "src:view|tview|memref ping:tile|memref=inout pong:tile|memref?=inout "
                              "group:view|tview|memref*=out",
                  .attrs = "root:i32",
                  .syntax = kFromRoot},
                 own);
}

constexpr Row kRows[] = {
    session({.name = "pto.comm.build_async_session", .doc = "a session of asynchronous transfers"}),
    async_copy({.name = "pto.comm.tput_async", .doc = "starts a copy to another device"}),
    async_copy({.name = "pto.comm.tget_async", .doc = "starts a copy from another device"}),
    async_event({.name = "pto.comm.wait_async_event", .doc = "waits until a transfer is done"}),
    async_event({.name = "pto.comm.test_async_event", .doc = "whether a transfer is done"}),
    session({.name = "pto.build_async_session", .doc = "older name: a session of asynchronous transfers"}),
    async_copy({.name = "pto.tput_async", .doc = "older name: starts a copy to another device"}),
    async_copy({.name = "pto.tget_async", .doc = "older name: starts a copy from another device"}),
    async_event({.name = "pto.wait_async_event", .doc = "older name: waits until a transfer is done"}),
    async_event({.name = "pto.test_async_event", .doc = "older name: whether a transfer is done"}),
    {.name = "pto.comm.tput",
     .doc = "copies to another device through tiles in UB",
     .operands =
         "dst:view|tview|memref=out src:view|tview|memref ping:tile|memref=inout pong:tile|memref?=inout",
     .attrs = "atomicType:atomic_type=atomic_none",
     .syntax = kCopy,
     .rules = "comm_copy "
              // pto-isa comm/a2a3/TPut.hpp:50-55, 290-371, and comm/a5: EVENT_ID1
              // of pong, and of a long transfer without pong too; PTOAS SyncMacroModel.
              "events:MTE2>MTE3=0;MTE3>MTE2=0 reserves:MTE2>MTE3=1;MTE3>MTE2=1"},
    {.name = "pto.comm.tget",
     .doc = "copies from another device through tiles in UB",
     .operands =
         "dst:view|tview|memref=out src:view|tview|memref ping:tile|memref=inout pong:tile|memref?=inout",
     .syntax = kCopy,
     .rules = "comm_copy "
              // pto-isa comm/a2a3/TGet.hpp:50-55, 301-355, and comm/a5: EVENT_ID1
              // of pong, and of a long transfer without pong too; PTOAS SyncMacroModel.
              "events:MTE2>MTE3=0;MTE3>MTE2=0 reserves:MTE2>MTE3=1;MTE3>MTE2=1"},
    {.name = "pto.comm.tnotify",
     .doc = "sets a signal of another device, or adds to it",
     .operands = "signal:view|tview|memref=inout value:i32",
     .attrs = "notifyOp:notify_op",
     .syntax = "($signal, $value : type($signal), type($value)) {attrs}",
     .rules = "comm_signal"},
    {.name = "pto.comm.twait",
     .doc = "waits until the signals compare",
     .operands = "signal:view|tview|memref cmpValue:i32",
     .attrs = "cmp:wait_cmp",
     .syntax = "($signal, $cmpValue : type($signal), type($cmpValue)) {attrs}",
     .rules = "comm_signal"},
    {.name = "pto.comm.ttest",
     .doc = "whether the signals compare",
     .operands = "signal:view|tview|memref cmpValue:i32",
     .results = "result:i1",
     .attrs = "cmp:wait_cmp",
     .syntax = "($signal, $cmpValue : type($signal), type($cmpValue)) {attrs} -> type($result)",
     .rules = "comm_signal"},
    from_root({.name = "pto.comm.tbroadcast",
               .doc = "the root sends src to all of the group",
               .rules = "comm_group:one_shape "
                        // pto-isa comm/a2a3/TBroadCast.hpp:43-50, 212-312, and comm/a5: EVENT_ID1
                        // of pong; PTOAS SyncMacroModel.
                        "events:MTE2>MTE3=0;MTE3>MTE2=0 reserves:MTE2>MTE3=1;MTE3>MTE2=1@pong"}),
    from_root({.name = "pto.comm.tscatter",
               .doc = "the root sends each of the group its part of src",
               .rules = "comm_group "
                        // pto-isa comm/a2a3/TScatter.hpp:57-61, 249-309, and comm/a5: EVENT_ID1
                        // of pong; PTOAS SyncMacroModel.
                        "events:MTE2>MTE3=0;MTE3>MTE2=0 reserves:MTE2>MTE3=1;MTE3>MTE2=1@pong"}),
    {.name = "pto.comm.tgather",
     .doc = "the root puts what the group has into dst",
     .operands =
         "dst:view|tview|memref=out ping:tile|memref=inout pong:tile|memref?=inout group:view|tview|memref*",
     .attrs = "root:i32",
     .syntax = "($dst, recv($ping (, $pong)?), group($group) : type($dst), type($ping) (, type($pong))? (, "
               "type($group))?) {attrs}",
     .rules = "comm_group "
              // pto-isa comm/a2a3/TGather.hpp:55-61, 254-313, and comm/a5: EVENT_ID1
              // of pong; PTOAS SyncMacroModel.
              "events:MTE2>MTE3=0;MTE3>MTE2=0 reserves:MTE2>MTE3=1;MTE3>MTE2=1@pong"},
    {.name = "pto.comm.treduce",
     .doc = "the root combines what the group has in dst",
     .operands = "dst:view|tview|memref=out acc:tile|memref=inout recvPing:tile|memref=inout "
                 "recvPong:tile|memref?=inout group:view|tview|memref*",
     .attrs = "reduceOp:reduce_op root:i32",
     .syntax = "($dst, $acc, recv($recvPing (, $recvPong)?), group($group) : type($dst), type($acc), "
               "type($recvPing) (, type($recvPong))? (, type($group))?) {attrs}",
     .rules = "comm_group "
              // pto-isa comm/a2a3/TReduce.hpp:61-143, 298-377: the last flag of every form; the others depend
              // on how many there are. PTOAS SyncMacroModel reserves each pair with every id.
              "events:MTE3>MTE2=0 reserves:MTE2>MTE3=0,1;MTE3>MTE2=1;MTE2>V=0,1;V>MTE2=0,1;V>MTE3=0,1 "
              "reserves:MTE2>MTE3=2;MTE3>MTE2=2;MTE2>V=2;V>MTE2=2;V>MTE3=2@recvPong"},
    {.name = "pto.make_prefetch_async_context",
     .doc = "a context of asynchronous prefetches",
     .operands = "workspace:ptr",
     .results = "ctx:prefetch_context",
     .syntax = "($workspace : type($workspace)) {attrs} -> type($ctx)",
     .types = both("i8"),
     .rules = "gm:workspace",
     .cost = "comm.build_async_session"},
    {.name = "pto.get_prefetch_async_session",
     .doc = "the session of a prefetch context",
     .operands = "ctx:prefetch_context",
     .results = "session:async_session",
     .syntax = "list",
     .cost = "scalar"},
    {.name = "pto.tprefetch_async",
     .doc = "starts to bring a window of GM into the L2 cache",
     .operands = "src:view|tview ctx:prefetch_context",
     .results = "event:async_event",
     .syntax = "($src, $ctx : type($src), type($ctx)) {attrs} -> type($event)",
     .rules = "async_source",
     .cost = "comm.tput_async"},
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows comm_rows() { return complete<kTable>(); }

}  // namespace pto::isa
