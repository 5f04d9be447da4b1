// Names: where they are defined and used, and other names for them. Names of values come from the
// assembler; symbols, types, attributes and labels are found by their spelling.
#include <fmt/format.h>

#include <algorithm>

#include "asm/parse/text/scanner.hpp"
#include "lsp/features.hpp"
#include "lsp/statement_at.hpp"
#include "lsp/text_edits.hpp"

namespace pto::lsp {

namespace {

struct Occurrence {
  Span span;
  bool definition = false;
};

bool is_mark(char c) { return std::string_view("@!#^").find(c) != std::string_view::npos; }

/// A name with its mark: `%x`, `@f`, `!t`, `#a`, `^bb0`; empty where none stands.
Span spelled_name_at(std::string_view text, uint32_t offset) {
  offset = std::min(offset, static_cast<uint32_t>(text.size()));
  uint32_t begin = offset;
  while (begin > 0 && (text::is_word_char(text[begin - 1]) || text[begin - 1] == '-')) --begin;
  if (begin == offset && begin < text.size() && is_mark(text[begin])) ++begin;
  if (begin == 0 || !is_mark(text[begin - 1])) return {};
  const char* end = text::scan_name(text.data() + begin, text.data() + text.size());
  const auto last = static_cast<uint32_t>(end - text.data());
  return last > begin && last >= offset ? Span{begin - 1, last} : Span{};
}

/// What precedes a place on its line, without blanks.
std::string_view before_on_line(std::string_view text, size_t at) {
  const size_t newline = at == 0 ? text.npos : text.rfind('\n', at - 1);
  const size_t begin = newline == text.npos ? 0 : newline + 1;
  return text::trim(text.substr(begin, at - begin));
}

bool defines(std::string_view text, Span span) {
  const std::string_view before = before_on_line(text, span.begin);
  switch (text[span.begin]) {
    case '@': {  // the symbol of a function follows its name, and its visibility
      const auto statement = statement_at(text, span.begin);
      return statement && statement->row->opcode_class == isa::OpcodeClass::function &&
             text.substr(statement->name.end, span.begin - statement->name.end).find_first_of("(\n{") ==
                 text.npos;
    }
    case '^':
      return before.empty();
    default: {  // an alias
      const char* behind = text::skip_trivia(text.data() + span.end, text.data() + text.size());
      return before.empty() && behind != text.data() + text.size() && *behind == '=';
    }
  }
}

/// The text between two functions, for labels; all of it for other names.
Span scope_of(std::string_view text, Span name) {
  if (text[name.begin] != '^') return {0, static_cast<uint32_t>(text.size())};
  static const std::string_view kFunction = isa::row(isa::id_of(isa::OpcodeClass::function)).name;
  const size_t begin = text.rfind(kFunction, name.begin), end = text.find(kFunction, name.end);
  return {static_cast<uint32_t>(begin == text.npos ? 0 : begin),
          static_cast<uint32_t>(std::min(end, text.size()))};
}

/// Places of the same spelling outside of comments and strings.
std::vector<Occurrence> places_of_spelling(std::string_view text, Span name) {
  std::vector<Occurrence> places;
  const std::string_view wanted = text.substr(name.begin, name.end - name.begin);
  const Span scope = scope_of(text, name);
  const char *at = text.data() + scope.begin, *last = text.data() + scope.end;
  while ((at = text::skip_trivia(at, last)) != last) {
    if (*at == '"') {
      const char* end = text::scan_string(at, last);
      at = end == nullptr ? at + 1 : end;
    } else if (is_mark(*at)) {
      const char* end = text::scan_name(at + 1, last);
      const auto begin = static_cast<uint32_t>(at - text.data());
      const Span span{begin, static_cast<uint32_t>(end - text.data())};
      if (std::string_view(at, static_cast<size_t>(end - at)) == wanted)
        places.push_back({span, defines(text, span)});
      at = std::max(end, at + 1);
    } else {
      ++at;
    }
  }
  return places;
}

/// All places of the name at an offset; none where no name stands.
std::vector<Occurrence> places_at(OpenText& text, const Settings& settings, uint32_t offset) {
  const std::string& source = text.document().text();
  if (in_comment(source, offset)) return {};
  std::vector<Occurrence> places;
  const Analysis& analysis = text.analysis(settings);
  if (const NameUse* name = analysis.name_at(offset)) {
    for (const NameUse& use : analysis.uses_of(*name))
      places.push_back({use.where, use.where.begin == use.definition});
    return places;
  }
  const Span name = spelled_name_at(source, offset);
  if (name == Span{}) return {};
  places = places_of_spelling(source, name);
  // What is defined nowhere is no name of the program: a type, an attribute.
  const bool own = std::ranges::any_of(places, &Occurrence::definition);
  return own || source[name.begin] == '@' ? places : std::vector<Occurrence>{};
}

Json location(const OpenText& text, Span span) {
  return {{"uri", text.uri()}, {"range", to_json(text.document().range(span))}};
}

Span name_under(const std::vector<Occurrence>& places, uint32_t offset) {
  for (const Occurrence& place : places) {
    if (place.span.begin <= offset && offset <= place.span.end) return place.span;
  }
  return {};
}

/// What was called so is called otherwise, and nothing else is changed: the same places mean the same.
bool means_the_same(const Analysis& before, const Analysis& after) {
  if (after.findings().size() != before.findings().size() || after.names().size() != before.names().size())
    return false;
  for (size_t i = 0; i < before.names().size(); ++i) {
    if (before.names()[i].value != after.names()[i].value) return false;
  }
  for (size_t i = 0; i < before.findings().size(); ++i) {
    if (before.findings()[i].diagnostic.id != after.findings()[i].diagnostic.id) return false;
  }
  return true;
}

}  // namespace

Json definition(OpenText& text, const Settings& settings, uint32_t offset) {
  Json list = Json::array();
  for (const Occurrence& place : places_at(text, settings, offset)) {
    if (place.definition) list.push_back(location(text, place.span));
  }
  return list;
}

Json references(OpenText& text, const Settings& settings, uint32_t offset, bool definitions) {
  Json list = Json::array();
  for (const Occurrence& place : places_at(text, settings, offset)) {
    if (definitions || !place.definition) list.push_back(location(text, place.span));
  }
  return list;
}

Json highlights(OpenText& text, const Settings& settings, uint32_t offset) {
  enum Kind : int { kRead = 2, kWrite = 3 };
  Json list = Json::array();
  for (const Occurrence& place : places_at(text, settings, offset))
    list.push_back(
        {{"range", to_json(text.document().range(place.span))}, {"kind", place.definition ? kWrite : kRead}});
  return list;
}

Json rename_range(OpenText& text, const Settings& settings, uint32_t offset) {
  const std::vector<Occurrence> places = places_at(text, settings, offset);
  const Span name = name_under(places, offset);
  if (name == Span{} || std::ranges::none_of(places, &Occurrence::definition)) return nullptr;
  const Span behind{name.begin + 1, name.end};  // the mark stays
  return {{"range", to_json(text.document().range(behind))},
          {"placeholder", text.document().text().substr(behind.begin, behind.end - behind.begin)}};
}

Result<Json> rename(OpenText& text, const Settings& settings, uint32_t offset, std::string name) {
  const std::vector<Occurrence> places = places_at(text, settings, offset);
  const std::string& source = text.document().text();
  if (places.empty() || std::ranges::none_of(places, &Occurrence::definition))
    return Error{"there is no name here that the text defines"};
  const char mark = source[places.front().span.begin];
  if (!name.empty() && name.front() == mark) name.erase(0, 1);
  if (name.empty() || text::scan_name(name.data(), name.data() + name.size()) != name.data() + name.size())
    return Error{fmt::format("'{}' is no name: letters, digits and $._- behind the {}", name, mark)};
  if (!text.analysis(settings).whole())
    return Error{"the text has errors; names can be changed when all of it can be read"};
  std::vector<Edit> edits;
  for (const Occurrence& place : places) edits.push_back({{place.span.begin + 1, place.span.end}, name});
  const Analysis after(Document(applied(source, edits)), text.name(), settings);
  if (!means_the_same(text.analysis(settings), after))
    return Error{fmt::format("{}{} would mean something else here: the name is taken", mark, name)};
  return workspace_edit(edits, text.document(), text.uri());
}

}  // namespace pto::lsp
