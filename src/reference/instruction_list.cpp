// The reference as JSON and as one Markdown text.

#include "isa/rows/families.hpp"
#include "pto/reference.hpp"
#include "reference/markdown.hpp"
#include "support/json.hpp"

namespace pto {

namespace {

using Json = nlohmann::ordered_json;
using namespace reference;

Json operand_json(const OperandFacts& operand) {
  return {{"name", operand.name},
          {"kinds", operand.kinds},
          {"role", operand.role},
          {"arity", operand.arity},
          {"places", operand.places}};
}

Json attribute_json(const AttributeFacts& attribute) {
  Json json = {{"name", attribute.name}, {"type", attribute.type}, {"required", attribute.required}};
  json["default"] = attribute.fallback ? Json(*attribute.fallback) : Json(nullptr);
  if (!attribute.values.empty()) json["values"] = attribute.values;
  return json;
}

Json rule_json(const RuleFacts& rule) {
  Json ids = Json::array();
  for (const FindingId id : rule.ids) ids.push_back(to_string(id));
  Json json = {{"name", rule.name}, {"ids", std::move(ids)}, {"demands", rule.demands}};
  json["target"] = rule.target ? Json(to_string(*rule.target)) : Json(nullptr);
  return json;
}

template <typename Items, typename Convert>
Json array(const Items& items, const Convert& convert) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(convert(item));
  return list;
}

/// The strings of the row as they are in the table, for scripts that make programs from them.
Json table_json(const isa::Row& row) {
  std::vector<std::string_view> keywords;
  for (const std::string_view word : {row.keyword, row.also}) {
    if (!word.empty()) keywords.push_back(word);
  }
  return {{"keywords", keywords},   {"operands", row.operands},
          {"results", row.results}, {"attributes", row.attrs},
          {"syntax", row.syntax},   {"types", {{"a2a3", row.types.a2a3}, {"a5", row.types.a5}}},
          {"rules", row.rules},     {"pipe", row.pipe}};
}

Json form_json(const FormFacts& facts, std::string_view family) {
  Json json = {{"name", facts.row->name},
               {"row", isa::id_of(*facts.row)},
               {"layer", facts.layer},
               {"family", family},
               {"doc", facts.row->doc}};
  json["readable"] = facts.readable;
  json["executed"] = facts.executed;
  json["syntax"] = facts.syntax;
  json["operands"] = array(facts.operands, operand_json);
  json["results"] = array(facts.results, operand_json);
  json["attributes"] = array(facts.attributes, attribute_json);
  for (const TargetFacts& target : facts.targets)
    json["targets"][std::string(to_string(target.target))] = {
        {"legal", target.legal}, {"types", target.types}, {"pipe", target.pipe}};
  json["cost"] = facts.row->cost;
  json["rules"] = array(facts.rules, rule_json);
  json["remarks"] = facts.remarks;
  json["table"] = table_json(*facts.row);
  return json;
}

bool on_target(const FormFacts& facts, std::optional<Target> target) {
  bool any = false;
  for (const TargetFacts& one : facts.targets)
    any = any || (one.legal && (!target || *target == Target::cpu || *target == one.target));
  return any || !target;
}

}  // namespace

std::string list_instructions(std::string_view format, const ReferenceFilter& filter) {
  Json list = Json::array();
  std::string text;
  std::vector<FormFacts> forms;  // of one mnemonic
  const auto finish = [&] {
    if (!forms.empty()) text += section_markdown(forms);
    forms.clear();
  };
  size_t begin = 0;
  for (const isa::Family& family : isa::families()) {
    for (const isa::Row& row : isa::rows().subspan(begin, family.rows.size())) {
      if ((row.flags & isa::kAlias) != 0) continue;
      FormFacts facts = facts_of(row);
      if (!on_target(facts, filter.target) || (filter.unsupported_only && facts.executed)) continue;
      if (format == "json") {
        list.push_back(form_json(facts, family.name));
        continue;
      }
      if (!forms.empty() && forms.front().row->name != row.name) finish();
      forms.push_back(std::move(facts));
    }
    begin += family.rows.size();
  }
  finish();
  return format == "json" ? list.dump(1) + "\n" : text;
}

}  // namespace pto
