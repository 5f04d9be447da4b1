// The text between statements: regions are stepped into and over, and after an error the next line is looked
// for.
#include <algorithm>

#include "asm/parse/text/grammar.hpp"

namespace pto::text {

void StatementReader::enter() {
  if (*at_ == '(' || *at_ == ',') at_ = skip_trivia(at_ + 1, last_);
  ++at_;
}

StatementReader::RegionList StatementReader::next_in_list() {
  at_ = skip_trivia(at_, last_);
  if (at_ == last_) return RegionList::broken;
  if (*at_ == ')') {
    ++at_;
    return RegionList::closed;
  }
  const char* next = *at_ == ',' ? skip_trivia(at_ + 1, last_) : at_;
  return *at_ == ',' && next != last_ && *next == '{' ? RegionList::another : RegionList::broken;
}

bool StatementReader::region_is_empty() const {
  const char* at = *at_ == '(' ? skip_trivia(at_ + 1, last_) : at_;
  if (at == last_ || *at != '{') return false;
  at = skip_trivia(at + 1, last_);
  return at != last_ && *at == '}';
}

bool StatementReader::skip_regions() {
  size_t depth = 0;
  while ((at_ = skip_trivia(at_, last_)) != last_) {
    const char c = *at_;
    if (c == '"') {
      at_ = scan_string(at_, last_);
      if (at_ == nullptr) return false;
      continue;
    }
    ++at_;
    if (c == '{' || c == '(') ++depth;
    if ((c == '}' || c == ')') && (depth == 0 || --depth == 0)) return depth == 0;
  }
  return false;
}

void StatementReader::recover() {
  // The next line that begins like a statement; brackets and strings of the broken one are not trusted.
  if (at_ != last_ && first_on_line(at_, begin_) && begins_line(at_)) return;
  while (at_ != last_) {
    const void* newline = std::memchr(at_, '\n', static_cast<size_t>(last_ - at_));
    at_ = newline == nullptr ? last_ : static_cast<const char*>(newline) + 1;
    at_ = skip_trivia(at_, last_);
    if (at_ == last_) return;
    if (*at_ == '%') {  // a list of values that names no results is stepped over as a whole
      const char* end = at_;
      if (begins_results(end, last_) || begins_line(at_)) return;
      at_ = std::max(at_, end - 1);
      continue;
    }
    if (begins_line(at_)) return;
  }
}

bool StatementReader::begins_line(const char* at) const {
  std::vector<Node> none;
  size_t patience = 0;
  const Reading context{begin_, &none, oracle_, &patience, {}};
  return *at == '}' || (*at != ')' && *at != ']' && begins_statement(at, last_, context));
}

}  // namespace pto::text
