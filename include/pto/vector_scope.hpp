// Vector scopes for programs that leave pto.vecscope out.
#pragma once

#include "pto/diagnostic.hpp"
#include "pto/program.hpp"

namespace pto {

/// Inserts a pto.vecscope around every sequence of vector operations that is in no scope and has no
/// result that is used after it, with a warning (W0550) for each. Existing scopes are not changed.
/// verify() reports sequences for which no scope is possible. Returns true if the program changed.
bool infer_vector_scopes(Program& program, Diagnostics& diagnostics);
/// As infer_vector_scopes, for operations on logical vectors, in functions in which one scope can
/// contain all of them: the registers that they are lowered to have to be in one scope.
bool scope_logical_vectors(Program& program);

}  // namespace pto
