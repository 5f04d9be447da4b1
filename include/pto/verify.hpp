// Legality of a program on its target: ordered, small, named passes; each rule has a stable id.
#pragma once

#include <optional>

#include "pto/diagnostic.hpp"
#include "pto/machine.hpp"
#include "pto/program.hpp"
#include "pto/sync_mode.hpp"

namespace pto {

struct VerifyOptions {
  std::optional<Level> level;   ///< default: level 3 when every alloc_tile has an address, else level 2
  bool synchronisation = true;  ///< also look for missing flags and orders, without running (E05xx, W05xx)
  SyncBy sync = SyncBy::by_program;
  /// The machine for checks of the order within a pipe and of reused ids; none: no such checks.
  std::optional<Machine> machine = {};
};
/// Adds a diagnostic per violated rule. Returns true if there is no error.
bool verify(const Program& program, const VerifyOptions& options, Diagnostics& diagnostics);
/// Level 3 when every alloc_tile has an address (and there is one), else level 2.
Level infer_level(const Program& program);

}  // namespace pto
