// Which accesses can be races, beside sets of bytes.
#include "prove/alias/conflict_sets.hpp"

#include <algorithm>
#include <random>
#include <set>

#include "testing/catch_main.hpp"

namespace pto::driver {
namespace {

std::set<int64_t> bytes_of(const ConflictSets::Access& access) {
  std::set<int64_t> bytes;
  for (uint64_t row = 0; row < access.rows; ++row) {
    for (uint64_t i = 0; i < access.row_bytes; ++i)
      bytes.insert(static_cast<int64_t>(access.begin + i) + static_cast<int64_t>(row) * access.pitch);
  }
  return bytes;
}

TEST_CASE("rivals of an access are those that share bytes, on pipes that nothing orders by itself",
          "[prove]") {
  std::mt19937 random(3);
  size_t pairs = 0, grouped = 0;
  for (int turn = 0; turn < 40; ++turn) {
    ConflictSets use;
    std::vector<uint32_t> numbers;
    const auto overlaps = [](uint32_t unit) { return unit == 2; };
    for (int i = 0; i < 40; ++i) {
      ConflictSets::Access access{.thread = static_cast<uint32_t>(random() % 4),
                                  .kind = static_cast<uint8_t>(random() % 2),
                                  .memory = {random() % 2, 0},
                                  .begin = 200 + random() % 60,
                                  .rows = random() % 5,
                                  .row_bytes = random() % 6,
                                  .pitch = static_cast<int64_t>(random() % 30) - 12};
      if (access.rows <= 1) access.pitch = 0;
      numbers.push_back(use.add(access, access.thread, overlaps(access.thread)));
    }
    for (const uint32_t a : numbers) {
      std::set<uint32_t> with;
      for (const uint32_t b : numbers) {
        const ConflictSets::Access& x = use[a];
        const ConflictSets::Access& y = use[b];
        if (x.memory != y.memory || (!x.is_write() && !y.is_write())) continue;
        if (x.thread == y.thread && !overlaps(x.thread)) continue;
        const std::set<int64_t> mine = bytes_of(x);
        const std::set<int64_t> its = bytes_of(y);
        if (std::ranges::none_of(mine, [&](int64_t byte) { return its.contains(byte); })) continue;
        with.insert(y.thread);
        ++pairs;
      }
      const std::vector<uint32_t>& conflicting_units = use.conflicting_units(a);
      CHECK(std::set<uint32_t>(conflicting_units.begin(), conflicting_units.end()) == with);
      for (const uint32_t b : numbers) {
        if (a == b || use.group(a) != use.group(b)) continue;
        ++grouped;
        CHECK((use[a].memory == use[b].memory || conflicting_units.empty()));
        CHECK(use.conflicting_units(b).size() == conflicting_units.size());
      }
    }
  }
  CHECK(pairs > 1000);
  CHECK(grouped > 100);
}

TEST_CASE("accesses that other operations move count as all of their argument", "[prove]") {
  ConflictSets use;
  const uint32_t store = use.add({.thread = 1, .kind = 1, .memory = {0, 3}, .op = 7}, 1, false);
  const uint32_t other = use.add({.thread = 1, .kind = 1, .memory = {0, 3}, .op = 8}, 1, false);
  const uint32_t load = use.add({.thread = 2, .memory = {0, 3}, .op = 9}, 2, false);
  const uint32_t away = use.add({.thread = 2, .memory = {0, 4}, .op = 9}, 2, false);
  CHECK(use.conflicting_units(store) == std::vector<uint32_t>{2});
  CHECK(use.conflicting_units(load) == std::vector<uint32_t>{1});
  CHECK(use.conflicting_units(away).empty());
  CHECK(use.group(store) != use.group(other));
}

}  // namespace
}  // namespace pto::driver
