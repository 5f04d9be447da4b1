// The parts of the dma() family that stand in files of their own.
#pragma once

#include <span>

#include "exec/exec_context.hpp"

namespace pto::exec::dma_detail {

std::span<const Semantics> fractal_moves();      // fractal.cpp: GM -> L1 fractals, L1 -> L0A/L0B/BT/FB
std::span<const Semantics> control_registers();  // exec/control_registers.cpp

}  // namespace pto::exec::dma_detail
