#include "asm/parse/attributes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "asm/parse/text/scanner.hpp"
#include "numeric/float_formats.hpp"
#include "pto/assembler.hpp"

namespace pto::text {

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

/// The case that a keyword means when only letters and underscores differ; nullptr for none and for several.
const isa::EnumCase* case_like(const isa::EnumDomain& domain, std::string_view keyword) {
  const isa::EnumCase* found = nullptr;
  for (const isa::EnumCase& item : domain.cases) {
    if (!is_same_keyword(item.name, keyword)) continue;
    if (found != nullptr && found->value != item.value) return nullptr;
    if (found == nullptr) found = &item;
  }
  return found;
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

std::string_view Attributes::key_of(const Node& key) const {
  return key.kind == NodeKind::string ? unquote(reader_.text(key)) : reader_.text(key);
}

AttrValue Attributes::numbers(std::span<const int64_t> numbers) {
  AttrValue value;
  value.kind = AttrValue::Kind::int_array;
  value.array = {static_cast<uint32_t>(program_.ints.size()), static_cast<uint32_t>(numbers.size())};
  program_.ints.insert(program_.ints.end(), numbers.begin(), numbers.end());
  return value;
}

AttrValue Attributes::value(Cursor cursor, const isa::AttrSpec* spec, Span where) {
  AttrValue value;
  if (cursor.done()) {
    const bool boolean = spec != nullptr && spec->type == isa::AttrType::boolean;
    if (spec != nullptr && !boolean && spec->type != isa::AttrType::unit && spec->type != isa::AttrType::any)
      report_.fail(E0108, where,
                   fmt::format("{}: attribute '{}' needs a value", reader_.op_name(), spec->name));
    if (boolean) {
      value.kind = AttrValue::Kind::boolean;
      value.integer = 1;
    }
    return value;
  }
  const auto end = [&] {
    if (!cursor.done())
      report_.fail(E0108, span_of(cursor.peek()),
                   fmt::format("{}: unexpected '{}' in an attribute", reader_.op_name(),
                               reader_.text(cursor.peek()).substr(0, 40)));
  };
  const auto textual = [&](AttrValue::Kind kind, std::string_view text) {
    cursor.take_token();
    value.kind = kind;
    value.text = program_.strings.intern(text);
    end();
    return value;
  };
  const Node& node = cursor.peek();
  Span all = span_of(node);  // all siblings; the last node may be one within brackets
  for (Cursor rest = cursor; !rest.done();) all.end = rest.take_token().end;
  std::string_view written = reader_.text(node);
  if (node.kind == NodeKind::attr) written = types_.alias(written).value_or(written);
  if (spec != nullptr && spec->type == isa::AttrType::enumerant && node.kind != NodeKind::number) {
    cursor.take_token();
    value = enumerant(node, written, *spec);
    if (value.kind == AttrValue::Kind::enumerant) end();
    return value;
  }
  if (node.kind == NodeKind::number) {
    value = number(cursor, written, spec);
    end();
    return value;
  }
  if (node.kind == NodeKind::string) {
    if (!valid_utf8(unquote(written))) report_.fail(E0105, span_of(node), "the string is not valid UTF-8");
    return textual(AttrValue::Kind::string, unquote(written));
  }
  if (node.kind == NodeKind::symbol) return textual(AttrValue::Kind::symbol, written.substr(1));
  const bool truth = written == "true" || written == "false";
  if (node.kind == NodeKind::word && (truth || written == "unit")) {
    cursor.take_token();
    if (truth) {
      value.kind = AttrValue::Kind::boolean;
      value.integer = written == "true" ? 1 : 0;
      if (cursor.accept(NodeKind::colon) && !cursor.done()) cursor.take_token();
    }
    end();
    return value;
  }
  if (std::vector<int64_t> list; integers(node, written, list)) {
    cursor.take_token();
    value = numbers(list);
    end();
    return value;
  }
  if (is_type_node(node) && node.kind != NodeKind::elided && cursor.into(node).limit() == cursor.limit()) {
    std::string problem;
    if (const std::optional<Type> parsed = parse_type(written, program_.target, problem); parsed) {
      value.kind = AttrValue::Kind::type;
      value.type = program_.types.intern(*parsed);
      return value;
    }
  }
  value.kind = AttrValue::Kind::raw;
  value.text = program_.strings.intern(all == span_of(node) ? written : report_.text(all));
  return value;
}

AttrValue Attributes::enumerant(const Node& node, std::string_view written, const isa::AttrSpec& spec) {
  AttrValue value;
  const std::string_view keyword = node.kind == NodeKind::string ? unquote(written) : enum_keyword(written);
  if (const isa::EnumCase* found = isa::find_case(*spec.domain, keyword); found != nullptr) {
    value.kind = AttrValue::Kind::enumerant;
    value.integer = found->value;
    return value;
  }
  if (const isa::EnumCase* same = case_like(*spec.domain, keyword); same != nullptr) {
    old_forms_.warn(span_of(node),
                    fmt::format("'{}' is an old spelling of a value of {}", keyword, spec.name),
                    Fix::write(same->name));
    value.kind = AttrValue::Kind::enumerant;
    value.integer = same->value;
    return value;
  }
  std::vector<std::string_view> names;
  for (const isa::EnumCase& item : spec.domain->cases) names.push_back(item.name);
  Diagnostic& d = report_.fail(
      E0121, span_of(node),
      fmt::format("'{}' is not a value of {}; allowed: {}", keyword, spec.name, allowed(*spec.domain)));
  report_.suggest(d, keyword, names);
  return value;
}

/// `1`, `1.5 : f32`, `0x7F800000 : f32`
AttrValue Attributes::number(Cursor& cursor, std::string_view written, const isa::AttrSpec* spec) {
  AttrValue value;
  const Node& node = cursor.take_token();
  if (cursor.accept(NodeKind::colon) && !cursor.done()) value.type = types_.read(cursor.take_token());
  const Elem elem = program_.types[value.type].elem;
  const bool wants_float = is_float(elem) || (spec != nullptr && spec->type == isa::AttrType::floating);
  if (is_real(written) || (wants_float && !written.starts_with("0x"))) {
    const std::optional<double> real = to_real(written);
    if (!real) report_.fail(E0106, span_of(node), "this value is out of range");
    value.kind = AttrValue::Kind::floating;
    value.floating = real.value_or(0);
    return value;
  }
  const std::optional<int64_t> integer = to_integer(written);
  if (!integer) report_.fail(E0106, span_of(node), "this value is out of range");
  if (wants_float) {  // a bit pattern
    value.kind = AttrValue::Kind::floating;
    value.floating =
        num::to_f64(elem == Elem::none ? Elem::f32 : elem, static_cast<uint64_t>(integer.value_or(0)));
    return value;
  }
  value.integer = integer.value_or(0);
  value.kind = AttrValue::Kind::integer;
  // Any other number stays one, and the verifier refuses it.
  const bool truth = value.integer == 0 || value.integer == 1;
  if (spec != nullptr && spec->type == isa::AttrType::boolean && truth) value.kind = AttrValue::Kind::boolean;
  if (spec != nullptr && spec->type == isa::AttrType::enumerant) {
    value.kind = AttrValue::Kind::enumerant;
    value.type = kNoType;
    if (isa::case_name(*spec->domain, value.integer).empty())
      report_.fail(E0121, span_of(node),
                   fmt::format("{} is not a value of {}; allowed: {}", value.integer, spec->name,
                               allowed(*spec->domain)));
  }
  return value;
}

/// `[1, 2]` and `array<i64: 1, 2>`; false when it is another list.
bool Attributes::integers(const Node& node, std::string_view written, std::vector<int64_t>& out) const {
  if (node.kind != NodeKind::bracket && (node.kind != NodeKind::angled || !written.starts_with("array<")))
    return false;
  std::string_view list = written.substr(1, written.size() - 2);
  if (node.kind == NodeKind::angled) {
    const size_t colon = written.find(':');
    list = colon == std::string_view::npos ? std::string_view{}
                                           : written.substr(colon + 1, written.size() - colon - 2);
  }
  while (!trim(list).empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    std::string_view item = trim(list.substr(0, comma));
    item = trim(item.substr(0, item.find(':')));
    const std::optional<int64_t> integer = to_integer(item);
    if (!integer) return false;
    out.push_back(*integer);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return true;
}

/// The row's own name of an attribute: the pages of the instructions between devices call `notifyOp` `op`.
std::string_view Attributes::current_key(std::string_view key, Span where) {
  if (key != "op" || draft_.schema->attr_index(key) >= 0) return key;
  for (const isa::AttrSpec& spec : draft_.schema->attrs) {
    if (!spec.name.ends_with("Op")) continue;
    old_forms_.warn(where, fmt::format("'{}' is an old name of attribute '{}'", key, spec.name),
                    Fix::write(spec.name));
    return spec.name;
  }
  return key;
}

void Attributes::entry(std::string_view key, Span key_span, Cursor value, Span where) {
  if (draft_.attrs.size() > kMaxAttributes) return;  // refused when the operation is made
  key = current_key(key, key_span);
  if (key == "autoAlloc" && draft_.schema->attr_index("auto") >= 0)
    key = "auto";  // its name in the generic form
  const int index = draft_.schema->attr_index(key);
  const isa::AttrSpec* spec = index < 0 ? nullptr : &draft_.schema->attrs[static_cast<size_t>(index)];
  for (const Attr& attr : draft_.attrs) {
    const bool same = index >= 0 ? attr.spec == static_cast<uint16_t>(index)
                                 : attr.spec == kUnknownAttr && program_.strings[attr.name] == key;
    if (same) {
      report_.fail(E0108, key_span, fmt::format("{}: attribute '{}' is given twice", reader_.op_name(), key));
      return;
    }
  }
  const AttrValue parsed = this->value(value, spec, where);
  draft_.set(key, parsed);
}

}  // namespace pto::text
