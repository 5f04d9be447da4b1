// Tile queues whose entries do not divide by two, whose vector cores act for each other, and whose slots
// are in GM on A5 too: from text to values, against products made here.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "driver/run_fixture.hpp"

namespace {

using namespace pto;
using namespace pto::test;

constexpr int kEntries = 5, kSide = 16;

struct Case {
  Target target = Target::a5;
  int split = 1;       ///< 1, 2: halves of rows, of columns; 3, 4: the first core has one more
  bool slots = false;  ///< the slots in GM are a view, on A5 instead of slots on chip
  bool swap = false;   ///< each vector core acts for the other

  [[nodiscard]] bool by_rows() const { return split == 1 || split == 3; }
  [[nodiscard]] bool odd() const { return split > 2; }
  [[nodiscard]] int rows() const { return by_rows() && odd() ? kSide - 1 : kSide; }
  [[nodiscard]] int cols() const { return !by_rows() && odd() ? kSide - 1 : kSide; }
};

std::string tile(std::string_view loc, int rows, int cols, int valid_rows, int valid_cols,
                 std::string_view layout) {
  const auto extent = [](int value) { return value < 0 ? std::string("?") : std::to_string(value); };
  return fmt::format("!pto.tile_buf<loc={}, dtype=f32, rows={}, cols={}, v_row={}, v_col={}, {}, pad=0>", loc,
                     rows, cols, extent(valid_rows), extent(valid_cols), layout);
}
constexpr std::string_view kNd = "blayout=row_major, slayout=none_box, fractal=512",
                           kNz = "blayout=col_major, slayout=row_major, fractal=512",
                           kZn = "blayout=row_major, slayout=col_major, fractal=512",
                           kZz = "blayout=row_major, slayout=row_major, fractal=512",
                           kAcc = "blayout=col_major, slayout=row_major, fractal=1024";

constexpr const char* kHead =
    "func.func @{}(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>, %gm: !pto.ptr<f32>, %out: !pto.ptr<f32>{}) "
    "attributes "
    "{{pto.kernel_kind = #pto.kernel_kind<{}>}} {{\n"
    "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c16 = arith.constant 16 : index\n"
    "%count = arith.constant 5 : index\n%all = arith.constant 80 : index\n"
    "%rows = arith.constant {} : index\n%cols = arith.constant {} : index\n"
    "%gv = pto.make_tensor_view %gm, shape = [%c16, %c16], strides = [%c16, %c1] : "
    "!pto.tensor_view<16x16xf32>\n";

std::string init(const Case& c, std::string_view core, int direction) {
  const std::string gm = c.target == Target::a2a3 ? "gm_slot_buffer = %gm : !pto.ptr<f32>, " : "";
  const std::string places = direction == 1
                                 ? "c2v_consumer_buf = %slots : i32, v2c_consumer_buf = %zero : i32"
                                 : "c2v_consumer_buf = %zero : i32, v2c_consumer_buf = %slots : i32";
  return fmt::format(
      "%zero = arith.constant 0 : i32\n"
      "pto.{}_initialize_pipe {{dir_mask = {}, slot_size = 1024, slot_num = 2}} ({})\n",
      core, direction,
      c.slots ? "gm_slot_tensor = %gv : !pto.tensor_view<16x16xf32>, c2v_consumer_buf = %slots : i32"
              : gm + places);
}
std::string reserve(std::string_view location) {
  return fmt::format(
      "%slots = pto.reserve_buffer {{name = \"q\", size = 2048, location = "
      "#pto.address_space<{}>, auto = true}} -> i32\n",
      location);
}
std::string import(std::string_view peer) {
  return fmt::format("%slots = pto.import_reserved_buffer {{name = \"q\", peer_func = @{}}} -> i32\n", peer);
}

/// The lane that a vector core acts for, and its part of an entry.
std::string lanes(const Case& c) {
  return fmt::format(
      "%own = arith.index_cast %lane32 : i32 to index\n%other = arith.subi %c1, %own : index\n"
      "%act = arith.addi %{}, %c0 : index\n%act64 = arith.index_cast %act : index to i64\n"
      "%half = arith.constant 8 : index\n%less = arith.muli %act, %{} : index\n"
      "%part = arith.subi %half, %less : index\n%skip = arith.muli %act, %half : index\n",
      c.swap ? "other" : "own", c.odd() ? "c1" : "c0");
}
std::string acting(const Case& c) { return c.swap ? " aiv_subblockid(%act64)" : ""; }

std::string module_of(const Case& c, const std::string& functions) {
  return fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{\n{}}}\n", to_string(c.target),
                     functions);
}

/// Products of 16 x 16 go out in halves, and are doubled.
std::string to_vector(const Case& c) {
  const std::string am = tile("mat", 16, 16, c.rows(), 16, kNz);
  const std::string bm = tile("mat", 16, 16, 16, c.cols(), kNz);
  const std::string left = tile("left", 16, 16, c.rows(), 16, c.target == Target::a5 ? kNz : kZz);
  const std::string right = tile("right", 16, 16, 16, c.cols(), kZn);
  const std::string acc = tile("acc", 16, 16, c.rows(), c.cols(), kAcc);
  const std::string vec = tile("vec", c.by_rows() ? 8 : 16, c.by_rows() ? 16 : 8, -1, -1, kNd);
  std::string text =
      fmt::format(kHead, "k_aic", "", "cube", c.rows(), c.cols()) + import("k_aiv") + init(c, "aic", 1);
  text += fmt::format(
      "%av = pto.make_tensor_view %a, shape = [%all, %c16], strides = [%c16, %c1] : "
      "!pto.tensor_view<?x?xf32>\n"
      "%bv = pto.make_tensor_view %b, shape = [%c16, %c16], strides = [%c16, %c1] : "
      "!pto.tensor_view<?x?xf32>\n"
      "%bp = pto.partition_view %bv, offsets = [%c0, %c0], sizes = [%c16, %cols] : !pto.tensor_view<?x?xf32> "
      "-> "
      "!pto.partition_tensor_view<16x{0}xf32>\n"
      "%bm = pto.alloc_tile : {1}\n%br = pto.alloc_tile : {2}\n"
      "pto.tload ins(%bp : !pto.partition_tensor_view<16x{0}xf32>) outs(%bm : {1})\n"
      "pto.tmov ins(%bm : {1}) outs(%br : {2})\n"
      "scf.for %i = %c0 to %count step %c1 {{\n  %row = arith.muli %i, %c16 : index\n"
      "  %ap = pto.partition_view %av, offsets = [%row, %c0], sizes = [%rows, %c16] : "
      "!pto.tensor_view<?x?xf32> "
      "-> !pto.partition_tensor_view<{3}x16xf32>\n"
      "  %am = pto.alloc_tile : {4}\n  %al = pto.alloc_tile : {5}\n  %acc = pto.alloc_tile : {6}\n"
      "  pto.tload ins(%ap : !pto.partition_tensor_view<{3}x16xf32>) outs(%am : {4})\n"
      "  pto.tmov ins(%am : {4}) outs(%al : {5})\n"
      "  pto.tmatmul ins(%al, %br : {5}, {2}) outs(%acc : {6})\n"
      "  pto.tpush_to_aiv(%acc : {6}) {{split = {7}}}\n}}\nreturn\n}}\n",
      c.cols(), bm, right, c.rows(), am, left, acc, c.split);
  text += fmt::format(kHead, "k_aiv", ", %lane32: i32", "vector", c.rows(), c.cols()) + reserve("vec") +
          lanes(c) + init(c, "aiv", 1);
  text += fmt::format(
      "%two = arith.constant 2.0 : f32\n"
      "%ov = pto.make_tensor_view %out, shape = [%all, %c16], strides = [%c16, %c1] : "
      "!pto.tensor_view<?x?xf32>\n"
      "scf.for %i = %c0 to %count step %c1 {{\n"
      "  %base = arith.muli %i, %c16 : index\n  %row = arith.addi %base, {0} : index\n"
      "  %t = pto.tpop_from_aic({2}, {3}) {{split = {4}}}{5} -> {6}\n"
      "  %u = pto.alloc_tile valid_row = {2} valid_col = {3} : {6}\n"
      "  pto.tmuls ins(%t, %two : {6}, f32) outs(%u : {6})\n  pto.tfree_from_aic {{split = {4}}}\n"
      "  %op = pto.partition_view %ov, offsets = [%row, {1}], sizes = [{2}, {3}] : !pto.tensor_view<?x?xf32> "
      "-> "
      "!pto.partition_tensor_view<?x?xf32>\n"
      "  pto.tstore ins(%u : {6}) outs(%op : !pto.partition_tensor_view<?x?xf32>)\n}}\nreturn\n}}\n",
      c.by_rows() ? "%skip" : "%c0", c.by_rows() ? "%c0" : "%skip", c.by_rows() ? "%part" : "%c16",
      c.by_rows() ? "%c16" : "%part", c.split, acting(c), vec);
  return module_of(c, text);
}

/// Halves of 16 x 16 come together in the left operand of a product.
std::string to_cube(const Case& c) {
  const std::string vec = tile("vec", c.by_rows() ? 8 : 16, c.by_rows() ? 16 : 8, c.by_rows() ? 8 : 16,
                               c.by_rows() ? 16 : 8, kNd);
  const std::string mat = tile("mat", 16, 16, 16, 16, kNz);
  const std::string right = tile("right", 16, 16, 16, 16, kZn);
  const std::string left = tile("left", 16, 16, 16, 16, c.target == Target::a5 ? kNz : kZz);
  const std::string acc = tile("acc", 16, 16, 16, 16, kAcc);
  const std::string part = c.by_rows() ? "8x16" : "16x8";
  std::string text = fmt::format(kHead, "k_aiv", ", %lane32: i32", "vector", 16, 16) + import("k_aic") +
                     lanes(c) + init(c, "aiv", 2);
  text += fmt::format(
      "%av = pto.make_tensor_view %a, shape = [%all, %c16], strides = [%c16, %c1] : "
      "!pto.tensor_view<?x?xf32>\n"
      "scf.for %i = %c0 to %count step %c1 {{\n"
      "  %base = arith.muli %i, %c16 : index\n  %row = arith.addi %base, {0} : index\n"
      "  %ap = pto.partition_view %av, offsets = [%row, {1}], sizes = [{2}, {3}] : !pto.tensor_view<?x?xf32> "
      "-> "
      "!pto.partition_tensor_view<{4}xf32>\n"
      "  %t = pto.alloc_tile : {5}\n"
      "  pto.tload ins(%ap : !pto.partition_tensor_view<{4}xf32>) outs(%t : {5})\n"
      "  pto.tpush_to_aic(%t : {5}) {{split = {6}}}{7}\n}}\nreturn\n}}\n",
      c.by_rows() ? "%skip" : "%c0", c.by_rows() ? "%c0" : "%skip", c.by_rows() ? "%half" : "%c16",
      c.by_rows() ? "%c16" : "%half", part, vec, c.split, acting(c));
  text += fmt::format(kHead, "k_aic", "", "cube", 16, 16) + reserve("mat") + init(c, "aic", 2);
  text += fmt::format(
      "%bv = pto.make_tensor_view %b, shape = [%c16, %c16], strides = [%c16, %c1] : "
      "!pto.tensor_view<?x?xf32>\n"
      "%ov = pto.make_tensor_view %out, shape = [%all, %c16], strides = [%c16, %c1] : "
      "!pto.tensor_view<?x?xf32>\n"
      "%bp = pto.partition_view %bv, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> "
      "-> "
      "!pto.partition_tensor_view<16x16xf32>\n"
      "%bm = pto.alloc_tile : {0}\n%br = pto.alloc_tile : {1}\n"
      "pto.tload ins(%bp : !pto.partition_tensor_view<16x16xf32>) outs(%bm : {0})\n"
      "pto.tmov ins(%bm : {0}) outs(%br : {1})\n"
      "scf.for %i = %c0 to %count step %c1 {{\n  %row = arith.muli %i, %c16 : index\n"
      "  %am = pto.tpop_from_aiv {{split = {4}}} -> {0}\n  %al = pto.alloc_tile : {2}\n"
      "  %acc = pto.alloc_tile : {3}\n"
      "  pto.tmov ins(%am : {0}) outs(%al : {2})\n  pto.tfree_from_aiv {{split = {4}}}\n"
      "  pto.tmatmul ins(%al, %br : {2}, {1}) outs(%acc : {3})\n"
      "  %op = pto.partition_view %ov, offsets = [%row, %c0], sizes = [%c16, %c16] : "
      "!pto.tensor_view<?x?xf32> -> "
      "!pto.partition_tensor_view<16x16xf32>\n"
      "  pto.tstore ins(%acc : {3}) outs(%op : !pto.partition_tensor_view<16x16xf32>)\n}}\nreturn\n}}\n",
      mat, right, left, acc, c.split);
  return module_of(c, text);
}

/// Small whole numbers: every product and sum is exact.
std::vector<float> numbers(int which, int count) {
  std::vector<float> built;
  for (int i = 0; i < count; ++i) built.push_back(static_cast<float>((i * 7 + which * 3 + i / 13) % 11 - 5));
  return built;
}

/// What the kernel leaves: products of the valid part, -1 elsewhere.
std::vector<float> expected(const std::vector<float>& a, const std::vector<float>& b, int rows, int cols,
                            float factor) {
  std::vector<float> built(kEntries * kSide * kSide, -1.0F);
  for (int e = 0; e < kEntries; ++e) {
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < cols; ++c) {
        const int row = e * kSide + r;
        float sum = 0;
        for (int k = 0; k < kSide; ++k)
          sum += a[static_cast<size_t>(row * kSide + k)] * b[static_cast<size_t>(k * kSide + c)];
        built[static_cast<size_t>(row * kSide + c)] = sum * factor;
      }
    }
  }
  return built;
}

void check(const Case& c, const std::string& text, int rows, int cols, float factor) {
  CAPTURE(to_string(c.target), c.split, c.slots, c.swap);
  const std::vector<float> a = numbers(1, kEntries * kSide * kSide);
  const std::vector<float> b = numbers(2, kSide * kSide);
  std::vector<Argument> arguments{buffer("a", a), buffer("b", b), buffer("gm", std::vector<float>(512)),
                                  buffer("out", std::vector<float>(a.size(), -1.0F))};
  arguments[2].initialised = false;
  PrepareOptions wanted;
  wanted.level = Level::level2;
  expect_clean(run_text(text, arguments, wanted));
  CHECK(values_of<float>(arguments[3]) == expected(a, b, rows, cols, factor));
}

TEST_CASE("Entries with odd extents reach the vector cores, the first one having one more", "[queues]") {
  for (const int split : {3, 4}) {
    for (const bool swap : {false, true}) {
      for (const Case& c : {Case{Target::a2a3, split, false, swap}, Case{Target::a2a3, split, true, swap},
                            Case{Target::a5, split, true, swap}})
        check(c, to_vector(c), c.rows(), c.cols(), 2);
    }
  }
}

TEST_CASE("Halves reach vector cores out of slots in GM, also of the other core", "[queues]") {
  for (const int split : {1, 2}) {
    for (const bool swap : {false, true}) {
      for (const Case& c : {Case{Target::a2a3, split, false, swap}, Case{Target::a2a3, split, true, swap},
                            Case{Target::a5, split, true, swap}})
        check(c, to_vector(c), kSide, kSide, 2);
    }
  }
}

TEST_CASE("Vector cores bring their half of an entry, or that of the other core", "[queues]") {
  for (const int split : {1, 2}) {
    for (const bool swap : {false, true}) {
      for (const Case& c : {Case{Target::a2a3, split, false, swap}, Case{Target::a5, split, false, swap}})
        check(c, to_cube(c), kSide, kSide, 1);
    }
  }
}

}  // namespace
