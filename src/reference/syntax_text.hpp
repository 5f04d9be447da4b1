// How a form is written, for people: the compiled syntax of the table with names in place of its marks.
#pragma once

#include <string>

#include "isa/row.hpp"

namespace pto::reference {

/// One line, or two when it is long; empty when the row has no textual form.
std::string syntax_words(const isa::Schema& schema);

}  // namespace pto::reference
