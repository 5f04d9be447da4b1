// Characters that a program cannot contain: their names and the probably intended characters.
#pragma once

#include <string>
#include <string_view>

namespace pto::text {

/// A character for messages: `'x'`, `U+FF05 FULLWIDTH PERCENT SIGN`, `byte 0x01`.
struct Character {
  std::string name;
  std::string_view meant;  ///< the ASCII spelling that is likely meant, or empty
  unsigned bytes = 1;      ///< of its UTF-8 encoding
};
/// The character at the begin of `text`, which is not empty.
Character describe_character(std::string_view text);

/// Why `source` is not program text (an object, another program, UTF-16, binary data), or empty.
struct NotText {
  std::string message, help;
};
NotText not_text(std::string_view source);

}  // namespace pto::text
