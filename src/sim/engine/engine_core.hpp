// The engine: agents advance in simulated-time order, the one with the smallest (time, core, agent) next.
//
// The scalar unit runs ahead through its own work and stops only where another agent's state decides: a full
// queue, a flag, a barrier, memory that pipes see. A pipe starts its head entry when it is free and the entry
// has issued; effects and tokens happen when the entry is complete, in order per pipe. Without data (time
// mode) and observers nothing but tokens is kept beyond the start of an entry.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exec/fault_sink.hpp"
#include "sim/engine/device_run.hpp"
#include "sim/engine/device_state.hpp"
#include "sim/engine/hidden_phase.hpp"
#include "sim/engine/host_workers.hpp"
#include "sim/engine/ready_tree.hpp"
#include "sim/engine/step_events.hpp"
#include "sim/findings/engine_findings.hpp"
#include "sim/simt/warps.hpp"
#include "timing/cost_model.hpp"

namespace pto::sim {

template <bool kData, bool kObserved>
class Engine final : public exec::FaultSink,
                     public AccessListener,
                     public RunContext,
                     public ThreadHost,
                     public HiddenPhase,
                     public DeviceRun {
 public:
  Engine(Device& device, const SimOptions& options, timing::CostModel& costs,
         std::span<Observer* const> observers)
      : d_(device),
        options_(options),
        costs_(costs),
        observers_(observers),
        findings_(*device.program, options),
        instruction_limit_(options.limits.instructions == 0 ? kNever : options.limits.instructions),
        no_wait_(options.hypotheses.no_wait),
        can_run_ahead_(device.port == nullptr && no_wait_.empty() && options.limits.cycles == 0 &&
                       options.limits.instructions == 0) {
    vector_timer_ = costs_.vector_function();
    std::ranges::sort(no_wait_);
    for (Observer* observer : observers_) {
      if (steps_ == nullptr) steps_ = observer->steps();
      const uint32_t wants = observer->wants();
      for (size_t bit = 0; bit < wanted_.size(); ++bit) {
        if ((wants >> bit & 1) != 0) wanted_[bit].push_back(observer);
      }
      tells_vector_steps_ = tells_vector_steps_ || observer->wants_vector_steps();
    }
    if (tells_vector_steps_) vector_timer_->keep_steps();
  }

  void begin() override;
  void advance(uint64_t horizon) override;
  [[nodiscard]] uint64_t next() const override;
  [[nodiscard]] bool done() const override { return d_.stopped || all_finished(); }
  SimResult end() override;
  uint64_t let_go(uint64_t now) override;

  // What instructions report while they run.
  void fault(const exec::Context& context, exec::Fault kind, std::string message) override;
  void misaligned(const exec::Context& context, Space space, uint64_t address, uint64_t unit,
                  std::string message) override;
  void inexact(const exec::Context& context, std::string message) override;
  void beyond_table(const exec::Context& context, std::string message, std::string help) override;
  [[nodiscard]] bool is_in_argument(uint64_t address, uint64_t bytes) override {
    const GlobalMemory::Allocation* const around = d_.gm.around(address);
    return around != nullptr && address - around->addr <= around->bytes &&
           bytes <= around->bytes - (address - around->addr);
  }
  void out_of_bounds(Space space, uint64_t addr, std::string message) override;
  void footprint(FootprintEvent event) override;
  void beyond(FootprintEvent event) override;
  void mark(FootprintEvent& event) const;
  void cache_cleaned(uint64_t addr, bool all) override;
  bool work_begins(const exec::Context& context) override;
  void work(std::function<void()> piece) override { workers_->add(std::move(piece)); }
  void work_ends() override { workers_->end(); }
  // What the threads of a launch report (simt_launch.hpp).
  void thread_at(uint32_t pc) override { running_pc_ = pc; }
  void thread_unknown(const BytecodeInst& code) override { not_known(*running_core_, code); }
  bool thread_check(const BytecodeInst& code, const exec::Word* frame) override {
    return check(*running_core_, code, frame);
  }
  void thread_step_of_loop(const BytecodeInst& code, exec::Word step) override;
  uint64_t thread_transfer(uint64_t begin, uint64_t alone, uint64_t bytes, const timing::GmWindow& window,
                           bool write) override;
  bool thread_limits(uint64_t steps, uint64_t cycles) override;
  void thread_finding(std::string_view id, uint32_t pc, std::string message, std::string help,
                      uint32_t other_pc, std::string other) override;
  // What observers ask meanwhile.
  [[nodiscard]] Moment moment() const override;
  [[nodiscard]] EntryMark mark() const override;
  [[nodiscard]] Moment moment_of(const EntryMark& mark) const override;
  [[nodiscard]] ValueId operand_at(Space space, uint64_t addr) const override;
  [[nodiscard]] bool in_hidden_phase() const override { return hidden_; }

 private:
  /// An operand of the instruction that runs: a tile or a pointer.
  struct ChipOperand {
    ValueId value;
    Space space;
    bool tile;
    uint32_t offset;  ///< in the frame
    uint64_t bytes;   ///< of a tile
  };
  [[nodiscard]] std::span<const ChipOperand> chip_operands() const;

  // ---- event loop (engine.cpp)
  void receive(uint64_t now);
  void refresh_times();
  void step(Core& core);
  uint64_t run_core(Core& core, uint64_t limit, bool wins_ties);
  [[nodiscard]] bool can_run_ahead(const Core& core, unsigned agent) const;
  [[nodiscard]] bool needs_turn(const Core& core, const Slot& slot) const;
  void poll();
  void max_cycles_reached();
  void max_instructions_reached(const Core& core);
  bool vector_limits(Core& core, uint32_t pc, uint64_t steps);
  void awaken(Core& core);
  void retire(Core& core);
  bool relieve_full_queue();
  void prepare_chip();
  void prepare_workers();
  void start_next_block(std::span<const std::unique_ptr<Core>> ended);
  /// Between the moment an instruction leaves its queue and its start.
  struct Delay {
    uint64_t ready = 0, begin = 0;  ///< the pipe has picked up again; the memory serves it
    uint32_t restart = 0;           ///< Cost::restart, where it counts
  };
  Delay delay(Core& core, unsigned lane, const Slot& slot, const timing::Cost& cost);
  /// Cores like this one that run, and have a part of L2's bandwidth each.
  [[nodiscard]] uint64_t sharers(const Core& core) const {
    return uint64_t{d_.resident} * (core.info.kind == CoreKind::aiv ? vector_cores_ : 1);
  }
  static Resource resource_of(timing::MemorySystem::Limit limit) {
    constexpr Resource kLimits[] = {Resource::none, Resource::l2_read, Resource::l2_write, Resource::hbm};
    return kLimits[static_cast<size_t>(limit)];
  }
  static bool is_shared_signal(const BytecodeInst& code) {
    return code.op == OpCode::sync_set && code.b != kOneToOne;
  }
  [[nodiscard]] bool all_finished() const;
  SimResult finish();
  void add_stats(SimResult& result, const Core& core, Pipe pipe, LaneStats stats, uint64_t accounted,
                 Block block);

  // ---- scalar unit (scalar_unit.hpp)
  void scalar(Core& core);
  bool scalar_step(Core& core, const BytecodeInst& code);
  void execute(Core& core, const BytecodeInst& code);
  bool execute_timed(Core& core, const BytecodeInst& code);
  bool execute_phase(Core& core, const BytecodeInst& code);
  bool goes_on(Core& core, const BytecodeInst& code);
  bool wait_for_link(Core& core, const BytecodeInst& code, uint64_t until);
  void move(Core& core, std::vector<exec::Word>& frame, const BytecodeInst& code);
  bool for_test(Core& core, const BytecodeInst& code, std::vector<exec::Word>& frame, bool& taken);
  bool enqueue(Core& core, const BytecodeInst& code);
  bool enqueue_sync(Core& core, const BytecodeInst& code);
  void fill_slot(Core& core, const BytecodeInst& code, Lane& lane, Slot& slot);
  void capture_loops(Core& core, const BytecodeInst& code, const Slot& slot);
  [[nodiscard]] Moment scalar_moment(const Core& core) const;
  [[nodiscard]] Moment code_moment(const Core& core, const BytecodeInst& code);
  [[nodiscard]] Moment lane_moment(const Core& core, unsigned lane) const;
  bool interrupted();
  void told_twice(const Core& core, const BufferToken& token, const BytecodeInst& code, int id);
  void account_order_of_buffers(Core& core, const BytecodeInst& code, int id, exec::Word* block);
  void note_flag(Core& core, const BytecodeInst& code, int id);
  void check_open_sets(Core& core, const BytecodeInst& code, const exec::HiddenWork& work);
  bool scalar_sync(Core& core, const BytecodeInst& code);
  bool scalar_set_flag(Core& core, const BytecodeInst& code);
  bool scalar_wait_flag(Core& core, const BytecodeInst& code);
  bool barrier_all(Core& core, const BytecodeInst& code);
  bool scalar_buffer(Core& core, const BytecodeInst& code);
  bool scalar_sync_set(Core& core, const BytecodeInst& code);
  bool scalar_sync_wait(Core& core, const BytecodeInst& code);
  bool block_scalar(Core& core, Block block, uint32_t key);
  void wake_scalar(Core& core, uint64_t time);
  void unblock_scalar(Core& core);
  bool not_known(Core& core, const BytecodeInst& code);
  bool resolve_id(Core& core, const BytecodeInst& code, uint32_t limit, int16_t& id);
  bool wait_for_turn(Core& core);
  void hang(uint32_t pc, std::string message, Moment moment);
  BufferToken& buffer(Core& core, int id);

  // ---- pipes (queue_pipes.hpp)
  void start(Core& core, unsigned lane);
  bool start_entry(Core& core, unsigned lane, Slot& slot);
  bool start_instruction(Core& core, unsigned lane, Slot& slot);
  void check_bounds(Core& core, unsigned lane, const Slot& slot, exec::Word* block);
  bool wait_for_unit(Core& core, unsigned lane, SlotFacts& facts, uint64_t accumulator);
  void hand_over(Core& core, unsigned lane, const Slot& slot, uint64_t accumulator);
  void order_units(Core& core, unsigned lane, const Slot& slot, const exec::Word* block, bool before);
  timing::Cost run_vector_function(Core& core, Lane& lane, uint64_t serial);
  void vector_step(Core& core, const BytecodeInst& code);
  timing::Cost run_threads(Core& core, Lane& lane, uint64_t serial);
  std::string of_thread();
  bool start_wait_flag(Core& core, unsigned lane, Slot& slot);
  bool start_buffer(Core& core, unsigned lane, Slot& slot);
  bool start_sync_wait(Core& core, unsigned lane, Slot& slot);
  bool block_lane(Core& core, unsigned lane, Block block, uint32_t key, uint64_t until = kNever);
  void pop(Core& core, unsigned lane);
  void complete(Core& core, unsigned lane);
  bool settle(Core& core, unsigned lane, uint64_t serial);
  void settle_before(Core& core, unsigned lane, uint64_t serial);
  bool run_instruction(Core& core, unsigned lane, Slot& slot, exec::Word* block);
  void release(Core& core, unsigned lane, Slot& slot);
  void deliver_results(Core& core, unsigned lane, uint64_t serial);
  void stall(Core& core, Pipe pipe, LaneStats& stats, uint64_t begin, uint64_t end, Stall reason, uint32_t pc,
             Resource resource = Resource::none);
  void waited(Core& core, Pipe pipe, LaneStats& stats, uint64_t begin, Block block, uint32_t key,
              uint32_t pc);

  // ---- synchronisation shared by both (sync_primitives.hpp)
  void set_flag(Core& core, const BytecodeInst& code, int id, uint64_t token);
  [[nodiscard]] bool has_room_for_set(const Core& core, const BytecodeInst& code, int id) const;
  [[nodiscard]] bool has_room_among(const Core& core, const BytecodeInst& code, int id, unsigned first,
                                    unsigned end) const;
  [[gnu::cold, gnu::noinline]] Diagnostic* warn_of_set(const Core& core, const BytecodeInst& code, int id);
  void wake_setter(Core& core, unsigned src, uint32_t index);
  void wake_setters(Core& core, unsigned src, uint32_t index);
  void warn_of_shared_key(const Core& core, unsigned src, unsigned dst, int id, uint32_t pc);
  bool take_flag(Core& core, unsigned src, unsigned dst, int id, uint32_t pc, uint64_t wait_begin,
                 uint64_t& token);
  void release_buffer(Core& core, unsigned lane, const BytecodeInst& code, int number);
  [[nodiscard]] bool buffer_ready(const Core& core, unsigned lane, int id, const exec::Word* issued) const;
  void signal(Core& core, const BytecodeInst& code, int id);
  void nudge(Core& core);
  bool meet(Core& core, const BytecodeInst& code);
  bool arrive(Core& core, const BytecodeInst& code);
  [[nodiscard]] bool check(Core& core, const BytecodeInst& code, const exec::Word* frame);
  void signal_groups(Core& core, const BytecodeInst& code, int id);
  void raise(const Core& from, const BytecodeInst& code, Core& target, int id,
             std::vector<OrderToken> tokens);
  bool last_acquire(const OrderToken& reported);
  bool take_semaphore(Core& core, uint32_t key, unsigned lane, uint32_t pc);
  Core* cluster_core(const Core& core, uint32_t role_index);

  // ---- prints and watching (watch_output.hpp)
  void print(const exec::Context& context, std::string text) override;
  void prepare_watch();
  void watch_begins() {
    if (watching_) written_.clear();
  }
  void watch_ends(Core& core) {
    if (watching_) tell_written(core);
  }
  void tell_written(Core& core);
  void tell_tile(Core& core, const std::string& name, unsigned slot);
  void tell_rows(Core& core, const std::string& name, Elem elem, const FootprintEvent& event, uint64_t base);

  // ---- ordering facts for observers
  uint64_t order_release(const Core& from, unsigned from_lane, const Core& to, unsigned to_lane, uint32_t pc,
                         uint64_t meeting = 0, int flag = -1, int signal = -1);
  uint64_t order_issue(Core& core, const BytecodeInst& code);
  void order_acquire(const Core& from, unsigned from_lane, const Core& to, unsigned to_lane, uint64_t token,
                     uint32_t pc, bool last = true, int flag = -1, int signal = -1);
  // ---- how the run came about, for a DependenceObserver; 0 and nothing without one
  uint64_t tell_step(const Core& core, const BytecodeInst& code, int id, uint64_t cycles,
                     uint64_t meeting = 0);
  uint64_t tell_meeting(std::vector<uint64_t> steps);
  uint64_t join(const Core& core, const BytecodeInst& code, int id, uint32_t round, bool complete);
  void tell_signal(const Core& target, uint32_t key, std::span<const OrderToken> tokens);
  void tell_start(Lane& lane, uint64_t serial, uint64_t busy, uint64_t latency, uint64_t restart = 0);

  // ---- what if: waits that let go at once
  [[nodiscard]] bool lets_go(const BytecodeInst& code) const {
    return !no_wait_.empty() && std::ranges::binary_search(no_wait_, code.pc);
  }
  bool goes_ahead(Core& core, const BytecodeInst& code, uint32_t key, bool signal);
  [[nodiscard]] uint64_t owed(const Core& core, uint32_t key) const;
  bool pay(const Core& core, uint32_t key, bool signal);

  template <typename F>
  void observe(F&& report) {
    if constexpr (kObserved) {
      for (Observer* observer : observers_) report(*observer);
    }
  }
  /// Of an event that comes often.
  template <Observer::Often kEvent, typename F>
  void observe(F&& report) {
    if constexpr (kObserved) {
      for (Observer* observer : wanted_[std::countr_zero(uint32_t{kEvent})]) report(*observer);
    }
  }

  void tell_vector_steps(const Core& core, uint32_t pc) {
    if (!tells_vector_steps_) return;
    for (const timing::VectorStep& step : vector_timer_->last()) {
      const VectorStepEvent event{core.info.index, pc, d_.now + step.begin, d_.now + step.end, step.memory};
      observe([&](Observer& o) { o.on_vector_step(event); });
    }
  }

  Device& d_;
  const SimOptions& options_;
  timing::CostModel& costs_;
  std::unique_ptr<timing::VectorFunctionTimer> vector_timer_;
  std::span<Observer* const> observers_;
  std::array<std::vector<Observer*>, 6> wanted_;  ///< by bit of Observer::Often: who is told
  bool tells_vector_steps_ = false;
  FindingList findings_;
  std::set<uint32_t> double_sets_;  ///< operations that set a flag which was set
  uint64_t events_ = 0, tokens_ = 0;
  // sync.set modes 0 and 1, for observers
  std::map<std::tuple<int, CoreKind, uint32_t, uint32_t>, uint64_t>
      meetings_;  ///< tokens of those that wait for somebody: by id, kind, block (~0: all) and round
  std::unordered_map<uint64_t, uint32_t> to_acquire_;  ///< cores that have not acquired a meeting's token yet
  /// Cores that meet by counting in GM.
  struct Count {
    int64_t arrived = 0;
    std::map<int64_t, uint64_t> tokens;              ///< by the count that ends the round
    std::map<int64_t, std::vector<uint64_t>> steps;  ///< likewise: who has come, for a DependenceObserver
    std::vector<std::pair<Core*, int64_t>> waiting;  ///< for this count
  };
  std::map<uint64_t, Count> counts_;  ///< by address
  uint64_t fruitless_looks_ = 0;      ///< events of scalar units that wait for memory
  const uint64_t instruction_limit_;
  DependenceObserver* steps_ = nullptr;
  uint64_t step_count_ = 0, signalling_step_ = 0;
  uint32_t signal_held_ = 0;  ///< of the signal that is raised: what the hub had no time for it
  std::map<std::tuple<int, CoreKind, uint32_t>, std::deque<std::vector<uint64_t>>>
      joined_;  ///< steps that signalled, by group and round
  std::vector<uint32_t> no_wait_;
  std::map<std::tuple<uint32_t, uint32_t, bool>, uint32_t>
      owed_;  ///< sets that waits went ahead of, by core, key and whether it is a signal
  ReadyTree ready_tree_;
  std::optional<Workers> workers_;              ///< none: everything is done at once
  std::optional<timing::MemorySystem> memory_;  ///< none: nothing is shared
  bool follows_signals_ = false;
  uint64_t launch_ = 0;
  ChipUse chip_;
  uint32_t vector_cores_ = 1;  ///< of a block
  // ---- watching
  struct WatchedOp {
    std::string name;
    ValueId value;
  };
  struct WatchedBuffer {
    std::string name;
    uint32_t line;
    uint64_t begin, end;
    Elem elem;
  };
  std::unordered_map<uint32_t, std::vector<WatchedOp>> watched_ops_;
  std::vector<WatchedBuffer> watched_buffers_;
  std::vector<FootprintEvent> written_;  ///< by the instruction that runs
  bool watching_ = false;
  bool key_warned_ = false, interrupted_ = false;
  bool reported_ = false;     ///< the result has been given
  bool disturbed_ = false;    ///< another core's times changed
  const bool can_run_ahead_;  ///< lookahead.hpp
  bool lookahead_ = false;    ///< what runs is before its turn
  uint64_t latest_ = 0;       ///< moment to which a core ran ahead
  std::array<uint64_t, 4> basis_{};
  // the instruction that is running, for footprints and faults
  Core* running_core_ = nullptr;
  Pipe running_pipe_ = Pipe::none;
  const Warps* running_threads_ = nullptr;
  uint32_t running_pc_ = ~0u;
  bool hidden_ = false;  ///< what runs is a part of an instruction that its function does not have
  const exec::Word* running_block_end_ =
      nullptr;  ///< of the entry that runs; stale while the scalar unit does
  // operand_at(): known of instructions, and the one that was asked for last
  mutable std::map<std::pair<const exec::Inst*, uint32_t>, std::vector<ChipOperand>> all_chip_operands_;
  mutable const exec::Inst* chip_inst_ = nullptr;
  mutable uint32_t chip_pc_ = ~0u;
  mutable const std::vector<ChipOperand>* chip_operands_ = nullptr;
  // a deadlock that only full queues cause
  struct QueueRelief {
    Core* core = nullptr;
    unsigned lane = 0;
    uint32_t pc = 0;
    uint64_t depth = 0;
  } queue_relief_;
  std::chrono::steady_clock::time_point last_progress_ = std::chrono::steady_clock::now();
};

}  // namespace pto::sim
