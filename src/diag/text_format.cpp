// Diagnostics as text for people and for programs that read what compilers print.
#include <fmt/format.h>

#include "diag/diagnostic_facts.hpp"
#include "pto/diagnostic_formats.hpp"
#include "support/printable.hpp"
#include "support/source_excerpt.hpp"
#include "support/source_lines.hpp"

namespace pto {

namespace {

constexpr std::string_view kBold = "\x1b[1m", kRed = "\x1b[1;31m", kMagenta = "\x1b[1;35m",
                           kCyan = "\x1b[1;36m", kGreen = "\x1b[1;32m", kPlain = "\x1b[0m";
constexpr unsigned kGutter = 8;  // "  123 | "

/// Writes the diagnostics of one file.
class TextWriter {
 public:
  TextWriter(std::string_view file, std::string_view source, const TextStyle& style)
      : file_(printable_line(file, kMaxPathLength)), lines_(source), style_(style) {}

  void write(const Diagnostic& d) {
    const Location where = lines_.begin_of(d.span, d.where);
    write_position(where);
    text_ += painted(d.severity == Severity::error     ? kRed
                     : d.severity == Severity::warning ? kMagenta
                                                       : kCyan,
                     heading(d));
    const std::string name = switch_of(d);
    text_ += fmt::format(" {}{}\n", painted(kBold, printable(full_message(d))),
                         name.empty() ? "" : fmt::format(" [{}]", name));
    write_excerpt(d.span, where);
    write_origin(d.origin);
    for (const Note& note : notes_of(d)) write(note);
    if (!d.help.empty())
      text_ += fmt::format("  {} {}\n", painted(kGreen, "help:"), printable(to_string(d.help)));
  }
  void write_hidden(const Diagnostics& diagnostics) {
    const std::string hidden = hidden_text(diagnostics);
    if (!hidden.empty()) text_ += fmt::format("{}: {}\n", file_, hidden);
  }
  std::string take() { return std::move(text_); }

 private:
  void write(const Note& note) {
    const Location where = lines_.begin_of(note.span, note.where);
    if (where.line == 0) {
      text_ += "  ";
    } else {
      write_position(where);
    }
    text_ += fmt::format("{} {}\n", painted(kCyan, "note:"), printable(note.message));
    write_excerpt(note.span, where);
    write_origin(note.origin);
  }
  void write_origin(const std::optional<SourcePlace>& origin) {
    if (origin) text_ += fmt::format("  {} {}\n", painted(kCyan, "made from:"), words(*origin));
  }
  void write_position(Location where) {
    text_ += painted(kBold, where.line == 0 ? fmt::format("{}:", file_)
                                            : fmt::format("{}:{}:{}:", file_, where.line, where.col)) +
             ' ';
  }
  static std::string heading(const Diagnostic& d) {
    return d.id == FindingId::none ? fmt::format("{}:", to_string(d.severity))
                                   : fmt::format("{}[{}]:", to_string(d.severity), to_string(d.id));
  }
  void write_excerpt(Span span, Location where) {
    const std::string_view line = lines_.line(where.line);
    if (where.line == 0 || lines_.empty() || where.col == 0 || where.col - 1 > line.size()) return;
    const Location end = lines_.end_of(span, where);
    const size_t size = end.line == where.line ? end.col - where.col : line.size() - (where.col - 1);
    const Excerpt shown =
        excerpt(line, where.col - 1, size, std::max(style_.columns, kGutter + 20) - kGutter);
    const size_t blanks = shown.mark.find('^');
    text_ += fmt::format("{:>5} | {}\n{:>5} | {}{}\n", where.line, shown.line, "",
                         shown.mark.substr(0, blanks), painted(kGreen, shown.mark.substr(blanks)));
  }
  [[nodiscard]] std::string painted(std::string_view color, std::string_view text) const {
    return style_.color ? fmt::format("{}{}{}", color, text, kPlain) : std::string(text);
  }

  std::string file_;
  SourceLines lines_;
  TextStyle style_;
  std::string text_;
};

}  // namespace

std::string format_text(const Diagnostic& diagnostic, std::string_view file, std::string_view source,
                        const TextStyle& style) {
  TextWriter writer(file, source, style);
  writer.write(diagnostic);
  return writer.take();
}

std::string format_text(const Diagnostics& diagnostics, std::string_view file, std::string_view source,
                        const TextStyle& style) {
  if (diagnostics.all().empty() && diagnostics.hidden_errors() + diagnostics.hidden_warnings() == 0)
    return {};
  TextWriter writer(file, source, style);
  for (const Diagnostic& diagnostic : diagnostics.all()) writer.write(diagnostic);
  writer.write_hidden(diagnostics);
  return writer.take();
}

}  // namespace pto
