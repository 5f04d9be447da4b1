// Hover texts: the page of an instruction; type, size and address of a value.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "asm/parse/text/scanner.hpp"
#include "lsp/features.hpp"
#include "lsp/statement_at.hpp"
#include "reference/markdown.hpp"
#include "sim/findings/naming.hpp"

namespace pto::lsp {

namespace {

std::string place_words(const Place& place) {
  return fmt::format("{} {:#x} to {:#x}{}", to_string(place.space), place.address,
                     place.address + place.bytes, place.chosen ? ", chosen by the planner" : "");
}

/// A line of the program as code within markdown: without its comment, and no backtick of it ends the code.
std::string code_of(std::string_view line) {
  size_t end = 0;
  bool quoted = false;
  for (; end < line.size(); ++end) {
    if (line[end] == '"' && (end == 0 || line[end - 1] != '\\')) quoted = !quoted;
    if (!quoted && line.substr(end).starts_with("//")) break;
  }
  std::string code(text::trim(line.substr(0, end)));
  std::ranges::replace(code, '`', '\'');
  return code;
}

std::string value_words(OpenText& text, const Settings& settings, const NameUse& name) {
  const Analysis& analysis = text.analysis(settings);
  const std::string_view spelling =
      std::string_view(text.document().text()).substr(name.where.begin, name.where.end - name.where.begin);
  if (name.value >= analysis.program().values.size()) return fmt::format("```mlir\n{}\n```\n", spelling);
  const Type& type = analysis.program().type_of(name.value);
  std::string words = fmt::format("```mlir\n{} : {}\n```\n", spelling, to_string(type));
  if (const uint64_t bytes = bytes_of(type); bytes != 0)
    words += fmt::format("{} byte{}", sim::grouped(bytes), bytes == 1 ? "" : "s");
  const Places& places = text.places(settings);
  if (const auto place = places.find(name.value); place != places.end())
    words += fmt::format(" at {}", place_words(place->second));
  const Position defined = text.document().position(name.definition);
  if (name.definition != name.where.begin)
    words += fmt::format("\n\ndefined on line {}: `{}`", defined.line + 1,
                         code_of(text.document().line(defined.line)));
  return words;
}

Json shown(std::string words, const Range& range) {
  return {{"contents", {{"kind", "markdown"}, {"value", std::move(words)}}}, {"range", to_json(range)}};
}

}  // namespace

std::string page_of(const isa::Row& row) {
  std::vector<reference::FormFacts> forms;
  for (const isa::Row* form : forms_of(row)) forms.push_back(reference::facts_of(*form));
  return reference::section_markdown(forms);
}

Json hover(OpenText& text, const Settings& settings, uint32_t offset) {
  const Document& document = text.document();
  if (in_comment(document.text(), offset)) return nullptr;
  if (const NameUse* name = text.analysis(settings).name_at(offset))
    return shown(value_words(text, settings, *name), document.range(name->where));
  const auto statement = statement_at(document.text(), offset);
  if (!statement || offset < statement->name.begin || offset > statement->name.end) return nullptr;
  return shown(page_of(*statement->row), document.range(statement->name));
}

}  // namespace pto::lsp
