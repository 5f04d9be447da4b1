// Numbers that are wrong: of bursts, bytes, steps and iterations, of where a window begins. What they make an
// instruction do lies outside of a buffer, or leaves bytes unwritten that are read later.
#pragma once

#include <functional>
#include <vector>

#include "repair/edits.hpp"

namespace pto::sim {

/// What may have been meant, the likeliest first: a value that the wrong one is made of, what the same
/// operand is elsewhere, the greatest number that stays inside, and what a slip makes of a number. `inside`:
/// whether nothing in a program lies outside of its buffer.
std::vector<Repair> constant_candidates(const Program& program, const Diagnostics& findings,
                                        const std::function<bool(const Program&)>& inside);

}  // namespace pto::sim
