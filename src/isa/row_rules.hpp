// The rules of a row, parsed: the language of the table's `rules` column.
//
//   "vec a2a3.distinct:src,dst@wider unit_flag:phase,acc"
//     {.id = RuleName::other,     .name = "vec"}
//     {.id = RuleName::distinct,  .name = "distinct",  .argument = "src,dst@wider", .target = a2a3}
//     {.id = RuleName::unit_flag, .name = "unit_flag", .argument = "phase,acc"}
//
// Each rule has one implementation in src/verify, found by name. Rules that more code reads have a
// RuleName. The compiler computes the set of names of each row (`Row::rule_names`); the list with arguments
// is part of the compiled schema (`Schema::rules`).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "pto/type.hpp"
#include "support/strings.hpp"

namespace pto::isa {

/// Rules that the verifier's check of that name is not alone to read; `other`: all that it is.
enum class RuleName : uint8_t {
  other,
  bare_address,
  clobbers,
  col_reduce,
  commutes,
  distinct,
  ends_with,
  events,
  exempt,
  fragment,
  fragment_load,
  fragment_step,
  fragment_store,
  in_place,
  makes_struct,
  mask_width,
  masks_same,
  matmul,
  not_vpto,
  of_kernel,
  of_threads,
  phases,
  quant_scale,
  quant_scales,
  reserves,
  restores,
  row_expand,
  row_expand_op,
  row_reduce,
  same_valid,
  scale_of,
  scales,
  scratch,
  scratch_on,
  silent,
  simt_section,
  tmp_valid,
  trem_tmp,
  unit_flag,
  varies,
  vpto_constant,
  vpto_extract,
  vpto_load,
  without,
  count,
};

struct NamedRule {
  std::string_view name;
  RuleName id;
};
inline constexpr NamedRule kNamedRules[] = {
    {"bare_address", RuleName::bare_address},
    {"clobbers", RuleName::clobbers},
    {"col_reduce", RuleName::col_reduce},
    {"commutes", RuleName::commutes},
    {"distinct", RuleName::distinct},
    {"ends_with", RuleName::ends_with},
    {"events", RuleName::events},
    {"exempt", RuleName::exempt},
    {"fragment", RuleName::fragment},
    {"fragment_load", RuleName::fragment_load},
    {"fragment_step", RuleName::fragment_step},
    {"fragment_store", RuleName::fragment_store},
    {"in_place", RuleName::in_place},
    {"makes_struct", RuleName::makes_struct},
    {"mask_width", RuleName::mask_width},
    {"masks_same", RuleName::masks_same},
    {"matmul", RuleName::matmul},
    {"not_vpto", RuleName::not_vpto},
    {"of_kernel", RuleName::of_kernel},
    {"of_threads", RuleName::of_threads},
    {"phases", RuleName::phases},
    {"quant_scale", RuleName::quant_scale},
    {"quant_scales", RuleName::quant_scales},
    {"reserves", RuleName::reserves},
    {"restores", RuleName::restores},
    {"row_expand", RuleName::row_expand},
    {"row_expand_op", RuleName::row_expand_op},
    {"row_reduce", RuleName::row_reduce},
    {"same_valid", RuleName::same_valid},
    {"scale_of", RuleName::scale_of},
    {"scales", RuleName::scales},
    {"scratch", RuleName::scratch},
    {"scratch_on", RuleName::scratch_on},
    {"silent", RuleName::silent},
    {"simt_section", RuleName::simt_section},
    {"tmp_valid", RuleName::tmp_valid},
    {"trem_tmp", RuleName::trem_tmp},
    {"unit_flag", RuleName::unit_flag},
    {"varies", RuleName::varies},
    {"vpto_constant", RuleName::vpto_constant},
    {"vpto_extract", RuleName::vpto_extract},
    {"vpto_load", RuleName::vpto_load},
    {"without", RuleName::without},
};
static_assert(std::size(kNamedRules) + 1 == static_cast<size_t>(RuleName::count), "every name has its text");

constexpr RuleName rule_named(std::string_view name) {
  for (const NamedRule& known : kNamedRules) {
    if (known.name.size() == name.size() && known.name == name) return known.id;
  }
  return RuleName::other;
}

/// A set of names, whatever the target and the arguments of the rules.
class RuleNames {
 public:
  constexpr RuleNames() = default;
  constexpr RuleNames(std::initializer_list<RuleName> names) {
    for (const RuleName name : names) insert(name);
  }
  constexpr void insert(RuleName name) { bits_ |= uint64_t{1} << static_cast<unsigned>(name); }
  [[nodiscard]] constexpr bool has(RuleName name) const { return has_any({name}); }
  [[nodiscard]] constexpr bool has_any(RuleNames names) const { return (bits_ & names.bits_) != 0; }

 private:
  uint64_t bits_ = 0;
};
static_assert(static_cast<size_t>(RuleName::count) <= 64);

/// One entry of the column: `name`, `name:argument`, or either behind `a2a3.` or `a5.` for a rule of one
/// target (which the functional target cpu does not have).
struct RowRule {
  RuleName id = RuleName::other;
  std::string_view name, argument;
  std::optional<Target> target;

  [[nodiscard]] constexpr bool holds_on(Target other) const { return !target || *target == other; }
  /// The argument of a statement without its condition, and the condition: what follows `@`.
  [[nodiscard]] constexpr std::string_view words() const { return argument.substr(0, condition_at()); }
  [[nodiscard]] constexpr std::string_view condition() const {
    return argument.substr(std::min(condition_at() + 1, argument.size()));
  }

 private:
  [[nodiscard]] constexpr size_t condition_at() const {
    return std::min(argument.find('@'), argument.size());
  }
};

constexpr RowRule parse_rule(std::string_view text) {
  RowRule rule;
  if (text.starts_with("a2a3.")) rule.target = Target::a2a3;
  if (text.starts_with("a5.")) rule.target = Target::a5;
  if (rule.target) text.remove_prefix(text.find('.') + 1);
  const size_t colon = std::min(text.find(':'), text.size());
  rule.name = text.substr(0, colon);
  rule.argument = text.substr(std::min(colon + 1, text.size()));
  rule.id = rule_named(rule.name);
  return rule;
}

/// Whether `name` is in a comma list; an empty list holds every name.
inline bool in_list(std::string_view list, std::string_view name) {
  return list.empty() || !for_each_part(list, ',', [name](std::string_view part) { return part != name; });
}

}  // namespace pto::isa
