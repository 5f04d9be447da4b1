// affine.apply of texts of early 2026: the one operation of its dialect that they have. It is read as the
// additions and multiplications that its map states.
#include "asm/parse/forms/affine_apply.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "asm/parse/text/scanner.hpp"

namespace pto::text {

namespace {

constexpr std::string_view kApply = "affine.apply";
constexpr std::string_view kMap = "affine_map<";
constexpr std::string_view kHelp =
    "maps of additions, subtractions and multiplications are read; write others "
    "with arith operations of index";

/// The text between two brackets at the front of `text`, which goes on behind them; nothing where it does not
/// begin with one.
std::optional<std::string_view> take_bracket(std::string_view& text, char open, char close) {
  text = trim(text);
  const size_t end = text.find(close);
  if (!text.starts_with(open) || end == text.npos) return std::nullopt;
  const std::string_view inner = text.substr(1, end - 1);
  text = trim(text.substr(end + 1));
  return inner;
}

void add_names(std::string_view list, std::vector<std::string_view>& names) {
  while (!trim(list).empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    names.push_back(trim(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

/// sum := term (('+' | '-') term)*, term := factor ('*' factor)*, factor := name | number | '-' factor | '('
/// sum ')'
class Expression {
 public:
  Expression(BinderContext& parts, std::string_view text, const std::vector<std::string_view>& names,
             const std::vector<ValueId>& values)
      : p_(parts), rest_(text), names_(names), values_(values) {}

  std::optional<ValueId> value() {
    const std::optional<ValueId> all = sum();
    return all && trim(rest_).empty() ? all : std::nullopt;
  }

 private:
  static constexpr unsigned kMaxDepth = 64;

  bool take(char c) {
    rest_ = trim(rest_);
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] TypeId index() { return p_.types.scalar(Elem::index); }
  ValueId combine(isa::OpcodeClass opcode_class, ValueId a, ValueId b) {
    return p_.emitter.combination(opcode_class, a, b, index());
  }

  std::optional<ValueId> sum() {
    std::optional<ValueId> left = term();
    while (left) {
      const bool plus = take('+');
      if (!plus && !take('-')) break;
      const std::optional<ValueId> right = term();
      if (!right) return std::nullopt;
      left = combine(plus ? isa::OpcodeClass::add : isa::OpcodeClass::sub, *left, *right);
    }
    return left;
  }
  std::optional<ValueId> term() {
    std::optional<ValueId> left = factor();
    while (left && take('*')) {
      const std::optional<ValueId> right = factor();
      if (!right) return std::nullopt;
      left = combine(isa::OpcodeClass::mul, *left, *right);
    }
    return left;
  }
  std::optional<ValueId> factor() {
    if (++depth_ > kMaxDepth) return std::nullopt;
    const std::optional<ValueId> found = take('(') ? inner() : take('-') ? negative() : atom();
    --depth_;
    return found;
  }
  std::optional<ValueId> inner() {
    const std::optional<ValueId> found = sum();
    return found && take(')') ? found : std::nullopt;
  }
  std::optional<ValueId> negative() {
    const std::optional<ValueId> found = factor();
    if (!found) return std::nullopt;
    return combine(isa::OpcodeClass::sub, p_.emitter.constant(0, index()), *found);
  }
  std::optional<ValueId> atom() {
    rest_ = trim(rest_);
    size_t n = 0;
    while (n < rest_.size() && is_word_char(rest_[n])) ++n;
    const std::string_view word = rest_.substr(0, n);
    rest_.remove_prefix(n);
    if (const auto name = std::ranges::find(names_, word); name != names_.end() && !word.empty())
      return values_[static_cast<size_t>(name - names_.begin())];
    int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return p_.emitter.constant(number, index());
  }

  BinderContext& p_;
  std::string_view rest_;
  const std::vector<std::string_view>& names_;
  const std::vector<ValueId>& values_;
  unsigned depth_ = 0;
};

/// The operands in the two brackets behind the map, dimensions first.
std::vector<ValueId> operands(BinderContext& p, Cursor cursor) {
  std::vector<ValueId> values;
  for (const NodeKind kind : {NodeKind::paren, NodeKind::bracket}) {
    if (!cursor.is(kind)) continue;
    for (Cursor inner = cursor.into(cursor.take_token()); !inner.done();) {
      const Node& node = inner.take_token();
      if (node.kind == NodeKind::operand) values.push_back(p.names.use(node));
    }
  }
  p.reader.expect_end(cursor);
  return values;
}

bool refuse(BinderContext& p, Span where) {
  Diagnostic& built = p.report.fail(E0110, where, fmt::format("this map of {} is not supported", kApply));
  built.unsupported = true;
  built.help = kHelp;
  return true;
}

}  // namespace

bool bind_affine_apply(BinderContext& p) {
  if (p.reader.op_name() != kApply || p.reader.statement().quoted) return false;
  Cursor cursor = p.reader.items();
  if (cursor.done()) return refuse(p, p.reader.statement().name);
  const Node& node = cursor.take_token();
  std::string_view map = p.reader.text(node);
  if (node.kind == NodeKind::attr) map = p.types.alias(map).value_or(map);
  if (!map.starts_with(kMap) || !map.ends_with('>') || p.reader.result_count() != 1)
    return refuse(p, span_of(node));
  map = map.substr(kMap.size(), map.size() - kMap.size() - 1);
  std::vector<std::string_view> names;
  const std::optional<std::string_view> dimensions = take_bracket(map, '(', ')');
  if (!dimensions) return refuse(p, span_of(node));
  add_names(*dimensions, names);
  if (const std::optional<std::string_view> symbols = take_bracket(map, '[', ']')) add_names(*symbols, names);
  const std::vector<ValueId> values = operands(p, cursor);
  if (p.report.failed()) return true;
  if (values.size() != names.size() || !map.starts_with("->")) return refuse(p, span_of(node));
  if (!std::ranges::all_of(values, [&](ValueId value) { return p.names.known(value); })) return true;
  const std::optional<ValueId> value = Expression(p, map.substr(2), names, values).value();
  if (!value) return refuse(p, span_of(node));
  p.old_forms.warn(p.reader.statement().name, fmt::format("{} is of an early release", kApply),
                   "write the map with arith operations of index");
  const ResultName& name = p.reader.result_names().front();
  p.names.define(name.name, *value, name.span);
  p.reader.take_results();
  return true;
}

}  // namespace pto::text
