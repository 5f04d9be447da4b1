// Operations of the memref, llvm and vector dialects whose lists mix values and numbers: `%m[%i, 0] [4, %n] [1, 1]`.
//
// As in MLIR, the numbers stand in an integer array, and a marker where a value stands; the values are a variadic operand.
#include "asm/mixed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "asm/hooks.hpp"
#include "asm/lex.hpp"

namespace pto::text {

namespace {

bool value(Binder& b, Cursor& cursor, std::string_view slot) {
  if (!cursor.is(NodeKind::operand)) return b.expect(cursor, NodeKind::operand, fmt::format("operand '{}'", slot));
  const Node& node = cursor.take();
  b.draft().add(b.draft().schema->operand_slot(slot), b.use(node), Binder::span(node));
  return true;
}

bool mixed_list(Binder& b, Cursor& cursor, const MixedList& list) {
  if (!cursor.is(NodeKind::bracket)) return b.expect(cursor, NodeKind::bracket, fmt::format("'[' and the {}", list.slot));
  std::vector<int64_t> numbers;
  for (Cursor items = cursor.into(cursor.take()); !items.done();) {
    if (items.is(NodeKind::operand)) {
      numbers.push_back(list.marker);
      value(b, items, list.slot);
    } else if (items.is(NodeKind::number)) {
      const Cursor one = items;
      const Node& node = items.take();
      const AttrValue number = b.attribute(Cursor(b.statement().nodes, one.index(), node.next), nullptr, Binder::span(node));
      if (number.kind != AttrValue::Kind::integer) b.fail("E0108", Binder::span(node), fmt::format("{}: the {} are whole numbers", b.op_name(), list.slot));
      numbers.push_back(number.integer);
    } else {
      return b.expect(items, NodeKind::operand, "a value or a number");
    }
    if (!items.done() && !b.expect(items, NodeKind::comma, "','")) return false;
  }
  AttrValue all;
  all.kind = AttrValue::Kind::int_array;
  all.array = {static_cast<uint32_t>(b.program().ints.size()), static_cast<uint32_t>(numbers.size())};
  b.program().ints.insert(b.program().ints.end(), numbers.begin(), numbers.end());
  b.set_attr(list.attr, all);
  return !b.failed();
}

bool type_of(Binder& b, Cursor& cursor, Draft::Result& out) {
  if (cursor.done() || !Binder::is_type_node(cursor.peek())) return b.expect(cursor, NodeKind::type, "a type");
  const Node& node = cursor.take();
  out = {b.type(node), Binder::span(node)};
  return !b.failed();
}

/// The written type of a slot's first operand.
bool operand_type(Binder& b, Cursor& cursor, size_t slot) {
  Draft::Result written;
  if (!type_of(b, cursor, written)) return false;
  const Draft::Operand& operand = b.draft().slots[slot].front();
  b.check_type(operand.value, operand.span, written.type, written.span);
  return !b.failed();
}

bool result_type(Binder& b, Cursor& cursor) {
  Draft::Result result;
  if (!type_of(b, cursor, result)) return false;
  b.draft().results.push_back(result);
  return true;
}

/// `{attrs} : T <word> U`
bool from_to(Binder& b, Cursor& cursor, std::string_view word) {
  if (cursor.is(NodeKind::dict)) b.dictionary(cursor.take());
  return b.expect(cursor, NodeKind::colon, "':' and types") && operand_type(b, cursor, 0) && b.expect_word(cursor, word) &&
         result_type(b, cursor) && b.expect_end(cursor);
}

bool named_list(Binder& b, Cursor& cursor, std::string_view word, const MixedList& list) {
  return b.expect_word(cursor, word) && b.expect(cursor, NodeKind::colon, "':'") && mixed_list(b, cursor, list);
}

}  // namespace

/// memref.reinterpret_cast %m to offset: [..], sizes: [..], strides: [..] {attrs} : T to U
bool bind_reinterpret_cast(Binder& b) {
  Cursor cursor = b.items();
  if (value(b, cursor, "source") && b.expect_word(cursor, "to") && named_list(b, cursor, "offset", kOffsets) &&
      b.expect(cursor, NodeKind::comma, "','") && named_list(b, cursor, "sizes", kSizes) && b.expect(cursor, NodeKind::comma, "','") &&
      named_list(b, cursor, "strides", kStrides) && from_to(b, cursor, "to"))
    b.emit();
  return true;
}

/// memref.subview %m[..] [..] [..] {attrs} : T to U
bool bind_memref_subview(Binder& b) {
  Cursor cursor = b.items();
  if (value(b, cursor, "source") && mixed_list(b, cursor, kOffsets) && mixed_list(b, cursor, kSizes) && mixed_list(b, cursor, kStrides) &&
      from_to(b, cursor, "to"))
    b.emit();
  return true;
}

/// memref.expand_shape %m [[0, 1], [2]] [output_shape [..]] {attrs} : T into U
bool bind_expand_shape(Binder& b) {
  Cursor cursor = b.items();
  if (!value(b, cursor, "src")) return true;
  if (!cursor.is(NodeKind::bracket)) return b.expect(cursor, NodeKind::bracket, "'[' and the groups of dimensions"), true;
  const uint32_t at = cursor.index();
  const Node& groups = cursor.take();
  b.attribute_entry("reassociation", Binder::span(groups), Cursor(b.statement().nodes, at, groups.next), Binder::span(groups));
  if (b.accept_word(cursor, "output_shape") && !mixed_list(b, cursor, kOutputShape)) return true;
  if (!b.failed() && from_to(b, cursor, "into")) b.emit();
  return true;
}

namespace {

/// The fields of `!llvm.struct<(ptr<1>, i64, array<1 x i64>)>`, and the one element type of `!llvm.array<4 x i32>`.
std::string_view field_of(std::string_view type, int64_t index) {
  const bool array = type.starts_with("!llvm.array<") || type.starts_with("array<");
  const size_t open = type.find('<');
  if (open == std::string_view::npos || type.size() < open + 2 || index < 0) return {};
  std::string_view body = type.substr(open + 1, type.size() - open - 2);
  if (array) {
    const size_t by = body.find('x');
    int64_t count = 0;
    std::from_chars(body.data(), body.data() + body.size(), count);
    return by == std::string_view::npos || index >= count ? std::string_view{} : trim(body.substr(by + 1));
  }
  if (const size_t paren = body.find('('); paren != std::string_view::npos && body.ends_with(')')) body = body.substr(paren + 1, body.size() - paren - 2);
  size_t depth = 0, begin = 0;
  for (size_t i = 0; i <= body.size(); ++i) {
    const char c = i < body.size() ? body[i] : ',';
    if (c == '<' || c == '(') ++depth;
    if ((c == '>' || c == ')') && depth > 0) --depth;
    if (c != ',' || (depth != 0 && i < body.size())) continue;
    if (index-- == 0) return trim(body.substr(begin, i - begin));
    begin = i + 1;
  }
  return {};
}

/// Within LLVM types the dialect's own are written without `!llvm.`.
std::string spelled_out(std::string_view field) {
  const bool own = field.starts_with("ptr") || field.starts_with("struct") || field.starts_with("array") || field.starts_with("vec<");
  return own ? "!llvm." + std::string(field) : std::string(field);
}

}  // namespace

/// llvm.extractvalue %s[1, 0] : !llvm.struct<..>; the result's type is the field's.
bool bind_extractvalue(Binder& b) {
  Cursor cursor = b.items();
  if (!value(b, cursor, "container")) return true;
  if (!cursor.is(NodeKind::bracket)) return b.expect(cursor, NodeKind::bracket, "'[' and the position"), true;
  const uint32_t at = cursor.index();
  const Node& list = cursor.take();
  const AttrValue position = b.attribute(Cursor(b.statement().nodes, at, list.next), nullptr, Binder::span(list));
  if (position.kind != AttrValue::Kind::int_array) {
    b.fail("E0108", Binder::span(list), fmt::format("{}: a position is a list of numbers", b.op_name()));
    return true;
  }
  b.set_attr("position", position);
  if (cursor.is(NodeKind::dict)) b.dictionary(cursor.take());
  if (!b.expect(cursor, NodeKind::colon, "':' and the type") || !operand_type(b, cursor, 0) || !b.expect_end(cursor)) return true;
  const TypeId field = b.extracted_type(Binder::span(list));
  if (b.failed()) return true;
  b.draft().results.push_back({field, {}});
  b.emit();
  return true;
}

TypeId Binder::extracted_type(Span where) {
  const auto position = std::find_if(draft_.attrs.begin(), draft_.attrs.end(), [](const Attr& attr) { return attr.spec == 0; });
  if (position == draft_.attrs.end() || position->value.kind != AttrValue::Kind::int_array || draft_.slots[0].empty()) return kNoType;
  const ValueId container = draft_.slots[0].front().value;
  if (!known(container)) return kNoType;
  std::string type = to_string(program_.types[type_of(container)]);
  for (uint32_t i = 0; i < position->value.array.count; ++i) {
    const int64_t index = program_.ints[position->value.array.first + i];
    const std::string_view field = field_of(type, index);
    if (field.empty()) {
      fail("E0150", where, fmt::format("{}: {} has no field {}", op_name(), type, index));
      return kNoType;
    }
    type = spelled_out(field);
  }
  std::string problem;
  const std::optional<Type> parsed = parse_type(type, program_.target, problem);
  if (parsed) return intern(*parsed);
  fail("E0107", where, std::move(problem));
  return kNoType;
}

/// llvm.getelementptr [inbounds] %p[%i, 0] {attrs} : (!llvm.ptr, i64) -> !llvm.ptr, T
bool bind_getelementptr(Binder& b) {
  Cursor cursor = b.items();
  if (b.accept_word(cursor, "inbounds")) b.set_attr("inbounds", {});
  if (!value(b, cursor, "base") || !mixed_list(b, cursor, kIndices)) return true;
  if (cursor.is(NodeKind::dict)) b.dictionary(cursor.take());
  std::vector<Draft::Result> types;
  if (!b.expect(cursor, NodeKind::colon, "':' and types") || !b.types(cursor, types)) return true;
  std::vector<Draft::Operand> operands = b.draft().slots[0];
  operands.insert(operands.end(), b.draft().slots[1].begin(), b.draft().slots[1].end());
  if (types.size() != operands.size())
    b.fail("E0116", b.statement().name, fmt::format("{}: {} operands but {} types", b.op_name(), operands.size(), types.size()));
  for (size_t i = 0; i < std::min(types.size(), operands.size()); ++i) b.check_type(operands[i].value, operands[i].span, types[i].type, types[i].span);
  Draft::Result elem;
  if (b.failed() || !b.expect(cursor, NodeKind::arrow, "'->' and the result's type") || !result_type(b, cursor) ||
      !b.expect(cursor, NodeKind::comma, "',' and the element's type") || !type_of(b, cursor, elem) || !b.expect_end(cursor))
    return true;
  AttrValue type;
  type.kind = AttrValue::Kind::type;
  type.type = elem.type;
  b.set_attr("elem_type", type);
  b.emit();
  return true;
}

/// vector.extract %v[0] {attrs} : f32 from vector<4xf32>
bool bind_vector_extract(Binder& b) {
  Cursor cursor = b.items();
  if (!value(b, cursor, "source") || !mixed_list(b, cursor, kExtractPosition)) return true;
  if (cursor.is(NodeKind::dict)) b.dictionary(cursor.take());
  if (b.expect(cursor, NodeKind::colon, "':' and types") && result_type(b, cursor) && b.expect_word(cursor, "from") &&
      operand_type(b, cursor, 0) && b.expect_end(cursor))
    b.emit();
  return true;
}

/// vector.insert %x, %v[0] {attrs} : f32 into vector<4xf32>
bool bind_vector_insert(Binder& b) {
  Cursor cursor = b.items();
  if (!value(b, cursor, "valueToStore") || !b.expect(cursor, NodeKind::comma, "','") || !value(b, cursor, "dest") ||
      !mixed_list(b, cursor, kExtractPosition))
    return true;
  if (cursor.is(NodeKind::dict)) b.dictionary(cursor.take());
  if (!b.expect(cursor, NodeKind::colon, "':' and types") || !operand_type(b, cursor, 0) || !b.expect_word(cursor, "into") ||
      !operand_type(b, cursor, 1) || !b.expect_end(cursor))
    return true;
  b.draft().results.push_back({b.type_of(b.draft().slots[1].front().value), {}});
  b.emit();
  return true;
}

}  // namespace pto::text
