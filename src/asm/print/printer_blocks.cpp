// Printers of blocks and of the regions of a switch.
#include <fmt/format.h>

#include "asm/print/printer.hpp"

namespace pto::text {

void print_case(Printer& out, const OpView& op, uint32_t region) {
  const AttrValue* cases = op.attr("cases");
  const uint32_t count = cases == nullptr ? 0 : cases->array.count;
  const bool first = op.attr("default_first") != nullptr;
  const uint32_t index = first ? region - 1 : region;
  if (first ? region == 0 : region >= count)
    out.put(" default");
  else if (index < count)
    out.put(fmt::format(" case {}", out.p().ints[cases->array.first + index]));
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
