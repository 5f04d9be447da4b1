// Converts a match to operands, attributes and types of the draft, and records the position of each
// part.
#include <fmt/format.h>

#include <algorithm>

#include "asm/parse/forms/syntax_matcher.hpp"

namespace pto::text {

namespace {

bool names_type(const std::vector<isa::SyntaxNode>& nodes, uint16_t slot) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const isa::SyntaxNode& node) {
    return (node.kind == isa::SyntaxNode::Kind::type_operand && node.index == slot) ||
           names_type(node.children, slot);
  });
}

}  // namespace

void Matcher::commit() {
  Draft& draft = p_.draft;
  const std::vector<Node>& nodes = p_.reader.nodes();
  for (const Event& event : events_) {
    const Node& node = nodes[std::min<size_t>(event.node, nodes.size() - 1)];
    switch (event.kind) {
      case Event::Kind::operand:
        draft.add(event.index, p_.names.use(node), span_of(node));
        break;
      case Event::Kind::number:
        commit_number(event, node);
        break;
      case Event::Kind::zero:
      case Event::Kind::offset:
      case Event::Kind::comma:
        commit_old(event, node);
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
        p_.attributes.dictionary(node);
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
      p_.attributes.value(Cursor(p_.reader.nodes(), event.node, node.next), nullptr, span_of(node));
  if (number.kind != AttrValue::Kind::integer)
    p_.report.fail(E0108, span_of(node), fmt::format("{}: {} are integers", p_.reader.op_name(), slot));
  const ValueId constant =
      p_.emitter.constant(number.integer, p_.types.scalar(wide ? Elem::i64 : Elem::index));
  p_.draft.add(event.index, constant, span_of(node));
}

/// Labels and names that are in attributes without their sign; everything else is a value.
void Matcher::commit_attr(const Event& event, const Node& node) {
  const isa::AttrSpec& spec = schema_.attrs[event.index];
  const bool name = node.kind == NodeKind::symbol && spec.type == isa::AttrType::string;
  if (node.kind != NodeKind::caret && !name)
    return p_.attributes.entry(spec.name, span_of(node), Cursor(p_.reader.nodes(), event.node, event.end),
                               span_of(node));
  p_.draft.set(spec.name, name ? AttrValue::Kind::string : AttrValue::Kind::symbol,
               p_.reader.text(node).substr(1));
}

void Matcher::commit_case(const Event& event, const Node& node) {
  const auto same = [&](const Attr& attr) { return attr.spec == event.index; };
  if (std::any_of(p_.draft.attrs.begin(), p_.draft.attrs.end(), same)) {
    p_.report.fail(E0108, span_of(node),
                   fmt::format("{}: attribute '{}' is given twice", p_.reader.op_name(),
                               schema_.attrs[event.index].name));
    return;
  }
  AttrValue value;
  value.kind = AttrValue::Kind::enumerant;
  value.integer = event.syntax->value;
  p_.draft.set(schema_.attrs[event.index].name, value);
}

/// The numbers of a list, with the marker for each value.
void Matcher::commit_mixed(const Event& event) {
  const std::vector<Node>& nodes = p_.reader.nodes();
  const isa::MixedList& list = schema_.mixed[event.index];
  std::vector<int64_t> numbers;
  for (Cursor items(nodes, event.node, event.end); !items.done();) {
    const uint32_t at = items.index();
    const Node& node = items.take_token();
    if (node.kind == NodeKind::operand) numbers.push_back(list.marker);
    if (node.kind != NodeKind::number) continue;
    const AttrValue number = p_.attributes.value(Cursor(nodes, at, node.next), nullptr, span_of(node));
    if (number.kind != AttrValue::Kind::integer)
      p_.report.fail(
          E0108, span_of(node),
          fmt::format("{}: the {} are integers", p_.reader.op_name(), schema_.operands[list.slot].name));
    numbers.push_back(number.integer);
  }
  p_.draft.set(schema_.attrs[list.attr].name, p_.attributes.numbers(numbers));
}

/// Operands of repeated groups without the group of their types.
void Matcher::check_type_counts() {
  for (uint16_t i = 0; i < schema_.operands.size(); ++i) {
    const size_t values = p_.draft.slots[i].size();
    if (schema_.operands[i].arity != isa::Arity::variadic || values == 0 || !names_type(schema_.syntax, i))
      continue;
    const size_t types = count(Event::Kind::type_operand, i);
    if (types == values) continue;
    p_.report.fail(
        E0116, p_.draft.slots[i].front().span,
        fmt::format("{}: {} operand{} '{}' but {} type{}", p_.reader.op_name(), values,
                    values == 1 ? "" : "s", schema_.operands[i].name, types, types == 1 ? "" : "s"));
    return;
  }
}

void Matcher::commit_types() {
  if (schema_.has_variadic) check_type_counts();
  Draft& draft = p_.draft;
  const std::vector<Node>& nodes = p_.reader.nodes();
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
      if (position < values.size() && is_bare_mask(p_, node, values[position].value)) continue;
      const TypeId type = p_.types.read_of(node, schema_.operands[event.index].kinds);
      if (position < values.size())
        p_.types.check(values[position].value, values[position].span, type, span_of(node));
    } else if (event.kind == Event::Kind::type_result) {
      // Results before this one that have no written type are implied ones.
      const isa::OperandSpec& spec = schema_.results[event.index];
      while (spec.arity != isa::Arity::variadic && n_results < event.index && results.size() < event.index)
        results.push_back({implied_type(p_, schema_.results[n_results++]), {}});
      const TypeId implied = is_bare_mask(p_, node) ? mask_of_context() : kNoType;
      const TypeId type = implied != kNoType ? implied : p_.types.read_of(node, spec.kinds);
      results.push_back({view_by_rank(type, node), span_of(node)});
      n_results = event.index + 1u;
    } else if (event.kind == Event::Kind::type_attr) {
      AttrValue value;
      value.kind = AttrValue::Kind::type;
      value.type = p_.types.read(node);
      p_.draft.set(schema_.attrs[event.index].name, value);
    }
  }
  for (; n_results < schema_.results.size(); ++n_results) {
    if (schema_.results[n_results].arity == isa::Arity::one)
      results.push_back({implied_type(p_, schema_.results[n_results]), {}});
  }
}

/// Events of one kind in slot order, whatever the order of the text.
std::vector<MatchEvent> Matcher::in_slot_order(Event::Kind kind) const {
  std::vector<Event> events;
  for (const Event& event : events_) {
    const bool number = kind == Event::Kind::operand &&
                        (event.kind == Event::Kind::number || event.kind == Event::Kind::zero);
    if (event.kind == kind || number) events.push_back(event);
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.index < b.index; });
  return events;
}

Span Matcher::find(const Anchor& anchor) const {
  const std::vector<Node>& nodes = p_.reader.nodes();
  const auto span_at = [&](const std::vector<Event>& events, size_t at) {
    return at < events.size() && events[at].node < nodes.size() ? span_of(nodes[events[at].node]) : Span{};
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
      return node < nodes.size() ? span_of(nodes[node]) : Span{};
    }
    case Anchor::Part::operand_type: {
      // The type of the same occurrence of the same slot; the operand where its type is not written.
      const std::vector<Event> operands = in_slot_order(Event::Kind::operand);
      const std::vector<Event> types = in_slot_order(Event::Kind::type_operand);
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

}  // namespace pto::text
