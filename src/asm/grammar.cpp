// The grammar: the shape of one statement in Boost.Spirit X3. Productions build a flat node tree through the
// `tree` directive; there are no attributes, no copies and no allocation per node. Which `{` opens a region
// and where an operation without terminator ends is decided by small look-ahead parsers at the end of this
// file.
#define BOOST_SPIRIT_X3_NO_RTTI
#include <algorithm>
#include <boost/spirit/home/x3.hpp>

#include "asm/characters.hpp"
#include "asm/lex.hpp"
#include "asm/syntax.hpp"

namespace pto::text {
namespace {

namespace x3 = boost::spirit::x3;

constexpr uint32_t kMaxNesting =
    200;  ///< brackets within one statement; deeper input is an error, not a stack overflow
constexpr size_t kMaxItems = 1u << 22;  ///< of one statement; a text of commas would take 20 times its size

struct SyntaxError {
  const char* at;
  std::string_view id;
  std::string message;
  size_t width = 1;
  std::string help = {};
  bool lacks_percent = false;
};

/// What the productions share.
struct Context {
  const char* begin;
  std::vector<Node>* nodes;
  const Oracle* oracle;
  size_t* patience;     ///< bytes that a search for a missing '>' may still look at
  std::string_view op;  ///< name of the operation being read
  bool after_region =
      false;  ///< items behind a region: only `else`, `do` and the cases of a switch bring another one
  bool quoted = false;  ///< generic form: regions stand in `({..}, {..})`
  uint32_t depth = 0;
  mutable SyntaxError problem{
      nullptr, {}, {}, 1, {}};  ///< of a token; no exception, because files may hold a million of them

  [[nodiscard]] uint32_t offset(const char* at) const { return static_cast<uint32_t>(at - begin); }
  void room(const char* at) const {
    if (nodes->size() >= kMaxItems)
      throw SyntaxError{at, "E0180", "one operation has more than 4194304 items"};
  }
  void leaf(NodeKind kind, const char* at, const char* end) const {
    room(at);
    nodes->push_back({kind, offset(at), offset(end), static_cast<uint32_t>(nodes->size() + 1)});
  }
};
struct ContextTag {};

template <typename Ctx>
Context& shared(const Ctx& context) {
  return x3::get<ContextTag>(context).get();
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
    Context& shared_ = shared(context);
    std::vector<Node>& nodes = *shared_.nodes;
    const size_t index = nodes.size();
    shared_.room(first);
    nodes.push_back({kind, shared_.offset(first), 0, 0});
    if (++shared_.depth > kMaxNesting) throw SyntaxError{first, "E0104", "brackets are nested too deeply"};
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
    Context& shared_ = shared(context);
    const It end = Scan::scan(first, last, shared_);
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

const char* scan_digits(const char* at, const char* last, unsigned classes) {
  while (at != last && is(*at, classes)) ++at;
  return at;
}

/// One behind the matching '>', or nullptr. A '<' without end is looked for far ahead while the reader has
/// patience; when many have failed, on its line only. So a text of a million of them is read in linear time,
/// and a text without errors never notices.
const char* closed_angle(const char* at, const char* last, const Context& context) {
  if (*context.patience == 0) {
    const void* newline = std::memchr(at, '\n', static_cast<size_t>(last - at));
    if (newline != nullptr) last = static_cast<const char*>(newline);
  }
  const char* stop = nullptr;
  const char* end = scan_angle(at, last, &stop);
  if (end != nullptr) return end;
  *context.patience -= std::min(*context.patience, static_cast<size_t>(stop - at));
  context.problem = {at, "E0103", "this '<' is not closed"};
  return nullptr;
}

template <char Sigil>
struct SigilScan {
  static const char* scan(const char* at, const char* last, const Context&) {
    if (at == last || *at != Sigil) return at;
    const char* end = scan_name(at + 1, last);
    if (end == at + 1) return at;
    if (Sigil == '%' && last - end > 1 && *end == '#' && is(end[1], kDigit))
      end = scan_digits(end + 1, last, kDigit);
    return end;
  }
};

struct WordScan {
  static const char* scan(const char* at, const char* last, const Context&) { return scan_word(at, last); }
};

/// One of the characters or pairs of characters that are items by themselves.
template <char First, char Second = 0>
struct MarkScan {
  static const char* scan(const char* at, const char* last, const Context&) {
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
    if (end == first) return false;
    const bool angled = end != last && *end == '<' && !(last - end > 1 && (end[1] == '<' || end[1] == '{'));
    const It stop = angled ? closed_angle(end, last, shared(context)) : end;
    if (stop == nullptr) return false;
    shared(context).leaf(angled ? NodeKind::angled : NodeKind::word, first, stop);
    first = stop;
    return true;
  }
};

/// `!pto.tile_buf<..>`, `#pto.pipe<..>`, aliases.
template <char Sigil>
struct HeadScan {
  static const char* scan(const char* at, const char* last, const Context& context) {
    if (at == last || *at != Sigil) return at;
    const char* end = scan_word(at + 1, last);
    if (end == at + 1) return at;
    if (end != last && *end == '<') end = closed_angle(end, last, context);
    return end == nullptr ? at : end;
  }
};

struct ElidedScan {
  static const char* scan(const char* at, const char* last, const Context& context) {
    if (at == last || *at != '<' || (last - at > 1 && (at[1] == '<' || at[1] == '{'))) return at;
    const char* end = closed_angle(at, last, context);
    return end == nullptr ? at : end;
  }
};

/// A quote is missing on the line of the string at `at`. The string that runs into a word is the one that
/// lacks it.
SyntaxError open_string(const char* at, const char* begin, const char* last) {
  const char* line = at;
  while (line != begin && line[-1] != '\n') --line;
  for (const char* from = line; from < at;) {
    if (*from++ != '"') continue;
    const char* end = scan_string(from - 1, last);
    if (end == nullptr || (end != last && is(*end, kLetter | kDigit))) {
      at = from - 1;
      break;
    }
    from = end;
  }
  return {at, "E0102", "this string is not closed on its line", 1, "add the closing quote"};
}

struct StringScan {
  static const char* scan(const char* at, const char* last, const Context& context) {
    if (at == last || *at != '"') return at;
    const char* end = scan_string(at, last);
    if (end == nullptr) context.problem = open_string(at, context.begin, last);
    return end == nullptr ? at : end;
  }
};

/// `3x2`, `0xZZ`, `1.5f`: digits that run into letters.
SyntaxError bad_number(const char* at, const char* last) {
  const char* end = at + 1;
  while (end != last && (is_word_char(*end) || (*end == '-' && (end[-1] == 'e' || end[-1] == 'E')))) ++end;
  const std::string_view digits =
      std::string_view(at, static_cast<size_t>(end - at)).substr(*at == '-' ? 1 : 0);
  const char* help =
      digits.starts_with("0x") || digits.starts_with("0X") ? "a hexadecimal number is 0x and digits 0-9, a-f"
      : is(digits.back(), kLetter) ? "numbers have no suffix; their type stands behind a ':', as in 1.5 : f32"
                                   : "write 32, -1, 1.5e+01 or 0x1F";
  const auto width = static_cast<size_t>(end - at);
  return {at, "E0123", "'" + std::string(at, std::min<size_t>(width, 40)) + "' is not a number", width, help};
}

struct NumberScan {
  static const char* scan(const char* at, const char* last, const Context& context) {
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

// Look-ahead. An operation has no terminator: it ends where a statement begins.

bool first_on_line(const char* at, const char* begin) {
  while (at != begin && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\r')) --at;
  return at == begin || at[-1] == '\n';
}

/// `%a, %b:2 = name` but not the `%i = %c0` of scf.for.
bool begins_results(const char*& at, const char* last) {
  for (;;) {
    if (at == last || *at != '%') return false;
    at = skip_trivia(scan_name(at + 1, last), last);
    if (at != last && *at == ':')
      at = skip_trivia(scan_digits(skip_trivia(at + 1, last), last, kDigit), last);
    if (at == last) return false;
    if (*at == '=') break;
    if (*at != ',') return false;
    at = skip_trivia(at + 1, last);
  }
  at = skip_trivia(at + 1, last);
  return at != last && (is(*at, kLetter) || *at == '"');
}

/// `%a name.of.operation ..` on one line: the '=' is missing.
bool lacks_equal(const char* at, const char* last) {
  const auto blank = [&] {
    while (at != last && (*at == ' ' || *at == '\t')) ++at;
  };
  at = scan_name(at + 1, last);
  blank();
  const char* end = scan_word(at, last);
  return end != at && (end == last || *end != '<') &&
         std::memchr(at, '.', static_cast<size_t>(end - at)) != nullptr;
}

/// `a = name.of.operation ..` on one line: the '%' is missing.
bool lacks_percent(const char* at, const char* last) {
  const char* end = scan_word(at, last);
  while (end != last && (*end == ' ' || *end == '\t')) ++end;
  return end != last && *end == '=' && end + 1 != last && lacks_equal(end, last);
}

bool begins_generic(const char* at, const char* last) {
  const char* end = scan_string(at, last);
  if (end == nullptr || std::memchr(at, '.', static_cast<size_t>(end - at)) == nullptr) return false;
  end = skip_trivia(end, last);
  return end != last && *end == '(';
}

bool begins_statement(const char* at, const char* last, const Context& context) {
  if (at == last) return true;
  switch (*at) {
    case '}':
    case ')':
    case ']':
      return true;
    case '%': {
      const bool in_list = !context.nodes->empty() && context.nodes->back().kind == NodeKind::comma;
      const char* behind = at;
      return !in_list &&
             (begins_results(behind, last) || (first_on_line(at, context.begin) && lacks_equal(at, last)));
    }
    case '"':
      return begins_generic(at, last);
    case '^':
      return first_on_line(at, context.begin);
    case '!':
    case '#': {
      if (!first_on_line(at, context.begin)) return false;
      const char* end = skip_trivia(scan_word(at + 1, last), last);
      return end != last && *end == '=';
    }
    default:
      break;
  }
  const char* end = scan_word(at, last);
  if (end == at || (end != last && *end == '<')) return false;
  const std::string_view word(at, static_cast<size_t>(end - at));
  if (word.find('.') != std::string_view::npos) return true;
  if (word == "return") return true;
  return first_on_line(at, context.begin) &&
         (context.oracle->begins_operation(word) || lacks_percent(at, last));
}

/// Inside brackets: a line that begins like a statement, which no list holds. The bracket is not closed.
bool begins_stray_statement(const char* at, const char* last, const Context& context) {
  if (at == last || !first_on_line(at, context.begin)) return false;
  if (*at == '%') return begins_results(at, last);
  const char* end = scan_word(at, last);
  if (end == at || (end != last && *end == '<')) return false;
  const std::string_view word(at, static_cast<size_t>(end - at));
  return word == "return" || word.find('.') != std::string_view::npos;
}

/// Whether the text behind a '{' reads like a dictionary: empty, or a key followed by '=', ',' or '}'.
bool looks_like_dictionary(const char* at, const char* last) {
  at = skip_trivia(at, last);
  if (at == last || *at == '}') return true;
  const char* end = *at == '"' ? scan_string(at, last) : scan_word(at, last);
  if (end == nullptr || end == at) return false;
  end = skip_trivia(end, last);
  return end != last && (*end == '=' || *end == ',' || *end == '}');
}

/// The last sibling at top level is the word `word`.
bool follows_word(const Context& context, std::string_view word) {
  if (context.nodes->empty()) return false;
  const Node& node = context.nodes->back();
  return node.kind == NodeKind::word &&
         std::string_view(context.begin + node.begin, node.end - node.begin) == word;
}

/// `case 3` or `default` of a switch.
bool follows_case(const Context& context) {
  if (!context.oracle->has_cases(context.op)) return false;
  const std::vector<Node>& nodes = *context.nodes;
  if (nodes.size() < 2 || nodes.back().kind != NodeKind::number) return follows_word(context, "default");
  const Node& node = nodes[nodes.size() - 2];
  return std::string_view(context.begin + node.begin, node.end - node.begin) == "case";
}

/// `({`
bool begins_region_list(const char* at, const char* last) {
  if (at == last || *at != '(') return false;
  at = skip_trivia(at + 1, last);
  return at != last && *at == '{';
}

bool begins_region(const char* at, const char* last, const Context& context) {
  if (context.quoted) return !context.after_region && begins_region_list(at, last);
  if (at == last || *at != '{' || follows_word(context, "attributes")) return false;
  if (follows_word(context, "else") || follows_word(context, "do") || follows_case(context)) return true;
  if (context.after_region) return false;
  return context.oracle->has_region(context.op) || !looks_like_dictionary(at + 1, last);
}

struct ItemsEnd : x3::parser<ItemsEnd> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static constexpr bool has_attribute = false;
  template <typename It, typename Ctx, typename RCtx, typename Attr>
  bool parse(It& first, const It& last, const Ctx& context, RCtx&, Attr&) const {
    first = skip_trivia(first, last);
    const Context& state = shared(context);
    return begins_statement(first, last, state) || begins_region(first, last, state);
  }
};

struct StrayStatement : x3::parser<StrayStatement> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static constexpr bool has_attribute = false;
  template <typename It, typename Ctx, typename RCtx, typename Attr>
  bool parse(It& first, const It& last, const Ctx& context, RCtx&, Attr&) const {
    x3::skip_over(first, last, context);
    return begins_stray_statement(first, last, shared(context));
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
    switch (*first) {
      case '%':
        return with(operand);
      case ',':
        return with(comma);
      case '!':
        return with(type);
      case '#':
        return with(attr);
      case '"':
        return with(quoted);
      case '@':
        return with(symbol);
      case '^':
        return with(caret);
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
        return with(colon);
      case '=':
        return with(equal);
      case '?':
        return with(question);
      case '*':
        return with(star);
      case ')':
      case ']':
      case '}':
      case '>':
        return false;
      default:
        return is(*first, kDigit) ? with(number) : with(wordy);
    }
  }
};
const auto item_def = Item{};
const auto entry_def = tree(NodeKind::entry)[(word | quoted) >> -(equal > +(!x3::lit(',') >> item))];

BOOST_SPIRIT_DEFINE(item, entry)

const auto statement_items = *(!ItemsEnd{} >> item);
const auto result_list = (operand >> -(colon >> number)) % comma;

template <typename Parser>
bool run(const char*& at, const char* last, const Parser& parser, Context& context) {
  return x3::phrase_parse(at, last, x3::with<ContextTag>(std::ref(context))[parser], Trivia{},
                          x3::skip_flag::dont_post_skip);
}

std::string describe_byte(const char* at, const char* last) {
  if (at == last) return "the end of the file";
  return describe_character({at, static_cast<size_t>(last - at)}).name;
}

}  // namespace

StatementReader::StatementReader(std::string_view source, const Oracle& oracle)
    : begin_(source.data()),
      at_(begin_),
      last_(begin_ + source.size()),
      oracle_(&oracle),
      patience_((1u << 20) + 4 * source.size()) {}

namespace {

void set_error(Statement& statement, const char* begin, const char* last, SyntaxError error) {
  statement.kind = StatementKind::error;
  Diagnostic& problem = statement.problem = Diagnostic{};
  const char* at = error.at;
  if (at != last && static_cast<unsigned char>(*at) >= 0x80) {
    const Character character = describe_character({at, static_cast<size_t>(last - at)});
    error = {at, "E0122", character.name + " cannot stand here", character.bytes,
             "outside of strings and comments, programs are ASCII"};
    if (!character.meant.empty()) error.help = "did you mean '" + std::string(character.meant) + "'?";
  } else if (at != last && *at == ';') {
    error.help = "operations end with their line; a comment begins with //";
  } else if (at != last && *at == '/') {
    error.help = "a comment begins with // and ends with its line";
  }
  statement.lacks_percent = error.lacks_percent;
  problem.id = error.id;
  problem.message = std::move(error.message);
  problem.help = std::move(error.help);
  const auto offset = static_cast<uint32_t>(at - begin);
  problem.span = {offset, offset + static_cast<uint32_t>(at == last ? 0 : error.width)};
}

char closer(NodeKind kind) {
  return kind == NodeKind::paren     ? ')'
         : kind == NodeKind::bracket ? ']'
         : kind == NodeKind::launch  ? '>'
                                     : '}';
}

/// What the grammar expected and did not find; of brackets also where they were opened and where the end may
/// be missing.
void set_failure(Statement& statement, const char* begin, const char* where, const char* last,
                 const std::string& which, bool statement_follows) {
  set_error(statement, begin, last,
            {where, where == last ? "E0103" : "E0101",
             "expected " + which + " before " + describe_byte(where, last)});
  Diagnostic& problem = statement.problem;
  const Node* open = nullptr;
  uint32_t end = 0;
  for (const Node& node : statement.nodes) {
    const bool encloses = node.kind == NodeKind::paren || node.kind == NodeKind::bracket ||
                          node.kind == NodeKind::dict || node.kind == NodeKind::launch;
    if (encloses && node.end == 0) open = &node;
    end = std::max(end, node.end);
  }
  if (open == nullptr) return;
  const uint32_t opened = open->begin;
  if (open->kind == NodeKind::dict && !statement_follows && statement.nodes.back().kind == NodeKind::word &&
      where != last && *where != '=') {
    const Node& key = statement.nodes.back();
    problem.message =
        "expected '=' between '" + std::string(begin + key.begin, begin + key.end) + "' and its value";
    return;
  }
  if (statement_follows) {
    problem.id = "E0103";
    problem.help.clear();
    problem.message = std::string("'") + closer(open->kind) + "' is missing";
    problem.span = {std::max(end, opened + 1), std::max(end, opened + 1)};
    // `ins(.. outs(..)`: the word behind the types is not one of them.
    for (auto i = static_cast<size_t>(open - statement.nodes.data()) + 1; i + 1 < statement.nodes.size();
         ++i) {
      const Node& node = statement.nodes[i];
      const std::string_view text(begin + node.begin, node.end < node.begin ? 0 : node.end - node.begin);
      if (node.kind != NodeKind::word || (text != "outs" && text != "ins") ||
          statement.nodes[i + 1].kind != NodeKind::paren)
        continue;
      problem.message += " before '" + std::string(text) + "'";
      problem.span = {node.begin, node.end};
      break;
    }
  }
  const bool one_line =
      std::find(begin + opened,
                begin + std::min<size_t>(problem.span.begin, static_cast<size_t>(last - begin)),
                '\n') == begin + problem.span.begin;
  if (statement_follows || !one_line)
    problem.notes.push_back(
        {std::string("the '") + begin[opened] + "' was opened here", {opened, opened + 1}, {}, {}});
}

/// Runs `body`, turning what the grammar throws into the statement's problem.
template <typename Body>
void guarded(Statement& statement, const char* begin, const char*& at, const char* last, const Body& body) {
  try {
    body();
  } catch (const SyntaxError& error) {
    set_error(statement, begin, last, error);
  } catch (const x3::expectation_failure<const char*>& failure) {
    const char* where = skip_trivia(failure.where(), last);
    std::vector<Node> none;
    const bool follows = where == last || *where == '}' ||
                         begins_stray_statement(where, last, Context{begin, &none, nullptr, nullptr, {}});
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
    Context context{begin_, &statement.nodes, oracle_, &patience_, {}};
    if (*at_ == '%') {
      if (!run(at_, last_, result_list, context))
        throw SyntaxError{at_, "E0101", "a value name is missing after '%'", 1,
                          "names are letters, digits and _ . $ -"};
      statement.first_item = static_cast<uint32_t>(statement.nodes.size());
      at_ = skip_trivia(at_, last_);
      if (at_ == last_ || *at_ != '=')
        throw SyntaxError{at_, "E0101", "expected '=' after the results, before " + describe_byte(at_, last_),
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
    } else if (at_ != last_ && is(*at_, kLetter) && lacks_percent(at_, last_)) {
      const char* end = scan_word(at_, last_);
      const std::string written(at_, end);
      throw SyntaxError{at_,
                        "E0101",
                        "the name of a value begins with '%'",
                        written.size(),
                        "did you mean '%" + written + "'?",
                        true};
    } else {
      name_end = at_ = scan_word(at_, last_);
    }
    if (name_end == name)
      throw SyntaxError{at_, "E0101", "an operation is expected here, not " + describe_byte(at_, last_)};
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
  Context context{begin_, &statement.nodes, oracle_, &patience_, name, after_region, statement.quoted};
  try {
    run(at_, last_, statement_items, context);
  } catch (const x3::expectation_failure<const char*>&) {
    if (context.problem.at == nullptr) throw;
  }
  if (context.problem.at != nullptr) {
    set_error(statement, begin_, last_, std::move(context.problem));
    return;
  }
  const char* stop = skip_trivia(at_, last_);
  if (stop != last_ && begins_region(stop, last_, context)) {
    statement.region = true;
    at_ = stop;
    return;
  }
  if (stop != last_ && (*stop == ')' || *stop == ']' || !begins_statement(stop, last_, context))) {
    at_ = stop;
    throw SyntaxError{stop, "E0101", "unexpected " + describe_byte(stop, last_)};
  }
}

void StatementReader::enter() {
  if (*at_ == '(' || *at_ == ',') at_ = skip_trivia(at_ + 1, last_);
  ++at_;
}

StatementReader::RegionList StatementReader::next_in_list() {
  at_ = skip_trivia(at_, last_);
  if (at_ == last_) return RegionList::broken;
  if (*at_ == ')') {
    ++at_;
    return RegionList::closed;
  }
  const char* next = *at_ == ',' ? skip_trivia(at_ + 1, last_) : at_;
  return *at_ == ',' && next != last_ && *next == '{' ? RegionList::another : RegionList::broken;
}

bool StatementReader::region_is_empty() const {
  const char* at = *at_ == '(' ? skip_trivia(at_ + 1, last_) : at_;
  if (at == last_ || *at != '{') return false;
  at = skip_trivia(at + 1, last_);
  return at != last_ && *at == '}';
}

bool StatementReader::skip_regions() {
  size_t depth = 0;
  while ((at_ = skip_trivia(at_, last_)) != last_) {
    const char c = *at_;
    if (c == '"') {
      at_ = scan_string(at_, last_);
      if (at_ == nullptr) return false;
      continue;
    }
    ++at_;
    if (c == '{' || c == '(') ++depth;
    if ((c == '}' || c == ')') && (depth == 0 || --depth == 0)) return depth == 0;
  }
  return false;
}

void StatementReader::recover() {
  // The next line that begins like a statement; brackets and strings of the broken one are not trusted.
  if (at_ != last_ && first_on_line(at_, begin_) && begins_line(at_)) return;
  while (at_ != last_) {
    const void* newline = std::memchr(at_, '\n', static_cast<size_t>(last_ - at_));
    at_ = newline == nullptr ? last_ : static_cast<const char*>(newline) + 1;
    at_ = skip_trivia(at_, last_);
    if (at_ == last_) return;
    if (*at_ == '%') {  // a list of values that names no results is stepped over as a whole
      const char* end = at_;
      if (begins_results(end, last_) || begins_line(at_)) return;
      at_ = std::max(at_, end - 1);
      continue;
    }
    if (begins_line(at_)) return;
  }
}

bool StatementReader::begins_line(const char* at) const {
  std::vector<Node> none;
  size_t patience = 0;
  const Context context{begin_, &none, oracle_, &patience, {}};
  return *at == '}' || (*at != ')' && *at != ']' && begins_statement(at, last_, context));
}

}  // namespace pto::text
