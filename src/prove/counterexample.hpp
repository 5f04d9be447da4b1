// With which numbers a counterexample runs.
#pragma once

#include <string>
#include <vector>

#include "analysis/argument_inference.hpp"
#include "prove/explore/memory_inputs.hpp"
#include "prove/proof_scope.hpp"
#include "pto/case_file.hpp"

namespace pto::driver {

/// "n = 128", "2 blocks", "d[3] = 1": what was chosen, what buffers hold; `others`: and all other parameters.
std::vector<std::string> inputs_of(const std::vector<Choice>& choices, const std::vector<size_t>& at,
                                   const std::vector<Chosen>& chosen, const Contents& contents, bool others);

/// Whether there are parameters that nothing chooses.
bool has_others(const std::vector<Choice>& choices, const std::vector<Chosen>& chosen);
/// They get this number.
void give_others(uint64_t number, const std::vector<Choice>& choices, std::vector<Argument>& arguments);

}  // namespace pto::driver
