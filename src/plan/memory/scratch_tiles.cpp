#include "plan/memory/scratch_tiles.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/rewriter.hpp"
#include "isa/row.hpp"

namespace pto::planner {
namespace {

constexpr isa::RuleName kTwoRows =
    isa::RuleName::trem_tmp;  ///< the rule of rows whose scratch tile holds two rows
constexpr int64_t kRows = 2;

/// The operand word of the scratch tile, where it has a row too few.
std::optional<size_t> narrow_scratch(const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  if (!schema.row->rule_names.has(kTwoRows)) return std::nullopt;
  const int slot = schema.operand_slot("tmp");
  if (slot < 0 || op.operand(static_cast<unsigned>(slot)) == kNoValue) return std::nullopt;
  const Type& tile = op.type(static_cast<unsigned>(slot));
  if (!tile.is_tile() || tile.dims[0] >= kRows || tile.valid[0] < 0 || tile.valid[0] >= kRows)
    return std::nullopt;
  return static_cast<size_t>(&op.operands(static_cast<unsigned>(slot))[0] - op.program().operands.data());
}

ValueId allocate_like(Program& program, Rewriter& rewriter, ValueId narrow) {
  Type type = program.type_of(narrow);
  type.dims[0] = type.valid[0] = kRows;
  const size_t slots = isa::schema(isa::id_of(isa::OpcodeClass::alloc_tile)).operands.size();
  const std::vector<ValueId> operands(slots, kNoValue);
  return rewriter.create_value(isa::OpcodeClass::alloc_tile, operands, program.types.intern(type));
}

}  // namespace

void widen_scratch(Program& program) {
  if (program.target != Target::a2a3) return;
  std::vector<std::pair<OpId, size_t>> narrow;
  for (OpId op = 0; op < program.ops.size(); ++op) {
    if (const std::optional<size_t> word = narrow_scratch(OpView(program, op)))
      narrow.emplace_back(op, *word);
  }
  if (narrow.empty()) return;
  Rewriter rewriter(program);
  for (const auto& [op, word] : narrow) {
    rewriter.set_before(op);
    program.operands[word] = allocate_like(program, rewriter, program.operands[word]);
  }
  rewriter.finish();
}

}  // namespace pto::planner
