// DMA: bursts, loops, padding, fractal layouts and the raw forms with their registers.
#include "exec/vector/vector_fixture.hpp"

namespace pto::exec::test {
namespace {

using B = MicroBench;
uint8_t byte_at(uint64_t i) { return static_cast<uint8_t>(i * 131 + i / 256); }
void fill_gm(B& b) {
  for (unsigned i = 0; i < 65536; ++i) b.put(Space::gm, i, byte_at(i));
}
std::vector<Arg> numbers(std::initializer_list<int64_t> values) {
  std::vector<Arg> out;
  for (const int64_t v : values) out.push_back(B::i64(v));
  return out;
}

TEST_CASE("GM to UB: nested loops and strides in bytes", "[micro][M-mte-strides][M-mte-loops]") {
  B b;
  fill_gm(b);
  // 3 bursts of 40 bytes; inner loop 2, outer loop 2.
  b.run("pto.mte_gm_ub", {B::ptr(Elem::ui8, Space::gm, 7), B::ptr(Elem::ui8, Space::ub, 64), 0, 40, 3, 100,
                          64, numbers({2, 2}), numbers({1000, 5000}), numbers({192, 384})});
  CHECK(b.faults.empty());
  for (uint64_t outer = 0; outer < 2; ++outer) {
    for (uint64_t inner = 0; inner < 2; ++inner) {
      for (uint64_t r = 0; r < 3; ++r) {
        for (uint64_t i = 0; i < 64; ++i) {
          const uint64_t to = 64 + 384 * outer + 192 * inner + 64 * r + i;
          CHECK(b.get<uint8_t>(Space::ub, to) ==
                (i < 40 ? byte_at(7 + 5000 * outer + 1000 * inner + 100 * r + i) : 0xcd));
        }
      }
    }
  }
}

TEST_CASE("GM to UB: padding", "[micro][M-mte-pad]") {
  B b;
  fill_gm(b);
  const auto load = [&](std::vector<Arg> left, std::vector<Arg> right) {
    b.run("pto.mte_gm_ub",
          {B::ptr(Elem::f16, Space::gm, 0), B::ptr(Elem::f16, Space::ub, 0), 0, 20, 2, 20, 64, B::kAbsent,
           B::kAbsent, B::kAbsent, B::scalar(Elem::i16, 0x3c01), left, right});
  };
  load({B::i64(2)}, {B::i64(3)});
  for (uint64_t r = 0; r < 2; ++r) {
    CHECK(b.get<uint16_t>(Space::ub, 64 * r) == 0x3c01);
    CHECK(b.get<uint16_t>(Space::ub, 64 * r + 2) == 0x3c01);
    for (uint64_t i = 0; i < 20; ++i) CHECK(b.get<uint8_t>(Space::ub, 64 * r + 4 + i) == byte_at(20 * r + i));
    for (uint64_t i = 24; i < 30; i += 2) CHECK(b.get<uint16_t>(Space::ub, 64 * r + i) == 0x3c01);
    CHECK(b.get<uint16_t>(Space::ub, 64 * r + 30) == 0xcdcd);
  }
  load({}, {});  // no counts: up to the next row
  for (uint64_t i = 20; i < 64; i += 2) CHECK(b.get<uint16_t>(Space::ub, 64 + i) == 0x3c01);
}

TEST_CASE("block copies count in 32 bytes with gaps", "[micro]") {
  B b;
  for (unsigned i = 0; i < 4096; ++i) b.put(Space::ub, i, byte_at(i));
  b.run("pto.mte_ub_ub", {B::ptr(Elem::i16, Space::ub, 0), B::ptr(Elem::i16, Space::ub, 8192), 3, 2, 1, 0});
  for (uint64_t r = 0; r < 3; ++r) {
    for (uint64_t i = 0; i < 64; ++i)
      CHECK(b.get<uint8_t>(Space::ub, 8192 + 64 * r + i) == byte_at(96 * r + i));
  }
  b.run("pto.mte_ub_l1", {B::ptr(Elem::i16, Space::ub, 0), B::ptr(Elem::i16, Space::l1, 128), 1, 4, 0, 0});
  for (uint64_t i = 0; i < 128; ++i)
    CHECK(b.get<uint8_t>(Space::l1, 128 + i, 0) == byte_at(i));  // the cube core's L1
}

TEST_CASE("raw GM to UB copies run under the loop registers", "[micro][M-copy-loops]") {
  B b;
  fill_gm(b);
  b.run("pto.set_loop_size_outtoub", {2, 3});
  b.run("pto.set_loop1_stride_outtoub", {200, 64});
  b.run("pto.set_loop2_stride_outtoub", {3000, 512});
  CHECK(b.control.loop_size_out_ub == (3 | uint64_t{2} << 21));
  b.run("pto.copy_gm_to_ubuf", {B::ptr(Elem::ui8, Space::gm, 0), B::ptr(Elem::ui8, Space::ub, 0), 0, 1, 32, 0,
                                0, B::scalar(Elem::i1, 0), 0, 0, 0});
  for (uint64_t l2 = 0; l2 < 2; ++l2) {
    for (uint64_t l1 = 0; l1 < 3; ++l1) {
      for (uint64_t i = 0; i < 32; ++i)
        CHECK(b.get<uint8_t>(Space::ub, 512 * l2 + 64 * l1 + i) == byte_at(3000 * l2 + 200 * l1 + i));
    }
  }
}

TEST_CASE("raw copies need the registers that they take something from", "[micro][M-copy-loops]") {
  const auto copy = [](bool pads, std::initializer_list<int64_t> sizes, std::initializer_list<int> strides) {
    B b;
    fill_gm(b);
    const std::vector<int64_t> size(sizes);
    b.run("pto.set_loop_size_outtoub", {size[0], size[1]});
    for (const int loop : strides)
      b.run("pto.set_loop" + std::to_string(loop) + "_stride_outtoub", {64 * loop, 64 * loop});
    b.run("pto.copy_gm_to_ubuf", {B::ptr(Elem::ui8, Space::gm, 0), B::ptr(Elem::ui8, Space::ub, 0), 0, 1, 32,
                                  0, 0, B::scalar(Elem::i1, pads ? 1 : 0), 0, 0, 0});
    std::string all;
    for (const std::string& fault : b.faults) all += fault + "; ";
    return all;
  };
  CHECK(copy(false, {1, 1}, {}).empty());  // sizes are 1 when a kernel begins
  CHECK(copy(false, {1, 2}, {1}).empty());
  CHECK(copy(false, {2, 2}, {1, 2}).empty());
  CHECK(copy(false, {1, 2}, {2}).find("the steps of loop 1") == 0);
  CHECK(copy(false, {2, 1}, {1}).find("the steps of loop 2") == 0);
  CHECK(copy(true, {1, 1}, {}).find("pto.set_mov_pad_val") != std::string::npos);
}

TEST_CASE("bursts that are written to one place are a finding", "[micro][M-mte-strides]") {
  const auto faults = [](int64_t from_stride, int64_t to_stride, int64_t passes, int64_t from_pass,
                         int64_t to_pass) {
    B b;
    fill_gm(b);
    b.run("pto.mte_gm_ub",
          {B::ptr(Elem::ui8, Space::gm, 0), B::ptr(Elem::ui8, Space::ub, 0), 0, 32, 2, from_stride, to_stride,
           numbers({passes}), numbers({from_pass}), numbers({to_pass})});
    return b.faults.size();
  };
  CHECK(faults(32, 32, 1, 0, 0) == 0);
  CHECK(faults(32, 0, 1, 0, 0) == 1);
  CHECK(faults(0, 0, 1, 0, 0) == 0);      // all bring the same
  CHECK(faults(0, 0, 2, 64, 64) == 0);    // twice, in each of two places
  CHECK(faults(32, 32, 2, 32, 32) == 0);  // what both passes write comes from one place
  CHECK(faults(32, 32, 2, 0, 32) == 1);
  CHECK(faults(32, 64, 2, 64, 32) == 0);  // the second pass lies between
  CHECK(faults(32, 64, 2, 64, 64) == 1);
  CHECK(faults(32, 32, 0, 64, 0) == 0);  // no pass at all
}

TEST_CASE("counts beyond their fields are findings, not loops", "[micro][M-mte-fields]") {
  B b;
  b.run("pto.mte_gm_ub",
        {B::ptr(Elem::ui8, Space::gm, 0), B::ptr(Elem::ui8, Space::ub, 0), 0, 32, int64_t{1} << 40, 0, 0});
  b.run("pto.mte_gm_ub", {B::ptr(Elem::ui8, Space::gm, 0), B::ptr(Elem::ui8, Space::ub, 0), 0, 32, 1, 0, 0,
                          numbers({int64_t{1} << 40}), numbers({0}), numbers({0})});
  b.run("pto.mte_l1_l0a",
        {B::ptr(Elem::f16, Space::l1, 0), B::ptr(Elem::f16, Space::l0a, 0), 16, int64_t{1} << 60, 0, 0});
  b.run("pto.mte_l1_l0b", {B::ptr(Elem::f16, Space::l1, 0), B::ptr(Elem::f16, Space::l0b, 0), -5, 16, 0, 0});
  CHECK(b.faults.size() == 4);
}

TEST_CASE("UB to GM adds when an atomic mode is set", "[micro][M-mte-atomic]") {
  B b;
  for (int32_t i = 0; i < 64; ++i) {
    b.put(Space::ub, 4 * static_cast<uint64_t>(i), i - 32);
    b.put(Space::gm, 4 * static_cast<uint64_t>(i), 1000 * i);
  }
  const auto store = [&] {
    b.run("pto.mte_ub_gm", {B::ptr(Elem::i32, Space::ub, 0), B::ptr(Elem::i32, Space::gm, 0), 64, 4, 64, 64});
  };
  b.run("pto.set_atomic_s32", {});
  store();
  for (int32_t i = 0; i < 64; ++i)
    CHECK(b.get<int32_t>(Space::gm, 4 * static_cast<uint64_t>(i)) == 1001 * i - 32);
  b.control.ctrl &= ~(uint64_t{7} << 6);
  store();
  for (int32_t i = 0; i < 64; ++i) CHECK(b.get<int32_t>(Space::gm, 4 * static_cast<uint64_t>(i)) == i - 32);
}

TEST_CASE("atomic modes are bits of CTRL", "[micro][M-mte-atomic]") {
  B b;
  constexpr uint64_t kOther = ~(uint64_t{0x1f} << 6);
  const auto after = [&](const char* name, uint64_t before) {
    b.control.ctrl = before;
    b.run(std::string("pto.set_atomic_") + name, {});
    CHECK((b.control.ctrl & kOther) == (before & kOther));
    return b.control.ctrl >> 6 & 0x1f;
  };
  const std::pair<const char*, uint64_t> types[] = {{"none", 0}, {"f32", 1}, {"f16", 2}, {"s16", 3},
                                                    {"s32", 4},  {"s8", 5},  {"bf16", 6}};
  for (const auto& [name, type] : types) {
    CHECK(after(name, ~uint64_t{0}) == (0x18 | type));  // the operation stays
    CHECK(after(name, 0) == type);
  }
  const std::pair<const char*, uint64_t> operations[] = {{"add", 0}, {"max", 1}, {"min", 2}};
  for (const auto& [name, operation] : operations) {
    CHECK(after(name, ~uint64_t{0}) == (operation << 3 | 7));
    CHECK(after(name, uint64_t{4} << 6) == (operation << 3 | 4));
  }
}

TEST_CASE("atomic extremes and floats", "[micro][M-mte-atomic]") {
  const auto stored = [](const char* type, const char* operation, auto old, auto value, Elem elem) {
    B b;
    for (uint64_t i = 0; i < 8; ++i) {
      b.put(Space::ub, 4 * i, value);
      b.put(Space::gm, 4 * i, old);
    }
    b.run(std::string("pto.set_atomic_") + type, {});
    b.run(std::string("pto.set_atomic_") + operation, {});
    b.run("pto.mte_ub_gm", {B::ptr(elem, Space::ub, 0), B::ptr(elem, Space::gm, 0), 32, 1, 32, 32});
    return b.get<decltype(old)>(Space::gm, 28);
  };
  CHECK(stored("s32", "max", int32_t{-5}, int32_t{-7}, Elem::i32) == -5);
  CHECK(stored("s32", "min", int32_t{-5}, int32_t{-7}, Elem::i32) == -7);
  CHECK(stored("s32", "add", INT32_MAX, int32_t{1}, Elem::i32) == INT32_MIN);
  CHECK(stored("f32", "add", 16777216.0F, 1.0F, Elem::f32) == 16777216.0F);
  CHECK(stored("f32", "max", -1.5F, 2.5F, Elem::f32) == 2.5F);
}

/// Runs form `form` of a name on pointers and numbers.
void run_form(B& b, std::string_view name, unsigned form, const std::vector<Arg>& operands) {
  const isa::Schema& schema = isa::schema(isa::id_of(isa::find_row(name)[form]));
  REQUIRE(schema.row->name == name);
  REQUIRE(schema.operands.size() == operands.size());
  std::vector<Word> frame;
  std::vector<uint32_t> begin;
  std::vector<ValueRef> values;
  for (const Arg& operand : operands) {
    begin.push_back(static_cast<uint32_t>(values.size()));
    values.push_back({static_cast<uint32_t>(frame.size()), &operand.type});
    frame.push_back(operand.words.at(0));
  }
  begin.push_back(static_cast<uint32_t>(values.size()));
  const std::vector<AttrValue> attrs(schema.attrs.size());
  const std::vector<uint8_t> set(schema.attrs.size());
  Inst inst;
  inst.schema = &schema;
  inst.slot_begin = begin;
  inst.values = values;
  inst.attrs = attrs;
  inst.attr_set = set;
  Context context;
  context.inst = &inst;
  context.frame = frame.data();
  context.memory = &b.memory;
  context.control = &b.control;
  context.machine = &b.machine;
  context.faults = &b;
  find(name)(context);
}

TEST_CASE("fractals and scales by their place", "[micro][M-mte-l0-placed][M-mte-mx-placed]") {
  constexpr uint64_t kFractalBytes = 512, kFragmentBytes = 32;
  // Words of 32 bytes hold their own number.
  const auto number_l1 = [](B& b) {
    for (uint64_t i = 0; i < 4096 / 4; ++i) b.put(Space::l1, 4 * i, static_cast<uint32_t>(i), 0);
  };
  const auto operands = [](Elem elem, Space to, std::initializer_list<int64_t> numbers) {
    std::vector<Arg> all = {B::ptr(elem, Space::l1, 0), B::ptr(elem, to, 0)};
    for (const int64_t number : numbers) all.push_back(B::i64(number));
    return all;
  };
  for (const auto& [name, to, scales, elem] : {std::tuple{"pto.mte_l1_l0a", Space::l0a, false, Elem::f16},
                                               {"pto.mte_l1_l0b", Space::l0b, false, Elem::f16},
                                               {"pto.mte_l1_l0a_mx", Space::l0a_mx, true, Elem::f8e4m3},
                                               {"pto.mte_l1_l0b_mx", Space::l0b_mx, true, Elem::f8e4m3}}) {
    INFO(name);
    B b;
    b.memory.own = 0;
    number_l1(b);
    // m_start 1, k_start 0, 1 by 2 fractals, strides 3 and 1; of scales x_start 1, y_start 1, 2 by 1, 3
    // and 1.
    if (scales)
      run_form(b, name, 2, operands(elem, to == Space::l0a_mx ? Space::l0a : Space::l0b, {1, 1, 2, 1, 3, 1}));
    else
      run_form(b, name, 1, operands(elem, to, {1, 0, 1, 2, 3, 1}));
    CHECK(b.faults.empty());
    const uint64_t unit = scales ? kFragmentBytes : kFractalBytes;
    for (uint64_t piece = 0; piece < 2; ++piece) {
      const uint64_t from = scales ? (1 + piece) * 3 + 1 : piece * 3 + 1;
      for (uint64_t at = 0; at < unit; at += 4)
        CHECK(b.get<uint32_t>(to, piece * unit + at, 0) == (from * unit + at) / 4);
    }
  }
  B b;
  b.memory.own = 0;
  number_l1(b);
  run_form(b, "pto.mte_l1_l0a_mx", 1,
           operands(Elem::f8e4m3, Space::l0a, {20, 100, 1, 1}));  // from fragment (1, 1)
  CHECK(b.faults.empty());
  for (uint64_t at = 0; at < 4 * kFragmentBytes; at += 4)
    CHECK(b.get<uint32_t>(Space::l0a_mx, at, 0) == (3 * kFragmentBytes + at) / 4);
}

TEST_CASE("GM matrices become NZ fractals, rows or columns first", "[micro][M-mte-frac-layout]") {
  for (const bool dn : {false, true}) {
    B b;
    b.memory.own = 0;
    constexpr uint64_t kN = 21, kD = 19, kRow = 48;
    for (uint64_t i = 0; i < 4096; ++i) b.put(Space::gm, 2 * i, static_cast<uint16_t>(i));
    b.run("pto.mte_gm_l1_frac",
          {B::ptr(Elem::f16, Space::gm, 0), B::ptr(Elem::f16, Space::l1, 0), kN, kD, kRow, 2, 1, 32, 64, 0,
           B::scalar(Elem::i1, 0), 2400},
          {}, {{"mode", dn ? "dn2nz" : "nd2nz"}});
    CHECK(b.faults.empty());
    for (uint64_t g = 0; g < 2; ++g) {
      for (uint64_t n = 0; n < kN; ++n) {
        for (uint64_t d = 0; d < 32; ++d) {
          const uint64_t at = g * 64 * 32 + (d / 16 * 32 + n) * 32 + d % 16 * 2;
          const uint64_t from = g * 2400 + (dn ? d * kRow + 2 * n : n * kRow + 2 * d);
          INFO("n " << n << " d " << d);
          CHECK(b.get<uint16_t>(Space::l1, at, 0) == (d < kD ? from / 2 : 0));
        }
      }
    }
  }
}

/// Writes an NZ matrix of `rows` x `cols` elements of `width` bytes into L1: element (r, c) holds r * 64 + c.
void put_nz(B& b, uint64_t address, uint64_t rows, uint64_t cols, unsigned width) {
  const uint64_t c0 = 32 / width;
  const uint64_t padded = (rows + 15) / 16 * 16;
  for (uint64_t r = 0; r < rows; ++r) {
    for (uint64_t c = 0; c < cols; ++c) {
      const uint64_t value = r * 64 + c;
      std::memcpy(b.memory.bytes(Space::l1, 0).data() + address + (c / c0 * padded + r) * 32 + c % c0 * width,
                  &value, width);
    }
  }
}
uint64_t operand(B& b, Space space, uint64_t outer_blocks, uint64_t outer, uint64_t k, unsigned width) {
  const uint64_t c0 = 32 / width;
  uint64_t value = 0;
  std::memcpy(&value,
              b.memory.bytes(space, 0).data() + (k / c0 * outer_blocks + outer / 16) * 512 + outer % 16 * 32 +
                  k % c0 * width,
              width);
  return value;
}

TEST_CASE("L1 to L0: plain and transposed operands", "[micro]") {
  for (const unsigned width : {1U, 2U, 4U}) {
    const Elem elem = width == 1 ? Elem::ui8 : width == 2 ? Elem::f16 : Elem::f32;
    const uint64_t keep = width == 1 ? 0xff : 0xffffffffU;
    B b;
    b.memory.own = 0;
    constexpr uint64_t kOuter = 32, kK = 64;
    put_nz(b, 0, kOuter, kK, width);
    b.run("pto.mte_l1_l0a", {B::ptr(elem, Space::l1, 0), B::ptr(elem, Space::l0a, 0), kOuter, kK, 0, 0});
    for (uint64_t m = 0; m < kOuter; ++m) {
      for (uint64_t k = 0; k < kK; ++k)
        CHECK(operand(b, Space::l0a, 2, m, k, width) == ((m * 64 + k) & keep));
    }
    put_nz(b, 65536, kK, kOuter, width);
    b.run("pto.mte_l1_l0b", {B::ptr(elem, Space::l1, 65536), B::ptr(elem, Space::l0b, 0), kK, kOuter, 0, 0},
          {}, {{"transpose", "true"}});
    for (uint64_t n = 0; n < kOuter; ++n) {
      for (uint64_t k = 0; k < kK; ++k)
        CHECK(operand(b, Space::l0b, 2, n, k, width) == ((k * 64 + n) & keep));
    }
    CHECK(b.faults.empty());
  }
}

TEST_CASE("L1 to L0: pairs of 4-bit values are transposed one by one", "[micro]") {
  B b;
  b.memory.own = 0;
  constexpr uint64_t kOuter = 64, kK = 100;  // the second block of K is not full
  const auto value = [](uint64_t k, uint64_t n) { return (k * 7 + n * 3 + k * n) & 0xf; };
  for (uint64_t k = 0; k < kK; ++k) {
    for (uint64_t n = 0; n < kOuter; n += 2)
      b.put(Space::l1, k * 32 + n / 2, static_cast<uint8_t>(value(k, n) | value(k, n + 1) << 4), 0);
  }
  b.run("pto.mte_l1_l0b",
        {B::ptr(Elem::f4e2m1x2, Space::l1, 0), B::ptr(Elem::f4e2m1x2, Space::l0b, 0), kK, kOuter, 0, 0}, {},
        {{"transpose", "true"}});
  CHECK(b.faults.empty());
  for (uint64_t n = 0; n < kOuter; ++n) {
    for (uint64_t k = 0; k < 128; ++k) {
      const auto pair = b.get<uint8_t>(Space::l0b, k / 64 * (kOuter / 16) * 512 + n * 32 + k % 64 / 2, 0);
      REQUIRE((k % 2 == 0 ? pair & 0xf : pair >> 4) == (k < kK ? value(k, n) : 0));
    }
  }
}

TEST_CASE("bias table: f16 widens, bursts and gaps in blocks", "[micro]") {
  B b;
  b.memory.own = 0;
  for (uint64_t i = 0; i < 64; ++i)
    b.put(Space::l1, 2 * i, static_cast<uint16_t>(num::from_f64(Elem::f16, static_cast<double>(i) - 20.5)),
          0);
  b.run("pto.mte_l1_bt", {B::ptr(Elem::f16, Space::l1, 0), B::ptr(Elem::f32, Space::bt, 0), 1, 2, 1, 0});
  for (uint64_t i = 0; i < 32; ++i)
    CHECK(b.get<float>(Space::bt, 4 * i, 0) == static_cast<float>(i < 16 ? i : i + 16) - 20.5F);
}

TEST_CASE("mode registers: TF32 by target, raw fields", "[micro][M-tf32-targets][M-tf32-mode]") {
  B b;
  b.run("pto.settf32mode", {}, {}, {{"enable", "true"}, {"mode", "CAST_ROUND"}});
  CHECK((b.control.ctrl >> 46 & 3) == 1);  // on, nearest even
  b.run("pto.settf32mode", {}, {}, {{"enable", "false"}});
  CHECK((b.control.ctrl >> 46 & 3) == 0);
  b.machine.target = Target::a2a3;
  b.run("pto.settf32mode", {}, {}, {{"enable", "true"}});
  CHECK((b.control.ctrl >> 46 & 3) == 0);  // no state on a2a3
  b.run("pto.set_atomic_s32", {});
  CHECK((b.control.ctrl >> 6 & 7) == 4);
  b.run("pto.set_loop3_para", {5 | 6 << 16, 7});
  CHECK(b.control.loop3_para[0] == (5 | 6 << 16 | uint64_t{7} << 40));
}

}  // namespace
}  // namespace pto::exec::test
