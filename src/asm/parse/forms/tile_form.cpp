// From the text to slots.
#include "asm/parse/forms/tile_form.hpp"

#include <fmt/format.h>

namespace pto::text {

bool TileForm::clause_error(const Cursor& cursor) {
  const std::string_view word = p_.reader.text(cursor.peek());
  std::vector<std::string_view> words = {"ins", "outs"};
  for (const isa::AttrSpec& attr : schema_.attrs) words.push_back(attr.name);
  reject(cursor, fmt::format("unknown clause '{}'", word), E0118);
  p_.reader.suggest(mismatch_, word, words);
  return false;
}

bool TileForm::read_dps(Cursor& cursor) {
  bool ins = false, outs = false;
  while (!cursor.done()) {
    if (cursor.is(NodeKind::dict)) {
      parts_.dicts.push_back(cursor.index());
      cursor.take_token();
    } else if (!ins && p_.reader.text(cursor.peek()) == "ins") {
      parts_.ins_word = span_of(cursor.take_token());
      ins = true;
      if (!cursor.is(NodeKind::paren)) return reject(cursor, "expected '(' after ins");
      if (!read_group(cursor.into(cursor.peek()), parts_.ins, parts_.in_types)) return false;
      cursor.take_token();
    } else if (!outs && p_.reader.text(cursor.peek()) == "outs") {
      parts_.outs_word = span_of(cursor.take_token());
      outs = true;
      if (cursor.accept(NodeKind::colon)) {
        parts_.scalar_out = true;
        if (!read_types(cursor, parts_.result_types)) return false;
        continue;
      }
      if (!cursor.is(NodeKind::paren)) return reject(cursor, "expected '(' after outs");
      if (!read_group(cursor.into(cursor.peek()), parts_.outs, parts_.out_types)) return false;
      cursor.take_token();
    } else if (cursor.accept(NodeKind::arrow)) {
      if (!read_types(cursor, parts_.result_types)) return false;
    } else if (cursor.is(NodeKind::word)) {
      if (!read_clause(cursor)) return false;
    } else {
      return reject(cursor, fmt::format("expected ins(..) or outs(..) before '{}'",
                                        p_.reader.text(cursor.peek()).substr(0, 40)));
    }
  }
  return true;
}

/// `%a, %b {attrs} : T, T` inside ins or outs. Types may follow each operand (`%a : T, %x : i64`).
bool TileForm::read_group(Cursor inner, NodeList& operands, TypeList& types) {
  while (!inner.done()) {
    if (inner.is(NodeKind::operand)) {
      operands.push_back(inner.index());
      inner.take_token();
      read_old_offsets(inner, operands);
    } else if (inner.is(NodeKind::dict)) {
      parts_.dicts.push_back(inner.index());
      inner.take_token();
    } else if (inner.is(NodeKind::colon)) {
      inner.take_token();
      if (p_.old_forms.allowed() && inner.is(NodeKind::paren)) {  // `: (T, T)` of the pages
        if (!read_types(inner, types)) return false;
        continue;
      }
      for (;;) {
        if (inner.done() || !is_type_node(inner.peek())) return reject(inner, "expected a type here");
        const Node& node = inner.take_token();
        types.push_back({inner.index() - 1, span_of(node)});  // the node for now; converted by commit
        Cursor next = inner;
        if (!next.accept(NodeKind::comma) || next.done() || !is_type_node(next.peek())) break;
        inner = next;
      }
    } else if (inner.is(NodeKind::string)) {
      parts_.entries.push_back(inner.index());
      inner.take_token();
    } else if (read_named(inner)) {
      continue;
    } else {
      return no_operand(inner, operands.size() - std::min(operands.size(), types.size()));
    }
    if (inner.done() || inner.is(NodeKind::colon) || inner.is(NodeKind::dict) || read_named(inner)) continue;
    if (!inner.accept(NodeKind::comma)) return reject(inner, "expected ',' or ')' here");
    if (inner.done() || inner.is(NodeKind::colon) || inner.is(NodeKind::comma))
      return reject(inner, "an operand is missing behind ','");
  }
  return true;
}

/// `%tile[%row, %column]` of the pages: the offsets as operands behind their tile.
void TileForm::read_old_offsets(Cursor& cursor, NodeList& operands) {
  if (!p_.old_forms.allowed() || !cursor.is(NodeKind::bracket)) return;
  Cursor inner = cursor.into(cursor.peek());
  NodeList found;
  while (inner.is(NodeKind::operand)) {
    found.push_back(inner.index());
    inner.take_token();
    if (!inner.accept(NodeKind::comma)) break;
  }
  if (found.empty() || !inner.done()) return;
  parts_.old_offsets = span_of(cursor.peek());
  operands.insert(operands.end(), found.begin(), found.end());
  cursor.take_token();
}

/// `fp %x : T` behind the types, or `no_tmp`.
bool TileForm::read_named(Cursor& inner) {
  if (!inner.is(NodeKind::word)) return false;
  const std::string_view word = p_.reader.text(inner.peek());
  if (word == "no_tmp" && schema_.operand_slot("tmp") >= 0) {
    inner.take_token();
    return true;
  }
  if (schema_.operand_slot(word) < 0) return false;
  Cursor next = inner;
  const uint32_t name = next.index();
  next.take_token();
  if (!next.is(NodeKind::operand)) return false;
  parts_.clauses.push_back({name, next.index()});
  next.take_token();
  if (next.accept(NodeKind::colon) && !next.done()) next.take_token();
  inner = next;
  return true;
}

/// What the list says about the operand here, the one at this position among those without a type of their
/// own yet:
/// `%a, 2.0 : T, f32` or `%a : T, 2.0 : f32`.
std::string_view TileForm::written_type(Cursor at, size_t position) const {
  while (!at.done() && !at.is(NodeKind::colon)) at.take_token();
  for (size_t i = 0; at.accept(i == 0 ? NodeKind::colon : NodeKind::comma); ++i) {
    if (at.done() || !is_type_node(at.peek())) return {};
    const Node& type = at.take_token();
    if (i == position) return p_.reader.text(type);
  }
  return {};
}

/// An operand is expected in a list, and something else is there.
bool TileForm::no_operand(const Cursor& at, size_t position) {
  const std::string_view found = p_.reader.text(at.peek()).substr(0, 40);
  if (!at.is(NodeKind::word) && !at.is(NodeKind::number))
    return reject(at, fmt::format("expected an operand before '{}'", found));
  reject(at, fmt::format("'{}' is not an operand: the name of a value begins with '%'", found));
  if (p_.names.is_defined(found))
    mismatch_.help = fmt::format("did you mean '%{}'?", found);
  else if (at.is(NodeKind::number))
    mismatch_.help = constant_help(found, written_type(at, position));
  return false;
}

/// `pad_value = %x : T` and `maskPattern = #pto.mask_pattern<P0101>` behind outs(..).
bool TileForm::read_clause(Cursor& cursor) {
  const uint32_t name = cursor.index();
  const std::string_view word = p_.reader.text(cursor.peek());
  const bool operand = schema_.operand_slot(word) >= 0;
  if (!operand && schema_.attr_index(word) < 0) return clause_error(cursor);
  cursor.take_token();
  if (!cursor.accept(NodeKind::equal)) return reject(cursor, fmt::format("expected '=' after {}", word));
  if (cursor.done()) return reject(cursor, "a value is missing");
  parts_.clauses.push_back({name, cursor.index()});
  cursor.take_token();
  if (cursor.accept(NodeKind::colon) && !cursor.done()) cursor.take_token();
  return true;
}

bool TileForm::read_types(Cursor& cursor, TypeList& out) {
  if (cursor.is(NodeKind::paren)) {
    Cursor inner = cursor.into(cursor.peek());
    if (!inner.done() && !read_types(inner, out)) return false;
    cursor.take_token();
    return inner.done() || reject(inner, "expected ',' or ')' here");
  }
  for (;;) {
    if (cursor.done() || !is_type_node(cursor.peek())) return reject(cursor, "expected a type here");
    out.push_back({cursor.index(), span_of(cursor.peek())});
    cursor.take_token();
    if (!cursor.accept(NodeKind::comma)) return true;
  }
}

/// Operands, dictionary and types without ins and outs.
bool TileForm::read_list(Cursor& cursor) {
  const auto dict = [&] {
    while (cursor.is(NodeKind::dict)) {
      parts_.dicts.push_back(cursor.index());
      cursor.take_token();
    }
  };
  dict();
  while (cursor.is(NodeKind::operand)) {
    parts_.ins.push_back(cursor.index());
    cursor.take_token();
    read_old_offsets(cursor, parts_.ins);
    dict();
    if (!cursor.accept(NodeKind::comma)) break;
    if (!cursor.is(NodeKind::operand)) return reject(cursor, "expected an operand after ','");
  }
  dict();
  if (cursor.done()) return true;
  if (!cursor.accept(NodeKind::colon)) {
    if (cursor.is(NodeKind::word)) return clause_error(cursor);
    return reject(cursor, "expected ':' and types here");
  }
  if (!read_types(cursor, parts_.in_types)) return false;
  return !cursor.accept(NodeKind::arrow) || read_types(cursor, parts_.result_types);
}

bool TileForm::fits(uint32_t node, const isa::OperandSpec& spec) const {
  if ((spec.kinds & isa::kAny) != 0) return true;
  const ValueId value = p_.names.peek(p_.reader.nodes()[node]);
  return !p_.names.known(value) || is_of_kinds(p_.program.types[p_.types.type_of(value)], spec.kinds);
}

/// Whether the mnemonic has other forms: then a kind that does not fit speaks for one of them.
bool TileForm::has_forms() const {
  const std::span<const isa::Row> rows = isa::rows();
  const auto is_other = [&](size_t id) { return id < rows.size() && rows[id].name == schema_.row->name; };
  return is_other(schema_.id + size_t{1}) || (schema_.id > 0 && is_other(schema_.id - size_t{1}));
}

/// Says which operand has a type that its slot does not take, where the count alone would do: the operand
/// that was left over, against the optional slot that passed it by or the slot in whose place it stands.
bool TileForm::wrong_type(const NodeList& operands, const SlotList& slots, size_t next) {
  if (next >= operands.size()) return false;
  const auto is_bound = [&](uint16_t slot) {
    return std::any_of(bindings_.begin(), bindings_.end(), [&](const Binding& b) { return b.slot == slot; });
  };
  for (size_t node = 0; node < operands.size(); ++node) {
    const bool bound = std::any_of(bindings_.begin(), bindings_.end(),
                                   [&](const Binding& b) { return b.node == operands[node]; });
    if (bound) continue;
    for (const uint16_t slot : slots) {
      const isa::OperandSpec& spec = schema_.operands[slot];
      if (is_bound(slot) || fits(operands[node], spec)) continue;
      const Node& operand = p_.reader.nodes()[operands[node]];
      const std::string type = p_.types.name(p_.types.type_of(p_.names.peek(operand)));
      p_.reader.reject(mismatch_, Cursor(p_.reader.nodes(), operands[node], p_.reader.items().limit()), E0116,
                       fmt::format("{}: {} is {}, but operand '{}' is {}", p_.reader.op_name(),
                                   p_.reader.text(operand), type, spec.name, kinds_in_words(spec.kinds)),
                       span_of(operand));
      return true;
    }
    return false;
  }
  return false;
}

/// Operands to slots in order. Optional slots take an operand when enough are left and its kind fits.
bool TileForm::assign_slots(const NodeList& operands, const SlotList& slots, const char* where) {
  size_t required = 0;
  for (const uint16_t slot : slots) required += schema_.operands[slot].arity == isa::Arity::one ? 1 : 0;
  size_t next = 0;
  for (const uint16_t slot : slots) {
    const isa::OperandSpec& spec = schema_.operands[slot];
    if (spec.arity == isa::Arity::variadic) {
      while (next < operands.size() && operands.size() - next > required && fits(operands[next], spec))
        bindings_.push_back({slot, operands[next++]});
      continue;
    }
    if (spec.arity == isa::Arity::optional) {
      if (operands.size() - next <= required || !fits(operands[next], spec)) continue;
    } else {
      if (next == operands.size() || (has_forms() && !fits(operands[next], spec))) break;
      --required;
    }
    bindings_.push_back({slot, operands[next++]});
  }
  if (next == operands.size() && required == 0) return true;
  if (operands.size() <= slots.size() && wrong_type(operands, slots, next)) return false;
  const Cursor at(p_.reader.nodes(), next < operands.size() ? operands[next] : p_.reader.items().limit(),
                  p_.reader.items().limit());
  std::string names, missing;
  size_t least = 0, position = 0;
  for (const uint16_t slot : slots) {
    const isa::OperandSpec& spec = schema_.operands[slot];
    names +=
        fmt::format("{}{}{}", names.empty() ? "" : ", ", spec.name, spec.arity == isa::Arity::one ? "" : "?");
    if (spec.arity != isa::Arity::one) continue;
    ++least;
    if (position++ >= operands.size()) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", spec.name);
  }
  const bool dps = parts_.dps;
  const bool outs = dps && std::string_view(where) == "outs";
  const Span word = !dps ? p_.reader.statement().name : outs ? parts_.outs_word : parts_.ins_word;
  const uint32_t limit = p_.reader.items().limit();
  const uint32_t end = limit == 0 ? p_.reader.statement().name.end : p_.reader.nodes()[limit - 1].end;
  const Span behind{end, end};
  if (dps && word == Span{}) {
    p_.reader.reject(mismatch_, at, E0116,
                     fmt::format("{}: {}({}) is missing", p_.reader.op_name(), where, names),
                     outs ? behind : p_.reader.statement().name);
    mismatch_.help = fmt::format("write {}(%{} : type)", where, names.substr(0, names.find(',')));
    return false;
  }
  p_.reader.reject(
      mismatch_, at, E0116,
      fmt::format("{}: {} takes {} ({}), but {} {} given", p_.reader.op_name(), where,
                  least == slots.size() ? fmt::format("{} operand{}", least, least == 1 ? "" : "s")
                                        : fmt::format("{} to {} operands", least, slots.size()),
                  names, operands.size(), operands.size() == 1 ? "is" : "are"),
      next < operands.size() ? span_of(p_.reader.nodes()[operands[next]]) : word);
  if (next == operands.size() && !missing.empty()) mismatch_.help = fmt::format("{} is missing", missing);
  return false;
}

/// A last source that is written only with a certain destination: otherwise the variadic in front of it takes
/// all.
void TileForm::bind_last() {
  const isa::TileSyntax& tile = schema_.tile;
  if (tile.with < 0 || parts_.outs.size() != tile.outs.size() || parts_.ins.size() <= tile.ins.size() - 1)
    return;
  bindings_.push_back({static_cast<uint16_t>(tile.last), parts_.ins.back()});
  parts_.ins.pop_back();
  trailing_tmp_ = bindings_.back().node;
}

bool TileForm::match() {
  Cursor cursor = p_.reader.items();
  parts_.dps = cursor.is(NodeKind::word);
  if (!(parts_.dps ? read_dps(cursor) : read_list(cursor))) return false;
  if (!cursor.done())
    return reject(cursor, fmt::format("unexpected '{}'", p_.reader.text(cursor.peek()).substr(0, 40)));
  return assign();
}

/// An operand that is named, as `fp %x`, speaks for a form that takes one of its kind: printed in its place
/// among the others, another one would represent something else.
bool TileForm::clauses_fit() {
  for (const TileParts::Clause& clause : parts_.clauses) {
    const int slot = schema_.operand_slot(p_.reader.text(p_.reader.nodes()[clause.name]));
    if (slot < 0) continue;
    const isa::OperandSpec& spec = schema_.operands[static_cast<size_t>(slot)];
    if (fits(clause.operand, spec) || (spec.arity == isa::Arity::one && !has_forms())) continue;
    const Cursor at(p_.reader.nodes(), clause.operand, p_.reader.items().limit());
    p_.reader.reject(mismatch_, at, E0116,
                     fmt::format("{}: no form takes such a value as '{}'", p_.reader.op_name(),
                                 p_.reader.text(p_.reader.nodes()[clause.name])),
                     span_of(p_.reader.nodes()[clause.operand]));
    return false;
  }
  return true;
}

bool TileForm::assign() {
  SlotList ins, outs;
  if (!clauses_fit()) return false;
  for (const uint16_t slot : schema_.tile.ins) {
    if (!by_clause(slot)) ins.push_back(slot);
  }
  for (const uint16_t slot : schema_.tile.outs) {
    if (!by_clause(slot)) outs.push_back(slot);
  }
  const size_t n_results = p_.reader.result_count();
  bind_last();
  if (parts_.dps) {
    if (!assign_slots(parts_.ins, ins, "ins")) return false;
    return assign_slots(parts_.outs, outs, "outs");
  }
  if (n_results == 0) {  // destinations are written as the last operands
    SlotList all = ins;
    all.insert(all.end(), outs.begin(), outs.end());
    return assign_slots(parts_.ins, all, "it");
  }
  if (!assign_slots(parts_.ins, ins, "it")) return false;
  for (const uint16_t slot : outs) {
    if (made_.size() < n_results &&
        (schema_.operands[slot].arity == isa::Arity::one || n_results > made_.size()))
      made_.push_back(slot);
  }
  const auto needed = static_cast<size_t>(std::count_if(
      outs.begin(), outs.end(), [&](uint16_t s) { return schema_.operands[s].arity == isa::Arity::one; }));
  if (n_results > outs.size() || made_.size() < needed) {
    const Cursor at(p_.reader.nodes(), p_.reader.items().limit(), p_.reader.items().limit());
    p_.reader.reject(mismatch_, at, E0119,
                     fmt::format("{} has {} result{}, but {} {} named", p_.reader.op_name(), needed,
                                 needed == 1 ? "" : "s", n_results, n_results == 1 ? "is" : "are"),
                     p_.reader.statement().name);
    return false;
  }
  return true;
}

}  // namespace pto::text
