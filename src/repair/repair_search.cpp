#include "repair/repair_search.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "check/checker_set.hpp"
#include "check/footprint_ranges.hpp"
#include "repair/address_candidates.hpp"
#include "repair/constant_candidates.hpp"
#include "repair/edits.hpp"
#include "repair/flag_candidates.hpp"
#include "repair/operand_candidates.hpp"
#include "repair/signal_candidates.hpp"
#include "repair/statement_candidates.hpp"
#include "sim/engine/engine.hpp"
#include "sim/loader/loader.hpp"

namespace pto::sim {
namespace {

using Ranges = std::vector<std::pair<uint64_t, uint64_t>>;

/// Bytes of GM that a run reads or writes.
class TouchedBytes final : public Observer {
 public:
  explicit TouchedBytes(bool written) : written_(written) {}
  uint32_t wants() const override { return kFootprints; }
  void on_footprint(const FootprintEvent& event) override {
    if (event.write != written_ || event.space != Space::gm) return;
    for_each_range(event, [&](uint64_t begin, uint64_t end) { ranges_.emplace_back(begin, end); });
    constexpr size_t kMany = 1 << 20;
    if (ranges_.size() > kMany) join();
  }
  [[nodiscard]] const Ranges& ranges() {
    join();
    return ranges_;
  }
  [[nodiscard]] uint64_t count() {
    uint64_t bytes = 0;
    for (const auto& [begin, end] : ranges()) bytes += end - begin;
    return bytes;
  }

 private:
  void join() {
    std::ranges::sort(ranges_);
    Ranges joined;
    for (const auto& range : ranges_) {
      if (joined.empty() || joined.back().second < range.first)
        joined.push_back(range);
      else
        joined.back().second = std::max(joined.back().second, range.second);
    }
    ranges_ = std::move(joined);
  }

  bool written_;
  Ranges ranges_;
};

/// Whether outputs cannot tell from where the bytes came.
bool all_alike(const std::vector<Argument>& arguments) {
  return std::ranges::all_of(arguments, [](const Argument& each) {
    const std::span<const std::byte> bytes = each.data();
    constexpr size_t kWord = 4;
    return bytes.size() <= kWord ||
           std::ranges::equal(bytes.subspan(kWord), bytes.first(bytes.size() - kWord));
  });
}

bool any_repairable(const std::vector<Diagnostic>& findings) {
  return std::ranges::any_of(findings, is_repairable);
}

class RepairSearch {
 public:
  RepairSearch(const Program& program, const std::vector<Argument>& arguments, const SimOptions& options,
               const Machine& machine, timing::CostModel& costs, const SimResult& result)
      : program_(program),
        arguments_(arguments),
        machine_(machine),
        costs_(costs),
        options_(options),
        untouched_(arguments),
        most_double_sets_(result.ended ? result.double_sets : ~uint64_t{0}),
        few_(result.instructions < kFewInstructions),
        alike_(all_alike(arguments)) {
    for (const Diagnostic& each : result.findings.all()) {
      if (each.severity == Severity::error) known_.insert(each.id);
    }
    options_.threads = 1;
    options_.watch.clear();
    options_.print = nullptr;
    options_.progress = nullptr;
    // What hangs early may run on for long when it is cured.
    options_.limits.cycles = 64 * result.total_cycles + (uint64_t{1} << 20);
    if (options.limits.cycles != 0)
      options_.limits.cycles = std::min(options_.limits.cycles, options.limits.cycles);
  }

  const Repair* first_of(const std::vector<Repair>& repairs) {
    spent_ = 0;
    checks_ = few_ ? kMaxChecks : kMaxChecks / 4;
    return first_validated(program_, repairs,
                           {.clean = [this](const Program& changed) { return clean(changed); },
                            .outputs = [this](const Program& changed) { return outputs(changed); },
                            .meaning = [this](const Program& changed) { return meaning(changed); },
                            .max_trials = kMaxRuns});
  }

  /// Whether nothing lies outside of its buffer.
  bool inside(const Program& changed) {
    if (spent_inside_ >= kMaxInstructions || spent_in_all_ >= kMaxTotal || ++runs_inside_ > kMaxRuns)
      return false;
    const std::optional<SimResult> run = run_with(changed, Mode::time, untouched_, {});
    if (run) spent_inside_ += run->instructions;
    return run && std::ranges::none_of(run->findings.all(), is_out_of_bounds);
  }

 private:
  static constexpr size_t kMaxRuns = kMaxRepairs, kMaxChecks = 128;
  static constexpr uint64_t kMaxInstructions = 20 * kMaxTrials, kMaxTotal = 2 * kMaxInstructions,
                            kFewInstructions = 10'000;

  std::optional<SimResult> run_with(const Program& changed, Mode mode, std::vector<Argument>& arguments,
                                    std::span<Observer* const> observers) {
    options_.mode = mode;
    Result<SimResult> run = sim::run(changed, arguments, options_, machine_, costs_, observers);
    if (!run) return std::nullopt;
    spent_ += run->instructions;
    spent_in_all_ += run->instructions;
    return std::move(*run);
  }

  bool clean(const Program& changed) {
    if (spent_ >= kMaxInstructions || spent_in_all_ >= kMaxTotal || checks_ == 0 ||
        !passes_without_data(changed))
      return false;
    --checks_;
    return passes_checks(changed);
  }

  bool passes_without_data(const Program& changed) {
    const std::optional<SimResult> run = run_with(changed, Mode::time, untouched_, {});
    // What depends on data is known only with them.
    return !run || std::ranges::count(run->findings.all(), FindingId::time_data, &Diagnostic::id) != 0 ||
           (run->ended && !any_repairable(run->findings.all()));
  }

  bool passes_checks(const Program& changed) {
    options_.mode = Mode::check;
    const CheckerSet checkers(options_, machine_);
    TouchedBytes written(true);
    std::vector<Observer*> observers = checkers.observers();
    observers.push_back(&written);
    std::vector<Argument> copies = arguments_;
    const std::optional<SimResult> run = run_with(changed, Mode::check, copies, observers);
    if (!run || !run->ended || any_left(run->findings.all()) || checkers.uninitialised->reads_nothing() ||
        written.count() < std::max<uint64_t>(least_written(), 1))
      return false;
    // What works with counting flags only is no cure of a program that does not need them.
    if (std::max(run->double_sets, checkers.races->double_sets()) > most_double_sets_) return false;
    const bool looks = checkers.uninitialised->has_warnings();
    return std::ranges::none_of(checkers.all,
                                [this](const auto& each) { return any_left(each->take_findings()); }) &&
           !(looks && shows_what_is_left(changed));
  }

  /// An error that may be cured, or of a kind that was not there before.
  [[nodiscard]] bool any_left(const std::vector<Diagnostic>& findings) const {
    return std::ranges::any_of(findings, [this](const Diagnostic& each) {
      return is_repairable(each) || (each.severity == Severity::error && !known_.contains(each.id));
    });
  }

  /// What moves less than before is no cure.
  uint64_t least_written() {
    if (!least_written_) {
      TouchedBytes written(true);
      Observer* const observer = &written;
      std::vector<Argument> copies = arguments_;
      run_with(program_, Mode::check, copies, {&observer, 1});
      least_written_ = written.count();
    }
    return *least_written_;
  }

  /// Whether outputs are others when memories on the chip held something else before.
  bool shows_what_is_left(const Program& changed) {
    const size_t as_it_is = outputs(changed);
    const uint32_t fill = options_.fill_on_chip;
    bool shows = false;
    for (const uint32_t other : options_.checks.fill_patterns) {
      options_.fill_on_chip = other;
      shows = shows || outputs(changed) != as_it_is;
    }
    options_.fill_on_chip = fill;
    return shows;
  }

  /// What it leaves, and where that cannot tell what it reads.
  size_t meaning(const Program& changed) {
    TouchedBytes read(false);
    Observer* const observer = &read;
    size_t digest = alike_ ? outputs(changed, {&observer, 1}) : outputs(changed);
    for (const auto& [begin, end] : read.ranges()) digest = (digest * 31 + begin) * 31 + end;
    return digest;
  }

  size_t outputs(const Program& changed, std::span<Observer* const> observers = {}) {
    std::vector<Argument> copies = arguments_;
    run_with(changed, observers.empty() ? Mode::run : Mode::check, copies, observers);
    size_t digest = 0;
    for (const Argument& each : copies) {
      const std::span<const std::byte> bytes = std::as_const(each).data();
      const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      digest = digest * 31 + std::hash<std::string_view>{}(text);
    }
    return digest;
  }

  const Program& program_;
  const std::vector<Argument>& arguments_;
  const Machine& machine_;
  timing::CostModel& costs_;
  SimOptions options_;
  std::vector<Argument> untouched_;
  std::set<FindingId> known_;  ///< of the errors before
  uint64_t most_double_sets_;  ///< of the program as it is, where its run has ended
  bool few_, alike_;
  uint64_t spent_ = 0, spent_in_all_ = 0, spent_inside_ = 0;
  size_t checks_ = 0, runs_inside_ = 0;
  std::optional<uint64_t> least_written_;
};

/// What sets and waits may have meant. A flag that leaves accesses in no order is cured by what its finding
/// asks for.
std::vector<Repair> possible_order(const Program& program, const SimOptions& options, const Machine& machine,
                                   const Diagnostics& findings) {
  std::vector<Repair> repairs;
  if (std::ranges::any_of(findings.all(), is_of_cores)) {
    const auto kernel = load_kernel(program, options.entry, machine);
    if (kernel) repairs = signal_candidates(program, **kernel, findings);
  }
  if (std::ranges::any_of(findings.all(), is_of_flags)) {
    for (Repair& each : flag_candidates(program, findings, machine.event_ids))
      repairs.push_back(std::move(each));
  }
  return repairs;
}

}  // namespace

void try_repairs(const Program& program, const std::vector<Argument>& arguments, const SimOptions& options,
                 const Machine& machine, timing::CostModel& costs, SimResult& result) {
  Diagnostics& findings = result.findings;
  RepairSearch tries(program, arguments, options, machine, costs, result);
  const std::vector<Repair> places = address_candidates(program, findings, machine);
  if (const Repair* repair = tries.first_of(places)) return advise_first(program, *repair, findings);
  const std::vector<Repair> operands = operand_candidates(program, findings);
  if (const Repair* repair = tries.first_of(operands)) return advise_first(program, *repair, findings);
  const std::vector<Repair> statements = statement_candidates(program, findings);
  if (const Repair* repair = tries.first_of(statements)) return advise_first(program, *repair, findings);
  const std::vector<Repair> order = possible_order(program, options, machine, findings);
  if (const Repair* repair = tries.first_of(order)) return advise_each(program, *repair, findings);
  const std::vector<Repair> numbers =
      constant_candidates(program, findings, [&](const Program& changed) { return tries.inside(changed); });
  if (const Repair* repair = tries.first_of(numbers)) advise_first(program, *repair, findings);
}

}  // namespace pto::sim
