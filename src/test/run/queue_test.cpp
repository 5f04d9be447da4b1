// Tile queues, from text to values: both cores of a launch, against sums made here.
#include <fmt/format.h>

#include <cstring>
#include <string>
#include <vector>

#include "pto/prepare.hpp"
#include "testing/catch_main.hpp"

namespace {

using namespace pto;

std::string tile(std::string_view loc, int rows, int cols, std::string_view valid = {}) {
  const std::string_view layout = loc == "vec"     ? "blayout=row_major, slayout=none_box, fractal=512"
                                  : loc == "right" ? "blayout=row_major, slayout=col_major, fractal=512"
                                  : loc == "acc"   ? "blayout=col_major, slayout=row_major, fractal=1024"
                                                   : "blayout=col_major, slayout=row_major, fractal=512";
  const std::string extents =
      valid.empty() ? fmt::format("v_row={}, v_col={}", rows, cols) : std::string(valid);
  return fmt::format("!pto.tile_buf<loc={}, dtype=f32, rows={}, cols={}, {}, {}, pad=0>", loc, rows, cols,
                     extents, layout);
}

struct Shape {
  int rows = 16, cols = 64, depth = 16;
};

struct Setup {
  Target target = Target::a5;
  int split = 0;
  int entries = 20;
  int slots = 0;  ///< 0: left to the default
  Shape shape;
};

std::string left_of(Target target) {
  // On A5 the left tile's blocks run along rows.
  return target == Target::a5 ? "blayout=col_major, slayout=row_major, fractal=512"
                              : "blayout=row_major, slayout=row_major, fractal=512";
}
std::string left_tile(Target target, int rows, int cols) {
  return fmt::format("!pto.tile_buf<loc=left, dtype=f32, rows={}, cols={}, v_row={}, v_col={}, {}, pad=0>",
                     rows, cols, rows, cols, left_of(target));
}

std::string init(const Setup& s, std::string_view core, int directions, std::string_view c2v,
                 std::string_view v2c) {
  const int bytes = s.shape.rows * s.shape.cols * 4;
  return fmt::format(
      "pto.{}_initialize_pipe {{dir_mask = {}, slot_size = {}{}}} ({}c2v_consumer_buf = {} : i32, "
      "v2c_consumer_buf "
      "= {} : i32)\n",
      core, directions, bytes, s.slots == 0 ? "" : fmt::format(", slot_num = {}", s.slots),
      s.target == Target::a2a3 ? "gm_slot_buffer = %gm : !pto.ptr<f32>, " : "", c2v, v2c);
}

int slots_of(const Setup& s) { return s.slots == 0 ? 8 : s.slots; }
int part_rows(const Setup& s) { return s.split == 1 ? s.shape.rows / 2 : s.shape.rows; }
int part_cols(const Setup& s) { return s.split == 2 ? s.shape.cols / 2 : s.shape.cols; }
bool both_lanes(const Setup& s) { return s.split != 0 || s.target == Target::a2a3; }

/// Entry i is a(i) * b, made by the cube core; the vector cores double it. Whole entries on A2/A3 reach both
/// vector cores, and each stores its own copy.
std::string to_vector(const Setup& s) {
  const auto [m, n, k] = s.shape;
  const int r = part_rows(s);
  const int c = part_cols(s);
  const int bytes = m * n * 4;
  std::string text = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{\n", to_string(s.target));
  text += fmt::format(
      "func.func @k_aic(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>, %gm: !pto.ptr<f32>, %out: !pto.ptr<f32>) "
      "attributes "
      "{{pto.kernel_kind = #pto.kernel_kind<cube>}} {{\n"
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%zero = arith.constant 0 : i32\n"
      "%m = arith.constant {0} : index\n%n = arith.constant {1} : index\n%k = arith.constant {2} : index\n"
      "%count = arith.constant {3} : index\n%all = arith.constant {4} : index\n"
      "%slots = pto.import_reserved_buffer {{name = \"q\", peer_func = @k_aiv}} -> i32\n",
      m, n, k, s.entries, m * s.entries);
  text += init(s, "aic", 1, "%slots", "%zero");
  text += fmt::format(
      "%av = pto.make_tensor_view %a, shape = [%all, %k], strides = [%k, %c1] : !pto.tensor_view<?x?xf32>\n"
      "%bv = pto.make_tensor_view %b, shape = [%k, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>\n"
      "%bp = pto.partition_view %bv, offsets = [%c0, %c0], sizes = [%k, %n] : !pto.tensor_view<?x?xf32> -> "
      "!pto.partition_tensor_view<{2}x{1}xf32>\n"
      "%bm = pto.alloc_tile : {4}\n%br = pto.alloc_tile : {6}\n"
      "pto.tload ins(%bp : !pto.partition_tensor_view<{2}x{1}xf32>) outs(%bm : {4})\n"
      "pto.tmov ins(%bm : {4}) outs(%br : {6})\n"
      "scf.for %i = %c0 to %count step %c1 {{\n"
      "  %row = arith.muli %i, %m : index\n"
      "  %ap = pto.partition_view %av, offsets = [%row, %c0], sizes = [%m, %k] : !pto.tensor_view<?x?xf32> "
      "-> "
      "!pto.partition_tensor_view<{0}x{2}xf32>\n"
      "  %am = pto.alloc_tile : {3}\n  %al = pto.alloc_tile : {5}\n  %acc = pto.alloc_tile : {7}\n"
      "  pto.tload ins(%ap : !pto.partition_tensor_view<{0}x{2}xf32>) outs(%am : {3})\n"
      "  pto.tmov ins(%am : {3}) outs(%al : {5})\n"
      "  pto.tmatmul ins(%al, %br : {5}, {6}) outs(%acc : {7})\n"
      "  pto.tpush_to_aiv(%acc : {7}) {{split = {8}}}\n}}\nreturn\n}}\n",
      m, n, k, tile("mat", m, k), tile("mat", k, n), left_tile(s.target, m, k), tile("right", k, n),
      tile("acc", m, n), s.split);
  text += fmt::format(
      "func.func @k_aiv(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>, %gm: !pto.ptr<f32>, %out: !pto.ptr<f32>{0}) "
      "attributes "
      "{{pto.kernel_kind = #pto.kernel_kind<vector>}} {{\n"
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%zero = arith.constant 0 : i32\n"
      "%two = arith.constant 2.0 : f32\n%stack = arith.constant {1} : index\n"
      "%n = arith.constant {2} : index\n%count = arith.constant {3} : index\n%all = arith.constant {4} : "
      "index\n"
      "%r = arith.constant {5} : index\n%c = arith.constant {6} : index\n"
      "%slots = pto.reserve_buffer {{name = \"q\", size = {7}, location = #pto.address_space<vec>, auto = "
      "true}} -> "
      "i32\n",
      both_lanes(s) ? ", %lane32: i32" : "", s.split == 0 && both_lanes(s) ? 2 * m : m, n, s.entries,
      (s.split == 0 && both_lanes(s) ? 2 : 1) * m * s.entries, r, c, bytes * slots_of(s));
  text += both_lanes(s) ? "%lane = arith.index_cast %lane32 : i32 to index\n"
                        : "%lane = arith.constant 0 : index\n";
  text += init(s, "aiv", 1, "%slots", "%zero");
  text += fmt::format(
      "%ov = pto.make_tensor_view %out, shape = [%all, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>\n"
      "scf.for %i = %c0 to %count step %c1 {{\n"
      "  %base = arith.muli %i, %stack : index\n"
      "  %dr = arith.muli %lane, {3} : index\n  %row = arith.addi %base, %dr : index\n"
      "  %dc = arith.muli %lane, {4} : index\n"
      "  %t = pto.tpop_from_aic {{split = {2}}} -> {5}\n  %u = pto.alloc_tile : {5}\n"
      "  pto.tmuls ins(%t, %two : {5}, f32) outs(%u : {5})\n"
      "  pto.tfree_from_aic {{split = {2}}}\n"
      "  %op = pto.partition_view %ov, offsets = [%row, %dc], sizes = [%r, %c] : !pto.tensor_view<?x?xf32> "
      "-> "
      "!pto.partition_tensor_view<{0}x{1}xf32>\n"
      "  pto.tstore ins(%u : {5}) outs(%op : !pto.partition_tensor_view<{0}x{1}xf32>)\n}}\nreturn\n}}\n}}\n",
      r, c, s.split, s.split == 2 ? "%c0" : "%r", s.split == 2 ? "%c" : "%c0", tile("vec", r, c));
  return text;
}

/// Entry i comes from the vector cores, each bringing its part; the cube core multiplies it by b.
std::string to_cube(const Setup& s) {
  const auto [m, n, k] = s.shape;
  const int r = part_rows(s);
  const int c = part_cols(s);
  const int bytes = m * n * 4;
  std::string text = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{\n", to_string(s.target));
  text += fmt::format(
      "func.func @k_aiv(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>, %gm: !pto.ptr<f32>, %out: !pto.ptr<f32>{0}) "
      "attributes "
      "{{pto.kernel_kind = #pto.kernel_kind<vector>}} {{\n"
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%zero = arith.constant 0 : i32\n"
      "%m = arith.constant {1} : index\n%n = arith.constant {2} : index\n%count = arith.constant {3} : "
      "index\n"
      "%all = arith.constant {4} : index\n%r = arith.constant {5} : index\n%c = arith.constant {6} : index\n"
      "%slots = pto.import_reserved_buffer {{name = \"q\", peer_func = @k_aic}} -> i32\n",
      both_lanes(s) ? ", %lane32: i32" : "", m, n, s.entries, m * s.entries, r, c);
  text += both_lanes(s) ? "%lane = arith.index_cast %lane32 : i32 to index\n"
                        : "%lane = arith.constant 0 : index\n";
  text += init(s, "aiv", 2, "%zero", "%slots");
  // Whole entries on A2/A3: the second core takes part with a tile of nothing.
  const bool idle = s.split == 0 && both_lanes(s);
  const std::string vec = tile("vec", r, c, idle ? "v_row=?, v_col=?" : "");
  text += fmt::format(
      "%av = pto.make_tensor_view %a, shape = [%all, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>\n"
      "{6}"
      "scf.for %i = %c0 to %count step %c1 {{\n"
      "  %base = arith.muli %i, %m : index\n"
      "  %dr = arith.muli %lane, {3} : index\n  %row = arith.addi %base, %dr : index\n"
      "  %dc = arith.muli %lane, {4} : index\n"
      "  %ap = pto.partition_view %av, offsets = [%row, %dc], sizes = [{8}, {9}] : !pto.tensor_view<?x?xf32> "
      "-> "
      "!pto.partition_tensor_view<{10}xf32>\n"
      "  %t = pto.alloc_tile {7}: {5}\n"
      "  pto.tload ins(%ap : !pto.partition_tensor_view<{10}xf32>) outs(%t : {5})\n"
      "  pto.tpush_to_aic(%t : {5}) {{split = {2}}}\n}}\nreturn\n}}\n",
      r, c, s.split, s.split == 1 ? "%r" : "%c0", s.split == 2 ? "%c" : "%c0", vec,
      idle ? "%first = arith.cmpi eq, %lane, %c0 : index\n%vr = arith.select %first, %r, %c0 : index\n"
             "%vc = arith.select %first, %c, %c0 : index\n"
           : "",
      idle ? "valid_row = %vr valid_col = %vc " : "", idle ? "%vr" : "%r", idle ? "%vc" : "%c",
      idle ? std::string("?x?x").substr(0, 3) : fmt::format("{}x{}", r, c));
  text += fmt::format(
      "func.func @k_aic(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>, %gm: !pto.ptr<f32>, %out: !pto.ptr<f32>) "
      "attributes "
      "{{pto.kernel_kind = #pto.kernel_kind<cube>}} {{\n"
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%zero = arith.constant 0 : i32\n"
      "%m = arith.constant {0} : index\n%n = arith.constant {1} : index\n%k = arith.constant {2} : index\n"
      "%count = arith.constant {3} : index\n%all = arith.constant {4} : index\n"
      "%slots = pto.reserve_buffer {{name = \"q\", size = {5}, location = #pto.address_space<mat>, auto = "
      "true}} -> "
      "i32\n",
      m, n, k, s.entries, m * s.entries, bytes * slots_of(s));
  text += init(s, "aic", 2, "%zero", "%slots");
  text += fmt::format(
      "%bv = pto.make_tensor_view %b, shape = [%n, %k], strides = [%k, %c1] : !pto.tensor_view<?x?xf32>\n"
      "%bp = pto.partition_view %bv, offsets = [%c0, %c0], sizes = [%n, %k] : !pto.tensor_view<?x?xf32> -> "
      "!pto.partition_tensor_view<{1}x{2}xf32>\n"
      "%bm = pto.alloc_tile : {4}\n%br = pto.alloc_tile : {6}\n"
      "pto.tload ins(%bp : !pto.partition_tensor_view<{1}x{2}xf32>) outs(%bm : {4})\n"
      "pto.tmov ins(%bm : {4}) outs(%br : {6})\n"
      "%ov = pto.make_tensor_view %out, shape = [%all, %k], strides = [%k, %c1] : !pto.tensor_view<?x?xf32>\n"
      "scf.for %i = %c0 to %count step %c1 {{\n"
      "  %row = arith.muli %i, %m : index\n"
      "  %am = pto.tpop_from_aiv {{split = {8}}} -> {3}\n  %al = pto.alloc_tile : {5}\n  %acc = "
      "pto.alloc_tile : {7}\n"
      "  pto.tmov ins(%am : {3}) outs(%al : {5})\n"
      "  pto.tfree_from_aiv {{split = {8}}}\n"
      "  pto.tmatmul ins(%al, %br : {5}, {6}) outs(%acc : {7})\n"
      "  %op = pto.partition_view %ov, offsets = [%row, %c0], sizes = [%m, %k] : !pto.tensor_view<?x?xf32> "
      "-> "
      "!pto.partition_tensor_view<{0}x{2}xf32>\n"
      "  pto.tstore ins(%acc : {7}) outs(%op : "
      "!pto.partition_tensor_view<{0}x{2}xf32>)\n}}\nreturn\n}}\n}}\n",
      m, n, k, tile("mat", m, n), tile("mat", n, k), left_tile(s.target, m, n), tile("right", n, k),
      tile("acc", m, k), s.split);
  return text;
}

/// Small whole numbers: every product and sum is exact.
float value(int which, int64_t i) { return static_cast<float>((i * 7 + which * 3 + i / 13) % 11 - 5); }

std::vector<float> numbers(int which, int count) {
  std::vector<float> built;
  for (int i = 0; i < count; ++i) built.push_back(value(which, i));
  return built;
}

/// rows x inner times inner x cols.
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, int rows, int inner,
                           int cols) {
  std::vector<float> built(static_cast<size_t>(rows) * static_cast<size_t>(cols), 0.0F);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c)
      for (int i = 0; i < inner; ++i)
        built[static_cast<size_t>(r * cols + c)] +=
            a[static_cast<size_t>(r * inner + i)] * b[static_cast<size_t>(i * cols + c)];
  return built;
}

Argument buffer(std::string name, const std::vector<float>& values) {
  Argument built;
  built.name = std::move(name);
  built.bytes.resize(values.size() * sizeof(float));
  std::memcpy(built.bytes.data(), values.data(), built.bytes.size());
  return built;
}
std::vector<float> floats(const Argument& argument) {
  std::vector<float> built(argument.bytes.size() / sizeof(float));
  std::memcpy(built.data(), argument.bytes.data(), argument.bytes.size());
  return built;
}

struct Run {
  SimResult result;
  std::vector<float> out;
};

Run run(const std::string& text, const Setup& s, std::vector<float> a, std::vector<float> b, size_t out_size,
        SimOptions options = {}) {
  PrepareOptions wanted;
  wanted.level = Level::level2;
  Result<Prepared> prepared = prepare(text, wanted);
  REQUIRE(prepared.ok());
  for (const Diagnostic& d : prepared->diagnostics.all()) {
    INFO(d.message);
    CHECK(d.severity != Severity::error);
  }
  REQUIRE(prepared->ready);
  std::vector<Argument> arguments;
  arguments.push_back(buffer("a", a));
  arguments.push_back(buffer("b", b));
  Argument gm =
      buffer("gm", std::vector<float>(static_cast<size_t>(2 * slots_of(s) * s.shape.rows * s.shape.cols)));
  gm.initialised = false;
  arguments.push_back(std::move(gm));
  arguments.push_back(buffer("out", std::vector<float>(out_size, -99.0F)));
  Result<SimResult> result = simulate(*prepared, arguments, options);
  if (!result) FAIL(result.error().message);
  return {std::move(*result), floats(arguments[3])};
}

void expect_clean(const SimResult& result) {
  for (const Diagnostic& finding : result.findings.all()) {
    INFO(to_string(finding.id) << " line " << finding.where.line << ": " << finding.message);
    CHECK(false);
  }
  CHECK(result.ended);
}

TEST_CASE("Entries reach the vector cores whole, by rows and by columns", "[queues]") {
  for (const Target target : {Target::a2a3, Target::a5}) {
    for (const int split : {0, 1, 2}) {
      for (const int slots : {0, 1, 2, 4}) {
        const Setup s{target, split, 11, slots, {}};
        CAPTURE(to_string(target), split, slots);
        const auto [m, n, k] = s.shape;
        const std::vector<float> a = numbers(1, s.entries * m * k);
        const std::vector<float> b = numbers(2, k * n);
        std::vector<float> expected = product(a, b, s.entries * m, k, n);
        for (float& each : expected) each *= 2;
        if (split == 0 && both_lanes(s)) {
          std::vector<float> twice;
          for (int i = 0; i < s.entries; ++i) {
            const auto first = expected.begin() + i * m * n;
            for (int copy = 0; copy < 2; ++copy) twice.insert(twice.end(), first, first + m * n);
          }
          expected = twice;
        }
        const Run got = run(to_vector(s), s, a, b, expected.size());
        expect_clean(got.result);
        CHECK(got.out == expected);
      }
    }
  }
}

TEST_CASE("Entries reach the cube core from one or both vector cores", "[queues]") {
  for (const Target target : {Target::a2a3, Target::a5}) {
    for (const int split : {0, 1, 2}) {
      const Setup s{target, split, 11, 0, {}};
      CAPTURE(to_string(target), split);
      const auto [m, n, k] = s.shape;
      const std::vector<float> a = numbers(3, s.entries * m * n);
      const std::vector<float> b = numbers(4, n * k);
      const Run got = run(to_cube(s), s, a, b, static_cast<size_t>(s.entries * m * k));
      expect_clean(got.result);
      CHECK(got.out == product(a, b, s.entries * m, n, k));
    }
  }
}

}  // namespace
