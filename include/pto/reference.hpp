// The printed reference of the instruction table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/program.hpp"

namespace pto {

struct ReferenceFilter {
  std::optional<Target> target;   ///< only what this target has
  bool unsupported_only = false;  ///< only what is not executed, or not read
};
/// Every instruction, as one Markdown text ("md") or as JSON ("json"; docs/reference/isa/README.md says what
/// it holds).
std::string list_instructions(std::string_view format, const ReferenceFilter& filter = {});

/// The folder docs/reference/isa: an index and a page per family.
struct ReferencePage {
  std::string file, text;
};
std::vector<ReferencePage> reference_pages();

}  // namespace pto
