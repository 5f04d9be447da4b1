#include "check/shadow_memory.hpp"

#include <random>
#include <vector>

#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

constexpr uint64_t kBytes = 3 * 4096 + 100;

/// Random accesses, all of multiples of `unit` bytes but for one in `odd`; the number that differ from an
/// array.
size_t wrong_after(ShadowMemory<int>& shadow, uint64_t unit, uint64_t odd, size_t& arrays) {
  std::mt19937 chance(11);
  const auto below = [&](uint64_t limit) { return chance() % limit; };
  std::vector<int> plain(kBytes);
  size_t wrong = 0;
  for (int step = 0; step < 40000; ++step) {
    uint64_t begin = below(kBytes / unit) * unit,
             length = below(1000) == 0 ? below(9000 / unit) * unit : unit;
    if (below(odd) == 0) {
      begin += 1;
      length += 1;
    }
    const uint64_t end = std::min(begin + length, kBytes);
    if (begin >= end) continue;
    if (below(2) == 0) {
      const int value = 1 + static_cast<int>(below(1000));
      shadow.assign(begin, end, value);
      for (uint64_t at = begin; at < end; ++at) plain[at] = value;
    } else {
      shadow.update(begin, end, [&](uint64_t from, uint64_t to, int& value) {
        for (uint64_t at = from; at < to; ++at) wrong += plain[at]++ != value;
        ++value;
      });
    }
    arrays = std::max(arrays, shadow.arrays());
    if (step % 100 != 0) continue;
    uint64_t at = 0;
    shadow.look(0, kBytes, [&](uint64_t from, uint64_t to, const int* value) {
      wrong += from != at;
      for (; at < to; ++at) wrong += plain[at] != (value ? *value : 0);
    });
    wrong += at != kBytes;
  }
  return wrong;
}

}  // namespace

TEST_CASE("shadow memory holds what an array of bytes would hold") {
  struct Case {
    uint64_t unit, odd;
    size_t arrays;
  };
  for (const Case& each : {Case{4, 100000, 3}, Case{8, 5000, 3}, Case{4, 3, 0}, Case{1, 100000, 0}}) {
    ShadowMemory<int> shadow;
    size_t arrays = 0;
    CHECK(wrong_after(shadow, each.unit, each.odd, arrays) == 0);
    CHECK(arrays == each.arrays);
  }
}

TEST_CASE("shadow memory that is all overwritten is a range again") {
  ShadowMemory<int> shadow;
  for (uint64_t i = 0; i < 1024; ++i)
    shadow.assign(i * 509 % 1024 * 4, i * 509 % 1024 * 4 + 4, static_cast<int>(i));
  CHECK(shadow.arrays() == 1);
  shadow.assign(0, 8192, 7);
  CHECK(shadow.arrays() == 0);
  size_t parts = 0;
  shadow.look(0, 8192, [&](uint64_t, uint64_t, const int* value) {
    ++parts;
    CHECK((value != nullptr && *value == 7));
  });
  CHECK(parts == 1);
}

}  // namespace pto::sim
