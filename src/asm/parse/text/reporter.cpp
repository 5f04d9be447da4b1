#include "asm/parse/text/reporter.hpp"

#include <fmt/format.h>

#include <cstring>

namespace pto::text {

Location Reporter::locate(uint32_t offset) {
  if (offset < counted_offset_) {  // second places: any of them, so all lines are found once
    if (!lines_) lines_.emplace(source_);
    return lines_->locate(offset);
  }
  const char* text = source_.data();
  while (counted_offset_ < offset) {
    const void* newline = std::memchr(text + counted_offset_, '\n', offset - counted_offset_);
    if (newline == nullptr) break;
    ++line_;
    line_start_ = static_cast<uint32_t>(static_cast<const char*>(newline) - text) + 1;
    counted_offset_ = line_start_;
  }
  counted_offset_ = offset;
  return {line_, offset - line_start_ + 1};
}

Diagnostic& Reporter::fail(FindingId id, Span where, std::string message) {
  failed_ = true;
  return diagnostics_.error(id, std::move(message), where, locate(where.begin));
}

Diagnostic& Reporter::warn(FindingId id, Span where, std::string message) {
  return diagnostics_.warning(id, std::move(message), where, locate(where.begin));
}

void Reporter::note(Diagnostic& d, std::string message, Span where) {
  d.notes.push_back({std::move(message), where, locate(where.begin), {}});
}

void Reporter::suggest(Diagnostic& d, std::string_view word, const std::vector<std::string_view>& candidates,
                       std::string_view prefix) {
  const std::string_view near = diagnostics_.suggests() ? nearest(word, candidates) : std::string_view();
  if (!near.empty()) suggest_word(d, fmt::format("{}{}", prefix, word), fmt::format("{}{}", prefix, near));
}

void Reporter::suggest_word(Diagnostic& d, const std::string& word, std::string meant) const {
  d.help = fmt::format("did you mean '{}'?", meant);
  const size_t at = text(d.span).find(word);
  if (at == source_.npos) return;
  const auto begin = static_cast<uint32_t>(d.span.begin + at);
  d.replacement = Replacement{{begin, begin + static_cast<uint32_t>(word.size())}, std::move(meant)};
}

}  // namespace pto::text
