// Fuzz target: structured kernels, whose values an evaluation of their own tells; and what must make no
// difference to them: threads, objects, the planned text, several buffers, check mode.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "fuzz/kernel_generator.hpp"
#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "pto/prepare.hpp"
#include "testing/fuzz_target.hpp"

namespace pto::fuzz {
namespace {

constexpr uint64_t kMaxSteps = 600, kMaxCycles = 4'000'000, kMaxInstructions = 100'000;

void require(bool law) {
  if (!law) std::abort();
}

struct Ran {
  std::vector<std::byte> output;
  uint64_t cycles = 0;
};

/// Without a finding, and to its end.
Ran run(const GeneratedKernel& kernel, const Prepared& prepared, uint32_t threads, Mode mode) {
  std::vector<Argument> arguments = kernel.arguments;
  SimOptions options;
  options.mode = mode;
  options.threads = threads;
  options.blocks = kernel.blocks;
  options.limits.cycles = kMaxCycles;
  options.limits.instructions = kMaxInstructions;
  const auto result = simulate(prepared, arguments, options);
  require(result && result->ended && result->findings.all().empty());
  return {arguments.back().bytes, result->total_cycles};
}

/// NaNs are alike, and so are zeros.
bool same_numbers(const std::vector<std::byte>& a, const std::vector<std::byte>& b, bool floats) {
  if (a.size() != b.size()) return false;
  if (!floats) return a == b;
  for (size_t i = 0; i + 4 <= a.size(); i += 4) {
    float one = 0, other = 0;
    std::memcpy(&one, a.data() + i, 4);
    std::memcpy(&other, b.data() + i, 4);
    if (one != other && !(std::isnan(one) && std::isnan(other))) return false;
  }
  return true;
}

/// Nothing where the program is refused, which says why.
std::optional<Prepared> ready(const std::string& text, unsigned buffers, SyncBy sync) {
  PrepareOptions options;
  options.buffers = buffers;
  options.sync = sync;
  auto prepared = prepare(text, options);
  require(prepared.ok());
  if (!prepared->ready) {
    require(prepared->diagnostics.errors() != 0);
    return std::nullopt;
  }
  return std::move(*prepared);
}

}  // namespace

int structured(const uint8_t* data, size_t size) {
  Choices choices(data, size);
  const auto buffers = static_cast<unsigned>(choices.below(4));
  const GeneratedKernel kernel = generate_kernel(choices);
  if (kernel.steps >= kMaxSteps) return 0;
  const auto prepared = ready(kernel.text, 1, SyncBy::by_program);
  if (!prepared) return 0;
  const Ran once = run(kernel, *prepared, 1, Mode::run);
  require(same_numbers(once.output, kernel.wanted, kernel.floats));
  const Ran threads = run(kernel, *prepared, 4, Mode::run);
  require(threads.output == once.output && threads.cycles == once.cycles);
  require(run(kernel, *prepared, 1, Mode::check).output == once.output);

  auto object = read_object(write_object(prepared->program));
  require(object.ok());
  Prepared loaded = *prepared;
  loaded.program = std::move(*object);
  const Ran from_object = run(kernel, loaded, 1, Mode::run);
  require(from_object.output == once.output && from_object.cycles == once.cycles);

  const auto planned = ready(print(prepared->program), 1, SyncBy::program);
  require(planned.has_value());
  const Ran again = run(kernel, *planned, 1, Mode::run);
  require(again.output == once.output && again.cycles == once.cycles);

  const auto buffered = ready(kernel.text, buffers, SyncBy::by_program);
  require(buffered.has_value());
  require(run(kernel, *buffered, 1, Mode::check).output == once.output);
  return 0;
}

}  // namespace pto::fuzz
