// A loaded kernel: what the engine runs. The structured stream of a Program becomes, per kind of core, a flat
// list of Code with jump targets, frames with fixed offsets (functions do not recurse), and for each queued
// instruction the list of words that are captured when it issues.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "exec/exec_context.hpp"
#include "exec/instruction_phases.hpp"
#include "ir/accumulator_flag.hpp"
#include "ir/hardware_lanes.hpp"
#include "pto/program.hpp"
#include "sim/engine/iteration_vector.hpp"

namespace pto::sim {

enum class OpCode : uint8_t {
  // scalar unit and vector functions
  exec,            ///< run `inst`
  exec_timed,      ///< run `inst` at its simulated time: it touches memory that other pipes see
  phase,           ///< what the scalar unit does of an instruction: `phases` [inst]; takes no time
  exec_lanes,      ///< of threads: run `inst` once for all active lanes of a warp
  thread_barrier,  ///< of threads: until all threads of the launch are here
  thread_fence,    ///< of threads: accesses before it are before those behind it
  move,            ///< copies [a, b), as if all at once
  jump,            ///< to target
  branch_false,    ///< to target when word a is 0
  for_test,        ///< to target when not (word a < word b), signed; word c is the step
  branch_differs,  ///< to target when word a is not word b
  memory_barrier,  ///< in a vector function
  check,           ///< a finding when word a is 0
  for_next,        ///< word a += word c; to target
  next_iteration,  ///< of scf.while: ++word a; to target
  call,
  ret,   ///< ret goes to the position kept in word a
  halt,  ///< end of the kernel, or of a vector function
  fail,  ///< a finding: the program needs what this mode does not know (a data value)
  // entries of a queue, or their scalar counterparts
  enqueue,  ///< `queued`
  vector_function,
  set_flag,
  wait_flag,  ///< lanes src, dst; id, or word a when kDynamicId
  barrier,
  barrier_all,
  get_buf,
  rls_buf,  ///< id, mode b
  sync_set,
  sync_wait,  ///< id, or word a when kDynamicId; mode b
  meet,       ///< counts in GM at word a until word b (~0: absent) cores, or c per block (0: all), are there
};

/// Who hears a signal between cores, and when.
enum SignalMode : uint32_t {
  kAllOfKind,      ///< every core of the kind, when all have signalled
  kVectorPair,     ///< the vector cores of a block, when both have signalled
  kCubeAndVector,  ///< both vector cores; or the cube core, when both have signalled
  kOneToOne,       ///< A5: one vector core by its id, or the cube core
};

enum BytecodeFlag : uint16_t {
  kDynamicId = 1,
  kUnknown = 2,       ///< depends on data that time mode does not have
  kWritesMode = 4,    ///< changes a control register
  kCountsCycle = 8,   ///< costs the scalar unit a scalar cycle
  kHasCost = 32,      ///< scalar instruction with a cost row of its own
  kHasResults = 16,   ///< queued instruction whose results the scalar unit waits for
  kConditional = 64,  ///< sync_set and sync_wait: skipped when word `target` is 0
  kAfterPhase = 128,  ///< enqueue: waits for what its phase on the scalar unit has stored
  kOwnFlag = 256,     ///< set_flag and wait_flag: of the library's sequence of the instruction at `pc`
};

struct BytecodeInst {
  OpCode op = OpCode::halt;
  uint8_t lane = kScalarLane;  ///< where it is queued or runs
  uint8_t src = 0, dst = 0;    ///< flags
  uint16_t flags = 0;
  int16_t id = 0;
  uint32_t pc = ~0u;  ///< operation of the program
  uint32_t inst =
      0;  ///< index into CoreCode::insts or CoreCode::queued; sync_set, sync_wait: 1 + queue channel
  uint32_t target = 0;
  uint32_t a = 0, b = 0, c = 0;  ///< c of queued entries: number of the nest of loops around
};

struct Copy {
  uint32_t from = 0, to = 0, words = 0;
};

/// A queued instruction: its operands are the words copied from the scalar unit's frame when it issues.
struct Queued {
  exec::Inst inst;
  std::vector<Copy> captures;  ///< frame -> block
  uint32_t block_words = 0;
  std::vector<Copy> results;  ///< block -> frame, after completion
  isa::UnitFlag::Phase unit_flag = isa::UnitFlag::Phase::none;
  const exec::HiddenWork* hidden = nullptr;  ///< null: it does what its function does
  bool reaches_gm = false;
  bool alone = false;        ///< takes nothing of what cores share
  uint32_t accumulator = 0;  ///< with a unit flag: word of the block that is its address
  // vector functions
  uint32_t entry = 0;        ///< first code
  std::vector<Copy> unpack;  ///< block -> frame of the vector functions
  // SIMT launches: vector functions that many threads run
  bool threads = false;
  std::array<uint32_t, 3> dims{};           ///< words of the block: numbers of threads
  uint32_t frame_begin = 0, frame_end = 0;  ///< words of the vector functions' frame that a thread has
};

/// A phase of an instruction that the scalar unit runs, with operands in its frame.
struct ScalarPhase {
  exec::Inst inst;
  const exec::HiddenWork* work = nullptr;
  const isa::Phase* phase = nullptr;  ///< null: the instruction begins
  bool late = false;                  ///< behind the instruction's own work
};

/// Where the frame counts the entries of a queue channel; ~0 where the core has no part in it.
struct QueueCounts {
  uint32_t moved = ~0u;  ///< sent, or received
  uint32_t freed = ~0u;  ///< given back: the consumer's side
  bool consumer = false;
};

/// One direction of a tile queue.
struct QueueChannel {
  uint32_t end = ~0u;  ///< operation that makes the queue on one side
  bool to_vector = false;
  int64_t slots = 0;
  int ready = 0, free = 0;  ///< flags
};

/// The code of one kind of core.
struct CoreCode {
  CoreKind kind = CoreKind::mixed;
  std::vector<BytecodeInst> code;
  std::vector<exec::Inst> insts;
  std::vector<Queued> queued;
  std::vector<ScalarPhase> phases;
  bool own_flags = false;         ///< some instruction sets and waits for flags itself
  std::vector<Copy> copies;       ///< of OpCode::move
  std::vector<exec::Word> frame;  ///< initial words: constants are in place
  std::vector<exec::Word> vf_frame;
  std::vector<std::vector<Copy>>
      arguments;  ///< per kernel argument: `from` is unused, `to` where its words go
  uint32_t max_move_words = 0;
  std::array<uint8_t, 256> buffer_getters{};  ///< per buffer id: bit set of lanes that get it somewhere
  std::vector<RowId> rows;                    ///< distinct rows that are timed
  LoopNestTable loops;
  std::vector<uint32_t> subblock_words;        ///< of the frame: number of the vector core
  std::vector<uint32_t> first_subblock_words;  ///< 1 on the first vector core
  std::vector<QueueCounts> queue_counts;       ///< by channel
  bool entry_is_vector_kind = false;
};

/// Everything simulate() needs of a kernel. Spans of instructions point into `arena`.
struct Kernel {
  const Program* program = nullptr;
  std::string name;
  std::vector<CoreCode> roles;  ///< cores of one block in cluster order use roles by `cores`
  struct CoreSpec {
    uint32_t role;
    CoreKind kind;
    uint32_t subblock;
  };
  std::vector<CoreSpec> cores;  ///< of one block
  std::vector<TypeId> argument_types;
  std::vector<ValueId> parameters;  ///< of the first of its functions
  std::deque<std::vector<uint32_t>> slot_arena;
  std::deque<std::vector<exec::ValueRef>> ref_arena;
  std::deque<std::vector<AttrValue>> attr_arena;
  std::deque<std::vector<uint8_t>> set_arena;
  std::deque<exec::HiddenWork> hidden_arena;
  std::deque<Type> type_arena;  ///< of operands that the program does not have
  std::vector<QueueChannel> channels;
};

}  // namespace pto::sim
