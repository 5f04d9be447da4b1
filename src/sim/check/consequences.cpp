// One fault, one finding: what follows from another finding is told as a note of it.
#include <algorithm>

#include "sim/check/checkers.hpp"

namespace pto::sim {
namespace {

/// An instruction that comes before what it needs reads bytes that nobody has written yet.
bool follows(const Diagnostic& finding, const Diagnostic& cause) {
  return finding.id == "UNINIT" && cause.id == "RACE" && cause.severity == Severity::error &&
         finding.anchor.op == cause.anchor.op;
}

}  // namespace

std::vector<Diagnostic> with_consequences(std::vector<Diagnostic> findings) {
  std::vector<Diagnostic> causes, rest;
  for (Diagnostic& each : findings) (each.id == "RACE" ? causes : rest).push_back(std::move(each));
  for (Diagnostic& each : rest) {
    const auto cause =
        std::ranges::find_if(causes, [&](const Diagnostic& other) { return follows(each, other); });
    if (cause == causes.end())
      causes.push_back(std::move(each));
    else
      cause->notes.push_back({"so " + each.message, {}, each.where, each.anchor, each.moment});
  }
  return causes;
}

}  // namespace pto::sim
