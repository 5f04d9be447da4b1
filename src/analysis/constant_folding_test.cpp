// What whole numbers give, beside arithmetic on all numbers of eight bits in a wider type.
#include "analysis/constant_folding.hpp"

#include <limits>

#include "testing/catch_main.hpp"

namespace pto {
namespace {

using isa::Does;

constexpr uint32_t kBits = 8;

/// What fits into eight bits with a sign.
Number fitting(int number) { return number >= -128 && number <= 127 ? Number(number) : std::nullopt; }

/// By the definition of each operation; `x` and `y` are the numbers without sign.
Number expected(Does does, int a, int b) {
  const int x = a & 0xff, y = b & 0xff;
  switch (does) {
    case Does::add:
      return fitting(a + b);
    case Does::sub:
      return fitting(a - b);
    case Does::mul:
      return fitting(a * b);
    case Does::div_s:
      return b == 0 ? std::nullopt : fitting(a / b);
    case Does::rem_s:
      return b == 0 ? std::nullopt : fitting(a % b);
    case Does::div_u:
      return y == 0 ? std::nullopt : fitting(x / y);
    case Does::rem_u:
      return y == 0 ? std::nullopt : fitting(x % y);
    case Does::bit_and:
      return a & b;
    case Does::bit_or:
      return a | b;
    case Does::bit_xor:
      return a ^ b;
    case Does::min_s:
      return a < b ? a : b;
    default:
      return a < b ? b : a;
  }
}

TEST_CASE("numbers give what their operation says, or nothing where that does not fit", "[constants]") {
  for (const Does does : {Does::add, Does::sub, Does::mul, Does::div_s, Does::rem_s, Does::div_u, Does::rem_u,
                          Does::bit_and, Does::bit_or, Does::bit_xor, Does::min_s, Does::max_s}) {
    bool same = true;
    for (int a = -128; a <= 127; ++a) {
      for (int b = -128; b <= 127; ++b)
        same = same && give({.does = does, .from = kBits, .to = kBits}, a, b) == expected(does, a, b);
    }
    CAPTURE(static_cast<int>(does));
    CHECK(same);
  }
}

TEST_CASE("comparisons look at numbers with or without their sign", "[constants]") {
  bool same = true;
  for (int a = -128; a <= 127; ++a) {
    for (int b = -128; b <= 127; ++b) {
      const int x = a & 0xff, y = b & 0xff;
      const bool expects[] = {a == b, a != b, a<b, a <= b, a> b, a >= b, x<y, x <= y, x> y, x >= y};
      for (int predicate = 0; predicate < 10; ++predicate) {
        const Number found =
            give({.does = Does::compare, .from = kBits, .to = 1, .predicate = predicate}, a, b);
        same = same && found == Number(expects[predicate]);
      }
    }
  }
  CHECK(same);
}

TEST_CASE("numbers at the ends of 64 bits, and casts", "[constants]") {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();
  CHECK(give({.does = Does::div_s}, kLeast, -1) == std::nullopt);
  CHECK(give({.does = Does::rem_s}, kLeast, -1) == Number(0));
  CHECK(give({.does = Does::add}, kMost, 1) == std::nullopt);
  CHECK(give({.does = Does::mul}, kLeast, -1) == std::nullopt);
  CHECK(give({.does = Does::div_u}, -1, 2) == Number(kMost));
  CHECK(give({.does = Does::shift_left}, -3, 2) == Number(-12));
  CHECK(give({.does = Does::shift_left}, kMost, 1) == std::nullopt);
  // True has its bit in every place of a number with sign, and is 1 in one without.
  CHECK(give({.does = Does::cast, .from = 1, .to = 32}, 1) == Number(-1));
  CHECK(give({.does = Does::cast_unsigned, .from = 1, .to = 32}, 1) == Number(1));
  CHECK(give({.does = Does::cast_unsigned, .from = 32, .to = 64}, -1) == Number(0xffffffff));
  CHECK(give({.does = Does::cast, .from = 64, .to = 32}, int64_t{1} << 31) == std::nullopt);
  CHECK(give({.does = Does::min_s, .from = 1, .to = 1}, 0, 1) == std::nullopt);
}

}  // namespace
}  // namespace pto
