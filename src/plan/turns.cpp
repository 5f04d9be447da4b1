// Loops whose bounds are arguments, as they may be run for a trial.
#include <algorithm>

#include "isa/row.hpp"
#include "plan/storage.hpp"
#include "pto/plan.hpp"

namespace pto {
namespace {

constexpr unsigned kInFront = 3;  ///< operations that give a loop its new end

class Turns {
 public:
  Turns(Program& program, int64_t turns) : program_(program), turns_(turns) {}

  /// `loops` in ascending order.
  void give(std::span<const uint32_t> loops) {
    const std::vector<Op> old = std::move(program_.ops);
    program_.ops.clear();
    auto next = loops.begin();
    for (uint32_t op = 0; op < old.size(); ++op) {
      const bool loop = next != loops.end() && *next == op;
      const ValueId end = loop ? bound(old[op]) : kNoValue;
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
  }

 private:
  ValueId bound(const Op& loop) {
    const ValueId lower = program_.operands[loop.operands], step = program_.operands[loop.operands + 2];
    const TypeId type = program_.values[lower].type;
    Attr value;
    value.spec = 0;
    value.value.kind = AttrValue::Kind::integer;
    value.value.type = type;
    value.value.integer = turns_;
    const ValueId turns = add(isa::Does::constant, loop.where, type, {}, {&value, 1});
    const ValueId of_span[] = {turns, step};
    const ValueId of_sum[] = {lower, add(isa::Does::mul, loop.where, type, of_span, {})};
    return add(isa::Does::add, loop.where, type, of_sum, {});
  }
  ValueId add(isa::Does does, Location where, TypeId type, std::span<const ValueId> operands,
              std::span<const Attr> attrs) {
    ProgramBuilder builder(program_);
    const uint32_t op = builder.begin_op(isa::id_of(does), where, operands, attrs, {&type, 1}, {});
    return program_.ops[op].first_result;
  }

  Program& program_;
  int64_t turns_;
};

}  // namespace

std::vector<uint32_t> give_turns(Program& program, std::vector<uint32_t> loops, int64_t turns) {
  std::ranges::sort(loops);
  Turns(program, turns).give(loops);
  for (uint32_t i = 0; i < loops.size(); ++i) loops[i] += kInFront * (i + 1);
  return loops;
}

}  // namespace pto
