// Benchmarks inside one process (Google Benchmark): assembly of generated programs, the engine without data, the MAD kernel.
// `--generate KIND OPS` prints a generated program instead. Run all of them with ./tools/bench.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "exec/mad_kernel.hpp"
#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "pto/simulator.hpp"
#include "pto/verify.hpp"

namespace {

constexpr std::string_view kLongTile =
    "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, slayout=none_box, fractal=512, pad=0>";
constexpr std::string_view kShortTile = "!pto.tile_buf<vec, 16x64xf32>";

/// A level 3 program of `ops` tile additions over 32 tiles.
std::string tile_program(size_t ops, std::string_view tile) {
  std::string text = "module attributes {pto.target_arch = \"a5\"} {\n  func.func @k() attributes {pto.entry} {\n";
  for (int i = 0; i < 32; ++i) {
    fmt::format_to(std::back_inserter(text), "    %a{} = arith.constant {} : i64\n    %t{} = pto.alloc_tile addr = %a{} : {}\n", i, i * 4096, i, i, tile);
  }
  for (size_t i = 0; i < ops; ++i) {
    fmt::format_to(std::back_inserter(text), "    pto.tadd ins(%t{}, %t{} : {}, {}) outs(%t{} : {})\n", i % 32, (i + 7) % 32, tile, tile, (i + 13) % 32, tile);
  }
  return text + "    return\n  }\n}\n";
}

/// A vector function of `ops` micro instructions.
std::string micro_program(size_t ops) {
  std::string text =
      "module attributes {pto.target_arch = \"a5\"} {\n  func.func @k() attributes {pto.kernel} {\n    %c0 = arith.constant 0 : i64\n"
      "    %i = arith.constant 0 : index\n    %p = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>\n    pto.vecscope {\n"
      "      %m = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n      %v0 = pto.vlds %p[%i] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n";
  for (size_t i = 0; i < ops; ++i) {
    fmt::format_to(std::back_inserter(text), "      %v{} = pto.vadd %v{}, %v0, %m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>\n", i + 1, i);
  }
  return text + "    }\n    return\n  }\n}\n";
}

/// A loop that runs `n` tile additions with flags between two pipes.
std::string loop_program(size_t n) {
  return fmt::format(R"(module attributes {{pto.target_arch = "a2a3"}} {{
  func.func @k() attributes {{pto.entry}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant {} : index
    %a0 = arith.constant 0 : i64
    %a1 = arith.constant 4096 : i64
    %a2 = arith.constant 8192 : i64
    %t0 = pto.alloc_tile addr = %a0 : {}
    %t1 = pto.alloc_tile addr = %a1 : {}
    %t2 = pto.alloc_tile addr = %a2 : {}
    scf.for %i = %c0 to %n step %c1 {{
      pto.tadd ins(%t0, %t1 : {}, {}) outs(%t2 : {})
      pto.tmul ins(%t0, %t2 : {}, {}) outs(%t1 : {})
    }}
    return
  }}
}}
)", n, kShortTile, kShortTile, kShortTile, kShortTile, kShortTile, kShortTile, kShortTile, kShortTile, kShortTile);
}

std::string generate(std::string_view kind, size_t ops) {
  return kind == "micro" ? micro_program(ops) : tile_program(ops, kind == "long" ? kLongTile : kShortTile);
}

void assemble(benchmark::State& state, std::string_view kind) {
  const std::string text = generate(kind, 100000);
  for (auto _ : state) {
    pto::Diagnostics diagnostics;
    const auto program = pto::parse(text, {}, diagnostics);
    if (!program || !pto::verify(*program, {}, diagnostics)) {
      state.SkipWithError(diagnostics.all().front().message.c_str());
      break;
    }
    benchmark::DoNotOptimize(pto::write_object(*program).size());
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}

void engine_time(benchmark::State& state) {
  constexpr size_t kIterations = 500000;
  pto::Diagnostics diagnostics;
  const auto program = pto::parse(loop_program(kIterations), {}, diagnostics);
  pto::SimOptions options;
  options.mode = pto::Mode::time;
  options.target = "a2a3";
  std::vector<pto::Argument> arguments;
  uint64_t instructions = 0;
  for (auto _ : state) {
    const auto result = pto::simulate(*program, arguments, options);
    if (!result) {
      state.SkipWithError(result.error().message.c_str());
      break;
    }
    instructions += result->instructions;
  }
  state.counters["instructions/s"] = benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

/// The inner product of tmatmul and mad: f32, order-preserving, one core.
void mad_kernel(benchmark::State& state) {
  const auto n = static_cast<size_t>(state.range(0));
  std::vector<float> a(n * n, 1.25f), b(n * n, 0.75f), c(n * n, 0.0f);
  const pto::exec::Gemm shape{n, n, n, n, n, n};
  for (auto _ : state) {
    pto::exec::gemm_f32(shape, a.data(), b.data(), c.data());
    benchmark::DoNotOptimize(c.data());
  }
  state.counters["FLOP/s"] = benchmark::Counter(2.0 * static_cast<double>(n * n * n * state.iterations()), benchmark::Counter::kIsRate);
}

BENCHMARK(mad_kernel)->Arg(64)->Arg(128)->Arg(256);
BENCHMARK_CAPTURE(assemble, long_types, "long")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(assemble, short_types, "short")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(assemble, micro, "micro")->Unit(benchmark::kMillisecond);
BENCHMARK(engine_time)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--generate") == 0) {
    const std::string text = generate(argv[2], std::strtoull(argv[3], nullptr, 10));
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
