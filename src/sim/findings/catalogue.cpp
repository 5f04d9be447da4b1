// Over 500 lines: one list of rules, each with its words and a program that shows it.
#include "sim/findings/catalogue.hpp"

#include <deque>
#include <string>
#include <vector>

namespace pto::sim {
namespace {

const std::string kLoad =
    "  pto.mte_gm_ub %a, %u, %c0, %c256 nburst(%c1, %c256, %c256)\n"
    "    : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64\n";
const std::string kStore =
    "  pto.mte_ub_gm %u, %o, %c256 nburst(%c1, %c256, %c256)\n"
    "    : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64\n";

/// Rules show texts; those of programs that are put together here live as long as the rules.
std::string_view kept(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

/// A vector kernel around `body`: `a` and `o` hold 64 floats each, and so does the place of %u.
std::string_view vector_kernel(const std::string& body) {
  return kept(R"(func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>)
    attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c256 = arith.constant 256 : i64
  %i0 = arith.constant 0 : index
  %i9 = arith.constant 9 : index
  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
)" + body + "  return\n}");
}

/// A launch of 64 threads around `body`; %tid is the thread's number, and %at the same as an index.
std::string_view thread_kernel(const std::string& body) {
  return kept(R"(module attributes {pto.target_arch = "a5"} {
func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>)
    attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : i64
  %n = arith.constant 64 : i32
  %one = arith.constant 1 : i32
  %u = pto.castptr %c0 : i64 -> !pto.ptr<i32, ub>
  pto.simt_launch @body<<<%n, %one, %one>>>(%u) : (!pto.ptr<i32, ub>) -> ()
  return
}
func.func @body(%u: !pto.ptr<i32, ub>) attributes {pto.simt_entry} {
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %tid = pto.get_tid_x : i32
  %at = arith.index_cast %tid : i32 to index
)" + body + "  return\n}\n}");
}

std::string_view both_kinds(const std::string& cube, const std::string& vector) {
  return kept(R"(func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>) attributes {pto.kernel} {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i16 = arith.constant 16 : index
  pto.section.cube {
)" + cube + "  }\n  pto.section.vector {\n" +
              vector + "  }\n  return\n}");
}

std::string_view endless(const std::string& body) {
  return vector_kernel(
      "  %true = arith.constant true\n  scf.while : () -> () {\n    scf.condition(%true)\n  } do {\n" + body +
      "    scf.yield\n  }\n");
}

/// A kernel whose word `%s` other devices notify; `%n` is that of another one.
std::string ranks_kernel(const std::string& body) {
  return R"(module attributes {pto.target_arch = "a5"} {
func.func @k(%s: !pto.ptr<i32>, %n: !pto.ptr<i32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %sv = pto.make_tensor_view %s, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
  %nv = pto.make_tensor_view %n, shape = [%c1], strides = [%c1] : !pto.tensor_view<?xi32>
  %own = pto.partition_view %sv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !pto.partition_tensor_view<1xi32>
  %other = pto.partition_view %nv, offsets = [%c0], sizes = [%c1] : !pto.tensor_view<?xi32> -> !pto.partition_tensor_view<1xi32>
)" + body +
         "  return\n}\n}";
}

const std::string kSetAndWait =
    "  pto.comm.tnotify(%other, %one : !pto.partition_tensor_view<1xi32>, i32) {notifyOp = #pto<notify_op "
    "set>}\n"
    "  pto.comm.twait(%own, %one : !pto.partition_tensor_view<1xi32>, i32) {cmp = #pto<wait_cmp ge>}\n";
const std::string kReusedBarrier = ranks_kernel(kSetAndWait + kSetAndWait);
/// Several devices have the same `%n`.
const std::string kOneWordForAll = ranks_kernel(
    "  pto.comm.tnotify(%other, %one : !pto.partition_tensor_view<1xi32>, i32) {notifyOp = #pto<notify_op "
    "set>}\n");

const std::string kUntold = ranks_kernel(
    "  pto.store_scalar %one, %n[%c0] : !pto.ptr<i32>, i32\n"
    "  %x = pto.load_scalar %s[%c0] : !pto.ptr<i32> -> i32\n"
    "  pto.store_scalar %x, %s[%c1] : !pto.ptr<i32>, i32\n");

const std::string kQueueLeft =
    R"(module attributes {pto.target_arch = "a5"} {
  func.func @k_aic(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>)
      attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
    %z = arith.constant 0 : i32
    %p = arith.constant 0 : i64
    %q = pto.import_reserved_buffer {name = "q", peer_func = @k_aiv} -> i32
    pto.aic_initialize_pipe {dir_mask = 1, slot_size = 1024} (c2v_consumer_buf = %q : i32, v2c_consumer_buf = %z : i32)
    %t = pto.alloc_tile addr = %p : !pto.tile_buf<acc, 16x16xf32>
    pto.tpush_to_aiv(%t : !pto.tile_buf<acc, 16x16xf32>) {split = 0}
    return
  }
  func.func @k_aiv(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>)
      attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    %z = arith.constant 0 : i32
    %false = arith.constant false
    %q = pto.reserve_buffer {name = "q", size = 8192, location = #pto.address_space<vec>, auto = false, base = 0} -> i32
    pto.aiv_initialize_pipe {dir_mask = 1, slot_size = 1024} (c2v_consumer_buf = %q : i32, v2c_consumer_buf = %z : i32)
    scf.if %false {
      %t = pto.tpop_from_aic {split = 0} -> !pto.tile_buf<vec, 16x16xf32>
      pto.tfree_from_aic {split = 0}
    }
    return
  }
})";

const std::string kBarrier = "    pto.barrier #pto.pipe<PIPE_ALL>\n";

std::vector<Rule> flag_rules() {
  return {
      {.id = FindingId::deadlock,
       .cause = "No core or pipe can continue: a wait without a set, a cycle of waits, or a full queue. The "
                "finding lists the waits, the set that did not run, and the reason.",
       .example =
           vector_kernel(kLoad + "  pto.wait_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n" + kStore),
       .fix = "Set every flag that is waited for, under the same pipes and id, on every path that leads to "
              "the wait."},
      {.id = FindingId::event_id,
       .cause = "A flag or signal id that is computed at run time does not exist on the target.",
       .example = vector_kernel("  pto.set_flag_dyn [#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_MTE3>, %i9]\n"),
       .fix = "Keep the id below the count of ids that the message gives."},
      {.id = FindingId::flag_double,
       .cause =
           "A flag is set again before a wait has taken the set before. Flags of the chips keep both sets "
           "(docs/decisions.md), while the vendor's page requires pairs of set and wait: a warning that "
           "-Wdouble-set shows. Where the configuration says machine.flags = \"bit\" the second set is "
           "lost, which is an error.",
       .example = vector_kernel("  pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
                                "  pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
                                "  pto.barrier #pto.pipe<PIPE_ALL>\n"
                                "  pto.wait_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"),
       .fix = "Wait between the two sets, or hold the setting pipe back with a flag in the other direction."},
      {.id = FindingId::flag_reuse,
       .cause =
           "A flag is set again and the pipe that sets it does not know that the wait has taken the set "
           "before: no "
           "flag, barrier or signal leads from that wait to this set. When the waiting pipe is late, the "
           "flag holds two sets (-Wdouble-set). With machine.flags = \"bit\" the second one is lost and a "
           "wait "
           "hangs, which is an error.",
       .example = vector_kernel(kLoad +
                                "  pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
                                "  pto.wait_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n" +
                                kLoad +
                                "  pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
                                "  pto.wait_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n" +
                                kStore),
       .fix = "Use another event id, or order the set after the wait with a flag in the other direction."},
      {.id = FindingId::flag_overflow,
       .cause = "A flag has 15 pending sets, the most that it can count, and is set again before a wait has "
                "taken one. No source documents the behaviour of a chip; here the setting pipe waits. If it "
                "waits for ever, the finding is DEADLOCK.",
       .example =
           vector_kernel("  %i1 = arith.constant 1 : index\n  %i16 = arith.constant 16 : index\n" + kStore +
                         "  scf.for %i = %i0 to %i16 step %i1 {\n"
                         "    pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n  }\n"
                         "  scf.for %i = %i0 to %i16 step %i1 {\n"
                         "    pto.wait_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n  }\n"),
       .fix = "Hold the setting pipe back with a flag in the other direction."},
      {.id = FindingId::flag_key,
       .cause = "Two flags that differ in their source pipe only are pending together. On A2/A3 and A5 these "
                "are two flags. The target cpu is no machine, so --mode check reports that a machine may "
                "have one flag for both.",
       .example = vector_kernel("  pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
                                "  pto.set_flag[\"PIPE_V\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
                                "  pto.barrier #pto.pipe<PIPE_ALL>\n"
                                "  pto.wait_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
                                "  pto.wait_flag[\"PIPE_V\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"),
       .fix = "Give the flags into one pipe ids of their own."},
      {.id = FindingId::flag_left,
       .cause = "A flag is still set when the kernel ends. The next kernel on the core finds it set.",
       .example = vector_kernel(kLoad + "  pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"),
       .fix = "Give every set_flag its wait_flag."},
      {.id = FindingId::buf_left,
       .cause = "A pipe got a buffer id more often than it released it, or the other way round.",
       .example = vector_kernel("  pto.get_buf \"PIPE_MTE2\", 3, 0\n" + kLoad),
       .fix = "Give every get_buf its rls_buf."},
      {.id = FindingId::buf_double,
       .cause = "A pipe gets a buffer id that it holds already. One release belongs to one get.",
       .example =
           vector_kernel("  pto.get_buf \"PIPE_MTE2\", 3, 0\n  pto.get_buf \"PIPE_MTE2\", 3, 0\n" + kLoad +
                         "  pto.rls_buf \"PIPE_MTE2\", 3, 0\n  pto.rls_buf \"PIPE_MTE2\", 3, 0\n"),
       .fix = "Release the id before it is got again."},
      {.id = FindingId::cross_left,
       .cause = "Signals between cores are pending when the kernel ends: no wait has taken them.",
       .example = both_kinds("    pto.sync.set <PIPE_FIX>, 1\n", ""),
       .fix = "Wait as often as the id is signalled."},
      {.id = FindingId::cross_order,
       .cause = "Two pipes of a core signal one id, or wait for it, and the two are not ordered. A wait "
                "takes the oldest signal, and which signal is the oldest depends on timing. So the work that "
                "precedes the wait also depends on timing. The check follows the order of this run.",
       .example = both_kinds("    pto.sync.set <PIPE_FIX>, 1\n    pto.sync.set <PIPE_MTE2>, 1\n", ""),
       .fix = "Give each of the two an id of its own, or order the pipes with a flag."},
      {.id = FindingId::cross_overflow,
       .cause =
           "The counter of a cross-core id is full: 15 signals are pending, and one more is lost. Or that "
           "happens under another timing: the signal is not ordered after the wait for the signal 15 before.",
       .example = both_kinds(
           "    scf.for %i = %i0 to %i16 step %i1 {\n      pto.sync.set <PIPE_FIX>, 1\n    }\n", ""),
       .fix = "Hold the signalling core back with a signal in the other direction."},
  };
}

std::vector<Rule> queue_rules() {
  return {
      {.id = FindingId::queue_left,
       .cause = "Entries of a tile queue were sent, and not received before the kernel ended. On hardware "
                "the sender waits at its end until their slots are free again, and hangs.",
       .example = kept(kQueueLeft),
       .fix = "Receive as many entries as are sent."},
  };
}

std::vector<Rule> memory_rules() {
  return {
      {.id = FindingId::align,
       .cause = "An address that is known at run time only is not aligned as the instruction needs it.",
       .example = vector_kernel(kLoad + R"(  pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.vecscope {
    %four = arith.constant 4 : i32
    %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %offsets = pto.vbr %four : i32 -> !pto.vreg<64xi32>
    %v = pto.vgatherb %u, %offsets, %all : !pto.ptr<f32, ub>, )"
                                        R"(!pto.vreg<64xi32>, !pto.mask<b32> -> !pto.vreg<64xf32>
  }
)"),
       .fix = "Use addresses and offsets that are multiples of the size in the message."},
      {.id = FindingId::bounds,
       .cause = "An access is outside the kernel's argument or the on-chip memory; the message says by how "
                "many bytes. An access that begins inside its buffer is carried out up to the end of the "
                "buffer; one that begins outside is not. Gather indices beyond the source tile are a "
                "warning: the chip reads the bytes there, the run takes 0 or keeps the old value.",
       .example = vector_kernel(
           "  %end = arith.constant 262080 : i64\n  %v = pto.castptr %end : i64 -> !pto.ptr<f32, ub>\n"
           "  pto.mte_gm_ub %a, %v, %c0, %c256 nburst(%c1, %c256, %c256)\n"
           "    : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64\n"),
       .fix = "Correct the address, the offsets or the sizes; the last iteration of a loop often has a "
              "shorter part. Keep the indices of a gather within the table, or use gatherOob."},
      {.id = FindingId::race,
       .cause = "Two accesses to the same bytes, one of them a write, and no flag, barrier, token or "
                "signal orders them. That both vector cores of a cluster write the same bytes is a warning.",
       .example = vector_kernel(kLoad + kStore),
       .fix = "Add the flag that the message names, or give the accesses separate bytes."},
      {.id = FindingId::thread_race,
       .cause = "Two threads of a SIMT launch access the same bytes, one of them changes them, and the two "
                "are not ordered. Threads of one warp run in lock step; warps are ordered by "
                "pto.syncthreads, or by atomics with a fence on both sides. Atomics do not race with each "
                "other, nor does a write of the same value.",
       .example = thread_kernel("  %low = arith.addi %tid, %c32 : i32\n"
                                "  %other = arith.remui %low, %c64 : i32\n"
                                "  %from = arith.index_cast %other : i32 to index\n"
                                "  pto.store %tid, %u[%at] : !pto.ptr<i32, ub>, i32\n"
                                "  %v = pto.load %u[%from] : !pto.ptr<i32, ub> -> i32\n"),
       .fix = "Put pto.syncthreads between the two accesses, or update with atomics."},
      {.id = FindingId::thread_barrier,
       .cause =
           "Threads of a SIMT launch wait at pto.syncthreads, and others have ended or wait at another one. "
           "The run goes on as if all had met.",
       .example = thread_kernel("  %low = arith.cmpi ult, %tid, %c32 : i32\n"
                                "  scf.if %low {\n    pto.syncthreads\n  }\n"),
       .fix = "Move the barrier out of the branch, so that every thread comes to it."},
      {.id = FindingId::mem_bar,
       .cause = "A vector function accesses bytes of UB again that one of its own instructions wrote (or "
                "writes bytes that it read), and no mem_bar is between the two. Its loads and stores start "
                "when their registers are ready, not in program order. A store of a loaded value follows the "
                "load. Between logical vectors (pto.vmi), which run in program order, this is a warning, "
                "because their compiler needs the mem_bar.",
       .example = vector_kernel(kLoad + R"(  pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.vecscope {
    %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %v = pto.vlds %u[%i0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
    %w = pto.vadd %v, %v, %all : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
    pto.vsts %w, %u[%i0], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
    %x = pto.vlds %u[%i0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
  }
)"),
       .fix = "Put pto.mem_bar of the kind the finding names between the two accesses."},
      {.id = FindingId::overlap,
       .cause = "Two tiles or pointers share bytes by mistake. One of them is read after all bytes that were "
                "written through it have been overwritten through the other one, before any read of them. "
                "One overwritten part is enough if the two overlap partially, or if a transfer loaded the "
                "bytes from GM. Other forms: a computation reads bytes through one of them and overwrites a "
                "part of them through the other, and both parts are read together; or every byte that is "
                "read through one of them was also written through it, so the two need no shared bytes, and "
                "one reads bytes of the other; or bytes that are written through one of them are never read, "
                "while the other one is never written and reads bytes of others. Intended aliases are not "
                "reported: a name that is read before it is written, such as rows of a tile, and a name that "
                "is written and read only through the other one.",
       .example = vector_kernel("  %v = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>\n" + kLoad +
                                R"(  pto.mte_gm_ub %o, %v, %c0, %c256 nburst(%c1, %c256, %c256)
    : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
  pto.set_flag["PIPE_MTE2", "PIPE_MTE3", "EVENT_ID0"]
  pto.wait_flag["PIPE_MTE2", "PIPE_MTE3", "EVENT_ID0"]
)" + kStore + R"(  pto.mte_ub_gm %v, %o, %c256 nburst(%c1, %c256, %c256)
    : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64
)"),
       .fix = "Give the two separate addresses."},
      {.id = FindingId::shape,
       .cause = "An argument is given as an array of two dimensions, and the kernel views it as one whose "
                "rows have "
                "another length. Views that are larger than their array are notes of BOUNDS.",
       .example = R"(func.func @k(%a: !pto.ptr<f32>) attributes {pto.kernel} {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %v = pto.make_tensor_view %a, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
  return
}
and --arg a=f32[64x16])",
       .fix = "Give the argument the shape that the kernel expects."},
      {.id = FindingId::unwritten,
       .cause =
           "The kernel writes an argument that it does not read, and leaves some of its elements unchanged. "
           "Most often it was launched with too few blocks. Arguments that a case compares or fills, and "
           "those that the kernel also reads, are not reported. An argument that is written to a file or "
           "compared, and that is not filled, is also reported if the kernel writes nothing of it.",
       .example = R"(func.func @k(%o: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1.0 : f32
  %v = pto.make_tensor_view %o, shape = [%c8, %c32], strides = [%c32, %c1] : !pto.tensor_view<?x?xf32>
  %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c8, %c32] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<8x32xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x32xf32>
  pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 8x32xf32>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 8x32xf32>) outs(%w : !pto.partition_tensor_view<8x32xf32>)
  return
}
and --arg o=f32[16x32])",
       .fix = "Launch as many blocks as the kernel divides its work into."},
      {.id = FindingId::layout,
       .cause = "A tile is written in one layout (boxes, columns, rows) and read in another one, through a "
                "second tile at the same address with the same extents: the elements are in another order. "
                "The result of pto.treshape is no second tile, and boxes that are read as their transposed "
                "kind are a transposition.",
       .example = R"(func.func @k(%a: !pto.ptr<f32>, %o: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0 : i64
  %v = pto.make_tensor_view %a, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>
  %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c8, %c8] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<8x8xf32>
  %ov = pto.make_tensor_view %o, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>
  %ow = pto.partition_view %ov, offsets = [%c0, %c0], sizes = [%c8, %c8] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<8x8xf32>
  %x = pto.alloc_tile addr = %z : !pto.tile_buf<vec, 8x8xf32, blayout=col_major>
  %y = pto.alloc_tile addr = %z : !pto.tile_buf<vec, 8x8xf32>
  pto.tload ins(%w : !pto.partition_tensor_view<8x8xf32>) outs(%x : !pto.tile_buf<vec, 8x8xf32, blayout=col_major>)
  pto.barrier #pto.pipe<PIPE_ALL>
  pto.tstore ins(%y : !pto.tile_buf<vec, 8x8xf32>) outs(%ow : !pto.partition_tensor_view<8x8xf32>)
  return
})",
       .fix = "Give both tiles one layout, or move the one into the other."},
      {.id = FindingId::clobbered,
       .cause = "Bytes are read that an instruction has used for intermediate values: its scratch tile, the "
                "bytes that it writes after it, or a source that it overwrites. They have no defined value "
                "until they are written again.",
       .example = R"(module attributes {pto.target_arch = "a2a3"} {
func.func @k(%a: !pto.ptr<i32>, %o: !pto.ptr<i32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %at0 = arith.constant 0 : i64
  %at32 = arith.constant 32 : i64
  %at64 = arith.constant 64 : i64
  %at128 = arith.constant 128 : i64
  %v = pto.make_tensor_view %a, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xi32>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c8]
    : !pto.tensor_view<1x8xi32> -> !pto.partition_tensor_view<1x8xi32>
  %w = pto.make_tensor_view %o, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xi32>
  %q = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%c1, %c8]
    : !pto.tensor_view<1x8xi32> -> !pto.partition_tensor_view<1x8xi32>
  %x = pto.alloc_tile addr = %at0 : !pto.tile_buf<vec, 1x8xi32>
  %y = pto.alloc_tile addr = %at32 : !pto.tile_buf<vec, 1x8xi32>
  %t = pto.alloc_tile addr = %at64 : !pto.tile_buf<vec, 2x8xi32>
  %r = pto.alloc_tile addr = %at128 : !pto.tile_buf<vec, 1x8xi32>
  pto.tload ins(%p : !pto.partition_tensor_view<1x8xi32>) outs(%x : !pto.tile_buf<vec, 1x8xi32>)
  pto.tload ins(%p : !pto.partition_tensor_view<1x8xi32>) outs(%y : !pto.tile_buf<vec, 1x8xi32>)
  pto.barrier <PIPE_ALL>
  pto.trem ins(%x, %y, %t : !pto.tile_buf<vec, 1x8xi32>, !pto.tile_buf<vec, 1x8xi32>, !pto.tile_buf<vec, 2x8xi32>)
    outs(%r : !pto.tile_buf<vec, 1x8xi32>)
  pto.barrier <PIPE_ALL>
  pto.tstore ins(%y : !pto.tile_buf<vec, 1x8xi32>) outs(%q : !pto.partition_tensor_view<1x8xi32>)
  return
}
})",
       .fix =
           "Copy the source before, load it again, or give the scratch tile bytes that nothing else needs."},
      {.id = FindingId::window,
       .cause = "A window begins or ends outside of the extents that the program gives its view. As long as "
                "it stays inside the buffer it reads or writes bytes of other rows; BOUNDS is reported if it "
                "leaves the buffer. If constants alone show it, it is E0362.",
       .example = R"(func.func @k(%a: !pto.ptr<f32>, %o: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %block = pto.get_block_idx
  %at = arith.index_cast %block : i64 to index
  %n = arith.addi %at, %c1 : index
  %v = pto.make_tensor_view %a, shape = [%c4, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>
  %w = pto.partition_view %v, offsets = [%n, %c0], sizes = [%c4, %c8] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<4x8xf32>
  return
})",
       .fix = "Cut the window off at the end of the view, or declare the view as large as it is."},
      {.id = FindingId::stale,
       .cause =
           "Scalar loads and stores access GM through a data cache with lines of 64 bytes, which is not "
           "coherent: a load hits a line from before the write of a pipe or of another core, or another "
           "reader accesses memory before a store has left the cache. A barrier or a flag does not change "
           "that. A write over such a store, which the cache may write back later, is a warning. So is a "
           "load of bytes that were written since the kernel began, if their line was not dropped.",
       .example = vector_kernel("  %one = arith.constant 1.0 : f32\n"
                                "  pto.store_scalar %one, %a[%i0] : !pto.ptr<f32, gm>, f32\n"
                                "  pto.barrier #pto.pipe<PIPE_ALL>\n" +
                                kLoad),
       .fix = "Write back and drop the line (pto.cmo.cacheinvalid, pto.dcci) behind the store or in front of "
              "the load, or go past the cache (pto.ld_dev, pto.st_dev)."},
      {.id = FindingId::uninit,
       .cause = "Uninitialised bytes are read. It is a warning if only some of them are uninitialised, or if "
                "they are only moved; it is an error if a case compares a value that depends on them.",
       .example = vector_kernel(kStore),
       .fix = "Load or fill the bytes before; give arguments that are read contents."},
      {.id = FindingId::mismatch,
       .cause = "An output differs from the expected values of the case. The message gives the element, the "
                "difference and the last writer.",
       .example = "[[arg]]\nname = \"o\"\ndtype = \"f32\"\nshape = [64]\noutput = \"o.npy\"\nexpect = "
                  "\"golden.npy\"",
       .fix = "Correct the kernel, the expectation, or the tolerance under `compare`."},
  };
}

std::vector<Rule> value_rules() {
  return {
      {.id = FindingId::div_zero,
       .cause = "An integer is divided by zero. The result is 0.",
       .example = vector_kernel("  %x = arith.divsi %c1, %c0 : i64\n"),
       .fix = "Guard the division."},
      {.id = FindingId::operand,
       .cause = "A run-time value is not valid for the instruction: a value that does not fit its field, a "
                "control register that still holds the value of an earlier kernel, bursts of one transfer "
                "that are written to the same bytes.",
       .example = vector_kernel("  pto.trap\n"),
       .fix = "Correct the value; the message names the allowed values."},
      {.id = FindingId::assertion,
       .cause = "The condition of a cf.assert does not hold. The run ends there.",
       .example = vector_kernel("  %block = pto.get_block_idx\n  %odd = arith.cmpi eq, %block, %c1 : i64\n"
                                "  cf.assert %odd, \"an odd block\"\n"),
       .fix = "The message gives the form that the program expects."},
      {.id = FindingId::inexact,
       .cause =
           "On A2/A3 trem and trems compute i32 through f32, which is exact within -2^24..2^24, and an "
           "operand lies beyond. The simulator is exact everywhere. Where the operand is known before "
           "the run, W0386 says so. Of f32 they give a - floor(a / b) * b with each step rounded, as the "
           "simulator does, too. Where the quotient is large that is no remainder: it is not between 0 "
           "and the divisor, or further from the exact one than a 256th of the divisor.",
       .example = kept(R"(module attributes {pto.target_arch = "a3"} {
  func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>) attributes {pto.kernel} {
    %at = arith.constant 0 : i64
    %big = arith.constant 16777217 : i64
    %block = pto.get_block_idx
    %sum = arith.addi %block, %big : i64
    %x = arith.trunci %sum : i64 to i32
    %t = pto.alloc_tile addr = %at : !pto.tile_buf<vec, 8x8xi32>
    pto.texpands ins(%x : i32) outs(%t : !pto.tile_buf<vec, 8x8xi32>)
    pto.barrier #pto.pipe<PIPE_V>
    pto.trems ins(%t, %x : !pto.tile_buf<vec, 8x8xi32>, i32) outs(%t : !pto.tile_buf<vec, 8x8xi32>)
    return
  }
})"),
       .fix = "Keep integers within -16777216..16777216, and quotients of floats below 65536."},
      {.id = FindingId::unsupported,
       .cause = "An operand has a value at run time that the simulator does not implement.",
       .example = vector_kernel(kLoad + R"(  pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.vecscope {
    %v = pto.vlds %u[%i0] {dist = "SPLT4CHN"} : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
  }
)"),
       .fix = "Use another form of the instruction; the message names the missing feature."},
      {.id = FindingId::time_data,
       .cause = "A run without data (--mode time) came to a branch, a loop bound, a flag id or an extent "
                "that depends on memory.",
       .example = vector_kernel("  %v = pto.load_scalar %a[%i0] : !pto.ptr<f32, gm> -> f32\n"
                                "  %z = arith.constant 0.0 : f32\n"
                                "  %big = arith.cmpf ogt, %v, %z : f32\n"
                                "  scf.if %big {\n    pto.barrier #pto.pipe<PIPE_ALL>\n  }\n"),
       .fix = "Run with --mode run, and give the arguments contents."},
  };
}

std::vector<Rule> end_rules() {
  return {
      {.id = FindingId::hang,
       .cause = "A loop of the scalar unit ran 2^28 steps and queued nothing.",
       .example = endless(""),
       .fix = "Check the condition that ends the loop."},
      {.id = FindingId::loop_step,
       .cause = "The step of an scf.for is zero or negative.",
       .example = vector_kernel(
           "  %b = pto.get_block_idx\n  %bi = arith.index_cast %b : i64 to index\n"
           "  %step = arith.subi %bi, %i9 : index\n  scf.for %i = %i0 to %i9 step %step {\n  }\n"),
       .fix = "Make the step positive."},
      {.id = FindingId::max_cycles,
       .cause = "The run was stopped at the limit of --max-cycles.",
       .example = endless(kBarrier),
       .fix = "Raise the limit, or look why the kernel takes so long."},
      {.id = FindingId::max_instructions,
       .cause = "The run was stopped at the limit of --max-instructions.",
       .example = endless(kBarrier),
       .fix = "Raise the limit, or look which loop does not end."},
      {.id = FindingId::unproved,
       .cause = "The proof engine cannot decide whether the kernel is free of deadlocks and races for every "
                "input, because of this statement: data controls the order, iterations do not become "
                "periodic, or there are too many input values to try.",
       .example = vector_kernel("  %n = pto.load_scalar %a[%i0] : !pto.ptr<f32, gm> -> f32\n"
                                "  %z = arith.constant 0.0 : f32\n"
                                "  %more = arith.cmpf ogt, %n, %z : f32\n"
                                "  scf.if %more {\n" +
                                kBarrier + "  }\n"),
       .fix = "Let parameters decide, or check the inputs that matter with runs."},
      {.id = FindingId::signal_stale,
       .cause = "Of several devices: the condition of a wait has been true since an earlier wait passed, so "
                "it does not wait for later notifications. Example: a barrier that is used again with the "
                "same value, or with one that is not greater.",
       .example = kReusedBarrier,
       .fix = "Wait for a value that grows with every use, or reset the word before it is used again."},
      {.id = FindingId::signal_lost,
       .cause = "Of several devices: a notify that sets a word overwrites a notification of another device "
                "for which no wait has passed. Or a notify overwrites the value that a wait needs, and is "
                "not ordered after this wait: with a late wait it hangs.",
       .example = kOneWordForAll,
       .fix = "Give every sender a word of its own, or let all of them add to one (atomic_add). Wait with >= "
              "for values that grow."},
      {.id = FindingId::rank_race,
       .cause =
           "Of several devices: one accesses bytes that another one accesses as well, one of them writes, "
           "and no notify that is waited for orders the two. Sums may come in any order.",
       .example = kUntold,
       .fix = "Notify after the access that comes first (pto.comm.tnotify), and wait for it before the other "
              "one (pto.comm.twait); or use separate buffers, for example one for odd and one for even "
              "iterations."},
      {.id = FindingId::interrupted,
       .cause = "The run was ended from outside (SIGINT). The report covers the time before.",
       .example = endless(kBarrier),
       .fix = "Let it run to the end."},
  };
}

}  // namespace

std::span<const Rule> run_time_rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> list;
    for (auto* part : {flag_rules, queue_rules, memory_rules, value_rules, end_rules}) {
      for (Rule& rule : part()) {
        rule.title = entry(rule.id).title;
        list.push_back(rule);
      }
    }
    return list;
  }();
  return all;
}

}  // namespace pto::sim
