// Exit codes of all tools, and the one that a program with errors gets. What kind of error it was, its id
// says.
#pragma once

#include "pto/diagnostic.hpp"

namespace pto::tools {

inline constexpr int kOk = 0;
inline constexpr int kFinding = 1;      ///< the program has one: a broken rule, a mismatch, a hazard, a hang
inline constexpr int kUsage = 2;        ///< command line, files
inline constexpr int kUnsupported = 3;  ///< nothing is wrong but what this version does not implement
inline constexpr int kInternal = 70;
inline constexpr int kInterrupted = 130;  ///< what shells say of a program that SIGINT ended

/// For a program that was refused.
inline int exit_code(const Diagnostics& diagnostics) {
  return diagnostics.only_unsupported() ? kUnsupported : kFinding;
}

}  // namespace pto::tools
