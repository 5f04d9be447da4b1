// Text of strangers on its way to a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pto {

/// Longest word and longest text of a message; beyond that the middle is left out.
inline constexpr size_t kMaxWordLength = 512, kMaxTextLength = size_t{64} << 10, kMaxPathLength = 4096;

/// The text with everything spelt out that a terminal would act on or hide (\x1b, \u{202e}, bytes that are no
/// UTF-8), and with words of more than `longest_word` bytes shortened. Line ends and tabs stay.
std::string printable(std::string_view text, size_t longest_word = kMaxWordLength);
/// The same for one line: file names, errors of a tool.
std::string printable_line(std::string_view text, size_t longest_word = kMaxWordLength);
/// A whole report of many lines, of any length.
std::string printable_report(std::string_view text);
/// A text of any length and with words of any length, such as a program.
std::string printable_text(std::string_view text);

/// Whether a code point moves the cursor, changes the direction of writing or has no width. Such a
/// code point is always escaped.
bool hidden_code_point(char32_t code_point);

}  // namespace pto
