// Where an operation ends, and which '{' opens a region.
#include "asm/parse/text/grammar.hpp"

namespace pto::text {

/// The name of an operation, behind the '=' of its results.
static bool begins_name(const char* at, const char* last) {
  return at != last && (is(*at, kLetter) || *at == '"');
}

bool begins_results(const char*& at, const char* last) {
  for (;;) {
    if (at == last || *at != '%') return false;
    at = skip_trivia(scan_name(at + 1, last), last);
    if (at != last && *at == ':')
      at = skip_trivia(scan_digits(skip_trivia(at + 1, last), last, kDigit), last);
    if (at == last) return false;
    if (*at == '=') break;
    if (*at != ',') return false;
    at = skip_trivia(at + 1, last);
  }
  at = skip_trivia(at + 1, last);
  return begins_name(at, last);
}

/// `%a name.of.operation ..` on one line: the '=' is missing.
static bool lacks_equal(const char* at, const char* last) {
  const auto blank = [&] {
    while (at != last && (*at == ' ' || *at == '\t')) ++at;
  };
  at = scan_name(at + 1, last);
  blank();
  const char* end = scan_word(at, last);
  return end != at && (end == last || *end != '<') &&
         std::memchr(at, '.', static_cast<size_t>(end - at)) != nullptr;
}

bool lacks_percent(const char* end, const char* last) {
  while (end != last && (*end == ' ' || *end == '\t')) ++end;
  return end != last && *end == '=' && end + 1 != last && lacks_equal(end, last);
}

static bool begins_generic(const char* at, const char* last) {
  const char* end = scan_string(at, last);
  if (end == nullptr || std::memchr(at, '.', static_cast<size_t>(end - at)) == nullptr) return false;
  end = skip_trivia(end, last);
  return end != last && *end == '(';
}

bool begins_statement(const char* at, const char* last, const Reading& context) {
  if (at == last) return true;
  switch (*at) {
    case '}':
    case ')':
    case ']':
      return true;
    case '%': {
      const bool in_list = !context.nodes->empty() && context.nodes->back().kind == NodeKind::comma;
      const char* behind = at;
      return !in_list &&
             (begins_results(behind, last) || (first_on_line(at, context.begin) && lacks_equal(at, last)));
    }
    case '"':
      return begins_generic(at, last);
    case '^':
      return first_on_line(at, context.begin) &&
             (context.nodes->empty() || context.nodes->back().kind != NodeKind::comma);
    case '!':
    case '#': {
      if (!first_on_line(at, context.begin)) return false;
      const char* end = skip_trivia(scan_word(at + 1, last), last);
      return end != last && *end == '=';
    }
    default:
      break;
  }
  return word_begins_statement(at, scan_word(at, last), last, context);
}

bool word_begins_statement(const char* at, const char* end, const char* last, const Reading& context) {
  if (end == at) return false;
  const std::string_view word(at, static_cast<size_t>(end - at));
  bool dotted = false;  // words are short
  for (const char c : word) dotted |= c == '.';
  if (end != last && *end == '<')
    return dotted && std::string_view(end, static_cast<size_t>(last - end)).starts_with("<<<");
  if (dotted || word == "return") return true;
  return first_on_line(at, context.begin) &&
         (context.oracle->begins_operation(word) || lacks_percent(end, last));
}

bool Reading::next_result(const char* at, const char* last) {
  const char* end = scan_name(at + 1, last);
  const char* equal = skip_trivia(end, last);
  if (end == at + 1 || equal == last || *equal != '=') return false;
  result = {at, end, equal};
  return true;
}

bool Reading::statement_here(const char* at, const char* last) {
  if (next_result(at, last)) return begins_name(skip_trivia(result.equal + 1, last), last);
  return begins_statement(at, last, *this);
}

bool Reading::next_results(const char*& at, const char* last) const {
  if (maybe_results >= nodes->size()) return false;
  const char* first = begin + (*nodes)[maybe_results].begin;
  const char* behind = first;
  if (!begins_results(behind, last) || behind != skip_trivia(at + 1, last)) return false;
  nodes->resize(maybe_results);
  at = first;
  return true;
}

bool begins_stray_statement(const char* at, const char* last, const char* begin) {
  if (at == last || !first_on_line(at, begin)) return false;
  if (*at == '%') return begins_results(at, last);
  const char* end = scan_word(at, last);
  if (end == at) return false;
  if (end != last && *end == '<' &&
      !std::string_view(end, static_cast<size_t>(last - end)).starts_with("<<<"))
    return false;
  const std::string_view word(at, static_cast<size_t>(end - at));
  return word == "return" || word.find('.') != std::string_view::npos;
}

/// Whether the text behind a '{' reads like a dictionary: empty, or a key followed by '=', ',' or '}'.
static bool looks_like_dictionary(const char* at, const char* last) {
  at = skip_trivia(at, last);
  if (at == last || *at == '}') return true;
  const char* end = *at == '"' ? scan_string(at, last) : scan_word(at, last);
  if (end == nullptr || end == at) return false;
  end = skip_trivia(end, last);
  return end != last && (*end == '=' || *end == ',' || *end == '}');
}

/// The last sibling at top level is the word `word`.
static bool follows_word(const Reading& context, std::string_view word) {
  if (context.nodes->empty()) return false;
  const Node& node = context.nodes->back();
  return node.kind == NodeKind::word &&
         std::string_view(context.begin + node.begin, node.end - node.begin) == word;
}

/// `case 3` or `default` of a switch.
static bool follows_case(const Reading& context) {
  if (!context.oracle->has_cases(context.op)) return false;
  const std::vector<Node>& nodes = *context.nodes;
  if (nodes.size() < 2 || nodes.back().kind != NodeKind::number) return follows_word(context, "default");
  const Node& node = nodes[nodes.size() - 2];
  return std::string_view(context.begin + node.begin, node.end - node.begin) == "case";
}

/// `({`
static bool begins_region_list(const char* at, const char* last) {
  if (at == last || *at != '(') return false;
  at = skip_trivia(at + 1, last);
  return at != last && *at == '{';
}

bool begins_region(const char* at, const char* last, const Reading& context) {
  if (context.quoted) return !context.after_region && begins_region_list(at, last);
  if (at == last || *at != '{' || follows_word(context, "attributes")) return false;
  if (follows_word(context, "else") || follows_word(context, "do") || follows_case(context)) return true;
  if (context.after_region) return false;
  return context.oracle->has_region(context.op) || !looks_like_dictionary(at + 1, last);
}

const char* closed_angle(const char* at, const char* last, const Reading& context) {
  // Most have neither pairs nor strings inside.
  const char* plain = at + 1;
  while (plain != last && is(*plain, kAnglePart)) ++plain;
  if (plain != last && *plain == '>' && plain[-1] != '-') return plain + 1;
  if (*context.patience == 0) {
    const void* newline = std::memchr(at, '\n', static_cast<size_t>(last - at));
    if (newline != nullptr) last = static_cast<const char*>(newline);
  }
  const char* stop = nullptr;
  const char* end = scan_angle(at, last, &stop);
  if (end != nullptr) return end;
  *context.patience -= std::min(*context.patience, static_cast<size_t>(stop - at));
  context.problem = {at, E0103, "this '<' is not closed"};
  return nullptr;
}

}  // namespace pto::text
