// A source line with a mark below a part of it, cut to fit the screen.
#pragma once

#include <string>
#include <string_view>

namespace pto {

struct Excerpt {
  std::string line;  ///< without tabs and control characters
  std::string mark;  ///< spaces, ^ and ~
};
/// `begin` and `size` are the bytes to mark. A line wider than `columns` is shown with the types that are not
/// marked as
/// `!pto.tile_buf<…>`, and when that is not enough, as a window around the mark.
Excerpt excerpt(std::string_view line, size_t begin, size_t size, unsigned columns);

/// Columns a code point takes on a terminal.
unsigned display_width(char32_t code_point);

}  // namespace pto
