// Structured kernels made from bytes, and what they have to leave in memory: evaluated here, with nothing of
// the simulator's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/program_generator.hpp"
#include "pto/simulator.hpp"

namespace pto::fuzz {

/// A kernel without addresses and flags, its arguments, and the contents of the last of them after a run.
struct GeneratedKernel {
  std::string text;
  uint32_t blocks = 1;
  std::vector<Argument> arguments;
  std::vector<std::byte> wanted;
  bool floats = false;  ///< of f32: NaNs are alike, zeros too
  uint64_t steps = 0;   ///< statements that the evaluation went through
};

/// Vector tiles in loops, branches and called functions.
GeneratedKernel generate_vector_kernel(Choices& choices);
/// Products of the cube, and products that go through a queue.
GeneratedKernel generate_cube_kernel(Choices& choices);
/// One of them.
GeneratedKernel generate_kernel(Choices& choices);

}  // namespace pto::fuzz
