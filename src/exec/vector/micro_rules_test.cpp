// Rules of docs/reference/numerics.md that no other test singles out, each at the value that tells it
// from its neighbours.
#include <cmath>
#include <limits>

#include "exec/vector/vector_fixture.hpp"

namespace pto::exec::test {
namespace {

using B = MicroBench;
constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

uint64_t f32_bits(float v) { return std::bit_cast<uint32_t>(v); }
void fill(B& b, Space space, unsigned bytes, int core) {
  for (unsigned i = 0; i < bytes; ++i) b.put(space, i, static_cast<uint8_t>(i * 7 + i / 256), core);
}
uint8_t filled(uint64_t i) { return static_cast<uint8_t>(i * 7 + i / 256); }

TEST_CASE("vexpdif rounds the difference first", "[micro][N-expdif-round]") {
  B b;
  // 88 - 3e-6 is less than half a step of f32 below 88, where exp grows by 3e-6 of its value.
  b.run(
      "pto.vexpdif",
      {B::vreg_f32([](unsigned) { return 88.0F; }), B::vreg_f32([](unsigned) { return 3.0e-6F; }), B::all(4)},
      {B::vreg_type(Elem::f32)}, {{"part", "ODD"}});
  const auto rounded = static_cast<float>(std::exp(88.0));
  const auto exact = static_cast<float>(std::exp(88.0 - static_cast<double>(3.0e-6F)));
  REQUIRE(rounded != exact);
  CHECK(b.lane_f32(0) == rounded);
}

TEST_CASE("vci: base plus or minus the lane, floats rounded once", "[micro][M-ci-value]") {
  B b;
  for (const bool descending : {false, true}) {
    const double sign = descending ? -1 : 1;
    const std::map<std::string, std::string> order = {{"order", descending ? "DESC" : "ASC"}};
    b.run("pto.vci", {B::scalar(Elem::f16, num::from_f64(Elem::f16, 2040))}, {B::vreg_type(Elem::f16)},
          order);
    for (unsigned i = 0; i < 128; ++i)
      CHECK(b.lane(i) == num::from_f64(Elem::f16, 2040 + sign * i));  // steps of 2 from 2048 on
    b.run("pto.vci", {B::scalar(Elem::i16, 0x7ff0)}, {B::vreg_type(Elem::si16)}, order);
    for (unsigned i = 0; i < 128; ++i) CHECK(b.lane(i) == (descending ? 0x7ff0U - i : 0x7ff0U + i));
  }
}

TEST_CASE("NaN wins the extrema of a register", "[micro][N-extreme-nan]") {
  B b;
  const auto x = [](unsigned i) { return i == 9 || i == 30 ? kNan : i == 4 ? kInf : -static_cast<float>(i); };
  for (const char* name : {"pto.vcmax", "pto.vcmin"}) {
    b.run(name, {B::vreg_f32(x), B::all(4)}, {B::vreg_type(Elem::f32)});
    CHECK(std::isnan(b.lane_f32(0)));
    b.run(name, {B::vreg_f32(x), B::mask(4, [](unsigned i) { return i != 9 && i != 30; })},
          {B::vreg_type(Elem::f32)});
    CHECK(b.lane_f32(0) == (name[6] == 'a' || name[7] == 'a' ? kInf : -63.0F));
  }
}

TEST_CASE("vcvt without a saturation word: integers clamp, floats do not, CTRL 60 asks CTRL 59",
          "[micro][M-cvt-default-vector]") {
  B b;
  const auto convert = [&](float value, Elem to) {
    b.run("pto.vcvt", {B::vreg_f32([value](unsigned) { return value; }), B::all(4)}, {B::vreg_type(to)},
          {{"rnd", "R"}, {"part", "EVEN"}});
    return b.lane(0);
  };
  const uint64_t launch = b.control.ctrl;
  CHECK(convert(70000, Elem::si16) == 0x7fff);
  CHECK(convert(1e6F, Elem::f16) == 0x7c00);
  b.control.ctrl = launch | uint64_t{1} << 59;  // bit 60 clear: bit 59 says nothing
  CHECK(convert(70000, Elem::si16) == 0x7fff);
  b.control.ctrl = launch | uint64_t{1} << 60;
  CHECK(convert(70000, Elem::si16) == 0x7fff);
  b.control.ctrl = launch | uint64_t{3} << 59;
  CHECK(convert(70000, Elem::si16) == (70000 & 0xffff));
}

TEST_CASE("forms without a documented result are refused",
          "[micro][M-cvt-refused][M-load-refused][M-mte-frac-refused]") {
  B hybrid;
  hybrid.run("pto.vcvt", {B::vreg(Elem::f32, [](unsigned) -> uint64_t { return 0x3f800000; }), B::all(4)},
             {B::vreg_type(Elem::hif8)}, {{"rnd", "H"}, {"sat", "SAT"}, {"part", "P0"}});
  CHECK(hybrid.faults.size() == 1);
  for (const char* dist : {"SPLT4CHN", "SPLT2CHN_B8", "SPLT2CHN_B16"}) {
    B split;
    split.run("pto.vlds", {B::ptr(Elem::ui8, Space::ub, 0), B::scalar(Elem::index, 0)},
              {B::vreg_type(Elem::ui8)}, {{"dist", dist}});
    CHECK(split.faults.size() == 1);
  }
  B frac;
  frac.memory.own = 0;
  std::vector<Slot> slots = {B::ptr(Elem::f16, Space::gm, 0), B::ptr(Elem::f16, Space::l1, 0)};
  for (const int64_t v : {16, 4, 8, 1, 1, 16, 16, 0}) slots.push_back({B::i64(v)});
  slots.push_back({B::scalar(Elem::i1, 1)});
  frac.run("pto.mte_gm_l1_frac", slots, {}, {{"mode", "nd2nz"}});
  CHECK(frac.faults.size() == 1);
}

TEST_CASE("vscatter: of equal offsets the highest lane stays", "[micro][M-scatter-order]") {
  B b;
  const Arg value = B::vreg(Elem::i32, [](unsigned i) -> uint64_t { return 100 + i; });
  const Arg offsets = B::vreg(Elem::ui32, [](unsigned i) -> uint64_t { return i % 5; });
  b.run("pto.vscatter",
        {value, B::ptr(Elem::i32, Space::ub, 0), offsets, B::mask(4, [](unsigned i) { return i != 63; })});
  for (unsigned k = 0; k < 5; ++k) {
    unsigned last = 0;
    for (unsigned i = 0; i < 63; ++i) last = i % 5 == k ? i : last;
    CHECK(b.get<uint32_t>(Space::ub, 4 * k) == 100 + last);
  }
}

// ---- DMA

TEST_CASE("L1 to UB counts blocks and gaps, and writes the vector core it is meant for",
          "[micro][M-copy-blocks][M-copy-core]") {
  for (const char* name : {"pto.mte_l1_ub", "pto.copy_cbuf_to_ubuf"}) {
    const bool raw = name[4] == 'c';
    for (const int64_t core : {0, 1}) {
      if (!raw && core == 1) continue;
      B b;
      b.memory.own = 0;
      fill(b, Space::l1, 1024, 0);
      std::vector<Slot> slots = {B::ptr(Elem::ui8, Space::l1, 32), B::ptr(Elem::ui8, Space::ub, 64)};
      // Two bursts of three blocks: a gap of two blocks between the sources, of one between the destinations.
      if (raw) {
        for (const int64_t v : {core, int64_t{2}, int64_t{3}, int64_t{2}, int64_t{1}})
          slots.push_back({B::i64(v)});
      } else {
        for (const int64_t v : {3, 2, 2, 1}) slots.push_back({B::i64(v)});
      }
      b.run(name, slots);
      CHECK(b.faults.empty());
      const int own = 1 + static_cast<int>(core);
      const int other = 3 - own;
      for (uint64_t i = 0; i < 96; ++i) {
        INFO(name << " byte " << i);
        CHECK(b.get<uint8_t>(Space::ub, 64 + i, own) == filled(32 + i));
        CHECK(b.get<uint8_t>(Space::ub, 64 + 128 + i, own) == filled(32 + 160 + i));
        CHECK(b.get<uint8_t>(Space::ub, 64 + i, other) == 0xcd);
      }
      CHECK(b.get<uint8_t>(Space::ub, 64 + 96, own) == 0xcd);
    }
  }
}

TEST_CASE("padding without counts reaches the next row, or the end of the block", "[micro][M-mte-pad]") {
  for (const int64_t stride : {0, 96}) {
    B b;
    fill(b, Space::gm, 256, 1);
    std::vector<Slot> slots = {B::ptr(Elem::ui8, Space::gm, 0), B::ptr(Elem::ui8, Space::ub, 0)};
    for (const int64_t v : {int64_t{0}, int64_t{40}, int64_t{1}, int64_t{40}, stride})
      slots.push_back({B::i64(v)});
    slots.resize(10);
    slots.push_back({B::scalar(Elem::i8, 0x5b)});
    b.run("pto.mte_gm_ub", slots);
    CHECK(b.faults.empty());
    const uint64_t end = stride == 0 ? 64 : 96;
    for (uint64_t i = 0; i < 100; ++i)
      CHECK(b.get<uint8_t>(Space::ub, i) == (i < 40 ? filled(i) : i < end ? 0x5b : 0xcd));
  }
}

TEST_CASE("copy_gm_to_cbuf counts in bytes", "[micro][M-mte-bytes]") {
  B b;
  b.memory.own = 0;
  fill(b, Space::gm, 1024, 1);
  std::vector<Slot> slots = {B::ptr(Elem::ui8, Space::gm, 5), B::ptr(Elem::ui8, Space::l1, 0)};
  for (const int64_t v : {2, 40, 100, 64}) slots.push_back({B::i64(v)});
  b.run("pto.copy_gm_to_cbuf", slots);
  for (uint64_t r = 0; r < 2; ++r) {
    for (uint64_t i = 0; i < 40; ++i)
      CHECK(b.get<uint8_t>(Space::l1, 64 * r + i, 0) == filled(5 + 100 * r + i));
  }
  CHECK(b.get<uint8_t>(Space::l1, 40, 0) == 0xcd);
}

/// An NZ matrix in L1: element (r, c) holds r * 256 + c, in blocks of 16 columns of `rows` rows.
void put_nz(B& b, uint64_t rows, uint64_t cols) {
  for (uint64_t r = 0; r < rows; ++r) {
    for (uint64_t c = 0; c < cols; ++c)
      b.put(Space::l1, (c / 16 * rows + r) * 32 + c % 16 * 2, static_cast<uint16_t>(r * 256 + c), 0);
  }
}
void load_l0(B& b, const char* name, int64_t rows, int64_t cols, int64_t start_row, int64_t start_col,
             bool transpose = false) {
  const Space space = std::string_view(name).ends_with('a') ? Space::l0a : Space::l0b;
  b.run(name,
        {B::ptr(Elem::f16, Space::l1, 0), B::ptr(Elem::f16, space, 0), rows, cols, start_row, start_col}, {},
        transpose ? std::map<std::string, std::string>{{"transpose", "true"}}
                  : std::map<std::string, std::string>{});
}

TEST_CASE("L1 to L0 copies the logical rows, from a fractal on", "[micro][M-mte-l0-rows]") {
  B b;
  b.memory.own = 0;
  put_nz(b, 32, 32);
  load_l0(b, "pto.mte_l1_l0a", 10, 16, 0, 0);
  for (uint64_t r = 0; r < 16; ++r)
    CHECK(b.get<uint16_t>(Space::l0a, r * 32, 0) == (r < 10 ? r * 256 : 0xcdcd));
}

TEST_CASE("L1 to L0: the start counts fractals, columns of as many as the extents say",
          "[micro][M-mte-l0-start]") {
  for (const int64_t rows : {16, 32}) {
    B b;
    b.memory.own = 0;
    fill(b, Space::l1, 4096, 0);
    load_l0(b, "pto.mte_l1_l0a", rows, 16, 1, 2);
    const uint64_t fractal = 2 * static_cast<uint64_t>(rows) / 16 + 1;
    for (uint64_t i = 0; i < 512; ++i) CHECK(b.get<uint8_t>(Space::l0a, i, 0) == filled(512 * fractal + i));
  }
}

TEST_CASE("L1 to L0 transposed: 8-bit blocks of columns lie an even number of fractals apart",
          "[micro][M-mte-l0-transpose]") {
  constexpr uint64_t kK = 64, kN = 48;
  for (const auto& [elem, fractals] : {std::pair<Elem, uint64_t>{Elem::f8e4m3, 4}, {Elem::hif8, 4}}) {
    B b;
    b.memory.own = 0;
    for (uint64_t k = 0; k < kK; ++k) {
      for (uint64_t n = 0; n < kN; ++n)
        b.put(Space::l1, (n / 32 * kK + k) * 32 + n % 32, static_cast<uint8_t>(k * 3 + n * 5), 0);
    }
    b.run("pto.mte_l1_l0b", {B::ptr(elem, Space::l1, 0), B::ptr(elem, Space::l0b, 0), kK, kN, 0, 0}, {},
          {{"transpose", "true"}});
    CHECK(b.faults.empty());
    for (uint64_t k = 0; k < kK; ++k) {
      for (uint64_t n = 0; n < kN; ++n) {
        INFO(to_string(elem) << " k " << k << " n " << n);
        CHECK(b.get<uint8_t>(Space::l0b, (k / 32 * fractals + n / 16) * 512 + n % 16 * 32 + k % 32, 0) ==
              static_cast<uint8_t>(k * 3 + n * 5));
      }
    }
  }
}

// ---- cube

float product(B& b, const std::map<std::string, std::string>& attrs, Elem left, Elem right, uint64_t a,
              uint64_t c, Elem to = Elem::f32) {
  b.memory.own = 0;
  b.put(Space::l0a, 0, a, 0);
  b.put(Space::l0b, 0, c, 0);
  std::vector<Slot> slots = {B::ptr(left, Space::l0a, 0), B::ptr(right, Space::l0b, 0),
                             B::ptr(to, Space::l0c, 0)};
  for (int i = 0; i < 3; ++i) slots.push_back({B::i64(1)});
  b.run("pto.mad", slots, {}, attrs);
  return b.get<float>(Space::l0c, 0, 0);
}

TEST_CASE("mad: which types it multiplies", "[micro][M-mad-types]") {
  const std::pair<Elem, Elem> pairs[] = {{Elem::f16, Elem::f16},       {Elem::bf16, Elem::bf16},
                                         {Elem::f32, Elem::f32},       {Elem::f8e4m3, Elem::f8e4m3},
                                         {Elem::f8e4m3, Elem::f8e5m2}, {Elem::f8e5m2, Elem::f8e4m3},
                                         {Elem::f8e5m2, Elem::f8e5m2}, {Elem::hif8, Elem::hif8}};
  for (const auto& [left, right] : pairs) {
    B b;
    CHECK(product(b, {}, left, right, num::from_f64(left, 1.5), num::from_f64(right, -2)) == -3.0F);
    CHECK(b.faults.empty());
  }
  for (const Elem to : {Elem::f16, Elem::i32}) {
    B b;
    product(b, {}, Elem::f16, Elem::f16, 0x3c00, 0x3c00, to);
    CHECK(b.faults.size() == 1);
  }
}

TEST_CASE("mad: unit_flag and n_dir do not change values", "[micro][M-mad-flags]") {
  const std::vector<std::map<std::string, std::string>> clauses = {
      {}, {{"unit_flag_mode", "check_only"}}, {{"unit_flag_mode", "check_and_set"}}, {{"n_dir", ""}}};
  for (const auto& attrs : clauses) {
    B b;
    CHECK(product(b, attrs, Elem::f32, Elem::f32, f32_bits(0.1F), f32_bits(3.0F)) == 0.1F * 3.0F);
    CHECK(b.faults.empty());
  }
}

// ---- fixpipe

struct Fixpipe : B {
  Fixpipe() { memory.own = 0; }
  void put_acc(uint64_t row, uint64_t col, float value, uint64_t rows = 16) {
    put(Space::l0c, (col / 16 * rows + row) * 64 + col % 16 * 4, value, 0);
  }
  void store(Elem to, int64_t m, int64_t n, int64_t src_stride, int64_t dst_stride,
             const std::map<std::string, std::string>& attrs, const std::map<unsigned, Arg>& extra = {}) {
    std::vector<Slot> slots = {
        ptr(Elem::f32, Space::l0c, 0), ptr(to, Space::gm, 0), m, n, src_stride, dst_stride};
    slots.resize(16);
    slots[9] = {i64(0)};
    slots[10] = {i64(0)};
    for (const auto& [slot, value] : extra) slots[slot] = {value};
    run("pto.mte_l0c_gm", slots, {}, attrs);
  }
};

TEST_CASE("fixpipe: scale, then ReLU, then clip, then conversion, then the atomic",
          "[micro][M-fixpipe-order]") {
  Fixpipe b;
  // -4 * -0.5 = 2 passes a ReLU behind the scale; a ReLU in front would make it 0. 100 * -0.5 = -50 becomes
  // 0.
  b.put_acc(0, 0, -4);
  b.put_acc(0, 1, 100);
  b.put_acc(0, 2, -40000);
  for (uint64_t i = 0; i < 3; ++i)
    b.put<uint16_t>(Space::gm, 2 * i, static_cast<uint16_t>(num::from_f64(Elem::f16, 1)));
  b.store(Elem::f16, 1, 3, 16, 16,
          {{"pre_quant_mode", "qf322f16_pre_scalar"},
           {"pre_relu_mode", "normal_relu"},
           {"atomic_type", "f16"},
           {"atomic_op", "add"}},
          {{6, B::f32(-0.5F)}, {8, B::scalar(Elem::f16, num::from_f64(Elem::f16, 50))}});
  CHECK(b.faults.empty());
  const double want[] = {2 + 1, 0 + 1, 50 + 1};  // no layout clause: rows; the clip holds before the sum
  for (uint64_t i = 0; i < 3; ++i)
    CHECK(num::to_f64(Elem::f16, b.get<uint16_t>(Space::gm, 2 * i)) == want[i]);
}

TEST_CASE("fixpipe: what saturation does to each kind of destination, by clause and by CTRL",
          "[micro][M-fixpipe-overflow]") {
  const auto stored = [](Elem to, const char* clause, uint64_t ctrl, const char* mode) {
    Fixpipe b;
    b.control.ctrl = ctrl;
    b.put_acc(0, 0, 1e6F);
    b.put_acc(0, 1, -kInf);
    b.put_acc(0, 2, kNan);
    std::map<std::string, std::string> attrs = {{"mode", "nz2nd"}};
    if (clause != nullptr) attrs["sat_mode"] = clause;
    if (mode != nullptr) attrs["pre_quant_mode"] = mode;
    b.store(to, 1, 3, 16, 16, attrs, {{6, B::f32(1)}});
    CHECK(b.faults.empty());
    std::vector<double> values;
    for (uint64_t i = 0; i < 3; ++i) {
      uint64_t bits = 0;
      std::memcpy(&bits, b.memory.bytes(Space::gm).data() + i * byte_width(to), byte_width(to));
      values.push_back(num::to_f64(to, bits));
    }
    return values;
  };
  constexpr uint64_t kBit48 = uint64_t{1} << 48;
  constexpr uint64_t kBit50 = uint64_t{1} << 50;
  const auto is = [](const std::vector<double>& got, double first, double second, double third) {
    return got[0] == first && got[1] == second && (std::isnan(third) ? std::isnan(got[2]) : got[2] == third);
  };
  const double nan = std::nan("");
  CHECK(is(stored(Elem::f16, "sat", kBit48, "f32_f16"), 65504, -65504, 0));
  CHECK(is(stored(Elem::f16, "sat_preserve_nan", kBit48, "f32_f16"), 65504, -65504, nan));
  CHECK(is(stored(Elem::f16, "nosat", 0, "f32_f16"), HUGE_VAL, -HUGE_VAL, nan));
  CHECK(is(stored(Elem::f16, nullptr, kBit48, "f32_f16"), HUGE_VAL, -HUGE_VAL, nan));
  CHECK(is(stored(Elem::f16, nullptr, 0, "f32_f16"), 65504, -65504, 0));
  CHECK(is(stored(Elem::f16, nullptr, kBit50, "f32_f16"), 65504, -65504, nan));
  CHECK(is(stored(Elem::f32, "sat", 0, nullptr), 1e6, -HUGE_VAL, nan));
  CHECK(is(stored(Elem::i8, "nosat", kBit48, "qf322b8_pre_scalar"), 127, -128, 0));
}

TEST_CASE("fixpipe: strides count rows of the accumulator and elements of the destination",
          "[micro][M-fixpipe-strides]") {
  Fixpipe b;
  for (uint64_t row = 0; row < 8; ++row) {
    for (uint64_t col = 0; col < 32; ++col) b.put_acc(row, col, static_cast<float>(row * 100 + col), 24);
  }
  // Two matrices of 2 x 20: the second one four rows further on, to the 50th element.
  b.store(Elem::f32, 2, 20, 24, 20, {{"mode", "nz2nd"}},
          {{13, B::i64(2)}, {14, B::i64(4)}, {15, B::i64(50)}});
  CHECK(b.faults.empty());
  for (uint64_t repeat = 0; repeat < 2; ++repeat) {
    for (uint64_t row = 0; row < 2; ++row) {
      for (uint64_t col = 0; col < 20; ++col) {
        CHECK(b.get<float>(Space::gm, 4 * (repeat * 50 + row * 20 + col)) ==
              static_cast<float>((row + 4 * repeat) * 100 + col));
      }
    }
  }
}

TEST_CASE("fixpipe: pointers from 0x10000 on are the upper half of the parameter buffer",
          "[micro][M-fixpipe-table]") {
  Fixpipe b;
  for (uint64_t col = 0; col < 4; ++col) {
    b.put_acc(0, col, -8);
    b.put(Space::fb, 2048 + 4 * col, static_cast<float>(col) * 0.25F,
          0);  // the bench's buffers have 4096 bytes
  }
  b.store(Elem::f32, 1, 4, 16, 16, {{"pre_relu_mode", "vector_relu"}},
          {{7, B::ptr(Elem::f32, Space::fb, 0x10000)}});
  CHECK(b.faults.empty());
  for (uint64_t col = 0; col < 4; ++col)
    CHECK(b.get<float>(Space::gm, 4 * col) == -2.0F * static_cast<float>(col));
}

TEST_CASE("fixpipe: halves along N are whole blocks", "[micro][M-fixpipe-split]") {
  for (const int64_t n : {32, 48}) {
    B b;
    b.memory.own = 0;
    std::vector<Slot> slots = {B::ptr(Elem::f32, Space::l0c, 0), B::ptr(Elem::f32, Space::ub, 0)};
    for (const int64_t v : {int64_t{16}, n, int64_t{16}, int64_t{64}}) slots.push_back({B::i64(v)});
    b.run("pto.mte_l0c_ub", slots, {}, {{"dst_mode", "split_n"}, {"mode", "nz2nd"}});
    CHECK(b.faults.size() == (n == 32 ? 0U : 1U));
  }
}

}  // namespace
}  // namespace pto::exec::test
