// pto.ub.*: repeats, strides, masks and lane arithmetic, against sums made here.
#include <bit>
#include <cmath>

#include "exec/vector/vector_fixture.hpp"

namespace pto::exec::test {
namespace {

using B = MicroBench;

constexpr uint64_t kDst = 0x8000, kA = 0x1000, kB = 0x4000;

struct Strides {
  int64_t dst = 1, a = 1, b = 1, dst_repeat = 8, a_repeat = 8, b_repeat = 8;
};

class UbBench : public B {
 public:
  UbBench() { machine.target = Target::a2a3; }
  template <typename T>
  void fill(uint64_t address, unsigned count, const std::function<T(unsigned)>& f) {
    for (unsigned i = 0; i < count; ++i) {
      const T value = f(i);
      std::memcpy(memory.bytes(Space::ub).data() + address + i * sizeof(T), &value, sizeof(T));
    }
  }
  template <typename T>
  T at(uint64_t address, unsigned index) {
    return get<T>(Space::ub, address + index * sizeof(T));
  }
  static Arg ub(Elem elem, uint64_t address) { return ptr(elem, Space::ub, address); }
  void binary(const char* name, Elem elem, int64_t repeat, Strides s = {}) {
    run(name, {ub(elem, kDst), ub(elem, kA), ub(elem, kB), repeat, s.dst, s.a, s.b, s.dst_repeat, s.a_repeat,
               s.b_repeat});
  }
  void unary(const char* name, Elem elem, int64_t repeat) {
    run(name, {ub(elem, kDst), ub(elem, kA), repeat, 1, 1, 8, 8});
  }
  void scalar_form(const char* name, Elem elem, uint64_t scalar, int64_t repeat) {
    run(name, {ub(elem, kDst), ub(elem, kA), static_cast<int64_t>(scalar), repeat, 1, 1, 8, 8});
  }
  void mask(uint64_t low, uint64_t high) {
    run("pto.ub.set_mask", {static_cast<int64_t>(low), static_cast<int64_t>(high)});
  }
};

float value_a(unsigned i) { return static_cast<float>(i) * 0.75F - 20; }
float value_b(unsigned i) { return 3.0F - static_cast<float>(i % 17); }

TEST_CASE("UB vectors: repeats and strides in blocks", "[micro][ub]") {
  UbBench b;
  b.fill<float>(kA, 1024, value_a);
  b.fill<float>(kB, 1024, value_b);
  const Strides s{2, 1, 3, 20, 9, 24};
  b.binary("pto.ub.vsub", Elem::f32, 3, s);
  CHECK(b.faults.empty());
  std::vector<bool> written(1024);
  for (unsigned r = 0; r < 3; ++r) {
    for (unsigned e = 0; e < 64; ++e) {
      const unsigned block = e / 8;
      const unsigned in = e % 8;
      const auto index = [&](int64_t block_stride, int64_t repeat_stride) {
        return static_cast<unsigned>((r * repeat_stride + block * block_stride) * 8 + in);
      };
      const unsigned to = index(s.dst, s.dst_repeat);
      written[to] = true;
      CHECK(b.at<float>(kDst, to) == value_a(index(s.a, s.a_repeat)) - value_b(index(s.b, s.b_repeat)));
    }
  }
  for (unsigned i = 0; i < 480; ++i)
    if (!written[i]) CHECK(b.at<uint32_t>(kDst, i) == 0xcdcdcdcdU);
}

TEST_CASE("UB vectors: a bit for each element, or their number", "[micro][ub]") {
  UbBench b;
  b.fill<int16_t>(kA, 1024, [](unsigned i) { return static_cast<int16_t>(i * 3); });
  b.fill<int16_t>(kB, 1024, [](unsigned i) { return static_cast<int16_t>(1000 - i); });
  const uint64_t low = 0x8000000000000005, high = 0x10;
  b.mask(low, high);
  b.binary("pto.ub.vadd", Elem::i16, 2);
  for (unsigned i = 0; i < 256; ++i) {
    const unsigned e = i % 128;
    const bool active = ((e < 64 ? low : high) >> (e % 64) & 1) != 0;
    CHECK(b.at<int16_t>(kDst, i) == static_cast<int16_t>(active ? i * 3 + 1000 - i : 0xcdcd));
  }
  b.run("pto.ub.set_mask_count", {});
  b.mask(150, 0);
  b.fill<int16_t>(kDst, 256, [](unsigned) { return int16_t{-1}; });
  b.binary("pto.ub.vsub", Elem::i16, 2);
  for (unsigned i = 0; i < 256; ++i)
    CHECK(b.at<int16_t>(kDst, i) == (i < 150 ? static_cast<int>(i * 3) - (1000 - static_cast<int>(i)) : -1));
  b.run("pto.ub.set_mask_norm", {});
  b.mask(~uint64_t{0}, ~uint64_t{0});
  b.binary("pto.ub.vmax", Elem::i16, 2);
  for (unsigned i = 0; i < 256; ++i)
    CHECK(b.at<int16_t>(kDst, i) == std::max<int>(static_cast<int>(i * 3), 1000 - static_cast<int>(i)));
  CHECK(b.faults.empty());
}

TEST_CASE("UB vectors: lanes", "[micro][ub]") {
  UbBench b;
  b.fill<float>(kA, 64, [](unsigned i) { return static_cast<float>(i + 1) * 0.375F; });
  b.fill<float>(kB, 64, value_b);
  const auto a = [](unsigned i) { return static_cast<float>(i + 1) * 0.375F; };
  const auto check = [&](const std::function<float(unsigned)>& expected) {
    for (unsigned i = 0; i < 64; ++i) CHECK(b.at<float>(kDst, i) == expected(i));
  };
  b.binary("pto.ub.vmul", Elem::f32, 1);
  check([&](unsigned i) { return a(i) * value_b(i); });
  b.fill<float>(kB, 64, a);
  b.binary("pto.ub.vdiv", Elem::f32, 1);
  check([&](unsigned) { return 1.0F; });
  b.fill<float>(kB, 64, value_b);
  b.binary("pto.ub.vmin", Elem::f32, 1);
  check([&](unsigned i) { return std::min(a(i), value_b(i)); });
  b.binary("pto.ub.vaddrelu", Elem::f32, 1);
  check([&](unsigned i) { return std::max(a(i) + value_b(i), 0.0F); });
  b.unary("pto.ub.vexp", Elem::f32, 1);
  check([&](unsigned i) { return static_cast<float>(std::exp(static_cast<double>(a(i)))); });
  b.unary("pto.ub.vln", Elem::f32, 1);
  check([&](unsigned i) { return static_cast<float>(std::log(static_cast<double>(a(i)))); });
  b.unary("pto.ub.vsqrt", Elem::f32, 1);
  check([&](unsigned i) { return std::sqrt(a(i)); });
  b.unary("pto.ub.vrsqrt", Elem::f32, 1);
  check([&](unsigned i) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a(i)))); });
  const auto bits_of = [](float v) { return std::bit_cast<uint32_t>(v); };
  b.scalar_form("pto.ub.vadds", Elem::f32, bits_of(-2.5F), 1);
  check([&](unsigned i) { return a(i) - 2.5F; });
  b.scalar_form("pto.ub.vmuls", Elem::f32, bits_of(3.0F), 1);
  check([&](unsigned i) { return a(i) * 3.0F; });
  b.scalar_form("pto.ub.vmaxs", Elem::f32, bits_of(9.0F), 1);
  check([&](unsigned i) { return std::max(a(i), 9.0F); });
  b.scalar_form("pto.ub.vmins", Elem::f32, bits_of(9.0F), 1);
  check([&](unsigned i) { return std::min(a(i), 9.0F); });
  b.fill<float>(kA, 64, value_a);
  b.unary("pto.ub.vabs", Elem::f32, 1);
  check([&](unsigned i) { return std::fabs(value_a(i)); });
  b.unary("pto.ub.vrelu", Elem::f32, 1);
  check([&](unsigned i) { return std::max(value_a(i), 0.0F); });
  b.run("pto.ub.vdup", {UbBench::ub(Elem::f32, kDst), bits_of(7.5F), 1, 1, 0, 8, 0});
  check([](unsigned) { return 7.5F; });
  CHECK(b.faults.empty());
}

TEST_CASE("UB vectors: bits", "[micro][ub]") {
  UbBench b;
  const auto a = [](unsigned i) { return static_cast<uint16_t>(i * 40503U); };
  const auto c = [](unsigned i) { return static_cast<uint16_t>(i * 12345U + 77); };
  b.fill<uint16_t>(kA, 128, a);
  b.fill<uint16_t>(kB, 128, c);
  const auto check = [&](const std::function<unsigned(unsigned)>& expected) {
    for (unsigned i = 0; i < 128; ++i) CHECK(b.at<uint16_t>(kDst, i) == static_cast<uint16_t>(expected(i)));
  };
  b.binary("pto.ub.vand", Elem::i16, 1);
  check([&](unsigned i) { return a(i) & c(i); });
  b.binary("pto.ub.vor", Elem::i16, 1);
  check([&](unsigned i) { return a(i) | c(i); });
  b.unary("pto.ub.vnot", Elem::i16, 1);
  check([&](unsigned i) { return ~unsigned{a(i)}; });
  for (const unsigned distance : {0U, 5U, 15U, 16U, 40U}) {
    b.scalar_form("pto.ub.vshl", Elem::i16, distance, 1);
    check([&](unsigned i) { return distance > 15 ? 0 : unsigned{a(i)} << distance; });
    b.scalar_form("pto.ub.vshr", Elem::i16, distance, 1);
    check([&](unsigned i) { return distance > 15 ? 0 : unsigned{a(i)} >> distance; });
  }
  b.binary("pto.ub.vand", Elem::i16, 256);
  CHECK(b.faults.size() == 1);
}

}  // namespace
}  // namespace pto::exec::test
