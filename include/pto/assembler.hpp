// Text -> Program and Program -> text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pto/diagnostic.hpp"
#include "pto/program.hpp"

namespace pto {

struct ParseOptions {
  std::string name = "<input>";  ///< shown in diagnostics, kept as Program::source_name
  std::optional<Target> target;  ///< overrides pto.target_arch
  std::optional<Level> level;
  bool keep_source = false;  ///< store the text in Program::source_text
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
