// The generic form of MLIR's printers:
//   "name"(operands)[successors] <{properties}> ({regions}) {attributes} : (types) -> (types) loc(..)
//
// The types of an operation with regions stand behind them, so its results are made without types and get
// them at the end.
#include <fmt/format.h>

#include <algorithm>

#include "asm/binder.hpp"
#include "asm/lex.hpp"
#include "asm/match.hpp"

namespace pto::text {

namespace {

void named_attributes(const isa::Schema& schema, const std::vector<isa::SyntaxNode>& nodes,
                      std::vector<bool>& named) {
  for (const isa::SyntaxNode& node : nodes) {
    if (node.kind == isa::SyntaxNode::Kind::attr || node.kind == isa::SyntaxNode::Kind::type_attr ||
        node.kind == isa::SyntaxNode::Kind::is)
      named[node.index] = true;
    if (node.kind == isa::SyntaxNode::Kind::mixed) named[schema.mixed[node.index].attr] = true;
    const bool read_only = node.kind == isa::SyntaxNode::Kind::accepted;
    if (!read_only) named_attributes(schema, node.children, named);
  }
}

}  // namespace

/// An attribute with a place of its own in the operation's syntax cannot be left out: there would be no way
/// to print it.
void Binder::require_positional_attributes(const isa::Schema& schema, std::span<const Attr> attrs) {
  std::vector<bool> named(schema.attrs.size(), schema.row->syntax.starts_with("@custom"));
  named_attributes(schema, schema.syntax, named);
  for (size_t i = 0; i < schema.attrs.size(); ++i) {
    const isa::AttrSpec& spec = schema.attrs[i];
    const bool positional = named[i];
    const auto written = [i](const Attr& attr) { return attr.spec == i; };
    if (spec.required && positional && std::none_of(attrs.begin(), attrs.end(), written))
      fail("E0101", statement_.name, fmt::format("{}: the attribute '{}' is missing", op_name(), spec.name));
    const auto no_symbol = [i](const Attr& attr) {
      return attr.spec == i && attr.value.kind != AttrValue::Kind::symbol;
    };
    if (positional && spec.type == isa::AttrType::symbol &&
        std::any_of(attrs.begin(), attrs.end(), no_symbol))
      fail("E0108", statement_.name, fmt::format("{}: '{}' is a symbol, as in @name", op_name(), spec.name));
  }
}

/// A marker in the array for every value of the slot, and no other: the list could not be printed.
void Binder::check_mixed_lists(const isa::Schema& schema) {
  for (const isa::MixedList& list : schema.mixed) {
    size_t markers = 0;
    for (const Attr& attr : draft_.attrs) {
      if (attr.spec != list.attr || attr.value.kind != AttrValue::Kind::int_array) continue;
      const auto first = program_.ints.begin() + attr.value.array.first;
      markers += static_cast<size_t>(std::count(first, first + attr.value.array.count, list.marker));
    }
    const size_t values = draft_.slots[list.slot].size();
    if (markers == values) continue;
    fail("E0152", statement_.name,
         fmt::format("{}: {} has {} dynamic entr{}, but {} value{} given as {}", op_name(),
                     schema.attrs[list.attr].name, markers, markers == 1 ? "y" : "ies", values,
                     values == 1 ? " is" : "s are", schema.operands[list.slot].name))
        .help = fmt::format("a dynamic entry is {}", list.marker);
    return;
  }
}

namespace {

bool names_result(const std::vector<isa::SyntaxNode>& nodes, size_t result) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const isa::SyntaxNode& node) {
    return (node.kind == isa::SyntaxNode::Kind::type_result && node.index == result) ||
           names_result(node.children, result);
  });
}

/// The operand whose type a result has by `type($operand, $result)`; -1 when there is none.
int same_type(const std::vector<isa::SyntaxNode>& nodes, size_t result) {
  for (const isa::SyntaxNode& node : nodes) {
    if (node.kind == isa::SyntaxNode::Kind::type_operand && names_result(node.children, result))
      return node.index;
    if (const int inner = same_type(node.children, result); inner >= 0) return inner;
  }
  return -1;
}

}  // namespace

/// A result whose type the operation's own syntax leaves out has the type that follows from the rest.
void Binder::check_implied_results(const isa::Schema& schema) {
  for (size_t i = 0; i < schema.results.size() && i < draft_.results.size(); ++i) {
    TypeId implied = kNoType;
    if (const int same = same_type(schema.syntax, i);
        same >= 0 && !draft_.slots[static_cast<size_t>(same)].empty())
      implied = type_of(draft_.slots[static_cast<size_t>(same)].front().value);
    else if (!schema.row->syntax.starts_with('@') && schema.results[i].arity == isa::Arity::one &&
             !names_result(schema.syntax, i))
      implied = implied_type(*this, schema.results[i]);
    if (failed_ || implied == kNoType || implied == draft_.results[i].type) continue;
    fail("E0115", draft_.results[i].span,
         fmt::format("{}: its result is {}, but {} is written", op_name(), to_string(program_.types[implied]),
                     to_string(program_.types[draft_.results[i].type])));
  }
}

/// The value of a constant has the type of the result; numbers are scalars.
void Binder::check_constant(AttrValue& value, const Draft::Result& result) {
  using Kind = AttrValue::Kind;
  const bool number =
      value.kind == Kind::integer || value.kind == Kind::floating || value.kind == Kind::boolean;
  const Type& type = program_.types[result.type];
  const bool fits =
      !number || (type.kind == TypeKind::scalar && is_float(type.elem) == (value.kind == Kind::floating) &&
                  (value.type == kNoType || value.type == result.type));
  if (!fits)
    fail("E0115", result.span, fmt::format("{}: the value is not a {}", op_name(), to_string(type))).help =
        "a constant's value and result have one type";
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
std::vector<int64_t> Binder::segment_sizes(const std::vector<uint32_t>& dicts) {
  std::vector<int64_t> segments;
  for (const uint32_t dict : dicts) {
    for (Cursor entries = items().into(statement_.nodes[dict]); !entries.done();) {
      const Node& entry = entries.take();
      if (entry.kind != NodeKind::entry) continue;
      Cursor pair = entries.into(entry);
      if (text(pair.take()) != "operandSegmentSizes") continue;
      pair.accept(NodeKind::equal);
      const AttrValue sizes = attribute(pair, nullptr, span(entry));
      if (sizes.kind != AttrValue::Kind::int_array) continue;
      for (uint32_t i = 0; i < sizes.array.count; ++i)
        segments.push_back(program_.ints[sizes.array.first + i]);
      program_.ints.resize(sizes.array.first);
    }
  }
  return segments;
}

/// `[^bb1, ^bb2]`: the branch rows name their blocks in attributes.
bool Binder::successors(Cursor& cursor) {
  size_t spec = 0;
  for (Cursor list = cursor.into(cursor.take()); !list.done();) {
    if (!list.is(NodeKind::caret)) return expect(list, NodeKind::caret, "a block, as in ^bb1");
    const Node& block = list.take();
    while (spec < draft_.schema->attrs.size() && draft_.schema->attrs[spec].type != isa::AttrType::symbol)
      ++spec;
    if (spec >= draft_.schema->attrs.size())
      return fail("E0116", span(block), fmt::format("{} does not branch to so many blocks", op_name())),
             false;
    AttrValue target;
    target.kind = AttrValue::Kind::symbol;
    target.text = intern(text(block).substr(1));
    set_attr(draft_.schema->attrs[spec++].name, target);
    if (!list.done() && !expect(list, NodeKind::comma, "','")) return false;
  }
  return true;
}

bool Binder::generic_operands(const isa::Schema& schema, Mismatch& mismatch, Cursor& cursor,
                              std::vector<uint32_t>& operands) {
  if (!cursor.is(NodeKind::paren))
    return reject(mismatch, cursor, "E0101", fmt::format("{}: expected '(' after the name", op_name()));
  Cursor inner = cursor.into(cursor.take());
  while (!inner.done()) {
    if (!inner.is(NodeKind::operand))
      return reject(mismatch, inner, "E0101", fmt::format("{}: expected an operand here", op_name()));
    operands.push_back(inner.index());
    inner.take();
    if (!inner.accept(NodeKind::comma) && !inner.done())
      return reject(mismatch, inner, "E0101", fmt::format("{}: expected ',' here", op_name()));
  }
  Cursor blocks = cursor;
  cursor.accept(NodeKind::bracket);
  std::vector<uint32_t> dicts;
  while (cursor.is(NodeKind::props) || cursor.is(NodeKind::dict)) {
    dicts.push_back(cursor.index());
    cursor.take();
  }
  std::vector<int64_t> segments = segment_sizes(dicts);
  if (segments.empty()) segments = share_out(schema, operands.size());
  int64_t total = 0;
  for (const int64_t size : segments) total += size < 0 ? 1 << 20 : size;
  bool fits = total == static_cast<int64_t>(operands.size()) && segments.size() <= schema.operands.size();
  for (size_t slot = 0; fits && slot < schema.operands.size(); ++slot) {
    const int64_t size = slot < segments.size() ? segments[slot] : 0;
    fits = schema.operands[slot].arity == isa::Arity::variadic || size <= 1;
  }
  if (!fits)
    return reject(mismatch, cursor, "E0116",
                  fmt::format("{}: {} operands do not fit its operand list", op_name(), operands.size()),
                  statement_.name);
  size_t next = 0;
  for (size_t slot = 0; slot < segments.size(); ++slot) {
    for (int64_t k = 0; k < segments[slot]; ++k, ++next)
      draft_.add(static_cast<int>(slot), use(statement_.nodes[operands[next]]),
                 span(statement_.nodes[operands[next]]));
  }
  if (blocks.is(NodeKind::bracket) && !successors(blocks)) return true;
  for (const uint32_t dict : dicts) dictionary(statement_.nodes[dict]);
  return true;
}

/// Entries of a generic form's dictionaries that are not attributes here, or are written in another way.
bool Binder::generic_entry(std::string_view name, const Node& key, Cursor value) {
  if (name == "operandSegmentSizes" || name == "resultSegmentSizes") return true;
  const isa::Row& row = *draft_.schema->row;
  if (row.does == isa::Does::function) {
    if (name == "arg_attrs" || name == "res_attrs") return true;
    if (name == "function_type") return function_type(value), true;
    return false;
  }
  if (row.does == isa::Does::constant && name == "value") {
    Draft::Result constant;
    const AttrValue parsed = constant_value(value, constant);
    if (!failed_) set_attr("value", parsed);
    return true;
  }
  if (row.layer != isa::Layer::scalar) return false;
  // `overflowFlags = #arith.overflow<nsw>` stands as `overflow<nsw>` behind the operands; none is not
  // written.
  if (!value.is(NodeKind::attr) || !text(value.peek()).starts_with("#arith.")) return false;
  const std::string_view flags = text(value.peek()).substr(7);
  if (flags.ends_with("<none>")) return true;
  AttrValue raw;
  raw.kind = AttrValue::Kind::raw;
  raw.text = intern(flags);
  set_attr(name == "overflowFlags" ? "overflow" : name, raw);
  (void)key;
  return true;
}

/// `(types) -> (types)`: the results go into the attribute, the arguments are those of the body, or of a
/// declaration.
void Binder::function_type(Cursor value) {
  function_args_.clear();
  std::vector<Draft::Result> results;
  if (!value.is(NodeKind::paren)) return void(expect(value, NodeKind::paren, "'(' and the argument types"));
  if (!types(value, function_args_) || !expect(value, NodeKind::arrow, "'->' and the result types") ||
      !types(value, results))
    return;
  set_function_results(results);
}

void Binder::set_function_results(const std::vector<Draft::Result>& results) {
  if (results.empty()) return;
  std::string list;
  for (const Draft::Result& result : results)
    list += (list.empty() ? "" : ", ") + to_string(program_.types[result.type]);
  AttrValue value;
  value.kind = AttrValue::Kind::raw;
  value.text = intern(list);
  set_attr("function_results", value);
}

/// Operands that stand together in a repeated group are equally many: other counts could not be printed.
void Binder::require_equal_groups(const std::vector<isa::SyntaxNode>& nodes) {
  for (const isa::SyntaxNode& node : nodes) {
    if (node.kind != isa::SyntaxNode::Kind::repeat) {
      require_equal_groups(node.children);
      continue;
    }
    std::optional<uint16_t> first;
    for (const isa::SyntaxNode& part : node.children) {
      if (part.kind != isa::SyntaxNode::Kind::group) continue;
      for (const isa::SyntaxNode& item : part.children) {
        if (item.kind != isa::SyntaxNode::Kind::operand || failed_) continue;
        if (!first) first = item.index;
        const size_t wanted = draft_.slots[*first].size(), has = draft_.slots[item.index].size();
        if (has == wanted) continue;
        fail("E0116", statement_.name,
             fmt::format("{}: '{}' and '{}' come in groups, but {} and {} are given", op_name(),
                         draft_.schema->operands[*first].name, draft_.schema->operands[item.index].name,
                         wanted, has));
      }
    }
  }
}

bool Binder::match_generic(const isa::Schema& schema, Mismatch& mismatch) {
  Cursor cursor = items();
  std::vector<uint32_t> operands;
  function_args_.clear();
  if (!generic_operands(schema, mismatch, cursor, operands)) return false;
  if (failed_) return true;
  if (statement_.region) {  // the types follow the regions
    draft_.results.assign(result_count(), {});
    expect_end(cursor);
    return true;
  }
  if (schema.row->regions.most != 0)
    return fail("E0120", statement_.name,
                fmt::format("{}: a region in '({{' and '}})' is missing", op_name())),
           true;
  require_positional_attributes(schema, draft_.attrs);
  require_equal_groups(schema.syntax);
  require_printable();
  check_mixed_lists(schema);
  if (!expect(cursor, NodeKind::colon, "':' and types")) return true;
  std::vector<Draft::Result> written;
  if (!types(cursor, written)) return true;
  for (size_t i = 0; i < std::min(written.size(), operands.size()); ++i) {
    const Node& node = statement_.nodes[operands[i]];
    if (!failed_) check_type(use(node), span(node), written[i].type, written[i].span);
  }
  if (written.size() != operands.size())
    fail("E0116", statement_.name,
         fmt::format("{}: {} operands but {} types", op_name(), operands.size(), written.size()));
  if (cursor.accept(NodeKind::arrow)) types(cursor, draft_.results);
  if (!failed_) check_implied_results(schema);
  if (schema.row->does == isa::Does::constant && !failed_ && !draft_.attrs.empty() && !draft_.results.empty())
    check_constant(draft_.attrs.front().value, draft_.results.front());
  expect_end(cursor);
  return true;
}

}  // namespace pto::text
