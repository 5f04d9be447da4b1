// Benchmarks inside one process (Google Benchmark): assembly of generated programs, the engine without data,
// the MAD kernel.
// `--generate KIND LINES [SEED]` prints a generated program instead. Run all of them with ./tools/bench/run.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bench_programs.hpp"
#include "exec/mad_kernel.hpp"
#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "pto/plan.hpp"
#include "pto/simulator.hpp"
#include "pto/verify.hpp"
#include "timing/cost_model.hpp"

namespace {

using namespace pto;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kTile = "!pto.tile_buf<vec, 16x64xf32>";

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
)",
                     n, kTile, kTile, kTile, kTile, kTile, kTile, kTile, kTile, kTile);
}

/// Text in memory to object bytes; the counters tell the stages apart.
void assemble(benchmark::State& state, const bench::Kind& kind) {
  constexpr size_t kLines = 100000;
  const std::string text = kind.make(kLines, 1);
  double seconds[3] = {};
  for (auto _ : state) {
    Diagnostics diagnostics;
    const auto begin = Clock::now();
    const auto program = parse(text, {}, diagnostics);
    const auto parsed = Clock::now();
    if (!program || !verify(*program, {}, diagnostics)) {
      state.SkipWithError(diagnostics.all().front().message.c_str());
      break;
    }
    const auto verified = Clock::now();
    const std::vector<std::byte> object = write_object(*program);
    const auto written = Clock::now();
    benchmark::DoNotOptimize(object.size());
    seconds[0] += std::chrono::duration<double>(parsed - begin).count();
    seconds[1] += std::chrono::duration<double>(verified - parsed).count();
    seconds[2] += std::chrono::duration<double>(written - verified).count();
  }
  const auto runs = static_cast<double>(state.iterations());
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
  state.counters["lines/s"] =
      benchmark::Counter(static_cast<double>(kLines) * runs, benchmark::Counter::kIsRate);
  state.counters["parse_ms"] = 1e3 * seconds[0] / runs;
  state.counters["verify_ms"] = 1e3 * seconds[1] / runs;
  state.counters["write_ms"] = 1e3 * seconds[2] / runs;
}

/// Object bytes to canonical text.
void disassemble(benchmark::State& state, const bench::Kind& kind) {
  constexpr size_t kLines = 100000;
  Diagnostics diagnostics;
  const auto program = parse(kind.make(kLines, 1), {}, diagnostics);
  const std::vector<std::byte> object = write_object(*program);
  for (auto _ : state) benchmark::DoNotOptimize(print(*read_object(object)).size());
  state.counters["lines/s"] = benchmark::Counter(
      static_cast<double>(kLines) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

/// Addresses and flags for a level 2 program.
void plan_mixed(benchmark::State& state) {
  const auto lines = static_cast<size_t>(state.range(0));
  const auto config = timing::load_target("a2a3");
  Diagnostics diagnostics;
  const auto program = parse(bench::find_kind("mixed")->make(lines, 1), {}, diagnostics);
  for (auto _ : state) {
    state.PauseTiming();
    Program copy = *program;
    state.ResumeTiming();
    if (!plan(copy, config->machine, {}, diagnostics)) {
      state.SkipWithError(diagnostics.all().front().message.c_str());
      break;
    }
  }
  state.counters["lines/s"] = benchmark::Counter(
      static_cast<double>(lines) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void engine_time(benchmark::State& state) {
  constexpr size_t kIterations = 500000;
  Diagnostics diagnostics;
  const auto program = parse(loop_program(kIterations), {}, diagnostics);
  SimOptions options;
  options.mode = Mode::time;
  options.target = "a2a3";
  std::vector<Argument> arguments;
  uint64_t instructions = 0;
  for (auto _ : state) {
    const auto result = simulate(*program, arguments, options);
    if (!result) {
      state.SkipWithError(result.error().message.c_str());
      break;
    }
    instructions += result->instructions;
  }
  state.counters["instructions/s"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

/// The inner product of tmatmul and mad: f32, order-preserving, one core.
void mad_kernel(benchmark::State& state) {
  const auto n = static_cast<size_t>(state.range(0));
  std::vector<float> a(n * n, 1.25f), b(n * n, 0.75f), c(n * n, 0.0f);
  const exec::Gemm shape{n, n, n, n, n, n};
  for (auto _ : state) {
    exec::gemm_f32(shape, a.data(), b.data(), c.data());
    benchmark::DoNotOptimize(c.data());
  }
  state.counters["FLOP/s"] = benchmark::Counter(2.0 * static_cast<double>(n * n * n * state.iterations()),
                                                benchmark::Counter::kIsRate);
}

BENCHMARK(mad_kernel)->Arg(64)->Arg(128)->Arg(256);
BENCHMARK(plan_mixed)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK(engine_time)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  if (argc >= 4 && argc <= 5 && std::strcmp(argv[1], "--generate") == 0) {
    const bench::Kind* kind = bench::find_kind(argv[2]);
    if (kind == nullptr) {
      for (const bench::Kind& known : bench::kinds())
        fmt::print(stderr, "{:<12} {}\n", known.name, known.what);
      return 2;
    }
    const std::string text =
        kind->make(std::strtoull(argv[3], nullptr, 10), argc == 5 ? std::strtoull(argv[4], nullptr, 10) : 1);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
  }
  for (const bench::Kind& kind : bench::kinds()) {
    benchmark::RegisterBenchmark(fmt::format("assemble/{}", kind.name).c_str(), assemble, kind)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(fmt::format("disassemble/{}", kind.name).c_str(), disassemble, kind)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
