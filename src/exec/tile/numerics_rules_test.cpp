// Rules of docs/reference/numerics.md that no other test singles out, each at the value that tells it from
// its neighbours.
#include <cmath>

#include "exec/tile/tile_fixture.hpp"

namespace {
using namespace pto;
using namespace pto::exec;
using namespace pto::exec::test;

constexpr int64_t kRint = 1;

uint64_t quant_word(float scale, unsigned offset, bool is_signed) {
  return std::bit_cast<uint32_t>(scale) | uint64_t{offset} << 37 | uint64_t{is_signed} << 46;
}
double gm_value(Bench& bench, const Arg& view, int64_t offset) {
  uint64_t bits = 0;
  std::memcpy(&bits, bench.gm(view, offset), byte_width(view.type.elem));
  return num::to_f64(view.type.elem, bits);
}
/// A 16x16 accumulator whose first row holds these values, stored to GM as `to`.
std::vector<double> store_acc(Bench& bench, Elem from, Elem to, const std::vector<double>& values,
                              const Arg& word, int64_t relu = 0) {
  const Arg acc = bench.tile(from, {16, 16}, kAccLayout, Space::l0c);
  const Arg view = bench.view(to, {16, 16}, {16, 1});
  bench.fill(acc, [&](int64_t r, int64_t c) {
    return r == 0 && c < std::ssize(values) ? values[static_cast<size_t>(c)] : 0;
  });
  std::vector<Arg> operands{acc, view};
  if (word.type.kind != TypeKind::none) operands.push_back(word);
  bench.run("pto.tstore", operands, {{2, relu}});
  CHECK(bench.faults.empty());
  std::vector<double> stored;
  for (int64_t c = 0; c < std::ssize(values); ++c) stored.push_back(gm_value(bench, view, c));
  return stored;
}
}  // namespace

TEST_CASE("i4 tiles hold one value per byte", "[tile][convert][N-i4-encoding]") {
  Bench bench;
  const Arg wide = bench.tile(Elem::f16, {1, 32});
  const Arg narrow = bench.tile(Elem::i4, {1, 32});
  const Arg back = bench.tile(Elem::f16, {1, 32});
  bench.fill(wide, [](int64_t, int64_t c) { return static_cast<double>(c) - 12; });
  bench.run("pto.tcvt", {wide, narrow}, {{0, kRint}, {1, 0}});
  bench.run("pto.tcvt", {narrow, back}, {{0, kRint}});
  const std::byte* bytes = bench.memory.bytes(Space::ub).data() + Bench::desc(narrow).addr;
  for (int64_t c = 0; c < 32; ++c) {
    const int64_t value = std::clamp<int64_t>(c - 12, -8, 7);
    CHECK((std::to_integer<int64_t>(bytes[c]) & 15) == (value & 15));
    CHECK(bench.get(back, 0, c) == static_cast<double>(value));
  }
}

TEST_CASE("NaN keeps its sign and the top of its payload in a conversion and becomes quiet",
          "[tile][convert][N-float-nan]") {
  Bench bench;
  const Arg wide = bench.tile(Elem::f32, {1, 16});
  const Arg half = bench.tile(Elem::f16, {1, 16});
  const Arg brain = bench.tile(Elem::bf16, {1, 16});
  bench.put(wide, 0, 0, 0xffa12345);  // negative, signalling; the mantissa is 0x212345
  bench.run("pto.tcvt", {wide, half}, {{0, kRint}});
  CHECK(bench.bits(half, 0, 0) == (0xfc00 | 0x200 | 0x212345 >> 13));
  bench.run("pto.tcvt", {wide, brain}, {{0, kRint}});
  CHECK(bench.bits(brain, 0, 0) == (0xff80 | 0x40 | 0x212345 >> 16));
  bench.put(half, 0, 0, 0x7d01);  // positive, signalling; the mantissa is 0x101
  bench.run("pto.tcvt", {half, wide}, {{0, kRint}});
  CHECK(bench.bits(wide, 0, 0) == (0x7f800000 | 0x400000 | 0x101 << 13));
}

TEST_CASE("precision_mode does not change a bit", "[tile][elementwise][N-precision-mode]") {
  for (const std::string_view name : {"pto.tdiv", "pto.texp", "pto.tlog", "pto.tsqrt", "pto.trsqrt"}) {
    Bench bench;
    bench.machine.target = Target::a5;
    const Arg a = bench.tile(Elem::f32, {4, 64});
    const Arg b = bench.tile(Elem::f32, {4, 64});
    const Arg d = bench.tile(Elem::f32, {4, 64});
    const Arg e = bench.tile(Elem::f32, {4, 64});
    bench.fill(a, [](int64_t r, int64_t c) { return static_cast<double>(r * 64 + c + 1) * 0.37; });
    bench.fill(b, [](int64_t r, int64_t c) { return static_cast<double>(c * 4 + r + 1) * 0.11; });
    const auto run = [&](const Arg& dst, int64_t mode) {
      bench.run(name, name == "pto.tdiv" ? std::vector<Arg>{a, b, dst} : std::vector<Arg>{a, dst},
                {{0, mode}});
    };
    run(d, 0);
    run(e, 1);
    INFO(name);
    for (int64_t r = 0; r < 4; ++r) {
      for (int64_t c = 0; c < 64; ++c) REQUIRE(bench.bits(d, r, c) == bench.bits(e, r, c));
    }
  }
}

/// np.tile of the block along the row (pto-isa tests/npu/a5/src/st/testcase/trowexpandadd/gen_data.py).
TEST_CASE("a broadcast source of one block per row is repeated along the row",
          "[tile][expand][N-expand-block]") {
  struct Op {
    std::string_view name;
    double (*f)(double, double);
  };
  constexpr Op kOps[] = {{"pto.trowexpandadd", [](double a, double b) { return a + b; }},
                         {"pto.trowexpandsub", [](double a, double b) { return a - b; }},
                         {"pto.trowexpandmul", [](double a, double b) { return a * b; }},
                         {"pto.trowexpanddiv", [](double a, double b) { return a / b; }},
                         {"pto.trowexpandmax", [](double a, double b) { return std::max(a, b); }},
                         {"pto.trowexpandmin", [](double a, double b) { return std::min(a, b); }},
                         {"pto.trowexpandexpdif", [](double a, double b) { return std::exp(a - b); }}};
  for (const Target target : {Target::a2a3, Target::a5}) {
    for (const Elem elem : {Elem::f16, Elem::f32}) {
      const int64_t width = 32 / byte_width(elem);
      Bench bench;
      bench.machine.target = target;
      const Arg full = bench.tile(elem, {4, 48, 3, 37});
      const Arg block = bench.tile(elem, {4, width, 3, width});
      const Arg dst = bench.tile(elem, {4, 48, 3, 37});
      bench.fill(full,
                 [](int64_t r, int64_t c) { return static_cast<double>(r) + static_cast<double>(c) / 4; });
      bench.fill(block, [](int64_t r, int64_t c) { return static_cast<double>(r + c) / 2 + 1; });
      for (const Op& op : kOps) {
        for (const bool swapped : {false, true}) {
          INFO(op.name << " " << to_string(elem) << (swapped ? " block first" : ""));
          bench.run(op.name, {swapped ? block : full, swapped ? full : block, Bench::none(), dst});
          for (int64_t r = 0; r < 3; ++r) {
            for (int64_t c = 0; c < 37; ++c) {
              const double a = bench.get(full, r, c);
              const double b = bench.get(block, r, c % width);
              const double want = swapped ? op.f(b, a) : op.f(a, b);
              REQUIRE(bench.get(dst, r, c) == num::to_f64(elem, num::from_f64(elem, want)));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("scaled f32 to f16: finite products clamp, infinity and NaN pass while CTRL 48 is set",
          "[tile][store][quant][N-quant-f16]") {
  const std::vector<double> values = {1e6, -1e6, HUGE_VAL, -HUGE_VAL, std::nan(""), 2049, 3};
  for (const bool saturate : {false, true}) {
    Bench bench;
    bench.machine.target = Target::a5;
    bench.control.ctrl = uint64_t{!saturate} << kCtrlNoSat;
    const auto stored =
        store_acc(bench, Elem::f32, Elem::f16, values, bench.scalar(Elem::i64, quant_word(0.5f, 0, false)));
    CHECK(stored[0] == 65504.0);
    CHECK(stored[1] == -65504.0);
    CHECK(stored[2] == (saturate ? 65504.0 : HUGE_VAL));
    CHECK(stored[3] == (saturate ? -65504.0 : -HUGE_VAL));
    CHECK((saturate ? stored[4] == 0.0 : std::isnan(stored[4])));
    CHECK(stored[5] == 1024.0);  // 1024.5 to nearest even
    CHECK(stored[6] == 1.5);
  }
}

TEST_CASE("without a word the accumulator is rounded to nearest even", "[tile][store][N-quant-none]") {
  Bench bench;
  const auto half = store_acc(bench, Elem::f32, Elem::f16, {2049, 2051, -2049, 0.1}, Bench::none());
  CHECK(half ==
        std::vector<double>{2048, 2052, -2048, static_cast<double>(num::f16_to_f32(num::f32_to_f16(0.1f)))});
  const auto brain = store_acc(bench, Elem::f32, Elem::bf16, {257, 259, -257}, Bench::none());
  CHECK(brain == std::vector<double>{256, 260, -256});
}

TEST_CASE("relu comes after the scale and makes NaN 0, a move keeps it",
          "[tile][store][quant][N-quant-relu]") {
  Bench bench;
  bench.machine.target = Target::a5;
  const auto stored = store_acc(bench, Elem::f32, Elem::f32, {-3, 5, std::nan("")}, Bench::none(), 1);
  CHECK(stored == std::vector<double>{0, 5, 0});
  // The offset is added before: -3 * 1 + 5 = 2 stays, -8 + 5 = -3 does not.
  const auto bytes =
      store_acc(bench, Elem::f32, Elem::i8, {-3, -8}, bench.scalar(Elem::i64, quant_word(1.0f, 5, true)), 1);
  CHECK(bytes == std::vector<double>{2, 0});
  bench.memory.own = 0;
  const Arg acc = bench.tile(Elem::f32, {16, 16}, kAccLayout, Space::l0c);
  const Arg vec = bench.tile(Elem::f32, {16, 16});
  bench.fill(
      acc, [](int64_t, int64_t c) { return c == 0 ? std::nan("") : -1.0; }, 0);
  bench.run("pto.tmov", {acc, vec}, {{0, 0}, {1, 1}});
  CHECK(std::isnan(bench.get(vec, 0, 0, 1)));
  CHECK(bench.get(vec, 0, 1, 1) == 0.0);
}

TEST_CASE("the fields of the quantisation word", "[tile][store][quant][N-quant-word]") {
  Bench bench;
  const auto store = [&](Elem from, Elem to, double value, uint64_t word) {
    return store_acc(bench, from, to, {value}, bench.scalar(Elem::i64, word))[0];
  };
  CHECK(store(Elem::f32, Elem::i8, 10, quant_word(1.5f, 0, true)) == 15);      // bits 0-31
  CHECK(store(Elem::f32, Elem::i8, 10, quant_word(1.0f, 100, true)) == 110);   // bits 37-45
  CHECK(store(Elem::f32, Elem::ui8, 200, quant_word(1.0f, 0, false)) == 200);  // bit 46: unsigned
  CHECK(store(Elem::f32, Elem::i8, 200, quant_word(1.0f, 0, true)) == 127);    // bit 46: signed
  CHECK(store(Elem::i32, Elem::i16, 100000, uint64_t{3} << 32) == 6250);       // bits 32-35: shift - 1
  // Vector words keep the upper 19 bits of the scale: sign, exponent and 10 bits of mantissa.
  const Arg acc = bench.tile(Elem::f32, {16, 16}, kAccLayout, Space::l0c);
  const Arg words = bench.tile(Elem::ui64, {1, 16}, kNd, Space::fb);
  const Arg view = bench.view(Elem::i8, {16, 16}, {16, 1});
  bench.fill(acc, [](int64_t, int64_t) { return 10.25; });
  for (int64_t c = 0; c < 16; ++c)
    bench.put(words, 0, c, std::bit_cast<uint32_t>(10.0f) | 0x1fff | uint64_t{1} << 46);
  bench.run("pto.tstore_fp", {acc, words, view});
  CHECK(gm_value(bench, view, 3) == 102);  // 102.5 exactly, to even; with the dropped bits it would be 103
}

/// The fill is NaN with its sign; the board's golden has the data first (pto-isa
/// tests/npu/a5/src/st/testcase/ tsort32/gen_data.py).
TEST_CASE("tsort32 of an incomplete run: filled with what sorts last", "[tile][sort][N-sort-tail]") {
  for (const Elem elem : {Elem::f32, Elem::f16}) {
    for (const int64_t cols : {int64_t{13}, int64_t{40}}) {
      const int64_t coef = elem == Elem::f32 ? 2 : 4;
      const int64_t first = cols / 32 * 32;
      for (const Target target : {Target::a2a3, Target::a5, Target::cpu}) {
        Bench bench;
        bench.machine.target = target;
        const Arg src = bench.tile(elem, {1, 64, 1, cols});
        const Arg index = bench.tile(Elem::ui32, {1, 64, 1, cols});
        const Arg dst = bench.tile(elem, {1, 64 * coef});
        const Arg exact = bench.tile(elem, {1, 64 * coef, 1, cols * coef});
        bench.fill(src, [](int64_t, int64_t c) { return static_cast<double>(c * 7 % 40) - 20; });
        bench.put(src, 0, first, num::from_f64(elem, -HUGE_VAL));
        bench.fill(index, [](int64_t, int64_t c) { return static_cast<double>(c); });
        bench.fill(dst, [](int64_t, int64_t) { return -1; });
        bench.fill(exact, [](int64_t, int64_t) { return -1; });
        std::vector<double> tail;
        for (int64_t c = first; c < cols; ++c) tail.push_back(bench.get(src, 0, c));
        std::sort(tail.rbegin(), tail.rend());
        for (const Arg& to : {dst, exact}) {
          bench.run("pto.tsort32", {src, index, Bench::none(), to});
          for (int64_t i = 0; i < 32; ++i) {
            const auto at = static_cast<size_t>(i);
            const uint64_t bits = bench.bits(to, 0, (first + i) * coef);
            if (at < tail.size())
              CHECK(bits == num::from_f64(elem, tail[at]));
            else if (target == Target::cpu || to.type.valid[1] == cols * coef)
              CHECK(bits == num::from_f64(elem, -1.0));
            else
              CHECK(bits == (elem == Elem::f32 ? 0xffc00000 : 0xfe00));
          }
        }
        CHECK(bench.faults.empty());
      }
    }
  }
}

TEST_CASE("without values tiles stay as they are, and types are refused all the same", "[tile]") {
  struct Form {
    std::string_view name;
    std::vector<Elem> operands;
  };
  const auto run = [](const Form& form, bool no_values) {
    Bench bench;
    bench.no_values = no_values;
    bench.machine.target = Target::a2a3;
    std::vector<Arg> operands;
    for (const Elem elem : form.operands) {
      operands.push_back(elem == Elem::none ? bench.f32(3) : bench.tile(elem, {16, 32}));
      if (elem != Elem::none)
        bench.fill(operands.back(), [](int64_t r, int64_t c) { return static_cast<double>(r + 2 * c + 1); });
    }
    const Arg& out = operands.back();
    for (const int64_t r : {0, 3}) bench.put(out, r, 0, num::from_f64(out.type.elem, 100));
    bench.run(form.name, operands);
    const bool stays = bench.get(out, 0, 0) == 100 && bench.get(out, 3, 0) == 100;
    return std::pair(bench.faults.size(), stays);
  };
  constexpr auto f32 = Elem::f32, f16 = Elem::f16, i32 = Elem::i32, f8 = Elem::f8e4m3, number = Elem::none;
  for (const Form& form : std::initializer_list<Form>{
           {"pto.tadd", {f32, f32, f32}},
           {"pto.tadd", {i32, i32, i32}},
           {"pto.tand", {Elem::ui16, Elem::ui16, Elem::ui16}},
           {"pto.tadds", {f16, number, f16}},
           {"pto.texpands", {number, f32}},
           {"pto.tcvt", {f32, f16}},
           {"pto.tcvt", {f32, i32}},
           {"pto.trowsum", {f32, f32, f32}},
           {"pto.tcolsum", {f16, f16, f16}},
           {"pto.tmov", {f32, f32}},
       }) {
    INFO(form.name);
    CHECK(run(form, false) == std::pair(size_t{0}, false));
    CHECK(run(form, true) == std::pair(size_t{0}, true));
  }
  for (const Form& form : std::initializer_list<Form>{
           {"pto.tadd", {f8, f8, f8}}, {"pto.texp", {i32, i32}}, {"pto.trowsum", {f8, f8, f8}}}) {
    INFO(form.name);
    CHECK(run(form, false).first == 1);
    CHECK(run(form, true).first == 1);
  }
}
