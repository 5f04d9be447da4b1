// Printers of the statements that mixed.cpp parses.
#include <fmt/format.h>

#include "asm/mixed.hpp"
#include "asm/printer.hpp"

namespace pto::text {

namespace {

void mixed_list(Printer& out, const OpView& op, const MixedList& list) {
  const AttrValue* numbers = op.attr(list.attr);
  std::span<const ValueId> values = out.slot(op, list.slot);
  out.put("[");
  for (uint32_t i = 0; numbers != nullptr && i < numbers->array.count; ++i) {
    if (i > 0) out.put(", ");
    const int64_t number = out.p().ints[numbers->array.first + i];
    if (number == list.marker && !values.empty()) {
      out.value(values.front());
      values = values.subspan(1);
    } else {
      out.put(fmt::format("{}", number));
    }
  }
  out.put("]");
}

void source(Printer& out, const OpView& op) {
  out.put(" ");
  out.value(op.operand(0));
}

void types(Printer& out, const OpView& op, std::string_view word) {
  out.put(" : ");
  out.type(op.operand(0));
  out.put(fmt::format(" {} ", word));
  out.type(op.result(0));
}

}  // namespace

void print_reinterpret_cast(Printer& out, const OpView& op) {
  source(out, op);
  out.put(" to offset: ");
  mixed_list(out, op, kOffsets);
  out.put(", sizes: ");
  mixed_list(out, op, kSizes);
  out.put(", strides: ");
  mixed_list(out, op, kStrides);
  out.dictionary(op, {kOffsets.attr, kSizes.attr, kStrides.attr});
  types(out, op, "to");
}

void print_memref_subview(Printer& out, const OpView& op) {
  source(out, op);
  mixed_list(out, op, kOffsets);
  out.put(" ");
  mixed_list(out, op, kSizes);
  out.put(" ");
  mixed_list(out, op, kStrides);
  out.dictionary(op, {kOffsets.attr, kSizes.attr, kStrides.attr});
  types(out, op, "to");
}

void print_expand_shape(Printer& out, const OpView& op) {
  source(out, op);
  out.put(" ");
  if (const AttrValue* groups = op.attr("reassociation")) out.attr_value(*groups, nullptr);
  if (op.attr(kOutputShape.attr) != nullptr) {
    out.put(" output_shape ");
    mixed_list(out, op, kOutputShape);
  }
  out.dictionary(op, {"reassociation", kOutputShape.attr});
  types(out, op, "into");
}

void print_extractvalue(Printer& out, const OpView& op) {
  source(out, op);
  if (const AttrValue* position = op.attr("position")) out.attr_value(*position, nullptr);
  out.dictionary(op, {"position"});
  out.put(" : ");
  out.type(op.operand(0));
}

void print_getelementptr(Printer& out, const OpView& op) {
  if (op.attr("inbounds") != nullptr) out.put(" inbounds");
  source(out, op);
  mixed_list(out, op, kIndices);
  out.dictionary(op, {"inbounds", kIndices.attr, "elem_type"});
  out.put(" : (");
  out.type(op.operand(0));
  for (const ValueId index : op.operands(1)) {
    out.put(", ");
    out.type(index);
  }
  out.put(") -> ");
  out.type(op.result(0));
  out.put(", ");
  if (const AttrValue* elem = op.attr("elem_type")) out.attr_value(*elem, nullptr);
}

void print_vector_extract(Printer& out, const OpView& op) {
  source(out, op);
  mixed_list(out, op, kExtractPosition);
  out.dictionary(op, {kExtractPosition.attr});
  out.put(" : ");
  out.type(op.result(0));
  out.put(" from ");
  out.type(op.operand(0));
}

void print_vector_insert(Printer& out, const OpView& op) {
  source(out, op);
  out.put(", ");
  out.value(op.operand(1));
  mixed_list(out, op, kExtractPosition);
  out.dictionary(op, {kExtractPosition.attr});
  types(out, op, "into");
}

}  // namespace pto::text
