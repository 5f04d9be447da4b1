// What no syntax string expresses, and why. Each hook reads the items, fills the draft and emits; it returns
// false when the statement is not its own special form and the row's syntax applies.
#pragma once

#include "asm/binder.hpp"

namespace pto::text {

/// The arguments stand with types, dictionaries and locations of their own; without a body they need no
/// names.
bool bind_function(Binder& b);
/// The literal and its type are one value, whose form decides what the type may be.
bool bind_constant(Binder& b);
/// Blocks have no operation of their own in the text: the name is refused.
bool bind_block(Binder& b);
/// The cases are counted before their regions are read.
bool bind_index_switch(Binder& b);
/// `@tile(0x1000)` moves the tile in place: from here on its name means the moved one.
bool bind_literal_address(Binder& b);

}  // namespace pto::text
