#include "asm/parse/text/statement_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "asm/parse/text/scanner.hpp"

namespace pto::text {

void Reader::next() {
  stream_.next(statement_);
  items_end_ = static_cast<uint32_t>(statement_.nodes.size());
  result_names_ready_ = false;
  report_.begin_statement();
}

void Reader::resume(Span name) {
  stream_.resume(statement_, report_.text(name));
  statement_.name = name;
  items_end_ = static_cast<uint32_t>(statement_.nodes.size());
}

bool Reader::closes_behind(const Node& node) const {
  const std::string_view source = report_.source();
  const char* last = source.data() + source.size();
  const char* at = skip_trivia(source.data() + node.end, last);
  while (at != last && (*at == ']' || *at == '}' || *at == '>')) at = skip_trivia(at + 1, last);
  return at != last && *at == ')';
}

Span Reader::entry_span(std::string_view key) const {
  for (const Node& node : statement_.nodes) {
    if (node.kind != NodeKind::entry) continue;
    const auto index = static_cast<uint32_t>(&node - statement_.nodes.data());
    std::string_view name = text(statement_.nodes[index + 1]);
    if (name.starts_with('"')) name = name.substr(1, name.size() - 2);
    if (name == key) return span_of(node);
  }
  return {};
}

// ---- what is expected ----

bool Reader::expect(Cursor& cursor, NodeKind kind, std::string_view what) {
  if (cursor.accept(kind)) return true;
  if (!report_.failed())
    report_.fail(E0101, rest_span(cursor), fmt::format("{}: expected {} here", op_name(), what));
  return false;
}

bool Reader::accept_word(Cursor& cursor, std::string_view word) const {
  if (!cursor.is(NodeKind::word) || text(cursor.peek()) != word) return false;
  cursor.take_token();
  return true;
}

bool Reader::expect_word(Cursor& cursor, std::string_view word) {
  if (accept_word(cursor, word)) return true;
  if (!report_.failed())
    report_.fail(E0101, rest_span(cursor), fmt::format("{}: expected '{}' here", op_name(), word));
  return false;
}

bool Reader::expect_end(const Cursor& cursor) {
  if (cursor.done()) return true;
  if (!report_.failed())
    report_.fail(E0101, rest_span(cursor),
                 fmt::format("{}: unexpected '{}'", op_name(), text(cursor.peek()).substr(0, 40)));
  return false;
}

Span Reader::rest_span(const Cursor& cursor) const {
  if (!cursor.done()) return span_of(cursor.peek());
  // Behind the last thing read.
  uint32_t end = statement_.name.end;
  if (cursor.index() > 0 && cursor.index() <= statement_.nodes.size())
    end = statement_.nodes[cursor.index() - 1].end;
  return {end, end};
}

// ---- forms that do not fit ----

bool Reader::reject(MatchFailure& mismatch, const Cursor& at, FindingId id, std::string message,
                    Span where) const {
  const uint32_t progress = at.index() + 1;
  if (progress <= mismatch.progress) return false;
  mismatch = {};
  mismatch.id = id;
  mismatch.message = std::move(message);
  mismatch.span = where.end != 0 ? where : rest_span(at);
  mismatch.progress = progress;
  return false;
}

bool Reader::suggest(MatchFailure& mismatch, std::string_view word,
                     const std::vector<std::string_view>& candidates) const {
  if (report_.text(mismatch.span).find(word) == word.npos) return false;  // of another place
  mismatch.word = word;
  mismatch.near = report_.all().suggests() ? nearest(word, candidates) : std::string_view();
  return !mismatch.near.empty();
}

void Reader::report(MatchFailure& mismatch) {
  if (report_.failed()) return;
  Diagnostic& d = report_.fail(mismatch.id, mismatch.span, std::move(mismatch.message));
  d.help = std::move(mismatch.help);
  if (!mismatch.near.empty()) report_.suggest_word(d, std::string(mismatch.word), std::string(mismatch.near));
}

// ---- the left side ----

const std::vector<ResultName>& Reader::result_names() {
  if (result_names_ready_) return result_names_;
  result_names_.clear();
  result_names_ready_ = true;
  Cursor cursor(statement_.nodes, 0, statement_.first_item);
  while (!cursor.done()) {
    const Node& name = cursor.take_token();
    uint32_t count = 0;
    if (cursor.accept(NodeKind::colon) && !cursor.done()) {
      const Node& number = cursor.take_token();
      for (const char c : text(number))
        count = std::min(count * 10 + static_cast<uint32_t>(c - '0'), 100000u);
      if (count == 0) report_.fail(E0119, span_of(number), "a result pack has at least one value");
    }
    result_names_.push_back({text(name).substr(1), span_of(name), count});
    cursor.accept(NodeKind::comma);
  }
  return result_names_;
}

uint32_t Reader::result_count() {
  uint32_t n = 0;
  for (const ResultName& name : result_names()) n += std::max(name.count, 1u);
  return n;
}

}  // namespace pto::text
