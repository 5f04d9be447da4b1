// tassign with its address as a literal.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "asm/parse/forms/syntax_hooks.hpp"

namespace pto::text {

namespace {

bool typed(BinderContext& p, Cursor& cursor, const Draft::Operand& value, std::string_view prefix) {
  if (cursor.done() || !is_type_node(cursor.peek())) return p.reader.expect(cursor, NodeKind::type, "a type");
  const Node& node = cursor.take_token();
  p.types.check(value.value, value.span, p.types.read(node, prefix), span_of(node));
  return !p.report.failed();
}

}  // namespace

/// tassign %t, @tile(0x1000): the address as a literal; the tile is moved in place, so its name means the
/// moved one.
bool bind_literal_address(BinderContext& p) {
  Cursor cursor = p.reader.items();
  Cursor start = cursor;
  if (!cursor.accept(NodeKind::operand) || !cursor.accept(NodeKind::comma) || !cursor.is(NodeKind::symbol))
    return false;
  if (p.reader.text(cursor.peek()) != "@tile") {
    p.reader.expect(cursor, NodeKind::operand, "an address or @tile(..)");
    return true;
  }
  cursor.take_token();
  if (!cursor.is(NodeKind::paren)) {
    p.reader.expect(cursor, NodeKind::paren, "'(' and the address");
    return true;
  }
  Cursor address = cursor.into(cursor.take_token());
  if (!address.is(NodeKind::number)) {
    p.reader.expect(address, NodeKind::number, "the address");
    return true;
  }
  const AttrValue value = p.attributes.value(address, nullptr, span_of(address.peek()));
  const Node& tile = start.take_token();
  const ValueId source = p.names.use(tile);
  if (cursor.accept(NodeKind::colon) && !typed(p, cursor, {source, span_of(tile)}, "!pto.tile_buf"))
    return true;
  if (cursor.accept(NodeKind::arrow) && !cursor.done()) cursor.take_token();
  if (p.report.failed() || !p.reader.expect_end(cursor)) return true;
  const ValueId constant = p.emitter.constant(value.integer, p.types.scalar(Elem::i64));
  p.draft.add(0, source, span_of(tile));
  p.draft.add(1, constant, {});
  p.draft.results.push_back({p.types.type_of(source), {}});
  const uint32_t op = p.emitter.emit();
  if (!p.report.failed() && p.reader.result_count() == 0)
    p.names.rename(p.reader.text(tile).substr(1), p.program.ops[op].first_result);
  return true;
}

/// `treshape ins(%a : T) outs(%b : U)` of the pages: the bytes of %a as the tile %b, whose name means them
/// from here on.
bool bind_reshape_into(BinderContext& p) {
  Cursor cursor = p.reader.items();
  std::array<uint32_t, 2> tiles{}, types{};
  for (size_t i = 0; i < tiles.size(); ++i) {
    if (!p.reader.accept_word(cursor, i == 0 ? "ins" : "outs") || !cursor.is(NodeKind::paren)) return false;
    Cursor inner = cursor.into(cursor.take_token());
    if (!inner.is(NodeKind::operand)) return false;
    tiles[i] = inner.index();
    inner.take_token();
    if (!inner.accept(NodeKind::colon) || inner.done() || !is_type_node(inner.peek())) return false;
    types[i] = inner.index();
    inner.take_token();
    if (!inner.done()) return false;
  }
  if (!cursor.done() || p.reader.result_count() != 0) return false;
  const std::vector<Node>& nodes = p.reader.nodes();
  std::array<ValueId, 2> values{};
  for (size_t i = 0; i < tiles.size(); ++i) {
    values[i] = p.names.use(nodes[tiles[i]]);
    p.types.check(values[i], span_of(nodes[tiles[i]]), p.types.read(nodes[types[i]], "!pto.tile_buf"),
                  span_of(nodes[types[i]]));
  }
  if (p.report.failed()) return true;
  const std::string_view name = p.reader.text(nodes[tiles[1]]);
  p.old_forms.warn(p.reader.statement().name,
                   fmt::format("{} with ins and outs is an old form", p.reader.op_name()),
                   fmt::format("it renames the tile; write %new = pto.treshape {} : T -> U",
                               p.reader.text(nodes[tiles[0]])));
  p.draft.add(0, values[0], span_of(nodes[tiles[0]]));
  p.draft.results.push_back({p.types.type_of(values[1]), {}});
  const uint32_t op = p.emitter.emit();
  if (!p.report.failed()) p.names.rename(name.substr(1), p.program.ops[op].first_result);
  return true;
}

}  // namespace pto::text
