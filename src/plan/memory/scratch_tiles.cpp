#include "plan/memory/scratch_tiles.hpp"

#include <map>
#include <string_view>
#include <vector>

#include "ir/rewriter.hpp"
#include "isa/row.hpp"

namespace pto::planner {
namespace {

constexpr isa::RuleName kTwoRows =
    isa::RuleName::trem_tmp;  ///< the rule of rows whose scratch tile holds two rows
constexpr int64_t kRows = 2;

class Widener {
 public:
  explicit Widener(Program& program) : program_(program), builder_(program) {
    for (uint32_t op = 0; op < program.ops.size(); ++op) visit(OpView(program, op));
  }

  void run() {
    if (!words_.empty()) Rebuilder(program_, *this).run();
  }

  void before(uint32_t op, const Op& old) {
    const auto found = words_.find(op);
    if (found == words_.end()) return;
    Type type = program_.type_of(program_.operands[found->second]);
    type.dims[0] = type.valid[0] = kRows;
    const TypeId wide = program_.types.intern(type);
    const isa::Schema& schema = isa::schema(isa::id_of(isa::OpcodeClass::alloc_tile));
    const std::vector<ValueId> operands(schema.operands.size(), kNoValue);
    const StrId name = 0;
    const uint32_t built = builder_.begin_op(schema.id, old.where, operands, {}, {&wide, 1}, {&name, 1});
    program_.operands[found->second] = program_.ops[built].first_result;
  }
  void after(uint32_t, Location) {}
  void region_end(uint32_t, Location) {}

 private:
  void visit(const OpView& op) {
    const isa::Schema& schema = isa::schema(op.op().row);
    if (!schema.row->rule_names.has(kTwoRows)) return;
    const int slot = schema.operand_slot("tmp");
    if (slot < 0 || op.operand(static_cast<unsigned>(slot)) == kNoValue) return;
    const Type& tile = op.type(static_cast<unsigned>(slot));
    if (!tile.is_tile() || tile.dims[0] >= kRows || tile.valid[0] < 0 || tile.valid[0] >= kRows) return;
    words_[op.index()] =
        static_cast<size_t>(&op.operands(static_cast<unsigned>(slot))[0] - program_.operands.data());
  }

  Program& program_;
  ProgramBuilder builder_;
  std::map<uint32_t, size_t> words_;  ///< by operation: where its scratch tile stands among the operands
};

}  // namespace

void widen_scratch(Program& program) {
  if (program.target == Target::a2a3) Widener(program).run();
}

}  // namespace pto::planner
