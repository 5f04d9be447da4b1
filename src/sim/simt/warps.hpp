// A SIMT launch: warps of 32 threads in lock step over the code of one function.
//
// Every thread has a place in the code and a frame of its own. A warp takes the foremost place of its threads
// and runs those that stand there: as code is laid out in structured order and only loops go back, threads
// that went different ways meet at the end of the region that parted them. Of the warps the one that can
// issue first goes on, ties by number, so that what the order of atomics leaves open is the same in every
// run.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exec/simt/simt_family.hpp"
#include "sim/findings/engine_findings.hpp"
#include "sim/loader/kernel_code.hpp"
#include "sim/simt/coalescing.hpp"
#include "sim/simt/thread_order.hpp"
#include "timing/cost_model.hpp"

namespace pto::sim {

/// The engine, as a launch needs it.
class ThreadHost {
 public:
  virtual ~ThreadHost() = default;
  /// What follows happens at this operation.
  virtual void thread_at(uint32_t pc) = 0;
  /// The code depends on a value that a run without data does not have.
  virtual void thread_unknown(const BytecodeInst& code) = 0;
  /// False when the condition of a check does not hold.
  virtual bool thread_check(const BytecodeInst& code, const exec::Word* frame) = 0;
  virtual void thread_step_of_loop(const BytecodeInst& code, exec::Word step) = 0;
  /// Bytes between GM and the core, in cycle `begin` of the launch, that would take `alone` cycles: when they
  /// have been served. A window without rows: nobody knows which bytes.
  virtual uint64_t thread_transfer(uint64_t begin, uint64_t alone, uint64_t bytes,
                                   const timing::GmWindow& window, bool write) = 0;
  /// False: the run is stopped.
  virtual bool thread_limits(uint64_t steps, uint64_t cycles) = 0;
  virtual void thread_finding(FindingId id, uint32_t pc, std::string message, Fix help, uint32_t other_pc,
                              std::string other) = 0;
};

/// What a launch works on.
struct ThreadLaunch {
  const CoreCode& role;
  const Queued& queued;
  const exec::Word* start = nullptr;  ///< frame of the vector functions with what was captured in place
  std::array<int64_t, 3> dims{};
  exec::ThreadContext& context;
  exec::Memory& memory;
  exec::KeptValues& kept;
  timing::CostModel& costs;
  ThreadHost& host;
  bool data = true, races = false;
  uint64_t now = 0;
  uint32_t core = 0;
};

class Warps {
 public:
  explicit Warps(ThreadLaunch launch);
  /// What the launch takes; effects have happened.
  timing::Cost run();
  /// Puts the values of the thread that runs into the frame of the vector functions.
  void show(std::vector<exec::Word>& frame) const {
    std::copy_n(threads_.frames[threads_.lane] + first_, words_, frame.data() + first_);
  }
  /// How findings name the thread that runs.
  [[nodiscard]] std::string name() const { return name_of(threads_.linear()); }
  [[nodiscard]] uint64_t steps() const { return steps_; }

 private:
  static constexpr uint32_t kEnded = ~0u;
  struct Warp {
    std::array<uint32_t, exec::kWarpLanes> at{};  ///< kEnded: returned, or no such thread
    uint32_t present = 0, waiting = 0;            ///< lanes; of those that wait at a barrier
    uint64_t free = 0;                            ///< when it can issue again
    uint64_t next = 0;                            ///< when its next instruction can
    std::vector<uint64_t> ready;                  ///< when each word of the frame is there
  };

  [[nodiscard]] uint32_t running(const Warp& warp) const;
  [[nodiscard]] uint32_t foremost(const Warp& warp) const;
  void look_ahead(Warp& warp);
  Warp* choose();
  void step(Warp& warp);
  void issue(Warp& warp, uint32_t busy);
  void execute(Warp& warp, const BytecodeInst& code);
  void run_lanes(const exec::Inst& inst, bool together);
  void account(Warp& warp, const BytecodeInst& code, const exec::Inst& inst);
  void move(Warp& warp, const BytecodeInst& code);
  template <typename Next>
  void go(Warp& warp, Next&& next);
  template <typename F>
  void each_active(F&& visit);
  uint64_t serve_gm(uint64_t begin, bool known);
  void results_ready(Warp& warp, const exec::Inst& inst, uint64_t when);
  void barrier(Warp& warp, const BytecodeInst& code);
  void release();
  void check_meeting();
  void check_order(const BytecodeInst& code);
  [[nodiscard]] std::string name_of(uint32_t thread) const;
  uint64_t& ready(Warp& warp, uint32_t word) { return warp.ready[word - first_]; }
  [[nodiscard]] const BytecodeInst& code(uint32_t at) const { return launch_.role.code[at]; }

  ThreadLaunch launch_;
  timing::ThreadCosts costs_;
  ThreadMemory memory_;
  exec::Threads threads_;
  uint32_t first_ = 0, words_ = 0;  ///< of the frame
  std::vector<exec::Word> frames_;
  std::vector<exec::Word> scratch_;
  std::vector<Warp> warps_;
  std::vector<std::array<exec::Word*, exec::kWarpLanes>> lanes_;  ///< frames by warp
  uint64_t port_ = 0, gm_port_ = 0, ub_port_ = 0, done_ = 0, steps_ = 0;
  Basis basis_ = Basis::measured;
  std::optional<ThreadOrder> order_;
  bool stopped_ = false;
};

}  // namespace pto::sim
