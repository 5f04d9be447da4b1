// Types of results that the text does not state: they follow from the rest of the operation.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "asm/lex.hpp"
#include "asm/match.hpp"

namespace pto::text {

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

/// The part of a view that sizes name; those that are no constants are dynamic.
TypeId part_of_view(Binder& b, Type type, const std::vector<Draft::Operand>& sizes) {
  type.kind = TypeKind::partition_view;
  type.rank = static_cast<uint8_t>(std::min<size_t>(sizes.size(), kMaxRank));
  type.dims = {};
  for (size_t i = 0; i < type.rank; ++i) type.dims[i] = b.literal_of(sizes[i].value).value_or(kDynamic);
  return b.intern(type);
}

/// A tile's window of the sizes in attribute `spec`; its valid region is dynamic where one is written.
TypeId window_of_tile(Binder& b, Type type, int spec) {
  const Draft& draft = b.draft();
  const auto sizes = std::ranges::find(draft.attrs, static_cast<uint16_t>(spec), &Attr::spec);
  if (sizes == draft.attrs.end()) return kNoType;
  if (sizes->value.kind != AttrValue::Kind::int_array || sizes->value.array.count != 2) {
    b.fail("E0108", b.statement().name, fmt::format("{}: sizes are two numbers", b.op_name()));
    return kNoType;
  }
  const bool dynamic = !draft.slots[static_cast<size_t>(draft.schema->operand_slot("valid_row"))].empty();
  for (size_t i = 0; i < 2; ++i) {
    type.dims[i] = b.program().ints[sizes->value.array.first + i];
    type.valid[i] = dynamic ? kDynamic : type.dims[i];
  }
  return b.intern(type);
}

/// The position of a field, or the operation's name.
Span position_span(Binder& b) {
  const auto list = std::ranges::find(b.statement().nodes, NodeKind::bracket, &Node::kind);
  return list == b.statement().nodes.end() ? b.statement().name : Binder::span(*list);
}

/// The one type of a kind; kNoType where the kind has several.
TypeId only_type(Binder& b, uint32_t kinds) {
  static constexpr std::pair<uint32_t, Elem> kOnly[] = {{isa::kI1, Elem::i1},   {isa::kI8, Elem::i8},
                                                        {isa::kI16, Elem::i16}, {isa::kI32, Elem::i32},
                                                        {isa::kI64, Elem::i64}, {isa::kIndex, Elem::index}};
  for (const auto& [kind, elem] : kOnly) {
    if (kinds == kind) return b.elem_type(elem);
  }
  return kNoType;
}

/// The fields of `!llvm.struct<(ptr<1>, i64, array<1 x i64>)>`, and the one element type of `!llvm.array<4 x
/// i32>`.
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
  if (const size_t paren = body.find('('); paren != std::string_view::npos && body.ends_with(')'))
    body = body.substr(paren + 1, body.size() - paren - 2);
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
  const bool own = field.starts_with("ptr") || field.starts_with("struct") || field.starts_with("array") ||
                   field.starts_with("vec<");
  return own ? "!llvm." + std::string(field) : std::string(field);
}

}  // namespace

TypeId implied_type(Binder& b, const isa::OperandSpec& spec) {
  if (const TypeId only = only_type(b, spec.kinds); only != kNoType) return only;
  const isa::Schema& schema = *b.draft().schema;
  if (schema.attr_index("position") >= 0) return b.extracted_type(position_span(b));
  for (const auto& slot : b.draft().slots) {
    if (slot.empty() || !b.known(slot.front().value)) continue;
    const TypeId id = b.type_of(slot.front().value);
    const Type& type = b.program().types[id];
    if (spec.kinds == isa::kView)
      return part_of_view(b, type, b.draft().slots[static_cast<size_t>(schema.operand_slot("sizes"))]);
    if (const int sizes = schema.attr_index("sizes"); sizes >= 0) return window_of_tile(b, type, sizes);
    if (type.kind == TypeKind::memref && (spec.kinds & isa::kScalar) != 0)
      return element_type(b, type);  // memref.load
    return id;
  }
  return kNoType;
}

TypeId Binder::extracted_type(Span where) {
  const auto position = std::ranges::find(draft_.attrs, uint16_t{0}, &Attr::spec);
  if (position == draft_.attrs.end() || position->value.kind != AttrValue::Kind::int_array ||
      draft_.slots[0].empty())
    return kNoType;
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

}  // namespace pto::text
