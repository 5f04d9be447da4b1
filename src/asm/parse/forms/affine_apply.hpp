// The one operation of the affine dialect that early texts have.
#pragma once

#include "asm/parse/binder_context.hpp"

namespace pto::text {

/// Reads the statement at hand when it is affine.apply; false when it is another. What its map states is
/// emitted as additions and multiplications.
bool bind_affine_apply(BinderContext& parts);

}  // namespace pto::text
