// Views, modes, synchronisation and tile queues with syntax of their own.
#include <fmt/format.h>

#include <algorithm>

#include "asm/hooks.hpp"
#include "asm/match.hpp"

namespace pto::text {

namespace {

bool operand(Binder& b, Cursor& cursor, std::string_view slot) {
  if (!cursor.is(NodeKind::operand)) return b.expect(cursor, NodeKind::operand, fmt::format("operand '{}'", slot));
  const Node& node = cursor.take();
  b.draft().add(b.draft().schema->operand_slot(slot), b.use(node), Binder::span(node));
  return true;
}

/// A number where a value is meant, as `sizes = [32, 32]` of older programs: a constant in front of the operation.
void literal_operand(Binder& b, Cursor& cursor, std::string_view slot) {
  const uint32_t at = cursor.index();
  const Node& node = cursor.take();
  const AttrValue number = b.attribute(Cursor(b.statement().nodes, at, node.next), nullptr, Binder::span(node));
  if (number.kind != AttrValue::Kind::integer) b.fail("E0108", Binder::span(node), fmt::format("{}: {} are whole numbers", b.op_name(), slot));
  const uint32_t constant = b.emit_constant(number.integer, b.elem_type(Elem::index));
  b.draft().add(b.draft().schema->operand_slot(slot), b.program().ops[constant].first_result, Binder::span(node));
}

/// `[%a, %b]` into a variadic slot, or into the named single slots.
bool operand_list(Binder& b, Cursor& cursor, std::initializer_list<std::string_view> slots) {
  if (!cursor.is(NodeKind::bracket)) return b.expect(cursor, NodeKind::bracket, "'['");
  Cursor list = cursor.into(cursor.take());
  for (size_t i = 0; !list.done(); ++i) {
    const std::string_view slot = slots.begin()[std::min(i, slots.size() - 1)];
    if (list.is(NodeKind::number)) literal_operand(b, list, slot);
    else if (!operand(b, list, slot)) return false;
    if (!list.done() && !b.expect(list, NodeKind::comma, "','")) return false;
  }
  return true;
}

bool typed(Binder& b, Cursor& cursor, const Draft::Operand& value, std::string_view prefix) {
  if (cursor.done() || !Binder::is_type_node(cursor.peek())) return b.expect(cursor, NodeKind::type, "a type");
  const Node& node = cursor.take();
  b.check_type(value.value, value.span, b.type(node, prefix), Binder::span(node));
  return !b.failed();
}

bool named_list(Binder& b, Cursor& cursor, std::string_view word, std::string_view slot) {
  return b.expect(cursor, NodeKind::comma, "','") && b.expect_word(cursor, word) && b.expect(cursor, NodeKind::equal, "'='") &&
         operand_list(b, cursor, {slot});
}

}  // namespace

/// partition_view %v, offsets = [..], sizes = [..] {attrs} : T [-> T]; a missing result type follows from the sizes.
bool bind_partition_view(Binder& b) {
  Cursor cursor = b.items();
  if (!operand(b, cursor, "source") || !named_list(b, cursor, "offsets", "offsets") || !named_list(b, cursor, "sizes", "sizes")) return true;
  if (cursor.is(NodeKind::dict)) b.dictionary(cursor.take());
  if (!b.expect(cursor, NodeKind::colon, "':' and types") || !typed(b, cursor, b.draft().slots[0].front(), "!pto.tensor_view")) return true;
  if (cursor.accept(NodeKind::arrow)) {
    if (cursor.done() || !Binder::is_type_node(cursor.peek())) return b.expect(cursor, NodeKind::type, "the result's type"), true;
    const Node& node = cursor.take();
    b.draft().results.push_back({b.type(node, "!pto.partition_tensor_view"), Binder::span(node)});
  } else {
    Type type = b.program().types[b.type_of(b.draft().slots[0].front().value)];
    type.kind = TypeKind::partition_view;
    const auto& sizes = b.draft().slots[2];
    type.rank = static_cast<uint8_t>(std::min<size_t>(sizes.size(), kMaxRank));
    type.dims = {};
    for (size_t i = 0; i < type.rank; ++i) type.dims[i] = b.constant_of(sizes[i].value).value_or(kDynamic);
    b.draft().results.push_back({b.intern(type), {}});
  }
  if (b.expect_end(cursor)) b.emit();
  return true;
}

/// subview %t[%r, %c] sizes [r, c] [valid [%r, %c]] {attrs} : T [-> T]
bool bind_subview(Binder& b) {
  Cursor cursor = b.items();
  if (!operand(b, cursor, "source")) return true;
  if (cursor.is(NodeKind::comma)) {   // of a view, `subview %view, offsets = [..], sizes = [..]`: the older name of partition_view
    b.draft().reset(*b.schema_of("pto.partition_view"));
    return bind_partition_view(b);
  }
  if (!operand_list(b, cursor, {"offsets"}) || !b.expect_word(cursor, "sizes")) return true;
  if (!cursor.is(NodeKind::bracket)) return b.expect(cursor, NodeKind::bracket, "'[' and two sizes"), true;
  const uint32_t at = cursor.index();
  const Node& list = cursor.take();
  const AttrValue sizes = b.attribute(Cursor(b.statement().nodes, at, list.next), nullptr, Binder::span(list));
  if (sizes.kind != AttrValue::Kind::int_array || sizes.array.count != 2) {
    b.fail("E0108", Binder::span(list), fmt::format("{}: sizes are two numbers", b.op_name()));
    return true;
  }
  b.set_attr("sizes", sizes);
  if (b.accept_word(cursor, "valid") && !operand_list(b, cursor, {"valid_row", "valid_col"})) return true;
  if (cursor.is(NodeKind::dict)) b.dictionary(cursor.take());
  if (!b.expect(cursor, NodeKind::colon, "':' and types") || !typed(b, cursor, b.draft().slots[0].front(), "!pto.tile_buf")) return true;
  if (cursor.accept(NodeKind::arrow)) {
    if (cursor.done() || !Binder::is_type_node(cursor.peek())) return b.expect(cursor, NodeKind::type, "the result's type"), true;
    const Node& node = cursor.take();
    b.draft().results.push_back({b.type(node, "!pto.tile_buf"), Binder::span(node)});
  } else {
    Type type = b.program().types[b.type_of(b.draft().slots[0].front().value)];
    const bool dynamic = !b.draft().slots[2].empty();
    for (size_t i = 0; i < 2; ++i) {
      type.dims[i] = b.program().ints[sizes.array.first + i];
      type.valid[i] = dynamic ? kDynamic : type.dims[i];
    }
    b.draft().results.push_back({b.intern(type), {}});
  }
  if (b.expect_end(cursor)) b.emit();
  return true;
}

/// tassign %t, @tile(0x1000): the address as a literal; the tile is moved in place, so its name means the moved one.
bool bind_tassign(Binder& b) {
  Cursor cursor = b.items();
  Cursor start = cursor;
  if (!cursor.accept(NodeKind::operand) || !cursor.accept(NodeKind::comma) || !cursor.is(NodeKind::symbol)) return false;
  if (b.text(cursor.peek()) != "@tile") return b.expect(cursor, NodeKind::operand, "an address or @tile(..)"), true;
  cursor.take();
  if (!cursor.is(NodeKind::paren)) return b.expect(cursor, NodeKind::paren, "'(' and the address"), true;
  Cursor address = cursor.into(cursor.take());
  if (!address.is(NodeKind::number)) return b.expect(address, NodeKind::number, "the address"), true;
  const AttrValue value = b.attribute(address, nullptr, Binder::span(address.peek()));
  const Node& tile = start.take();
  const ValueId source = b.use(tile);
  if (cursor.accept(NodeKind::colon) && !typed(b, cursor, {source, Binder::span(tile)}, "!pto.tile_buf")) return true;
  if (cursor.accept(NodeKind::arrow) && !cursor.done()) cursor.take();
  if (b.failed() || !b.expect_end(cursor)) return true;
  const uint32_t constant = b.emit_constant(value.integer, b.elem_type(Elem::i64));
  b.draft().add(0, source, Binder::span(tile));
  b.draft().add(1, b.program().ops[constant].first_result, {});
  b.draft().results.push_back({b.type_of(source), {}});
  const uint32_t op = b.emit();
  if (!b.failed() && b.result_count() == 0) b.rename(b.text(tile).substr(1), b.program().ops[op].first_result, Binder::span(tile));
  return true;
}

/// settf32mode {enable = true, mode = ..}; also ins({..}) outs()
bool bind_mode(Binder& b) {
  Cursor cursor = b.items();
  if (b.accept_word(cursor, "ins")) {
    if (!cursor.is(NodeKind::paren)) return b.expect(cursor, NodeKind::paren, "'('"), true;
    Cursor inner = cursor.into(cursor.take());
    if (inner.is(NodeKind::dict)) b.dictionary(inner.take());
    if (!b.expect_end(inner)) return true;
    if (b.accept_word(cursor, "outs") && !b.expect(cursor, NodeKind::paren, "'()'")) return true;
  }
  if (cursor.is(NodeKind::dict)) b.dictionary(cursor.take());
  if (b.expect_end(cursor)) b.emit();
  return true;
}

namespace {

/// One literal: an attribute of the row by value.
bool literal(Binder& b, Cursor& cursor, std::string_view attr) {
  if (cursor.done()) return b.expect(cursor, NodeKind::number, fmt::format("'{}'", attr));
  const uint32_t at = cursor.index();
  const Node& node = cursor.take();
  uint32_t end = node.next;
  if (node.kind == NodeKind::number && cursor.is(NodeKind::colon)) {   // 0 : i32
    cursor.take();
    if (!cursor.done()) end = cursor.take().next;
  }
  b.attribute_entry(attr, Binder::span(node), Cursor(b.statement().nodes, at, end), Binder::span(node));
  return !b.failed();
}

}  // namespace

/// get_buf "PIPE_V", 0, 0 and get_buf [#pto.pipe_event_type<TLOAD>, 0]
bool bind_get_buf(Binder& b) {
  Cursor cursor = b.items();
  Cursor list = cursor.is(NodeKind::bracket) ? cursor.into(cursor.peek()) : cursor;
  const bool bracket = cursor.is(NodeKind::bracket);
  if (!literal(b, list, "op_type") || !b.expect(list, NodeKind::comma, "','") || !literal(b, list, "buf_id")) return true;
  if (list.accept(NodeKind::comma) && !literal(b, list, "mode")) return true;
  if (bracket) {
    if (!b.expect_end(list)) return true;
    cursor.take();
  } else {
    cursor = list;
  }
  if (cursor.is(NodeKind::dict)) b.dictionary(cursor.take());
  if (b.expect_end(cursor)) b.emit();
  return true;
}

/// sync.set <PIPE_FIX>, 17 and sync.set <PIPE_FIX>, %id
bool bind_sync(Binder& b) {
  Cursor cursor = b.items();
  if (!literal(b, cursor, "pipe") || !b.expect(cursor, NodeKind::comma, "','")) return true;
  if (cursor.is(NodeKind::operand)) {
    if (!operand(b, cursor, "event_id_dyn")) return true;
  } else if (!literal(b, cursor, "event_id")) {
    return true;
  }
  if (cursor.accept(NodeKind::colon) && !cursor.done()) cursor.take();
  if (cursor.is(NodeKind::dict)) b.dictionary(cursor.take());
  if (b.expect_end(cursor)) b.emit();
  return true;
}

namespace {

bool dictionary_first(Binder& b, Cursor& cursor) {
  if (!cursor.is(NodeKind::dict)) return b.expect(cursor, NodeKind::dict, "'{' and attributes");
  b.dictionary(cursor.take());
  return !b.failed();
}

bool trailing_result(Binder& b, Cursor& cursor) {
  if (cursor.is(NodeKind::dict)) b.dictionary(cursor.take());
  if (cursor.accept(NodeKind::arrow) && !b.types(cursor, b.draft().results)) return false;
  if (b.failed() || !b.expect_end(cursor)) return false;
  b.emit();
  return true;
}

}  // namespace

/// aic_initialize_pipe {..} (gm_slot_buffer = %p : T, ..), clauses in any order
bool bind_initialize_pipe(Binder& b) {
  Cursor cursor = b.items();
  if (!dictionary_first(b, cursor)) return true;
  if (cursor.is(NodeKind::paren)) {
    for (Cursor list = cursor.into(cursor.take()); !list.done();) {
      if (!list.is(NodeKind::word)) return b.expect(list, NodeKind::word, "a clause"), true;
      const Node& name = list.take();
      const int slot = b.draft().schema->operand_slot(b.text(name));
      if (slot < 0) {
        std::vector<std::string_view> names;
        std::string all;
        for (const isa::OperandSpec& spec : b.draft().schema->operands) {
          names.push_back(spec.name);
          all += fmt::format("{}'{}'", all.empty() ? "" : ", ", spec.name);
        }
        Diagnostic& d = b.fail("E0118", Binder::span(name), fmt::format("{}: unknown clause '{}'", b.op_name(), b.text(name)));
        const std::string_view near = nearest(b.text(name), names);
        d.help = near.empty() ? "clauses of this instruction: " + all : fmt::format("did you mean '{}'?", near);
        return true;
      }
      if (!b.draft().slots[static_cast<size_t>(slot)].empty()) {
        b.fail("E0116", Binder::span(name), fmt::format("{}: '{}' is given twice", b.op_name(), b.text(name)));
        return true;
      }
      if (!b.expect(list, NodeKind::equal, "'='") || !operand(b, list, b.text(name))) return true;
      if (!b.expect(list, NodeKind::colon, "':' and the type") || !typed(b, list, b.draft().slots[static_cast<size_t>(slot)].back(), "!pto.ptr")) return true;
      if (!list.done() && !b.expect(list, NodeKind::comma, "','")) return true;
    }
  }
  trailing_result(b, cursor);
  return true;
}

namespace {

/// `(%a, %b : T, T)` or `(%a : T, %b : T)` or `(%r, %c)`: operands to slots by order and kind.
bool typed_operands(Binder& b, Cursor& cursor) {
  if (!cursor.is(NodeKind::paren)) return true;
  std::vector<Node> operands;
  std::vector<Node> types;
  for (Cursor list = cursor.into(cursor.take()); !list.done();) {
    if (list.is(NodeKind::operand)) operands.push_back(list.take());
    else if (list.accept(NodeKind::colon)) {
      if (list.done() || !Binder::is_type_node(list.peek())) return b.expect(list, NodeKind::type, "a type");
      types.push_back(list.take());
      continue;
    } else if (list.accept(NodeKind::comma)) {
      if (!list.done() && Binder::is_type_node(list.peek())) types.push_back(list.take());
    } else {
      return b.expect(list, NodeKind::operand, "an operand");
    }
  }
  const isa::Schema& schema = *b.draft().schema;
  size_t next = 0, required = 0;
  for (const isa::OperandSpec& spec : schema.operands) required += spec.arity == isa::Arity::one ? 1 : 0;
  for (size_t slot = 0; slot < schema.operands.size() && next < operands.size(); ++slot) {
    const isa::OperandSpec& spec = schema.operands[slot];
    if (spec.arity == isa::Arity::one) --required;
    else if (operands.size() - next <= required || !b.fits(operands[next], spec.kinds)) continue;
    b.draft().add(static_cast<int>(slot), b.use(operands[next]), Binder::span(operands[next]));
    if (next < types.size()) b.check_type(b.draft().slots[slot].back().value, Binder::span(operands[next]), b.type(types[next], type_prefix(spec.kinds)), Binder::span(types[next]));
    ++next;
  }
  if (next < operands.size() || required != 0)
    b.fail("E0116", b.statement().name, fmt::format("{}: {} operands do not fit its operand list", b.op_name(), operands.size()));
  return !b.failed();
}

}  // namespace

bool bind_initialize_l2_pipe(Binder& b) {
  Cursor cursor = b.items();
  if (dictionary_first(b, cursor) && typed_operands(b, cursor)) trailing_result(b, cursor);
  return true;
}

}  // namespace pto::text
