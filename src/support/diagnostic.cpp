// Diagnostics as text with source lines and carets, and as JSON; the nearest spelling.
#include "pto/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pto {

namespace {

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: break;
  }
  return "note";
}

Location location_of(std::string_view source, Span span, Location where) {
  if (where.line != 0 || span == Span{} || span.begin > source.size()) return where;
  const std::string_view before = source.substr(0, span.begin);
  const size_t newline = before.rfind('\n');
  const auto line = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
  return {line, static_cast<uint32_t>(span.begin - (newline == before.npos ? 0 : newline + 1) + 1)};
}

std::string position(std::string_view file, Location where) {
  if (where.line == 0) return fmt::format("{}: ", file);
  return fmt::format("{}:{}:{}: ", file, where.line, where.col);
}

std::string_view line_text(std::string_view source, uint32_t line) {
  size_t begin = 0;
  for (uint32_t i = 1; i < line; ++i) {
    begin = source.find('\n', begin);
    if (begin == source.npos) return {};
    ++begin;
  }
  return source.substr(begin, source.find('\n', begin) - begin);
}

/// The source line and carets below it. Long lines are shown around the place.
std::string snippet(std::string_view source, Span span, Location where) {
  if (where.line == 0 || source.empty()) return {};
  std::string_view line = line_text(source, where.line);
  size_t column = where.col - 1;
  if (column > line.size()) return {};
  size_t width = span.end > span.begin ? span.end - span.begin : 1;
  constexpr size_t kWidest = 160;
  std::string_view head;
  if (line.size() > kWidest && column > kWidest / 2) {
    const size_t cut = column - kWidest / 2;
    line.remove_prefix(cut);
    column -= cut;
    head = "..";
  }
  std::string_view tail;
  if (line.size() > kWidest) {
    line = line.substr(0, kWidest);
    tail = "..";
  }
  width = std::min(width, std::max<size_t>(line.size() - std::min(column, line.size()), 1));
  std::string shown;
  for (const char c : line) shown += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
  std::string carets;
  for (size_t i = 0; i < column; ++i) carets += line[i] == '\t' ? '\t' : ' ';
  carets += '^';
  carets.append(width - 1, '~');
  const std::string gutter = fmt::format("{:>5} | ", where.line);
  return fmt::format("{}{}{}{}\n{:>5} | {}{}\n", gutter, head, shown, tail, "", std::string(head.size(), ' '), carets);
}

nlohmann::ordered_json location_json(Span span, Location where) {
  nlohmann::ordered_json json;
  json["line"] = where.line;
  json["column"] = where.col;
  json["begin"] = span.begin;
  json["end"] = span.end;
  return json;
}

}  // namespace

std::string format_text(const Diagnostic& d, std::string_view file, std::string_view source) {
  const Location where = location_of(source, d.span, d.where);
  std::string text = position(file, where);
  text += d.id.empty() ? fmt::format("{}: {}\n", to_string(d.severity), d.message)
                       : fmt::format("{}[{}]: {}\n", to_string(d.severity), d.id, d.message);
  text += snippet(source, d.span, where);
  for (const Note& note : d.notes) {
    const Location at = location_of(source, note.span, note.where);
    text += at.line == 0 ? fmt::format("  note: {}\n", note.message) : fmt::format("{}note: {}\n", position(file, at), note.message);
    text += snippet(source, note.span, at);
  }
  if (!d.help.empty()) text += fmt::format("  help: {}\n", d.help);
  return text;
}

std::string format_json(const std::vector<Diagnostic>& diagnostics, std::string_view file) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Diagnostic& d : diagnostics) {
    nlohmann::ordered_json item;
    item["id"] = d.id;
    item["severity"] = to_string(d.severity);
    item["message"] = d.message;
    item["file"] = file;
    item["location"] = location_json(d.span, d.where);
    item["unsupported"] = d.unsupported;
    item["notes"] = nlohmann::ordered_json::array();
    for (const Note& note : d.notes) item["notes"].push_back({{"message", note.message}, {"location", location_json(note.span, note.where)}});
    item["help"] = d.help;
    list.push_back(std::move(item));
  }
  return list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

/// Edit distance in insertions, deletions, substitutions and swaps of neighbours; upper and lower case are equal.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (word.size() > 128 || word.size() < 2) return {};
  constexpr size_t kMostEqual = 3;   // so many equally near ones are no suggestion
  size_t best = std::max<size_t>(word.size() / 3, 1) + 1, equal = 0;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    const size_t gap = candidate.size() > word.size() ? candidate.size() - word.size() : word.size() - candidate.size();
    if (gap > best || candidate == word || candidate == found || candidate.empty()) continue;
    if (word.size() <= 3 && lower(candidate.front()) != lower(word.front())) continue;
    const size_t edits = distance(word, candidate);
    if (edits > best || (edits == best && found.empty())) continue;
    equal = edits == best ? equal + 1 : 1;
    if (edits == best) continue;
    best = edits;
    found = candidate;
  }
  return equal > kMostEqual ? std::string_view{} : found;
}

}  // namespace pto
