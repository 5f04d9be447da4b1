#include "order/token_ring.hpp"

#include <map>
#include <random>

#include "testing/catch_main.hpp"

namespace pto::order {

TEST_CASE("tokens keep their values until they are erased, also those that stay", "[race]") {
  std::mt19937 chance(3);
  const auto below = [&](uint64_t limit) { return chance() % limit; };
  TokenRing<int> tokens;
  std::map<uint64_t, int> plain;
  size_t wrong = 0;
  for (uint64_t token = 1; token < 50'000; ++token) {
    plain[token] = tokens.value_of(token) = static_cast<int>(token);
    // Bursts of many, most of which go soon; one in a hundred stays.
    const size_t held = token % 5000 < 1000 ? 400 : 10;
    while (plain.size() > held + token / 100) {
      const auto each = std::next(plain.begin(), static_cast<std::ptrdiff_t>(below(plain.size())));
      if (each->first % 100 == 0) continue;
      wrong += tokens.find(each->first) == nullptr || *tokens.find(each->first) != each->second;
      tokens.erase(each->first);
      wrong += tokens.find(each->first) != nullptr;
      plain.erase(each);
    }
  }
  for (const auto& [token, value] : plain) wrong += tokens.value_of(token) != value;
  CHECK(wrong == 0);
}

}  // namespace pto::order
