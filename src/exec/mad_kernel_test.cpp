#include "exec/mad_kernel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "testing/catch_main.hpp"

using pto::exec::Gemm;

TEST_CASE("f32: every output is the chain of fused steps from its initial value", "[mad]") {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> value(-4, 4);
  for (const Gemm s : {Gemm{1, 1, 1, 1, 1, 1}, Gemm{6, 7, 8, 8, 9, 11}, Gemm{16, 16, 32, 32, 16, 16},
                       Gemm{5, 33, 17, 20, 40, 35}, Gemm{9, 100, 3, 3, 100, 100}, Gemm{3, 4, 0, 1, 4, 4},
                       Gemm{0, 4, 4, 4, 4, 4}}) {
    std::vector<float> a(s.m * s.lda + 1), b(s.k * s.ldb + 1), c(s.m * s.ldc + 1);
    for (auto* v : {&a, &b, &c})
      for (float& x : *v) x = value(random);
    if (!a.empty()) a[0] = 1e-42f;
    std::vector<float> want = c;
    for (size_t i = 0; i < s.m; ++i) {
      for (size_t j = 0; j < s.n; ++j) {
        for (size_t k = 0; k < s.k; ++k)
          want[i * s.ldc + j] = std::fma(a[i * s.lda + k], b[k * s.ldb + j], want[i * s.ldc + j]);
      }
    }
    pto::exec::gemm_f32(s, a.data(), b.data(), c.data());
    CHECK(std::equal(c.begin(), c.end(), want.begin(), [](float x, float y) {
      return std::bit_cast<uint32_t>(x) == std::bit_cast<uint32_t>(y);
    }));
  }
}

TEST_CASE("i32: wraps", "[mad]") {
  const Gemm s{2, 3, 4, 4, 3, 3};
  std::vector<int32_t> a(8, -128), b(12, 127), c(6, std::numeric_limits<int32_t>::min());
  pto::exec::gemm_i32(s, a.data(), b.data(), c.data());
  const auto want = static_cast<int32_t>(0x80000000u + static_cast<uint32_t>(-128 * 127 * 4));
  for (const int32_t x : c) CHECK(x == want);
}
