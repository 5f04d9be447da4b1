#include "support/saturating.hpp"

#include "testing/catch_main.hpp"

using namespace pto;

namespace {
constexpr int64_t kMin = std::numeric_limits<int64_t>::min(), kMax = std::numeric_limits<int64_t>::max();
}

TEST_CASE("Sums and products stop at the end of the range they leave", "[support][checked]") {
  CHECK(sat_add<int64_t>(kMax, 1) == kMax);
  CHECK(sat_add<int64_t>(kMin, -1) == kMin);
  CHECK(sat_add<int64_t>(kMax, kMin) == -1);
  CHECK(sat_add<uint64_t>(~uint64_t{0}, 2) == ~uint64_t{0});
  CHECK(sat_mul<int64_t>(kMax, 2) == kMax);
  CHECK(sat_mul<int64_t>(kMax, -2) == kMin);
  CHECK(sat_mul<int64_t>(kMin, -1) == kMax);
  CHECK(sat_mul<int64_t>(int64_t{1} << 31, int64_t{1} << 31) == int64_t{1} << 62);
  CHECK(sat_mul<uint64_t>(uint64_t{1} << 32, uint64_t{1} << 32) == ~uint64_t{0});
  CHECK(magnitude(kMin) == kMax);
  CHECK(magnitude(-5) == 5);
}
