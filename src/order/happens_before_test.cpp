#include "order/happens_before.hpp"

#include <array>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "order/shared_clock.hpp"
#include "testing/catch_main.hpp"

using namespace pto::order;

namespace {

constexpr uint32_t kUnits = 6;                               ///< threads that run operations
constexpr uint32_t kStores = kUnits, kThreads = 2 * kUnits;  ///< and their pending stores
constexpr std::array<bool, kUnits> kOverlapping = {0, 0, 1, 0, 1, 0};

/// The oracle: operations and synchronisation as nodes of a graph; one comes before another if a
/// path leads there. A unit issues along its `chain`. An operation of an overlapping unit and a
/// store end beside it.
class EventGraph {
 public:
  EventGraph() {
    for (uint32_t unit = 0; unit < kUnits; ++unit) chain_[unit] = node();
  }
  /// Two nodes: where it begins, and where it ends.
  std::pair<uint32_t, uint32_t> run(uint32_t unit, bool store) {
    const uint32_t begin = node(), end = node();
    link(chain_[unit], begin);
    link(begin, end);
    if (store)
      stores_[unit].push_back(end);
    else if (kOverlapping[unit])
      running_[unit].push_back(end);
    else
      chain_[unit] = end;
    return {begin, end};
  }
  uint32_t release(uint32_t unit, bool with_stores) {
    const uint32_t release = node();
    link(chain_[unit], release);
    for (const uint32_t end : running_[unit]) link(end, release);
    if (!with_stores) return release;
    for (const uint32_t end : stores_[unit]) link(end, release);
    return release;
  }
  void acquire(uint32_t unit, const std::vector<uint32_t>& releases) {
    const uint32_t acquire = node();
    link(chain_[unit], acquire);
    for (const uint32_t release : releases) link(release, acquire);
    chain_[unit] = acquire;
  }
  [[nodiscard]] std::vector<bool> reached_from(uint32_t start) const {
    std::vector<bool> reached(next_.size(), false);
    std::vector<uint32_t> open{start};
    while (!open.empty()) {
      const uint32_t at = open.back();
      open.pop_back();
      if (reached[at]) continue;
      reached[at] = true;
      open.insert(open.end(), next_[at].begin(), next_[at].end());
    }
    return reached;
  }

 private:
  uint32_t node() {
    next_.emplace_back();
    return static_cast<uint32_t>(next_.size() - 1);
  }
  void link(uint32_t from, uint32_t to) { next_[from].push_back(to); }

  std::vector<std::vector<uint32_t>> next_;
  std::array<uint32_t, kUnits> chain_{};
  std::array<std::vector<uint32_t>, kUnits> running_, stores_;
};

/// A random program, run by the clocks and by the graph at once. What the clocks say of two
/// operations is asked when the second one runs.
template <typename Clock>
class RandomProgram {
 public:
  RandomProgram(uint32_t seed, const Clock& nothing)
      : random_(seed), order_(kThreads, 0, nothing), syncs_(4, nothing), releases_(syncs_.size()) {
    for (uint32_t unit = 0; unit < kUnits; ++unit) {
      if (kOverlapping[unit]) order_.set_overlapping(unit);
    }
  }

  void run(size_t length) {
    for (size_t i = 0; i < length; ++i) step();
  }

  /// Pairs of operations that the clocks and the graph judge differently.
  [[nodiscard]] size_t differences() const {
    size_t wrong = 0;
    for (size_t first = 0; first < operations_.size(); ++first) {
      const std::vector<bool> reached = graph_.reached_from(operations_[first].end);
      for (size_t second = first + 1; second < operations_.size(); ++second)
        wrong += operations_[second].after[first] != reached[operations_[second].begin];
    }
    return wrong;
  }
  /// How many of them are ordered, and how many there are.
  [[nodiscard]] std::pair<size_t, size_t> ordered() const {
    size_t count = 0, all = 0;
    for (const Operation& each : operations_) {
      for (const bool after : each.after) count += after;
      all += each.after.size();
    }
    return {count, all};
  }

 private:
  struct Operation {
    Epoch at;
    uint32_t begin = 0, end = 0;
    std::vector<bool> after;  ///< of each operation before, in the order of the program
  };

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  void step() {
    const uint32_t unit = below(kUnits);
    const size_t sync = below(static_cast<uint32_t>(syncs_.size()));
    switch (below(8)) {
      case 0:
      case 1:
        return operation(unit, false);
      case 2:
        return operation(unit, true);
      case 3: {  // a new sync object: a flag
        const bool stores = below(2) != 0;
        syncs_[sync] = order_.release_store(unit);
        if (stores) order_.publish(unit + kStores, syncs_[sync]);
        releases_[sync] = {graph_.release(unit, stores)};
        return;
      }
      case 4:  // one that others have released: a meeting
        order_.release(unit, syncs_[sync]);
        releases_[sync].push_back(graph_.release(unit, false));
        return;
      case 5:
        order_.acquire(unit, syncs_[sync]);
        return graph_.acquire(unit, releases_[sync]);
      case 6:
        if (!kOverlapping[unit]) return;
        order_.complete(unit);
        return graph_.acquire(unit, {graph_.release(unit, false)});
      default:
        return barrier();
    }
  }

  void operation(uint32_t unit, bool store) {
    Operation now;
    now.at.thread = store ? unit + kStores : unit;
    now.at.value = order_.access(now.at.thread);
    std::tie(now.begin, now.end) = graph_.run(unit, store);
    for (const Operation& before : operations_) now.after.push_back(order_.is_ordered(before.at, unit));
    operations_.push_back(std::move(now));
  }

  void barrier() {
    if (below(4) != 0) return;
    std::vector<uint32_t> units, releases;
    for (uint32_t unit = 0; unit < kUnits; ++unit) {
      if (below(2) != 0) units.push_back(unit);
    }
    order_.barrier(units);
    for (const uint32_t unit : units) releases.push_back(graph_.release(unit, false));
    for (const uint32_t unit : units) graph_.acquire(unit, releases);
  }

  std::mt19937 random_;
  HappensBefore<Clock> order_;
  EventGraph graph_;
  std::vector<Clock> syncs_;
  std::vector<std::vector<uint32_t>> releases_;  ///< of each of them: nodes
  std::vector<Operation> operations_;
};

template <typename Clock>
void check_programs(const Clock& nothing) {
  size_t wrong = 0, ordered = 0, all = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    RandomProgram<Clock> program(seed, nothing);
    program.run(200);
    wrong += program.differences();
    const auto [some, of] = program.ordered();
    ordered += some;
    all += of;
  }
  CHECK(wrong == 0);
  CHECK(ordered > all / 10);
  CHECK(ordered < 9 * all / 10);
}

}  // namespace

TEST_CASE("clocks order two operations exactly where a path of events leads from one to the other",
          "[order]") {
  check_programs(DenseClock<kThreads>());
  check_programs(SparseClock<2>());  // six blocks: more than are kept inline
  SharedClock<SparseClock<5>>::Arena arena;
  check_programs(SharedClock<SparseClock<5>>(arena));
}

TEST_CASE("operations with epochs of the caller's are ordered as those of release epochs", "[order]") {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    HappensBefore<DenseClock<3>> lazy(3), numbered(3);
    lazy.set_overlapping(1);
    numbered.set_overlapping(1);
    std::vector<std::pair<Epoch, Epoch>> operations;
    DenseClock<3> from_lazy, from_numbered;
    uint32_t last = 0;
    for (int i = 0; i < 60; ++i) {
      const auto thread = static_cast<uint32_t>(random() % 3);
      switch (random() % 4) {
        case 0:
          from_lazy = lazy.release_store(thread);
          from_numbered = numbered.release_store(thread);
          break;
        case 1:
          lazy.acquire(thread, from_lazy);
          numbered.acquire(thread, from_numbered);
          break;
        default:
          numbered.execute(thread, ++last);
          operations.push_back({{thread, lazy.access(thread)}, {thread, last}});
      }
      for (const auto& [one, other] : operations) {
        for (uint32_t unit = 0; unit < 3; ++unit) {
          if (unit != one.thread) REQUIRE(lazy.is_ordered(one, unit) == numbered.is_ordered(other, unit));
        }
      }
    }
  }
}

TEST_CASE("where two paths meet, what either of them orders counts as ordered", "[order]") {
  HappensBefore<DenseClock<3>> one(3);
  one.execute(0, 1);
  HappensBefore<DenseClock<3>> other = one;
  one.acquire(1, DenseClock<3>(one.release_store(0)));
  other.acquire(2, DenseClock<3>(other.release_store(0)));
  CHECK(!one.is_ordered({0, 1}, 2));
  one.join(other);
  CHECK(one.is_ordered({0, 1}, 1));
  CHECK(one.is_ordered({0, 1}, 2));
}

TEST_CASE("the example at the head of happens_before.hpp", "[order]") {
  constexpr uint32_t kMte2 = 0, kV = 1, kMte3 = 2;
  HappensBefore<DenseClock<3>> order(3);
  CHECK(order.access(kMte2) == 1);
  const DenseClock<3> f0 = order.release_store(kMte2);
  CHECK(order.access(kMte2) == 2);
  order.acquire(kV, f0);
  CHECK(order.access(kV) == 1);
  const DenseClock<3> f1 = order.release_store(kV);
  order.acquire(kMte3, f1);
  CHECK(order.is_ordered({kMte2, 1}, kMte3));
  CHECK(!order.is_ordered({kMte2, 2}, kMte3));
  CHECK(order.is_ordered({kMte2, 2}, kMte2));
}
