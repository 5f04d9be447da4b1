// Program -> Kernel.
#pragma once

#include <string>

#include "isa/row.hpp"
#include "pto/machine.hpp"
#include "pto/program.hpp"
#include "pto/result.hpp"
#include "sim/loader/kernel_code.hpp"

namespace pto::sim {

/// Loads the kernel named `entry` (empty: the only one). Errors: unknown or ambiguous entry, recursion, an
/// instruction without semantics (Kind::unsupported). The kernel refers to `program`, which must outlive it.
Result<std::unique_ptr<Kernel>> load_kernel(const Program& program, const std::string& entry,
                                            const Machine& machine);
/// All lanes take part in these operations, whatever their masks hold; `ops` sorted.
void fill_masks(Kernel& kernel, const std::vector<uint32_t>& ops);
/// Whether anything carries out this instruction: the loader itself, or its semantics in src/exec.
bool carries_out(const isa::Row& row);

}  // namespace pto::sim
