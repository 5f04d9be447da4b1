// Finds a missing or superfluous brace by indentation.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pto::text {

struct BraceFinding {
  bool extra = false;      ///< a '}' too many; otherwise one is missing
  bool outermost = false;  ///< nothing was open at the '}' that is too many
  uint32_t at = 0;         ///< the '}' that is too many, or the place in front of which one is missing
  uint32_t partner = 0;  ///< the '{' that is not closed, or the '}' that closed in front of the one too many
};

/// nullopt when every brace of the source has its partner.
std::optional<BraceFinding> find_unbalanced(std::string_view source);

/// The '}' that belongs to the '{' at `open`; the end of the source when it has none.
uint32_t matching_brace(std::string_view source, uint32_t open);

}  // namespace pto::text
