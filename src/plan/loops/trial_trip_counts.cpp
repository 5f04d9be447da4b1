// Loops with run-time bounds, rewritten for trial runs with a chosen trip count.
#include <algorithm>

#include "ir/rewriter.hpp"
#include "pto/plan.hpp"

namespace pto {
namespace {

/// Gives a loop the end `lower + trip_count * step`; returns the attribute with the trip count.
uint32_t bind_trip_count(Program& program, Rewriter& rewriter, OpId loop) {
  const uint32_t operands = program.ops[loop].operands;
  const ValueId lower = program.operands[operands], step = program.operands[operands + 2];
  const TypeId type = program.values[lower].type;
  rewriter.set_before(loop);
  const auto attr = static_cast<uint32_t>(program.attrs.size());
  const ValueId trip_count = rewriter.constant(type, 0);
  const ValueId span = rewriter.binary(isa::OpcodeClass::mul, type, trip_count, step);
  const ValueId upper = rewriter.binary(isa::OpcodeClass::add, type, lower, span);
  program.operands[operands + 1] = upper;
  return attr;
}

}  // namespace

OpenLoops open_loops(Program& program, std::vector<uint32_t> loops) {
  std::ranges::sort(loops);
  OpenLoops found;
  Rewriter rewriter(program);
  for (const OpId loop : loops) found.trip_counts.push_back(bind_trip_count(program, rewriter, loop));
  rewriter.finish();
  for (const OpId loop : loops) found.loops.push_back(rewriter.index_of(loop));
  return found;
}

void bind_trip_counts(Program& program, const OpenLoops& loops, std::span<const int64_t> trip_counts) {
  for (size_t i = 0; i < loops.trip_counts.size(); ++i)
    program.attrs[loops.trip_counts[i]].value.integer = trip_counts[i];
}

}  // namespace pto
