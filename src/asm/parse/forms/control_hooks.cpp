// Hooks for functions, constants and switches, whose forms no syntax string can express.
#include <fmt/format.h>

#include <algorithm>

#include "asm/parse/forms/syntax_hooks.hpp"
#include "asm/parse/text/braces.hpp"
#include "asm/parse/text/scanner.hpp"

namespace pto::text {

namespace {

bool attributes(BinderContext& p, Cursor& cursor) {
  if (!p.reader.accept_word(cursor, "attributes")) return true;
  if (!cursor.is(NodeKind::dict))
    return p.reader.expect(cursor, NodeKind::dict, "a dictionary after 'attributes'");
  p.attributes.dictionary(cursor.take_token());
  return !p.report.failed();
}

/// The name of a function, which begins with '@', is not there.
void missing_symbol(BinderContext& p, const Cursor& cursor) {
  if (!cursor.is(NodeKind::word))
    return void(p.reader.expect(const_cast<Cursor&>(cursor), NodeKind::symbol,
                                "the function's name, as in @kernel"));  // NOLINT: it fails
  const std::string_view name = p.reader.text(cursor.peek());
  p.report
      .fail(E0101, span_of(cursor.peek()),
            fmt::format("{}: the name of a function begins with '@'", p.reader.op_name()))
      .help = fmt::format("did you mean '@{}'?", name);
}

/// `%a: T {..} loc(..)` or a bare type; up to the end of the parentheses.
bool function_argument(BinderContext& p, Cursor& args, std::vector<Draft::Result>& types,
                       std::vector<Node>& names) {
  if (args.is(NodeKind::operand)) {
    names.push_back(args.take_token());
    if (!p.reader.expect(args, NodeKind::colon, "':' and the argument's type")) return false;
  }
  if (args.done() || !is_type_node(args.peek())) return p.reader.expect(args, NodeKind::type, "a type");
  const Node& node = args.take_token();
  types.push_back({p.types.read(node), span_of(node)});
  args.accept(NodeKind::dict);
  if (p.reader.accept_word(args, "loc")) args.accept(NodeKind::paren);
  if (p.report.failed() || args.done()) return !p.report.failed();
  if (!p.reader.expect(args, NodeKind::comma, "','")) return false;
  return !args.done() || p.reader.expect(args, NodeKind::operand, "another argument behind ','");
}

/// `func.func @f(..) {pto.kernel} {`: the word `attributes` is missing. The dictionary is stepped over.
void refuse_bare_dictionary(BinderContext& p) {
  if (!p.reader.statement().region) return;
  const std::string_view source = p.report.source();
  // Such a dictionary is on one line; bodies are not scanned.
  const uint32_t open = p.reader.stream().offset();
  const std::string_view line = source.substr(0, source.find('\n', open));
  const uint32_t close = matching_brace(line, open);
  if (close == line.size()) return;
  const char* last = source.data() + source.size();
  const char* next = skip_trivia(source.data() + close + 1, last);
  if (next == last || *next != '{') return;
  p.report
      .fail(
          E0101, {open, close + 1},
          fmt::format("{}: the word 'attributes' is missing in front of the dictionary", p.reader.op_name()))
      .help =
      Fix::write(fmt::format("attributes {}", source.substr(open, std::min<size_t>(close + 1 - open, 60))));
  p.reader.stream().seek(static_cast<uint32_t>(next - source.data()));
}

}  // namespace

void set_function_results(BinderContext& p, const std::vector<Draft::Result>& results) {
  if (results.empty()) return;
  std::string list;
  for (const Draft::Result& result : results) list += (list.empty() ? "" : ", ") + p.types.name(result.type);
  p.draft.set("function_results", AttrValue::Kind::raw, list);
}

bool bind_function(BinderContext& p) {
  Cursor cursor = p.reader.items();
  for (const std::string_view visibility : {"private", "public", "nested"}) {
    if (!p.reader.accept_word(cursor, visibility)) continue;
    p.draft.set("sym_visibility", AttrValue::Kind::string, visibility);
  }
  if (!cursor.is(NodeKind::symbol)) {
    missing_symbol(p, cursor);
    return true;
  }
  const Node& symbol = cursor.take_token();
  const std::string_view name = p.reader.text(symbol).substr(1);
  p.draft.set("sym_name", AttrValue::Kind::string, name);
  if (p.reader.statement().region)
    p.calls.define(p.regions.around(), p.program.strings.intern(name), span_of(symbol));
  if (!cursor.is(NodeKind::paren)) {
    p.reader.expect(cursor, NodeKind::paren, "'(' and the arguments");
    return true;
  }
  std::vector<Draft::Result> types, results;
  std::vector<Node> names;
  for (Cursor args = cursor.into(cursor.take_token()); !args.done();) {
    if (!function_argument(p, args, types, names)) return true;
  }
  if (cursor.accept(NodeKind::arrow) && !p.types.list(cursor, results)) return true;
  set_function_results(p, results);
  if (!attributes(p, cursor) || !p.reader.expect_end(cursor)) return true;
  refuse_bare_dictionary(p);
  if (p.reader.statement().region && names.size() != types.size()) {
    p.report.fail(E0101, p.reader.statement().name,
                  fmt::format("{}: every argument of a function with a body has a name", p.reader.op_name()));
    return true;
  }
  const uint32_t op = p.emitter.emit(1);
  if (p.report.failed()) return true;
  if (p.reader.statement().region) {
    p.regions.open(op, 0, types, names);
    return true;
  }
  p.emitter.begin_region(op, 0, types, names);
  p.emitter.end_region(op, 0);
  return true;
}

/// Blocks have no operation of their own in the text.
bool bind_block(BinderContext& p) {
  p.report.fail(E0111, p.reader.statement().name, "there is no instruction builtin.block").help =
      "a block begins with its label, as in ^bb1(%a: i32):";
  return true;
}

/// scf.index_switch %i [{attrs}] [-> T, ..] case 2 {..} case 5 {..} default {..}
bool bind_index_switch(BinderContext& p) {
  Cursor cursor = p.reader.items();
  if (!cursor.is(NodeKind::operand)) {
    p.reader.expect(cursor, NodeKind::operand, "the value to switch on");
    return true;
  }
  const Node& number = cursor.take_token();
  p.draft.add(0, p.names.use(number), span_of(number));
  if (cursor.is(NodeKind::dict)) p.attributes.dictionary(cursor.take_token());
  if (cursor.accept(NodeKind::arrow) && !p.types.list(cursor, p.draft.results)) return true;
  const Cases& cases = p.switches.cases_of(p.reader.statement().name.begin);
  if (p.reader.accept_word(cursor, "case"))
    p.reader.expect(cursor, NodeKind::number, "the value of the case");
  else
    p.reader.expect_word(cursor, "default");
  if (p.report.failed() || !p.reader.expect_end(cursor)) return true;
  if (!cases.has_default || cases.numbers.size() > 254) {
    p.report.fail(E0120, p.reader.statement().name,
                  cases.has_default ? fmt::format("{} has at most 254 cases", p.reader.op_name())
                                    : fmt::format("{}: the default region is missing", p.reader.op_name()));
    return true;
  }
  p.draft.set("cases", p.attributes.numbers(cases.numbers));
  if (cases.default_first && !cases.numbers.empty()) p.draft.set("default_first", {});
  const uint32_t op = p.emitter.emit(static_cast<unsigned>(cases.numbers.size()) + 1);
  if (!p.report.failed()) p.regions.open(op, 0, {}, {});
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
AttrValue constant_value(BinderContext& p, Cursor cursor, Draft::Result& type_out) {
  AttrValue value;
  if (cursor.done()) {
    p.reader.expect(cursor, NodeKind::number, "a value");
    return value;
  }
  const Node& literal = cursor.peek();
  TypeId type = p.types.scalar(Elem::i1);
  Cursor after = cursor;
  after.take_token();
  const bool boolean = literal.kind == NodeKind::word &&
                       (p.reader.text(literal) == "true" || p.reader.text(literal) == "false");
  if (after.accept(NodeKind::colon)) {
    if (after.done() || !is_type_node(after.peek())) {
      p.reader.expect(after, NodeKind::type, "the constant's type");
      return value;
    }
    type = p.types.read(after.take_token());
  } else if (!boolean) {
    if (literal.kind != NodeKind::number) {
      p.reader.expect(after, NodeKind::colon, "':' and the constant's type");
      return value;
    }
    type = p.reader.text(literal).find_first_of(".eE") != std::string_view::npos ? p.types.scalar(Elem::f64)
                                                                                 : p.types.scalar(Elem::i64);
  }
  type_out = {type, span_of(literal)};
  if (p.report.failed() || !p.reader.expect_end(after)) return value;
  if (literal.kind == NodeKind::angled) {
    value.kind = AttrValue::Kind::raw;
    value.text = p.program.strings.intern(p.reader.text(literal));
  } else {
    value = p.attributes.value(Cursor(p.reader.nodes(), cursor.index(), after.limit()), nullptr,
                               span_of(literal));
    const Elem elem = p.program.types[type].elem;
    const std::string name = p.types.name(type);
    const auto problem = [&](FindingId id, std::string_view what, Fix help) {
      p.report
          .fail(id, span_of(literal),
                fmt::format("{}{} {} {}", id == E0106 ? "" : fmt::format("{}: ", p.reader.op_name()),
                            p.reader.text(literal).substr(0, 40), what, name))
          .help = std::move(help);
    };
    const bool number = value.kind == AttrValue::Kind::integer || value.kind == AttrValue::Kind::floating ||
                        value.kind == AttrValue::Kind::boolean;
    if (!number)
      p.report.fail(E0108, span_of(literal),
                    fmt::format("{}: '{}' is not a constant", p.reader.op_name(),
                                p.reader.text(literal).substr(0, 40)));
    else if (p.program.types[type].kind != TypeKind::scalar)
      problem(E0108, "is no value of", "write dense<..> for all elements of a vector");
    else if (value.kind == AttrValue::Kind::integer && !fits_width(value.integer, elem))
      problem(E0106, "does not fit into", range_of(name, elem));
    else if (value.kind == AttrValue::Kind::floating && !is_float(elem))
      problem(E0108, "is not a value of",
              fmt::format("{} holds integers; write one, or a type like f32", name));
  }
  value.type = type;
  return value;
}

/// arith.constant [{attrs}] value
bool bind_constant(BinderContext& p) {
  Cursor cursor = p.reader.items();
  if (cursor.is(NodeKind::dict)) p.attributes.dictionary(cursor.take_token());
  Draft::Result type;
  const AttrValue value = constant_value(p, cursor, type);
  const int number = p.draft.schema->attr_index("value");
  std::erase_if(p.draft.attrs, [&](const Attr& attr) { return attr.spec == number; });
  p.draft.set("value", value);
  p.draft.results.push_back({type.type, {}});
  p.emitter.emit();
  return true;
}

}  // namespace pto::text
