#include "reference/row_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "ir/pipe_rules.hpp"
#include "ir/scratch_bytes.hpp"
#include "reference/syntax_text.hpp"
#include "support/strings.hpp"
#include "verify/rule_table.hpp"
#include "verify/verifier_context.hpp"

namespace pto::reference {

namespace {

std::string join(const std::vector<std::string_view>& parts, std::string_view last) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == parts.size() ? last : ", ", parts[i]);
  return text;
}

std::string_view layer_name(isa::Layer layer) {
  static constexpr std::string_view kNames[] = {"tile", "vector", "cube",    "dma", "scalar",
                                                "sync", "system", "control", "vmi"};
  return kNames[static_cast<size_t>(layer)];
}

std::vector<std::string_view> kind_names(uint32_t kinds) {
  std::vector<std::string_view> names;
  for (const isa::OperandKind& kind : isa::operand_kinds()) {
    if ((kinds & kind.bit) != 0) names.push_back(kind.words);
  }
  return names;
}

/// Whether a place "name=memory|memory" speaks of the operand.
bool lists_operand(std::string_view names, std::string_view argument, const isa::OperandSpec& operand) {
  if (names == "*") return (operand.kinds & isa::kTile) != 0 && operand.role != isa::Role::tmp;
  const auto listed = [&](std::string_view list) {
    return std::ranges::count(list_of(split(list, ',')), operand.name) != 0;
  };
  return listed(names == "$" ? argument : names);
}

/// Memories that the row's rules fix for an operand.
std::vector<std::string> places_of(const isa::Row& row, const isa::OperandSpec& operand) {
  std::vector<std::string> found;
  for (const isa::RowRule& rule : isa::schema(isa::id_of(row)).rules) {
    const legality::OpRule* words = legality::find_op_rule(rule.name);
    if (words == nullptr || rule.target) continue;
    for (const std::string_view place : split(words->places == "=" ? rule.argument : words->places, ' ')) {
      const size_t equals = place.find('=');
      if (!lists_operand(place.substr(0, equals), rule.argument, operand)) continue;
      for (const std::string_view memory : split(place.substr(equals + 1), '|')) {
        if (std::ranges::count(found, memory) == 0) found.emplace_back(memory);
      }
    }
  }
  return found;
}

OperandFacts operand_facts(const isa::Row& row, const isa::OperandSpec& spec) {
  static constexpr std::string_view kRoles[] = {"in", "out", "inout", "scratch"},
                                    kArities[] = {"one", "optional", "variadic"};
  return {spec.name, kind_names(spec.kinds), kRoles[static_cast<size_t>(spec.role)],
          kArities[static_cast<size_t>(spec.arity)], places_of(row, spec)};
}

AttributeFacts attribute_facts(const isa::AttrSpec& spec) {
  static constexpr std::string_view kTypes[] = {"enumeration", "integer", "float",    "bool", "flag",
                                                "string",      "symbol",  "integers", "type", "any"};
  AttributeFacts facts{spec.name, kTypes[static_cast<size_t>(spec.type)], {}, spec.required, std::nullopt};
  if (spec.domain != nullptr) {
    facts.type = spec.domain->name;
    for (const isa::EnumCase& item : spec.domain->cases) {
      if (isa::case_name(*spec.domain, item.value) == item.name)
        facts.values.push_back(item.name);  // others are aliases
    }
  }
  if (spec.has_default) facts.fallback = spec.default_text;
  return facts;
}

/// "f16", "src i32, dst f16 or bf16".
std::string alternative_words(std::string_view text) {
  std::vector<std::string> parts;
  for (const std::string_view item : split(text, ',')) {
    const size_t colon = item.find(':');
    const std::string types =
        join(list_of(split(item.substr(colon == item.npos ? 0 : colon + 1), '|')), " or ");
    parts.push_back(colon == item.npos
                        ? types
                        : fmt::format("{} {}", item.substr(0, colon), types == "=" ? "the same" : types));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

TargetFacts target_facts(const isa::Row& row, Target target) {
  const std::string_view types = target == Target::a5 ? row.types.a5 : row.types.a2a3;
  TargetFacts facts{target, types != "-", {}, {}};
  if (!facts.legal) return facts;
  for (const std::string_view alternative : split(types, ' '))
    facts.types.push_back(alternative_words(alternative));
  facts.pipe = isa::pipe_words(row, target);
  return facts;
}

void replace(std::string& text, char mark, const std::string& with) {
  if (const size_t at = text.find(mark); at != text.npos) text.replace(at, 1, with);
}

/// "src,dst=vec|mat" goes to `$` and `@`.
std::string with_argument(std::string_view demands, std::string_view argument) {
  std::string text(demands);
  const size_t equals = std::min(argument.find('='), argument.size());
  const std::vector<std::string_view> names = list_of(split(argument.substr(0, equals), ','));
  replace(text, '%', join(names, " or "));
  replace(text, '$', names.empty() ? "tiles" : names.front() == "*" ? "all tiles" : join(names, " and "));
  replace(text, '@',
          join(list_of(split(argument.substr(std::min(equals + 1, argument.size())), '|')), " or "));
  return text;
}

/// "V,MTE3:S<idx;MTE2": "S reads idx behind V and MTE3, then MTE2".
std::string phase_words(std::string_view text) {
  std::vector<std::string> phases;
  for (std::string_view each : split(text, ';')) {
    std::string behind;
    if (const size_t colon = each.find(':'); colon != each.npos) {
      behind = fmt::format(" behind {}", join(list_of(split(each.substr(0, colon), ',')), " and "));
      each.remove_prefix(colon + 1);
    }
    const size_t arrow = std::min(each.find_first_of("<>"), each.size());
    std::string words(each.substr(0, arrow));
    if (arrow < each.size())
      words += fmt::format(" {} {}", each[arrow] == '<' ? "reads" : "writes",
                           join(list_of(split(each.substr(arrow + 1), ',')), " and "));
    phases.push_back(words + behind);
  }
  return fmt::format("{}", fmt::join(phases, ", then "));
}

/// "V>S=0;S>V=0": "V to S EVENT_ID0, S to V EVENT_ID0".
std::string event_words(std::string_view text) {
  std::vector<std::string> events;
  for (const std::string_view each : split(text, ';')) {
    const size_t arrow = each.find('>'), equals = each.find('=');
    for (const std::string_view id : split(each.substr(equals + 1), ','))
      events.push_back(fmt::format("{} to {} EVENT_ID{}", each.substr(0, arrow),
                                   each.substr(arrow + 1, equals - arrow - 1), id));
  }
  return fmt::format("{}", fmt::join(events, ", "));
}

std::vector<FindingId> ids_of(const legality::OpRule& rule) {
  const auto end = std::ranges::find(rule.ids, FindingId::none);
  return {rule.ids.begin(), end};
}

constexpr std::pair<std::string_view, std::string_view> kConditions[] = {
    {"wider", "the elements of dst are wider than those of src"},
    {"longer_rows", "rows of dst are longer than those of src"},
    {"rows", "dst has several valid rows"},
    {"one_row", "dst has one valid row"},
    {"repeats", "a row of dst has more than 256 bytes"},
    {"pairs", "a row of dst has more than 512 bytes"},
    {"short_rows", "a row of src has at most 256 bytes"},
    {"short_halves", "a row of src has at most 256 bytes of 16-bit elements"},
    {"spreads_src0", "src0 gives one value or block for each of several rows"},
    {"spreads_src1", "src1 gives one value or block for each of several rows"},
};

/// The condition of a statement about phases: ", where ..".
std::string condition_words(std::string_view condition) {
  std::vector<std::string> words;
  for (const std::string_view each : split(condition, '|')) {
    const size_t equals = each.find('=');
    const auto* known =
        std::ranges::find_if(kConditions, [&](const auto& pair) { return pair.first == each; });
    if (known != std::end(kConditions))
      words.emplace_back(known->second);
    else if (each.starts_with('!'))
      words.push_back(fmt::format("{} is not given", each.substr(1)));
    else if (equals != each.npos)
      words.push_back(fmt::format("{} is {}", each.substr(0, equals), each.substr(equals + 1)));
    else if (const bool type = each.size() > 1 && each[1] >= '0' && each[1] <= '9'; type)
      words.push_back(fmt::format("elements are {}", each));
    else
      words.push_back(fmt::format("{} is given", each));
  }
  return words.empty() ? std::string() : fmt::format(", where {}", fmt::join(words, " or "));
}

/// The argument of a statement in words of its own.
std::string argument_words(const isa::RowRule& rule) {
  switch (rule.id) {
    case isa::RuleName::phases:
      return phase_words(rule.words());
    case isa::RuleName::events:
    case isa::RuleName::reserves:
      return event_words(rule.words());
    case isa::RuleName::scratch:
      return std::string(isa::scratch_words(rule.words()));
    default:
      return {};
  }
}

RuleFacts rule_facts(const isa::RowRule& rule) {
  const legality::OpRule* known = legality::find_op_rule(rule.name);
  std::string words = with_argument(known->words, rule.words());
  replace(words, '&', argument_words(rule));
  words += condition_words(rule.condition());
  return {known->name, rule.target, ids_of(*known), std::move(words)};
}

std::vector<std::string_view> remarks_of(const isa::Row& row) {
  std::vector<std::string_view> remarks;
  if (isa::is_region_terminator(row.opcode_class)) remarks.emplace_back("ends its region");
  if (row.scope == isa::Scope::inside)
    remarks.emplace_back("inside a vector scope; where none is written, one is put around it (W0550)");
  if (row.scope == isa::Scope::outside) remarks.emplace_back("only outside of vector scopes");
  if (row.regions.most != 0) remarks.emplace_back("has a region");
  if ((row.flags & isa::kModeWrite) != 0) remarks.emplace_back("changes a control register");
  return remarks;
}

}  // namespace

FormFacts facts_of(const isa::Row& row) {
  const isa::Schema& schema = isa::schema(isa::id_of(row));
  FormFacts facts;
  facts.row = &row;
  facts.layer = layer_name(row.layer);
  facts.readable = row.syntax != "@none";
  facts.executed = facts.readable && (row.flags & isa::kNotExecuted) == 0;
  facts.syntax = syntax_words(schema);
  for (const isa::OperandSpec& spec : schema.operands) facts.operands.push_back(operand_facts(row, spec));
  for (const isa::OperandSpec& spec : schema.results) facts.results.push_back(operand_facts(row, spec));
  for (const isa::AttrSpec& spec : schema.attrs) facts.attributes.push_back(attribute_facts(spec));
  for (const Target target : {Target::a2a3, Target::a5}) facts.targets.push_back(target_facts(row, target));
  for (const isa::RowRule& rule : schema.rules) facts.rules.push_back(rule_facts(rule));
  facts.remarks = remarks_of(row);
  return facts;
}

}  // namespace pto::reference
