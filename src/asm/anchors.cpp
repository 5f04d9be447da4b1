// Rules speak of operands, types and attributes of an operation; programs keep one position per operation.
// Here the statement at that position is parsed again to find the span of the part.
#include <algorithm>

#include "asm/braces.hpp"
#include "asm/hooks.hpp"
#include "asm/lex.hpp"
#include "asm/match.hpp"
#include "asm/type_parts.hpp"

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

Span Binder::attribute_span(std::string_view key) const {
  for (const Node& node : statement_.nodes) {
    if (node.kind != NodeKind::entry) continue;
    const auto index = static_cast<uint32_t>(&node - statement_.nodes.data());
    std::string_view name = text(statement_.nodes[index + 1]);
    if (name.starts_with('"')) name = name.substr(1, name.size() - 2);
    if (name == key) return span(node);
  }
  return {};
}

/// The first result's name on the operation's line.
Span Binder::result_span(uint32_t offset) const {
  const size_t newline = source_.rfind('\n', offset);
  const size_t begin = source_.find('%', newline == source_.npos ? 0 : newline);
  if (begin >= offset) return {};
  const char* end = scan_name(source_.data() + begin + 1, source_.data() + offset);
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end - source_.data())};
}

/// Where a hook or the generic form reads the statement: operands and their types by their order.
Span Binder::find_by_order(const Anchor& anchor) {
  const std::vector<Node>& nodes = statement_.nodes;
  std::vector<Span> operands, types;
  for (uint32_t i = statement_.first_item; i < nodes.size();
       i = nodes[i].kind == NodeKind::dict || nodes[i].kind == NodeKind::props ? nodes[i].next : i + 1) {
    if (nodes[i].kind == NodeKind::operand) operands.push_back(span(nodes[i]));
    if (is_type(nodes[i], text(nodes[i]))) types.push_back(span(nodes[i]));
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

Span Binder::locate(uint32_t offset, RowId row, const Anchor& anchor) {
  reader_.seek(offset > 0 && source_[offset - 1] == '"' ? offset - 1 : offset);
  reader_.next(statement_);
  items_end_ = static_cast<uint32_t>(statement_.nodes.size());
  result_names_ready_ = false;
  if (statement_.kind == StatementKind::label) return statement_.name;
  if (statement_.kind != StatementKind::operation) return {};
  const Span name = statement_.name;
  const isa::Row* written = resolve(op_name());
  const isa::Schema& schema = isa::schema(row);
  // An allocation that a result stands for has no statement of its own.
  const bool same = written != nullptr && (written->name == schema.row->name ||
                                           isa::schema(isa::id_of(*written)).written_as == schema.row->name);
  if (!same) return anchor.part == Anchor::Part::op ? name : result_span(name.begin);
  strip_location();
  if (anchor.part == Anchor::Part::op) return name;
  if (anchor.part == Anchor::Part::result) return result_span(name.begin);
  if (anchor.part == Anchor::Part::end) return region_end(anchor.index);
  if (anchor.part == Anchor::Part::attribute && anchor.index < schema.attrs.size()) {
    const std::string_view key = schema.attrs[anchor.index].name;
    if (const Span entry = attribute_span(key); entry != Span{}) return entry;
    if (const Span entry = key == "auto" ? attribute_span("autoAlloc") : Span{}; entry != Span{})
      return entry;
  }
  // In the generic form branches list their blocks.
  if (const std::vector<Span> blocks = spans_of(statement_.nodes, statement_.first_item, NodeKind::caret);
      statement_.quoted && anchor.part == Anchor::Part::attribute && anchor.index < blocks.size())
    return blocks[anchor.index];
  Mismatch mismatch;
  Span found;
  if (statement_.quoted || schema.row->syntax.starts_with("@custom")) {
    found = find_by_order(anchor);
  } else if (schema.row->syntax.starts_with('@')) {
    found = find_in_tile_form(schema, anchor);
  } else {
    Matcher matcher(*this, schema, mismatch);
    if (matcher.match(items())) found = matcher.find(anchor);
  }
  // The type of an operand that stands nowhere: the operand itself.
  if (found == Span{} && anchor.part == Anchor::Part::operand_type)
    return locate(offset, row, {Anchor::Part::operand, anchor.op, anchor.index});
  if (found == Span{}) return name;
  if (anchor.key.empty()) return found;
  const Span part = type_part(text(found), anchor.key);
  return {found.begin + part.begin, found.begin + part.end};
}

/// The key of an attribute that the row does not have.
Span Binder::locate_key(uint32_t offset, std::string_view key) {
  reader_.seek(offset > 0 && source_[offset - 1] == '"' ? offset - 1 : offset);
  reader_.next(statement_);
  const Span entry = attribute_span(key);
  if (entry == Span{}) return {};
  const bool quoted = source_[entry.begin] == '"';
  return {entry.begin, entry.begin + static_cast<uint32_t>(key.size()) + (quoted ? 2u : 0u)};
}

/// The '}' of region `index` of the statement that was read last.
Span Binder::region_end(uint32_t index) const {
  if (!statement_.region) return statement_.name;
  uint32_t open = reader_.offset(), close = open;
  for (uint32_t i = 0;; ++i) {
    close = matching_brace(source_, open);
    if (i == index) break;
    const size_t next = source_.find('{', close);
    if (next == source_.npos) break;
    open = static_cast<uint32_t>(next);
  }
  return close < source_.size() ? Span{close, close + 1} : statement_.name;
}

}  // namespace pto::text

namespace pto {

void resolve_anchors(const Program& program, std::string_view text, Diagnostics& diagnostics) {
  if (text.empty() || diagnostics.all().empty()) return;
  Program scratch;
  Diagnostics unused;
  ParseOptions options;
  options.target = program.target;
  text::Binder binder(text, options, scratch, unused);
  const std::vector<uint32_t> starts = text::line_starts(text);
  const auto resolve = [&](const Anchor& anchor, Span& span, Location& where) {
    if (anchor.op >= program.ops.size() || span != Span{}) return;
    const Op& op = program.ops[anchor.op];
    if (op.where.line == 0 || op.where.line > starts.size()) return;
    const uint32_t offset = starts[op.where.line - 1] + op.where.col - 1;
    if (offset >= text.size()) return;
    span = {};
    if (anchor.part == Anchor::Part::attribute && anchor.index >= kUnknownAttr &&
        anchor.index - kUnknownAttr < op.n_attrs)
      span = binder.locate_key(offset,
                               program.strings[program.attrs[op.attrs + anchor.index - kUnknownAttr].name]);
    if (span == Span{}) span = binder.locate(offset, op.row, anchor);
    if (span == Span{}) return;
    const auto line = std::upper_bound(starts.begin(), starts.end(), span.begin) - starts.begin();
    where = {static_cast<uint32_t>(line), span.begin - starts[static_cast<size_t>(line - 1)] + 1};
  };
  for (Diagnostic& diagnostic : diagnostics.all()) {
    resolve(diagnostic.anchor, diagnostic.span, diagnostic.where);
    for (Note& note : diagnostic.notes) resolve(note.anchor, note.span, note.where);
  }
}

}  // namespace pto
