#include "asm/match.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pto::text {

namespace {

void collect_words(const isa::Schema& schema, const std::vector<isa::SyntaxNode>& nodes, std::vector<std::string_view>& out) {
  for (const isa::SyntaxNode& node : nodes) {
    if (node.kind == isa::SyntaxNode::Kind::word) out.push_back(node.text);
    if (node.kind == isa::SyntaxNode::Kind::attr) {
      const isa::AttrSpec& spec = schema.attrs[node.index];
      if (spec.type == isa::AttrType::unit) out.push_back(spec.name);
      if (spec.domain != nullptr) {
        for (const isa::EnumCase& item : spec.domain->cases) out.push_back(item.name);
      }
    }
    collect_words(schema, node.children, out);
  }
}

bool is_number_type(const isa::AttrSpec& spec) {
  return spec.type == isa::AttrType::integer || spec.type == isa::AttrType::floating || spec.type == isa::AttrType::any;
}

bool names_type(const std::vector<isa::SyntaxNode>& nodes, uint16_t slot) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const isa::SyntaxNode& node) {
    return (node.kind == isa::SyntaxNode::Kind::type_operand && node.index == slot) || names_type(node.children, slot);
  });
}

/// The first operand, attribute or type a group speaks of.
const isa::SyntaxNode* first_reference(const std::vector<isa::SyntaxNode>& nodes) {
  for (const isa::SyntaxNode& node : nodes) {
    switch (node.kind) {
      case isa::SyntaxNode::Kind::operand:
      case isa::SyntaxNode::Kind::attr:
      case isa::SyntaxNode::Kind::type_operand:
      case isa::SyntaxNode::Kind::type_result:
      case isa::SyntaxNode::Kind::type_attr: return &node;
      default:
        if (const isa::SyntaxNode* inner = first_reference(node.children)) return inner;
    }
  }
  return nullptr;
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

namespace {

TypeId element_type(Binder& b, const Type& memref) {
  if (memref.vec_lanes == 0) return b.elem_type(memref.elem);
  Type vector;
  vector.kind = TypeKind::vector;
  vector.elem = memref.elem;
  vector.rank = 1;
  vector.dims[0] = memref.vec_lanes;
  return b.intern(vector);
}

}  // namespace

TypeId implied_type(Binder& b, const isa::OperandSpec& spec) {
  switch (spec.kinds) {
    case isa::kI1: return b.elem_type(Elem::i1);
    case isa::kI8: return b.elem_type(Elem::i8);
    case isa::kI16: return b.elem_type(Elem::i16);
    case isa::kI32: return b.elem_type(Elem::i32);
    case isa::kI64: return b.elem_type(Elem::i64);
    case isa::kIndex: return b.elem_type(Elem::index);
    default: break;
  }
  for (const auto& slot : b.draft().slots) {
    if (slot.empty() || !b.known(slot.front().value)) continue;
    const TypeId type = b.type_of(slot.front().value);
    const bool element = b.program().types[type].kind == TypeKind::memref && (spec.kinds & isa::kScalar) != 0;   // memref.load
    return element ? element_type(b, b.program().types[type]) : type;
  }
  return kNoType;
}

bool Matcher::match(Cursor cursor) {
  events_.clear();
  if (!sequence(schema_.syntax, 0, schema_.syntax.size(), cursor)) return false;
  return cursor.done() || expected(cursor, "the end of the operation");
}

bool Matcher::sequence(const Nodes& nodes, size_t from, size_t to, Cursor& cursor) {
  for (size_t i = from; i < to;) {
    if (!element(nodes, i, cursor)) return false;
  }
  return true;
}

/// One element; advances `at` past what it used of the syntax.
bool Matcher::element(const Nodes& nodes, size_t& at, Cursor& cursor) {
  const isa::SyntaxNode& node = nodes[at];
  if (node.kind == SyntaxKind::punct) return punct(nodes, at, cursor);
  ++at;
  switch (node.kind) {
    case SyntaxKind::word: return word(node, cursor);
    case SyntaxKind::operand: return operand(node, cursor);
    case SyntaxKind::attr: return attr(node, cursor);
    case SyntaxKind::type_operand:
    case SyntaxKind::type_result:
    case SyntaxKind::type_attr: return type_list(node, cursor);
    case SyntaxKind::attr_dict: {
      if (!flags(cursor)) return false;
      const Cursor before = cursor;
      if (cursor.accept(NodeKind::dict)) record(Event::Kind::dict, 0, before, cursor);
      return flags(cursor);
    }
    case SyntaxKind::region: return cursor.done() || expected(cursor, "a region in braces");
    case SyntaxKind::optional: return optional(node, cursor);
    case SyntaxKind::repeat: return repeat(node, cursor);
    case SyntaxKind::group: return group(node, cursor);
    case SyntaxKind::punct: break;
  }
  return false;
}

/// `overflow<nsw>` and `fastmath<..>` of arith.
bool Matcher::flags(Cursor& cursor) {
  if (!cursor.is(NodeKind::angled)) return true;
  const std::string_view text = b_.text(cursor.peek());
  const int index = schema_.attr_index(text.substr(0, text.find('<')));
  if (index < 0) return true;
  const Cursor before = cursor;
  cursor.take();
  record(Event::Kind::attr, static_cast<uint16_t>(index), before, cursor);
  return true;
}

bool Matcher::word(const isa::SyntaxNode& node, Cursor& cursor) {
  if (cursor.is(NodeKind::word)) {
    const std::string_view text = b_.text(cursor.peek());
    if (text == node.text || (node.text == "loop" && (text == "loop1" || text == "loop2"))) {
      cursor.take();
      return true;
    }
  }
  return expected(cursor, fmt::format("'{}'", node.text));
}

bool Matcher::punct(const Nodes& nodes, size_t& at, Cursor& cursor) {
  const std::string_view text = nodes[at].text;
  switch (text.front()) {
    case '[': return nested(nodes, at, cursor, NodeKind::bracket, "]");
    case '{': return nested(nodes, at, cursor, NodeKind::dict, "}");
    case '<':
      if (text == "<<<") return nested(nodes, at, cursor, NodeKind::launch, ">>>");
      break;
    default: break;
  }
  ++at;
  const isa::SyntaxNode* next = at < nodes.size() ? &nodes[at] : nullptr;
  const NodeKind kind = text == "," ? NodeKind::comma : text == ":" ? NodeKind::colon : text == "->" ? NodeKind::arrow : NodeKind::equal;
  if (cursor.accept(kind)) return true;
  expected(cursor, fmt::format("'{}'{}", text, next == nullptr ? std::string{} : and_what(*next)));
  if (next != nullptr && next->kind == SyntaxKind::attr) allowed_values(cursor, schema_.attrs[next->index]);
  return false;
}

/// What follows a separator, for messages.
std::string Matcher::and_what(const isa::SyntaxNode& node) const {
  switch (node.kind) {
    case SyntaxKind::operand: return fmt::format(" and operand '{}'", schema_.operands[node.index].name);
    case SyntaxKind::attr: return fmt::format(" and a value for '{}'", schema_.attrs[node.index].name);
    case SyntaxKind::type_operand: return fmt::format(" and the type of '{}'", schema_.operands[node.index].name);
    case SyntaxKind::type_result: return fmt::format(" and the type of '{}'", schema_.results[node.index].name);
    default: return {};
  }
}

/// Brackets are flat in a syntax string and nested in the items.
bool Matcher::nested(const Nodes& nodes, size_t& at, Cursor& cursor, NodeKind kind, std::string_view close) {
  size_t end = at + 1;
  while (end < nodes.size() && nodes[end].text != close) ++end;
  const size_t first = at + 1;
  at = end + 1;
  if (!cursor.is(kind)) {
    const bool other = cursor.is(NodeKind::paren) || cursor.is(NodeKind::bracket) || cursor.is(NodeKind::dict);
    return expected(cursor, other ? fmt::format("'{}' instead of '{}'", nodes[first - 1].text, b_.text(cursor.peek()).substr(0, 1))
                                  : fmt::format("'{}'", nodes[first - 1].text));
  }
  if (kind == NodeKind::dict) {
    const Cursor before = cursor;
    cursor.take();
    record(Event::Kind::dict, 0, before, cursor);
    return true;
  }
  Cursor inner = cursor.into(cursor.peek());
  if (!sequence(nodes, first, end, inner)) return false;
  if (!inner.done()) return expected(inner, fmt::format("'{}'", close));
  cursor.take();
  return true;
}

bool Matcher::operand(const isa::SyntaxNode& node, Cursor& cursor) {
  const isa::OperandSpec& spec = schema_.operands[node.index];
  const bool list = spec.arity == isa::Arity::variadic && !repeating_;
  if (list && !cursor.is(NodeKind::operand)) return true;
  for (;;) {
    const Cursor before = cursor;
    if (!cursor.accept(NodeKind::operand)) return no_operand(cursor, spec);
    record(Event::Kind::operand, node.index, before, cursor);
    if (!list || !cursor.is(NodeKind::comma)) return true;
    Cursor next = cursor;
    next.take();
    if (next.done() || next.is(NodeKind::comma)) return expected(next, "another operand behind ','");
    if (!next.is(NodeKind::operand)) return true;
    cursor = next;
  }
}

std::string constant_help(std::string_view number, std::string_view type) {
  const bool whole = number.find_first_not_of("+-0123456789") == number.npos;
  if (type.empty() || type.starts_with('!')) type = whole ? "index" : "f32";
  const bool real = type.starts_with('f') || type.starts_with("bf");
  if (!whole && !real) return fmt::format("a value of type {} is needed", type);
  return fmt::format("define a constant: %c{} = arith.constant {}{} : {}", number, number, whole && real ? ".0" : "", type);
}

namespace {

/// The type of constants that an operand takes.
std::string_view constant_type(uint32_t kinds) {
  if ((kinds & isa::kIndex) != 0) return "index";
  if ((kinds & (isa::kScalar | isa::kAny)) != 0) return {};
  if ((kinds & isa::kFloat) != 0) return "f32";
  if ((kinds & isa::kI1) != 0) return "i1";
  if ((kinds & isa::kI8) != 0) return "i8";
  if ((kinds & isa::kI16) != 0) return "i16";
  return (kinds & isa::kI32) != 0 ? "i32" : "i64";
}

}  // namespace

/// Something else where an operand must stand: often a name without its '%', or a number.
bool Matcher::no_operand(const Cursor& cursor, const isa::OperandSpec& spec) {
  const bool bare = cursor.is(NodeKind::word) && b_.is_defined(b_.text(cursor.peek()));
  if (!bare && !cursor.is(NodeKind::number)) return expected(cursor, fmt::format("operand '{}'", spec.name));
  if (cursor.index() == quiet_at_ || cursor.index() + 1 <= mismatch_.progress) return false;
  const std::string_view found = b_.text(cursor.peek());
  b_.reject(mismatch_, cursor, "E0101", fmt::format("{}: operand '{}' is a value; the name of a value begins with '%'", b_.op_name(), spec.name));
  mismatch_.help = bare ? fmt::format("did you mean '%{}'?", found) : constant_help(found, constant_type(spec.kinds));
  return false;
}

/// Adds what an attribute can be to the mismatch at this place.
void Matcher::allowed_values(const Cursor& cursor, const isa::AttrSpec& spec) {
  if (spec.domain == nullptr || mismatch_.progress != cursor.index() + 1 || !mismatch_.help.empty()) return;
  std::string list;
  for (const isa::EnumCase& item : spec.domain->cases) {
    if (isa::case_name(*spec.domain, item.value) == item.name) list += (list.empty() ? "" : ", ") + std::string(item.name);
  }
  mismatch_.help = fmt::format("{} is one of {}", spec.name, list);
}

/// A keyword that is none of the cases, where only the attribute can stand.
bool Matcher::wrong_case(const Cursor& cursor, const isa::AttrSpec& spec) {
  if (cursor.index() == quiet_at_ || cursor.index() + 1 <= mismatch_.progress) return false;
  const std::string_view word = b_.text(cursor.peek());
  std::string list;
  std::vector<std::string_view> names;
  for (const isa::EnumCase& item : spec.domain->cases) {
    if (isa::case_name(*spec.domain, item.value) == item.name) list += (list.empty() ? "" : ", ") + std::string(item.name);
    names.push_back(item.name);
  }
  b_.reject(mismatch_, cursor, "E0121", fmt::format("{}: '{}' is not a value of {}; allowed: {}", b_.op_name(), word, spec.name, list));
  b_.suggest(mismatch_, word, names);
  return false;
}

bool Matcher::attr(const isa::SyntaxNode& node, Cursor& cursor) {
  const isa::AttrSpec& spec = schema_.attrs[node.index];
  const Cursor before = cursor;
  if (cursor.done()) return expected(cursor, fmt::format("a value for '{}'", spec.name));
  const Node& item = cursor.peek();
  bool fits = false;
  switch (spec.type) {
    case isa::AttrType::unit: fits = item.kind == NodeKind::word && b_.text(item) == spec.name; break;
    case isa::AttrType::enumerant:
      // A keyword must be one of the cases here: clauses are told apart by it. Other spellings are checked by value.
      fits = item.kind == NodeKind::word ? isa::find_case(*spec.domain, b_.text(item)) != nullptr
                                         : item.kind == NodeKind::string || item.kind == NodeKind::attr || item.kind == NodeKind::elided;
      break;
    case isa::AttrType::boolean: fits = item.kind == NodeKind::word && (b_.text(item) == "true" || b_.text(item) == "false"); break;
    case isa::AttrType::string: fits = item.kind == NodeKind::string; break;
    case isa::AttrType::symbol: fits = item.kind == NodeKind::symbol; break;
    case isa::AttrType::ints: fits = item.kind == NodeKind::bracket || item.kind == NodeKind::angled; break;
    case isa::AttrType::type: fits = Binder::is_type_node(item); break;
    case isa::AttrType::integer:
    case isa::AttrType::floating: fits = item.kind == NodeKind::number; break;
    case isa::AttrType::any: fits = true; break;
  }
  if (!fits) {
    if (spec.domain != nullptr && item.kind == NodeKind::word) return wrong_case(cursor, spec);
    const bool missing = expected(cursor, spec.type == isa::AttrType::unit ? fmt::format("'{}'", spec.name) : fmt::format("a value for '{}'", spec.name));
    allowed_values(cursor, spec);
    return missing;
  }
  cursor.take();
  if (item.kind == NodeKind::number && is_number_type(spec) && cursor.is(NodeKind::colon)) {   // 1 : i32
    Cursor typed = cursor;
    typed.take();
    if (typed.is(NodeKind::word) && !b_.statement().region) {
      const std::string_view name = b_.text(typed.peek());
      if (name.front() == 'i' || name.front() == 'f') {
        typed.take();
        if (typed.done() || !typed.is(NodeKind::comma)) cursor = typed;
      }
    }
  }
  if (count(Event::Kind::attr, node.index) == 0) {
    if (spec.type == isa::AttrType::unit) record(Event::Kind::attr, node.index, cursor, cursor);
    else record(Event::Kind::attr, node.index, before, cursor);
  }
  return true;
}

size_t Matcher::count(Event::Kind kind, uint16_t index) const {
  return static_cast<size_t>(std::count_if(events_.begin(), events_.end(), [&](const Event& e) { return e.kind == kind && e.index == index; }));
}

bool Matcher::type_list(const isa::SyntaxNode& node, Cursor& cursor) {
  const bool of_operand = node.kind == SyntaxKind::type_operand, of_result = node.kind == SyntaxKind::type_result;
  const Event::Kind kind = of_operand ? Event::Kind::type_operand : of_result ? Event::Kind::type_result : Event::Kind::type_attr;
  size_t wanted = 1;
  if (!repeating_ && of_operand && schema_.operands[node.index].arity != isa::Arity::one) wanted = count(Event::Kind::operand, node.index);
  if (of_result && schema_.results[node.index].arity == isa::Arity::variadic) wanted = b_.result_count();
  for (size_t i = 0; i < wanted; ++i) {
    if (i > 0 && !cursor.accept(NodeKind::comma)) return expected(cursor, "',' and another type");
    const Cursor before = cursor;
    if (cursor.done() || !Binder::is_type_node(cursor.peek())) {
      const std::string_view name = of_operand ? schema_.operands[node.index].name : of_result ? schema_.results[node.index].name : schema_.attrs[node.index].name;
      return expected(cursor, fmt::format("the type of '{}'", name));
    }
    cursor.take();
    record(kind, node.index, before, cursor);
  }
  return true;
}

bool Matcher::optional(const isa::SyntaxNode& node, Cursor& cursor) {
  bool required = false;
  if (const isa::SyntaxNode* first = first_reference(node.children); first != nullptr && first->kind == SyntaxKind::type_operand) {
    required = count(Event::Kind::operand, first->index) != 0;
    if (!required) return true;
  }
  const Cursor saved = cursor;
  const size_t events = events_.size();
  const uint32_t quiet = quiet_at_;
  if (!required) quiet_at_ = cursor.index();
  const bool matched = sequence(node.children, 0, node.children.size(), cursor);
  quiet_at_ = quiet;
  if (matched) return true;
  cursor = saved;
  events_.resize(events);
  return !required;
}

bool Matcher::repeat(const isa::SyntaxNode& node, Cursor& cursor) {
  for (;;) {
    const Cursor saved = cursor;
    const size_t events = events_.size();
    const uint32_t quiet = quiet_at_;
    quiet_at_ = cursor.index();
    repeating_ = true;
    const bool matched = !cursor.done() && sequence(node.children, 0, node.children.size(), cursor);
    repeating_ = false;
    quiet_at_ = quiet;
    if (!matched || cursor.index() == saved.index()) {
      cursor = saved;
      events_.resize(events);
      return true;
    }
  }
}

bool Matcher::group(const isa::SyntaxNode& node, Cursor& cursor) {
  if (!cursor.is(NodeKind::paren)) return expected(cursor, "'('");
  Cursor inner = cursor.into(cursor.peek());
  if (!sequence(node.children, 0, node.children.size(), inner)) return false;
  if (!inner.done()) return expected(inner, "')'");
  cursor.take();
  return true;
}

bool Matcher::expected(const Cursor& cursor, std::string_view what) {
  if (cursor.index() == quiet_at_ || cursor.index() + 1 <= mismatch_.progress) return false;
  if (!cursor.is(NodeKind::word)) {
    b_.reject(mismatch_, cursor, "E0101", fmt::format("{}: expected {} here", b_.op_name(), what.empty() ? "a keyword" : what));
    return false;
  }
  const std::string_view word = b_.text(cursor.peek());
  std::vector<std::string_view> words;
  collect_words(schema_, schema_.syntax, words);
  if (std::find(words.begin(), words.end(), word) != words.end()) {
    b_.reject(mismatch_, cursor, "E0101", fmt::format("{}: '{}' does not belong here{}{}", b_.op_name(), word, what.empty() ? "" : "; expected ", what));
    return false;
  }
  b_.reject(mismatch_, cursor, "E0118", fmt::format("{}: unknown clause '{}'", b_.op_name(), word));
  if (!b_.suggest(mismatch_, word, words) && !words.empty()) {
    std::string list;
    for (const std::string_view item : words) {
      if (list.find(fmt::format("'{}'", item)) == std::string::npos) list += fmt::format("{}'{}'", list.empty() ? "" : ", ", item);
    }
    mismatch_.help = "clauses of this instruction: " + list;
  }
  return false;
}

void Matcher::commit() {
  Draft& draft = b_.draft();
  const std::vector<Node>& nodes = b_.statement().nodes;
  for (const Event& event : events_) {
    const Node& node = nodes[std::min<size_t>(event.node, nodes.size() - 1)];
    switch (event.kind) {
      case Event::Kind::operand: draft.add(event.index, b_.use(node), Binder::span(node)); break;
      case Event::Kind::attr: {
        const isa::AttrSpec& spec = schema_.attrs[event.index];
        b_.attribute_entry(spec.name, Binder::span(node), Cursor(nodes, event.node, event.end), Binder::span(node));
        break;
      }
      case Event::Kind::dict: b_.dictionary(node); break;
      default: break;
    }
  }
  commit_types();
}

/// Operands of repeated groups without the group of their types.
void Matcher::check_type_counts() {
  for (uint16_t i = 0; i < schema_.operands.size(); ++i) {
    const size_t values = b_.draft().slots[i].size();
    if (schema_.operands[i].arity != isa::Arity::variadic || values == 0 || !names_type(schema_.syntax, i)) continue;
    const size_t types = count(Event::Kind::type_operand, i);
    if (types == values) continue;
    b_.fail("E0116", b_.draft().slots[i].front().span,
            fmt::format("{}: {} operand{} '{}' but {} type{}", b_.op_name(), values, values == 1 ? "" : "s", schema_.operands[i].name, types, types == 1 ? "" : "s"));
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
  std::vector<size_t> used;   // only for repeated groups, where the types of several slots alternate
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
      if (position < values.size()) b_.check_type(values[position].value, values[position].span, type, Binder::span(node));
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
    if (schema_.results[n_results].arity == isa::Arity::one) results.push_back({implied_type(b_, schema_.results[n_results]), {}});
  }
}

/// Events of one kind in slot order, whatever the order of the text.
std::vector<MatchEvent> Matcher::in_slot_order(Event::Kind kind) const {
  std::vector<Event> events;
  for (const Event& event : events_) {
    if (event.kind == kind) events.push_back(event);
  }
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.index < b.index; });
  return events;
}

Span Matcher::find(const Anchor& anchor) const {
  const std::vector<Node>& nodes = b_.statement().nodes;
  const auto span_at = [&](const std::vector<Event>& events, size_t at) {
    return at < events.size() && events[at].node < nodes.size() ? Binder::span(nodes[events[at].node]) : Span{};
  };
  switch (anchor.part) {
    case Anchor::Part::operand: return span_at(in_slot_order(Event::Kind::operand), anchor.index);
    case Anchor::Part::result_type: return span_at(in_slot_order(Event::Kind::type_result), anchor.index);
    case Anchor::Part::attribute: {
      const auto found = std::ranges::find_if(events_, [&](const Event& e) { return e.kind == Event::Kind::attr && e.index == anchor.index; });
      return found == events_.end() || found->node >= nodes.size() ? Span{} : Binder::span(nodes[found->node]);
    }
    case Anchor::Part::operand_type: {
      // The type of the same occurrence of the same slot; the operand where its type is not written.
      const std::vector<Event> operands = in_slot_order(Event::Kind::operand), types = in_slot_order(Event::Kind::type_operand);
      if (anchor.index >= operands.size()) return {};
      const auto of_slot = [&](const std::vector<Event>& events) {
        return static_cast<size_t>(std::ranges::find(events, operands[anchor.index].index, &Event::index) - events.begin());
      };
      const size_t at = of_slot(types) + anchor.index - of_slot(operands);
      const bool written = at < types.size() && types[at].index == operands[anchor.index].index;
      return written ? span_at(types, at) : span_at(operands, anchor.index);
    }
    default: return {};
  }
}

bool Binder::match_syntax(const isa::Schema& schema, Mismatch& mismatch) {
  Matcher matcher(*this, schema, mismatch);
  if (!matcher.match(items())) return false;
  matcher.commit();
  return true;
}

}  // namespace pto::text
