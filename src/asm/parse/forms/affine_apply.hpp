// The one operation of the affine dialect that early texts have.
#pragma once

#include "asm/parse/binder_context.hpp"

namespace pto::text {

/// Reads the current statement if it is affine.apply; false otherwise. Emits the expression of its
/// map as additions and multiplications.
bool bind_affine_apply(BinderContext& parts);

}  // namespace pto::text
