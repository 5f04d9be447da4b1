// The printed reference of the instruction table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/program.hpp"

namespace pto {

struct ReferenceFilter {
  std::optional<Target> target;   ///< only instructions of this target
  bool unsupported_only = false;  ///< only instructions that are not executed or not read
};
/// All instructions, as Markdown ("md") or JSON ("json"; docs/reference/isa/README.md has its
/// fields).
std::string list_instructions(std::string_view format, const ReferenceFilter& filter = {});

/// The pages of docs/reference/isa: an index and a page per family.
struct ReferencePage {
  std::string file, text;
};
std::vector<ReferencePage> reference_pages();

}  // namespace pto
