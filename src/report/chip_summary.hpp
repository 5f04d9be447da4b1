// Summary of a run on chip level: waves, rates relative to the peaks, and shared resources.
#pragma once

#include <optional>
#include <string>

#include "pto/simulator.hpp"

namespace pto::report {

/// A part of a whole, 0 where there is none.
inline double share(uint64_t part, uint64_t whole) {
  return whole != 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

/// The pipe that has most to do in a kernel of several waves, as parts of the kernel's time, over all cores
/// that it is on: a block is on its core for one wave only.
struct WaveUse {
  enum class Bound : uint8_t { pipe, memory, waves, waiting };
  Pipe pipe = Pipe::s;
  size_t cores = 0;
  double busy = 0, waiting = 0;  ///< working; waiting for memory that all cores share
  double full = 1;               ///< blocks that ran of those that could have in so many waves
  [[nodiscard]] Bound bound() const;
};

/// Nothing for kernels whose blocks all run at the same time.
std::optional<WaveUse> use_of_waves(const SimResult& result);

/// "bound by L2 reads: MTE2 works 45 % and waits for them 49 % of the time"; empty when a pipe or waiting
/// bounds the kernel.
std::string bound_by_chip(const SimResult& result);
/// Waves and rates; nothing for a kernel of one block.
std::string chip_lines(const SimResult& result);

}  // namespace pto::report
