// With which numbers a counterexample runs.
#pragma once

#include <string>
#include <vector>

#include "analysis/argument_inference.hpp"
#include "prove/explore/memory_inputs.hpp"
#include "prove/proof_scope.hpp"
#include "pto/case_file.hpp"

namespace pto::driver {

/// "n = 128", "2 blocks", "d[3] = 1": chosen values and contents of buffers; `others`: also all
/// other parameters.
std::vector<std::string> describe_inputs(const std::vector<Choice>& choices, const std::vector<size_t>& at,
                                         const std::vector<InferredArgument>& chosen,
                                         const MemoryInputs& contents, bool others);

/// Whether there are parameters that nothing chooses.
bool has_unchosen_parameters(const std::vector<Choice>& choices, const std::vector<InferredArgument>& chosen);
/// They get this number.
void assign_unchosen_parameters(uint64_t number, const std::vector<Choice>& choices,
                                std::vector<Argument>& arguments);

}  // namespace pto::driver
