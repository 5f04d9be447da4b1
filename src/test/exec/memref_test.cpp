// Memrefs and math on the scalar unit, from text to values.
#include <cmath>

#include "driver/run_fixture.hpp"

namespace {

using namespace pto;
using namespace pto::test;

TEST_CASE("Windows, elements and copies of memrefs", "[memref]") {
  std::vector<int32_t> in(8 * 16);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int32_t>(i * i);
  std::vector<Argument> arguments{buffer("a", in), buffer("b", std::vector<int32_t>(8 * 16, -1)),
                                  buffer("sizes", std::vector<int64_t>(8, -1))};
  Argument at;
  at.name = "at";
  at.is_buffer = false;
  at.scalar = 2;
  arguments.push_back(at);
  const SimResult result = run_text(R"(module attributes {pto.target_arch = "a5"} {
func.func @k(%a: memref<8x16xi32, #pto.address_space<gm>>, %b: memref<8x16xi32, #pto.address_space<gm>>, %sizes: memref<8xi64, #pto.address_space<gm>>, %at: index) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %w = memref.subview %a[%at, 4] [3, 5] [2, 1] : memref<8x16xi32, #pto.address_space<gm>> to memref<3x5xi32, strided<[32, 1], offset: ?>, #pto.address_space<gm>>
  %x = memref.load %w[%c2, %c3] : memref<3x5xi32, strided<[32, 1], offset: ?>, #pto.address_space<gm>>
  memref.store %x, %b[%c0, %c1] : memref<8x16xi32, #pto.address_space<gm>>
  %row = memref.subview %a[7, 0] [1, 16] [1, 1] : memref<8x16xi32, #pto.address_space<gm>> to memref<16xi32, strided<[1], offset: 112>, #pto.address_space<gm>>
  %y = memref.load %row[%c3] : memref<16xi32, strided<[1], offset: 112>, #pto.address_space<gm>>
  memref.store %y, %b[%c0, %c2] : memref<8x16xi32, #pto.address_space<gm>>
  %turned = memref.reinterpret_cast %a to offset: [%at], sizes: [4, %c3], strides: [1, 16] : memref<8x16xi32, #pto.address_space<gm>> to memref<4x?xi32, strided<[1, 16], offset: ?>, #pto.address_space<gm>>
  %z = memref.load %turned[%c3, %c2] : memref<4x?xi32, strided<[1, 16], offset: ?>, #pto.address_space<gm>>
  memref.store %z, %b[%c0, %c3] : memref<8x16xi32, #pto.address_space<gm>>
  %from = memref.subview %a[0, 0] [3, 5] [1, 1] : memref<8x16xi32, #pto.address_space<gm>> to memref<3x5xi32, strided<[16, 1]>, #pto.address_space<gm>>
  %to = memref.subview %b[4, 8] [3, 5] [1, 1] : memref<8x16xi32, #pto.address_space<gm>> to memref<3x5xi32, strided<[16, 1], offset: 72>, #pto.address_space<gm>>
  memref.copy %from, %to : memref<3x5xi32, strided<[16, 1]>, #pto.address_space<gm>> to memref<3x5xi32, strided<[16, 1], offset: 72>, #pto.address_space<gm>>
  %d = memref.dim %turned, %c1 : memref<4x?xi32, strided<[1, 16], offset: ?>, #pto.address_space<gm>>
  %d64 = arith.index_cast %d : index to i64
  memref.store %d64, %sizes[%c0] : memref<8xi64, #pto.address_space<gm>>
  %r = memref.rank %w : memref<3x5xi32, strided<[32, 1], offset: ?>, #pto.address_space<gm>>
  %r64 = arith.index_cast %r : index to i64
  memref.store %r64, %sizes[%c1] : memref<8xi64, #pto.address_space<gm>>
  return
}
}
)",
                                    arguments);
  expect_clean(result);
  const auto a = [&](int r, int c) { return in[static_cast<size_t>(r * 16 + c)]; };
  std::vector<int32_t> want(8 * 16, -1);
  want[1] = a(2 + 2 * 2, 4 + 3);
  want[2] = a(7, 3);
  want[3] = in[2 + 3 * 1 + 2 * 16];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 5; ++c) want[static_cast<size_t>((4 + r) * 16 + 8 + c)] = a(r, c);
  CHECK(values_of<int32_t>(arguments[1]) == want);
  CHECK(values_of<int64_t>(arguments[2]) == std::vector<int64_t>{3, 2, -1, -1, -1, -1, -1, -1});
}

TEST_CASE("Indices and windows outside of a memref are findings", "[memref]") {
  for (const std::string_view body :
       {"%x = memref.load %a[%c8, %c0] : memref<8x16xi32, #pto.address_space<gm>>\n",
        "%w = memref.subview %a[%c8, 0] [1, 16] [1, 1] : memref<8x16xi32, #pto.address_space<gm>> to "
        "memref<1x16xi32, strided<[16, 1], offset: ?>, #pto.address_space<gm>>\n"}) {
    std::vector<Argument> arguments{buffer("a", std::vector<int32_t>(8 * 16))};
    const SimResult result = run_text(
        "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @k(%a: memref<8x16xi32, "
        "#pto.address_space<gm>>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {\n"
        "%c0 = arith.constant 0 : index\n%c8 = arith.constant 8 : index\n" +
            std::string(body) + "return\n}\n}\n",
        arguments);
    REQUIRE(!result.findings.all().empty());
    CHECK(result.findings.all().front().id == FindingId::bounds);
  }
}

/// What a function of one or two numbers of type `elem` gives.
template <typename T>
T run_math(const std::string& statement, std::string_view elem, T a, T b) {
  std::vector<Argument> arguments{buffer("in", std::vector<T>{a, b}), buffer("out", std::vector<T>(1))};
  const std::string type(elem), pointer = "!pto.ptr<" + type + ">";
  expect_clean(run_text(
      "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @k(%in: " + pointer + ", %out: " + pointer +
          ") attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {\n"
          "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
          "%a = pto.load_scalar %in[%c0] : " +
          pointer + " -> " + type + "\n%b = pto.load_scalar %in[%c1] : " + pointer + " -> " + type +
          "\n%r = " + statement + " : " + type + "\npto.store_scalar %r, %out[%c0] : " + pointer + ", " +
          type + "\nreturn\n}\n}\n",
      arguments));
  return values_of<T>(arguments[1]).front();
}

TEST_CASE("Functions of numbers, rounded once", "[math]") {
  const auto check = [](const char* name, double (*model)(double)) {
    for (const float a : {0.75F, 2.5F, -1.5F, 0.0F}) {
      CAPTURE(name, a);
      const float got = run_math<float>(std::string("math.") + name + " %a", "f32", a, 0.0F);
      const auto want = static_cast<float>(model(static_cast<double>(a)));
      CHECK(((std::isnan(got) && std::isnan(want)) || got == want));
    }
  };
  check("absf", [](double x) { return x < 0 ? -x : x; });
  check("ceil", std::ceil);
  check("floor", std::floor);
  check("round", std::round);
  check("roundeven", std::nearbyint);
  check("trunc", std::trunc);
  check("exp", std::exp);
  check("exp2", std::exp2);
  check("expm1", std::expm1);
  check("log", std::log);
  check("log2", std::log2);
  check("log10", std::log10);
  check("log1p", std::log1p);
  check("sqrt", std::sqrt);
  check("rsqrt", [](double x) { return 1 / std::sqrt(x); });
  check("cbrt", std::cbrt);
  check("sin", std::sin);
  check("cos", std::cos);
  check("tan", std::tan);
  check("tanh", std::tanh);
  check("erf", std::erf);
  CHECK(run_math<float>("math.powf %a, %b", "f32", 1.7F, 2.5F) ==
        static_cast<float>(std::pow(static_cast<double>(1.7F), 2.5)));
  CHECK(run_math<float>("math.atan2 %a, %b", "f32", -1.0F, -2.0F) ==
        static_cast<float>(std::atan2(-1.0, -2.0)));
  CHECK(run_math<float>("math.copysign %a, %b", "f32", 3.0F, -0.0F) == -3.0F);
  const float x = 1 + 0x1p-20F;
  const float y = 1 - 0x1p-20F;
  CHECK(run_math<float>("math.fma %a, %a, %b", "f32", x, -y) == std::fma(x, x, -y));
}

TEST_CASE("Functions of integers at their width", "[math]") {
  CHECK(run_math<int32_t>("math.absi %a", "i32", -7, 0) == 7);
  CHECK(run_math<int32_t>("math.absi %a", "i32", INT32_MIN, 0) == INT32_MIN);
  CHECK(run_math<int16_t>("math.ctpop %a", "i16", -2, 0) == 15);
  CHECK(run_math<int16_t>("math.ctlz %a", "i16", 0x00f0, 0) == 8);
  CHECK(run_math<int16_t>("math.ctlz %a", "i16", 0, 0) == 16);
  CHECK(run_math<int16_t>("math.cttz %a", "i16", 0x00f0, 0) == 4);
  CHECK(run_math<int16_t>("math.cttz %a", "i16", 0, 0) == 16);
  CHECK(run_math<int32_t>("math.ipowi %a, %b", "i32", -3, 5) == -243);
  CHECK(run_math<int32_t>("math.ipowi %a, %b", "i32", 3, -1) == 0);
  CHECK(run_math<int32_t>("math.ipowi %a, %b", "i32", -1, -3) == -1);
  CHECK(run_math<int32_t>("math.ipowi %a, %b", "i32", 7, 0) == 1);
}

}  // namespace
