// Vector scopes for programs that leave pto.vecscope out.
#pragma once

#include "pto/diagnostic.hpp"
#include "pto/program.hpp"

namespace pto {

/// Puts a pto.vecscope around every run of vector operations that stands in none and hands no value out, with
/// a warning (W0550) for each. Scopes that the program writes stay as they are; where none fits, verify()
/// says why. True when the program changed.
bool infer_vector_scopes(Program& program, Diagnostics& diagnostics);
/// The same around operations on logical vectors, in functions where that takes in all of them: what is made
/// of these stays together when they are lowered.
bool scope_logical_vectors(Program& program);

}  // namespace pto
