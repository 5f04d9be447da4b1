// What all output forms of diagnostics say in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pto/diagnostic.hpp"

namespace pto {

/// "error", "warning" or "note": SARIF uses the same words.
std::string_view to_string(Severity severity);
/// The switch that this warning obeys, as -Wname or, for one that counts as an error, -Werror=name; "" for
/// others.
std::string switch_of(const Diagnostic& diagnostic);
/// "in cycle 24 on AIV1 of block 0, iteration 3 of the loop at line 12 (%i = 2)"
std::string words(const Moment& moment);
std::string words(const SourcePlace& place);  ///< "model.py:12:5"
/// Its notes, and of a run when it was.
std::vector<Note> notes_of(const Diagnostic& diagnostic);
/// "3 more errors are not shown; --max-errors 0 shows all", or "".
std::string hidden_text(const Diagnostics& diagnostics);

}  // namespace pto
