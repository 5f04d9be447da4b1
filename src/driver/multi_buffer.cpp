#include "driver/multi_buffer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <optional>

#include "driver/sizing.hpp"
#include "isa/nesting.hpp"
#include "plan/storage.hpp"
#include "plan/unroll.hpp"
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
/// Turns that 2, 3 and 4 buffers divide: a loop with as many more has as many left over.
constexpr int64_t kWholeRounds = 12;
constexpr size_t kMostShortened = 6;  ///< loops of which the steady state is looked at
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

/// How far trials are from the program itself.
enum class Scale : uint8_t {
  whole,        ///< loops with constant bounds run as often as they do
  steady,       ///< long ones as often as their steady state takes; what follows is counted up
  few_outside,  ///< likewise, and loops around others a few times
  fewest
};

/// A loop with constant bounds that runs less often in trials.
struct ShortLoop {
  uint32_t loop = 0;
  int64_t trips = 0, turns = 0;
  int64_t more = 0;              ///< turns of a second run
  std::vector<uint32_t> around;  ///< others of them
};

/// Loops that are run one turn after the other, outside of vector functions, with how often they run.
std::map<uint32_t, int64_t> constant_loops(const Program& program) {
  std::map<uint32_t, int64_t> found;
  const Constants constants(program);
  uint32_t end_of_scope = 0;
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    const OpView view(program, op);
    if (op >= end_of_scope && opens_vector_scope(view)) end_of_scope = program.end_of(op);
    if (op < end_of_scope || !planner::can_be_bounded(view)) continue;
    if (const Number trips = planner::trips_of(program, constants, op)) found.emplace(op, *trips);
  }
  return found;
}

/// Those of them that are long, outer ones first.
std::vector<ShortLoop> shortened(const Program& program, Scale scale) {
  std::vector<ShortLoop> found;
  if (scale == Scale::whole) return found;
  for (const auto& [op, trips] : constant_loops(program)) {
    if (trips < kTurns + kWholeRounds) continue;
    ShortLoop loop{.loop = op, .trips = trips};
    for (const ShortLoop& outer : found)
      if (op < program.end_of(outer.loop)) loop.around.push_back(outer.loop);
    found.push_back(std::move(loop));
  }
  for (ShortLoop& loop : found) {
    const bool is_around = std::ranges::any_of(
        found, [&](const ShortLoop& other) { return std::ranges::count(other.around, loop.loop) != 0; });
    if (!is_around || scale == Scale::steady) {
      loop.turns = kTurns + (loop.trips - kTurns) % kWholeRounds;
      loop.more = kWholeRounds;
    } else {
      loop.turns = scale == Scale::few_outside ? 4 : 2;
      loop.more = loop.turns;
    }
  }
  return found;
}

/// Plans on trial, and how long they take.
class Trials {
 public:
  Trials(const Program& program, const Machine& machine, const PlanOptions& options, timing::CostModel& costs,
         const std::vector<BufferedLoop>& loops, Scale scale)
      : program_(program),
        machine_(machine),
        options_(options),
        costs_(costs),
        scale_(scale),
        short_(shortened(program, scale)) {
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
    const std::optional<uint64_t> beyond = time_beyond(chosen, *taken);
    if (!beyond) return std::nullopt;
    trial.cycles = taken->kernel + *beyond;
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
  /// A trial ran more instructions than it may.
  [[nodiscard]] bool too_long() const { return too_long_; }
  /// Whether trials run less than the program does.
  [[nodiscard]] bool shortens() const { return !short_.empty() || (scale_ > Scale::steady && has_nests_); }

 private:
  struct Run {
    std::string entry;
    std::vector<Argument> arguments;
  };

  /// Loops without known bounds get some, long ones fewer, and their operations move.
  void bound(const std::vector<BufferedLoop>& loops) {
    std::vector<uint32_t> open, all;
    for (const BufferedLoop& loop : loops) {
      if (!loop.trips) open.push_back(loop.loop);
    }
    all = open;
    for (const ShortLoop& loop : short_) all.push_back(loop.loop);
    std::ranges::sort(all);
    bounded_ = open_loops(program_, all);
    const auto moved = [&](uint32_t loop) {
      const auto before = std::ranges::upper_bound(all, loop) - all.begin();
      return before == 0 ? loop : loop + (bounded_.loops[before - 1] - all[before - 1]);
    };
    for (const BufferedLoop& loop : loops) moved_[loop.loop] = moved(loop.loop);
    many_turns_.assign(all.size(), kTurns);
    for (const uint32_t loop : open) open_.push_back(moved(loop));
    std::ranges::sort(open_);
    for (ShortLoop& loop : short_) {
      loop.loop = moved(loop.loop);
      for (uint32_t& outer : loop.around) outer = moved(outer);
      many_turns_[position(loop.loop)] = loop.turns;
    }
    if (!open_.empty()) find_few_turns();
    give_turns(program_, bounded_, many_turns_);
  }

  /// Of a loop that has got its bounds here.
  [[nodiscard]] size_t position(uint32_t loop) const {
    return static_cast<size_t>(std::ranges::lower_bound(bounded_.loops, loop) - bounded_.loops.begin());
  }

  /// All alike; and loops around others a few times, the others seldom.
  void find_few_turns() {
    std::vector<uint32_t> around;
    for (const uint32_t loop : open_) {
      const auto next = std::ranges::upper_bound(open_, loop);
      if (next != open_.end() && *next < program_.end_of(loop)) around.push_back(loop);
    }
    has_nests_ = !around.empty();
    const auto give = [&](std::vector<int64_t>& turns, const std::vector<uint32_t>& loops, int64_t count) {
      for (const uint32_t loop : loops) turns[position(loop)] = count;
    };
    if (scale_ > Scale::steady) give(many_turns_, around, scale_ == Scale::few_outside ? kTurnsAround : 2);
    for (int64_t turns = 0; turns < kFewTurns; ++turns)
      give(few_turns_.emplace_back(many_turns_), open_, turns);
    for (int64_t turns = 0; turns < kTurnsAround && has_nests_; ++turns) {
      give(few_turns_.emplace_back(many_turns_), open_, turns);
      give(few_turns_.back(), around, kTurnsAround);
    }
  }

  /// Of all launches, in cycles.
  struct Time {
    uint64_t kernel = 0, launch = 0;
  };

  /// Where open loops run so many times. A host that has no room for a trial has none for its choice either.
  std::optional<Time> time(Program& trial, const std::vector<int64_t>& turns) const {
    give_turns(trial, bounded_, turns);
    Time sum;
    for (const Run& run : runs_) {
      SimOptions options;
      options.mode = Mode::time;
      options.entry = run.entry;
      options.max_instructions = kMostInstructions;
      std::vector<Argument> arguments = run.arguments;
      try {
        const Result<SimResult> result = sim::run(trial, arguments, options, machine_, costs_);
        if (!result || !result->ended) {
          too_long_ = too_long_ || (result && ran_too_long(*result));
          return std::nullopt;
        }
        sum.kernel += result->kernel_cycles();
        sum.launch += result->launch_cycles;
      } catch (const std::bad_alloc&) {
        short_of_memory_ = true;
        return std::nullopt;
      }
    }
    return runs_.empty() ? std::nullopt : std::optional(sum);
  }

  static bool ran_too_long(const SimResult& result) {
    return std::ranges::any_of(result.findings.all(),
                               [](const Diagnostic& each) { return each.id == "MAX-INSTRUCTIONS"; });
  }

  /// What the turns take that long loops have not run: of each loop, what some turns more take, for all that
  /// are left, as often as the loops around it run.
  std::optional<uint64_t> time_beyond(const Plan& chosen, const Time& base) const {
    double beyond = 0;
    for (size_t i = 0; i < std::min(short_.size(), kMostShortened); ++i) {
      const ShortLoop& loop = short_[i];
      Program longer = program_;
      std::vector<int64_t> turns = many_turns_;
      turns[position(loop.loop)] += loop.more;
      give_turns(longer, bounded_, turns);  // the planner counts them
      if (!planned(longer, chosen)) return std::nullopt;
      const std::optional<Time> taken = time(longer, turns);
      if (!taken) return std::nullopt;
      double each = static_cast<double>(taken->kernel - std::min(taken->kernel, base.kernel)) /
                    static_cast<double>(loop.more);
      for (const ShortLoop& other : short_) {
        if (std::ranges::count(loop.around, other.loop) != 0)
          each *= static_cast<double>(other.trips) / static_cast<double>(other.turns);
      }
      beyond += each * static_cast<double>(loop.trips - loop.turns);
    }
    constexpr double kMost = 9e18;
    return static_cast<uint64_t>(std::min(beyond, kMost));
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
      each.open = std::ranges::binary_search(open_, each.loop);
    }
    Diagnostics unused;
    return plan(trial, machine_, options, unused);
  }

  Program program_;
  OpenLoops bounded_;  ///< open loops and those that run less often
  std::vector<uint32_t> open_;
  std::vector<int64_t> many_turns_;  ///< of bounded loops
  std::vector<std::vector<int64_t>> few_turns_;
  std::map<uint32_t, uint32_t> moved_;
  const Machine& machine_;
  const PlanOptions& options_;
  timing::CostModel& costs_;
  std::vector<Run> runs_;
  Scale scale_;
  std::vector<ShortLoop> short_;
  bool has_nests_ = false;
  mutable bool short_of_memory_ = false, too_long_ = false;
};

/// One loop after the other, each with what the others have got so far; in the order of the text, then by
/// stages.
class Choice {
 public:
  explicit Choice(const Trials& trials) : trials_(trials), alone_(trials.run({})) {
    if (alone_) best_ = alone_->cycles;
  }
  /// Whether the program came to its end in a trial.
  [[nodiscard]] bool has_run() const { return alone_.has_value(); }

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

BufferSearch choose_buffers(const Program& program, const Machine& machine, PlanOptions& options,
                            unsigned wanted, const std::string& target,
                            std::span<const std::string> settings) {
  BufferSearch search;
  if (wanted == 1 || who_orders(program, options.sync) != SyncBy::tools ||
      nested_deeper(program, kDeepestPlanned))  // the planner refuses it
    return search;
  std::vector<BufferedLoop> loops = loops_to_buffer(program, options);
  if (loops.empty() && (wanted != 0 || !options.plan_memory)) return search;
  if (program.ops.size() > kMostOps) {
    if (loops.empty()) return search;
    search.untried = fmt::format("trials are made of programs of up to {} operations", kMostOps);
    return search;
  }
  if (loops.size() > kMostLoops) {
    search.untried = fmt::format("{} loops are tried, this is the first one of {} more", kMostLoops,
                                 loops.size() - kMostLoops);
    search.loop = loops[kMostLoops].loop;
    loops.resize(kMostLoops);
  }
  timing::CostOptions cost_options;
  cost_options.allow_unknown = true;
  const auto costs = timing::load_target(target, cost_options, settings);
  if (!costs) return search;
  // As long as a trial is too long, with fewer turns.
  std::unique_ptr<Trials> trials;
  Plan chosen;
  bool has_run = false;
  for (const Scale scale : {Scale::whole, Scale::steady, Scale::few_outside, Scale::fewest}) {
    auto smaller = std::make_unique<Trials>(program, machine, options, *costs->costs, loops, scale);
    if (scale != Scale::whole && (!trials->too_long() || !smaller->shortens())) continue;
    trials = std::move(smaller);
    Choice choice(*trials);
    if (has_run && !choice.has_run()) break;
    has_run = choice.has_run();
    chosen = wanted == 0 ? choice.run(loops) : choice.as_many(loops, wanted);
  }
  if (!has_run && trials->too_long() && !loops.empty()) {
    search.untried = fmt::format("a trial takes more than {} instructions", kMostInstructions);
    search.loop = loops.back().loop;
  }
  options.buffers = std::move(chosen.buffers);
  options.by_stage = chosen.by_stage;
  options.reuse = chosen.reuse;
  options.shortage = chosen.shortage;
  search.short_of_memory = trials->short_of_memory();
  return search;
}

}  // namespace pto::driver
