#include "ir/named_constants.hpp"

#include <fmt/format.h>

#include <charconv>

#include "isa/row.hpp"

namespace pto {
namespace {

template <typename Number>
std::optional<Number> whole_number(std::string_view text, int base = 10) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<int64_t> integer(std::string_view text) {
  if (!text.starts_with("0x")) return whole_number<int64_t>(text);
  const auto bits = whole_number<uint64_t>(text.substr(2), 16);
  return bits ? std::optional(static_cast<int64_t>(*bits)) : std::nullopt;
}

/// As a constant of that type is written.
std::optional<AttrValue> value_of(std::string_view text, Elem elem) {
  AttrValue value;
  if (is_float(elem)) {
    double number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    value.kind = AttrValue::Kind::floating;
    value.floating = number;
    return value;
  }
  if (elem == Elem::i1) {
    if (text != "true" && text != "false" && text != "1" && text != "0") return std::nullopt;
    value.kind = AttrValue::Kind::boolean;
    value.integer = text == "true" || text == "1" ? 1 : 0;
    return value;
  }
  const std::optional<int64_t> number = integer(text);
  if (!number) return std::nullopt;
  const uint32_t bits = elem == Elem::index ? 64 : bit_width(elem);
  if (bits < 64 && (*number < -(int64_t{1} << (bits - 1)) || *number >= int64_t{1} << bits))
    return std::nullopt;
  value.kind = AttrValue::Kind::integer;
  value.integer = *number;
  return value;
}

}  // namespace

void set_parameter(Program& program, uint32_t op, const Defines& defines) {
  const OpView view(program, op);
  const AttrValue* name = view.attr("pto.param");
  if (name == nullptr || name->kind != AttrValue::Kind::string) return;
  const std::string* given = defines.find(program.strings[name->text]);
  if (given == nullptr) return;
  const Type& type = view.result_type(0);
  const std::optional<AttrValue> value =
      type.kind == TypeKind::scalar ? value_of(*given, type.elem) : std::nullopt;
  if (!value) {
    const Location where = view.op().where;
    if (!defines.misfit)
      defines.misfit = Error{fmt::format(
          "-D {}={}: the constant of {}:{}:{} is {}, which '{}' is no value of",
          std::string_view(program.strings[name->text]), *given, program.source_name, where.line, where.col,
          type.kind == TypeKind::scalar ? to_string(type.elem) : std::string_view("no scalar"), *given)};
    return;
  }
  const int spec = isa::schema(view.op().row).attr_index("value");
  for (uint32_t i = 0; i < view.op().n_attrs; ++i) {
    Attr& attr = program.attrs[view.op().attrs + i];
    if (attr.spec != spec) continue;
    const TypeId written = attr.value.type;
    attr.value = *value;
    attr.value.type = written;
  }
}

void set_parameters(Program& program, const Defines& defines) {
  if (defines.empty()) return;
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    if (isa::row(program.ops[op].row).opcode_class == isa::OpcodeClass::constant)
      set_parameter(program, op, defines);
  }
}

}  // namespace pto
