#include "exec/address_math.hpp"

#include "testing/catch_main.hpp"

using namespace pto::exec;

TEST_CASE("Addresses move forwards, backwards and through 0, and never wrap", "[exec][address]") {
  constexpr int64_t kMax = 0x7fffffffffffffff;
  constexpr int64_t kMin = -kMax - 1;
  CHECK(moved(100, 3, 4) == 112);
  CHECK(moved(100, -3, 4) == 88);
  CHECK(moved(moved(0, -4, 4), 5, 4) == 4);
  CHECK(static_cast<int64_t>(moved(0, -4, 4)) == -16);
  CHECK(moved(uint64_t{1} << 44, int64_t{1} << 60, 64) == kNowhere);  // 2^66 bytes: 0 modulo 2^64
  CHECK(moved(uint64_t{1} << 44, kMax) == kNowhere);
  CHECK(moved(0, kMin) == kNowhere);
  CHECK(moved(16, kMin, -1) == kNowhere);
  CHECK(moved(kNowhere, kMin) == kNowhere);
  CHECK(moved(kNowhere, 1) == kNowhere);
  CHECK(within(64, 3, 4) == 76);
  CHECK(within(static_cast<uint64_t>(-32), 16, 4) ==
        static_cast<uint64_t>(-32));  // not 32: the tile begins before the memory
}
