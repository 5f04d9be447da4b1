// Completion at a position: instructions, names, types, attributes and their values.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "asm/parse/text/scanner.hpp"
#include "lsp/features.hpp"
#include "lsp/statement_at.hpp"

namespace pto::lsp {

namespace {

/// CompletionItemKind.
enum ItemKind : int {
  kFunction = 3,
  kVariable = 6,
  kProperty = 10,
  kKeyword = 14,
  kEnumMember = 20,
  kType = 25
};

struct Item {
  std::string label;
  ItemKind kind;
  std::string detail;
};

/// The line in front of the cursor, in parts.
struct Around {
  std::string_view text;
  uint32_t begin = 0, end = 0;  ///< of the word that is being written
  char mark = 0;                ///< what stands directly in front of the word
  std::string_view before;      ///< of the word and its mark, on the line
};

Around around(std::string_view text, uint32_t offset) {
  Around a{text, offset, offset, 0, {}};
  while (a.begin > 0 && (text::is_word_char(text[a.begin - 1]) || text[a.begin - 1] == '-')) --a.begin;
  const size_t newline = a.begin == 0 ? text.npos : text.rfind('\n', a.begin - 1);
  const uint32_t line = newline == text.npos ? 0 : static_cast<uint32_t>(newline + 1);
  if (a.begin > line) a.mark = text[a.begin - 1];
  a.before = text.substr(line, a.begin - line - (a.mark != 0 ? 1 : 0));
  return a;
}

bool begins_statement(const Around& a) {
  const size_t newline = a.begin == 0 ? a.text.npos : a.text.rfind('\n', a.begin - 1);
  const char *at = a.text.data() + (newline == a.text.npos ? 0 : newline + 1),
             *last = a.text.data() + a.begin;
  while (at != last && text::is(*at, text::kSpace)) ++at;
  return skip_results(at, last) == last;
}

bool on_target(const isa::Row& row, Target target) {
  const bool a2a3 = row.types.a2a3 != "-", a5 = row.types.a5 != "-";
  return target == Target::cpu ? a2a3 || a5 : target == Target::a5 ? a5 : a2a3;
}

std::vector<Item> instructions(Target target) {
  std::vector<Item> items;
  std::string_view last;
  for (const isa::Row& row : isa::rows()) {
    const bool readable = row.syntax != "@none" && (row.flags & isa::kAlias) == 0;
    if (!readable || !on_target(row, target) || isa::written_name(row) == last) continue;
    last = isa::written_name(row);
    items.push_back({std::string(last), kFunction, std::string(row.doc)});
  }
  return items;
}

/// Those that the function has defined in front of the cursor.
std::vector<Item> values(OpenText& text, const Settings& settings, uint32_t offset) {
  static const std::string_view kFunctionName = isa::row(isa::id_of(isa::OpcodeClass::function)).name;
  const std::string_view source = text.document().text();
  const size_t function = source.rfind(kFunctionName, offset);
  const Analysis& analysis = text.analysis(settings);
  std::vector<Item> items;
  std::set<std::string_view> seen;
  for (const NameUse& use : analysis.names()) {
    if (use.where.begin >= offset) break;
    if (use.where.begin != use.definition || (function != source.npos && use.where.begin < function))
      continue;
    const std::string_view name = source.substr(use.where.begin, use.where.end - use.where.begin);
    if (!seen.insert(name).second) continue;
    const bool known = use.value < analysis.program().values.size();
    items.push_back(
        {std::string(name), kVariable, known ? to_string(analysis.program().type_of(use.value)) : ""});
  }
  return items;
}

std::vector<Item> functions_of(OpenText& text, const Settings& settings) {
  std::vector<Item> items;
  for (const FunctionInfo& function : functions(text.analysis(settings).program()))
    items.push_back({fmt::format("@{}", function.name), kFunction, ""});
  return items;
}

std::vector<Item> types() {
  static constexpr uint32_t kWithoutDialect = isa::kI1 | isa::kI8 | isa::kI16 | isa::kI32 | isa::kI64 |
                                              isa::kIndex | isa::kInt | isa::kFloat | isa::kScalar |
                                              isa::kVector | isa::kMemRef | isa::kAny;
  std::vector<Item> items;
  for (const isa::OperandKind& kind : isa::operand_kinds()) {
    if ((kind.bit & kWithoutDialect) == 0)
      items.push_back({fmt::format("!pto.{}", kind.type), kType, std::string(kind.words)});
  }
  return items;
}

/// `value` as texts write it where an attribute has this style; within `<`, and of a domain, its name alone.
std::string written(const isa::EnumDomain& domain, std::string_view value, bool bare) {
  if (bare) return std::string(value);
  switch (domain.style) {
    case isa::EnumStyle::keyword:
      return std::string(value);
    case isa::EnumStyle::string:
      return fmt::format("\"{}\"", value);
    case isa::EnumStyle::angle:
      return fmt::format("#pto<{} {}>", domain.name, value);
    case isa::EnumStyle::dotted:
      return fmt::format("#pto.{}<{}>", domain.name, value);
  }
  return {};
}

void add_cases(const isa::EnumDomain& domain, bool bare, std::vector<Item>& items) {
  for (const isa::EnumCase& one : domain.cases) {
    if (isa::case_name(domain, one.value) != one.name) continue;  // another spelling of it
    items.push_back({written(domain, one.name, bare), kEnumMember, std::string(domain.name)});
  }
}

/// The key that the value being written belongs to: the word in front of the last '='.
std::string_view key_of(std::string_view before) {
  const size_t equal = before.find_last_of("={,");
  if (equal == before.npos || before[equal] != '=') return {};
  const std::string_view left = text::trim(before.substr(0, equal));
  size_t begin = left.size();
  while (begin > 0 && text::is_word_char(left[begin - 1])) --begin;
  return left.substr(begin);
}

/// The domain of `#pto.name<` or `#pto<name `, where the cursor is in one.
const isa::EnumDomain* domain_of(std::string_view before) {
  const size_t open = before.rfind('#');
  if (open == before.npos || before.find('>', open) != before.npos) return nullptr;
  std::string_view inner = before.substr(open + 1);
  const size_t angle = inner.find('<');
  const std::string_view head = inner.substr(0, angle);
  if (const size_t dot = head.find('.'); dot != head.npos) return isa::find_enum(head.substr(dot + 1));
  return angle == inner.npos ? nullptr : isa::find_enum(text::trim(inner.substr(angle + 1)));
}

std::vector<Item> attributes(const isa::Row& row, const Around& a) {
  std::vector<Item> items;
  const std::string line(a.before.data(), a.before.size() + (a.mark != 0 ? 1 : 0));
  if (const isa::EnumDomain* domain = domain_of(line)) {
    add_cases(*domain, true, items);
    return items;
  }
  const bool bare = a.mark == '<' || a.mark == '"';
  const std::string_view key = key_of(line);
  std::set<std::string_view> seen;
  for (const isa::Row* form : forms_of(row)) {
    for (const isa::AttrSpec& spec : isa::schema(isa::id_of(*form)).attrs) {
      if (!seen.insert(spec.name).second || (!key.empty() && spec.name != key)) continue;
      if (key.empty() && !bare)
        items.push_back({std::string(spec.name), kProperty,
                         spec.domain != nullptr ? std::string(spec.domain->name) : ""});
      if (spec.domain != nullptr) add_cases(*spec.domain, bare, items);
      if (spec.type == isa::AttrType::boolean && !key.empty())
        for (const char* one : {"true", "false"}) items.push_back({one, kKeyword, ""});
    }
  }
  return items;
}

std::vector<Item> items_at(OpenText& text, const Settings& settings, const Around& a, uint32_t offset) {
  switch (a.mark) {
    case '%':
      return values(text, settings, a.begin);
    case '@':
      return functions_of(text, settings);
    case '!':
      return types();
    default:
      break;
  }
  if (begins_statement(a)) return instructions(text.analysis(settings).program().target);
  const auto statement = statement_at(a.text, offset);
  return statement ? attributes(*statement->row, a) : std::vector<Item>{};
}

}  // namespace

Json completion(OpenText& text, const Settings& settings, uint32_t offset) {
  const std::string_view source = text.document().text();
  Json list = Json::array();
  if (in_comment(source, offset)) return list;
  const Around a = around(source, offset);
  std::set<std::string> labels;
  for (const Item& item : items_at(text, settings, a, offset)) {
    if (!labels.insert(item.label).second) continue;
    const bool marked = a.mark != 0 && item.label.starts_with(a.mark);
    const Json range = to_json(text.document().range({marked ? a.begin - 1 : a.begin, a.end}));
    Json json = {{"label", item.label},
                 {"kind", item.kind},
                 {"textEdit", {{"range", range}, {"newText", item.label}}}};
    if (!item.detail.empty()) json["detail"] = item.detail;
    list.push_back(std::move(json));
  }
  return list;
}

Json resolved(Json item) {
  const auto label = text_at(item, {"label"});
  const Json* kind = member(item, {"kind"});
  const bool instruction = kind != nullptr && kind->is_number_integer() && kind->get<int64_t>() == kFunction;
  const isa::Row* row = label && instruction ? row_named(*label) : nullptr;
  if (row != nullptr) item["documentation"] = {{"kind", "markdown"}, {"value", page_of(*row)}};
  return item;
}

}  // namespace pto::lsp
