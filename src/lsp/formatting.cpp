// Indentation: two blanks for each brace that is open, nothing at the ends of lines. Everything else stays as
// it is, comments too.
#include <algorithm>

#include "asm/parse/text/scanner.hpp"
#include "lsp/features.hpp"
#include "lsp/text_edits.hpp"

namespace pto::lsp {

namespace {

struct Depth {
  int braces = 0, others = 0;  ///< ( [ <: a statement that goes on
};

/// What a line opens and closes, comments and strings apart.
void count(std::string_view line, Depth& depth) {
  const char *at = line.data(), *last = at + line.size();
  while (at != last) {
    if (*at == '"') {
      const char* end = text::scan_string(at, last);
      at = end == nullptr ? last : end;
      continue;
    }
    if (text::is_hash_comment(at, last) || (*at == '/' && at + 1 != last && at[1] == '/')) return;
    depth.braces += *at == '{' ? 1 : *at == '}' ? -1 : 0;
    depth.others += *at == '(' || *at == '[' ? 1 : *at == ')' || *at == ']' ? -1 : 0;
    ++at;
  }
}

}  // namespace

Json formatting(OpenText& text, const Settings& settings) {
  const Analysis& analysis = text.analysis(settings);
  const Document& document = text.document();
  if (!analysis.whole()) return nullptr;  // braces may be missing
  std::vector<bool> begins(document.lines() + 1);
  for (const Op& op : analysis.program().ops) {
    if (op.where.line != 0) begins[document.position(analysis.offset_of(op.where)).line] = true;
  }
  std::vector<Edit> edits;
  Depth depth;
  long shift = 0;  // of the statement that goes on
  for (uint32_t number = 0; number < document.lines(); ++number) {
    const std::string_view line = document.line(number), words = text::trim(line);
    const auto blanks = static_cast<long>(std::min(line.find_first_not_of(" \t"), line.size()));
    const bool closes = !words.empty() && words.front() == '}';
    const bool own = depth.others == 0 && (begins[number] || closes || words.starts_with("//"));
    const long wanted = own ? 2 * std::max(0L, static_cast<long>(depth.braces) - (closes ? 1 : 0))
                            : std::max(0L, blanks + shift);
    if (own) shift = wanted - blanks;
    count(line, depth);
    const uint32_t begin = document.begin_of_line(number);
    if (words.empty()) {
      if (!line.empty()) edits.push_back({{begin, begin + static_cast<uint32_t>(line.size())}, ""});
      continue;
    }
    const std::string_view front = line.substr(0, static_cast<size_t>(blanks));
    if (front != std::string(static_cast<size_t>(wanted), ' '))
      edits.push_back(
          {{begin, begin + static_cast<uint32_t>(blanks)}, std::string(static_cast<size_t>(wanted), ' ')});
    const size_t end = line.find_last_not_of(" \t") + 1;
    if (end != line.size())
      edits.push_back({{begin + static_cast<uint32_t>(end), begin + static_cast<uint32_t>(line.size())}, ""});
  }
  const Analysis after(Document(applied(document.text(), edits)), text.name(), settings);
  if (after.findings().size() != analysis.findings().size() ||
      after.names().size() != analysis.names().size())
    return nullptr;
  return to_json(edits, document);
}

}  // namespace pto::lsp
