#include "asm/parse/text/braces.hpp"

#include <vector>

#include "asm/parse/text/scanner.hpp"

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
  uint32_t begin;   ///< of the line
  uint32_t indent;  ///< bytes of white space
};

/// The lines of ascending positions; every byte is looked at once.
class Lines {
 public:
  explicit Lines(std::string_view source) : source_(source) { start(0); }

  const Line& at(uint32_t position) {
    const size_t newline = source_.substr(seen_, position - seen_).rfind('\n');
    if (newline != source_.npos) start(seen_ + static_cast<uint32_t>(newline) + 1);
    seen_ = position;
    return line_;
  }

 private:
  void start(uint32_t begin) {
    uint32_t end = begin;
    while (end < source_.size() && (source_[end] == ' ' || source_[end] == '\t')) ++end;
    line_ = {begin, end - begin};
  }

  std::string_view source_;
  uint32_t seen_ = 0;
  Line line_{};
};

bool balanced(std::string_view source) {
  int64_t depth = 0;
  for_each_brace(source, 0, [&](uint32_t at) {
    depth += source[at] == '{' ? 1 : -1;
    return depth >= 0;
  });
  return depth == 0;
}

constexpr size_t kRemembered = size_t{1} << 20;

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
  Lines lines(source);
  size_t beyond = 0;  // open braces below kRemembered others; nobody's indentation goes that deep
  for_each_brace(source, 0, [&](uint32_t at) {
    if (source[at] == '{' ? open.size() == kRemembered : beyond != 0) {
      if (source[at] == '{')
        ++beyond;
      else {
        --beyond;
        closed = at;
      }
      return true;
    }
    const Line line = lines.at(at);
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
      found = line.indent < open.back().line.indent ? BraceFinding{false, false, at, open.back().at}
                                                    : BraceFinding{true, false, at, closed};
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
