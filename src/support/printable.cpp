#include "support/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "support/utf8.hpp"

namespace pto {
namespace {

bool plain(char c) { return c >= 0x20 && c < 0x7f; }

/// The nearest place at or before `at` where no code point is cut.
size_t boundary(std::string_view text, size_t at) {
  for (size_t back = 0;
       back < 4 && at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80;
       ++back)
    --at;
  return at;
}

void spell_out(std::string& out, std::string_view text, bool one_line) {
  while (!text.empty()) {
    const auto [code_point, bytes] = decode_utf8(text);
    const bool layout = !one_line && (code_point == '\n' || code_point == '\t');
    if (layout || (code_point != kBadCodePoint && !hidden_code_point(code_point)))
      out += text.substr(0, bytes);
    else if (code_point == kBadCodePoint || code_point < 0x80)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    else
      out += fmt::format("\\u{{{:04x}}}", static_cast<uint32_t>(code_point));
    text.remove_prefix(bytes);
  }
}

/// `spell_out` without the middle of what is longer than `longest`.
void shorten(std::string& out, std::string_view text, size_t longest, bool one_line) {
  if (text.size() <= longest) return spell_out(out, text, one_line);
  const size_t head = boundary(text, longest / 4 * 3);
  const size_t tail = boundary(text, text.size() - longest / 8);
  spell_out(out, text.substr(0, head), one_line);
  out += fmt::format("…({} bytes)…", tail - head);
  spell_out(out, text.substr(tail), one_line);
}

std::string clean(std::string_view text, size_t longest_word, size_t longest_text, bool one_line) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" \n\t"), text.size());
    shorten(out, text.substr(0, end), longest_word, one_line);
    const size_t next = std::min(text.find_first_not_of(" \n\t", end), text.size());
    shorten(out, text.substr(end, next - end), longest_word, one_line);
    text.remove_prefix(next);
    if (out.size() > longest_text && !text.empty()) return out + fmt::format("…({} more bytes)", text.size());
  }
  return out;
}

bool nothing_to_do(std::string_view text, size_t longest_word, bool one_line) {
  if (text.size() > std::min(longest_word, kMaxTextLength)) return false;
  return std::all_of(text.begin(), text.end(), [&](char c) { return plain(c) || (c == '\n' && !one_line); });
}

}  // namespace

bool hidden_code_point(char32_t c) {
  struct Range {
    char32_t first, last;
  };
  static constexpr Range kHidden[] = {{0, 0x1f},        {0x7f, 0x9f},      {0xad, 0xad},     {0x61c, 0x61c},
                                      {0x115f, 0x1160}, {0x180b, 0x180f},  {0x200b, 0x200f}, {0x2028, 0x202e},
                                      {0x2060, 0x206f}, {0x3164, 0x3164},  {0xfeff, 0xfeff}, {0xffa0, 0xffa0},
                                      {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}};
  return std::any_of(std::begin(kHidden), std::end(kHidden),
                     [c](const Range& range) { return c >= range.first && c <= range.last; });
}

std::string printable(std::string_view text, size_t longest_word) {
  return nothing_to_do(text, longest_word, false) ? std::string(text)
                                                  : clean(text, longest_word, kMaxTextLength, false);
}

std::string printable_line(std::string_view text, size_t longest_word) {
  return nothing_to_do(text, longest_word, true) ? std::string(text)
                                                 : clean(text, longest_word, kMaxTextLength, true);
}

std::string printable_report(std::string_view text) {
  return clean(text, kMaxWordLength, std::string_view::npos, false);
}

std::string printable_text(std::string_view text) {
  std::string out;
  spell_out(out, text, false);
  return out;
}

}  // namespace pto
