// Diagnostics in short, for tests: format_text() is on a higher floor.
#pragma once

#include <string>

#include "pto/diagnostic.hpp"

namespace pto {

/// A line each: id, position, message, notes and help.
inline std::string messages(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics.all()) {
    text += std::string(to_string(d.id)) + " at " + std::to_string(d.where.line) + ':' +
            std::to_string(d.where.col) + ": " + full_message(d);
    for (const Note& note : d.notes) text += "; note: " + note.message;
    text += (d.help.empty() ? "" : "; help: " + to_string(d.help)) + '\n';
  }
  return text;
}

}  // namespace pto
