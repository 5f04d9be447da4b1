// tassign with its address as a literal.
#include <fmt/format.h>

#include <algorithm>

#include "asm/hooks.hpp"
#include "asm/match.hpp"

namespace pto::text {

namespace {

bool typed(Binder& b, Cursor& cursor, const Draft::Operand& value, std::string_view prefix) {
  if (cursor.done() || !Binder::is_type_node(cursor.peek()))
    return b.expect(cursor, NodeKind::type, "a type");
  const Node& node = cursor.take();
  b.check_type(value.value, value.span, b.type(node, prefix), Binder::span(node));
  return !b.failed();
}

}  // namespace

/// tassign %t, @tile(0x1000): the address as a literal; the tile is moved in place, so its name means the
/// moved one.
bool bind_literal_address(Binder& b) {
  Cursor cursor = b.items();
  Cursor start = cursor;
  if (!cursor.accept(NodeKind::operand) || !cursor.accept(NodeKind::comma) || !cursor.is(NodeKind::symbol))
    return false;
  if (b.text(cursor.peek()) != "@tile")
    return b.expect(cursor, NodeKind::operand, "an address or @tile(..)"), true;
  cursor.take();
  if (!cursor.is(NodeKind::paren)) return b.expect(cursor, NodeKind::paren, "'(' and the address"), true;
  Cursor address = cursor.into(cursor.take());
  if (!address.is(NodeKind::number)) return b.expect(address, NodeKind::number, "the address"), true;
  const AttrValue value = b.attribute(address, nullptr, Binder::span(address.peek()));
  const Node& tile = start.take();
  const ValueId source = b.use(tile);
  if (cursor.accept(NodeKind::colon) && !typed(b, cursor, {source, Binder::span(tile)}, "!pto.tile_buf"))
    return true;
  if (cursor.accept(NodeKind::arrow) && !cursor.done()) cursor.take();
  if (b.failed() || !b.expect_end(cursor)) return true;
  const uint32_t constant = b.emit_constant(value.integer, b.elem_type(Elem::i64));
  b.draft().add(0, source, Binder::span(tile));
  b.draft().add(1, b.program().ops[constant].first_result, {});
  b.draft().results.push_back({b.type_of(source), {}});
  const uint32_t op = b.emit();
  if (!b.failed() && b.result_count() == 0)
    b.rename(b.text(tile).substr(1), b.program().ops[op].first_result, Binder::span(tile));
  return true;
}

}  // namespace pto::text
