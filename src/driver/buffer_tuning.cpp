#include "driver/buffer_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "driver/buffer_trials.hpp"
#include "ir/nesting_depth.hpp"
#include "ir/op_queries.hpp"
#include "support/scoped_cache.hpp"
#include "timing/cost_config.hpp"

namespace pto::driver {
namespace {

constexpr unsigned kMaxBuffers = 4;
constexpr size_t kMaxLoops = 16;   ///< that are tried, of one program
constexpr size_t kMaxOps = 20000;  ///< of a program that is tried
/// Places of tiles that are tried; and which part of a run a conflict must take so that it is looked at.
constexpr size_t kMaxMoves = 12;
constexpr uint64_t kMinGain = 500;

/// Whether two tiles lie on the same bytes, of those in one memory or of all.
bool shares_room(const Program& planned, std::optional<Space> memory = std::nullopt) {
  const planner::Storage storage(planned);
  std::map<std::pair<Space, uint64_t>, uint64_t> ends;
  for (const planner::Root& root : storage.roots()) {
    if (root.kind != planner::Root::Kind::tile || !root.addr || (memory && root.space != *memory)) continue;
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
    count += isa::opcode_class(view) == isa::OpcodeClass::barrier &&
             view.attr_int("pipe") == static_cast<int64_t>(Pipe::all);
  }
  return count;
}

/// One loop after the other, each with what the others have got so far; in the order of the text, then by
/// stages.
class BufferChooser {
 public:
  explicit BufferChooser(const Trials& trials) : trials_(trials), alone_(trials.run({})) {
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

  /// Moves tiles of UB where both sources of an instruction lie in one bank group, as long as there is room
  /// and the program gets faster. Copies of tiles move with them.
  void avoid_bank_conflicts() {
    if (!alone_ || shares_room(alone_->program, Space::ub)) return;
    BankPlaces places = trials_.bank_places(alone_->program);
    if (places.of_tile.empty()) return;
    std::set<std::map<ValueId, uint32_t>> tried{places.of_tile};
    while (tried.size() < kMaxMoves && move_a_tile(places, tried)) {
    }
  }

  /// Where memory ends, copies share tiles and gain nothing.
  Plan as_many(const std::vector<BufferedLoop>& loops, unsigned wanted) {
    for (const BufferedLoop& loop : loops) {
      for (unsigned count = std::max(wanted / loop.slots, 1u) * loop.slots; count > 1; count -= loop.slots) {
        if (loop.trips && *loop.trips < count) continue;
        if (no_slower(plan_with(loop.loop, count))) break;
      }
    }
    return chosen_;
  }

 private:
  bool move_a_tile(BankPlaces& places, std::set<std::map<ValueId, uint32_t>>& tried) {
    for (const BankConflict& conflict : trials_.conflicts(alone_->program)) {
      if (conflict.cycles * kMinGain < alone_->run_cycles) return false;
      for (const BankConflict::Move& move : conflict.moves) {
        Plan plan = chosen_;
        plan.banks = places;
        const auto place = plan.banks.of_tile.find(move.tile);
        if (place == plan.banks.of_tile.end() || tried.size() >= kMaxMoves) continue;
        place->second = (place->second + move.bytes) % places.round;
        if (!tried.insert(plan.banks.of_tile).second) continue;
        std::optional<Trials::Trial> trial = trials_.run(plan);
        if (!trial || trial->cycles >= alone_->cycles || shares_room(trial->program, Space::ub) ||
            !trials_.is_no_slower(*trial, *alone_))
          continue;
        places = plan.banks;
        alone_ = std::move(trial);
        adopt(std::move(plan), alone_->cycles);
        return true;
      }
    }
    return false;
  }

  /// More text and more memory must be worth it: one cycle in a hundred.
  static bool is_worth(uint64_t cycles, uint64_t before) { return cycles < before - before / 100; }

  [[nodiscard]] Plan plan_with(uint32_t loop, unsigned count) const {
    Plan built = chosen_;
    std::erase_if(built.buffers, [&](const LoopBuffers& each) { return each.loop == loop; });
    built.buffers.push_back({loop, count});
    return built;
  }
  [[nodiscard]] unsigned count_of(uint32_t loop) const {
    const auto at = std::ranges::find(chosen_.buffers, loop, &LoopBuffers::loop);
    return at == chosen_.buffers.end() ? 1 : at->count;
  }

  void more(const std::vector<BufferedLoop>& loops) {
    for (const BufferedLoop& loop : loops) {
      const unsigned now = count_of(loop.loop);
      if (now % loop.slots != 0) continue;
      for (unsigned count = now + loop.slots; count <= kMaxBuffers; count += loop.slots) {
        if (loop.trips && *loop.trips < count) break;
        if (!attempt(plan_with(loop.loop, count))) break;
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
    adopt(std::move(tried), trial->cycles);
    more(loops);
    if (!is_worth(best_, before)) adopt(old, before);
  }

  /// Where tiles share room, and where ids of flags are short, every way to see to that is tried, and the
  /// plan says which is the best one.
  std::optional<Trials::Trial> best_way(Plan& plan) const {
    plan.reuse = Reuse::by_pipes;
    plan.shortage = IdShortage::barriers;
    std::optional<Trials::Trial> best = trials_.run(plan);
    if (!best) return best;
    if (shares_room(best->program)) {
      for (const Reuse reuse : {Reuse::best_fit, Reuse::round_robin})
        try_way(plan, best, &Plan::reuse, reuse);
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
    adopt(std::move(plan), trial->cycles);
    return true;
  }

  /// A loop that takes tiles in turn has said how many iterations are to be under way.
  void as_stated(const BufferedLoop& loop) {
    if (!loop.trips || *loop.trips >= loop.slots) no_slower(plan_with(loop.loop, loop.slots));
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
    adopt(std::move(plan), trial->cycles);
    return true;
  }

  void adopt(Plan plan, uint64_t cycles) {
    best_ = cycles;
    chosen_ = std::move(plan);
  }

  const Trials& trials_;
  std::optional<Trials::Trial> alone_;  ///< as the program stands
  uint64_t best_ = 0;
  Plan chosen_;
};

std::string untried(const std::string& why) { return "loops keep one buffer without a trial: " + why; }

}  // namespace

BufferSearch choose_buffers(const Program& program, const Machine& machine, PlanOptions& options,
                            unsigned wanted, const std::string& target,
                            std::span<const std::string> settings) {
  BufferSearch search;
  if (who_orders(program, options.sync) != SyncBy::tools ||
      nested_deeper(program, kMaxPlannedDepth))  // the planner refuses it
    return search;
  std::vector<BufferedLoop> loops;
  if (wanted != 1) loops = loops_to_buffer(program, options);
  if (loops.empty() && !options.plan_memory) return search;
  if (program.ops.size() > kMaxOps) {
    if (loops.empty()) return search;
    search.note = untried(fmt::format("trials are made of programs of up to {} operations", kMaxOps));
    return search;
  }
  if (loops.size() > kMaxLoops) {
    search.note = untried(fmt::format("{} loops are tried, this is the first one of {} more", kMaxLoops,
                                      loops.size() - kMaxLoops));
    search.loop = loops[kMaxLoops].loop;
    loops.resize(kMaxLoops);
  }
  std::optional<ScopedCache<timing::ConfigFile>> configurations;  // of all cost models of the trials
  if (!ScopedCache<timing::ConfigFile>::is_active()) configurations.emplace();
  timing::CostOptions cost_options;
  cost_options.allow_unknown = true;
  const std::function<std::shared_ptr<timing::CostModel>()> make_costs =
      [&]() -> std::shared_ptr<timing::CostModel> {
    auto loaded = timing::load_target(target, cost_options, settings);
    return loaded ? std::move(loaded->costs) : nullptr;
  };
  const std::shared_ptr<timing::CostModel> costs = make_costs();
  if (!costs) return search;
  // As long as a trial is too long, with fewer iterations.
  std::unique_ptr<Trials> trials;
  Plan chosen;
  bool has_run = false;
  for (const Scale scale : {Scale::whole, Scale::steady, Scale::few_outside, Scale::fewest}) {
    auto smaller = std::make_unique<Trials>(program, machine, options, *costs, make_costs, loops, scale);
    if (scale != Scale::whole && (!trials->too_long() || !smaller->shortens())) continue;
    trials = std::move(smaller);
    BufferChooser choice(*trials);
    if (has_run && !choice.has_run()) break;
    has_run = choice.has_run();
    if (options.plan_memory) choice.avoid_bank_conflicts();
    chosen = wanted == 0 ? choice.run(loops) : choice.as_many(loops, wanted);
  }
  if (!has_run && trials->too_long() && !loops.empty()) {
    search.note = untried(fmt::format("a trial takes more than {} instructions", kMaxInstructions));
    search.loop = loops.back().loop;
  } else if (const std::set<uint32_t>& uncounted = trials->uncounted();
             !uncounted.empty() && search.note.empty()) {
    search.note = fmt::format(
        "loops may have fewer buffers than they gain from: a trial counts {} of {} long loops up from their "
        "steady state, in {} instructions",
        trials->long_loops() - uncounted.size(), trials->long_loops(), kMaxCountedUp);
    search.loop = *uncounted.begin();
  }
  options.buffers = std::move(chosen.buffers);
  options.by_stage = chosen.by_stage;
  options.reuse = chosen.reuse;
  options.shortage = chosen.shortage;
  options.banks = std::move(chosen.banks);
  search.short_of_memory = trials->short_of_memory();
  return search;
}

}  // namespace pto::driver
