// Exit codes of all tools.
#pragma once

#include "pto/diagnostic.hpp"

namespace pto::tools {

inline constexpr int kOk = 0;
inline constexpr int kFinding = 1;      ///< in the program: an error, a mismatch, a hazard, a deadlock
inline constexpr int kUsage = 2;        ///< wrong command line, configuration or input file
inline constexpr int kUnsupported = 3;  ///< the program uses a feature that this version does not implement
inline constexpr int kInternal = 70;
inline constexpr int kInterrupted = 130;  ///< as shells report a process that SIGINT ended

/// The exit code for a program with errors.
inline int exit_code(const Diagnostics& diagnostics) {
  return diagnostics.only_unsupported() ? kUnsupported : kFinding;
}

}  // namespace pto::tools
