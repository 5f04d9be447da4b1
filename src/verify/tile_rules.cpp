#include "verify/tile_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pto::legality {

std::vector<TileOperand> tiles_of(const OpView& op, std::string_view names) {
  std::vector<TileOperand> found;
  const isa::Schema& schema = isa::schema(op.op().row);
  unsigned flat = 0;
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    const isa::OperandSpec& spec = schema.operands[slot];
    const bool wanted =
        names == "*" || (names.empty() ? spec.role != isa::Role::tmp : in_list(names, spec.name));
    for (const ValueId value : op.operands(slot)) {
      if (value == kNoValue) continue;
      const Type& type = op.program().type_of(value);
      if (wanted && type.is_tile()) found.push_back({spec.name, value, &type, flat});
      ++flat;
    }
  }
  return found;
}

TileOperand tile_of(const OpView& op, std::string_view name) {
  const std::vector<TileOperand> found = tiles_of(op, name);
  return found.empty() ? TileOperand{} : found.front();
}

std::string label(const OpView& op, const TileOperand& operand) {
  return fmt::format("{} ({})", operand.name, value_name(op.program(), operand.value));
}

std::string extents(int64_t rows, int64_t cols) {
  const auto dim = [](int64_t value) {
    return value == kDynamic ? std::string("?") : fmt::format("{}", value);
  };
  return dim(rows) + "x" + dim(cols);
}

std::string layout_name(const Type& tile) {
  const std::string_view box = tile.slayout == SLayout::none_box    ? "none_box"
                               : tile.slayout == SLayout::row_major ? "row_major"
                                                                    : "col_major";
  return fmt::format("blayout={}, slayout={}", tile.blayout == BLayout::row_major ? "row_major" : "col_major",
                     box);
}

Fix left_layout_help(Target target) {
  return Fix::write("slayout=row_major",
                    fmt::format("; a left tile always has blayout={} on {}",
                                target == Target::a5 ? "col_major" : "row_major", to_string(target)));
}

bool one_of(Elem elem, std::initializer_list<Elem> list) {
  return std::ranges::any_of(list, [elem](Elem item) { return elem == item || signless(elem) == item; });
}

Diagnostic& fail_at(Checker& check, FindingId id, const OpView& op, const TileOperand& at,
                    std::string message, Fix help) {
  Diagnostic& built =
      check.fail(id, op, Anchor::Part::operand_type, at.flat, std::move(message), std::move(help));
  // The part of a tile's type that the rule speaks of.
  if (id == E0331) built.anchor.key = "dtype";
  if (id == E0341 || id == E0342) built.anchor.key = "loc";
  if (id == E0351) built.anchor.key = "layout";
  if (id == E0352) built.anchor.key = "valid";
  return built;
}

void fail_pair(Checker& check, FindingId id, const OpView& op, const TileOperand& other,
               const TileOperand& at, std::string message, Fix help) {
  check.note_definition(fail_at(check, id, op, at, std::move(message), std::move(help)), other.value);
}

}  // namespace pto::legality
