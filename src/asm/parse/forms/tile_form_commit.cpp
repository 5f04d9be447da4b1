// Converts the slots of a tile form to the draft, and records the position of each part.
#include <fmt/format.h>

#include <algorithm>

#include "asm/parse/forms/tile_form.hpp"

namespace pto::text {

void TileForm::commit() {
  Draft& draft = p_.draft;
  const std::vector<Node>& nodes = p_.reader.nodes();
  read_types_of(parts_.ins, parts_.in_types);
  read_types_of(parts_.outs, parts_.out_types);
  read_types_of({}, parts_.result_types);
  for (Binding& binding : bindings_) {
    binding.position = static_cast<uint32_t>(draft.slots[binding.slot].size());
    draft.add(binding.slot, p_.names.use(nodes[binding.node]), span_of(nodes[binding.node]));
  }
  for (const TileParts::Clause& clause : parts_.clauses) {
    const std::string_view name = p_.reader.text(nodes[clause.name]);
    const Node& value = nodes[clause.operand];
    if (const int slot = schema_.operand_slot(name); slot >= 0 && value.kind == NodeKind::operand)
      draft.add(slot, p_.names.use(value), span_of(value));
    else
      p_.attributes.entry(name, span_of(nodes[clause.name]), Cursor(nodes, clause.operand, value.next),
                          span_of(value));
  }
  for (const uint32_t entry : parts_.entries) {  // `"row"`: the only word that is among types
    const Node& value = nodes[entry];
    if (schema_.attr_index("axis") >= 0)
      p_.attributes.entry("axis", span_of(value), Cursor(nodes, entry, value.next), span_of(value));
  }
  for (const uint32_t dict : parts_.dicts) p_.attributes.dictionary(nodes[dict]);
  if (trailing_tmp_ != 0) parts_.ins.push_back(trailing_tmp_);
  if (parts_.old_offsets != Span{})
    p_.old_forms.warn(parts_.old_offsets,
                      fmt::format("{}: the offsets are in brackets after the tile", p_.reader.op_name()),
                      "write them as operands after ',', each with its type");
  check_shared_types();
  // `%r = pto.tmatmul ins(..) outs(%d : T) -> T`: the result is the destination.
  if (!p_.report.failed() && parts_.dps && !parts_.outs.empty() && p_.reader.result_count() == 1) {
    const ResultName name = p_.reader.result_names().front();
    p_.names.define(name.name, p_.names.use(nodes[parts_.outs.front()]), name.span);
    p_.reader.take_results();
  }
  if (!p_.report.failed() && !made_.empty()) commit_ssa();
}

/// A type whose name is left out (`<32x32xf32>`) is a tile, or a view where its operand is one.
void TileForm::read_types_of(const NodeList& operands, TypeList& types) {
  const std::vector<Node>& nodes = p_.reader.nodes();
  for (size_t i = 0; i < types.size(); ++i) {
    const Node& node = nodes[types[i].type];
    std::string_view prefix = type_prefix(isa::kTile);
    if (node.kind == NodeKind::elided && types.size() == operands.size()) {
      const ValueId value = p_.names.peek(nodes[operands[i]]);
      if (p_.names.known(value) && p_.program.types[p_.types.type_of(value)].kind == TypeKind::partition_view)
        prefix = type_prefix(isa::kView);
    }
    types[i].type = p_.types.read(node, prefix);
  }
}

void TileForm::check_one(const Draft::Operand& operand, const Draft::Result& written, bool shared) {
  Diagnostic* built = p_.types.check(operand.value, operand.span, written.type, written.span);
  if (shared && built != nullptr)
    built->help = "one type is written for all operands; write one for each where they differ";
}

/// Written types against the operands' own, in the order of the text.
void TileForm::check_shared_types() {
  Draft& draft = p_.draft;
  const std::vector<Node>& nodes = p_.reader.nodes();
  // Bindings are nearly in the order of the text: the search goes on where the last one ended.
  size_t next = 0;
  const auto binding_of = [&](uint32_t node) -> const Binding* {
    for (size_t k = 0; k < bindings_.size(); ++k) {
      const size_t at = (next + k) % bindings_.size();
      if (bindings_[at].node != node) continue;
      next = at + 1;
      return &bindings_[at];
    }
    return nullptr;
  };
  const auto check = [&](const NodeList& operands, const TypeList& types, bool shared) {
    for (size_t i = 0; i < operands.size() && !types.empty(); ++i) {
      if (i >= types.size() && !shared) return;
      const Draft::Result& written = types[std::min(i, types.size() - 1)];
      const Binding* binding = binding_of(operands[i]);
      if (binding == nullptr) continue;
      const Draft::Operand& operand = draft.slots[binding->slot][binding->position];
      if (!p_.names.known(operand.value)) continue;
      // One type for all speaks of the tiles only.
      const TypeKind kind = p_.program.types[p_.types.type_of(operand.value)].kind;
      if (types.size() == operands.size() || kind == p_.program.types[written.type].kind)
        check_one(operand, written, types.size() < operands.size());
    }
  };
  const auto wrong_count = [&](const NodeList& operands, const TypeList& types) {
    if (types.size() == operands.size()) return;
    if (types.empty()) {
      const uint32_t end = operands.empty() ? p_.reader.statement().name.end : nodes[operands.back()].end;
      p_.report.fail(
          E0101, {end, end},
          fmt::format("{}: ':' and the type{} of {} missing here", p_.reader.op_name(),
                      operands.size() == 1 ? "" : "s",
                      operands.size() == 1 ? fmt::format("{} are", p_.reader.text(nodes[operands.front()]))
                                           : fmt::format("{} operands are", operands.size())));
      return;
    }
    const bool shared = types.size() == 1 && operands.size() > 1;
    if (shared) return;
    const Span where = types.size() > operands.size() ? types[operands.size()].span : types.back().span;
    p_.report
        .fail(E0116, where,
              fmt::format("{}: {} operand{} but {} type{}", p_.reader.op_name(), operands.size(),
                          operands.size() == 1 ? "" : "s", types.size(), types.size() == 1 ? "" : "s"))
        .help = "one type for each operand, or one for all of them";
  };
  if (parts_.dps) {
    wrong_count(parts_.ins, parts_.in_types);
    wrong_count(parts_.outs, parts_.out_types);
    check(parts_.ins, parts_.in_types, parts_.in_types.size() == 1);
    check(parts_.outs, parts_.out_types, parts_.out_types.size() == 1);
    return;
  }
  // `: T` with results and no arrow is the result's type; it is the operands' as well unless they are of
  // another kind.
  if (parts_.result_types.empty() && !made_.empty()) {
    if (parts_.in_types.empty()) {
      p_.report.fail(E0101, p_.reader.statement().name,
                     fmt::format("{}: the type of the result is missing", p_.reader.op_name()));
      return;
    }
    if (parts_.in_types.size() == parts_.ins.size() + made_.size()) {
      parts_.result_types.assign(parts_.in_types.end() - static_cast<long>(made_.size()),
                                 parts_.in_types.end());
      parts_.in_types.resize(parts_.ins.size());
    } else {
      parts_.result_types.assign(made_.size(), result_like_source());
      if (parts_.in_types.size() == 1) return;
    }
  }
  wrong_count(parts_.ins, parts_.in_types);
  check(parts_.ins, parts_.in_types, parts_.in_types.size() == 1);
}

/// The type of a result that no arrow states: the last one written. `: T, f32` of a tile and a number is an
/// old form, of the pages: the result is like the tile, where the instruction has one element type and one
/// valid region.
Draft::Result TileForm::result_like_source() {
  const Draft::Result& last = parts_.in_types.back();
  if (p_.program.types[last.type].kind != TypeKind::scalar) return last;
  const isa::Row& row = *schema_.row;
  const std::string_view types = p_.program.target == Target::a5 ? row.types.a5 : row.types.a2a3;
  const bool alike = types.find(':') == types.npos && row.rule_names.has(isa::RuleName::same_valid);
  if (!alike) return last;
  const auto tile = std::ranges::find_if(
      parts_.in_types, [&](const Draft::Result& item) { return p_.program.types[item.type].is_tile(); });
  if (tile == parts_.in_types.end()) return last;
  p_.old_forms.warn(
      last.span, fmt::format("{}: the type of the result is not written", p_.reader.op_name()),
      fmt::format("it is read as that of the source; write : ({}, {}) -> {}", p_.report.text(tile->span),
                  p_.report.text(last.span), p_.report.text(tile->span)));
  return *tile;
}

/// Results become tiles allocated in front of the operation.
void TileForm::commit_ssa() {
  if (parts_.result_types.size() == 1) parts_.result_types.resize(made_.size(), parts_.result_types.front());
  if (parts_.result_types.size() != made_.size()) {
    p_.report.fail(E0119, p_.reader.statement().name,
                   fmt::format("{}: {} results but {} result types", p_.reader.op_name(), made_.size(),
                               parts_.result_types.size()));
    return;
  }
  size_t i = 0;
  for (const ResultName& name : p_.reader.result_names()) {
    for (uint32_t k = 0; k < std::max(name.count, 1u); ++k, ++i) {
      const Draft::Result& type = parts_.result_types[i];
      const Type& tile = p_.program.types[type.type];
      if (!tile.is_tile()) {
        p_.report.fail(
            E0115, type.span,
            fmt::format("{}: the result is a tile, but {} is written", p_.reader.op_name(), to_string(tile)));
        return;
      }
      if (tile.valid[0] == kDynamic || tile.valid[1] == kDynamic) {
        p_.report
            .fail(E0115, type.span,
                  fmt::format("{}: a result's valid region is static here", p_.reader.op_name()))
            .help =
            "for a dynamic valid region, write pto.alloc_tile with valid_row and valid_col and the ins/outs "
            "form";
        return;
      }
      const ValueId value = p_.emitter.allocation(type.type, k == 0 ? p_.names.kept(name.name) : 0);
      if (k == 0) p_.names.define(name.name, value, name.span, name.count);
      p_.draft.add(made_[i], value, name.span);
    }
  }
  p_.reader.take_results();
}

Span TileForm::find(const Anchor& anchor) const {
  const std::vector<Node>& nodes = p_.reader.nodes();
  if (anchor.part == Anchor::Part::operand || anchor.part == Anchor::Part::operand_type) {
    // Anchors count operands in slot order.
    Short<Binding> ordered = bindings_;
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const Binding& a, const Binding& b) { return a.slot < b.slot; });
    if (anchor.index >= ordered.size()) return {};
    const uint32_t node = ordered[anchor.index].node;
    if (anchor.part == Anchor::Part::operand) return span_of(nodes[node]);
    for (const auto& [operands, types] :
         {std::pair{&parts_.ins, &parts_.in_types}, std::pair{&parts_.outs, &parts_.out_types}}) {
      const auto found = std::find(operands->begin(), operands->end(), node);
      if (found == operands->end() || types->empty()) continue;
      return (*types)[std::min(static_cast<size_t>(found - operands->begin()), types->size() - 1)].span;
    }
  }
  if (anchor.part == Anchor::Part::result_type && !parts_.result_types.empty())
    return parts_.result_types[std::min<size_t>(anchor.index, parts_.result_types.size() - 1)].span;
  return {};
}

}  // namespace pto::text
