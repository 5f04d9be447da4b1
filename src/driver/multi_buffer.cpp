#include "driver/multi_buffer.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <optional>

#include "driver/sizing.hpp"
#include "isa/nesting.hpp"
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
/// So few that there is one round of 4 at most; and of loops around such loops.
constexpr int64_t kFewTurns = 8, kTurnsAround = 3;
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
  bool by_stage = false;
  Reuse reuse = Reuse::by_pipes;
  IdShortage shortage = IdShortage::barriers;
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

/// That stop every pipe.
size_t barriers(const Program& program) {
  size_t count = 0;
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    const OpView view(program, op);
    count +=
        isa::does(view) == isa::Does::barrier && view.attr_int("pipe") == static_cast<int64_t>(Pipe::all);
  }
  return count;
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

  /// A plan of the program, and how long it takes.
  struct Trial {
    Program program;
    uint64_t cycles = 0;
  };
  /// Nothing when the plan does not fit, or a launch does not come to its end.
  std::optional<Trial> run(const Plan& chosen) const {
    Trial trial{program_, 0};
    if (!planned(trial.program, chosen)) return std::nullopt;
    const std::optional<Time> taken = time(trial.program, many_turns_);
    if (!taken) return std::nullopt;
    trial.cycles = taken->kernel;
    return trial;
  }

  /// Whether it takes no longer than the other one where open loops run a few times. The scalar unit asks
  /// whether there are turns enough, and one that is left over waits for the rounds: 0.2 % with the launch.
  bool is_no_slower(Trial& trial, Trial& than) const {
    for (const std::vector<int64_t>& turns : few_turns_) {
      const std::optional<Time> before = time(than.program, turns);
      if (!before) continue;
      const std::optional<Time> taken = time(trial.program, turns);
      if (!taken || taken->kernel > before->kernel + (before->launch + before->kernel) / 500) return false;
    }
    return true;
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
    open_ = open_loops(program_, open);
    for (const BufferedLoop& loop : loops) {
      const auto before = std::ranges::upper_bound(open, loop.loop) - open.begin();
      moved_[loop.loop] = before == 0 ? loop.loop : loop.loop + (open_.loops[before - 1] - open[before - 1]);
    }
    many_turns_.assign(open_.loops.size(), kTurns);
    give_turns(program_, open_, many_turns_);
    if (!open.empty()) find_few_turns();
  }

  /// All alike; and loops around others a few times, the others seldom.
  void find_few_turns() {
    std::vector<bool> around;
    for (const uint32_t loop : open_.loops) {
      const auto next = std::ranges::upper_bound(open_.loops, loop);
      around.push_back(next != open_.loops.end() && *next < program_.end_of(loop));
    }
    for (int64_t turns = 0; turns < kFewTurns; ++turns) few_turns_.emplace_back(open_.loops.size(), turns);
    for (int64_t turns = 0; turns < kTurnsAround && std::ranges::count(around, true) > 0; ++turns) {
      few_turns_.emplace_back(open_.loops.size(), turns);
      for (size_t i = 0; i < around.size(); ++i)
        if (around[i]) few_turns_.back()[i] = kTurnsAround;
    }
  }

  /// Of all launches, in cycles.
  struct Time {
    uint64_t kernel = 0, launch = 0;
  };

  /// Where open loops run so many times. A host that has no room for a trial has none for its choice either.
  std::optional<Time> time(Program& trial, const std::vector<int64_t>& turns) const {
    give_turns(trial, open_, turns);
    Time sum;
    for (const Run& run : runs_) {
      SimOptions options;
      options.mode = Mode::time;
      options.entry = run.entry;
      options.max_instructions = kMostInstructions;
      std::vector<Argument> arguments = run.arguments;
      try {
        const Result<SimResult> result = sim::run(trial, arguments, options, machine_, costs_);
        if (!result || !result->ended) return std::nullopt;
        sum.kernel += result->kernel_cycles();
        sum.launch += result->launch_cycles;
      } catch (const std::bad_alloc&) {
        short_of_memory_ = true;
        return std::nullopt;
      }
    }
    return runs_.empty() ? std::nullopt : std::optional(sum);
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
    options.reuse = chosen.reuse;
    options.shortage = chosen.shortage;
    for (LoopBuffers& each : options.buffers) {
      each.loop = moved_.at(each.loop);
      each.open = std::ranges::binary_search(open_.loops, each.loop);
    }
    Diagnostics unused;
    return plan(trial, machine_, options, unused);
  }

  Program program_;
  OpenLoops open_;
  std::vector<int64_t> many_turns_;  ///< of open loops
  std::vector<std::vector<int64_t>> few_turns_;
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
  explicit Choice(const Trials& trials) : trials_(trials), alone_(trials.run({})) {
    if (alone_) best_ = alone_->cycles;
  }

  Plan run(const std::vector<BufferedLoop>& loops) {
    for (const BufferedLoop& loop : loops) {
      if (loop.slots > 1) as_stated(loop);
    }
    if (!alone_) return chosen_;
    attempt(chosen_);
    const Plan stated = chosen_;
    more(loops);
    const bool has_more = chosen_.buffers.size() > stated.buffers.size();
    by_stages(chosen_, loops);
    if (has_more) by_stages(stated, loops);
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
        if (!attempt(with(loop.loop, count))) break;
      }
    }
  }

  /// What is gained from the plan on in the order of stages, against what was found before.
  void by_stages(Plan tried, const std::vector<BufferedLoop>& loops) {
    const Plan old = chosen_;
    const uint64_t before = best_;
    tried.by_stage = true;
    std::optional<Trials::Trial> trial = best_way(tried);
    if (!trial || trial->cycles >= alone_->cycles || !trials_.is_no_slower(*trial, *alone_)) return;
    take(std::move(tried), trial->cycles);
    more(loops);
    if (!is_worth(best_, before)) take(old, before);
  }

  /// Where tiles share room, and where ids of flags are short, every way to see to that is tried, and the
  /// plan says which is the best one.
  std::optional<Trials::Trial> best_way(Plan& plan) const {
    plan.reuse = Reuse::by_pipes;
    plan.shortage = IdShortage::barriers;
    std::optional<Trials::Trial> best = trials_.run(plan);
    if (!best) return best;
    if (shares_room(best->program)) {
      for (const Reuse reuse : {Reuse::best_fit, Reuse::in_turn}) try_way(plan, best, &Plan::reuse, reuse);
    }
    if (barriers(best->program) > 0) {
      for (const IdShortage shortage : {IdShortage::join_around, IdShortage::join})
        try_way(plan, best, &Plan::shortage, shortage);
    }
    return best;
  }
  template <typename Way>
  void try_way(Plan& plan, std::optional<Trials::Trial>& best, Way Plan::*which, Way way) const {
    Plan other = plan;
    other.*which = way;
    std::optional<Trials::Trial> trial = trials_.run(other);
    if (!trial || !is_worth(trial->cycles, best->cycles)) return;
    best = std::move(trial);
    plan = other;
  }

  /// Takes the plan if it is worth it.
  bool attempt(Plan plan) {
    std::optional<Trials::Trial> trial = best_way(plan);
    if (!trial || !is_worth(trial->cycles, best_) || !trials_.is_no_slower(*trial, *alone_)) return false;
    take(std::move(plan), trial->cycles);
    return true;
  }

  /// A loop that takes tiles in turn has said how many turns are to be under way.
  void as_stated(const BufferedLoop& loop) {
    if (!loop.trips || *loop.trips >= loop.slots) no_slower(with(loop.loop, loop.slots));
  }

  /// Where nothing can be run, it is enough that everything fits.
  bool no_slower(Plan plan) {
    if (!alone_) {
      if (!trials_.fits(plan)) return false;
      chosen_ = std::move(plan);
      return true;
    }
    std::optional<Trials::Trial> trial = best_way(plan);
    if (!trial || trial->cycles > best_ || !trials_.is_no_slower(*trial, *alone_)) return false;
    take(std::move(plan), trial->cycles);
    return true;
  }

  void take(Plan plan, uint64_t cycles) {
    best_ = cycles;
    chosen_ = std::move(plan);
  }

  const Trials& trials_;
  std::optional<Trials::Trial> alone_;  ///< as the program stands
  uint64_t best_ = 0;
  Plan chosen_;
};

}  // namespace

bool choose_buffers(const Program& program, const Machine& machine, PlanOptions& options, unsigned wanted,
                    const std::string& target, std::span<const std::string> settings) {
  if (wanted == 1 || program.ops.size() > kMostOps || who_orders(program, options.sync) != SyncBy::tools ||
      nested_deeper(program, kDeepestPlanned))  // the planner refuses it
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
  options.reuse = chosen.reuse;
  options.shortage = chosen.shortage;
  return !trials.short_of_memory();
}

}  // namespace pto::driver
