// Quick fixes: the edits that the fix of a diagnostic stands for. Each is tried on the text: it is offered
// when the diagnostic goes and no other comes.
#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "asm/parse/text/scanner.hpp"
#include "lsp/features.hpp"
#include "lsp/text_edits.hpp"

namespace pto::lsp {

namespace {

using Edits = std::vector<Edit>;

constexpr size_t kMaxTrials = 12;  ///< changes of one request: each reads the whole text

class Fixes {
 public:
  Fixes(const Document& document, const Finding& finding)
      : document_(document), text_(document.text()), finding_(finding), d_(finding.diagnostic) {}

  /// The likeliest first.
  std::vector<Edits> candidates() {
    if (d_.replacement) add({{{d_.replacement->span, d_.replacement->text}}});
    std::visit(*this, d_.help.action());
    return std::move(candidates_);
  }

  void operator()(const std::string&) {}
  void operator()(const Substitute& action) {
    for (const std::string& text : action.alternatives) add({{span(), text}});
  }
  void operator()(const RemoveMarked&) {
    add({{span(), ""}});
    const uint32_t line = marked_line();
    add({{{document_.begin_of_line(line), document_.begin_of_line(line + 1)}, ""}});
  }
  void operator()(const WriteBeforeMarked& action) { add({line_before(marked_line(), action.text)}); }
  void operator()(const EncloseLines& action) {
    add({line_before(action.first - 1, action.opening + " {"), line_before(action.last, "}")});
  }
  /// Statements whose line is not known go beside the line that the diagnostic marks.
  void operator()(const ChangeStatements& action) {
    Edits edits;
    for (const StatementChange& change : action.changes) {
      if (change.kind != StatementChange::Kind::add) return;
      const uint32_t line = change.place.line != 0 ? change.place.line - 1 : marked_line();
      edits.push_back(
          line_before(change.place.side == TextPlace::Side::after ? line + 1 : line, change.text));
    }
    add(std::move(edits));
  }

 private:
  void add(Edits edits) {
    if (!edits.empty()) candidates_.push_back(std::move(edits));
  }

  [[nodiscard]] uint32_t marked_line() const { return finding_.range.start.line; }
  [[nodiscard]] Span span() const {
    return {document_.offset(finding_.range.start), document_.offset(finding_.range.end)};
  }

  /// A line of its own, with the blanks that the line behind it begins with.
  [[nodiscard]] Edit line_before(uint32_t line, std::string_view words) const {
    const uint32_t at = document_.begin_of_line(line);
    const std::string_view next = document_.line(line);
    const std::string_view blanks = next.substr(0, std::min(next.find_first_not_of(" \t"), next.size()));
    const bool lacks_end = at == text_.size() && !text_.ends_with('\n');
    return {{at, at}, fmt::format("{}{}{}\n", lacks_end ? "\n" : "", blanks, words)};
  }

  const Document& document_;
  const std::string& text_;
  const Finding& finding_;
  const Diagnostic& d_;
  std::vector<Edits> candidates_;
};

/// How often a diagnostic of this id and message is there.
auto count_of(const Analysis& analysis, const Diagnostic& d) {
  return std::ranges::count_if(analysis.findings(), [&](const Finding& other) {
    return other.diagnostic.id == d.id && other.diagnostic.message == d.message;
  });
}

size_t errors_of(const Analysis& analysis) {
  return static_cast<size_t>(std::ranges::count_if(analysis.findings(), [](const Finding& finding) {
    return finding.diagnostic.severity == pto::Severity::error;
  }));
}

/// A text that is read to its end may have other errors than one that is not; it counts as better.
bool mends(const Analysis& before, const Analysis& after, const Diagnostic& d) {
  if (count_of(after, d) >= count_of(before, d)) return false;
  return (after.whole() && !before.whole()) ||
         (after.whole() == before.whole() && errors_of(after) <= errors_of(before) &&
          after.findings().size() <= before.findings().size());
}

}  // namespace

Json actions(OpenText& text, const Settings& settings, const Range& range) {
  Json list = Json::array();
  size_t tried = 0;
  const Analysis& analysis = text.analysis(settings);
  for (const Finding& finding : analysis.findings()) {
    if (finding.range.end < range.start || range.end < finding.range.start) continue;
    bool first = true;
    for (const Edits& edits : Fixes(text.document(), finding).candidates()) {
      if (tried++ == kMaxTrials) return list;
      const Analysis after(Document(applied(text.document().text(), edits)), text.name(), settings);
      if (!mends(analysis, after, finding.diagnostic)) continue;
      const std::string& words = edits.front().text;
      const bool single = edits.size() == 1 && !finding.diagnostic.replacement;
      const std::string title = single && !words.empty() && words.find('\n') == words.npos
                                    ? fmt::format("write {}", words)
                                    : to_string(finding.diagnostic.help);
      list.push_back({{"title", title},
                      {"kind", "quickfix"},
                      {"isPreferred", first},
                      {"diagnostics", Json::array({fault(finding, text.uri())})},
                      {"edit", workspace_edit(edits, text.document(), text.uri())}});
      first = false;
    }
  }
  return list;
}

}  // namespace pto::lsp
