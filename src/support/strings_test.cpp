#include "support/strings.hpp"

#include "testing/catch_main.hpp"

namespace pto {
namespace {

using Texts = std::vector<std::string_view>;

TEST_CASE("lists are split at their separators; what is empty is no part", "[support]") {
  CHECK(list_of(split("a,bc,d", ',')) == Texts{"a", "bc", "d"});
  CHECK(list_of(split("alone", ',')) == Texts{"alone"});
  CHECK(list_of(split(",,a,,b,", ',')) == Texts{"a", "b"});
  CHECK(list_of(split("", ',')).empty());
  CHECK(list_of(split(",,", ',')).empty());
}

TEST_CASE("walking a list ends where its visitor says so", "[support]") {
  Texts seen;
  const auto until_b = [&](std::string_view part) {
    seen.push_back(part);
    return part != "b";
  };
  CHECK_FALSE(for_each_part("a b c", ' ', until_b));
  CHECK(seen == Texts{"a", "b"});
  CHECK(for_each_part("", ' ', until_b));
}

}  // namespace
}  // namespace pto
