// The public entry points of the assembler: text -> Program.
#include "pto/assembler.hpp"

#include <algorithm>

#include "asm/parse/binder.hpp"
#include "asm/parse/text/char_class.hpp"

namespace pto {
namespace {

/// Room for about one operation, three operands and one named value a line, so that the vectors need not grow
/// by copying. What is not used costs nothing: its pages are never touched.
void reserve_for(std::string_view text, Program& program) {
  size_t lines = 1;
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) ++lines;
  program.ops.reserve(lines);
  program.operands.reserve(3 * lines);
  program.values.reserve(lines);
  program.strings.reserve(lines, 8 * lines);
}

/// Forms that were tried one after the other have read the same names.
void finish_reading(Reading& reading) {
  std::vector<NameUse>& names = reading.names;
  std::ranges::stable_sort(names, {}, [](const NameUse& use) { return use.where.begin; });
  const auto same = [](const NameUse& a, const NameUse& b) { return a.where.begin == b.where.begin; };
  names.erase(std::unique(names.begin(), names.end(), same), names.end());
}

}  // namespace

std::optional<Program> parse(std::string_view text, const ParseOptions& options, Diagnostics& diagnostics) {
  if (text.size() >= 0xffff'ffffu) {
    diagnostics.error(E0106, "the file is larger than 4 GiB");
    return std::nullopt;
  }
  if (text.empty()) {
    diagnostics.error(E0100, "the file is empty").help = "a program is at least one func.func";
    return std::nullopt;
  }
  if (text::NotText problem = text::not_text(text); !problem.message.empty()) {
    diagnostics.error(E0124, std::move(problem.message)).help = std::move(problem.help);
    return std::nullopt;
  }
  Program program;
  reserve_for(text, program);
  program.source_name = options.name;
  const size_t before = diagnostics.errors();
  text::Binder(text, options, program, diagnostics).run();
  if (options.reading != nullptr) finish_reading(*options.reading);
  if (diagnostics.errors() != before) {
    if (options.reading != nullptr) options.reading->program = std::move(program);
    return std::nullopt;
  }
  if (options.keep_source) program.source_text = text;
  return program;
}

}  // namespace pto
