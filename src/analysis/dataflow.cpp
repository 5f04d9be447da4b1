#include "analysis/dataflow.hpp"

#include "ir/op_queries.hpp"
#include "isa/row.hpp"

namespace pto {
namespace {

using isa::OpcodeClass;

/// Adds the value at a position; false where there is none.
bool add(std::span<const ValueId> from, uint32_t position, std::vector<ValueId>& values) {
  if (position >= from.size()) return false;
  values.push_back(from[position]);
  return true;
}

constexpr unsigned kInitialSlot = 3;  ///< of a counted loop
constexpr unsigned kBounds = 3;       ///< lower bound, upper bound, step

}  // namespace

ValueOrigins::ValueOrigins(const Program& program)
    : program_(program), owners_(program.values.size(), kNoOp) {
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    for (uint32_t k = 0; k < op.n_results; ++k) owners_[op.first_result + k] = i;
    for (const Region& region : program.regions_of(op)) {
      for (uint32_t k = 0; k < region.n_args; ++k) owners_[region.first_arg + k] = i;
    }
  }
}

ValueOrigin ValueOrigins::origin(ValueId value) const {
  if (owners_[value] == kNoOp) return {};
  const OpView op(program_, owners_[value]);
  const uint32_t position = value - op.op().first_result;
  return position < op.op().n_results ? origin_of_result(op, position) : origin_of_argument(op, value);
}

ValueOrigin ValueOrigins::origin_of_result(const OpView& op, uint32_t position) const {
  ValueOrigin found{.kind = ValueOrigin::Kind::operation, .op = op.index(), .position = position};
  switch (isa::opcode_class(op)) {
    case OpcodeClass::loop:
      found.kind = ValueOrigin::Kind::carried;
      break;
    case OpcodeClass::while_loop:
    case OpcodeClass::branch:
    case OpcodeClass::index_switch:
    case OpcodeClass::inline_region:
      found.kind = ValueOrigin::Kind::merge;
      break;
    default:
      break;
  }
  return found;
}

ValueOrigin ValueOrigins::origin_of_argument(const OpView& op, ValueId value) const {
  ValueOrigin found{.op = op.index(), .is_argument = true};
  const std::span<const Region> regions = program_.regions_of(op.op());
  while (value - regions[found.region].first_arg >= regions[found.region].n_args) ++found.region;
  found.position = value - regions[found.region].first_arg;
  switch (isa::opcode_class(op)) {
    case OpcodeClass::loop:
      found.kind = found.position == 0 ? ValueOrigin::Kind::counter : ValueOrigin::Kind::carried;
      if (found.position != 0) --found.position;
      break;
    case OpcodeClass::while_loop:
    case OpcodeClass::strict_vecscope:
      found.kind = ValueOrigin::Kind::merge;
      break;
    default:
      break;
  }
  return found;
}

bool ValueOrigins::is_inside(ValueId value, uint32_t loop) const {
  const uint32_t owner = owners_[value];
  if (owner == kNoOp || owner < loop || owner >= program_.end_of(loop)) return false;
  return owner != loop || value - program_.ops[loop].first_result >= program_.ops[loop].n_results;
}

bool ValueOrigins::add_merged(const ValueOrigin& origin, std::vector<ValueId>& values) const {
  const OpView op(program_, origin.op);
  const std::span<const Region> regions = program_.regions_of(op.op());
  const auto yielded = [&](uint32_t region) {
    return region < regions.size() && add(yielded_values(program_, regions[region]), origin.position, values);
  };
  switch (isa::opcode_class(op)) {
    case OpcodeClass::loop:
      return add(op.operands(kInitialSlot), origin.position, values) && yielded(0);
    case OpcodeClass::while_loop:
      if (!origin.is_argument || origin.region == 1) return yielded(0);  // by scf.condition
      return add(op.operands(0), origin.position, values) && yielded(1);
    case OpcodeClass::strict_vecscope:
      return add(op.operands(0), origin.position, values);
    default:
      for (uint32_t region = 0; region < regions.size(); ++region) {
        if (!yielded(region)) return false;
      }
      return true;
  }
}

void ValueOrigins::add_operands(const ValueOrigin& origin, std::vector<ValueId>& values) const {
  const OpView op(program_, origin.op);
  const size_t slots =
      origin.kind == ValueOrigin::Kind::counter ? kBounds : isa::schema(op.op().row).operands.size();
  for (unsigned slot = 0; slot < slots; ++slot) {
    for (const ValueId value : op.operands(slot)) {
      if (value != kNoValue) values.push_back(value);
    }
  }
}

uint32_t IterationContexts::intern(const IterationVector& iterations) {
  if (iterations.empty()) return 0;
  const auto [found, fresh] = numbers_.try_emplace(iterations, static_cast<uint32_t>(all_.size()));
  if (fresh) all_.push_back(iterations);
  return found->second;
}

uint32_t IterationContexts::restricted(uint32_t context, ValueId value) {
  const auto outside = [&](const LoopIteration& each) {
    return !origins_.is_inside(value, origins_.owner(each.counter));
  };
  if (std::ranges::none_of(all_[context], outside)) return context;
  IterationVector kept = all_[context];
  std::erase_if(kept, outside);
  return intern(kept);
}

uint32_t IterationContexts::moved(uint32_t context, ValueId counter, std::optional<int64_t> number) {
  IterationVector changed = all_[context];
  const auto at = std::ranges::find(changed, counter, &LoopIteration::counter);
  if (number)
    at->number = *number;
  else
    changed.erase(at);
  return intern(changed);
}

std::optional<int64_t> IterationContexts::iteration(uint32_t context, ValueId counter) const {
  const auto at = std::ranges::find(all_[context], counter, &LoopIteration::counter);
  return at == all_[context].end() ? std::nullopt : std::optional(at->number);
}

}  // namespace pto
