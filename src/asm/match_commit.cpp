// What a match found, as operands, attributes and types of the draft; and where each part stands.
#include <fmt/format.h>

#include <algorithm>

#include "asm/match.hpp"

namespace pto::text {

namespace {

bool names_type(const std::vector<isa::SyntaxNode>& nodes, uint16_t slot) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const isa::SyntaxNode& node) {
    return (node.kind == isa::SyntaxNode::Kind::type_operand && node.index == slot) ||
           names_type(node.children, slot);
  });
}

}  // namespace

std::string_view type_prefix(uint32_t kinds) {
  if (kinds & isa::kTile) return "!pto.tile_buf";
  if (kinds & isa::kPtr) return "!pto.ptr";
  if (kinds & isa::kTView) return "!pto.tensor_view";
  if (kinds & isa::kView) return "!pto.partition_tensor_view";
  if (kinds & isa::kVReg) return "!pto.vreg";
  if (kinds & isa::kMask) return "!pto.mask";
  return {};
}

void Matcher::commit() {
  Draft& draft = b_.draft();
  const std::vector<Node>& nodes = b_.statement().nodes;
  for (const Event& event : events_) {
    const Node& node = nodes[std::min<size_t>(event.node, nodes.size() - 1)];
    switch (event.kind) {
      case Event::Kind::operand:
        draft.add(event.index, b_.use(node), Binder::span(node));
        break;
      case Event::Kind::number:
        commit_number(event, node);
        break;
      case Event::Kind::attr:
        commit_attr(event, node);
        break;
      case Event::Kind::is:
        commit_case(event, node);
        break;
      case Event::Kind::mixed:
        commit_mixed(event);
        break;
      case Event::Kind::argument:
        draft.arguments.push_back(node);
        break;
      case Event::Kind::dict:
        b_.dictionary(node);
        break;
      default:
        break;
    }
  }
  commit_types();
}

/// A number where a value is meant, as `sizes = [32, 32]` of older programs: a constant in front.
void Matcher::commit_number(const Event& event, const Node& node) {
  const std::string_view slot = schema_.operands[event.index].name;
  const bool wide = (schema_.operands[event.index].kinds & isa::kIndex) == 0;
  const AttrValue number =
      b_.attribute(Cursor(b_.statement().nodes, event.node, node.next), nullptr, Binder::span(node));
  if (number.kind != AttrValue::Kind::integer)
    b_.fail("E0108", Binder::span(node), fmt::format("{}: {} are whole numbers", b_.op_name(), slot));
  const uint32_t constant = b_.emit_constant(number.integer, b_.elem_type(wide ? Elem::i64 : Elem::index));
  b_.draft().add(event.index, b_.program().ops[constant].first_result, Binder::span(node));
}

/// Labels and names that stand in attributes without their sign; everything else is a value.
void Matcher::commit_attr(const Event& event, const Node& node) {
  const isa::AttrSpec& spec = schema_.attrs[event.index];
  const bool name = node.kind == NodeKind::symbol && spec.type == isa::AttrType::string;
  if (node.kind != NodeKind::caret && !name)
    return b_.attribute_entry(spec.name, Binder::span(node),
                              Cursor(b_.statement().nodes, event.node, event.end), Binder::span(node));
  AttrValue value;
  value.kind = name ? AttrValue::Kind::string : AttrValue::Kind::symbol;
  value.text = b_.intern(b_.text(node).substr(1));
  b_.set_attr(spec.name, value);
}

void Matcher::commit_case(const Event& event, const Node& node) {
  const auto same = [&](const Attr& attr) { return attr.spec == event.index; };
  if (std::any_of(b_.draft().attrs.begin(), b_.draft().attrs.end(), same)) {
    b_.fail("E0108", Binder::span(node),
            fmt::format("{}: attribute '{}' is given twice", b_.op_name(), schema_.attrs[event.index].name));
    return;
  }
  AttrValue value;
  value.kind = AttrValue::Kind::enumerant;
  value.integer = event.syntax->value;
  b_.set_attr(schema_.attrs[event.index].name, value);
}

/// The numbers of a list, with the marker for each value.
void Matcher::commit_mixed(const Event& event) {
  const std::vector<Node>& nodes = b_.statement().nodes;
  const isa::MixedList& list = schema_.mixed[event.index];
  std::vector<int64_t> numbers;
  for (Cursor items(nodes, event.node, event.end); !items.done();) {
    const uint32_t at = items.index();
    const Node& node = items.take();
    if (node.kind == NodeKind::operand) numbers.push_back(list.marker);
    if (node.kind != NodeKind::number) continue;
    const AttrValue number = b_.attribute(Cursor(nodes, at, node.next), nullptr, Binder::span(node));
    if (number.kind != AttrValue::Kind::integer)
      b_.fail("E0108", Binder::span(node),
              fmt::format("{}: the {} are whole numbers", b_.op_name(), schema_.operands[list.slot].name));
    numbers.push_back(number.integer);
  }
  AttrValue all;
  all.kind = AttrValue::Kind::int_array;
  all.array = {static_cast<uint32_t>(b_.program().ints.size()), static_cast<uint32_t>(numbers.size())};
  b_.program().ints.insert(b_.program().ints.end(), numbers.begin(), numbers.end());
  b_.set_attr(schema_.attrs[list.attr].name, all);
}

/// Operands of repeated groups without the group of their types.
void Matcher::check_type_counts() {
  for (uint16_t i = 0; i < schema_.operands.size(); ++i) {
    const size_t values = b_.draft().slots[i].size();
    if (schema_.operands[i].arity != isa::Arity::variadic || values == 0 || !names_type(schema_.syntax, i))
      continue;
    const size_t types = count(Event::Kind::type_operand, i);
    if (types == values) continue;
    b_.fail("E0116", b_.draft().slots[i].front().span,
            fmt::format("{}: {} operand{} '{}' but {} type{}", b_.op_name(), values, values == 1 ? "" : "s",
                        schema_.operands[i].name, types, types == 1 ? "" : "s"));
    return;
  }
}

void Matcher::commit_types() {
  if (schema_.has_variadic) check_type_counts();
  Draft& draft = b_.draft();
  const std::vector<Node>& nodes = b_.statement().nodes;
  std::vector<Draft::Result>& results = draft.results;
  size_t n_results = 0;
  uint16_t slot = 0xffff;
  size_t position = 0;
  std::vector<size_t> used;  // only for repeated groups, where the types of several slots alternate
  for (const Event& event : events_) {
    const Node& node = nodes[std::min<size_t>(event.node, nodes.size() - 1)];
    if (event.kind == Event::Kind::type_operand) {
      const auto& values = draft.slots[event.index];
      if (values.size() > 1) {
        if (used.empty()) used.resize(schema_.operands.size(), 0);
        position = used[event.index]++;
      } else {
        position = event.index == slot ? position + 1 : 0;
      }
      slot = event.index;
      const TypeId type = b_.type(node, type_prefix(schema_.operands[event.index].kinds));
      if (position < values.size())
        b_.check_type(values[position].value, values[position].span, type, Binder::span(node));
    } else if (event.kind == Event::Kind::type_result) {
      // Results before this one that have no written type are implied ones.
      const isa::OperandSpec& spec = schema_.results[event.index];
      while (spec.arity != isa::Arity::variadic && n_results < event.index && results.size() < event.index)
        results.push_back({implied_type(b_, schema_.results[n_results++]), {}});
      results.push_back({b_.type(node, type_prefix(spec.kinds)), Binder::span(node)});
      n_results = event.index + 1u;
    } else if (event.kind == Event::Kind::type_attr) {
      AttrValue value;
      value.kind = AttrValue::Kind::type;
      value.type = b_.type(node);
      b_.set_attr(schema_.attrs[event.index].name, value);
    }
  }
  for (; n_results < schema_.results.size(); ++n_results) {
    if (schema_.results[n_results].arity == isa::Arity::one)
      results.push_back({implied_type(b_, schema_.results[n_results]), {}});
  }
}

/// Events of one kind in slot order, whatever the order of the text.
std::vector<MatchEvent> Matcher::in_slot_order(Event::Kind kind) const {
  std::vector<Event> events;
  for (const Event& event : events_) {
    const bool number = kind == Event::Kind::operand && event.kind == Event::Kind::number;
    if (event.kind == kind || number) events.push_back(event);
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.index < b.index; });
  return events;
}

Span Matcher::find(const Anchor& anchor) const {
  const std::vector<Node>& nodes = b_.statement().nodes;
  const auto span_at = [&](const std::vector<Event>& events, size_t at) {
    return at < events.size() && events[at].node < nodes.size() ? Binder::span(nodes[events[at].node])
                                                                : Span{};
  };
  switch (anchor.part) {
    case Anchor::Part::operand:
      return span_at(in_slot_order(Event::Kind::operand), anchor.index);
    case Anchor::Part::result_type:
      return span_at(in_slot_order(Event::Kind::type_result), anchor.index);
    case Anchor::Part::attribute: {
      const auto found = std::ranges::find_if(events_, [&](const Event& e) {
        const bool own =
            e.kind == Event::Kind::attr || e.kind == Event::Kind::is || e.kind == Event::Kind::type_attr;
        return e.kind == Event::Kind::mixed ? schema_.mixed[e.index].attr == anchor.index
                                            : own && e.index == anchor.index;
      });
      if (found == events_.end()) return {};
      // A unit is a word, of which only the end was kept.
      const uint32_t node =
          found->node - (found->kind == Event::Kind::attr && found->node == found->end ? 1 : 0);
      return node < nodes.size() ? Binder::span(nodes[node]) : Span{};
    }
    case Anchor::Part::operand_type: {
      // The type of the same occurrence of the same slot; the operand where its type is not written.
      const std::vector<Event> operands = in_slot_order(Event::Kind::operand),
                               types = in_slot_order(Event::Kind::type_operand);
      if (anchor.index >= operands.size()) return {};
      const auto of_slot = [&](const std::vector<Event>& events) {
        return static_cast<size_t>(std::ranges::find(events, operands[anchor.index].index, &Event::index) -
                                   events.begin());
      };
      const size_t at = of_slot(types) + anchor.index - of_slot(operands);
      const bool written = at < types.size() && types[at].index == operands[anchor.index].index;
      return written ? span_at(types, at) : span_at(operands, anchor.index);
    }
    default:
      return {};
  }
}

bool Binder::match_syntax(const isa::Schema& schema, Mismatch& mismatch) {
  Matcher matcher(*this, schema, mismatch);
  if (!matcher.match(items())) return false;
  matcher.commit();
  return true;
}

}  // namespace pto::text
