// Control flow that regions alone do not express: labels and branches between blocks, and the regions of a
// switch.
//
// A block that does not begin a region is an operation `builtin.block`, whose results are the block's
// arguments: so the stream stays flat, and branches name their blocks by label.
#include <fmt/format.h>

#include "asm/hooks.hpp"
#include "asm/lex.hpp"

namespace pto::text {

/// `(%a: T, %b: T)`, if there is one.
bool Binder::block_arguments(Cursor& cursor, std::vector<Draft::Result>& types, std::vector<Node>& names) {
  if (!cursor.is(NodeKind::paren)) return true;
  for (Cursor args = cursor.into(cursor.take()); !args.done();) {
    if (!args.is(NodeKind::operand)) return expect(args, NodeKind::operand, "a block argument");
    names.push_back(args.take());
    if (!expect(args, NodeKind::colon, "':' and a type")) return false;
    if (args.done() || !is_type_node(args.peek())) return expect(args, NodeKind::type, "a type");
    const Node& node = args.take();
    types.push_back({type(node), span(node)});
    if (accept_word(args, "loc")) args.accept(NodeKind::paren);
    if (!args.accept(NodeKind::comma) && !args.done()) return expect(args, NodeKind::comma, "','");
  }
  return !failed_;
}

/// A label within a region: `^bb1(%a: T, ..): [loc(..)]`.
void Binder::add_block(Frame& frame) {
  frame.labelled = true;
  strip_location();
  Cursor cursor = items();
  std::vector<Draft::Result> arguments;
  std::vector<Node> names;
  if (!block_arguments(cursor, arguments, names) || !expect(cursor, NodeKind::colon, "':' after the label") ||
      !expect_end(cursor))
    return;
  draft_.reset(isa::schema(isa::id_of(isa::Does::block)));
  draft_.results = arguments;
  AttrValue name;
  name.kind = AttrValue::Kind::string;
  name.text = intern(text(statement_.name).substr(1));
  set_attr("name", name);
  std::vector<StrId> ids;
  for (const Node& node : names) ids.push_back(name_id(text(node).substr(1)));
  const uint32_t op = emit_named(ids, 0);
  if (failed_) return;
  for (uint32_t i = 0; i < names.size(); ++i)
    define(text(names[i]).substr(1), program_.ops[op].first_result + i, span(names[i]));
}

/// Blocks have no operation of their own in the text.
bool bind_block(Binder& b) {
  b.fail("E0111", b.statement().name, "there is no instruction builtin.block").help =
      "a block begins with its label, as in ^bb1(%a: i32):";
  return true;
}

namespace {

/// All switches of a text with the numbers of their cases, in one walk: a switch is emitted before its cases
/// are read.
std::unordered_map<uint32_t, Binder::Cases> scan_switches(std::string_view source) {
  const std::string_view name = isa::row(isa::id_of(isa::Does::index_switch)).name;
  std::unordered_map<uint32_t, Binder::Cases> found;
  std::vector<Binder::Cases*> latest = {nullptr};  // by depth of braces
  const char* const begin = source.data();
  const char* const last = begin + source.size();
  for (const char* at = begin; (at = skip_trivia(at, last)) != last;) {
    const char* word_end = scan_word(at, last);
    const std::string_view word(at, static_cast<size_t>(word_end - at));
    if (word.empty()) {
      if (*at == '{') latest.push_back(nullptr);
      if (*at == '}' && latest.size() > 1) latest.pop_back();
      const char* string_end = *at == '"' ? scan_string(at, last) : nullptr;
      at = string_end != nullptr ? string_end : at + 1;
      continue;
    }
    if (word == name) latest.back() = &found[static_cast<uint32_t>(at - begin)];
    Binder::Cases* cases = latest.back();
    const char* next = skip_trivia(word_end, last);
    if (cases != nullptr && word == "default" && next != last && *next == '{') {
      cases->has_default = true;
      cases->default_first = cases->numbers.empty();
    }
    if (cases != nullptr && word == "case" && next != last && (is(*next, kDigit) || *next == '-')) {
      const bool negative = *next == '-';
      uint64_t number = 0;
      for (const char* digit = next + (negative ? 1 : 0); digit != last && is(*digit, kDigit); ++digit)
        number = number * 10 + static_cast<uint64_t>(*digit - '0');
      cases->numbers.push_back(static_cast<int64_t>(negative ? uint64_t{0} - number : number));
    }
    at = word_end;
  }
  return found;
}

}  // namespace

const Binder::Cases& Binder::cases_of(uint32_t offset) {
  static const Cases kNone;
  if (!switches_) switches_ = scan_switches(source_);
  const auto found = switches_->find(offset);
  return found == switches_->end() ? kNone : found->second;
}

/// scf.index_switch %i [{attrs}] [-> T, ..] case 2 {..} case 5 {..} default {..}
bool bind_index_switch(Binder& b) {
  Cursor cursor = b.items();
  if (!cursor.is(NodeKind::operand))
    return b.expect(cursor, NodeKind::operand, "the number to switch on"), true;
  const Node& number = cursor.take();
  b.draft().add(0, b.use(number), Binder::span(number));
  if (cursor.is(NodeKind::dict)) b.dictionary(cursor.take());
  if (cursor.accept(NodeKind::arrow) && !b.types(cursor, b.draft().results)) return true;
  const Binder::Cases& cases = b.cases_of(b.statement().name.begin);
  if (b.accept_word(cursor, "case"))
    b.expect(cursor, NodeKind::number, "the case's number");
  else
    b.expect_word(cursor, "default");
  if (b.failed() || !b.expect_end(cursor)) return true;
  if (!cases.has_default || cases.numbers.size() > 254) {
    b.fail("E0120", b.statement().name,
           cases.has_default ? fmt::format("{} has at most 254 cases", b.op_name())
                             : fmt::format("{}: the default region is missing", b.op_name()));
    return true;
  }
  AttrValue list;
  list.kind = AttrValue::Kind::int_array;
  list.array = {static_cast<uint32_t>(b.program().ints.size()), static_cast<uint32_t>(cases.numbers.size())};
  b.program().ints.insert(b.program().ints.end(), cases.numbers.begin(), cases.numbers.end());
  b.set_attr("cases", list);
  if (cases.default_first && !cases.numbers.empty()) b.set_attr("default_first", {});
  const uint32_t op = b.emit(static_cast<unsigned>(cases.numbers.size()) + 1);
  if (!b.failed()) b.open_region(op, 0, {}, {});
  return true;
}

}  // namespace pto::text
