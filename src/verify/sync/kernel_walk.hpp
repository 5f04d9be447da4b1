// The static synchronisation check of one kernel: a walk through its text, structure by structure,
// as one kind of core runs it. Each instruction goes into the model of the core (core_model.hpp),
// which runs queues, flags and vector clocks without time and without data.
//
// A program of one core. Entries are numbered per pipe, n@P. C is the clock of the pipe behind the
// entry, for the pipes [MTE2 V MTE3] (order/happens_before.hpp). W is a write, R a read.
//
//   instruction                        entry    C         flag 0           shadow memory
//   tload  ins(%x) outs(%a)     MTE2   1@MTE2   [1 0 0]                    %a: W 1@MTE2
//   set_flag  MTE2, V, 0        MTE2   2@MTE2   [2 0 0]   set by [2 0 0]
//   wait_flag MTE2, V, 0        V      1@V      [2 1 0]   taken
//   tadd   ins(%a, %a) outs(%b) V      2@V      [2 2 0]                    %a: W 1@MTE2, R 2@V
//                                                                          %b: W 2@V
//   tload  ins(%x) outs(%a)     MTE2   3@MTE2   [3 0 0]                    C[V] = 0 < 2: E0511
//   set_flag  V, MTE3, 0        V      3@V      [2 3 0]   set by [2 3 0]
//   wait_flag V, MTE3, 0        MTE3   1@MTE3   [2 3 1]   taken
//   tstore ins(%b) outs(%o)     MTE3   2@MTE3   [2 3 2]                    C[V] = 3 >= 2: ordered
//   return                             all queues empty, no set left
//
//   error[E0511]: pto.tload on PIPE_MTE2 writes %a (bytes 0 to 4095 of ub), which pto.tadd at line
//   21 on PIPE_V reads; nothing orders the two
//
// How to read it: without the first set_flag, the queue of V would be blocked at its wait when the
// kernel ends: a deadlock. A second set of the flag while it is set would be a double set, and a
// flag that is set at the end is a leftover set.
//
// Values that depend on inputs (known_values.hpp):
//   loop     Integers and trip counts that are known are followed exactly. Otherwise the body is
//            walked a few times, and the effects of further iterations are forgotten.
//   branch   Both sides are walked from the same state, and the states are joined:
//              scf.if %c { set_flag MTE2, V, 0 }     set on one side only:
//              wait_flag MTE2, V, 0                  the flag is unknown, its waits order all
//   path     An access remembers the undecided branches that led to it. Accesses on two sides of
//            one branch belong to no common run, and are not judged (is_compatible).
// An error needs operations that run whatever the inputs are (`certain`).
//
// Limits: forgetting only hides findings, so the check is silent on a kernel that it cannot follow.
// Only bytes that are certainly touched count. The walk ends after WalkOptions::budget operations,
// and at kMaxDepth nested regions and calls.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "ir/symbol_table.hpp"
#include "verify/sync/core_model.hpp"
#include "verify/sync/core_trace.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality::sync {

/// A signal between cores.
struct Signal {
  uint32_t op = 0;
  std::optional<int64_t> id;  ///< none: computed from inputs
  int64_t mode = 2;
  bool set = false;
  bool certain = true;  ///< runs whatever the inputs are
  bool to_all = false;  ///< states a mode: on A5 too it goes to every core that the mode means
};

/// The bytes of one tile overwritten through another while they were still needed.
struct Clobber {
  ProgramPoint written, overwritten, read;
  uint8_t overwritten_slot = 0, read_slot = 0;
  ValueId tile = kNoValue, by = kNoValue;
  int64_t begin = 0, end = 0;
};

/// A tile that an instruction has left with other bytes, and a read of it.
struct ClobberedBytes {
  ProgramPoint by, read;
  ValueId tile = kNoValue;
  uint8_t slot = 0, read_slot = 0;
  bool certain = false;
};

/// A certain access outside of an on-chip memory.
struct ExternalEffects {
  ProgramPoint when;
  TileAccess access;
};

struct WalkOptions {
  CoreKind kind = CoreKind::mixed;
  bool entry = true;    ///< it certainly runs; other functions may be pieces of something
  bool races = false;   ///< the kernel orders its pipes itself
  uint64_t budget = 0;  ///< operations to walk at most
  const Machine* machine = nullptr;
  Trace* trace = nullptr;         ///< write down what the core does, and judge nothing
  int64_t vector_core = 0;        ///< trace: number of the core among the vector cores
  bool core_is_argument = false;  ///< trace: the last parameter is that number
};

class Walk final : public PathCompatibility {
 public:
  Walk(Checker& check, const Functions& functions, FactsTable& facts, AbstractValues& values,
       const WalkOptions& options);
  /// False: the budget was too small; nothing is known then.
  bool run(uint32_t function);

  [[nodiscard]] CoreModel& core() { return core_; }
  [[nodiscard]] const std::vector<Signal>& signals() const { return signals_; }
  [[nodiscard]] bool signals_unknown() const { return signals_unknown_; }
  [[nodiscard]] const std::vector<Clobber>& clobbers() const { return clobbers_; }
  [[nodiscard]] const std::vector<ExternalEffects>& outside() const { return outside_; }
  [[nodiscard]] const std::vector<ClobberedBytes>& destroyed() const { return destroyed_; }

  bool is_compatible(const ProgramPoint& before, const ProgramPoint& now) const override;

 private:
  struct Loop {
    uint32_t begin = 0;
    bool unknown = false;
  };  ///< moment its present iteration began
  struct Path {
    uint32_t parent = 0, loops = 0, begin = 0;
  };                 ///< open loops, and the innermost one's iteration
  struct Contents {  ///< of a tile, in program order
    ProgramPoint written, overwritten;
    ValueId by = kNoValue;
    uint8_t by_slot = 0;
    bool has_data = false, alias = false, same_begin = false;
    int64_t begin = 0, end = 0;
  };

  static constexpr uint32_t kMaxDepth = 200;  ///< of regions and calls; a deeper kernel is not walked

  void region(const Region& region);
  void step(uint32_t index);
  void structure(const OpView& op, OpcodeClass opcode_class);
  void skip(const OpView& op);
  void synchronise(const OpView& op, const OperationFacts& facts);
  void work(const OpView& op, const OperationFacts& facts);
  int begin_phases(const OpView& op, const OperationFacts& facts, const isa::Phases& phases, int lane);
  void end_phases(const isa::Phases& phases);
  void wait_inside(const std::vector<isa::InternalEvent>& events);
  void follow_clobbers(const ProgramPoint& when, const std::vector<TileAccess>& accesses);
  void queue(const OpView& op, OpcodeClass opcode_class, int on, std::vector<TileAccess> accesses);
  void place(std::vector<TileAccess>& accesses);
  void scope(const OpView& op);
  void note(Step step);
  void note_work(const OpView& op, const OperationFacts& facts, int lane, std::vector<TileAccess>& accesses);
  void note_flag(bool set, const std::optional<FlagKey>& key, uint32_t op);
  void note_signal(const Signal& signal, int lane, bool pair);
  void note_opaque();
  void signal(const OpView& op, const OperationFacts& facts);
  void flag(const OpView& op, OpcodeClass opcode_class);
  void buffer(const OpView& op, bool get);
  void drain(uint32_t op);
  [[nodiscard]] int lane_of_value(const OpView& op, bool set) const;
  void gather(const OpView& op, std::vector<TileAccess>& found, const Region& region, bool certain);
  void loop(const OpView& op);
  void walk_times(const OpView& op, uint32_t times, bool exact, std::optional<int64_t> lower,
                  std::optional<int64_t> step, std::optional<int64_t> trips);
  void while_loop(const OpView& op);
  void branch(const OpView& op);
  void undecided(const OpView& op);
  void call(const OpView& op);
  void results(const OpView& op, std::span<const AbstractValue> values);
  void forget_results(const OpView& op);
  void forget_call(const OpView& op);
  void forget_region(uint32_t begin, uint32_t end, bool conditional_only);
  [[nodiscard]] bool works(uint32_t op);  ///< holds something with a place in a queue, or synchronisation
  [[nodiscard]] bool synchronises(uint32_t op);  ///< holds what orders pipes or cores
  [[nodiscard]] bool traces() const { return options_.trace != nullptr; }
  [[nodiscard]] ProgramPoint now(uint32_t op) const { return {op, time_, path_}; }
  [[nodiscard]] bool certain() const { return path_ == 0 && unknown_loops_ == 0 && options_.entry; }
  [[nodiscard]] int lane(const OpView& op, const OperationFacts& facts) const;
  std::optional<FlagKey> key_of(const OpView& op, OpcodeClass opcode_class, int& src, int& dst);
  void check_range(const ProgramPoint& when, const std::vector<TileAccess>& accesses);
  void remember(const ProgramPoint& when, const std::vector<TileAccess>& accesses);
  void overwrite(const ProgramPoint& when, const TileAccess& access);
  void look(const ProgramPoint& when, const TileAccess& access, const std::vector<TileAccess>& beside);
  [[nodiscard]] bool above(uint32_t path, uint32_t other) const;
  std::vector<AbstractValue> take_yield() { return std::exchange(yielded_, {}); }

  Checker& check_;
  const Program& program_;
  const Functions& functions_;
  FactsTable& facts_;
  AbstractValues& values_;
  WalkOptions options_;
  CoreModel core_;
  std::vector<Signal> signals_;
  bool signals_unknown_ = false, overrun_ = false;
  std::vector<Clobber> clobbers_;
  std::vector<ExternalEffects> outside_;
  std::vector<ClobberedBytes> destroyed_;
  struct Clobbering {
    ProgramPoint by;
    uint8_t slot = 0;
    bool certain = false;
  };
  std::map<ValueId, Clobbering> clobbered_;  ///< tiles that hold what an instruction has left in its source
  std::map<ValueId, Contents> contents_;
  std::vector<Loop> loops_;
  std::vector<Path> paths_{Path{}};
  std::vector<AbstractValue> yielded_;
  uint32_t time_ = 0, path_ = 0, unknown_loops_ = 0, depth_ = 0, times_ = 1;
  bool first_time_ = true;  ///< every open loop is in the first of the iterations that are walked
  std::map<uint32_t, bool> works_, synchronises_;
};

}  // namespace pto::legality::sync
