// Diagnostics as text, JSON and SARIF.
#pragma once

#include <string>
#include <string_view>

#include "pto/diagnostic.hpp"

namespace pto {

struct TextStyle {
  bool color = false;
  unsigned columns = 100;  ///< width of source excerpts
};
/// `file:line:col: error[E0123]: message`, the source line with carets, then note: and help: lines.
std::string format_text(const Diagnostic& diagnostic, std::string_view file, std::string_view source,
                        const TextStyle& style = {});
/// All diagnostics, then the count of those that are not shown.
std::string format_text(const Diagnostics& diagnostics, std::string_view file, std::string_view source,
                        const TextStyle& style = {});
/// The diagnostics as a JSON array.
std::string format_json(const Diagnostics& diagnostics, std::string_view file, std::string_view source);
/// As a SARIF 2.1.0 log with one run of `tool`.
std::string format_sarif(const Diagnostics& diagnostics, std::string_view file, std::string_view source,
                         std::string_view tool);

}  // namespace pto
