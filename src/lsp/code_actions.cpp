// Quick fixes: what the help of a diagnostic says to write, where trying it out mends the diagnostic.
//
// Help is written for people. What it may mean is tried on the text: a change is offered when the diagnostic
// goes, and nothing else comes.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "asm/parse/text/scanner.hpp"
#include "lsp/features.hpp"
#include "lsp/text_edits.hpp"

namespace pto::lsp {

namespace {

using Edits = std::vector<Edit>;

constexpr size_t kMaxTrials = 12;  ///< changes of one request: each reads the whole text

/// `a`, `b` and `c` of "a, b or c".
std::vector<std::string_view> alternatives(std::string_view words) {
  std::vector<std::string_view> list;
  for (const std::string_view separator : {", ", " or "}) {
    if (const size_t at = words.find(separator); at != words.npos) {
      list = alternatives(words.substr(0, at));
      for (const std::string_view one : alternatives(words.substr(at + separator.size())))
        list.push_back(one);
      return list;
    }
  }
  for (const std::string_view article : {"a ", "an ", "the "}) {
    if (words.starts_with(article)) words.remove_prefix(article.size());
  }
  return {words};
}

class Fixes {
 public:
  Fixes(const Document& document, const Finding& finding)
      : document_(document), text_(document.text()), finding_(finding), d_(finding.diagnostic) {}

  /// The likeliest first.
  std::vector<Edits> candidates() {
    if (d_.replacement) add({{{d_.replacement->span, d_.replacement->text}}});
    const std::string_view help = d_.help;
    if (help.starts_with("use ")) replace_by(help.substr(4));
    if (help.starts_with("write ")) write(help.substr(6));
    if (help.starts_with("add ")) insert(help.substr(4));
    if (help.starts_with("remove it") || help.starts_with("drop ") || help.starts_with("leave it out"))
      remove();
    return std::move(candidates_);
  }

 private:
  void add(Edits edits) {
    if (!edits.empty()) candidates_.push_back(std::move(edits));
  }

  [[nodiscard]] Span span() const {
    return {document_.offset(finding_.range.start), document_.offset(finding_.range.end)};
  }

  void replace_by(std::string_view words) {
    for (const std::string_view one : alternatives(words.substr(0, words.find(';')))) {
      if (!one.empty() && one.find(' ') == one.npos && one.find("..") == one.npos)
        add({{span(), std::string(one)}});
    }
  }

  void remove() {
    add({{span(), ""}});
    const uint32_t line = finding_.range.start.line;
    add({{{document_.begin_of_line(line), document_.begin_of_line(line + 1)}, ""}});
  }

  /// "X", "X in front of this brace", "X in front of line 3 and Y behind line 5".
  void write(std::string_view words) {
    static constexpr std::string_view kFront = " in front of line ", kBehind = " behind line ",
                                      kAnd = " and ", kBrace = " in front of this brace",
                                      kAround = " { .. } around line ";
    if (const size_t brace = words.find(kBrace); brace != words.npos)
      return add({line_before(finding_.range.start.line, words.substr(0, brace))});
    if (const size_t around = words.find(kAround); around != words.npos) {
      const auto line = number(words.substr(around + kAround.size()));
      if (line)
        add({line_before(*line - 1, fmt::format("{} {{", words.substr(0, around))), line_before(*line, "}")});
      return;
    }
    const size_t front = words.find(kFront), both = words.find(kAnd), behind = words.find(kBehind);
    if (front != words.npos && both != words.npos && behind != words.npos && front < both && both < behind) {
      const auto first = number(words.substr(front + kFront.size())),
                 last = number(words.substr(behind + kBehind.size()));
      if (first && last)
        add({line_before(*first - 1, words.substr(0, front)),
             line_before(*last, words.substr(both + kAnd.size(), behind - both - kAnd.size()))});
      return;
    }
    add({{span(), std::string(words.substr(0, words.find(';')))}});
    replace_by(words);
  }

  /// "X before the place", "X after a place and Y before another": the places are those of the diagnostic and
  /// of its notes, or are named by their lines.
  void insert(std::string_view words) {
    const size_t cut = words.find(", or ");
    words = words.substr(0, cut);
    Edits edits;
    while (!words.empty()) {
      const size_t both = words.find(" and ");
      const std::string_view part = words.substr(0, both);
      words = both == words.npos ? std::string_view{} : words.substr(both + 5);
      const size_t after = part.find(" after "), before = part.find(" before ");
      const size_t at = std::min(after, before);
      if (at == part.npos) return;
      auto line = number(part.substr(std::min(part.rfind(':'), part.size() - 1) + 1));
      if (!line && part.find(" line ") != part.npos) line = number(part.substr(part.find(" line ") + 6));
      const uint32_t where = line ? *line - 1 : finding_.range.start.line;
      edits.push_back(line_before(at == after ? where + 1 : where, part.substr(0, at)));
    }
    add(std::move(edits));
  }

  static std::optional<uint32_t> number(std::string_view words) {
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), value);
    if (error != std::errc() || value == 0) return std::nullopt;
    return value;
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
                                    : finding.diagnostic.help;
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
