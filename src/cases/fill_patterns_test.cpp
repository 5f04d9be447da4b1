#include "cases/fill_patterns.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

#include "testing/catch_main.hpp"

namespace pto::report {
namespace {

template <typename T>
std::vector<T> filled(Elem dtype, std::string_view fill, size_t count) {
  std::vector<std::byte> bytes(count * sizeof(T), std::byte{0xee});
  REQUIRE(fill_elements(bytes, dtype, fill).ok());
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace

TEST_CASE("fills of buffers", "[fill]") {
  CHECK(filled<int32_t>(Elem::i32, "zeros", 3) == std::vector<int32_t>{0, 0, 0});
  CHECK(filled<int32_t>(Elem::i32, "-7", 2) == std::vector<int32_t>{-7, -7});
  CHECK(filled<int32_t>(Elem::i32, "iota", 4) == std::vector<int32_t>{0, 1, 2, 3});
  CHECK(filled<float>(Elem::f32, "iota", 3) == std::vector<float>{0, 1, 2});
  CHECK(filled<int64_t>(Elem::i64, "range:-1:2", 5) == std::vector<int64_t>{-1, 0, 1, -1, 0});
  const auto bytes = filled<uint8_t>(Elem::ui8, "iota", 258);
  CHECK(bytes[255] == 255);
  CHECK(bytes[256] == 0);  // the format ends
}

TEST_CASE("random fills are drawn by the seed alone", "[fill]") {
  const auto first = filled<float>(Elem::f32, "random:1", 4096);
  CHECK(first == filled<float>(Elem::f32, "random:1", 4096));
  CHECK(first != filled<float>(Elem::f32, "random:2", 4096));
  double sum = 0;
  for (const float value : first) {
    CHECK((value >= -1 && value < 1));
    sum += value;
  }
  CHECK(sum / 4096 < 0.1);
  CHECK(sum / 4096 > -0.1);
}

TEST_CASE("fills that mean nothing are refused", "[fill]") {
  for (const char* const fill :
       {"", "ones", "range:", "range:3", "range:3:3", "range:0:9999999999",
        "range:-9223372036854775808:9223372036854775807", "random:", "random:x", "range:0:300"})
    CHECK_FALSE(check_fill(Elem::ui8, fill).ok());
  CHECK(check_fill(Elem::ui8, "range:0:256").ok());
  CHECK_FALSE(check_fill(Elem::f4e2m1x2, "iota").ok());
  CHECK(check_fill(Elem::f4e2m1x2, "zeros").ok());
}

}  // namespace pto::report
