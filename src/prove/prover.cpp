// Over 500 lines: it is one class with the proof state of a kernel.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>

#include "analysis/argument_inference.hpp"
#include "analysis/scalar_only_kernels.hpp"
#include "analysis/tile_queues.hpp"
#include "ir/nesting_depth.hpp"
#include "ir/op_queries.hpp"
#include "ir/value_names.hpp"
#include "prove/abstract/control_slice.hpp"
#include "prove/abstract/havoc.hpp"
#include "prove/alias/unordered_accesses.hpp"
#include "prove/counterexample.hpp"
#include "prove/explore/checkpoints.hpp"
#include "prove/explore/exploration_frontier.hpp"
#include "prove/explore/loop_fixpoint.hpp"
#include "prove/explore/loop_periodicity.hpp"
#include "prove/explore/memory_inputs.hpp"
#include "prove/input_combinations.hpp"
#include "prove/proof_scope.hpp"
#include "pto/assembler.hpp"
#include "pto/prove.hpp"
#include "sim/engine/run_hooks.hpp"
#include "sim/findings/naming.hpp"
#include "sim/memory/host_pages.hpp"
#include "support/scoped_cache.hpp"
#include "timing/cost_model.hpp"

namespace pto {
namespace {

using driver::Choice;
using driver::Deadline;
using driver::InferredArgument;
using driver::InputSlice;
using driver::MemoryInputs;
using Verdict = Proof::Verdict;

constexpr uint64_t kRoom = uint64_t{4} << 30;  ///< bytes that a buffer may reach
constexpr uint32_t kMaxBlocks = 3;

/// Of what is tried now; ProveOptions says what is tried in all.
struct Limits {
  uint64_t runs;
  Deadline deadline;
  Deadline joining;  ///< looking for numbers that decide together
};

class KernelProof {
 public:
  KernelProof(const Launch& launch, const ProveOptions& options, const Functions& functions,
              const LaunchedFunctions& launched, const InputSlice& slice, const Limits& limits)
      : limits_(limits),
        launch_(launch),
        options_(options),
        program_(launch.prepared.program),
        functions_(functions),
        launched_(launched),
        tree_(launch.prepared.program),
        live_(launch.prepared.program, tree_),
        slice_(slice),
        chosen_(driver::infer_arguments(program_, functions, launched)) {
    for (const auto& [op, numbers] : slice_.loads()) loads_.insert(op);
    if (!loads_.empty()) find_rules();
    if (auto machine = launch.prepared.machine()) machine_ = *machine;
    for (const uint32_t function : slice_.functions()) {
      for (const uint32_t op : descendants(program_, functions_[function].info.op)) {
        if (isa::is_queue_transfer(isa::opcode_class(OpView(program_, op)))) queue_ops_.insert(op);
      }
    }
    proof_.kernel = launched.name;
    proof_.diagnostics = options.launch.diagnostics;
  }

  /// With more iterations the loops may come to repeat one another.
  [[nodiscard]] bool wants_more_trips() const { return unsettled_; }
  /// What decides was not all known, or not all tried.
  [[nodiscard]] bool leaves_numbers() const { return unknown_; }
  /// Runs or time were not enough.
  [[nodiscard]] bool wants_more_runs() const { return cut_short_; }

  Result<Proof> run() {
    choose();
    if (auto scalar = try_scalar(); !scalar || *scalar)
      return scalar ? Result<Proof>(std::move(proof_)) : scalar.error();
    for (const driver::Inconclusive& each : slice_.inconclusive())
      note_inconclusive(each.op, each.source, each.why);
    find_data_loops();
    if (!slice_.has_found_correlated_inputs()) {
      note_inconclusive(
          0, 0,
          fmt::format("more values decide together than can be examined in {} s (--max-seconds)",
                      options_.max_seconds));
      cut_short_ = true;
    }
    const driver::Combinations combinations(choices_, slice_.correlated_inputs());
    const uint64_t all = combinations.count();
    const bool too_many = all > options_.max_runs;
    if (too_many)
      note_inconclusive(0, 0,
                        fmt::format("{} combinations of {} values decide, more than the {} of --max-runs",
                                    all, choices_.size(), options_.max_runs));
    // What is not decided may still have a counterexample among the first runs.
    constexpr uint64_t kSome = 256;
    max_runs_ = too_many || undecided_ ? kSome : limits_.runs;
    if (auto tried = try_all(combinations); !tried) return tried.error();
    if (proof_.verdict == Verdict::counterexample) return std::move(proof_);
    unknown_ = undecided_;
    if (!undecided_) check_loops();
    if (!undecided_) {
      check_unordered_accesses();
      if (undecided_ && !unordered_.overrun()) {
        max_runs_ = proof_.runs + kSome;
        if (auto tried = try_unordered(); !tried) return tried.error();
        if (proof_.verdict == Verdict::counterexample) return std::move(proof_);
      }
    }
    launch_.prepared.locate(proof_.diagnostics);
    proof_.verdict = proof_.diagnostics.all().empty() && !undecided_ ? Verdict::proved : Verdict::undecided;
    if (counts_flags_) proof_.covers.emplace_back(driver::flags_of(rules_.machine));
    return std::move(proof_);
  }

 private:
  void choose() {
    for (const auto& [parameter, numbers] : slice_.parameters()) {
      if (parameter >= chosen_.size() || chosen_[parameter].buffer) continue;
      Choice choice{parameter, chosen_[parameter].name, {}};
      for (const int64_t number : numbers) {
        if (driver::fits(*chosen_[parameter].type, number)) choice.numbers.push_back(number);
      }
      if (choice.numbers.empty()) continue;
      proof_.covers.push_back(choice.name + ": any");
      choices_.push_back(std::move(choice));
    }
    Choice blocks{~0u, "blocks", {1}};
    if (launch_.the_case.blocks != 0 && options_.launch.blocks != 0)
      blocks.numbers = {options_.launch.blocks};
    else if (slice_.reads_block())
      blocks.numbers = {1, 2, kMaxBlocks};
    if (blocks.numbers.size() > 1)
      proof_.covers.push_back(fmt::format("1 to {} blocks", kMaxBlocks));
    else if (blocks.numbers.front() == 1)
      proof_.covers.emplace_back("one block");
    else
      proof_.covers.push_back(fmt::format("{} blocks", blocks.numbers.front()));
    choices_.push_back(std::move(blocks));
    if (!slice_.word_waits().empty()) proof_.covers.emplace_back("words that other devices write come");
    if (slice_.assumes_no_overflow()) proof_.covers.emplace_back("values of 32 bits within their type");
  }

  void find_rules() {
    rules_.program = &program_;
    rules_.live = &live_;
    rules_.slice = &slice_;
    rules_.shared = sharing_.shared();
    if (auto machine = launch_.prepared.machine()) rules_.machine = *machine;
    rules_.queue_ops = driver::queue_slot_counters(program_, functions_, launched_, slice_);
    rules_.queue_signals = driver::queue_signals(program_, functions_, slice_);
  }

  /// Loops whose iterations load what decides: one number for each of them, and there may be any number.
  void find_data_loops() {
    repeating_ = slice_.input_dependent_loops();
    for (const uint32_t loop : slice_.input_dependent_loops()) {
      const auto some = loads_.upper_bound(loop);
      if (some == loads_.end() || *some >= program_.end_of(loop)) continue;
      const auto each =
          std::ranges::find_if(loads_, [&](uint32_t load) { return tree_.parent(load) == loop; });
      if (each == loads_.end() || !slice_.can_checkpoint()) {
        note_inconclusive(loop, *some, "its iterations load values that decide");
        continue;
      }
      data_loops_[loop] = *each;
      if (const auto trips = slice_.trip_count_input_of(loop)) rules_.trips[*trips] = loop;
      repeating_.erase(loop);
    }
  }

  /// Where nothing but one scalar unit per block acts, no number decides about order: only blocks can meet.
  /// One run shows which cores there are. False where that proves nothing.
  Result<bool> try_scalar() {
    if (!driver::is_scalar_only(program_, functions_, slice_.functions())) return false;
    driver::InputLoadTracker reads(loads_, {});
    driver::Checkpoints cuts(rules_, reads, contexts_, sharing_, conflicts_);
    if (auto good = try_one(std::vector<size_t>(choices_.size()), reads, cuts); !good) return good;
    if (undecided_ || proof_.verdict == Verdict::counterexample || !unordered_.has_one_core_per_block())
      return false;
    if (choices_.back().numbers != std::vector<int64_t>{1}) {
      driver::SymbolicAccesses all(program_, functions_, launched_, {});
      const std::set<uint32_t> stored = driver::stored_arguments(program_, all);
      if (stored.contains(driver::SymbolicRegion::kNoArgument)) return false;
      driver::SymbolicAccesses places(program_, functions_, launched_, stored);
      driver::UnorderedAccesses between;
      between.add_between_blocks(program_, places);
      if (places.overrun() ||
          !between.possible_conflicts(places, {.in_views = false, .distances = false}).empty())
        return false;
    }
    proof_.verdict = Verdict::proved;
    return true;
  }

  /// All combinations of numbers; of each, all contents of the places that decide.
  Result<bool> try_all(const driver::Combinations& combinations) {
    for (uint64_t i = 0; i < combinations.count(); ++i) {
      if (auto good = explore_memory_inputs(combinations.at(i)); !good) return good;
      if (proof_.verdict == Verdict::counterexample || (undecided_ && proof_.runs >= max_runs_)) return true;
    }
    return true;
  }

  /// Explores the values of loaded inputs. Later loads depend on the values of earlier ones, so
  /// inputs are discovered during the search: each run shows which memory cells are read next, and
  /// every representative value is explored for each cell. A run that reaches a known checkpoint
  /// state is not continued.
  Result<bool> explore_memory_inputs(const std::vector<size_t>& at) {
    driver::ExplorationFrontier frontier;
    driver::LoopFixpoint fixpoint(data_loops_, slice_.prefix_length(), slice_.period());
    while (const auto contents = frontier.next_input()) {
      if (proof_.runs >= max_runs_) {
        if (proof_.runs >= limits_.runs)
          too_many_memory_inputs(fmt::format("than the {} ways of --max-runs", options_.max_runs));
        return true;
      }
      if (limits_.deadline.is_over()) {
        too_many_memory_inputs(
            fmt::format("ways than the {} s of --max-seconds let try", options_.max_seconds));
        return true;
      }
      driver::InputLoadTracker reads(loads_, *contents);
      driver::Checkpoints cuts(rules_, reads, contexts_, sharing_, conflicts_);
      if (auto good = try_one(at, reads, cuts); !good) return good;
      if (proof_.verdict == Verdict::counterexample || loads_.empty()) return true;
      if (const auto op = reads.find_written_input()) {
        note_inconclusive(*op, *op, "the kernel writes the bytes that it loads here");
        return true;
      }
      if (const auto op = reads.reloading_op(); op && !slice_.word_waits().empty()) {
        note_inconclusive(*op, *op, "it loads a value again, which another device may have changed");
        return true;
      }
      cuts.sort_cells();
      if (learn(reads, cuts)) {  // what was tried did not take everything into account
        frontier.clear();
        fixpoint.clear();
        continue;
      }
      const MemoryInputs came = reads.observed();
      std::vector<std::optional<driver::CheckpointState>> states(came.size());
      if (slice_.can_checkpoint()) states = cuts.states(came);
      for (const auto& state : states) {
        if (data_loops_.empty()) break;
        fixpoint.add(state);
      }
      std::vector<std::set<int64_t>> numbers;
      for (const auto& [place, number] : came) numbers.push_back(numbers_at(place));
      frontier.add(came, std::move(states), numbers);
    }
    fixpoint.finish(static_cast<uint64_t>(slice_.explored_trips()), fixpoint_);
    return true;
  }

  std::set<int64_t> numbers_at(const driver::MemoryCell& place) {
    std::set<int64_t> found{0};
    for (const int64_t number : numbers_[place]) {
      if (driver::fits(place, number)) found.insert(number);
    }
    return found;
  }

  /// Whether something was not known of what has been tried.
  bool learn(const driver::InputLoadTracker& reads, const driver::Checkpoints& cuts) {
    bool more = cuts.add_reloaded(rules_.reloaded) || rules_.shared != sharing_.shared() ||
                conflict_count_ != conflicts_.version();
    rules_.shared = sharing_.shared();
    conflict_count_ = conflicts_.version();
    for (const auto& [place, ops] : reads.readers()) {
      const auto [at, fresh] = numbers_.try_emplace(place);
      const size_t before = at->second.size();
      for (const uint32_t op : ops) {
        const std::set<int64_t>& of_load = slice_.loads().at(op);
        at->second.insert(of_load.begin(), of_load.end());
      }
      more = more || (!fresh && at->second.size() != before);
    }
    return more;
  }

  void too_many_memory_inputs(const std::string& than) {
    if (undecided_) return;
    cut_short_ = true;
    const uint32_t op = loads_.empty() ? 0 : *loads_.begin();
    note_inconclusive(op, op,
                      (op == 0 ? "passed values decide in more " : "loaded values decide in more ") + than);
  }

  /// What a run with these numbers has, and how it runs.
  std::vector<Argument> arguments_with(const std::vector<size_t>& at, SimOptions& sim) const {
    std::vector<Argument> arguments;
    for (const InferredArgument& chosen : chosen_) {
      Argument argument{.name = chosen.name, .is_buffer = chosen.buffer};
      if (chosen.buffer) {
        argument.room = std::min(kRoom, sim::kMaxRoom);
      } else {
        argument.scalar = static_cast<uint64_t>(chosen.value.value_or(1));
      }
      arguments.push_back(std::move(argument));
    }
    sim = options_.sim;
    sim.mode = Mode::check;
    sim.entry = proof_.kernel;
    sim.blocks = 1;
    sim.checks.uninitialised = false;
    sim.checks.adverse_schedule = false;
    sim.limits.findings = 0;
    sim.threads = 1;
    // A single run may take longer than there is time.
    late_ = false;
    sim.stop = &late_;
    sim.progress = [this](uint64_t, uint64_t) {
      if (limits_.deadline.is_over() || (options_.sim.stop != nullptr && *options_.sim.stop)) late_ = true;
    };
    sim.hooks = &hooks_;
    hooks_.no_values = proof_.runs > 0;  // the first one shows what is wrong with values
    sim.hypotheses.no_wait.assign(slice_.word_waits().begin(), slice_.word_waits().end());
    hooks_.any_bytes.assign(slice_.any_bytes().begin(), slice_.any_bytes().end());
    hooks_.every_lane.assign(slice_.input_dependent_masks().begin(), slice_.input_dependent_masks().end());
    for (size_t i = 0; i < at.size(); ++i) {
      const int64_t number = choices_[i].numbers[at[i]];
      if (choices_[i].parameter == ~0u)
        sim.blocks = static_cast<uint32_t>(number);
      else
        arguments[choices_[i].parameter].scalar = static_cast<uint64_t>(number);
    }
    return arguments;
  }

  Result<bool> try_one(const std::vector<size_t>& at, const driver::InputLoadTracker& reads,
                       driver::Checkpoints& cuts) {
    SimOptions sim;
    std::vector<Argument> arguments = arguments_with(at, sim);
    driver::LoopPeriodicity periods(repeating_, options_.max_events);
    std::vector<Observer*> observers;
    const bool watched = !repeating_.empty();
    if (watched) observers.push_back(&periods);
    if (!loads_.empty()) observers.push_back(&cuts);
    driver::UnorderedAccessObserver far(machine_, slice_, queue_ops_);
    if (!undecided_) observers.push_back(&far);
    const auto result = simulate(launch_.prepared, arguments, sim, observers);
    ++proof_.runs;
    if (!result) return result.error();
    counts_flags_ = counts_flags_ || result->double_sets != 0;
    if (watched) note(periods);
    far.add_to(unordered_, periods.repetitions(static_cast<uint64_t>(slice_.explored_trips())));
    if (const auto op = unordered_.self_waiting_op()) {
      if (!undecided_) note_inconclusive(*op, *op, "the kernel writes the words that it waits for");
      return true;
    }
    return judge(*result, at, reads);
  }

  void note(const driver::LoopPeriodicity& periods) {
    const auto trips = static_cast<uint64_t>(slice_.explored_trips());
    if (periods.overrun()) overrun_ = true;
    periodic_.merge(periods.periodic(trips));
    aperiodic_.merge(periods.aperiodic(trips));
    for (const auto& [loop, most] : periods.max_trip_counts())
      max_trip_counts_[loop] = std::max(max_trip_counts_[loop], most);
  }

  /// Errors that a proof says do not happen.
  [[nodiscard]] bool fails(const SimResult& result) const {
    return std::ranges::any_of(result.findings.all(), [&](const Diagnostic& finding) {
      return driver::is_proof_failure(finding) && !undecided(finding.anchor.op);
    });
  }

  Result<bool> judge(const SimResult& result, const std::vector<size_t>& at,
                     const driver::InputLoadTracker& reads) {
    for (const Diagnostic& finding : result.findings.all()) {
      leaves_views_ = leaves_views_ || finding.id == FindingId::window;
      // What waits and signals met in this run is one way of several.
      if (finding.id == FindingId::cross_order) stopped_by(finding, finding.message);
    }
    if (!fails(result)) {
      if (result.interrupted)
        out_of_time();
      else if (!result.ended)
        ended_early(result);
      return true;
    }
    MemoryInputs came = reads.observed();
    std::erase_if(came, [](const driver::MemoryInput& each) { return each.number == 0; });
    const bool as_masked = slice_.input_dependent_masks().empty();
    const bool as_it_is = came.empty() && reads.cells().empty() && as_masked && proof_.runs == 1;
    if (as_it_is) {
      refute(result, at, came);
      return true;
    }
    // The loads were given the numbers, and only the first run has values; the buffers have to give both.
    auto again = fails_with(at, came);
    if (!again) return again.error();
    if (!*again && !as_masked) {
      const uint32_t op = *slice_.input_dependent_masks().begin();
      note_inconclusive(op, op,
                        "input values decide which lanes take part, and with all lanes there is an error");
      return true;
    }
    if (!*again && reads.cells().empty()) {
      note_inconclusive(0, 0, "without the values of its tiles something goes wrong");
      return true;
    }
    if (!*again) {
      const uint32_t op = *loads_.begin();
      note_inconclusive(op, op, "with other parameters it may load another value than before");
      return true;
    }
    constexpr size_t kMaxAttempts = 16;
    for (size_t i = came.size() <= kMaxAttempts ? came.size() : 0; i-- > 0;) {  // those that are needed
      MemoryInputs fewer = came;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      auto without = fails_with(at, fewer);
      if (!without) return without.error();
      if (*without) {
        came = std::move(fewer);
        again = std::move(without);
      }
    }
    refute(**again, at, came);
    return true;
  }

  /// The result of a run with these numbers in the buffers, where it fails.
  Result<std::optional<SimResult>> fails_with(const std::vector<size_t>& at, const MemoryInputs& contents,
                                              std::optional<uint64_t> others = {}) {
    SimOptions sim;
    std::vector<Argument> arguments = arguments_with(at, sim);
    hooks_.every_lane.clear();
    hooks_.no_values = false;
    if (others) driver::assign_unchosen_parameters(*others, choices_, arguments);
    if (!write_inputs(contents, arguments)) return std::optional<SimResult>();
    auto result = simulate(launch_.prepared, arguments, sim, {});
    proof_.runs += others ? 0 : 1;
    if (!result) return result.error();
    return fails(*result) ? std::optional<SimResult>(std::move(*result)) : std::nullopt;
  }

  void refute(const SimResult& result, const std::vector<size_t>& at, const MemoryInputs& came) {
    proof_.verdict = Verdict::counterexample;
    proof_.diagnostics = options_.launch.diagnostics;
    for (const Diagnostic& finding : result.findings.all()) {
      if (has_trait(finding.id, kInProofs) || driver::is_proof_failure(finding))
        proof_.diagnostics.add(finding);
    }
    proof_.inputs = driver::describe_inputs(choices_, at, chosen_, came, has_relevant_unchosen(at, came));
  }

  /// Whether it takes the numbers of the other parameters as well, which decide where accesses are.
  bool has_relevant_unchosen(const std::vector<size_t>& at, const MemoryInputs& came) {
    return driver::has_unchosen_parameters(choices_, chosen_) &&
           std::ranges::any_of(std::array{0, 1, 7}, [&](uint64_t number) {
             const auto result = fails_with(at, came, number);
             return !result || !*result;
           });
  }

  /// What data decides at an operation, no run without them can tell.
  [[nodiscard]] bool undecided(uint32_t op) const {
    return std::ranges::any_of(slice_.inconclusive(),
                               [&](const driver::Inconclusive& each) { return each.op == op; });
  }

  /// Marks the kernel inconclusive after a run that an unrelated finding ended: the rest of the
  /// kernel was not explored.
  void ended_early(const SimResult& result) {
    for (const Diagnostic& finding : result.findings.all()) {
      if (finding.severity != Severity::error) continue;
      return stopped_by(finding, fmt::format("a run ends here: {}", finding.message));
    }
  }

  void out_of_time() {
    cut_short_ = true;
    note_inconclusive(0, 0,
                      fmt::format("a run takes longer than the {} s of --max-seconds", options_.max_seconds));
  }

  void stopped_by(const Diagnostic& finding, const std::string& why) {
    if (stopped_.emplace(finding.id, finding.anchor.op).second)
      note_inconclusive(finding.anchor.op, finding.anchor.op, why);
  }

  void check_loops() {
    periodic_.insert(fixpoint_.converged.begin(), fixpoint_.converged.end());
    aperiodic_.insert(fixpoint_.diverging.begin(), fixpoint_.diverging.end());
    for (const auto& [loop, most] : fixpoint_.max_trip_counts)
      max_trip_counts_[loop] = std::max(max_trip_counts_[loop], most);
    for (const uint32_t loop : slice_.input_dependent_loops()) {
      if (overrun_) {
        note_inconclusive(loop, loop, "its iterations do more than is compared");
      } else if (aperiodic_.contains(loop)) {
        unsettled_ = true;
        note_inconclusive(
            loop, loop,
            fmt::format("{} iterations do not come to repeat one another", slice_.explored_trips()));
      } else if (!periodic_.contains(loop)) {
        const auto most = slice_.max_trip_count(loop);
        if (most && max_trip_counts_[loop] >= static_cast<uint64_t>(std::max<int64_t>(0, *most))) continue;
        note_inconclusive(
            loop, loop, fmt::format("it ran {} times at most with the tried values", max_trip_counts_[loop]));
      }
    }
  }

  /// What no run orders must not come to the same bytes, however far apart.
  void check_unordered_accesses() {
    if (unordered_.overrun())
      return note_inconclusive(0, 0, "too many of its accesses of GM are in no order");
    std::set<uint32_t> changing = unordered_.written();
    if (!slice_.word_waits().empty()) {  // who tells of words may write elsewhere as well
      for (uint32_t i = 0; i < chosen_.size(); ++i) changing.insert(i);
    }
    driver::SymbolicAccesses places(program_, functions_, launched_, std::move(changing));
    if (places.overrun()) return note_inconclusive(0, 0, "it is too large to compute its GM addresses");
    // Of runs that come to the same cut one is followed, which may know of other iterations than the rest do.
    const bool cut = !loads_.empty() && slice_.can_checkpoint();
    std::vector<driver::UnorderedAccesses::PossibleConflict> found =
        unordered_.possible_conflicts(places, {.in_views = false, .distances = !cut});
    if (!found.empty() && !leaves_views_) {
      found = unordered_.possible_conflicts(places, {.in_views = true, .distances = !cut});
      if (found.empty()) proof_.covers.emplace_back("windows within their views");
    }
    for (const driver::UnorderedAccesses::PossibleConflict& each : found) {
      note_inconclusive(
          each.first, each.first,
          fmt::format("nothing orders it and {}, and {} than were tried may come to the same bytes",
                      sim::place(program_, each.second),
                      each.blocks ? "other blocks" : "other iterations or values"));
    }
    for (const auto& [first, second] : unordered_.onchip_conflicts())
      note_inconclusive(first, first,
                        fmt::format("it and {} are not ordered, and other values than the tried ones may "
                                    "give them the same bytes on the chip",
                                    sim::place(program_, second)));
    const bool met = undecided_;
    check_chosen_loads(places);
    for (const uint32_t op : unordered_.unobserved_accesses(places))
      note_inconclusive(op, op, "no tried value makes it run");
    // With branches and loops that are let go as many meet, or more.
    unknown_ = undecided_ && !met;
  }

  /// What is loaded may be any number as long as the kernel itself does not write there.
  void check_chosen_loads(const driver::SymbolicAccesses& places) {
    for (const auto& [op, address] : slice_.addresses()) {
      if (!unordered_.is_read_of_unwritten_argument(places, op))
        note_inconclusive(op, op, "input values decide which one it loads, and the kernel may write it");
    }
  }

  /// Runs that go further, where nothing says that they do no harm.
  Result<bool> try_unordered() {
    constexpr int64_t kFurther = 40;
    std::vector<size_t> at;
    for (Choice& choice : choices_) {
      const int64_t most = *std::ranges::max_element(choice.numbers);
      const bool blocks = choice.parameter == ~0u;
      const bool further =
          blocks ? choice.numbers.size() > 1 : driver::fits(*chosen_[choice.parameter].type, most + kFurther);
      if (further) choice.numbers.push_back(most + kFurther);
      at.push_back(choice.numbers.size() - 1);
    }
    for (const int64_t blocks : {5, 9, 17}) {
      if (choices_.back().numbers.size() > 1) choices_.back().numbers.back() = blocks;
      if (auto good = explore_memory_inputs(at); !good) return good;
      if (proof_.verdict == Verdict::counterexample || choices_.back().numbers.size() == 1) return true;
    }
    return true;
  }

  void note_inconclusive(uint32_t op, uint32_t source, const std::string& why) {
    undecided_ = true;
    const std::string what =
        op == 0 || op >= program_.ops.size() ? proof_.kernel : std::string(sim::mnemonic(program_, op));
    Diagnostic built = sim::finding(program_, FindingId::unproved, op,
                                    fmt::format("nothing is proved of {}: {}", what, why), Severity::warning);
    if (source != op && source != 0)
      built.notes.push_back(
          sim::note_at(program_, source, fmt::format("{} gives the value", sim::mnemonic(program_, source))));
    proof_.diagnostics.add(std::move(built));
  }

  const Limits& limits_;
  const Launch& launch_;
  const ProveOptions& options_;
  const Program& program_;
  const Functions& functions_;
  const LaunchedFunctions& launched_;
  RegionTree tree_;
  driver::LiveLoads live_;
  Machine machine_;
  std::set<uint32_t> queue_ops_;
  driver::UnorderedAccesses unordered_;
  driver::CheckpointRules rules_;
  driver::LoadContexts contexts_;
  driver::SharedGmArguments sharing_;
  driver::ConflictSets conflicts_;
  const InputSlice& slice_;
  std::vector<InferredArgument> chosen_;
  std::vector<Choice> choices_;
  std::set<uint32_t> repeating_;             ///< loops that do the same in each run
  std::map<uint32_t, uint32_t> data_loops_;  ///< others, with a load that each iteration does
  driver::LoopFixpoint::Found fixpoint_;
  std::set<uint32_t> periodic_, aperiodic_;
  std::map<uint32_t, uint64_t> max_trip_counts_;
  std::set<uint32_t> loads_;                                 ///< operations that load what decides
  std::map<driver::MemoryCell, std::set<int64_t>> numbers_;  ///< what each is given
  uint64_t max_runs_ = 0, conflict_count_ = 0;
  std::set<std::pair<FindingId, uint32_t>> stopped_;
  mutable std::atomic<bool> late_ = false;  ///< ends the run under way
  mutable sim::RunHooks hooks_;             ///< of the run under way
  bool overrun_ = false, undecided_ = false, leaves_views_ = false, unsettled_ = false, cut_short_ = false,
       unknown_ = false, counts_flags_ = false;
  Proof proof_;
};

/// A kernel of a program.
struct Kernel {
  const Launch& launch;
  const Functions& functions;
  const CallGraph& calls;
  const LaunchedFunctions& launched;
  mutable std::map<int64_t, std::unique_ptr<InputSlice>> known{};

  [[nodiscard]] const Program& program() const { return launch.prepared.program; }
  /// With loops of at least so many iterations.
  InputSlice& slice(int64_t trips) const {
    std::unique_ptr<InputSlice>& one = known[trips];
    if (!one) one = std::make_unique<InputSlice>(program(), functions, calls, launched, trips);
    return *one;
  }
};

struct ProofAttempt {
  Proof proof;
  bool numbers_left = false;  ///< what decides was not all known, or not all tried
  bool more_runs = false;     ///< or more time may decide it
};

Result<ProofAttempt> prove_program(const Kernel& kernel, const ProveOptions& options, const Limits& limits,
                                   int64_t least_trips = InputSlice::kMinTrips) {
  constexpr int64_t kMaxTrips = 20;  // twice the eight slots of a queue, and some to leave by
  for (int64_t trips = least_trips;; trips += InputSlice::kMinTrips / 2) {
    InputSlice& slice = kernel.slice(trips);
    slice.find_correlated_inputs(limits.joining);
    KernelProof one(kernel.launch, options, kernel.functions, kernel.launched, slice, limits);
    auto proof = one.run();
    if (!proof) return proof.error();
    if (one.wants_more_trips() && trips < kMaxTrips) continue;
    return ProofAttempt{std::move(*proof), one.leaves_numbers(), one.wants_more_runs()};
  }
}

/// Of a program that was freed only a proof says something. The fewer iterations its loops have, the fewer
/// ways there are: they get more as long as they do not come to repeat one another. Parameters alone come to
/// an end, which is worth more time.
Result<Proof> prove_havocked(const Kernel& kernel, Program program, const ProveOptions& options,
                             const Limits& limits, const Limits& by_parameters) {
  Launch launch = kernel.launch;
  launch.prepared.program = std::move(program);
  const Functions functions(launch.prepared.program);
  const CallGraph calls(launch.prepared.program, functions);
  const Kernel free{launch, functions, calls, kernel.launched};
  constexpr int64_t kTrips = InputSlice::kMinTrips / 2;
  const bool data = !free.slice(kTrips).loads().empty();
  auto tried =
      data ? prove_program(free, options, limits, kTrips) : prove_program(free, options, by_parameters);
  if (!tried) return tried.error();
  return std::move(tried->proof);
}

/// Tries all combinations of input values first, within a small budget: most kernels have few. Then havoc
/// replaces more and more of the inputs. A kernel that is still undecided gets the rest of the time.
Result<Proof> prove_kernel(const Kernel& kernel, const ProveOptions& options) {
  constexpr uint64_t kQuickRuns = 300;
  const auto seconds = static_cast<double>(options.max_seconds);
  const auto until = [&](uint64_t runs, double part) {
    return Limits{std::min(runs, options.max_runs), Deadline(seconds * part), Deadline(seconds * part / 2)};
  };
  const Limits first = until(kQuickRuns, 1. / 8);
  const Limits second = until(options.max_runs, 3. / 8);
  const Limits third = until(options.max_runs, 7. / 8);
  const Limits all = until(options.max_runs, 1);
  auto tried = prove_program(kernel, options, first);
  if (!tried) return tried.error();
  if (tried->proof.verdict != Verdict::undecided || !tried->numbers_left) return std::move(tried->proof);
  uint64_t runs = tried->proof.runs;
  for (const auto& [freedom, limits, covers] :
       {std::tuple(driver::HavocLevel::tile_extents, &second, "valid regions: all of their tiles"),
        std::tuple(driver::HavocLevel::control_flow, &third, "branches and loops: any way")}) {
    auto program = driver::havoc(kernel.program(), kernel.functions, kernel.launched,
                                 kernel.slice(InputSlice::kMinTrips), freedom);
    if (!program) continue;
    auto free = prove_havocked(kernel, std::move(*program), options, *limits, third);
    if (!free) return free.error();
    runs += free->runs;
    if (free->verdict != Verdict::proved) continue;
    free->runs = runs;
    free->covers.insert(free->covers.begin(), covers);
    return std::move(*free);
  }
  if (tried->more_runs) {
    tried = prove_program(kernel, options, all);
    if (!tried) return tried.error();
    runs += tried->proof.runs;
  }
  tried->proof.runs = runs;
  return std::move(tried->proof);
}

}  // namespace

Result<Proofs> prove(const std::string& file, const ProveOptions& options) {
  const ScopedCache<Machine> machines;  // of all runs
  const ScopedCache<timing::TargetConfig> targets;
  auto launch = prepare_launch(file, options.launch);
  if (!launch) return launch.error();
  Proofs proofs;
  proofs.diagnostics = launch->prepared.diagnostics;
  proofs.source_name = launch->the_case.program;
  proofs.source = launch->prepared.source;
  if (!launch->prepared.ready) return proofs;
  const Program& program = launch->prepared.program;
  if (nested_deeper(program, kMaxRunDepth))
    return Error{fmt::format("{}: structures are nested deeper than {}", file, kMaxRunDepth),
                 Error::Kind::unsupported};
  const Functions functions(program);
  const CallGraph calls(program, functions);
  std::vector<LaunchedFunctions> found = launches(program, functions, calls);
  if (!options.launch.entry.empty() && options.launch.entry != kEveryEntry) {
    auto one = find_launch(program, functions, calls, options.launch.entry);
    if (!one) return one.error();
    found = {std::move(*one)};
  }
  for (const LaunchedFunctions& each : found) {
    auto proof = prove_kernel({*launch, functions, calls, each}, options);
    if (!proof) return proof.error();
    proofs.kernels.push_back(std::move(*proof));
  }
  return proofs;
}

}  // namespace pto
