// Tile instructions are written in several ways that mean the same:
//
//   pto.trem ins(%a, %b : T, T) outs(%d : T) {attrs}          DPS
//   %d = pto.trem %a, %b {attrs} : (T, T) -> T                 level 1; also `: T -> T` and `: T`
//   %d = trem %a, %b : !pto.tile<..>                           PTO-AS
//   "pto.trem"(%a, %b, %d) <{..}> {..} : (T, T, T) -> ()       generic, any instruction
//
// All become the same operation. A result of the first two kinds is a tile that is allocated in front of it.
#include <fmt/format.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>

#include "asm/match.hpp"

namespace pto::text {

namespace {

/// Lists are short: they live in the form itself, and no statement allocates.
template <typename T>
using Short = boost::container::small_vector<T, 8>;
using NodeList = Short<uint32_t>;
using SlotList = Short<uint16_t>;
using TypeList = Short<Draft::Result>;

/// Parts of a tile form, before slots are assigned.
struct TileParts {
  NodeList ins, outs;  ///< operand nodes
  TypeList in_types, out_types, result_types;
  NodeList dicts, entries;  ///< attribute dictionaries; `name = value` behind outs(..)
  struct Clause {
    uint32_t name, operand;
  };
  Short<Clause> clauses;     ///< `pad_value = %x : T`
  Span ins_word, outs_word;  ///< of the DPS form, when written
  bool dps = false;
  bool scalar_out = false;  ///< `outs : T`
};

class TileForm {
 public:
  TileForm(Binder& binder, const isa::Schema& schema, Mismatch& mismatch)
      : b_(binder), schema_(schema), mismatch_(mismatch) {}

  bool match() {
    Cursor cursor = b_.items();
    parts_.dps = cursor.is(NodeKind::word);
    if (!(parts_.dps ? read_dps(cursor) : read_list(cursor))) return false;
    return cursor.done() ||
           reject(cursor, fmt::format("unexpected '{}'", b_.text(cursor.peek()).substr(0, 40)));
  }
  bool assign();
  void commit();
  [[nodiscard]] Span find(const Anchor& anchor) const;

 private:
  bool reject(const Cursor& at, std::string message, std::string_view id = "E0101") {
    return b_.reject(mismatch_, at, id, fmt::format("{}: {}", b_.op_name(), message));
  }
  bool clause_error(const Cursor& cursor);
  bool no_operand(const Cursor& at, size_t position);
  [[nodiscard]] std::string_view written_type(Cursor at, size_t position) const;
  bool read_dps(Cursor& cursor);
  bool read_group(Cursor inner, NodeList& operands, TypeList& types);
  bool read_clause(Cursor& cursor);
  bool read_list(Cursor& cursor);
  bool read_types(Cursor& cursor, TypeList& out);
  bool assign_slots(const NodeList& operands, const SlotList& slots, const char* where);
  [[nodiscard]] bool fits(uint32_t node, const isa::OperandSpec& spec) const;
  [[nodiscard]] bool by_clause(uint16_t slot) const {
    return std::any_of(parts_.clauses.begin(), parts_.clauses.end(), [&](const TileParts::Clause& c) {
      return b_.text(b_.statement().nodes[c.name]) == schema_.operands[slot].name;
    });
  }
  void bind_last();
  void commit_ssa();
  void check_shared_types();
  void check_one(const Draft::Operand& operand, const Draft::Result& written, bool shared);

  Binder& b_;
  const isa::Schema& schema_;
  Mismatch& mismatch_;
  TileParts parts_;
  struct Binding {
    uint16_t slot;
    uint32_t node;
    uint32_t position = 0;  ///< among the slot's operands, once they are in the draft
  };
  Short<Binding> bindings_;
  uint32_t trailing_tmp_ = 0;
  SlotList made_;  ///< out slots that results stand for
};

bool TileForm::clause_error(const Cursor& cursor) {
  const std::string_view word = b_.text(cursor.peek());
  std::vector<std::string_view> words = {"ins", "outs"};
  for (const isa::AttrSpec& attr : schema_.attrs) words.push_back(attr.name);
  reject(cursor, fmt::format("unknown clause '{}'", word), "E0118");
  b_.suggest(mismatch_, word, words);
  return false;
}

bool TileForm::read_dps(Cursor& cursor) {
  bool ins = false, outs = false;
  while (!cursor.done()) {
    if (cursor.is(NodeKind::dict)) {
      parts_.dicts.push_back(cursor.index());
      cursor.take();
    } else if (!ins && b_.text(cursor.peek()) == "ins") {
      parts_.ins_word = Binder::span(cursor.take());
      ins = true;
      if (!cursor.is(NodeKind::paren)) return reject(cursor, "expected '(' after ins");
      if (!read_group(cursor.into(cursor.peek()), parts_.ins, parts_.in_types)) return false;
      cursor.take();
    } else if (!outs && b_.text(cursor.peek()) == "outs") {
      parts_.outs_word = Binder::span(cursor.take());
      outs = true;
      if (cursor.accept(NodeKind::colon)) {
        parts_.scalar_out = true;
        if (!read_types(cursor, parts_.result_types)) return false;
        continue;
      }
      if (!cursor.is(NodeKind::paren)) return reject(cursor, "expected '(' after outs");
      if (!read_group(cursor.into(cursor.peek()), parts_.outs, parts_.out_types)) return false;
      cursor.take();
    } else if (cursor.accept(NodeKind::arrow)) {
      if (!read_types(cursor, parts_.result_types)) return false;
    } else if (cursor.is(NodeKind::word)) {
      if (!read_clause(cursor)) return false;
    } else {
      return reject(cursor, fmt::format("expected ins(..) or outs(..) before '{}'",
                                        b_.text(cursor.peek()).substr(0, 40)));
    }
  }
  return true;
}

/// `%a, %b {attrs} : T, T` inside ins or outs. Types may follow each operand (`%a : T, %x : i64`).
bool TileForm::read_group(Cursor inner, NodeList& operands, TypeList& types) {
  while (!inner.done()) {
    if (inner.is(NodeKind::operand)) {
      operands.push_back(inner.index());
      inner.take();
    } else if (inner.is(NodeKind::dict)) {
      parts_.dicts.push_back(inner.index());
      inner.take();
    } else if (inner.is(NodeKind::colon)) {
      inner.take();
      for (;;) {
        if (inner.done() || !Binder::is_type_node(inner.peek())) return reject(inner, "expected a type here");
        const Node& node = inner.take();
        types.push_back({inner.index() - 1, Binder::span(node)});  // the node for now; converted by commit
        Cursor next = inner;
        if (!next.accept(NodeKind::comma) || next.done() || !Binder::is_type_node(next.peek())) break;
        inner = next;
      }
    } else if (inner.is(NodeKind::string)) {
      parts_.entries.push_back(inner.index());
      inner.take();
    } else {
      return no_operand(inner, operands.size() - std::min(operands.size(), types.size()));
    }
    if (inner.done() || inner.is(NodeKind::colon) || inner.is(NodeKind::dict)) continue;
    if (!inner.accept(NodeKind::comma)) return reject(inner, "expected ',' or ')' here");
    if (inner.done() || inner.is(NodeKind::colon) || inner.is(NodeKind::comma))
      return reject(inner, "an operand is missing behind ','");
  }
  return true;
}

/// What the list says about the operand here, the one at this position among those without a type of their
/// own yet:
/// `%a, 2.0 : T, f32` or `%a : T, 2.0 : f32`.
std::string_view TileForm::written_type(Cursor at, size_t position) const {
  while (!at.done() && !at.is(NodeKind::colon)) at.take();
  for (size_t i = 0; at.accept(i == 0 ? NodeKind::colon : NodeKind::comma); ++i) {
    if (at.done() || !Binder::is_type_node(at.peek())) return {};
    const Node& type = at.take();
    if (i == position) return b_.text(type);
  }
  return {};
}

/// An operand is expected in a list, and something else stands there.
bool TileForm::no_operand(const Cursor& at, size_t position) {
  const std::string_view found = b_.text(at.peek()).substr(0, 40);
  if (!at.is(NodeKind::word) && !at.is(NodeKind::number))
    return reject(at, fmt::format("expected an operand before '{}'", found));
  reject(at, fmt::format("'{}' is not an operand: the name of a value begins with '%'", found));
  if (b_.is_defined(found))
    mismatch_.help = fmt::format("did you mean '%{}'?", found);
  else if (at.is(NodeKind::number))
    mismatch_.help = constant_help(found, written_type(at, position));
  return false;
}

/// `pad_value = %x : T` and `maskPattern = #pto.mask_pattern<P0101>` behind outs(..).
bool TileForm::read_clause(Cursor& cursor) {
  const uint32_t name = cursor.index();
  const std::string_view word = b_.text(cursor.peek());
  const bool operand = schema_.operand_slot(word) >= 0;
  if (!operand && schema_.attr_index(word) < 0) return clause_error(cursor);
  cursor.take();
  if (!cursor.accept(NodeKind::equal)) return reject(cursor, fmt::format("expected '=' after {}", word));
  if (cursor.done()) return reject(cursor, "a value is missing");
  parts_.clauses.push_back({name, cursor.index()});
  cursor.take();
  if (cursor.accept(NodeKind::colon) && !cursor.done()) cursor.take();
  return true;
}

bool TileForm::read_types(Cursor& cursor, TypeList& out) {
  if (cursor.is(NodeKind::paren)) {
    Cursor inner = cursor.into(cursor.peek());
    if (!inner.done() && !read_types(inner, out)) return false;
    cursor.take();
    return inner.done() || reject(inner, "expected ',' or ')' here");
  }
  for (;;) {
    if (cursor.done() || !Binder::is_type_node(cursor.peek())) return reject(cursor, "expected a type here");
    out.push_back({cursor.index(), Binder::span(cursor.peek())});
    cursor.take();
    if (!cursor.accept(NodeKind::comma)) return true;
  }
}

/// Operands, dictionary and types without ins and outs.
bool TileForm::read_list(Cursor& cursor) {
  const auto dict = [&] {
    while (cursor.is(NodeKind::dict)) {
      parts_.dicts.push_back(cursor.index());
      cursor.take();
    }
  };
  dict();
  while (cursor.is(NodeKind::operand)) {
    parts_.ins.push_back(cursor.index());
    cursor.take();
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
  return b_.fits(b_.statement().nodes[node], spec.kinds);
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
      if (next == operands.size()) break;
      --required;
    }
    bindings_.push_back({slot, operands[next++]});
  }
  if (next == operands.size() && required == 0) return true;
  const Cursor at(b_.statement().nodes, next < operands.size() ? operands[next] : b_.items().limit(),
                  b_.items().limit());
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
  const bool dps = parts_.dps, outs = dps && std::string_view(where) == "outs";
  const Span word = !dps ? b_.statement().name : outs ? parts_.outs_word : parts_.ins_word;
  const uint32_t limit = b_.items().limit(),
                 end = limit == 0 ? b_.statement().name.end : b_.statement().nodes[limit - 1].end;
  const Span behind{end, end};
  if (dps && word == Span{}) {
    b_.reject(mismatch_, at, "E0116", fmt::format("{}: {}({}) is missing", b_.op_name(), where, names),
              outs ? behind : b_.statement().name);
    mismatch_.help = fmt::format("write {}(%{} : type)", where, names.substr(0, names.find(',')));
    return false;
  }
  b_.reject(mismatch_, at, "E0116",
            fmt::format("{}: {} takes {} ({}), but {} {} given", b_.op_name(), where,
                        least == slots.size() ? fmt::format("{} operand{}", least, least == 1 ? "" : "s")
                                              : fmt::format("{} to {} operands", least, slots.size()),
                        names, operands.size(), operands.size() == 1 ? "is" : "are"),
            next < operands.size() ? Binder::span(b_.statement().nodes[operands[next]]) : word);
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

bool TileForm::assign() {
  SlotList ins, outs;
  for (const uint16_t slot : schema_.tile.ins) {
    if (!by_clause(slot)) ins.push_back(slot);
  }
  for (const uint16_t slot : schema_.tile.outs) {
    if (!by_clause(slot)) outs.push_back(slot);
  }
  const size_t n_results = b_.result_count();
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
    const Cursor at(b_.statement().nodes, b_.items().limit(), b_.items().limit());
    b_.reject(mismatch_, at, "E0119",
              fmt::format("{} has {} result{}, but {} {} named", b_.op_name(), needed, needed == 1 ? "" : "s",
                          n_results, n_results == 1 ? "is" : "are"),
              b_.statement().name);
    return false;
  }
  return true;
}

void TileForm::commit() {
  Draft& draft = b_.draft();
  const std::vector<Node>& nodes = b_.statement().nodes;
  for (TypeList* list : {&parts_.in_types, &parts_.out_types, &parts_.result_types}) {
    for (Draft::Result& item : *list) item.type = b_.type(nodes[item.type], "!pto.tile_buf");
  }
  for (Binding& binding : bindings_) {
    binding.position = static_cast<uint32_t>(draft.slots[binding.slot].size());
    draft.add(binding.slot, b_.use(nodes[binding.node]), Binder::span(nodes[binding.node]));
  }
  for (const TileParts::Clause& clause : parts_.clauses) {
    const std::string_view name = b_.text(nodes[clause.name]);
    const Node& value = nodes[clause.operand];
    if (const int slot = schema_.operand_slot(name); slot >= 0 && value.kind == NodeKind::operand)
      draft.add(slot, b_.use(value), Binder::span(value));
    else
      b_.attribute_entry(name, Binder::span(nodes[clause.name]), Cursor(nodes, clause.operand, value.next),
                         Binder::span(value));
  }
  for (const uint32_t dict : parts_.dicts) b_.dictionary(nodes[dict]);
  if (trailing_tmp_ != 0) parts_.ins.push_back(trailing_tmp_);
  check_shared_types();
  // `%r = pto.tmatmul ins(..) outs(%d : T) -> T`: the result is the destination.
  if (!b_.failed() && parts_.dps && !parts_.outs.empty() && b_.result_count() == 1) {
    const Binder::ResultName name = b_.result_names().front();
    b_.define(name.name, b_.use(nodes[parts_.outs.front()]), name.span);
    b_.results_taken();
  }
  if (!b_.failed() && !made_.empty()) commit_ssa();
}

void TileForm::check_one(const Draft::Operand& operand, const Draft::Result& written, bool shared) {
  Diagnostic* made = b_.check_type(operand.value, operand.span, written.type, written.span);
  if (shared && made != nullptr)
    made->help = "one written type stands for all operands; write one for each where they differ";
}

/// Written types against the operands' own, in the order of the text.
void TileForm::check_shared_types() {
  Draft& draft = b_.draft();
  const std::vector<Node>& nodes = b_.statement().nodes;
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
      if (!b_.known(operand.value)) continue;
      // One type for all speaks of the tiles only.
      const TypeKind kind = b_.program().types[b_.type_of(operand.value)].kind;
      if (types.size() == operands.size() || kind == b_.program().types[written.type].kind)
        check_one(operand, written, types.size() < operands.size());
    }
  };
  const auto wrong_count = [&](const NodeList& operands, const TypeList& types) {
    if (types.size() == operands.size()) return;
    if (types.empty()) {
      const uint32_t end = operands.empty() ? b_.statement().name.end : nodes[operands.back()].end;
      b_.fail("E0101", {end, end},
              fmt::format("{}: ':' and the type{} of {} missing here", b_.op_name(),
                          operands.size() == 1 ? "" : "s",
                          operands.size() == 1 ? fmt::format("{} are", b_.text(nodes[operands.front()]))
                                               : fmt::format("{} operands are", operands.size())));
      return;
    }
    const bool shared = types.size() == 1 && operands.size() > 1;
    if (shared) return;
    const Span where = types.size() > operands.size() ? types[operands.size()].span : types.back().span;
    b_.fail("E0116", where,
            fmt::format("{}: {} operand{} but {} type{}", b_.op_name(), operands.size(),
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
      b_.fail("E0101", b_.statement().name,
              fmt::format("{}: the type of the result is missing", b_.op_name()));
      return;
    }
    if (parts_.in_types.size() == parts_.ins.size() + made_.size()) {
      parts_.result_types.assign(parts_.in_types.end() - static_cast<long>(made_.size()),
                                 parts_.in_types.end());
      parts_.in_types.resize(parts_.ins.size());
    } else {
      parts_.result_types.assign(made_.size(), parts_.in_types.back());
      if (parts_.in_types.size() == 1) return;
    }
  }
  wrong_count(parts_.ins, parts_.in_types);
  check(parts_.ins, parts_.in_types, parts_.in_types.size() == 1);
}

/// Results become tiles allocated in front of the operation.
void TileForm::commit_ssa() {
  if (parts_.result_types.size() == 1) parts_.result_types.resize(made_.size(), parts_.result_types.front());
  if (parts_.result_types.size() != made_.size()) {
    b_.fail("E0119", b_.statement().name,
            fmt::format("{}: {} results but {} result types", b_.op_name(), made_.size(),
                        parts_.result_types.size()));
    return;
  }
  size_t i = 0;
  for (const Binder::ResultName& name : b_.result_names()) {
    for (uint32_t k = 0; k < std::max(name.count, 1u); ++k, ++i) {
      const Draft::Result& type = parts_.result_types[i];
      const Type& tile = b_.program().types[type.type];
      if (!tile.is_tile()) {
        b_.fail("E0115", type.span,
                fmt::format("{}: the result is a tile, but {} is written", b_.op_name(), to_string(tile)));
        return;
      }
      if (tile.valid[0] == kDynamic || tile.valid[1] == kDynamic) {
        b_.fail("E0115", type.span, fmt::format("{}: a result's valid region is static here", b_.op_name()))
            .help =
            "for a dynamic valid region, write pto.alloc_tile with valid_row and valid_col and the ins/outs "
            "form";
        return;
      }
      const uint32_t op = b_.emit_alloc(type.type, k == 0 ? b_.name_id(name.name) : 0);
      const ValueId value = b_.program().ops[op].first_result;
      if (k == 0) b_.define(name.name, value, name.span, name.count);
      b_.draft().add(made_[i], value, name.span);
    }
  }
  b_.results_taken();
}

Span TileForm::find(const Anchor& anchor) const {
  const std::vector<Node>& nodes = b_.statement().nodes;
  if (anchor.part == Anchor::Part::operand || anchor.part == Anchor::Part::operand_type) {
    // Anchors count operands in slot order.
    Short<Binding> ordered = bindings_;
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const Binding& a, const Binding& b) { return a.slot < b.slot; });
    if (anchor.index >= ordered.size()) return {};
    const uint32_t node = ordered[anchor.index].node;
    if (anchor.part == Anchor::Part::operand) return Binder::span(nodes[node]);
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

}  // namespace

bool Binder::match_tile_form(const isa::Schema& schema, Mismatch& mismatch) {
  TileForm form(*this, schema, mismatch);
  if (!form.match() || !form.assign()) return false;
  form.commit();
  return true;
}

Span Binder::find_in_tile_form(const isa::Schema& schema, const Anchor& anchor) {
  Mismatch mismatch;
  TileForm form(*this, schema, mismatch);
  return form.match() && form.assign() ? form.find(anchor) : Span{};
}

bool Binder::fits(const Node& operand, uint32_t kinds) {
  if ((kinds & isa::kAny) != 0) return true;
  const ValueId value = peek(operand);
  if (!known(value)) return true;
  return isa_kind(program_.types[type_of(value)], kinds);
}

bool Binder::isa_kind(const Type& type, uint32_t kinds) {
  switch (type.kind) {
    case TypeKind::tile_buf:
      return (kinds & isa::kTile) != 0;
    case TypeKind::partition_view:
      return (kinds & isa::kView) != 0;
    case TypeKind::tensor_view:
      return (kinds & isa::kTView) != 0;
    case TypeKind::ptr:
      return (kinds & isa::kPtr) != 0;
    case TypeKind::memref:
      return (kinds & (isa::kMemRef | isa::kTile)) != 0;
    case TypeKind::vreg:
      return (kinds & isa::kVReg) != 0;
    case TypeKind::mask:
      return (kinds & isa::kMask) != 0;
    case TypeKind::align:
      return (kinds & isa::kAlign) != 0;
    case TypeKind::vector:
      return (kinds & isa::kVector) != 0;
    case TypeKind::pipe:
      return (kinds & isa::kPipeHandle) != 0;
    case TypeKind::async_session:
      return (kinds & isa::kAsyncSession) != 0;
    case TypeKind::async_event:
      return (kinds & isa::kAsyncEvent) != 0;
    case TypeKind::eventid_array:
      return (kinds & isa::kEventIdArray) != 0;
    case TypeKind::local_array:
      return (kinds & isa::kLocalArray) != 0;
    case TypeKind::scalar:
      break;
    default:
      return false;
  }
  if ((kinds & isa::kScalar) != 0) return true;
  if (is_float(type.elem)) return (kinds & isa::kFloat) != 0;
  if ((kinds & isa::kInt) != 0) return true;
  switch (signless(type.elem)) {
    case Elem::i1:
      return (kinds & isa::kI1) != 0;
    case Elem::i8:
      return (kinds & isa::kI8) != 0;
    case Elem::i16:
      return (kinds & isa::kI16) != 0;
    case Elem::i32:
      return (kinds & isa::kI32) != 0;
    case Elem::i64:
      return (kinds & isa::kI64) != 0;
    case Elem::index:
      return (kinds & isa::kIndex) != 0;
    default:
      return false;
  }
}

}  // namespace pto::text
