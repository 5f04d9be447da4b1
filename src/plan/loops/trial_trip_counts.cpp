// Loops whose bounds are arguments, as they may be run for a trial.
#include <algorithm>

#include "ir/rewriter.hpp"
#include "pto/plan.hpp"

namespace pto {
namespace {

/// Gives a loop the end `lower + turns * step`; the attribute that says how many turns.
uint32_t bind_trip_count(Program& program, Rewriter& rewriter, OpId loop) {
  const uint32_t operands = program.ops[loop].operands;
  const ValueId lower = program.operands[operands], step = program.operands[operands + 2];
  const TypeId type = program.values[lower].type;
  rewriter.set_before(loop);
  const auto attr = static_cast<uint32_t>(program.attrs.size());
  const ValueId turns = rewriter.constant(type, 0);
  const ValueId span = rewriter.binary(isa::OpcodeClass::mul, type, turns, step);
  const ValueId upper = rewriter.binary(isa::OpcodeClass::add, type, lower, span);
  program.operands[operands + 1] = upper;
  return attr;
}

}  // namespace

OpenLoops open_loops(Program& program, std::vector<uint32_t> loops) {
  std::ranges::sort(loops);
  OpenLoops found;
  Rewriter rewriter(program);
  for (const OpId loop : loops) found.turns.push_back(bind_trip_count(program, rewriter, loop));
  rewriter.finish();
  for (const OpId loop : loops) found.loops.push_back(rewriter.index_of(loop));
  return found;
}

void give_turns(Program& program, const OpenLoops& loops, std::span<const int64_t> turns) {
  for (size_t i = 0; i < loops.turns.size(); ++i) program.attrs[loops.turns[i]].value.integer = turns[i];
}

}  // namespace pto
