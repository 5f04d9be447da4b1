#include "support/source_excerpt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

#include "support/printable.hpp"
#include "support/utf8.hpp"

namespace pto {

namespace {

constexpr std::string_view kEllipsis = "…";
constexpr unsigned kTabStop = 8;
/// Parameter lists of types shorter than this stay as they are.
constexpr size_t kShortList = 8;
/// Bytes before and behind the beginning of the mark that are looked at: lines may be as long as the file.
constexpr size_t kReach = 1024;

/// What is shown for some bytes of the line.
struct Cell {
  size_t begin = 0, end = 0;
  std::string text;
  unsigned width = 0;
};

/// A code point that takes no room is spelt out where it cannot be seen otherwise: when nothing else stands
/// below the mark.
Cell cell_at(std::string_view line, size_t at, unsigned column, size_t mark) {
  const auto [code_point, size] = decode_utf8(line.substr(at));
  const bool marked = at <= mark && mark < at + size;
  Cell cell{at, at + size, std::string(line.substr(at, size)), display_width(code_point)};
  if (code_point == '\t') {
    cell.width = kTabStop - column % kTabStop;
    cell.text.assign(cell.width, ' ');
  } else if (code_point == kBadCodePoint || code_point < 0x20 || code_point == 0x7f) {
    cell.text = "?";
    cell.width = 1;
  } else if (hidden_code_point(code_point) || (marked && cell.width == 0)) {
    cell.text = fmt::format("<U+{:04X}>", static_cast<uint32_t>(code_point));
    cell.width = static_cast<unsigned>(cell.text.size());
  }
  return cell;
}

/// Behind the '>' that closes the '<' in front of `at`; npos when there is none.
size_t end_of_list(std::string_view line, size_t at) {
  for (unsigned depth = 1; at < line.size(); ++at) {
    if (line[at] == '<') ++depth;
    if (line[at] == '>' && line[at - 1] != '-' && --depth == 0) return at + 1;
  }
  return line.npos;
}

bool word_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Whether a parameter list that begins at `at` may be left out, and how far it goes. The marked bytes are
/// never left out.
size_t elidable_list(std::string_view line, size_t at, size_t begin, size_t end) {
  if (line[at] != '<' || at == 0 || !word_char(line[at - 1])) return line.npos;
  const size_t close = end_of_list(line, at + 1);
  const bool marked = close != line.npos && at < end && begin < close;
  return close == line.npos || marked || close - at < kShortList ? line.npos : close;
}

Cell dots_at(size_t at) { return {at, at, std::string(kEllipsis), 1}; }

std::vector<Cell> cells_of(std::string_view whole, size_t begin, size_t end, bool elide) {
  std::vector<Cell> cells;
  unsigned column = 0;
  const std::string_view line = whole.substr(0, begin + kReach);
  size_t at = begin > kReach ? begin - kReach : 0;
  if (at > 0) cells.push_back(dots_at(at));
  while (at < line.size()) {
    const size_t close = elide ? elidable_list(line, at, begin, end) : line.npos;
    cells.push_back(close == line.npos ? cell_at(line, at, column, begin)
                                       : Cell{at, close, "<" + std::string(kEllipsis) + ">", 3});
    column += cells.back().width;
    at = cells.back().end;
  }
  if (line.size() < whole.size()) cells.push_back(dots_at(at));
  return cells;
}

unsigned width_of(const std::vector<Cell>& cells) {
  return std::accumulate(cells.begin(), cells.end(), 0u,
                         [](unsigned sum, const Cell& cell) { return sum + cell.width; });
}

/// Leaves the cells around the mark that fit, with an ellipsis where something is missing.
void cut_to_window(std::vector<Cell>& cells, size_t begin, size_t end, unsigned columns) {
  const auto first_marked =
      std::find_if(cells.begin(), cells.end(), [&](const Cell& cell) { return cell.end > begin; });
  auto first = first_marked, last = first_marked;
  unsigned room = columns > 2 ? columns - 2 : 1;  // both ellipses
  const auto fits = [&](const Cell& cell) { return cell.width <= room; };
  if (last != cells.end()) room -= std::min(room, (last++)->width);  // the mark is never lost
  for (; last != cells.end() && last->begin < end && fits(*last); ++last) room -= last->width;
  // What is left goes in equal parts before and behind the mark; what one side cannot use the other gets.
  const unsigned behind =
      std::accumulate(last, cells.end(), 0u, [](unsigned sum, const Cell& cell) { return sum + cell.width; });
  unsigned before = behind < room / 2 ? room - behind : room - room / 2;
  while (first != cells.begin() && std::prev(first)->width <= before) {
    --first;
    before -= first->width;
    room -= first->width;
  }
  for (; last != cells.end() && fits(*last); ++last) room -= last->width;
  std::vector<Cell> kept;
  if (first != cells.begin()) kept.push_back(dots_at(first->begin));
  kept.insert(kept.end(), first, last);
  if (last != cells.end()) kept.push_back(dots_at(last->begin));
  cells = std::move(kept);
}

}  // namespace

unsigned display_width(char32_t c) {
  struct Range {
    char32_t first, last;
  };
  static constexpr Range kNone[] = {{0x300, 0x36f},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
                                    {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
  static constexpr Range kWide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x4dbf},
                                    {0x4e00, 0xa4cf},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
                                    {0xfe30, 0xfe6f},   {0xff01, 0xff60},   {0xffe0, 0xffe6},
                                    {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
  const auto in = [c](const auto& ranges) {
    return std::any_of(std::begin(ranges), std::end(ranges),
                       [c](const Range& range) { return c >= range.first && c <= range.last; });
  };
  return in(kNone) ? 0 : in(kWide) ? 2 : 1;
}

Excerpt excerpt(std::string_view line, size_t begin, size_t size, unsigned columns) {
  const size_t end = std::min(begin + std::max<size_t>(size, 1), std::max(line.size(), begin + 1));
  std::vector<Cell> cells = cells_of(line, begin, end, false);
  if (begin >= line.size()) cells.push_back({begin, begin + 1, " ", 1});  // behind the last character
  if (width_of(cells) > columns && begin < line.size()) cells = cells_of(line, begin, end, true);
  if (width_of(cells) > columns) cut_to_window(cells, begin, end, columns);
  Excerpt shown;
  bool marked = false;
  for (const Cell& cell : cells) {
    shown.line += cell.text;
    const bool inside = cell.end > begin && cell.begin < end && cell.begin < cell.end;
    if (!inside && marked) continue;
    for (unsigned i = 0; i < cell.width; ++i) {
      shown.mark += !inside ? ' ' : marked ? '~' : '^';
      marked = marked || inside;
    }
  }
  while (shown.line.ends_with(' ')) shown.line.pop_back();
  return shown;
}

}  // namespace pto
