#include "support/saturating.hpp"

#include "testing/catch_main.hpp"

using namespace pto;

namespace {
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();
}

TEST_CASE("Sums and products stop at the end of the range they leave", "[support][checked]") {
  CHECK(sat_add<int64_t>(kMost, 1) == kMost);
  CHECK(sat_add<int64_t>(kLeast, -1) == kLeast);
  CHECK(sat_add<int64_t>(kMost, kLeast) == -1);
  CHECK(sat_add<uint64_t>(~uint64_t{0}, 2) == ~uint64_t{0});
  CHECK(sat_mul<int64_t>(kMost, 2) == kMost);
  CHECK(sat_mul<int64_t>(kMost, -2) == kLeast);
  CHECK(sat_mul<int64_t>(kLeast, -1) == kMost);
  CHECK(sat_mul<int64_t>(int64_t{1} << 31, int64_t{1} << 31) == int64_t{1} << 62);
  CHECK(sat_mul<uint64_t>(uint64_t{1} << 32, uint64_t{1} << 32) == ~uint64_t{0});
  CHECK(magnitude(kLeast) == kMost);
  CHECK(magnitude(-5) == 5);
}
