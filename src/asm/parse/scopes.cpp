#include "asm/parse/scopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "asm/parse/text/scanner.hpp"
#include "isa/row.hpp"

namespace pto::text {

namespace {

/// Where the '#' of `v#1` stands, npos without one.
size_t hash_of(std::string_view name) {
  size_t at = name.size();
  while (at > 0 && is(name[at - 1], kDigit)) --at;
  return at > 0 && at < name.size() && name[at - 1] == '#' ? at - 1 : name.npos;
}

/// What begins a function in a text.
std::string_view function_name() { return isa::row(isa::id_of(isa::OpcodeClass::function)).name; }

}  // namespace

ValueId Names::poison_value() {
  if (poison_ == kNoValue) poison_ = ProgramBuilder(program_).new_value(kNoType);
  return poison_;
}

/// Reports a name without a value: defined further down, in a region that has ended, or nowhere.
ValueId Names::undefined(const Node& node, std::string_view name, uint32_t ended_at) {
  const std::string_view source = report_.source();
  const auto width = static_cast<uint32_t>(name.size()) + 1;
  const auto fail = [&](std::string message) -> Diagnostic& {
    return report_.fail(E0112, span_of(node), std::move(message));
  };
  const auto own = std::ranges::find(announced_, name, &Announced::name);
  if (own != announced_.end()) {
    Diagnostic& d = fail(fmt::format("%{} is a result of the operation around this use", name));
    report_.note(d, "it has its value when this operation has ended", own->where);
    d.help =
        "a loop passes values to its next iteration by iter_args; else define the value before the operation";
  } else if (const uint32_t later = report_.all().suggests() ? find_definition(name, node.end) : 0;
             later != 0) {
    Diagnostic& d = fail(fmt::format("%{} is not defined before this use", name));
    report_.note(d, "it is defined here, further down", {later, later + width});
    d.help = "move the definition up, or this operation down";
  } else if (ended_at != 0) {
    const std::string_view between = source.substr(ended_at, node.begin - ended_at);
    const bool same = between.find(function_name()) == std::string_view::npos;
    Diagnostic& d = fail(
        fmt::format("%{} is not defined here: {} ended", name,
                    same ? "the region that defines it has" : "it belongs to another function, which has"));
    report_.note(d, "it was defined here", {ended_at, ended_at + width});
    d.help =
        same ? "values leave a region as results: scf.yield them, or define the value in front of the region"
             : "pass it as an argument, or define it in this function too";
  } else {
    Diagnostic& d = fail(fmt::format("%{} is not defined", name));
    if (report_.all().suggests()) report_.suggest(d, name, table_.visible(), "%");
  }
  // One report for each name: later uses of it are the same mistake.
  table_.define(table_.key_of(name), poison_value(), ended_at, 0);
  return poison_;
}

/// Where `%name = ` follows `from` in the same function; 0 when it does not.
uint32_t Names::find_definition(std::string_view name, uint32_t from) const {
  const std::string_view source = report_.source();
  const std::string_view rest = source.substr(0, std::min(source.find(function_name(), from), source.size()));
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

ValueId Names::use(const Node& node) {
  std::string_view name = reader_.text(node).substr(1);
  uint32_t index = 0;
  bool indexed = false;
  if (const size_t hash = hash_of(name); hash != std::string_view::npos) {
    const std::string_view digits = name.substr(hash + 1);
    indexed = std::from_chars(digits.data(), digits.data() + digits.size(), index).ec == std::errc();
    name = name.substr(0, hash);
  }
  const NameTable::Entry entry = table_.find(name);
  if (entry.value == kNoValue) return undefined(node, name, entry.defined_at);
  note(node.begin, name.size(), entry.defined_at, entry.value == poison_ ? poison_ : entry.value + index);
  if (entry.value == poison_) {
    report_.fail_silently();  // reported where it was defined
    return poison_;
  }
  if (indexed && index >= std::max(entry.count, 1u)) {
    report_.fail(E0112, span_of(node),
                 fmt::format("%{} has {} value{}, #{} is beyond", name, std::max(entry.count, 1u),
                             entry.count > 1 ? "s" : "", index));
    return poison_value();
  }
  return entry.value + index;
}

ValueId Names::peek(const Node& node) {
  std::string_view name = reader_.text(node).substr(1);
  uint32_t index = 0;
  if (const size_t hash = hash_of(name); hash != std::string_view::npos) {
    std::from_chars(name.data() + hash + 1, name.data() + name.size(), index);
    name = name.substr(0, hash);
  }
  const NameTable::Entry entry = table_.find(name);
  return entry.value == kNoValue || entry.value == poison_ || index >= std::max(entry.count, 1u)
             ? kNoValue
             : entry.value + index;
}

void Names::define(NameTable::Key key, std::string_view name, ValueId value, Span where, uint32_t count) {
  note(where.begin, name.size(), where.begin, value);
  put(key, name, value, where, count);
}

void Names::announce(NameTable::Key key, std::string_view name, ValueId value, Span where, uint32_t count) {
  note(where.begin, name.size(), where.begin, value);
  announced_.push_back({key, name, value, where, count});
}

void Names::arrive(ValueId first) {
  const auto own =
      std::ranges::find_if(announced_, [&](const Announced& each) { return each.value >= first; });
  const std::vector<Announced> arrived(own, announced_.end());
  announced_.erase(own, announced_.end());
  for (const Announced& each : arrived) put(each.key, each.name, each.value, each.where, each.count);
}

void Names::put(NameTable::Key key, std::string_view name, ValueId value, Span where, uint32_t count) {
  const NameTable::Entry entry = table_.at(key);
  if (entry.value != kNoValue && entry.value != poison_) {
    Diagnostic& d = report_.fail(E0113, where, fmt::format("%{} is defined already", name));
    report_.note(d, "the first definition",
                 {entry.defined_at, entry.defined_at + static_cast<uint32_t>(name.size()) + 1});
    d.help = "rename one of them; a value is defined once in its region";
    return;
  }
  table_.define(key, value, where.begin, count);
}

void Names::poison(std::string_view name, uint32_t at) {
  const ValueId poison = poison_value();
  const NameTable::Key key = table_.key_of(name);
  if (table_.at(key).value != kNoValue) return;
  table_.define(key, poison, at, 0);
  note(at, name.size(), at, poison);
}

void Names::poison_results() {
  const Statement& statement = reader_.statement();
  if (statement.kind != StatementKind::operation && statement.kind != StatementKind::error) return;
  poison_value();
  for (uint32_t i = 0; i < statement.first_item; i = statement.nodes[i].next) {
    const Node& node = statement.nodes[i];
    if (node.kind == NodeKind::operand) poison(reader_.text(node).substr(1), node.begin);
  }
}

Span Names::definition(std::string_view operand) {
  const size_t hash = operand.find('#');
  const std::string_view name =
      operand.substr(std::min<size_t>(1, operand.size()), hash == operand.npos ? hash : hash - 1);
  const NameTable::Entry entry = table_.find(name);
  if (entry.value == kNoValue) return {};
  return {entry.defined_at, entry.defined_at + static_cast<uint32_t>(name.size()) + 1};
}

}  // namespace pto::text
