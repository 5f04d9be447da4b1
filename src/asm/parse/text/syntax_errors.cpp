// Messages for text that is not a statement.
#include <algorithm>

#include "asm/parse/text/char_class.hpp"
#include "asm/parse/text/grammar.hpp"

namespace pto::text {

/// The string that runs into a word is the one that
/// lacks it.
SyntaxError open_string(const char* at, const char* begin, const char* last) {
  const char* line = at;
  while (line != begin && line[-1] != '\n') --line;
  for (const char* from = line; from < at;) {
    if (*from++ != '"') continue;
    const char* end = scan_string(from - 1, last);
    if (end == nullptr || (end != last && is(*end, kLetter | kDigit))) {
      at = from - 1;
      break;
    }
    from = end;
  }
  return {at, E0102, "this string is not closed on its line", 1, "add the closing quote"};
}

SyntaxError bad_number(const char* at, const char* last) {
  const char* end = at + 1;
  while (end != last && (is_word_char(*end) || (*end == '-' && (end[-1] == 'e' || end[-1] == 'E')))) ++end;
  const std::string_view digits =
      std::string_view(at, static_cast<size_t>(end - at)).substr(*at == '-' ? 1 : 0);
  Fix help =
      digits.starts_with("0x") || digits.starts_with("0X") ? "a hexadecimal number is 0x and digits 0-9, a-f"
      : is(digits.back(), kLetter) ? "numbers have no suffix; their type follows a ':', as in 1.5 : f32"
                                   : Fix::write_one_of({"32", "-1", "1.5e+01", "0x1F"});
  const auto width = static_cast<size_t>(end - at);
  return {at, E0123, "'" + std::string(at, std::min<size_t>(width, 40)) + "' is not a number", width,
          std::move(help)};
}

std::string describe_byte(const char* at, const char* last) {
  if (at == last) return "the end of the file";
  return describe_character({at, static_cast<size_t>(last - at)}).name;
}

void set_error(Statement& statement, const char* begin, const char* last, SyntaxError error) {
  statement.kind = StatementKind::error;
  Diagnostic& problem = statement.problem = Diagnostic{};
  const char* at = error.at;
  if (at != last && static_cast<unsigned char>(*at) >= 0x80) {
    const Character character = describe_character({at, static_cast<size_t>(last - at)});
    error = {at, E0122, character.name + " is not allowed here", character.bytes,
             "outside of strings and comments, programs are ASCII"};
    if (!character.meant.empty()) error.help = "did you mean '" + std::string(character.meant) + "'?";
  } else if (at != last && *at == ';') {
    error.help = "operations end with their line; a comment begins with //";
  } else if (at != last && *at == '/') {
    error.help = "a comment begins with // and ends with its line";
  }
  statement.lacks_percent = error.lacks_percent;
  problem.id = error.id;
  problem.message = std::move(error.message);
  problem.help = std::move(error.help);
  const auto offset = static_cast<uint32_t>(at - begin);
  problem.span = {offset, offset + static_cast<uint32_t>(at == last ? 0 : error.width)};
}

static char closer(NodeKind kind) {
  return kind == NodeKind::paren     ? ')'
         : kind == NodeKind::bracket ? ']'
         : kind == NodeKind::launch  ? '>'
                                     : '}';
}

void set_failure(Statement& statement, const char* begin, const char* where, const char* last,
                 const std::string& which, bool statement_follows) {
  set_error(
      statement, begin, last,
      {where, where == last ? E0103 : E0101, "expected " + which + " before " + describe_byte(where, last)});
  Diagnostic& problem = statement.problem;
  const Node* open = nullptr;
  uint32_t end = 0;
  for (const Node& node : statement.nodes) {
    const bool encloses = node.kind == NodeKind::paren || node.kind == NodeKind::bracket ||
                          node.kind == NodeKind::dict || node.kind == NodeKind::launch;
    if (encloses && node.end == 0) open = &node;
    end = std::max(end, node.end);
  }
  if (open == nullptr) return;
  const uint32_t opened = open->begin;
  if (open->kind == NodeKind::dict && !statement_follows && statement.nodes.back().kind == NodeKind::word &&
      where != last && *where != '=') {
    const Node& key = statement.nodes.back();
    problem.message =
        "expected '=' between '" + std::string(begin + key.begin, begin + key.end) + "' and its value";
    return;
  }
  if (statement_follows) {
    problem.id = E0103;
    problem.help = {};
    problem.message = std::string("'") + closer(open->kind) + "' is missing";
    problem.span = {std::max(end, opened + 1), std::max(end, opened + 1)};
    // `ins(.. outs(..)`: the word behind the types is not one of them.
    for (auto i = static_cast<size_t>(open - statement.nodes.data()) + 1; i + 1 < statement.nodes.size();
         ++i) {
      const Node& node = statement.nodes[i];
      const std::string_view text(begin + node.begin, node.end < node.begin ? 0 : node.end - node.begin);
      if (node.kind != NodeKind::word || (text != "outs" && text != "ins") ||
          statement.nodes[i + 1].kind != NodeKind::paren)
        continue;
      problem.message += " before '" + std::string(text) + "'";
      problem.span = {node.begin, node.end};
      break;
    }
  }
  const bool one_line =
      std::find(begin + opened,
                begin + std::min<size_t>(problem.span.begin, static_cast<size_t>(last - begin)),
                '\n') == begin + problem.span.begin;
  if (statement_follows || !one_line)
    problem.notes.push_back(
        {std::string("the '") + begin[opened] + "' was opened here", {opened, opened + 1}, {}, {}});
}

}  // namespace pto::text
