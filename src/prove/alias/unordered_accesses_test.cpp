// Verdicts of prove() on accesses of GM, beside all pairs of accesses of 40 blocks and 120 iterations.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

#include "prove/prover_fixture.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

using test::proof_of;
using Verdict = Proof::Verdict;

Verdict verdict_of(const std::string& text) { return proof_of(text).verdict; }

/// %o[%r] and %o[%w] count units of 8 floats.
std::string kernel(std::string_view body, std::string_view parameters = "%n: index") {
  constexpr std::string_view kBlocks = R"(  %block = pto.get_block_idx
  %b = arith.index_cast %block : i64 to index
  %many = pto.get_block_num
  %nb = arith.index_cast %many : i64 to index
)";
  const bool asks = body.find("%b,") != std::string_view::npos || body.find("%b ") != std::string_view::npos;
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
func.func @k(%o: !pto.ptr<f32, gm>, {})
    attributes {{pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c512 = arith.constant 512 : i64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i8 = arith.constant 8 : index
  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
  %v = pto.castptr %c512 : i64 -> !pto.ptr<f32, ub>
{}{}  return
}}
}})",
                     parameters, asks ? kBlocks : std::string_view(), body);
}

/// `%name = number`
std::string number(std::string_view name, int64_t value) {
  return fmt::format("  {} = arith.constant {} : index\n", name, value);
}

std::string load(std::string_view at, int units = 1) {
  static int names = 0;
  const int name = names++;
  return fmt::format(R"(  %lo{0} = arith.muli {1}, %i8 : index
  %lp{0} = pto.addptr %o, %lo{0} : !pto.ptr<f32, gm> -> !pto.ptr<f32, gm>
  %ll{0} = arith.constant {2} : i64
  pto.mte_gm_ub %lp{0}, %u, %c0, %ll{0} nburst(%c1, %ll{0}, %ll{0})
    : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
)",
                     name, at, 32 * units);
}

std::string store(std::string_view at, int units = 1) {
  static int names = 0;
  const int name = names++;
  return fmt::format(R"(  %so{0} = arith.muli {1}, %i8 : index
  %sp{0} = pto.addptr %o, %so{0} : !pto.ptr<f32, gm> -> !pto.ptr<f32, gm>
  %sl{0} = arith.constant {2} : i64
  pto.mte_ub_gm %v, %sp{0}, %sl{0} nburst(%c1, %sl{0}, %sl{0})
    : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64
)",
                     name, at, 32 * units);
}

std::string loop(std::string_view inside, std::string_view from = "%i0", std::string_view to = "%n",
                 std::string_view by = "%i1") {
  return fmt::format("  scf.for %i = {} to {} step {} {{\n{}  }}\n", from, to, by, inside);
}

TEST_CASE("what conflicts in far iterations only is not proved", "[prove][far]") {
  // Iteration i writes unit i and reads unit i + 20.
  CHECK(verdict_of(kernel(number("%d", 20) + loop("  %r = arith.addi %i, %d : index\n" + load("%r") +
                                                  store("%i")))) != Verdict::proved);
  // The other way round: it reads unit i and writes unit i + 20.
  CHECK(verdict_of(kernel(number("%d", 20) + loop("  %w = arith.addi %i, %d : index\n" + load("%i") +
                                                  store("%w")))) != Verdict::proved);
  // Even units are read, every hundredth and one is written.
  CHECK(verdict_of(kernel(number("%two", 2) + number("%far", 41) +
                          loop("  %r = arith.muli %i, %two : index\n"
                               "  %x = arith.muli %i, %far : index\n  %w = arith.addi %x, %i1 : index\n" +
                               load("%r") + store("%w")))) != Verdict::proved);
  // A parameter says where: 1 in the runs.
  CHECK(verdict_of(kernel(number("%d", 100) + "  %w = arith.addi %p, %d : index\n" + load("%q") + store("%w"),
                          "%p: index, %q: index")) != Verdict::proved);
}

TEST_CASE("what conflicts in far blocks only is not proved", "[prove][far]") {
  CHECK(verdict_of(kernel(number("%m", 3) + "  %w = arith.andi %b, %m : index\n" + store("%w"))) !=
        Verdict::proved);
  CHECK(verdict_of(kernel(number("%d", 5) + "  %r = arith.addi %b, %d : index\n" + load("%r") +
                          store("%b"))) != Verdict::proved);
  CHECK(verdict_of(kernel(number("%d", 9) + "  %w = arith.remui %b, %d : index\n" + store("%w"))) !=
        Verdict::proved);
  // Four units each, 17 from block to block, of as many as a parameter says.
  CHECK(verdict_of(kernel(number("%d", 17) + "  %x = arith.muli %b, %d : index\n" +
                          loop("  %w = arith.addi %x, %i : index\n" + store("%w")))) != Verdict::proved);
}

TEST_CASE("blocks and iterations that never meet stay proved", "[prove][far]") {
  CHECK(verdict_of(kernel(store("%b"))) == Verdict::proved);
  // n units for each block; a row of blocks that takes turns; a part that is shorter at the end.
  CHECK(verdict_of(kernel("  %x = arith.muli %b, %n : index\n" +
                          loop("  %w = arith.addi %x, %i : index\n" + store("%w")))) == Verdict::proved);
  CHECK(verdict_of(kernel(loop(store("%i"), "%b", "%n", "%nb"))) == Verdict::proved);
  CHECK(verdict_of(kernel(number("%d", 5) + "  %x = arith.muli %b, %d : index\n" +
                          "  %y = arith.addi %x, %d : index\n  %end = arith.minsi %y, %n : index\n" +
                          loop(store("%i"), "%x", "%end"))) == Verdict::proved);
  // Rows and columns of blocks.
  CHECK(verdict_of(kernel(number("%d", 3) + number("%row", 100) +
                          "  %q = arith.divui %b, %d : index\n  %r = arith.remui %b, %d : index\n"
                          "  %x = arith.muli %q, %row : index\n  %w = arith.addi %x, %r : index\n" +
                          store("%w"))) == Verdict::proved);
  // Odd units and even ones.
  CHECK(verdict_of(kernel(loop("  %r = arith.addi %i, %i : index\n  %w = arith.addi %r, %i1 : index\n" +
                               load("%r") + store("%w")))) == Verdict::proved);
  // Those that a guard lets through have places of their own.
  CHECK(verdict_of(kernel(number("%d", 8) + number("%m", 7) +
                          "  %on = arith.cmpi slt, %b, %d : index\n  %w = arith.andi %b, %m : index\n"
                          "  scf.if %on {\n" +
                          store("%w") + "  }\n")) == Verdict::proved);
}

TEST_CASE("the two vector cores of a block are told apart by their number", "[prove][far]") {
  const auto halves = [](std::string_view to) {
    return kernel(number("%h", 100) + "  %both = arith.minsi %n, %h : index\n  pto.section.vector {\n" +
                  "  %sub = pto.get_subblock_idx\n  %s = arith.index_cast %sub : i64 to index\n"
                  "  %x = arith.muli %s, %h : index\n" +
                  loop("  %w = arith.addi %x, %i : index\n" + load("%w") +
                           "  pto.barrier #pto.pipe<PIPE_ALL>\n" + store("%w") +
                           "  pto.barrier #pto.pipe<PIPE_ALL>\n",
                       "%i0", to) +
                  "  }\n  pto.section.cube {\n  }\n");
  };
  const auto free = [](std::string text) {
    const std::string_view kind = ", pto.kernel_kind = #pto.kernel_kind<vector>";
    return text.erase(text.find(kind), kind.size());
  };
  CHECK(verdict_of(free(halves("%both"))) == Verdict::proved);
  CHECK(verdict_of(free(halves("%n"))) != Verdict::proved);
}

/// Each block stores a tile of 16 x 64 at row %r and column %c of a view of `rows` x 256.
Proof windows(std::string_view places, std::string_view rows = "%n") {
  return proof_of(kernel(fmt::format(
      R"(  %d = arith.constant 4 : index
  %i16 = arith.constant 16 : index
  %i64 = arith.constant 64 : index
  %wide = arith.constant 256 : index
{}  %t = pto.alloc_tile addr = %c0 : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, slayout=none_box, fractal=512, pad=0>
  %view = pto.make_tensor_view %o, shape = [{}, %wide], strides = [%wide, %i1] : !pto.tensor_view<?x?xf32>
  %part = pto.partition_view %view, offsets = [%r, %c], sizes = [%i16, %i64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x64xf32>
  pto.tstore ins(%t : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, slayout=none_box, fractal=512, pad=0>) outs(%part : !pto.partition_tensor_view<16x64xf32>)
)",
      places, rows)));
}

TEST_CASE("windows of one view are told apart by their rows and columns", "[prove][far]") {
  constexpr std::string_view kRows =
      "  %r = arith.muli %b, %i16 : index\n  %c = arith.muli %i0, %i64 : index\n";
  constexpr std::string_view kColumns =
      "  %r = arith.muli %i0, %i16 : index\n  %c = arith.muli %b, %i64 : index\n";
  constexpr std::string_view kBoth =
      "  %q = arith.divui %b, %d : index\n  %m = arith.remui %b, %d : index\n"
      "  %r = arith.muli %q, %i16 : index\n  %c = arith.muli %m, %i64 : index\n";
  constexpr std::string_view kTurns =
      "  %m = arith.remui %b, %d : index\n"
      "  %r = arith.muli %i0, %i16 : index\n  %c = arith.muli %m, %i64 : index\n";
  const auto assumes_views = [](const Proof& proof) {
    return std::ranges::find(proof.covers, "windows within their views") != proof.covers.end();
  };
  const Proof rows = windows(kRows, "%wide");
  const Proof columns = windows(kColumns, "%wide");
  const Proof both = windows(kBoth, "%wide");
  const Proof turns = windows(kTurns, "%wide");
  CHECK(rows.verdict == Verdict::proved);
  CHECK(!assumes_views(rows));
  // Block 4 would be in the next row, but for the view.
  CHECK(columns.verdict == Verdict::proved);
  CHECK(assumes_views(columns));
  CHECK(both.verdict == Verdict::proved);
  CHECK(turns.verdict == Verdict::counterexample);
}

// ---- beside all pairs

/// Where one access of a generated kernel looks, and when.
struct Reach {
  int64_t block = 0, outer = 0, inner = 0, base = 0;  ///< units per block and iteration
  int64_t modulo = 0, divisor = 0;                    ///< of the outer counter; 0: none
  int64_t block_modulo = 0;
  int units = 1;
  bool guarded = false;  ///< runs where the block's number is less than 4

  [[nodiscard]] int64_t at(int64_t b, int64_t i, int64_t j) const {
    const int64_t x = modulo != 0 ? i % modulo : divisor != 0 ? i / divisor : i;
    return block * (block_modulo != 0 ? b % block_modulo : b) + outer * x + inner * j + base;
  }
  [[nodiscard]] std::string text(std::string_view name, bool loads) const {
    std::string out;
    std::string x = "%i", y = "%b";
    const auto line = [&](std::string_view result, std::string_view op, const std::string& a,
                          const std::string& b) {
      out += fmt::format("  %{}{} = arith.{} {}, {} : index\n", name, result, op, a, b);
      return fmt::format("%{}{}", name, result);
    };
    const auto constant = [&](std::string_view result, int64_t value) {
      out += number(fmt::format("%{}{}", name, result), value);
      return fmt::format("%{}{}", name, result);
    };
    if (modulo != 0) x = line("x", "remui", x, constant("xm", modulo));
    if (divisor != 0 && modulo == 0) x = line("x", "divui", x, constant("xd", divisor));
    if (block_modulo != 0 && block != 0) y = line("y", "remui", y, constant("ym", block_modulo));
    const std::string of_block = block == 0 ? "%i0" : line("fb", "muli", y, constant("kb", block));
    const std::string of_outer = line("fo", "muli", x, constant("ko", outer));
    const std::string of_inner = line("fi", "muli", "%j", constant("ki", inner));
    const std::string sum = line("s", "addi", of_block, of_outer);
    const std::string more = line("t", "addi", sum, of_inner);
    const std::string all = line("w", "addi", more, constant("k", base));
    out += loads ? load(all, units) : store(all, units);
    if (!guarded) return out;
    return number(fmt::format("%{}four", name), 4) +
           fmt::format("  %{0}on = arith.cmpi slt, %b, %{0}four : index\n  scf.if %{0}on {{\n{1}  }}\n", name,
                       out);
  }
};

/// Flags may order all of a block's accesses, or let a load go ahead of the store of the iteration before.
enum class Order : uint8_t { none, iterations, all, ahead };

struct Random {
  Reach reads, writes;
  bool loads = true;
  bool bounded = false;  ///< %n counts up to 40
  int64_t inner = 1, step = 1;
  Order order = Order::none;

  [[nodiscard]] std::string text() const {
    std::string body = loads ? reads.text("a", true) : std::string();
    constexpr std::string_view kForth =
        "  pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
        "  pto.wait_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n";
    constexpr std::string_view kBack =
        "  pto.set_flag[\"PIPE_MTE3\", \"PIPE_MTE2\", \"EVENT_ID0\"]\n"
        "  pto.wait_flag[\"PIPE_MTE3\", \"PIPE_MTE2\", \"EVENT_ID0\"]\n";
    if (order == Order::all) body += kForth;
    if (order == Order::ahead)
      body =
          "  %par = arith.remui %i, %i2 : index\n"
          "  pto.wait_flag_dyn[\"PIPE_MTE3\", \"PIPE_MTE2\", %par]\n" +
          body +
          "  pto.set_flag_dyn[\"PIPE_MTE2\", \"PIPE_MTE3\", %par]\n"
          "  pto.wait_flag_dyn[\"PIPE_MTE2\", \"PIPE_MTE3\", %par]\n";
    body += writes.text("z", false);
    if (order == Order::all) body += kBack;
    if (order == Order::ahead) body += "  pto.set_flag_dyn[\"PIPE_MTE3\", \"PIPE_MTE2\", %par]\n";
    if (order == Order::iterations) body += "  pto.barrier #pto.pipe<PIPE_ALL>\n";
    std::string before, behind;
    for (int id = 0; id < 2 && order == Order::ahead; ++id) {
      before += fmt::format("  pto.set_flag[\"PIPE_MTE3\", \"PIPE_MTE2\", \"EVENT_ID{}\"]\n", id);
      behind += fmt::format("  pto.wait_flag[\"PIPE_MTE3\", \"PIPE_MTE2\", \"EVENT_ID{}\"]\n", id);
    }
    return kernel(before + number("%i2", 2) + number("%in", inner) + number("%by", step) +
                  number("%forty", 40) + "  %top = arith.minsi %n, %forty : index\n" +
                  loop("  scf.for %j = %i0 to %in step %i1 {\n" + body + "  }\n", "%i0",
                       bounded ? "%top" : "%n", "%by") +
                  behind);
  }

  static constexpr int64_t kBlocks = 40, kIterations = 120;
  /// Whether two accesses in no order come together, with some number of blocks and iterations.
  [[nodiscard]] bool meets() const {
    struct Access {
      int64_t begin, end, block, turn;
      bool write;
    };
    std::vector<Access> all;
    const bool asks = std::ranges::any_of(std::array{&reads, &writes}, [&](const Reach* each) {
      return (each == &writes || loads) && (each->block != 0 || each->guarded);
    });
    for (int64_t b = 0; b < (asks ? kBlocks : 1); ++b) {
      for (int64_t i = 0; i < (bounded ? 40 : kIterations * step); i += step) {
        for (int64_t j = 0; j < inner; ++j) {
          for (const Reach* each : {&reads, &writes}) {
            if ((each == &reads && !loads) || (each->guarded && b >= 4)) continue;
            const int64_t begin = each->at(b, i, j);
            all.push_back({begin, begin + each->units, b, i * inner + j, each == &writes});
          }
        }
      }
    }
    std::ranges::sort(all, {}, &Access::begin);
    for (size_t x = 0; x < all.size(); ++x) {
      for (size_t y = x + 1; y < all.size() && all[y].begin < all[x].end; ++y) {
        const Access& a = all[x];
        const Access& b = all[y];
        if (!a.write && !b.write) continue;
        if (a.block != b.block) return true;
        if (a.write == b.write || order == Order::all) continue;  // one pipe, or ordered by flags
        if (order == Order::ahead) {
          const Access& reader = a.write ? b : a;
          const Access& writer = a.write ? a : b;
          if (reader.turn == writer.turn + 1) return true;
          continue;
        }
        if (order == Order::none || a.turn == b.turn) return true;
      }
    }
    return false;
  }
};

TEST_CASE("what is proved has no two accesses that meet in any block or iteration", "[prove][far]") {
  constexpr int kKernels = 56;
  std::mt19937 random(5);
  const auto any = [&](std::initializer_list<int64_t> of) { return of.begin()[random() % of.size()]; };
  size_t proved = 0, met = 0, missed = 0;
  for (int turn = 0; turn < kKernels; ++turn) {
    Random made;
    made.inner = any({1, 1, 3, 4});
    made.step = any({1, 1, 2, 3});
    made.order = static_cast<Order>(random() % 4);
    if (made.order == Order::ahead) made.inner = made.step = 1;
    made.loads = made.order == Order::ahead || random() % 4 != 0;
    made.bounded = random() % 3 != 0;
    const bool alone = random() % 3 == 0;
    const int64_t of_outer = any({0, 1, 2, 3, 4, 8, 12, 24});
    const int64_t of_inner = any({0, 1, 2, 3, 8});
    const int64_t of_block = any({1, 5, 16, 40, 200, 1000, 5000, 5000});
    for (Reach* each : {&made.reads, &made.writes}) {
      const bool like = random() % 3 != 0;
      each->outer = like ? of_outer : any({0, 1, 2, 4, 12});
      each->inner = like ? of_inner : any({0, 1, 4});
      each->block = alone ? 0 : like ? of_block : any({0, 16, 1000, 5000});
      each->base = any({0, 0, 1, 2, 5, 30, 100});
      if (random() % 6 == 0) each->modulo = any({2, 3, 7, 8});
      if (random() % 6 == 0) each->divisor = any({2, 4});
      if (random() % 8 == 0) each->block_modulo = any({2, 4, 5, 8});
      each->units = static_cast<int>(any({1, 1, 2, 3}));
      each->guarded = !alone && random() % 8 == 0;
    }
    const std::string text = made.text();
    INFO(text);
    const bool meets = made.meets();
    const Verdict verdict = verdict_of(text);
    met += meets;
    proved += verdict == Verdict::proved;
    missed += !meets && verdict != Verdict::proved;
    REQUIRE(!(meets && verdict == Verdict::proved));
    REQUIRE(!(!meets && verdict == Verdict::counterexample));
  }
  INFO(fmt::format("{} meet, {} proved, {} not", met, proved, missed));
  CHECK(met >= 20);
  CHECK(proved >= 10);
  CHECK(missed <= 8);
}

}  // namespace
}  // namespace pto
