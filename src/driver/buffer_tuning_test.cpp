// Loops with several buffers: values as the kernel says, no finding, never slower; what is chosen.
#include <fmt/format.h>

#include <functional>

#include "driver/run_fixture.hpp"
#include "pto/assembler.hpp"

namespace {

using namespace pto;
using namespace pto::test;

constexpr int kRows = 16, kElements = kRows * 16;
constexpr int kMax = 7;  ///< turns of the longest loop
constexpr std::string_view kTile = "!pto.tile_buf<vec, 16x16xf32>";
constexpr std::string_view kMulti = "!pto.multi_tile_buf<vec, 16x16xf32, count=3>";
constexpr std::string_view kWindow = "!pto.partition_tensor_view<16x16xf32>";

std::string alloc(std::string_view name) { return fmt::format("%{} = pto.alloc_tile : {}\n", name, kTile); }
std::string window(std::string_view name, std::string_view view, std::string_view row) {
  return fmt::format(
      "%{} = pto.partition_view %{}, offsets = [%{}, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> "
      "-> {}\n",
      name, view, row, kWindow);
}
std::string load(std::string_view from, std::string_view tile) {
  return fmt::format("pto.tload ins(%{} : {}) outs(%{} : {})\n", from, kWindow, tile, kTile);
}
std::string store(std::string_view tile, std::string_view to) {
  return fmt::format("pto.tstore ins(%{} : {}) outs(%{} : {})\n", tile, kTile, to, kWindow);
}
/// One of the three tiles of %m.
std::string slot(std::string_view name, std::string_view number) {
  return fmt::format("%{} = pto.multi_tile_get %m[%{}] : {} -> {}\n", name, number, kMulti, kTile);
}
std::string add(std::string_view a, std::string_view b, std::string_view to) {
  return fmt::format("pto.tadd ins(%{}, %{} : {}, {}) outs(%{} : {})\n", a, b, kTile, kTile, to, kTile);
}

/// Rows [first, last) of `x` in steps of 16 are worked on; the bounds are numbers, or arguments.
struct Range {
  int turns = 0;
  bool numbers = false;
};
constexpr int kFirst = 16;
int last_of(int turns) { return kFirst + kRows * turns - (turns > 0 ? 3 : 0); }

std::string kernel(std::string_view target, const Range& range, const std::string& body) {
  std::string text = fmt::format(
      "module attributes {{pto.target_arch = \"{}\"}} {{\n"
      "func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %from: index, %to: index) attributes {{pto.entry}} "
      "{{\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n"
      "%c16 = arith.constant 16 : index\n%n = arith.constant 256 : index\n%c32 = arith.constant 32 : index\n",
      target);
  if (body.find("%m[") != std::string::npos)
    text += fmt::format("%c3 = arith.constant 3 : index\n%m = pto.alloc_multi_tile : {}\n", kMulti);
  text += range.numbers
              ? fmt::format("%first = arith.constant {} : index\n%last = arith.constant {} : index\n", kFirst,
                            last_of(range.turns))
              : "%first = arith.addi %from, %c0 : index\n%last = arith.addi %to, %c0 : index\n";
  for (const char* name : {"x", "y"}) {
    text += fmt::format(
        "%{0}v = pto.make_tensor_view %{0}, shape = [%n, %c16], strides = [%c16, %c1] : "
        "!pto.tensor_view<?x?xf32>\n",
        name);
  }
  return text + body + "return\n}\n}\n";
}

const std::string kLoop = "scf.for %row = %first to %last step %c16 {\n";
const std::string kWindows = window("px", "xv", "row") + window("py", "yv", "row");

using Numbers = std::vector<float>;
/// Element of block b.
float& at(Numbers& numbers, int block, int i) { return numbers[static_cast<size_t>(block * kElements + i)]; }

struct Kernel {
  std::string_view what;
  std::string body;
  std::function<void(Numbers& x, Numbers& y, int turns)> expected;
};

void doubled(Numbers& x, Numbers& y, int turns) {
  for (int iteration = 1; iteration <= turns; ++iteration) {
    for (int i = 0; i < kElements; ++i) at(y, iteration, i) = 2 * at(x, iteration, i);
  }
}
void summed(Numbers& x, Numbers& y, int turns) {
  for (int i = 0; i < kElements; ++i) at(y, 0, i) = at(x, 0, i);
  for (int iteration = 1; iteration <= turns; ++iteration) {
    for (int i = 0; i < kElements; ++i) at(y, 0, i) += at(x, iteration, i);
  }
}

std::vector<Kernel> kernels() {
  const std::string swapped = fmt::format("({0}, {0})", kTile);
  return {
      {"tiles made in the loop",
       kLoop + kWindows + alloc("a") + alloc("b") + load("px", "a") + add("a", "a", "b") + store("b", "py") +
           "}\n",
       doubled},
      {"tiles made before the loop",
       alloc("a") + alloc("b") + kLoop + kWindows + load("px", "a") + add("a", "a", "b") + store("b", "py") +
           "}\n",
       doubled},
      {"a sum in a tile from before the loop",
       alloc("sum") + window("p0", "xv", "c0") + load("p0", "sum") + alloc("a") + kLoop +
           window("px", "xv", "row") + load("px", "a") + add("sum", "a", "sum") + "}\n" +
           window("q0", "yv", "c0") + store("sum", "q0"),
       summed},
      {"a sum that the loop hands on",
       alloc("sum") + window("p0", "xv", "c0") + load("p0", "sum") +
           fmt::format("%end = scf.for %row = %first to %last step %c16 iter_args(%old = %sum) -> ({}) {{\n",
                       kTile) +
           window("px", "xv", "row") + alloc("a") + alloc("new") + load("px", "a") + add("old", "a", "new") +
           fmt::format("scf.yield %new : {}\n}}\n", kTile) + window("q0", "yv", "c0") + store("end", "q0"),
       summed},
      {"a loaded tile for the next turn, swapped",
       alloc("t0") + alloc("t1") + window("p0", "xv", "c0") + load("p0", "t0") +
           fmt::format(
               "%e0, %e1 = scf.for %row = %first to %last step %c16 iter_args(%old = %t0, %new = %t1) "
               "-> {} {{\n",
               swapped) +
           kWindows + alloc("b") + load("px", "new") + add("old", "new", "b") + store("b", "py") +
           fmt::format("scf.yield %new, %old : {0}, {0}\n}}\n", kTile) + window("q0", "yv", "c0") +
           store("e0", "q0"),
       [](Numbers& x, Numbers& y, int turns) {
         for (int iteration = 1; iteration <= turns; ++iteration) {
           for (int i = 0; i < kElements; ++i)
             at(y, iteration, i) = at(x, iteration - 1, i) + at(x, iteration, i);
         }
         for (int i = 0; i < kElements; ++i) at(y, 0, i) = at(x, turns, i);
       }},
      {"a row that the loop counts itself",
       "%end = scf.for %i = %first to %last step %c16 iter_args(%row = %c16) -> (index) {\n" + kWindows +
           alloc("a") + load("px", "a") + add("a", "a", "a") + store("a", "py") +
           "%next = arith.addi %row, %c16 : index\nscf.yield %next : index\n}\n" + window("q0", "xv", "end") +
           window("q1", "yv", "c0") + alloc("l") + load("q0", "l") + store("l", "q1"),
       [](Numbers& x, Numbers& y, int turns) {
         doubled(x, y, turns);
         for (int i = 0; i < kElements; ++i) at(y, 0, i) = at(x, turns + 1, i);
       }},
      {"a loop in a loop",
       alloc("sum") + kLoop + kWindows + load("px", "sum") +
           "scf.for %i = %c0 to %c32 step %c16 {\n%below = arith.addi %row, %i : index\n" +
           window("pb", "xv", "below") + alloc("a") + load("pb", "a") + add("sum", "a", "sum") + "}\n" +
           store("sum", "py") + "}\n",
       [](Numbers& x, Numbers& y, int turns) {
         for (int iteration = 1; iteration <= turns; ++iteration) {
           for (int i = 0; i < kElements; ++i)
             at(y, iteration, i) = at(x, iteration, i) + at(x, iteration, i) + at(x, iteration + 1, i);
         }
       }},
      {"a branch in the loop",
       kLoop + kWindows + "%bit = arith.remui %row, %c32 : index\n%odd = arith.cmpi ne, %bit, %c0 : index\n" +
           alloc("a") + load("px", "a") + "scf.if %odd {\n" + add("a", "a", "a") + "}\n" + store("a", "py") +
           "}\n",
       [](Numbers& x, Numbers& y, int turns) {
         for (int iteration = 1; iteration <= turns; ++iteration) {
           for (int i = 0; i < kElements; ++i)
             at(y, iteration, i) = at(x, iteration, i) * (iteration % 2 == 1 ? 2.0F : 1.0F);
         }
       }},
      {"a branch with an empty end",
       kLoop +
           "%bit = arith.remui %row, %c32 : index\n%odd = arith.cmpi ne, %bit, %c0 : index\nscf.if %odd {\n" +
           kWindows + alloc("a") + load("px", "a") + store("a", "py") + "} else {\n}\n}\n",
       [](Numbers& x, Numbers& y, int turns) {
         for (int iteration = 1; iteration <= turns; iteration += 2) {
           for (int i = 0; i < kElements; ++i) at(y, iteration, i) = at(x, iteration, i);
         }
       }},
      {"each turn reads what the one before has written",
       alloc("a") + alloc("b") + kLoop + "%above = arith.subi %row, %c16 : index\n" +
           window("pp", "xv", "above") + window("px", "xv", "row") + load("pp", "a") + load("px", "b") +
           add("a", "b", "b") + store("b", "px") + "}\n",
       [](Numbers& x, Numbers&, int turns) {
         for (int iteration = 1; iteration <= turns; ++iteration) {
           for (int i = 0; i < kElements; ++i) at(x, iteration, i) += at(x, iteration - 1, i);
         }
       }},
      {"slots in turn",
       kLoop + kWindows + "%k = arith.remui %row, %c3 : index\n" + slot("a", "k") + load("px", "a") +
           add("a", "a", "a") + store("a", "py") + "}\n",
       doubled},
      {"slots in turn, filled one turn ahead",
       "%k0 = arith.remui %first, %c3 : index\n" + slot("a0", "k0") + window("p0", "xv", "first") +
           load("p0", "a0") + kLoop +
           "%below = arith.addi %row, %c16 : index\n%k = arith.remui %row, %c3 : index\n" +
           "%kn = arith.remui %below, %c3 : index\n" + window("pn", "xv", "below") +
           window("py", "yv", "row") + slot("a", "k") + slot("an", "kn") + load("pn", "an") +
           add("a", "a", "a") + store("a", "py") + "}\n",
       doubled},
      {"a tile that only some turns fill",
       alloc("a") + alloc("b") + window("p0", "xv", "c0") + load("p0", "a") + kLoop + kWindows +
           "%bit = arith.remui %row, %c32 : index\n%odd = arith.cmpi ne, %bit, %c0 : index\nscf.if %odd {\n" +
           load("px", "a") + "}\n" + add("a", "a", "b") + store("b", "py") + "}\n",
       [](Numbers& x, Numbers& y, int turns) {
         for (int iteration = 1; iteration <= turns; ++iteration) {
           for (int i = 0; i < kElements; ++i)
             at(y, iteration, i) = 2 * at(x, iteration % 2 == 1 ? iteration : iteration - 1, i);
         }
       }},
  };
}

struct Outcome {
  Numbers x, y;
  uint64_t cycles = 0;
};

Outcome run(const std::string& text, int turns, unsigned buffers) {
  Numbers x(static_cast<size_t>((kMax + 3) * kElements));
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 1000);
  std::vector<Argument> arguments{buffer("x", x), buffer("y", Numbers(x.size())), {}, {}};
  for (size_t i : {2, 3}) arguments[i].is_buffer = false;
  arguments[2].name = "from";
  arguments[2].scalar = kFirst;
  arguments[3].name = "to";
  arguments[3].scalar = static_cast<uint64_t>(last_of(turns));
  PrepareOptions options;
  options.buffers = buffers;
  const SimResult result = run_text(text, arguments, options);
  expect_clean(result);
  return {values_of<float>(arguments[0]), values_of<float>(arguments[1]), result.kernel_cycles()};
}

std::string planned(const std::string& text, unsigned buffers) {
  PrepareOptions options;
  options.buffers = buffers;
  const Result<Prepared> prepared = prepare(text, options);
  REQUIRE(prepared.ok());
  REQUIRE(prepared->ready);
  return print(prepared->program);
}

size_t count(const std::string& text, std::string_view word) {
  size_t found = 0;
  for (size_t from = text.find(word); from != std::string::npos; from = text.find(word, from + 1)) ++found;
  return found;
}

/// One of the kernels with these bounds: as its numbers say, without a finding.
uint64_t check(const Kernel& each, const Range& range, unsigned buffers) {
  INFO(each.what << ", turns " << range.turns << ", numbers " << range.numbers << ", buffers " << buffers);
  const Outcome got =
      run(kernel(range.turns % 2 == 0 ? "a2a3" : "a5", range, each.body), range.turns, buffers);
  Numbers x(got.x.size()), y(got.y.size());
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 1000);
  each.expected(x, y, range.turns);
  CHECK(got.x == x);
  CHECK(got.y == y);
  return got.cycles;
}

TEST_CASE("Loops with several buffers give the same values, and no finding", "[multi_buffer]") {
  for (const Kernel& each : kernels()) {
    for (const int turns : {0, 1, 2, 3, kMax}) {
      check(each, {turns, false}, 2);
      if (turns % 2 == 1) check(each, {turns, true}, 2);
      if (turns != 1) check(each, {turns, false}, 3);
      if (turns > 1) CHECK(check(each, {turns, true}, 0) <= check(each, {turns, true}, 1));
    }
  }
}

TEST_CASE("Two turns at a time hide the transfers", "[multi_buffer]") {
  for (const std::string_view target : {"a2a3", "a5"}) {  // the stores of a5 are nearly all there is to do
    for (const size_t which : {0, 1}) {
      const std::string text = kernel(target, {kMax, true}, kernels()[which].body);
      CHECK(run(text, kMax, 0).cycles * 10 < run(text, kMax, 1).cycles * (target == "a5" ? 9 : 6));
    }
  }
}

/// Softmax of 64 rows of 256 in each of 4 steps; `unrolled`: two steps in an iteration, each with tiles of
/// its own.
std::string softmax(std::string_view target, bool unrolled) {
  constexpr std::string_view kRow = "!pto.tile_buf<vec, 32x256xf32>";
  constexpr std::string_view kColumn = "!pto.tile_buf<vec, 32x1xf32, blayout=col_major>";
  constexpr std::string_view kPart = "!pto.partition_tensor_view<32x256xf32>";
  std::string body = fmt::format("%c256 = arith.constant 256 : index\n%c64 = arith.constant 64 : index\n");
  for (const char* name : {"x", "y"})
    body += fmt::format(
        "%{0}w = pto.make_tensor_view %{0}, shape = [%c256, %c256], strides = [%c256, %c1] : "
        "!pto.tensor_view<?x?xf32>\n",
        name);
  body += fmt::format("scf.for %step = %c0 to %c256 step %{} {{\n", unrolled ? "c64" : "c32");
  for (int copy = 0; copy < (unrolled ? 2 : 1); ++copy) {
    body += fmt::format("%k{0} = arith.constant {1} : index\n%r{0} = arith.addi %step, %k{0} : index\n", copy,
                        32 * copy);
    for (const char* name : {"x", "y"})
      body += fmt::format(
          "%p{0}{1} = pto.partition_view %{0}w, offsets = [%r{1}, %c0], sizes = [%c32, %c256] : "
          "!pto.tensor_view<?x?xf32> -> {2}\n",
          name, copy, kPart);
    body += fmt::format(
        "%t{0} = pto.alloc_tile : {1}\n%s{0} = pto.alloc_tile : {1}\n%m{0} = pto.alloc_tile : {2}\n"
        "pto.tload ins(%px{0} : {3}) outs(%t{0} : {1})\n"
        "pto.trowmax ins(%t{0}, %s{0} : {1}, {1}) outs(%m{0} : {2})\n"
        "pto.trowexpandsub ins(%t{0}, %m{0} : {1}, {2}) outs(%t{0} : {1})\n"
        "pto.texp ins(%t{0} : {1}) outs(%t{0} : {1})\n"
        "pto.trowsum ins(%t{0}, %s{0} : {1}, {1}) outs(%m{0} : {2})\n"
        "pto.trowexpanddiv ins(%t{0}, %m{0} : {1}, {2}) outs(%t{0} : {1})\n"
        "pto.tstore ins(%t{0} : {1}) outs(%py{0} : {3})\n",
        copy, kRow, kColumn, kPart);
  }
  return kernel(target, {}, body + "}\n");
}

TEST_CASE("The tools gain what two buffers by hand do", "[multi_buffer]") {
  for (const std::string_view target : {"a2a3", "a5"}) {
    const auto cycles = [&](bool unrolled, unsigned buffers) {
      PrepareOptions options;
      options.buffers = buffers;
      std::vector<Argument> arguments{buffer("x", Numbers(65536, 1)), buffer("y", Numbers(65536)), {}, {}};
      for (const size_t i : {2, 3}) arguments[i].is_buffer = false;
      const SimResult result = run_text(softmax(target, unrolled), arguments, options);
      expect_clean(result);
      return result.kernel_cycles();
    };
    const uint64_t alone = cycles(false, 1);
    const uint64_t by_hand = cycles(true, 1);
    const uint64_t chosen = cycles(false, 0);
    CHECK(by_hand * 100 < alone * 85);
    CHECK(chosen <= by_hand);
  }
}

TEST_CASE("Emitted text with several buffers is a program of its own", "[multi_buffer]") {
  for (const Kernel& each : kernels()) {
    INFO(each.what);
    const std::string text = kernel("a5", {5, false}, each.body);
    const std::string emitted = planned(text, 2);
    CHECK(planned(emitted, 0) == emitted);
    const Outcome once = run(text, 5, 2);
    const Outcome again = run(emitted, 5, 0);
    CHECK(once.y == again.y);
    CHECK(once.x == again.x);
    CHECK(once.cycles == again.cycles);
  }
}

TEST_CASE("Loops of programs that order themselves stay as they are", "[multi_buffer]") {
  const std::string flags = alloc("a") + alloc("b") + kLoop + kWindows + load("px", "a") +
                            "pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]\npto.wait_flag[<PIPE_MTE2>, "
                            "<PIPE_V>, <EVENT_ID0>]\n" +
                            add("a", "a", "b") + "pto.barrier <PIPE_ALL>\n" + store("b", "py") +
                            "pto.barrier <PIPE_ALL>\n}\n";
  const std::string own = kernel("a5", {kMax, true}, flags);
  CHECK(planned(own, 0) == planned(own, 1));
  CHECK(planned(own, 3) == planned(own, 1));
  const std::string level3 =
      kernel("a5", {kMax, true},
             "%at = arith.constant 0 : i64\n%a = pto.alloc_tile addr = %at : " + std::string(kTile) + "\n" +
                 kLoop + kWindows + load("px", "a") + add("a", "a", "a") + store("a", "py") + "}\n");
  CHECK(planned(level3, 0) == planned(level3, 1));
}

TEST_CASE("A loop that takes three tiles in turn has three turns under way", "[multi_buffer]") {
  for (const Kernel& each : kernels()) {
    if (!each.what.starts_with("slots")) continue;
    INFO(each.what);
    const Range range{6, true};
    const std::string text = kernel("a2a3", range, each.body);
    CHECK(count(planned(text, 0), "pto.tadd") == 3);
    CHECK(count(planned(text, 2), "pto.tadd") == 3);
    CHECK(count(planned(text, 1), "pto.tadd") == 1);
    CHECK(run(text, range.turns, 0).cycles * 10 < run(text, range.turns, 1).cycles * 8);
  }
}

TEST_CASE("As many buffers as memory holds", "[multi_buffer]") {
  const auto body = [](std::string_view tile) {
    std::string text = kernels()[0].body;
    for (size_t from = text.find(kTile); from != std::string::npos; from = text.find(kTile, from + 1))
      text.replace(from, kTile.size(), tile);
    return text;
  };
  const std::string small = kernel("a5", {kMax, false}, body(kTile));
  CHECK(count(planned(small, 1), "alloc_tile") == 2);
  // A round of three turns, two that may be left over, two where there is no round.
  CHECK(count(planned(small, 3), "alloc_tile") == 14);
  // Two of 112 KiB fill the 248 KiB of a5 that tiles may have.
  const std::string large = kernel("a5", {kMax, false}, body("!pto.tile_buf<vec, 16x1792xf32, valid=16x16>"));
  CHECK(count(planned(large, 3), "alloc_tile") == 2);
}

TEST_CASE("The first flags of a loop stand right before it", "[multi_buffer]") {
  const std::string text = planned(kernel("a5", {kMax, true}, kernels()[1].body), 2);
  const size_t loop = text.find("scf.for");
  REQUIRE(loop != std::string::npos);
  const size_t line = text.rfind('\n', loop);
  const size_t before = text.rfind('\n', line - 1);
  CHECK(text.substr(before, line - before).find("pto.set_flag") != std::string::npos);
  CHECK(text.substr(0, before).find("wait_flag") == std::string::npos);
}

}  // namespace
