// Places, messages and what is expected of items; instructions that are not known.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "asm/binder.hpp"

namespace pto::text {

Location Binder::locate(uint32_t offset) {
  if (offset < counted_offset_) {  // second places: any of them, so all lines are found once
    if (!lines_) lines_.emplace(source_);
    return lines_->locate(offset);
  }
  const char* text = source_.data();
  while (counted_offset_ < offset) {
    const void* newline = std::memchr(text + counted_offset_, '\n', offset - counted_offset_);
    if (newline == nullptr) break;
    ++line_;
    line_start_ = static_cast<uint32_t>(static_cast<const char*>(newline) - text) + 1;
    counted_offset_ = line_start_;
  }
  counted_offset_ = offset;
  return {line_, offset - line_start_ + 1};
}

Diagnostic& Binder::fail(std::string_view id, Span where, std::string message) {
  failed_ = true;
  return diagnostics_.error(id, std::move(message), where, locate(where.begin));
}

namespace {

void mend(Diagnostic& d, std::string_view source, const std::string& word, std::string meant) {
  d.help = fmt::format("did you mean '{}'?", meant);
  const size_t at = source.substr(d.span.begin, d.span.end - d.span.begin).find(word);
  if (at == source.npos) return;
  const auto begin = static_cast<uint32_t>(d.span.begin + at);
  d.replacement = Replacement{{begin, begin + static_cast<uint32_t>(word.size())}, std::move(meant)};
}

}  // namespace

bool Binder::suggest(Diagnostic& d, std::string_view word, const std::vector<std::string_view>& candidates,
                     std::string_view prefix) {
  const std::string_view near = diagnostics_.suggests() ? nearest(word, candidates) : std::string_view();
  if (!near.empty()) mend(d, source_, fmt::format("{}{}", prefix, word), fmt::format("{}{}", prefix, near));
  return !near.empty();
}

bool Binder::suggest(Mismatch& mismatch, std::string_view word,
                     const std::vector<std::string_view>& candidates) {
  if (source_.substr(mismatch.span.begin, mismatch.span.end - mismatch.span.begin).find(word) == source_.npos)
    return false;  // of another place
  mismatch.word = word;
  mismatch.near = diagnostics_.suggests() ? nearest(word, candidates) : std::string_view();
  return !mismatch.near.empty();
}

bool Binder::expect(Cursor& cursor, NodeKind kind, std::string_view what) {
  if (cursor.accept(kind)) return true;
  if (!failed_) fail("E0101", rest_span(cursor), fmt::format("{}: expected {} here", op_name(), what));
  return false;
}

bool Binder::accept_word(Cursor& cursor, std::string_view word) const {
  if (!cursor.is(NodeKind::word) || text(cursor.peek()) != word) return false;
  cursor.take();
  return true;
}

bool Binder::expect_word(Cursor& cursor, std::string_view word) {
  if (accept_word(cursor, word)) return true;
  if (!failed_) fail("E0101", rest_span(cursor), fmt::format("{}: expected '{}' here", op_name(), word));
  return false;
}

bool Binder::expect_end(const Cursor& cursor) {
  if (cursor.done()) return true;
  if (!failed_)
    fail("E0101", rest_span(cursor),
         fmt::format("{}: unexpected '{}'", op_name(), text(cursor.peek()).substr(0, 40)));
  return false;
}

Span Binder::rest_span(const Cursor& cursor) const {
  if (!cursor.done()) return span(cursor.peek());
  // Behind the last thing read.
  uint32_t end = statement_.name.end;
  if (cursor.index() > 0 && cursor.index() <= statement_.nodes.size())
    end = statement_.nodes[cursor.index() - 1].end;
  return {end, end};
}

bool Binder::reject(Mismatch& mismatch, const Cursor& at, std::string_view id, std::string message,
                    Span where) {
  const uint32_t progress = at.index() + 1;
  if (progress <= mismatch.progress) return false;
  mismatch = {};
  mismatch.id = id;
  mismatch.message = std::move(message);
  mismatch.span = where.end != 0 ? where : rest_span(at);
  mismatch.progress = progress;
  return false;
}

void Binder::report(Mismatch& mismatch) {
  if (failed_) return;
  Diagnostic& d = fail(mismatch.id, mismatch.span, std::move(mismatch.message));
  d.help = std::move(mismatch.help);
  if (!mismatch.near.empty()) mend(d, source_, std::string(mismatch.word), std::string(mismatch.near));
  if (!mismatch.note.empty())
    d.notes.push_back({std::move(mismatch.note), mismatch.note_span, locate(mismatch.note_span.begin), {}});
}

/// An instruction that the table knows by name only, another dialect, or a spelling that nothing has.
void Binder::unsupported() {
  std::string name(op_name());
  if (name.find('.') == std::string::npos && !statement_.quoted) name = "pto." + name;
  const std::string_view dialect = std::string_view(name).substr(0, name.find('.'));
  static const std::vector<std::string_view> dialects = [] {
    std::vector<std::string_view> list;
    for (const std::string_view mnemonic : isa::mnemonics()) {
      const std::string_view its = mnemonic.substr(0, mnemonic.find('.'));
      if (std::find(list.begin(), list.end(), its) == list.end()) list.push_back(its);
    }
    return list;
  }();
  if (std::find(dialects.begin(), dialects.end(), dialect) == dialects.end()) {
    static constexpr std::string_view kOthers[] = {
        "affine", "linalg", "tensor",  "vector", "gpu",       "emitc", "bufferization",
        "index",  "ub",     "complex", "async",  "transform", "spirv", "nvvm",
        "rocdl",  "hivm",   "tosa",    "shape",  "omp",       "acc",   "ml_program"};
    if (std::find(std::begin(kOthers), std::end(kOthers), dialect) != std::end(kOthers)) {
      fail("E0110", statement_.name,
           fmt::format("{} is not supported: nothing of the dialect {} is", name, dialect))
          .unsupported = true;
      return;
    }
    const std::string_view near = nearest(dialect, dialects);
    if (near.empty()) {
      fail("E0110", statement_.name,
           fmt::format("{} is not supported: there is no dialect {}", name, dialect))
          .unsupported = true;
      return;
    }
    const std::string meant = near.empty() ? std::string{} : std::string(near) + name.substr(dialect.size());
    Diagnostic& d = fail("E0111", statement_.name, fmt::format("unknown dialect '{}' in {}", dialect, name));
    d.help = !meant.empty() && isa::find_row(meant) != nullptr
                 ? fmt::format("did you mean '{}'?", meant)
                 : fmt::format("dialects: {}", fmt::join(dialects, ", "));
    return;
  }
  if (isa::find_row(name) == nullptr && name.size() > dialect.size()) {
    std::string_view near;
    if (dialect != "pto" || diagnostics_.suggests()) {
      std::vector<std::string_view> siblings;
      for (const std::string_view mnemonic : isa::mnemonics()) {
        if (mnemonic.starts_with(dialect) && mnemonic.size() > dialect.size() &&
            mnemonic[dialect.size()] == '.')
          siblings.push_back(mnemonic.substr(dialect.size() + 1));
      }
      near = nearest(std::string_view(name).substr(dialect.size() + 1), siblings);
    }
    if (dialect == "pto" || !near.empty()) {
      Diagnostic& d = fail("E0111", statement_.name, fmt::format("there is no instruction {}", name));
      const bool short_name = op_name().size() < name.size();
      if (!near.empty())
        mend(d, source_, std::string(op_name()),
             fmt::format("{}{}", short_name ? "" : std::string(dialect) + ".", near));
      return;
    }
  }
  fail("E0110", statement_.name, fmt::format("{} is not supported yet", name)).unsupported = true;
}

}  // namespace pto::text
