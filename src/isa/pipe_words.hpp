// The pipe column of the table in words, for the printed reference.
#pragma once

#include <string>

#include "isa/row.hpp"

namespace pto::isa {

/// "V", "none", "the pipe of `src_pipe`", or for rule pipes when which one: "FIX for tiles in acc, else
/// MTE3".
std::string pipe_words(const Row& row, Target target);

}  // namespace pto::isa
