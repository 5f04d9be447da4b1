// Constants of several elements, as attributes write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "exec/exec_context.hpp"

namespace pto::exec {

/// The bits of one number as an attribute has it.
Word constant_word(const AttrValue& value, Elem elem);

/// Element i of a value: of a list, of `dense<7>` (the same for all) or `dense<[1, 2, 3]>`, of a number.
/// Nothing when it is none of these.
std::optional<Word> dense_element(const Program& program, const AttrValue& value, uint32_t i, Elem elem);

}  // namespace pto::exec
