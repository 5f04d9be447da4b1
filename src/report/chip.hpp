// What a run tells of the chip: waves, rates beside the peaks, what all its cores share.
#pragma once

#include <string>

#include "pto/simulator.hpp"

namespace pto::report {

/// "bound by L2 reads: MTE2 works 45 % and waits for them 49 % of the time"; empty when a pipe or waiting
/// bounds the kernel.
std::string bound_by_chip(const SimResult& result);
/// Waves and rates; nothing for a kernel of one block.
std::string chip_lines(const SimResult& result);

}  // namespace pto::report
