// An instruction as Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/row_facts.hpp"

namespace pto::reference {

/// A section with its heading: all forms of one mnemonic.
std::string section_markdown(const std::vector<FormFacts>& forms);
/// The target of links to that section on its page.
std::string anchor_of(std::string_view mnemonic);

}  // namespace pto::reference
