// Queues that convert the accumulator on its way (acc_push_epilogue): the bytes of a slot, against sums and
// roundings made here.
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "driver/run_fixture.hpp"
#include "testing/reference_f16.hpp"

namespace {

using namespace pto;
using namespace pto::test;

constexpr int kM = 16, kN = 32, kK = 32;

struct Conversion {
  std::string_view quant, from, to;
  bool a5_only = false;
  [[nodiscard]] bool vector() const { return quant.ends_with("_vec"); }
  [[nodiscard]] bool scaled() const { return vector() || quant.ends_with("_scalar"); }
};
constexpr Conversion kConversions[] = {
    {"no_convert", "f32", "f32"},
    {"no_convert", "i32", "i32"},
    {"f32_f16", "f32", "f16"},
    {"f32_bf16", "f32", "bf16"},
    {"req8_scalar", "i32", "si8"},
    {"req8_scalar", "i32", "ui8"},
    {"req8_vec", "i32", "si8"},
    {"deqf16_scalar", "i32", "f16"},
    {"deqf16_vec", "i32", "f16"},
    {"qf322b8_pre_scalar", "f32", "si8"},
    {"qf322b8_pre_scalar", "f32", "ui8"},
    {"qf322b8_pre_vec", "f32", "si8"},
    {"qf322f16_pre_scalar", "f32", "f16"},
    {"qf322bf16_pre_scalar", "f32", "bf16"},
    {"qs322bf16_pre_scalar", "i32", "bf16", true},
    {"qs322bf16_pre_vec", "i32", "bf16", true},
};

size_t width(std::string_view elem) {
  return elem == "f32" || elem == "i32" ? 4 : elem == "f16" || elem == "bf16" ? 2 : 1;
}

std::string tile(std::string_view loc, std::string_view elem, int rows, int cols,
                 Target target = Target::a5) {
  const bool a5_left = loc == "left" && target == Target::a5;
  const std::string_view layout = loc == "vec" || loc == "scaling" || loc == "mat_row"
                                      ? "blayout=row_major, slayout=none_box, fractal=512"
                                  : loc == "right" ? "blayout=row_major, slayout=col_major, fractal=512"
                                  : loc == "acc"   ? "blayout=col_major, slayout=row_major, fractal=1024"
                                  : loc == "dn"    ? "blayout=col_major, slayout=none_box, fractal=512"
                                  : loc == "mat" || loc == "nz" || a5_left
                                      ? "blayout=col_major, slayout=row_major, fractal=512"
                                      : "blayout=row_major, slayout=row_major, fractal=512";
  const std::string_view where = loc == "nz" || loc == "dn" ? "vec" : loc == "mat_row" ? "mat" : loc;
  return fmt::format("!pto.tile_buf<loc={}, dtype={}, rows={}, cols={}, v_row={}, v_col={}, {}, pad=0>",
                     where, elem, rows, cols, rows, cols, layout);
}

struct Setup {
  Target target = Target::a5;
  Conversion conversion;
  std::string_view layout = "nz2nd";
  bool relu = false;
};

std::string load(std::string_view name, std::string_view source, std::string_view elem, int rows, int cols,
                 int address, std::string_view layout = "mat") {
  const std::string type = tile(layout, elem, rows, cols);
  const std::string view = fmt::format("!pto.partition_tensor_view<{}x{}x{}>", rows, cols, elem);
  return fmt::format(
      "%r_{0} = arith.constant {1} : index\n%c_{0} = arith.constant {2} : index\n"
      "%at_{0} = arith.constant {3} : i64\n"
      "%v_{0} = pto.make_tensor_view %{4}, shape = [%r_{0}, %c_{0}], strides = [%c_{0}, %c1] : "
      "!pto.tensor_view<?x?x{5}>\n"
      "%p_{0} = pto.partition_view %v_{0}, offsets = [%c0, %c0], sizes = [%r_{0}, %c_{0}] : "
      "!pto.tensor_view<?x?x{5}> -> {6}\n"
      "%{0} = pto.alloc_tile addr = %at_{0} : {7}\n"
      "pto.tload ins(%p_{0} : {6}) outs(%{0} : {7})\n",
      name, rows, cols, address, source, elem, view, type);
}

std::string end_of(const Setup& s, std::string_view core, std::string_view slots) {
  return fmt::format(
      "pto.{}_initialize_pipe {{id = 3, dir_mask = 1, slot_size = {}, nosplit = true, acc_push_epilogue = "
      "#pto.acc_push_epilogue<layout = {}, quant = {}, relu = {}>}} ({}c2v_consumer_buf = {} : i32, "
      "v2c_consumer_buf = %zero : i32)\n",
      core, kM * kN * width(s.conversion.to), s.layout, s.conversion.quant,
      s.relu ? "normal_relu" : "no_relu",
      s.target == Target::a2a3 ? fmt::format("gm_slot_buffer = %gm : !pto.ptr<{}>, ", s.conversion.to) : "",
      slots);
}

/// a x b in the accumulator goes through the queue; the bytes of the slot come out, of each vector core that
/// has one.
std::string kernel(const Setup& s) {
  const Conversion& how = s.conversion;
  const std::string_view in = how.from == "i32" ? "i8" : "f32";
  const std::string arguments = fmt::format(
      "%a: !pto.ptr<{0}>, %b: !pto.ptr<{0}>, %words: !pto.ptr<i64>, %gm: !pto.ptr<{1}>, %out: !pto.ptr<i8>",
      in, how.to);
  const std::string constants =
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%zero = arith.constant 0 : i32\n"
      "%at0 = arith.constant 0 : i64\n";
  std::string text = fmt::format(
      "module attributes {{pto.target_arch = \"{}\"}} {{\nfunc.func @k_aic({}) attributes "
      "{{pto.kernel_kind = #pto.kernel_kind<cube>}} {{\n{}"
      "%slots = pto.import_reserved_buffer {{name = \"q\", peer_func = @k_aiv}} -> i32\n",
      to_string(s.target), arguments, constants);
  text += end_of(s, "aic", "%slots");
  text += load("am", "a", in, kM, kK, 0) + load("bm", "b", in, kK, kN, 16384);
  const std::string left = tile("left", in, kM, kK, s.target);
  const std::string right = tile("right", in, kK, kN);
  const std::string acc = tile("acc", how.from, kM, kN);
  text += fmt::format(
      "%al = pto.alloc_tile addr = %at0 : {0}\n%br = pto.alloc_tile addr = %at0 : {1}\n"
      "%acc = pto.alloc_tile addr = %at0 : {2}\npto.barrier <PIPE_ALL>\n"
      "pto.tmov ins(%am : {3}) outs(%al : {0})\npto.tmov ins(%bm : {4}) outs(%br : {1})\n"
      "pto.barrier <PIPE_ALL>\npto.tmatmul ins(%al, %br : {0}, {1}) outs(%acc : {2})\n",
      left, right, acc, tile("mat", in, kM, kK), tile("mat", in, kK, kN));
  if (how.vector()) {
    const std::string_view elem = s.target == Target::a5 ? "f32" : "i64";
    const std::string table = tile("scaling", elem, 1, elem == "f32" ? 2 * kN : kN);
    text += load("wm", "words", "i64", 1, kN, 65536, "mat_row");
    text += fmt::format(
        "%ws = pto.alloc_tile addr = %at0 : {0}\n%w = pto.alloc_tile addr = %at0 : {1}\npto.barrier "
        "<PIPE_ALL>\n"
        "pto.tmov ins(%wm : {2}) outs(%ws : {0})\npto.set_quant_vector(%w : {1}) {{id = 3}}\n",
        tile("scaling", "i64", 1, kN), table, tile("mat_row", "i64", 1, kN));
  } else if (how.scaled()) {
    text +=
        "%scale = arith.constant 0.37 : f32\n%other = arith.constant 5.0 : f32\n"
        "pto.set_quant_scalar(%other : f32) {id = 3}\npto.set_quant_scalar(%scale : f32) {id = 3}\n";
  }
  const bool a2a3 = s.target == Target::a2a3;
  const auto bytes = kM * kN * width(how.to);
  const std::string got = tile(s.layout == "nz2nd"   ? "vec"
                               : s.layout == "nz2dn" ? "dn"
                                                     : "nz",
                               how.to, kM, kN);
  const std::string raw = tile("vec", "i8", kM, static_cast<int>(bytes) / kM);
  const std::string window = fmt::format("!pto.partition_tensor_view<{}x{}xi8>", kM, bytes / kM);
  text += fmt::format(
      "pto.barrier <PIPE_ALL>\npto.tpush_to_aiv(%acc : {}) {{id = 3, split = 0}}\nreturn\n}}\n", acc);
  text += fmt::format(
      "func.func @k_aiv({0}{1}) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{\n{2}"
      "%slots = pto.reserve_buffer {{name = \"q\", size = {3}, location = #pto.address_space<vec>, auto = "
      "false, base = 1024}} -> i32\n",
      arguments, a2a3 ? ", %lane32: i32" : "", constants, 8 * bytes);
  text += a2a3 ? "%lane = arith.index_cast %lane32 : i32 to index\n" : "%lane = arith.constant 0 : index\n";
  text += end_of(s, "aiv", "%slots");
  text += fmt::format(
      "%t = pto.tpop_from_aic {{id = 3, split = 0}} -> {0}\npto.barrier <PIPE_ALL>\n"
      "%at = arith.constant 1024 : i64\n%raw = pto.alloc_tile addr = %at : {1}\n"
      "%m = arith.constant {2} : index\n%n = arith.constant {3} : index\n%all = arith.constant {4} : index\n"
      "%row = arith.muli %lane, %m : index\n"
      "%ov = pto.make_tensor_view %out, shape = [%all, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xi8>\n"
      "%op = pto.partition_view %ov, offsets = [%row, %c0], sizes = [%m, %n] : !pto.tensor_view<?x?xi8> -> "
      "{5}\npto.tstore ins(%raw : {1}) outs(%op : {5})\npto.barrier <PIPE_ALL>\n"
      "pto.tfree_from_aic {{id = 3, split = 0}}\nreturn\n}}\n}}\n",
      got, raw, kM, bytes / kM, 2 * kM, window);
  return text;
}

// ---- the model

int left_at(int r, int c) { return (r * 7 + c * 3) % 11 - 5; }
int right_at(int r, int c) { return (r * 5 + c * 13) % 9 - 4; }

uint32_t bf16_bits(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  return (bits + 0x7fffU + (bits >> 16 & 1)) >> 16;
}

float column_scale(int c) { return 0.125F + 0.03125F * static_cast<float>(c % 7); }
constexpr int kOffset = 3;
uint64_t column_word(int c) {
  return std::bit_cast<uint32_t>(column_scale(c)) | uint64_t{kOffset} << 37 | uint64_t{1} << 46;
}

uint32_t converted(const Setup& s, int sum, int column) {
  const Conversion& how = s.conversion;
  if (how.to == "i32") return static_cast<uint32_t>(s.relu ? std::max(sum, 0) : sum);
  auto value = static_cast<float>(sum);
  if (how.scaled()) value *= how.vector() ? column_scale(column) : 0.37F;
  if (width(how.to) == 1) {  // A2/A3 add the offset before they round [N-quant-i8]
    const int offset = how.vector() ? kOffset : 0;
    const float inside = s.target == Target::a2a3 ? static_cast<float>(offset) : 0;
    int built = static_cast<int>(std::nearbyint(value + inside)) + (s.target == Target::a2a3 ? 0 : offset);
    built = how.to == "ui8" ? std::clamp(built, 0, 255) : std::clamp(built, -128, 127);
    return static_cast<uint32_t>(s.relu ? std::max(built, 0) : built) & 0xff;
  }
  if (s.relu && value < 0) value = 0;
  if (how.to == "f32") return std::bit_cast<uint32_t>(value);
  if (how.to == "bf16") return bf16_bits(value);
  return half_of(value);
}

size_t place(const Setup& s, int r, int c) {
  if (s.layout == "nz2nd") return static_cast<size_t>(r * kN + c);
  if (s.layout == "nz2dn") return static_cast<size_t>(c * kM + r);
  const int box = 32 / static_cast<int>(width(s.conversion.to));
  return static_cast<size_t>((c / box * kM + r) * box + c % box);
}

std::vector<uint8_t> expected(const Setup& s) {
  const size_t size = width(s.conversion.to);
  std::vector<uint8_t> built(static_cast<size_t>(kM * kN) * size);
  for (int r = 0; r < kM; ++r) {
    for (int c = 0; c < kN; ++c) {
      int sum = 0;
      for (int k = 0; k < kK; ++k) sum += left_at(r, k) * right_at(k, c);
      const uint32_t bits = converted(s, sum, c);
      std::memcpy(built.data() + place(s, r, c) * size, &bits, size);
    }
  }
  return built;
}

template <typename T>
std::vector<T> matrix(int rows, int cols, int (*at)(int, int)) {
  std::vector<T> built;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) built.push_back(static_cast<T>(at(r, c)));
  return built;
}

void check(const Setup& s) {
  CAPTURE(to_string(s.target), s.conversion.quant, s.conversion.to, s.layout, s.relu);
  const std::vector<uint8_t> wanted = expected(s);
  std::vector<uint64_t> words;
  for (int c = 0; c < kN; ++c) words.push_back(column_word(c));
  std::vector<Argument> arguments;
  if (s.conversion.from == "i32")
    arguments = {buffer("a", matrix<int8_t>(kM, kK, left_at)), buffer("b", matrix<int8_t>(kK, kN, right_at))};
  else
    arguments = {buffer("a", matrix<float>(kM, kK, left_at)), buffer("b", matrix<float>(kK, kN, right_at))};
  arguments.push_back(buffer("words", words));
  arguments.push_back(buffer("gm", std::vector<uint8_t>(8 * wanted.size())));
  arguments.push_back(buffer("out", std::vector<uint8_t>(2 * wanted.size(), 0xee)));
  expect_clean(run_text(kernel(s), arguments));
  std::vector<uint8_t> got = values_of<uint8_t>(arguments[4]);
  if (s.target == Target::a2a3)
    CHECK(std::vector<uint8_t>(got.begin() + static_cast<ptrdiff_t>(wanted.size()), got.end()) == wanted);
  got.resize(wanted.size());
  CHECK(got == wanted);
}

TEST_CASE("A push converts, rectifies and lays out the accumulator", "[queues][epilogue]") {
  for (const Target target : {Target::a2a3, Target::a5}) {
    for (const Conversion& conversion : kConversions) {
      if (conversion.a5_only && target == Target::a2a3) continue;
      for (const bool relu : {false, true}) {
        check({target, conversion, "nz2nd", relu});
        if (target == Target::a2a3) continue;
        check({target, conversion, "nz2dn", relu});
        check({target, conversion, "nz2nz", relu});
      }
    }
  }
}

}  // namespace
