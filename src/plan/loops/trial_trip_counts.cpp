// Loops whose bounds are arguments, as they may be run for a trial.
#include <algorithm>

#include "isa/row.hpp"
#include "plan/memory/storage_analysis.hpp"
#include "pto/plan.hpp"

namespace pto {
namespace {

constexpr unsigned kInFront = 3;  ///< operations that give a loop its new end

class TripCountBinder {
 public:
  explicit TripCountBinder(Program& program) : program_(program) {}

  OpenLoops give(std::vector<uint32_t> loops) {
    std::ranges::sort(loops);
    const std::vector<Op> old = std::move(program_.ops);
    program_.ops.clear();
    auto next = loops.begin();
    for (uint32_t op = 0; op < old.size(); ++op) {
      const bool loop = next != loops.end() && *next == op;
      const ValueId end = loop ? bound(old[op]) : kNoValue;
      if (loop) found_.loops.push_back(static_cast<uint32_t>(program_.ops.size()));
      program_.ops.push_back(old[op]);
      if (!loop) continue;
      program_.operands[old[op].operands + 1] = end;
      ++next;
    }
    const auto moved = [&](uint32_t at) {
      return at + kInFront * static_cast<uint32_t>(std::ranges::lower_bound(loops, at) - loops.begin());
    };
    for (Region& region : program_.regions)
      region.begin = moved(region.begin), region.end = moved(region.end);
    return std::move(found_);
  }

 private:
  ValueId bound(const Op& loop) {
    const ValueId lower = program_.operands[loop.operands], step = program_.operands[loop.operands + 2];
    const TypeId type = program_.values[lower].type;
    Attr value;
    value.spec = 0;
    value.value.kind = AttrValue::Kind::integer;
    value.value.type = type;
    found_.turns.push_back(static_cast<uint32_t>(program_.attrs.size()));
    const ValueId turns = add(isa::OpcodeClass::constant, loop.where, type, {}, {&value, 1});
    const ValueId of_span[] = {turns, step};
    const ValueId of_sum[] = {lower, add(isa::OpcodeClass::mul, loop.where, type, of_span, {})};
    return add(isa::OpcodeClass::add, loop.where, type, of_sum, {});
  }
  ValueId add(isa::OpcodeClass opcode_class, Location where, TypeId type, std::span<const ValueId> operands,
              std::span<const Attr> attrs) {
    ProgramBuilder builder(program_);
    const uint32_t op = builder.begin_op(isa::id_of(opcode_class), where, operands, attrs, {&type, 1}, {});
    return program_.ops[op].first_result;
  }

  Program& program_;
  OpenLoops found_;
};

}  // namespace

OpenLoops open_loops(Program& program, std::vector<uint32_t> loops) {
  return TripCountBinder(program).give(std::move(loops));
}

void give_turns(Program& program, const OpenLoops& loops, std::span<const int64_t> turns) {
  for (size_t i = 0; i < loops.turns.size(); ++i) program.attrs[loops.turns[i]].value.integer = turns[i];
}

}  // namespace pto
