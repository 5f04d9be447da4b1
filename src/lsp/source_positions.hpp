// Where the tiles of a text lie on the chip.
#pragma once

#include <cstdint>
#include <map>

#include "lsp/analysis.hpp"

namespace pto::lsp {

struct Place {
  uint64_t address = 0, bytes = 0;
  Space space = Space::none;
  bool chosen = false;  ///< by the planner; otherwise the text has it
};
using Places = std::map<ValueId, Place>;

/// The planned addresses of a text without errors; empty if it has errors or its tiles do not fit.
Places places_of(const Analysis& analysis, const std::string& text, const Settings& settings);

/// Bytes that a value of the type takes; 0 where that is not known, or the type has none.
uint64_t bytes_of(const Type& type);

}  // namespace pto::lsp
