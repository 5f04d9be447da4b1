// Structure: modules, functions, control flow, constants. What no syntax string expresses.
#include <fmt/format.h>

#include <algorithm>

#include "asm/hooks.hpp"
#include "asm/match.hpp"

namespace pto::text {

/// A2 and A3 are one target; "cpu" is the functional profile.
std::optional<Target> target_of_arch(std::string_view arch) {
  std::string lower(arch);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (lower == "a5") return Target::a5;
  if (lower == "cpu") return Target::cpu;
  if (lower == "a2" || lower == "a3" || lower == "a2a3") return Target::a2a3;
  return std::nullopt;
}

void Binder::note_target(std::string_view key, std::string_view value) {
  const bool spec_of_a5 = key == "pto.device-spec" && (value.starts_with("Ascend950") || value.starts_with("Ascend910_95"));
  if (key != "pto.target_arch" && !spec_of_a5) return;
  Span where = attribute_span(key);   // of the value
  const size_t equal = text(where).find('=');
  if (equal != std::string_view::npos) where.begin += static_cast<uint32_t>(text(where).find_first_not_of(" \t", equal + 1));
  const std::optional<Target> target = spec_of_a5 ? Target::a5 : target_of_arch(value);
  if (target) return state_target(*target, where);
  fail("E0125", where, fmt::format("there is no target '{}'", value)).help = "targets: a2, a3 and a2a3 (one target), a5, cpu";
}

namespace {

bool attributes(Binder& b, Cursor& cursor) {
  if (!b.accept_word(cursor, "attributes")) return true;
  if (!cursor.is(NodeKind::dict)) return b.expect(cursor, NodeKind::dict, "a dictionary after 'attributes'");
  b.dictionary(cursor.take());
  return !b.failed();
}

/// The name of a function, which begins with '@', is not there.
void missing_symbol(Binder& b, const Cursor& cursor) {
  if (!cursor.is(NodeKind::word)) return void(b.expect(const_cast<Cursor&>(cursor), NodeKind::symbol, "the function's name, as in @kernel"));   // NOLINT: it fails
  const std::string_view name = b.text(cursor.peek());
  b.fail("E0101", Binder::span(cursor.peek()), fmt::format("{}: the name of a function begins with '@'", b.op_name())).help = fmt::format("did you mean '@{}'?", name);
}

/// `%a: T {..} loc(..)` or a bare type; up to the end of the parentheses.
bool function_argument(Binder& b, Cursor& args, std::vector<Draft::Result>& types, std::vector<Node>& names) {
  if (args.is(NodeKind::operand)) {
    names.push_back(args.take());
    if (!b.expect(args, NodeKind::colon, "':' and the argument's type")) return false;
  }
  if (args.done() || !Binder::is_type_node(args.peek())) return b.expect(args, NodeKind::type, "a type");
  const Node& node = args.take();
  types.push_back({b.type(node), Binder::span(node)});
  args.accept(NodeKind::dict);
  if (b.accept_word(args, "loc")) args.accept(NodeKind::paren);
  if (b.failed() || args.done()) return !b.failed();
  if (!b.expect(args, NodeKind::comma, "','")) return false;
  return !args.done() || b.expect(args, NodeKind::operand, "another argument behind ','");
}

}  // namespace

bool bind_module(Binder& b) {
  Cursor cursor = b.items();
  if (cursor.is(NodeKind::symbol)) {
    AttrValue name;
    name.kind = AttrValue::Kind::string;
    name.text = b.intern(b.text(cursor.take()).substr(1));
    b.set_attr("sym_name", name);
  }
  if (!attributes(b, cursor) || !b.expect_end(cursor)) return true;
  for (const Attr& attr : b.draft().attrs) {
    if (attr.spec == kUnknownAttr || attr.value.kind != AttrValue::Kind::string) continue;
    b.note_target(b.draft().schema->attrs[attr.spec].name, b.program().strings[attr.value.text]);
  }
  const uint32_t op = b.emit(1);
  if (!b.failed()) b.open_region(op, 0, {}, {});
  return true;
}

bool bind_function(Binder& b) {
  Cursor cursor = b.items();
  for (const std::string_view visibility : {"private", "public", "nested"}) {
    if (!b.accept_word(cursor, visibility)) continue;
    AttrValue value;
    value.kind = AttrValue::Kind::string;
    value.text = b.intern(visibility);
    b.set_attr("sym_visibility", value);
  }
  if (!cursor.is(NodeKind::symbol)) return missing_symbol(b, cursor), true;
  AttrValue name;
  name.kind = AttrValue::Kind::string;
  const Span symbol = Binder::span(cursor.peek());
  name.text = b.intern(b.text(cursor.take()).substr(1));
  b.set_attr("sym_name", name);
  if (b.statement().region) b.define_function(name.text, symbol);
  if (!cursor.is(NodeKind::paren)) return b.expect(cursor, NodeKind::paren, "'(' and the arguments"), true;
  std::vector<Draft::Result> types, results;
  std::vector<Node> names;
  for (Cursor args = cursor.into(cursor.take()); !args.done();) {
    if (!function_argument(b, args, types, names)) return true;
  }
  if (cursor.accept(NodeKind::arrow) && !b.types(cursor, results)) return true;
  b.set_function_results(results);
  if (!attributes(b, cursor) || !b.expect_end(cursor)) return true;
  b.refuse_bare_dictionary();
  if (b.statement().region && names.size() != types.size()) {
    b.fail("E0101", b.statement().name, fmt::format("{}: every argument of a function with a body has a name", b.op_name()));
    return true;
  }
  const uint32_t op = b.emit(1);
  if (b.failed()) return true;
  if (b.statement().region) b.open_region(op, 0, types, names);
  else b.empty_region(op, types, names);
  return true;
}

bool bind_call(Binder& b) {
  Cursor cursor = b.items();
  if (!cursor.is(NodeKind::symbol)) return missing_symbol(b, cursor), true;
  const Node& callee = cursor.take();
  AttrValue symbol;
  symbol.kind = AttrValue::Kind::symbol;
  symbol.text = b.intern(b.text(callee).substr(1));
  b.set_attr("callee", symbol);
  std::vector<Node> operands;
  if (!cursor.is(NodeKind::paren)) return b.expect(cursor, NodeKind::paren, "'(' and the arguments"), true;
  for (Cursor args = cursor.into(cursor.take()); !args.done();) {
    if (!args.is(NodeKind::operand)) return b.expect(args, NodeKind::operand, "an argument"), true;
    operands.push_back(args.take());
    b.draft().add(0, b.use(operands.back()), Binder::span(operands.back()));
    if (!args.done() && !b.expect(args, NodeKind::comma, "','")) return true;
  }
  if (cursor.is(NodeKind::dict)) b.dictionary(cursor.take());
  std::vector<Draft::Result> types;
  if (!b.expect(cursor, NodeKind::colon, "':' and the function's type") || !b.types(cursor, types)) return true;
  if (types.size() != operands.size())
    b.fail("E0116", b.statement().name, fmt::format("{}: {} argument{} but {} types", b.op_name(), operands.size(), operands.size() == 1 ? "" : "s", types.size()));
  for (size_t i = 0; i < std::min(types.size(), operands.size()); ++i)
    b.check_type(b.draft().slots[0][i].value, b.draft().slots[0][i].span, types[i].type, types[i].span);
  if (!b.expect(cursor, NodeKind::arrow, "'->' and the result types") || !b.types(cursor, b.draft().results)) return true;
  if (!b.expect_end(cursor)) return true;
  const uint32_t op = b.emit();
  if (!b.failed()) b.call_of(b.text(callee).substr(1), Binder::span(callee), op);
  return true;
}

namespace {

/// `(%a = %x, ..)`: names and initial values into the variadic slot `slot`.
bool assignments(Binder& b, Cursor& cursor, int slot, std::vector<Node>& names) {
  if (!cursor.is(NodeKind::paren)) return b.expect(cursor, NodeKind::paren, "'('");
  for (Cursor list = cursor.into(cursor.take()); !list.done();) {
    if (!list.is(NodeKind::operand)) return b.expect(list, NodeKind::operand, "a name");
    names.push_back(list.take());
    if (!b.expect(list, NodeKind::equal, "'=' and the initial value")) return false;
    if (!list.is(NodeKind::operand)) return b.expect(list, NodeKind::operand, "the initial value");
    const Node& init = list.take();
    b.draft().add(slot, b.use(init), Binder::span(init));
    if (!list.done() && !b.expect(list, NodeKind::comma, "','")) return false;
  }
  return !b.failed();
}

bool bound(Binder& b, Cursor& cursor, std::string_view slot) {
  if (!cursor.is(NodeKind::operand)) return b.expect(cursor, NodeKind::operand, fmt::format("the {}", slot));
  const Node& node = cursor.take();
  b.draft().add(b.draft().schema->operand_slot(slot), b.use(node), Binder::span(node));
  return !b.failed();
}

bool check_all(Binder& b, const std::vector<Draft::Operand>& values, const std::vector<Draft::Result>& types) {
  if (values.size() != types.size()) {
    b.fail("E0116", b.statement().name, fmt::format("{}: {} value{} but {} types", b.op_name(), values.size(), values.size() == 1 ? "" : "s", types.size()));
    return false;
  }
  for (size_t i = 0; i < values.size(); ++i) b.check_type(values[i].value, values[i].span, types[i].type, types[i].span);
  return !b.failed();
}

}  // namespace

/// scf.for %i = %lb to %ub step %st [iter_args(%x = %init, ..) -> (T, ..)] [: index type]
bool bind_for(Binder& b) {
  Cursor cursor = b.items();
  if (!cursor.is(NodeKind::operand)) return b.expect(cursor, NodeKind::operand, "the loop variable"), true;
  std::vector<Node> names = {cursor.take()};
  if (!b.expect(cursor, NodeKind::equal, "'='") || !bound(b, cursor, "lowerBound") || !b.expect_word(cursor, "to") ||
      !bound(b, cursor, "upperBound") || !b.expect_word(cursor, "step") || !bound(b, cursor, "step"))
    return true;
  std::vector<Draft::Result>& results = b.draft().results;
  if (b.accept_word(cursor, "iter_args")) {
    const int slot = b.draft().schema->operand_slot("initArgs");
    if (!assignments(b, cursor, slot, names) || !b.expect(cursor, NodeKind::arrow, "'->' and the types of iter_args") ||
        !b.types(cursor, results) || !check_all(b, b.draft().slots[static_cast<size_t>(slot)], results))
      return true;
  }
  const Draft::Operand& lower = b.draft().slots[0].front();
  TypeId index = b.type_of(lower.value);
  if (cursor.accept(NodeKind::colon)) {
    std::vector<Draft::Result> written;
    if (!b.types(cursor, written)) return true;
    b.check_type(lower.value, lower.span, written.front().type, written.front().span);
  }
  for (size_t slot = 1; slot < 3; ++slot) {
    const Draft::Operand& other = b.draft().slots[slot].front();
    if (b.type_of(other.value) != index)
      b.fail("E0115", other.span, fmt::format("{}: the lower bound {} is {}, but {} is {}", b.op_name(), b.text(lower.span), to_string(b.program().types[index]),
                                              b.text(other.span), to_string(b.program().types[b.type_of(other.value)]))).help =
          "bounds and step have one type";
  }
  if (b.failed() || !b.expect_end(cursor)) return true;
  std::vector<Draft::Result> args = {{index, {}}};
  args.insert(args.end(), results.begin(), results.end());
  const uint32_t op = b.emit(1);
  if (!b.failed()) b.open_region(op, 0, args, names);
  return true;
}

/// scf.if %c [-> (T, ..)] { } [else { }]: two regions, the second empty when there is no else.
bool bind_if(Binder& b) {
  Cursor cursor = b.items();
  if (!bound(b, cursor, "condition")) return true;
  if (cursor.accept(NodeKind::arrow) && !b.types(cursor, b.draft().results)) return true;
  if (!b.expect_end(cursor)) return true;
  const uint32_t op = b.emit(2);
  if (!b.failed()) b.open_region(op, 0, {}, {});
  return true;
}

/// scf.while (%a = %init, ..) : (T, ..) -> (U, ..) { } do { ^bb0(%x: U, ..): }
bool bind_while(Binder& b) {
  Cursor cursor = b.items();
  std::vector<Node> names;
  std::vector<Draft::Result> types;
  if (cursor.is(NodeKind::paren) && !assignments(b, cursor, 0, names)) return true;
  if (cursor.accept(NodeKind::colon)) {
    if (!b.types(cursor, types) || !b.expect(cursor, NodeKind::arrow, "'->' and the result types") || !b.types(cursor, b.draft().results)) return true;
  }
  if (!check_all(b, b.draft().slots[0], types) || !b.expect_end(cursor)) return true;
  const uint32_t op = b.emit(2);
  if (!b.failed()) b.open_region(op, 0, types, names);
  return true;
}

/// pto.strict_vecscope(%a, ..) { ^bb0(..): .. } : (T, ..) -> ()
bool bind_strict_vecscope(Binder& b) {
  Cursor cursor = b.items();
  if (!cursor.is(NodeKind::paren)) return b.expect(cursor, NodeKind::paren, "'(' and the captured values"), true;
  for (Cursor list = cursor.into(cursor.take()); !list.done();) {
    if (!list.is(NodeKind::operand)) return b.expect(list, NodeKind::operand, "a value"), true;
    const Node& node = list.take();
    b.draft().add(0, b.use(node), Binder::span(node));
    if (!list.done() && !b.expect(list, NodeKind::comma, "','")) return true;
  }
  if (!b.expect_end(cursor)) return true;
  const uint32_t op = b.emit(1);
  if (!b.failed()) b.open_region(op, 0, {}, {});
  return true;
}

namespace {

/// What an integer type of less than 64 bits holds.
std::string range_of(std::string_view name, Elem elem) {
  const uint32_t bits = elem == Elem::i1 ? 1 : bit_width(elem);
  const int64_t half = int64_t{1} << (bits - 1);
  return fmt::format("{} holds {} to {}, or 0 to {} where it is taken without sign", name, -half, half - 1, 2 * half - 1);
}

bool fits_width(int64_t value, Elem elem) {
  const uint32_t bits = elem == Elem::i1 ? 1 : bit_width(elem);
  if (bits == 0 || bits >= 64) return true;
  return value >= -(int64_t{1} << (bits - 1)) && value < (int64_t{1} << bits);
}

}  // namespace

/// `1 : i32`, `1.0e+00 : f32`, `0x7F800000 : f32`, `true`, `dense<0> : vector<4xi16>`
AttrValue Binder::constant_value(Cursor cursor, Draft::Result& type_out) {
  AttrValue value;
  if (cursor.done()) return expect(cursor, NodeKind::number, "a value"), value;
  const Node& literal = cursor.peek();
  TypeId type = elem_type(Elem::i1);
  Cursor after = cursor;
  after.take();
  const bool boolean = literal.kind == NodeKind::word && (text(literal) == "true" || text(literal) == "false");
  if (after.accept(NodeKind::colon)) {
    if (after.done() || !is_type_node(after.peek())) return expect(after, NodeKind::type, "the constant's type"), value;
    type = this->type(after.take());
  } else if (!boolean) {
    if (literal.kind != NodeKind::number) return expect(after, NodeKind::colon, "':' and the constant's type"), value;
    type = text(literal).find_first_of(".eE") != std::string_view::npos ? elem_type(Elem::f64) : elem_type(Elem::i64);
  }
  type_out = {type, span(literal)};
  if (failed_ || !expect_end(after)) return value;
  if (literal.kind == NodeKind::angled) {
    value.kind = AttrValue::Kind::raw;
    value.text = intern(text(literal));
  } else {
    value = attribute(Cursor(statement_.nodes, cursor.index(), after.limit()), nullptr, span(literal));
    const Elem elem = program_.types[type].elem;
    const std::string name = to_string(program_.types[type]);
    const auto problem = [&](std::string_view id, std::string_view what, std::string help) {
      fail(id, span(literal), fmt::format("{}{} {} {}", id == "E0106" ? "" : fmt::format("{}: ", op_name()), text(literal).substr(0, 40), what, name)).help = std::move(help);
    };
    const bool number = value.kind == AttrValue::Kind::integer || value.kind == AttrValue::Kind::floating || value.kind == AttrValue::Kind::boolean;
    if (!number) fail("E0108", span(literal), fmt::format("{}: '{}' is not a constant", op_name(), text(literal).substr(0, 40)));
    else if (program_.types[type].kind != TypeKind::scalar) problem("E0108", "is no value of", "write dense<..> for all elements of a vector");
    else if (value.kind == AttrValue::Kind::integer && !fits_width(value.integer, elem)) problem("E0106", "does not fit into", range_of(name, elem));
    else if (value.kind == AttrValue::Kind::floating && !is_float(elem)) problem("E0108", "is not a value of", fmt::format("{} holds whole numbers; write one, or a type like f32", name));
  }
  value.type = type;
  return value;
}

/// arith.constant [{attrs}] value
bool bind_constant(Binder& b) {
  Cursor cursor = b.items();
  if (cursor.is(NodeKind::dict)) b.dictionary(cursor.take());
  Draft::Result type;
  const AttrValue value = b.constant_value(cursor, type);
  b.draft().attrs.clear();
  b.set_attr("value", value);
  b.draft().results.push_back({type.type, {}});
  b.emit();
  return true;
}

/// arith.select %c, %a, %b : T (also `: C, T`)
bool bind_select(Binder& b) {
  Cursor cursor = b.items();
  if (!bound(b, cursor, "condition") || !b.expect(cursor, NodeKind::comma, "','") || !bound(b, cursor, "true_value") ||
      !b.expect(cursor, NodeKind::comma, "','") || !bound(b, cursor, "false_value"))
    return true;
  std::vector<Draft::Result> types;
  if (!b.expect(cursor, NodeKind::colon, "':' and the type") || !b.types(cursor, types) || !b.expect_end(cursor)) return true;
  for (size_t slot = 1; slot < 3; ++slot) {
    const Draft::Operand& value = b.draft().slots[slot].front();
    b.check_type(value.value, value.span, types.back().type, types.back().span);
  }
  b.draft().results.push_back(types.back());
  b.emit();
  return true;
}

}  // namespace pto::text
