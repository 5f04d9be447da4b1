#include "ir/accumulator_flag.hpp"

namespace pto::isa {
namespace {

/// In all of the enumerations an odd value hands over; 0 of those of the products looks at the flag too.
UnitFlag::Phase phase_of(const AttrSpec& spec, const AttrValue* value) {
  if (value == nullptr) return UnitFlag::Phase::none;
  if ((value->integer & 1) != 0) return UnitFlag::Phase::hand_over;
  const bool looks = value->integer != 0 || case_name(*spec.domain, 0).starts_with("check");
  return looks ? UnitFlag::Phase::check : UnitFlag::Phase::none;
}

}  // namespace

bool has_unit_flag(const Row& row) { return row.rule_names.has(RuleName::unit_flag); }

UnitFlag unit_flag(const OpView& op) {
  if (!has_unit_flag(isa::row(op.op().row))) return {};
  const Schema& schema = isa::schema(op.op().row);
  const std::string_view names = schema.find_rule(RuleName::unit_flag)->argument;
  const size_t comma = names.find(',');
  const auto attr = static_cast<unsigned>(schema.attr_index(names.substr(0, comma)));
  const int slot = schema.operand_slot(names.substr(comma + 1));
  return {phase_of(schema.attrs[attr], op.attr(attr)), static_cast<uint8_t>(slot)};
}

}  // namespace pto::isa
