// Row templates: the columns that rows of one shape share are written once, in a function.
//
//   constexpr Row binary(Row own) {
//     return inherit({.operands = "src0:tile src1:tile dst:tile=out", .rules = "vec same_valid"}, own);
//   }
//   constexpr Row kRows[] = {
//       binary({.name = "pto.tand", .doc = "dst = src0 & src1", .types = both("i8 i16 i32")}),
//       binary({.name = "pto.tadd",
//               .doc = "dst = src0 + src1",
//               .types = both("i16 f32"),
//               .rules = "vec same_valid commutes"}),  // overrides that of the template
//       {.name = "pto.tcvt", ..},                      // no template
//   };
//   constexpr auto kTable = inherit(kShared, kRows);    // kShared: the template of the whole family
//   FamilyRows tile_rows() { return complete<kTable>(); }
//
// A column that a row leaves out is that of its template, then that of the family, then empty. A row that
// wants an inherited text column empty states "". Flags add up. `complete` fills in cost classes and the
// names of rules.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "isa/row.hpp"

namespace pto::isa {

/// The row with the columns that it leaves out as `shared` has them.
constexpr Row inherit(const Row& shared, Row row) {
  const auto inherit_text = [](std::string_view& own, std::string_view common) {
    // Sanitizer builds of g++ 12 take the address of a joined string for no constant: it is not asked for.
    if (own.empty() && own.data() == nullptr) own = common;
  };
  inherit_text(row.doc, shared.doc);
  inherit_text(row.operands, shared.operands);
  inherit_text(row.results, shared.results);
  inherit_text(row.attrs, shared.attrs);
  inherit_text(row.syntax, shared.syntax);
  inherit_text(row.types.a2a3, shared.types.a2a3);
  inherit_text(row.types.a5, shared.types.a5);
  inherit_text(row.rules, shared.rules);
  inherit_text(row.pipe, shared.pipe);
  inherit_text(row.cost, shared.cost);
  if (row.opcode_class == OpcodeClass::other) row.opcode_class = shared.opcode_class;
  if (row.lowering == Lowering::none) row.lowering = shared.lowering;
  if (row.scope == Scope::unsaid) row.scope = shared.scope;
  if (row.layer == Layer::unsaid) row.layer = shared.layer;
  row.flags |= shared.flags;
  return row;
}
template <size_t n>
constexpr std::array<Row, n> inherit(const Row& shared, const Row (&rows)[n]) {
  std::array<Row, n> built{};
  for (size_t i = 0; i < n; ++i) built[i] = inherit(shared, rows[i]);
  return built;
}

/// The rows of a family that has two templates of its own.
template <size_t n, size_t m>
constexpr std::array<Row, n + m> joined(const std::array<Row, n>& first, const std::array<Row, m>& second) {
  std::array<Row, n + m> built{};
  std::copy(first.begin(), first.end(), built.begin());
  std::copy(second.begin(), second.end(), built.begin() + n);
  return built;
}

/// What the cost classes of a layer begin with.
constexpr std::string_view cost_prefix(Layer layer) {
  switch (layer) {
    case Layer::tile:
      return "tile.";
    case Layer::vector:
    case Layer::vmi:
      return "vec.";
    case Layer::cube:
      return "cube.";
    case Layer::dma:
      return "dma.";
    case Layer::scalar:
      return "scalar.";
    case Layer::sync:
      return "sync.";
    case Layer::system:
      return "system.";
    case Layer::control:
      return "control.";
    case Layer::unsaid:
      return "";
  }
  return "";
}

/// The two halves of the cost class of a row that has one of its own: prefix and mnemonic. The mnemonic is
/// empty where the row states the class, or has none.
struct DefaultCost {
  std::string_view prefix, mnemonic;
};
constexpr DefaultCost default_cost(const Row& row) {
  const bool states_prefix = row.cost.ends_with('.');
  if (row.pipe == "none" || (!row.cost.empty() && !states_prefix)) return {row.cost, ""};
  const std::string_view prefix = states_prefix ? row.cost : cost_prefix(row.layer);
  std::string_view mnemonic = row.name;
  for (const std::string_view dialect : {std::string_view("pto."), std::string_view("vmi."), prefix}) {
    if (mnemonic.starts_with(dialect)) mnemonic.remove_prefix(dialect.size());
  }
  return {prefix, mnemonic};
}

constexpr bool has_entry(std::string_view column, std::string_view name) {
  for (const std::string_view entry : split(column, ' ')) {
    if (entry.substr(0, entry.find(':')) == name) return true;
  }
  return false;
}

/// The names of the rules. A statement about an operand that the row does not have is a compile error.
constexpr RuleNames check_rules(const Row& row) {
  constexpr RuleNames kNamesOperands = {RuleName::clobbers, RuleName::distinct, RuleName::exempt,
                                        RuleName::in_place, RuleName::restores, RuleName::scratch_on,
                                        RuleName::silent,   RuleName::unit_flag};
  RuleNames names;
  for (const std::string_view text : split(row.rules, ' ')) {
    const RowRule rule = parse_rule(text);
    names.insert(rule.id);
    if (!kNamesOperands.has(rule.id)) continue;
    for (const std::string_view name : split(rule.words(), ',')) {
      if (!has_entry(row.operands, name) && !has_entry(row.results, name) && !has_entry(row.attrs, name))
        throw "a rule names an operand or attribute that its row does not have";
    }
  }
  return names;
}

/// The rows of a family with their cost classes and names of rules, computed by the compiler.
template <const auto& table>
class CompleteTable {
  static constexpr size_t count_letters() {
    size_t letters = 0;
    for (const Row& row : table) letters += default_cost(row).prefix.size() + row.name.size();
    return letters;
  }
  using Letters = std::array<char, count_letters()>;
  static constexpr Letters join_costs() {
    Letters letters{};
    auto at = letters.begin();
    for (const Row& row : table) {
      const DefaultCost cost = default_cost(row);
      if (cost.mnemonic.empty()) continue;
      at = std::copy(cost.prefix.begin(), cost.prefix.end(), at);
      at = std::copy(cost.mnemonic.begin(), cost.mnemonic.end(), at);
    }
    return letters;
  }
  static constexpr Letters kLetters = join_costs();
  static constexpr auto complete_rows() {
    auto rows = table;
    size_t at = 0;
    for (Row& row : rows) {
      row.rule_names = check_rules(row);
      const DefaultCost cost = default_cost(row);
      if (cost.mnemonic.empty()) continue;
      row.cost = {kLetters.data() + at, cost.prefix.size() + cost.mnemonic.size()};
      at += row.cost.size();
    }
    return rows;
  }

 public:
  static constexpr auto kRows = complete_rows();
};

}  // namespace pto::isa
