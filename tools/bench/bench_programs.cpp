#include "bench/bench_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace pto::bench {
namespace {

/// SplitMix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  size_t below(size_t n) {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<size_t>((z ^ (z >> 31)) % n);
  }

 private:
  uint64_t state_;
};

/// Program text that knows how many lines it has.
class Text {
 public:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
    ++lines_;
  }
  [[nodiscard]] size_t lines() const { return lines_; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  size_t lines_ = 0;
};

constexpr std::string_view kLongTile =
    "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, "
    "slayout=none_box, fractal=512, pad=0>";
constexpr std::string_view kShortTile = "!pto.tile_buf<vec, 16x64xf32>";
constexpr std::array<std::string_view, 4> kBinary = {"tadd", "tmul", "tmax", "tsub"};
constexpr std::array<std::string_view, 4> kUnary = {"texp", "tabs", "trelu", "tneg"};

/// Elementwise instructions over 32 tiles with addresses.
std::string tiles(size_t lines, uint64_t seed, std::string_view tile) {
  Random random(seed);
  Text out;
  out.line("module attributes {{pto.target_arch = \"a5\"}} {{");
  out.line("  func.func @k() attributes {{pto.entry}} {{");
  for (int i = 0; i < 32; ++i) {
    out.line("    %a{} = arith.constant {} : i64", i, i * 4096);
    out.line("    %t{} = pto.alloc_tile addr = %a{} : {}", i, i, tile);
  }
  while (out.lines() + 3 < lines) {
    out.line("    pto.{} ins(%t{}, %t{} : {}, {}) outs(%t{} : {})", kBinary[random.below(4)],
             random.below(32), random.below(32), tile, tile, random.below(32), tile);
  }
  out.line("    return");
  out.line("  }}");
  out.line("}}");
  return out.take();
}

std::string long_types(size_t lines, uint64_t seed) { return tiles(lines, seed, kLongTile); }
std::string short_types(size_t lines, uint64_t seed) { return tiles(lines, seed, kShortTile); }

/// Scalar arithmetic on values of the last lines.
std::string arithmetic(size_t lines, uint64_t seed) {
  constexpr std::array<std::string_view, 5> kOps = {"addi", "subi", "muli", "andi", "xori"};
  Random random(seed);
  Text out;
  out.line("func.func @k(%v0: i32, %v1: i32) {{");
  size_t last = 1;
  while (out.lines() + 2 < lines) {
    const size_t a = last - random.below(std::min<size_t>(last + 1, 16));
    const size_t b = last - random.below(std::min<size_t>(last + 1, 16));
    out.line("  %v{} = arith.{} %v{}, %v{} : i32", last + 1, kOps[random.below(kOps.size())], a, b);
    ++last;
  }
  out.line("  return");
  out.line("}}");
  return out.take();
}

/// One tile's way through a level 2 kernel: a view, a load, work on tiles of the pool and a new one, a store.
void mixed_step(Text& out, Random& random, size_t step) {
  constexpr std::string_view kView = "!pto.partition_tensor_view<16x64xf32>";
  const size_t a = random.below(8);
  const size_t b = random.below(8);
  out.line("      %i{} = arith.addi %i, %c{} : index", step, random.below(4));
  out.line(
      "      %p{} = pto.partition_view %x, offsets = [%i{}, %c0], sizes = [%c16, %c64] : "
      "!pto.tensor_view<?x?xf32> -> {}",
      step, step, kView);
  out.line("      %n{} = pto.alloc_tile : {}", step, kShortTile);
  out.line("      pto.tload ins(%p{} : {}) outs(%n{} : {})", step, kView, step, kShortTile);
  out.line("      pto.{} ins(%n{}, %t{} : {}, {}) outs(%t{} : {})", kBinary[random.below(4)], step, a,
           kShortTile, kShortTile, b, kShortTile);
  out.line("      pto.{} ins(%t{} : {}) outs(%n{} : {})", kUnary[random.below(4)], b, kShortTile, step,
           kShortTile);
  out.line("      pto.tmuls ins(%n{}, %scale : {}, f32) outs(%n{} : {})", step, kShortTile, step, kShortTile);
  out.line(
      "      %q{} = pto.partition_view %y, offsets = [%i{}, %c0], sizes = [%c16, %c64] : "
      "!pto.tensor_view<?x?xf32> -> {}",
      step, step, kView);
  out.line("      pto.tstore ins(%n{} : {}) outs(%q{} : {})", step, kShortTile, step, kView);
}

/// Loops with loads, arithmetic, tile work and stores; the planner gives addresses and flags.
std::string mixed(size_t lines, uint64_t seed) {
  Random random(seed);
  Text out;
  out.line("module attributes {{pto.target_arch = \"a3\"}} {{");
  out.line(
      "  func.func @k(%in: !pto.ptr<f32>, %out: !pto.ptr<f32>, %scale: f32) attributes {{pto.entry}} {{");
  for (const int c : {0, 1, 2, 3, 16, 64, 4096}) out.line("    %c{} = arith.constant {} : index", c, c);
  for (const auto& [view, pointer] : {std::pair{"x", "in"}, std::pair{"y", "out"}})
    out.line(
        "    %{} = pto.make_tensor_view %{}, shape = [%c4096, %c64], strides = [%c64, %c1] : "
        "!pto.tensor_view<?x?xf32>",
        view, pointer);
  for (int i = 0; i < 8; ++i) out.line("    %t{} = pto.alloc_tile : {}", i, kShortTile);
  for (size_t step = 0; out.lines() + 13 < lines;) {
    out.line("    scf.for %i = %c0 to %c64 step %c16 {{");
    for (size_t k = 1 + random.below(4); k > 0 && out.lines() + 13 < lines; --k)
      mixed_step(out, random, step++);
    out.line("    }}");
  }
  while (out.lines() + 3 < lines)
    out.line("    pto.tadd ins(%t0, %t1 : {}, {}) outs(%t2 : {})", kShortTile, kShortTile, kShortTile);
  out.line("    return");
  out.line("  }}");
  out.line("}}");
  return out.take();
}

/// Vector scopes of loads, register arithmetic and stores.
std::string micro(size_t lines, uint64_t seed) {
  constexpr std::array<std::string_view, 4> kOps = {"vadd", "vmul", "vmax", "vsub"};
  Random random(seed);
  Text out;
  out.line("module attributes {{pto.target_arch = \"a5\"}} {{");
  out.line("  func.func @k() attributes {{pto.kernel}} {{");
  out.line("    %c0 = arith.constant 0 : i64");
  out.line("    %i = arith.constant 0 : index");
  out.line("    %p = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>");
  while (out.lines() + 8 < lines) {
    out.line("    pto.vecscope {{");
    out.line("      %m = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>");
    out.line("      %v0 = pto.vlds %p[%i] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>");
    size_t last = 0;
    for (size_t k = 20 + random.below(200); k > 0 && out.lines() + 5 < lines; --k, ++last)
      out.line(
          "      %v{} = pto.{} %v{}, %v{}, %m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> "
          "!pto.vreg<64xf32>",
          last + 1, kOps[random.below(4)], last, last - random.below(std::min<size_t>(last + 1, 8)));
    out.line("      pto.vsts %v{}, %p[%i], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>", last);
    out.line("    }}");
  }
  out.line("    return");
  out.line("  }}");
  out.line("}}");
  return out.take();
}

/// Functions of ten lines that call an earlier one.
std::string functions(size_t lines, uint64_t seed) {
  Random random(seed);
  Text out;
  out.line("module attributes {{pto.target_arch = \"a5\"}} {{");
  out.line("  func.func @f0(%a: i32) {{");
  out.line("    return");
  out.line("  }}");
  for (size_t f = 1; out.lines() + 11 < lines; ++f) {
    out.line("  func.func @f{}(%a: i32) {{", f);
    for (int i = 0; i < 6; ++i)
      out.line("    %b{} = arith.addi %a, {} : i32", i, i == 0 ? "%a" : fmt::format("%b{}", random.below(i)));
    out.line("    call @f{}(%b{}) : (i32) -> ()", random.below(f), random.below(6));
    out.line("    return");
    out.line("  }}");
  }
  out.line("}}");
  return out.take();
}

constexpr std::array kKinds = {
    Kind{"long", "tile instructions, long type spellings", long_types},
    Kind{"short", "tile instructions, short types", short_types},
    Kind{"arithmetic", "scalar arithmetic", arithmetic},
    Kind{"mixed", "loops of views, loads, tile work and stores, level 2", mixed},
    Kind{"micro", "micro instructions in vector scopes", micro},
    Kind{"functions", "functions of ten lines with calls", functions},
};

}  // namespace

std::span<const Kind> kinds() { return kKinds; }

const Kind* find_kind(std::string_view name) {
  const auto* found = std::ranges::find(kKinds, name, &Kind::name);
  return found == kKinds.end() ? nullptr : found;
}

}  // namespace pto::bench
