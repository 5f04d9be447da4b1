#include "support/toml.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pto {
namespace {

/// Behind a string that begins at `at`; its dots join no parts of a key.
size_t end_of_string(std::string_view text, size_t at) {
  const char quote = text[at];
  const std::string_view three = text.substr(at, 3);
  const bool long_one = three.size() == 3 && three[1] == quote && three[2] == quote;
  size_t i = at + (long_one ? 3 : 1);
  for (; i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"')
      ++i;
    else if (!long_one && (text[i] == quote || text[i] == '\n'))
      return i + 1;
    else if (long_one && text.substr(i, 3) == three)
      return i + 3;
  }
  return text.size();
}

/// The line of the first key with too many parts, 0 when there is none.
size_t line_of_deep_key(std::string_view text) {
  size_t line = 1;
  int parts = 1;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const size_t end = end_of_string(text, i);
      line += static_cast<size_t>(
          std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                     text.begin() + static_cast<std::ptrdiff_t>(std::min(end, text.size())), '\n'));
      i = end;
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '\n') ++line;
    if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) parts = 1;
    if (c == '.' && ++parts > kMaxKeyParts) return line;
    ++i;
  }
  return 0;
}

template <typename Position>
std::string place_in(std::string_view file, const Position& position) {
  return file.starts_with(kSettingPlace) ? std::string(file) : fmt::format("{}:{}", file, position);
}

}  // namespace

std::string place_of(const toml::source_region& at) {
  const std::string_view file = at.path ? *at.path : std::string_view();
  return place_in(file, at.begin.line);
}

void put_over(toml::table& below, toml::table&& above, std::string_view name, Replaces replaces) {
  for (auto&& [key, node] : above) {
    toml::table* under = below[key].as_table();
    toml::table* over = node.as_table();
    if (under && over && !replaces(name, *over))
      put_over(*under, std::move(*over), key.str(), replaces);
    else
      below.insert_or_assign(key, std::move(node));
  }
}

bool is_value(std::string_view, const toml::table& table) { return table.is_inline(); }

namespace {

/// The parser ends the process where it gets no memory: whether there is room is asked before.
void ask_for_room(size_t bytes) { ::operator delete(::operator new(bytes)); }

}  // namespace

Result<toml::table> parse_toml(std::string_view text, const std::string& file) {
  if (const size_t line = line_of_deep_key(text))
    return Error{fmt::format("{}: the key has more than {} parts", place_in(file, line), kMaxKeyParts)};
  constexpr size_t kMin = 64 << 10;
  constexpr size_t kByByte = 32;
  ask_for_room(kMin + kByByte * text.size());
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& problem) {
    const toml::source_position at = problem.source().begin;
    return Error{fmt::format("{}: {}", place_in(file, fmt::format("{}:{}", at.line, at.column)),
                             problem.description())};
  }
}

}  // namespace pto
