// Parts of a type's spelling, so that a message marks the key that is wrong and not the whole type.
#pragma once

#include <string_view>

#include "pto/diagnostic.hpp"

namespace pto::text {

/// The bytes of `spelling` that state `key`: loc, dtype, valid, layout, shape, space. All of it when they
/// cannot be determined.
Span type_part(std::string_view spelling, std::string_view key);

}  // namespace pto::text
