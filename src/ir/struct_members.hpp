// The members of a struct type.
#pragma once

#include <string_view>
#include <vector>

#include "pto/type.hpp"

namespace pto {

/// Canonical spellings of the members; they nest. `text` is that of the type, or what a nested one holds.
std::vector<std::string_view> struct_members(std::string_view text);
/// What a member holds when it is a struct itself; empty when it is none.
std::string_view nested_struct(std::string_view member);
/// Scalars and pointers of a struct, nested ones included.
uint32_t struct_leaves(std::string_view text);
/// Where the member at the end of a path stands among them.
uint32_t struct_leaf(std::string_view text, const int64_t* path, uint32_t length);

}  // namespace pto
