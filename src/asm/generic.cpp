// The generic form of MLIR's printers:
//   "name"(operands)[successors] <{properties}> ({regions}) {attributes} : (types) -> (types) loc(..)
//
// The types of an operation with regions stand behind them, so its results are made without types and get them at the end.
#include <fmt/format.h>

#include <algorithm>

#include "asm/binder.hpp"
#include "asm/lex.hpp"
#include "asm/match.hpp"
#include "asm/mixed.hpp"

namespace pto::text {

/// An attribute with a place of its own in the operation's syntax cannot be left out: there would be no way to print it.
void Binder::require_positional_attributes(const isa::Schema& schema, std::span<const Attr> attrs) {
  const std::string_view syntax = schema.row->syntax;
  for (size_t i = 0; i < schema.attrs.size(); ++i) {
    const isa::AttrSpec& spec = schema.attrs[i];
    const bool positional = syntax.starts_with("@custom") || syntax.find(fmt::format("${}", spec.name)) != std::string_view::npos;
    const auto written = [i](const Attr& attr) { return attr.spec == i; };
    if (spec.required && positional && std::none_of(attrs.begin(), attrs.end(), written))
      fail("E0101", statement_.name, fmt::format("{}: the attribute '{}' is missing", op_name(), spec.name));
    const auto no_symbol = [i](const Attr& attr) { return attr.spec == i && attr.value.kind != AttrValue::Kind::symbol; };
    if (positional && spec.type == isa::AttrType::symbol && std::any_of(attrs.begin(), attrs.end(), no_symbol))
      fail("E0108", statement_.name, fmt::format("{}: '{}' is a symbol, as in @name", op_name(), spec.name));
  }
}

namespace {

/// Slots that an optional group of a syntax string names, groups within it left out.
void grouped_slots(const std::vector<isa::SyntaxNode>& nodes, std::vector<uint16_t>& out) {
  for (const isa::SyntaxNode& node : nodes) {
    if (node.kind == isa::SyntaxNode::Kind::operand) out.push_back(node.index);
    if (node.kind != isa::SyntaxNode::Kind::optional && node.kind != isa::SyntaxNode::Kind::repeat) grouped_slots(node.children, out);
  }
}

}  // namespace

/// Operands of one optional group are given together, and those that are told by their position without a gap: else there
/// would be no way to print them.
void Binder::require_whole_groups(const isa::Schema& schema, const std::vector<isa::SyntaxNode>& nodes) {
  const auto given = [&](size_t slot) { return !draft_.slots[slot].empty(); };
  const auto apart = [&](size_t with, size_t without) {
    fail("E0116", draft_.slots[with].front().span, fmt::format("{}: '{}' without '{}'", op_name(), schema.operands[with].name, schema.operands[without].name));
  };
  for (const isa::SyntaxNode& node : nodes) {
    if (node.kind == isa::SyntaxNode::Kind::optional) {
      std::vector<uint16_t> slots;
      grouped_slots(node.children, slots);
      for (size_t i = 1; i < slots.size(); ++i) {
        if (given(slots[i]) != given(slots[0])) return given(slots[i]) ? apart(slots[i], slots[0]) : apart(slots[0], slots[i]);
      }
    }
    require_whole_groups(schema, node.children);
  }
  if (&nodes != &schema.syntax) return;
  const int event = schema.row->syntax == "@custom:sync" ? schema.attr_index("event_id") : -1;
  const auto is_event = [event](const Attr& attr) { return attr.spec == event; };
  if (event >= 0 && given(0) == std::any_of(draft_.attrs.begin(), draft_.attrs.end(), is_event))
    fail("E0116", statement_.name, fmt::format("{}: one event id is needed, as number or operand", op_name()));
  if (schema.row->syntax == "@custom:mte_l0c") return require_whole_clauses(schema);
  if (schema.row->syntax != "@custom:initialize_l2_pipe") return;
  for (size_t i = 1; i < schema.operands.size(); ++i) {
    if (given(i) && !given(i - 1)) return apart(i, i - 1);
  }
}

/// Operands of the clauses of mte_l0c_* go with the attribute that their clause is printed for.
void Binder::require_whole_clauses(const isa::Schema& schema) {
  const auto value = [&](std::string_view attr) -> std::optional<int64_t> {
    const int spec = schema.attr_index(attr);
    for (const Attr& given : draft_.attrs) {
      if (given.spec == spec) return given.value.integer;
    }
    return std::nullopt;
  };
  const auto given = [&](std::string_view operand) {
    const int slot = schema.operand_slot(operand);
    return slot >= 0 && !draft_.slots[static_cast<size_t>(slot)].empty();
  };
  const auto require = [&](bool whole, std::string_view what) {
    if (!whole && !failed_) fail("E0116", statement_.name, fmt::format("{}: {}", op_name(), what));
  };
  require(given("loop3_count") == given("loop3_src_stride") && given("loop3_count") == given("loop3_dst_stride"), "loop3 has a count and two strides");
  require(given("pre_quant") == value("pre_quant_mode").has_value(), "'pre_quant' and 'pre_quant_mode' go together");
  require(value("pre_relu_mode") || (!given("pre_relu") && !given("clip_value")), "'pre_relu' and 'clip_value' need 'pre_relu_mode'");
  require(!given("sub_blockid") || value("dst_mode") == 0, "'sub_blockid' goes with dst_mode 0");
  require(!given("split") || value("mode") == 2, "'split' goes with nz2nz");
  require(!given("loop0_src_stride") || value("mode") == 1, "'loop0_src_stride' goes with nz2dn");
  require(value("atomic_type").has_value() == value("atomic_op").has_value(), "'atomic_type' and 'atomic_op' go together");
}

/// A marker in the array for every value of the slot, and no other: the list could not be printed.
void Binder::check_mixed_lists(const isa::Schema& schema) {
  for (const MixedList& list : {kOffsets, kSizes, kStrides, kOutputShape, kExtractPosition, kIndices}) {
    const int slot = schema.operand_slot(list.slot), spec = schema.attr_index(list.attr);
    if (slot < 0 || spec < 0) continue;
    size_t markers = 0;
    for (const Attr& attr : draft_.attrs) {
      if (attr.spec != spec || attr.value.kind != AttrValue::Kind::int_array) continue;
      const auto first = program_.ints.begin() + attr.value.array.first;
      markers += static_cast<size_t>(std::count(first, first + attr.value.array.count, list.marker));
    }
    const size_t values = draft_.slots[static_cast<size_t>(slot)].size();
    if (markers == values) continue;
    fail("E0152", statement_.name, fmt::format("{}: {} has {} dynamic entr{}, but {} value{} given as {}", op_name(), list.attr, markers, markers == 1 ? "y" : "ies",
                                               values, values == 1 ? " is" : "s are", list.slot))
        .help = fmt::format("a dynamic entry is {}", list.marker);
    return;
  }
}

namespace {

bool names_result(const std::vector<isa::SyntaxNode>& nodes, size_t result) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const isa::SyntaxNode& node) {
    return (node.kind == isa::SyntaxNode::Kind::type_result && node.index == result) || names_result(node.children, result);
  });
}

}  // namespace

/// A result whose type the operation's own syntax leaves out has the type that follows from the rest.
void Binder::check_implied_results(const isa::Schema& schema) {
  for (size_t i = 0; i < schema.results.size() && i < draft_.results.size(); ++i) {
    const std::string_view row = schema.row->name;
    TypeId implied = kNoType;
    if (row == "llvm.extractvalue") implied = extracted_type(statement_.name);
    else if ((row == "vector.insert" || row == "arith.select") && !draft_.slots[1].empty()) implied = type_of(draft_.slots[1].front().value);
    else if (!schema.row->syntax.starts_with('@') && schema.results[i].arity == isa::Arity::one && !names_result(schema.syntax, i)) implied = implied_type(*this, schema.results[i]);
    if (failed_ || implied == kNoType || implied == draft_.results[i].type) continue;
    fail("E0115", draft_.results[i].span, fmt::format("{}: its result is {}, but {} is written", op_name(), to_string(program_.types[implied]),
                                                      to_string(program_.types[draft_.results[i].type])));
  }
}

/// The value of a constant has the type of the result; numbers are scalars.
void Binder::check_constant(AttrValue& value, const Draft::Result& result) {
  using Kind = AttrValue::Kind;
  const bool number = value.kind == Kind::integer || value.kind == Kind::floating || value.kind == Kind::boolean;
  const Type& type = program_.types[result.type];
  const bool fits = !number || (type.kind == TypeKind::scalar && is_float(type.elem) == (value.kind == Kind::floating) &&
                                (value.type == kNoType || value.type == result.type));
  if (!fits) fail("E0115", result.span, fmt::format("{}: the value is not a {}", op_name(), to_string(type))).help = "a constant's value and result have one type";
  value.type = result.type;
}

namespace {

/// How many values each slot has when nothing says so: optional and variadic slots take what is left, in order.
std::vector<int64_t> share_out(const isa::Schema& schema, size_t operands) {
  size_t required = 0;
  for (const isa::OperandSpec& spec : schema.operands) required += spec.arity == isa::Arity::one ? 1 : 0;
  size_t spare = operands >= required ? operands - required : 0;
  std::vector<int64_t> segments;
  for (const isa::OperandSpec& spec : schema.operands) {
    const size_t take = spec.arity == isa::Arity::one ? 1 : spec.arity == isa::Arity::optional ? std::min<size_t>(spare, 1) : spare;
    if (spec.arity != isa::Arity::one) spare -= take;
    segments.push_back(static_cast<int64_t>(take));
  }
  return segments;
}

unsigned region_count(const isa::Row& row) { return row.name == "scf.if" || row.name == "scf.while" ? 2 : 1; }

bool is_symbol_name(std::string_view name) {
  return !name.empty() && scan_name(name.data(), name.data() + name.size()) == name.data() + name.size();
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
      for (uint32_t i = 0; i < sizes.array.count; ++i) segments.push_back(program_.ints[sizes.array.first + i]);
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
    while (spec < draft_.schema->attrs.size() && draft_.schema->attrs[spec].type != isa::AttrType::symbol) ++spec;
    if (spec >= draft_.schema->attrs.size()) return fail("E0116", span(block), fmt::format("{} does not branch to so many blocks", op_name())), false;
    AttrValue target;
    target.kind = AttrValue::Kind::symbol;
    target.text = intern(text(block).substr(1));
    set_attr(draft_.schema->attrs[spec++].name, target);
    if (!list.done() && !expect(list, NodeKind::comma, "','")) return false;
  }
  return true;
}

bool Binder::generic_operands(const isa::Schema& schema, Mismatch& mismatch, Cursor& cursor, std::vector<uint32_t>& operands) {
  if (!cursor.is(NodeKind::paren)) return reject(mismatch, cursor, "E0101", fmt::format("{}: expected '(' after the name", op_name()));
  Cursor inner = cursor.into(cursor.take());
  while (!inner.done()) {
    if (!inner.is(NodeKind::operand)) return reject(mismatch, inner, "E0101", fmt::format("{}: expected an operand here", op_name()));
    operands.push_back(inner.index());
    inner.take();
    if (!inner.accept(NodeKind::comma) && !inner.done()) return reject(mismatch, inner, "E0101", fmt::format("{}: expected ',' here", op_name()));
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
  if (!fits) return reject(mismatch, cursor, "E0116", fmt::format("{}: {} operands do not fit its operand list", op_name(), operands.size()), statement_.name);
  size_t next = 0;
  for (size_t slot = 0; slot < segments.size(); ++slot) {
    for (int64_t k = 0; k < segments[slot]; ++k, ++next)
      draft_.add(static_cast<int>(slot), use(statement_.nodes[operands[next]]), span(statement_.nodes[operands[next]]));
  }
  if (blocks.is(NodeKind::bracket) && !successors(blocks)) return true;
  for (const uint32_t dict : dicts) dictionary(statement_.nodes[dict]);
  return true;
}

/// Entries of a generic form's dictionaries that are not attributes here, or are written in another way.
bool Binder::generic_entry(std::string_view name, const Node& key, Cursor value) {
  if (name == "operandSegmentSizes" || name == "resultSegmentSizes") return true;
  const std::string_view row = draft_.schema->row->name;
  if (row == "func.func") {
    if (name == "arg_attrs" || name == "res_attrs") return true;
    if (name == "function_type") return function_type(value), true;
    return false;
  }
  if (row == "arith.constant" && name == "value") {
    Draft::Result constant;
    const AttrValue parsed = constant_value(value, constant);
    if (!failed_) set_attr("value", parsed);
    return true;
  }
  if (!row.starts_with("arith.") && !row.starts_with("math.")) return false;
  // `overflowFlags = #arith.overflow<nsw>` stands as `overflow<nsw>` behind the operands; none is not written.
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

/// `(types) -> (types)`: the results go into the attribute, the arguments are those of the body, or of a declaration.
void Binder::function_type(Cursor value) {
  function_args_.clear();
  std::vector<Draft::Result> results;
  if (!value.is(NodeKind::paren)) return void(expect(value, NodeKind::paren, "'(' and the argument types"));
  if (!types(value, function_args_) || !expect(value, NodeKind::arrow, "'->' and the result types") || !types(value, results)) return;
  set_function_results(results);
}

void Binder::set_function_results(const std::vector<Draft::Result>& results) {
  if (results.empty()) return;
  std::string list;
  for (const Draft::Result& result : results) list += (list.empty() ? "" : ", ") + to_string(program_.types[result.type]);
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
        fail("E0116", statement_.name, fmt::format("{}: '{}' and '{}' come in groups, but {} and {} are given", op_name(),
                                                   draft_.schema->operands[*first].name, draft_.schema->operands[item.index].name, wanted, has));
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
  if (statement_.region) {   // the types follow the regions
    draft_.results.assign(result_count(), {});
    expect_end(cursor);
    return true;
  }
  if ((schema.row->flags & isa::kRegion) != 0) return fail("E0120", statement_.name, fmt::format("{}: a region in '({{' and '}})' is missing", op_name())), true;
  require_positional_attributes(schema, draft_.attrs);
  require_equal_groups(schema.syntax);
  require_whole_groups(schema, schema.syntax);
  check_mixed_lists(schema);
  if (!expect(cursor, NodeKind::colon, "':' and types")) return true;
  std::vector<Draft::Result> written;
  if (!types(cursor, written)) return true;
  for (size_t i = 0; i < std::min(written.size(), operands.size()); ++i) {
    const Node& node = statement_.nodes[operands[i]];
    if (!failed_) check_type(use(node), span(node), written[i].type, written[i].span);
  }
  if (written.size() != operands.size()) fail("E0116", statement_.name, fmt::format("{}: {} operands but {} types", op_name(), operands.size(), written.size()));
  if (cursor.accept(NodeKind::arrow)) types(cursor, draft_.results);
  if (!failed_) check_implied_results(schema);
  if (schema.row->name == "arith.constant" && !failed_ && !draft_.attrs.empty() && !draft_.results.empty()) check_constant(draft_.attrs.front().value, draft_.results.front());
  expect_end(cursor);
  return true;
}

/// Emits the operation and opens its first region.
void Binder::open_generic(const isa::Schema& schema) {
  if ((schema.row->flags & isa::kRegion) == 0) {
    fail("E0120", statement_.name, fmt::format("{} has no regions", op_name()));
    return;
  }
  if (schema.row->name == "builtin.module") look_ahead_for_target();
  unsigned regions = region_count(*schema.row);
  if (schema.row->name == "scf.index_switch") {
    for (const Attr& attr : draft_.attrs) {
      if (attr.spec == 0 && attr.value.kind == AttrValue::Kind::int_array) regions = attr.value.array.count + 1;
    }
    set_attr("default_first", {});   // the generic form's order
    if (regions > 255) fail("E0120", statement_.name, fmt::format("{} has at most 254 cases", op_name()));
  }
  const bool declaration = schema.row->name == "func.func" && reader_.region_is_empty();
  const std::vector<Draft::Result> args = declaration ? function_args_ : std::vector<Draft::Result>{};
  const uint32_t op = emit(regions);
  if (failed_) return;
  open_region(op, 0, args, {});
  frames_.back().generic = true;
  frames_.back().arguments = function_args_;
}

/// A module's attributes stand behind its body, whose types depend on the target: they are read now and again later.
void Binder::look_ahead_for_target() {
  if (!frames_.empty() && !frames_.back().made && program_.target_stated) return;
  const uint32_t here = reader_.offset();
  Statement tail;
  if (reader_.skip_regions()) reader_.resume(tail, "builtin.module");
  reader_.seek(here);
  for (uint32_t i = 0; tail.kind == StatementKind::operation && i < tail.nodes.size(); ++i) {
    const Node& entry = tail.nodes[i];
    if (entry.kind != NodeKind::entry || i + 3 >= tail.nodes.size() || tail.nodes[i + 2].kind != NodeKind::equal) continue;
    std::string_view key = text(tail.nodes[i + 1]), value = text(tail.nodes[i + 3]);
    if (key.starts_with('"')) key = key.substr(1, key.size() - 2);
    if (value.size() >= 2 && value.starts_with('"')) note_target(key, value.substr(1, value.size() - 2));
  }
}

namespace {

/// Whether the arguments of a region are these types.
bool same_types(const Program& program, const Region& region, std::span<const TypeId> types) {
  if (region.n_args != types.size()) return false;
  for (uint32_t i = 0; i < region.n_args; ++i) {
    if (program.values[region.first_arg + i].type != types[i]) return false;
  }
  return true;
}

}  // namespace

/// The structured operations say in their own syntax what their regions' arguments are.
void Binder::check_region_arguments(const Frame& frame) {
  const OpView view(program_, frame.op);
  const std::string_view name = view.mnemonic();
  const std::span<const Region> regions = program_.regions_of(view.op());
  std::vector<TypeId> wanted;
  const auto wrong = [&](std::string_view what) {
    fail("E0151", frame.name, fmt::format("{}: its first region has {} argument{}; it takes {}", name, regions[0].n_args, regions[0].n_args == 1 ? "" : "s", what));
  };
  const auto add = [&](std::span<const ValueId> values) {
    for (const ValueId value : values) wanted.push_back(type_of(value));
  };
  if (name == "func.func") {
    for (const Draft::Result& arg : frame.arguments) wanted.push_back(arg.type);
    if (!same_types(program_, regions[0], wanted)) wrong(fmt::format("the {} of function_type, with their types", wanted.size()));
  } else if (name == "scf.for") {
    add(view.operands(0));
    add(view.operands(3));
    if (!same_types(program_, regions[0], wanted)) wrong("the loop variable and one for every initial value, with their types");
    for (unsigned slot = 1; slot < 3; ++slot) {
      if (type_of(view.operand(slot)) != type_of(view.operand(0))) fail("E0115", frame.name, fmt::format("{}: its bounds and step differ in type", name));
    }
    std::vector<TypeId> results;
    for (uint32_t i = 0; i < view.op().n_results; ++i) results.push_back(type_of(view.result(i)));
    wanted.erase(wanted.begin());
    if (!failed_ && results != wanted) fail("E0115", frame.name, fmt::format("{}: its results and initial values differ in number or type", name));
  } else if (name == "scf.while") {
    add(view.operands(0));
    if (!same_types(program_, regions[0], wanted)) wrong("one for every initial value, with their types");
  } else if (name != "pto.strict_vecscope" && regions[0].n_args != 0) {
    wrong("none");
  }
}

/// A declaration whose function_type stands behind its empty region.
void Binder::declare_arguments(const Frame& frame) {
  Region& region = program_.regions[program_.ops[frame.op].regions];
  if (region.begin != region.end || region.n_args != 0) return;
  region.first_arg = static_cast<uint32_t>(program_.values.size());
  region.n_args = static_cast<uint32_t>(frame.arguments.size());
  for (const Draft::Result& arg : frame.arguments) builder_.new_value(arg.type);
}

/// Behind the last region: `{attributes} : (types) -> (types) loc(..)`.
void Binder::finish_generic(const Frame& frame) {
  statement_.quoted = true;
  strip_location();
  if (written_location_) program_.ops[frame.op].where = *written_location_;
  note_location(frame.op);
  function_args_ = frame.arguments;
  Cursor cursor = items();
  const isa::Schema& schema = isa::schema(program_.ops[frame.op].row);
  draft_.reset(schema);
  if (cursor.is(NodeKind::dict)) {
    dictionary(cursor.take());
    append_attrs(frame.op);
  }
  if (failed_ || !expect(cursor, NodeKind::colon, "':' and types")) return;
  std::vector<Draft::Result> written, results;
  if (!types(cursor, written) || !expect(cursor, NodeKind::arrow, "'->' and the result types") || !types(cursor, results) || !expect_end(cursor)) return;
  const OpView view(program_, frame.op);
  std::vector<ValueId> operands;
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    for (const ValueId value : view.operands(slot)) operands.push_back(value);
  }
  if (written.size() != operands.size()) {
    fail("E0116", frame.name, fmt::format("{}: {} operands but {} types", op_name(), operands.size(), written.size()));
    return;
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::string_view name = program_.name_of(operands[i]);
    if (type_of(operands[i]) == written[i].type) continue;
    fail("E0115", written[i].span, fmt::format("{} of {} is {}, but {} is written", name.empty() ? fmt::format("operand {}", i) : fmt::format("%{}", name), op_name(),
                                               to_string(program_.types[type_of(operands[i])]), to_string(program_.types[written[i].type])));
  }
  const Op& op = program_.ops[frame.op];
  if (results.size() != op.n_results)
    fail("E0119", frame.name, fmt::format("{} has {} result{}, but {} {} named", op_name(), results.size(), results.size() == 1 ? "" : "s", op.n_results, op.n_results == 1 ? "is" : "are"));
  for (size_t i = 0; i < results.size() && i < op.n_results; ++i) program_.values[op.first_result + i].type = results[i].type;
  if (failed_) return;
  Frame completed = frame;
  completed.arguments = function_args_;
  declare_arguments(completed);
  require_positional_attributes(schema, program_.attrs_of(op));
  check_region_arguments(completed);
  check_symbol(frame.op);
}

/// Names and visibility have a place in the function's and module's own syntax: they must be words there.
void Binder::check_symbol(uint32_t op) {
  const OpView view(program_, op);
  const AttrValue* name = view.attr("sym_name");
  if (name != nullptr && (name->kind != AttrValue::Kind::string || !is_symbol_name(program_.strings[name->text])))
    fail("E0108", statement_.name, fmt::format("{}: sym_name is a string of letters, digits and _ . $ -", op_name()));
  const AttrValue* visibility = view.attr("sym_visibility");
  if (visibility == nullptr) return;
  const std::string_view word = visibility->kind == AttrValue::Kind::string ? program_.strings[visibility->text] : std::string_view{};
  if (word != "private" && word != "public" && word != "nested") fail("E0108", statement_.name, fmt::format("{}: sym_visibility is \"private\", \"public\" or \"nested\"", op_name()));
}

}  // namespace pto::text
