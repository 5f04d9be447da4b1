// The old forms (old_forms.hpp) of statements that are matched against a syntax string.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "asm/parse/forms/syntax_matcher.hpp"

namespace pto::text {

namespace {

/// N of the rule `mask_width:bN`, which the masks of an instruction have; 0 without the rule.
unsigned width_by_rule(const isa::Schema& schema) {
  const isa::RowRule* rule = schema.find_rule(isa::RuleName::mask_width);
  if (rule == nullptr) return 0;
  const std::string_view digits = rule->argument.substr(1);
  unsigned bits = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  return bits;
}

Elem granularity(uint32_t bits) {
  return bits == 8 ? Elem::i8 : bits == 16 ? Elem::i16 : bits == 32 ? Elem::i32 : Elem::none;
}

}  // namespace

/// A comma that does not be here: in front of a keyword, or of operands that are left out at the end of
/// their list, with their types.
bool Matcher::old_comma(const Nodes& nodes, size_t& at, const Cursor& cursor) {
  if (at == nodes.size()) return false;
  const isa::SyntaxNode& next = nodes[at];
  if (next.kind == SyntaxKind::word && cursor.is(NodeKind::word) &&
      p_.reader.text(cursor.peek()) == next.text) {
    record(Event::Kind::comma, 0, cursor, cursor);
    return true;
  }
  const bool ends = cursor.done() || cursor.is(NodeKind::dict) || cursor.is(NodeKind::colon);
  const bool all_lanes = next.kind == SyntaxKind::operand &&
                         schema_.row->lowering == isa::Lowering::to_duplicate &&
                         schema_.operands[next.index].kinds == isa::kMask;
  if (next.kind == SyntaxKind::operand && ends &&
      (all_lanes || OldForms::is_zero_when_left_out(schema_.operands[next.index].name))) {
    record(Event::Kind::zero, next.index, cursor, cursor);
    ++at;
    return true;
  }
  const bool behind = cursor.done() || cursor.is(NodeKind::arrow);
  if (next.kind == SyntaxKind::type_operand && behind && count(Event::Kind::zero, next.index) != 0) {
    ++at;
    return true;
  }
  return false;
}

/// `%pointer[%elements]` where the instruction takes a pointer alone.
bool Matcher::old_offset(const isa::SyntaxNode* next, Cursor& cursor) {
  if (!p_.old_forms.allowed() || !cursor.is(NodeKind::bracket) || events_.empty()) return true;
  if (next != nullptr && next->text == "[") return true;
  const Event& pointer = events_.back();
  if (pointer.kind != Event::Kind::operand || (schema_.operands[pointer.index].kinds & isa::kPtr) == 0)
    return true;
  Cursor inner = cursor.into(cursor.peek());
  if (!inner.is(NodeKind::operand)) return true;
  const Cursor offset = inner;
  inner.take_token();
  if (!inner.done()) return true;
  record(Event::Kind::offset, pointer.index, offset, inner);
  cursor.take_token();
  return true;
}

/// `%a, %b {attrs} : (T, T)` of a syntax `(%a, %b : T, T) {attrs}`.
bool Matcher::old_list(const Nodes& nodes, Cursor& cursor) {
  const auto colon = static_cast<size_t>(
      std::ranges::find_if(
          nodes, [](const isa::SyntaxNode& n) { return n.kind == SyntaxKind::punct && n.text == ":"; }) -
      nodes.begin());
  if (colon == nodes.size()) return expected(cursor, "'('");
  if (!sequence(nodes, 0, colon, cursor) || !dictionary(cursor)) return false;
  if (!cursor.accept(NodeKind::colon)) return expected(cursor, "':' and types");
  if (!cursor.is(NodeKind::paren)) return sequence(nodes, colon + 1, nodes.size(), cursor);
  Cursor inner = cursor.into(cursor.peek());
  if (!sequence(nodes, colon + 1, nodes.size(), inner)) return false;
  if (!inner.done()) return expected(inner, "')'");
  cursor.take_token();
  return true;
}

void Matcher::commit_old(const Event& event, const Node& node) {
  const std::string_view op = p_.reader.op_name();
  if (event.kind == Event::Kind::comma) {
    p_.old_forms.warn(span_of(node),
                      fmt::format("{}: the comma in front of '{}' is missing", op, p_.reader.text(node)),
                      fmt::format("write ', {}'", p_.reader.text(node)));
    return;
  }
  const isa::OperandSpec& spec = schema_.operands[event.index];
  if (event.kind == Event::Kind::zero) return commit_left_out(event);
  p_.old_forms.warn(span_of(node),
                    fmt::format("{}: operand '{}' is a pointer without an offset", op, spec.name),
                    "it is read as the pointer behind that many elements; write pto.addptr for it");
  Draft::Operand& pointer = p_.draft.slots[event.index].back();
  const ValueId offset = p_.names.use(node);
  if (p_.names.known(pointer.value) && p_.names.known(offset))
    pointer.value = p_.emitter.combination(isa::OpcodeClass::add_ptr, pointer.value, offset,
                                           p_.types.type_of(pointer.value));
}

/// 0 for a position, all lanes for a mask.
void Matcher::commit_left_out(const Event& event) {
  const Span at = p_.reader.statement().name;
  std::string names;
  for (const Event& other : events_) {
    if (other.kind == Event::Kind::zero)
      names += fmt::format("{}{}", names.empty() ? "" : " and ", schema_.operands[other.index].name);
  }
  const bool mask = schema_.operands[event.index].kinds == isa::kMask;
  p_.old_forms.warn(at, fmt::format("{}: {} left out", p_.reader.op_name(), names),
                    mask ? "it is read as all lanes; write a mask of PAT_ALL"
                         : "read as 0; write constants of 0, and their types");
  if (!mask) {
    p_.draft.add(event.index, p_.emitter.constant(0, p_.types.scalar(Elem::i64)), at);
    return;
  }
  const ValueId input = p_.draft.slots[0].front().value;
  const Elem elem = p_.names.known(input)
                        ? granularity(bit_width(p_.program.types[p_.types.type_of(input)].elem))
                        : Elem::none;
  if (elem == Elem::none) {
    p_.report.fail(E0101, at, fmt::format("{}: the mask is left out", p_.reader.op_name()));
    return;
  }
  Type type;
  type.kind = TypeKind::mask;
  type.elem = elem;
  p_.draft.add(event.index, p_.emitter.all_lanes(p_.program.types.intern(type)), at);
}

bool is_bare_mask(const BinderContext& parts, const Node& node) {
  return parts.reader.text(node) == "!pto.mask";
}

bool is_bare_mask(const BinderContext& parts, const Node& node, ValueId value) {
  return is_bare_mask(parts, node) && parts.names.known(value) &&
         parts.program.types[parts.types.type_of(value)].kind == TypeKind::mask;
}

/// `!pto.tensor_view<2xf32>` of a view whose shape has two values: its rank. The spelling means that from
/// here on.
TypeId Matcher::view_by_rank(TypeId type, const Node& node) {
  if (schema_.row->opcode_class != isa::OpcodeClass::make_view || type == kNoType) return type;
  Type view = p_.program.types[type];
  const int slot = schema_.operand_slot("shape");
  const size_t rank = slot < 0 ? 0 : p_.draft.slots[static_cast<size_t>(slot)].size();
  if (view.rank != 1 || rank < 2 || rank > kMaxRank || view.dims[0] != static_cast<int64_t>(rank))
    return type;
  view.rank = static_cast<uint8_t>(rank);
  std::fill_n(view.dims.begin(), rank, kDynamic);
  const TypeId dynamic = p_.program.types.intern(view);
  p_.old_forms.warn(span_of(node), fmt::format("'{}' states the number of dimensions", p_.reader.text(node)),
                    Fix::write(p_.types.name(dynamic)));
  p_.types.define_spelling(node, dynamic);
  return dynamic;
}

/// The granularity of a mask that is written without one: of the instruction, of the lanes it is made for, or
/// that of its other masks where all are alike; kNoType where it is none of these.
TypeId Matcher::mask_of_context() const {
  Elem elem = granularity(width_by_rule(schema_));
  const bool alike = schema_.row->rule_names.has(isa::RuleName::masks_same);
  for (const auto& slot : p_.draft.slots) {
    for (const Draft::Operand& operand : slot) {
      if (elem != Elem::none || !p_.names.known(operand.value)) continue;
      const Type& type = p_.program.types[p_.types.type_of(operand.value)];
      if (type.kind == TypeKind::vreg) elem = granularity(bit_width(type.elem));
      if (type.kind == TypeKind::mask && alike) elem = type.elem;
    }
  }
  if (elem == Elem::none) return kNoType;
  p_.old_forms.warn(
      p_.reader.statement().name, "!pto.mask without a granularity is an old spelling",
      Fix::write_one_of({"!pto.mask<b8>", "!pto.mask<b16>", "!pto.mask<b32>"}, ", as wide as the lanes"));
  Type mask;
  mask.kind = TypeKind::mask;
  mask.elem = elem;
  return p_.program.types.intern(mask);
}

}  // namespace pto::text
