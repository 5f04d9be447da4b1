#include "analysis/executed_iterations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/constant_folding.hpp"
#include "ir/kernel_entries.hpp"
#include "ir/op_queries.hpp"
#include "ir/value_names.hpp"

namespace pto {
namespace {

using isa::OpcodeClass;

/// Whether the body is executed once, whatever the inputs are.
bool always_runs(OpcodeClass opcode_class) {
  return opcode_class == OpcodeClass::module || opcode_class == OpcodeClass::vecscope ||
         opcode_class == OpcodeClass::strict_vecscope || isa::is_section(opcode_class);
}

}  // namespace

std::string words_of(const Program& program, std::span<const LoopIteration> iterations) {
  std::string out;
  for (const LoopIteration& iteration : iterations)
    out += fmt::format("{} {} = {}", out.empty() ? " where" : " and",
                       isa::value_name(program, iteration.counter), iteration.number);
  return out;
}

const std::vector<IterationVector>& ExecutedIterations::iterations_of(uint32_t op) const {
  const uint32_t around = tree_.parent(op);
  const auto [found, fresh] = known_.try_emplace(around);
  if (fresh) found->second = iterations_inside(around);
  return found->second;
}

std::vector<IterationVector> ExecutedIterations::iterations_inside(uint32_t around) const {
  IterationVector first;
  std::vector<LoopIteration> others;
  for (; around != kNoOp; around = tree_.parent(around)) {
    const OpView outer(program_, around);
    if (isa::opcode_class(outer) == OpcodeClass::loop) {
      const Number lower = constants_.value_of(outer.operand(0)),
                   upper = constants_.value_of(outer.operand(1)),
                   step = constants_.value_of(outer.operand(2));
      if (!lower || !upper || !step || *step <= 0 || *lower >= *upper) return {};
      const ValueId counter = body_of(outer).first_arg;
      first.push_back({counter, *lower});
      const uint64_t distance = static_cast<uint64_t>(*upper) - static_cast<uint64_t>(*lower);
      const auto width = static_cast<uint64_t>(*step);
      const uint64_t last = (distance - 1) / width * width;
      if (width < distance) others.push_back({counter, *lower + *step});
      if (last > width) others.push_back({counter, *lower + static_cast<int64_t>(last)});
    } else if (isa::opcode_class(outer) == OpcodeClass::function ? !marked_entry(outer)
                                                                 : !always_runs(isa::opcode_class(outer))) {
      return {};
    }
  }
  std::ranges::reverse(first);  // outermost first
  std::vector<IterationVector> all{first};
  for (const LoopIteration& iteration : others) {
    all.push_back(first);
    std::ranges::find(all.back(), iteration.counter, &LoopIteration::counter)->number = iteration.number;
  }
  return all;
}

}  // namespace pto
