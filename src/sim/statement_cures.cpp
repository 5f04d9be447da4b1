#include "sim/statement_cures.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "isa/row.hpp"
#include "isa/walk.hpp"

namespace pto::sim {
namespace {

using isa::Does;

bool of_queue(Does does) {
  return does == Does::queue_push || does == Does::queue_pop || does == Does::queue_free;
}

/// `pto.tmatmul` in the place of `pto.tmatmul.acc`, whose first operand is what it adds to.
void begin_sum(const Program& program, uint32_t op, std::vector<Cure>& cures) {
  constexpr std::string_view kAdds = ".acc";
  const std::string_view name = isa::row(program.ops[op].row).name;
  if (!name.ends_with(kAdds)) return;
  const isa::Row* const begins = isa::find_row(name.substr(0, name.size() - kAdds.size()));
  Statement statement(program, op);
  if (begins == nullptr || isa::schema(isa::id_of(*begins)).operands.size() + 1 != statement.operands.size())
    return;
  statement.row = isa::id_of(*begins);
  statement.operands.erase(statement.operands.begin());
  cures.push_back({.edits = {{.kind = Edit::Kind::write, .op = op, .statement = std::move(statement)}},
                   .outputs = Cure::Outputs::as_before});
}

/// The second one of two that follow each other and do the same with a queue.
void remove_second(const Program& program, std::vector<Cure>& cures) {
  std::set<ValueId> used(program.operands.begin(), program.operands.end());
  for (const Region& region : program.regions) {
    uint32_t before = kNoOp;
    for (const uint32_t op : children(program, region)) {
      const Op& here = program.ops[op];
      const bool twice =
          before != kNoOp && here.row == program.ops[before].row && of_queue(isa::row(here.row).does);
      const bool needed = here.n_results != 0 && used.contains(here.first_result);
      if (twice && !needed)
        cures.push_back({{{.kind = Edit::Kind::remove, .op = op, .statement = Statement(program, op)}}});
      before = op;
    }
  }
}

}  // namespace

std::vector<Cure> possible_statements(const Program& program, const Diagnostics& findings) {
  std::vector<Cure> cures;
  std::set<uint32_t> seen;
  for (const Diagnostic& each : findings.all()) {
    if (is_curable(each) && each.id == "UNINIT" && each.anchor.op < program.ops.size() &&
        seen.insert(each.anchor.op).second)
      begin_sum(program, each.anchor.op, cures);
  }
  if (std::ranges::any_of(findings.all(), is_curable)) remove_second(program, cures);
  return cures;
}

}  // namespace pto::sim
