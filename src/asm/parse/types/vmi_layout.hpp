// `#pto.vmi.layout<..>`: where the lanes of a logical vector lie.
#pragma once

#include <string>
#include <string_view>

#include "pto/type.hpp"

namespace pto::text {

/// The canonical spelling of the layout with these entries for a logical vector or mask; `problem` is set
/// when there is none.
std::string vmi_layout(std::string_view entries, const Type& type, std::string& problem);

}  // namespace pto::text
