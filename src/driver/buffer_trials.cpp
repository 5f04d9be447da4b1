#include "driver/buffer_trials.hpp"

#include <algorithm>
#include <new>

#include "analysis/argument_inference.hpp"
#include "cases/argument_binding.hpp"
#include "cases/dtype.hpp"
#include "cases/fill_patterns.hpp"
#include "isa/row.hpp"
#include "plan/loops/multi_buffer.hpp"
#include "plan/memory/placement.hpp"
#include "sim/engine/engine.hpp"

namespace pto::driver {
namespace {

constexpr int64_t kIterations = 13;  ///< of loops whose bounds are arguments: one is left over by 2, 3, 4
/// Turns that 2, 3 and 4 buffers divide: a loop with as many more has as many left over.
constexpr int64_t kWholeRounds = 12;
/// So few that there is one round of 4 at most; and of loops around such loops.
constexpr int64_t kTrialTripCount = 8, kOuterIterations = 3;
constexpr uint64_t kRoom = uint64_t{1} << 28;  ///< that a buffer of unknown size may reach

Argument argument_of(const InferredArgument& chosen) {
  Argument argument;
  argument.name = chosen.name;
  argument.is_buffer = chosen.buffer;
  if (!chosen.buffer) {
    argument.scalar = static_cast<uint64_t>(chosen.value.value_or(1));
    return argument;
  }
  argument.room = kRoom;
  constexpr uint64_t kMaxFilled = 1 << 20;
  if (chosen.value.value_or(0) == 0 || chosen.bytes > kMaxFilled) return argument;
  const Elem dtype = report::parse_dtype(report::dtype_of(chosen.type->elem)).value_or(Elem::ui8);
  argument.bytes.resize(chosen.bytes);
  if (!report::fill_elements(argument.bytes, dtype, std::to_string(*chosen.value))) argument.bytes.clear();
  return argument;
}

/// Loops that are run one iteration after the other, outside of vector functions, with how often they run.
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
    if (trips < kIterations + kWholeRounds) continue;
    ShortLoop loop{.loop = op, .written = op, .trips = trips};
    for (const ShortLoop& outer : found)
      if (op < program.end_of(outer.loop)) loop.around.push_back(outer.loop);
    found.push_back(std::move(loop));
  }
  for (ShortLoop& loop : found) {
    const bool is_around = std::ranges::any_of(
        found, [&](const ShortLoop& other) { return std::ranges::count(other.around, loop.loop) != 0; });
    if (!is_around || scale == Scale::steady) {
      loop.iterations = kIterations + (loop.trips - kIterations) % kWholeRounds;
      loop.more = kWholeRounds;
    } else {
      loop.iterations = scale == Scale::few_outside ? 4 : 2;
      loop.more = loop.iterations;
    }
  }
  return found;
}

bool is_nested(const ShortLoop& a, const ShortLoop& b) {
  return std::ranges::count(a.around, b.loop) != 0 || std::ranges::count(b.around, a.loop) != 0;
}

}  // namespace

Trials::Trials(const Program& program, const Machine& machine, const PlanOptions& options,
               timing::CostModel& costs,
               const std::function<std::shared_ptr<timing::CostModel>()>& make_costs,
               const std::vector<BufferedLoop>& loops, Scale scale)
    : program_(program),
      values_(static_cast<ValueId>(program.values.size())),
      machine_(machine),
      options_(options),
      costs_(costs),
      make_costs_(make_costs),
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

std::optional<Trials::Trial> Trials::run(const Plan& chosen) const {
  Trial trial{program_};
  if (!planned(trial.program, chosen)) return std::nullopt;
  const std::optional<Time> taken = time(trial.program, many_trip_counts_);
  if (!taken) return std::nullopt;
  const std::optional<uint64_t> beyond = time_beyond(chosen, *taken);
  if (!beyond) return std::nullopt;
  trial.run_cycles = taken->kernel;
  trial.cycles = taken->kernel + *beyond;
  return trial;
}

bool Trials::is_no_slower(Trial& trial, Trial& than) const {
  for (const std::vector<int64_t>& iterations : few_trip_counts_) {
    const std::optional<Time> before = time(than.program, iterations);
    if (!before) continue;
    const std::optional<Time> taken = time(trial.program, iterations);
    if (!taken || taken->kernel > before->kernel + (before->launch + before->kernel) / 500) return false;
  }
  return true;
}

BankPlaces Trials::bank_places(const Program& planned) const {
  BankPlaces places{machine_.ub_bank_group_bytes * machine_.ub_bank_groups, {}};
  if (places.round == 0) return places;
  const planner::Storage storage(planned);
  for (const planner::Root& root : storage.roots()) {
    if (root.kind == planner::Root::Kind::tile && root.space == Space::ub && root.slot == 0 && root.addr &&
        root.value < values_)
      places.of_tile.emplace(root.value, static_cast<uint32_t>(*root.addr % places.round));
  }
  return places;
}

std::vector<BankConflict> Trials::conflicts(Program& planned) const {
  std::vector<BankConflict> found;
  const std::shared_ptr<timing::CostModel> costs = make_costs_();
  if (!costs) return found;
  costs->count_conflicts();
  if (!time(planned, many_trip_counts_, *costs)) return found;
  const planner::Storage storage(planned);
  const uint32_t round = machine_.ub_bank_group_bytes * machine_.ub_bank_groups;
  for (const timing::BankConflicts& each : costs->conflicts()) {
    const std::vector<ValueId> sources = sources_of(storage, OpView(planned, each.pc));
    if (sources.size() < 2 || sources[0] == sources[1]) continue;
    found.push_back({each.cycles, {{sources[1], each.shift}, {sources[0], round - each.shift}}});
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &BankConflict::cycles);
  return found;
}

bool Trials::fits(const Plan& chosen) const {
  Program trial = program_;
  return planned(trial, chosen);
}

void Trials::bound(const std::vector<BufferedLoop>& loops) {
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
  many_trip_counts_.assign(all.size(), kIterations);
  for (const uint32_t loop : open) open_.push_back(moved(loop));
  std::ranges::sort(open_);
  for (ShortLoop& loop : short_) {
    loop.loop = moved(loop.loop);
    for (uint32_t& outer : loop.around) outer = moved(outer);
    many_trip_counts_[position(loop.loop)] = loop.iterations;
  }
  if (!open_.empty()) shorten_loops();
  find_alike();
  bind_trip_counts(program_, bounded_, many_trip_counts_);
}

/// Loops whose iterations count as often are run longer together, unless one is around another: what they
/// take is added up anyhow. Those that count most come first.
void Trials::find_alike() {
  for (const ShortLoop& loop : short_) {
    double times = static_cast<double>(loop.trips - loop.iterations) / static_cast<double>(loop.more);
    for (const ShortLoop& other : short_) {
      if (std::ranges::count(loop.around, other.loop) != 0)
        times *= static_cast<double>(other.trips) / static_cast<double>(other.iterations);
    }
    const auto fits = [&](const Alike& all) {
      return all.times == times &&
             std::ranges::none_of(all.loops, [&](const ShortLoop* other) { return is_nested(loop, *other); });
    };
    const auto at = std::ranges::find_if(alike_, fits);
    Alike& all = at == alike_.end() ? alike_.emplace_back() : *at;
    all.times = times;
    all.loops.push_back(&loop);
  }
  std::ranges::stable_sort(alike_, std::ranges::greater(), &Alike::times);
}

size_t Trials::position(uint32_t loop) const {
  return static_cast<size_t>(std::ranges::lower_bound(bounded_.loops, loop) - bounded_.loops.begin());
}

void Trials::shorten_loops() {
  std::vector<uint32_t> around;
  for (const uint32_t loop : open_) {
    const auto next = std::ranges::upper_bound(open_, loop);
    if (next != open_.end() && *next < program_.end_of(loop)) around.push_back(loop);
  }
  has_nests_ = !around.empty();
  const auto give = [&](std::vector<int64_t>& iterations, const std::vector<uint32_t>& loops, int64_t count) {
    for (const uint32_t loop : loops) iterations[position(loop)] = count;
  };
  if (scale_ > Scale::steady)
    give(many_trip_counts_, around, scale_ == Scale::few_outside ? kOuterIterations : 2);
  for (int64_t iterations = 0; iterations < kTrialTripCount; ++iterations)
    give(few_trip_counts_.emplace_back(many_trip_counts_), open_, iterations);
  for (int64_t iterations = 0; iterations < kOuterIterations && has_nests_; ++iterations) {
    give(few_trip_counts_.emplace_back(many_trip_counts_), open_, iterations);
    give(few_trip_counts_.back(), around, kOuterIterations);
  }
}

std::vector<ValueId> Trials::sources_of(const planner::Storage& storage, const OpView& op) {
  std::vector<ValueId> found;
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    for (const ValueId value : op.operands(slot)) {
      if (value == kNoValue || schema.operands[slot].role != isa::Role::in) continue;
      const std::span<const planner::RootId> roots = storage.roots_of(value);
      if (roots.size() != 1 || storage.roots()[roots[0]].space != Space::ub) continue;
      found.push_back(storage.roots()[roots[0] - storage.roots()[roots[0]].slot].value);
    }
  }
  return found;
}

std::optional<Trials::Time> Trials::time(Program& trial, const std::vector<int64_t>& iterations,
                                         uint64_t most) const {
  return time(trial, iterations, costs_, most);
}

std::optional<Trials::Time> Trials::time(Program& trial, const std::vector<int64_t>& iterations,
                                         timing::CostModel& costs, uint64_t most) const {
  bind_trip_counts(trial, bounded_, iterations);
  Time sum;
  for (const Run& run : runs_) {
    SimOptions options;
    options.mode = Mode::time;
    options.entry = run.entry;
    options.limits.instructions = most;
    std::vector<Argument> arguments = run.arguments;
    try {
      const Result<SimResult> result = sim::run(trial, arguments, options, machine_, costs);
      if (!result || !result->ended) {
        too_long_ = too_long_ || (result && ran_too_long(*result));
        return std::nullopt;
      }
      sum.kernel += result->kernel_cycles();
      sum.launch += result->launch_cycles;
      sum.instructions += result->instructions;
    } catch (const std::bad_alloc&) {
      short_of_memory_ = true;
      return std::nullopt;
    }
  }
  return runs_.empty() ? std::nullopt : std::optional(sum);
}

bool Trials::ran_too_long(const SimResult& result) {
  return std::ranges::any_of(result.findings.all(),
                             [](const Diagnostic& each) { return each.id == FindingId::max_instructions; });
}

std::optional<uint64_t> Trials::time_beyond(const Plan& chosen, const Time& base) const {
  double beyond = 0;
  uint64_t left = kMaxCountedUp;
  for (const Alike& all : alike_) {
    if (left == 0) {
      for (const ShortLoop* loop : all.loops) uncounted_.insert(loop->written);
      continue;
    }
    Program longer = program_;
    std::vector<int64_t> iterations = many_trip_counts_;
    for (const ShortLoop* loop : all.loops) iterations[position(loop->loop)] += loop->more;
    bind_trip_counts(longer, bounded_, iterations);  // the planner counts them
    if (!planned(longer, chosen)) return std::nullopt;
    // Each turn that is run more is one of those that the trial has run already.
    const std::optional<Time> taken = time(longer, iterations, 2 * kMaxInstructions);
    if (!taken) return std::nullopt;
    left -= std::min(left, taken->instructions);
    beyond += static_cast<double>(taken->kernel - std::min(taken->kernel, base.kernel)) * all.times;
  }
  constexpr double kMax = 9e18;
  return static_cast<uint64_t>(std::min(beyond, kMax));
}

void Trials::add(const Functions& functions, const LaunchedFunctions& launch) {
  Run run{std::string(launch.name), {}};
  for (const InferredArgument& chosen : infer_arguments(program_, functions, launch))
    run.arguments.push_back(argument_of(chosen));
  runs_.push_back(std::move(run));
}

bool Trials::planned(Program& trial, const Plan& chosen) const {
  PlanOptions options = options_;
  options.buffers = chosen.buffers;
  options.by_stage = chosen.by_stage;
  options.reuse = chosen.reuse;
  options.shortage = chosen.shortage;
  options.banks = chosen.banks;
  for (LoopBuffers& each : options.buffers) {
    each.loop = moved_.at(each.loop);
    each.open = std::ranges::binary_search(open_, each.loop);
  }
  Diagnostics unused;
  return plan(trial, machine_, options, unused);
}

}  // namespace pto::driver
