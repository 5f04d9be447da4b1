// What whole numbers give, beside arithmetic on all numbers of eight bits in a wider type.
#include "analysis/constant_folding.hpp"

#include <limits>

#include "testing/catch_main.hpp"

namespace pto {
namespace {

using isa::OpcodeClass;

constexpr uint32_t kBits = 8;

/// What fits into eight bits with a sign.
Number fitting(int number) { return number >= -128 && number <= 127 ? Number(number) : std::nullopt; }

/// By the definition of each operation; `x` and `y` are the numbers without sign.
Number expected(OpcodeClass opcode_class, int a, int b) {
  const int x = a & 0xff, y = b & 0xff;
  switch (opcode_class) {
    case OpcodeClass::add:
      return fitting(a + b);
    case OpcodeClass::sub:
      return fitting(a - b);
    case OpcodeClass::mul:
      return fitting(a * b);
    case OpcodeClass::div_s:
      return b == 0 ? std::nullopt : fitting(a / b);
    case OpcodeClass::rem_s:
      return b == 0 ? std::nullopt : fitting(a % b);
    case OpcodeClass::div_u:
      return y == 0 ? std::nullopt : fitting(x / y);
    case OpcodeClass::rem_u:
      return y == 0 ? std::nullopt : fitting(x % y);
    case OpcodeClass::bit_and:
      return a & b;
    case OpcodeClass::bit_or:
      return a | b;
    case OpcodeClass::bit_xor:
      return a ^ b;
    case OpcodeClass::min_s:
      return a < b ? a : b;
    default:
      return a < b ? b : a;
  }
}

TEST_CASE("numbers give what their operation says, or nothing where that does not fit", "[constants]") {
  for (const OpcodeClass opcode_class :
       {OpcodeClass::add, OpcodeClass::sub, OpcodeClass::mul, OpcodeClass::div_s, OpcodeClass::rem_s,
        OpcodeClass::div_u, OpcodeClass::rem_u, OpcodeClass::bit_and, OpcodeClass::bit_or,
        OpcodeClass::bit_xor, OpcodeClass::min_s, OpcodeClass::max_s}) {
    bool same = true;
    for (int a = -128; a <= 127; ++a) {
      for (int b = -128; b <= 127; ++b)
        same = same && evaluate({.opcode_class = opcode_class, .from = kBits, .to = kBits}, a, b) ==
                           expected(opcode_class, a, b);
    }
    CAPTURE(static_cast<int>(opcode_class));
    CHECK(same);
  }
}

TEST_CASE("comparisons look at numbers with or without their sign", "[constants]") {
  bool same = true;
  for (int a = -128; a <= 127; ++a) {
    for (int b = -128; b <= 127; ++b) {
      const int x = a & 0xff, y = b & 0xff;
      const bool expects[] = {a == b, a != b, a<b, a <= b, a> b, a >= b, x<y, x <= y, x> y, x >= y};
      for (uint8_t predicate = 0; predicate < std::size(expects); ++predicate) {
        const Number found = evaluate({.opcode_class = OpcodeClass::compare,
                                       .from = kBits,
                                       .to = 1,
                                       .predicate = isa::CmpPredicate{predicate}},
                                      a, b);
        same = same && found == Number(expects[predicate]);
      }
    }
  }
  CHECK(same);
}

TEST_CASE("numbers at the ends of 64 bits, and casts", "[constants]") {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min(), kMax = std::numeric_limits<int64_t>::max();
  CHECK(evaluate({.opcode_class = OpcodeClass::div_s}, kMin, -1) == std::nullopt);
  CHECK(evaluate({.opcode_class = OpcodeClass::rem_s}, kMin, -1) == Number(0));
  CHECK(evaluate({.opcode_class = OpcodeClass::add}, kMax, 1) == std::nullopt);
  CHECK(evaluate({.opcode_class = OpcodeClass::mul}, kMin, -1) == std::nullopt);
  CHECK(evaluate({.opcode_class = OpcodeClass::div_u}, -1, 2) == Number(kMax));
  CHECK(evaluate({.opcode_class = OpcodeClass::shift_left}, -3, 2) == Number(-12));
  CHECK(evaluate({.opcode_class = OpcodeClass::shift_left}, kMax, 1) == std::nullopt);
  // True has its bit in every place of a number with sign, and is 1 in one without.
  CHECK(evaluate({.opcode_class = OpcodeClass::cast, .from = 1, .to = 32}, 1) == Number(-1));
  CHECK(evaluate({.opcode_class = OpcodeClass::cast_unsigned, .from = 1, .to = 32}, 1) == Number(1));
  CHECK(evaluate({.opcode_class = OpcodeClass::cast_unsigned, .from = 32, .to = 64}, -1) ==
        Number(0xffffffff));
  CHECK(evaluate({.opcode_class = OpcodeClass::cast, .from = 64, .to = 32}, int64_t{1} << 31) ==
        std::nullopt);
  CHECK(evaluate({.opcode_class = OpcodeClass::min_s, .from = 1, .to = 1}, 0, 1) == std::nullopt);
}

}  // namespace
}  // namespace pto
