#include "driver/multi_buffer.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <optional>

#include "driver/sizing.hpp"
#include "plan/storage.hpp"
#include "report/binding.hpp"
#include "report/dtype.hpp"
#include "report/fill.hpp"
#include "sim/engine.hpp"

namespace pto::driver {
namespace {

constexpr unsigned kMostBuffers = 4;
constexpr size_t kMostLoops = 16;              ///< that are tried, of one program
constexpr size_t kMostOps = 20000;             ///< of a program that is tried
constexpr uint64_t kMostInstructions = 60000;  ///< per core of a trial
constexpr int64_t kTurns = 13;  ///< of loops whose bounds are arguments: one is left over by 2, 3, 4
constexpr uint64_t kRoom = uint64_t{1} << 28;  ///< that a buffer of unknown size may reach

Argument argument_of(const Chosen& chosen) {
  Argument argument;
  argument.name = chosen.name;
  argument.is_buffer = chosen.buffer;
  if (!chosen.buffer) {
    argument.scalar = static_cast<uint64_t>(chosen.value.value_or(1));
    return argument;
  }
  argument.room = kRoom;
  constexpr uint64_t kMostFilled = 1 << 20;
  if (chosen.value.value_or(0) == 0 || chosen.bytes > kMostFilled) return argument;
  const Elem dtype = report::parse_dtype(report::dtype_of(chosen.type->elem)).value_or(Elem::ui8);
  argument.bytes.resize(chosen.bytes);
  if (!report::fill_elements(argument.bytes, dtype, std::to_string(*chosen.value))) argument.bytes.clear();
  return argument;
}

struct Plan {
  std::vector<LoopBuffers> buffers;
  bool by_stage = false, in_turn = false;
};

/// Whether two tiles lie on the same bytes.
bool shares_room(const Program& planned) {
  const planner::Storage storage(planned);
  std::map<std::pair<Space, uint64_t>, uint64_t> ends;
  for (const planner::Root& root : storage.roots()) {
    if (root.kind != planner::Root::Kind::tile || !root.addr) continue;
    uint64_t& end = ends[{root.space, *root.addr}];
    if (end != 0) return true;
    end = *root.addr + root.bytes;
  }
  for (auto at = ends.begin(); at != ends.end(); ++at) {
    const auto next = std::next(at);
    if (next != ends.end() && next->first.first == at->first.first && next->first.second < at->second)
      return true;
  }
  return false;
}

/// Plans on trial, and how long they take.
class Trials {
 public:
  Trials(const Program& program, const Machine& machine, const PlanOptions& options, timing::CostModel& costs,
         const std::vector<BufferedLoop>& loops)
      : program_(program), machine_(machine), options_(options), costs_(costs) {
    bound(loops);
    const Functions functions(program);
    const CallGraph calls(program, functions);
    if (options.entry.empty()) {
      for (const LaunchedFunctions& each : launches(program, functions, calls)) add(functions, each);
    } else if (const auto one = find_launch(program, functions, calls, options.entry)) {
      add(functions, *one);
      runs_.back().entry = options.entry;
    }
  }

  /// Cycles of all launches; nothing when the plan does not fit, or a launch does not come to its end.
  std::optional<uint64_t> cycles(const Plan& chosen) const {
    Program trial = program_;
    if (!planned(trial, chosen)) return std::nullopt;
    uint64_t sum = 0;
    for (const Run& run : runs_) {
      SimOptions options;
      options.mode = Mode::time;
      options.entry = run.entry;
      options.max_instructions = kMostInstructions;
      std::vector<Argument> arguments = run.arguments;
      const std::optional<uint64_t> taken = cycles(trial, arguments, options);
      if (!taken) return std::nullopt;
      sum += *taken;
    }
    return runs_.empty() ? std::nullopt : std::optional(sum);
  }

  /// Whether there is not room enough for all tiles.
  [[nodiscard]] bool is_tight(const Plan& chosen) const {
    Program trial = program_;
    return planned(trial, chosen) && shares_room(trial);
  }

  [[nodiscard]] bool fits(const Plan& chosen) const {
    Program trial = program_;
    return planned(trial, chosen);
  }
  [[nodiscard]] bool short_of_memory() const { return short_of_memory_; }

 private:
  struct Run {
    std::string entry;
    std::vector<Argument> arguments;
  };

  /// Loops without known bounds get some, and their operations move.
  void bound(const std::vector<BufferedLoop>& loops) {
    std::vector<uint32_t> open;
    for (const BufferedLoop& loop : loops) {
      if (!loop.trips) open.push_back(loop.loop);
    }
    std::ranges::sort(open);
    const std::vector<uint32_t> now = give_turns(program_, open, kTurns);
    for (const BufferedLoop& loop : loops) {
      const auto before = std::ranges::upper_bound(open, loop.loop) - open.begin();
      moved_[loop.loop] = before == 0 ? loop.loop : loop.loop + (now[before - 1] - open[before - 1]);
    }
  }

  /// A host that has no room for a trial has none for its choice either.
  std::optional<uint64_t> cycles(const Program& trial, std::vector<Argument>& arguments,
                                 const SimOptions& options) const {
    try {
      const Result<SimResult> result = sim::run(trial, arguments, options, machine_, costs_);
      return result && result->ended ? std::optional(result->kernel_cycles()) : std::nullopt;
    } catch (const std::bad_alloc&) {
      short_of_memory_ = true;
      return std::nullopt;
    }
  }

  void add(const Functions& functions, const LaunchedFunctions& launch) {
    Run run{std::string(launch.name), {}};
    for (const Chosen& chosen : choose_arguments(program_, functions, launch))
      run.arguments.push_back(argument_of(chosen));
    runs_.push_back(std::move(run));
  }

  bool planned(Program& trial, const Plan& chosen) const {
    PlanOptions options = options_;
    options.buffers = chosen.buffers;
    options.by_stage = chosen.by_stage;
    options.in_turn = chosen.in_turn;
    for (LoopBuffers& each : options.buffers) each.loop = moved_.at(each.loop);
    Diagnostics unused;
    return plan(trial, machine_, options, unused);
  }

  Program program_;
  std::map<uint32_t, uint32_t> moved_;
  const Machine& machine_;
  const PlanOptions& options_;
  timing::CostModel& costs_;
  std::vector<Run> runs_;
  mutable bool short_of_memory_ = false;
};

/// One loop after the other, each with what the others have got so far; in the order of the text, then by
/// stages.
class Choice {
 public:
  explicit Choice(const Trials& trials) : trials_(trials), best_(trials.cycles({})) {}

  Plan run(const std::vector<BufferedLoop>& loops) {
    for (const BufferedLoop& loop : loops) {
      if (loop.slots > 1) as_stated(loop);
    }
    if (!best_) return chosen_;
    more(loops);
    other_way(loops, &Plan::by_stage);
    if (trials_.is_tight(chosen_)) other_way(loops, &Plan::in_turn);
    return chosen_;
  }

  /// Where memory ends, copies share tiles and gain nothing.
  Plan as_many(const std::vector<BufferedLoop>& loops, unsigned wanted) {
    for (const BufferedLoop& loop : loops) {
      for (unsigned count = std::max(wanted / loop.slots, 1u) * loop.slots; count > 1; count -= loop.slots) {
        if (loop.trips && *loop.trips < count) continue;
        if (no_slower(with(loop.loop, count))) break;
      }
    }
    return chosen_;
  }

 private:
  /// More text and more memory must be worth it: one cycle in a hundred.
  static bool is_worth(uint64_t cycles, uint64_t before) { return cycles < before - before / 100; }

  [[nodiscard]] Plan with(uint32_t loop, unsigned count) const {
    Plan made = chosen_;
    std::erase_if(made.buffers, [&](const LoopBuffers& each) { return each.loop == loop; });
    made.buffers.push_back({loop, count});
    return made;
  }
  [[nodiscard]] unsigned count_of(uint32_t loop) const {
    const auto at = std::ranges::find(chosen_.buffers, loop, &LoopBuffers::loop);
    return at == chosen_.buffers.end() ? 1 : at->count;
  }

  void more(const std::vector<BufferedLoop>& loops) {
    for (const BufferedLoop& loop : loops) {
      const unsigned now = count_of(loop.loop);
      if (now % loop.slots != 0) continue;
      for (unsigned count = now + loop.slots; count <= kMostBuffers; count += loop.slots) {
        if (loop.trips && *loop.trips < count) break;
        Plan tried = with(loop.loop, count);
        const std::optional<uint64_t> cycles = trials_.cycles(tried);
        if (!cycles || !is_worth(*cycles, *best_)) break;
        take(std::move(tried), cycles);
      }
    }
  }

  void other_way(const std::vector<BufferedLoop>& loops, bool Plan::*way) {
    Plan tried = chosen_;
    tried.*way = true;
    const std::optional<uint64_t> cycles = trials_.cycles(tried), before = best_;
    if (!cycles || *cycles >= *best_) return;
    const Plan old = chosen_;
    take(std::move(tried), cycles);
    more(loops);
    if (!is_worth(*best_, *before)) take(old, before);
  }

  /// A loop that takes tiles in turn has said how many turns are to be under way.
  void as_stated(const BufferedLoop& loop) {
    if (!loop.trips || *loop.trips >= loop.slots) no_slower(with(loop.loop, loop.slots));
  }

  /// Where nothing can be run, it is enough that everything fits.
  bool no_slower(Plan plan) {
    const std::optional<uint64_t> cycles = trials_.cycles(plan);
    if (best_ ? !cycles || *cycles > *best_ : !trials_.fits(plan)) return false;
    take(std::move(plan), cycles);
    return true;
  }

  void take(Plan plan, std::optional<uint64_t> cycles) {
    best_ = cycles;
    chosen_ = std::move(plan);
  }

  const Trials& trials_;
  std::optional<uint64_t> best_;
  Plan chosen_;
};

}  // namespace

bool choose_buffers(const Program& program, const Machine& machine, PlanOptions& options, unsigned wanted,
                    const std::string& target, std::span<const std::string> settings) {
  if (wanted == 1 || program.ops.size() > kMostOps || who_orders(program, options.sync) != SyncBy::tools)
    return true;
  std::vector<BufferedLoop> loops = loops_to_buffer(program, options);
  if (loops.empty() && (wanted != 0 || !options.plan_memory)) return true;
  if (loops.size() > kMostLoops) loops.resize(kMostLoops);
  timing::CostOptions cost_options;
  cost_options.allow_unknown = true;
  const auto costs = timing::load_target(target, cost_options, settings);
  if (!costs) return true;
  const Trials trials(program, machine, options, *costs->costs, loops);
  Choice choice(trials);
  Plan chosen = wanted == 0 ? choice.run(loops) : choice.as_many(loops, wanted);
  options.buffers = std::move(chosen.buffers);
  options.by_stage = chosen.by_stage;
  options.in_turn = chosen.in_turn;
  return !trials.short_of_memory();
}

}  // namespace pto::driver
