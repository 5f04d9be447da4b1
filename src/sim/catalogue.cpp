#include "sim/catalogue.hpp"

#include <algorithm>
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

/// A vector kernel around `body`: `a` and `o` hold 64 floats each, and so does the place of %u.
std::string vector_kernel(const std::string& body) {
  return R"(func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>)
    attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c256 = arith.constant 256 : i64
  %i0 = arith.constant 0 : index
  %i9 = arith.constant 9 : index
  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
)" + body +
         "  return\n}";
}

std::string both_kinds(const std::string& cube, const std::string& vector) {
  return R"(func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>) attributes {pto.kernel} {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i16 = arith.constant 16 : index
  pto.section.cube {
)" + cube +
         "  }\n  pto.section.vector {\n" + vector + "  }\n  return\n}";
}

std::string endless(const std::string& body) {
  return vector_kernel("  %true = arith.constant true\n  scf.while : () -> () {\n    scf.condition(%true)\n  } do {\n" +
                       body + "    scf.yield\n  }\n");
}

const std::string kBarrier = "    pto.barrier #pto.pipe<PIPE_ALL>\n";

struct Draft {
  std::string_view id, title, cause;
  std::string example;
  std::string_view fix;
  Weight weight = Weight::error;
};

std::vector<Draft> flag_drafts() {
  return {
      {"DEADLOCK", "deadlock",
       "Nothing can move: a wait whose set does not come, a circle of waits, or a full queue. The finding tells who waits "
       "for "
       "what, which set did not run, and why.",
       vector_kernel(kLoad + "  pto.wait_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n" + kStore),
       "Set every flag that is waited for, under the same pipes and id, on every path that leads to the wait."},
      {"EVENT-ID", "event id out of range", "A flag or signal id that is computed at run time does not exist on the target.",
       vector_kernel("  pto.set_flag_dyn [#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_MTE3>, %i9]\n"),
       "Keep the id below the number of ids that the message names."},
      {"FLAG-DOUBLE", "doubled set",
       "A flag is set again before a wait has taken the set before. Where a flag is one bit the second set is lost.",
       vector_kernel("  pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
                     "  pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
                     "  pto.barrier #pto.pipe<PIPE_ALL>\n"
                     "  pto.wait_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"),
       "Wait between the two sets, or hold the setting pipe back with a flag in the other direction.", Weight::warning},
      {"FLAG-KEY", "flag key",
       "Two flags that differ in their source pipe only are pending together. On a2a3 and a5 these are two flags; the "
       "target "
       "cpu stands for no machine, so --mode check says that another one may take them for one.",
       vector_kernel("  pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
                     "  pto.set_flag[\"PIPE_V\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
                     "  pto.barrier #pto.pipe<PIPE_ALL>\n"
                     "  pto.wait_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
                     "  pto.wait_flag[\"PIPE_V\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"),
       "Give the flags into one pipe ids of their own.", Weight::warning},
      {"FLAG-LEFT", "flag left over", "A flag is still set when the kernel ends. The next kernel on the core finds it set.",
       vector_kernel(kLoad + "  pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"),
       "Give every set_flag its wait_flag."},
      {"BUF-LEFT", "buffer id not released", "A pipe got a buffer id more often than it released it.",
       vector_kernel("  pto.get_buf \"PIPE_MTE2\", 3, 0\n" + kLoad), "Give every get_buf its rls_buf.", Weight::warning},
      {"CROSS-LEFT", "signal left", "Signals between cores that nobody waited for are left when the kernel ends.",
       both_kinds("    pto.sync.set <PIPE_FIX>, 1\n", ""), "Wait as often as the id is signalled.", Weight::warning},
      {"CROSS-OVERFLOW", "too many signals",
       "The counter of a cross-core id is full: 15 signals wait, and one more is lost.",
       both_kinds("    scf.for %i = %i0 to %i16 step %i1 {\n      pto.sync.set <PIPE_FIX>, 1\n    }\n", ""),
       "Hold the signalling core back with a signal in the other direction."},
  };
}

std::vector<Draft> memory_drafts() {
  return {
      {"ALIGN", "misaligned access", "An address that is known at run time only is not aligned as the instruction needs it.",
       vector_kernel(kLoad + R"(  pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.vecscope {
    %four = arith.constant 4 : i32
    %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %offsets = pto.vbr %four : i32 -> !pto.vreg<64xi32>
    %v = pto.vgatherb %u, %offsets, %all : !pto.ptr<f32, ub>, !pto.vreg<64xi32>, !pto.mask<b32> -> !pto.vreg<64xf32>
  }
)"),
       "Use addresses and offsets that are multiples of what the message names."},
      {"BOUNDS", "access out of bounds",
       "An access lies outside of the kernel's argument or of the on-chip memory, and by how much. Nothing is read or "
       "written.",
       vector_kernel("  %end = arith.constant 262080 : i64\n  %v = pto.castptr %end : i64 -> !pto.ptr<f32, ub>\n"
                     "  pto.mte_gm_ub %a, %v, %c0, %c256 nburst(%c1, %c256, %c256)\n"
                     "    : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64\n"),
       "Correct the address, the offsets or the sizes; a last part of a loop is often shorter than the others."},
      {"RACE", "race",
       "Two accesses to the same bytes, one of them a write, and no flag, barrier, token or signal orders them. That both "
       "vector cores of a cluster write the same bytes is a warning.",
       vector_kernel(kLoad + kStore), "Add the flag that the message names, or give the accesses separate bytes.",
       Weight::either},
      {"UNINIT", "uninitialised read",
       "Bytes are read that nothing wrote. It is a warning where only some of them are missing, and where they are only "
       "moved.",
       vector_kernel(kStore), "Load or fill the bytes before; give arguments that are read contents.", Weight::either},
      {"MISMATCH", "mismatch", "An output differs from what the case expects: where, by how much, and what wrote it last.",
       "[[arg]]\nname = \"o\"\ndtype = \"f32\"\nshape = [64]\noutput = \"o.npy\"\nexpect = \"golden.npy\"",
       "Correct the kernel, the expectation, or the tolerance under `compare`."},
  };
}

std::vector<Draft> value_drafts() {
  return {
      {"DIV-ZERO", "division by zero", "An integer is divided by zero. The result is 0.",
       vector_kernel("  %x = arith.divsi %c1, %c0 : i64\n"), "Guard the division."},
      {"OPERAND", "operand without a meaning", "A value that is known at run time only has no meaning for the instruction.",
       vector_kernel("  pto.trap\n"), "Correct the value; the message names what is allowed."},
      {"UNSUPPORTED", "unsupported at run time", "What an operand asks for at run time is not implemented by the simulator.",
       vector_kernel(kLoad + R"(  pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.vecscope {
    %v = pto.vlds %u[%i0] {dist = "SPLT4CHN"} : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
  }
)"),
       "Use another form of the instruction; the message names what is missing."},
      {"TIME-DATA", "needs data",
       "A run without data (--mode time) came to a branch, a loop bound, a flag id or an extent that depends on memory.",
       vector_kernel("  %v = pto.load_scalar %a[%i0] : !pto.ptr<f32, gm> -> f32\n"
                     "  %z = arith.constant 0.0 : f32\n"
                     "  %big = arith.cmpf ogt, %v, %z : f32\n"
                     "  scf.if %big {\n    pto.barrier #pto.pipe<PIPE_ALL>\n  }\n"),
       "Run with --mode run, and give the arguments contents."},
  };
}

std::vector<Draft> end_drafts() {
  return {
      {"HANG", "endless loop", "A loop of the scalar unit ran 2^28 steps and queued nothing.", endless(""),
       "Check what ends the loop."},
      {"LOOP-STEP", "step of a loop", "The step of an scf.for is zero or negative.",
       vector_kernel("  %step = arith.subi %i0, %i9 : index\n  scf.for %i = %i0 to %i9 step %step {\n  }\n"),
       "Make the step positive."},
      {"MAX-CYCLES", "limit of cycles", "The run was stopped at the limit of --max-cycles.", endless(kBarrier),
       "Raise the limit, or look why the kernel takes so long."},
      {"MAX-INSTRUCTIONS", "limit of instructions", "The run was stopped at the limit of --max-instructions.",
       endless(kBarrier), "Raise the limit, or look which loop does not end."},
      {"INTERRUPTED", "interrupted", "The run was ended from outside (SIGINT). What is reported is about the time before.",
       endless(kBarrier), "Let it run to the end."},
  };
}

const std::vector<Draft>& drafts() {
  static const std::vector<Draft> all = [] {
    std::vector<Draft> list;
    for (auto* part : {flag_drafts, memory_drafts, value_drafts, end_drafts}) {
      for (Draft& draft : part()) list.push_back(std::move(draft));
    }
    return list;
  }();
  return all;
}

}  // namespace

std::span<const Rule> run_time_rules() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> list;
    for (const Draft& draft : drafts()) list.push_back({draft.id, draft.title, draft.cause, draft.example, draft.fix});
    return list;
  }();
  return rules;
}

Weight weight_of(std::string_view id) {
  const auto found = std::ranges::find(drafts(), id, &Draft::id);
  return found == drafts().end() ? Weight::error : found->weight;
}

}  // namespace pto::sim
