#include "ir/accumulator_flag.hpp"

#include "isa/rule_text.hpp"
#include "support/strings.hpp"

namespace pto::isa {
namespace {

constexpr std::string_view kRule = "unit_flag";

/// In all of the enumerations an odd value hands over; 0 of those of the products looks at the flag too.
UnitFlag::Phase phase_of(const AttrSpec& spec, const AttrValue* value) {
  if (value == nullptr) return UnitFlag::Phase::none;
  if ((value->integer & 1) != 0) return UnitFlag::Phase::hand_over;
  const bool looks = value->integer != 0 || case_name(*spec.domain, 0).starts_with("check");
  return looks ? UnitFlag::Phase::check : UnitFlag::Phase::none;
}

}  // namespace

bool has_unit_flag(const Row& row) { return row.rules.find("unit_flag:") != std::string_view::npos; }

UnitFlag unit_flag(const OpView& op) {
  const Row& row = isa::row(op.op().row);
  if (!has_unit_flag(row)) return {};
  const Schema& schema = isa::schema(op.op().row);
  for (const std::string_view text : split(row.rules, ' ')) {
    const RuleText rule = split_rule(text);
    if (rule.name != kRule) continue;
    const size_t comma = rule.argument.find(',');
    const int attr = schema.attr_index(rule.argument.substr(0, comma)),
              slot = schema.operand_slot(rule.argument.substr(comma + 1));
    return {phase_of(schema.attrs[static_cast<size_t>(attr)], op.attr(static_cast<unsigned>(attr))),
            static_cast<uint8_t>(slot)};
  }
  return {};
}

}  // namespace pto::isa
