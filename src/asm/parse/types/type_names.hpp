// Names within types, with suggestions for misspelt names and for names of other languages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/finding_id.hpp"
#include "pto/fix.hpp"
#include "pto/type.hpp"

namespace pto::text {

/// The hint for a misspelt name, and the intended name if it is unique.
struct Hint {
  Hint() = default;
  Hint(const char* text) : help(text) {}   // NOLINT: most hints are a text
  Hint(Fix fix) : help(std::move(fix)) {}  // NOLINT
  Hint(std::string text, std::string_view name = {}) : help(std::move(text)), meant(name) {}  // NOLINT
  Fix help;
  std::string_view meant;
};

/// The reason why a spelling is not a type, and the wrong bytes of the spelling.
struct TypeProblem {
  FindingId id = E0107;
  std::string message;
  Hint hint;
  uint32_t begin = 0, end = 0;
  bool unsupported = false;  ///< known, but not implemented
  /// Of a type that is read all the same: the old spelling of one of its parts, and today's.
  std::string_view old, now;
};

/// Parses one type's spelling; on failure `problem` says why and where.
std::optional<Type> read_type(std::string_view text, Target target, TypeProblem& problem);

/// Space::none when there is no such memory.
Space find_space(std::string_view name);
/// As find_space, for the location of a tile: vec, mat, left, right, acc, bias, scaling.
Space find_tile_location(std::string_view name);
/// `did you mean 'f32'?`, or the list of element types.
Hint elem_help(std::string_view name);
Hint space_help(std::string_view name);
Hint tile_location_help(std::string_view name);
/// For the head of a `!pto.` type.
Hint type_help(std::string_view head);
/// For a key of `!pto.tile_buf<..>`.
Hint tile_key_help(std::string_view key);
/// `did you mean 'x'?` for one of `names`, else `<what>: a, b, c`.
Hint suggest(std::string_view word, const std::vector<std::string_view>& names, std::string_view what);

}  // namespace pto::text
