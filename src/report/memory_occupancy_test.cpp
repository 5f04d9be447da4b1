#include "report/memory_occupancy.hpp"

#include <catch2/catch.hpp>

namespace pto::report {
namespace {

constexpr ValueId kA = 1, kB = 2;

Occupancy::Access access(ValueId value, uint64_t low, uint64_t high, uint64_t begin, uint64_t end, bool write,
                         uint64_t room = 256) {
  return {0, Space::ub, value, room, 7, low, high, begin, end, write};
}

TEST_CASE("a buffer lives from its first write to its last read", "[occupancy]") {
  Occupancy all(10);
  all.add(access(kA, 0, 256, 10, 20, true));
  all.add(access(kA, 0, 256, 30, 45, false));
  all.add(access(kA, 0, 256, 40, 42, false));
  REQUIRE(all.lives().size() == 1);
  const Life life = all.lives().front();
  CHECK(life.begin == 10);
  CHECK(life.last == 45);
  CHECK(life.high - life.low == 256);
}

TEST_CASE("rows of one tile are one buffer", "[occupancy]") {
  Occupancy all(10);
  for (uint64_t row = 0; row < 8; ++row) all.add(access(kA, row * 32, row * 32 + 32, row, row + 1, true));
  REQUIRE(all.lives().size() == 1);
  CHECK(all.lives().front().high == 256);
}

TEST_CASE("a write behind a read begins the next life", "[occupancy]") {
  Occupancy all(10);
  for (const uint64_t turn : {0, 100, 200}) {
    all.add(access(kA, 0, 128, turn, turn + 10, true));
    all.add(access(kA, 0, 128, turn + 20, turn + 30, false));
  }
  REQUIRE(all.lives().size() == 3);
  CHECK(all.lives()[1].begin == 100);
  CHECK(all.lives()[1].last == 130);
}

TEST_CASE("bytes of another buffer end the one that held them, a part by another name does not",
          "[occupancy]") {
  Occupancy all(10);
  all.add(access(kA, 0, 256, 0, 5, true));
  all.add(access(kB, 64, 128, 6, 9, true));  // nobody has read them: a view
  REQUIRE(all.lives().size() == 1);
  CHECK(all.lives().front().last == 9);
  all.add(access(kA, 0, 256, 10, 12, false));
  all.add(access(kB, 64, 128, 20, 25, true));
  REQUIRE(all.lives().size() == 2);
  CHECK(all.lives()[1].value == kB);
  all.add(access(kB, 64, 128, 30, 31, false));
  CHECK(all.lives()[0].last == 12);
  CHECK(all.lives()[1].last == 31);
}

TEST_CASE("reads of what nobody wrote are no buffer, and not more than so many are kept", "[occupancy]") {
  Occupancy all(2);
  all.add(access(kA, 0, 64, 0, 1, false));
  CHECK(all.lives().empty());
  for (uint64_t i = 0; i < 5; ++i) {
    all.add(access(kA, 0, 64, 10 * i, 10 * i + 1, true));
    all.add(access(kA, 0, 64, 10 * i + 2, 10 * i + 3, false));
  }
  CHECK_FALSE(all.complete());
  CHECK(all.lives().size() == 3);
}

}  // namespace
}  // namespace pto::report
