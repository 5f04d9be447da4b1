#include "pto/defines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

namespace pto {

Result<Defines> Defines::parse(const std::vector<std::string>& texts) {
  Values values;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return Error{fmt::format("-D {}: write NAME=VALUE", text)};
    if (text.find_first_of("\r\n") != std::string::npos)
      return Error{fmt::format("-D {}: a value is one line", text)};
    values.insert_or_assign(text.substr(0, equals), text.substr(equals + 1));
  }
  return Defines(std::move(values));
}

const std::string* Defines::find(std::string_view name) const {
  if (!asked_.contains(name)) asked_.emplace(name);
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

Result<std::string> Defines::expand(std::string_view text) const {
  std::string result;
  size_t copied = 0;
  while (const std::optional<Placeholder> found = find_placeholder(text, copied)) {
    if (found->end == text.npos) return Error{"'${' without '}'"};
    const std::string name(found->name);
    result += text.substr(copied, found->begin - copied);
    if (const std::string* value = find(name))
      result += *value;
    else if (const char* variable = environment_ ? std::getenv(name.c_str()) : nullptr)
      result += variable;
    else if (found->fallback)
      result += *found->fallback;
    else if (environment_)
      return Error{
          fmt::format("${{{}}} is not set; set the environment variable or pass -D {}=..", name, name)};
    else
      return Error{
          fmt::format("${{{}}}: --sandbox reads no environment variables; pass -D {}=..", name, name)};
    copied = found->end;
  }
  result += text.substr(copied);
  return result;
}

std::optional<Error> Defines::unused(std::string_view where) const {
  const auto one =
      std::ranges::find_if(values_, [&](const auto& value) { return !asked_.contains(value.first); });
  if (one == values_.end()) return std::nullopt;
  const std::vector<std::string_view> names(asked_.begin(), asked_.end());
  const std::string_view near = nearest(one->first, names);
  return Error{fmt::format("-D {}={}: {} has no ${{{}}} and no constant with pto.param = \"{}\"{}",
                           one->first, one->second, where, one->first, one->first,
                           !near.empty()    ? fmt::format("; did you mean '{}'?", near)
                           : !names.empty() ? fmt::format("; it has {}", fmt::join(names, ", "))
                                            : "")};
}

std::optional<Placeholder> find_placeholder(std::string_view text, size_t from) {
  Placeholder found;
  found.begin = text.find("${", from);
  if (found.begin == text.npos) return std::nullopt;
  const size_t close = text.find('}', found.begin);
  found.end = close == text.npos ? text.npos : close + 1;
  found.name = text.substr(found.begin + 2, close == text.npos ? text.npos : close - found.begin - 2);
  if (const size_t behind = found.name.find(":-"); behind != text.npos) {
    found.fallback = found.name.substr(behind + 2);
    found.name = found.name.substr(0, behind);
  }
  return found;
}

namespace {

/// Where an offset into the expanded text stood; within a value: where its placeholder begins or ends.
uint32_t old_offset(const std::vector<Expansion::Piece>& pieces, uint32_t offset, bool is_end) {
  const auto above = std::upper_bound(pieces.begin(), pieces.end(), offset,
                                      [is_end](uint32_t at, const Expansion::Piece& piece) {
                                        return is_end ? at <= piece.begin : at < piece.begin;
                                      });
  if (above == pieces.begin()) return offset;
  const Expansion::Piece& piece = *(above - 1);
  if (offset >= piece.end) return offset - piece.end + piece.old_end;
  return is_end ? piece.old_end : piece.old_begin;
}

/// Begin of every line.
std::vector<uint32_t> line_starts(std::string_view text) {
  std::vector<uint32_t> starts = {0};
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    starts.push_back(static_cast<uint32_t>(at + 1));
  return starts;
}

}  // namespace

Span Expansion::original(Span span) const {
  if (span == Span{}) return span;
  const uint32_t begin = old_offset(pieces, span.begin, false);
  return {begin, std::max(begin, old_offset(pieces, span.end, span.end != span.begin))};
}

void Expansion::restore(std::string_view original_text, std::span<Diagnostic* const> diagnostics) const {
  if (pieces.empty() || diagnostics.empty()) return;
  const std::vector<uint32_t> starts = line_starts(text);
  const std::vector<uint32_t> old_starts = line_starts(original_text);
  const auto place = [&](Location& where) {
    if (where.line == 0 || where.line > starts.size() || where.line > old_starts.size() || where.col == 0)
      return;
    const uint32_t offset = starts[where.line - 1] + where.col - 1;
    where.col = old_offset(pieces, offset, false) - old_starts[where.line - 1] + 1;
  };
  for (Diagnostic* const diagnostic : diagnostics) {
    place(diagnostic->where);
    diagnostic->span = original(diagnostic->span);
    if (diagnostic->replacement) diagnostic->replacement->span = original(diagnostic->replacement->span);
    for (Note& note : diagnostic->notes) {
      place(note.where);
      note.span = original(note.span);
    }
  }
}

}  // namespace pto
