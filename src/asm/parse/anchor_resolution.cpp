// Rules speak of operands, types and attributes of an operation; programs keep one position per operation.
// Here the statement at that position is parsed again to find the span of the part.
#include <algorithm>

#include "asm/parse/forms/syntax_matcher.hpp"
#include "asm/parse/forms/tile_form.hpp"
#include "asm/parse/text/braces.hpp"
#include "asm/parse/text/scanner.hpp"
#include "asm/parse/types/type_parts.hpp"

namespace pto::text {

namespace {

/// Begin of every line.
std::vector<uint32_t> line_starts(std::string_view source) {
  std::vector<uint32_t> starts = {0};
  for (size_t at = source.find('\n'); at != source.npos; at = source.find('\n', at + 1))
    starts.push_back(static_cast<uint32_t>(at + 1));
  return starts;
}

/// All nodes of a kind in the order of the text.
std::vector<Span> spans_of(const std::vector<Node>& nodes, uint32_t from, NodeKind kind) {
  std::vector<Span> found;
  for (uint32_t i = from; i < nodes.size(); ++i) {
    if (nodes[i].kind == kind) found.push_back({nodes[i].begin, nodes[i].end});
  }
  return found;
}

bool is_type(const Node& node, std::string_view text) {
  if (node.kind == NodeKind::type || node.kind == NodeKind::angled) return true;
  if (node.kind != NodeKind::word) return false;
  if (text == "index" || text == "bf16") return true;
  text.remove_prefix(text.starts_with("si") || text.starts_with("ui") ? 1 : 0);
  return text.size() > 1 && (text[0] == 'i' || text[0] == 'f') &&
         std::all_of(text.begin() + 1, text.end(), [](char c) { return is(c, kDigit); });
}

}  // namespace

/// Says where a part of an operation stands by reading its statement again.
class PartFinder {
 public:
  PartFinder(std::string_view source, const ParseOptions& options, Program& scratch, Diagnostics& unused)
      : p_(source, options, scratch, unused) {
    p_.old_forms.allow(true);  // the statement has been read, in whatever form
  }

  /// `offset`: of the operation's name.
  Span locate(uint32_t offset, const Anchor& anchor);
  /// The key of an attribute that the row does not have.
  Span locate_key(uint32_t offset, std::string_view key);
  /// Where the first statement ends.
  uint32_t end();

 private:
  void read(uint32_t offset);
  [[nodiscard]] Span in_form(const isa::Schema& schema, const Anchor& anchor);
  [[nodiscard]] Span by_order(const Anchor& anchor) const;
  [[nodiscard]] Span result_span(uint32_t offset) const;
  [[nodiscard]] Span region_end(uint32_t index) const;

  BinderContext p_;
};

void PartFinder::read(uint32_t offset) {
  p_.reader.stream().seek(offset > 0 && p_.report.source()[offset - 1] == '"' ? offset - 1 : offset);
  p_.reader.next();
}

/// The first result's name on the operation's line.
Span PartFinder::result_span(uint32_t offset) const {
  const size_t newline = p_.report.source().rfind('\n', offset);
  const size_t begin = p_.report.source().find('%', newline == p_.report.source().npos ? 0 : newline);
  if (begin >= offset) return {};
  const char* end = scan_name(p_.report.source().data() + begin + 1, p_.report.source().data() + offset);
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end - p_.report.source().data())};
}

/// Where a hook or the generic form reads the statement: operands and their types by their order.
Span PartFinder::by_order(const Anchor& anchor) const {
  const std::vector<Node>& nodes = p_.reader.nodes();
  std::vector<Span> operands, types;
  for (uint32_t i = p_.reader.statement().first_item; i < nodes.size();
       i = nodes[i].kind == NodeKind::dict || nodes[i].kind == NodeKind::props ? nodes[i].next : i + 1) {
    if (nodes[i].kind == NodeKind::operand) operands.push_back(span_of(nodes[i]));
    if (is_type(nodes[i], p_.reader.text(nodes[i]))) types.push_back(span_of(nodes[i]));
  }
  if (anchor.part == Anchor::Part::result_type) {  // results stand last
    if (types.empty()) return {};
    return operands.size() + anchor.index < types.size() ? types[operands.size() + anchor.index]
                                                         : types.back();
  }
  if (anchor.index >= operands.size()) return {};
  return anchor.part == Anchor::Part::operand || anchor.index >= types.size() ? operands[anchor.index]
                                                                              : types[anchor.index];
}

Span PartFinder::locate(uint32_t offset, const Anchor& anchor) {
  read(offset);
  if (p_.reader.statement().kind == StatementKind::label) return p_.reader.statement().name;
  if (p_.reader.statement().kind != StatementKind::operation) return {};
  const Span name = p_.reader.statement().name;
  const isa::Row* written = p_.vocabulary.row_of(p_.reader.op_name());
  const isa::Schema& schema = isa::schema(anchor.row);
  // An allocation that a result represents has no statement of its own.
  const bool same = written != nullptr && (written->name == schema.row->name ||
                                           isa::schema(isa::id_of(*written)).written_as == schema.row->name);
  if (!same) return anchor.part == Anchor::Part::op ? name : result_span(name.begin);
  p_.locations.strip();
  if (anchor.part == Anchor::Part::op) return name;
  if (anchor.part == Anchor::Part::result) return result_span(name.begin);
  if (anchor.part == Anchor::Part::end) return region_end(anchor.index);
  if (anchor.part == Anchor::Part::attribute && anchor.index < schema.attrs.size()) {
    const std::string_view key = schema.attrs[anchor.index].name;
    if (const Span entry = p_.reader.entry_span(key); entry != Span{}) return entry;
    if (const Span entry = key == "auto" ? p_.reader.entry_span("autoAlloc") : Span{}; entry != Span{})
      return entry;
  }
  // In the generic form branches list their blocks.
  if (const std::vector<Span> blocks =
          spans_of(p_.reader.nodes(), p_.reader.statement().first_item, NodeKind::caret);
      p_.reader.statement().quoted && anchor.part == Anchor::Part::attribute && anchor.index < blocks.size())
    return blocks[anchor.index];
  const Span found = in_form(schema, anchor);
  // The type of an operand that stands nowhere: the operand itself.
  if (found == Span{} && anchor.part == Anchor::Part::operand_type)
    return locate(offset, {Anchor::Part::operand, anchor.op, anchor.index, {}, anchor.row});
  if (found == Span{}) return name;
  if (anchor.key.empty()) return found;
  const Span part = type_part(p_.report.text(found), anchor.key);
  return {found.begin + part.begin, found.begin + part.end};
}

/// The key of an attribute that the row does not have.
Span PartFinder::locate_key(uint32_t offset, std::string_view key) {
  read(offset);
  const Span entry = p_.reader.entry_span(key);
  if (entry == Span{}) return {};
  const bool quoted = p_.report.source()[entry.begin] == '"';
  return {entry.begin, entry.begin + static_cast<uint32_t>(key.size()) + (quoted ? 2u : 0u)};
}

uint32_t PartFinder::end() {
  read(0);
  const Statement& statement = p_.reader.statement();
  if (statement.kind != StatementKind::operation) return 0;
  uint32_t last = statement.name.end;  // what was read goes on to the next statement
  for (const Node& node : statement.nodes) last = std::max(last, node.end);
  return last;
}

Span PartFinder::in_form(const isa::Schema& schema, const Anchor& anchor) {
  MatchFailure mismatch;
  if (p_.reader.statement().quoted || schema.row->syntax.starts_with("@custom")) return by_order(anchor);
  if (schema.row->syntax.starts_with('@')) {
    TileForm form(p_, schema, mismatch);
    return form.match() ? form.find(anchor) : Span{};
  }
  Matcher matcher(p_, schema, mismatch);
  return matcher.match(p_.reader.items()) ? matcher.find(anchor) : Span{};
}

/// The '}' of region `index` of the statement that was read last.
Span PartFinder::region_end(uint32_t index) const {
  if (!p_.reader.statement().region) return p_.reader.statement().name;
  uint32_t open = p_.reader.stream().offset();
  uint32_t close = open;
  for (uint32_t i = 0;; ++i) {
    close = matching_brace(p_.report.source(), open);
    if (i == index) break;
    const size_t next = p_.report.source().find('{', close);
    if (next == p_.report.source().npos) break;
    open = static_cast<uint32_t>(next);
  }
  return close < p_.report.source().size() ? Span{close, close + 1} : p_.reader.statement().name;
}

}  // namespace pto::text

namespace pto {

namespace {

/// Before the anchors: they move positions from operations to their parts.
void add_origins(const Program& program, Diagnostics& diagnostics) {
  if (program.origins.empty()) return;
  const auto add = [&](Location where, std::optional<SourcePlace>& place) {
    if (place) return;
    const Origin* origin = program.origin_of(where);
    if (origin != nullptr) place = SourcePlace{std::string(program.strings[origin->file]), origin->at};
  };
  for (Diagnostic& diagnostic : diagnostics.all()) {
    add(diagnostic.where, diagnostic.origin);
    for (Note& note : diagnostic.notes) add(note.where, note.origin);
  }
}

}  // namespace

void resolve_anchors(const Program& program, std::string_view text, Diagnostics& diagnostics) {
  add_origins(program, diagnostics);
  if (text.empty() || diagnostics.all().empty()) return;
  Program scratch;
  Diagnostics unused;
  ParseOptions options;
  options.target = program.target;
  text::PartFinder finder(text, options, scratch, unused);
  const std::vector<uint32_t> starts = text::line_starts(text);
  const auto resolve = [&](const Anchor& anchor, Span& span, Location& where) {
    if (anchor.row == Anchor::kNoRow || span != Span{}) return;
    if (where.line == 0 || where.line > starts.size()) return;
    const uint32_t offset = starts[where.line - 1] + where.col - 1;
    if (offset >= text.size()) return;
    span = {};
    if (anchor.part == Anchor::Part::attribute && anchor.index >= kUnknownAttr)
      span = finder.locate_key(offset, program.strings[anchor.index - kUnknownAttr]);
    if (span == Span{}) span = finder.locate(offset, anchor);
    if (span == Span{}) return;
    const auto line = std::upper_bound(starts.begin(), starts.end(), span.begin) - starts.begin();
    where = {static_cast<uint32_t>(line), span.begin - starts[static_cast<size_t>(line - 1)] + 1};
  };
  for (Diagnostic& diagnostic : diagnostics.all()) {
    resolve(diagnostic.anchor, diagnostic.span, diagnostic.where);
    for (Note& note : diagnostic.notes) resolve(note.anchor, note.span, note.where);
  }
}

uint32_t lines_within(std::string_view text, Target target) {
  constexpr size_t kMaxLength = 1u << 16;
  text = text.substr(0, kMaxLength);
  Program scratch;
  Diagnostics unused;
  ParseOptions options;
  options.target = target;
  const uint32_t end = text::PartFinder(text, options, scratch, unused).end();
  return static_cast<uint32_t>(std::ranges::count(text.substr(0, end), '\n'));
}

}  // namespace pto
