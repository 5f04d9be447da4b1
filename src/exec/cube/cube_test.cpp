// Matrix multiply and fixpipe: chains in k order, formats, TF32, saturation, layouts, quantisation and
// atomics.
#include <cmath>
#include <limits>

#include "exec/vector/vector_fixture.hpp"

namespace pto::exec::test {
namespace {

using B = MicroBench;
constexpr float kInf = std::numeric_limits<float>::infinity();

/// A cube core with operands laid out by their definition, one value at a time.
struct CubeBench : B {
  uint64_t m, n, k;
  Elem left, right;
  CubeBench(uint64_t rows, uint64_t cols, uint64_t depth, Elem a, Elem c)
      : m(rows), n(cols), k(depth), left(a), right(c) {
    memory.own = 0;
  }

  void put_operand(Space space, Elem elem, uint64_t outer_extent, uint64_t outer, uint64_t kk,
                   uint64_t bits) {
    const bool packed = is_float4(elem);
    const uint64_t per_row = packed ? 64 : 32 / byte_width(elem);
    const uint64_t blocks = (outer_extent + 15) / 16;
    std::byte* row =
        memory.bytes(space, 0).data() + (kk / per_row * blocks + outer / 16) * 512 + outer % 16 * 32;
    if (packed) {
      auto& byte = row[kk % per_row / 2];
      const int shift = kk % 2 ? 4 : 0;
      byte = (byte & ~(std::byte{0xf} << shift)) | static_cast<std::byte>(bits << shift);
    } else {
      std::memcpy(row + kk % per_row * byte_width(elem), &bits, byte_width(elem));
    }
  }
  void put_left(uint64_t i, uint64_t kk, uint64_t bits) { put_operand(Space::l0a, left, m, i, kk, bits); }
  void put_right(uint64_t kk, uint64_t j, uint64_t bits) { put_operand(Space::l0b, right, n, j, kk, bits); }
  uint64_t acc_address(uint64_t i, uint64_t j) const {
    return (j / 16 * ((m + 15) / 16 * 16) + i) * 64 + j % 16 * 4;
  }
  float acc(uint64_t i, uint64_t j) { return get<float>(Space::l0c, acc_address(i, j), 0); }
  void mad(const char* name, const std::map<std::string, std::string>& attrs = {}, Elem to = Elem::f32) {
    std::vector<Slot> slots = {ptr(left, Space::l0a, 0), ptr(right, Space::l0b, 0), ptr(to, Space::l0c, 0)};
    if (std::string_view(name).ends_with("bias")) slots.push_back({ptr(to, Space::bt, 0)});
    for (const uint64_t extent : {m, n, k}) slots.push_back({i64(static_cast<int64_t>(extent))});
    run(name, slots, {}, attrs);
  }
};

uint32_t mix(uint64_t i, uint64_t j) {
  return static_cast<uint32_t>((i * 2654435761U + j * 40503U + 12345U) * 2246822519U >> 8);
}

TEST_CASE("mad: one fma chain per output, from zero, the old value or the bias",
          "[micro][N-mad-chain][M-mad-layout]") {
  for (const Elem elem : {Elem::f32, Elem::f16, Elem::bf16}) {
    CubeBench b(19, 21, 37, elem, elem);
    const auto value = [&](uint64_t x) {
      return num::from_f64(elem, (static_cast<double>(x % 2000) - 1000) * 0.37);
    };
    for (uint64_t i = 0; i < b.m; ++i) {
      for (uint64_t k = 0; k < b.k; ++k) b.put_left(i, k, value(mix(i, k)));
    }
    for (uint64_t k = 0; k < b.k; ++k) {
      for (uint64_t j = 0; j < b.n; ++j) b.put_right(k, j, value(mix(k + 100, j)));
    }
    for (uint64_t j = 0; j < b.n; ++j) b.put(Space::bt, 4 * j, static_cast<float>(j) * 1.1F, 0);
    const auto chain = [&](uint64_t i, uint64_t j, float sum) {
      for (uint64_t k = 0; k < b.k; ++k)
        sum = std::fma(static_cast<float>(num::to_f64(elem, value(mix(i, k)))),
                       static_cast<float>(num::to_f64(elem, value(mix(k + 100, j)))), sum);
      return sum;
    };
    const auto check = [&](const std::function<float(uint64_t, uint64_t)>& start) {
      std::vector<float> want;
      for (uint64_t i = 0; i < b.m; ++i) {
        for (uint64_t j = 0; j < b.n; ++j) want.push_back(chain(i, j, start(i, j)));
      }
      return want;
    };
    const auto same = [&](const std::vector<float>& want) {
      for (uint64_t i = 0; i < b.m; ++i) {
        for (uint64_t j = 0; j < b.n; ++j) CHECK(b.acc(i, j) == want[i * b.n + j]);
      }
    };
    b.mad("pto.mad");
    same(check([](uint64_t, uint64_t) { return 0.0F; }));
    const auto twice = check([&](uint64_t i, uint64_t j) { return b.acc(i, j); });
    b.mad("pto.mad_acc");
    same(twice);
    b.mad("pto.mad_bias");
    same(check([](uint64_t, uint64_t j) { return static_cast<float>(j) * 1.1F; }));
    CHECK(b.faults.empty());
  }
}

TEST_CASE("mad: integers wrap", "[micro][M-mad-types]") {
  CubeBench b(4, 5, 33, Elem::i8, Elem::i8);
  for (uint64_t k = 0; k < b.k; ++k) {
    for (uint64_t i = 0; i < b.m; ++i) b.put_left(i, k, 0x80);
    for (uint64_t j = 0; j < b.n; ++j) b.put_right(k, j, j == 0 ? 0x80 : j);
  }
  b.mad("pto.mad", {}, Elem::i32);
  CHECK(b.get<int32_t>(Space::l0c, b.acc_address(3, 0), 0) == 33 * 128 * 128);
  CHECK(b.get<int32_t>(Space::l0c, b.acc_address(3, 4), 0) == -33 * 128 * 4);
  b.put(Space::l0c, b.acc_address(0, 0), 0x7fffffff, 0);
  b.mad("pto.mad_acc", {}, Elem::i32);
  CHECK(b.get<int32_t>(Space::l0c, b.acc_address(0, 0), 0) ==
        static_cast<int32_t>(0x7fffffffU + 33U * 128 * 128));
}

TEST_CASE("mad: TF32 keeps ten mantissa bits, by register or clause",
          "[micro][M-tf32-round][M-tf32-clause]") {
  CubeBench b(1, 1, 1, Elem::f32, Elem::f32);
  const auto product = [&](uint32_t x, const std::map<std::string, std::string>& attrs) {
    b.put_left(0, 0, x);
    b.put_right(0, 0, std::bit_cast<uint32_t>(1.0F));
    b.mad("pto.mad", attrs);
    return std::bit_cast<uint32_t>(b.acc(0, 0));
  };
  const uint32_t tie = 0x3f801000, above = 0x3f801001, odd_tie = 0x3f803000;
  CHECK(product(tie, {}) == tie);
  CHECK(product(tie, {{"tf32_mode", "round_even"}}) == 0x3f800000);
  CHECK(product(odd_tie, {{"tf32_mode", "round_even"}}) == 0x3f804000);
  CHECK(product(above, {{"tf32_mode", "round_even"}}) == 0x3f802000);
  CHECK(product(tie, {{"tf32_mode", "round_away"}}) == 0x3f802000);
  b.control.ctrl |= uint64_t{1} << kCtrlTf32;
  CHECK(product(above, {}) == 0x3f802000);
  CHECK(product(tie, {{"tf32_mode", "round_away"}}) ==
        0x3f802000);  // the clause wins over the register's rounding
  b.machine.tf32_mantissa_bits = 7;
  CHECK(product(0x3f80ffff, {}) == 0x3f810000);
  b.machine.tf32_supported = false;
  CHECK(product(above, {}) == above);
  CHECK(product(above, {{"tf32_mode", "round_even"}}) == above);
}

TEST_CASE("mad: sat normalises inputs and clamps, nosat and the launch state keep exceptions",
          "[micro][M-mad-overflow]") {
  CubeBench b(1, 1, 2, Elem::f16, Elem::f16);
  const auto run = [&](double x, double y, const std::map<std::string, std::string>& attrs) {
    b.put_left(0, 0, num::from_f64(Elem::f16, x));
    b.put_left(0, 1, num::from_f64(Elem::f16, y));
    b.put_right(0, 0, num::from_f64(Elem::f16, 1));
    b.put_right(1, 0, num::from_f64(Elem::f16, 1));
    b.mad("pto.mad", attrs);
    return b.acc(0, 0);
  };
  CHECK(run(kInf, 1, {}) == kInf);
  CHECK(run(kInf, 1, {{"sat_mode", "sat"}}) == 65505.0F);
  CHECK(std::isnan(run(kInf, -kInf, {{"sat_mode", "nosat"}})));
  CHECK(run(kInf, -kInf, {{"sat_mode", "sat"}}) == 0.0F);
  CHECK(run(std::nan(""), 3, {{"sat_mode", "sat"}}) == 3.0F);
  b.control.ctrl = 0;  // bit 48 clear: saturating outside the clause
  CHECK(run(kInf, 1, {}) == 65505.0F);

  CubeBench w(1, 1, 2, Elem::f32, Elem::f32);
  w.put_left(0, 0, std::bit_cast<uint32_t>(3e38F));
  w.put_left(0, 1, std::bit_cast<uint32_t>(-1e38F));
  for (uint64_t k = 0; k < 2; ++k) w.put_right(k, 0, std::bit_cast<uint32_t>(2.0F));
  w.mad("pto.mad", {{"sat_mode", "sat"}});
  CHECK(w.acc(0, 0) == std::fma(-1e38F, 2.0F, std::numeric_limits<float>::max()));
  w.mad("pto.mad", {{"sat_mode", "nosat"}});
  CHECK(w.acc(0, 0) == kInf);
}

TEST_CASE("mad: GEMV takes a contiguous row", "[micro][M-mad-gemv]") {
  CubeBench b(1, 3, 40, Elem::f16, Elem::f16);
  for (uint64_t k = 0; k < b.k; ++k) {
    b.put(Space::l0a, 2 * k, static_cast<uint16_t>(num::from_f64(Elem::f16, static_cast<double>(k))), 0);
    for (uint64_t j = 0; j < b.n; ++j)
      b.put_right(k, j, num::from_f64(Elem::f16, static_cast<double>(j + 1)));
  }
  b.mad("pto.mad");
  CHECK(b.acc(0, 2) == 3.0F * 780);
  for (uint64_t k = 0; k < b.k; ++k) b.put_left(0, k, num::from_f64(Elem::f16, static_cast<double>(k)));
  b.mad("pto.mad", {{"disable_gemv", ""}});
  CHECK(b.acc(0, 1) == 2.0F * 780);
}

TEST_CASE("mad_mx: scales per group of 32, 8-bit and 4-bit operands", "[micro][M-madmx-scales]") {
  for (const Elem elem : {Elem::f8e4m3, Elem::f4e2m1x2}) {
    CubeBench b(18, 17, 128, elem, elem);
    const unsigned codes = elem == Elem::f8e4m3 ? 0x7e : 16;
    const auto code = [&](uint64_t x) { return x % codes; };
    const auto scale = [](uint64_t i, uint64_t g) { return static_cast<uint8_t>(124 + (i * 3 + g) % 7); };
    const auto put_scales = [&](Space space, uint64_t extent) {
      for (uint64_t i = 0; i < extent; ++i) {
        for (uint64_t g = 0; g < 4; ++g)
          b.put(space, (i / 16 * 2 + g / 2) * 32 + i % 16 * 2 + g % 2, scale(i, g), 0);
      }
    };
    put_scales(Space::l0a_mx, b.m);
    put_scales(Space::l0b_mx, b.n);
    for (uint64_t k = 0; k < b.k; ++k) {
      for (uint64_t i = 0; i < b.m; ++i) b.put_left(i, k, code(mix(i, k)));
      for (uint64_t j = 0; j < b.n; ++j) b.put_right(k, j, code(mix(j + 50, k)));
    }
    b.mad("pto.mad_mx");
    CHECK(b.faults.empty());
    for (uint64_t i = 0; i < b.m; ++i) {
      for (uint64_t j = 0; j < b.n; ++j) {
        float sum = 0;
        for (uint64_t k = 0; k < b.k; ++k) {
          const double x = num::to_f64(elem, code(mix(i, k))) * std::ldexp(1.0, scale(i, k / 32) - 127);
          const double y = num::to_f64(elem, code(mix(j + 50, k))) * std::ldexp(1.0, scale(j, k / 32) - 127);
          sum = static_cast<float>(static_cast<double>(sum) + x * y);
        }
        CHECK(b.acc(i, j) == sum);
      }
    }
  }
}

/// A board test loads eight scales behind one another (pto-isa tests/npu/a5/src/st/testcase/tmatmul_mx/
/// tmatmul_mx_kernel.cpp:387,405); with disable_gemv they are in boxes.
TEST_CASE("mad_mx: scales of the contiguous row of GEMV are neighbours", "[micro][M-mad-gemv]") {
  for (const Elem elem : {Elem::f8e4m3, Elem::f4e2m1x2}) {
    CubeBench b(1, 5, 256, elem, elem);
    const uint64_t one = num::from_f64(elem, 1.0);
    const auto scale = [](uint64_t g) { return static_cast<uint8_t>(127 + g); };
    const auto put_left_scales = [&](bool boxes) {
      for (uint64_t g = 0; g < 8; ++g) b.put(Space::l0a_mx, boxes ? g / 2 * 32 + g % 2 : g, scale(g), 0);
    };
    for (uint64_t i = 0; i < 16 * 8; ++i) {
      b.put(Space::l0a_mx, i, uint8_t{0}, 0);
      b.put(Space::l0b_mx, i, uint8_t{127}, 0);
    }
    for (uint64_t k = 0; k < b.k; ++k) {
      for (uint64_t j = 0; j < b.n; ++j) b.put_right(k, j, one);
    }
    const uint64_t bits = 8 * byte_width(elem) / (elem == Elem::f8e4m3 ? 1 : 2);
    for (uint64_t i = 0; i < b.k * bits / 8; ++i)
      b.put(Space::l0a, i, static_cast<uint8_t>(bits == 8 ? one : one | one << 4), 0);
    put_left_scales(false);
    b.mad("pto.mad_mx");
    for (uint64_t j = 0; j < b.n; ++j) CHECK(b.acc(0, j) == 32.0F * 255);
    for (uint64_t k = 0; k < b.k; ++k) b.put_left(0, k, one);
    put_left_scales(true);
    b.mad("pto.mad_mx", {{"disable_gemv", ""}});
    for (uint64_t j = 0; j < b.n; ++j) CHECK(b.acc(0, j) == 32.0F * 255);
    CHECK(b.faults.empty());
  }
}

TEST_CASE("mad_mx: of two 4-bit values in a byte, the low nibble comes first in the chain",
          "[micro][N-mad-chain]") {
  constexpr float kStart = 16777216;             // 2^24: beyond it every second integer is an f32
  constexpr uint64_t kOne = 2, kOneAndHalf = 3;  // codes of e2m1
  const auto sum = [&](uint64_t first, uint64_t second) {
    CubeBench b(1, 1, 2, Elem::f4e2m1x2, Elem::f4e2m1x2);
    b.put(Space::l0c, b.acc_address(0, 0), kStart, 0);
    for (const Space space : {Space::l0a_mx, Space::l0b_mx}) b.put(space, 0, uint8_t{127}, 0);  // 2^0
    b.put(Space::l0a, 0, static_cast<uint8_t>(first | second << 4), 0);
    b.put(Space::l0b, 0, static_cast<uint8_t>(kOne | kOne << 4), 0);
    b.mad("pto.mad_mx_acc");
    CHECK(b.faults.empty());
    return b.acc(0, 0);
  };
  CHECK(sum(kOne, kOneAndHalf) == kStart + 2);  // + 1 is a tie and stays, + 1.5 rounds up
  CHECK(sum(kOneAndHalf, kOne) == kStart + 4);  // + 1.5 rounds up, then + 1 is a tie and goes to the even one
}

TEST_CASE("mad: extents and types it does not do are refused", "[micro]") {
  CubeBench zero(0, 1, 1, Elem::f16, Elem::f16);
  zero.mad("pto.mad");
  CHECK(zero.faults.size() == 1);
  CubeBench wide(1, 1, 4096, Elem::f16, Elem::f16);
  wide.mad("pto.mad");
  CHECK(wide.faults.size() == 1);
  CubeBench mixed(1, 1, 1, Elem::f16, Elem::f16);
  mixed.mad("pto.mad", {}, Elem::i32);
  CHECK(mixed.faults.size() == 1);
}

// ---- fixpipe
struct StoreBench : B {
  static constexpr uint64_t kM = 20, kN = 35, kStride = 32;
  StoreBench() { memory.own = 0; }
  void put_acc(const std::function<float(uint64_t, uint64_t)>& f) {
    for (uint64_t i = 0; i < kM; ++i) {
      for (uint64_t j = 0; j < kN; ++j) put(Space::l0c, (j / 16 * kStride + i) * 64 + j % 16 * 4, f(i, j), 0);
    }
  }
  /// To GM; `extra` are the optional operands from pre_quant on, by slot.
  void store(Elem to, int64_t dst_stride, const std::map<std::string, std::string>& attrs,
             std::map<unsigned, Arg> extra = {}, Elem from = Elem::f32) {
    std::vector<Slot> slots = {ptr(from, Space::l0c, 0), ptr(to, Space::gm, 0), kM, kN, kStride, dst_stride};
    slots.resize(16);
    slots[9] = {i64(0)};
    slots[10] = {i64(0)};
    for (auto& [slot, value] : extra) slots[slot] = {value};
    run("pto.mte_l0c_gm", slots, {}, attrs);
  }
};
float plain(uint64_t i, uint64_t j) { return static_cast<float>(i) * 100.5F - static_cast<float>(j) * 7.25F; }

TEST_CASE("fixpipe: layouts", "[micro][M-fixpipe-nz]") {
  StoreBench b;
  b.put_acc(plain);
  b.store(Elem::f32, 40, {{"mode", "nz2nd"}});
  for (uint64_t i = 0; i < b.kM; ++i) {
    for (uint64_t j = 0; j < b.kN; ++j) CHECK(b.get<float>(Space::gm, 4 * (40 * i + j)) == plain(i, j));
    CHECK(b.get<uint32_t>(Space::gm, 4 * (40 * i + b.kN)) == 0xcdcdcdcd);  // beyond n: untouched
  }
  b.store(Elem::f32, 24, {{"mode", "nz2dn"}}, {{12, B::i64(1)}});
  for (uint64_t i = 0; i < b.kM; ++i) {
    for (uint64_t j = 0; j < b.kN; ++j) CHECK(b.get<float>(Space::gm, 4 * (24 * j + i)) == plain(i, j));
  }
  b.store(Elem::f32, 8 * 24, {{"mode", "nz2nz"}}, {{11, B::i64(1)}});
  for (uint64_t i = 0; i < b.kM; ++i) {
    for (uint64_t j = 0; j < b.kN; ++j)
      CHECK(b.get<float>(Space::gm, 4 * (j / 8 * 8 * 24 + i * 8 + j % 8)) == plain(i, j));
  }
  CHECK(b.faults.empty());
}

TEST_CASE("fixpipe: scalar and vector quantisation, ReLU, clip, saturation",
          "[micro][M-fixpipe-scale][N-quant-word][N-quant-i8][M-fixpipe-overflow][M-fixpipe-refused]") {
  StoreBench b;
  b.put_acc([](uint64_t i, uint64_t j) {
    return j == 0 ? kInf : j == 1 ? std::numeric_limits<float>::quiet_NaN() : j == 2 ? 1e6F : plain(i, j);
  });
  const auto f16_at = [&](uint64_t i, uint64_t j) { return b.get<uint16_t>(Space::gm, 2 * (64 * i + j)); };
  const std::map<std::string, std::string> base = {{"mode", "nz2nd"},
                                                   {"pre_quant_mode", "qf322f16_pre_scalar"}};
  auto attrs = base;
  attrs["sat_mode"] = "sat";
  b.store(Elem::f16, 64, attrs, {{6, B::f32(0.5F)}});
  CHECK(f16_at(3, 0) == 0x7bff);
  CHECK(f16_at(3, 1) == 0);
  CHECK(f16_at(3, 2) == 0x7bff);
  for (uint64_t j = 3; j < b.kN; ++j)
    CHECK(f16_at(3, j) == num::from_f64(Elem::f16, static_cast<double>(plain(3, j)) * 0.5));
  attrs["sat_mode"] = "nosat";
  attrs["pre_relu_mode"] = "scalar_relu";
  b.store(Elem::f16, 64, attrs,
          {{6, B::f32(0.5F)}, {7, B::f32(0.25F)}, {8, B::scalar(Elem::f16, num::from_f64(Elem::f16, 50))}});
  CHECK(std::isnan(num::to_f64(Elem::f16, f16_at(0, 1))));
  for (uint64_t i = 0; i < b.kM; ++i) {
    for (uint64_t j = 3; j < b.kN; ++j) {
      const float x = plain(i, j) * 0.5F;
      const float y = x >= 0 ? x : 0.25F * x;
      CHECK(f16_at(i, j) == num::from_f64(Elem::f16, std::min(static_cast<double>(y), 50.0)));
    }
  }
  // Vector parameters: the low 13 bits of the scale are dropped, the offset is added after scaling.
  b.put_acc(plain);
  for (uint64_t j = 0; j < b.kN; ++j) {
    const uint64_t offset = j % 2 ? 0x1fd : 2;  // -3 or 2
    b.put(Space::fb, 8 * j, (offset << 37) | (std::bit_cast<uint32_t>(0.125F) + 0x1000U + (j % 3) * 0x2000U),
          0);
  }
  b.store(Elem::i8, 64, {{"mode", "nz2nd"}, {"pre_quant_mode", "qf322b8_pre_vec"}},
          {{6, B::ptr(Elem::f32, Space::fb, 0)}});
  for (uint64_t i = 0; i < b.kM; ++i) {
    for (uint64_t j = 0; j < b.kN; ++j) {
      const float scale =
          std::bit_cast<float>(std::bit_cast<uint32_t>(0.125F) + static_cast<uint32_t>(j % 3) * 0x2000U);
      double want = std::nearbyint(static_cast<double>(plain(i, j) * scale)) + (j % 2 ? -3 : 2);
      want = std::min(127.0, std::max(-128.0, want));
      CHECK(b.get<int8_t>(Space::gm, 64 * i + j) == want);
    }
  }
  CHECK(b.faults.empty());
  b.store(Elem::i8, 64, {{"mode", "nz2nd"}, {"pre_quant_mode", "qf322s4_pre_scalar"}}, {{6, B::f32(1)}});
  CHECK(b.faults.size() == 1);
}

TEST_CASE("fixpipe: atomics on GM", "[micro][M-fixpipe-atomic]") {
  StoreBench b;
  b.put_acc(plain);
  for (const char* op : {"add", "max", "min"}) {
    for (uint64_t i = 0; i < 40 * b.kM; ++i) b.put(Space::gm, 4 * i, 5.0F);
    b.store(Elem::f32, 40, {{"mode", "nz2nd"}, {"atomic_type", "f32"}, {"atomic_op", op}});
    for (uint64_t i = 0; i < b.kM; ++i) {
      for (uint64_t j = 0; j < b.kN; ++j) {
        const float x = plain(i, j);
        const float want = op[1] == 'd' ? 5.0F + x : op[1] == 'a' ? std::max(5.0F, x) : std::min(5.0F, x);
        CHECK(b.get<float>(Space::gm, 4 * (40 * i + j)) == want);
      }
    }
  }
}

TEST_CASE("fixpipe: UB of one vector core, or halves to both", "[micro]") {
  StoreBench b;
  b.put_acc(plain);
  const auto store = [&](const char* mode, uint64_t n) {
    std::vector<Slot> slots = {B::ptr(Elem::f32, Space::l0c, 0),
                               B::ptr(Elem::f32, Space::ub, 64),
                               b.kM,
                               static_cast<int64_t>(n),
                               b.kStride,
                               40,
                               B::kAbsent,
                               B::kAbsent,
                               B::kAbsent,
                               1};
    b.run("pto.mte_l0c_ub", slots, {}, {{"dst_mode", mode}, {"mode", "nz2nd"}});
  };
  store("single", b.kN);
  CHECK(b.get<float>(Space::ub, 64 + 4 * (40 * 19 + 34), 2) == plain(19, 34));
  store("split_m", b.kN);
  CHECK(b.get<float>(Space::ub, 64 + 4 * (40 * 9 + 5), 1) == plain(9, 5));
  CHECK(b.get<float>(Space::ub, 64 + 4 * (40 * 9 + 5), 2) == plain(19, 5));
  store("split_n", 32);
  CHECK(b.get<float>(Space::ub, 64 + 4 * (40 * 2 + 3), 2) == plain(2, 19));
  CHECK(b.faults.empty());
}

}  // namespace
}  // namespace pto::exec::test
