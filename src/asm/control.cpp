// Structure: modules, functions, control flow, constants. What no syntax string expresses.
#include <fmt/format.h>

#include <algorithm>

#include "asm/hooks.hpp"
#include "asm/match.hpp"

namespace pto::text {

/// A2 and A3 are one target; "cpu" is the functional profile.
std::optional<Target> target_of_arch(std::string_view arch) {
  std::string lower(arch);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (lower == "a5") return Target::a5;
  if (lower == "cpu") return Target::cpu;
  if (lower == "a2" || lower == "a3" || lower == "a2a3") return Target::a2a3;
  return std::nullopt;
}

void Binder::note_target(std::string_view key, std::string_view value) {
  const bool spec_of_a5 =
      key == "pto.device-spec" && (value.starts_with("Ascend950") || value.starts_with("Ascend910_95"));
  if (key != "pto.target_arch" && !spec_of_a5) return;
  Span where = attribute_span(key);  // of the value
  const size_t equal = text(where).find('=');
  if (equal != std::string_view::npos)
    where.begin += static_cast<uint32_t>(text(where).find_first_not_of(" \t", equal + 1));
  const std::optional<Target> target = spec_of_a5 ? Target::a5 : target_of_arch(value);
  if (target) return state_target(*target, where);
  fail("E0125", where, fmt::format("there is no target '{}'", value)).help =
      "targets: a2, a3 and a2a3 (one target), a5, cpu";
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
  if (!cursor.is(NodeKind::word))
    return void(b.expect(const_cast<Cursor&>(cursor), NodeKind::symbol,
                         "the function's name, as in @kernel"));  // NOLINT: it fails
  const std::string_view name = b.text(cursor.peek());
  b.fail("E0101", Binder::span(cursor.peek()),
         fmt::format("{}: the name of a function begins with '@'", b.op_name()))
      .help = fmt::format("did you mean '@{}'?", name);
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
    b.fail("E0101", b.statement().name,
           fmt::format("{}: every argument of a function with a body has a name", b.op_name()));
    return true;
  }
  const uint32_t op = b.emit(1);
  if (b.failed()) return true;
  if (b.statement().region)
    b.open_region(op, 0, types, names);
  else
    b.empty_region(op, types, names);
  return true;
}

namespace {

/// What an integer type of less than 64 bits holds.
std::string range_of(std::string_view name, Elem elem) {
  const uint32_t bits = elem == Elem::i1 ? 1 : bit_width(elem);
  const int64_t half = int64_t{1} << (bits - 1);
  return fmt::format("{} holds {} to {}, or 0 to {} where it is taken without sign", name, -half, half - 1,
                     2 * half - 1);
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
  const bool boolean =
      literal.kind == NodeKind::word && (text(literal) == "true" || text(literal) == "false");
  if (after.accept(NodeKind::colon)) {
    if (after.done() || !is_type_node(after.peek()))
      return expect(after, NodeKind::type, "the constant's type"), value;
    type = this->type(after.take());
  } else if (!boolean) {
    if (literal.kind != NodeKind::number)
      return expect(after, NodeKind::colon, "':' and the constant's type"), value;
    type = text(literal).find_first_of(".eE") != std::string_view::npos ? elem_type(Elem::f64)
                                                                        : elem_type(Elem::i64);
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
      fail(id, span(literal),
           fmt::format("{}{} {} {}", id == "E0106" ? "" : fmt::format("{}: ", op_name()),
                       text(literal).substr(0, 40), what, name))
          .help = std::move(help);
    };
    const bool number = value.kind == AttrValue::Kind::integer || value.kind == AttrValue::Kind::floating ||
                        value.kind == AttrValue::Kind::boolean;
    if (!number)
      fail("E0108", span(literal),
           fmt::format("{}: '{}' is not a constant", op_name(), text(literal).substr(0, 40)));
    else if (program_.types[type].kind != TypeKind::scalar)
      problem("E0108", "is no value of", "write dense<..> for all elements of a vector");
    else if (value.kind == AttrValue::Kind::integer && !fits_width(value.integer, elem))
      problem("E0106", "does not fit into", range_of(name, elem));
    else if (value.kind == AttrValue::Kind::floating && !is_float(elem))
      problem("E0108", "is not a value of",
              fmt::format("{} holds whole numbers; write one, or a type like f32", name));
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

}  // namespace pto::text
