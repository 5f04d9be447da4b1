// The public entry points of the assembler: text -> Program.
#include "pto/assembler.hpp"

#include "asm/binder.hpp"

namespace pto {

std::optional<Program> parse(std::string_view text, const ParseOptions& options, Diagnostics& diagnostics) {
  if (text.size() >= 0xffff'ffffu) {
    diagnostics.error("E0106", "the file is larger than 4 GiB");
    return std::nullopt;
  }
  Program program;
  program.source_name = options.name;
  const size_t before = diagnostics.errors();
  text::Binder(text, options, program, diagnostics).run();
  if (diagnostics.errors() != before) return std::nullopt;
  if (options.keep_source) program.source_text = text;
  return program;
}

}  // namespace pto
