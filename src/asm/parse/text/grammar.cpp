// The grammar: the shape of one statement in Boost.Spirit X3. Productions build a flat node tree through the
// `tree` directive; there are no attributes, no copies and no allocation per node. Which `{` opens a region
// and where an operation without terminator ends: statement_boundary.cpp.
#define BOOST_SPIRIT_X3_NO_RTTI
#include "asm/parse/text/grammar.hpp"

#include <algorithm>
#include <boost/spirit/home/x3.hpp>

namespace pto::text {
namespace {

namespace x3 = boost::spirit::x3;

struct ReadingTag {};

template <typename Ctx>
Reading& shared(const Ctx& context) {
  return x3::get<ReadingTag>(context).get();
}

/// tree(kind)[p]: a node around whatever `p` matches.
template <typename Subject>
struct TreeDirective : x3::unary_parser<Subject, TreeDirective<Subject>> {
  using base = x3::unary_parser<Subject, TreeDirective<Subject>>;
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static constexpr bool has_attribute = false;

  TreeDirective(const Subject& inner, NodeKind k) : base(inner), kind(k) {}

  template <typename It, typename Ctx, typename RCtx, typename Attr>
  bool parse(It& first, const It& last, const Ctx& context, RCtx& rcontext, Attr&) const {
    first = skip_trivia(first, last);
    Reading& shared_ = shared(context);
    std::vector<Node>& nodes = *shared_.nodes;
    const size_t index = nodes.size();
    shared_.room(first);
    nodes.push_back({kind, shared_.offset(first), 0, 0});
    if (++shared_.depth > kMaxNesting) throw SyntaxError{first, E0104, "brackets are nested too deeply"};
    const bool matched = this->subject.parse(first, last, context, rcontext, x3::unused);
    --shared_.depth;
    if (!matched) {
      nodes.resize(index);
      return false;
    }
    nodes[index].end = shared_.offset(first);
    nodes[index].next = static_cast<uint32_t>(nodes.size());
    return true;
  }

  NodeKind kind;
};

struct TreeGenerator {
  NodeKind kind;
  template <typename Subject>
  auto operator[](const Subject& inner) const {
    return TreeDirective<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(inner), kind);
  }
};
constexpr TreeGenerator tree(NodeKind kind) { return {kind}; }

/// A token that is a node: `scan(at, last)` returns its end, or `at` when there is none.
template <typename Scan>
struct Leaf : x3::parser<Leaf<Scan>> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static constexpr bool has_attribute = false;

  explicit constexpr Leaf(NodeKind k) : kind(k) {}

  template <typename It, typename Ctx, typename RCtx, typename Attr>
  bool parse(It& first, const It& last, const Ctx& context, RCtx&, Attr&) const {
    first = skip_trivia(first, last);
    return here(first, last, shared(context));
  }
  /// Behind trivia.
  bool here(const char*& first, const char* last, const Reading& shared_) const {
    const char* end = Scan::scan(first, last, shared_);
    if (end == first) return false;
    shared_.leaf(kind, first, end);
    first = end;
    return true;
  }

  NodeKind kind;
};

struct Trivia : x3::parser<Trivia> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static constexpr bool has_attribute = false;
  template <typename It, typename Ctx, typename RCtx, typename Attr>
  bool parse(It& first, const It& last, const Ctx&, RCtx&, Attr&) const {
    const It start = first;
    first = skip_trivia(first, last);
    return first != start;
  }
};

template <char Sigil>
struct SigilScan {
  static const char* scan(const char* at, const char* last, const Reading&) {
    if (at == last || *at != Sigil) return at;
    const char* end = scan_name(at + 1, last);
    if (end == at + 1) return at;
    if (Sigil == '%' && last - end > 1 && *end == '#' && is(end[1], kDigit))
      end = scan_digits(end + 1, last, kDigit);
    return end;
  }
};

struct WordScan {
  static const char* scan(const char* at, const char* last, const Reading&) { return scan_word(at, last); }
};

/// One of the characters or pairs of characters that are items by themselves.
template <char First, char Second = 0>
struct MarkScan {
  static const char* scan(const char* at, const char* last, const Reading&) {
    if (at == last || *at != First) return at;
    if constexpr (Second == 0) return at + 1;
    return last - at > 1 && at[1] == Second ? at + 2 : at;
  }
};

/// A word, or with the '<' that it touches `memref<..>`, `dense<..>`.
struct WordOrAngled : x3::parser<WordOrAngled> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static constexpr bool has_attribute = false;
  template <typename It, typename Ctx, typename RCtx, typename Attr>
  bool parse(It& first, const It& last, const Ctx& context, RCtx&, Attr&) const {
    const It end = scan_word(first, last);
    return end != first && here(first, end, last, shared(context));
  }
  /// The word ends at `end`.
  bool here(const char*& first, const char* end, const char* last, const Reading& shared_) const {
    const bool angled = end != last && *end == '<' && !(last - end > 1 && (end[1] == '<' || end[1] == '{'));
    const char* stop = angled ? closed_angle(end, last, shared_) : end;
    if (stop == nullptr) return false;
    shared_.leaf(angled ? NodeKind::angled : NodeKind::word, first, stop);
    first = stop;
    return true;
  }
};

/// `!pto.tile_buf<..>`, `#pto.pipe<..>`, aliases.
template <char Sigil>
struct HeadScan {
  static const char* scan(const char* at, const char* last, const Reading& context) {
    if (at == last || *at != Sigil) return at;
    const char* end = scan_word(at + 1, last);
    if (end == at + 1) return at;
    if (end != last && *end == '<') end = closed_angle(end, last, context);
    return end == nullptr ? at : end;
  }
};

struct ElidedScan {
  static const char* scan(const char* at, const char* last, const Reading& context) {
    if (at == last || *at != '<' || (last - at > 1 && (at[1] == '<' || at[1] == '{'))) return at;
    const char* end = closed_angle(at, last, context);
    return end == nullptr ? at : end;
  }
};

struct StringScan {
  static const char* scan(const char* at, const char* last, const Reading& context) {
    if (at == last || *at != '"') return at;
    const char* end = scan_string(at, last);
    if (end == nullptr) context.problem = open_string(at, context.begin, last);
    return end == nullptr ? at : end;
  }
};

struct NumberScan {
  static const char* scan(const char* at, const char* last, const Reading& context) {
    const char* end = digits(at, last);
    if (end == at || end == last || !is(*end, kLetter | kDigit)) return end;
    context.problem = bad_number(at, last);
    return at;
  }
  static const char* digits(const char* at, const char* last) {
    const char* end = at;
    if (end != last && *end == '-') ++end;
    if (end == last || !is(*end, kDigit)) return at;
    if (*end == '0' && last - end > 2 && end[1] == 'x' && is(end[2], kHex))
      return scan_digits(end + 2, last, kHex);
    end = scan_digits(end, last, kDigit);
    if (end != last && *end == '.') end = scan_digits(end + 1, last, kDigit);
    return scan_exponent(end, last);
  }
  static const char* scan_exponent(const char* at, const char* last) {
    if (at == last || (*at != 'e' && *at != 'E')) return at;
    const char* digits = at + 1;
    if (digits != last && (*digits == '+' || *digits == '-')) ++digits;
    return digits != last && is(*digits, kDigit) ? scan_digits(digits, last, kDigit) : at;
  }
};

struct StrayStatement : x3::parser<StrayStatement> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static constexpr bool has_attribute = false;
  template <typename It, typename Ctx, typename RCtx, typename Attr>
  bool parse(It& first, const It& last, const Ctx& context, RCtx&, Attr&) const {
    x3::skip_over(first, last, context);
    return begins_stray_statement(first, last, shared(context).begin);
  }
};

// Productions.

const auto operand = Leaf<SigilScan<'%'>>(NodeKind::operand);
const auto symbol = Leaf<SigilScan<'@'>>(NodeKind::symbol);
const auto caret = Leaf<SigilScan<'^'>>(NodeKind::caret);
const auto quoted = Leaf<StringScan>(NodeKind::string);
const auto number = Leaf<NumberScan>(NodeKind::number);
const auto word = Leaf<WordScan>(NodeKind::word);
const auto wordy = WordOrAngled{};
const auto type = Leaf<HeadScan<'!'>>(NodeKind::type);
const auto attr = Leaf<HeadScan<'#'>>(NodeKind::attr);
const auto elided = Leaf<ElidedScan>(NodeKind::elided);
const auto comma = Leaf<MarkScan<','>>(NodeKind::comma);
const auto arrow = Leaf<MarkScan<'-', '>'>>(NodeKind::arrow);
const auto colon = Leaf<MarkScan<':'>>(NodeKind::colon);
const auto equal = Leaf<MarkScan<'='>>(NodeKind::equal);
const auto question = Leaf<MarkScan<'?'>>(NodeKind::question);
const auto star = Leaf<MarkScan<'*'>>(NodeKind::star);

struct ItemId;
struct EntryId;
const x3::rule<ItemId> item = "item";
const x3::rule<EntryId> entry = "entry";

const auto inner_items = *(!StrayStatement{} >> item);
const auto paren = tree(NodeKind::paren)['(' > inner_items > ')'];
const auto bracket = tree(NodeKind::bracket)['[' > inner_items > ']'];
const auto entries = entry % ',';
const auto dict = tree(NodeKind::dict)['{' > -entries > '}'];
const auto props = tree(NodeKind::props)[x3::lit("<{") > -entries > x3::lit("}>")];
const auto launch = tree(NodeKind::launch)[x3::lit("<<<") > *item > x3::lit(">>>")];

const auto dashed = number | arrow;            // -1, ->
const auto opening = launch | props | elided;  // <<<, <{, <

/// One item: the production that its first byte announces.
struct Item : x3::parser<Item> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static constexpr bool has_attribute = false;
  template <typename It, typename Ctx, typename RCtx, typename Attr>
  bool parse(It& first, const It& last, const Ctx& context, RCtx& rcontext, Attr&) const {
    first = skip_trivia(first, last);
    if (first == last) return false;
    const auto with = [&](const auto& production) {
      return production.parse(first, last, context, rcontext, x3::unused);
    };
    const auto leaf = [&](const auto& production) { return production.here(first, last, shared(context)); };
    switch (*first) {
      case '%':
        return leaf(operand);
      case ',':
        return leaf(comma);
      case '!':
        return leaf(type);
      case '#':
        return leaf(attr);
      case '"':
        return leaf(quoted);
      case '@':
        return leaf(symbol);
      case '^':
        return leaf(caret);
      case '(':
        return with(paren);
      case '[':
        return with(bracket);
      case '{':
        return with(dict);
      case '<':
        return with(opening);
      case '-':
        return with(dashed);
      case ':':
        return leaf(colon);
      case '=':
        return leaf(equal);
      case '?':
        return leaf(question);
      case '*':
        return leaf(star);
      case ')':
      case ']':
      case '}':
      case '>':
        return false;
      default:
        return is(*first, kDigit) ? leaf(number) : with(wordy);
    }
  }
};
const auto item_def = Item{};
const auto entry_def = tree(NodeKind::entry)[(word | quoted) >> -(equal > +(!x3::lit(',') >> item))];

BOOST_SPIRIT_DEFINE(item, entry)

/// The items of a statement. Where it ends is seen on the way; a look at the first byte decides for most.
struct StatementItems : x3::parser<StatementItems> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static constexpr bool has_attribute = false;
  template <typename It, typename Ctx, typename RCtx, typename Attr>
  bool parse(It& first, const It& last, const Ctx& context, RCtx& rcontext, Attr&) const {
    Reading& state = shared(context);
    for (;;) {
      first = skip_trivia(first, last);
      bool taken = false;
      if (first != last && is(*first, kLetter)) {
        const char* word_end = scan_word(first, last);
        if (word_begins_statement(first, word_end, last, state)) return end(first, state);
        taken = wordy.here(first, word_end, last, state);
      } else {
        if (first == last || ends(first, last, state)) return end(first, state);
        taken = Item{}.parse(first, last, context, rcontext, x3::unused);
      }
      if (!taken) return true;
    }
  }
  static bool end(const char* at, Reading& state) {
    state.items_end = at;
    return true;
  }
  /// Whether no item of this statement is here; moves back to the results of the next one.
  static bool ends(const char*& at, const char* last, Reading& state) {
    if (*at == '=') return state.next_results(at, last);
    if (is(*at, kInner)) return false;
    if (*at == '%') {
      if (!state.nodes->empty() && state.nodes->back().kind == NodeKind::comma) return false;
      state.maybe_results = static_cast<uint32_t>(state.nodes->size());
      return first_on_line(at, state.begin) && state.statement_here(at, last);
    }
    if (*at == '{' || *at == '(') return state.ends_in_region = begins_region(at, last, state);
    if ((*at == '!' || *at == '#') && !first_on_line(at, state.begin)) return false;
    return begins_statement(at, last, state);
  }
};

const auto statement_items = StatementItems{};
const auto result_list = (operand >> -(colon >> number)) % comma;

template <typename Parser>
bool run(const char*& at, const char* last, const Parser& parser, Reading& context) {
  return x3::phrase_parse(at, last, x3::with<ReadingTag>(std::ref(context))[parser], Trivia{},
                          x3::skip_flag::dont_post_skip);
}

}  // namespace

StatementReader::StatementReader(std::string_view source, const Oracle& oracle)
    : begin_(source.data()),
      at_(begin_),
      last_(begin_ + source.size()),
      oracle_(&oracle),
      patience_((1u << 20) + 4 * source.size()) {}

namespace {

/// Runs `body`, turning what the grammar throws into the statement's problem.
template <typename Body>
void guarded(Statement& statement, const char* begin, const char*& at, const char* last, const Body& body) {
  try {
    body();
  } catch (const SyntaxError& error) {
    set_error(statement, begin, last, error);
  } catch (const x3::expectation_failure<const char*>& failure) {
    const char* where = skip_trivia(failure.where(), last);
    const bool follows = where == last || *where == '}' || begins_stray_statement(where, last, begin);
    set_failure(statement, begin, where, last, failure.which(), follows);
    at = where;
  }
}

}  // namespace

void StatementReader::next(Statement& statement) {
  statement.nodes.clear();
  statement.quoted = statement.region = false;
  statement.first_item = 0;
  at_ = skip_trivia(at_, last_);
  const char* start = at_;
  statement.span = {offset(), offset()};
  if (at_ == last_) {
    statement.kind = StatementKind::end;
    return;
  }
  guarded(statement, begin_, at_, last_, [&] {
    if (*at_ == '}') {
      statement.kind = StatementKind::close;
      ++at_;
      return;
    }
    Reading context{begin_, &statement.nodes, oracle_, &patience_, {}};
    if (*at_ == '%') {
      if (seen_.at == at_ || context.next_result(at_, last_)) {  // one result
        const Reading::Result& result = seen_.at == at_ ? seen_ : context.result;
        context.leaf(NodeKind::operand, at_, result.end);
        at_ = result.equal;
      } else if (!run(at_, last_, result_list, context))
        throw SyntaxError{at_, E0101, "a value name is missing after '%'", 1,
                          "names are letters, digits and _ . $ -"};
      statement.first_item = static_cast<uint32_t>(statement.nodes.size());
      at_ = skip_trivia(at_, last_);
      if (at_ == last_ || *at_ != '=')
        throw SyntaxError{at_, E0101, "expected '=' after the results, before " + describe_byte(at_, last_),
                          1, "write %name = operation .."};
      at_ = skip_trivia(at_ + 1, last_);
    }
    const char* name = at_;
    const char* name_end = at_;
    if (at_ != last_ && *at_ == '"') {
      statement.quoted = true;
      const char* end = scan_string(at_, last_);
      if (end == nullptr) throw open_string(at_, begin_, last_);
      name = at_ + 1;
      name_end = end - 1;
      at_ = end;
    } else if (at_ != last_ && (*at_ == '!' || *at_ == '#' || *at_ == '^')) {
      statement.kind = *at_ == '!'   ? StatementKind::type_alias
                       : *at_ == '#' ? StatementKind::attr_alias
                                     : StatementKind::label;
      name = at_;
      name_end = at_ = *at_ == '^' ? scan_name(at_ + 1, last_) : scan_word(at_ + 1, last_);
      statement.name = {static_cast<uint32_t>(name - begin_), static_cast<uint32_t>(name_end - begin_)};
      read_items(statement, {}, true);
      return;
    } else if (const char* end = scan_word(at_, last_); end != at_ && lacks_percent(end, last_)) {
      const std::string written(at_, end);
      throw SyntaxError{at_,
                        E0101,
                        "the name of a value begins with '%'",
                        written.size(),
                        "did you mean '%" + written + "'?",
                        true};
    } else {
      name_end = at_ = end;
    }
    if (name_end == name)
      throw SyntaxError{at_, E0101, "an operation is expected here, not " + describe_byte(at_, last_)};
    statement.kind = StatementKind::operation;
    statement.name = {static_cast<uint32_t>(name - begin_), static_cast<uint32_t>(name_end - begin_)};
    read_items(statement, {name, static_cast<size_t>(name_end - name)}, false);
  });
  if (statement.kind == StatementKind::error && at_ == start) ++at_;
  statement.span.end = offset();
}

void StatementReader::resume(Statement& statement, std::string_view name) {
  statement.nodes.clear();
  statement.first_item = 0;
  statement.region = false;
  statement.span = {offset(), offset()};
  statement.kind = StatementKind::operation;
  guarded(statement, begin_, at_, last_, [&] { read_items(statement, name, true); });
  statement.span.end = offset();
}

void StatementReader::read_items(Statement& statement, std::string_view name, bool after_region) {
  Reading context{begin_, &statement.nodes, oracle_, &patience_, name, after_region, statement.quoted};
  try {
    run(at_, last_, statement_items, context);
  } catch (const x3::expectation_failure<const char*>&) {
    if (context.problem.at == nullptr) throw;
  }
  if (context.problem.at != nullptr) {
    set_error(statement, begin_, last_, std::move(context.problem));
    return;
  }
  seen_ = context.result;
  const char* stop = skip_trivia(at_, last_);
  const bool seen = context.items_end == stop;
  if (stop != last_ && (seen ? context.ends_in_region : begins_region(stop, last_, context))) {
    statement.region = true;
    at_ = stop;
    return;
  }
  if (stop != last_ && (*stop == ')' || *stop == ']' || !(seen || begins_statement(stop, last_, context)))) {
    at_ = stop;
    throw SyntaxError{stop, E0101, "unexpected " + describe_byte(stop, last_)};
  }
}

}  // namespace pto::text
