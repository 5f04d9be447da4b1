// Flags that are written otherwise: where sets and waits do not go together, or leave accesses in no order,
// one line or two may name the wrong pipes or the wrong id. Advice on what is missing cannot see that when
// the name that was written belongs to another flag; what can is a run with the line changed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pto/diagnostic.hpp"
#include "pto/program.hpp"

namespace pto::sim {

/// One set or wait that is not there, or names another flag.
struct FlagEdit {
  enum class Kind : uint8_t { remove, exchange, rename };
  uint32_t op = 0;
  Kind kind = Kind::remove;
  int id = 0;  ///< of rename
};
using FlagCure = std::vector<FlagEdit>;

/// Whether a finding is one of flags and order.
bool is_of_order(const Diagnostic& finding);
/// Of these, what stops pipes, or would: sets and waits do not go together. What is only in no order is cured
/// by what its finding asks for.
bool is_of_counts(const Diagnostic& finding);
/// What may have been meant, the likeliest first: where a flag has as many sets as waits, a pair of them
/// written otherwise, else one of them. Only flags between pipes that the findings are about.
std::vector<FlagCure> possible_cures(const Program& program, const Diagnostics& findings, int event_ids);
/// Of the possible ones the first that leaves no finding of order, told in the help of the findings. `clean`:
/// whether a program has none; it is asked `most` times at most.
void advise_cure(const Program& program, Diagnostics& findings, int event_ids, size_t most,
                 const std::function<bool(const Program&)>& clean);

}  // namespace pto::sim
