// ${NAME} and ${NAME:-DEFAULT} in program texts, replaced before anything else is read.
#pragma once

#include <optional>
#include <string_view>

#include "pto/defines.hpp"

namespace pto::text {

/// The text with its values; no pieces when there is nothing to replace. Comments stay as they are. Nothing
/// after an error: a name that has neither a value nor a default.
std::optional<Expansion> expand(std::string_view source, const Defines& defines, Diagnostics& diagnostics);

}  // namespace pto::text
