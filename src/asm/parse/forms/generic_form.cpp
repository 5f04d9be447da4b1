#include "asm/parse/forms/generic_form.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "asm/parse/forms/syntax_hooks.hpp"
#include "support/saturating.hpp"

namespace pto::text {

/// The value of a constant has the type of the result; numbers are scalars.
void GenericForm::check_constant(AttrValue& value, const Draft::Result& result) {
  using Kind = AttrValue::Kind;
  const bool number =
      value.kind == Kind::integer || value.kind == Kind::floating || value.kind == Kind::boolean;
  const Type& type = p_.program.types[result.type];
  const bool fits =
      !number || (type.kind == TypeKind::scalar && is_float(type.elem) == (value.kind == Kind::floating) &&
                  (value.type == kNoType || value.type == result.type));
  if (!fits)
    p_.report
        .fail(E0115, result.span,
              fmt::format("{}: the value is not a {}", p_.reader.op_name(), to_string(type)))
        .help = "a constant's value and result have one type";
  value.type = result.type;
}

namespace {

/// How many values each slot has when nothing says so: optional and variadic slots take what is left, in
/// order.
std::vector<int64_t> share_out(const isa::Schema& schema, size_t operands) {
  size_t required = 0;
  for (const isa::OperandSpec& spec : schema.operands) required += spec.arity == isa::Arity::one ? 1 : 0;
  size_t spare = operands >= required ? operands - required : 0;
  std::vector<int64_t> segments;
  for (const isa::OperandSpec& spec : schema.operands) {
    const size_t take = spec.arity == isa::Arity::one        ? 1
                        : spec.arity == isa::Arity::optional ? std::min<size_t>(spare, 1)
                                                             : spare;
    if (spec.arity != isa::Arity::one) spare -= take;
    segments.push_back(static_cast<int64_t>(take));
  }
  return segments;
}

}  // namespace

/// `operandSegmentSizes` of the dictionaries: how many values each slot has.
std::vector<int64_t> GenericForm::segment_sizes(const std::vector<uint32_t>& dicts) {
  std::vector<int64_t> segments;
  for (const uint32_t dict : dicts) {
    for (Cursor entries = p_.reader.items().into(p_.reader.nodes()[dict]); !entries.done();) {
      const Node& entry = entries.take_token();
      if (entry.kind != NodeKind::entry) continue;
      Cursor pair = entries.into(entry);
      if (p_.reader.text(pair.take_token()) != "operandSegmentSizes") continue;
      pair.accept(NodeKind::equal);
      const AttrValue sizes = p_.attributes.value(pair, nullptr, span_of(entry));
      if (sizes.kind != AttrValue::Kind::int_array) continue;
      for (uint32_t i = 0; i < sizes.array.count; ++i)
        segments.push_back(p_.program.ints[sizes.array.first + i]);
      p_.program.ints.resize(sizes.array.first);
    }
  }
  return segments;
}

/// `[^bb1, ^bb2]`: the branch rows name their blocks in attributes.
bool GenericForm::successors(Cursor& cursor) {
  size_t spec = 0;
  for (Cursor list = cursor.into(cursor.take_token()); !list.done();) {
    if (!list.is(NodeKind::caret)) return p_.reader.expect(list, NodeKind::caret, "a block, as in ^bb1");
    const Node& block = list.take_token();
    while (spec < p_.draft.schema->attrs.size() && p_.draft.schema->attrs[spec].type != isa::AttrType::symbol)
      ++spec;
    if (spec >= p_.draft.schema->attrs.size()) {
      p_.report.fail(E0116, span_of(block),
                     fmt::format("{} does not branch to so many blocks", p_.reader.op_name()));
      return false;
    }
    p_.draft.set(p_.draft.schema->attrs[spec++].name, AttrValue::Kind::symbol,
                 p_.reader.text(block).substr(1));
    if (!list.done() && !p_.reader.expect(list, NodeKind::comma, "','")) return false;
  }
  return true;
}

bool GenericForm::operands(const isa::Schema& schema, MatchFailure& mismatch, Cursor& cursor,
                           std::vector<uint32_t>& found) {
  if (!cursor.is(NodeKind::paren))
    return p_.reader.reject(mismatch, cursor, E0101,
                            fmt::format("{}: expected '(' after the name", p_.reader.op_name()));
  Cursor inner = cursor.into(cursor.take_token());
  while (!inner.done()) {
    if (!inner.is(NodeKind::operand))
      return p_.reader.reject(mismatch, inner, E0101,
                              fmt::format("{}: expected an operand here", p_.reader.op_name()));
    found.push_back(inner.index());
    inner.take_token();
    if (!inner.accept(NodeKind::comma) && !inner.done())
      return p_.reader.reject(mismatch, inner, E0101,
                              fmt::format("{}: expected ',' here", p_.reader.op_name()));
  }
  Cursor blocks = cursor;
  cursor.accept(NodeKind::bracket);
  std::vector<uint32_t> dicts;
  while (cursor.is(NodeKind::props) || cursor.is(NodeKind::dict)) {
    dicts.push_back(cursor.index());
    cursor.take_token();
  }
  std::vector<int64_t> segments = segment_sizes(dicts);
  if (segments.empty()) segments = share_out(schema, found.size());
  // The public operation has one list for all forms: what this form lacks is empty.
  const bool several =
      segments.size() > schema.operands.size() &&
      std::ranges::all_of(schema.operands, [](const auto& spec) { return spec.arity == isa::Arity::one; });
  if (several) std::erase(segments, 0);
  int64_t total = 0;
  for (const int64_t size : segments) total = sat_add<int64_t>(total, size < 0 ? 1 << 20 : size);
  bool fits = total == static_cast<int64_t>(found.size()) && segments.size() <= schema.operands.size();
  for (size_t slot = 0; fits && slot < schema.operands.size(); ++slot) {
    const int64_t size = slot < segments.size() ? segments[slot] : 0;
    fits = schema.operands[slot].arity == isa::Arity::variadic || size <= 1;
    if (!fits || !several) continue;
    const ValueId value = slot < found.size() ? p_.names.peek(p_.reader.nodes()[found[slot]]) : kNoValue;
    fits = value == kNoValue ||
           p_.program.type_of(value).is_tile() == ((schema.operands[slot].kinds & isa::kTile) != 0);
  }
  if (!fits)
    return p_.reader.reject(
        mismatch, cursor, E0116,
        fmt::format("{}: {} operands do not fit its operand list", p_.reader.op_name(), found.size()),
        p_.reader.statement().name);
  size_t next = 0;
  for (size_t slot = 0; slot < segments.size(); ++slot) {
    for (int64_t k = 0; k < segments[slot]; ++k, ++next)
      p_.draft.add(static_cast<int>(slot), p_.names.use(p_.reader.nodes()[found[next]]),
                   span_of(p_.reader.nodes()[found[next]]));
  }
  if (blocks.is(NodeKind::bracket) && !successors(blocks)) return true;
  for (const uint32_t dict : dicts) dictionary(p_.reader.nodes()[dict]);
  return true;
}

void GenericForm::dictionary(const Node& dict) {
  p_.attributes.dictionary(dict, [&](std::string_view key, Cursor value) { return entry(key, value); });
}

/// Entries of a generic form's dictionaries that are not attributes here, or are written in another way.
bool GenericForm::entry(std::string_view name, Cursor value) {
  if (name == "operandSegmentSizes" || name == "resultSegmentSizes") return true;
  const isa::Row& row = *p_.draft.schema->row;
  if (row.opcode_class == isa::OpcodeClass::function) {
    if (name == "arg_attrs" || name == "res_attrs") return true;
    if (name == "function_type") {
      function_type(value);
      return true;
    }
    return false;
  }
  if (row.opcode_class == isa::OpcodeClass::constant && name == "value") {
    Draft::Result constant;
    const AttrValue parsed = constant_value(p_, value, constant);
    if (!p_.report.failed()) p_.draft.set("value", parsed);
    return true;
  }
  if (row.layer != isa::Layer::scalar) return false;
  // `overflowFlags = #arith.overflow<nsw>` stands as `overflow<nsw>` behind the operands; none is not
  // written.
  if (!value.is(NodeKind::attr) || !p_.reader.text(value.peek()).starts_with("#arith.")) return false;
  const std::string_view flags = p_.reader.text(value.peek()).substr(7);
  if (flags.ends_with("<none>")) return true;
  p_.draft.set(name == "overflowFlags" ? "overflow" : name, AttrValue::Kind::raw, flags);
  return true;
}

/// `(types) -> (types)`: the results go into the attribute, the arguments are those of the body, or of a
/// declaration.
void GenericForm::function_type(Cursor value) {
  function_args_.clear();
  std::vector<Draft::Result> results;
  if (!value.is(NodeKind::paren))
    return void(p_.reader.expect(value, NodeKind::paren, "'(' and the argument types"));
  if (!p_.types.list(value, function_args_) ||
      !p_.reader.expect(value, NodeKind::arrow, "'->' and the result types") ||
      !p_.types.list(value, results))
    return;
  set_function_results(p_, results);
}

bool GenericForm::match(const isa::Schema& schema, MatchFailure& mismatch) {
  Cursor cursor = p_.reader.items();
  std::vector<uint32_t> operands;
  function_args_.clear();
  if (!this->operands(schema, mismatch, cursor, operands)) return false;
  if (p_.report.failed()) return true;
  if (p_.reader.statement().region) {  // the types follow the regions
    p_.draft.results.assign(p_.reader.result_count(), {});
    p_.reader.expect_end(cursor);
    return true;
  }
  if (schema.row->regions.most != 0) {
    p_.report.fail(E0120, p_.reader.statement().name,
                   fmt::format("{}: a region in '({{' and '}})' is missing", p_.reader.op_name()));
    return true;
  }
  check_positional_attributes(schema, p_.draft.attrs);
  check_groups(schema.syntax);
  check_shown();
  check_mixed_lists(schema);
  if (!p_.reader.expect(cursor, NodeKind::colon, "':' and types")) return true;
  std::vector<Draft::Result> written;
  if (!p_.types.list(cursor, written)) return true;
  for (size_t i = 0; i < std::min(written.size(), operands.size()); ++i) {
    const Node& node = p_.reader.nodes()[operands[i]];
    if (!p_.report.failed())
      p_.types.check(p_.names.use(node), span_of(node), written[i].type, written[i].span);
  }
  if (written.size() != operands.size())
    p_.report.fail(
        E0116, p_.reader.statement().name,
        fmt::format("{}: {} operands but {} types", p_.reader.op_name(), operands.size(), written.size()));
  if (cursor.accept(NodeKind::arrow)) p_.types.list(cursor, p_.draft.results);
  if (!p_.report.failed()) check_implied_results(schema);
  if (schema.row->opcode_class == isa::OpcodeClass::constant && !p_.report.failed() &&
      !p_.draft.results.empty()) {
    const auto value = std::ranges::find(p_.draft.attrs, schema.attr_index("value"), &Attr::spec);
    if (value != p_.draft.attrs.end()) check_constant(value->value, p_.draft.results.front());
  }
  p_.reader.expect_end(cursor);
  return true;
}

}  // namespace pto::text
