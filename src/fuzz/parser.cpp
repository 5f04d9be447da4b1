// Fuzz target: the text parser, the verifier and the printer's fixed point.
#include <cstdlib>
#include <string>
#include <string_view>

#include "pto/assembler.hpp"
#include "pto/diagnostic_formats.hpp"
#include "pto/verify.hpp"
#include "testing/fuzz_target.hpp"

namespace pto::fuzz {

int parser(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Diagnostics diagnostics;
  const auto program = parse(text, {}, diagnostics);
  if (!program) {
    if (diagnostics.all().empty()) std::abort();  // refused without saying why
    for (const Diagnostic& d : diagnostics.all()) format_text(d, "fuzz.pto", text);
    return 0;
  }
  Diagnostics findings;
  verify(*program, {}, findings);
  resolve_anchors(*program, text, findings);
  for (const Diagnostic& d : findings.all()) format_text(d, "fuzz.pto", text);
  const std::string printed = print(*program);
  Diagnostics again;
  const auto second = parse(printed, {}, again);
  // Canonical text is a fixed point. An illegal operation in the generic form may hold operands that its own
  // syntax has no place for; such text may be refused, and must not be read as something else.
  const bool out_of_place = findings.errors() != 0 && text.find("\"(") != text.npos;
  if (second ? print(*second) != printed : !out_of_place) std::abort();
  return 0;
}

}  // namespace pto::fuzz
