#include "lsp/document.hpp"

#include <algorithm>

#include "support/utf8.hpp"

namespace pto::lsp {

namespace {

uint32_t units(const CodePoint& point) {
  return point.value != kBadCodePoint && point.value > 0xffff ? 2 : 1;
}

}  // namespace

void Document::set(std::string text) {
  text_ = std::move(text);
  find_lines();
}

void Document::find_lines() {
  starts_.assign(1, 0);
  for (size_t at = text_.find_first_of("\r\n"); at != text_.npos; at = text_.find_first_of("\r\n", at)) {
    at += text_[at] == '\r' && at + 1 < text_.size() && text_[at + 1] == '\n' ? 2 : 1;
    starts_.push_back(static_cast<uint32_t>(at));
  }
}

std::string_view Document::line(uint32_t number) const {
  if (number >= starts_.size()) return {};
  const size_t end = number + 1 < starts_.size() ? starts_[number + 1] : text_.size();
  std::string_view line = std::string_view(text_).substr(starts_[number], end - starts_[number]);
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

uint32_t Document::begin_of_line(uint32_t number) const {
  return number < starts_.size() ? starts_[number] : static_cast<uint32_t>(text_.size());
}

uint32_t Document::offset(Position position) const {
  if (position.line >= starts_.size()) return static_cast<uint32_t>(text_.size());
  const std::string_view text = line(position.line);
  size_t at = 0;
  for (uint32_t passed = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text.substr(at));
    passed += units(point);
    if (passed > position.character) break;
    at += point.bytes;
  }
  return starts_[position.line] + static_cast<uint32_t>(at);
}

Position Document::position(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(text_.size()));
  const auto number = static_cast<uint32_t>(std::ranges::upper_bound(starts_, offset) - starts_.begin() - 1);
  const std::string_view text = line(number);
  const size_t wanted = std::min<size_t>(offset - starts_[number], text.size());
  uint32_t character = 0;
  for (size_t at = 0; at < wanted;) {
    const CodePoint point = decode_utf8(text.substr(at));
    if (at + point.bytes > wanted) break;
    character += units(point);
    at += point.bytes;
  }
  return {number, character};
}

bool Document::replace(const Range& range, std::string_view text) {
  if (range.end < range.start || range.end.line >= lines()) return false;
  const uint32_t begin = offset(range.start), end = offset(range.end);
  text_.replace(begin, end - begin, text);
  find_lines();
  return true;
}

}  // namespace pto::lsp
