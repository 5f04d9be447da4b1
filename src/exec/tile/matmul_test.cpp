// Matrix products against chains of std::fma in k order.
#include <cmath>

#include "exec/tile/tile_fixture.hpp"

namespace {
using namespace pto;
using namespace pto::exec;
using namespace pto::exec::test;

double sample(int64_t r, int64_t c) { return static_cast<double>((r * 31 + c * 17) % 41 - 20) * 0.0625; }

struct Product {
  Bench bench;
  Arg left, right, dst;
  Product(Elem elem, Elem acc, Shape m_k, Shape k_n, Layout left_layout = kZz) {
    left = bench.tile(elem, m_k, left_layout, Space::l0a);
    right = bench.tile(elem, k_n, kZn, Space::l0b);
    dst = bench.tile(acc, {(m_k.rows + 15) / 16 * 16, k_n.cols, m_k.valid_rows, k_n.valid_cols}, kAccLayout,
                     Space::l0c);
    bench.memory.own = 0;
    bench.fill(
        left,
        [&](int64_t r, int64_t c) {
          return is_integer(elem) ? std::floor(sample(r, c) * 100) : sample(r, c);
        },
        0);
    bench.fill(
        right,
        [&](int64_t r, int64_t c) { return is_integer(elem) ? std::floor(sample(c, r) * 90) : sample(c, r); },
        0);
    bench.fill(
        dst, [](int64_t, int64_t) { return 77; }, 0);
  }
  [[nodiscard]] float chain(int64_t i, int64_t j, float initial, int64_t depth) {
    float sum = initial;
    for (int64_t k = 0; k < depth; ++k)
      sum = std::fma(static_cast<float>(bench.get(left, i, k, 0)),
                     static_cast<float>(bench.get(right, k, j, 0)), sum);
    return sum;
  }
};
}  // namespace

TEST_CASE("float products: valid extents, both left layouts, the accumulator is the initial value",
          "[tile][matmul][N-mad-chain][N-mad-f8]") {
  for (const Elem elem : {Elem::f16, Elem::bf16, Elem::f32, Elem::f8e4m3, Elem::f8e5m2, Elem::hif8}) {
    for (const Layout layout : {kZz, kNz}) {
      Product p(elem, Elem::f32, {32, 64, 19, 45}, {64, 32, 45, 23}, layout);
      p.bench.run("pto.tmatmul", {p.left, p.right, p.dst});
      for (int64_t i = 0; i < 32; ++i) {
        for (int64_t j = 0; j < 32; ++j)
          REQUIRE(p.bench.get(p.dst, i, j, 0) ==
                  (i < 19 && j < 23 ? static_cast<double>(p.chain(i, j, 0, 45)) : 77.0));
      }
      p.bench.run("pto.tmatmul.acc", {p.dst, p.left, p.right, p.dst});
      CHECK(p.bench.get(p.dst, 18, 22, 0) ==
            static_cast<double>(p.chain(18, 22, p.chain(18, 22, 0, 45), 45)));
      const Arg bias = p.bench.tile(Elem::f32, {1, 32, 1, 23}, kNd, Space::bt);
      p.bench.fill(
          bias, [](int64_t, int64_t c) { return static_cast<double>(c) * 1000; }, 0);
      p.bench.run("pto.tmatmul.bias", {p.left, p.right, bias, p.dst});
      CHECK(p.bench.get(p.dst, 3, 7, 0) == static_cast<double>(p.chain(3, 7, 7000, 45)));
      CHECK(p.bench.faults.empty());
    }
  }
}

TEST_CASE("the left row of gemv is contiguous when its tile has one row", "[tile][matmul][N-mad-gemv-row]") {
  for (const Layout layout : {kZz, kNz}) {
    Product p(Elem::f16, Elem::f32, {1, 64, 1, 64}, {64, 32}, layout);
    for (int64_t k = 0; k < 64; ++k) {  // byte by byte, not through the layout
      const uint64_t bits = num::from_f64(Elem::f16, sample(3, k));
      std::memcpy(p.bench.memory.bytes(Space::l0a, 0).data() + Bench::desc(p.left).addr + 2 * k, &bits, 2);
    }
    p.bench.run("pto.tgemv", {p.left, p.right, p.dst});
    for (int64_t j = 0; j < 32; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < 64; ++k)
        sum = std::fma(static_cast<float>(sample(3, k)), static_cast<float>(p.bench.get(p.right, k, j, 0)),
                       sum);
      REQUIRE(p.bench.get(p.dst, 0, j, 0) == static_cast<double>(sum));
    }
    CHECK(p.bench.faults.empty());
  }
}

TEST_CASE("an accumulator of one row has whole boxes", "[tile][matmul][N-mad-acc-boxes]") {
  Product p(Elem::f16, Elem::f32, {1, 32, 1, 32}, {32, 48}, kNz);
  p.dst = p.bench.tile(Elem::f32, {1, 48}, kAccLayout, Space::l0c);
  p.bench.run("pto.tgemv", {p.left, p.right, p.dst});
  for (int64_t j = 0; j < 48; ++j) {
    float got = 0;
    const int64_t offset = j / 16 * 16 * 16 + j % 16;  // boxes of 16x16, row-major inside
    std::memcpy(&got,
                p.bench.memory.bytes(Space::l0c, 0).data() + static_cast<int64_t>(Bench::desc(p.dst).addr) +
                    4 * offset,
                4);
    REQUIRE(got == p.chain(0, j, 0, 32));
  }
}

TEST_CASE("integer products wrap in 32 bits", "[tile][matmul]") {
  Product p(Elem::i8, Elem::i32, {16, 64, 1, 64}, {64, 32});
  p.bench.run("pto.tgemv", {p.left, p.right, p.dst});
  for (int64_t j = 0; j < 32; ++j) {
    int32_t sum = 0;
    for (int64_t k = 0; k < 64; ++k)
      sum += static_cast<int32_t>(p.bench.get(p.left, 0, k, 0)) *
             static_cast<int32_t>(p.bench.get(p.right, k, j, 0));
    REQUIRE(p.bench.get(p.dst, 0, j, 0) == static_cast<double>(sum));
  }
  p.bench.fill(
      p.dst, [](int64_t, int64_t) { return 2147483647.0; }, 0);
  p.bench.fill(
      p.left, [](int64_t, int64_t c) { return c == 0 ? 1 : 0; }, 0);
  p.bench.fill(
      p.right, [](int64_t, int64_t) { return 1; }, 0);
  p.bench.run("pto.tgemv.acc", {p.dst, p.left, p.right, p.dst});
  CHECK(p.bench.get(p.dst, 0, 0, 0) == -2147483648.0);
}

TEST_CASE("TF32 mode rounds operands once, only where the machine has it", "[tile][matmul]") {
  for (const bool away : {false, true}) {
    Product p(Elem::f32, Elem::f32, {16, 8}, {8, 16});
    p.bench.fill(
        p.left, [](int64_t r, int64_t) { return 1.0 + static_cast<double>(r * 2 + 1) / 2048; },
        0);  // ties at 10 bits
    p.bench.fill(
        p.right, [](int64_t, int64_t) { return 1; }, 0);
    p.bench.control.ctrl = (uint64_t{1} << kCtrlTf32) | (uint64_t{away} << kCtrlTf32Away);
    p.bench.machine.tf32_supported = false;
    p.bench.run("pto.tmatmul", {p.left, p.right, p.dst});
    CHECK(p.bench.get(p.dst, 0, 0, 0) == 8 * (1.0 + 1.0 / 2048));
    p.bench.machine.tf32_supported = true;
    p.bench.run("pto.tmatmul", {p.left, p.right, p.dst});
    CHECK(p.bench.get(p.dst, 0, 0, 0) == (away ? 8 * (1.0 + 1.0 / 1024) : 8.0));
    CHECK(p.bench.get(p.dst, 1, 0, 0) == 8 * (1.0 + 2.0 / 1024));
  }
}

TEST_CASE("scaled products: one scale per 32 of K", "[tile][matmul][N-madmx-round]") {
  Product p(Elem::f8e4m3, Elem::f32, {16, 64}, {64, 32});
  const Arg ls =
      p.bench.tile(Elem::f8e8m0, {16, 2}, {BLayout::row_major, SLayout::row_major, 32}, Space::l0a_mx);
  const Arg rs =
      p.bench.tile(Elem::f8e8m0, {2, 32}, {BLayout::col_major, SLayout::col_major, 32}, Space::l0b_mx);
  p.bench.fill(
      ls, [](int64_t r, int64_t c) { return std::ldexp(1.0, static_cast<int>(r % 5 - c)); }, 0);
  p.bench.fill(
      rs, [](int64_t r, int64_t c) { return std::ldexp(1.0, static_cast<int>(c % 3 + r)); }, 0);
  p.bench.run("pto.tmatmul.mx", {p.left, ls, p.right, rs, p.dst});
  CHECK(p.bench.faults.empty());
  for (int64_t i = 0; i < 16; ++i) {
    for (int64_t j = 0; j < 32; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < 64; ++k) {
        const double product = p.bench.get(p.left, i, k, 0) * p.bench.get(p.right, k, j, 0) *
                               p.bench.get(ls, i, k / 32, 0) * p.bench.get(rs, k / 32, j, 0);
        sum = static_cast<float>(static_cast<double>(sum) + product);
      }
      REQUIRE(p.bench.get(p.dst, i, j, 0) == static_cast<double>(sum));
    }
  }
}

TEST_CASE("scaled products of 4-bit floats: columns count values", "[tile][matmul]") {
  Bench b;
  b.memory.own = 0;
  constexpr int64_t kM = 16, kN = 32, kK = 62;  // the tail of the 64 holds other numbers
  const Arg left =
      b.tile(Elem::f4e2m1x2, {kM, 64, kM, kK}, {BLayout::col_major, SLayout::row_major}, Space::l0a);
  const Arg right =
      b.tile(Elem::f4e1m2x2, {64, kN, kK, kN}, {BLayout::row_major, SLayout::col_major}, Space::l0b);
  const Arg dst = b.tile(Elem::f32, {kM, kN}, {BLayout::col_major, SLayout::row_major, 1024}, Space::l0c);
  const Arg none = b.tile(Elem::f8e8m0, {kM, 2}, {BLayout::row_major, SLayout::row_major, 32}, Space::fb);
  const auto a_code = [](int64_t i, int64_t k) { return (i * 3 + k * 5 + 1) & 0xf; };
  const auto b_code = [](int64_t k, int64_t j) { return (k * 7 + j) & 0xf; };
  const auto put = [&](Space space, int64_t at, int64_t value) {
    b.memory.bytes(space, 0)[static_cast<size_t>(at)] = static_cast<std::byte>(value);
  };
  for (int64_t k = 0; k < 64; k += 2) {
    for (int64_t i = 0; i < kM; ++i) put(Space::l0a, i * 32 + k / 2, a_code(i, k) | a_code(i, k + 1) << 4);
    for (int64_t j = 0; j < kN; ++j) put(Space::l0b, j * 32 + k / 2, b_code(k, j) | b_code(k + 1, j) << 4);
  }
  for (int64_t g = 0; g < 2; ++g) {  // 2^(code - 127)
    for (int64_t i = 0; i < kM; ++i) put(Space::l0a_mx, i * 2 + g, 127 + i % 3 - g);
    for (int64_t j = 0; j < kN; ++j) put(Space::l0b_mx, j / 16 * 32 + j % 16 * 2 + g, 126 + j % 2 + g);
  }
  b.run("pto.tmatmul.mx", {left, none, right, none, dst});
  CHECK(b.faults.empty());
  constexpr double kE2m1[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (int64_t i = 0; i < kM; ++i) {
    for (int64_t j = 0; j < kN; ++j) {
      double sum = 0;  // every partial sum is exact in f32
      for (int64_t k = 0; k < kK; ++k) {
        const int64_t x = a_code(i, k);
        const int64_t y = b_code(k, j);
        const int64_t g = k / 32;
        const double product = kE2m1[x % 8] * static_cast<double>(y % 8) / 4 * ((x < 8) == (y < 8) ? 1 : -1);
        sum += std::ldexp(product, static_cast<int>(i % 3 - g + j % 2 + g - 1));
      }
      REQUIRE(b.get(dst, i, j, 0) == sum);
    }
  }
}

TEST_CASE("the left tile says how long the sums are, whatever is valid of the right one",
          "[tile][matmul][N-mad-rows]") {
  for (const auto& [columns, rows] : {std::pair(31, 32), std::pair(32, 30), std::pair(17, 0)}) {
    Product p(Elem::f16, Elem::f32, {16, 32, 16, columns}, {32, 16, rows, 16});
    p.bench.run("pto.tmatmul", {p.left, p.right, p.dst});
    CHECK(p.bench.faults.empty());
    for (int64_t j = 0; j < 16; ++j)
      CHECK(p.bench.get(p.dst, 5, j, 0) == static_cast<double>(p.chain(5, j, 0, columns)));
  }
  for (const char* name : {"pto.tmatmul", "pto.tmatmul.mx"}) {
    INFO(name);
    Product p(Elem::f8e4m3, Elem::f32, {16, 128}, {64, 16});
    const Arg none =
        p.bench.tile(Elem::f8e8m0, {16, 4}, {BLayout::row_major, SLayout::row_major, 32}, Space::fb);
    if (std::string_view(name) == "pto.tmatmul")
      p.bench.run(name, {p.left, p.right, p.dst});
    else
      p.bench.run(name, {p.left, none, p.right, none, p.dst});
    REQUIRE(p.bench.faults.size() == 1);
    CHECK(p.bench.faults[0].first == Fault::out_of_bounds);
    CHECK(p.bench.get(p.dst, 0, 0, 0) == 77.0);
  }
}

TEST_CASE("products of empty tiles do nothing", "[tile][matmul]") {
  Product q(Elem::f16, Elem::f32, {16, 32, 0, 32}, {32, 16});
  q.bench.run("pto.tmatmul", {q.left, q.right, q.dst});
  CHECK(q.bench.faults.empty());
  CHECK(q.bench.get(q.dst, 0, 0, 0) == 77.0);
}
