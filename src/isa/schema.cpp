// Compiles the small languages of a Row (operands, results, attributes, syntax) into a Schema.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string>

#include "isa/row.hpp"
#include "support/strings.hpp"

namespace pto::isa {
namespace {

constexpr OperandKind kKinds[] = {
    {"tile", kTile, "tile_buf", "tile"},
    {"view", kView, "partition_tensor_view", "partition view"},
    {"tview", kTView, "tensor_view", "tensor view"},
    {"ptr", kPtr, "ptr", "pointer"},
    {"memref", kMemRef, "memref", "memref"},
    {"vreg", kVReg, "vreg", "vector register"},
    {"mask", kMask, "mask", "mask"},
    {"align", kAlign, "align", "alignment state"},
    {"i1", kI1, "i1", "i1"},
    {"i8", kI8, "i8", "i8"},
    {"i16", kI16, "i16", "i16"},
    {"i32", kI32, "i32", "i32"},
    {"i64", kI64, "i64", "i64"},
    {"index", kIndex, "index", "index"},
    {"int", kInt, "integer", "integer"},
    {"float", kFloat, "float", "float"},
    {"scalar", kScalar, "scalar", "scalar"},
    {"vector", kVector, "vector", "vector"},
    {"pipe", kPipeHandle, "pipe", "pipe handle"},
    {"async_session", kAsyncSession, "async_session", "session"},
    {"async_event", kAsyncEvent, "async_event", "event"},
    {"eventid_array", kEventIdArray, "eventid_array", "array of event ids"},
    {"local_array", kLocalArray, "local_array", "local array"},
    {"vmi_vreg", kVmiVReg, "vmi.vreg", "logical vector"},
    {"vmi_mask", kVmiMask, "vmi.mask", "logical mask"},
    {"multi_tile", kMultiTile, "multi_tile_buf", "tile of several slots"},
    {"struct", kStruct, "struct", "struct"},
    {"prefetch_context", kPrefetch, "prefetch_async_context", "prefetch context"},
    {"any", kAny, "anything", "anything"},
};

bool parse_kinds(std::string_view text, uint32_t& kinds, std::string& problem) {
  return for_each_part(text, '|', [&](std::string_view name) {
    const auto* found = std::ranges::find(kKinds, name, &OperandKind::name);
    if (found == std::end(kKinds)) {
      problem = "unknown operand kind '" + std::string(name) + "'";
      return false;
    }
    kinds |= found->bit;
    return true;
  });
}

bool parse_role(std::string_view text, Role& role, std::string& problem) {
  if (text == "in")
    role = Role::in;
  else if (text == "out")
    role = Role::out;
  else if (text == "inout")
    role = Role::inout;
  else if (text == "tmp")
    role = Role::tmp;
  else {
    problem = "unknown role '" + std::string(text) + "'";
    return false;
  }
  return true;
}

/// name:kind[?|*][=role]
bool parse_operand(std::string_view text, OperandSpec& spec, std::string& problem) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) {
    problem = "operand '" + std::string(text) + "' lacks a kind";
    return false;
  }
  spec.name = text.substr(0, colon);
  text.remove_prefix(colon + 1);
  if (const size_t equals = text.find('='); equals != std::string_view::npos) {
    if (!parse_role(text.substr(equals + 1), spec.role, problem)) return false;
    text = text.substr(0, equals);
  }
  if (text.ends_with('?')) spec.arity = Arity::optional;
  if (text.ends_with('*')) spec.arity = Arity::variadic;
  if (spec.arity != Arity::one) text.remove_suffix(1);
  return parse_kinds(text, spec.kinds, problem);
}

bool parse_operands(std::string_view text, std::vector<OperandSpec>& out, std::string& problem) {
  return for_each_part(
      text, ' ', [&](std::string_view part) { return parse_operand(part, out.emplace_back(), problem); });
}

struct AttrTypeName {
  std::string_view name;
  AttrType type;
};
constexpr std::array kAttrTypes = {
    AttrTypeName{"int", AttrType::integer},   AttrTypeName{"i32", AttrType::integer},
    AttrTypeName{"i64", AttrType::integer},   AttrTypeName{"float", AttrType::floating},
    AttrTypeName{"bool", AttrType::boolean},  AttrTypeName{"unit", AttrType::unit},
    AttrTypeName{"string", AttrType::string}, AttrTypeName{"symbol", AttrType::symbol},
    AttrTypeName{"ints", AttrType::ints},     AttrTypeName{"type", AttrType::type},
    AttrTypeName{"any", AttrType::any},
};

bool parse_attr_type(std::string_view name, AttrSpec& spec, std::string& problem) {
  if (const auto found = std::ranges::find(kAttrTypes, name, &AttrTypeName::name);
      found != kAttrTypes.end()) {
    spec.type = found->type;
    return true;
  }
  spec.domain = find_enum(name);
  spec.type = AttrType::enumerant;
  if (spec.domain == nullptr) problem = "unknown attribute type '" + std::string(name) + "'";
  return spec.domain != nullptr;
}

bool parse_default(std::string_view text, AttrSpec& spec, std::string& problem) {
  spec.has_default = true;
  spec.default_text = text;
  if (spec.type == AttrType::enumerant) {
    const EnumCase* found = find_case(*spec.domain, text);
    if (found != nullptr)
      spec.default_int = found->value;
    else
      problem = "default '" + std::string(text) + "' is not a case of " + std::string(spec.domain->name);
    return found != nullptr;
  }
  if (spec.type == AttrType::boolean) {
    spec.default_int = text == "true" ? 1 : 0;
    return true;
  }
  if (spec.type != AttrType::integer) return true;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), spec.default_int);
  if (error != std::errc{} || end != text.data() + text.size())
    problem = "default '" + std::string(text) + "' is not an integer";
  return problem.empty();
}

/// name:type[?][=default]; units are never required.
bool parse_attr(std::string_view text, AttrSpec& spec, std::string& problem) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) {
    problem = "attribute '" + std::string(text) + "' lacks a type";
    return false;
  }
  spec.name = text.substr(0, colon);
  text.remove_prefix(colon + 1);
  const size_t equals = text.find('=');
  std::string_view type = text.substr(0, equals);
  const bool optional = type.ends_with('?');
  if (optional) type.remove_suffix(1);
  if (!parse_attr_type(type, spec, problem)) return false;
  spec.required = !optional && equals == std::string_view::npos && spec.type != AttrType::unit;
  return equals == std::string_view::npos || parse_default(text.substr(equals + 1), spec, problem);
}

bool compile_attrs(const Row& row, Schema& out, std::string& problem) {
  return for_each_part(row.attrs, ' ', [&](std::string_view part) {
    return parse_attr(part, out.attrs.emplace_back(), problem);
  });
}

/// "list $attr..": operands and the named attributes, the dictionary, the operand types, the result types.
std::string spell_out_list(std::string_view positional, const Schema& schema) {
  const auto add = [](std::string& list, std::string_view before, std::string_view name,
                      std::string_view behind) {
    list.append(list.empty() ? "" : ", ").append(before).append(name).append(behind);
  };
  std::string values, operands, results;
  for (const OperandSpec& spec : schema.operands) {
    add(values, "$", spec.name, "");
    add(operands, "type($", spec.name, ")");
  }
  for_each_part(positional, ' ', [&](std::string_view attr) {
    add(values, attr, "", "");
    return true;
  });
  for (const OperandSpec& spec : schema.results) add(results, "type($", spec.name, ")");
  values += " {attrs}";
  if (!operands.empty() || !results.empty()) values += " : ";
  values += operands;
  if (!operands.empty() && !results.empty()) values += " -> ";
  return values + results;
}

bool compile_syntax(const Row& row, Schema& out, std::string& problem) {
  if (row.syntax.starts_with("@dps")) return compile_tile_syntax(row.syntax, out, problem);
  if (row.syntax.starts_with('@') || (row.flags & kAlias) != 0) return true;
  if (row.syntax == "list" || row.syntax.starts_with("list "))
    return compile_syntax_string(spell_out_list(row.syntax.substr(4), out), out, problem);
  return compile_syntax_string(row.syntax, out, problem);
}

}  // namespace

std::span<const OperandKind> operand_kinds() { return kKinds; }

int Schema::operand_slot(std::string_view name) const {
  const auto found = std::ranges::find(operands, name, &OperandSpec::name);
  return found == operands.end() ? -1 : static_cast<int>(found - operands.begin());
}

int Schema::attr_index(std::string_view name) const {
  for (size_t i = 0; i < attrs.size(); ++i) {  // lengths and first letters tell most of them apart
    const std::string_view other = attrs[i].name;
    if (other.size() == name.size() && other[0] == name[0] && other == name) return static_cast<int>(i);
  }
  return -1;
}

const RowRule* Schema::find_rule(RuleName name) const {
  const auto found = std::ranges::find(rules, name, &RowRule::id);
  return found == rules.end() ? nullptr : &*found;
}

bool compile_schema(const Row& row, Schema& out, std::string& problem) {
  out = Schema{};
  out.row = &row;
  for (const std::string_view text : split(row.rules, ' ')) out.rules.push_back(parse_rule(text));
  if (row.syntax.starts_with('@')) out.regions.resize(usual_regions(row));
  const bool ok = parse_operands(row.operands, out.operands, problem) &&
                  parse_operands(row.results, out.results, problem) && compile_attrs(row, out, problem) &&
                  compile_syntax(row, out, problem);
  if (ok && out.regions.size() != usual_regions(row) && (row.flags & kAlias) == 0) {
    problem = std::string(row.name) + ": its syntax has " + std::to_string(out.regions.size()) +
              " regions, its row says " + std::to_string(usual_regions(row));
    return false;
  }
  if (!ok) problem = std::string(row.name) + ": " + problem;
  out.has_variadic = std::ranges::any_of(
      out.operands, [](const OperandSpec& spec) { return spec.arity == Arity::variadic; });
  return ok;
}

}  // namespace pto::isa
