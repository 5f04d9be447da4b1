// Operands, types and attribute values of one statement.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "asm/binder.hpp"
#include "asm/lex.hpp"
#include "asm/type_names.hpp"
#include "numeric/formats.hpp"

namespace pto::text {

// ---- operands ----

namespace {

/// What begins a function in a text.
std::string_view function_name() { return isa::row(isa::id_of(isa::Does::function)).name; }

}  // namespace

/// Reports a name without a value: defined further down, in a region that has ended, or nowhere.
ValueId Binder::undefined(const Node& node, std::string_view name, uint32_t ended_at) {
  const auto width = static_cast<uint32_t>(name.size()) + 1;
  const auto note_at = [&](Diagnostic& d, uint32_t at, std::string text) {
    d.notes.push_back({std::move(text), {at, at + width}, locate(at), {}});
  };
  if (const uint32_t later = diagnostics_.suggests() ? find_definition(name, node.end) : 0; later != 0) {
    Diagnostic& d = fail("E0112", span(node), fmt::format("%{} is not defined before this use", name));
    note_at(d, later, "it is defined here, further down");
    d.help = "move the definition up, or this operation down";
  } else if (ended_at != 0) {
    const bool same =
        source_.substr(ended_at, node.begin - ended_at).find(function_name()) == std::string_view::npos;
    Diagnostic& d = fail(
        "E0112", span(node),
        fmt::format("%{} is not defined here: {} ended", name,
                    same ? "the region that defines it has" : "it belongs to another function, which has"));
    note_at(d, ended_at, "it was defined here");
    d.help =
        same ? "values leave a region as results: scf.yield them, or define the value in front of the region"
             : "pass it as an argument, or define it in this function too";
  } else {
    Diagnostic& d = fail("E0112", span(node), fmt::format("%{} is not defined", name));
    if (diagnostics_.suggests()) suggest(d, name, scope_.visible(), "%");
  }
  if (poison_ == kNoValue) poison_ = builder_.new_value(kNoType);
  // One report for each name: later uses of it are the same mistake.
  scope_.define(name, poison_, ended_at, 0);
  return poison_;
}

/// Where `%name = ` stands behind `from` in the same function; 0 when it does not.
uint32_t Binder::find_definition(std::string_view name, uint32_t from) const {
  const std::string_view rest =
      source_.substr(0, std::min(source_.find(function_name(), from), source_.size()));
  const std::string wanted = fmt::format("%{}", name);
  for (size_t at = rest.find(wanted, from); at != rest.npos; at = rest.find(wanted, at + 1)) {
    const char* last = rest.data() + rest.size();
    const char* end = rest.data() + at + wanted.size();
    if (end != last && (is_word_char(*end) || *end == '-' || *end == '#')) continue;
    const size_t newline = rest.rfind('\n', at);
    const std::string_view before = trim(
        rest.substr(newline == rest.npos ? 0 : newline + 1, at - (newline == rest.npos ? 0 : newline + 1)));
    if (!before.empty() && (before.front() != '%' || before.find('=') != before.npos)) continue;
    end = skip_trivia(end, last);
    if (end != last && (*end == '=' || *end == ',' || *end == ':') &&
        rest.substr(at, rest.find('\n', at) - at).find('=') != rest.npos)
      return static_cast<uint32_t>(at);
  }
  return 0;
}

ValueId Binder::use(const Node& node) {
  std::string_view name = text(node).substr(1);
  uint32_t index = 0;
  bool indexed = false;
  if (const size_t hash = name.find('#'); hash != std::string_view::npos) {
    const std::string_view digits = name.substr(hash + 1);
    indexed = std::from_chars(digits.data(), digits.data() + digits.size(), index).ec == std::errc();
    name = name.substr(0, hash);
  }
  const Scope::Entry entry = scope_.find(name);
  if (entry.value == kNoValue) return undefined(node, name, entry.defined_at);
  if (entry.value == poison_) {
    failed_ = true;  // reported where it was defined
    return poison_;
  }
  if (indexed && index >= std::max(entry.count, 1u)) {
    fail("E0112", span(node),
         fmt::format("%{} has {} value{}, #{} is beyond", name, std::max(entry.count, 1u),
                     entry.count > 1 ? "s" : "", index));
    return poison_ == kNoValue ? poison_ = builder_.new_value(kNoType) : poison_;
  }
  return entry.value + index;
}

ValueId Binder::peek(const Node& node) {
  std::string_view name = text(node).substr(1);
  uint32_t index = 0;
  if (const size_t hash = name.find('#'); hash != std::string_view::npos) {
    std::from_chars(name.data() + hash + 1, name.data() + name.size(), index);
    name = name.substr(0, hash);
  }
  const Scope::Entry entry = scope_.find(name);
  return entry.value == kNoValue || entry.value == poison_ || index >= std::max(entry.count, 1u)
             ? kNoValue
             : entry.value + index;
}

// ---- types ----

bool Binder::is_type_node(const Node& node) {
  return node.kind == NodeKind::type || node.kind == NodeKind::word || node.kind == NodeKind::angled ||
         node.kind == NodeKind::elided;
}

/// Aliases within a type written out: `memref<4xf32, #map>`. Empty when there are none.
std::string Binder::with_aliases(std::string_view spelling) const {
  std::string written;
  const char* const last = spelling.data() + spelling.size();
  size_t copied = 0;
  for (size_t at = spelling.find_first_of("#!", 1); at != std::string_view::npos;
       at = spelling.find_first_of("#!", at + 1)) {
    const auto end = static_cast<size_t>(scan_word(spelling.data() + at + 1, last) - spelling.data());
    const auto alias = aliases_.find(spelling.substr(at, end - at));
    if (alias == aliases_.end()) continue;
    written.append(spelling.substr(copied, at - copied)).append(alias->second);
    copied = end;
  }
  return copied == 0 ? written : written.append(spelling.substr(copied));
}

TypeId Binder::type(const Node& node, std::string_view prefix) {
  std::string_view spelling = text(node);
  std::string completed;
  if (node.kind == NodeKind::elided) {
    if (prefix.empty()) {
      fail("E0107", span(node), "the type's name is missing before '<'");
      return kNoType;
    }
    completed = std::string(prefix) + std::string(spelling);
  } else {
    const auto cached = type_cache_.find(spelling);
    if (cached != type_cache_.end()) {
      failed_ = failed_ || cached->second == kNoType;  // reported where the spelling stood first
      return cached->second;
    }
    if (const auto alias = aliases_.find(spelling); node.kind == NodeKind::type && alias != aliases_.end())
      spelling = alias->second;
  }
  const bool aliased =
      completed.empty() && !aliases_.empty() && !(completed = with_aliases(spelling)).empty();
  TypeProblem problem;
  const std::optional<Type> parsed =
      read_type(completed.empty() ? spelling : completed, program_.target, problem);
  if (!parsed) {
    // Positions in the spelling are positions in the source, unless it stands in an alias.
    Span where = span(node);
    const auto added = static_cast<uint32_t>(completed.empty() ? 0 : prefix.size());
    if (!aliased && spelling.data() == text(node).data() && problem.begin >= added &&
        problem.end > problem.begin)
      where = {node.begin + problem.begin - added, node.begin + problem.end - added};
    Diagnostic& d = fail(problem.id, where, std::move(problem.message));
    d.unsupported = problem.unsupported;
    if (!problem.hint.meant.empty() && where != span(node))
      d.replacement = Replacement{where, std::string(problem.hint.meant)};
    d.help = std::move(problem.hint.help);
    if (completed.empty()) type_cache_.emplace(text(node), kNoType);
    return kNoType;
  }
  const TypeId id = intern(*parsed);
  if (node.kind != NodeKind::elided) type_cache_.emplace(text(node), id);
  return id;
}

bool Binder::types(Cursor& cursor, std::vector<Draft::Result>& out) {
  if (cursor.is(NodeKind::paren)) {
    Cursor inner = cursor.into(cursor.take());
    return inner.done() || (types(inner, out) && expect_end(inner));
  }
  do {
    if (cursor.done() || !is_type_node(cursor.peek())) return expect(cursor, NodeKind::type, "a type");
    const Node& node = cursor.take();
    out.push_back({type(node), span(node)});
  } while (cursor.accept(NodeKind::comma));
  return !failed_;
}

Diagnostic* Binder::check_type(ValueId value, Span operand, TypeId written, Span where) {
  if (!known(value) || written == kNoType || type_of(value) == written) return nullptr;
  const Type& has = program_.types[type_of(value)];
  Diagnostic& d = fail("E0115", where,
                       fmt::format("{} is {}, but {} is written", text(operand), to_string(has),
                                   to_string(program_.types[written])));
  std::string_view name = text(operand);
  name = name.substr(std::min<size_t>(1, name.size()),
                     name.find('#') == std::string_view::npos ? name.npos : name.find('#') - 1);
  const Scope::Entry entry = scope_.find(name);
  if (entry.value != kNoValue) {
    const Span defined{entry.defined_at, entry.defined_at + static_cast<uint32_t>(name.size()) + 1};
    d.notes.push_back({"defined here", defined, locate(defined.begin), {}});
  }
  return &d;
}

// ---- attributes ----

namespace {

/// `V` of `#pto.kind<V>`, `#pto<kind V>` and `<V>`.
std::string_view enum_keyword(std::string_view text) {
  const size_t open = text.find('<');
  if (open == std::string_view::npos) return text;
  std::string_view inner = trim(text.substr(open + 1, text.size() - open - 2));
  if (const size_t space = inner.rfind(' '); space != std::string_view::npos) inner = inner.substr(space + 1);
  return inner;
}

std::string_view unquote(std::string_view text) { return text.substr(1, text.size() - 2); }

bool valid_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const size_t length = byte < 0x80       ? 1
                          : byte >> 5 == 6  ? 2
                          : byte >> 4 == 14 ? 3
                          : byte >> 3 == 30 ? 4
                                            : 0;
    if (length == 0 || i + length > text.size() || byte == 0) return false;
    for (size_t k = 1; k < length; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return false;
    }
    i += length;
  }
  return true;
}

/// Decimal, hex (as a bit pattern up to 64 bits) or nullopt when out of range.
std::optional<int64_t> to_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::string_view digits = negative ? text.substr(1) : text;
  int base = 10;
  if (digits.starts_with("0x")) {
    base = 16;
    digits = digits.substr(2);
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  if (negative && value > uint64_t{1} << 63) return std::nullopt;
  return static_cast<int64_t>(negative ? uint64_t{0} - value : value);
}

bool is_real(std::string_view text) {
  return !text.starts_with("0x") && !text.starts_with("-0x") &&
         text.find_first_of(".eE") != std::string_view::npos;
}

std::optional<double> to_real(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return std::nullopt;
  return value;
}

std::string allowed(const isa::EnumDomain& domain) {
  std::string list;
  for (const isa::EnumCase& item : domain.cases) {
    if (isa::case_name(domain, item.value) == item.name)
      list += (list.empty() ? "" : ", ") + std::string(item.name);  // aliases left out
  }
  return list;
}

}  // namespace

AttrValue Binder::attribute(Cursor cursor, const isa::AttrSpec* spec, Span where) {
  AttrValue value;
  const auto done = [&]() {
    if (!cursor.done())
      fail("E0108", span(cursor.peek()),
           fmt::format("{}: unexpected '{}' in an attribute", op_name(), text(cursor.peek()).substr(0, 40)));
    return value;
  };
  if (cursor.done()) {
    if (spec != nullptr && spec->type != isa::AttrType::unit && spec->type != isa::AttrType::any &&
        spec->type != isa::AttrType::boolean)
      fail("E0108", where, fmt::format("{}: attribute '{}' needs a value", op_name(), spec->name));
    if (spec != nullptr && spec->type == isa::AttrType::boolean) {
      value.kind = AttrValue::Kind::boolean;
      value.integer = 1;
    }
    return value;
  }
  const Node& node = cursor.peek();
  Span all{node.begin, node.end};  // all siblings; the last node may be one within brackets
  for (Cursor rest = cursor; !rest.done();) all.end = rest.take().end;
  std::string_view written = text(node);
  if (node.kind == NodeKind::attr) {
    if (const auto alias = aliases_.find(written); alias != aliases_.end()) written = alias->second;
  }
  if (spec != nullptr && spec->type == isa::AttrType::enumerant && node.kind != NodeKind::number) {
    const std::string_view keyword = node.kind == NodeKind::string ? unquote(written) : enum_keyword(written);
    const isa::EnumCase* found = isa::find_case(*spec->domain, keyword);
    cursor.take();
    if (found == nullptr) {
      std::vector<std::string_view> names;
      for (const isa::EnumCase& item : spec->domain->cases) names.push_back(item.name);
      Diagnostic& d = fail(
          "E0121", span(node),
          fmt::format("'{}' is not a value of {}; allowed: {}", keyword, spec->name, allowed(*spec->domain)));
      suggest(d, keyword, names);
      return value;
    }
    value.kind = AttrValue::Kind::enumerant;
    value.integer = found->value;
    return done();
  }
  switch (node.kind) {
    case NodeKind::number: {
      cursor.take();
      if (cursor.accept(NodeKind::colon) && !cursor.done()) value.type = type(cursor.take());
      const Elem elem = program_.types[value.type].elem;
      const bool wants_float = is_float(elem) || (spec != nullptr && spec->type == isa::AttrType::floating);
      if (is_real(written) || (wants_float && !written.starts_with("0x"))) {
        const std::optional<double> real = to_real(written);
        if (!real) fail("E0106", span(node), "this number is out of range");
        value.kind = AttrValue::Kind::floating;
        value.floating = real.value_or(0);
        return done();
      }
      const std::optional<int64_t> integer = to_integer(written);
      if (!integer) fail("E0106", span(node), "this number is out of range");
      if (wants_float) {  // a bit pattern
        value.kind = AttrValue::Kind::floating;
        value.floating =
            num::to_f64(elem == Elem::none ? Elem::f32 : elem, static_cast<uint64_t>(integer.value_or(0)));
        return done();
      }
      value.integer = integer.value_or(0);
      value.kind = AttrValue::Kind::integer;
      const bool truth = value.integer == 0 ||
                         value.integer == 1;  // any other number stays one, and the verifier refuses it
      if (spec != nullptr && spec->type == isa::AttrType::boolean && truth)
        value.kind = AttrValue::Kind::boolean;
      if (spec != nullptr && spec->type == isa::AttrType::enumerant) {
        value.kind = AttrValue::Kind::enumerant;
        value.type = kNoType;
        if (isa::case_name(*spec->domain, value.integer).empty())
          fail("E0121", span(node),
               fmt::format("{} is not a value of {}; allowed: {}", value.integer, spec->name,
                           allowed(*spec->domain)));
      }
      return done();
    }
    case NodeKind::string:
      cursor.take();
      if (!valid_utf8(unquote(written))) fail("E0105", span(node), "the string is not valid UTF-8");
      value.kind = AttrValue::Kind::string;
      value.text = intern(unquote(written));
      return done();
    case NodeKind::symbol:
      cursor.take();
      value.kind = AttrValue::Kind::symbol;
      value.text = intern(written.substr(1));
      return done();
    case NodeKind::word:
      if (written == "true" || written == "false") {
        cursor.take();
        value.kind = AttrValue::Kind::boolean;
        value.integer = written == "true" ? 1 : 0;
        if (cursor.accept(NodeKind::colon) && !cursor.done()) cursor.take();
        return done();
      }
      if (written == "unit") {
        cursor.take();
        return done();
      }
      break;
    default:
      break;
  }
  if (node.kind == NodeKind::bracket || (node.kind == NodeKind::angled && written.starts_with("array<"))) {
    std::vector<int64_t> numbers;
    std::string_view list = written.substr(1, written.size() - 2);
    if (node.kind == NodeKind::angled) {
      const size_t colon = written.find(':');
      list = colon == std::string_view::npos ? std::string_view{}
                                             : written.substr(colon + 1, written.size() - colon - 2);
    }
    bool integers = true;
    while (integers && !trim(list).empty()) {
      const size_t comma = std::min(list.find(','), list.size());
      std::string_view item = trim(list.substr(0, comma));
      item = trim(item.substr(0, item.find(':')));
      const std::optional<int64_t> integer = to_integer(item);
      integers = integer.has_value();
      if (integers) numbers.push_back(*integer);
      list.remove_prefix(std::min(comma + 1, list.size()));
    }
    if (integers) {
      cursor.take();
      value.kind = AttrValue::Kind::int_array;
      value.array = {static_cast<uint32_t>(program_.ints.size()), static_cast<uint32_t>(numbers.size())};
      program_.ints.insert(program_.ints.end(), numbers.begin(), numbers.end());
      return done();
    }
  }
  if (is_type_node(node) && node.kind != NodeKind::elided && cursor.into(node).limit() == cursor.limit()) {
    std::string problem;
    if (const std::optional<Type> parsed = parse_type(written, program_.target, problem); parsed) {
      value.kind = AttrValue::Kind::type;
      value.type = intern(*parsed);
      return value;
    }
  }
  value.kind = AttrValue::Kind::raw;
  value.text = intern(all == span(node) ? written : text(all));
  return value;
}

void Binder::set_attr(std::string_view name, AttrValue value) {
  const int spec = draft_.schema->attr_index(name);
  Attr attr;
  attr.spec = spec < 0 ? kUnknownAttr : static_cast<uint16_t>(spec);
  if (spec < 0) attr.name = intern(name);
  attr.value = value;
  draft_.attrs.push_back(attr);
}

void Binder::attribute_entry(std::string_view key, Span key_span, Cursor value, Span where) {
  if (draft_.attrs.size() > kMaxAttributes) return;  // refused when the operation is made
  if (key == "autoAlloc" && draft_.schema->attr_index("auto") >= 0)
    key = "auto";  // its name in the generic form
  const int index = draft_.schema->attr_index(key);
  const isa::AttrSpec* spec = index < 0 ? nullptr : &draft_.schema->attrs[static_cast<size_t>(index)];
  for (const Attr& attr : draft_.attrs) {
    const bool same = index >= 0 ? attr.spec == static_cast<uint16_t>(index)
                                 : attr.spec == kUnknownAttr && program_.strings[attr.name] == key;
    if (same) {
      fail("E0108", key_span, fmt::format("{}: attribute '{}' is given twice", op_name(), key));
      return;
    }
  }
  const AttrValue parsed = attribute(value, spec, where);
  set_attr(key, parsed);
}

void Binder::dictionary(const Node& dict) {
  Cursor entries = Cursor(statement_.nodes, 0, static_cast<uint32_t>(statement_.nodes.size())).into(dict);
  while (!entries.done()) {
    const Node& entry = entries.take();
    if (entry.kind != NodeKind::entry) continue;
    Cursor inner = entries.into(entry);
    const Node& key = inner.take();
    const std::string_view name = key.kind == NodeKind::string ? unquote(text(key)) : text(key);
    inner.accept(NodeKind::equal);
    if (statement_.quoted && generic_entry(name, key, inner)) continue;
    attribute_entry(name, span(key), inner, span(entry));
  }
}

}  // namespace pto::text
