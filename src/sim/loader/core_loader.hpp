// Builds the CoreCode of one kind of core of a Kernel: values get places, structured operations become flat
// code. Split over loader.cpp (values, functions), loader_control.cpp (regions), loader_vector.cpp,
// loader_simt.cpp, loader_instructions.cpp.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/tile_queues.hpp"
#include "exec/scalar/tile_queue.hpp"
#include "ir/call_graph.hpp"
#include "isa/row.hpp"
#include "pto/result.hpp"
#include "sim/loader/frame_layout.hpp"
#include "sim/loader/kernel_code.hpp"

namespace pto::sim {

/// The tile queues of a program and their flags.
struct QueueWiring {
  explicit QueueWiring(const Program& program) : facts(program) {
    std::set<size_t> all;
    for (const auto& [group, members] : facts.groups) all.insert(group);
    flags = facts.flags(all);
  }
  QueueFacts facts;
  std::map<size_t, QueueFlags> flags;
};

class CoreKindLoader {
 public:
  CoreKindLoader(const Program& program, const Functions& functions, const CallGraph& calls,
                 const Machine& machine, Kernel& kernel, CoreCode& role, const std::vector<uint8_t>& unknown,
                 const QueueWiring* queues)
      : p_(program),
        functions_(functions),
        call_graph_(calls),
        machine_(machine),
        kernel_(kernel),
        role_(role),
        unknown_(unknown),
        queues_(queues),
        a5_((machine.target == Target::cpu ? program.target : machine.target) == Target::a5),
        su_(program),
        vf_(program) {}

  /// The first thing that was wrong, if anything was.
  std::optional<Error> load(std::span<const FunctionInfo> entries);

  /// What loads an operation that is not an instruction with semantics; nullptr for those.
  using Handler = void (CoreKindLoader::*)(const OpView&);
  static Handler handler_of(isa::OpcodeClass opcode_class);

 private:
  // ---- errors: the first one counts, loading goes on

  void fail(uint32_t pc, std::string message, Error::Kind kind);
  void refuse(uint32_t pc, const std::string& why);
  void unplaced(const OpView& view);
  void reject(uint32_t pc, const std::string& why) { fail(pc, why, Error::Kind::input); }

  // ---- emitting

  BytecodeInst& emit(OpCode op, uint32_t pc);
  [[nodiscard]] uint32_t here() const { return static_cast<uint32_t>(role_.code.size()); }
  [[nodiscard]] bool unknown(ValueId value) const { return value < unknown_.size() && unknown_[value] != 0; }
  [[nodiscard]] bool in_vf() const { return captures_ != nullptr; }

  // ---- values

  /// Offset of a value in the frame of the code being loaded. A vector function copies in what it takes from
  /// outside.
  uint32_t at(ValueId value);
  /// A value that the code being loaded defines.
  uint32_t define(ValueId value);

  /// Copies that happen as if all at once.
  void emit_moves(uint32_t pc, std::span<const ValueId> from, std::span<const uint32_t> to);
  void emit_copies(uint32_t pc, uint32_t first, uint32_t words);
  std::vector<uint32_t> define_range(uint32_t first, uint32_t count);
  std::vector<uint32_t> results_of(const OpView& view) {
    return define_range(view.op().first_result, view.op().n_results);
  }

  // ---- functions

  void load_arguments(std::span<const FunctionInfo> entries);
  void inline_entry(const FunctionInfo& entry);

  /// The function a call means for this kind of core: among several the one of its own kind.
  const Function* resolve(const OpView& call);
  [[nodiscard]] bool kind_runs_here(FunctionInfo::Kind kind) const;

  void load_callee(uint32_t function);
  /// Where a function finds its way back. Asking for it the first time puts the function on the list of those
  /// to load.
  uint32_t return_slot(uint32_t function);
  /// Where a function leaves the values it returns.
  const std::vector<uint32_t>& return_places(uint32_t function);

  void load_call(const OpView& view);
  void inline_call(const OpView& view, uint32_t callee);

  // ---- regions and control flow

  void load_region(const Region& region);
  void load_op(uint32_t pc);
  void load_nothing(const OpView&) {}

  void load_constant(const OpView& view);
  void load_vector_constant(const OpView& view, const AttrValue& value, const Type& type);

  /// What scf.yield and scf.condition of the innermost region do.
  struct Ending {
    enum class Kind : uint8_t { forward, condition } kind = Kind::forward;
    std::vector<uint32_t> yield_to;  ///< places of the yielded values
    std::vector<uint32_t> results;   ///< condition: places when the loop ends
    uint32_t exit_patch = ~0u;       ///< condition: code whose target is the loop's end
  };

  void load_for(const OpView& view);
  void load_loop(const OpView& view);
  std::optional<int64_t> known_constant(ValueId value);

  /// Moves between places of known types (loop-carried values to results).
  void copy_places(uint32_t pc, const std::vector<uint32_t>& from, const std::vector<uint32_t>& to,
                   const OpView& view);
  uint32_t emit_branch(uint32_t pc, ValueId condition);

  void load_if(const OpView& view);
  void load_while(const OpView& view);
  /// The place of a loop's number of the iteration, which is 1 from here on.
  uint32_t count_iterations(uint32_t pc);
  void load_execute_region(const OpView& view);
  void load_yield(const OpView& view);
  void load_condition(const OpView& view);
  void load_return(const OpView& view);
  /// The blocks of a region and the branches between them.
  struct Blocks {
    std::map<std::string_view, uint32_t> begins;                  ///< operation of the label
    std::map<uint32_t, uint32_t> positions;                       ///< where its code begins
    std::vector<std::pair<uint32_t, std::string_view>> branches;  ///< code whose target is the label
    std::vector<uint32_t> exits;                                  ///< code that leaves the region
  };
  [[nodiscard]] std::optional<Blocks> blocks_of(const Region& region);
  void close_blocks();
  /// Leaves the region from a block that is not its last.
  void leave_region(uint32_t pc);
  void go_to(const OpView& branch, std::string_view label, unsigned slot);
  void load_block(const OpView& view);
  void load_jump(const OpView& view);
  void load_cond_jump(const OpView& view);
  void load_index_switch(const OpView& view);
  void load_check(const OpView& view);
  void load_cube_section(const OpView& view);
  void load_vector_section(const OpView& view);

  // ---- vector functions

  /// A vector function is one entry of pipe V; its code stands out of line and works on its own frame.
  void load_vecscope(const OpView& view);
  void load_vector_function(const OpView& view, const std::function<void()>& load_body);
  /// Code that stands out of line, with what it takes from outside; its position.
  uint32_t load_out_of_line(const OpView& view, std::vector<Copy>& captures,
                            const std::function<void()>& load_body);

  // ---- SIMT launches (loader_simt.cpp)

  void load_launch(const OpView& view);
  void load_thread_section(const OpView& view);
  /// A call of a SIMT function, after its numbers of threads were said.
  void load_described_launch(const OpView& view, uint32_t function);
  void load_thread_dims(const OpView& view);
  void load_thread_sync(const OpView& view);
  /// A helper that threads call stands where it is called.
  void load_thread_call(const OpView& view, uint32_t function);
  void load_thread_instruction(const OpView& view);
  void add_launch(const OpView& view, uint32_t entry, std::array<uint32_t, 2> frame,
                  const std::vector<Copy>& captures, std::array<uint32_t, 3> dims);
  [[nodiscard]] bool is_thread_function(uint32_t function) const;

  // ---- instructions

  bool beside_micro(uint32_t op);
  exec::Inst make_inst(const OpView& view, Pipe pipe);

  /// Places of operands and results, by a function from value to offset.
  using Place = std::function<uint32_t(ValueId)>;
  void place_values(exec::Inst& inst, const OpView& view, const Place& operand, const Place& result);
  void check_semantics(const OpView& view, const exec::Inst& inst);

  void load_instruction(const OpView& view);

  /// Runs in the frame of the code it stands in: scalar work, descriptors, and everything inside a vector
  /// function.
  void load_direct(const OpView& view, Pipe pipe);
  void load_print(const OpView& view);

  /// Whether time mode skips a vector instruction: all but those that make scalars and masks out of scalars.
  static bool needs_data(const exec::Inst& inst);

  /// Whether how much the instruction does depends on data: the extents of a descriptor, the counts of a
  /// transfer.
  [[nodiscard]] bool unknown_extent(const OpView& view) const;
  void load_queued(const OpView& view, Pipe pipe, int lane, const exec::HiddenWork* hidden);
  /// On the pipe that works for it: the scalar unit at once, the others from their queues.
  void load_own(const OpView& view, Pipe pipe, const exec::HiddenWork* hidden);
  /// With the flags that the instruction uses itself, and what the scalar unit does of it.
  void load_in_phases(const OpView& view, Pipe pipe, const exec::HiddenWork& work);
  void load_scalar_phase(const OpView& view, const exec::HiddenWork& work, const isa::Phase* phase);
  void emit_own_flag(const OpView& view, const isa::InternalEvent& event);

  /// Neighbours in both frame and block become one copy.
  static void append_copy(std::vector<Copy>& copies, Copy copy);

  void add_queued(const OpView& view, OpCode op, int lane, Queued queued);

  // ---- synchronisation

  void no_sync_in_vf(const OpView& view);

  uint8_t lane_attr(const OpView& view, std::string_view attribute);
  /// A pipe named by a pipe or by the kind of operation that runs on it.
  Pipe pipe_attr(const OpView& view, std::string_view attribute);

  /// Literal or dynamic id of a flag or semaphore.
  void take_id(const OpView& view, BytecodeInst& code, std::string_view attribute, unsigned slot);
  void emit_flag(const OpView& view, bool set, uint8_t src, uint8_t dst);
  void load_set_flag(const OpView& view);
  void load_wait_flag(const OpView& view);
  void load_record_event(const OpView& view);
  void load_wait_event(const OpView& view);
  void emit_barrier(const OpView& view, Pipe pipe);
  void load_barrier(const OpView& view) { emit_barrier(view, pipe_attr(view, "pipe")); }
  void load_barrier_sync(const OpView& view) { emit_barrier(view, pipe_attr(view, "op_type")); }

  /// GM is coherent here: what a fence adds to the barrier changes nothing.
  void load_fence(const OpView& view) { emit_barrier(view, Pipe::all); }

  void emit_buffer(const OpView& view, OpCode op);
  void load_get_buf(const OpView& view) { emit_buffer(view, OpCode::get_buf); }
  void load_rls_buf(const OpView& view) { emit_buffer(view, OpCode::rls_buf); }

  void load_mem_bar(const OpView& view);

  /// Waits for the writers of the operands: here, for all.
  void load_wait_tiles(const OpView& view) { emit_barrier(view, Pipe::all); }

  uint8_t signal_lane(const OpView& view, bool set);
  void load_sync_all(const OpView& view);
  void load_sync(const OpView& view, OpCode op);
  void load_sync_set(const OpView& view) { load_sync(view, OpCode::sync_set); }
  void load_sync_wait(const OpView& view) { load_sync(view, OpCode::sync_wait); }

  // ---- tile queues (loader_queues.cpp)

  /// One end of one direction as an operation uses it.
  struct Channel;
  [[nodiscard]] std::optional<Channel> channel_of(const OpView& view);
  /// Guards code of the vector cores that only the first of them runs; the branch to patch, or ~0.
  uint32_t guard_first_subblock(uint32_t begin, uint32_t end);
  void close_guard(uint32_t branch);
  void load_reserved(const OpView& view);
  void load_queue_init(const OpView& view);
  void load_queue_alloc(const OpView& view);
  std::optional<Elem> add_epilogue(const OpView& view, const Channel& channel,
                                   std::vector<exec::ValueRef>& slots,
                                   std::vector<std::pair<std::string_view, exec::ValueRef>>& operands,
                                   std::vector<std::pair<std::string_view, int64_t>>& attributes);
  void load_queue_push(const OpView& view);
  void load_queue_pop(const OpView& view);
  void load_queue_free(const OpView& view);
  void emit_step(const OpView& view, const Channel& channel, exec::QueueParameters parameters,
                 const std::vector<exec::ValueRef>& slots);
  void emit_transfer(const OpView& view, Pipe pipe, Space from, Space to,
                     const std::vector<std::pair<std::string_view, exec::ValueRef>>& operands,
                     std::span<const std::pair<std::string_view, int64_t>> attributes);
  void emit_signals(const OpView& view, const Channel& channel, OpCode op, Pipe pipe, int id,
                    bool conditional);
  exec::ValueRef temporary(const Type& type);
  const Type& window_type(Elem elem);

  const Program& p_;
  const Functions& functions_;
  const CallGraph& call_graph_;
  const Machine& machine_;
  Kernel& kernel_;
  CoreCode& role_;
  const std::vector<uint8_t>& unknown_;
  const QueueWiring* queues_;
  bool a5_;
  FrameLayout su_, vf_;
  std::vector<Ending> endings_;
  std::optional<Blocks> blocks_;  ///< of the region being loaded, when it has more than one
  std::vector<uint32_t> pending_;
  std::unordered_map<uint32_t, uint32_t> positions_, return_slots_;
  std::unordered_map<uint32_t, bool> beside_micro_;  ///< by function
  std::map<uint32_t, std::vector<uint32_t>> return_places_;
  std::vector<std::vector<uint32_t>> inlined_;  ///< where functions within a vector function return to
  std::vector<std::pair<uint32_t, uint32_t>> calls_;
  std::set<ValueId> constants_;
  std::set<RowId> rows_;
  std::optional<Error> error_;
  uint32_t depth_ = 0;                                           ///< open regions
  std::map<std::pair<size_t, bool>, uint32_t> channel_signals_;  ///< end and direction: word of the condition
  // the vector function being loaded
  std::vector<Copy>* captures_ = nullptr;
  std::unordered_map<ValueId, uint32_t> local_;
  std::set<ValueId> defined_;
  // SIMT
  bool threads_ = false;  ///< what is being loaded is run by threads
  struct ThreadFunction {
    uint32_t entry = 0;
    std::array<uint32_t, 2> frame{};
    std::vector<Copy> arguments;  ///< `from` is unused
  };
  const ThreadFunction& thread_function(const OpView& view, uint32_t function);
  std::map<uint32_t, ThreadFunction> thread_functions_;
  std::optional<std::array<uint32_t, 3>> thread_dims_;  ///< words: what store_vfsimt_info said last
};

}  // namespace pto::sim
