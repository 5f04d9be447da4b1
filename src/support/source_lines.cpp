#include "support/source_lines.hpp"

#include <algorithm>
#include <iterator>

#include "support/utf8.hpp"

namespace pto {

namespace {

bool name_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

}  // namespace

SourceLines::SourceLines(std::string_view text) : text_(text), starts_{0} {
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    starts_.push_back(static_cast<uint32_t>(at + 1));
}

Location SourceLines::locate(uint32_t offset) const {
  const auto line = std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin();
  return {static_cast<uint32_t>(line), offset - starts_[static_cast<size_t>(line - 1)] + 1};
}

Location SourceLines::begin_of(Span span, Location where) const {
  return where.line != 0 || span == Span{} || span.begin > text_.size() ? where : locate(span.begin);
}

Location SourceLines::end_of(Span span, Location where) const {
  if (span.end > span.begin && span.end <= text_.size()) return locate(span.end);
  Location end = begin_of(span, where);
  if (span != Span{} || end.line == 0 || end.col == 0) return end;
  const std::string_view text = line(end.line);
  while (end.col <= text.size() && name_char(text[end.col - 1])) ++end.col;
  return end;
}

std::string_view SourceLines::line(uint32_t number) const {
  if (number == 0 || number > starts_.size()) return {};
  const size_t begin = starts_[number - 1];
  const size_t end = number < starts_.size() ? starts_[number] - 1 : text_.size();
  std::string_view found = text_.substr(begin, end - begin);
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

uint32_t SourceLines::code_point_column(Location at) const {
  constexpr size_t kApart = 1024;
  const std::string_view line = this->line(at.line);
  if (at.col > line.size() + 1) return std::max(at.col, 1u);
  if (counted_line_ != at.line || counted_.empty()) {
    counted_line_ = at.line;
    counted_ = {{0, 0}};
  }
  const size_t wanted = std::max(at.col, 1u) - 1;
  const auto behind = std::ranges::upper_bound(counted_, wanted, {}, &Counted::byte);
  auto [byte, count] = *std::prev(behind);
  while (byte < wanted) {
    byte += decode_utf8(line.substr(byte)).bytes;
    ++count;
    if (byte >= counted_.back().byte + kApart) counted_.push_back({byte, count});
  }
  return count + 1;
}

}  // namespace pto
