// Exit codes of all tools, and the one that a program with errors gets.
#pragma once

#include <algorithm>
#include <string_view>

#include "pto/diagnostic.hpp"

namespace pto::tools {

inline constexpr int kOk = 0;
inline constexpr int kFinding = 1;        ///< the program breaks a rule, or its run found something
inline constexpr int kUsage = 2;          ///< command line, files
inline constexpr int kUnsupported = 3;    ///< nothing is wrong but what this version does not implement
inline constexpr int kSyntax = 4;         ///< the text is not a program
inline constexpr int kCapacity = 5;       ///< the program is right, but its tiles do not fit their memories
inline constexpr int kInternal = 70;

/// For a program that was refused.
inline int exit_code(const Diagnostics& diagnostics) {
  if (diagnostics.only_unsupported()) return kUnsupported;
  bool syntax = false, capacity = true;
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.severity != Severity::error) continue;
    syntax = syntax || d.id.starts_with("E01");
    capacity = capacity && (d.id == "E0376" || d.id == "E0377" || d.id == "E0601");
  }
  return syntax ? kSyntax : capacity ? kCapacity : kFinding;
}

}  // namespace pto::tools
