// Types of results that the text does not state: they follow from the rest of the operation.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "analysis/constant_folding.hpp"
#include "asm/parse/forms/syntax_matcher.hpp"
#include "asm/parse/text/scanner.hpp"
#include "ir/op_queries.hpp"

namespace pto::text {

namespace {

TypeId element_type(BinderContext& p, const Type& memref) {
  if (memref.vec_lanes == 0) return p.types.scalar(memref.elem);
  Type vector;
  vector.kind = TypeKind::vector;
  vector.elem = memref.elem;
  vector.rank = 1;
  vector.dims[0] = memref.vec_lanes;
  return p.program.types.intern(vector);
}

/// The integer a value is when an arith.constant defines it.
std::optional<int64_t> literal_of(const Program& program, ValueId value) {
  const auto after = std::upper_bound(program.ops.begin(), program.ops.end(), value,
                                      [](ValueId v, const Op& op) { return v < op.first_result; });
  if (after == program.ops.begin()) return std::nullopt;
  const OpView defining_op(program, static_cast<uint32_t>(after - program.ops.begin()) - 1);
  const bool literal =
      isa::opcode_class(defining_op) == isa::OpcodeClass::constant && defining_op.result(0) == value;
  return literal ? fold(defining_op, {}) : std::nullopt;
}

/// The part of a view that sizes name; those that are no constants are dynamic.
TypeId part_of_view(BinderContext& p, Type type, const std::vector<Draft::Operand>& sizes) {
  type.kind = TypeKind::partition_view;
  type.rank = static_cast<uint8_t>(std::min<size_t>(sizes.size(), kMaxRank));
  type.dims = {};
  for (size_t i = 0; i < type.rank; ++i)
    type.dims[i] = literal_of(p.program, sizes[i].value).value_or(kDynamic);
  return p.program.types.intern(type);
}

/// A tile's window of the sizes in attribute `spec`; its valid region is dynamic where one is written.
TypeId window_of_tile(BinderContext& p, Type type, int spec) {
  const Draft& draft = p.draft;
  const auto sizes = std::ranges::find(draft.attrs, static_cast<uint16_t>(spec), &Attr::spec);
  if (sizes == draft.attrs.end()) return kNoType;
  if (sizes->value.kind != AttrValue::Kind::int_array || sizes->value.array.count != 2) {
    p.report.fail(E0108, p.reader.statement().name,
                  fmt::format("{}: the sizes are two integers", p.reader.op_name()));
    return kNoType;
  }
  const bool dynamic = !draft.slots[static_cast<size_t>(draft.schema->operand_slot("valid_row"))].empty();
  for (size_t i = 0; i < 2; ++i) {
    type.dims[i] = p.program.ints[sizes->value.array.first + i];
    type.valid[i] = dynamic ? kDynamic : type.dims[i];
  }
  return p.program.types.intern(type);
}

/// The position of a field, or the operation's name.
Span position_span(BinderContext& p) {
  const auto list = std::ranges::find(p.reader.nodes(), NodeKind::bracket, &Node::kind);
  return list == p.reader.nodes().end() ? p.reader.statement().name : span_of(*list);
}

/// The one type of a kind; kNoType where the kind has several.
TypeId only_type(BinderContext& p, uint32_t kinds) {
  static constexpr std::pair<uint32_t, Elem> kOnly[] = {{isa::kI1, Elem::i1},   {isa::kI8, Elem::i8},
                                                        {isa::kI16, Elem::i16}, {isa::kI32, Elem::i32},
                                                        {isa::kI64, Elem::i64}, {isa::kIndex, Elem::index}};
  for (const auto& [kind, elem] : kOnly) {
    if (kinds == kind) return p.types.scalar(elem);
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

/// The type of the field that the draft names; reports when there is none.
TypeId extracted_type(BinderContext& p) {
  const auto position = std::ranges::find(p.draft.attrs, uint16_t{0}, &Attr::spec);
  if (position == p.draft.attrs.end() || position->value.kind != AttrValue::Kind::int_array ||
      p.draft.slots[0].empty())
    return kNoType;
  const ValueId container = p.draft.slots[0].front().value;
  if (!p.names.known(container)) return kNoType;
  std::string type = p.types.name(p.types.type_of(container));
  for (uint32_t i = 0; i < position->value.array.count; ++i) {
    const int64_t index = p.program.ints[position->value.array.first + i];
    const std::string_view field = field_of(type, index);
    if (field.empty()) {
      p.report.fail(E0150, position_span(p),
                    fmt::format("{}: {} has no field {}", p.reader.op_name(), type, index));
      return kNoType;
    }
    type = spelled_out(field);
  }
  std::string problem;
  const std::optional<Type> parsed = parse_type(type, p.program.target, problem);
  if (parsed) return p.program.types.intern(*parsed);
  p.report.fail(E0107, position_span(p), std::move(problem));
  return kNoType;
}

}  // namespace

TypeId implied_type(BinderContext& p, const isa::OperandSpec& spec) {
  if (const TypeId only = only_type(p, spec.kinds); only != kNoType) return only;
  const isa::Schema& schema = *p.draft.schema;
  if (schema.attr_index("position") >= 0) return extracted_type(p);
  for (const auto& slot : p.draft.slots) {
    if (slot.empty() || !p.names.known(slot.front().value)) continue;
    const TypeId id = p.types.type_of(slot.front().value);
    const Type& type = p.program.types[id];
    if (spec.kinds == isa::kView)
      return part_of_view(p, type, p.draft.slots[static_cast<size_t>(schema.operand_slot("sizes"))]);
    if (const int sizes = schema.attr_index("sizes"); sizes >= 0) return window_of_tile(p, type, sizes);
    if (spec.kinds == isa::kVector && type.kind != TypeKind::vector) continue;  // llvm.insertelement
    if (spec.kinds == isa::kScalar && type.kind == TypeKind::vector) return p.types.scalar(type.elem);
    if (type.kind == TypeKind::memref && (spec.kinds & isa::kScalar) != 0)
      return element_type(p, type);  // memref.load
    return id;
  }
  return kNoType;
}

}  // namespace pto::text
