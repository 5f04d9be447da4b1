#include "sim/findings/alignment_advice.hpp"

#include <fmt/format.h>

#include <optional>

#include "analysis/constant_folding.hpp"
#include "ir/op_queries.hpp"
#include "ir/value_names.hpp"
#include "isa/row.hpp"
#include "sim/findings/naming.hpp"

namespace pto::sim {
namespace {

using isa::OpcodeClass;

/// A number that a pointer or tile is made of, in units of `step` bytes.
struct Part {
  uint32_t op = 0;
  ValueId number = kNoValue;
  uint64_t step = 1;
};

uint64_t element_bytes(const Type& type) { return bit_width(type.elem) / 8; }

/// Of the numbers that lead to a pointer the first that is no known multiple: before it all is aligned.
std::optional<Part> odd_part(const Program& program, ValueId pointer, uint64_t unit) {
  const Constants constants(program);
  std::optional<Part> odd;
  for (uint32_t at = constants.defining_op(pointer); at != kNoOp; at = constants.defining_op(pointer)) {
    const OpView op(program, at);
    std::optional<Part> part;
    switch (isa::opcode_class(op)) {
      case OpcodeClass::cast_ptr:
        if (op.type(0).kind == TypeKind::scalar) part = {at, op.operand(0), 1};
        break;
      case OpcodeClass::add_ptr:
        part = {at, op.operand(1), element_bytes(op.result_type(0))};
        break;
      case OpcodeClass::rename:
        break;
      default:
        return odd;
    }
    if (part) {
      const Number known = constants.value_of(part->number);
      if (!known || static_cast<uint64_t>(*known) * part->step % unit != 0) odd = part;
    }
    pointer = op.operand(0);
  }
  return odd;
}

std::string rounding(const Program& program, const Part& part, uint64_t unit) {
  if (part.step == 0 || unit % part.step != 0) return {};
  return fmt::format("round {} down to a multiple of {} at {}", isa::value_name(program, part.number),
                     unit / part.step, place(program, part.op));
}

/// Vector loads and stores have forms that may begin anywhere.
std::string_view unaligned_form(const OpView& op) {
  const bool vector = isa::schema(op.op().row).attr_index("dist") >= 0;
  return vector ? ", or use the unaligned forms (pto.vldus, pto.vstus)" : "";
}

}  // namespace

std::string advice_on_alignment(const Program& program, const exec::Context& context, Space space,
                                uint64_t address, uint64_t unit) {
  const uint32_t pc = context.inst->pc;
  const OpView op(program, pc);
  if (context.inst->row != op.op().row) return {};
  const isa::Schema& schema = isa::schema(op.op().row);
  std::string help;
  if (isa::opcode_class(op) == OpcodeClass::alloc_tile && op.operand(0) != kNoValue)
    help = rounding(program, {pc, op.operand(0), 1}, unit);
  const int offset = schema.operand_slot("offset");
  for (unsigned slot = 0; help.empty() && slot < schema.operands.size(); ++slot) {
    for (unsigned i = 0; help.empty() && i < context.count(slot); ++i) {
      const Type& type = context.type(slot, i);
      if (type.kind != TypeKind::ptr || type.space != space) continue;
      const uint64_t begin = context.word(slot, i);
      if (begin % unit != 0 && (begin == address || offset >= 0)) {
        if (const std::optional<Part> odd = odd_part(program, op.operands(slot)[i], unit))
          help = rounding(program, *odd, unit);
      } else if (offset >= 0 && begin != address) {
        const auto at = static_cast<unsigned>(offset);
        if (begin + context.word(at) * element_bytes(type) == address)
          help = rounding(program, {pc, op.operand(at), element_bytes(type)}, unit) +
                 std::string(unaligned_form(op));
      }
    }
  }
  if (!help.empty()) return help;
  const uint64_t below = address - address % unit;
  return fmt::format("{} and {} are multiples", below, below + unit);
}

}  // namespace pto::sim
