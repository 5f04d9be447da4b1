// Printers of the statements that asm/parse/forms/syntax_hooks.hpp parses.
#include <fmt/format.h>

#include <unordered_map>

#include "asm/print/printer.hpp"

namespace pto::text {

namespace {

std::string_view string_attr(const Printer& out, const OpView& op, std::string_view name) {
  const AttrValue* value = op.attr(name);
  return value == nullptr ? std::string_view{} : out.text(value->text);
}

void print_function(Printer& out, const OpView& op) {
  if (op.attr("sym_visibility") != nullptr)
    out.put(fmt::format(" {}", string_attr(out, op, "sym_visibility")));
  out.put(fmt::format(" @{}(", string_attr(out, op, "sym_name")));
  const std::span<const Region> regions = out.p().regions_of(op.op());
  const bool declaration = regions.empty() || regions[0].begin == regions[0].end;
  bool first = true;
  for (const ValueId arg : out.region_args(op, 0)) {
    if (!first) out.put(", ");
    first = false;
    if (!declaration || out.p().values[arg].name != 0) {
      out.value(arg);
      out.put(": ");
    }
    out.type(arg);
  }
  out.put(")");
  if (op.attr("function_results") != nullptr)
    out.put(fmt::format(" -> ({})", string_attr(out, op, "function_results")));
  out.dictionary(op, {"sym_name", "sym_visibility", "function_results"}, " attributes ");
}

void print_constant(Printer& out, const OpView& op) {
  const AttrValue* value = op.attr("value");
  if (value == nullptr) return;
  out.dictionary(op, {"value"}, " ");
  out.put(" ");
  out.attr_value(*value, nullptr);
  if (value->kind == AttrValue::Kind::raw) {
    out.put(" : ");
    out.type(op.result(0));
  }
}

}  // namespace

PrintHook find_print_hook(const isa::Row& row) {
  static const std::unordered_map<std::string_view, PrintHook> hooks = {
      {"func", print_function},
      {"constant", print_constant},
      {"index_switch", print_index_switch},
  };
  if (!row.syntax.starts_with("@custom:")) return nullptr;
  const auto found = hooks.find(row.syntax.substr(8));
  return found == hooks.end() ? nullptr : found->second;
}

}  // namespace pto::text
