#include "sim/engine/watch_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "isa/row.hpp"
#include "sim/loader/launch_cores.hpp"

namespace pto::sim {

std::optional<WatchSpec> parse_watch(std::string_view text) {
  WatchSpec watch;
  const size_t at = text.rfind('@');
  if (at != std::string_view::npos) {
    const std::string_view line = text.substr(at + 1);
    const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), watch.line);
    if (problem != std::errc() || end != line.data() + line.size() || watch.line == 0) return std::nullopt;
    text = text.substr(0, at);
  }
  if (text.starts_with('%')) text.remove_prefix(1);
  watch.name = text;
  return watch;
}

bool watches(const WatchSpec& watch, const Program& program, uint32_t op, ValueId value) {
  if (watch.line != 0 && program.ops[op].where.line != watch.line) return false;
  return program.name_of(value) == watch.name;
}

std::string_view parameter_name(const Program& program, const Kernel& kernel, uint32_t index) {
  return index < kernel.parameters.size() ? program.name_of(kernel.parameters[index]) : std::string_view();
}

std::optional<Error> check_watches(const Program& program, const Kernel& kernel,
                                   const std::vector<Argument>& arguments,
                                   const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const std::optional<WatchSpec> watch = parse_watch(text);
    if (!watch) return Error{fmt::format("watch '{}': the line after @ is not an integer", text)};
    bool known = false;
    for (uint32_t i = 0; i < arguments.size() && !known; ++i)
      known = arguments[i].is_buffer &&
              (arguments[i].name == watch->name || parameter_name(program, kernel, i) == watch->name);
    for (ValueId value = 0; value < program.values.size() && !known; ++value) {
      const Type& type = program.type_of(value);
      known =
          program.name_of(value) == watch->name &&
          (type.is_tile() || type.is_view() || type.kind == TypeKind::ptr || type.kind == TypeKind::memref);
    }
    if (!known) return Error{fmt::format("watch '{}': no tile, pointer or buffer has this name", text)};
  }
  return std::nullopt;
}

}  // namespace pto::sim
