// Compiles the small languages of a Row (operands, results, attributes, syntax) into a Schema.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string>

#include "isa/row.hpp"

namespace pto::isa {
namespace {

struct KindName {
  std::string_view name;
  uint32_t bits;
};
constexpr std::array kKinds = {
    KindName{"tile", kTile},
    KindName{"view", kView},
    KindName{"tview", kTView},
    KindName{"ptr", kPtr},
    KindName{"memref", kMemRef},
    KindName{"vreg", kVReg},
    KindName{"mask", kMask},
    KindName{"align", kAlign},
    KindName{"i1", kI1},
    KindName{"i8", kI8},
    KindName{"i16", kI16},
    KindName{"i32", kI32},
    KindName{"i64", kI64},
    KindName{"index", kIndex},
    KindName{"int", kInt},
    KindName{"float", kFloat},
    KindName{"scalar", kScalar},
    KindName{"vector", kVector},
    KindName{"pipe", kPipeHandle},
    KindName{"any", kAny},
    KindName{"async_session", kAsyncSession},
    KindName{"async_event", kAsyncEvent},
    KindName{"eventid_array", kEventIdArray},
    KindName{"local_array", kLocalArray},
    KindName{"vmi_vreg", kVmiVReg},
    KindName{"vmi_mask", kVmiMask},
    KindName{"multi_tile", kMultiTile},
    KindName{"struct", kStruct},
    KindName{"prefetch_context", kPrefetch},
};

/// Calls `each` for the parts of `text` between separators; empty parts are skipped. Stops when `each` says
/// false.
template <typename Each>
bool split(std::string_view text, char separator, Each each) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!part.empty() && !each(part)) return false;
  }
  return true;
}

bool parse_kinds(std::string_view text, uint32_t& kinds, std::string& problem) {
  return split(text, '|', [&](std::string_view name) {
    const auto* found = std::ranges::find(kKinds, name, &KindName::name);
    if (found == kKinds.end()) {
      problem = "unknown operand kind '" + std::string(name) + "'";
      return false;
    }
    kinds |= found->bits;
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
  return split(text, ' ',
               [&](std::string_view part) { return parse_operand(part, out.emplace_back(), problem); });
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
  if (const auto* found = std::ranges::find(kAttrTypes, name, &AttrTypeName::name);
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
  return split(row.attrs, ' ',
               [&](std::string_view part) { return parse_attr(part, out.attrs.emplace_back(), problem); });
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
  split(positional, ' ', [&](std::string_view attr) { return add(values, attr, "", ""), true; });
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

int Schema::operand_slot(std::string_view name) const {
  const auto found = std::ranges::find(operands, name, &OperandSpec::name);
  return found == operands.end() ? -1 : static_cast<int>(found - operands.begin());
}

int Schema::attr_index(std::string_view name) const {
  const auto found = std::ranges::find(attrs, name, &AttrSpec::name);
  return found == attrs.end() ? -1 : static_cast<int>(found - attrs.begin());
}

bool compile_schema(const Row& row, Schema& out, std::string& problem) {
  out = Schema{};
  out.row = &row;
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
