#include "check/interval_map.hpp"

#include <array>
#include <random>
#include <vector>

#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

constexpr uint64_t kBytes = 96;

/// One value per byte; 0: nothing is known there.
struct Plain {
  std::array<int, kBytes> bytes{};
  void assign(uint64_t begin, uint64_t end, int value) {
    for (uint64_t at = begin; at < end; ++at) bytes[at] = value;
  }
};

}  // namespace

TEST_CASE("intervals hold what an array of bytes would hold") {
  std::mt19937 chance(7);
  const auto below = [&](uint64_t limit) { return chance() % limit; };
  for (int round = 0; round < 200; ++round) {
    Intervals<int> parts;
    Plain plain;
    for (int step = 0; step < 60; ++step) {
      const uint64_t begin = below(kBytes), end = begin + below(std::min<uint64_t>(kBytes - begin, 24) + 1);
      switch (below(3)) {
        case 0: {
          const int value = 1 + static_cast<int>(below(4));
          parts.assign(begin, end, value);
          plain.assign(begin, end, value);
          break;
        }
        case 1:  // gaps are filled with 0
          parts.update(begin, end, [&](uint64_t from, uint64_t to, int& value) {
            CHECK((begin <= from && from < to && to <= end));
            CHECK(value == plain.bytes[from]);
            value = value % 5 + 1;
            plain.assign(from, to, value);
          });
          break;
        default:
          if (below(8) == 0) {
            Intervals<int> copy(parts);
            parts = copy;
          }
      }
      uint64_t at = 0;
      parts.look(0, kBytes, [&](uint64_t from, uint64_t to, const int* value) {
        CHECK(from == at);
        for (; at < to; ++at) CHECK((value ? *value : 0) == plain.bytes[at]);
      });
      CHECK(at == kBytes);
    }
  }
}

}  // namespace pto::sim
