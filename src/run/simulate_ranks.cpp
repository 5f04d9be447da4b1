// Runs of several devices: their checkers, the windows in which they run (sim/ranks/rank_windows.hpp), and
// what is found out when they wait for each other for ever.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "check/checkers.hpp"
#include "pto/ranks.hpp"
#include "run/rerun_comparison.hpp"
#include "sim/engine/device_run.hpp"
#include "sim/engine/device_state.hpp"
#include "sim/engine/run_hooks.hpp"
#include "sim/findings/rank_findings.hpp"
#include "sim/ranks/rank_port.hpp"
#include "sim/ranks/rank_windows.hpp"
#include "support/host_threads.hpp"
#include "timing/cost_model.hpp"

namespace pto {

void write_context(std::span<std::byte> bytes, uint32_t rank, uint32_t ranks) {
  enum : size_t { kRankWord = 2, kSizeWord = 3, kInWord = 4, kOutWord = 68 };
  std::vector<uint64_t> words(kContextWords, 0);
  words[kRankWord] = rank | uint64_t{ranks} << 32;
  words[kSizeWord] = sim::kRankStride;
  for (uint32_t peer = 0; peer < ranks && peer < kMaxRanks; ++peer)
    words[kInWord + peer] = words[kOutWord + peer] = sim::base_of_rank(peer);
  std::memcpy(bytes.data(), words.data(), std::min(bytes.size(), words.size() * sizeof(uint64_t)));
}

std::optional<Error> first_error(RankTransport& transport, const std::optional<Error>& mine) {
  if (transport.processes() == 1) return mine;
  std::string text;
  if (mine) text = std::string(1, static_cast<char>(mine->kind)) + mine->message;
  for (const std::string& each : transport.exchange(std::vector<std::string>(transport.processes(), text))) {
    if (!each.empty()) return Error{each.substr(1), static_cast<Error::Kind>(each.front())};
  }
  return std::nullopt;
}

namespace {

using sim::Message, sim::RankEndpoint, sim::RankState, sim::state_of, sim::explain_ranks;

/// One rank of this process.
struct Rank {
  RankJob* job = nullptr;
  SimOptions options;
  timing::TargetConfig target;
  std::optional<std::vector<Argument>> before;  ///< the arguments, where another run may be asked for
  std::vector<std::unique_ptr<sim::RunChecker>> checkers;
  sim::UninitialisedFindings* uninitialised = nullptr;
  std::vector<Observer*> observers;
  std::unique_ptr<RankEndpoint> port;
  std::unique_ptr<sim::DeviceHost> host;

  sim::DeviceRun& run() { return host->run(); }
};

class Ranks {
 public:
  Ranks(const Program& program, uint32_t ranks, const SimOptions& options, RankTransport& transport)
      : program_(program), options_(options), transport_(transport), count_(ranks) {}

  std::optional<Error> prepare(std::vector<RankJob>& jobs, const std::string& topology) {
    topology_ = topology;
    ranks_.reserve(jobs.size());
    for (RankJob& job : jobs) {
      Rank& rank = ranks_.emplace_back();
      rank.job = &job;
      if (options_.checks.uninitialised && options_.mode != Mode::time &&
          !options_.checks.fill_patterns.empty())
        rank.before = sim::kept(job.arguments, sim::kMaxRetained / jobs.size());
      if (std::optional<Error> error = prepare(rank, topology)) return error;
    }
    return std::nullopt;
  }

  std::vector<RankResult> go() {
    std::vector<sim::RankWindows::Member> members;
    for (Rank& rank : ranks_) members.push_back({&rank.run(), rank.port.get()});
    windows_.emplace(std::move(members), *links_, transport_, threads());
    for (Rank& rank : ranks_) rank.run().begin();
    const uint64_t stands = windows_->run();
    std::vector<RankState> states;
    for (Rank& rank : ranks_) states.push_back(state_of(rank.host->device(), *rank.port, rank.run().done()));
    states = told(states);
    std::vector<RankResult> results;
    for (Rank& rank : ranks_) {
      results.push_back({rank.job->rank, rank.run().end(), {}});
      results.back().traffic = rank.port->traffic();
    }
    const bool ended = std::ranges::all_of(states, [](const RankState& s) { return s.stuck.empty(); });
    const sim::FillComparison fills = ended ? fill_again(results) : sim::FillComparison();
    for (size_t i = 0; i < ranks_.size(); ++i) add_findings(ranks_[i], fills, results[i].result);
    if (ended) return results;
    const uint64_t after = transport_.least(stands);
    std::vector<std::vector<Moment>> moments;
    for (Rank& rank : ranks_) {
      const auto own = std::ranges::find(states, rank.job->rank, &RankState::rank);
      moments.push_back(moments_of(rank.host->device(), *own));
    }
    let_go(after);
    for (size_t i = 0; i < ranks_.size(); ++i) {
      SimResult& result = results[i].result;
      const auto own = std::ranges::find(states, ranks_[i].job->rank, &RankState::rank);
      result.deadlock = result.deadlock || !own->stuck.empty();
      for (Diagnostic& each :
           explain_ranks(ranks_[i].host->device(), *ranks_[i].port, *own, moments[i], states, after))
        result.findings.add(std::move(each));
    }
    return results;
  }

 private:
  std::optional<Error> prepare(Rank& rank, const std::string& topology) {
    timing::CostOptions cost;
    cost.basis = options_.documented_costs ? timing::CostBasis::documented : timing::CostBasis::measured;
    cost.allow_unknown = options_.allow_unknown_cost;
    cost.bandwidth = options_.hypotheses.bandwidth;
    Result<timing::TargetConfig> target = timing::load_target(options_.target, cost, options_.settings);
    if (!target) return target.error();
    rank.target = std::move(*target);
    if (!links_) {
      if (std::optional<Error> error = connect(topology)) return error;
    }
    const bool checked = options_.mode != Mode::time;
    if (checked && options_.checks.races) {
      rank.checkers.push_back(sim::make_race_checker(rank.target.machine, nullptr, rank.job->rank));
      rank.checkers.push_back(sim::make_vector_order_checker({}));
      rank.checkers.push_back(sim::make_cache_checker());
      rank.checkers.push_back(sim::make_overlap_checker(rank.target.machine));
    }
    if (checked && options_.checks.uninitialised) {
      auto checker = sim::make_uninitialised_checker();
      rank.uninitialised = checker.get();
      rank.checkers.push_back(std::move(checker));
    }
    rank.options = options_;
    if (options_.mode == Mode::time) rank.options.mode = Mode::run;  // notifications depend on values
    rank.options.print = rank.job->print;
    rank.observers = rank.job->observers;
    for (const auto& checker : rank.checkers) rank.observers.push_back(checker.get());
    auto host = sim::make_device(program_, rank.job->arguments, rank.options, rank.target.machine,
                                 *rank.target.costs, rank.observers, [&](sim::GlobalMemory& gm) {
                                   rank.port = std::make_unique<RankEndpoint>(rank.job->rank, *links_, gm,
                                                                              rank.job->known);
                                   return rank.port.get();
                                 });
    if (!host) return host.error();
    rank.host = std::move(*host);
    for (Observer* observer : rank.observers) {
      if (auto* const arrivals = dynamic_cast<sim::MessageObserver*>(observer))
        rank.port->observers.push_back(arrivals);
      if (auto* const order = dynamic_cast<sim::OrderOracle*>(observer)) rank.port->order = order;
    }
    return std::nullopt;
  }

  std::optional<Error> connect(const std::string& topology) {
    const Result<timing::LinkConfig> config = timing::load_links(options_.target, options_.settings);
    if (!config) return config.error();
    const std::string name = topology.empty() ? config->chosen : topology;
    if (config->topologies.empty())
      return Error{"the target says nothing of links between devices: [links] in its configuration"};
    const auto found = config->topologies.find(name);
    if (found == config->topologies.end()) {
      std::vector<std::string_view> names;
      for (const auto& [each, _] : config->topologies) names.push_back(each);
      return Error{fmt::format("the target has no topology '{}'; it has {}", name, fmt::join(names, ", "))};
    }
    links_.emplace(found->second, count_);
    return std::nullopt;
  }

  /// How many of this process's ranks run at a time. By default the processes of a host share it.
  [[nodiscard]] uint32_t threads() const {
    const uint32_t all = host_threads(options_.threads);
    const uint32_t wanted = options_.threads != 0 ? all : all / transport_.processes();
    return std::clamp<uint32_t>(wanted, 1, static_cast<uint32_t>(std::max<size_t>(ranks_.size(), 1)));
  }

  /// The states of all ranks, in their order.
  std::vector<RankState> told(const std::vector<RankState>& own) {
    std::vector<std::string> texts(transport_.processes(), packed(own));
    std::vector<RankState> all;
    for (const std::string& text : transport_.exchange(std::move(texts))) {
      for (RankState& state : sim::unpacked_states(text)) all.push_back(std::move(state));
    }
    std::ranges::sort(all, {}, &RankState::rank);
    return all;
  }

  /// Runs of all with other bytes where nobody wrote, until an output of one of them shows something computed
  /// of them. All processes make the same ones.
  sim::FillComparison fill_again(const std::vector<RankResult>& results) {
    sim::FillComparison found;
    const auto unsure = [](const Rank& rank) {
      return rank.uninitialised != nullptr && rank.uninitialised->has_warnings();
    };
    const bool can = std::ranges::all_of(ranks_, [](const Rank& rank) { return rank.before.has_value(); }) &&
                     std::ranges::all_of(results, [](const RankResult& each) {
                       return each.result.ended && each.result.findings.errors() == 0;
                     });
    if (transport_.least(can) == 0 || transport_.least(std::ranges::none_of(ranks_, unsure)) != 0)
      return found;
    SimOptions options = options_;
    options.watch.clear();
    options.print = nullptr;
    options.checks.races = false;
    options.checks.uninitialised = false;
    const sim::RunHooks hooks{.fill_varies = true};
    options.hooks = &hooks;
    for (size_t i = 0; i < options.checks.fill_patterns.size() && !found.computed(); ++i) {
      options.fill_on_chip = options.checks.fill_patterns[i];
      const auto here = filled(options);
      if (transport_.least(here.has_value()) == 0) return {};
      for (const std::string& text :
           transport_.exchange(std::vector<std::string>(transport_.processes(), text_of(*here))))
        learn(text, found);
    }
    return found;
  }

  /// What comes out otherwise here; nothing where that run does not end.
  std::optional<sim::FillComparison> filled(const SimOptions& options) {
    std::vector<RankJob> jobs;
    for (const Rank& rank : ranks_)
      jobs.push_back({.rank = rank.job->rank, .arguments = *rank.before, .known = rank.job->known});
    Ranks other(program_, count_, options, transport_);
    if (first_error(transport_, other.prepare(jobs, topology_))) return std::nullopt;
    const std::vector<RankResult> results = other.go();
    sim::FillComparison found;
    for (size_t i = 0; i < jobs.size(); ++i) {
      if (!results[i].result.ended) return std::nullopt;
      sim::FillComparison here;
      here.add(*ranks_[i].before, ranks_[i].job->arguments, jobs[i].arguments, options.fill_on_chip);
      if (here.output().empty()) continue;
      found.add({fmt::format("{} of rank {}", here.output(), jobs[i].rank), here.computed()},
                here.nothing_else());
    }
    return found;
  }

  static std::string text_of(const sim::FillComparison& found) {
    return fmt::format("{:d}{:d}{}", found.computed(), found.nothing_else(), found.output());
  }
  static void learn(std::string_view text, sim::FillComparison& found) {
    if (text.size() > 2) found.add({std::string(text.substr(2)), text[0] == '1'}, text[1] == '1');
  }

  void add_findings(Rank& rank, const sim::FillComparison& fills, SimResult& result) {
    if (rank.uninitialised != nullptr) {
      fills.confirm_effects(*rank.uninitialised);
      result.padding = rank.uninitialised->take_padding();
    }
    std::vector<Diagnostic> found;
    for (const auto& checker : rank.checkers) {
      for (Diagnostic& finding : checker->take_findings()) found.push_back(std::move(finding));
    }
    sim::add_with_consequences(program_, std::move(found), result.findings);
    for (Diagnostic& finding : sim::signal_findings(rank.host->device(), *rank.port))
      result.findings.add(std::move(finding));
  }

  /// To see who would have notified: every wait passes, a few times, and observers are not notified of what
  /// happens then.
  void let_go(uint64_t now) {
    constexpr int kTimes = 16;
    constexpr uint64_t kCycles = uint64_t{1} << 24;
    for (int time = 0; time < kTimes; ++time) {
      uint64_t next = ~uint64_t{0};
      for (Rank& rank : ranks_) next = std::min(next, rank.run().let_go(now));
      if (transport_.least(next) == ~uint64_t{0}) return;
      now = std::max(now, windows_->run(now + kCycles));
    }
  }

  const Program& program_;
  const SimOptions& options_;
  RankTransport& transport_;
  uint32_t count_;
  std::string topology_;
  std::optional<sim::Links> links_;
  std::vector<Rank> ranks_;
  std::optional<sim::RankWindows> windows_;
};

}  // namespace

Result<std::vector<RankResult>> simulate_ranks(const Program& program, uint32_t ranks,
                                               std::vector<RankJob>& jobs, const SimOptions& options,
                                               const std::string& topology, RankTransport& transport) {
  if (ranks == 0 || ranks > kMaxRanks)
    return Error{fmt::format("{} ranks: a run has 1 to {}", ranks, kMaxRanks)};
  Ranks all(program, ranks, options, transport);
  if (std::optional<Error> error = first_error(transport, all.prepare(jobs, topology))) return *error;
  return all.go();
}

}  // namespace pto
