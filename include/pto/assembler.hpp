// Text -> Program and Program -> text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/diagnostic.hpp"
#include "pto/program.hpp"

namespace pto {

class Defines;

/// Where a text names a value.
struct NameUse {
  Span where;                ///< with its '%', without the '#1' of a pack
  uint32_t definition = 0;   ///< where the '%' of the definition stands: the same for all uses of one value
  ValueId value = kNoValue;  ///< kNoValue where its definition is erroneous
};

/// What else there is to know of a text, for editors: also of one with errors.
struct Reading {
  std::vector<NameUse> names;  ///< in the order of the text
  Program program;             ///< what could be read, where parse() gives nothing; no structure is promised
};

struct ParseOptions {
  std::string name = "<input>";  ///< shown in diagnostics, kept as Program::source_name
  std::optional<Target> target;  ///< overrides pto.target_arch
  std::optional<Level> level;
  const Defines* defines = nullptr;  ///< values of constants that have a name (pto.param)
  bool keep_source = false;          ///< store the text in Program::source_text
  Reading* reading = nullptr;        ///< filled while the text is read
};

/// Parses and binds. Returns the program when nothing was wrong; otherwise only diagnostics. Never throws,
/// never crashes: bad UTF-8, deep nesting, huge numbers and unterminated input are diagnostics.
std::optional<Program> parse(std::string_view text, const ParseOptions& options, Diagnostics& diagnostics);

/// Turns anchors of diagnostics (rules speak of operands and attributes) into spans by parsing their
/// statements again.
void resolve_anchors(const Program& program, std::string_view text, Diagnostics& diagnostics);

/// How many lines end within the statement whose operation's name `text` begins with, up to the '{' of a
/// region.
uint32_t lines_within(std::string_view text, Target target);

struct PrintOptions {
  bool locations = false;  ///< append loc("file":line:col) to every operation, so that the line table
                           ///< survives a round trip
};
/// Canonical text: one operation per line, two-space indentation, DPS forms, short types. parse(print(p)) ==
/// p.
std::string print(const Program& program, const PrintOptions& options = {});
/// One operation without its regions, for messages and listings.
std::string print_op(const Program& program, uint32_t op);

/// Parses one type's spelling; nullopt and `problem` when it is not one.
std::optional<Type> parse_type(std::string_view text, Target target, std::string& problem);

}  // namespace pto
