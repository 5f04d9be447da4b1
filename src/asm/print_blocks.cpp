// Printers of the statements that blocks.cpp parses.
#include <fmt/format.h>

#include "asm/printer.hpp"

namespace pto::text {

namespace {

void target(Printer& out, const OpView& op, std::string_view attr, std::span<const ValueId> values) {
  const AttrValue* name = op.attr(attr);
  out.put(fmt::format(" ^{}", name == nullptr ? std::string_view{} : out.text(name->text)));
  if (values.empty()) return;
  out.put("(");
  out.values(values);
  out.put(" : ");
  out.types(values);
  out.put(")");
}

}  // namespace

void print_br(Printer& out, const OpView& op) {
  target(out, op, "dest", op.operands(0));
  out.dictionary(op, {"dest"});
}

void print_cond_br(Printer& out, const OpView& op) {
  out.put(" ");
  out.value(op.operand(0));
  out.put(",");
  target(out, op, "trueDest", op.operands(1));
  out.put(",");
  target(out, op, "falseDest", op.operands(2));
  out.dictionary(op, {"trueDest", "falseDest"});
}

void print_execute_region(Printer& out, const OpView& op) {
  if (op.op().n_results == 0) return;
  out.put(" ");
  out.arrow_results(op, true);
}

void print_case(Printer& out, const OpView& op, uint32_t region) {
  const AttrValue* cases = op.attr("cases");
  const uint32_t count = cases == nullptr ? 0 : cases->array.count;
  const bool first = op.attr("default_first") != nullptr;
  const uint32_t index = first ? region - 1 : region;
  if (first ? region == 0 : region >= count) out.put(" default");
  else if (index < count) out.put(fmt::format(" case {}", out.p().ints[cases->array.first + index]));
}

void print_index_switch(Printer& out, const OpView& op) {
  out.put(" ");
  out.value(op.operand(0));
  for (uint32_t i = 0; i < op.op().n_results; ++i) {
    out.put(i == 0 ? " -> " : ", ");
    out.type(op.result(i));
  }
  print_case(out, op, 0);
}

void print_block(Printer& out, const OpView& op) {
  const AttrValue* name = op.attr("name");
  out.put(fmt::format("^{}", name == nullptr ? std::string_view{} : out.text(name->text)));
  for (uint32_t i = 0; i < op.op().n_results; ++i) {
    out.put(i == 0 ? "(" : ", ");
    out.value(op.result(i));
    out.put(": ");
    out.type(op.result(i));
  }
  out.put(op.op().n_results == 0 ? ":" : "):");
}

}  // namespace pto::text
