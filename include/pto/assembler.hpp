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
  uint32_t definition = 0;   ///< position of the '%' of its definition; equal for all uses of one value
  ValueId value = kNoValue;  ///< kNoValue where its definition is erroneous
};

/// Further information about a text for editors, also about one with errors.
struct Reading {
  std::vector<NameUse> names;  ///< in the order of the text
  Program program;  ///< the operations that were read, if parse() returns none; its structure may be invalid
};

struct ParseOptions {
  std::string name = "<input>";  ///< shown in diagnostics, kept as Program::source_name
  std::optional<Target> target;  ///< overrides pto.target_arch
  std::optional<Level> level;
  const Defines* defines = nullptr;  ///< values of constants that have a name (pto.param)
  bool keep_source = false;          ///< store the text in Program::source_text
  Reading* reading = nullptr;        ///< filled while the text is read
};

/// Parses a text and binds its names. Returns the program if there is no error, and otherwise only
/// diagnostics. Never throws: bad UTF-8, deep nesting, huge constants and unterminated input are
/// diagnostics.
std::optional<Program> parse(std::string_view text, const ParseOptions& options, Diagnostics& diagnostics);

/// Turns anchors of diagnostics (rules speak of operands and attributes) into spans by parsing their
/// statements again.
void resolve_anchors(const Program& program, std::string_view text, Diagnostics& diagnostics);

/// Number of line ends within the first statement of `text`, which begins with the name of its
/// operation; a statement with a region ends at its '{'.
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

/// Parses the spelling of one type. If it is not a type, returns nullopt and sets `problem`.
std::optional<Type> parse_type(std::string_view text, Target target, std::string& problem);

}  // namespace pto
