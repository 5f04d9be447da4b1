#include "asm/braces.hpp"

#include <vector>

#include "asm/lex.hpp"

namespace pto::text {
namespace {

/// Calls each(position) for the braces outside of comments and strings until it returns false.
template <typename Each>
void for_each_brace(std::string_view source, uint32_t from, const Each& each) {
  const char* last = source.data() + source.size();
  for (const char* at = source.data() + from; at != last;) {
    at = skip_trivia(at, last);
    if (at == last) return;
    if (*at == '"') {
      const char* end = scan_string(at, last);
      at = end == nullptr ? at + 1 : end;
      continue;
    }
    if ((*at == '{' || *at == '}') && !each(static_cast<uint32_t>(at - source.data()))) return;
    ++at;
  }
}

struct Line {
  uint32_t begin;    ///< of the line
  uint32_t indent;   ///< bytes of white space
};

Line line_of(std::string_view source, uint32_t at) {
  const size_t newline = at == 0 ? source.npos : source.rfind('\n', at - 1);
  const auto begin = static_cast<uint32_t>(newline == source.npos ? 0 : newline + 1);
  uint32_t end = begin;
  while (end < source.size() && (source[end] == ' ' || source[end] == '\t')) ++end;
  return {begin, end - begin};
}

bool balanced(std::string_view source) {
  int64_t depth = 0;
  for_each_brace(source, 0, [&](uint32_t at) {
    depth += source[at] == '{' ? 1 : -1;
    return depth >= 0;
  });
  return depth == 0;
}

struct Open {
  uint32_t at;
  Line line;
};

}  // namespace

std::optional<BraceFinding> find_unbalanced(std::string_view source) {
  if (balanced(source)) return std::nullopt;
  std::vector<Open> open;
  BraceFinding found;
  bool done = false;
  uint32_t closed = 0;
  for_each_brace(source, 0, [&](uint32_t at) {
    const Line line = line_of(source, at);
    if (source[at] == '{') {
      open.push_back({at, line});
      return true;
    }
    if (open.empty()) {
      found = {true, true, at, closed};
      done = true;
      return false;
    }
    const bool own_line = at == line.begin + line.indent && line.begin != open.back().line.begin;
    if (own_line && line.indent != open.back().line.indent) {
      found = line.indent < open.back().line.indent ? BraceFinding{false, false, at, open.back().at} : BraceFinding{true, false, at, closed};
      done = true;
      return false;
    }
    open.pop_back();
    closed = at;
    return true;
  });
  if (!done) found = {false, false, static_cast<uint32_t>(source.size()), open.back().at};
  return found;
}

uint32_t matching_brace(std::string_view source, uint32_t open) {
  auto found = static_cast<uint32_t>(source.size());
  size_t depth = 0;
  for_each_brace(source, open, [&](uint32_t at) {
    depth += source[at] == '{' ? size_t{1} : ~size_t{0};
    if (depth != 0) return true;
    found = at;
    return false;
  });
  return found;
}

}  // namespace pto::text
