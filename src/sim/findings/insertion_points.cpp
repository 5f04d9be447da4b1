#include "sim/findings/insertion_points.hpp"

#include <fmt/format.h>

#include "isa/row.hpp"
#include "pto/assembler.hpp"
#include "sim/findings/naming.hpp"

namespace pto::sim {
namespace {

std::string_view part_of(const Program& program, uint32_t op) {
  if (program.end_of(op) == op + 1) return {};
  if (opens_vector_scope(OpView(program, op))) return "the vector function at ";
  return is_loop(program, op) ? "the loop at " : "the branch at ";
}

}  // namespace

bool is_loop(const Program& program, uint32_t op) {
  const isa::OpcodeClass opcode_class = isa::row(program.ops[op].row).opcode_class;
  return opcode_class == isa::OpcodeClass::loop || opcode_class == isa::OpcodeClass::while_loop;
}

uint32_t InsertionPoints::queued(uint32_t op) const {
  for (uint32_t at = op; at != kNoOp; at = tree_.parent(at)) {
    if (opens_vector_scope(OpView(program_, at))) return at;
  }
  return op;
}

uint32_t InsertionPoints::last_line(uint32_t op) const {
  const Location at = program_.ops[op].where;
  const std::string_view text = program_.source_text, line = lines_.line(at.line);
  if (line.size() < at.col) return at.line;
  auto begin = static_cast<size_t>(line.data() - text.data()) + at.col - 1;
  if (begin > 0 && text[begin - 1] == '"') --begin;  // the generic form
  return at.line + lines_within(text.substr(begin), program_.target);
}

TextPlace InsertionPoints::at(uint32_t op) const {
  return {TextPlace::Side::at, place(program_, op), program_.ops[op].where.line};
}

TextPlace InsertionPoints::before(uint32_t op) const {
  TextPlace found = at(queued(op));
  found.side = TextPlace::Side::before;
  return found;
}

TextPlace InsertionPoints::after(uint32_t op) const {
  op = queued(op);
  const std::string_view part = part_of(program_, op);
  if (!part.empty() || program_.ops[op].where.line == 0)
    return {TextPlace::Side::after, fmt::format("{}{}", part, place(program_, op))};
  const uint32_t line = last_line(op);
  return {TextPlace::Side::after, place_at(program_, line), line};
}

bool InsertionPoints::reaches(ValueId value, uint32_t op) const {
  const auto holds = [&](uint32_t first, uint32_t count) { return value >= first && value - first < count; };
  for (uint32_t at = 0; at < op; ++at) {
    const Op& built = program_.ops[at];
    if (holds(built.first_result, built.n_results))
      return tree_.ancestor_in(op, tree_.region_of(at)) != kNoOp;
    for (uint32_t i = 0; i < built.n_regions; ++i) {
      const Region& region = program_.regions[built.regions + i];
      if (holds(region.first_arg, region.n_args)) return tree_.ancestor_in(op, built.regions + i) != kNoOp;
    }
  }
  return false;
}

std::optional<FlagInsertionPoints> InsertionPoints::between(uint32_t first, uint32_t second) const {
  first = queued(first);
  second = queued(second);
  uint32_t region = tree_.region_of(first);
  while (region != kNoOp && tree_.ancestor_in(second, region) == kNoOp)
    region = tree_.region_of(tree_.owner(region));
  if (region == kNoOp ||
      isa::row(program_.ops[tree_.owner(region)].row).opcode_class == isa::OpcodeClass::module)
    return {};
  FlagInsertionPoints found{tree_.ancestor_in(first, region), tree_.ancestor_in(second, region), kNoOp};
  if (found.set_after < found.wait_before) return found;
  uint32_t owner = tree_.owner(region);
  while (owner != kNoOp && !is_loop(program_, owner)) {
    found.set_after = found.wait_before = owner;
    owner = tree_.parent(owner);
  }
  if (owner == kNoOp) return {};
  found.loop = owner;
  return found;
}

}  // namespace pto::sim
