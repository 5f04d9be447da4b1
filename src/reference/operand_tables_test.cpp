#include "reference/operand_tables.hpp"

#include <catch2/catch.hpp>
#include <set>

namespace pto::reference {
namespace {

TEST_CASE("every operand of a micro instruction has a unit and a meaning, every meaning an operand",
          "[reference]") {
  std::set<const OperandMeaning*> used;
  for (const isa::Row& row : isa::rows()) {
    if ((row.flags & isa::kAlias) != 0) continue;
    const FormFacts form = facts_of(row);
    if (!is_micro(form)) continue;
    for (const OperandFacts& operand : form.operands) {
      INFO(row.name << " %" << operand.name);
      const OperandMeaning* meaning = meaning_of(form, operand.name);
      CHECK(meaning != nullptr);
      used.insert(meaning);
    }
  }
  for (const OperandMeaning& meaning : operand_meanings()) {
    INFO(meaning.operand << " in " << meaning.instructions);
    CHECK(used.contains(&meaning));
  }
}

}  // namespace
}  // namespace pto::reference
