// The instruction reference, from the table.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "isa/row.hpp"
#include "pto/assembler.hpp"

namespace pto {

namespace {

std::string_view to_string(isa::Layer layer) {
  static constexpr std::string_view kNames[] = {"tile", "vector", "cube", "dma", "scalar", "sync", "system", "control"};
  return kNames[static_cast<size_t>(layer)];
}

bool unsupported(const isa::Row& row) { return row.syntax == "@none" || (row.flags & isa::kNotExecuted) != 0; }

bool on_target(const isa::Row& row, std::optional<Target> target) {
  if (!target) return true;
  switch (*target) {
    case Target::a2a3: return row.types_a2a3 != "-";
    case Target::a5: return row.types_a5 != "-";
    case Target::cpu: break;
  }
  return row.types_a2a3 != "-" || row.types_a5 != "-";
}

/// The syntax string with names in place of the standard forms.
std::string syntax_text(const isa::Row& row) {
  if (!row.syntax.starts_with("@dps")) return std::string(row.syntax);
  std::string ins, outs;
  for (const isa::OperandSpec& spec : isa::schema(isa::id_of(row)).operands) {
    const bool out = spec.role == isa::Role::out || spec.role == isa::Role::inout;
    std::string& list = out ? outs : ins;
    list += fmt::format("{}%{}{}", list.empty() ? "" : ", ", spec.name,
                        spec.arity == isa::Arity::optional ? "?" : spec.arity == isa::Arity::variadic ? ".." : "");
  }
  const bool inside = row.syntax == "@dps_in";
  return fmt::format("ins({}{} : types) outs({} : types){}", ins, inside ? " {attrs}" : "", outs, inside ? "" : " {attrs}");
}

std::string types_text(std::string_view types) { return types == "-" ? "not on this target" : types.empty() ? "any" : std::string(types); }

nlohmann::ordered_json json_row(const isa::Row& row) {
  nlohmann::ordered_json item;
  item["name"] = row.name;
  item["layer"] = to_string(row.layer);
  item["operands"] = row.operands;
  item["results"] = row.results;
  item["attributes"] = row.attrs;
  item["syntax"] = syntax_text(row);
  item["types"] = {{"a2a3", row.types_a2a3}, {"a5", row.types_a5}};
  item["rules"] = row.rules;
  item["pipe"] = row.pipe;
  item["cost"] = row.cost;
  item["supported"] = !unsupported(row);
  item["doc"] = row.doc;
  return item;
}

std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped.empty() ? "" : "`" + escaped + "`";
}

std::string markdown_row(const isa::Row& row) {
  return fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} | {}{} |\n", row.name, cell(syntax_text(row)), cell(row.operands), cell(row.results),
                     cell(row.attrs), cell(types_text(row.types_a2a3)), cell(types_text(row.types_a5)), cell(row.pipe), row.doc,
                     unsupported(row) ? " (not supported yet)" : "");
}

}  // namespace

std::string list_instructions(std::string_view format, std::optional<Target> target, bool unsupported_only) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string text;
  std::optional<isa::Layer> layer;
  for (const isa::Row& row : isa::rows()) {
    if ((row.flags & isa::kAlias) != 0 || !on_target(row, target) || (unsupported_only && !unsupported(row))) continue;
    if (format == "json") {
      list.push_back(json_row(row));
      continue;
    }
    if (layer != row.layer) {
      text += fmt::format("{}## {}\n\n| instruction | syntax | operands | results | attributes | a2a3 | a5 | pipe | |\n|---|---|---|---|---|---|---|---|---|\n",
                          layer ? "\n" : "", to_string(row.layer));
      layer = row.layer;
    }
    text += markdown_row(row);
  }
  return format == "json" ? list.dump(1) + "\n" : text;
}

}  // namespace pto
