#include "lsp/statement_at.hpp"

#include <algorithm>

#include "asm/parse/mnemonics.hpp"
#include "asm/parse/text/scanner.hpp"

namespace pto::lsp {

const isa::Row* row_named(std::string_view word) {
  return word.empty() ? nullptr : text::Vocabulary().row_of(word);
}

std::vector<const isa::Row*> forms_of(const isa::Row& first) {
  std::vector<const isa::Row*> forms;
  const std::span<const isa::Row> rows = isa::rows();
  for (size_t i = isa::id_of(first); i < rows.size() && rows[i].name == first.name; ++i)
    forms.push_back(&rows[i]);
  return forms;
}

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Where the line of an offset begins.
uint32_t line_begin(std::string_view text, uint32_t offset) {
  const size_t newline = offset == 0 ? text.npos : text.rfind('\n', offset - 1);
  return newline == text.npos ? 0 : static_cast<uint32_t>(newline + 1);
}

std::optional<Statement> statement_of_line(std::string_view text, uint32_t begin) {
  const char *last = text.data() + text.size(), *at = text.data() + begin;
  while (at != last && is_blank(*at)) ++at;
  at = skip_results(at, last);
  if (at != last && *at == '"') ++at;
  const char* end = text::scan_word(at, last);
  const std::string_view word(at, static_cast<size_t>(end - at));
  const isa::Row* row = row_named(word);
  if (row == nullptr) return std::nullopt;
  const auto from = static_cast<uint32_t>(at - text.data());
  return Statement{{from, from + static_cast<uint32_t>(word.size())}, row};
}

}  // namespace

const char* skip_results(const char* at, const char* last) {
  const char* begin = at;
  while (at != last && *at == '%') {
    at = text::scan_name(at + 1, last);
    while (at != last && is_blank(*at)) ++at;
    if (at != last && *at == ':') {
      ++at;
      while (at != last && text::is(*at, text::kDigit)) ++at;
      while (at != last && is_blank(*at)) ++at;
    }
    if (at == last || (*at != ',' && *at != '=')) return begin;
    const bool done = *at++ == '=';
    while (at != last && is_blank(*at)) ++at;
    if (done) return at;
  }
  return begin;
}

std::optional<Statement> statement_at(std::string_view text, uint32_t offset) {
  constexpr int kMaxLines = 40;
  offset = std::min(offset, static_cast<uint32_t>(text.size()));
  uint32_t begin = line_begin(text, offset);
  for (int i = 0; i < kMaxLines; ++i) {
    if (auto found = statement_of_line(text, begin); found && found->name.begin <= offset) return found;
    if (begin == 0) break;
    begin = line_begin(text, begin - 1);
  }
  return std::nullopt;
}

Span word_at(std::string_view text, uint32_t offset) {
  offset = std::min(offset, static_cast<uint32_t>(text.size()));
  uint32_t begin = offset, end = offset;
  while (begin > 0 && text::is_word_char(text[begin - 1])) --begin;
  while (end < text.size() && text::is_word_char(text[end])) ++end;
  while (end > offset && text[end - 1] == '.') --end;
  return {begin, end};
}

bool in_comment(std::string_view text, uint32_t offset) {
  offset = std::min(offset, static_cast<uint32_t>(text.size()));
  const char *at = text.data() + line_begin(text, offset), *last = text.data() + offset;
  while (at != last) {
    if (*at == '"') {
      at = text::scan_string(at, last);
      if (at == nullptr) return false;
      continue;
    }
    if (*at == '/' && at + 1 != last && at[1] == '/') return true;
    if (text::is_hash_comment(at, last)) return true;
    ++at;
  }
  return false;
}

}  // namespace pto::lsp
