#include "report/page/page.hpp"

#include <catch2/catch.hpp>
#include <numeric>

namespace pto::report {
namespace {

TEST_CASE("no text in the data of a page ends its script", "[page]") {
  const std::string page = page_with({{"source", "</script><script>alert(1)</script><!--"}});
  const size_t begin = page.find("id=\"data\">");
  REQUIRE(begin != std::string::npos);
  const size_t end = page.find('<', begin);
  const std::string data = page.substr(begin + 10, end - begin - 10);
  CHECK(page.substr(end, 9) == "</script>");
  CHECK(Json::parse(data)["source"] == "</script><script>alert(1)</script><!--");
}

TEST_CASE("sums over time keep their total while they widen", "[page]") {
  Series series(8);
  uint64_t total = 0;
  for (uint64_t time = 0; time < 1000; time += 7) {
    series.add(time, time);
    total += time;
  }
  CHECK(series.sums().size() <= 8);
  CHECK(series.width() == 128);
  CHECK(std::accumulate(series.sums().begin(), series.sums().end(), uint64_t{0}) == total);
  CHECK(series.sums()[0] == 7 * (18 * 19 / 2));  // 0, 7, .. 126
}

}  // namespace
}  // namespace pto::report
