// Copies between layouts against one element at a time.
#include "exec/strided_copy.hpp"

#include <cstring>
#include <numeric>
#include <vector>

#include "testing/catch_main.hpp"

namespace pto::exec {
namespace {

IndexDigits digits(std::initializer_list<IndexDigits::Digit> list) {
  IndexDigits out;
  for (const IndexDigits::Digit& each : list) out.add(each.extent, each.stride);
  return out;
}

int64_t place(const IndexDigits& digits, uint64_t index) {
  int64_t at = 0;
  for (size_t i = 0; i < digits.n; ++i) {
    at += static_cast<int64_t>(index % digits.digits[i].extent) * digits.digits[i].stride;
    index /= digits.digits[i].extent;
  }
  return at;
}

struct Layout {
  IndexDigits rows, cols;
};

/// 64 rows of 48 columns.
constexpr uint64_t kRows = 64, kCols = 48;
std::vector<Layout> layouts() {
  return {
      {digits({{64, 48}}), digits({{48, 1}})},                          // row by row
      {digits({{64, 1}}), digits({{48, 64}})},                          // column by column
      {digits({{64, 100}}), digits({{48, 1}})},                         // part of something wider
      {digits({{64, 16}}), digits({{16, 1}, {3, 64 * 16}})},            // Nz
      {digits({{16, 16}, {4, 16 * 48}}), digits({{16, 1}, {3, 256}})},  // Zz
      {digits({{16, 1}, {4, 16 * 48}}), digits({{48, 16}})},            // Zn
      {digits({{2, 1}, {4, 2}, {8, 8 * 48}}), digits({{48, 8}})},       // digits that join
  };
}

template <typename T>
void check(const Layout& from, const Layout& to, bool by_source) {
  std::vector<T> source(64 * 100), target(64 * 100, T{1}), expected = target;
  std::iota(source.begin(), source.end(), T{3});
  for (uint64_t r = 0; r < kRows; ++r) {
    for (uint64_t c = 0; c < kCols; ++c)
      expected[static_cast<size_t>(place(to.rows, r) + place(to.cols, c))] =
          source[static_cast<size_t>(place(from.rows, r) + place(from.cols, c))];
  }
  StridedCopy copy;
  REQUIRE(copy.add(from.rows, to.rows));
  REQUIRE(copy.add(from.cols, to.cols));
  CHECK(copy.distinct());
  copy.run(reinterpret_cast<const std::byte*>(source.data()), reinterpret_cast<std::byte*>(target.data()),
           sizeof(T), by_source);
  CHECK(target == expected);
}

}  // namespace

TEST_CASE("every layout to every layout, elements of all sizes", "[threads][strided-copy]") {
  for (const Layout& from : layouts()) {
    for (const Layout& to : layouts()) {
      for (const bool by_source : {false, true}) {
        check<uint8_t>(from, to, by_source);
        check<uint16_t>(from, to, by_source);
        check<uint32_t>(from, to, by_source);
        check<uint64_t>(from, to, by_source);
      }
    }
  }
}

TEST_CASE("ranges that the two sides cut at different places are refused", "[strided-copy]") {
  StridedCopy copy;
  CHECK_FALSE(copy.add(digits({{16, 1}, {3, 20}}), digits({{12, 1}, {4, 20}})));
  CHECK_FALSE(StridedCopy().add(digits({{16, 1}}), digits({{8, 1}})));
  CHECK_FALSE(StridedCopy().add(digits({{16, 1}}), {}));
  CHECK(StridedCopy().add(digits({{1, 5}}), digits({{1, 7}})));
}

TEST_CASE("a destination that holds an element twice, and one in the source, are seen", "[strided-copy]") {
  StridedCopy twice;
  REQUIRE(twice.add(digits({{4, 8}}), digits({{4, 0}})));
  CHECK_FALSE(twice.distinct());
  StridedCopy plain;
  REQUIRE(plain.add(digits({{4, 8}}), digits({{4, 8}})));
  CHECK(plain.same());
  std::vector<std::byte> bytes(100);
  CHECK_FALSE(plain.apart(bytes.data(), bytes.data() + 24, 1));
  CHECK(plain.apart(bytes.data(), bytes.data() + 25, 1));
  CHECK(plain.apart(bytes.data() + 50, bytes.data() + 25, 1));
}

}  // namespace pto::exec
