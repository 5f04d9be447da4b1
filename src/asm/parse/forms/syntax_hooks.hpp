// Hooks for forms that no syntax string can express. Each hook reads the items, fills the draft and
// emits the operation. It returns false if the statement is not its special form and the row's
// syntax applies.
#pragma once

#include "asm/parse/binder_context.hpp"

namespace pto::text {

using Hook = bool (*)(BinderContext&);
/// nullptr when the row's syntax is enough.
Hook find_hook(const isa::Row& row);

/// Arguments have their own types, dictionaries and locations; without a body they need no names.
bool bind_function(BinderContext& p);
/// The literal and its type are one value; the form of the literal determines the permitted types.
bool bind_constant(BinderContext& p);
/// Blocks have no operation of their own in the text: the name is refused.
bool bind_block(BinderContext& p);
/// The cases are counted before their regions are read.
bool bind_index_switch(BinderContext& p);
/// An old form of a reshape, tried where no form of today fits.
bool bind_reshape_into(BinderContext& p);
/// `@tile(0x1000)` moves the tile in place: from here on its name means the moved one.
bool bind_literal_address(BinderContext& p);

// Also used by the generic form.
/// A constant's literal and type.
AttrValue constant_value(BinderContext& p, Cursor cursor, Draft::Result& type);
void set_function_results(BinderContext& p, const std::vector<Draft::Result>& results);

}  // namespace pto::text
