#include "report/page/line_alignment.hpp"

#include <catch2/catch.hpp>

namespace pto::report {
namespace {

using Pairs = std::map<uint32_t, uint32_t>;

TEST_CASE("types do not count when lines are matched", "[align]") {
  CHECK(
      without_types("pto.tmov ins(%a : !pto.tile_buf<left, 32x64xf16, pad=<x>>) outs(%b : !pto.ptr<f16>)") ==
      "pto.tmov ins(%a : ) outs(%b : )");
  CHECK(without_types("pto.barrier <PIPE_V>") == "pto.barrier <PIPE_V>");
  CHECK(without_types("%x = !") == "%x = ");
}

TEST_CASE("lines keep their partner when others come between", "[align]") {
  const Lines a = {{1, "pto.tload a"}, {2, "pto.tadd b"}, {3, "pto.tstore c"}};
  const Lines b = {{4, "pto.tload a"}, {5, "pto.barrier <PIPE_V>"}, {6, "pto.tadd b"}, {9, "pto.tstore d"}};
  CHECK(align(a, b) == Pairs{{1, 4}, {2, 6}, {3, 9}});
}

TEST_CASE("the same text wins over the same mnemonic, and the order is kept", "[align]") {
  const Lines a = {{1, "pto.tload %a"}, {2, "pto.tload %b"}};
  CHECK(align(a, {{1, "pto.tload %b"}}) == Pairs{{2, 1}});
  CHECK(align(a, {{1, "pto.tload %b"}, {2, "pto.tload %a"}}).size() == 1);  // one of them has moved
  CHECK(align(a, {{1, "pto.tload %c"}, {2, "pto.tload %d"}}) == Pairs{{1, 1}, {2, 2}});
  CHECK(align(a, {{7, "pto.tstore %a"}}).empty());
  CHECK(align({}, a).empty());
}

}  // namespace
}  // namespace pto::report
